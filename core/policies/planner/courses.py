"""Facts of a series: trends, seasons, breaks, growing seasons, and how two things go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from treeline.core.policies.planner.figures import join_words, plain
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.measures import limit_in
from treeline.core.policies.planner.phrases import phrase
from treeline.core.policies.planner.plan import CannotAnswer, Result, Steps
from treeline.core.policies.planner.times import group, moment_of
from treeline.core.policies.planner.values import (
    Mark,
    Numbers,
    Rasters,
    Scale,
    Selection,
    Text,
    Value,
    common_scales,
    match_items,
    number,
    spread,
)
from treeline.core.policies.planner.work import Work, computes, describe
from treeline.core.query.canonical import both
from treeline.core.query.expression import (
    Aggregate,
    Combine,
    Correlation,
    Node,
    Phenology,
    Place,
    Seasonal,
    Trend,
    Zones,
)
from treeline.core.query.kinds import kind_of
from treeline.core.query.slots import Leaf, rebuild
from treeline.core.query.titles import short_title
from treeline.toolkit.series import decimal_year
from treeline.toolkit.units import slope_unit

# Two values lie on a line whatever they are.
_FEWEST = 3
_AMPLITUDE = "The amplitude is the peak less the mean of the lowest value before and the lowest after it."
_PER_YEAR = {"year": 1.0, "decade": 0.1, "month": 12.0}


def _course(work: Work, node: Node) -> Steps[tuple[Numbers, Scale]]:
    """Return numbers over dates or periods, and that axis."""
    value = yield from work.value(node)
    if not isinstance(value, Numbers) or len(value.scales) != 1 or value.scales[0].axis == "zone":
        raise CannotAnswer(f"{describe(value)} has no course over time.")
    known = sum(v is not None for v in value.values)
    if known < _FEWEST:
        raise CannotAnswer(
            f"A course needs at least three values; there are {known}.", " ".join(work.emptied)
        )
    return value, value.scales[0]


# --- Trends ---------------------------------------------------------------------------------------


@computes(Trend)
def trend(work: Work, node: Trend) -> Steps[Value]:
    """Return a fact of a trend: its slope, its significance, its direction, its fit."""
    value = yield from work.value(node.of)
    if isinstance(value, Rasters):
        return (yield from _trend_map(work, node, value))
    if isinstance(value, Numbers) and len(value.scales) == 2 and value.has("zone"):
        return (yield from _trend_of_each(work, node, value))
    course, scale = yield from _course(work, node.of)
    if node.gives == "relative":
        return (yield from _relative_trend(work, node, scale))
    if node.gives in ("significance", "direction"):
        return (yield from _significance(work, node, course, _times(scale, node.per)))
    found, p = yield from _fact_of_trend(work, node, course, scale)
    if p is not None:
        by_chance = p >= node.level
        if by_chance:
            work.chances[node] = p
        told = "Not significant" if by_chance else "Significant"
        work.plan.remark(f"{told} at {plain(100 * node.level, '%')}: p = {p:.2g}.")
    return found


def _relative_trend(work: Work, node: Trend, scale: Scale) -> Steps[Value]:
    """Return the slope of a trend in per cent of the mean of its values."""
    slope = replace(node, gives="slope")
    axis: Literal["date", "period"] = "date" if scale.axis == "date" else "period"
    share = yield from work.numbers(Combine("ratio", slope, Aggregate("mean", node.of, axis)))
    result = yield from work.plan.call("multiply", "In per cent of the mean.", a=share.single, b=100)
    return Numbers((), (result.number,), f"%/{node.per}")


def _trend_of_each(work: Work, node: Trend, value: Numbers) -> Steps[Value]:
    """Return a fact of the trend of each class or region; says which of them chance explains."""
    if node.gives in ("significance", "direction"):
        raise CannotAnswer("Whether a trend is significant is told of one class or region at a time.")
    axis = next(scale.axis for scale in value.scales if scale.axis != "zone")
    zones, rows = value.rows(axis)
    facts: list[Numbers] = []
    by_chance = []
    for label, row in zip(zones[0].labels, rows, strict=True):
        known = [(mark, v) for mark, v in zip(value.scale(axis).marks, row, strict=True) if v is not None]
        if len(known) < _FEWEST:
            facts.append(number(None, ""))
            continue
        scale = Scale(axis, tuple(mark for mark, _ in known))
        course = Numbers((scale,), tuple(v for _, v in known), value.unit)
        found, p = yield from _fact_of_trend(work, node, course, scale)
        facts.append(found)
        if p is not None and p >= node.level:
            by_chance.append(f"{label} (p = {p:.2g})")
    if by_chance:
        level = plain(100 * node.level, "%")
        work.plan.remark(f"Not significant at {level}: {join_words(by_chance)}.")
    unit = next((fact.unit for fact in facts if fact.unit), "")
    return Numbers(zones, tuple(fact.single for fact in facts), unit)


def _fact_of_trend(
    work: Work, node: Trend, course: Numbers, scale: Scale
) -> Steps[tuple[Numbers, float | None]]:
    """Return a number of the trend of a course, and of a slope that is tested its p-value.

    What Theil and Sen take for the slope is tested by ranks, where Mann and Kendall are asked for.
    """
    times = _times(scale, node.per)
    # A test that names no method is one of ranks, which asks for no straight line.
    method = node.method or ("mann_kendall" if node.gives == "p_value" else "linear")
    if node.gives == "tau" or node.gives == "p_value" and method != "linear":
        test = yield from _test(work, course)
        return number(_entry(test, "tau" if node.gives == "tau" else "p"), "1"), None
    if node.gives in ("pearson", "spearman"):
        return (yield from _correlation_with_time(work, node, course, scale)), None
    if method == "linear":
        line = yield from _line(work, course, times)
        key = {"slope": "slope", "p_value": "p", "r2": "r2"}[node.gives]
        p = _entry(line, "p") if node.gives == "slope" else None
        return number(_entry(line, key), _unit(node, course.unit)), p
    if node.gives == "r2":
        raise CannotAnswer("R\u00b2 is of a straight line by least squares, not of a rank method.")
    found = yield from work.plan.call(
        "sens_slope",
        "The median of the slopes between any two.",
        x=course.argument,
        **({"times": times} if times is not None else {}),
    )
    p = _entry((yield from _test(work, course)), "p") if method == "mann_kendall" else None
    return number(_entry(found, "slope"), _unit(node, course.unit)), p


def _correlation_with_time(work: Work, node: Trend, course: Numbers, scale: Scale) -> Steps[Numbers]:
    """Return how a course goes together with its dates, or with the beginnings of its periods."""
    moments = _times(scale, "year")
    ranks = {"ranks": True} if node.gives == "spearman" else {}
    found = yield from work.plan.call(
        "correlation", "How they go with time.", x=moments, y=course.argument, **ranks
    )
    if (p := _entry(found, "p")) is not None:
        work.plan.remark(f"p = {p:.3g} under no correlation, over {len(scale)} {scale.axis}s.")
    return number(_entry(found, "r"), "1")


def _unit(node: Trend, unit: str) -> str:
    return slope_unit(unit, node.per) if node.gives == "slope" else "1"


def _times(scale: Scale, per: str) -> list[object] | None:
    """Return the times of a course so that a slope is per the unit of time asked for; none for steps."""
    dates = [moment_of(mark) for mark in scale.marks]
    if per == "step":
        return None
    if any(date is None for date in dates):
        raise CannotAnswer(f"A slope per {per} needs dates; {scale.labels[0]} has none.", "Ask per step.")
    known = [date for date in dates if date is not None]
    if per == "day":
        return [(date.date() - known[0].date()).days for date in known]
    # Years are a year apart each, also where one of them has a day more.
    if all(label.isdigit() and len(label) == 4 for label in scale.labels):
        return [_PER_YEAR[per] * date.year for date in known]
    if per == "year":
        return [f"{date:%Y-%m-%d}" for date in known]
    return [_PER_YEAR[per] * decimal_year(date) for date in known]


def _line(work: Work, course: Numbers, times: list[object] | None) -> Steps[Result]:
    more = {} if times is None else {"x": times}
    return (
        yield from work.plan.call(
            "compute_linear_trend", "A straight line through them.", y=course.argument, **more
        )
    )


def _test(work: Work, course: Numbers) -> Steps[Result]:
    return (
        yield from work.plan.call(
            "mann_kendall_test", "Is there a monotonic trend at all?", x=course.argument
        )
    )


def _significance(work: Work, node: Trend, course: Numbers, times: list[object] | None) -> Steps[Value]:
    by_line = node.method == "linear"
    test = yield from (_line(work, course, times) if by_line else _test(work, course))
    p = _entry(test, "p")
    slope = _entry(test, "slope")
    if p is None or slope is None:
        raise CannotAnswer("The values do not allow a test.", "More dates would.")
    name = "of the straight line" if by_line else "by Mann-Kendall"
    direction = "upward" if slope > 0 else "downward" if slope < 0 else "flat"
    significant = p < node.level
    tau = _entry(test, "tau")
    more = f", tau = {tau:.3f}" if tau is not None else ""
    level = plain(100 * node.level, "%")
    if node.gives == "direction":
        text = (
            f"The trend is {direction}"
            if significant
            else f"There is no significant trend (it leans {direction})"
        )
        return Text(f"{text} {name} at {level}: p = {p:.4g}{more}.", p, "1", verdict=text)
    verdict = f"Yes, there is a significant {direction}" if significant else "No, there is no significant"
    text = f"{verdict} trend {name} at {level}: p = {p:.4g}{more}."
    return Text(text, p, "1", verdict=verdict)


def _entry(result: Result, name: str) -> float | None:
    value = (result.table or _of_reference(result.value)).get(name)
    return float(value) if isinstance(value, int | float) else None


def _of_reference(value: object) -> dict[str, object]:
    """Return by name what the reference's forms of the tools give as a list."""
    match value:
        case [str(trend), p, z, tau]:
            return {"trend": trend, "p": p, "z": z, "tau": tau}
        case [slope, list()]:
            return {"slope": slope}
        case [slope, intercept]:
            return {"slope": slope, "intercept": intercept}
    return {}


