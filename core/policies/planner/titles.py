"""Names of variables as sentences use them."""

from __future__ import annotations

import re

from treeline.core.policies.planner.intent import CHANGE
from treeline.toolkit.variables import variable

_WRITTEN = {"unknown": "value", "dnbr": "dNBR", "rdnbr": "RdNBR", "fvc": "vegetation cover fraction"}


def short_title(role: str) -> str:
    """Return a variable's name for the middle of a sentence: NDVI, LST, red reflectance."""
    if role.endswith(CHANGE):
        return f"change of {short_title(role.removesuffix(CHANGE))}"
    if role in _WRITTEN:
        return _WRITTEN[role]
    known = variable(role)
    if known is None or known.kind == "index" or role == "lst":
        return role.upper() if len(role) <= 7 else role
    return known.title if known.title[:2].isupper() else known.title[0].lower() + known.title[1:]


def marked_ground(role: str) -> str:
    """Return what the 1 of a mask means, such as ``cloud`` or ``water``; empty for what is no such mask."""
    known = variable(role)
    found = re.search(r"\(1 = (\w+)\)", known.title) if known else None
    return found[1] if found else ""
