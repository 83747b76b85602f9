"""A limit that is passed in the course of time: on some date, on every date, or by the mean of the dates.

"Did mean NDVI fall below 0.3 in 2017" asks for a date, "did it stay above" for all of them; "did it exceed"
may as well be said of the mean of the year, and "did the mean NDVI of 2017 exceed" is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import Aggregate, Compare, Node, Number
from treeline.core.query.phrases.conditions import Operator
from treeline.core.query.phrases.phrase import Word
from treeline.core.query.phrases.times import Time
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token


def with_dates_that_pass(found: Iterable[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return readings in which a limit is passed on the dates that the verb speaks of."""
    readings = list(found)
    if any(Word("on_average") in token.meanings for token in tokens):
        return readings
    told = [token for token in tokens if token.meanings]
    for before, token in pairwise(told):
        if not any(isinstance(m, Operator) for m in token.meanings):
            continue
        of_a_time = any(isinstance(m, Time) for m in before.meanings)
        # "The mean of 2017" is one number.
        owned = of_a_time and any(a.text == "of" and b is before for a, b in pairwise(tokens))
        for pattern, statistic, mean_as_well in _VERBS:
            if not pattern.match(token.text.lower()) or mean_as_well and of_a_time:
                continue
            dated = [_on_dates(node, statistic) for node in readings]
            readings = list(dict.fromkeys((*dated, *readings) if mean_as_well or owned else dated))
    return readings


_VERBS = (
    (re.compile(r"(?:stay|remain|keep|kept|hold|held)"), "all", False),
    (
        re.compile(
            r"(?:rise|rose|risen|rising|climb|go|went|gone|get|got|come|came|fall|fell|drop|dip|sink|sank|sunk"
            r"|slip|slid|plunge|slump|cross|pass|reach|hit|attain|achieve)"
        ),
        "any",
        False,
    ),
    (re.compile(r"(?:exceed|surpass|top|beat|broke|breach|better|overshoot|overshot)"), "any", True),
)


def _on_dates(node: Node, statistic: str) -> Node:
    """Return an expression with a limit on the mean of the dates, which nobody asked for, on them instead."""

    def on_dates(condition: Compare) -> Node:
        each = _of_each_date(condition.of)
        limit = condition.limit if isinstance(condition.limit, Number) else _of_each_date(condition.limit)
        if each is None or limit is None or not _have_the_same_dates(each, limit):
            return condition
        made = Aggregate(statistic, replace(condition, of=each, limit=limit), "date")  # type: ignore[arg-type]
        return made if kind_or_none(made) is not None else condition

    made = rewrite(node, Compare, on_dates)
    # What counts or averages over the dates around the condition has none left.
    sound = all(kind_or_none(part) is not None for part in made.walk() if isinstance(part, Aggregate))
    return made if sound else node


def _have_the_same_dates(one: Node, other: Node) -> bool:
    """Return whether two courses may cross on a date: 2017 and 2016 have none in common."""
    times = [{leaf.when for leaf in leaves(side)} for side in (one, other)]
    return isinstance(other, Number) or times[0] == times[1]


def _of_each_date(node: Node) -> Node | None:
    """Return what a mean of the dates that was assumed is the mean of."""
    match node:
        case Aggregate("mean", each, "date", by=None, assumed=assumed) if "dates" in assumed:
            return each
    return None
