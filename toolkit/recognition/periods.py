"""How long the time is of which a value is the mean: by it rates of water become depths."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from datetime import datetime

from treeline.toolkit.recognition.families import find_product
from treeline.toolkit.recognition.tags import number_in

PERIOD_TAG = "PERIOD_DAYS"
"""The tag of a raster that is taken out of a file whose axis of time tells the period of a value."""

_TIMES_IN_A_DAY = {"s": 86400.0, "h": 24.0, "day": 1.0}
# Of a rate per month or year a value is the depth of just such a period.
_WHOLE = {"month": (28.0, 31.0), "year": (365.0, 366.0)}


def period_days(
    tags: Mapping[str, str], product: str | None, groups: Mapping[str, str], begins: datetime | None
) -> float | None:
    """Return the days of which a value of a raster is the mean; ``None`` where nothing tells them.

    Parameters
    ----------
    tags : mapping
        Of the file.
    product : str, optional
        Its product family, with the parts of its name.
    begins : datetime, optional
        The first day of the period.
    """
    stated = number_in(tags, (PERIOD_TAG,))
    if stated is not None and stated > 0:
        return stated
    family = find_product(product)
    if family is None or begins is None:
        return None
    variants = (variant.period for variant in family.variants if variant.period and variant.holds(groups))
    return _days_of(next(variants, family.period), begins)


def _days_of(period: str | None, begins: datetime) -> float | None:
    days = monthrange(begins.year, begins.month)[1]
    if period == "dekad":  # the third one has what is left of the month
        return 10.0 if begins.day < 21 else days - 20.0
    return {"day": 1.0, "month": float(days)}.get(period or "")


def depth_factor(unit: str, days: float | None) -> float | None:
    """Return by what a rate such as mm/day is multiplied to be the depth of its period; ``None`` if unknown.

    Parameters
    ----------
    unit : str
        A depth in a time, as bands bear it.
    days : float, optional
        The length of the period.
    """
    depth, slash, time = unit.partition("/")
    if not (days and slash and depth in ("mm", "m")):
        return None
    if time in _WHOLE:
        shortest, longest = _WHOLE[time]
        return 1.0 if shortest <= days <= longest else None
    return days * _TIMES_IN_A_DAY[time] if time in _TIMES_IN_A_DAY else None
