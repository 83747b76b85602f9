"""Routes of the map: tiles, the value under the pointer, the legend."""

from __future__ import annotations

import math
import re
import time
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from treeline.core.confinement import call
from treeline.core.metrics import TILE_SECONDS
from treeline.core.serving.displays import DISPLAYS
from treeline.core.serving.drawing import draw_preview, draw_tile
from treeline.core.serving.layers import LAYERS, MapLayer, class_title
from treeline.core.serving.styles import Style, colours_of, default_style, is_colormap, stops
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import values_at

# A token stands for one state of one file, so what it gives never changes.
_HEADERS = {"Cache-Control": "private, max-age=86400, immutable"}
# The size is part of an address that anybody with the page may change.
_LARGEST_PREVIEW = 1024
_COLOURS = re.compile(r"(-?\d{1,9}-[0-9a-f]{6})(,-?\d{1,9}-[0-9a-f]{6}){0,63}")
# A pixel of it is 2 mm wide; numbers of columns grow without end beyond.
_DEEPEST_ZOOM = 26
# Maps go round the world again and again.
_FARTHEST = 3_600


def tile(request: Request) -> Response:
    """Answer ``/tiles/{token}/{z}/{x}/{y}.png?colormap=&low=&high=``."""
    began, code = time.monotonic(), 500
    try:
        answer = _tile(request)
        code = answer.status_code
        return answer
    except HTTPException as error:
        code = error.status_code
        raise
    finally:
        TILE_SECONDS.labels(code).observe(time.monotonic() - began)


def _tile(request: Request) -> Response:
    layer = _layer(request)
    z, x, y = (request.path_params[name] for name in ("z", "x", "y"))
    if not layer.on_map or z > _DEEPEST_ZOOM or max(x, y) >= 2**z:
        raise HTTPException(404)
    try:
        image = call(draw_tile, layer, _style(request, layer), z, x, y)
    except TreelineError as error:
        raise HTTPException(404, str(error)) from error
    if image is None:
        return Response(status_code=204, headers=_HEADERS)
    return Response(image, media_type="image/png", headers=_HEADERS)


def preview(request: Request) -> Response:
    """Answer ``/tiles/{token}/preview.png?size=``: the whole layer in its own grid."""
    layer = _layer(request)
    size = min(max(int(_number(request, "size", 256)), 16), _LARGEST_PREVIEW)
    try:
        image = call(draw_preview, layer, _style(request, layer), size)
        return Response(image, media_type="image/png", headers=_HEADERS)
    except TreelineError as error:
        raise HTTPException(404, str(error)) from error


def value(request: Request) -> Response:
    """Answer ``/tiles/{token}/value?longitude=&latitude=`` with physical values, a band each."""
    layer = _layer(request)
    point = (_number(request, "longitude", math.nan), _number(request, "latitude", math.nan))
    if not (abs(point[0]) <= _FARTHEST and abs(point[1]) <= 90):
        raise HTTPException(400, "A longitude and a latitude in degrees are needed.")
    try:
        return JSONResponse({"values": call(point_values, layer, *point), "unit": layer.unit})
    except TreelineError as error:
        raise HTTPException(404, str(error)) from error


def legend(request: Request) -> Response:
    """Answer ``/tiles/{token}/legend.json`` with the title, the unit, the range and the colours."""
    layer = _layer(request)
    style = _style(request, layer)
    body: dict[str, Any] = {
        "title": layer.title,
        "unit": unit_text(layer.unit),
        "low": style.low,
        "high": style.high,
    }
    if style.colormap == "classes":
        names = layer.class_names
        body["classes"] = [
            [v, "#{:02x}{:02x}{:02x}".format(*c[:3]), class_title(names, v)]
            for v, c in colours_of(layer, style).items()
            if c[3]
        ]
    elif style.colormap != "rgb":
        body["colours"] = stops(style.colormap)
    return JSONResponse(body, headers=_HEADERS)


def point_values(layer: MapLayer, longitude: float, latitude: float) -> list[float | None]:
    """Return the physical value of each band of a layer at a point; ``None`` where there is none.

    Raises
    ------
    RasterError
        The layer has no CRS, or the file is gone.
    """
    found = [float(values_at(s, [(longitude, latitude)], crs="EPSG:4326")[0]) for s in layer.sources]
    return [value if math.isfinite(value) else None for value in found]


def unit_text(unit: str) -> str:
    """Return a unit as a legend shows it: nothing for a pure number."""
    return "" if unit in ("1", "class") else unit


def style_query(style: Style) -> str:
    """Return a style as the query of a tile's address."""
    query = f"colormap={style.colormap}&low={style.low:.6g}&high={style.high:.6g}"
    colours = ",".join(f"{value:g}-{colour.removeprefix('#')}" for value, colour in style.colours)
    query = f"{query}&colours={colours}" if colours else query
    return query if style.only is None else f"{query}&only={style.only:g}"


def _layer(request: Request) -> MapLayer:
    layer = LAYERS.get(request.path_params["token"])
    if layer is None:
        raise HTTPException(404)
    return DISPLAYS.layer(layer)


def _style(request: Request, layer: MapLayer) -> Style:
    default = default_style(layer)
    colormap = request.query_params.get("colormap", default.colormap)
    low, high = _number(request, "low", default.low), _number(request, "high", default.high)
    if not (is_colormap(colormap) or colormap == default.colormap) or not high > low:
        raise HTTPException(400, "There is no such colormap, or the range is empty.")
    only = _number(request, "only", math.nan) if "only" in request.query_params else None
    return Style(colormap, low, high, _colours(request.query_params.get("colours", "")), only)


def _colours(text: str) -> tuple[tuple[float, str], ...]:
    """Return the colours of classes as an address has them: ``1-00ff00,2-0000ff``."""
    if not text:
        return ()
    if not _COLOURS.fullmatch(text):
        raise HTTPException(400, "colours is no list of VALUE-rrggbb.")
    parts = (part.rpartition("-") for part in text.split(","))
    return tuple((float(value), f"#{colour}") for value, _, colour in parts)


def _number(request: Request, name: str, default: float) -> float:
    text = request.query_params.get(name)
    if text is None:
        return default
    try:
        number = float(text)
    except ValueError:
        raise HTTPException(400, f"{name} is no number.") from None
    if not math.isfinite(number):
        raise HTTPException(400, f"{name} is no finite number.")
    return number
