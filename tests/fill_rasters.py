"""Rasters with values that stand for no data though nothing says so, and what their valid pixels are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.rasters import write_raster

LOWEST = float(np.finfo("float32").min)
SHARES = (0.001, 0.05, 0.6)
SIZE = 256


@dataclass(frozen=True)
class Kind:
    """A variable as its files come.

    Attributes
    ----------
    name : str
        Of the file.
    low, high : float
        Of the stored values.
    scale, offset : float
        From stored to physical values.
    question : str
        Asks for the mean.
    """

    name: str
    role: str
    low: float
    high: float
    dtype: str
    question: str
    scale: float = 1.0
    offset: float = 0.0

    def stored_field(self, rng: np.random.Generator) -> np.ndarray:
        """Return a smooth field with noise, between both ends."""
        ramp = np.linspace(0, 1, SIZE)
        field = np.clip(0.8 * np.outer(ramp, ramp) + 0.2 * rng.random((SIZE, SIZE)), 0, 1)
        values = self.low + (self.high - self.low) * field
        return (np.rint(values) if np.dtype(self.dtype).kind in "iu" else values).astype(self.dtype)


S2 = "S2B_MSIL2A_20220413T231559_N0400_R087_T01VCG_20230315T224658.SAFE/T01VCG_20220413T231559_B04_10m.tif"
KINDS = {
    "dem": Kind("area_DEM.tif", "dem", 214, 1876, "float32", "What is the mean elevation?"),
    "dem16": Kind("area_DEM.tif", "dem", 214, 1876, "int16", "What is the mean elevation?"),
    "ndvi": Kind("A_NDVI_2021-06-01.tif", "ndvi", -0.15, 0.91, "float32", "What is the mean NDVI?"),
    "ndvi16": Kind("A_NDVI_2021-06-01.tif", "ndvi", -1500, 9100, "int16", "What is the mean NDVI?", 0.0001),
    "lst": Kind("A_LST_2021-06-01.tif", "lst", 281, 324, "float32", "What is the mean LST?"),
    "celsius": Kind(
        "A_LST_2021-06-01.tif", "lst", 8, 51, "float32", "What is the mean LST in K?", 1.0, 273.15
    ),
    "precipitation": Kind(
        "A_precipitation_2021-06-01.tif", "precipitation", 0, 61, "float32", "What is the mean precipitation?"
    ),
    "reflectance": Kind("A_red_2021-06-01.tif", "red", 0.012, 0.43, "float32", "What is the mean red?"),
    "sentinel2": Kind(S2, "red", 1100, 4900, "uint16", "What is the mean red reflectance?", 0.0001, -0.1),
    "brightness": Kind("A_BT_31_2021-06-01.tif", "bt31", 262, 311, "float32", "What is the mean bt31?"),
    "radar": Kind("A_VV_2021-06-01.tif", "vv", -24.0, -3.5, "float32", "What is the mean VV backscatter?"),
}
FILLS: tuple[float, ...] = (-9999, -32768, LOWEST, -LOWEST, 65535, -99, 0, 255, 9999, 32767, -999)


@dataclass(frozen=True)
class FillFile:
    """A file of a kind, of whose pixels a share holds a fill.

    Attributes
    ----------
    mean : float
        Of the valid pixels, physical.
    all_mean : float
        Of all pixels, as if the fill were a value.
    """

    path: Path
    stored: np.ndarray
    hidden: np.ndarray
    mean: float
    all_mean: float


def fits(kind: Kind, fill: float) -> bool:
    """Tell whether the stored type of a kind can hold a fill."""
    dtype = np.dtype(kind.dtype)
    if dtype.kind == "f":
        return True
    limits = np.iinfo(dtype)
    return limits.min <= fill <= limits.max


def write_filled(folder: Path, kind: Kind, fill: float, share: float, *, block: bool = False) -> FillFile:
    """Write a raster without a nodata tag, of whose pixels a share holds a fill.

    Parameters
    ----------
    block : bool
        The fill covers the upper rows, as an edge does; otherwise it is strewn.
    """
    rng = np.random.default_rng(11)
    stored = kind.stored_field(rng)
    hidden = np.zeros(stored.size, dtype=bool)
    number = max(1, round(share * stored.size))
    hidden[: number if block else None] = True
    if not block:
        hidden = np.zeros(stored.size, dtype=bool)
        hidden[rng.choice(stored.size, number, replace=False)] = True
    hidden = hidden.reshape(stored.shape)
    physical = stored.astype("float64") * kind.scale + kind.offset
    stored[hidden] = fill
    everything = stored.astype("float64") * kind.scale + kind.offset
    path = folder / kind.name
    path.parent.mkdir(parents=True, exist_ok=True)
    # So large that the noise of the heights makes no steeper land than there is.
    write_raster(path, stored, pixel=100.0)
    return FillFile(path, stored, hidden, float(physical[~hidden].mean()), float(everything.mean()))
