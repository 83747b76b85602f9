"""Text from data, made safe for places that read Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

Key = TypeVar("Key")

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")
_LEAST_KEPT = 0.7
_BLOCKS = " ▁▂▃▄▅▆▇█"


def plain(text: object) -> str:
    """Return text so that Markdown shows it as it stands, in one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(str(text).split()))


def shorten(text: object, longest: int = 80) -> str:
    """Return the first line of a text, cut with an ellipsis; behind a word, where that leaves most of it."""
    lines = str(text).strip().splitlines()
    line = lines[0] if lines else ""
    if len(line) <= longest:
        return line
    words = line[:longest].rpartition(" ")[0].rstrip(" ,;:-")
    kept = words if len(words) >= _LEAST_KEPT * longest else line[: longest - 1].rstrip()
    return f"{kept}…"


def without_marks(document: str) -> str:
    """Return a document without the backticks around what is code in it: it is shown as it stands."""
    return document.replace("``", "").replace("`", "")


def number(value: float | None, digits: int = 4) -> str:
    """Return a number as a legend shows it; a dash for none."""
    return "–" if value is None else f"{value:,.{digits}g}"


def seconds(value: float) -> str:
    """Return a duration: ``0.42 s``, ``12 s``, ``3 min 5 s``."""
    if value >= 60:
        return f"{int(value // 60)} min {int(value % 60)} s"
    return f"{value:.2f} s" if value < 1 else f"{value:.1f} s"


def count_text(number: int, word: str) -> str:
    """Return a number with its noun: ``1 run``, ``2 runs``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def bars(values: list[int]) -> str:
    """Return a line of bars, one a value, the highest full."""
    most = max(values, default=0)
    return "".join(_BLOCKS[round(value / most * 8)] if most else _BLOCKS[0] for value in values)


def tell_apart(labels: Mapping[Key, str], names: Mapping[Key, str] | None = None) -> dict[Key, str]:
    """Return labels of which no two are alike: a browser says which was chosen by its label alone.

    Parameters
    ----------
    labels : mapping
        What each choice is called.
    names : mapping, optional
        What stands behind the labels that are alike; without, the choice itself.
    """
    told: dict[Key, str] = {}
    counts, seen = Counter(labels.values()), Counter[str]()
    for key, label in labels.items():
        text = f"{label} ({names[key] if names else key})" if counts[label] > 1 else label
        seen[text] += 1
        told[key] = f"{text} {seen[text]}" if seen[text] > 1 else text
    return told


def mark_what_differs(texts: Sequence[str]) -> list[str]:
    """Return texts as Markdown; of two, with the words in bold that the other one has not."""
    if len(texts) != 2:
        return [plain(text) for text in texts]
    one, other = (text.split() for text in texts)
    found = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return [
        _join_marked((one[a:b], kind != "equal") for kind, a, b, _, _ in found),
        _join_marked((other[a:b], kind != "equal") for kind, _, _, a, b in found),
    ]


def _join_marked(parts: Iterable[tuple[Sequence[str], bool]]) -> str:
    told = ((plain(" ".join(words)), marked) for words, marked in parts if words)
    return " ".join(f"**{text}**" if marked else text for text, marked in told)
