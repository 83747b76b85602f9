"""What a chart can stand for, and which of it is the best: the cheapest whose nodes fit together."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from treeline.core.query.chart import Chart
from treeline.core.query.checks import (
    averages_classes,
    averages_cloudy_dates,
    averages_totals_of_parts,
    claims_a_condition,
    finds_itself,
    forgets_the_band,
    half_clear,
    is_half_dated,
    is_partly_based,
    is_partly_dated,
    leaves_out_nothing,
    limits_an_extreme,
    looks_through_clouds,
    measures_itself,
    mixes_the_base,
    places_the_date_alone,
    pools_times,
    ranks_an_outsider,
    rests_on_a_default,
    sums_rates,
    zones_elsewhere,
)
from treeline.core.query.closing import close, close_by_date, date_extremes
from treeline.core.query.expression import (
    Node,
    Show,
)
from treeline.core.query.kinds import IllTyped, kind_of
from treeline.core.query.phrases.phrase import Phrase
from treeline.core.query.ranges import contradicts, for_each_range
from treeline.core.query.slots import clashes, leaves, settle


def expressions_in(chart: Chart) -> list[tuple[Node, int]]:
    """Return what the whole chart can stand for, with costs."""
    found = _close_chart(chart, close)
    return list((found or _close_chart(chart, close_by_date)).items())


def _close_chart(chart: Chart, how: Callable[[Phrase], Iterable[Node]]) -> dict[Node, int]:
    found: dict[Node, int] = {}
    for cost, phrase in chart.whole.values():
        for expression in map(date_extremes, map(for_each_range, map(settle, how(phrase)))):
            if found.get(expression, cost + 1) > cost:
                found.pop(expression, None)  # with it goes what was assumed on the dearer way
                found[expression] = cost
    return found


def best(found: Iterable[tuple[Node, int]]) -> list[Node]:
    """Return the cheapest expressions whose nodes fit together and are told in full."""
    costs = (is_half_dated, half_clear, places_the_date_alone, pools_times, pools_times)
    sound = [(node, cost + sum(one(node) for one in costs)) for node, cost in found if is_sound(node)]
    least = min((cost for _, cost in sound), default=0)
    cheapest = [node for node, cost in sound if cost == least]
    shown = any(isinstance(node, Show) for node in cheapest)
    return [node for node in cheapest if not (shown and rests_on_a_default(node))]


def is_well_typed(node: Node) -> bool:
    """Return whether nodes fit together."""
    try:
        for part in node.walk():
            kind_of(part) if _has_kind(part) else None
    except IllTyped:
        return False
    return True


def is_sound(node: Node) -> bool:
    """Return whether nodes fit together and no check finds a reading wrong."""
    if not is_well_typed(node):
        return False
    wrong = (
        averages_classes,
        averages_cloudy_dates,
        averages_totals_of_parts,
        claims_a_condition,
        contradicts,
        finds_itself,
        forgets_the_band,
        leaves_out_nothing,
        limits_an_extreme,
        looks_through_clouds,
        is_partly_based,
        measures_itself,
        mixes_the_base,
        ranks_an_outsider,
        sums_rates,
        zones_elsewhere,
    )
    nowhere = any(clashes(leaf.where) for leaf in leaves(node))
    return not (nowhere or is_partly_dated(node, apart=True) or any(check(node) for check in wrong))


def _has_kind(node: Node) -> bool:
    return type(node).__name__ not in ("Span", "When", "Zones")