def _trend_map(work: Work, node: Trend, value: Rasters) -> Steps[Value]:
    """Return the trend of each pixel: a band of a raster of slopes and their certainty."""
    if value.axis is None or len(value.items) < _FEWEST:
        raise CannotAnswer(f"A trend needs at least three dates; there are {len(value.items)}.")
    times = _times(value.scales[0], node.per)
    tested = node.gives in ("p_value", "significance", "direction")
    linear = node.method == "linear" or (node.method == "" and not tested)
    tool = "calculate_linear_trend_map" if linear else "calculate_trend_map"
    bands = {"slope": 1, "p_value": 2, "r2": 3} if linear else {"slope": 1, "p_value": 4}
    gives = "p_value" if node.gives in ("significance", "direction") else node.gives
    if gives in ("tau", "pearson", "spearman"):
        raise CannotAnswer("A correlation with time is of one series here, such as that of the mean.")
    if gives not in bands:
        raise CannotAnswer("R\u00b2 is of a straight line by least squares, not of a rank method.")
    output = work.plan.name(f"{value.layer.role}_trend", value.items[0].label, value.items[-1].label)
    yield from work.plan.call(
        tool,
        f"The trend of {short_title(value.layer.role)} at each pixel.",
        file_list=value.layer.argument,
        output_path=output,
        dates=times if times is not None else list(range(len(value.items))),
    )
    label = f"{value.items[0].label} to {value.items[-1].label}"
    address = output if bands[gives] == 1 else f"{output}#{bands[gives]}"
    role = "trend_slope" if gives == "slope" else "trend_p"
    found = Rasters(Layer(role, (Item(address, None, label),), _unit(node, value.unit)))
    if node.gives != "significance":
        return found
    mask = work.plan.name("mask_significant", label)
    yield from work.plan.call(
        "calculate_batch_formula",
        "Where the trend is significant.",
        formula=f"x0 < {node.level!r}",
        rasters={"x0": [address]},
        output_paths=[mask],
    )
    return found.at([mask], "mask", "class", truth=True)


