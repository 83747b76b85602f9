"""The steps that the words of an answer cite: "Forest has 0.69 [5], grassland 0.42 [5, 7]."."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise

_MORE = r"(?:\s*(?:,|and|&)\s*(?:steps?\s*)?\d{1,4})*"
_NUMBERS = rf"(?:steps?\s*)?\d{{1,4}}{_MORE}"
_CITATION = re.compile(rf"\s*(?:\[{_NUMBERS}\]|\u3010{_NUMBERS}\u3011|\(steps?\s*\d{{1,4}}{_MORE}\))", re.I)
# What has ends in square brackets is an interval, and what is listed so are classes or places.
_NO_CITATION = re.compile(r"\b(?:in|within|interval|range|ranges|class|classes|zones?|values?)\s*$", re.I)
# "It was 0.69. [5] Then it fell" cites for what stands before.
_BEHIND_STOP = re.compile(rf"([.!?])((?:\s*\[{_NUMBERS}\])+)(?=\s|$)")


def read_citations(text: str, known: Collection[int]) -> tuple[int, ...]:
    """Return the numbers of steps that a text cites, of those that there are, each once."""
    return tuple(dict.fromkeys(number for match in _citations(text, known) for number in _steps_of(match)))


def without_citations(text: str, known: Collection[int]) -> str:
    """Return a text without the citations of steps in it.

    Examples
    --------
    >>> without_citations("It rose [3] by 0.2 [3, 5] in [0, 1].", {3, 5})
    'It rose by 0.2 in [0, 1].'
    """
    return _exchange(text, known, lambda match: "")


def split_behind_citations(text: str, known: Collection[int]) -> list[str]:
    """Return the pieces of a text, each up to the citation of what it states; a last one may have none.

    They make up the text.

    Examples
    --------
    >>> split_behind_citations("It is 0.2 [3], and 7 m high [5].", {3, 5})
    ['It is 0.2 [3]', ', and 7 m high [5].']
    """
    ends = [match.end() for match in _citations(text, known)]
    if ends and not re.search(r"\w", text[ends[-1] :]):
        ends.pop()
    return [text[start:end] for start, end in pairwise([0, *ends, len(text)])]


def renumber_citations(text: str, numbers: Mapping[int, int]) -> str:
    """Return a text that cites steps by their numbers in another record.

    Examples
    --------
    >>> renumber_citations("It is 0.2 [3].", {3: 12})
    'It is 0.2 [12].'
    """
    return _exchange(
        text, numbers, lambda match: re.sub(r"\d+", lambda found: str(numbers[int(found[0])]), match[0])
    )


def with_citations_in_sentences(text: str) -> str:
    """Return a text in which a citation behind the end of a sentence stands before that.

    Examples
    --------
    >>> with_citations_in_sentences("It was 0.69. [5] Then it fell.")
    'It was 0.69 [5]. Then it fell.'
    """
    return _BEHIND_STOP.sub(lambda match: f" {match[2].strip()}{match[1]}", text)


def _exchange(text: str, known: Collection[int], change: Callable[[re.Match[str]], str]) -> str:
    for match in reversed([*_citations(text, known)]):
        text = text[: match.start()] + change(match) + text[match.end() :]
    return text


def _citations(text: str, known: Collection[int]) -> Iterator[re.Match[str]]:
    for match in _CITATION.finditer(text):
        if all(step in known for step in _steps_of(match)) and not _NO_CITATION.search(text[: match.start()]):
            yield match


def _steps_of(match: re.Match[str]) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", match[0])]
