"""An expression in words that the reader reads as that expression again; it stands over every answer.

Every order and axis is said, defaults too; brackets keep together what belongs together. Time,
place and clouds that all variables share are said once, at the end.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeline.core.query.assumptions import assumptions
from treeline.core.query.expression import (
    ALWAYS,
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
    Or,
    Phenology,
    Place,
    Profile,
    Rank,
    Rounded,
    Seasonal,
    Several,
    Show,
    Steps,
    Trend,
    Valid,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.grammar.groups import ground_of_all_zones
from treeline.core.query.grammar.region_tables import region_by_region
from treeline.core.query.inventory import Inventory
from treeline.core.query.kinds import IllTyped, kind_of
from treeline.core.query.lexicon.graph import words_of
from treeline.core.query.names import Names, names_of, variable_of
from treeline.core.query.objects import Objects
from treeline.core.query.phrases.values import Raw
from treeline.core.query.sayings import (
    OF_EACH_DATE,
    CannotSay,
    say_anomaly,
    say_combination,
    say_correlation,
    say_fact,
    say_objects,
    say_phenology,
    say_picture,
    say_statistic,
    say_trend,
)
from treeline.core.query.slots import Leaf, is_one_period, leaves, rebuild
from treeline.core.query.words import bare, nth, number_words, ordinal, plural, span_words, unit_words
from treeline.toolkit.variables import VARIABLES
from treeline.toolkit.variables import Variable as Known

# Longer names are words.
_SHORT = 5
_SIGNS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "=", "ne": "!="}
_COURSES = {
    "change_points": "change points",
    "season_length": "length of the seasonal cycle",
    "spikes": "spikes",
    "autocorrelation": "autocorrelation",
    "decomposition": "seasonal decomposition",
}
_CLOUDS = {"masked": "with cloudy pixels masked out", "clear_dates": "on cloud-free dates"}


def paraphrase(expression: Node, inventory: Inventory) -> str:
    """Return an expression in words, with what was assumed.

    Raises
    ------
    CannotSay
        It has a node that no question leads to.
    """
    text = _Speaker(names_of(inventory)).say(expression)
    assumed = assumptions(expression)
    return text + (f" (assumed: {'; '.join(assumed)})" if assumed else "")


class _Speaker:
    """Says the nodes of an expression, in the names of one workspace."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def say(self, node: Node) -> str:
        """Return a node with what its leaves share at its end."""
        if isinstance(node, Several) and (found := region_by_region(node, self.names)) is not None:
            table, regions = found
            return f"({self.say(table)}) {self.each(regions)}"
        if isinstance(node, Several):
            return "; ".join(f"({self.say(part)})" for part in node.of)
        if isinstance(node, Facts):
            return say_fact(self, node)
        if isinstance(node, Show) and isinstance(node.of, Composite):
            return say_picture(self, node.of)
        if isinstance(node, Show):
            bins = f" with {node.bins} bins" if node.bins else ""
            if node.width:
                bins = f" with bins of {number_words(Number(node.width, kind_of(node.of).unit))}"
            return f"{node.form} of ({self.say(node.of)}){bins}"
        if isinstance(node, Rounded):
            return f"({self.say(node.of)}) rounded to {node.decimals} decimals"
        if isinstance(node, Convert):
            return f"({self.say(node.of)}) in {unit_words(node.unit)}"
        kind = kind_of(node)
        whether = "whether " if kind.value == "truth" and not kind.axes else ""
        text = self.body(node)
        if not isinstance(node, Variable | Cloud) and (shared := _factor_out_shared(node)) is not None:
            bare = self._bare(shared[0])
            # Without its date a number of one date is one of each: then each leaf says the date.
            if bare is not None and (OF_EACH_DATE in text or OF_EACH_DATE not in bare):
                return f"{whether}(({bare}){self.slots(shared[1])})"
        return f"{whether}({text})" if whether else text

    def _bare(self, node: Node) -> str | None:
        """Return a node whose leaves share a slot, without it; nothing where it does not fit together so."""
        try:
            return self.body(node)
        except IllTyped:
            return None

    def body(self, node: Node) -> str:
        """Return a node, each leaf with its own slots."""
        speak = _WAYS.get(type(node))
        if speak is None:
            raise CannotSay(f"There are no words for {type(node).__name__}.")
        return speak(self, node)

    def part(self, node: Node) -> str:
        """Return a part in brackets, unless it is a bare name or number."""
        text = self.body(node)
        plain = isinstance(node, Number) or (isinstance(node, Variable) and not self.slots(node))
        return text if plain else f"({text})"

    # --- Leaves -----------------------------------------------------------------------------------

    def variable(self, node: Variable) -> str:
        """Return the shortest name that means just this variable."""
        return f"{self.name(node)}{self.slots(node)}"

    def name(self, node: Variable) -> str:
        """Return what a variable is called."""
        held = self.names.inventory.holding(node.role)
        known = VARIABLES.get(node.role)
        if held is None:
            return _in_capitals(node.role.replace("_", " "), known)
        meant = (Raw(variable_of(held, self.names.inventory)),)
        usual = {"dem": "elevation", "terrain_slope": "slope"}.get(node.role, node.role.replace("_", " "))
        for word in (usual, *(known.words if known else ()), f"@{node.role}"):
            # A word that could mean something else as well would not be read as what is meant here.
            found = self.names.vocabulary.get(words_of(word))
            if found is not None and found.phrases == meant:
                return _in_capitals(word, known)
        return f"@{node.role}"

    def cloud(self, node: Cloud) -> str:
        """Return cloud, with its slots."""
        return f"cloud{self.slots(node)}"

    def slots(self, leaf: Leaf) -> str:
        """Return where, how clear and when, as words that follow a thing."""
        parts = []
        if isinstance(leaf, Variable) and leaf.clouds != "included":
            parts.append(_CLOUDS[leaf.clouds])
        parts.extend(self.when(leaf.when))
        if leaf.where is not None:
            conditions = leaf.where.of if isinstance(leaf.where, And) else (leaf.where,)
            parts.extend(self.locate(place) for place in conditions if self.is_place(place))
            rest = tuple(c for c in conditions if not self.is_place(c))
            if rest:
                parts.append(f"where ({self.body(rest[0] if len(rest) == 1 else And(rest))})")
        return "".join(f" {part}" for part in parts)

    def is_place(self, condition: Node) -> bool:
        """Return whether a mask is named ground, or what lies outside it."""
        return isinstance(condition.of if isinstance(condition, Not) else condition, Place)

    def locate(self, condition: Node) -> str:
        """Return a mask as words that limit what stands before them."""
        if isinstance(condition, Not) and isinstance(condition.of, Place):
            return f"outside ({self.ground(condition.of)})"
        assert isinstance(condition, Place)
        return f"in ({self.ground(condition)})"

    def ground(self, node: Place) -> str:
        """Return named ground that limits something: all polygons of a file are named as they are read."""
        if node.by != "feature" or node.names or node.at is not None:
            return self.place(node)
        sources = {ground.source for ground in self.names.inventory.grounds if ground.by == "feature"}
        return node.source if len(sources) > 1 else f"all {self.place(node)} together"

    def place(self, node: Place) -> str:
        """Return named ground, of a time where one is said of its classes."""
        if node.when != ALWAYS:
            return " ".join((self.place(replace(node, when=ALWAYS)), *self.when(node.when)))
        if node.at is not None:
            return self.say(node.at)
        if node.by in ("facing", "side") and len(node.names) > 1:
            return " together with ".join(
                f"({self.place(replace(node, names=(name,)))})" for name in node.names
            )
        if node.by == "facing":
            return f"{node.names[0]}-facing terrain"
        if node.by == "side":
            part = "quarter" if node.names[0] not in ("north", "south", "east", "west") else "half"
            return f"{node.names[0]} {part} of the image"
        if node.by == "point" and node.attribute == "centre":
            return "the centre of the image"
        if node.by == "point" and node.attribute == "corner":
            return f"{node.names[0]} corner pixel"
        if node.by == "point" and node.attribute:
            system = f" ({node.attribute})" if node.attribute != "map" else ""
            return f"x = {node.names[0]}, y = {node.names[1]}{system}"
        if node.by == "point":
            # Ten digits tell a point to about a centimetre.
            longitude, latitude = (float(text) for text in node.names)
            north, east = "N" if latitude >= 0 else "S", "E" if longitude >= 0 else "W"
            return f"{abs(latitude):.10g} {north} {abs(longitude):.10g} {east}"
        if node.by == "aoi":
            return "area of interest"
        if node.by == "feature" and not node.names:
            return f"{self.noun(Zones('feature', source=node.source))}s"
        return " together with ".join(f"class {name}" if name.isdigit() else name for name in node.names)

    # --- Time -------------------------------------------------------------------------------------

    def when(self, when: When) -> list[str]:
        """Return a time, as words that follow a thing."""
        if when == ALWAYS:
            return []
        parts = []
        if when.pick:
            parts.append(f"on the {ordinal(when.pick)} date")
        if when.at is not None:
            period = isinstance(when.at, Which) and when.at.period
            stands = when.side if when.side != "on" else "in" if period else "on"
            parts.append(f"{stands} the ({self.say(when.at)})")
        if when.months:
            parts.append("in " + " and ".join(calendar.month_name[month] for month in when.months))
        if when.spans:
            parts.append(" together with ".join(span_words(span) for span in when.spans))
        if when.without is not None:
            parts.append("without " + " ".join(bare(self.when(when.without))))
        return parts

    # --- Statistics -------------------------------------------------------------------------------

    def each(self, by: Zones | str) -> str:
        """Return groups."""
        if isinstance(by, str):
            return f"for each {by.replace('_', ' ')}"
        return f"for each {self.noun(by)}"

    def noun(self, zones: Zones) -> str:
        """Return what one zone of a kind is called."""
        if zones.by == "patch":
            return "patch"
        if zones.by == "spectral" and not zones.names:
            return "spectral band"
        if zones.by == "facing" and not zones.names:
            return "facing direction"
        if zones.by == "band" and zones.of is not None and zones.step:
            return f"{number_words(Number(zones.step, kind_of(zones.of).unit))} band of {self.part(zones.of)}"
        if zones.names and zones.by in ("class", "feature", "facing", "side"):
            places = (Place(zones.by, (name,), zones.source, zones.attribute) for name in zones.names)
            return "of " + " and ".join(f"({self.place(place)})" for place in places)
        if zones.names or zones.by not in ("class", "feature"):
            raise CannotSay(f"There are no words for zones by {zones.by}.")
        if zones.by == "class":
            return "class"
        for ground in self.names.inventory.grounds:
            if (ground.source, ground.attribute) == (zones.source, zones.attribute):
                return "class" if ground.noun == "class" else ground.noun or "polygon"
        return "polygon"

    # --- Conditions -------------------------------------------------------------------------------

    def compare(self, node: Compare) -> str:
        """Return a condition."""
        if node.operator == "between" and node.upper is not None:
            return f"{self.part(node.of)} between {self.part(node.limit)} and {self.part(node.upper)}"
        return f"{self.part(node.of)} {_SIGNS[node.operator]} {self.part(node.limit)}"

    # --- Over time --------------------------------------------------------------------------------

    def which(self, node: Which) -> str:
        """Return the date or zone with the highest or lowest value."""
        unit = self.unit(node.of)
        if node.top == 0:
            order = "" if node.direction == "highest" else " in ascending order"
            return f"rank {plural(unit)}{order} by ({self.body(node.of)})"
        extreme = node.direction if node.nth == 1 else f"{nth(node.nth)} {node.direction}"
        many = f"{node.top} " if node.top > 1 else ""
        if node.top == 1 and self.is_whole_area(node.of):
            extreme = "largest" if node.direction == "highest" else "smallest"
            return f"{f'{nth(node.nth)} ' if node.nth > 1 else ''}{extreme} {unit}"
        if (one := _nearest(node)) is not None:
            return f"{unit} with the {self.part(one.left)} closest to {self.part(one.right)}"
        each = " on each date" if kind_of(node).axes == {"date"} and kind_of(node).value == "name" else ""
        return f"{unit} with the {many}{extreme} ({self.body(node.of)}){each}"

    def is_whole_area(self, node: Node) -> bool:
        """Return whether a table is of the areas of all classes or features, in the usual unit."""
        # Only then "largest class" is short for it: in another unit or of other ground it says too little.
        return (
            isinstance(node, Aggregate)
            and node == Aggregate("area", node.of, "pixel", by=node.by)
            and self.is_of_all_zones(node)
            and not getattr(node.by, "names", ())
            and getattr(node.of, "when", ALWAYS) == ALWAYS
        )

    def is_of_all_zones(self, node: Aggregate) -> bool:
        """Return whether a table is of the ground of all classes or features, which need no names then."""
        ground = replace(node.of, when=ALWAYS) if isinstance(node.of, Place) else node.of
        return isinstance(node.by, Zones) and ground == ground_of_all_zones(node.by, self.names)

    def unit(self, node: Node) -> str:
        """Return what varies in a series."""
        axes = kind_of(node).axes
        if axes == {"date"}:
            return "date"
        if axes == {"period"}:
            return "period"
        zones = next(
            (
                replace(n.by, names=())
                for n in node.walk()
                if isinstance(n, Aggregate) and isinstance(n.by, Zones)
            ),
            None,
        )
        return "zone" if zones is None or zones.by in ("patch", "side") else self.noun(zones)

    def rank(self, node: Rank) -> str:
        """Return the place that a date has."""
        member = node.member
        if isinstance(member, Place):
            order = "" if node.direction == "highest" else " from the lowest"
            return f"rank{order} of ({self.place(member)}) by ({self.body(node.of)})"
        one = isinstance(member, When) and (member.single or is_one_period(member, node.of))
        if not isinstance(member, When) or member != When(member.spans) or not one:
            raise CannotSay("There are words for the rank of one day, month or year alone.")
        low = "" if node.direction == "highest" else " from the lowest"
        return f"rank{low} of {bare([span_words(member.spans[0])])[0]} by ({self.body(node.of)})"

    def distance(self, node: Distance) -> str:
        """Return a distance to ground, or between two places."""
        if node.of is None:
            return f"distance to ({self.body(node.to)})"
        return f"distance between ({self.body(node.of)}) and ({self.body(node.to)})"

    def direction(self, node: Direction) -> str:
        """Return the side of the image on which something lies, or its direction from another place."""
        if node.origin is not None:
            return f"direction of ({self.body(node.of)}) from ({self.body(node.origin)})"
        return f"side of the image with most of ({self.body(node.of)})"

    def majority(self, node: Majority) -> str:
        """Return the class at a point."""
        where = node.of.where if isinstance(node.of, Variable) else None
        if not isinstance(where, Place) or where.by != "point":
            raise CannotSay("There are words for the class at a point alone.")
        return f"class at ({self.place(where)})"

    def dates(self, node: Dates) -> str:
        """Return the dates on which a condition holds."""
        unit = self.unit(node.of)
        pick = {"all": plural(unit), "first": f"first {unit}", "last": f"last {unit}"}[node.pick]
        return f"{pick} with ({self.body(node.of)})"


