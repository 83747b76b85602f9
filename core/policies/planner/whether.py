"""Questions that are answered by yes or no."""

from __future__ import annotations

import re

from core.policies.planner import phrases
from core.policies.planner.intent import Operation, Subject, Threshold
from core.policies.planner.linking import Linked
from core.policies.planner.text import Reading


def limit_of_doubt(reading: Reading, base: Subject, linked: Linked, operation: Operation) -> Threshold | None:
    """Return the limit of a question such as "Is the mean NDVI above 0.6?"."""
    asked = re.search(phrases.WHETHER, reading.text) and operation == "value" and linked.threshold is not None
    spatial = base.statistic in ("share", "area", "pixels") and reading.has(
        r"%|\bshare\b|\barea\b|\bpixels\b|\bpercentage\b"
    )
    if not asked or spatial or re.search(phrases.WHERE, reading.text) or len(base.conditions) > 1:
        return None
    return linked.threshold


def any_at_all(reading: Reading, base: Subject, operation: Operation) -> Threshold | None:
    """Return the limit of "Is there any snow?"."""
    asked = operation == "value" and base.statistic == "share" and reading.has(phrases.IS_THERE)
    return Threshold("above", 0.0) if asked else None
