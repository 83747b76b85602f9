"""What each number of the results is: its statistic, and the classes, dates and limits that it is of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from treeline.core.engine.actions import ProductRecord
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import dates_in
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.origins import Limit, Origin, Origins
from treeline.core.engine.verification.results import (
    ends_of_values,
    is_number,
    numbers_in,
    quantity_of,
    tool_of,
    usual_argument,
)
from treeline.core.engine.verification.statistic_words import is_change, statistic_of

# The statistic of what tells a part of a whole.
SHARE = "share"
_INTERCEPT = "intercept"
_ENDS = frozenset({"max", "min"})
# Statistics that texts seldom name, and that are none of those that they do.
_OTHERS = frozenset({"iqr", "mad", "mode", "entropy", "skewness", "kurtosis", "rms", "trimmed_mean"})
_CONVERTS = "_to_"
# The roles of rasters that tell how far something lies from what it was set against.
_DEPARTURES = frozenset({"anomaly", "difference"})
# Of many pixels together: none of them has to have it.
OF_MANY = frozenset({"mean", "median", "std", "sum", "variance", "percentile"})


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that a step found.

    Attributes
    ----------
    statistic : str
        Such as ``mean`` or ``share``; empty where nothing tells it.
    labels : frozenset of str
        The date and the class or zone of a series or table that it stands under.
    origin : Origin
        What it was computed from.
    several : bool
        It is one of a series or table, of which one can be the highest.
    """

    number: float
    step: Step
    statistic: str = ""
    labels: frozenset[str] = frozenset()
    origin: Origin = Origin()
    several: bool = False

    @property
    def dates(self) -> frozenset[str]:
        """The dates that it is of: its label, or else those of what was read."""
        return frozenset(filter(dates_in, self.labels)) or self.origin.dates

    @property
    def is_departure(self) -> bool:
        """Whether it is of what was set against another date, or against what is usual."""
        return not _DEPARTURES.isdisjoint(self.origin.variables)

    @property
    def names(self) -> frozenset[str]:
        """The classes and zones that it is of: its label, and those that what was read was cut to."""
        return frozenset(label for label in self.labels if not dates_in(label)) | self.origin.names


@dataclass(frozen=True, slots=True)
class LabelledNumber:
    """A number of a column with the dates and names that it is of."""

    number: float
    labels: frozenset[str]

    def is_of(self, said: frozenset[str], joint: bool = False) -> bool:
        """Return whether it is of one of the dates, and of one of the names, that are said, if any are.

        Parameters
        ----------
        joint : bool
            Two names are said that tell one cell together: a class of a zone, or what became of what.
        """
        for dated in (True, False):
            wanted = [label for label in said if bool(dates_in(label)) is dated]
            own = [label for label in self.labels if bool(dates_in(label)) is dated]
            met = [any(is_same_label(a, b) for b in wanted) for a in own]
            whole = joint and not dated and len(own) > 1
            if wanted and own and not (all(met) if whole else any(met)):
                return False
        return True


def is_same_label(own: str, said: str) -> bool:
    """Return whether a label is what is said, or a day of the month or year that is said."""
    return own == said or bool(dates_in(said)) and own.startswith(said)


def cells_of(columns: Sequence[Column]) -> list[LabelledNumber]:
    """Return the numbers of columns with all that they are of."""
    names = {label for column in columns if not column.dated for label in column.numbers}
    found = {
        LabelledNumber(number, frozenset({label, column.of, *({column.quantity} & names)} - {""}))
        for column in columns
        for label, number in column.numbers.items()
    }
    found |= _whole_cells(found)
    # A cell of which one column tells less than another is the same one.
    of_number: dict[float, list[LabelledNumber]] = {}
    for cell in found:
        of_number.setdefault(cell.number, []).append(cell)
    return sorted(
        (cell for cell in found if not any(cell.labels < o.labels for o in of_number[cell.number])),
        key=lambda cell: (sorted(cell.labels), cell.number),
    )


def _whole_cells(cells: Iterable[LabelledNumber]) -> set[LabelledNumber]:
    """Return the cells that one column tells by their date, and another by their name."""
    dated: dict[float, set[str]] = {}
    named: dict[float, set[str]] = {}
    for cell in cells:
        for label in cell.labels if len(cell.labels) == 1 else ():
            (dated if dates_in(label) else named).setdefault(cell.number, set()).add(label)
    return {
        LabelledNumber(number, frozenset(dated[number] | named[number]))
        for number in dated.keys() & named.keys()
        if len(dated[number]) == len(named[number]) == 1
    }


def facts_of(steps: Sequence[Step], origins: Mapping[int, Origins], columns: Sequence[Column]) -> list[Fact]:
    """Return the numbers of results with what they are.

    Parameters
    ----------
    origins : mapping
        What the results of each step were computed from, by its number.
    columns : sequence of Column
        Those of the steps.
    """
    labels: dict[float, list[frozenset[str]]] = {}
    for cell in cells_of(columns):
        labels.setdefault(cell.number, []).append(cell.labels)
    found: list[Fact] = []
    for step in steps:
        handed_on = _statistic_of_conversion(step, found)
        found += [
            Fact(number, step, statistic or handed_on, own, origin, several)
            for number, statistic, origin, several in _numbers(step, origins[step.number])
            for own in labels.get(number, [frozenset()])
        ]
    return found


