"""Lists of numbers: any statistic of them, and how two relate to each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Literal

import numpy as np

from treeline.toolkit.describing import Statistic, describe
from treeline.toolkit.errors import InputError
from treeline.toolkit.series import Floats, Numbers, as_floats, valid_values
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import OF_INPUT, Gives, tool
from treeline.toolkit.units import becomes_decibels, line_between

Rows = list[list[float | None]]
Combination = Literal[
    "difference", "absolute_difference", "ratio", "percent_change", "sum", "product", "normalised_difference"
]
Operator = Literal["gt", "ge", "lt", "le", "eq", "ne", "between"]


@tool(
    kit=STATISTICS,
    source="Hyndman & Fan 1996, Am. Stat. 50:361, type 7; Joanes & Gill 1998, The Statistician 47:183.",
    gives=Gives("number", "any_statistic", OF_INPUT),
    formula="the statistic of the numbers that are there",
)
def summarize_values(
    values: Numbers | Rows, statistic: Statistic, parameter: float | None = None
) -> float | None | list[float | None]:
    """Any statistic of a list of numbers, or of each of several lists.

    Parameters
    ----------
    values : list of float, or list of lists
        Numbers; true and false count as 1 and 0. Missing ones (null) are left out.
    statistic : str
        mean, median, min, max, sum, std and variance (divisor n - 1), range, percentile, iqr, cv,
        skewness and kurtosis (of the population; excess over 3), mode, entropy (bits), mad (median absolute
        deviation), trimmed_mean; of truths count, share (percent), longest_run,
        runs, onsets (how often they become true), crossings (true or false).
    parameter : float, optional
        The percentage of a percentile; the share (below 0.5) cut off at each end of a trimmed mean.

    Returns
    -------
    float or list of float
        One number, or one for each list; null where too few numbers are there.
    """
    if not values:
        raise InputError("The argument 'values' is an empty list.", "Give at least one number.")
    several = isinstance(values[0], list)
    rows = [as_floats(row if isinstance(row, list) else [row]) for row in values]
    if not several:
        rows = [np.concatenate(rows)]
        valid_values(rows[0].tolist(), "values")
    found = [_plain(float(describe(row, statistic, parameter))) for row in rows]
    return found if several else found[0]


@tool(
    kit=STATISTICS,
    source="Arithmetic.",
    gives=Gives("value", "combination"),
    formula="l - r; |l - r|; l / r; 100 (l - r) / r; l + r; l r; (l - r) / (l + r)",
)
def combine_values(
    left: float | Numbers, right: float | Numbers, how: Combination = "difference"
) -> float | None | list[float | None]:
    """Two numbers, or two lists number by number, set against each other.

    Parameters
    ----------
    left, right : float or list of float
        A single number serves every number of a list. Of a change ``left`` is the later one.
    how : str
        ``difference`` (left less right), ``absolute_difference``, ``ratio`` (left by right),
        ``percent_change`` (of left against right), ``sum``, ``product`` or ``normalised_difference``.

    Returns
    -------
    float or list of float
        Null where one is missing, or where it would be divided by 0.
    """
    one, other, single = _lay_out({"left": left, "right": right})
    with np.errstate(all="ignore"):
        found = _COMBINATIONS[how](one, other)
    return _plain_result(found, single)


@tool(
    kit=STATISTICS,
    source="Order of the real numbers.",
    gives=Gives("value", "comparison"),
    formula="value operator limit; lower <= value <= upper",
)
def compare_values(
    values: float | Numbers, operator: Operator, limit: float | Numbers, upper: float | Numbers | None = None
) -> bool | None | list[bool | None]:
    """Whether a number, or each of a list, passes a limit.

    Parameters
    ----------
    values : float or list of float
        What is compared.
    operator : str
        ``gt`` (greater), ``ge``, ``lt``, ``le``, ``eq``, ``ne``, or ``between`` (both limits included).
    limit : float or list of float
        The limit, or one for each number; the lower one of ``between``.
    upper : float or list of float, optional
        The upper limit of ``between``.

    Returns
    -------
    bool or list of bool
        Null where a number is missing.
    """
    if (operator == "between") != (upper is not None):
        raise InputError(
            f"The argument 'upper' is {upper} for the operator {operator!r}.",
            "Between takes two limits, every other comparison one.",
        )
    one, other, single = _lay_out({"values": values, "limit": limit})
    high, known = one, ~np.isnan(one) & ~np.isnan(other)
    if upper is not None:
        one, high, also = _lay_out({"values": values, "upper": upper})
        single, known = single and also, known & ~np.isnan(high)
    met = (one >= other) & (one <= high) if upper is not None else _OPERATORS[operator](one, other)
    found = [bool(m) if k else None for m, k in zip(met.tolist(), known.tolist(), strict=True)]
    return found[0] if single else found


@tool(
    kit=STATISTICS,
    source="Boolean algebra.",
    gives=Gives("value", "logic"),
    formula="and, or, not of the conditions, place by place",
)
def join_conditions(
    conditions: list[list[bool | float | None]], how: Literal["and", "or", "not"]
) -> list[bool | None]:
    """Conditions joined by and, or, not: a truth for each place of the lists.

    Parameters
    ----------
    conditions : list of lists
        Truths of each condition, in one order; null where it cannot be told. One list for ``not``.
    how : str
        ``and`` (all hold), ``or`` (at least one holds) or ``not``.

    Returns
    -------
    list of bool
        Null where one of the conditions cannot be told.
    """
    lengths = {len(row) for row in conditions}
    if len(lengths) != 1 or (how == "not" and len(conditions) != 1):
        raise InputError(
            f"{len(conditions)} conditions of {sorted(lengths)} places cannot be joined by {how!r}.",
            "Give lists of one length; one list for not.",
        )
    found: list[bool | None] = []
    for column in zip(*conditions, strict=True):
        truths = [bool(value) for value in column if value is not None]
        met = truths[0:1] != [True] if how == "not" else (all if how == "and" else any)(truths)
        # Where one condition is not known, neither is what they come to together.
        found.append(met if len(truths) == len(column) else None)
    return found


@tool(
    kit=STATISTICS,
    source="Sorting.",
    gives=Gives("value", "ranks"),
    formula="1 + how many numbers lie before it; equal ones share a rank",
)
def rank_values(values: Numbers, descending: bool = True) -> list[int | None]:
    """Rank of each number of a list, 1 for the highest (or the lowest).

    Parameters
    ----------
    values : list of float
        Numbers; missing ones (null) have no rank.
    descending : bool
        True ranks the highest first.

    Returns
    -------
    list of int
        In the order of the numbers; equal ones share the better rank.
    """
    valid_values(values, "values")
    array = as_floats(values) * (-1.0 if descending else 1.0)
    there = np.sort(array[~np.isnan(array)])
    return [None if math.isnan(v) else int(np.searchsorted(there, v, side="left")) + 1 for v in array]


@tool(
    kit=STATISTICS,
    source="Differencing; Chatfield 2003, The Analysis of Time Series, 6th ed., ch. 2.",
    gives=Gives("value", "steps"),
    formula="v_i - v_(i-1); its absolute value; or in percent of v_(i-1)",
)
def step_changes(
    values: Numbers, how: Literal["difference", "absolute_difference", "percent_change"] = "difference"
) -> list[float | None]:
    """Changes of a series from each number to the next that is there.

    Parameters
    ----------
    values : list of float
        Numbers in the order of time; missing ones (null) are passed over.
    how : str
        ``difference``, ``absolute_difference`` or ``percent_change`` of the earlier one.

    Returns
    -------
    list of float
        As many as the numbers, each the change from the one before; null for the first and for missing
        ones.
    """
    valid_values(values, "values", at_least=2)
    found: list[float | None] = []
    before = math.nan
    for value in as_floats(values).tolist():
        with np.errstate(all="ignore"):
            change = _COMBINATIONS[how](np.array([value]), np.array([before]))[0]
        found.append(_plain(float(change)))
        # The change over a gap is that to the last number that is there.
        before = before if math.isnan(value) else value
    return found


@tool(
    kit=STATISTICS,
    source="Wilks 2019, Statistical Methods in the Atmospheric Sciences, 4th ed., ch. 3.",
    gives=Gives("value", "anomaly"),
    formula="v - m; (v - m) / s; 100 (v - m) / |m|, with mean m and deviation s (divisor n - 1) of the base",
)
def anomaly_of_values(
    values: float | Numbers,
    baseline: Numbers,
    kind: Literal["difference", "z_score", "percent"] = "difference",
) -> float | None | list[float | None]:
    """How far a number, or each of a list, lies from the usual state.

    Parameters
    ----------
    values : float or list of float
        The numbers in question.
    baseline : list of float
        Numbers of the usual state; missing ones (null) are left out.
    kind : str
        ``difference`` from their mean, ``z_score`` (in standard deviations) or ``percent`` of the mean.

    Returns
    -------
    float or list of float
        Null where a number is missing.
    """
    base = valid_values(baseline, "baseline", at_least=2 if kind == "z_score" else 1)
    single = not isinstance(values, list)
    array = _as_floats(values, "values")
    apart = array - base.mean()
    # Percent of the size of the mean, so that a rise is positive over a negative mean too.
    spread = float(base.std(ddof=1)) if kind == "z_score" else abs(float(base.mean())) / 100.0
    if kind != "difference":
        if spread == 0:
            raise InputError(
                "The argument 'baseline' does not vary, or its mean is 0.",
                "Ask for the difference; nothing can be divided by 0.",
            )
        apart = apart / spread
    return _plain_result(apart, single)


@tool(
    kit=STATISTICS,
    source="Calendar arithmetic (proleptic Gregorian).",
    gives=Gives("number", "days", "days"),
    formula="later - earlier",
)
def days_between(earlier: str, later: str) -> int:
    """Number of days from one date to another.

    Parameters
    ----------
    earlier, later : str
        Dates such as ``2021-07-12``; a time of day is cut off.

    Returns
    -------
    int
        Negative where the first is the later one.
    """
    try:
        return (date.fromisoformat(later[:10]) - date.fromisoformat(earlier[:10])).days
    except ValueError as error:
        raise InputError(f"{earlier!r} or {later!r} is no date.", "Write dates as 2021-07-12.") from error


@tool(
    kit=STATISTICS,
    source="Thompson & Taylor 2008, NIST Special Publication 811, appendix B.",
    gives=Gives("value", "conversion"),
    formula="factor value + offset; 10 log10(value) of linear power in dB",
)
def convert_units(
    values: float | Numbers, unit: str, wanted: str, difference: bool = False
) -> float | None | list[float | None]:
    """Numbers in another unit of the same quantity: temperature, area, length, ratio, time, power.

    Parameters
    ----------
    values : float or list of float
        The numbers.
    unit : str
        Theirs: K, degC, degF, m2, ha, km2, acre, m, km, cm, mm, ft, mi, 1, %, days, weeks, months, years;
        linear power, which becomes dB.
    wanted : str
        The one to tell them in.
    difference : bool
        The numbers are differences, so that 1 degC is 1 K.

    Returns
    -------
    float or list of float
        Null where a number is missing.
    """
    numbers, single = _as_floats(values, "values"), not isinstance(values, list)
    if becomes_decibels(unit, wanted) and not difference:
        positive = np.where(numbers > 0, numbers, np.nan)
        return _plain_result(10.0 * np.log10(positive), single)
    factor, offset = line_between(unit, wanted, difference=difference)
    return _plain_result(numbers * factor + offset, single)


def _lay_out(given: Mapping[str, float | Numbers]) -> tuple[Floats, Floats, bool]:
    """Return two lists of one length, and whether both were single numbers."""
    single = not any(isinstance(value, list) for value in given.values())
    one, other = (_as_floats(value, name) for name, value in given.items())
    if one.size != other.size and 1 not in (one.size, other.size):
        raise InputError(
            f"The lists {' and '.join(given)} differ in length ({one.size} and {other.size}).",
            "Give lists of one length, or a single number for one of them.",
        )
    one, other = np.broadcast_arrays(one, other)
    return one, other, single


def _as_floats(value: float | Numbers, name: str) -> Floats:
    if isinstance(value, list) and not value:
        raise InputError(f"The argument {name!r} is an empty list.", "Give at least one number.")
    return as_floats(value if isinstance(value, list) else [value])


def _plain_result(found: Floats | Sequence[float], single: bool) -> float | None | list[float | None]:
    plain = [_plain(float(value)) for value in found]
    return plain[0] if single else plain


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None


_COMBINATIONS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "difference": lambda left, right: left - right,
    "absolute_difference": lambda left, right: np.abs(left - right),
    "ratio": lambda left, right: left / right,
    "percent_change": lambda left, right: 100.0 * (left - right) / right,
    "sum": lambda left, right: left + right,
    "product": lambda left, right: left * right,
    "normalised_difference": lambda left, right: (left - right) / (left + right),
}
_OPERATORS: Mapping[str, Callable[[Floats, Floats], np.ndarray]] = {
    "gt": np.greater,
    "ge": np.greater_equal,
    "lt": np.less,
    "le": np.less_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}
