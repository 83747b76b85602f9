"""Words that add nothing to what the rest of a question says, where all else of it is read.

A question is often longer than what it asks: "over all dates, what trend per year *can* be seen", "NDVI by
class *(land cover)*", "and give *its* area". Where it is not read as it stands, the fewest words are looked
for without which it is, and each of these has to be spare: it is on the closed list of words that never carry
a meaning of their own in a question about rasters, or the expression found says by itself what the word
means. A number, a limit, a negation or an unknown word is never spare.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

from treeline.core.query.ellipsis import POINTS
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Combine,
    Correlation,
    Dates,
    Node,
    Steps,
    Trend,
    Variable,
    Which,
    Zones,
)
from treeline.core.query.kinds import kind_of
from treeline.core.query.offers import segments
from treeline.core.query.phrases.answers import Target
from treeline.core.query.phrases.comparisons import Change, HowMuch
from treeline.core.query.phrases.counts import Share, Unit
from treeline.core.query.phrases.phrase import Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Extreme
from treeline.core.query.phrases.times import Clouds, Time
from treeline.core.query.phrases.values import Amount, Each, Measure, Raw, Stat, Vague
from treeline.core.query.repetition import says
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token, content

# Each stretch costs a chart: as many are tried as a person waits for without noticing.
_WIDEST = 4
_MOST_TOKENS = 26


def without_spare_words(
    tokens: Sequence[Token], read: Callable[[Sequence[Token]], list[Node]]
) -> list[tuple[list[Token], list[Token]]]:
    """Return the ways to leave out the fewest words that are spare: what is kept, and what is left out.

    Parameters
    ----------
    tokens : sequence of Token
    read : callable
        The expressions of a row of tokens; none where it is not read.
    """
    told = content(tokens)
    if len(told) > _MOST_TOKENS or not all(_is_listed(token) for token in told if token.kind == "unknown"):
        return []
    whole = segments(tokens)
    found: list[tuple[list[Token], list[Token]]] = []
    for left in _candidates(told):
        if found and len(left) > len(found[0][1]):
            break
        if any(0 < sum(one in left for one in stretch) < len(stretch) for stretch in whole):
            continue
        kept = [token for token in tokens if token not in left]
        nodes = read(kept)
        if nodes and all(
            _is_told(told, token) and _is_found(tokens, token, node) and is_spare(token, node)
            for token in left
            for node in nodes
        ):
            found.append((kept, left))
    return found


def _is_told(told: Sequence[Token], token: Token) -> bool:
    """Return whether a statistic that is left out stands beside the same in another word: "average mean".

    "The mean of the number of dates above 0.6" has a mean that is not that of NDVI.
    """
    stats = {meaning for meaning in token.meanings if isinstance(meaning, Stat)}
    if not stats or token.means(Vague):
        return True
    beside = [one for one in told if 1 in (one.start - token.end, token.start - one.end)]
    return any(not stats.isdisjoint(one.meanings) for one in beside)


def _is_found(tokens: Sequence[Token], unit: Token, node: Node) -> bool:
    """Return whether what a word names as looked for is found: "name the month with the maximum".

    "One" before a noun chooses, after "which" a noun is asked for, and what is averaged over has to be:
    "the median date" is one of the dates, and no median of pixels.
    """
    earlier = [token for token in tokens if token.end <= unit.start]
    before = earlier[-1].text if earlier else ""
    if unit.means(Unit) and earlier and earlier[-1].means(Stat):
        return any(_goes_over(node, stat, one) for stat in earlier[-1].meanings for one in unit.meanings)
    if any(token.text == "values over" for token in earlier[-2:]):
        return any(isinstance(m, Unit) and _goes_at_last(node, m) for m in unit.meanings)
    after = next((token for token in tokens if token.start >= unit.end), unit)
    if before in _WHICH or unit.text == "one" and after is not unit and after.means(Unit):
        return False
    sought = unit.means(Unit) and not _OF_WHAT.isdisjoint((after.text, after.text.split()[0]))
    return not sought or isinstance(node, Which | Dates)


def _goes_over(node: Node, stat: Phrase, unit: Phrase) -> bool:
    """Return whether the statistic before a unit goes over what the unit names."""
    if not isinstance(stat, Stat) or not isinstance(unit, Unit):
        return False
    return any(
        isinstance(part, Aggregate) and part.statistic == stat.statistic and part.over in (unit.of, "all")
        for part in node.walk()
    )


def _goes_at_last(node: Node, unit: Unit) -> bool:
    """Return whether the last statistic of all goes over what a unit names."""
    return isinstance(node, Aggregate) and node.over == (
        unit.of if unit.of in ("date", "pixel") else "period"
    )


_WHICH = ("which", "what", "whose", "how many", "on how many")
_OF_WHAT = frozenset(("of", "with", "where", "when", "that", "whose", "at which", "in which", "on which"))


def _adds_nothing(told: Sequence[Token], joint: Token, left: Sequence[Token]) -> bool:
    """Return whether what follows an "and" names no new thing: "and give its area", "and average it"."""
    kept = [token for token in told if token not in left]
    before = [token for token in kept if token.end <= joint.start]
    after = [token for token in kept if token.start >= joint.end]
    again = any(token.means(*_STATISTICS) for token in before)
    new = (*_NAMES, *(_STATISTICS if again else ()))
    return not any(token.means(*new) for token in after)


_STATISTICS = (Stat, Extreme, Vague)
_NAMES = (Amount, Time, Mask, Raw, Measure)


def _candidates(told: Sequence[Token]) -> list[list[Token]]:
    """Return what may be left out, the fewest words first.

    Listed words, those alone that nobody knows or all of them, and beside them a stretch of words that may
    say something again, or two of these.
    """
    listed = [token for token in told if _is_listed(token)]
    may = [token for token in told if token in listed or _may_repeat(token)]
    stretches = [
        told[start : start + width]
        for width in range(_WIDEST + 1)
        for start in range(len(told) - width + 1)
        if all(token in may for token in told[start : start + width])
        and not _names_anew(told, start, start + width)
    ]
    single = [
        token
        for place, token in enumerate(told)
        if token in may and token not in listed and not _names_anew(told, place, place + 1)
    ]
    pairs = [list(pair) for pair in combinations(single, 2)]
    found: dict[tuple[int, ...], list[Token]] = {}
    for base in ([token for token in told if token.kind == "unknown"], listed):
        for beside in (*stretches, *pairs):
            left = [token for token in told if token in base or token in beside]
            left = [t for t in left if t.text != "and" or _adds_nothing(told, t, left)]
            found.setdefault(tuple(token.start for token in left), left)
    # "Its class and its area" are two things.
    once = [left for left in found.values() if len({token.text for token in left}) == len(left)]
    return sorted(filter(None, once), key=len)


def _names_anew(told: Sequence[Token], start: int, end: int) -> bool:
    """Return whether a variable is told a second time elsewhere than after "than" or "in terms of"."""
    named = [place for place in range(start, end) if told[place].means(Raw)]
    return any(told[place - 1].text not in _BEFORE_VARIABLE for place in named)


_BEFORE_VARIABLE = ("than", "in terms of", "greener than", "greener")


def is_spare(token: Token, node: Node) -> bool:
    """Return whether a word adds nothing to an expression."""
    return _is_listed(token) or any(_says_again(node, meaning) for meaning in token.meanings)


class SpareWords(BaseModel):
    """What the file holds: the words by kind, and questions with some of them."""

    model_config = ConfigDict(extra="forbid")

    words: dict[str, tuple[str, ...]]
    examples: tuple[dict[str, str], ...]


@cache
def spare_words() -> SpareWords:
    """Return the words that never carry a meaning of their own."""
    text = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    return SpareWords.model_validate(yaml.safe_load(text))


@cache
def _words_of_list() -> frozenset[str]:
    return frozenset(word for words in spare_words().words.values() for word in words)


def _is_listed(token: Token) -> bool:
    return token.text.lower() in _words_of_list() and POINTS not in token.meanings


def _may_repeat(token: Token) -> bool:
    long = len(token.text.split()) > _LONGEST
    if long or _ASKS.search(token.text.lower()):
        return False
    return any(isinstance(meaning, (*_AGAIN, *_REPEATS)) for meaning in token.meanings)


# A phrase of many words says more than one thing, and what is asked for is never spare.
_LONGEST = 3
_ASKS = re.compile(r"\b(?:which|when|where|what|who|how many)\b")


def _says_again(node: Node, meaning: Phrase) -> bool:
    """Return whether an expression says by itself what a word means beside others."""
    rule = _AGAIN.get(type(meaning))
    if rule is not None:
        return rule(node, meaning)
    return isinstance(meaning, _REPEATS) and says(node, meaning)


def _names_unit(node: Node, unit: Unit) -> bool:
    """Say what is spoken of: images where there is a time, pixels where a statistic goes over them."""
    if unit.clear:
        return False
    parts = list(node.walk())
    if unit.of == "date":
        dated = any(leaf.when != ALWAYS for leaf in leaves(node))
        return dated or any(isinstance(part, Which | Steps | Trend) for part in parts) or _goes(node, "date")
    if unit.of == "pixel":
        assumed = any(part.assumed for part in parts if isinstance(part, Aggregate))
        return (
            _goes(node, "pixel")
            and not assumed
            or any(isinstance(part, Correlation) and part.over == "pixel" for part in parts)
        )
    return any(isinstance(part, Zones) and part.by == unit.of for part in parts) or any(
        isinstance(part, Aggregate) and part.by == unit.of for part in parts
    )


def _goes(node: Node, axis: str) -> bool:
    return any(isinstance(part, Aggregate) and part.over in (axis, "all") for part in node.walk())


def _is_change(node: Node, change: Change) -> bool:
    """Say that something changes: a difference of two times, steps, a trend."""
    if change.sign:
        return False
    return any(
        isinstance(part, Trend | Steps) or isinstance(part, Combine) and part.how == change.how
        for part in node.walk()
    )


def _names_variable(node: Node, raw: Raw) -> bool:
    """Say the variable that a word names; "green" is what an index of greenness measures."""
    if not isinstance(raw.node, Variable):
        return False
    roles = {leaf.role for leaf in leaves(node) if isinstance(leaf, Variable)}
    plain = raw.node.when == ALWAYS and raw.node.where is None
    return (
        plain
        and len(roles) == 1
        and (raw.node.role in roles or raw.node.role == "green" and roles <= _GREENNESS)
    )


_GREENNESS = frozenset(("ndvi", "evi", "savi"))


def _says_how_much(node: Node, much: HowMuch) -> bool:
    """Say by how much something changes."""
    return _is_change(node, Change(much.how))


def _means_by_itself(node: Node, word: Word) -> bool:
    parts = list(node.walk())
    match word.name:
        case "as_share":
            return kind_of(node).unit == "%"
        case "consecutive":
            return any(isinstance(part, Steps) for part in parts) or any(
                isinstance(part, Aggregate) and part.statistic in ("longest_run", "runs") for part in parts
            )
        case "whole":
            return all(leaf.where is None for leaf in leaves(node))
        case "patchwise":
            return any(isinstance(part, Zones) and part.by == "patch" for part in parts)
    return False


def _is_told_by_a_statistic(node: Node, vague: Vague) -> bool:
    """Say which statistic a vague word stands for: "how uneven was it? I want the standard deviation"."""
    return any(isinstance(part, Aggregate) and part.statistic in vague.statistics for part in node.walk())


_AGAIN: dict[type[Phrase], Callable[[Node, Any], bool]] = {
    Unit: _names_unit,
    Change: _is_change,
    Raw: _names_variable,
    HowMuch: _says_how_much,
    Vague: _is_told_by_a_statistic,
    Word: _means_by_itself,
}
_REPEATS = (Stat, Each, Target, Share, Clouds)
