"""Limits on the change of each pixel: "how much of the area lost more than 0.1 NDVI"."""

from __future__ import annotations

import re
from dataclasses import replace

from treeline.core.policies.planner.intent import CHANGE, Operation, Statistic, Threshold
from treeline.core.policies.planner.linking import Linked
from treeline.core.policies.planner.periods import Times
from treeline.core.policies.planner.text import NUMBER, Reading

_FELL = (
    r"lost|lose[sd]?|dropped|fell|fallen|declined|decreased|shrank|(?:became|got|turned) less \w+|went down"
)
_ROSE = r"gained|rose|risen|grew|increased|(?:became|got|turned) (?:more \w+|\w+er)|went up"
_BY = rf"[^.;?]{{0,30}}?\b(?:by )?(?:more than|less than|at least|at most|over) (?P<n>{NUMBER})(?P<u> ?%)?"
_LIMITED = re.compile(rf"\b(?:(?P<fell>{_FELL})|(?P<rose>{_ROSE})|changed)\b{_BY}(?! ?\w* ?(?:dates|days))")


def change_asked(
    reading: Reading, linked: Linked, statistic: Statistic | None, operation: Operation, times: Times
) -> str:
    """Make the change of the variable the target where its limit is one on the change of each pixel.

    Returns
    -------
    str
        What cannot be worked out of it; empty where it can, or nothing of the kind is asked.
    """
    match = _LIMITED.search(reading.text)
    of_ground = statistic in ("share", "area", "pixels") or reading.has(
        r"\bhow much (?:of the|area|ground|land)\b"
    )
    limit = linked.threshold or next((c.threshold for c in linked.conditions), None)
    if match and match["u"] and of_ground:
        return "a limit in per cent on the change of each pixel"
    if match is None or limit is None or limit.value is None or not of_ground or linked.target is None:
        return ""
    if operation not in ("value", "change") or linked.target.endswith(CHANGE):
        return ""
    if not (match["fell"] or match["rose"]) or limit.upper is not None:
        return "a limit on the change of each pixel in both directions"
    if times.kind in ("always", "single"):
        return "a change without two dates to compare"
    linked.target = linked.named = linked.target + CHANGE
    linked.threshold, linked.conditions, linked.rivals = _signed(limit, bool(match["fell"])), [], []
    return ""


def _signed(limit: Threshold, fell: bool) -> Threshold:
    """Return the limit on later less earlier: a loss of more than 0.1 is a change below -0.1."""
    assert limit.value is not None
    if not fell:
        return limit
    return replace(limit, side="below" if limit.side == "above" else "above", value=-limit.value)
