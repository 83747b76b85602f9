"""From the value of an expression to the answer: sentence, number, product, plausible range."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from treeline.core.policies.planner.figures import join_words, ordinal, plain
from treeline.core.policies.planner.measures import is_difference
from treeline.core.policies.planner.movements import (
    change_in_time,
    extreme_of_steps,
    largest_step,
    most_changed,
)
from treeline.core.policies.planner.phrases import axis_of, counted_dates, phrase, without_groups
from treeline.core.policies.planner.plan import CannotAnswer, NoPixel
from treeline.core.policies.planner.sides import held_by_each, in_course_of_time, second_side
from treeline.core.policies.planner.values import (
    Bundle,
    Numbers,
    Rasters,
    Selection,
    Text,
    Value,
    as_numbers,
)
from treeline.core.policies.planner.work import Work
from treeline.core.query.expression import (
    Aggregate,
    Combine,
    Compare,
    Composite,
    Convert,
    Dates,
    Node,
    Not,
    Number,
    Phenology,
    Rounded,
    Several,
    Show,
    Trend,
    Variable,
    Which,
)
from treeline.core.query.titles import short_title
from treeline.core.query.words import plural
from treeline.toolkit.errors import InputError
from treeline.toolkit.units import POINTS, convert
from treeline.toolkit.variables import variable

# Of a longer table the first rows are told.
_MOST_ROWS = 40
# A longer table is told from its lowest to its highest value first.
_MOST_TOLD = 12
# What these give of a variable is a value that the variable can have itself.
_KEEPING = frozenset({"mean", "median", "min", "max", "percentile", "trimmed_mean"})


@dataclass(frozen=True, slots=True)
class Finding:
    """What an answer says.

    Attributes
    ----------
    value, unit : float and str
        The number that was asked for, if it is one.
    labels : tuple of str
        The dates or names that were asked for.
    truth : bool, optional
        Of a claim.
    product : str
        The raster that shows what was asked for.
    numbers : tuple of float
        Further numbers that an option may name: both sides of a comparison, the rows of a table.
    parts : tuple of Finding
        One by one, where several things were asked for at once.
    verdict : str
        Of a test, what it comes to.
    """

    text: str
    value: float | None = None
    unit: str = ""
    labels: tuple[str, ...] = ()
    truth: bool | None = None
    product: str = ""
    numbers: tuple[float, ...] = ()
    parts: tuple[Finding, ...] = ()
    verdict: str = ""


def finding_of(work: Work, node: Node, value: Value) -> Finding:
    """Return what the value of an expression says.

    Raises
    ------
    CannotAnswer
        There is no value, or one that its variable cannot have.
    """
    check_plausible(node, value)
    if isinstance(value, Numbers | Selection):
        value = replace(value, unit=_unit_told(node, value.unit))
    found = _FINDINGS[type(value)](work, node, value)
    named = work.plan.as_named
    return replace(found, text=named(found.text), product=named(found.product))


def _unit_told(node: Node, unit: str) -> str:
    """Return the unit that a value is told in: two shares lie percentage points apart, not per cent."""
    core = _core(node)
    core = core.of if isinstance(core, Which) else core
    relative = any(getattr(part, "how", "") in ("percent", "percent_change") for part in core.walk())
    return POINTS if unit == "%" and is_difference(core) and not relative else unit


def _of_numbers(work: Work, node: Node, value: Numbers) -> Finding:
    if value.scales:
        return _of_table(work, node, value)
    if value.single is None:
        raise NoPixel(f"There is no {phrase(node)}: no pixel or date is valid.", _where_they_went(work))
    if value.truth:
        return _of_claim(work, node, bool(value.single))
    core = _core(node)
    amount = plain(value.single, value.unit, value.places)
    text = f"{_the(phrase(_of_one_image(work, node)))} is {amount}{_over_dates(work, core)}."
    if isinstance(core, Combine):
        return _of_change(work, core, value)
    if isinstance(core, Aggregate):
        text = (
            counted_dates(core, value.single)
            or extreme_of_steps(work, core, value.single, value.unit)
            or text
        )
    return Finding(text, round_value(value.single, value.places), value.unit)


def _over_dates(work: Work, node: Node) -> str:
    """Return of how many dates a value is the mean."""
    if not isinstance(node, Aggregate) or (node.statistic, node.over) != ("mean", "date"):
        return ""
    each = work.known_value(node.of)
    count = sum(v is not None for v in each.values) if isinstance(each, Numbers) else 0
    return f", the mean of {count} dates" if count > 1 else ""


def _the(what: str) -> str:
    """Return a name with its article; "Moran's I" takes none."""
    return what if what.split()[0].endswith("'s") else f"The {what}"


def _where_they_went(work: Work) -> str:
    """Return what the steps said of rasters without a valid pixel."""
    warnings = (w for o in work.plan.observations for w in o.warnings if w.startswith("No pixel of "))
    return " ".join(work.emptied or dict.fromkeys(w.replace(", so it gives no number", "") for w in warnings))


def round_value(value: float, places: int) -> float:
    """Return a value at the decimals that are asked for; as it is where none are."""
    return value if places < 0 else round(value, places)


def _core(node: Node) -> Node:
    while isinstance(node, Convert | Rounded | Show):
        node = node.of
    return node


def _of_one_image(work: Work, node: Node) -> Node:
    """Return an expression as it is told: of a single image no statistic over the dates."""
    core = _core(node)
    if not isinstance(core, Aggregate) or core.over != "date" or core.by or core.statistic not in _KEEPING:
        return node
    each = work.known_value(core.of)
    return core.of if isinstance(each, Numbers) and len(each.values) == 1 else node


def _of_change(work: Work, node: Combine, value: Numbers) -> Finding:
    known = (work.known_value(node.left), work.known_value(node.right))
    left, right = (as_numbers(side) if side is not None else None for side in known)
    text = f"{_the(phrase(node))} is {plain(value.single, value.unit, value.places)}."
    numbers: tuple[float, ...] = ()
    if isinstance(left, Numbers) and isinstance(right, Numbers) and not left.scales and not right.scales:
        numbers = tuple(v.single for v in (left, right) if v.single is not None)
        sides = (plain(left.single, left.unit), plain(right.single, right.unit))
        if node.how in ("difference", "percent_change"):
            text = _tell_change(node, value, sides)
        elif node.how == "ratio":
            times = f"{plain(value.single, value.unit, value.places)} times"
            text = f"The {phrase(node.left)} is {times} {second_side(node.left, node.right)}"
            text += f": {sides[0]} against {sides[1]}."
        else:
            text = f"{text[:-1]}: {sides[0]} against {sides[1]}."
    return Finding(text, value.single, value.unit, numbers=numbers)


def _tell_change(node: Combine, value: Numbers, sides: tuple[str, str]) -> str:
    """Return a signed difference in words: that something rose or fell, or is higher than another."""
    apart = value.single or 0.0
    amount = plain(abs(apart), value.unit, value.places)
    course = in_course_of_time(node.left, node.right)
    if course is not None:
        what, then, later = course
        if not apart:
            return f"The {what} is the same {then} and {later}: {sides[0]}."
        moved = "rose" if apart > 0 else "fell"
        return f"The {what} {moved} by {amount}, from {sides[1]} {then} to {sides[0]} {later}."
    left, right = phrase(node.left), second_side(node.left, node.right)
    if not apart:
        return f"The {left} is the same as {right}: {sides[0]}."
    word = "higher" if apart > 0 else "lower"
    return f"The {left} is {amount} {word} than {right}: {sides[0]} against {sides[1]}."


def _of_claim(work: Work, node: Node, holds: bool) -> Finding:
    core = _core(node)
    # A slope that chance gives as well shows no trend, whatever its sign.
    shown = not (isinstance(core, Compare) and core.of in work.chances)
    text = ("Yes" if shown else "Not shown") if holds else "No"
    slope = core.of if isinstance(core, Compare) else None
    if holds and isinstance(slope, Trend) and slope.method == "theil_sen":
        work.plan.remark("That is by the sign of the slope; whether it is significant was not tested.")
    holds = holds and shown
    asked = core.of if isinstance(core, Not) else core
    sides = work.sides.get(asked, ())
    share = work.shares.get(asked)
    if share is not None:
        where = f"{plain(share, '%')} of the pixels have {phrase(_inner(asked))}"
        return Finding(f"{text}: {where}.", truth=holds, numbers=(share,))
    if not isinstance(asked, Compare) or not sides:
        return Finding(f"{text}{_where_it_holds(work, asked)}.", truth=holds)
    parts = zip((asked.of, asked.limit, asked.upper), sides, strict=False)
    measured = [(part, side) for part, side in parts if part is not None and not isinstance(part, Number)]
    told = [
        f"the {phrase(_of_one_image(work, part))} is {plain(side.single, side.unit)}"
        for part, side in measured
    ]
    if "cloudy" in asked.assumed:
        work.plan.remark("Cloudy is taken for more than half of the pixels under cloud.")
    apart = work.apart.get(asked)
    if apart is not None:
        change = Combine("difference", asked.of, asked.limit)
        apart = replace(apart, unit=_unit_told(change, apart.unit))
        left, right = (plain(side.single, side.unit) for side in sides[:2])
        told = [_tell_change(change, apart, (left, right)).removeprefix("The ").removesuffix(".")]
        told = [f"the {told[0]}"]
    # Of two measured sides neither is the number of the answer; how far they lie apart is.
    carrying = apart or (measured[0][1] if len(measured) == 1 else None)
    value, unit = (carrying.single, carrying.unit) if carrying is not None else (None, "")
    numbers = tuple(side.single for side in sides if side.single is not None)
    return Finding(f"{text}: {'; '.join(told)}.", value, unit, truth=holds, numbers=numbers)


def _where_it_holds(work: Work, node: Node) -> str:
    """Return on how many dates or zones something holds that was asked of all or any, and the exceptions."""
    each = (
        work.known_value(node.of)
        if isinstance(node, Aggregate) and node.statistic in ("all", "any")
        else None
    )
    if not isinstance(node, Aggregate) or not isinstance(each, Numbers) or len(each.scales) != 1:
        return ""
    found = [
        (label, bool(holds))
        for label, holds in zip(each.scales[0].labels, each.values, strict=True)
        if holds is not None
    ]
    rest = [label for label, holds in found if holds == (node.statistic == "any")]
    listed = (
        f" ({'not ' * (node.statistic == 'all')}{', '.join(rest)})" if 0 < len(rest) <= _MOST_LISTED else ""
    )
    count, noun = sum(holds for _, holds in found), str(each.scales[0].axis)
    if noun == "period":
        periods = (p.by for p in node.walk() if isinstance(p, Aggregate) and isinstance(p.by, str))
        noun = next(periods, "period").replace("_", " ")
    place = "on" if noun == "date" else "in"
    return f": {held_by_each(_inner(node))} holds {place} {count} of {len(found)} {noun}s{listed}"


_MOST_LISTED = 5


def _of_table(work: Work, node: Node, value: Numbers) -> Finding:
    if all(v is None for v in value.values):
        raise CannotAnswer(f"There is no {phrase(node)}: no pixel is valid.", " ".join(work.emptied))
    labels = [""]
    for scale in value.scales:
        labels = [f"{before} {label}".strip() for before in labels for label in scale.labels]

    def show(v: float | None) -> str:
        if v is not None and value.truth:
            return "yes" if v else "no"
        return plain(v, value.unit, value.places)

    empty = value.values.count(None)
    told = [
        (label, v)
        for label, v in zip(labels, value.values, strict=True)
        if v is not None or empty <= _MOST_LISTED
    ]
    # A band may end in a number, as its value does.
    rows = [f"{label}{':' * (' to ' in label and label[-1:].isdigit())} {show(v)}" for label, v in told]
    if isinstance(node, Phenology) and node.is_date:
        rows = [f"{year}: {_day_of(year, v)}" for year, v in told]
    more = " and others" if len(rows) > _MOST_ROWS else ""
    rest = "; the others have no value" if len(told) < len(labels) else ""
    what = change_in_time(node, phrase) or phrase(node)
    text = f"The {what}{_spread(value, told)}: {'; '.join(rows[:_MOST_ROWS])}{more}{rest}."
    numbers = tuple(v for v in value.values if v is not None)
    only = numbers[0] if len(value.values) == 1 and numbers else None
    return Finding(text, only, value.unit, tuple(labels), numbers=numbers)


def _day_of(year: str, day: float | None) -> str:
    """Return a day of a year as its date, with its number beside it."""
    if day is None:
        return "no value"
    date = dt.date(int(year), 1, 1) + dt.timedelta(days=round(day) - 1)
    return f"{date:%Y-%m-%d} (day {day:.0f} of the year)"


def _spread(value: Numbers, rows: Sequence[tuple[str, float | None]]) -> str:
    """Return between which two a long table lies, which nobody reads to its end; empty for a short one."""
    found = [(v, label) for label, v in rows if v is not None]
    if value.truth or len(found) <= _MOST_TOLD:
        return ""
    ends = (f"{plain(v, value.unit, value.places)} ({label})" for v, label in (min(found), max(found)))
    return f" lies between {' and '.join(ends)}"


def _of_selection(work: Work, node: Node, value: Selection) -> Finding:
    if not value.marks:
        return Finding(
            f"There is none: no {value.axis} has {held_by_each(_inner(node))}.", 0.0, f"{value.axis}s"
        )
    labels = tuple(mark.label for mark in value.marks)
    values = value.values or (None,) * len(labels)
    rows = _rows(labels, values, value.unit)
    core = _core(node)
    only = values[0] if value.alone else None
    if isinstance(core, Which) and value.alone:
        told = (core, labels, values[0], value.unit)
        text = largest_step(work, *told) or most_changed(*told) or _winner(*told)
    elif isinstance(core, Which):
        text = f"By {without_groups(core.of)}, {core.direction} first: {'; '.join(rows)}."
    elif isinstance(core, Dates):
        text = _tell_dates(work, core, labels)
    elif value.alone:
        text = f"{join_words(rows)} is the {phrase(core)}."
    else:
        text = f"{len(rows)} {value.axis}{'s' * (len(rows) != 1)}: {'; '.join(rows)}."
    numbers = tuple(v for v in values if v is not None)
    return Finding(_capital(text), only, value.unit, labels, numbers=numbers)


def _rows(labels: Sequence[str], values: Sequence[float | None], unit: str) -> list[str]:
    return [
        label + (f" ({plain(v, unit)})" if v is not None else "")
        for label, v in zip(labels, values, strict=True)
    ]


def _tell_dates(work: Work, node: Dates, labels: Sequence[str]) -> str:
    """Return on which dates, or in which zones, a condition holds, and out of how many."""
    if node.pick != "all":
        return f"{labels[0]} is {phrase(node)}."
    series = work.known_value(node.of.of) if isinstance(node.of, Compare) else None
    known = series if isinstance(series, Numbers) and len(series.scales) == 1 else None
    by_label = dict(zip(known.scales[0].labels, known.values, strict=True)) if known else {}
    rows = _rows(labels, [by_label.get(label) for label in labels], known.unit if known else "")
    every = work.known_value(node.of)
    total = f" of {len(every.values)}" if isinstance(every, Numbers) else ""
    noun = axis_of(node.of).replace("_", " ")
    verb = "has" if len(labels) == 1 else "have"
    nouns = noun if (total or str(len(labels))) in ("1", " of 1") else plural(noun)
    what = held_by_each(node.of)
    return f"{len(labels)}{total} {nouns} {verb} {what}: {'; '.join(rows)}."


def _capital(text: str) -> str:
    """Return a sentence with a capital at its beginning, where it begins with a word and no file's name."""
    first = text.split(" ", 1)[0]
    return text[0].upper() + text[1:] if first.isalpha() else text


