"""Which numbers of a table are in the unit of its result: its statistics, not the attributes beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

# Columns that tell which thing a row is of, and so that its other columns have names and units of their own.
_IDENTIFIERS = frozenset({"zone", "x", "distance", "class", "before", "after", "cluster", "raster"})
_MEASURE = re.compile(
    r"mean|median|min|max|minimum|maximum|std|stdev|sum|range|majority|minority|value"
    r"|p(?:ercentile_?)?\d+|area|area_on_ground|shares"
)
_CLASS = re.compile(r"-?\d+(?:\.\d+)?")


def is_of_things(row: Mapping[str, Any]) -> bool:
    """Return whether a row tells what was measured of one polygon, place or class, beside what it is."""
    return any(name.casefold() in _IDENTIFIERS for name in row) and any(map(is_measure, row))


def is_by_class(row: Mapping[str, Any]) -> bool:
    """Return whether a row has a value for each class, named by its number."""
    return bool(row) and all(_CLASS.fullmatch(name) for name in row)


def is_measure(name: str) -> bool:
    """Return whether a column of such a row has the unit of the result, as its name tells."""
    return _MEASURE.fullmatch(name) is not None  # AREA is an attribute


def measures_of(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the columns of rows that are in the unit of the result, in their order."""
    return list(dict.fromkeys(name for row in rows for name in row if is_measure(name)))
