"""Whether two lessons say the same in nearly the same words."""

from __future__ import annotations

import re
from functools import lru_cache

from treeline.core.memory.items import BankItem

LEAST_SHARE = 0.75
"""Share of the words of two lessons that they must have in common to be one: a decision. One may say more
than the other, but no word may stand for another one, and none that changes what is said, such as a number, a
negation, a direction or a tool, may be more or fewer. What stands on one side of "before", "from" or "and" in
one stands on the same side in the other."""

_WORD = re.compile(r"[a-z][a-z0-9_]*|-?\d+(?:\.\d+)?")
_MUTE = """
    a an are as at be been for had has have in is it its of on or that the their them then
    there these this to was were what when where which with
"""
_OPPOSED = """
    not no never without none only except unless instead avoid before after first last earlier later
    highest lowest maximum minimum max min most least largest smallest greatest top bottom
    above below over under more less higher lower greater exceed exceeds rise fall rises falls increase
    decrease gain loss warm warmer cool cooler hot cold wet dry day night
    mean average median sum count share area percentile deviation trend
    north south east west inside outside include included exclude excluded clear cloudy
"""
# What stands on one side of them is not what stands on the other: subtract a from b, mask before a mean.
_PARTING = """
    and or then before after until while instead than from by to with without into over unless except
"""
_ONE_MEANING = (
    "mean average",
    "calculate compute derive make obtain",
    "use call apply take run",
    "raster image layer scene",
    "leave drop discard omit remove",
    "check verify ensure",
    "choose pick select",
)
_MUTE_WORDS, _TELLING, _PARTING_WORDS = (frozenset(words.split()) for words in (_MUTE, _OPPOSED, _PARTING))


def alike(one: BankItem, other: BankItem) -> bool:
    """Return whether two items are near duplicates: of one kind and one key, and told nearly alike.

    Items with procedures are alike where these take the same tools in the same order.
    """
    if (one.kind, one.expression) != (other.kind, other.expression):
        return False
    if one.procedure is not None and other.procedure is not None:
        return (one.procedure.tools, one.procedure.ways) == (other.procedure.tools, other.procedure.ways)
    if (one.procedure is None) != (other.procedure is None):
        return False
    return _alike_in_words(one.text, other.text)


def _alike_in_words(one: str, other: str) -> bool:
    (left, telling), (right, telling_too) = _content(one), _content(other)
    # In their order: "day instead of night" and "night instead of day" have the same words.
    if telling != telling_too or len(left) != len(right):
        return False
    small, large = sorted((left, right), key=_count)
    within = all(few <= many for few, many in zip(small, large, strict=True))
    return within and _count(small) >= LEAST_SHARE * _count(large)


def _count(parts: tuple[frozenset[str], ...]) -> int:
    return sum(map(len, parts))


def _tells(word: str) -> bool:
    return word in _TELLING or "_" in word or any(letter.isdigit() for letter in word)


@lru_cache(maxsize=20_000)
def _content(text: str) -> tuple[tuple[frozenset[str], ...], tuple[str, ...]]:
    """Return the words of each part of a text by their meaning, and in their order those that change it.

    Within a part words may change places, as in "mask the clouds" and "the clouds are masked".
    """
    words = _WORD.findall(text.casefold())
    telling = tuple(_meaning(word) for word in words if _tells(word))
    parts: list[set[str]] = [set()]
    for word in words:
        if word in _PARTING_WORDS:
            parts.append({word})
        elif word not in _MUTE_WORDS:
            parts[-1].add(_meaning(word))
    return tuple(map(frozenset, parts)), telling


def _meaning(word: str) -> str:
    stem = _stem(word)
    return _SYNONYMS.get(word) or _SYNONYMS.get(stem, stem)


def _stem(word: str) -> str:
    """Return a word without the ending of its form: cloud and clouds, mask and masked are one."""
    # The longest endings first, or "ies" would lose its "s" alone.
    for ending in ("ies", "ing", "ed", "es", "e", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)]
    return word


_SYNONYMS = {form: group for group in _ONE_MEANING for word in group.split() for form in (word, _stem(word))}