def _winner(node: Which, labels: Sequence[str], value: float | None, unit: str) -> str:
    """Return which has the most or the least of something, and how much: those that share it, together."""
    direction: str = node.direction
    match node:
        case Which(Combine("absolute_difference", of, Number() as number), "lowest", 1):
            what = f"{phrase(of)} closest to {plain(number.value, number.unit)}"
            return f"{join_words(labels)} {_has(labels)} the {what}: {plain(value, unit)} away."
    if isinstance(node.of, Phenology) and node.of.gives != "amplitude":
        direction = _ENDS_OF_SEASONS[node.of.gives == "length", node.direction]
    elif isinstance(node.of, Aggregate) and node.of.statistic == "area":
        direction = "largest" if node.direction == "highest" else "smallest"
    place = direction if node.nth == 1 else f"{ordinal(node.nth)} {direction}"
    amount = f": {plain(value, unit)}" if value is not None else ""
    what = change_in_time(node.of, without_groups) or without_groups(node.of)
    return f"{join_words(labels)} {_has(labels)} the {place} {what}{amount}."


def _has(labels: Sequence[str]) -> str:
    return "has" if len(labels) == 1 else "have"


_ENDS_OF_SEASONS = {
    (True, "highest"): "longest",
    (True, "lowest"): "shortest",
    (False, "highest"): "latest",
    (False, "lowest"): "earliest",
}


