"""What rasters and vector files hold: files, variables, sensors, dates, reference systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

from treeline.toolkit.raster import Source, bands_of
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import Gives, Reads, tool
from treeline.toolkit.variables import variable
from treeline.toolkit.vector import read_features

Row = dict[str, Any]


@tool(
    kit=STATISTICS,
    source="What names, tags and metadata of the files say.",
    gives=Gives("table", "contents"),
    formula="bands of one file, variable or sensor together are one row",
)
def describe_rasters(
    file_list: Annotated[list[str], Reads()], by: Literal["file", "variable", "sensor"] = "variable"
) -> list[Row]:
    """What rasters hold: a row for each file, variable or sensor, with bands, dates, CRS, no-data value.

    Parameters
    ----------
    file_list : list of str
        The rasters; of a file whose band is not named, every band.
    by : str
        What a row is of: ``file``, ``variable`` or ``sensor``.

    Returns
    -------
    list of dict
        Sorted: the ``file``, ``variable`` or ``sensor`` (null where nothing tells it), then what it has:
        ``files`` and ``dates`` (how many), ``bands``, ``variables`` and ``sensors`` (names), ``first`` and
        ``last`` (dates; null without one), ``unit``, ``crs`` and ``no_data`` (null where they differ or are
        not told).
    """
    groups: dict[str, list[Source]] = {}
    for origin in (band for address in file_list for band in bands_of(address)):
        groups.setdefault(_KEYS[by](origin), []).append(origin)
    named = {key: _NAMES[by](members[0]) for key, members in groups.items()}
    return [
        {by: named[key], **_row_of(members)}
        for key, members in sorted(groups.items(), key=lambda group: (named[group[0]] or "", group[0]))
    ]


@tool(
    kit=STATISTICS,
    source="The vector file itself.",
    gives=Gives("value", "contents"),
    formula="features with a geometry, counted",
)
def describe_features(vector_path: str) -> dict[str, Any]:
    """Number of features of a vector file, their geometry, attributes, CRS and bounds.

    Parameters
    ----------
    vector_path : str
        Name of a vector file in the workspace; or WKT or GeoJSON text.

    Returns
    -------
    dict
        ``file``, ``features`` (how many have a geometry), ``geometries`` and ``attributes`` (names), ``crs``
        (null without one), ``left``, ``bottom``, ``right``, ``top`` in the CRS.
    """
    found = read_features(vector_path)
    return {
        "file": found.name,
        "features": len(found.items),
        "geometries": sorted({geometry.geom_type for geometry in found.geometries}),
        "attributes": list(dict.fromkeys(name for item in found.items for name in item.attributes)),
        "crs": found.crs,
        **dict(zip(("left", "bottom", "right", "top"), found.bounds, strict=True)),
    }


def _title_of(origin: Source) -> str | None:
    known = variable(origin.role)
    return known.title if known else origin.role


def _row_of(members: list[Source]) -> Row:
    days = sorted({moment.date() for one in members if (moment := one.description.date) is not None})
    return {
        "files": len({one.path for one in members}),
        "dates": len(days),
        "bands": _each_once(one.band.name for one in members),
        "variables": _each_once(_title_of(one) for one in members),
        "sensors": _each_once(one.description.sensor for one in members),
        "first": str(days[0]) if days else None,
        "last": str(days[-1]) if days else None,
        "unit": _common(one.unit for one in members),
        "crs": _common(one.grid.crs for one in members),
        "no_data": _common(map(_fill_of, members)),
    }


def _fill_of(origin: Source) -> float | str | None:
    first = next(iter(origin.band.fill), None)
    return "NaN" if first is not None and math.isnan(first) else first


def _each_once(names: Iterable[str | None]) -> list[str]:
    return sorted({name for name in names if name})


def _common(values: Iterable[object]) -> object:
    """Return what all have; ``None`` where they differ."""
    known = set(values)
    return known.pop() if len(known) == 1 else None


# Files of one name lie in several folders; each is a row.
_KEYS: dict[str, Callable[[Source], str]] = {
    "file": lambda origin: str(origin.path),
    "variable": lambda origin: origin.role or "",
    "sensor": lambda origin: origin.description.sensor or "",
}
_NAMES: dict[str, Callable[[Source], str | None]] = {
    "file": lambda origin: origin.path.name,
    "variable": _title_of,
    "sensor": lambda origin: origin.description.sensor,
}
