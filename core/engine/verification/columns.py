"""Results as columns: one number for each date, class or zone."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treeline.core.engine.actions import Observation, action_name
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.checks import INDEX
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import dates_in, dates_of_file
from treeline.core.engine.verification.clouds import CLOUDS, is_of_clouds
from treeline.core.engine.verification.earlier_labels import (
    dates_of_products,
    labels_of_groups,
    names_by_calls,
    names_of_groups,
    names_of_zones,
)
from treeline.core.engine.verification.origins import Origin, Origins, trace_origins
from treeline.core.engine.verification.product_legends import legends_of_steps, with_names_of_sides
from treeline.core.engine.verification.readings import units_of
from treeline.core.engine.verification.results import (
    IDENTIFIERS,
    STATISTICS,
    is_number,
    numbers_of,
    only_number,
    quantity_of,
    tool_of,
)
from treeline.core.engine.verification.statistic_words import statistic_of
from treeline.toolkit import registry
from treeline.toolkit.units import UNITS
from treeline.toolkit.variables import VARIABLES

_PAIR = re.compile(r"(?<![\w-])(\d{4}(?:-\d\d){1,2})\S* (-?\d[\d.]*(?:e[-+]?\d+)?)(?=;|$|\n)", re.M)
# Numbers of one day by what else their files are of, such as their bands.
_NAMED = re.compile(
    r"(?<![\w-])(\d{4}(?:-\d\d){2}) (?P<name>[a-z]\w*) (?P<number>-?\d[\d.]*(?:e[-+]?\d+)?)(?=;|$|\n)", re.M
)
# Quantities whose parts make up a whole.
_ADD_UP = ("%", "ha", "km2", "m2")
_SEVERAL = 2
FAR_FROM_ALL = 3.0  # in per cent, from a whole
# Keys that tell a quantity by its unit or its kind are no classes.
_QUANTITY = re.compile(r"_(?:ha|m|km|km2|m2|percent|density|diversity|evenness|index|days|count)$|^patches$")
_MEASURES = frozenset({"area", "pixels", "percent", "percentage", "share", "length", "perimeter"})


_KIND = re.compile(r"[^\W\d_]{3,}")
_COUNTED = frozenset({"patches", "count", "pixels", "number", "samples"})
_TWO_YEARS = 2
# Where a row of samples was read, and what it calls the value of a raster of one band.
_AXES, _ALONG, _VALUE = ("x", "y"), "distance", "value"
_MOST_PLACES = 400  # of more nobody names one


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value was read: its coordinates and, on a profile, how far along the line it lies."""

    x: float
    y: float
    distance: float | None = None

    @property
    def label(self) -> str:
        """A word for it, in which no number is told."""
        plain = f"x{self.x:.10g}_y{self.y:.10g}".replace("-", "minus")
        label = plain if self.distance is None else f"metre_{self.distance:.0f}"
        # 2,000 m are no year.
        return re.sub(r"(?<![\d.])(?=\d)", "0", label) if dates_in(label) else label