def _inner(node: Node) -> Node:
    core = _core(node)
    of = getattr(core, "of", core)
    return of if isinstance(of, Node) else core


def _of_rasters(work: Work, node: Node, value: Rasters) -> Finding:
    empty = work.plan.account.empty
    if all(item.address.partition("#")[0] in empty for item in value.items):
        # What was empty first is why the rest is.
        told = " ".join(work.emptied or list(empty.values())[:2])
        raise NoPixel(f"There is nothing on a map of {phrase(node)}.", told)
    name = value.items[-1].address
    if len(value.items) > 1:
        names = ", ".join(item.label for item in value.items[:6])
        return Finding(f"The {phrase(node)} as {len(value.items)} maps: {names}.", product=name)
    of = "" if isinstance(_core(node), Composite) else "map of "
    text = f"The {of}{phrase(node)} is {name}."
    if value.truth:
        text = f"The map of {phrase(node)} is {name}: 1 where it holds, 0 where not."
    return Finding(text, product=name)


def _of_text(work: Work, node: Node, value: Text) -> Finding:
    return Finding(
        value.text,
        value.value,
        value.unit,
        value.labels,
        product=value.product,
        numbers=value.numbers,
        verdict=value.verdict,
    )


def _of_bundle(work: Work, node: Node, value: Bundle) -> Finding:
    parts = node.of if isinstance(node, Several) else ()
    found = [finding_of(work, part, one) for part, one in zip(parts, value.values, strict=True)]
    numbers = tuple(n for one in found for n in ((one.value,) if one.value is not None else one.numbers))
    first = next((one for one in found if one.value is not None), None)
    return Finding(
        " ".join(_each_once([one.text for one in found])),
        first.value if first else None,
        first.unit if first else "",
        tuple(label for one in found for label in one.labels),
        next((one.truth for one in found if one.truth is not None), None),
        next((one.product for one in found if one.product), ""),
        numbers,
        tuple(found),
    )


