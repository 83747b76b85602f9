"""How fast elevation rises eastward and northward, in metres per metre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.geodesy import reference_system
from treeline.toolkit.raster import Grid, Source, source

Method = Literal["horn", "zevenbergen_thorne"]
Floats = NDArray[np.floating]

# Weight of the neighbours at the corners against those at the sides.
_CORNER_WEIGHT = {"horn": 0.5, "zevenbergen_thorne": 0.0}


def elevation(address: str, z_factor: float = 1.0) -> Source:
    """Return the band of elevations, if its grid has sides in metres or degrees.

    Raises
    ------
    GridMismatch
        There is no CRS, or the grid is rotated.
    InputError
        The factor is not above 0.
    """
    band = source(address, "dem")
    if not z_factor > 0:
        raise InputError(f"The argument 'z_factor' is {z_factor:g}.", "Give a number above 0, 1 for metres.")
    if not band.grid.crs:
        raise GridMismatch(f"{band.name} has no CRS, so its slopes are unknown.", "Give the file a CRS.")
    if band.grid.transform[1] or band.grid.transform[3]:
        raise GridMismatch(f"{band.name} stands on a rotated grid.", "Reproject it first.")
    return band


@dataclass(frozen=True)
class Sides:
    """Sides of the pixels in metres; of a geographic grid they change with the row.

    Attributes
    ----------
    east, north : ndarray
        Of shape (rows, 1). Negative where columns run west or rows run north.
    """

    east: Floats
    north: Floats

    @classmethod
    def of(cls, grid: Grid) -> Sides:
        """Return the sides on a grid with a CRS.

        Notes
        -----
        Geographic CRS: radii of curvature of the ellipsoid in the meridian and in the prime vertical
        (Snyder 1987, USGS Professional Paper 1395, eq. 4-19 and 4-20).
        """
        a, _, _, _, e, f = grid.transform
        crs = reference_system(grid.crs)
        ones = np.ones((grid.height, 1))
        if not crs.is_geographic:
            metres = crs.axis_info[0].unit_conversion_factor if crs.axis_info else 1.0
            return cls(ones * a * metres, ones * -e * metres)
        ellipsoid = crs.ellipsoid
        assert ellipsoid is not None
        major, flat = (
            ellipsoid.semi_major_metre,
            1.0 - (ellipsoid.semi_minor_metre / ellipsoid.semi_major_metre) ** 2,
        )
        latitude = np.radians(f + e * (np.arange(grid.height) + 0.5))[:, np.newaxis]
        bulge = 1.0 - flat * np.sin(latitude) ** 2
        vertical, meridian = major / np.sqrt(bulge), major * (1.0 - flat) / bulge**1.5
        return cls(np.radians(a) * vertical * np.cos(latitude), np.radians(-e) * meridian)


def gradient(dem: Floats, grid: Grid, method: Method = "horn") -> tuple[Floats, Floats]:
    """Return the rise eastward and northward; NaN at the rim and beside nodata.

    Parameters
    ----------
    dem : ndarray
        Elevations in metres, (rows, columns).
    method : str
        ``horn`` (all eight neighbours) or ``zevenbergen_thorne`` (the four at the sides).
    """
    sides, corner = Sides.of(grid), _CORNER_WEIGHT[method]
    z = np.pad(dem, 1, constant_values=np.nan)
    across = z[:, 2:] - z[:, :-2]
    down = z[:-2, :] - z[2:, :]
    middle = 1.0 + 2.0 * corner
    if corner:
        eastward = across[1:-1] + corner * (across[:-2] + across[2:])
        northward = down[:, 1:-1] + corner * (down[:, :-2] + down[:, 2:])
    else:
        eastward, northward = across[1:-1], down[:, 1:-1]
    return eastward / (2 * middle * sides.east), northward / (2 * middle * sides.north)


def steepness(eastward: Floats, northward: Floats) -> Floats:
    """Return the slope in radians."""
    return np.arctan(np.hypot(eastward, northward))


def downhill(eastward: Floats, northward: Floats) -> Floats:
    """Return the direction of steepest descent in radians clockwise from north; NaN where it is flat."""
    flat = (eastward == 0) & (northward == 0)
    return np.where(flat, np.nan, np.mod(np.arctan2(-eastward, -northward), 2 * np.pi))
