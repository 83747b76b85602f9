"""Rasters as pictures: three bytes a pixel, with the place that they stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import NoValidPixels
from treeline.toolkit.raster import Grid, Source, bands_of, read_arrays
from treeline.toolkit.raster.grid import transform_points
from treeline.toolkit.recognition.model import RasterDescription

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Values = NDArray[np.floating]
Box = tuple[float, float, float, float]
Limits = Mapping[str, tuple[float, float]]

COLOURS = ("red", "green", "blue")
NEAR_INFRARED = ("nir", "nir08")
# Percentiles: a few glints or shadows would else take up the contrast.
STRETCH = (2.0, 98.0)
WHITE = 255


@dataclass(frozen=True, eq=False)
class Tile:
    """A part of a picture; ``x`` and ``y`` are its left upper corner."""

    x: int
    y: int
    pixels: Pixels


@dataclass(frozen=True, eq=False)
class Picture:
    """A raster as people and networks see it.

    Attributes
    ----------
    pixels : ndarray
        (rows, columns, 3), red, green, blue; bytes as they are stored, other values stretched
        between the 2nd and 98th percentile of their colour. 0 where there is no data.
    valid : ndarray of bool
        Where there is data.
    values : mapping
        Physical values of ``red``, ``green``, ``blue`` and, where the file has it, ``nir``.
    grid : Grid
        Where the pixels lie.
    source : Source
        The first band.
    """

    pixels: Pixels
    valid: Mask
    values: Mapping[str, Values]
    grid: Grid
    source: Source

    @property
    def shape(self) -> tuple[int, int]:
        """``(rows, columns)``."""
        return self.grid.shape

    @cached_property
    def luminance(self) -> Values:
        """Brightness from 0 to 1 by ITU-R BT.601."""
        return (self.pixels @ np.array([0.299, 0.587, 0.114], dtype=np.float32)) / np.float32(WHITE)

    @property
    def is_reflectance(self) -> bool:
        """Whether the values are known to be reflectances."""
        return self.source.role in COLOURS and self.source.band.scale_known

    @property
    def is_photograph(self) -> bool:
        """Whether the bytes are shown as they are stored."""
        return _is_picture(self.source.description)

    @property
    def is_mask(self) -> bool:
        """Whether it is grey and holds nothing but 0 and 255, or 0 and 1, as a mask does."""
        first = self.pixels[..., 0]
        # One band first: the comparison of all three takes longer, and few pictures come so far.
        if not set(np.unique(first)) <= {0, 1, WHITE}:
            return False
        return bool((first[..., np.newaxis] == self.pixels).all())

    def tiles(self, size: int, overlap: int) -> Iterator[Tile]:
        """Yield square tiles that cover the picture; those at its end are smaller or moved inwards."""
        rows, columns = self.shape
        for y in _starts(rows, size, overlap):
            for x in _starts(columns, size, overlap):
                yield Tile(x, y, self.pixels[y : y + size, x : x + size])

    def on_map(self, box: Box) -> list[float] | None:
        """Return the bounds (left, bottom, right, top) of a box in the CRS; ``None`` without a CRS."""
        if self.grid.crs is None:
            return None
        x1, y1, x2, y2 = box
        # All four corners, since the grid may be turned.
        xs, ys = transform_points(self.grid.affine, np.array([x1, x2, x1, x2]), np.array([y1, y1, y2, y2]))
        return [float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max())]


def picture(address: str) -> Picture:
    """Return a raster as a picture.

    Parameters
    ----------
    address : str
        Colours are the bands of the roles red, green and blue; else the first three bands, as in
        pictures, or one band as grey.

    Raises
    ------
    NoValidPixels
        Every pixel is masked.
    RasterError, InputError
        The raster cannot be read, or has too many pixels to be held in memory.
    """
    return _pictures([address])[0]


def picture_pair(before: str, after: str) -> tuple[Picture, Picture]:
    """Return two rasters as pictures on the grid of the first, stretched alike."""
    first, second = _pictures([before, after])
    return first, second


def _pictures(addresses: Sequence[str]) -> list[Picture]:
    chosen = [_bands_to_show(address) for address in addresses]
    flat = {f"{number} {name}": band for number, bands in enumerate(chosen) for name, band in bands.items()}
    # Stored values of an unknown scale show the same picture once they are stretched.
    arrays, grid = read_arrays(flat, raw=not all(band.band.scale_known for band in flat.values()))
    groups = [{name: arrays[f"{number} {name}"] for name in bands} for number, bands in enumerate(chosen)]
    limits = _limits(chosen, groups)
    return [
        _picture(values, grid, next(iter(bands.values())), limits)
        for values, bands in zip(groups, chosen, strict=True)
    ]


def _picture(values: Mapping[str, Values], grid: Grid, origin: Source, limits: Limits) -> Picture:
    colours = np.stack([values.get(name, values["red"]) for name in COLOURS], axis=-1)
    valid = np.logical_not(np.isnan(colours).any(axis=-1))
    if not valid.any():
        raise NoValidPixels(f"No pixel of {origin.path.name} is valid.", "Check its nodata value.")
    low, high = np.array([limits[name] for name in COLOURS]).T
    scaled = np.where(valid[..., np.newaxis], (colours - low) / (high - low) * WHITE, 0)
    return Picture(np.rint(scaled.clip(0, WHITE)).astype(np.uint8), valid, values, grid, origin)


def _bands_to_show(address: str) -> dict[str, Source]:
    bands = bands_of(address)
    # Reversed, so that the first band of a role is the one that stays.
    by_role = {band.role: band for band in reversed(bands)}
    infrared = [("nir", by_role[role]) for role in NEAR_INFRARED if role in by_role][:1]
    if all(name in by_role for name in COLOURS):
        return {name: by_role[name] for name in COLOURS} | dict(infrared)
    if len(bands) < 3:
        return {"red": bands[0]}
    if not all(band.role in (None, "rgb", "rgb_pre", "rgb_post") for band in bands[:3]):
        roles = ", ".join(band.role or "unknown" for band in bands[:3])
        current_context().warn(
            f"The first three bands of {bands[0].path.name} ({roles}) are shown as colours."
        )
    return dict(zip(COLOURS, bands, strict=False))


def _limits(chosen: Sequence[Mapping[str, Source]], groups: Sequence[Mapping[str, Values]]) -> Limits:
    """Return what becomes black and white in each colour."""
    if all(_is_picture(next(iter(bands.values())).description) for bands in chosen):
        return dict.fromkeys(COLOURS, (0.0, float(WHITE)))
    shown = {name: [values.get(name, values["red"]) for values in groups] for name in COLOURS}
    return {name: _stretch(np.concatenate([v.ravel() for v in several])) for name, several in shown.items()}


def _stretch(shown: Values) -> tuple[float, float]:
    shown = shown[~np.isnan(shown)]
    if not shown.size:
        return 0.0, 1.0
    low, high = map(float, np.percentile(shown, STRETCH))
    if low == high:
        # More than 96 percent are one value, as in a mask: the percentiles leave nothing to see of the rest.
        low, high = float(shown.min()), float(shown.max())
    return low, high if high > low else low + 1.0


def _is_picture(description: RasterDescription) -> bool:
    return description.dtype == "uint8" and all(b.scale == 1 and b.offset == 0 for b in description.bands)


def _starts(length: int, size: int, overlap: int) -> list[int]:
    if length <= size:
        return [0]
    last = length - size
    # The last tile is moved inwards: a network with a fixed input takes no smaller one.
    return [*range(0, last, size - overlap), last]
