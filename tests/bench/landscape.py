"""The rasters of the benchmarks: bare and green ground under clouds, stored as sensors store it.

Temperatures are 16-bit numbers with a scale, or floats that were computed from such numbers; quality
bands hold the values that occur in Landsat's; NDVI is a computed float with all its digits.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.rasters import write_raster

TILES = {"tiled": True, "blockxsize": 512, "blockysize": 512, "num_threads": "all_cpus"}
SCENE_SIDE = 1200
TREND_SIDE = 300
CLEAR, SHADOW, CLOUD = 21824, 23888, 22280
LANDSAT_KELVIN, LANDSAT_ZERO = 0.00341802, 149.0


class Landscape:
    """Writes the rasters of one folder.

    Parameters
    ----------
    side : int
        Pixels.
    compress : str
        ``none`` or what GDAL calls a compression.
    """

    def __init__(self, folder: Path, side: int, compress: str) -> None:
        self.folder = folder
        self.layout = {**TILES, **({} if compress == "none" else {"compress": compress})}
        self.random = np.random.default_rng(1)
        wave = np.sin(np.linspace(0, 9, side, dtype="float32"))
        self.cover = 0.45 + 0.35 * np.outer(wave, wave[::-1])
        folder.mkdir(parents=True, exist_ok=True)

    def noisy(self, values: np.ndarray, spread: float) -> np.ndarray:
        """Return the values with what makes no two pixels alike."""
        return values + self.random.standard_normal(values.shape, dtype="float32") * np.float32(spread)

    def store(self, name: str, values: np.ndarray, kind: str, **profile: object) -> None:
        """Write physical values, as integers by a scale and an offset where these are given."""
        scale, offset = float(profile.get("scale", 1.0)), float(profile.get("offset", 0.0))  # type: ignore[arg-type]
        stored = (values - np.float32(offset)) / np.float32(scale)
        write_raster(
            self.folder / f"{name}.tif", stored.astype(kind), descriptions=[name], **profile, **self.layout
        )  # type: ignore[arg-type]

    def write(self, scenes: int) -> None:
        """Write the rasters of all cases."""
        clouds = clouds_over(self.cover.shape)
        self.write_masked(clouds)
        self.write_thermal()
        for number in range(scenes):
            self.write_scene(number)

    def write_masked(self, clouds: np.ndarray) -> None:
        """Write a temperature without its clouds, a reflectance with them, and the quality band."""
        numbers = np.rint((self.noisy(320 - 25 * self.cover, 1) - LANDSAT_ZERO) / LANDSAT_KELVIN)
        kelvin = numbers.astype("float32") * np.float32(LANDSAT_KELVIN) + np.float32(LANDSAT_ZERO)
        self.store("image", np.where(clouds > 0, np.float32(-9999), kelvin), "float32", nodata=-9999)
        reflectance = self.noisy(0.25 + 0.2 * self.cover, 0.01) + 0.4 * (clouds == CLOUD)
        self.store("band", reflectance, "uint16", scale=2.75e-5, offset=-0.2, nodata=0)
        self.store("qa_pixel", np.where(clouds > 0, clouds, CLEAR), "uint16")

    def write_thermal(self) -> None:
        """Write the bands of surface temperature and dryness."""
        cover = self.cover
        self.store("red", self.noisy(0.25 - 0.2 * cover, 0.01), "uint16", scale=1e-4, nodata=0)
        self.store("nir", self.noisy(0.25 + 0.2 * cover, 0.01), "uint16", scale=1e-4, nodata=0)
        for role, mean, slope in (("emissivity31", 0.96, 0.02), ("emissivity32", 0.97, 0.01)):
            values = self.noisy(mean + slope * cover, 0.002)
            self.store(role, values, "uint8", scale=0.002, offset=0.49, nodata=0)
        surface = self.noisy(320 - 25 * cover, 2)
        for role, shift in {"bt10": 2.0, "bt31": 2.0, "bt32": 3.0}.items():
            self.store(role, self.noisy(surface - shift, 0.1), "uint16", scale=0.01, nodata=0)
        for number in range(5):
            values = self.noisy(surface - 0.5 * (4 - number), 0.1)
            self.store(f"tir{10 + number}", values, "uint16", scale=0.01, nodata=0)
        self.store("ndvi", self.noisy(cover, 0.05), "float32", nodata=-9999)
        self.store("lst", surface, "float32", nodata=-9999)

    def write_scene(self, number: int) -> None:
        """Write a date of a MODIS tile: temperatures as 16-bit numbers, 0 under clouds."""
        side = min(SCENE_SIDE, len(self.cover))
        values = self.noisy(300 + 0.1 * number - 25 * self.cover[:side, :side], 1)
        clouded = clouds_over(values.shape, number / 7) > 0
        self.store(f"scene_{number:03}", np.where(clouded, 0, values), "uint16", scale=0.02, nodata=0)

    def write_dates(self, count: int) -> None:
        """Write the dates of a trend."""
        for number in range(count):
            values = self.random.normal(0.05 * number, 1, (TREND_SIDE, TREND_SIDE))
            self.store(f"date_{number:02}", values, "float32", nodata=-9999)


def clouds_over(shape: tuple[int, int], phase: float = 0.0) -> np.ndarray:
    """Return 0 where it is clear, else the quality value of a cloud or of its shadow."""
    rows, columns = (np.linspace(0, 20, n, dtype="float32") for n in shape)
    thickness = np.outer(np.sin(rows + phase), np.cos(1.3 * columns)) + np.outer(
        np.cos(2.1 * rows), np.sin(0.9 * columns + phase)
    )
    shadow = np.roll(thickness, (shape[0] // 60, shape[1] // 80), (0, 1))
    found = np.where(shadow > 0.9, np.uint16(SHADOW), np.uint16(0))
    return np.where(thickness > 0.9, np.uint16(CLOUD), found)
