"""Moran's I: whether like values lie beside each other."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.analysis.kit import ANALYSIS
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import read_arrays, source
from treeline.toolkit.tool import Gives, Reads, tool

# Half of the neighbours of a pixel: each pair is counted once.
SIDES = ((0, 1), (1, 0))
CORNERS = ((1, 1), (1, -1))


@tool(
    kit=ANALYSIS,
    source="Moran 1950, Biometrika 37:17; Cliff & Ord 1981, Spatial Processes (moments under randomisation)",
    gives=Gives("table", "autocorrelation"),
    formula="I = (n / W) sum w_ij (x_i - m)(x_j - m) / sum (x_i - m)^2; expected -1 / (n - 1); z under "
    "normality",
)
def morans_i(image_path: Annotated[str, Reads()], diagonal: bool = True) -> dict[str, Any]:
    """Moran's I of a raster: near 1 where like values lie together, below 0 where unlike ones do.

    Parameters
    ----------
    image_path : str
        A raster of up to 50 million pixels; one band.
    diagonal : bool
        Pixels that share only a corner are neighbours too.

    Returns
    -------
    dict
        ``i`` (near 1: like beside like; near -1: as a chessboard), ``expected`` without any pattern,
        ``z`` and
        two-sided ``p`` under normality, and the number of ``pixels``.
    """
    band = source(image_path)
    values = read_arrays({"values": band})[0]["values"].astype(np.float64)
    there = ~np.isnan(values)
    n = int(there.sum())
    if n < 4:
        raise InputError(f"{band.name} has {n} valid pixels.", "Give a raster of four or more.")
    apart = np.where(there, values - values[there].mean(), 0.0)
    total = float((apart**2).sum())
    # Of equal values rounding may leave a spread that is tiny and not zero.
    if total <= 1e-18 * n * max(1.0, float(np.nanmax(np.abs(values))) ** 2):
        raise InputError(f"All pixels of {band.name} are alike.", "Give a raster that varies.")
    shared, weight, degrees = 0.0, 0, np.zeros(values.shape)
    for down, right in (*SIDES, *(CORNERS if diagonal else ())):
        one, other = _neighbours(values.shape, down, right)
        both = there[one] & there[other]
        shared += 2 * float((apart[one] * apart[other]).sum())
        weight += 2 * int(both.sum())
        degrees[one] += both
        degrees[other] += both
    if not weight:
        raise InputError(
            f"No two valid pixels of {band.name} are neighbours.", "Give a raster with fewer gaps."
        )
    found = n / weight * shared / total
    expected = -1 / (n - 1)
    # S1 = sum (w_ij + w_ji)^2 / 2 and S2 = sum (w_i. + w_.i)^2 of Cliff & Ord, for weights of 1 both ways.
    s1, s2 = 2.0 * weight, 4.0 * float((degrees**2).sum())
    variance = (n**2 * s1 - n * s2 + 3 * weight**2) / ((n**2 - 1) * float(weight) ** 2) - expected**2
    z = (found - expected) / math.sqrt(variance) if variance > 0 else 0.0
    return {"i": found, "expected": expected, "z": z, "p": math.erfc(abs(z) / math.sqrt(2)), "pixels": n}


def _neighbours(
    shape: tuple[int, ...], down: int, right: int
) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Return the pixels that have a neighbour in a direction, and these neighbours."""
    rows, columns = shape
    left, over = max(0, -right), max(0, right)
    one = slice(0, rows - down), slice(left, columns - over)
    other = slice(down, rows), slice(left + right, columns - over + right)
    return one, other