@dataclass(frozen=True)
class Column:
    """Numbers of one kind by what they are of.

    Attributes
    ----------
    numbers : mapping
        By date (``2021-07-12``) or by name in lower case; of a class or zone without a name by its number.
    dated : bool
        Its labels are dates.
    aliases : mapping
        Other words for a label: the number of a class that has a name.
    quantity : str
        What a table calls them, such as ``mean``; empty where nothing tells it.
    of : str
        Of a table by date and class: the class of a column by dates, the date of one by classes.
    of_days : bool
        Its numbers are days, counted from any one: when seasons start, by field.
    unit : str
        Of its numbers; empty where it is not known.
    of_marks : bool
        It is of a mask: its means are parts of what the mask marks, and lie beyond no limit of that.
    places : mapping
        Where each label lies, of values that were read at points or along a line, in their order.
    """

    numbers: Mapping[str, float]
    dated: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)
    quantity: str = ""
    of: str = ""
    of_days: bool = False
    unit: str = ""
    of_marks: bool = False
    places: Mapping[str, Place] = field(default_factory=dict)

    @property
    def is_profile(self) -> bool:
        """Whether its numbers were read along a line, from its start on."""
        return any(place.distance is not None for place in self.places.values())

    @property
    def order(self) -> list[str]:
        """Its labels one after the other, in time or along a line; empty where nothing orders them."""
        return sorted(self.numbers) if self.dated else [*self.numbers] if self.is_profile else []

    @property
    def is_of_ranks(self) -> bool:
        """Whether its numbers are places in an order, of which the first is the smallest number."""
        places = set(range(1, len(self.numbers) + 1))
        return len(places) > _SEVERAL and not self.quantity and set(self.numbers.values()) == places

    @property
    def is_of_losses(self) -> bool:
        """Whether most of its numbers are below zero: of levels that of water may be alone."""
        return sum(n < 0 for n in self.numbers.values()) * 2 > len(self.numbers)

    @property
    def has_several(self) -> bool:
        """Whether one of its numbers can be told from another, or be the largest of them."""
        return len(self.numbers) > 1

    def write(self, number: float) -> str:
        """Return one of its numbers as an answer has it: a day as a date."""
        return dt.date.fromordinal(int(number)).isoformat() if self.of_days else f"{number:.6g}"

    def is_of_other_quantity(self, unit: str) -> bool:
        """Return whether its numbers measure something else than what has a unit: shares, and no heights.

        What a table counts has no unit, and is neither an area nor a length.
        """
        if self.of_marks and unit not in ("%", "1"):
            return True
        own, other = _quantity(self.unit), _quantity(unit)
        counts = self.quantity in _COUNTED and (other in ("area", "length", "temperature") or unit == "%")
        return counts or own != other and "" not in (own, other)

    def under(self, label: str) -> list[float]:
        """Return the numbers of a label; of a month or a year those of its days."""
        return [n for own, n in self.numbers.items() if self.is_under(own, label)]

    def is_under(self, own: str, label: str) -> bool:
        """Return whether one of its labels is another one, or a day of a month or a year."""
        return own.startswith(label) if self.dated else own == self.aliases.get(label, label)


def changes_of_months(columns: Iterable[Column]) -> Iterator[dict[str, tuple[float, float]]]:
    """Yield the numbers of each month, as ``-07``, that columns have one of in each of two years."""
    for column in columns:
        months: dict[str, list[float]] = {}
        for date in sorted(column.numbers) if column.dated else ():
            months.setdefault(date[4:7], []).append(column.numbers[date])
        years = len({date[:4] for date in column.numbers})
        if years == _TWO_YEARS and all(len(row) <= years for row in months.values()):
            yield {of: (row[0], row[1]) for of, row in months.items() if of and len(row) == years}


def _quantity(unit: str) -> str:
    """Return what a unit measures; empty where that is not known."""
    known = {INDEX: "ratio", "degree": "angle"}
    return known.get(unit) or (UNITS[unit].quantity if unit in UNITS else "")


def columns_of(
    steps: Iterable[Step], legend: Mapping[str, str], earlier: Sequence[Step] = ()
) -> list[Column]:
    """Return the columns of the results of steps.

    Parameters
    ----------
    legend : mapping
        Names of classes by their number, as text; see :func:`legend_in`.
    earlier : sequence of Step
        All that were carried out: the zones that a step measured were numbered and named by an earlier one.
    """
    results = [step for step in steps if step.observation.kind == "result"]
    known = [step for step in earlier if step.observation.kind == "result"] or results
    zones, days, made = names_of_zones(known), dates_of_products(known), legends_of_steps(known)
    called = names_by_calls(known)
    marks = {file_name(p.path) for step in known for p in step.observation.products if p.role == "mask"}
    found = []
    for step in results:
        crossed = with_names_of_sides(step, known, legend)
        if crossed is not step:
            found += [(step, column) for column in _columns(crossed, days)]
            continue
        told = [names[step.number] for names in (called, made, zones) if step.number in names]
        # Numbers that a run made itself have the names that it gave them, or none.
        own = next(filter(None, told), {} if told else legend)
        marked = _reads_marks(step, marks)
        named = (_name_classes(column, {} if marked else own) for column in _columns(step, days))
        found += [(step, replace(column, of_marks=marked)) for column in named]
    found += _by_argument(results, legend)
    found += _by_class(results, trace_origins(known, legend))
    found += _columns_of_groups(results, [column for _, column in found])
    units = {number: unit for step in results for number, unit in units_of(step.observation)}
    columns = [
        replace(column, unit=units.get(next(iter(column.numbers.values())), ""))
        for column in (*(column for _, column in found), *_join(found, results, days), *_join_series(found))
        if column.numbers
    ]
    columns += [*_of_kinds(columns)]
    # Beside what else was measured, how cloudy it was is looked at where a text speaks of clouds.
    beside = any(_measures(s) and not is_of_clouds(s) and numbers_of([s]) for s in results)
    return columns if beside else [replace(c, quantity=c.quantity.replace(CLOUDS, "")) for c in columns]


