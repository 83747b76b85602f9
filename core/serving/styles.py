"""How variables are drawn: colormaps, ranges, class colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treeline.core.confinement import call
from treeline.core.serving.displays import DISPLAYS
from treeline.core.serving.layers import MapLayer
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, class_legend, read_small, read_whole
from treeline.toolkit.raster.classes import rgba, usual_colour
from treeline.toolkit.raster.ramps import Ramp, usual_ramp

Colour = tuple[int, int, int, int]

COLORMAPS = (
    "gray",
    "viridis",
    "magma",
    "inferno",
    "cividis",
    "turbo",
    "rdylgn",
    "rdylgn_r",
    "ylgn",
    "ylgnbu",
    "blues",
    "brbg",
    "rdbu",
    "rdbu_r",
    "rdylbu_r",
    "spectral_r",
    "ylorrd",
    "gist_earth",
)

# Colour-blind-safe qualitative palette of Okabe and Ito (2008), then Tableau's lighter tints.
_QUALITATIVE = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
    "#f0e442",
    "#7f7f7f",
    "#aec7e8",
    "#ffbb78",
    "#98df8a",
    "#ff9896",
    "#c5b0d5",
    "#c49c94",
    "#dbdb8d",
    "#9edae5",
)
_UNNAMED = "#9aa3a0"
# More colours than this cannot be told apart, and a legend of them has no room.
_MOST_CLASSES = 32
_SAMPLE_SIZE = 512
# So many dates of a series tell its range.
_MOST_READ = 12
# Decisions: clouds and snow reflect more than this in each visible band, which hardly any ground does; from
# this share of an image on its ground gives the range of its colours.
_BRIGHT, _VISIBLE, _LEAST_GROUND = 0.2, frozenset({"blue", "green", "red"}), 0.05


@dataclass(frozen=True, slots=True)
class Style:
    """How a layer is drawn.

    Attributes
    ----------
    colormap : str
        One of :data:`COLORMAPS`; ``classes`` for discrete values; ``rgb`` for a colour image.
    low, high : float
        Values at both ends of the colormap, in the unit of the layer; for a colour image shares of
        each band's own range.
    colours : tuple
        Of classes, those that a person chose: a value with ``#rrggbb`` each.
    only : float, optional
        The one class that is drawn.
    """

    colormap: str
    low: float
    high: float
    colours: tuple[tuple[float, str], ...] = ()
    only: float | None = None


@lru_cache(maxsize=2048)
def default_style(layer: MapLayer) -> Style:
    """Return how a layer is drawn until a person chooses otherwise.

    Raises
    ------
    RasterError
        The file is not readable any more.
    """
    return call(_find_style, DISPLAYS.layer(layer))


def style_in_series(layer: MapLayer, series: Sequence[MapLayer]) -> Style:
    """Return how a layer is drawn where it is one of a series: in one range over all dates.

    Parameters
    ----------
    series : sequence of MapLayer
        The same variable at several dates. Of many a part, evenly spread, gives the range.

    Raises
    ------
    RasterError
        A file is not readable any more.
    """
    usual = default_style(layer)
    ramp = usual_ramp(layer.role, layer.unit)
    if usual.colormap in ("rgb", "classes") or None not in (ramp.low, ramp.high):
        return usual
    spread = series[:: -(-len(series) // _MOST_READ)] if series else ()
    # A large file without its copy would be read whole for this.
    ready = [each for each in map(DISPLAYS.layer_at_hand, spread) if each is not None]
    if len(ready) < 2:
        return usual
    low, high = _within(ramp, *_common_range(tuple(each.drawn_sources[0] for each in ready)))
    return replace(usual, low=low, high=high)


def _within(ramp: Ramp, low: float, high: float) -> tuple[float, float]:
    """Return the ends of a ramp: its own, or those of the values; of changes both as far from none."""
    if ramp.symmetric:
        high = max(abs(low), abs(high))
        return -high, high
    return low if ramp.low is None else ramp.low, high if ramp.high is None else ramp.high


@lru_cache(maxsize=256)
def _common_range(sources: tuple[Source, ...]) -> tuple[float, float]:
    """Return the 2nd and 98th percentile of a sample of bands of several files."""
    return call(_find_common_range, sources)


def _find_common_range(sources: tuple[Source, ...]) -> tuple[float, float]:
    every = [_sample(read_whole((source,))[0]) for source in sources]
    return _percentiles(np.concatenate(every), 2.0, 98.0)


def _find_style(layer: MapLayer) -> Style:
    if layer.is_colour:
        return Style("rgb", 0.0, 1.0)
    ramp = usual_ramp(layer.role, layer.unit)
    colormap, low, high = ramp.colormap, ramp.low, ramp.high
    if colormap == "classes":
        if class_colours(layer):
            return Style("classes", 0.0, 1.0)
        colormap = "viridis"
    if low is None or high is None:
        low, high = _within(ramp, *percentile_ranges(layer.drawn_sources)[0])
    return Style(colormap, low, high)


@lru_cache(maxsize=512)
def class_colours(layer: MapLayer) -> dict[float, Colour]:
    """Return a colour for each class of a layer; empty when there are too many to be classes.

    The colours are those of the file, where it has a colour table that distinguishes its classes. A layer of
    zeros and ones without one is a mask: zero is transparent.
    """
    return call(_find_classes, DISPLAYS.layer(layer))


def _find_classes(layer: MapLayer) -> dict[float, Colour]:
    sample = read_small(layer.drawn_sources[0], _SAMPLE_SIZE)
    values = np.unique(sample[np.isfinite(sample)])
    if not 0 < len(values) <= _MOST_CLASSES or not np.all(values == np.round(values)):
        return {}
    own = class_legend(layer.sources[0]).colours
    if len({own.get(int(value)) for value in values} - {None}) == len(values):
        return {float(value): own[int(value)] for value in values}
    colours = _distinct_colours([float(value) for value in values], layer.class_names)
    if set(colours) <= {0.0, 1.0}:
        return {0.0: (0, 0, 0, 0), 1.0: rgba("#d55e00")}
    return colours


def _distinct_colours(values: Sequence[float], names: Mapping[int, str]) -> dict[float, Colour]:
    """Return a colour for each value: the usual one of what it is called, else the next that is left.

    Grey where others have a name and it has none: it is no land cover.
    """
    usual = {
        value: usual_colour(names.get(int(value), "")) if int(value) in names or not names else _UNNAMED
        for value in values
    }
    left = iter(colour for colour in _QUALITATIVE * 2 if colour not in usual.values())
    taken: set[str] = set()
    found = {}
    for value in values:
        own = usual[value]
        colour = own if own and own not in taken else next(left)
        taken.add(colour)
        found[value] = rgba(colour)
    return found


def histogram(source: Source, bins: int = 48) -> tuple[list[int], float, float]:
    """Return how often values of a sample of a band occur from the least to the greatest, and these two."""
    return call(_find_histogram, source, bins)


def _find_histogram(source: Source, bins: int) -> tuple[list[int], float, float]:
    values = _sample(read_whole((source,))[0])
    if values.size == 0:
        return [], 0.0, 1.0
    counts, edges = np.histogram(values, bins)
    return [int(count) for count in counts], float(edges[0]), float(edges[-1])


def colours_of(layer: MapLayer, style: Style) -> dict[float, Colour]:
    """Return a colour for each class of a layer, those of the style before its own."""
    colours = class_colours(layer) | {value: rgba(colour) for value, colour in style.colours}
    return {value: colour for value, colour in colours.items() if style.only in (None, value)}


def is_colormap(name: str) -> bool:
    """Return whether there is a colormap of that name; ``_r`` behind a name turns it round."""
    return name in COLORMAPS or reverse_colormap(name) in COLORMAPS


def reverse_colormap(colormap: str) -> str:
    """Return the name of a colormap turned round."""
    return colormap.removesuffix("_r") if colormap.endswith("_r") else f"{colormap}_r"


def percentile_range(source: Source, least: float, most: float) -> tuple[float, float]:
    """Return two percentiles of a sample of a band."""
    return call(percentile_ranges, (source,), least, most)[0]


def ranges_of(layer: MapLayer) -> list[tuple[float, float]]:
    """Return in which range each band of a colour image is drawn: 2nd to 98th percentile of the ground."""
    return list(_colour_ranges(tuple(layer.drawn_sources), layer.is_of_one_file))


@lru_cache(maxsize=512)
def _colour_ranges(sources: tuple[Source, ...], of_one_file: bool) -> tuple[tuple[float, float], ...]:
    bands = list(read_whole(sources)) if of_one_file else [read_whole((source,))[0] for source in sources]
    bright = [band > _BRIGHT for band, source in zip(bands, sources, strict=True) if source.role in _VISIBLE]
    if bright and all(band.shape == bright[0].shape for band in bands):
        valid = np.logical_and.reduce([np.isfinite(band) for band in bands])
        ground = valid & ~np.logical_and.reduce(bright)
        # Clouds would leave all else dark; where there is hardly any ground, they are what there is to see.
        enough = ground.sum() > _LEAST_GROUND * valid.sum()
        if enough and all(np.ptp(band[ground]) > 0 for band in bands):
            bands = [np.where(ground, band, np.nan) for band in bands]
    return tuple(_range_of(band, 2.0, 98.0) for band in bands)


@lru_cache(maxsize=1024)
def percentile_ranges(
    sources: tuple[Source, ...], least: float = 2.0, most: float = 98.0
) -> list[tuple[float, float]]:
    """Return two percentiles of a sample of each of several bands of one file, usually 2nd and 98th."""
    return [_range_of(band, least, most) for band in read_whole(sources)]


def _range_of(band: NDArray[np.floating], least: float, most: float) -> tuple[float, float]:
    return _percentiles(_sample(band), least, most)


def _percentiles(values: NDArray[np.floating], least: float, most: float) -> tuple[float, float]:
    if values.size == 0:
        return 0.0, 1.0
    low, high = (float(v) for v in np.percentile(values, (least, most)))
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def _sample(band: NDArray[np.floating]) -> NDArray[np.floating]:
    every = max(1, round(max(band.shape) / _SAMPLE_SIZE))
    values = band[::every, ::every]
    return values[np.isfinite(values)]


def stops(colormap: str, count: int = 12) -> list[str]:
    """Return colours along a colormap as ``#rrggbb``, for a legend."""
    chosen = ramp_of(colormap)[[round(i * 255 / (count - 1)) for i in range(count)], :3].tolist()
    return ["#{:02x}{:02x}{:02x}".format(*colour) for colour in chosen]


@lru_cache(maxsize=64)
def ramp_of(colormap: str) -> NDArray[np.uint8]:
    """Return the 256 colours of a colormap, with their opacity.

    Raises
    ------
    InputError
        There is no such colormap.
    """
    if not is_colormap(colormap):
        raise InputError(f"There is no colormap {colormap[:40]!r}.", f"There are {', '.join(COLORMAPS)}.")
    # The package that brings them is not imported: with it come readers of many formats, for which the first
    # page would wait.
    package = find_spec("rio_tiler")
    assert package is not None and package.origin is not None
    colours: NDArray[np.uint8] = np.load(Path(package.origin).parent / "cmap_data" / f"{colormap}.npy")
    return colours