# --- Seasons and breaks ---------------------------------------------------------------------------


@computes(Seasonal)
def seasonal(work: Work, node: Seasonal) -> Steps[Value]:
    """Return a fact of the course of a series."""
    course, scale = yield from _course(work, node.of)
    return (yield from _SEASONAL[node.gives](work, course, scale))


def _breaks(work: Work, course: Numbers, scale: Scale) -> Steps[Value]:
    result = yield from work.plan.call(
        "detect_change_points", "Where does the level change?", signal=course.argument, penalty=None
    )
    positions = [int(n) for n in result.numbers if n is not None and 0 < n < len(scale)]
    return Selection(scale.axis, tuple(scale.marks[n] for n in positions), alone=False)


def _season_length(work: Work, course: Numbers, scale: Scale) -> Steps[Value]:
    result = yield from work.plan.call("detect_seasonality_acf", "Do they repeat?", values=course.argument)
    if result.number is None:
        return Text(f"The series shows no season: {result.value}.")
    work.plan.remark("Counted in images, which need not be evenly spaced.")
    return number(result.number, f"{scale.axis}s")


def _spikes(work: Work, course: Numbers, scale: Scale) -> Steps[Value]:
    result = yield from work.plan.call(
        "count_spikes_from_values", "Count the sudden rises.", values=course.argument
    )
    work.plan.remark("A sudden rise is one of more than 0.1 from one to the next.")
    return number(result.number, "")