def _reads_marks(step: Step, marks: Collection[str]) -> bool:
    """Return whether a step tells of the marks of a mask, whose numbers are no classes."""
    given = step.observation.arguments or {}
    return "classes_path" not in given and any(file_name(text) in marks for text in texts(given))


def _by_argument(steps: Iterable[Step], legend: Mapping[str, str]) -> Iterator[tuple[Step, Column]]:
    """Yield what calls of one tool that differ in the number of a class alone make up together."""
    kinds: dict[str, dict[str, Step]] = {}
    for step in steps:
        arguments = step.observation.arguments or {}
        for name, item in arguments.items() if is_number(step.observation.value) else ():
            if is_number(item) and _as_class(item) in legend:
                rest = sorted((key, str(other)) for key, other in arguments.items() if key != name)
                kinds.setdefault(f"{action_name(step.action)} {name} {rest}", {})[_as_class(item)] = step
    for calls in kinds.values():
        numbers = {number: float(step.observation.value) for number, step in calls.items()}
        last = [*calls.values()][-1]
        column = Column(numbers, quantity=quantity_of(last))
        if column.has_several:
            yield last, _name_classes(column, legend)


def _by_class(steps: Iterable[Step], origins: Mapping[int, Origins]) -> Iterator[tuple[Step, Column]]:
    """Yield what calls of one tool make up together that measured a class each, or by an index each.

    The class was cut out, and the index made, by earlier calls.
    """
    kinds: dict[str, dict[str, Step]] = {}
    for step in steps:
        yield from _by_class_of_items(step, origins[step.number].items)
        of = _apart(origins[step.number].whole)
        if len(of) == 1 and only_number(step) is not None and _measures(step):
            kinds.setdefault(f"{action_name(step.action)} {step.observation.unit}", {})[next(iter(of))] = step
    for of_tool in kinds.values():
        numbers = {
            name: number for name, step in of_tool.items() if (number := only_number(step)) is not None
        }
        last = [*of_tool.values()][-1]
        column = Column(numbers, quantity=quantity_of(last))
        if column.has_several:
            yield last, column


def _apart(origin: Origin) -> frozenset[str]:
    """Return by what results of one tool are told apart: what they are of, or else how they were made."""
    return origin.names or origin.ways


def _by_class_of_items(step: Step, items: Sequence[Origin]) -> Iterator[tuple[Step, Column]]:
    """Yield the numbers of a list by the class that each was cut to."""
    values = step.observation.value if isinstance(step.observation.value, list) else []
    names = [next(iter(_apart(each))) for each in items if len(_apart(each)) == 1]
    numbers = [float(number) for number in values if is_number(number)]
    if len(set(names)) == len(names) == len(items) == len(values) == len(numbers) > 1:
        yield step, Column(dict(zip(names, numbers, strict=True)), quantity=_statistic(step))


def _columns_of_groups(steps: Iterable[Step], columns: Sequence[Column]) -> Iterator[tuple[Step, Column]]:
    """Yield the columns by month, year, class or zone that steps made of the numbers of earlier ones."""
    dated = [column.numbers for column in columns if column.dated]
    named = [column for column in columns if not column.dated and column.has_several]
    for step in steps:
        for numbers in labels_of_groups(step, dated):
            yield step, Column(numbers, dated=all(dates_in(label) == [label] for label in numbers))
        for numbers in names_of_groups(step, [column.numbers for column in named]):
            yield step, Column(numbers)


