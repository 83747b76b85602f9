"""What the classes of a result are called, where the raster that it is of has a legend."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from treeline.core.engine.rundata import RunData
from treeline.core.engine.table_units import is_by_class
from treeline.core.workspace.class_names import NamesBeside, is_of_classes
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import class_legend, source
from treeline.toolkit.tool import Tool

# Columns of a table that hold the number of a class.
_COLUMNS = frozenset({"class", "before", "after"})
# Columns of a row that tells the name of its class itself.
_NAMED = frozenset({"class", "name"})
_WHOLE = re.compile(r"-?\d+(?:\.0+)?")
_NO_NAME = "(no name)"


def class_line(tool: Tool, arguments: Mapping[str, Any], value: Any, data: RunData) -> str:
    """Return the names of the classes of a result in a line; empty where none is known or needed.

    Parameters
    ----------
    arguments : mapping
        As the tool was called.
    value : Any
        Of the result, as JSON.
    """
    found = sorted(set(_classes_of(value)))
    names = _legend(tool, arguments, data) if found else {}
    if names.keys().isdisjoint(found):
        return ""
    return f"(classes: {', '.join(f'{number} {names.get(number, _NO_NAME)}' for number in found)})"


def _classes_of(value: Any) -> Iterator[int]:
    """Yield the numbers of the classes of which a result tells something; none where it names them."""
    if isinstance(value, list):
        for item in value:
            yield from _classes_of(item)
    elif isinstance(value, dict) and is_by_class(value):
        yield from map(_number, filter(_WHOLE.fullmatch, value))
    elif isinstance(value, dict) and not value.keys() >= _NAMED:
        for name, item in value.items():
            if isinstance(item, list | dict):
                yield from _classes_of(item)
            elif name in _COLUMNS and _WHOLE.fullmatch(str(item)):
                yield _number(str(item))


def _number(text: str) -> int:
    return int(float(text))


def _legend(tool: Tool, arguments: Mapping[str, Any], data: RunData) -> Mapping[int, str]:
    """Return the names of the classes of the raster that a call took classes from.

    It is the last of the rasters that it takes. One that the run made has those that it was made with alone:
    its numbers may mean others than those of the user's rasters.
    """
    address = arguments.get(tool.inputs[-1].name) if tool.inputs else None
    first = address[0] if isinstance(address, list) and address else address
    if not isinstance(first, str):
        return {}
    try:
        band = source(first)
    except TreelineError:
        return {}
    own = class_legend(band).names
    if own or data.folder in band.path.parents or not is_of_classes(band):
        return own
    return NamesBeside(data.workspace).of(band)