def _autocorrelation(work: Work, course: Numbers, scale: Scale) -> Steps[Value]:
    result = yield from work.plan.call(
        "autocorrelation_function", "How alike neighbours are.", x=course.argument, nlags=1
    )
    work.plan.remark("From each to the next, as if they were evenly spaced.")
    return number(result.numbers[-1], "1")


def _decomposition(work: Work, course: Numbers, scale: Scale) -> Steps[Value]:
    length = yield from work.plan.call(
        "detect_seasonality_acf", "How long is a season?", values=course.argument
    )
    if length.number is None:
        raise CannotAnswer("The series shows no season, so it cannot be taken apart.")
    result = yield from work.plan.call(
        "stl_decompose", "Trend, season and rest.", x=course.argument, period=int(length.number)
    )
    season, rising = _entry(result, "seasonal_strength"), _entry(result, "trend_strength")
    text = (
        f"A season lasts {length.number:g} {scale.axis}s; its strength is {plain(season)}, that of the trend "
        f"{plain(rising)} (0 to 1)."
    )
    return Text(text, season, "1")


_SEASONAL: Mapping[str, Callable[[Work, Numbers, Scale], Steps[Value]]] = {
    "change_points": _breaks,
    "season_length": _season_length,
    "spikes": _spikes,
    "autocorrelation": _autocorrelation,
    "decomposition": _decomposition,
}


@computes(Phenology)
def phenology(work: Work, node: Phenology) -> Steps[Value]:
    """Return start, end, length or peak of the growing season of a series, or of each of its years."""
    course, scale = yield from _course(work, node.of)
    if any(mark.date is None for mark in scale.marks):
        raise CannotAnswer("A growing season needs the dates of the values.")
    limit = None
    if node.limit is not None:
        limit = limit_in((yield from work.numbers(node.limit)), course.unit)
    if node.by is not None:
        return (yield from _season_of_each(work, node, course, limit))
    years = {mark.date.year for mark in scale.marks if mark.date}
    if len(years) > 1:
        work.plan.remark(f"Taken from the first to the last such date of {min(years)} to {max(years)}.")
    result = yield from _season(work, course, limit)
    bound = _entry(result, "limit")
    start, end = result.table.get("start"), result.table.get("end")
    seen = f"At or above {plain(bound, course.unit)} from {start} to {end}, by the dates of images."
    work.plan.remark(_AMPLITUDE if node.gives == "amplitude" else seen)
    if cut := _cut(node, course, str(start), str(end)):
        work.plan.remark(f"The images {cut} within the season, so that not all of it is seen.")
    if not node.is_date:
        return number(_entry(result, node.gives), _unit_of(node, course))
    day = str(result.table.get(node.gives))
    mark = next(m for m in scale.marks if _day(m) == day)
    return Selection(scale.axis, (mark,), (course.values[scale.marks.index(mark)],), course.unit)


