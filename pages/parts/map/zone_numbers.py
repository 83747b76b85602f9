"""What the steps of an answer found in its zones: by the numbers of zones, or by a value that names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from treeline.core.engine.actions import Answer, action_name
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import Claim, claims_in
from treeline.core.serving.tiles import unit_text
from treeline.pages.parts.map.quantities import unit_of_step

_NUMBER = re.compile(r"\d+(\.\d+)?")
_FEWEST_ROWS = 2
# What gives the place of each number in an order: the numbers themselves are what a person compares.
_ORDERS = ("rank_values",)
_CLASS = "class"
Key = TypeVar("Key")


@dataclass(frozen=True)
class ByValue:
    """Numbers of zones that a value of an attribute names, such as the polygons of a class.

    Attributes
    ----------
    attribute : str
        Of the vector file; empty where the calls name it themselves.
    """

    values: Mapping[str, float] = field(default_factory=dict)
    attribute: str = ""


def values_by_value(steps: Sequence[Step]) -> ByValue:
    """Return what was found for each value of an attribute, one after the other: forest, then grassland."""
    followed = _numbers_of_one_value(steps)
    return ByValue(followed) if followed else _numbers_of_rows(steps)


def _numbers_of_one_value(steps: Sequence[Step]) -> dict[str, float]:
    """Return the numbers that came of rasters which were made of one value's polygons alone."""
    whose: dict[str, set[str]] = {}
    found: dict[str, float] = {}
    for step in steps:
        arguments = step.observation.arguments or {}
        only = arguments.get("only")
        given = list(only.values()) if isinstance(only, Mapping) else []
        given = given[0] if len(given) == 1 and isinstance(given[0], list) else given
        read = {file_name(text) for text in texts(arguments)}
        names = {str(given[0])} if len(given) == 1 else {n for name in read for n in whose.get(name, ())}
        for product in step.observation.products:
            whose[file_name(product.name)] = names
        number = _one_number(step.observation.value)
        if len(names) == 1 and number is not None:
            found[names.pop()] = number
    return found


def _numbers_of_rows(steps: Sequence[Step]) -> ByValue:
    """Return the numbers that steps made of a column of polygons' rows, those of one value together.

    Of one value alone too, such as forest, where nothing was made of the others; it is a word, as the numbers
    of polygons are values of their own.
    """
    of_one: list[ByValue] = []
    for step in steps:
        rows = step.observation.value
        if (
            not isinstance(rows, list)
            or len(rows) < _FEWEST_ROWS
            or not all(isinstance(r, dict) for r in rows)
        ):
            continue
        given = [(_list_of_numbers(later), _one_number(later.observation.value)) for later in steps]
        made = {values: number for values, number in given if values and number is not None}
        for attribute in rows[0]:
            for column in rows[0]:
                columns = _columns_by_value(rows, attribute, column)
                found = {name: made[values] for name, values in columns.items() if values in made}
                if len(found) >= _FEWEST_ROWS:
                    return ByValue(found, attribute)
                if len(columns) > 1:
                    of_one += [ByValue({n: v}, attribute) for n, v in found.items() if not n.isdigit()]
    return next(iter(of_one), ByValue())


def _columns_by_value(
    rows: Iterable[Mapping[str, Any]], attribute: str, column: str
) -> dict[str, tuple[float, ...]]:
    together: dict[str, tuple[float, ...]] = {}
    for row in rows:
        value, name = row.get(column), row.get(attribute)
        if isinstance(name, str) and name and isinstance(value, int | float):
            together[name] = (*together.get(name, ()), float(value))
    return together


def _list_of_numbers(step: Step) -> tuple[float, ...]:
    """Return the first list of numbers among the arguments of a call."""
    for given in (step.observation.arguments or {}).values():
        if isinstance(given, list) and given and all(isinstance(each, int | float) for each in given):
            return tuple(map(float, given))
    return ()


def _one_number(value: Any) -> float | None:
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


