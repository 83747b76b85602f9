"""What lies along a line that is drawn on the map: the values of the layers that are seen there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from treeline.core.serving.layers import MapLayer
from treeline.core.serving.spreadsheets import csv_text
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE, ellipsoid, way_between
from treeline.toolkit.raster import Source, values_at
from treeline.toolkit.raster.grid import transform_points

# A chart has no more pixels across.
MOST_POINTS = 1000
# A line that passes a corner of a pixel by is to have a point in it.
_POINTS_A_PIXEL = 2
Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ProfileValue:
    """What one band has at a point of a line.

    Attributes
    ----------
    metres : float
        From the beginning of the line, on the ellipsoid.
    longitude, latitude : float
    layer, band : str
    value : float, optional
        Physical, of the pixel under the point; ``None`` where there is no data.
    unit : str
    class_name : str
        What a value of a class is called.
    """

    metres: float
    longitude: float
    latitude: float
    layer: str
    band: str
    value: float | None
    unit: str
    class_name: str = ""


def profile_values(layers: Sequence[MapLayer], line: Sequence[Place]) -> list[ProfileValue]:
    """Return what each band of layers has along a line, band by band from its beginning to its end.

    The points are those of the first layer: two in each of its pixels that the line crosses, fewer in a line
    across more than a thousand.

    Parameters
    ----------
    layers : sequence of MapLayer
        Each has a CRS.
    line : sequence of (longitude, latitude)
        Its corners.

    Raises
    ------
    TreelineError
        A file is gone or cannot be read.
    """
    points = _points_along(line, _count(layers[0].sources[0], line))
    places = [(longitude, latitude) for _, longitude, latitude in points]
    found: list[ProfileValue] = []
    for layer in layers:
        names = layer.class_names if not layer.is_colour else {}
        for source in layer.sources:
            values = values_at(source, places, crs=LONGITUDE_LATITUDE)
            found.extend(
                ProfileValue(
                    *point,
                    layer.title,
                    source.band.name,
                    float(value) if math.isfinite(value) else None,
                    layer.unit,
                    names.get(int(value), "") if math.isfinite(value) else "",
                )
                for point, value in zip(points, values, strict=True)
            )
    return found


def profile_csv(values: Iterable[ProfileValue]) -> str:
    """Return values as CSV, a point of a band a line; what a spreadsheet would run is quoted as text."""
    names = [each.name for each in fields(ProfileValue)]
    return csv_text(names, ([getattr(value, name) for name in names] for value in values))


def _count(source: Source, line: Sequence[Place]) -> int:
    """Return how many points a line takes so that none of the pixels that it crosses is left out."""
    grid = source.grid
    xs, ys = way_between(LONGITUDE_LATITUDE, grid.crs or LONGITUDE_LATITUDE).transform(
        *np.asarray(line, dtype="float64").T
    )
    columns, rows = transform_points(~grid.affine, np.asarray(xs), np.asarray(ys))
    crossed = float(np.hypot(np.diff(columns), np.diff(rows)).sum())
    wanted = math.ceil(_POINTS_A_PIXEL * crossed) if math.isfinite(crossed) else MOST_POINTS
    return max(len(line), min(MOST_POINTS, wanted + 1))


def _points_along(line: Sequence[Place], count: int) -> list[tuple[float, float, float]]:
    """Return metres, longitude and latitude of points along the shortest ways between corners."""
    longitudes, latitudes = np.asarray(line, dtype="float64").T
    stretches = np.asarray(ellipsoid().line_lengths(longitudes, latitudes))
    total, begun = float(stretches.sum()), 0.0
    points = [(0.0, float(longitudes[0]), float(latitudes[0]))]
    for number, metres in enumerate(map(float, stretches)):
        between = max(0, round(metres / total * (count - 1)) - 1) if total else 0
        start = float(longitudes[number]), float(latitudes[number])
        end = float(longitudes[number + 1]), float(latitudes[number + 1])
        inner = ellipsoid().npts(*start, *end, between) if between else []
        for place, (longitude, latitude) in enumerate(inner, start=1):
            points.append((begun + metres * place / (between + 1), longitude, latitude))
        begun += metres
        points.append((begun, *end))
    return points
