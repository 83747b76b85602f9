"""What an expression asks for as a phrase in the middle of a sentence: ``mean NDVI on 2016-08-14``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from treeline.core.policies.planner.figures import (
    MEMBERS,
    join_words,
    ordinal,
    unit_suffix,
)
from treeline.core.policies.planner.times import period_text
from treeline.core.query.expression import (
    ALWAYS,
    TRUTH_STATISTICS,
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
    Rounded,
    Seasonal,
    Show,
    Steps,
    Trend,
    Valid,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.rewriting import rewrite
from treeline.core.query.titles import short_title
from treeline.core.query.words import noun_of_attribute, plural

_STATISTICS = {
    "min": "minimum",
    "max": "maximum",
    "std": "standard deviation",
    "iqr": "interquartile range",
    "cv": "coefficient of variation",
    "mad": "median absolute deviation",
    "rms": "root mean square",
    "mode": "most frequent value",
    "count": "number",
    "otsu": "Otsu threshold",
    "moran": "Moran's I",
}
# "Mean NDVI", but "standard deviation of NDVI".
_BEFORE_A_NAME = frozenset({"mean", "median", "min", "max"})
_OPERATORS = {"gt": "above", "ge": "at least", "lt": "below", "le": "at most", "eq": "equal to", "ne": "not"}
_COMBINED = {
    "difference": "difference between",
    "absolute_difference": "absolute difference between",
    "ratio": "ratio of",
    "percent_change": "change in per cent between",
    "sum": "sum of",
    "product": "product of",
    "normalised_difference": "normalised difference of",
}


def phrase(node: Node) -> str:
    """Return what a node stands for, in words."""
    return _PHRASES.get(type(node), lambda other: type(other).__name__.lower())(node)


def _variable(node: Variable) -> str:
    parts = [short_title(node.role)]
    if node.where is not None:
        parts.append(ground_text(_without_time(node.where, node.when)))
    if node.clouds == "masked":
        parts.append("without cloudy pixels")
    elif node.clouds == "clear_dates":
        parts.append("of cloud-free dates")
    if not node.timeless:
        parts.append(time_text(node.when))
    return " ".join(part for part in parts if part)


def _without_time(where: Node, when: When) -> Node:
    """Return a condition without the time that is told of what it limits anyway."""

    def change(leaf: Variable | Cloud) -> Node:
        return replace(leaf, when=ALWAYS) if leaf.when == when else leaf

    return rewrite(where, (Variable, Cloud), change)


def _cloud(node: Cloud, noun: str) -> str:
    where = ground_text(node.where) if node.where is not None else ""
    return " ".join(part for part in (noun, where, time_text(node.when)) if part)


def time_text(when: When) -> str:
    """Return a time with its preposition; empty for all times."""
    if when == ALWAYS:
        return ""
    text = (
        period_text(When(when.spans, when.months, without=when.without)) if when.spans or when.months else ""
    )
    picked = {1: "on the first date", -1: "on the last date", 0: ""}.get(
        when.pick, f"on date number {when.pick}"
    )
    period = isinstance(when.at, Which) and when.at.period
    stands = when.side if when.side != "on" else "in" if period else "on"
    found = f"{stands} {phrase(when.at)}" if when.at is not None else ""
    return " ".join(part for part in (picked, text, found) if part)


_BEFORE_A_PLACE = {"class": "of", "feature": "of", "site": "of", "point": "at", "facing": "on"}


def ground_text(node: Node | None) -> str:
    """Return where something is measured, with its preposition; empty for everywhere."""
    if node is None:
        return ""
    if isinstance(node, Place):
        return f"{_BEFORE_A_PLACE.get(node.by, 'in')} {_place(node)}"
    if isinstance(node, And):
        places = [part for part in node.of if isinstance(part, Place)]
        rest = [part for part in node.of if part not in places]
        told = [*map(ground_text, places), *([f"where {' and '.join(map(_held, rest))}"] if rest else [])]
        return " ".join(told)
    if isinstance(node, Not) and isinstance(node.of, Place) and len(node.of.names) < 2:
        return f"outside {_place(node.of)}"
    if node == Cloud():
        return "under clouds"
    return f"where {_held(node)}"


def _held(node: Node) -> str:
    return f"{phrase(node.of)} is {condition(node)}" if isinstance(node, Compare) else phrase(node)


def _place(node: Place) -> str:
    return " ".join(part for part in (_place_name(node), time_text(node.when)) if part)


def _place_name(node: Place) -> str:
    if node.at is not None:
        return phrase(node.at)
    if node.by == "facing":
        return f"{' and '.join(node.names)}-facing terrain"
    if node.by == "side":
        return f"the {' and '.join(node.names)} of the image"
    if node.by == "point":
        return _point(node)
    if node.by == "box":
        west, south, east, north = node.names
        return f"the box from longitude {west} to {east}, latitude {south} to {north}"
    if node.by == "feature" and not node.names:
        return f"all polygons of {node.source}" if node.source else "all polygons"
    if node.by == "class" and node.names and all(name.isdigit() for name in node.names):
        return f"{'class' if len(node.names) == 1 else 'classes'} {join_words(node.names)}"
    return join_words(node.names) if node.names else node.source or "the area of interest"


def _point(node: Place) -> str:
    if node.attribute == "centre":
        return "the centre of the image"
    if node.attribute == "corner":
        return f"the {node.names[0]} corner pixel"
    if node.attribute:
        system = f" ({node.attribute})" if node.attribute != "map" else ""
        return f"x = {node.names[0]}, y = {node.names[1]}{system}"
    return f"longitude {node.names[0]}, latitude {node.names[1]}"


def _zones(zones: Zones) -> str:
    if zones.by == "band" and zones.of is not None:
        return f"steps of {phrase(zones.of)}"
    if zones.by == "feature":
        # Several polygons may share a name.
        return noun_of_attribute(zones.attribute, "zone") if zones.attribute else "polygon"
    if zones.by == "spectral":
        return "band"
    return zones.by


def _aggregate(node: Aggregate) -> str:
    by = (
        f" by {_zones(node.by) if isinstance(node.by, Zones) else node.by.replace('_', ' ')}"
        if node.by
        else ""
    )
    telling = _of_truths if node.statistic in TRUTH_STATISTICS else _of_numbers
    return telling(node, phrase(node.of)) + by


def members_of(node: Aggregate) -> str:
    """Return what is counted: pixels, dates, polygons, classes, patches."""
    if node.over == "all":
        return "pixels"
    grouped = (part.by for part in node.of.walk() if isinstance(part, Aggregate))
    zones = next((by for by in grouped if isinstance(by, Zones)), None)
    if node.over != "zone" or zones is None:
        return f"{node.over}s"
    of_classes = zones.by == "feature" and noun_of_attribute(zones.attribute, "zone") == "class"
    return MEMBERS.get("class" if of_classes else zones.by, "zones")


_PASSES = {"gt": "rises", "ge": "rises to", "lt": "falls", "le": "falls to"}


def _passages(node: Aggregate, what: str) -> str:
    """Return how often a limit is crossed, or passed in one direction."""
    held = node.of
    if not isinstance(held, Compare) or held.operator not in _PASSES:
        return f"number of changes {'to' if node.statistic == 'onsets' else 'to or from'} {what}"
    if node.statistic == "crossings":
        return f"number of times that {phrase(held.of)} crosses {phrase(held.limit)}"
    return f"number of times that {phrase(held.of)} {_PASSES[held.operator]} {condition(held)}"


def _of_truths(node: Aggregate, what: str) -> str:
    if node.statistic in ("all", "any"):
        return f"{what} on {'every' if node.statistic == 'all' else 'any'} {node.over}"
    if node.statistic == "share" and isinstance(node.of, Cloud) and node.within is None:
        return _cloud(node.of, "cloud cover")
    if node.statistic in ("onsets", "crossings"):
        return _passages(node, what)
    if node.over == "zone" and isinstance(node.of, Compare) and isinstance(node.of.of, Aggregate):
        what = held_text(node.of)
    if node.over not in ("pixel", "all"):
        ground = _counted_ground(node.of)
        return f"{_word(node)} of {members_of(node)}{f' with {what}' if ground is None else ground}"
    parts = node.of.of if isinstance(node.of, And) else (node.of,)
    rest = [part for part in parts if not _is_of_all(part, node.by)]
    if len(rest) < len(parts):
        # Of all classes or polygons by themselves: the names follow anyway.
        grounds = (*rest, *((node.within,) if node.within is not None else ()))
        times = [time_text(part.when) for part in parts if isinstance(part, Place) and part.when != ALWAYS]
        within = f"within {' and '.join(map(phrase, grounds))}" if grounds else ""
        return " ".join(part for part in (_word(node), within, *times) if part)
    if isinstance(node.of, Place) and node.within is None:
        return f"{_word(node)} of {what}"
    if node.within is None and (measured := _measured_inside(node.of)) is not None:
        place, what = measured
        counted = "number of pixels" if node.statistic == "count" else node.statistic
        return f"{counted} of {_place(place)} with {what}"
    if node.statistic != "count" and _is_ground(node.of) and isinstance(node.within, Place | None):
        of = "the ground" if node.within is None else _place(node.within)
        return f"{node.statistic} of {of} that is {what}"
    if isinstance(node.of, Place) and isinstance(node.within, Place) and node.of.by == "feature":
        return f"{node.statistic} of {_place(node.within)} that lies in {what}"
    kind = "number of pixels" if node.statistic == "count" else f"{node.statistic} of the pixels"
    return f"{kind} with {what}" + (f" within {phrase(node.within)}" if node.within is not None else "")


def _measured_inside(condition: Node) -> tuple[Place, str] | None:
    """Return the named ground on which alone a variable is set against a limit, and the condition."""
    match condition:
        case Compare(Variable(where=Place(by="class" | "feature") as place) as variable):
            return place, phrase(replace(condition, of=replace(variable, where=None)))
    return None


def _is_ground(condition: Node) -> bool:
    """Return whether a mask is made of nothing but classes, and of what they are not."""
    if isinstance(condition, And | Or):
        return all(map(_is_ground, condition.of))
    if isinstance(condition, Not):
        return _is_ground(condition.of)
    if not isinstance(condition, Place) or condition.at is not None:
        return False
    return condition.by == "class" or noun_of_attribute(condition.attribute, "zone") == "class"


def _counted_ground(condition: Node) -> str | None:
    """Return of which ground zones are counted, empty of all; ``None`` where another condition tells."""
    match condition:
        case Compare(Aggregate("area", ground, by=Zones() as zones), "gt", Number(0.0)):
            return "" if _is_of_all(ground, zones) else f" of {phrase(ground)}"
    return None


def _is_of_all(node: Node, zones: Node | str | None) -> bool:
    """Return whether a ground is that of all zones by which it is told anyway."""
    if not isinstance(zones, Zones):
        return False
    if isinstance(node, Valid):
        return node.of == zones.of
    return isinstance(node, Place) and zones.by == node.by and len(node.names) != 1


def _of_numbers(node: Aggregate, what: str) -> str:
    word = _word(node)
    if node.over == "date" and (told := _of_dates(node)):
        return told
    # A point lies in one pixel, whose mean is its value.
    if node.statistic == "mean" and isinstance(node.of, Variable) and _is_point(node.of.where):
        return what
    if node.over == "pixel" and isinstance(node.of, Variable):
        weight = f", weighted by {phrase(node.weight)}" if node.weight is not None else ""
        return (f"{word} {what}" if node.statistic in _BEFORE_A_NAME else f"{word} of {what}") + weight
    if isinstance(node.of, Profile):
        return f"{word} of the {what}"
    article = "" if isinstance(node.of, Variable) else "the "
    return f"{word} over {_axis(node)} of {article}{what}"


_OF_ANY_DATE = {"min": "lowest", "max": "highest"}


def _of_dates(node: Aggregate) -> str:
    """Return a mean or extreme of the dates in few words; empty where they would not tell what it is.

    The mean of the dates' means is the mean, and an extreme is that of any date.
    """
    each = node.of
    if not isinstance(each, Aggregate) or each.over != "pixel":
        return ""
    if node.statistic == "mean" and (each.statistic == "mean" or isinstance(each.of, Cloud)):
        return f"{'' if each.statistic == 'mean' else 'mean '}{phrase(each)}"
    if node.statistic not in _OF_ANY_DATE or isinstance(node.by, Zones) or each.by is not None:
        return ""
    if (split := _apart_from_time(each)) is None:
        return ""
    bare, when = split
    return " ".join(
        part for part in (_OF_ANY_DATE[node.statistic], phrase(bare), "on any date", when) if part
    )


def _is_point(where: Node | None) -> bool:
    return isinstance(where, Place) and where.by == "point"


def _apart_from_time(node: Node) -> tuple[Node, str] | None:
    """Return an expression without the one time of all its variables, and that; ``None`` for several."""
    times = {part.when for part in node.walk() if isinstance(part, Variable | Cloud)}
    if len(times) != 1:
        return None
    bare = rewrite(node, (Variable, Cloud), lambda part: replace(part, when=ALWAYS))
    return bare, time_text(times.pop())


def without_groups(node: Node) -> str:
    """Return what a table tells of each of its rows, which are not named again."""
    by_period = any(isinstance(part, Aggregate) and isinstance(part.by, str) for part in node.walk())

    def change(part: Aggregate | Variable | Cloud) -> Node:
        if isinstance(part, Aggregate):
            return part if part.statistic in TRUTH_STATISTICS else replace(part, by=None)
        # The rows of a table of years name the years again that a question lists.
        listed = by_period and len(part.when.spans) > 1
        return replace(part, when=ALWAYS) if listed else part

    bare = rewrite(node, (Aggregate, Variable, Cloud), change)
    return phrase(bare).removesuffix(f" by {axis_of(node).replace('_', ' ')}")


def held_text(node: Compare) -> str:
    """Return what zones or dates have for which a condition holds: "a mean NDVI above 0.6"."""
    what = without_groups(node.of)
    return f"{'an' if what[0] in 'aeio' else 'a'} {what} {condition(node)}"


def _axis(node: Aggregate) -> str:
    """Return what a statistic is taken over: all pixels, the dates, the patches."""
    table = node.of
    if node.over == "zone" and isinstance(table, Aggregate) and isinstance(table.by, Zones):
        return f"the {MEMBERS.get(table.by.by, 'zones')}"
    noun = axis_of(table).replace("_", " ") if node.over == "period" else node.over
    return "all pixels" if node.over == "all" else f"the {noun}s"


def _word(node: Aggregate) -> str:
    if node.statistic == "percentile" and node.parameter is not None:
        return f"{ordinal(node.parameter)} percentile"
    if node.statistic == "trimmed_mean" and node.parameter is not None and node.parameter >= 1:
        return f"{node.parameter:g} % trimmed mean"
    return _STATISTICS.get(node.statistic, node.statistic.replace("_", " "))


def _compare(node: Compare) -> str:
    return f"{phrase(node.of)} {condition(node)}"


def condition(node: Compare) -> str:
    """Return what something is held against: "above 0.6"."""
    if (around := _around(node)) is not None:
        return around
    if node.upper is not None:
        return f"between {phrase(node.limit)} and {phrase(node.upper)}"
    article = "the " if isinstance(node.limit, Aggregate) else ""
    return f"{_OPERATORS[node.operator]} {article}{phrase(node.limit)}"


def _around(node: Compare) -> str | None:
    """Return a condition that lies as far below a level as above it: within 2 standard deviations of it."""
    match node.limit, node.upper:
        case Combine("difference", level, width), Combine("sum", other, same) if (level, width) == (
            other,
            same,
        ):
            inner, times = width, "one "
            if isinstance(width, Combine) and _is_multiple(width):
                inner, times = width.left, f"{phrase(width.right)} times the "
            if isinstance(inner, Aggregate):
                name = _STATISTICS.get(inner.statistic, inner.statistic)
                return f"within {times}{name} of the {phrase(level)}"
    return None


def _is_multiple(node: Node) -> bool:
    return isinstance(node, Combine) and node.how == "product" and isinstance(node.right, Number)


def _combine(node: Combine) -> str:
    return f"{_COMBINED[node.how]} {phrase(node.left)} and {phrase(node.right)}"


def _neither(node: And) -> str:
    """Return that ground is none of several classes; empty where a condition is of another kind."""
    classes = [part.of for part in node.of if isinstance(part, Not) and isinstance(part.of, Place)]
    if len(classes) < len(node.of):
        return ""
    names = [name for place in classes for name in (place.names or (_place(place),))]
    return f"neither {' nor '.join(names)}"


def _not(node: Not) -> str:
    if isinstance(node.of, Valid):
        return f"no value of {phrase(node.of.of)}"
    if isinstance(node.of, Aggregate) and node.of.statistic == "any" and isinstance(node.of.of, Cloud):
        return f"no {phrase(node.of.of)}"
    if isinstance(node.of, Or):
        return _neither(And(tuple(Not(part) for part in node.of.of))) or f"not {phrase(node.of)}"
    if isinstance(node.of, Place) and len(node.of.names) > 1:
        return _neither(And((node,)))
    return f"{'no' if isinstance(node.of, Aggregate) else 'not'} {phrase(node.of)}"


def _trend(node: Trend) -> str:
    what = {
        "slope": "slope of the trend",
        "relative": "trend",
        "p_value": "p of the trend",
        "significance": "significant trend",
        "r2": "R\u00b2 of the trend",
        "tau": "Kendall's tau of the trend",
        "pearson": "correlation with time",
        "spearman": "rank correlation with time",
    }
    if node.gives in ("pearson", "spearman"):
        return f"{what[node.gives]} of {phrase(node.of)}"
    return f"{what.get(node.gives, 'trend')} in {phrase(node.of)}"


_CORRELATED = {"pearson": "correlation", "spearman": "rank correlation", "r2": "R\u00b2", "slope": "slope"}


def _correlation(node: Correlation) -> str:
    word = _CORRELATED.get(node.gives, "correlation")
    between = "on" if node.gives == "slope" else "with"
    return f"{word} of {phrase(node.left)} {between} {phrase(node.right)}"


def counted_dates(node: Aggregate, count: float) -> str:
    """Return how many dates meet a condition, as a sentence; empty for any other count."""
    if node.statistic != "count" or node.over not in ("date", "period") or node.by is not None:
        return ""
    if not isinstance(node.of, Compare) or not isinstance(node.of.of, Aggregate):
        return ""
    measured, limit = phrase(node.of.of), condition(node.of)
    noun = axis_of(node.of).replace("_", " ") if node.over == "period" else "date"
    if node.of.of.statistic in _BEFORE_A_NAME and node.of.of.over == "pixel":
        number = f"{count:,.0f}" if count else "No"
        nouns, have = (noun, "has") if count in (0, 1) else (f"{noun}s", "have")
        return f"{number} {nouns} {have} a {measured} {limit}."
    nouns = noun if count == 1 else f"{noun}s"
    return f"{'On' if noun == 'date' else 'In'} {count:,.0f} {nouns} the {measured} is {limit}."


def axis_of(node: Node) -> str:
    """Return what a table has one value of each for: a date, a class, a polygon."""
    grouped = next((n.by for n in node.walk() if isinstance(n, Aggregate | Facts) and n.by is not None), None)
    return _zones(grouped) if isinstance(grouped, Zones) else grouped or "date"


def step_of(node: Steps) -> str:
    """Return from what to what steps lead: dates, years, months."""
    periods = (n.by for n in node.walk() if isinstance(n, Aggregate) and isinstance(n.by, str))
    return next(periods, "date").replace("_", " ")


def _majority(node: Majority) -> str:
    where = node.of.where if isinstance(node.of, Variable) else None
    return f"majority {ground_text(where)}" if where is not None else "majority"


def _which(node: Which) -> str:
    if node.top == 1:
        nth = "" if node.nth == 1 else f"{ordinal(node.nth)} "
        return f"the {axis_of(node.of)} of the {nth}{node.direction} {without_groups(node.of)}"
    # The number is 0 where all of them are put in order, and is left out then.
    those = f"the {node.top or ''} {plural(axis_of(node.of))}"
    return f"{those} of the {node.direction} {without_groups(node.of)}".replace("  ", " ")


def _dates(node: Dates) -> str:
    zones = any(isinstance(n, Aggregate) and isinstance(n.by, Zones) for n in node.of.walk())
    those = f"the {plural(axis_of(node.of))}" if zones and node.pick == "all" else _DATES[node.pick]
    return f"{those} with {phrase(node.of)}"


_DATES = {"all": "dates", "first": "the first date", "last": "the last date"}


def _facts(node: Facts) -> str:
    if node.about == "images":
        when = getattr(node.of, "when", node.of)
        told = f" {time_text(when)}" if isinstance(when, When) and when != ALWAYS else ""
        return f"number of images{told}" + (f" by {node.by.replace('_', ' ')}" if node.by else "")
    if node.about == "nearest_date" and isinstance(node.of, When):
        return f"date nearest to {node.of.spans[0].first}"
    return _FACTS.get(node.about, node.about.replace("_", " "))


_FACTS = {
    "ground_area": "area of the rasters that has data",
    "crs": "CRS",
    "first_date": "first date with an image",
    "last_date": "last date with an image",
}
_SEASONAL = {
    "change_points": "change points",
    "season_length": "length of the seasonal cycle",
    "spikes": "number of sudden rises",
    "autocorrelation": "autocorrelation",
    "decomposition": "decomposition",
}
_TRUE_COLOUR = ["red", "green", "blue"]


def _composite(node: Composite) -> str:
    variables = [band for band in node.bands if isinstance(band, Variable)]
    roles = [band.role for band in variables]
    what = "true colour" if roles == _TRUE_COLOUR else join_words([short_title(role) for role in roles])
    when = time_text(variables[0].when) if variables else ""
    return " ".join(part for part in (what, "image", when) if part)


_PHRASES: Mapping[type[Node], Callable[..., str]] = {
    Number: lambda node: f"{node.value:g}{unit_suffix(node.unit)}",
    Variable: _variable,
    Cloud: lambda node: _cloud(node, "cloud"),
    Place: _place,
    Aggregate: _aggregate,
    Compare: _compare,
    And: lambda node: _neither(node) or join_words([phrase(part) for part in node.of]),
    Or: lambda node: " or ".join(phrase(part) for part in node.of),
    Valid: lambda node: f"a value of {phrase(node.of)}",
    Not: _not,
    Combine: _combine,
    Steps: lambda node: (
        f"{'absolute ' if node.how == 'absolute_difference' else ''}changes of {phrase(node.of)} "
        f"from one {step_of(node)} to the next"
    ),
    Anomaly: lambda node: (
        f"{'z-score' if node.how == 'z_score' else 'anomaly'} of {phrase(node.of)} "
        f"against {phrase(node.base)}"
    ),
    Trend: _trend,
    Correlation: _correlation,
    Seasonal: lambda node: f"{_SEASONAL[node.gives]} of {phrase(node.of)}",
    Phenology: lambda node: (
        f"{node.gives} of the growing season of {phrase(node.of)}{'' if node.by is None else ' by year'}"
    ),
    Classified: lambda node: "classes by " + ", ".join(phrase(part) for part in node.of),
    Hotspots: lambda node: f"{node.side} spots of {phrase(node.of)}",
    # Its unit and its decimals the number shows itself, and a map or table what it is.
    Convert: lambda node: phrase(node.of),
    Distance: lambda node: (
        f"distance {f'from {phrase(node.of)} ' if node.of is not None else ''}to {phrase(node.to)}"
    ),
    Profile: lambda node: f"{phrase(node.of)} along the line from {_point(node.start)} to {_point(node.end)}",
    Rounded: lambda node: phrase(node.of),
    Show: lambda node: phrase(node.of),
    Majority: _majority,
    Centroid: lambda node: f"the centre of {phrase(node.of)}",
    Which: _which,
    Dates: _dates,
    Facts: _facts,
    Composite: _composite,
}