# --- Ways of saying -------------------------------------------------------------------------------


def _in_capitals(word: str, known: Known | None) -> str:
    """Return a word as it is written: what is short is an abbreviation, but for the name of a product."""
    short = len(word) <= _SHORT and word.isalnum() and (known is None or known.kind != "product")
    return word.upper() if short else word


def _logic(word: str) -> Callable[[_Speaker, Any], str]:
    return lambda speaker, node: f" {word} ".join(f"({speaker.body(part)})" for part in node.of)


def _and(speaker: _Speaker, node: And) -> str:
    """Return conditions that hold together; of a class and another of a later map, what turned into what."""
    match node.of:
        case (Place(when=one) as first, Place(when=other) as second) if ALWAYS not in (one, other):
            if str(one.spans) > str(other.spans):
                first, second = second, first
            return f"({speaker.place(first)}) turned into ({speaker.place(second)})"
    return _logic("and")(speaker, node)


_STEPS = {"difference": "", "absolute_difference": "absolute ", "percent_change": "per cent "}


def _not(speaker: _Speaker, node: Not) -> str:
    if isinstance(node.of, Valid):
        return f"missing {speaker.part(node.of.of)}"
    return f"not ({speaker.body(node.of)})"


_WAYS: dict[type[Node], Callable[[_Speaker, Any], str]] = {
    Variable: _Speaker.variable,
    Cloud: _Speaker.cloud,
    Place: _Speaker.place,
    Number: lambda speaker, node: number_words(node),
    Valid: lambda speaker, node: f"valid {speaker.part(node.of)}",
    Aggregate: say_statistic,
    Compare: _Speaker.compare,
    And: _and,
    Or: _logic("or"),
    Not: _not,
    Combine: say_combination,
    Steps: lambda speaker, node: (
        f"{_STEPS[node.how]}changes from each date to the next of ({speaker.body(node.of)})"
    ),
    Anomaly: say_anomaly,
    Trend: say_trend,
    Seasonal: lambda speaker, node: f"{_COURSES[node.gives]} of ({speaker.body(node.of)})",
    Phenology: say_phenology,
    Correlation: say_correlation,
    Which: _Speaker.which,
    Rank: _Speaker.rank,
    Distance: _Speaker.distance,
    Profile: lambda speaker, node: (
        f"profile of ({speaker.body(node.of)})"
        f" from ({speaker.place(node.start)}) to ({speaker.place(node.end)})"
    ),
    Direction: _Speaker.direction,
    Centroid: lambda speaker, node: f"centroid of ({speaker.body(node.of)})",
    Majority: _Speaker.majority,
    Classified: lambda speaker, node: (
        "classes of " + " or else ".join(f"({speaker.body(part)})" for part in node.of)
    ),
    Hotspots: lambda speaker, node: f"{node.side} spots of ({speaker.body(node.of)})",
    Dates: _Speaker.dates,
    Facts: say_fact,
    Objects: say_objects,
    Show: _Speaker.say,
    Convert: _Speaker.say,
    Several: _Speaker.say,
}