def _season(work: Work, course: Numbers, limit: float | None) -> Steps[Result]:
    """Return what is known of the season of a course."""
    arguments: dict[str, object] = {} if limit is None else {"limit": limit}
    dates = [_day(mark) for mark in course.scales[0].marks]
    return (
        yield from work.plan.call(
            "growing_season", "When it is above the limit.", values=course.argument, dates=dates, **arguments
        )
    )


def _day(mark: Mark) -> str:
    return f"{mark.date:%Y-%m-%d}" if mark.date else ""


def _season_of_each(work: Work, node: Phenology, course: Numbers, limit: float | None) -> Steps[Numbers]:
    """Return a fact of the season of each year; none where the images of the year begin or end within it."""
    scale = course.scales[0]
    marks: list[Mark] = []
    facts: list[float | None] = []
    for year, members in group(scale.marks, "year"):
        inside = [n for n in members if course.values[n] is not None]
        marks.append(year)
        facts.append(None)
        if len(inside) < _FEWEST:
            work.plan.remark(f"{year.label} is left out: it has {len(inside)} values.")
            continue
        values = tuple(course.values[n] for n in inside)
        if limit is not None and max(v for v in values if v is not None) < limit:
            work.plan.remark(f"{year.label} is left out: it stays below {plain(limit, course.unit)}.")
            continue
        of_year = Numbers((Scale(scale.axis, tuple(scale.marks[n] for n in inside)),), values, course.unit)
        result = yield from _season(work, of_year, limit)
        start, end = str(result.table.get("start")), str(result.table.get("end"))
        if cut := _cut(node, of_year, start, end):
            work.plan.remark(f"{year.label} is left out: its images {cut} within its season.")
            continue
        bound = plain(_entry(result, "limit"), course.unit)
        seen = f"{year.label}: at or above {bound} from {start} to {end}."
        work.plan.remark(_AMPLITUDE if node.gives == "amplitude" else seen)
        facts[-1] = _entry(result, f"{node.gives}_day" if node.is_date else node.gives)
    return Numbers((Scale("period", tuple(marks)),), tuple(facts), _unit_of(node, course))


def _unit_of(node: Phenology, course: Numbers) -> str:
    """Return the unit of a fact of a season; none of a date."""
    return {"length": "days", "amplitude": course.unit}.get(node.gives, "")


def _cut(node: Phenology, course: Numbers, start: str, end: str) -> str:
    """Return at which ends that are asked of the images do not show the season's own: begin, end."""
    days = [_day(m) for m, v in zip(course.scales[0].marks, course.values, strict=True) if v is not None]
    ends = {"begin": ("start", start == days[0]), "end": ("end", end == days[-1])}
    return " and ".join(word for word, (side, cut) in ends.items() if cut and side in _SIDES[node.gives])


# Which ends of a season must be seen for a fact of it to be known.
_SIDES: Mapping[str, tuple[str, ...]] = {
    "start": ("start",),
    "end": ("end",),
    "length": ("start", "end"),
    "amplitude": ("start", "end"),
    "peak": ("start", "end"),
}


# --- Two things -----------------------------------------------------------------------------------


