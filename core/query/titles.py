"""Names of variables as sentences use them."""

from __future__ import annotations

from treeline.toolkit.variables import Variable, variable

_PROPER = ("Getis", "Landsat", "Sentinel")
_WRITTEN = {
    "unknown": "value",
    "terrain_slope_percent": "terrain slope",
    "dnbr": "dNBR",
    "rdnbr": "RdNBR",
    "fvc": "vegetation cover fraction",
    # The titles hold what a legend needs besides.
    "flow_direction": "flow direction",
    "flow_accumulation": "flow accumulation",
}


def short_title(role: str) -> str:
    """Return a variable's name for the middle of a sentence: NDVI, LST, red reflectance."""
    if role in _WRITTEN:
        return _WRITTEN[role]
    known = variable(role)
    if known is None or known.kind == "index" or role == "lst":
        return role.upper() if len(role) <= 7 else role.replace("_", " ")
    return whole_title(known)


def whole_title(known: Variable) -> str:
    """Return a variable's title for the middle of a sentence, at any length."""
    as_it_stands = known.title[:2].isupper() or known.title.startswith(_PROPER)
    return known.title if as_it_stands else known.title[0].lower() + known.title[1:]
