"""What the results of steps hold as evidence: their numbers and units, names, dates, series and counts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from treeline.core.engine.actions import Observation, ProductRecord
from treeline.core.engine.calls import texts
from treeline.core.engine.checks import COUNT, INDEX
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import (
    dates_in,
    dates_of_file,
    without_dates,
)
from treeline.core.engine.verification.evidence import Evidence
from treeline.core.engine.verification.percent import per_cent, rest_of
from treeline.core.engine.verification.phrases import ENDINGS
from treeline.core.engine.verification.rates import changes_of, rates_of, slopes_of
from treeline.core.engine.verification.readings import (
    difference_of,
    units_of,
)
from treeline.core.engine.verification.relation_words import RELATIONS
from treeline.core.engine.verification.results import (
    IDENTIFIERS,
    STATISTICS,
    ends_of_values,
    is_number,
    numbers_in,
    percentiles_of,
    quantity_of,
    usual_numbers,
    written_as,
)
from treeline.core.engine.verification.statistic_words import statistic_of

# Keys of records whose numbers can be added to, and taken from, others; those of a test cannot.
_ADDITIVE = frozenset(
    {"min", "max", "minimum", "maximum", "mean", "median", "sum", "total", "value", "slope"}
)
_DIFFERENCE = re.compile(r"difference|deviation|range|^(?:std|iqr|mad)$")
# What a calculation of numbers has the unit of these.
_KEEPS_UNIT = re.compile(
    rf"{_DIFFERENCE.pattern}|^(?:mean|median|sum|max|min|extreme|pick|percentile|trimmed_mean|mode)$"
)
# How two are set against each other, so that the result has their unit.
_SETS_APART = ("difference", "absolute_difference", "sum")
_WORDS = re.compile(r"[^\W\d_]{2,}")
# A longer text is a description that came with a file, and what it says was not computed from the file.
_MOST_WORDS = 4
_PATH = re.compile(rf"\S*[/\\]\S*|\S+\.{ENDINGS}\b", re.I)
_QUOTED = re.compile(r"(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"")
# What the numbers of a table stand under, how many rows of it a text leaves out, and what classes are called.
_NOT_FOUND = re.compile(r'"[^"\n]*":|^\.\.\. .*$|^\(classes: .*$', re.M)
_DIGITS = re.compile(r"(?<![\w.])[-+\u2212]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?")


def evidence_of(steps: Iterable[Step], limits: Sequence[float] = ()) -> Evidence:
    """Return what the results of steps hold."""
    steps = [step for step in steps if step.observation.kind == "result"]
    observations = [step.observation for step in steps]
    said = [text for each in observations for text in _all_texts(each)]
    counts = [count for each in observations for count in _counts(each)]
    numbers = _without_short_forms(n for each in observations for n in _numbers_of(each))
    # What an earlier step found and a later one was handed was not said to it.
    handed = [n for each in observations for n in _plain_numbers(each.arguments or {})]
    found = written_as(numbers, handed)
    arguments = [n for n in handed if n not in found]
    return Evidence(
        tuple(numbers),
        tuple(n for each in observations for n in _single(each)),
        tuple(tuple(column) for each in observations for column in _series(each.value)),
        tuple(dict.fromkeys(name for each in observations for name in names_in_result(each.value))),
        (*counts, *_counts_of_dates(observations)),
        frozenset(date for text in said for date in dates_in(text)),
        "\n".join(said).casefold(),
        tuple(limits),
        tuple(arguments),
        tuple(n for each in observations for n in _numbers_in_notes(each)),
        _known_units(steps),
        tuple(
            n for s in steps for n in (*_implied_numbers(s.observation), *_variances(s), *_shares_beyond(s))
        ),
        rates_of(steps),
        changes_of(steps),
        tuple(n for each in observations for product in each.products for n in _parts_of(product)),
        usual=tuple(n for s in steps for n in usual_numbers(s)),
        computed=frozenset(n for s in steps if _computes(s) for n in numbers_in(s.observation.value)),
    )


def _without_short_forms(numbers: Iterable[float]) -> dict[float, None]:
    """Return numbers in their order, but for those that only tell another one with fewer digits.

    A text that repeats what an earlier step found has it without its unit.
    """
    known = dict.fromkeys(numbers)
    short = {float(f"{n:.6g}") for n in known if n % 1 and n != float(f"{n:.6g}")}
    return {n: None for n in known if n not in short or not n % 1}


def _computes(step: Step) -> bool:
    """Return whether a call made numbers of numbers by a formula, whose unit only who wrote it knows."""
    return "formula" in (step.observation.arguments or {}) and not step.observation.products


def _implied_numbers(observation: Observation) -> Iterator[tuple[float, tuple[str, ...]]]:
    record = observation.value if isinstance(observation.value, dict) else {}
    yield from ((record[key] ** 2, ("1",)) for key in RELATIONS if is_number(record.get(key)))
    known = [float(n) for key, n in record.items() if key.casefold() in _ADDITIVE and is_number(n)]
    units = difference_of((observation.unit,)) if observation.unit else ()
    yield from ((a - b, units) for a, b in itertools.permutations(known, 2))


def _variances(step: Step) -> Iterator[tuple[float, tuple[str, ...]]]:
    """Yield the squares of a result's deviations: no tool need be called for a variance."""
    value, unit = step.observation.value, step.observation.unit
    # It has the square of the unit, which no length and no temperature is told in.
    units = (f"{unit}^2",) if unit not in ("", INDEX, "1") else ()
    if statistic_of(_statistic_or_quantity(step)) == "std":
        yield from ((n**2, units) for n in numbers_in(value))
    elif isinstance(value, dict):
        yield from ((n**2, units) for k, n in value.items() if statistic_of(k) == "std" and is_number(n))


