"""Values at points and along lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import shapely

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE, ellipsoid, unit_of_crs, way_between
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import Source, bands_of, values_at
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, tool
from treeline.toolkit.vector import Feature, Features, checked_crs, read_features

MOST_POINTS = 1_000_000
Row = dict[str, Any]


@tool(
    kit=GEOMETRY,
    source="Reading of the pixel that holds the point.",
    gives=Gives("table", "samples", OF_INPUT),
    formula="value of the pixel that the point falls into",
)
def sample_points(
    input_path: Annotated[str, Reads()],
    points: list[tuple[float, float]] | None = None,
    points_path: str | None = None,
    crs: str | None = None,
) -> list[Row]:
    """Values of a raster at points, for every band.

    Parameters
    ----------
    input_path : str
        A raster.
    points : list of (x, y), optional
        Coordinates.
    points_path : str, optional
        Instead: name of a vector file with points in the workspace; or WKT or GeoJSON text.
    crs : str, optional
        CRS of ``points``, such as ``EPSG:4326`` for (longitude, latitude); default: the raster's.

    Returns
    -------
    list of dict
        For each point ``x``, ``y`` (in the CRS they were given in), the attributes of the file, and a value
        per band; null where the raster has none.
    """
    if (points is None) == (points_path is None):
        raise InputError("Either 'points' or 'points_path' must be given.", "Give one of them.")
    bands = bands_of(input_path)
    if points_path is not None:
        features = read_features(points_path).of_kind("Point")
        places, attributes = _coordinates(features)
        wanted = features.crs
    else:
        assert points is not None
        places, attributes = points, [{}] * len(points)
        wanted = checked_crs(crs) if crs else None
    _require_few(len(places))
    return _rows(bands, places, attributes, wanted)


@tool(
    kit=GEOMETRY,
    source="Karney 2013, J. Geodesy 87:43 (distances on the ellipsoid)",
    gives=Gives("table", "profile", OF_INPUT),
    formula="value of the pixel under points at even distances along the line",
)
def profile_along_line(
    input_path: Annotated[str, Reads()],
    line: list[tuple[float, float]] | None = None,
    line_path: str | None = None,
    spacing: float | None = None,
    crs: str | None = None,
) -> list[Row]:
    """Profile: values of a raster along a line, with the distance from its start.

    Parameters
    ----------
    input_path : str
        A raster, such as elevation.
    line : list of (x, y), optional
        The line's corners, two or more.
    line_path : str, optional
        Instead: name of a vector file, or WKT or GeoJSON text, whose first line is taken.
    spacing : float, optional
        Distance between points in units of the raster's CRS; default: the side of a pixel.
    crs : str, optional
        CRS of ``line``; default: the raster's.

    Returns
    -------
    list of dict
        For each point ``distance`` from the start (metres where the raster has a CRS, else units of the
        raster), ``x``, ``y`` in the raster's CRS, and a value per band; null where the raster has none.
    """
    if (line is None) == (line_path is None):
        raise InputError("Either 'line' or 'line_path' must be given.", "Give one of them.")
    bands = bands_of(input_path)
    way = _line(bands[0], line, line_path, crs)
    _require_within(bands[0], way)
    step = spacing if spacing is not None else bands[0].grid.column_width
    if not (math.isfinite(step) and step > 0):
        raise InputError(f"The argument 'spacing' is {step}.", "Give a distance above 0.")
    _require_few(way.length / step + 1)
    count = int(way.length / step) + 1
    # The end of the line is always a point of the profile, and only once.
    along = np.append(np.arange(count) * step, way.length)
    along = along[:-1] if math.isclose(along[-1], along[-2], abs_tol=min(step, way.length) * 1e-6) else along
    places = [(float(p.x), float(p.y)) for p in shapely.line_interpolate_point(way, along)]
    distances = _metres(places, bands[0].grid.crs)
    attributes = [{"distance": distance} for distance in distances]
    return _rows(bands, places, attributes, None)


def _rows(bands: list[Source], places: Any, attributes: list[Row], crs: str | None) -> list[Row]:
    names = _names(bands)
    columns = {n: values_at(b, places, crs=crs) for n, b in zip(names, bands, strict=True)}
    rows = [
        {**known, "x": float(place[0]), "y": float(place[1]), **_values(columns, index)}
        for index, (place, known) in enumerate(zip(places, attributes, strict=True))
    ]
    outside = sum(all(row[name] is None for name in names) for row in rows)
    if outside:
        current_context().warn(f"{outside} of {len(rows)} points have no value: outside or nodata.")
    return rows


def _values(columns: dict[str, Any], index: int) -> Row:
    found = {name: float(values[index]) for name, values in columns.items()}
    return {name: None if math.isnan(value) else value for name, value in found.items()}


def _names(bands: list[Source]) -> list[str]:
    if len(bands) == 1:
        return ["value"]
    names = [band.role or band.band.name for band in bands]
    return [n if names.count(n) == 1 else f"{n}_{b.band.index}" for n, b in zip(names, bands, strict=True)]


def _coordinates(features: Features) -> tuple[list[tuple[float, float]], list[Row]]:
    places, attributes = [], []
    for item in features.items:
        for x, y in shapely.get_coordinates(item.geometry):
            places.append((float(x), float(y)))
            attributes.append(dict(item.attributes))
    return places, attributes


def _line(band: Source, line: Any, line_path: str | None, crs: str | None) -> shapely.LineString:
    own, bounds = band.grid.crs, band.grid.bounds
    if line_path is not None:
        way = read_features(line_path).of_kind("LineString").in_crs(own, bounds).geometries[0]
        return way.geoms[0] if way.geom_type == "MultiLineString" else way
    if len(line) < 2 or not np.isfinite(np.asarray(line, dtype=float)).all():
        raise InputError("The argument 'line' needs two or more points.", "Give [[x, y], [x, y]].")
    given = Features("line", checked_crs(crs) if crs else own, (Feature(shapely.LineString(line)),))
    return given.in_crs(own, bounds).geometries[0]


def _require_within(band: Source, way: shapely.LineString) -> None:
    grid = band.grid
    if way.intersects(shapely.box(*grid.bounds)):
        return
    told = f"{_extent(grid.bounds)} ({grid.crs_text})"
    hint = "Give a line within these bounds"
    if grid.crs and unit_of_crs(grid.crs) != "degrees":
        inside = way_between(grid.crs, LONGITUDE_LATITUDE).transform_bounds(*grid.bounds)
        hint += f"; with crs='{LONGITUDE_LATITUDE}' they are {_extent(inside)}"
    raise GridMismatch(
        f"The line lies outside of {band.name}: {_extent(way.bounds)}, where the raster has {told}.",
        f"{hint}.",
    )


def _extent(bounds: Sequence[float]) -> str:
    left, bottom, right, top = (f"{bound:.8g}" for bound in bounds)
    return f"x {left} to {right}, y {bottom} to {top}"


def _metres(places: list[tuple[float, float]], crs: str | None) -> list[float]:
    if crs is None:
        steps = np.hypot(*np.diff(np.asarray(places), axis=0).T)
        return [0.0, *np.cumsum(steps).tolist()]
    way = (
        Features("line", crs, (Feature(shapely.LineString(places)),)).in_crs(LONGITUDE_LATITUDE).geometries[0]
    )
    lengths = ellipsoid().line_lengths(*shapely.get_coordinates(way).T)
    return [0.0, *np.cumsum(lengths).tolist()]


def _require_few(count: float) -> None:
    if not 1 <= count <= MOST_POINTS:
        raise InputError(
            f"There would be {count:.6g} points; 1 to {MOST_POINTS} are possible.", "Give other points."
        )
