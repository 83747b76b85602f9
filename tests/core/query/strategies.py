"""Random expressions such as a question could state, over what an inventory holds.

All are well typed and canonical: conditions on the ground stand in the slot of the variable, which has
the same dates there; what has no date is timeless; and, or are flat.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

from hypothesis import strategies as st

from tests.core.query.world import UNITS, World
from treeline.core.query.canonical import both, either
from treeline.core.query.expression import (
    ALWAYS,
    REFLECTANCE,
    Aggregate,
    And,
    Anomaly,
    Centroid,
    Classified,
    Cloud,
    Combine,
    Compare,
    Composite,
    Convert,
    Correlation,
    Dates,
    Direction,
    Distance,
    Facts,
    Hotspots,
    Majority,
    Node,
    Not,
    Number,
    Phenology,
    Place,
    Profile,
    Rank,
    Rounded,
    Seasonal,
    Several,
    Show,
    Span,
    Steps,
    Trend,
    Valid,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.inventory import Holding, Inventory, NamedGround
from treeline.core.query.kinds import kind_of
from treeline.core.query.slots import as_mask, settle

LIMITS = {
    "ndvi": (0.15, 0.25, 0.35, 0.45, 0.55, 0.65),
    "lst": (282, 286, 289.5, 293, 298),
    "dem": (385, 402.5, 420, 440),
    "terrain_slope": (4, 9, 15, 21),
}
CELSIUS = (12, 16.5, 20, 25)
STATISTICS = ("mean", "median", "min", "max", "std", "range", "iqr", "cv", "variance", "percentile")
COMMON = ("mean", "max", "min", "median", "std")
FACING = ("north", "east", "south", "west", "northeast", "southwest")


def expressions(
    inventory: Inventory, part: str = "anything", methods: bool = False
) -> st.SearchStrategy[Node]:
    """Return a strategy of expressions; ``part`` is a method of :class:`Maker`."""

    @st.composite
    def make(draw: Any) -> Node:
        return getattr(Maker(inventory, lambda options: draw(st.sampled_from(options)), methods), part)()

    return make()


def sample(
    inventory: Inventory, seed: int, count: int, part: str = "anything", methods: bool = False
) -> Iterator[Node]:
    """Yield so many different expressions; fast, and the same for equal seeds."""
    maker, seen = Maker(inventory, random.Random(seed).choice, methods), set()
    while len(seen) < count:
        node = getattr(maker, part)()
        if node not in seen:
            seen.add(node)
            yield node


def inventory_of(world: World) -> Inventory:
    """Return what a world is called."""
    roles = [*world.rasters, "ndwi", "terrain_slope"]
    made = ("ndwi", "terrain_slope")
    holdings = [
        Holding(role, UNITS.get(role, "1"), world.dates_of(role), role in made) for role in sorted(roles)
    ]
    # What each of the bands measures is held as soon as there are two, as in a workspace's inventory.
    holdings.append(Holding(REFLECTANCE, UNITS.get(REFLECTANCE, "1"), made=True))
    regions = [
        NamedGround("feature", source, "name", tuple(sorted(names)), "polygon")
        for source, names in world.features.items()
    ]
    classes = NamedGround("class", "landcover", "", tuple(world.class_names.values()), "class")
    return Inventory(
        tuple(sorted(holdings, key=lambda holding: holding.role)),
        (classes, *regions),
        cloud_dates=tuple(sorted(world.clouds)),
    )


@dataclass(frozen=True)
class Maker:
    """Makes random expressions.

    Attributes
    ----------
    choose : callable
        Returns one of several options.
    methods : bool
        Lets in what the algebra leaves to a method, so that no evaluator can say what it is.
    """

    inventory: Inventory
    choose: Callable[[Sequence[Any]], Any]
    methods: bool = False

    def one(self, *options: Callable[[], Any]) -> Any:
        """Make one of these."""
        return self.choose(options)()

    def anything(self) -> Node:
        """Make what a question asks for."""
        if self.choose(range(10)):
            return self.single()
        parts = dict.fromkeys(self.number() for _ in range(self.choose((2, 3))))
        return Several(tuple(parts)) if len(parts) > 1 else next(iter(parts))

    def single(self) -> Node:
        """Make one thing that is asked for."""
        node = self.one(
            self.number, self.number, self.number, self.find, self.find, self.claim, self.ground_fact,
            self.show, self.convert, self.series, self.table, self.of_the_data,
            *([self.of_methods] if self.methods else []),
        )  # fmt: skip
        kind_of(node)
        return node

    # --- When and where ---------------------------------------------------------------------------

    def day(self, role: str) -> When:
        return _day(self.choose(self._dates(role)))

    def two_days(self, role: str) -> tuple[When, When]:
        later, earlier = self.choose(list(permutations(self._dates(role), 2)))
        return _day(later), _day(earlier)

    def dates(self, role: str) -> When:
        """Choose dates of which the role has at least two."""
        days = self._dates(role)
        first, last = self.choose(list(combinations(days, 2)))
        return self.choose(
            (
                ALWAYS,
                ALWAYS,
                When((Span(first, last),)),
                When((Span(first, first), Span(last, last))),
                When(without=_day(first)) if len(days) > 2 else ALWAYS,
                *(
                    _year(year)
                    for year in sorted({day.year for day in days})
                    if _many(days, lambda d, y=year: d.year == y)
                ),
                *([When(months=(6, 7, 8))] if _many(days, lambda d: d.month in (6, 7, 8)) else []),
                *([self.year_found(role)] if _every_year_has_many(days) else []),
            )
        )

    def year_found(self, role: str) -> When:
        """Choose the year in which something of the same role is highest or lowest."""
        series = Aggregate("mean", self.plain(role, ALWAYS), "pixel")
        yearly = Aggregate(self.choose(("mean", "max")), series, "date", by="year")
        return When(at=Which(yearly, self.choose(("highest", "lowest"))))

    def one_date(self, role: str) -> When:
        series = Aggregate("mean", self.plain(role, ALWAYS), "pixel")
        return self.choose(
            (
                self.day(role),
                self.day(role),
                self.day(role),
                When(pick=self.choose((1, -1, 2))),
                When(at=Which(series, self.choose(("highest", "lowest")))),
            )
        )

    def place(self) -> Place:
        return self.one(
            lambda: self.ground_of(
                "class", self.choose(list(combinations(self._names("class"), self.choose((1, 1, 2)))))
            ),
            lambda: self.ground_of("feature", (self.choose(self._names("feature")),)),
            lambda: Place("facing", (self.choose(FACING),)),
            lambda: Place("side", (self.choose(("north", "south", "east", "west", "northwest")),)),
        )

    def either_place(self) -> Node:
        """Make a place or another; names of the same kind of place are those of one."""
        one, other = self.two_places()
        if one.by != other.by:
            return either(one, other)
        return replace(one, names=tuple(sorted({*one.names, *other.names})))

    def ground_of(self, by: Any, names: tuple[str, ...]) -> Place:
        ground = self._ground(by)
        return Place(by, names, ground.source, ground.attribute)

    def zones_of(self, by: Any) -> Zones:
        ground = self._ground(by)
        return Zones(by, source=ground.source, attribute=ground.attribute)

    def two_places(self) -> tuple[Place, Place]:
        one, other = self.place(), self.place()
        return (one, other) if one != other else self.two_places()

    def two_points(self) -> tuple[Place, Place]:
        west, east = (str(self.choose(range(500_000, 500_500, 10))) for _ in range(2))
        return Place("point", (west, "5100000"), attribute="map"), Place(
            "point", (east, "5100100"), attribute="map"
        )

    def ground(self, role: str, when: When) -> Node:
        """Make a condition on the ground for the slot of a variable."""
        return self.one(
            self.place,
            self.place,
            lambda: self.beside(role, when),
            lambda: Not(self.place()),
            lambda: both(self.place(), self.beside(role, when)),
            self.either_place,
            lambda: Compare(Distance(self.place()), "le", Number(60, "m")),
        )

    def beside(self, role: str, when: When) -> Node:
        """Make a condition on a variable of the same dates, or of none."""
        other = self.choose(("dem", "terrain_slope", {"ndvi": "lst", "lst": "ndvi"}.get(role, "ndvi")))
        known = self._has(other, when) and (self._dates(role) or not self._dates(other))
        return self.condition(other if known else "dem", when)

    # --- Variables and conditions on them -----------------------------------------------------------

    def variable(self, role: str, when: When) -> Variable:
        """Make a variable with something or nothing in its slots."""
        base = self.plain(role, when)
        where = self.ground(role, when) if self.choose((False, True)) else None
        clouds = "included" if base.timeless else self.choose(("included", "included", "masked"))
        if clouds == "included" and not base.timeless and not when.single and not self.choose(range(6)):
            clouds = "clear_dates"
        return replace(base, where=where and _under(where, clouds), clouds=clouds)

    def plain(self, role: str, when: When) -> Variable:
        timeless = not self._dates(role)
        return Variable(role, ALWAYS if timeless else when, timeless=timeless, unit=UNITS.get(role, "1"))

    def condition(self, role: str, when: When) -> Compare:
        return self.limit_on(self.plain(role, when), role)

    def limit_on(self, values: Node, role: str) -> Compare:
        """Make a condition on values of a role."""
        limits, unit = LIMITS[role], UNITS.get(role, "")
        low, high = (Number(limit, unit) for limit in self.choose(list(combinations(limits, 2))))
        choices = [low, high, *([Number(self.choose(CELSIUS), "degC")] if role == "lst" else [])]
        operator = self.choose(("gt", "gt", "ge", "lt", "lt", "le", "between"))
        if operator == "between":
            return Compare(values, operator, low, high)
        return Compare(values, operator, self.choose(choices))

    def dated_role(self) -> str:
        return self.choose(("ndvi", "ndvi", "lst", "lst", "ndwi", "red", "nir"))

    def cube(self, role: str = "") -> Variable:
        """Make a variable of several dates."""
        role = role or self.dated_role()
        return self.variable(role, self.dates(role))

    def image(self, role: str = "") -> Variable:
        """Make a variable of one date or of none."""
        role = role or self.choose((self.dated_role(), self.dated_role(), "dem", "terrain_slope"))
        return self.variable(role, self.one_date(role) if self._dates(role) else ALWAYS)

    # --- Rasters and masks --------------------------------------------------------------------------

    def raster(self) -> Node:
        """Make a number for each pixel."""
        return self.one(
            self.image,
            self.image,
            lambda: self.statistic(STATISTICS, self.cube(), "date"),
            lambda: Aggregate(self.choose(("count", "share")), self.cube_mask(), "date"),
            self.change,
            self.change_of_means,
            self.pixel_anomaly,
            lambda: Trend(self.cube()),
        )

    def statistic(self, names: Sequence[str], of: Node, over: str) -> Aggregate:
        name: Any = self.choose(names)
        percent = self.choose((5.0, 25.0, 90.0, 95.0))
        parameter = {"percentile": percent, "trimmed_mean": 10.0}.get(name)
        return Aggregate(name, of, over, parameter=parameter)  # type: ignore[arg-type]

    def change(self) -> Combine:
        """Make the change of a variable from a day to another, pixel by pixel."""
        role = self.choose(("ndvi", "lst"))
        return self._change_of(self.variable(role, ALWAYS), self.two_days(role), lambda side: side)

    def change_of_means(self) -> Combine:
        """Make the change of a variable's mean over some dates to that over others."""
        role = self.choose(("ndvi", "lst"))
        times = (self.dates(role), self.dates(role))
        if times[0] == times[1]:
            return self.change_of_means()
        return self._change_of(
            self.variable(role, ALWAYS), times, lambda side: Aggregate("mean", side, "date")
        )

    def _change_of(self, of: Variable, times: Sequence[When], form: Callable[[Node], Node]) -> Combine:
        how = self.choose(("difference", "difference", "percent_change", "ratio"))
        if of.clouds == "clear_dates":
            of = replace(of, where=of.where and _under(of.where, "included"), clouds="included")
        # A condition on a variable that has no such day is left out.
        if of.where is not None and not all(
            self._has(part.role, when)
            for part in of.where.walk()
            if isinstance(part, Variable)
            for when in times
        ):
            of = replace(of, where=None)
        return Combine(how, form(_retime(of, times[0])), form(_retime(of, times[1])))

    def pixel_anomaly(self) -> Anomaly:
        role = self.choose(("ndvi", "lst"))
        how = self.choose(("difference", "z_score", "percent"))
        return Anomaly(self.plain(role, self.day(role)), self.plain(role, ALWAYS), how)

    def mask(self) -> Node:
        """Make a truth for each pixel."""
        return self.one(
            self.image_mask,
            self.image_mask,
            lambda: Aggregate(self.choose(("all", "any")), self.cube_mask(), "date"),
            lambda: Compare(
                Aggregate("count", self.cube_mask(), "date"), "ge", Number(self.choose((1, 2, 3)))
            ),
            lambda: self._growth(self.change()),
            lambda: self._growth(self.change_of_means()),
            self.place,
            lambda: self._join(both),
            lambda: self._join(either),
        )

    def image_mask(self) -> Compare:
        role = self.choose(("ndvi", "lst", "dem", "terrain_slope"))
        return self.limit_on(self.image(role), role)

    def cube_mask(self) -> Compare:
        """Make a truth for each pixel and date."""
        role = self.choose(("ndvi", "lst"))
        return self.limit_on(self.cube(role), role)

    def _growth(self, change: Combine) -> Compare:
        if change.how == "ratio":
            change = replace(change, how="difference")
        return Compare(change, self.choose(("gt", "lt")), Number(0))

    def _join(self, join: Callable[..., Node]) -> Node:
        return join(self.bare_mask(), self.one(self.bare_mask, self.place))

    def bare_mask(self) -> Compare:
        """Make a condition on a variable without one of its own."""
        role = self.choose(("ndvi", "lst", "dem", "terrain_slope"))
        return self.condition(role, self.one_date(role) if self._dates(role) else ALWAYS)

    # --- Series and tables --------------------------------------------------------------------------

    def series(self) -> Node:
        """Make a number for each date."""
        return self.one(
            self.means,
            self.means,
            lambda: self.statistic(STATISTICS, self.cube(), "pixel"),
            lambda: self.amount(self.cube_mask()),
        )

    def means(self, role: str = "") -> Aggregate:
        return Aggregate("mean", self.cube(role), "pixel")

    def amount(self, mask: Node) -> Aggregate:
        """Make an area, a share or a count of a truth; places stand in the variables that they limit."""
        unit = self.choose(("ha", "km2", "m2"))
        made = self.choose(
            (
                Aggregate("area", mask, "pixel", unit=unit),
                Aggregate("count", mask, "pixel"),
                Aggregate("share", mask, "pixel"),
            )
        )
        return settle(made)

    def course(self) -> Aggregate:
        """Make a number for each period: the mean of the dates' means."""
        return Aggregate(
            "mean",
            self.means(),
            "date",
            by=self.choose(("year", "month", "quarter", "season", "calendar_month")),
        )

    def zones(self) -> Zones:
        limits = self.choose(((380.0, 400.0, 420.0, 460.0), (0.0, 410.0, 1000.0)))
        height = self.plain("dem", ALWAYS)
        bands = Zones("band", of=height, limits=limits)
        steps = Zones("band", of=height, step=self.choose((10.0, 25.0)))
        classes, features = self.zones_of("class"), self.zones_of("feature")
        return self.choose((classes, classes, features, Zones("facing"), bands, steps))

    def table(self) -> Node:
        """Make a number for each zone."""
        zones = self.zones()
        return self.one(
            lambda: Aggregate(
                self.choose(("mean", "mean", "median", "max", "std")), self.image(), "pixel", by=zones
            ),
            lambda: replace(self.amount(self.mask()), by=zones),
            lambda: Aggregate(self.choose(("mean", "max", "std")), self.cube(), "all", by=zones),
            lambda: _each_side(self.change(), lambda side: Aggregate("mean", side, "pixel", by=zones)),
        )

    # --- Single numbers -----------------------------------------------------------------------------

    def number(self) -> Node:
        return self.one(
            lambda: self.statistic(STATISTICS, self.raster(), "pixel"),
            lambda: self.statistic(COMMON, self.raster(), "pixel"),
            lambda: self.statistic(STATISTICS, self.cube(), "all"),
            lambda: self.statistic((*COMMON, "percentile"), self.series(), "date"),
            lambda: self.statistic(("mean", "max", "min"), self.course(), "period"),
            lambda: self.statistic(("mean", "max", "range"), self.table(), "zone"),
            lambda: self.statistic(
                ("max", "min"),
                Steps(self.series(), self.choose(("difference", "absolute_difference"))),
                "date",
            ),
            lambda: self.amount(self.mask()),
            lambda: self.amount(self.place()),
            lambda: self.statistic(("max", "mean", "min"), self.patches(), "zone"),
            lambda: self.statistic(("mad", "trimmed_mean", "sum"), self.image(), "pixel"),
            lambda: self.share_within(*self.two_places()),
            lambda: Aggregate("share", self.cloud(), "pixel"),
            lambda: self.amount(self.valid()),
            lambda: self.statistic(
                ("count", "share", "longest_run", "runs", "onsets", "crossings"), self.series_truth(), "date"
            ),
            self.change_of_numbers,
            self.anomaly,
            self.trend,
            self.correlation,
            self.rank,
            lambda: self.season("length"),
            self.weighted_mean,
            lambda: Aggregate(self.choose(("entropy", "mode")), self.variable("landcover", ALWAYS), "pixel"),
        )

    def patches(self) -> Aggregate:
        """Make the areas of the connected parts of a mask."""
        mask = self.image_mask()
        return Aggregate("area", mask, "pixel", by=Zones("patch", of=mask), unit="ha")

    def share_within(self, place: Place, whole: Place) -> Aggregate:
        # Of rock no more than all is rock or water: that a class is named with others is the others' gloss.
        same = (place.by, place.source) == (whole.by, whole.source)
        if same and set(whole.names) < set(place.names):
            place, whole = whole, place
        return Aggregate("share", place, "pixel", within=whole)

    def valid(self) -> Node:
        """Make where a variable has a value, or has none."""
        role = self.choose(("ndvi", "lst"))
        valid = Valid(self.plain(role, self.day(role)))
        return self.one(lambda: valid, lambda: Not(valid))

    def cloud(self) -> Cloud:
        return Cloud(_day(self.choose(self.inventory.cloud_dates)))

    def series_truth(self) -> Node:
        """Make a truth for each date."""
        role = self.choose(("ndvi", "lst"))
        return self.one(
            lambda: self.limit_on(self.means(role), role),
            lambda: self.limit_on(self.means(role), role),
            lambda: Compare(
                Aggregate("share", self.cube_mask(), "pixel"), "ge", Number(self.choose((20, 50, 80)), "%")
            ),
            lambda: Not(Aggregate("any", Cloud(), "pixel")),
        )

    def change_of_numbers(self) -> Combine:
        return self.one(
            lambda: _each_side(self.change(), lambda side: Aggregate("mean", side, "pixel")),
            lambda: _each_side(self.change_of_means(), _mean_of_means),
            self.between_places,
        )

    def between_places(self) -> Combine:
        role = self.choose(("ndvi", "lst"))
        variable = self.plain(role, self.day(role))
        left, right = (
            Aggregate("mean", replace(variable, where=place), "pixel") for place in self.two_places()
        )
        return Combine(self.choose(("difference", "ratio")), left, right)

    def anomaly(self) -> Anomaly:
        role = self.choose(("ndvi", "lst"))
        of, base = (
            Aggregate("mean", self.plain(role, when), "pixel") for when in (self.day(role), self.dates(role))
        )
        return Anomaly(of, base, self.choose(("difference", "z_score", "percent")))

    def trend(self) -> Trend:
        of = self.means() if self.choose(range(3)) else replace(self.course(), by="year")
        gives = self.choose(("slope", "relative", "p_value", "r2", "pearson"))
        method = "" if gives in ("r2", "pearson") else self.choose(("", "linear", "theil_sen"))
        per = self.choose(("year", "decade", "month")) if gives in ("slope", "relative") else "year"
        return Trend(of, method, gives, per)

    def correlation(self) -> Correlation:
        gives = self.choose(("pearson", "slope", "r2"))
        common = [day for day in self._dates("ndvi") if day in self._dates("lst")]
        when, cold = _day(self.choose(common)), self.day("lst")
        pairs = (
            (self.plain("lst", when), self.plain("ndvi", when)),
            (self.plain("lst", cold), self.plain("dem", ALWAYS)),
            (self.plain("ndvi", when), self.plain("terrain_slope", ALWAYS)),
        )
        if self.choose(range(3)):
            by = self.choose((None, None, self.zones_of("class"), self.zones_of("feature")))
            return Correlation(*self.choose(pairs), "pixel", gives, by)
        left, right = (Aggregate("mean", self.plain(role, ALWAYS), "pixel") for role in ("lst", "ndvi"))
        return Correlation(left, right, "date", self.choose((gives, "spearman")))

    def rank(self) -> Rank:
        role, direction = self.choose(("ndvi", "lst")), self.choose(("highest", "lowest"))
        if self.choose(range(2)):
            return Rank(Aggregate("mean", self.plain(role, ALWAYS), "pixel"), self.day(role), direction)
        table = Aggregate("mean", self.plain(role, self.day(role)), "pixel", by=self.zones_of("class"))
        return Rank(table, self.ground_of("class", (self.choose(self._names("class")),)), direction)

    def season(self, gives: Any) -> Phenology:
        series = Aggregate("mean", self.variable("ndvi", self.choose((ALWAYS, _year(2020)))), "pixel")
        return Phenology(series, gives, self.choose((None, Number(0.4), Number(0.5))))

    def weighted_mean(self) -> Aggregate:
        image = self.image(self.choose(("ndvi", "lst")))
        return Aggregate("mean", image, "pixel", weight=self.plain("terrain_slope", ALWAYS))

    def cloudy(self) -> Aggregate:
        """Make a single number that clouds may change."""
        role = self.choose(("ndvi", "lst"))
        mask = self.condition(role, self.day(role))
        return self.one(
            lambda: self.statistic(COMMON, self.plain(role, self.day(role)), "pixel"),
            lambda: self.statistic(
                COMMON, Aggregate("mean", self.plain(role, self.dates(role)), "pixel"), "date"
            ),
            lambda: self.statistic(COMMON, self.plain(role, self.dates(role)), "all"),
            lambda: Aggregate(self.choose(("share", "area")), mask, "pixel", unit=""),
        )

    # --- Other answers ------------------------------------------------------------------------------

    def find(self) -> Node:
        """Make dates and names."""
        direction = self.choose(("highest", "lowest"))
        nth, top = self.choose(((1, 1), (1, 1), (1, 1), (2, 1), (1, 2), (1, 3), (1, 0)))
        return self.one(
            lambda: Which(self.series(), direction, nth, top),
            lambda: Which(Steps(self.series()), direction, nth, top),
            lambda: Which(self.course(), direction, nth, top),
            lambda: Which(self.table(), direction, nth, top),
            lambda: Dates(self.series_truth(), self.choose(("all", "first", "last"))),
            lambda: self.season(self.choose(("start", "end", "peak"))),
            lambda: Which(
                replace(self.season(self.choose(("start", "end", "length"))), by="year"), direction
            ),
            lambda: Majority(self.variable("landcover", ALWAYS)),
        )

    def claim(self) -> Compare:
        change = self.change_of_numbers()
        return Compare(change.left, self.choose(("gt", "lt")), change.right)

    def ground_fact(self) -> Node:
        """Make directions, coordinates, distances, hot spots."""
        return self.one(
            lambda: Direction(as_mask(self.mask())),
            lambda: Centroid(self.place()),
            lambda: Aggregate("area", Hotspots(self.image(), self.choose(("hot", "cold"))), "pixel"),
            lambda: Aggregate("mean", Distance(self.place()), "pixel"),
        )

    def show(self) -> Show:
        """Make maps, charts and lists."""
        return self.one(
            lambda: Show(self.raster(), "map"),
            lambda: Show(self.mask(), "map"),
            lambda: Show(Classified((self.image_mask(), self.image_mask())), "map"),
            lambda: Show(self.one(self.series, self.course), "chart"),
            lambda: Show(self.one(self.series, self.table), "table"),
            lambda: Show(Aggregate("mean", self.cube(), "pixel", by=self.zones()), "table"),
            lambda: Show(Aggregate("mean", self.cube(), "all", by=self.choose(("year", "month"))), "table"),
        )

    def convert(self) -> Node:
        """Make something in another unit or to some decimals."""
        unit = self.choose(("degC", "degF"))
        return self.one(
            lambda: Convert(self.statistic(COMMON, self.image("lst"), "pixel"), unit),
            lambda: Convert(self.statistic(COMMON, self.means("lst"), "date"), unit),
            lambda: Rounded(self.fraction(), self.choose((0, 1, 2, 3))),
        )

    def fraction(self) -> Node:
        """Make a number that may be rounded, which a rank is not: it is whole."""
        number = self.number()
        return self.fraction() if isinstance(number, Rank) else number

    def of_the_data(self) -> Facts:
        about = self.choose(("images", "dates", "first_date", "last_date", "gap", "interval"))
        of = self.plain(self.choose(("ndvi", "lst")), ALWAYS)
        by = self.choose(("year", "month", "season"))
        area = Facts("ground_area", unit=self.choose(("ha", "km2")))
        long_ago = _year(1999)
        sought = (of, self.plain("dem", ALWAYS), self.plain("ndvi", long_ago), self.day("ndvi"), long_ago)
        there = Facts("available", self.choose(sought))
        nearest = Facts("nearest_date", self.day("ndvi"))
        return self.choose(
            (Facts(about, of), Facts(about, of), area, Facts("images", of, by=by), there, nearest)
        )

    def spectrum(self) -> Aggregate:
        """Make a statistic of every band of a scene."""
        when = self.day("red")
        reflectance = Variable(REFLECTANCE, when, self.one(lambda: None, self.place), unit="1")
        statistic = self.choose(("mean", "median", "std"))
        return Aggregate(statistic, reflectance, "pixel", by=Zones("spectral"))

    def of_methods(self) -> Node:
        """Make what the algebra leaves to a method."""
        when = self.day("red")
        return self.one(
            lambda: Seasonal(
                self.means(), self.choose(("change_points", "season_length", "spikes", "autocorrelation"))
            ),
            lambda: Trend(self.means(), "mann_kendall", "significance"),
            lambda: Trend(self.means(), gives="direction"),
            lambda: Profile(self.image(), *self.two_points()),
            self.spectrum,
            lambda: Which(self.spectrum(), self.choose(("highest", "lowest"))),
            lambda: Composite(tuple(self.plain(band, when) for band in ("red", "nir", "green"))),
            lambda: Distance(*self.two_places()),
        )

    # --- What there is ------------------------------------------------------------------------------

    def _dates(self, role: str) -> tuple[dt.date, ...]:
        holding = self.inventory.holding(role)
        assert holding is not None, role
        return holding.dates

    def _has(self, role: str, when: When) -> bool:
        """Return whether what is meant is the same dates for this role, or it has none."""
        days = {span.first for span in when.spans if span.is_day}
        return not self._dates(role) or (not when.pick and when.at is None and days <= set(self._dates(role)))

    def _names(self, by: str) -> list[str]:
        return sorted(self._ground(by).names)

    def _ground(self, by: str) -> NamedGround:
        return next(ground for ground in self.inventory.grounds if ground.by == by)


