"""Route of the map's ruler: how long a line is, and how large the polygon is that it closes."""

from __future__ import annotations

import math

import shapely
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from treeline.toolkit.geodesy import ellipsoid

# Each stretch is measured on the ellipsoid, and a hand draws no more points.
MOST_POINTS = 500
# Of an area; two corners are a line.
_FEWEST_CORNERS = 3


def measure(request: Request) -> Response:
    """Answer ``/measure?line=longitude,latitude;...`` with metres and square metres on the ellipsoid.

    A line that crosses itself when it is closed has no area.
    """
    points = _points(request.query_params.get("line", ""))
    longitudes, latitudes = zip(*points, strict=True)
    metres = ellipsoid().line_length(longitudes, latitudes)
    area = None
    if len(points) >= _FEWEST_CORNERS and shapely.is_valid(shapely.Polygon(points)):
        area = abs(ellipsoid().polygon_area_perimeter(longitudes, latitudes)[0])
    return JSONResponse({"metres": metres, "square_metres": area})


def _points(text: str) -> list[tuple[float, float]]:
    try:
        points = [tuple(map(float, part.split(","))) for part in text.split(";")]
        whole = [(longitude, latitude) for longitude, latitude in points]
    except ValueError:
        raise HTTPException(400, "line is no list of longitude,latitude;longitude,latitude.") from None
    if not 1 < len(whole) <= MOST_POINTS:
        raise HTTPException(400, f"A line has 2 to {MOST_POINTS} points.")
    if not all(math.isfinite(x) and math.isfinite(y) and abs(y) <= 90 for x, y in whole):
        raise HTTPException(400, "A latitude is from -90 to 90 degrees, a longitude a finite number.")
    return whole