def group_by_kind(labels: Iterable[str]) -> dict[str, list[str]]:
    """Return the labels of each kind of which there are several: forest, of broadleaf and conifer forest."""
    found: dict[str, list[str]] = {}
    for label in sorted(labels):
        kind = label.rpartition(" ")[2]
        if _KIND.fullmatch(kind):  # "forest below 690 m" is no kind of "m"
            found.setdefault(kind, []).append(label)
    return {kind: some for kind, some in found.items() if len(some) > 1 and kind not in some}


def _of_kinds(columns: Sequence[Column]) -> Iterator[Column]:
    """Yield what the classes of a kind come to together, where their numbers add up: forest of each zone."""
    amounts = [c for c in columns if c.unit in _ADD_UP and "mean" not in c.quantity]  # no means of patches
    known = [c for c in amounts if not c.dated and _makes_a_whole(c)]
    for column in known:
        for kind, labels in group_by_kind(column.numbers).items():
            total = math.fsum(column.numbers[label] for label in labels)
            yield replace(column, numbers={kind: total}, aliases={})
    classes = {column.of: column for column in known if column.of and column.has_several}
    for kind, names in group_by_kind(classes).items():
        parts = [classes[name] for name in names]
        zones = dict.fromkeys(zone for part in parts for zone in part.numbers)
        sums = {zone: math.fsum(part.numbers.get(zone, 0.0) for part in parts) for zone in zones}
        yield replace(parts[0], numbers=sums, of=kind)


def _makes_a_whole(column: Column) -> bool:
    """Return whether numbers can be added: shares that are each of something else come to nothing."""
    whole = abs(math.fsum(column.numbers.values()) - 100) <= FAR_FROM_ALL
    return column.unit != "%" or whole or bool(column.of) or not column.has_several


def _columns(step: Step, days: Mapping[str, str]) -> Iterator[Column]:
    """Yield the columns of a result by itself.

    Parameters
    ----------
    days : mapping
        Dates of files whose names tell none.
    """
    value, observation = step.observation.value, step.observation
    if isinstance(value, dict):
        yield from _of_record(value)
        for key, item in value.items():
            if isinstance(item, dict):
                yield from (replace(column, quantity=str(key).casefold()) for column in _of_record(item))
            elif isinstance(item, list) and any(isinstance(row, dict) for row in item):
                yield from _of_rows([row for row in item if isinstance(row, dict)])
    elif isinstance(value, list) and any(isinstance(row, dict) for row in value):
        rows = [row for row in value if isinstance(row, dict)]
        yield from (
            _of_rows(rows) if len(value) < _SEVERAL else _of_dated_rows(rows, _listed_dates(step, days))
        )
    elif isinstance(value, list) and any(map(is_number, value)):
        yield Column(
            _dated_series(observation, days),
            True,
            quantity=CLOUDS if is_of_clouds(step) else _statistic(step),
        )
        yield from _named_series(observation)
    elif is_number(value) and _measures(step):
        dates = _dates_of_files(step) or _dates_of_made(step, days)
        of = CLOUDS if is_of_clouds(step) else ""
        yield Column({date: float(value) for date in dates} if len(dates) == 1 else {}, True, quantity=of)


def _named_series(observation: Observation) -> Iterator[Column]:
    """Yield a series of one day as the numbers of what its files are of, such as its bands."""
    found = [*_NAMED.finditer(observation.text)]
    names, days = {match["name"] for match in found}, {match[1] for match in found}
    values = observation.value or ()
    if len(days) == 1 and len(found) == len(names) == len(values) > 1 and all(map(is_number, values)):
        numbers = {match["name"]: float(n) for match, n in zip(found, values, strict=True)}
        bands = [VARIABLES[name] for name in numbers if name in VARIABLES]
        aliases = {word: band.role for band in bands for word in band.words if word != band.role}
        yield Column(numbers, of=min(days), aliases=aliases)


def _statistic(step: Step) -> str:
    """Return the statistic that a call was asked for; empty where it was asked for none."""
    asked = str((step.observation.arguments or {}).get("statistic", ""))
    return asked if statistic_of(asked) else ""


def _of_dated_rows(rows: Sequence[Mapping[str, Any]], dates: Sequence[str]) -> Iterator[Column]:
    """Yield the columns of a table with a row for each file: by class of a date, and by date of a class."""
    if len(dates) != len(rows) or any(_label(row) for row in rows):
        yield from _of_rows(rows)
        return
    for date, row in zip(dates, rows, strict=True):
        yield from (replace(column, of=date) for column in _of_record(row))
    for key in dict.fromkeys(key for row in rows for key in row):
        pairs = zip(dates, rows, strict=True)
        numbers = {date: float(row[key]) for date, row in pairs if is_number(row.get(key))}
        yield Column(numbers, True, of=str(key).casefold())


