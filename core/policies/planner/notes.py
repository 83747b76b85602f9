"""What the answer says of the variables that were taken."""

from __future__ import annotations

from core.policies.planner.linking import Linked
from core.policies.planner.titles import short_title
from core.policies.planner.vocabulary import BRIGHTNESS, UNKNOWN


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
