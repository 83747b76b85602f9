"""What a question says of statistics that holds for its answer: of which of two the other one is taken.

Each entry of ``OF_STATISTICS`` is what words demand, and the expressions that do not meet it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from treeline.core.query.expression import Aggregate, Node, Variable, Which
from treeline.core.query.grammar.groups import SPREADS
from treeline.core.query.phrases.phrase import Join
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Ranking
from treeline.core.query.phrases.values import Along, Raw, Stat, Vague
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token, content

_MEAN = Stat("mean")
# The mean, the variable, and what sets another statistic apart from it.
_BEHIND = 3


def takes_a_statistic_of_means(tokens: Sequence[Token]) -> bool:
    """Return whether another statistic stands apart behind a mean: "mean NDVI of 2016: standard deviation".

    That right behind the variable may be averaged: "mean NDVI range".
    """
    said = content(tokens)
    means = [k for k, (one, other) in enumerate(pairwise(said)) if _MEAN in one.meanings and other.means(Raw)]
    if not means:
        return False
    peaks = any(token.text in _PEAKS for token in said) and any(token.text in _DOES for token in said)
    return peaks or any(
        token.means(Stat) and _MEAN not in token.meanings for token in said[means[0] + _BEHIND :]
    )


# "What did the mean NDVI peak at" is a verb.
_PEAKS = ("peak", "top")
_DOES = ("did", "does", "do")


def _averages_another(node: Node) -> bool:
    """Return whether another statistic of the pixels of each date is averaged."""
    return any(
        isinstance(part, Aggregate)
        and (part.statistic, part.over) == ("mean", "date")
        and isinstance(part.of, Aggregate)
        and part.of.statistic != "mean"
        and part.of.over == "pixel"
        and isinstance(part.of.of, Variable)
        for part in node.walk()
    )


def averages_pixels_first(tokens: Sequence[Token]) -> bool:
    """Return whether a mean is said to be that of the pixels: "spatially averaged", "scene mean"."""
    return any(
        _MEAN in mean.meanings and any(isinstance(m, Along) and m.axis == "pixel" for m in along.meanings)
        for along, mean in pairwise(tokens)
    )


def _averages_dates_of_pixels(node: Node) -> bool:
    """Return whether a statistic is that of pixels that were averaged over the dates."""
    return any(
        isinstance(part, Aggregate)
        and (part.statistic, part.over) == ("mean", "date")
        and isinstance(part.of, Variable)
        for part in node.walk()
    )


def tells_spread_as(statistic: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether a word such as "spread" is told in other words: "spread, as standard deviation"."""

    def demand(tokens: Sequence[Token]) -> bool:
        vague = any(m for token in tokens for m in token.meanings if isinstance(m, Vague))
        exact = {
            m.statistic
            for token in tokens
            if not token.means(Vague)
            for m in token.meanings
            if isinstance(m, Stat) and m.statistic in SPREADS
        }
        beside = any(token.text == "and" and Join("and") in token.meanings for token in tokens)
        return vague and exact == {statistic} and not beside

    return demand


def _spreads_otherwise(statistic: str) -> Callable[[Node], bool]:
    """Return whether another spread than one that was named is told."""
    others = SPREADS - {statistic}
    return lambda node: any(isinstance(p, Aggregate) and p.statistic in others for p in node.walk())


def says_a_statistic_varies(tokens: Sequence[Token]) -> bool:
    """Return whether it is a statistic of the pixels that varies: "how did mean NDVI vary in 2017"."""
    said = content(tokens)
    return any(
        one.means(Stat) and not one.means(Vague) and other.means(Raw) and last.text in _VARIES
        for one, other, last in zip(said, said[1:], said[2:], strict=False)
    )


_VARIES = ("vary", "varies", "varied", "fluctuate", "fluctuates", "fluctuated")


def _spreads_pixels(node: Node) -> bool:
    """Return whether a spread is that of pixels."""
    parts = (part for part in node.walk() if isinstance(part, Aggregate))
    return any(part.statistic in SPREADS and part.over in ("pixel", "all") for part in parts)


def is_at_its_extreme(tokens: Sequence[Token]) -> bool:
    """Return whether the highest point is that of what is measured, and not of a ground."""
    for place, token in enumerate(tokens):
        if _AT_ITS_POINT.fullmatch(token.text):
            return not any(before.means(Mask) for before in tokens[:place])
    return False


_AT_ITS_POINT = re.compile(r"(?:at|in) its (?:highest|lowest|high|low) points?")


def _is_on_the_highest_ground(node: Node) -> bool:
    """Return whether something is measured where the elevation is highest or lowest."""
    return any(
        isinstance(part, Aggregate) and getattr(part.of, "role", "") == "dem"
        for leaf in leaves(node)
        if leaf.where is not None
        for part in leaf.where.walk()
    )


def tells_by_what_it_ranks(tokens: Sequence[Token]) -> bool:
    """Return whether a mean behind "by" says by what something is ranked: "greenest month by mean NDVI"."""
    said = content(tokens)
    ranked = [k for k, token in enumerate(said) if token.means(Ranking)]
    if not ranked or any(token.means(Stat) for token in said[: ranked[0]]):
        return False
    return any(
        one.text == "by" and stat.means(Stat) and raw.means(Raw)
        for one, stat, raw in zip(said, said[1:], said[2:], strict=False)
    )


def _measures_what_is_found(node: Node) -> bool:
    """Return whether something is measured at the time that is looked for."""
    return any(isinstance(leaf.when.at, Which) for leaf in leaves(node) if hasattr(leaf, "when"))


def names_a_rise(tokens: Sequence[Token]) -> bool:
    """Return whether what passes a limit is the rise, and no variable: "an NDVI rise beyond 0.1"."""
    for place, token in enumerate(tokens):
        if token.text in _RISES:
            verb = any(before.text.split()[-1] in _AUXILIARIES for before in tokens[:place])
            return not verb and tokens[place - 1].text != "to"
    return False


_RISES = frozenset(f"{rise} {past}" for rise in ("rise", "climb") for past in ("past", "beyond"))
_AUXILIARIES = ("did", "does", "do", "would", "will", "can", "could")


def asks_for_a_value(tokens: Sequence[Token]) -> bool:
    """Return whether the value itself is asked for, and no date: "the highest mean NDVI value"."""
    texts = [token.text for token in tokens]
    asked = any(text.split()[-1] in ("value", "number") for text in texts)
    words = {word for text in texts for word in text.split()}
    return asked and not words & _WHICH


_WHICH = frozenset(("which", "when", "where", "whose", "and", "or", *(
    "date", "day", "image", "scene", "acquisition", "month", "season", "year", "class", "region", "polygon"
)))  # fmt: skip

OF_STATISTICS: tuple[tuple[Callable[[Sequence[Token]], bool], Callable[[Node], bool]], ...] = (
    (takes_a_statistic_of_means, _averages_another),
    (averages_pixels_first, _averages_dates_of_pixels),
    *((tells_spread_as(one), _spreads_otherwise(one)) for one in sorted(SPREADS)),
    (says_a_statistic_varies, _spreads_pixels),
    (is_at_its_extreme, _is_on_the_highest_ground),
    (tells_by_what_it_ranks, _measures_what_is_found),
    (names_a_rise, lambda node: True),
    (asks_for_a_value, lambda node: isinstance(node, Which)),
)