def _day(day: dt.date) -> When:
    return When((Span(day, day),))


def _every_year_has_many(days: Sequence[dt.date]) -> bool:
    """Return whether there are two dates at least in each of two years or more."""
    years = {day.year for day in days}
    return len(years) > 1 and all(_many(days, lambda d, y=year: d.year == y) for year in years)


def _year(year: int) -> When:
    return When((Span(dt.date(year, 1, 1), dt.date(year, 12, 31)),))


def _many(days: Sequence[dt.date], meant: Callable[[dt.date], bool]) -> bool:
    return sum(meant(day) for day in days) > 1


def _retime(node: Any, when: When) -> Any:
    """Return an expression at other dates: those of its variables, and of the conditions on them."""
    if isinstance(node, Variable):
        where = None if node.where is None else _retime(node.where, when)
        return replace(node, when=ALWAYS if node.timeless else when, where=where)
    if isinstance(node, Not | Compare):
        return replace(node, of=_retime(node.of, when))
    if isinstance(node, And):
        return both(*(_retime(part, when) for part in node.of))
    return node


def _under(node: Any, clouds: Any) -> Any:
    """Return a condition of which the variables treat clouds as the variable does that it stands in."""
    if isinstance(node, Variable):
        return node if node.timeless else replace(node, clouds=clouds)
    if isinstance(node, Compare):
        return replace(node, of=_under(node.of, clouds))
    if isinstance(node, And):
        return both(*(_under(part, clouds) for part in node.of))
    return node


def _each_side(change: Combine, form: Callable[[Any], Node]) -> Combine:
    return replace(change, left=form(change.left), right=form(change.right))


def _mean_of_means(side: Aggregate) -> Node:
    """Return the mean of the dates' means from the mean raster of the same."""
    return Aggregate("mean", Aggregate("mean", side.of, "pixel"), "date")
