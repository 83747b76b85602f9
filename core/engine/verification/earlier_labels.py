"""Labels that stand in an earlier step than the numbers: zones by number, classes cut out, grouped dates."""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import dates_in
from treeline.core.engine.verification.results import classes_path_of, is_number, is_written_as

_DAY, _MONTH, _YEAR = len("2016-08-14"), len("2016-08"), len("2016")
# One value alone has no difference, order or trend.
_FEWEST = 2
_SAVED = "Result saved"
_OF_CLASSES = ("classes", "landcover")


def dates_of_products(steps: Iterable[Step]) -> dict[str, str]:
    """Return the dates of files whose names tell none, by the files that they were made of, one of each."""
    found: dict[str, str] = {}
    for step in steps:
        for product in step.observation.products:
            if product.date and not dates_in(product.name):
                found[file_name(product.name)] = found[file_name(product.path)] = product.date[:_DAY]
        lists = [
            [file_name(item) for item in listed]
            for listed in (step.observation.arguments or {}).values()
            if isinstance(listed, list) and all(isinstance(item, str) for item in listed)
        ]
        days = [[found.get(name) or "".join(dates_in(name)[-1:]) for name in names] for names in lists]
        dated = {tuple(each) for each in days if each and all(each)}
        for names in lists if len(dated) == 1 else ():  # what is made of two dates is of neither
            if len(names) == len(of := min(dated)) and not any(map(dates_in, names)):
                found.update(zip(names, of, strict=True))
    return found


def names_of_zones(steps: Iterable[Step]) -> dict[int, dict[str, str]]:
    """Return for each step that read numbered zones what their numbers are called, as text.

    A step that numbers zones tells where it saved them and then their names, in the order of the numbers.
    What is cut from them keeps the numbers. Zones that are made of marked pixels alone, such as patches, are
    numbered and have no names.
    """
    saved: dict[str, dict[str, str]] = {}
    marks: set[str] = set()
    found: dict[int, dict[str, str]] = {}
    for step in steps:
        value = step.observation.value
        for text in texts(step.observation.arguments):
            if file_name(text) in saved:
                found.setdefault(step.number, {}).update(saved[file_name(text)])
        read = {file_name(text) for text in texts(step.observation.arguments) if "." in text}
        written = {file_name(product.name) for product in step.observation.products}
        for product in step.observation.products:
            if step.number in found and product.role in _OF_CLASSES:
                saved[file_name(product.name)] = saved[file_name(product.path)] = found[step.number]
            elif product.role in _OF_CLASSES and read - written and read - written <= marks:
                saved[file_name(product.name)] = saved[file_name(product.path)] = {}
            if product.role == "mask":
                marks |= {file_name(product.name), file_name(product.path)}
            if _tells_names(value):
                names = {str(number): str(name).casefold() for number, name in enumerate(value[1:], start=1)}
                saved[file_name(product.name)] = saved[file_name(product.path)] = names
    return found


def names_by_calls(steps: Sequence[Step]) -> dict[int, dict[str, str]]:
    """Return for each step what any call told the classes of a raster that it read to be called, by number.

    A run that made sectors of slopes names them where it likes, and they are those in all its steps.
    """
    told: dict[str, dict[str, str]] = {}
    read = {step.number: list(map(file_name, texts(step.observation.arguments))) for step in steps}
    for step in steps:
        for given in (step.observation.arguments or {}).values():
            if isinstance(given, dict) and given and all(map(_is_class_name, given.items())):
                names = {str(number): str(name).casefold() for number, name in given.items()}
                told |= {file: names for file in read[step.number] if "." in file}
    of_classes = {step.number: file_name(classes_path_of(step)) for step in steps}
    found = {
        number: next((told[file] for file in files if file in told and of_classes[number] in ("", file)), {})
        for number, files in read.items()
    }
    return {number: names for number, names in found.items() if names}


def _is_class_name(item: tuple[Any, Any]) -> bool:
    number, name = item
    return str(number).isdigit() and isinstance(name, str) and "." not in name


def _tells_names(value: Any) -> bool:
    """Return whether a result is where something was saved and then names; of several files it is none."""
    if (
        not isinstance(value, list)
        or len(value) < _FEWEST
        or not all(isinstance(each, str) for each in value)
    ):
        return False
    return not any(each.startswith(_SAVED) for each in value[1:])


