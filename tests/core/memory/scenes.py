"""Small scenes in which a first attempt goes wrong, and the right numbers by numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.rasters import write_raster

SHAPE = (40, 50)
ELSEWHERE = (900_000.0, 4_000_000.0)
DATES = ("2021-05-03", "2021-06-10", "2021-07-12", "2021-08-20")

Array = NDArray[np.floating]


def band(folder: Path, name: str, array: Array, role: str = "", **more) -> Path:
    return write_raster(folder / f"Lake_{name}.tif", array, descriptions=[role] if role else [], **more)


def thermal(folder: Path, two_bands: bool = False, far_reflectance: bool = False) -> Array:
    """Write one date with a thermal band (or two), red and near infrared; return the thermal band."""
    rng = np.random.default_rng(7)
    bt = rng.uniform(296, 306, SHAPE).astype("float32")
    place = {"origin": ELSEWHERE} if far_reflectance else {}
    band(folder, "2021-07-12_BT_10", bt)
    if two_bands:
        band(folder, "2021-07-12_BT_11", bt - 1)
    band(folder, "2021-07-12_red", rng.uniform(0.04, 0.2, SHAPE).astype("float32"), "red", **place)
    band(folder, "2021-07-12_nir", rng.uniform(0.25, 0.4, SHAPE).astype("float32"), "nir", **place)
    return bt


def spoilt_thermal(folder: Path) -> Array:
    """Write a date of which the usual way to the surface temperature fails; return a thermal band.

    The reflectances, which tell the emissivity, lie elsewhere; two thermal bands allow a split window.
    """
    return thermal(folder, two_bands=True, far_reflectance=True)


def cloudy(folder: Path) -> list[float]:
    """Write NDVI of four dates with cloud masks; return the means of the clear pixels."""
    rng = np.random.default_rng(8)
    means = []
    for index, date in enumerate(DATES):
        ndvi = rng.uniform(0.4, 0.8, SHAPE).astype("float32")
        cloud = (rng.uniform(0, 1, SHAPE) < 0.15 * index).astype("uint8")
        ndvi[cloud == 1] = rng.uniform(-0.1, 0.1, int(cloud.sum()))
        band(folder, f"{date}_NDVI", ndvi)
        band(folder, f"{date}_CLM", cloud, "cloud_mask")
        means.append(float(ndvi[cloud == 0].mean(dtype="float64")))
    return means


def series(folder: Path, spoilt: str = "") -> list[float]:
    """Write red and near infrared of four dates, one of them elsewhere; return the mean NDVI of each."""
    rng = np.random.default_rng(9)
    means = []
    for index, date in enumerate(DATES):
        red = rng.uniform(0.04, 0.1 + index / 40, SHAPE)
        nir = rng.uniform(0.3, 0.4, SHAPE)
        place = {"origin": ELSEWHERE} if date == spoilt else {}
        band(folder, f"{date}_red", red.astype("float32"), "red", **place)
        band(folder, f"{date}_nir", nir.astype("float32"), "nir")
        means.append(float(((nir - red) / (nir + red)).mean()))
    return means


def ndvi(folder: Path, damaged: str = "") -> list[float]:
    """Write NDVI of four dates, one with a damaged block behind whole overviews; return the means."""
    import rasterio
    from rasterio.enums import Resampling

    rng = np.random.default_rng(10)
    means = []
    for index, date in enumerate(DATES):
        array = rng.uniform(0.2, 0.5 + index / 20, (512, 512)).astype("float32")
        path = band(
            folder, f"{date}_NDVI", array, tiled=True, blockxsize=256, blockysize=256, compress="deflate"
        )
        means.append(float(array.mean(dtype="float64")))
        if date == damaged:
            with rasterio.open(path, "r+") as dataset:
                dataset.build_overviews([2, 4], Resampling.average)
                offset = int(dataset.tags(1, ns="TIFF").get("BLOCK_OFFSET_0_0", 0)) or 2_000
            data = bytearray(path.read_bytes())
            data[offset + 100 : offset + 20_100] = bytes(rng.integers(0, 256, 20_000, dtype="uint8"))
            path.write_bytes(data)
    return means