def _shares_beyond(step: Step) -> Iterator[tuple[float, tuple[str, ...]]]:
    """Yield how much lies below and above the percentile that a step found."""
    asked = dict.fromkeys(percentage for percentage, _ in percentiles_of([step]))
    yield from ((part, ("%",)) for percentage in asked for part in (percentage, rest_of(percentage)))


def _known_units(steps: Iterable[Step]) -> Mapping[float, tuple[str, ...]]:
    """Return the units of the numbers that no result has without one."""
    found: dict[float, set[str]] = {}
    for step in steps:
        of_inputs = (
            _units_of_inputs(step, found) if _KEEPS_UNIT.search(_statistic_or_quantity(step)) else ("",)
        )
        of_slopes = _units_of_slopes(step, found)
        for number, own in units_of(step.observation):
            told = (
                of_slopes
                if number in slopes_of(step.observation)
                else (own,)
                if own
                else (COUNT,)
                if _counts_marks(step, number)
                else of_inputs
            )
            found.setdefault(number, set()).update(difference_of(told) if _is_difference(step) else told)
    # Texts tell a number shortly, which is the same number again.
    for number, units in [(n, units) for n, units in found.items() if n % 1]:
        found.setdefault(float(f"{number:.6g}"), units)
    # Of a whole number many things can be; with decimals it is the same number again.
    return {
        number: tuple(sorted(units - {""}))
        for number, units in found.items()
        if "" not in units or number % 1 and len(units) > 1
    }


def _units_of_slopes(step: Step, known: Mapping[float, set[str]]) -> tuple[str, ...]:
    """Return the unit of what the series of a step changes by: of shares these are percentage points."""
    arguments = step.observation.arguments or {}
    series = numbers_in(arguments.get("y", arguments.get("x")))
    units = [known.get(n, set()) - {"", COUNT} for n in series]
    shared = set.intersection(*units) if units else set()
    return difference_of(tuple(shared)) if len(shared) == 1 else ("",)