@dataclass(frozen=True)
class NumbersOfZones:
    """What a step found in zones or classes, by their numbers.

    Attributes
    ----------
    step : Step
        The one that measured them.
    unit : str
        Of the numbers, as the step tells it; empty where it does not.
    column : str
        Of a table with several numbers for each, the one that these are.
    told : int
        How many of the numbers of the answer are among them.
    """

    step: Step
    values: Mapping[str, float]
    unit: str = ""
    column: str = ""
    told: int = 0

    def unit_beside(self, answer: Answer) -> str:
        """Return the unit beside an answer: its own where it tells them and they do not tell it themselves.

        What is only near what was asked, such as the means of zones that are counted, has another unit.
        """
        return unit_text(self.unit or (answer.unit if self.told else ""))


def numbers_of_zones(steps: Sequence[Step], answer: Answer | None = None) -> NumbersOfZones | None:
    """Return the numbers of zones that an answer tells; where it tells none, those that were found last.

    On the way to hectares pixels are counted, zone by zone as well: these are not what was asked.
    """
    found = list(_numbers_of_steps(steps))
    if answer is None:
        return next(iter(found), None)
    claims = claims_in(answer.text)
    counted = [replace(each, told=count_told(each.values.values(), claims)) for each in found]
    return max(counted, key=lambda each: (answer.value in each.values.values(), each.told), default=None)


def count_told(values: Iterable[float | None], told: Sequence[Claim]) -> int:
    """Return how many of the numbers that a text tells are among some values."""
    known = [value for value in values if value is not None]
    return sum(any(abs(value - claim.number) <= claim.half for value in known) for claim in told)


def _numbers_of_steps(steps: Sequence[Step]) -> Iterator[NumbersOfZones]:
    """Yield what steps with rows by zones gave, the last one first.

    Of several dates the rows are summarised by a later step, which gives one number for each zone.
    """
    for place, step in reversed(list(enumerate(steps))):
        rows = step.observation.value
        if not isinstance(rows, list) or not rows:
            continue
        yield from _columns_of_classes(step, rows)
        numbers, later = _numbers_by_key(rows), steps[place + 1 :]
        unit = unit_of_step(step)
        if len(numbers) > 1:
            keys = list(numbers[0])
            told = all(list(row) == keys for row in numbers)
            lists = (each.observation.value for each in reversed(later))
            for summary in lists if told else ():
                if isinstance(summary, list) and len(summary) == len(keys) and all(map(_is_number, summary)):
                    yield NumbersOfZones(step, _by_short_key(zip(keys, summary, strict=True)), unit)
        elif numbers:
            found = {key: value for key, value in rows[0].items() if _NUMBER.fullmatch(str(key))}
            made = numbers_made_of(found, later)
            known = ((key, value) for key, value in made.items() if _is_number(value))
            # What was calculated of the numbers need not have their unit.
            yield NumbersOfZones(step, _by_short_key(known), unit if made == found else "")


def _columns_of_classes(step: Step, rows: Sequence[Any]) -> Iterator[NumbersOfZones]:
    """Yield the columns of a table with a row for each class, that of its area first."""
    if not all(isinstance(row, dict) and _CLASS in row for row in rows):
        return
    units = {"area": unit_of_step(step), "percent": "%", "pixels": ""}
    for column, unit in units.items():
        if all(_is_number(row.get(column)) for row in rows):
            values = _by_short_key((f"{row[_CLASS]:g}", row[column]) for row in rows)
            yield NumbersOfZones(step, values, unit, column)


def _by_short_key(numbers: Iterable[tuple[str, Any]]) -> dict[str, float]:
    return {str(key).removesuffix(".0"): float(value) for key, value in numbers}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def numbers_made_of(numbers: Mapping[Key, float | None], later: Sequence[Step]) -> dict[Key, float | None]:
    """Return what the last of some steps calculated of each number, such as a change; else the numbers."""
    for step in reversed(later):
        if action_name(step.action) in _ORDERS:
            continue
        made, given = step.observation.value, (step.observation.arguments or {}).values()
        if isinstance(made, list) and len(made) == len(numbers) and [*numbers.values()] in given:
            return dict(zip(numbers, made, strict=True))
    return dict(numbers)


def _numbers_by_key(rows: list[Any]) -> list[dict[str, float]]:
    """Return rows whose keys are the numbers of zones; nothing where one is none."""
    if not all(isinstance(row, dict) for row in rows):
        return []
    found = [
        {str(key): float(value) for key, value in row.items() if isinstance(value, int | float)}
        for row in rows
    ]
    return found if all(row and all(map(_NUMBER.fullmatch, row)) for row in found) else []
