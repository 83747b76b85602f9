"""Numbers, units, nouns and stretches of time as a paraphrase says them."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable

from treeline.core.query.expression import Number, Span
from treeline.core.query.slots import months_of, whole_year

_UNITS = {"degC": "°C", "degF": "°F", "degree": "degrees", "km2": "km2", "1": ""}


def unit_words(unit: str) -> str:
    """Return what a unit is called; a quotient is told by "per", as in questions."""
    return _UNITS.get(unit, unit.replace("/", " per "))


def number_words(node: Number) -> str:
    """Return a number with its unit."""
    unit = unit_words(node.unit)
    value = f"{node.value:.12g}"
    return f"{value} {unit}" if unit else value


def nth(value: float) -> str:
    """Return an ordinal: 2nd, 95th, 2.5th."""
    if value != int(value):
        return f"{value:g}th"
    number = int(value)
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def noun_of_attribute(attribute: str, other: str) -> str:
    """Return what a feature is called by the attribute that names it: region, parcel, crop, ...

    Parameters
    ----------
    other : str
        What it is called where the attribute tells nothing, as ``name`` does.
    """
    words = re.findall(r"[a-z]+", attribute.lower())
    telling = [word for word in words if word not in ("name", "title", "label", "id", "lulc", "kind", "type")]
    if "lulc" in words or "landcover" in words:
        return "class"
    return telling[0] if telling else other


def plural(noun: str) -> str:
    """Return several of a noun."""
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def ordinal(pick: int) -> str:
    """Return which of several dates is meant."""
    return {1: "first", -1: "last", -2: "last but one"}.get(pick, nth(pick))


def bare(parts: Iterable[str]) -> list[str]:
    """Return times without the words that lead to them."""
    return [part.removeprefix("on ").removeprefix("in ") for part in parts]


def span_words(span: Span) -> str:
    """Return a stretch of time."""
    first, last = span.first, span.last
    if first is None:
        return f"until {last}"
    if last is None:
        return f"since {first}"
    if span.is_day:
        return f"on {first}"
    if (year := whole_year(span)) is not None:
        return f"in {year}"
    if span == months_of(first.year, (first.month,)):
        return f"in {calendar.month_name[first.month]} {first.year}"
    return f"from {first} to {last}"
