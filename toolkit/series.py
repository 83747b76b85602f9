"""Lists of numbers in time: cleaning, and the tests that trends are judged by.

The raster engine does for pixels what this module does for one list of numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError

Numbers = list[float | None]
Floats = NDArray[np.float64]

# The level at which a trend is called one unless somebody asks for another: Fisher's convention, and what
# studies of trends in vegetation and temperature use.
SIGNIFICANCE = 0.05


def as_floats(values: Sequence[float | None]) -> Floats:
    """Return the values as float64, with NaN for what is missing or infinite."""
    array = np.array([math.nan if value is None else float(value) for value in values], dtype=np.float64)
    array[~np.isfinite(array)] = math.nan
    return array


def valid_values(values: Sequence[float | None], name: str, at_least: int = 1) -> Floats:
    """Return the values that are there; missing ones are left out with a warning.

    Parameters
    ----------
    values : sequence of float or None
        ``None``, NaN and infinite values count as missing.
    name : str
        Name of the argument, for messages.
    at_least : int
        How many values the method needs.

    Raises
    ------
    InputError
        Too few values are left.
    """
    return valid_pairs(values, name, at_least)[1]


def valid_pairs(
    values: Sequence[float | None], name: str, at_least: int = 1
) -> tuple[NDArray[np.intp], Floats]:
    """Return positions and values of those that are there; see :func:`valid_values`.

    Raises
    ------
    InputError
        Fewer numbers are there than needed.
    """
    array = as_floats(values)
    positions = np.flatnonzero(np.isfinite(array))
    missing = array.size - positions.size
    if positions.size < at_least:
        raise InputError(
            f"The argument {name!r} needs at least {at_least} numbers; found {positions.size}"
            + (f" ({missing} more are missing or not finite)." if missing else "."),
            "Give a list of numbers, one per date.",
        )
    if missing:
        current_context().warn(f"{missing} of {array.size} numbers ({name}) are missing and were left out.")
    return positions, array[positions]


def fill_gaps(values: Sequence[float | None], name: str, at_least: int = 2) -> Floats:
    """Return the values with gaps filled by linear interpolation, and a warning that says so.

    Raises
    ------
    InputError
        Fewer numbers are there than needed.
    """
    array = as_floats(values)
    there = np.isfinite(array)
    if there.sum() < at_least:
        raise InputError(
            f"The argument {name!r} needs at least {at_least} numbers; found {int(there.sum())}.",
            "Give a longer list of numbers, one per date.",
        )
    if there.all():
        return array
    current_context().warn(f"{int((~there).sum())} missing values in {name!r} were interpolated linearly.")
    index = np.arange(array.size)
    return np.interp(index, index[there], array[there])


def times(values: Sequence[float | str], name: str) -> Floats:
    """Return times as numbers; dates in ISO form become decimal years.

    Raises
    ------
    InputError
        A text is neither a number nor a date.
    """
    return np.array([_time(value, name) for value in values], dtype=np.float64)


def unit_of_times(values: Sequence[float | str] | None, otherwise: str) -> str:
    """Return what a slope over times is per: a step of the list without any, a year of dates.

    Parameters
    ----------
    otherwise : str
        Of times that are numbers, whose unit only the caller knows.
    """
    if values is None:
        return "step"
    return "year" if any(isinstance(v, str) and not _is_number(v) for v in values) else otherwise


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _time(value: float | str, name: str) -> float:
    if not isinstance(value, str) or _is_number(value):
        return float(value)
    try:
        return decimal_year(datetime.fromisoformat(str(value).strip()))
    except ValueError:
        raise InputError(
            f"The argument {name!r} holds {value!r}, which is neither a number nor a date.",
            "Write dates as 2021-07-12.",
        ) from None


def decimal_year(moment: datetime) -> float:
    """Return a moment as a year with a fraction, such as 2021.5, in Julian years of 365.25 days.

    Calendar years differ in length: in them a straight line over time would bend at each turn of the year.
    """
    origin = datetime(2000, 1, 1, tzinfo=moment.tzinfo)
    return 2000 + (moment - origin) / timedelta(days=DAYS_PER_YEAR)


# Of a Julian year.
DAYS_PER_YEAR = 365.25


@dataclass(frozen=True, slots=True)
class MannKendall:
    """Outcome of the Mann-Kendall test.

    Attributes
    ----------
    s : float
        Number of rising pairs less the number of falling ones.
    variance : float
        Variance of ``s`` when there is no trend, corrected for ties.
    z, p : float
        Standard score with continuity correction; two-sided probability.
    tau : float
        ``s`` as a share of all pairs.
    """

    s: float
    variance: float
    z: float
    p: float
    tau: float

    def trend(self, alpha: float = SIGNIFICANCE) -> str:
        """Return ``increasing``, ``decreasing`` or ``no trend`` at a level of significance."""
        if self.p >= alpha or self.s == 0:
            return "no trend"
        return "increasing" if self.s > 0 else "decreasing"


def mann_kendall(values: Floats) -> MannKendall:
    """Test a series without gaps for a monotonic trend.

    Parameters
    ----------
    values : ndarray
        At least two values, none of them NaN.

    References
    ----------
    Mann 1945, Econometrica 13:245; Kendall 1975, Rank Correlation Methods.
    """
    n = values.size
    s = float(sum(np.sign(values[i + 1 :] - values[i]).sum() for i in range(n - 1)))
    ties = np.unique(values, return_counts=True)[1].astype(np.float64)
    # Var(S) with groups of equal values (Kendall 1975, Rank Correlation Methods).
    variance = (n * (n - 1) * (2 * n + 5) - float((ties * (ties - 1) * (2 * ties + 5)).sum())) / 18
    # Corrected for continuity, as S is a whole number (Kendall 1975).
    z = (s - math.copysign(1.0, s)) / math.sqrt(variance) if s and variance > 0 else 0.0
    return MannKendall(s, variance, z, math.erfc(abs(z) / math.sqrt(2)), s / (n * (n - 1) / 2))


def pair_slopes(values: Floats, positions: Floats | None = None) -> Floats:
    """Return the slopes between all pairs of a series, the first point's pairs first.

    Parameters
    ----------
    values : ndarray
        (n,)
    positions : ndarray, optional
        (n,), no two alike; by default 0, 1, 2 and so on.

    Returns
    -------
    ndarray
        (n (n - 1) / 2,)
    """
    t = np.arange(values.size, dtype=np.float64) if positions is None else positions
    first, second = np.triu_indices(values.size, 1)
    return (values[second] - values[first]) / (t[second] - t[first])
