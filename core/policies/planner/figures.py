"""Numbers, units and lists as people write them in a sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence

_UNITS = {
    "1": "",
    "degC": " \u00b0C",
    "degF": " \u00b0F",
    "%": " %",
    "pixels": "",
    "dates": "",
    "periods": "",
    "zones": "",
    "polygons": "",
    "patches": "",
    "classes": "",
    "images": "",
    "degree": "\u00b0",
    "rank": "",
    "km2": " km\u00b2",
    "m2": " m\u00b2",
}
# What zones of a kind are called.
MEMBERS = {"feature": "polygons", "class": "classes", "patch": "patches", "spectral": "bands"}
# What is counted comes in whole numbers, however many decimals are asked for.
COUNTED = frozenset({"pixels", "dates", "periods", "zones", *MEMBERS.values(), "images", "days", "rank"})


def plain(value: float | None, unit: str = "", places: int = -1) -> str:
    """Return a number as people write it, with its unit."""
    if value is None or not math.isfinite(value):
        return "no value"
    return f"{number_text(value, unit, places)}{unit_suffix(unit)}"


def unit_suffix(unit: str) -> str:
    """Return a unit as it stands behind a number."""
    before, slash, per = unit.partition("/")
    if slash and per.isalpha() and not before.isupper():
        return f"{unit_suffix(before)} per {per}"
    return _UNITS.get(unit, f" {unit}" if unit else "")


def number_text(value: float, unit: str = "", places: int = -1) -> str:
    """Return a number at a sensible precision, or at the decimals that are asked for."""
    whole = abs(value) < 1e15 and math.isclose(value, round(value), rel_tol=1e-12)
    if whole and (unit in COUNTED or (places < 0 and abs(value) < 1e9)):
        return f"{round(value):,}"
    if places >= 0:
        return f"{value:,.{places}f}"
    digits = 4 if unit in ("", "1") else 2
    return f"{value:,.{digits}f}" if abs(value) >= 10 ** (1 - digits) else f"{value:.3g}"


def join_words(parts: Sequence[str]) -> str:
    """Return parts as a list in a sentence: a, b and c."""
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def ordinal(number: float) -> str:
    """Return a number as that of a place: 1st, 22nd, 95th."""
    teens = number % 100 in (11, 12, 13)
    ending = "th" if teens else {1.0: "st", 2.0: "nd", 3.0: "rd"}.get(number % 10, "th")
    return f"{number:g}{ending}"
