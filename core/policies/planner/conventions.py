"""Ways that the chain of a task card takes: in the profile ``earth_bench`` a course keeps to the card.

Where a question leaves open what comes first, the dates or the pixels, or by which test a trend is told, the
card's tools settle it. What is settled so is said with the answer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from treeline.core.policies.planner.derivation import RoleRequest, UnavailableRole
from treeline.core.policies.planner.fusions import means_of
from treeline.core.policies.planner.grounds import split_where
from treeline.core.policies.planner.plan import Steps
from treeline.core.policies.planner.times import holds
from treeline.core.policies.planner.values import Value
from treeline.core.policies.planner.work import Work, shortcut
from treeline.core.query.expression import Aggregate, Compare, Node, Trend, Variable

_AVERAGE, _HOTSPOTS = "calculate_tif_average", "calc_batch_image_hotspot_percentage"
_FIRST_AVERAGED = "The rasters of the dates were averaged first, then the pixels."


def _keeps_to(work: Work, *tools: str, without: str) -> bool:
    return set(tools) <= set(work.chain) and without not in work.chain


def _of_dates(node: Node) -> TypeGuard[Variable]:
    """Return whether a node is a variable on several dates."""
    return isinstance(node, Variable) and not node.when.single and not node.timeless


def _is_of_all_dates(work: Work, node: Variable) -> bool:
    """Return whether a variable is asked of on every date that there is, so that it is no side of two."""
    if split_where(node.where)[0]:
        return False
    found = work.materials.derivation.find(node.role, RoleRequest(lambda item: True, sensor=node.sensor))
    items = () if isinstance(found, UnavailableRole) else found.items
    return all(item.date is None or holds(node.when, item.date) for item in items)


def _mean_over_dates(node: Node) -> Aggregate:
    return Aggregate("mean", node, "date", assumed=("dates",))


@shortcut(Aggregate)
def mean_of_an_average(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the mean over the pixels of the dates' average, where the card averages rasters."""
    means = means_of(node.of)
    if (node.statistic, node.over, node.by) != ("mean", "date", None) or means is None:
        return None
    if not _of_dates(means.of) or not _keeps_to(work, _AVERAGE, without="mean"):
        return None
    if "dates" not in node.assumed or not _is_of_all_dates(work, means.of):
        return None
    work.plan.remark(_FIRST_AVERAGED)
    return (yield from work.value(replace(means, of=_mean_over_dates(means.of))))


@shortcut(Aggregate)
def share_of_an_average(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the share of the dates' average beyond a limit, where the card averages rasters."""
    share = node.of
    if (node.statistic, node.over, node.by) != ("mean", "date", None) or not isinstance(share, Aggregate):
        return None
    if (share.statistic, share.over, share.by) != ("share", "pixel", None) or "dates" not in node.assumed:
        return None
    test = share.of
    if not isinstance(test, Compare) or test.operator != "gt" or not _of_dates(test.of):
        return None
    if not _keeps_to(work, _AVERAGE, _HOTSPOTS, without="calculate_threshold_ratio"):
        return None
    work.plan.remark(_FIRST_AVERAGED)
    return (yield from work.value(replace(share, of=replace(test, of=_mean_over_dates(test.of)))))


@shortcut(Trend)
def slope_of_the_card(work: Work, node: Trend) -> Steps[Value | None]:
    """Return the slope by the method that the card names, where the question names none."""
    if (
        node.method
        or node.gives != "slope"
        or not _keeps_to(work, "sens_slope", without="compute_linear_trend")
    ):
        return None
    return (yield from work.value(replace(node, method="theil_sen", per="step")))


@shortcut(Compare)
def fire_prone(work: Work, node: Compare) -> Steps[Value | None]:
    """Mark the pixels that burn as much as a percentile of those that burn at all."""
    usual = node.limit
    if node.operator != "ge" or not isinstance(usual, Aggregate) or usual.statistic != "percentile":
        return None
    burning = any(isinstance(part, Variable) and part.role == "frp" for part in node.of.walk())
    if usual.of != node.of or usual.over != "pixel" or not burning:
        return None
    rasters = yield from work.rasters(node.of)
    if len(rasters.items) != 1:
        return None
    output = work.plan.name("fire_prone", rasters.items[0].mark)
    yield from work.plan.call(
        "identify_fire_prone_areas",
        "Where it burns most.",
        file_path=rasters.layer.addresses[0],
        output_path=output,
        **({} if usual.parameter == 75.0 else {"threshold_percentile": usual.parameter}),
    )
    work.plan.remark("The percentile is of the pixels that burnt at all.")
    return rasters.at([output], "mask", "class", truth=True)
