"""Checks of a call's inputs before it and of its products after it, against the variable contracts."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from treeline.core.engine.actions import ProductRecord
from treeline.toolkit.errors import InputError, TreelineError
from treeline.toolkit.naming import name_argument
from treeline.toolkit.tool import OF_INPUT, Reads, Tool
from treeline.toolkit.units import UNITS, convert
from treeline.toolkit.variables import variable

if TYPE_CHECKING:
    from treeline.toolkit.raster import Source

# The unit of a number of pixels or of things.
COUNT = "count"
# Statistics of fewer pixels than a twentieth describe what was left by clouds or edges, not the scene.
_LEAST_VALID_SHARE = 0.05
# The unit of an index that may lie below zero: it is no share, and is not given in percent.
INDEX = "index"
# A collection holds rasters of one variable: a few of them tell the unit of all.
_MOST_ASKED = 8
# Statistics that are a value of what they are a statistic of.
ANY_STATISTIC = "any_statistic"  # which one an argument says
KEEPING = frozenset({"mean", "median", "minimum", "maximum", "min", "max", "percentile", "trimmed_mean"})
# Statistics that are a difference of such values: a deviation in kelvin is one in degrees Celsius too.
SPREADS = frozenset({"std", "range", "deviation", "iqr", "mad"})


def check_inputs(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """Resolve every input raster and compare its role with the contract.

    Runs inside the tool context, so that addresses resolve in the workspace.

    Raises
    ------
    RasterMissing, RasterUnreadable, RoleMismatch
        Names the raster, what it is, and what exists.
    """
    for parameter in tool.inputs:
        assert isinstance(parameter.contract, Reads)
        value = arguments.get(parameter.name)
        with name_argument(parameter.name):
            for address in value if isinstance(value, list) else [value]:
                if isinstance(address, str) and parameter.contract.roles:
                    _source_of(address, *parameter.contract.roles)
                elif isinstance(address, str):
                    _bands_of(address)


def doubts(product: ProductRecord) -> list[str]:
    """Return what is implausible about a product, in sentences; empty when nothing is."""
    if product.kind != "raster" or product.minimum is None or product.maximum is None:
        return []
    found = _out_of_range(product)
    if product.valid_share is not None and product.valid_share < _LEAST_VALID_SHARE:
        found.append(f"{product.name}: only {product.valid_share:.1%} of the pixels are valid.")
    # A scene without fire, or all of one class, is a plain result of these roles.
    if product.minimum == product.maximum and product.role not in ("mask", "fire_mask", "landcover"):
        found.append(f"{product.name}: every valid pixel has the same value, {product.minimum:.4g}.")
    return found


def faults(product: ProductRecord) -> list[str]:
    """Return those of the doubts of a product for which no answer can rest on it.

    Single pixels may leave the plausible range, as bright clouds do; none may leave what is possible, and
    their mean may leave neither.
    """
    known = variable(product.role)
    if product.kind != "raster" or known is None or product.minimum is None or product.maximum is None:
        return []
    (low, high), (least, most) = known.plausible, known.limits
    possible = least <= product.minimum and product.maximum <= most
    usual = product.mean is None or low <= product.mean <= high
    return [] if possible and usual else _out_of_range(product)


def doubts_of_value(tool: Tool, arguments: Mapping[str, Any], value: Any) -> list[str]:
    """Return why no answer should rest on a number: the variable that it is a value of cannot have it.

    Judged are the tools that keep what they measure: a mean or a maximum of temperatures is a temperature.
    Runs inside the tool context, as :func:`check_inputs`.

    Parameters
    ----------
    arguments : mapping
        As the tool was called with; the first input says which variable the value is of.
    value : object
        The result; anything but a number, or a list of numbers, gives no doubt.
    """
    if tool.gives.quantity not in KEEPING or tool.gives.unit != OF_INPUT or not tool.inputs:
        return []
    first = arguments.get(tool.inputs[0].name)
    addresses = first if isinstance(first, list) else [first]
    numbers = value if isinstance(value, list) else [value]
    if len(addresses) != len(numbers):
        addresses = addresses[:1] * len(numbers)
    return [
        doubt
        for address, number in zip(addresses, numbers, strict=True)
        if isinstance(address, str) and isinstance(number, int | float)
        for doubt in _doubts_of_number(_source_of(address), number)
    ]


def unit_of_result(tool: Tool, arguments: Mapping[str, Any]) -> str:
    """Return the unit of the numbers that a call gives; empty where neither contract nor inputs tell it.

    Runs inside the tool context, as :func:`check_inputs`.

    Returns
    -------
    str
        As in :data:`treeline.toolkit.units.UNITS`, or ``COUNT`` for pixels and things that are counted.
    """
    stated = tool.gives.unit
    if stated is None:
        return ""
    if tool.gives.quantity.startswith("count"):
        return "%" if _argument_of(tool, arguments, "return_type") == "ratio" else COUNT
    if stated != OF_INPUT:
        chosen = arguments.get("unit")
        return str(chosen) if chosen in UNITS and stated in UNITS else stated
    chosen = _argument_of(tool, arguments, "statistic")
    if chosen == "share":
        return "%"
    # A table tells by its columns which of its numbers are statistics.
    by_columns = tool.gives.kind == "table" and not chosen
    keeps = by_columns or tool.gives.of or (chosen or tool.gives.quantity) in KEEPING | SPREADS
    if not keeps:
        return ""
    units = set(_units_of_inputs(tool, arguments))
    return units.pop() if len(units) == 1 else ""


def units_of_items(tool: Tool, arguments: Mapping[str, Any], value: Any) -> tuple[str, ...]:
    """Return the unit of each item of a result that is of rasters of several units; empty of any other.

    Runs inside the tool context, as :func:`check_inputs`.
    """
    if not isinstance(value, list) or tool.gives.unit != OF_INPUT or unit_of_result(tool, arguments):
        return ()
    statistic = _argument_of(tool, arguments, "statistic")
    if statistic and statistic not in KEEPING | SPREADS:
        return ()
    units = _units_of_inputs(tool, arguments)
    return tuple(units) if len(units) == len(value) and len(set(units)) > 1 else ()


def _units_of_inputs(tool: Tool, arguments: Mapping[str, Any]) -> list[str]:
    """Return the unit of each of the first rasters that a call reads; empty where one cannot be read."""
    if not tool.inputs:
        return []
    first = arguments.get(tool.gives.of or tool.inputs[0].name)
    addresses = [text for text in (first if isinstance(first, list) else [first]) if isinstance(text, str)]
    try:
        origins = map(_source_of, addresses[:_MOST_ASKED])
        return [unit_of_role(origin.role, origin.unit) for origin in origins]
    except TreelineError:
        return []


def _source_of(address: str, *roles: str) -> Source:
    # The raster engine takes a tenth of a second to import, which a tool of plain numbers does without.
    from treeline.toolkit.raster import source

    return source(address, *roles)


def _bands_of(address: str) -> list[Source]:
    from treeline.toolkit.raster import all_bands

    return all_bands(address)


def unit_of_role(role: str | None, unit: str) -> str:
    """Return the unit of the values of a role; of an index, which may lie below zero, that it is no share."""
    known = variable(role)
    return INDEX if known is not None and known.unit == "1" and known.limits[0] < 0 else unit


def _argument_of(tool: Tool, arguments: Mapping[str, Any], name: str) -> Any:
    """Return an argument of a call, or what the tool takes where it was left out."""
    default = next((each.default for each in tool.parameters if each.name == name), None)
    return arguments.get(name, default)


def _doubts_of_number(origin: Source, number: float) -> list[str]:
    known = variable(origin.role)
    if known is None or not isfinite(number):
        return []
    try:
        own = convert(number, origin.unit, known.unit)
    except InputError:
        return []
    low, high = known.limits
    if low <= own <= high:
        return []
    return [
        f"{origin.name}: {number:.6g} {origin.unit} is no value that {known.title} can have ({low:g} to "
        f"{high:g} {known.unit}); are scale, unit and fill right?"
    ]


def _out_of_range(product: ProductRecord) -> list[str]:
    known = variable(product.role)
    if known is None or product.minimum is None or product.maximum is None:
        return []
    low, high = known.plausible
    if low <= product.minimum and product.maximum <= high:
        return []
    return [
        f"{product.name}: values from {product.minimum:.4g} to {product.maximum:.4g} leave the "
        f"plausible range of {known.title} ({low:g} to {high:g} {known.unit}); are scale and units "
        "of the inputs right?"
    ]