def _counts_marks(step: Step, number: float) -> bool:
    """Return whether a number is how many pixels a mask marks: a whole sum of what has no unit."""
    return _statistic_or_quantity(step) == "sum" and _reads_files(step) and number % 1 == 0


def _reads_files(step: Step) -> bool:
    return any(_PATH.fullmatch(text) for text in texts(step.observation.arguments))


def _units_of_inputs(step: Step, known: Mapping[float, set[str]]) -> tuple[str, ...]:
    """Return the unit that all numbers have that a call was handed; an empty one where there is none.

    A whole number may be that of a class as well. Where a pixel is a hectare, areas are counts of pixels too,
    and so is what is made of them.
    """
    handed = [*(step.observation.arguments or {}).values()]
    lists = [item for item in handed if isinstance(item, list)]
    units = [known.get(n, set()) - {""} for n in numbers_in(lists or handed)]
    shared = set.intersection(*units) if units else set()
    return tuple(sorted(shared)) if len(shared - {COUNT}) == 1 or shared == {COUNT} else ("",)


def _is_difference(step: Step) -> bool:
    return _DIFFERENCE.search(_statistic_or_quantity(step)) is not None


def _statistic_or_quantity(step: Step) -> str:
    """Return the statistic that a call was asked for, how it set two against each other, or what it gives."""
    arguments = step.observation.arguments or {}
    how = arguments.get("how")
    return str(how if how in _SETS_APART else arguments.get("statistic", quantity_of(step)))


def _all_texts(observation: Observation) -> Iterator[str]:
    yield from (observation.text, *observation.warnings)
    yield from texts(observation.value)
    # Where a file lies tells nothing of it, but for the folder that it is in, which may be named by its day.
    yield from (" ".join([PurePath(t).name, *dates_of_file(t)]) for t in texts(observation.arguments))
    yield from _keys(observation.value)
    for product in observation.products:
        yield from (
            product.name,
            product.handle,
            product.role,
            product.unit,
            product.date or "",
            product.place,
        )


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _keys(item)


def _numbers_of(observation: Observation) -> Iterator[float]:
    known = list(numbers_in(observation.value))
    yield from known
    of_products = [number for product in observation.products for number in _statistics(product)]
    # As texts of results tell them: six digits in tables, twelve of a single number.
    shortly = {*known, *(float(f"{number:.{digits}g}") for number in known for digits in (6, 12))}
    told_of = (n for p in observation.products for n in (p.minimum, p.maximum, p.mean) if n is not None)
    shortly |= {float(f"{number:.4g}") for number in (*of_products, *told_of)}
    told = [text for text in texts(observation.value) if len(_WORDS.findall(text)) > _MOST_WORDS]
    own = observation.text
    for text in told:  # what files say of themselves was not found in them
        own = own.replace(text, " ")
    others = [text for text in texts(observation.value) if text not in told]
    own = _NOT_FOUND.sub(" ", own)
    for text in (own, *(_QUOTED.sub(" ", text) for text in observation.warnings), *others):
        yield from (number for number in _numbers_in(text) if number not in shortly)
    yield from of_products


def _statistics(product: ProductRecord) -> list[float]:
    known = (*ends_of_values(product), product.mean, product.valid_share)
    return [number for number in known if number is not None]


def _parts_of(product: ProductRecord) -> Iterator[float]:
    """Yield what part of a raster is valid, and what part of that a mask marks."""
    is_mask = product.minimum in (0, 1) and product.maximum in (0, 1)
    yield from (n for n in (product.valid_share, product.mean if is_mask else None) if n is not None)


def _numbers_in_notes(observation: Observation) -> Iterator[float]:
    for warning in observation.warnings:
        yield from _numbers_in(warning)
    for product in observation.products:
        yield from _statistics(product) if not product.date else ()


def _numbers_in(text: str) -> Iterator[float]:
    for found in _DIGITS.findall(without_dates(text)):
        yield float(found.replace(",", "").replace("\u2212", "-"))


