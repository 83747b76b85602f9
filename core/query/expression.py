"""The typed expression of a question: what, of which variables, when, where, in which order.

An expression is a tree of frozen nodes. Every node has a kind (:mod:`.kinds`): over what it varies
(``date``, ``pixel``, ``zone``, ``period``), what one of its values is (``number``, ``truth``,
``date``, ``name``, ``text``) and in which unit. Nodes combine by kind as arrays do: a number is
set against every pixel of a raster, a raster against every date of a cube. So "the maximum over
all dates of the mean NDVI of the forest" is::

    Aggregate("max", Aggregate("mean", Variable("ndvi", where=Place("class", ("Forest",))), "pixel"), "date")

Nothing in an expression names a tool, a file or a word. ``assumed`` lists the slots of a node that
the question left open and a default filled; it does not count when expressions are compared, and
the paraphrase says it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from treeline.toolkit.series import SIGNIFICANCE


@dataclass(frozen=True, slots=True)
class Node:
    """A part of an expression."""

    def parts(self) -> Iterator[Node]:
        """Yield the nodes that this one is made of."""
        for item in fields(self):
            value = getattr(self, item.name)
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, Node):
                    yield one

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it."""
        yield self
        for part in self.parts():
            yield from part.walk()


def _assumption_field() -> Any:
    return field(default=(), compare=False)


# --- When and where -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Span(Node):
    """A stretch of time, both ends included; a day where both are the same."""

    first: dt.date | None = None
    last: dt.date | None = None

    @property
    def is_day(self) -> bool:
        """True for a single day."""
        return self.first is not None and self.first == self.last


@dataclass(frozen=True, slots=True)
class When(Node):
    """Which dates are meant.

    Attributes
    ----------
    spans : tuple of Span
        A date counts that lies in one of them; none means all.
    months : tuple of int
        Where given, only these calendar months count ("each July").
    pick : int
        1 the first of these dates, -1 the last, 2 the second, -2 the last but one; 0 all.
    at : Node, optional
        An expression of dates ("on the date when it was highest"); counts beside the rest.
    side : str
        Whether the dates that ``at`` finds are meant, or all those after or before them.
    without : When, optional
        Dates that do not count.
    """

    spans: tuple[Span, ...] = ()
    months: tuple[int, ...] = ()
    pick: int = 0
    at: Node | None = None
    without: When | None = None
    side: Literal["on", "after", "before"] = "on"

    @property
    def single(self) -> bool:
        """True when it can only be one date: a single day, or a date picked or found."""
        if self.pick:
            return True
        if self.side != "on":
            return False
        if isinstance(self.at, Which):
            return self.at.top == 1 and self.at.period is None
        if isinstance(self.at, Dates):
            return self.at.pick != "all"
        return len(self.spans) == 1 and self.spans[0].is_day


ALWAYS = When()
# The role of what a band measures, before it is said which.
REFLECTANCE = "reflectance"


@dataclass(frozen=True, slots=True)
class Place(Node):
    """A part of the ground with a name; a mask, true inside.

    Attributes
    ----------
    by : str
        ``class`` (of a raster of classes), ``feature`` (of a vector file), ``site`` (a name that files
        bear), ``facing`` (a compass direction that slopes face), ``side`` (a half of the image: north,
        south, east, west; or a quarter: northeast, ...), ``box`` (west, south, east, north in degrees),
        ``point`` (longitude, latitude in degrees; ``attribute`` is ``map`` for x, y in the rasters' own
        reference system, ``EPSG:n`` for those in another, ``centre`` for the middle of the image, ``corner``
        for the outermost pixel towards a quarter of it), ``aoi``.
    names : tuple of str
        Classes or features that count together; numbers as text.
    source : str
        Role of the class raster, or the vector file's name; empty for the only one.
    attribute : str
        Of the vector file that holds the names.
    at : Node, optional
        Instead of names: an expression that finds a class or feature ("of the largest class"), or the
        :class:`Centroid` that a point is.
    when : When
        Of classes whose map there is of several dates: which of them.
    dated : bool
        There is a map of these classes of several dates, so that a time may be said of them.
    """

    by: Literal["class", "feature", "site", "facing", "side", "box", "point", "aoi"]
    names: tuple[str, ...] = ()
    source: str = ""
    attribute: str = ""
    at: Node | None = None
    when: When = ALWAYS
    dated: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Zones(Node):
    """Parts of the ground that are looked at each by itself; what :class:`Aggregate` groups pixels by.

    Attributes
    ----------
    by : str
        ``class``, ``feature``, ``patch`` (connected parts of a mask), ``band`` (steps of a variable),
        ``facing``, ``side``, ``site`` (places that files bear in their names); ``spectral``: not parts of
        the ground but the bands of a scene, each in place of the reflectance of no band that is grouped.
    names : tuple of str
        Only these, in this order; empty for all.
    of : Node, optional
        The mask of ``patch``, the variable of ``band``.
    limits : tuple of float
        The limits of ``band``, rising.
    step : float
        Instead of limits: the width of equal bands, which begin at its multiples.
    """

    by: Literal["class", "feature", "patch", "band", "facing", "side", "site", "spectral"]
    names: tuple[str, ...] = ()
    source: str = ""
    attribute: str = ""
    of: Node | None = None
    limits: tuple[float, ...] = ()
    step: float = 0.0
    assumed: tuple[str, ...] = _assumption_field()