def _listed_dates(step: Step, days: Mapping[str, str]) -> list[str]:
    """Return the dates of the files that a call was handed; empty where not each has one of its own."""
    for listed in (step.observation.arguments or {}).values():
        if isinstance(listed, list) and all(isinstance(item, str) for item in listed):
            dates = [(dates_of_file(item) or [days.get(file_name(item), "")])[-1] for item in listed]
            if all(dates) and len(set(dates)) == len(dates) == len(step.observation.value or ()):
                return dates
    return []


def _measures(step: Step) -> bool:
    """Return whether a call read rasters: a number of other numbers belongs to no date."""
    name = tool_of(step)
    return name not in registry() or bool(registry().get(name).inputs)


def _of_record(record: Mapping[str, Any]) -> Iterator[Column]:
    plain = {str(key).casefold(): float(item) for key, item in record.items() if is_number(item)}
    kinds = {key.rpartition("_")[2] for key in plain}
    # Quantities of one thing, such as its largest_area and edge_length, are no classes.
    of_quantities = (plain.keys() | kinds) & (STATISTICS | _MEASURES) or any(map(_QUANTITY.search, plain))
    if len(plain) > 1 and not of_quantities:
        yield Column(plain, dated=all(dates_in(key) for key in plain))


def _of_rows(rows: Sequence[Mapping[str, Any]]) -> Iterator[Column]:
    named = [(_label(row), row) for row in rows]
    if not any(label for label, _ in named):
        if all(is_number(row.get(axis)) for row in rows for axis in _AXES):
            yield from _of_samples(rows)
            return
        for row in rows:
            yield from _of_record(row)
        return
    if len({label for label, _ in named}) < len(named):
        yield from _of_groups(rows)
        return
    aliases = {number: label for label, row in named for number in _numbers_of_row(row) if number != label}
    for key in dict.fromkeys(key for row in rows for key in row if key.casefold() not in IDENTIFIERS):
        numbers = {label: float(row[key]) for label, row in named if label and is_number(row.get(key))}
        dated = bool(numbers) and all(dates_in(label) == [label] for label in numbers)
        yield Column(numbers, dated, aliases={} if dated else aliases, quantity=key.casefold())
        days = {label: float(day) for label, row in named if label and (day := day_number(row.get(key)))}
        days = {label: day for label, day in days.items() if not dates_in(label)}
        yield Column(days, aliases=aliases, quantity=key.casefold(), of_days=True)
    for label, row in named:
        across = {str(k).casefold(): float(n) for k, n in row.items() if is_number(n)}
        kept = {k: n for k, n in across.items() if k not in STATISTICS | IDENTIFIERS | _MEASURES}
        if label and len(kept) > 1 and not any(map(_QUANTITY.search, across)):
            yield Column(kept, quantity="", of=label)
    yield from _of_tables([(label, row) for label, row in named if label], aliases)


def _of_samples(rows: Sequence[Mapping[str, Any]]) -> Iterator[Column]:
    """Yield the columns of values that were read at places: one for each band, by the place."""
    places = [Place(row["x"], row["y"], row.get(_ALONG)) for row in rows]
    if len({place.label for place in places}) < len(rows) or len(rows) > _MOST_PLACES:
        return
    for key in dict.fromkeys(key for row in rows for key in row if key not in (*_AXES, _ALONG)):
        pairs = zip(places, rows, strict=True)
        numbers = {place.label: float(row[key]) for place, row in pairs if is_number(row.get(key))}
        quantity = "" if key == _VALUE else str(key).casefold()
        known = {place.label: place for place in places if place.label in numbers}
        yield Column(numbers, quantity=quantity, places=known)


