"""Which variables stand in for those that are named, and what the answer says of that."""

from __future__ import annotations

from treeline.core.policies.planner.intent import Operation, Statistic, Threshold
from treeline.core.policies.planner.linking import Linked
from treeline.core.policies.planner.titles import short_title
from treeline.core.policies.planner.vocabulary import UNKNOWN
from treeline.toolkit.variables import BRIGHTNESS


def stand_in_notes(linked: Linked) -> tuple[str, ...]:
    """Say when another variable stands in for the one that the question names."""
    if linked.target == UNKNOWN:
        return ("Nothing says what this raster holds: its role and its unit are unknown.",)
    if not linked.named or linked.named == linked.target or linked.target is None:
        return ()
    taken, wanted = short_title(linked.target), short_title(linked.named)
    if linked.target in BRIGHTNESS:
        return (f"This is {taken}, not surface temperature, which cannot be derived here.",)
    return (f"There is no {wanted}; {taken} was taken.",)


def about_clearness(linked: Linked, statistic: Statistic | None, operation: Operation) -> None:
    """Read "how many cloud-free dates" and "how much of the area is cloud-free" as questions of the mask.

    A cloud-free date is one with no cloudy pixel at all.
    """
    if operation == "count":
        linked.target = linked.named = "cloud_mask"
        linked.threshold = Threshold("above", 0.0)
        linked.area_limit = Threshold("below", 0.0, "%", inclusive=True)
        linked.notes.append("Cloud-free was read as no cloudy pixel at all.")
    elif statistic in ("share", "area"):
        linked.target = linked.named = "cloud_mask"
        linked.threshold = Threshold("below", 0.5)