def _each_once(sentences: Sequence[str]) -> list[str]:
    """Return sentences without one that another holds: that it is higher, and by how much."""
    told: list[str] = []
    for sentence in sentences:
        if not any(one.endswith(sentence.removeprefix("The ")) for one in told):
            told.append(sentence)
    return told


_FINDINGS: Mapping[type, Callable[..., Finding]] = {
    Numbers: _of_numbers,
    Rasters: _of_rasters,
    Selection: _of_selection,
    Text: _of_text,
    Bundle: _of_bundle,
}


# --- Plausible values -----------------------------------------------------------------------------


def check_plausible(node: Node, value: Value) -> None:
    """Refuse a value that its variable cannot have.

    Raises
    ------
    CannotAnswer
        Names the value and the range.
    """
    role = _role_of(node)
    known = variable(role) if role else None
    if known is None or not isinstance(value, Numbers | Selection):
        return
    low, high = known.plausible
    unit = value.unit
    for v in value.values:
        if v is None or not math.isfinite(v):
            continue
        own = v if unit in ("", known.unit) else _in_unit(v, unit, known.unit)
        if own is not None and not low <= own <= high:
            raise CannotAnswer(
                f"The {phrase(node)} comes out as {plain(v, unit)}, which is no value that "
                f"{short_title(known.role)} can have ({plain(low)} to {plain(high, known.unit)}).",
                "Check scale, unit and fill values of the rasters; `treeline correct` or the Data page says "
                "them.",
            )


def _in_unit(value: float, unit: str, wanted: str) -> float | None:
    try:
        return convert(value, unit, wanted)
    except InputError:
        return None


def _role_of(node: Node) -> str:
    """Return the role whose values an expression has; empty where it has none's."""
    if isinstance(node, Variable):
        return node.role
    if isinstance(node, Convert | Rounded | Which | Show):
        return _role_of(node.of)
    if isinstance(node, Aggregate) and node.statistic in _KEEPING:
        return _role_of(node.of)
    return ""
