"""The map as a picture: what is seen of the layers, with legend, scale bar, north and dates."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from treeline.core.serving.drawing import HALF_WORLD, WEB_MERCATOR, colour, view_of
from treeline.core.serving.layers import MapLayer, class_title
from treeline.core.serving.styles import Style, colours_of, stops
from treeline.core.serving.tiles import unit_text
from treeline.toolkit.geodesy import ellipsoid, way_between
from treeline.toolkit.raster import Grid

_WIDTH, _HEIGHT = 1200, 900
DOTS, _LEGEND = 150, 0.24
_LINE, _GAP = 0.032, 0.03
# Pixels from a point to its label.
_ABOVE = 30
_MOST_CLASSES, _LETTERS, _CLASS_LETTERS = 24, 28, 32


@dataclass(frozen=True)
class View:
    """What is seen: the middle in degrees, and the width on the map in metres of Web Mercator."""

    latitude: float
    longitude: float
    width: float

    @classmethod
    def over(cls, bounds: tuple[float, float, float, float]) -> View:
        """Return the view that bounds in degrees fill."""
        way = way_between("EPSG:4326", WEB_MERCATOR)
        west, south, east, north = bounds
        (left, right), (bottom, top) = way.transform([west, east], [south, north])
        back = way_between(WEB_MERCATOR, "EPSG:4326")
        longitude, latitude = back.transform((left + right) / 2, (bottom + top) / 2)
        return cls(latitude, longitude, 1.04 * max(right - left, (top - bottom) * _WIDTH / _HEIGHT))

    @classmethod
    def at(cls, latitude: float, longitude: float, zoom: float, pixels: int) -> View:
        """Return the view of a map on the screen that is so many pixels wide."""
        return cls(latitude, longitude, pixels * 2 * HALF_WORLD / 256 / 2**zoom)

    @property
    def grid(self) -> Grid:
        """The pixels of the picture."""
        x, y = way_between("EPSG:4326", WEB_MERCATOR).transform(self.longitude, self.latitude)
        pixel = self.width / _WIDTH
        left, top = x - self.width / 2, y + pixel * _HEIGHT / 2
        return Grid(WEB_MERCATOR, (pixel, 0.0, left, 0.0, -pixel, top), _WIDTH, _HEIGHT)

    @property
    def ground(self) -> float:
        """Its width on the ground in metres, along the middle."""
        x, y = way_between("EPSG:4326", WEB_MERCATOR).transform(self.longitude, self.latitude)
        back = way_between(WEB_MERCATOR, "EPSG:4326")
        (west, east), _ = back.transform([x - self.width / 2, x + self.width / 2], [y, y])
        return float(ellipsoid().inv(west, self.latitude, east, self.latitude)[2])


@dataclass(frozen=True)
class Outline:
    """A polygon or a point over the layers, in degrees; with a label or without."""

    geometry: BaseGeometry
    label: str = ""
    strong: bool = False


def draw_map(
    layers: Sequence[tuple[MapLayer, Style, float]],
    view: View,
    outlines: Sequence[Outline] = (),
    dots: int = DOTS,
    *,
    dark: bool = False,
) -> bytes:
    """Return the map as PNG.

    Parameters
    ----------
    layers : sequence of tuple
        Each with how it is drawn and its opacity, the last one uppermost.
    dots : int
        For an inch of what is written; more of them where the picture is shown small.
    dark : bool
        For a dark page.

    Raises
    ------
    RasterError
        A file is not readable any more.
    """
    # Imported where it is used: Matplotlib takes longer than the start of a page may.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from treeline.toolkit.raster.classes import rgba
    from treeline.toolkit.raster.pictures import DARK_PAPER, darken, draw_north, draw_scale

    figure = Figure(figsize=(_WIDTH / (1 - _LEGEND) / dots, _HEIGHT / dots), dpi=dots)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1 - _LEGEND, 1.0))
    paper = rgba(DARK_PAPER if dark else "#ffffff")
    axes.imshow(_overlay(layers, view.grid, paper[:3]), interpolation="nearest", aspect="auto")
    axes.set_axis_off()
    for outline in outlines:
        _draw_outline(axes, outline, view.grid)
    axes.set_xlim(-0.5, _WIDTH - 0.5)
    axes.set_ylim(_HEIGHT - 0.5, -0.5)
    draw_scale(axes, view.ground, (_HEIGHT, _WIDTH))
    draw_north(axes)
    top = 1 - _GAP
    for layer, style, _ in reversed(layers):
        top = _draw_legend(figure, layer, style, top, dots / DOTS) - _GAP
    if dark:
        darken(figure)
    stream = io.BytesIO()
    canvas.print_png(stream)
    return stream.getvalue()


def _overlay(
    layers: Sequence[tuple[MapLayer, Style, float]], grid: Grid, paper: tuple[int, ...]
) -> NDArray[np.uint8]:
    """Return the layers over one another, on a paper of one colour."""
    picture = np.full((grid.height, grid.width, 3), paper, dtype="float32")
    for layer, style, opacity in layers:
        bands = view_of(layer, grid)
        if bands is None:
            continue
        image = colour(layer, style, bands).astype("float32")
        share = image[..., 3:] / 255.0 * opacity
        picture += (image[..., :3] - picture) * share
    return picture.round().astype("uint8")


def _draw_outline(axes: Any, outline: Outline, grid: Grid) -> None:
    way = way_between("EPSG:4326", WEB_MERCATOR)
    inverse = ~grid.affine
    if isinstance(outline.geometry, shapely.Point):
        column, row = inverse * way.transform(outline.geometry.x, outline.geometry.y)
        axes.plot(column, row, "o", markersize=9, markeredgewidth=2, color="none", markeredgecolor="#c2410c")
        _write(axes, (column, row - _ABOVE), outline.label)
        return
    for part in shapely.get_parts(outline.geometry):
        for ring in (part.exterior, *part.interiors):
            columns, rows = inverse * way.transform(*shapely.get_coordinates(ring).T)
            axes.plot(columns, rows, color="black", linewidth=2.4, alpha=0.6)
            axes.plot(columns, rows, color="#c2410c" if outline.strong else "white", linewidth=1.4)
    if outline.label:
        largest = max(shapely.get_parts(outline.geometry), key=shapely.area)
        place = shapely.get_coordinates(shapely.maximum_inscribed_circle(largest))[0]
        _write(axes, inverse * way.transform(*place), outline.label)


def _write(axes: Any, place: tuple[float, float], text: str) -> None:
    axes.text(
        *place,
        text,
        ha="center",
        va="center",
        fontsize=7,
        clip_on=True,
        bbox={"facecolor": "white", "alpha": 0.85, "pad": 2, "linewidth": 0},
    )


def _draw_legend(figure: Any, layer: MapLayer, style: Style, top: float, size: float) -> float:
    """Draw the legend of a layer below a height of the figure; return where it ends."""
    line = _LINE * size
    left, width = 1 - _LEGEND + 0.015, _LEGEND - 0.03
    unit = unit_text(layer.unit)
    title = wrap(f"{layer.title}{f' [{unit}]' if unit else ''}", round(_LETTERS / size))
    figure.text(left, top, "\n".join(title), fontsize=8, weight="bold", va="top")
    top -= (0.6 + len(title)) * line
    if style.colormap == "classes":
        return _draw_classes(figure, layer, style, left, top, line)
    if style.colormap != "rgb":
        from matplotlib.colors import LinearSegmentedColormap

        ramp = LinearSegmentedColormap.from_list("ramp", stops(style.colormap, 32))
        bar = figure.add_axes((left, top - line, width, 0.8 * line))
        bar.imshow(np.linspace(0, 1, 256)[np.newaxis], aspect="auto", cmap=ramp)
        bar.set_axis_off()
        figure.text(left, top - 1.2 * line, f"{style.low:.4g}", fontsize=7, va="top")
        figure.text(left + width, top - 1.2 * line, f"{style.high:.4g}", fontsize=7, va="top", ha="right")
        return top - 2 * line
    return top


def _draw_classes(figure: Any, layer: MapLayer, style: Style, left: float, top: float, line: float) -> float:
    from matplotlib.patches import Rectangle

    names = layer.class_names
    shown = [(value, rgba) for value, rgba in colours_of(layer, style).items() if rgba[3]]
    for value, rgba in shown[:_MOST_CLASSES]:
        patch = Rectangle(
            (left, top - 0.8 * line),
            0.02,
            0.7 * line,
            transform=figure.transFigure,
            color=[part / 255 for part in rgba],
        )
        figure.add_artist(patch)
        name = wrap(class_title(names, value), round(_CLASS_LETTERS * _LINE / line))
        figure.text(left + 0.028, top - 0.1 * line, "\n".join(name), fontsize=7, va="top")
        top -= (0.2 + 0.8 * len(name)) * line
    if len(shown) > _MOST_CLASSES:
        figure.text(left, top, f"and {len(shown) - _MOST_CLASSES} more", fontsize=7, va="top")
        top -= line
    return top