Period = Literal["month", "quarter", "season", "year", "calendar_month", "day"]


# --- Values ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A number that the question names."""

    value: float
    unit: str = ""


Clouds = Literal["included", "masked", "clear_dates"]


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """A variable of the ground: a raster of numbers for each of its dates, or one without a date.

    Attributes
    ----------
    role : str
        As in :mod:`treeline.toolkit.variables`; the name of a spectral index counts as well.
    when : When
    where : Node, optional
        Where its pixels count: a mask (:class:`Place`, :class:`Compare`, :class:`And`, ...).
    clouds : str
        ``included``; ``masked``: cloudy pixels are left out; ``clear_dates``: only dates without any cloud.
    sensor, method : str
        As the question names them; ``method`` is a published method by its usual name ("split window").
    timeless : bool
        It has no date, such as elevation.
    unit : str
        Of its values.
    periods : bool
        It is known how long the time is of which each value is the mean, so that rates make totals.
    """

    role: str
    when: When = ALWAYS
    where: Node | None = None
    clouds: Clouds = "included"
    sensor: str = ""
    method: str = ""
    timeless: bool = False
    unit: str = ""
    periods: bool = field(default=False, compare=False)
    assumed: tuple[str, ...] = _assumption_field()


@dataclass(frozen=True, slots=True)
class Cloud(Node):
    """Whether a cloud hides the ground: a truth for each pixel and date.

    ``role`` is that of the quality band or mask; empty for the one that there is.
    """

    when: When = ALWAYS
    where: Node | None = None
    role: str = ""
    assumed: tuple[str, ...] = _assumption_field()


@dataclass(frozen=True, slots=True)
class Valid(Node):
    """Whether a variable has a value: a truth for each pixel and date of it, false where data are missing."""

    of: Variable


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """Where or when something passes a limit; a claim where both sides are single numbers.

    ``between`` has the lower limit in ``limit`` and the upper in ``upper``, both included.
    """

    of: Node
    operator: Literal["gt", "ge", "lt", "le", "eq", "ne", "between"]
    limit: Node
    upper: Node | None = None
    assumed: tuple[str, ...] = _assumption_field()


