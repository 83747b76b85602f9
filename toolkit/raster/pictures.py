"""A raster as a picture for people and for models that see: map, legend, date, scale bar, north."""

from __future__ import annotations

import io
import math
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.text import Text
from numpy.typing import NDArray
from pyproj import CRS, Geod, Transformer

from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.raster.area_mask import window_inside
from treeline.toolkit.raster.classes import class_legend, rgba, usual_colour
from treeline.toolkit.raster.grid import Grid
from treeline.toolkit.raster.ramps import usual_ramp
from treeline.toolkit.raster.sampling import read_small
from treeline.toolkit.raster.source import Source, source
from treeline.toolkit.variables import variable

_SIZE, _DOTS = (7.0, 5.2), 130
_MOST_PIXELS = 900
_MOST_CLASSES = 20
# So many letters of a title have room above a map.
_LINE = 76
# Okabe and Ito (2008), told apart with colour vision deficiencies too.
USUAL_COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999")
_BAR_SHARE = 0.25
DARK_PAPER, _DARK_INK = "#14191a", "#e3e8e6"
_STEPS = (5, 2, 1)


def map_picture(
    address: str | Path, title: str = "", area: AreaOfInterest | None = None, *, dark: bool = False
) -> bytes:
    """Return a raster's first band as PNG, for a light or a dark page; see :func:`map_figure`."""
    stream = io.BytesIO()
    figure = map_figure(address, title, area)
    if dark:
        darken(figure)
    FigureCanvasAgg(figure).print_png(stream)
    return stream.getvalue()


def darken(figure: Figure) -> None:
    """Draw a figure for a dark page: dark where it has no colour, light where it is written on that."""
    figure.set_facecolor(DARK_PAPER)
    for axes in figure.axes:
        axes.set_facecolor(DARK_PAPER)
        axes.tick_params(colors=_DARK_INK)
        for spine in axes.spines.values():
            spine.set_edgecolor(_DARK_INK)
    for text in figure.findobj(Text):
        text.set_color(_DARK_INK)
        paper, arrow = text.get_bbox_patch(), getattr(text, "arrow_patch", None)
        if paper is not None:
            paper.set_facecolor(DARK_PAPER)
        if arrow is not None:
            arrow.set_color(_DARK_INK)


def map_figure(address: str | Path, title: str = "", area: AreaOfInterest | None = None) -> Figure:
    """Return a raster's first band as a figure.

    Classes have a colour each and a legend, other values the ramp of their variable with a colour bar, where
    it has no range of its own from their 2nd to their 98th percentile; changes are centred on zero.

    Parameters
    ----------
    address : str or Path
        File, with the band behind ``#`` where it is not the first one.
    title : str
        Without one it is the variable with its date, or the file's name.
    area : AreaOfInterest, optional
        The picture ends at its bounds: what a run made inside has no pixel outside.

    Raises
    ------
    RasterError
        The file cannot be read.
    """
    band = source(address)
    inside = window_inside(area, band.grid)
    seen = inside if inside.width and inside.height else window_inside(None, band.grid)
    values = read_small(band, _MOST_PIXELS, seen)
    figure = Figure(figsize=_SIZE, dpi=_DOTS, layout="constrained")
    axes = figure.add_subplot()
    classes = np.unique(values[np.isfinite(values)])
    if 0 < len(classes) <= _MOST_CLASSES and np.all(classes == np.round(classes)):
        _draw_classes(axes, band, values, classes)
    else:
        _draw_values(figure, axes, band, values)
    axes.set_title("\n".join(wrap(title or _title(band), _LINE)), fontsize=10, parse_math=False)
    axes.set_xticks([])
    axes.set_yticks([])
    draw_scale(axes, _ground_width(band.grid.part(seen)), values.shape)
    if _north_up(band):
        draw_north(axes)
    return figure


def _draw_values(figure: Figure, axes: Any, band: Source, values: NDArray[np.floating]) -> None:
    valid = values[np.isfinite(values)]
    # Without the outermost percents: a few clouds or errors would leave all else in one colour.
    low, high = (float(v) for v in np.percentile(valid, (2, 98))) if valid.size else (0.0, 1.0)
    ramp = usual_ramp(band.role or "", band.unit or "")
    colours = ramp.colormap
    if ramp.low is not None or ramp.high is not None:
        low, high = low if ramp.low is None else ramp.low, high if ramp.high is None else ramp.high
    # Zero in the middle of the colours where values of both signs are changes, or nothing is known of them.
    elif low < 0 < high and (ramp.symmetric or not ramp.known):
        low, high = -max(-low, high), max(-low, high)
        colours = colours if ramp.symmetric else "rdbu"
    drawn = axes.imshow(values, vmin=low, vmax=high, cmap=_colormap(colours), interpolation="nearest")
    unit = band.unit
    figure.colorbar(drawn, ax=axes, shrink=0.8, label="" if unit in (None, "", "1") else unit, extend="both")