def labels_of_groups(step: Step, dated: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, float]]:
    """Yield the numbers of a step that made one of each group of a dated series, by what each group shares.

    Parameters
    ----------
    dated : sequence of mapping
        Series of numbers by date, in order, of earlier steps.
    """
    for groups, values in _groups(step):
        found = []
        for series in dated:
            labels = [_period_of([n for n in group if n is not None], series) for group in groups]
            pairs = zip(labels, values, strict=True)
            known = [(label, float(n)) for label, n in pairs if label and is_number(n)]
            alike = len({len(label) if dates_in(label) else 0 for label, _ in known}) == 1
            found += [dict(known)] if alike and len(dict(known)) == len(known) >= _FEWEST else []
        yield from [max(found, key=len)] if found else []


def names_of_groups(step: Step, named: Sequence[Mapping[str, float]]) -> Iterator[dict[str, float]]:
    """Yield the numbers of a step that made one of each group of numbers, by the class of each group."""
    for groups, values in _groups(step):
        labels = [_shared_name(group, named) for group in groups]
        known = {label: float(n) for label, n in zip(labels, values, strict=True) if label and is_number(n)}
        if len(known) == len(groups):
            yield known
            return


def _groups(step: Step) -> Iterator[tuple[list[list[Any]], list[Any]]]:
    """Yield the groups of numbers that a step made a number of each of; of a plain list each is one.

    Of several lists in a table, as a formula is handed them, those in one place are a group.
    """
    values = step.observation.value
    for argument in (step.observation.arguments or {}).values():
        lists = (
            [item for item in argument.values() if isinstance(item, list)]
            if isinstance(argument, dict)
            else []
        )
        alike = len({len(each) for each in lists}) == 1
        groups = [[*place] for place in zip(*lists, strict=True)] if alike else argument
        if not (
            isinstance(groups, list) and isinstance(values, list) and len(groups) == len(values) >= _FEWEST
        ):
            continue
        if all(isinstance(group, list) for group in groups):
            yield groups, values
        elif all(is_number(group) or group is None for group in groups):
            yield [[group] for group in groups], values


def _shared_name(group: Sequence[Any], named: Sequence[Mapping[str, float]]) -> str:
    """Return the only class that has all numbers of a group."""
    names = [
        {label for row in named for label, own in row.items() if is_written_as(own, n)}
        for n in group
        if n is not None
    ]
    shared = set.intersection(*names) if names else set()
    return shared.pop() if len(shared) == 1 else ""


def _period_of(numbers: Sequence[Any], series: Mapping[str, Any]) -> str:
    """Return the time that numbers of a series share; nothing without one.

    What several dates have, as most of them have no clouds, may be of each: the others tell the time.
    """
    of = [[date for date, own in series.items() if is_written_as(own, number)] for number in numbers]
    sure = [dates[0] for dates in of if len(dates) == 1]
    period = _common_period(sure or [dates[0] for dates in of if dates])
    if dates_in(period) and len(sure) < len(of):  # so many dates lie in no shorter time
        ways = (period, period[:_MONTH], period[:_YEAR])
        period = next((way for way in ways if _is_long_enough(way, len(of), series)), "")
    return period if all(any(_is_in(date, period) for date in dates) for dates in of) else ""


def _is_long_enough(period: str, count: int, series: Mapping[str, Any]) -> bool:
    """Return whether a time may have so many numbers; a date that is there twice stands in no series."""
    return 2 * sum(date.startswith(period) for date in series) > count


def _is_in(date: str, period: str) -> bool:
    """Return whether a date lies in a day, month or year, or in a calendar month."""
    if not dates_in(period):
        return len(date) >= _MONTH and calendar.month_name[int(date[5:_MONTH])].casefold() == period
    return bool(period) and date.startswith(period)


def _common_period(dates: Sequence[str]) -> str:
    """Return the day, the month, the year or the calendar month that dates share; nothing without one."""
    if not dates or not all(dates_in(date) for date in dates):
        return ""
    if len(set(dates)) == 1:
        return dates[0]
    months = {date[:_MONTH] for date in dates}
    if len(months) == 1:
        return months.pop()
    if len({date[:_YEAR] for date in dates}) == 1:
        return dates[0][:_YEAR]
    of_year = {date[_YEAR:_MONTH] for date in dates}
    return calendar.month_name[int(of_year.pop()[1:])].casefold() if len(of_year) == 1 else ""