def _of_tables(rows: Sequence[tuple[str, Mapping[str, Any]]], aliases: Mapping[str, str]) -> Iterator[Column]:
    """Yield the columns of rows that hold a table each: shares of classes by zone, and the other way."""
    for key in dict.fromkeys(key for _, row in rows for key, item in row.items() if isinstance(item, dict)):
        tables = {label: row[key] for label, row in rows if isinstance(row.get(key), dict)}
        cells = [
            (of, str(k), float(n)) for of, table in tables.items() for k, n in table.items() if is_number(n)
        ]
        for label in tables:
            yield Column({k: n for of, k, n in cells if of == label}, quantity=key.casefold(), of=label)
        for name in dict.fromkeys(name for _, name, _ in cells):
            by_row = {of: n for of, k, n in cells if k == name}
            yield Column(by_row, aliases=aliases, quantity=key.casefold(), of=name)


def day_number(item: Any) -> int:
    """Return a day as a number that later ones are larger than; 0 for what is no day."""
    try:
        return dt.date.fromisoformat(item).toordinal() if isinstance(item, str) else 0
    except ValueError:
        return 0


def _of_groups(rows: Sequence[Mapping[str, Any]]) -> Iterator[Column]:
    """Yield the columns of a table by dates and names: by dates for each name, and the other way round."""
    labels = [(row, [*dates[:1], *names]) for row in rows for dates, names in [_labels(row)]]
    cells = [(found[0], (found[1:] or [""])[0], row) for row, found in labels if found]
    if len({(date, name) for date, name, _ in cells}) < len(rows):
        return  # more than two things tell its rows apart
    keys = dict.fromkeys(key for row in rows for key in row if key.casefold() not in IDENTIFIERS)
    for key in keys:
        known = [(date, name, float(row[key])) for date, name, row in cells if is_number(row.get(key))]
        for name in dict.fromkeys(name for _, name, _ in known):
            row = {d: n for d, own, n in known if own == name}
            yield Column(row, all(dates_in(d) for d in row), quantity=key.casefold(), of=name)
        for date in dict.fromkeys(date for date, _, _ in known):
            yield Column({own: n for d, own, n in known if d == date}, quantity=key.casefold(), of=date)


def _label(row: Mapping[str, Any]) -> str:
    """Return what a row is of: its first text, else its number as a class or zone."""
    dates, names = _labels(row)
    return (dates or names or [""])[0]


