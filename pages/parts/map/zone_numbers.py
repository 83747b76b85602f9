"""What the steps of an answer found in its zones: by the numbers of zones, or by a value that names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from treeline.core.engine.actions import action_name
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import Step

_NUMBER = re.compile(r"\d+(\.\d+)?")
_FEWEST_ROWS = 2
# What gives the place of each number in an order: the numbers themselves are what a person compares.
_ORDERS = ("rank_values",)
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


def values_by_number(steps: Sequence[Step]) -> Iterator[tuple[str, float]]:
    """Yield what the last step with rows by zones gave, by the zones' numbers.

    Of several dates the rows are summarised by a later step, which gives one number for each zone.
    """
    summary: list[float] = []
    for place, step in reversed(list(enumerate(steps))):
        rows = step.observation.value
        if not isinstance(rows, list) or not rows:
            continue
        if all(isinstance(row, int | float) for row in rows):
            summary = summary or [float(row) for row in rows]
        numbers = _numbers_by_key(rows)
        if len(rows) > 1 and numbers:
            keys = list(numbers[0])
            told = len(summary) == len(keys) and all(list(row) == keys for row in numbers)
            numbers = [dict(zip(keys, summary, strict=True))] if told else []
        elif numbers:
            made = numbers_made_of(rows[0], steps[place + 1 :])
            numbers = [{key: float(value) for key, value in made.items() if value is not None}]
        if len(numbers) == 1:
            yield from ((key.removesuffix(".0"), value) for key, value in numbers[0].items())
            return


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