@dataclass(frozen=True, slots=True)
class And(Node):
    """All hold. Flat and in a fixed order, see :func:`both`."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    """At least one holds. Flat and in a fixed order, see :func:`either`."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    """It does not hold."""

    of: Node


Statistic = Literal[
    "mean", "median", "min", "max", "sum", "std", "variance", "range", "percentile", "iqr", "cv", "skewness",
    "kurtosis", "mode", "entropy", "mad", "rms", "trimmed_mean", "otsu", "moran",
    # of truths:
    "count", "share", "area", "all", "any", "longest_run", "runs", "onsets", "crossings",
]  # fmt: skip
# What is told of truths in their order: the longest run, how many there are, how often they become true, or
# change at all.
ORDERED_STATISTICS = frozenset({"longest_run", "runs", "onsets", "crossings"})
TRUTH_STATISTICS = frozenset({"count", "share", "area", "all", "any"}) | ORDERED_STATISTICS


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """A statistic over one axis, or within groups of it.

    Attributes
    ----------
    statistic : str
        ``share`` is in per cent of what counts (valid pixels of the mask's variables and their ``where``;
        dates with a value); ``area`` is of true pixels, in ``unit``.
    of : Node
    over : str
        ``pixel``, ``date``, ``zone`` or ``period``, or ``all``: pixels of all dates pooled.
    by : Zones or str, optional
        Groups: of pixels by zones, of dates by period. The result has that axis instead.
    parameter : float, optional
        The percentage of ``percentile``; the share cut off at each end of ``trimmed_mean``; of "at least k
        of n dates" use :class:`Compare` on ``count``.
    unit : str
        Of an area: ``ha``, ``km2``, ``m2``, ``acre``; empty is ``ha``.
    weight : Node, optional
        A raster that weights the mean.
    within : Node, optional
        Of a share of pixels that is one of named places: the mask out of which it is taken ("what share of
        Willowbank is forest").
    """

    statistic: Statistic
    of: Node
    over: Literal["pixel", "date", "zone", "period", "all"]
    by: Zones | Period | None = None
    parameter: float | None = None
    unit: str = ""
    weight: Node | None = None
    within: Node | None = None
    assumed: tuple[str, ...] = _assumption_field()


Combination = Literal[
    "difference",  # left - right
    "absolute_difference",
    "ratio",  # left / right
    "percent_change",  # of left against right, in per cent of right
    "sum",
    "product",
    "normalised_difference",  # (left - right) / (left + right)
]


@dataclass(frozen=True, slots=True)
class Combine(Node):
    """Two values set against each other; of a change, ``left`` is the later one."""

    how: Combination
    left: Node
    right: Node
    assumed: tuple[str, ...] = _assumption_field()


@dataclass(frozen=True, slots=True)
class Steps(Node):
    """Changes from each date (or period) of a series to the next; labelled by the later one."""

    of: Node
    how: Literal["difference", "absolute_difference", "percent_change"] = "difference"


@dataclass(frozen=True, slots=True)
class Anomaly(Node):
    """How far something lies from its usual state: the mean (and deviation) over the dates of ``base``."""

    of: Node
    base: Node
    how: Literal["difference", "z_score", "percent"] = "difference"
    assumed: tuple[str, ...] = _assumption_field()


@dataclass(frozen=True, slots=True)
class Trend(Node):
    """A trend over dates or periods; of a cube, pixel by pixel.

    ``gives``: ``slope`` (per ``per``), ``relative`` (the same in per cent of the mean of the values),
    ``significance`` (is there one, with p), ``direction``.
    """

    of: Node
    method: Literal["linear", "mann_kendall", "theil_sen", ""] = ""
    gives: Literal[
        "slope", "relative", "significance", "direction", "p_value", "r2", "tau", "pearson", "spearman"
    ] = "slope"
    per: Literal["year", "decade", "day", "month", "step"] = "year"
    level: float = SIGNIFICANCE
    assumed: tuple[str, ...] = _assumption_field()


@dataclass(frozen=True, slots=True)
class Seasonal(Node):
    """A fact of a series that its course tells: breaks, season, sudden rises, autocorrelation."""

    of: Node
    gives: Literal["change_points", "season_length", "spikes", "autocorrelation", "decomposition"]


@dataclass(frozen=True, slots=True)
class Phenology(Node):
    """The growing season of a series: when it rises above and falls below ``limit``.

    ``gives`` is empty while a question is read that has not yet said what of it is asked. ``by`` year it is
    told for each by itself: dates as days of the year, from 1, so that the earliest one can be found.
    """

    of: Node
    gives: Literal["start", "end", "length", "peak", "amplitude", ""]
    limit: Node | None = None
    by: Literal["year"] | None = None
    assumed: tuple[str, ...] = _assumption_field()

    @property
    def is_date(self) -> bool:
        """Whether what is asked of the season is a date, and no amount."""
        return self.gives not in ("length", "amplitude")


@dataclass(frozen=True, slots=True)
class Correlation(Node):
    """How two things go together, over pixels (of one date or pooled), dates or zones.

    ``by``: over the pixels of each zone by itself.
    """

    left: Node
    right: Node
    over: Literal["pixel", "date", "zone", "period"]
    gives: Literal["pearson", "spearman", "slope", "r2", "scatter"] = "pearson"
    by: Zones | None = None
    assumed: tuple[str, ...] = _assumption_field()


@dataclass(frozen=True, slots=True)
class Which(Node):
    """The dates, periods or zones where a series or table is highest or lowest.

    Attributes
    ----------
    of : Node
        Of one axis, which is not ``pixel``; of zones and dates the zone on each date is looked for.
    direction : str
    nth : int
        2 for the second highest.
    top : int
        How many are asked for; 0 for all, in order (a ranking).
    """

    of: Node
    direction: Literal["highest", "lowest"]
    nth: int = 1
    top: int = 1

    @property
    def period(self) -> Period | None:
        """Which periods are set against each other; ``None`` where it is dates or zones."""
        groups = (part.by for part in self.of.walk() if isinstance(part, Aggregate | Phenology))
        return next((by for by in groups if isinstance(by, str) and by), None)


@dataclass(frozen=True, slots=True)
class Rank(Node):
    """The place that one date or zone (``member``) has in a series or table, 1 for the first."""

    of: Node
    member: Node
    direction: Literal["highest", "lowest"] = "highest"


@dataclass(frozen=True, slots=True)
class Dates(Node):
    """The dates (or zones) at which a condition holds: all of them, the first or the last."""

    of: Node
    pick: Literal["all", "first", "last"] = "all"


@dataclass(frozen=True, slots=True)
class Hotspots(Node):
    """Hot or cold spots (Getis-Ord Gi*) of a raster: a mask."""

    of: Node
    side: Literal["hot", "cold"] = "hot"


@dataclass(frozen=True, slots=True)
class Classified(Node):
    """A raster of the numbers, from 1, of the first of several conditions that holds; none: no value."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Direction(Node):
    """On which side of the image most of a mask lies; with ``origin``, in which direction from there."""

    of: Node
    origin: Node | None = None


@dataclass(frozen=True, slots=True)
class Centroid(Node):
    """The centre of a mask, or of a place, as coordinates."""

    of: Node


@dataclass(frozen=True, slots=True)
class Distance(Node):
    """Ground distance, in metres: of each pixel to a mask (``to``), or between two places."""

    to: Node
    of: Node | None = None


@dataclass(frozen=True, slots=True)
class Profile(Node):
    """Values of a raster along the straight line from one point to another, a pixel's width apart."""

    of: Node
    start: Place
    end: Place


@dataclass(frozen=True, slots=True)
class Majority(Node):
    """The class that most pixels of a raster of classes have, or the class at a place."""

    of: Node


@dataclass(frozen=True, slots=True)
class Facts(Node):
    """What the data themselves say.

    ``about``: ``images`` (how many), ``dates``, ``first_date``, ``last_date``, ``bands``, ``variables``,
    ``crs``, ``pixel_size``, ``extent``, ``ground_area``, ``files``, ``sensors``, ``classes``, ``features``,
    ``span`` (days from the first to the last date), ``gap`` (the longest time without an image),
    ``interval`` (the usual time between images), ``shape`` (rows and columns), ``nodata``, ``available``
    (whether there is the variable of ``of``, or an image of its time);
    ``days_between`` the two days of ``of``, a fact of the calendar; ``nearest_date`` the date of the image
    that lies nearest to the day of ``of``. Images may be counted ``by`` period.
    """

    about: str
    of: Node | None = None
    unit: str = ""
    by: Period | None = None


@dataclass(frozen=True, slots=True)
class Composite(Node):
    """A colour picture of three variables of one date (``red``, ``green``, ``blue`` for true colour)."""

    bands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Show(Node):
    """Something that is asked for as a map, a chart, or a list of its values.

    ``bins``: of a histogram, how many of one width; 0 where the question does not say. ``width``: how wide
    they are, from multiples of it; 0 where it does not say.
    """

    of: Node
    form: Literal["map", "chart", "table", "histogram", "scatter"]
    bins: int = 0
    width: float = 0.0


# The unit in which a date is asked as its number within its year, 1 for the first of January.
DAY_OF_YEAR = "day of year"


@dataclass(frozen=True, slots=True)
class Convert(Node):
    """A value in the unit that the question asks for; a date as the day of its year."""

    of: Node
    unit: str


@dataclass(frozen=True, slots=True)
class Rounded(Node):
    """A value to so many decimals."""

    of: Node
    decimals: int


@dataclass(frozen=True, slots=True)
class Several(Node):
    """Several things asked for at once, in their order."""

    of: tuple[Node, ...]
