"""The grid of a raster: CRS, transform and size; when two grids are one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rasterio.crs import CRS
from rasterio.errors import CRSError
from rasterio.transform import Affine
from rasterio.windows import Window

from treeline.toolkit.recognition.model import RasterDescription

# Georeferences that are rounded in a header differ by less, and resampling would change values for nothing.
SAME_WITHIN_PIXELS = 0.05
# What is longer is a definition in WKT, of which nobody reads ten lines in a sentence.
LONGEST_CODE = 20


@dataclass(frozen=True)
class Grid:
    """Where the pixels of a raster lie.

    Attributes
    ----------
    crs : str or None
        ``EPSG:n`` or WKT; ``None`` without a CRS.
    transform : tuple of float
        The six coefficients ``(a, b, c, d, e, f)`` of the affine transform from (column, row) to
        (x, y).
    width, height : int
        In pixels.
    """

    crs: str | None
    transform: tuple[float, float, float, float, float, float]
    width: int
    height: int

    @classmethod
    def of(cls, description: RasterDescription) -> Grid:
        """Return the grid of a described raster."""
        return cls(description.crs, description.transform, description.width, description.height)

    @cached_property
    def affine(self) -> Affine:
        """The transform as an object that maps and inverts."""
        return Affine(*self.transform)

    @property
    def column_width(self) -> float:
        """How far one column leads, in units of the CRS, whichever way it runs."""
        return math.hypot(self.transform[0], self.transform[3])

    @cached_property
    def crs_object(self) -> CRS | None:
        """The CRS parsed; ``None`` without one."""
        return CRS.from_user_input(self.crs) if self.crs else None

    @property
    def shape(self) -> tuple[int, int]:
        """``(height, width)``, as arrays have it."""
        return self.height, self.width

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """``(left, bottom, right, top)`` in the CRS."""
        xs, ys = transform_points(self.affine, *self._corners())
        return float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max())

    def part(self, window: Window) -> Grid:
        """Return the grid of a window of this one.

        Parameters
        ----------
        window : Window
            Offsets may be negative or beyond the grid; sizes are cut to whole pixels.
        """
        a, b, c, d, e, f = self.transform
        left = a * window.col_off + b * window.row_off + c
        top = d * window.col_off + e * window.row_off + f
        return Grid(self.crs, (a, b, left, d, e, top), int(window.width), int(window.height))

    def same_crs(self, other: Grid) -> bool:
        """Return whether both lie in one CRS; two missing ones are one."""
        if self.crs == other.crs:
            return True
        if not self.crs or not other.crs:
            return False
        try:
            return bool(self.crs_object == other.crs_object)
        except CRSError:
            return False

    def same_as(self, other: Grid) -> bool:
        """Return whether each pixel of one lies on the same pixel of the other.

        The corners may differ by a twentieth of a pixel, as rounded transforms do.
        """
        if self.shape != other.shape or not self.same_crs(other):
            return False
        if self.transform == other.transform:
            return True
        columns, rows = self._corners()
        found_columns, found_rows = transform_points(
            ~self.affine, *transform_points(other.affine, columns, rows)
        )
        apart = np.maximum(np.abs(found_columns - columns), np.abs(found_rows - rows))
        return bool(apart.max() <= SAME_WITHIN_PIXELS)

    def describe(self) -> str:
        """Return size, pixel and CRS for a message."""
        return f"{self.width} x {self.height} pixels of {self.column_width:g}, {self.crs_text}"

    @property
    def crs_text(self) -> str:
        """The CRS by its code, for a message."""
        if not self.crs:
            return "no CRS"
        return self.crs if len(self.crs) <= LONGEST_CODE else "a CRS without a code"

    def _corners(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        columns = np.array([0.0, self.width, 0.0, self.width])
        rows = np.array([0.0, 0.0, self.height, self.height])
        return columns, rows


def transform_points(
    affine: Affine, xs: NDArray[np.float64], ys: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points mapped by a transform.

    Parameters
    ----------
    affine : Affine
        From columns and rows to coordinates; inverted (``~affine``) the other way.
    xs, ys : ndarray
        Of one shape.
    """
    a, b, c, d, e, f = tuple(affine)[:6]
    return a * xs + b * ys + c, d * xs + e * ys + f
