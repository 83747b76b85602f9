"""What the tags of a file say against its own values, such as that they are not calibrated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from treeline.toolkit.recognition.rules import Verdict, caveat_words, verdicts

# Longer texts are documents about the product, which speak of more than of this file.
LONGEST_NOTE = 500
_NAME = re.compile(r"[\w.:-]{1,60}")


def caveats_in(tags: Mapping[str, str], whose: str) -> tuple[str, ...]:
    """Return a sentence for each tag that says something against the values.

    Of a tag's text the known word alone is repeated, since anybody may have written the rest.

    Parameters
    ----------
    tags : mapping
        Names and values.
    whose : str
        The file or the band, for people.
    """
    said = ((name, word) for name, text in tags.items() for word in _caveats_of(name, text))
    return tuple(f"{whose} says of itself {word!r} (tag {name})." for name, word in said)


def _caveats_of(name: str, text: str) -> Iterator[str]:
    if not _NAME.fullmatch(name) or len(text) > LONGEST_NOTE:
        return
    verdict = next((each for each in verdicts() if _speaks(each, name, text)), None)
    if verdict is not None:
        yield text.strip()
        return
    word = re.search(
        rf"(?<![\w-])(?:{'|'.join(map(re.escape, caveat_words()))})(?![\w-])", text, re.IGNORECASE
    )
    if word is not None:
        yield word[0]


def _speaks(verdict: Verdict, name: str, text: str) -> bool:
    named = re.fullmatch(verdict.tag, name, re.IGNORECASE)
    return bool(named and re.fullmatch(verdict.value, text.strip(), re.IGNORECASE))