def _colormap(name: str) -> str:
    """Return Matplotlib's spelling of a colormap."""
    return next((each for each in colormaps if each.casefold() == name), "viridis")


def _draw_classes(
    axes: Any, band: Source, values: NDArray[np.floating], classes: NDArray[np.floating]
) -> None:
    legend = class_legend(band)
    # The file's colours only where they tell all classes apart.
    own = [legend.colours.get(int(value)) for value in classes]
    if None in own or len(set(own)) < len(own):
        usual = [usual_colour(legend.names.get(int(value), "")) for value in classes]
        several = USUAL_COLOURS * len(classes)
        own = [
            rgba(name if name and usual.count(name) == 1 else several[at]) for at, name in enumerate(usual)
        ]
    colours = [(r / 255, g / 255, b / 255, a / 255) for r, g, b, a in filter(None, own)]
    numbers = np.searchsorted(classes, values).astype(float)
    numbers[~np.isfinite(values)] = np.nan
    axes.imshow(
        numbers, cmap=ListedColormap(colours), vmin=-0.5, vmax=len(classes) - 0.5, interpolation="nearest"
    )
    names = [legend.names.get(int(value), f"{value:g}") for value in classes]
    patches = [Patch(color=colour, label=name) for colour, name in zip(colours, names, strict=True)]
    axes.legend(handles=patches, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8)


def draw_north(axes: Any) -> None:
    """Draw an arrow to the top, where north is."""
    axes.annotate(
        "N",
        xy=(0.965, 0.985),
        xytext=(0.965, 0.90),
        xycoords="axes fraction",
        ha="center",
        va="top",
        textcoords="axes fraction",
        arrowprops={"arrowstyle": "->"},
        fontsize=9,
        bbox={"facecolor": "white", "alpha": 0.7, "pad": 1, "linewidth": 0},
    )


def draw_scale(axes: Any, ground: float, shape: tuple[int, ...]) -> None:
    """Draw a bar of a round length on the ground over an image.

    Parameters
    ----------
    ground : float
        Width of the image on the ground in metres; without it there is no bar.
    shape : tuple of int
        Rows and columns of the image.
    """
    if not ground:
        return
    length = _round_length(ground * _BAR_SHARE)
    width = shape[1] * length / ground
    left, top = shape[1] * 0.03, shape[0] * 0.96
    axes.plot([left, left + width], [top, top], color="black", linewidth=4, solid_capstyle="butt")
    axes.plot([left, left + width], [top, top], color="white", linewidth=2, solid_capstyle="butt")
    told = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
    axes.text(
        left + width / 2,
        top - shape[0] * 0.015,
        told,
        ha="center",
        va="bottom",
        fontsize=8,
        bbox={"facecolor": "white", "alpha": 0.7, "pad": 1, "linewidth": 0},
    )


def _ground_width(grid: Grid) -> float:
    """Return the width of pixels on the ground in metres; 0 where it cannot be known."""
    if not grid.crs:
        return 0.0
    a, b, c, d, e, f = grid.transform
    row = grid.height / 2
    ends = [(c + a * column + b * row, f + d * column + e * row) for column in (0.0, float(grid.width))]
    to_degrees = Transformer.from_crs(CRS.from_user_input(grid.crs), "EPSG:4326", always_xy=True)
    (x0, y0), (x1, y1) = (to_degrees.transform(*end) for end in ends)
    _, _, metres = Geod(ellps="WGS84").inv(x0, y0, x1, y1)
    return metres if math.isfinite(metres) else 0.0


def _north_up(band: Source) -> bool:
    """Return whether the top of the picture is north, but for the angle of a projection's grid."""
    _, b, _, d, e, _ = band.description.transform[:6]
    return bool(band.description.crs) and b == d == 0 and e < 0


def _round_length(metres: float) -> float:
    """Return the greatest of 1, 2, 5 times a power of ten that is not above a length."""
    power = 10.0 ** math.floor(math.log10(metres))
    return next(step * power for step in _STEPS if step * power <= metres)


def _title(band: Source) -> str:
    found = band.description
    known = variable(band.role or "")
    name = known.title if known is not None else found.path.name
    date = f"{found.date:%Y-%m-%d}" if found.date else ""
    return name if not date or date in name else f"{name}, {date}"