def _statistic_of_conversion(step: Step, earlier: Sequence[Fact]) -> str:
    """Return the statistic of what a step was handed to tell in another unit; empty where none is known."""
    if _CONVERTS not in tool_of(step):
        return ""
    handed = numbers_in(list((step.observation.arguments or {}).values()))
    known = (fact for fact in reversed(earlier) for n in handed if math.isclose(n, fact.number, rel_tol=1e-4))
    return next((fact.statistic for fact in known), "")


def _numbers(step: Step, origins: Origins) -> Iterator[tuple[float, str, Origin, bool]]:
    """Yield the numbers of a step, with their statistics and origins, and whether they are of several."""
    value, chosen = step.observation.value, statistic_of_call(step)
    rows = value if isinstance(value, list) else [value]
    items = origins.items if len(origins.items) == len(rows) else [origins.whole] * len(rows)
    classes = [row.get("class") if isinstance(row, dict) else None for row in rows]
    unmarked = [row for row, of in zip(rows, classes, strict=True) if of == 0 and set(classes) <= {0, 1}]
    in_order = statistics_of_tool(step)
    if len(in_order) == len(rows) and all(map(is_number, rows)):  # the mean, the largest and the smallest
        pairs = zip(rows, in_order, strict=True)
        yield from ((float(n), statistic, origins.whole, False) for n, statistic in pairs)
        rows, items = [], []
    for row, origin in zip(rows, items, strict=True):
        if not isinstance(row, dict):
            yield from ((n, chosen, origin, len(rows) > 1) for n in numbers_in(row))
        origin = _of_unmarked(origin) if unmarked and row is unmarked[0] else origin
        for key, item in row.items() if isinstance(row, dict) else ():
            of = statistic_of(str(key)) or statistic_of(str(key).partition("_")[0])
            of = of or (_INTERCEPT if key == _INTERCEPT else "")  # which is easily taken for the mean
            several = len(rows) > 1 or not statistic_of(str(key))
            yield from ((n, of or chosen, origin, several) for n in numbers_in(item))
    products = step.observation.products
    items = origins.items if len(origins.items) == len(products) else [origins.whole] * len(products)
    for product, origin in zip(products, items, strict=True):
        if product.role:  # the mean of a mask is none of what the mask was made by
            origin = replace(origin, variables=frozenset({product.role}))
        yield from ((n, name, origin, len(products) > 1) for name, n in _statistics(product))


def _of_unmarked(origin: Origin) -> Origin:
    """Return what the part of a mask is of that it does not mark: it lies on the other side of its limit."""
    return replace(origin, limits=frozenset(Limit(each.number, -each.side) for each in origin.limits))


def _statistics(product: ProductRecord) -> Iterator[tuple[str, float]]:
    """Yield the statistics of a raster that a step wrote."""
    minimum, maximum = ends_of_values(product)
    known = {"min": minimum, "max": maximum, "mean": product.mean, SHARE: product.valid_share}
    yield from ((name, number) for name, number in known.items() if number is not None)


_MIDDLE = 50  # the percentile that is the median


def statistic_of_call(step: Step) -> str:
    """Return the statistic that a call was asked for, or that its tool gives or is named after."""
    name, quantity = tool_of(step), quantity_of(step)
    asked = str((step.observation.arguments or {}).get("statistic", usual_argument(step, "statistic")))
    # A mean of what is in per cent, such as a slope, is no share; a change in per cent is none either.
    named = statistic_of(asked or quantity) or _statistic_in(name) or (asked if asked in _OTHERS else "")
    is_share = step.observation.unit == "%" and not is_change(f"{name} {quantity}")
    arguments = step.observation.arguments or {}
    if named == "percentile" and _MIDDLE in (arguments.get("percentile"), arguments.get("parameter")):
        return "median"
    return named or (SHARE if is_share else "")


def statistics_of_tool(step: Step) -> list[str]:
    """Return the statistics that the name of a tool ends with, in the order in which it gives them."""
    found: list[str] = []
    for word in reversed(tool_of(step).split("_")):
        if not statistic_of(word):
            break
        found.insert(0, statistic_of(word))
    return found if len(found) > 1 else []


def is_share_of_things(step: Step) -> bool:
    """Return whether a step found which share of a list, such as of dates, something holds for."""
    arguments = step.observation.arguments or {}
    return arguments.get("statistic") == SHARE and "values" in arguments


def _statistic_in(tool: str) -> str:
    """Return the statistic that the name of a tool ends with; empty where it ends with none."""
    last = statistic_of(tool.rpartition("_")[2])
    return last if last in OF_MANY | _ENDS else ""
