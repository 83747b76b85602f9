"""How fast elevation rises eastward and northward, in metres per metre."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.raster import Source, source
from treeline.toolkit.raster.ground import Ground, Steps

Method = Literal["horn", "zevenbergen_thorne"]
Floats = NDArray[np.floating]

# Weight of the neighbours at the corners against those at the sides.
_CORNER_WEIGHT = {"horn": 0.5, "zevenbergen_thorne": 0.0}


def elevation(address: str, z_factor: float = 1.0) -> Source:
    """Return the band of elevations, if it lies somewhere on the ground.

    Raises
    ------
    GridMismatch
        There is no CRS.
    InputError
        The factor is not above 0.
    """
    band = source(address, "dem")
    if not z_factor > 0:
        raise InputError(f"The argument 'z_factor' is {z_factor:g}.", "Give a number above 0, 1 for metres.")
    if not band.grid.crs:
        raise GridMismatch(f"{band.name} has no CRS, so its slopes are unknown.", "Give the file a CRS.")
    return band


def ground_of(band: Source, directions: bool = True) -> Ground:
    """Return the ground under a band of elevations, having said where the map is not true to it."""
    ground = Ground(band.grid)
    ground.say(directions)
    return ground


def gradient(dem: Floats, steps: Steps, method: Method = "horn") -> tuple[Floats, Floats]:
    """Return the rise eastward and northward; NaN at the rim, and at nodata and beside it.

    Parameters
    ----------
    dem : ndarray
        Elevations in metres, (rows, columns).
    steps : Steps
        Of its pixels on the ground.
    method : str
        ``horn`` (all eight neighbours) or ``zevenbergen_thorne`` (the four at the sides).
    """
    corner = _CORNER_WEIGHT[method]
    z = np.pad(dem, 1, constant_values=np.nan)
    across, down = z[:, 2:] - z[:, :-2], z[2:, :] - z[:-2, :]
    # The differences span two pixels, and the lines are counted with a weight of 1 and, beside it, twice that
    # of a corner.
    weight = 2.0 * (1.0 + 2.0 * corner)
    if corner:
        over = across[1:-1] + corner * (across[:-2] + across[2:])
        along = down[:, 1:-1] + corner * (down[:, :-2] + down[:, 2:])
    else:
        over, along = across[1:-1], down[:, 1:-1]
    # The weights leave out the pixel itself, of whose own height there may be none.
    over = np.where(np.isnan(dem), np.nan, over)
    return on_ground(over / weight, along / weight, steps)


def on_ground(column: Floats, row: Floats, steps: Steps) -> tuple[Floats, Floats]:
    """Return the change by metre eastward and northward of what changes so by column and by row.

    Parameters
    ----------
    column, row : ndarray
        Change from one column, and from one row, to the next.
    steps : Steps
        From pixel to pixel on the ground in metres.
    """
    whole = steps.column_east * steps.row_north - steps.column_north * steps.row_east
    # Cramer's rule for column = east * column_east + north * column_north, and the same of the row.
    eastward = (column * steps.row_north - row * steps.column_north) / whole
    northward = (row * steps.column_east - column * steps.row_east) / whole
    return eastward, northward


def steepness(eastward: Floats, northward: Floats) -> Floats:
    """Return the slope in radians.

    Parameters
    ----------
    eastward, northward : ndarray
        Rise by metre.
    """
    return np.arctan(np.hypot(eastward, northward))


def downhill(eastward: Floats, northward: Floats) -> Floats:
    """Return the direction of steepest descent in radians clockwise from north; NaN where it is flat.

    Parameters
    ----------
    eastward, northward : ndarray
        Rise by metre.
    """
    flat = (eastward == 0) & (northward == 0)
    return np.where(flat, np.nan, np.mod(np.arctan2(-eastward, -northward), 2 * np.pi))