def _labels(row: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the dates and the names that a row holds; its number as a class or zone where it has no name."""
    words = [item.casefold() for item in row.values() if isinstance(item, str) and item]
    dates = [found[0] for word in words if (found := dates_in(word))]
    if len(dates) > 1 and len(dates) < len(words):  # they were measured, as the start and the end of a season
        dates = []
    return dates, [word for word in words if not dates_in(word)] or _numbers_of_row(row)


def _numbers_of_row(row: Mapping[str, Any]) -> list[str]:
    """Return the numbers by which a row tells what it is of: those of classes and zones."""
    return [_as_class(item) for key, item in row.items() if key.casefold() in IDENTIFIERS]


def _as_class(number: Any) -> str:
    """Return the number of a class as it stands in a legend: 2 for 2.0."""
    return str(int(number)) if isinstance(number, float) and number.is_integer() else str(number)


def _dated_series(observation: Observation, made: Mapping[str, str]) -> dict[str, float]:
    """Return the numbers of a list by the dates of the files that they are of."""
    values = observation.value
    for listed in (observation.arguments or {}).values():
        if isinstance(listed, list) and len(listed) == len(values):
            days = [
                (dates_of_file(item) or [made.get(file_name(item), "")])[-1] if isinstance(item, str) else ""
                for item in listed
            ]
            alone = {day for day, times in Counter(days).items() if day and times == 1}
            if all(days) and alone:  # of a day that is there twice none of the two is the number
                pairs = zip(days, values, strict=True)
                return {day: float(number) for day, number in pairs if day in alone and is_number(number)}
    return {date: float(number) for date, number in _PAIR.findall(observation.text)}


def _dates_of_files(step: Step) -> set[str]:
    """Return the dates of what a call read, by the names of its files."""
    return {date for text in texts(step.observation.arguments) for date in dates_of_file(text)[:1]}


def _dates_of_made(step: Step, days: Mapping[str, str]) -> set[str]:
    """Return the dates of what a call read that an earlier one made, whose names tell none."""
    return {day for text in texts(step.observation.arguments) if (day := days.get(file_name(text), ""))}


def _join(
    found: Sequence[tuple[Step, Column]], steps: Sequence[Step], days: Mapping[str, str]
) -> Iterator[Column]:
    """Yield what several calls of one tool make up together, each of another date: their columns by dates.

    A table of classes for each date has a number by date for each class; it is of its date, too.
    """
    kinds: dict[str, list[Step]] = {}
    for step in steps:
        kind = f"{action_name(step.action)} {step.observation.unit} {_statistic(step)}"
        kinds.setdefault(kind, []).append(step)
    for of_kind in (part for kind in kinds.values() for part in _rounds(kind, days)):
        dates = _own_dates(of_kind, days)
        cells: dict[tuple[str, str], dict[str, float]] = {}
        for step, column in found:
            date = dates.get(step.number, "")  # of another kind there is none
            if not date or column.of or column.dated and column.has_several:
                continue
            if not column.dated:
                yield replace(column, of=date)
            for label, number in column.numbers.items():
                cells.setdefault((column.quantity, "" if column.dated else label), {})[date] = number
        for step in of_kind:
            for key, number in _statistics(step.observation.value) if step.number in dates else ():
                cells.setdefault((key, ""), {})[dates[step.number]] = number
        for (quantity, of), numbers in cells.items():
            if len(numbers) > 1:
                yield Column(numbers, True, quantity=quantity, of=of)


def _join_series(found: Sequence[tuple[Step, Column]]) -> Iterator[Column]:
    """Yield what several calls of one tool make up together, each of several dates: one year each."""
    kinds: dict[tuple[str, ...], list[Column]] = {}
    for step, column in found:
        if column.dated and column.has_several and _measures(step):
            tool = (action_name(step.action), step.observation.unit, str(_statistic(step)))
            kinds.setdefault((*tool, column.quantity, column.of), []).append(column)
    for columns in kinds.values():
        numbers = {label: number for column in columns for label, number in column.numbers.items()}
        apart = len(numbers) == sum(len(column.numbers) for column in columns)
        if len(columns) > 1 and apart:  # what was measured anew, as without clouds, is of the same dates
            yield replace(columns[0], numbers=dict(sorted(numbers.items())))


def _rounds(steps: Sequence[Step], days: Mapping[str, str]) -> list[list[Step]]:
    """Return steps in groups that have each date once: all were measured anew, as without clouds."""
    found: list[list[Step]] = [[]]
    seen: set[frozenset[str]] = set()
    for step in steps:
        dates = frozenset(_dates_of_files(step) or _dates_of_made(step, days))
        if dates and dates in seen:
            found.append([])
            seen.clear()
        seen.add(dates)
        found[-1].append(step)
    return found


def _own_dates(steps: Sequence[Step], days: Mapping[str, str]) -> dict[int, str]:
    """Return the date of each of several calls, by what all of them read apart; empty where two share one."""
    read = {step.number: _dates_of_files(step) or _dates_of_made(step, days) for step in steps}
    shared = set.intersection(*read.values()) if len(read) > 1 else set()
    own = {number: dates - shared for number, dates in read.items()}
    known = {number: next(iter(dates)) for number, dates in own.items() if len(dates) == 1}
    return known if len(set(known.values())) == len(known) > 1 else {}


def _statistics(value: Any) -> Iterator[tuple[str, float]]:
    """Yield the statistics of a record."""
    for key, item in value.items() if isinstance(value, dict) else ():
        if is_number(item) and str(key).casefold() in STATISTICS:
            yield str(key).casefold(), float(item)


def _name_classes(column: Column, legend: Mapping[str, str]) -> Column:
    """Return a column that has the numbers of classes under their names; their numbers are aliases."""
    known = column.numbers.keys() & legend.keys()
    if column.dated and column.of == "0" and legend and "0" not in legend:
        return replace(column, numbers={})  # what belongs to no class is none, of dates as of one date
    if column.of in legend and (column.dated or not known):
        return replace(column, of=legend[column.of])
    if column.dated or len({legend[label] for label in known}) < len(known) or not known:
        return column
    # Where others have a name, 0 without one is what belongs to no class.
    numbers = {
        legend.get(label, label): n for label, n in column.numbers.items() if label in known or label != "0"
    }
    return replace(column, numbers=numbers, aliases={**column.aliases, **{n: legend[n] for n in known}})