def _nearest(node: Which) -> Combine | None:
    """Return the distance from a number by which something is found that is nearest to it."""
    match node:
        case Which(Combine("absolute_difference", _, Number()) as apart, "lowest", 1, 1):
            return apart
    return None


def _factor_out_shared(node: Node) -> tuple[Node, Variable] | None:
    """Return an expression without the time and clouds that all its leaves share, and these."""
    found = [leaf for leaf in leaves(node) if not (isinstance(leaf, Variable) and leaf.timeless)]
    if len(found) < 2:
        return None
    whens = {leaf.when for leaf in found}
    when = whens.pop() if len(whens) == 1 else ALWAYS
    modes = {leaf.clouds if isinstance(leaf, Variable) else "" for leaf in found}
    mode = modes.pop() if len(modes) == 1 else ""
    if when == ALWAYS and mode in ("", "included"):
        return None

    def strip(leaf: Leaf) -> Leaf:
        if isinstance(leaf, Variable) and leaf.timeless:
            return leaf
        bare = leaf if when == ALWAYS else replace(leaf, when=ALWAYS)
        return replace(bare, clouds="included") if isinstance(bare, Variable) and mode else bare

    bare = rebuild(node, strip)
    try:
        kind_of(bare)
    except IllTyped:
        # Some masks need the time of what they are laid on: each leaf says its own then.
        return None
    return bare, Variable("", when, clouds=mode or "included")  # type: ignore[arg-type]
