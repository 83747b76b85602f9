"""Names of variables as sentences use them."""

from __future__ import annotations

from toolkit.variables import variable


def short_title(role: str) -> str:
    """Return a variable's name for the middle of a sentence: NDVI, LST, red reflectance."""
    if role == "unknown":
        return "value"
    known = variable(role)
    if known is None or known.kind == "index" or role == "lst":
        return role.upper() if len(role) <= 7 else role
    return known.title if known.title[:2].isupper() else known.title[0].lower() + known.title[1:]
