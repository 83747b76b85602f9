"""Arguments that are lists where a tool takes one raster: the arguments of each of its calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.parameters import Parameter


def cut_to_shortest(parameters: Sequence[Parameter], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with lists that are taken item by item cut to the shortest, with a warning.

    The reference does so in silence. Lists that a tool takes as a whole are left as they are.
    """
    item_by_item = any(p.many for p in parameters if p.is_output)
    names = [
        p.name
        for p in parameters
        if p.contract and _is_list(arguments.get(p.name)) and (item_by_item or not p.many)
    ]
    lengths = {name: len(arguments[name]) for name in names}
    if len(set(lengths.values())) < 2:
        return dict(arguments)
    shortest = min(lengths.values())
    found = ", ".join(f"{name}: {length}" for name, length in lengths.items())
    current_context().warn(f"The lists differ in length ({found}); the first {shortest} of each were used.")
    return {**arguments, **{name: list(arguments[name])[:shortest] for name in names}}


def calls_over(
    name: str, parameters: Sequence[Parameter], arguments: Mapping[str, Any]
) -> list[dict[str, Any]] | None:
    """Return the arguments of each call where a parameter that takes one raster is given a list.

    Single values serve every call. Lists of outputs are taken item by item; one output name for many
    becomes ``<stem>_1``, ``<stem>_2`` and so on, padded with zeros so that names sort.

    Parameters
    ----------
    name : str
        Of the tool, for messages.

    Returns
    -------
    list of dict or None
        ``None`` where no such parameter is given a list.

    Raises
    ------
    InputError
        A list is empty, or the lists differ in length.
    """
    given = {p.name: arguments.get(p.name) for p in parameters if p.is_input and not p.many}
    lengths = {key: len(value) for key, value in given.items() if isinstance(value, list | tuple)}
    if not lengths:
        return None
    empty = next((key for key, length in lengths.items() if not length), None)
    if empty is not None:
        raise InputError(f"{name}: the list {empty!r} is empty.", "Give at least one raster.")
    require_equal(name, lengths)
    count = next(iter(lengths.values()))
    return [_of_item(name, parameters, arguments, index, count) for index in range(count)]


def rows_of(value: Any) -> list[Any]:
    """Return the rows of a result, by which it is cut and asked for, whatever its form.

    Tables of several rasters are one table, with the number of the raster in each row; tables in a record are
    one with the rest of it, each row with the name of its table. A record has its pairs of name and value.
    """
    if isinstance(value, dict):
        if not any(map(_is_table, value.values())):
            return list(value.items())
        of_tables = [({"of": name}, item) for name, item in value.items()]
        return [
            row
            for name, item in of_tables
            for row in ([{**name, **row} for row in item] if _is_table(item) else [{name["of"]: item}])
        ]
    if not isinstance(value, list):
        return [value]
    if len(value) > 1 and all(map(_is_table, value)):
        return [{"raster": number, **row} for number, table in enumerate(value, 1) for row in table]
    return value


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(row, dict) for row in value)


def require_equal(name: str, lengths: Mapping[str, int]) -> None:
    """Raise :class:`InputError` unless the lengths of lists are equal."""
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{key}: {length}" for key, length in lengths.items())
        raise InputError(f"{name}: the lists differ in length ({found}).", "Give lists of one length.")


def _of_item(
    name: str, parameters: Sequence[Parameter], arguments: Mapping[str, Any], index: int, count: int
) -> dict[str, Any]:
    changed = dict(arguments)
    for parameter in parameters:
        if parameter.contract is None or parameter.many:
            continue
        value = arguments.get(parameter.name, parameter.default)
        if _is_list(value):
            require_equal(name, {"the rasters": count, parameter.name: len(value)})
            changed[parameter.name] = value[index]
        elif parameter.is_output and isinstance(value, str) and count > 1:
            changed[parameter.name] = number_output(value, index, count)
    return changed


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def number_output(output: str, index: int, count: int) -> str:
    """Return the name of one of several outputs that have one name: ``ndvi_03.tif`` of ``ndvi.tif``."""
    path = Path(output)
    # Filled with zeros, so that names sort as the items do.
    number = str(index + 1).zfill(len(str(count)))
    return str(path.with_name(f"{path.stem}_{number}{path.suffix}"))
