"""What a question asks for, in the vocabulary of the tools: no words, no file names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Statistic = Literal[
    "mean",
    "median",
    "min",
    "max",
    "std",
    "sum",
    "skewness",
    "kurtosis",
    "percentile",
    "share",
    "area",
    "pixels",
]
Operation = Literal[
    "value", "series", "extreme", "trend", "change", "count", "average_share", "spikes", "change_points",
    "seasonality", "variation", "hotspots", "correlation", "profile",
]  # fmt: skip
Composite = Literal["", "mean", "median", "max", "min"]
Grouping = Literal["date", "month", "season", "year"]


# What the role of a change from one date to another ends in.
CHANGE = "_change"


@dataclass(frozen=True, slots=True)
class Threshold:
    """A limit that values are compared with.

    Attributes
    ----------
    side : str
        ``above`` or ``below``.
    value : float, optional
        In ``unit``; ``None`` when the limit is relative.
    unit : str
        As the question wrote it: ``K``, ``degC``, ``%`` or empty.
    of_mean : float, optional
        The limit as a multiple of the mean, such as 0.85 for "85 % of the mean".
    inclusive : bool
        True for "at least" and "at most".
    upper : float, optional
        The other end of "between a and b", where ``side`` is ``above``.
    """

    side: Literal["above", "below"]
    value: float | None = None
    unit: str = ""
    of_mean: float | None = None
    inclusive: bool = False
    upper: float | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """Where a variable is above or below a limit."""

    role: str
    threshold: Threshold


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time, or the same months of every year.

    Attributes
    ----------
    first, last : datetime, optional
        Both ends included; ``None`` is open.
    months : tuple of int
        Where given, only these months count.
    label : str
        How the answer names it.
    without : Period, optional
        A stretch that does not count, as in "the other years".
    """

    first: datetime | None = None
    last: datetime | None = None
    months: tuple[int, ...] = ()
    label: str = ""
    without: Period | None = None

    def holds(self, moment: datetime | None) -> bool:
        """Return whether a date lies in the period; a raster without a date lies in an open one."""
        if moment is None:
            return self.open
        if self.without is not None and self.without.holds(moment):
            return False
        after = self.first is None or moment >= self.first
        before = self.last is None or moment <= self.last
        return after and before and (not self.months or moment.month in self.months)

    @property
    def open(self) -> bool:
        """True when every date lies in it."""
        bounded = self.first or self.last or self.months or self.without
        return not bounded

    @property
    def is_day(self) -> bool:
        """True when it is a single day."""
        return bool(self.first and self.last and self.first.date() == self.last.date())


ALWAYS = Period(label="all dates")


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the ground that has a name: classes of a raster of classes, or polygons of a file.

    Attributes
    ----------
    name : str
        As sentences call it.
    role : str
        Of the raster of classes; empty for polygons.
    classes : tuple of float
    parts : tuple of str
        The classes' own names, where they have any.
    file, attribute, member : str
        The features of a vector file whose attribute has a value; all of them without an attribute.
    number : int
        Place of the one feature in the file, from 1; 0 where an attribute or nothing tells which.
    preposition : str
        ``in`` polygons, ``at`` points, ``along`` lines.
    """

    name: str
    role: str = ""
    classes: tuple[float, ...] = ()
    parts: tuple[str, ...] = ()
    file: str = ""
    attribute: str = ""
    member: str = ""
    number: int = 0
    preposition: Literal["in", "at", "along"] = "in"


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that is measured: a statistic of a variable, where, when and under which condition.

    Attributes
    ----------
    role : str
        The variable.
    statistic : str
    percentile : float, optional
    threshold : Threshold, optional
        For the statistics ``share``, ``area`` and ``pixels``.
    conditions : tuple of Condition
        Other variables that must satisfy something at the pixel.
    which : str
        ``first`` or ``last`` where one date of the period is meant.
    place, sensor : str
        As they are called in the workspace; empty means whatever is there.
    zone : Zone, optional
        Where only pixels of a part of the ground count.
    name : str
        As it is told apart from those beside it; empty where its own fields say it.
    """

    role: str
    statistic: Statistic = "mean"
    percentile: float | None = None
    threshold: Threshold | None = None
    conditions: tuple[Condition, ...] = ()
    period: Period = ALWAYS
    which: Literal["", "first", "last"] = ""
    place: str = ""
    sensor: str = ""
    zone: Zone | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a question asks for.

    Attributes
    ----------
    subjects : tuple of Subject
        One, or those that are compared, the earlier or first-named first.
    operation : str
        What is done with them over time.
    grouping : str
        What one member of a series stands for.
    direction : str
        ``highest`` or ``lowest``, for ``extreme``.
    limit : Threshold, optional
        For ``count`` and ``average_share``: the limit that each date's number is compared with.
    extremes_of : str
        ``value`` or ``change``: whether the extreme of the series or of its steps is wanted.
    comparing : bool
        The question asks how far things are apart.
    whether : Threshold, optional
        The question asks whether the number passes this limit.
    only_percent : bool
        The change is asked for in per cent alone.
    ratio : str
        ``named``: the first that is named divided by the second; ``factor``: the later by the earlier.
    pick : bool
        Which of them is the highest or the lowest is asked for, all in this order.
    top : int
        How many of a ranking are asked for; 0 for all.
    nth : int
        Which place of the ranking is asked for: 2 for "the second highest".
    claim : int
        Of a question such as "Was A warmer than B?": 1 where it is claimed that the difference is above
        0, -1 below; 0 without a claim.
    over_dates : bool
        A correlation is asked for of the dates' means, not of the pixels.
    each : bool
        A number for each subject, which are not compared: places or zones.
    absolute : bool
        The difference is asked for without its sign.
    as_share_of_dates : bool
        The count is asked for as a share of all dates.
    composite : str
        The number is taken on the map of this statistic of the dates, where one is named.
    of_hotspots : bool
        The share asked for is that of hot spots.
    trend_by : tuple of str
        ``line`` for a straight line, and the tests by the names of their tools.
    in_percent : bool
        The question asks for the change in per cent.
    clear_only : bool
        Cloudy pixels are to be left out.
    unit : str
        Unit that the answer is asked in, such as ``degC``, ``ha``, ``km2``.
    methods : tuple of str
        Names of tools whose method the question names.
    forms : tuple of str
        Which published form of an index is meant where its name stands for two.
    notes : tuple of str
        How an ambiguous wording was read, in sentences.
    unknown : str
        What a condition names and is not known.
    beyond, remedy : str
        What is asked for and has no procedure, and what would do instead.
    chosen_by : Intent, optional
        The question whose answer is the date that is meant.
    """

    subjects: tuple[Subject, ...]
    operation: Operation = "value"
    grouping: Grouping = "date"
    direction: Literal["highest", "lowest"] = "highest"
    limit: Threshold | None = None
    extremes_of: Literal["value", "change"] = "value"
    comparing: bool = False
    whether: Threshold | None = None
    only_percent: bool = False
    ratio: Literal["", "named", "factor"] = ""
    each: bool = False
    pick: bool = False
    top: int = 0
    nth: int = 1
    claim: int = 0
    over_dates: bool = False
    absolute: bool = False
    as_share_of_dates: bool = False
    composite: Composite = ""
    of_hotspots: bool = False
    trend_by: tuple[str, ...] = ("line", "mann_kendall_test")
    in_percent: bool = False
    clear_only: bool = False
    unit: str = ""
    methods: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unknown: str = ""
    beyond: str = ""
    remedy: str = ""
    chosen_by: Intent | None = None