@computes(Correlation)
def correlation(work: Work, node: Correlation) -> Steps[Value]:
    """Return how two things go together."""
    if node.by is not None:
        return (yield from _of_each_zone(work, node, node.by))
    left = yield from work.value(node.left)
    right = yield from work.value(node.right)
    if isinstance(left, Rasters) and isinstance(right, Rasters):
        return (yield from _of_pixels(work, node, left, right))
    if not isinstance(left, Numbers) or not isinstance(right, Numbers):
        raise CannotAnswer(f"{describe(left)} cannot be correlated with {describe(right)}.")
    scales = common_scales([left, right])
    if len(scales) != 1:
        raise CannotAnswer("Only two series or two tables can be correlated.")
    one, other = spread(left, scales), spread(right, scales)
    if node.gives in ("slope", "r2"):
        result = yield from work.plan.call(
            "compute_linear_trend", "The line of one on the other.", y=one, x=other
        )
        return number(_entry(result, node.gives), kind_of(node).unit)
    if node.gives == "scatter":
        raise CannotAnswer("A scatter plot is not drawn here.", "Ask for the correlation.")
    ranks = {"ranks": True} if node.gives == "spearman" else {}
    result = yield from work.plan.call("correlation", "How they go together.", x=one, y=other, **ranks)
    p = _entry(result, "p")
    work.plan.remark(
        f"p = {p:.3g} under no correlation, over {len(scales[0])} {scales[0].axis}s." if p is not None else ""
    )
    return number(_entry(result, "r"), "1")


def _of_each_zone(work: Work, node: Correlation, zones: Zones) -> Steps[Value]:
    """Return how two things go together in each zone by itself; not in one with too few pixels."""
    names = zones.names or work.grounds.zone_names(zones)
    found: list[float | None] = []
    problem: CannotAnswer | None = None
    for name in names:
        ground = Place(zones.by, (name,), zones.source, zones.attribute)  # type: ignore[arg-type]

        def within(leaf: Leaf, ground: Place = ground) -> Leaf:
            return replace(leaf, where=ground if leaf.where is None else both(leaf.where, ground))

        placed = replace(node, by=None, left=rebuild(node.left, within), right=rebuild(node.right, within))
        try:
            value = yield from work.value(placed)
        except CannotAnswer as error:
            found.append(None)
            problem = error
            work.plan.remark(f"Not known of {name}: {error}")
        else:
            found.append(value.single if isinstance(value, Numbers) else None)
    if problem is not None and all(each is None for each in found):
        raise problem
    return Numbers((Scale("zone", tuple(map(Mark, names))),), tuple(found), kind_of(node).unit)


def _scatter(work: Work, node: Correlation, one: list[str], other: list[str]) -> Steps[Value]:
    if len(one) != 1:
        raise CannotAnswer(f"A scatter plot is of one date; there are {len(one)}.", "Name one.")
    name = work.plan.name("scatter", suffix=".png")
    result = yield from work.plan.call(
        "draw_scatter", "Pixel against pixel.", path1=one[0], path2=other[0], save_name=name
    )
    pixels = _entry(result, "pixels")
    what = f"{phrase(node.left)} against {phrase(node.right)}"
    return Text(f"The scatter plot of {what} is {name}, of {plain(pixels)} pixels.", product=name)


def _of_pixels(work: Work, node: Correlation, left: Rasters, right: Rasters) -> Steps[Value]:
    scales = common_scales([left, right])
    one = [item.address for item in match_items(left, scales)]
    other = [item.address for item in match_items(right, scales)]
    if node.gives == "scatter":
        return (yield from _scatter(work, node, one, other))
    ranks = {"ranks": True} if node.gives == "spearman" else {}
    # The slope is that of the first on the second: the second is x.
    result = yield from work.plan.call(
        "raster_correlation",
        "How they go together, pixel by pixel.",
        path1=other if len(other) > 1 else other[0],
        path2=one if len(one) > 1 else one[0],
        **ranks,
    )
    key = {"pearson": "r", "spearman": "r", "slope": "slope", "r2": "r_squared"}[node.gives]
    pixels = _entry(result, "pixels")
    work.plan.remark(f"Over {plain(pixels)} pixels.")
    return number(_entry(result, key), kind_of(node).unit)