def _plain_numbers(value: Any) -> Iterator[float]:
    """Yield the numbers of arguments; those of folders and files were not said of anything."""
    yield from numbers_in(value)
    for text in texts(value):
        yield from _numbers_in(_PATH.sub(" ", text))


def _single(observation: Observation) -> list[float]:
    """Return a result's numbers where it has few: one, two, or those of a small record."""
    value = observation.value
    if isinstance(value, list) and any(isinstance(row, dict) for row in value):
        return []
    found = list(numbers_in(_additive(value) if isinstance(value, dict) else value))
    return found if len(found) == 1 or len(found) <= 3 and not _is_of_statistics(value) else []


def _is_of_statistics(value: Any) -> bool:
    """Return whether a record holds statistics of one thing, which have neither sum nor mean."""
    return isinstance(value, dict) and STATISTICS.issuperset(str(key).casefold() for key in value)


def _additive(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record without the numbers of tests and the like, which add up to nothing."""
    return {k: v for k, v in record.items() if k.casefold() not in STATISTICS - _ADDITIVE}


def _series(value: Any) -> Iterator[list[float]]:
    """Yield the lists of numbers in a result, and the columns of its tables."""
    if isinstance(value, dict):
        kept = {} if _is_of_statistics(value) else _additive(value)
        found = [float(item) for item in kept.values() if is_number(item)]
        yield from [found] if len(found) > 1 else []
        for item in value.values():
            yield from _series(item)
    elif isinstance(value, list):
        found = [float(item) for item in value if is_number(item)]
        yield from [found] if len(found) > 1 else []
        rows = [row for row in value if isinstance(row, dict)]
        for key in dict.fromkeys(k for row in rows for k in row if k.casefold() not in IDENTIFIERS):
            column = [float(row[key]) for row in rows if is_number(row.get(key))]
            yield from [column] if len(column) > 1 else []
        for item in value:
            yield from _series(item) if isinstance(item, list) else ()


def _counts(observation: Observation) -> Iterator[float]:
    """Yield how many items a result lists, how many rasters it read, wrote, and wrote empty, and shares."""
    value = observation.value
    read = {len(v) for v in (observation.arguments or {}).values() if isinstance(v, list)}
    yield from map(float, read)
    yield from [float(len(observation.products))] if observation.products else []
    empty = sum(product.valid_share == 0 for product in observation.products)
    yield from [float(empty)] if empty else []
    if isinstance(value, list | dict):
        yield float(len(value))
    if is_number(value):
        yield from (per_cent(value, length) for length in read if length)


def _counts_of_dates(observations: Sequence[Observation]) -> Iterator[float]:
    """Yield of how many dates the rasters of several steps are together, and those without a pixel."""
    products = [product for each in observations for product in each.products if product.date]
    yield from (
        float(len(dates))
        for dates in ({p.date for p in products}, {p.date for p in products if p.valid_share == 0})
        if dates
    )


def names_in_result(value: Any) -> Iterator[str]:
    """Yield the names that a result lists: those that its numbers stand beside."""
    if isinstance(value, dict):
        inner = [
            v for v in value.values() if isinstance(v, dict) and not STATISTICS & {*map(str.casefold, v)}
        ]
        keys = [k for k, v in value.items() if is_number(v) or isinstance(v, dict) and v not in inner]
        for item in (*inner, *(v for v in value.values() if isinstance(v, list))):
            yield from names_in_result(item)
        if len(keys) > 1 and not {k.casefold() for k in keys} & STATISTICS:
            yield from (key.casefold() for key in keys if not _DIGITS.fullmatch(key) and not dates_in(key))
    for row in value if isinstance(value, list) else ():
        if isinstance(row, dict):
            found = (text.casefold() for text in row.values() if isinstance(text, str))
            yield from (name for name in found if not dates_in(name) and "." not in name[-6:])
