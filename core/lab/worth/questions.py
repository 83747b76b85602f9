"""Questions on the demo in an order with repeats, opposites and neighbours, their answers by numpy.

Each family asks one thing, then the same in other words, the opposite, with another limit, of another day,
another place, in another unit: where experience could mislead, if it were taken for the answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from numpy.typing import NDArray

from treeline.core.lab.ablation import BenchQuestion

Array = NDArray[np.float64]
Family = Iterator[BenchQuestion]

HOT, MILD = "2022-07-18", "2021-07-22"  # cloudless days
_BANDS = ("blue", "green", "red", "nir", "swir1", "swir2")
_ZERO_CELSIUS = 273.15
# Neighbours must not pass for one another; what is left is for the bins of percentiles.
_TOLERANCE = 5e-4


def demo_questions(folder: Path) -> list[BenchQuestion]:
    """Return the questions, by turns one of each family.

    Parameters
    ----------
    folder : Path
        What :func:`treeline.core.demo.write_demo` wrote.
    """
    demo = _Demo(folder)
    families = [list(family(demo)) for family in _FAMILIES]
    # By turns, so that other questions lie between a question and its like.
    return [asked for turn in zip_longest(*families) for asked in turn if asked is not None]


class _Demo:
    """The rasters of the demo as arrays."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with rasterio.open(folder / "Demo_land_cover.tif") as raster:
            self.cover = raster.read(1)
            self.names = {
                name: int(code) for code, name in json.loads(raster.tags()["TREELINE_CLASSES"]).items()
            }
            self.hectares = abs(raster.transform.a * raster.transform.e) / 1e4
        self.elevation = self.read("Demo_DEM.tif")

    def read(self, name: str, band: int = 1) -> Array:
        with rasterio.open(self.folder / name) as raster:
            data = raster.read(band, masked=True).astype(float)
            scaled = data * raster.scales[band - 1] + raster.offsets[band - 1]
        return np.asarray(scaled.filled(np.nan))

    def lst(self, day: str) -> Array:
        return self.read(f"Demo_LST_{day}.tif")

    def ndvi(self, day: str) -> Array:
        return self._ratio(day, "nir", "red")

    def ndwi(self, day: str) -> Array:
        return self._ratio(day, "green", "nir")

    def _ratio(self, day: str, one: str, other: str) -> Array:
        a, b = (self.read(f"Demo_{day}.tif", _BANDS.index(name) + 1) for name in (one, other))
        return (a - b) / (a + b)

    def inside(self, values: Array, name: str) -> Array:
        return values[self.cover == self.names[name]]

    def area(self, name: str) -> float:
        return float((self.cover == self.names[name]).sum() * self.hectares)


def _value(question: str, value: float | np.floating[Any]) -> BenchQuestion:
    return BenchQuestion(question=question, value=float(value), tolerance=_TOLERANCE)


def _mean_temperature(demo: _Demo) -> Family:
    hot, mild = demo.lst(HOT), demo.lst(MILD)
    yield _value(f"What is the mean land surface temperature on {HOT}?", np.nanmean(hot))
    yield _value(f"average LST on {HOT}", np.nanmean(hot))
    yield _value(f"What is the maximum land surface temperature on {HOT}?", np.nanmax(hot))
    yield _value(f"What is the minimum land surface temperature on {HOT}?", np.nanmin(hot))
    yield _value(f"What is the mean land surface temperature on {MILD}?", np.nanmean(mild))
    yield _value(f"mean LST on {HOT} in degrees Celsius", np.nanmean(hot) - _ZERO_CELSIUS)
    yield _value(f"mean LST of the cropland on {HOT}", np.nanmean(demo.inside(hot, "Cropland")))


def _share_above(demo: _Demo) -> Family:
    hot, mild = demo.ndvi(HOT), demo.ndvi(MILD)
    yield _value(f"What share of the area has NDVI above 0.6 on {HOT}?", 100 * (hot > 0.6).mean())
    yield _value(f"percentage of the area with NDVI above 0.6 on {HOT}", 100 * (hot > 0.6).mean())
    yield _value(f"What share of the area has NDVI below 0.6 on {HOT}?", 100 * (hot < 0.6).mean())
    yield _value(f"What share of the area has NDVI above 0.7 on {HOT}?", 100 * (hot > 0.7).mean())
    yield _value(f"What share of the area has NDVI above 0.6 on {MILD}?", 100 * (mild > 0.6).mean())
    yield _value(f"What area in ha has NDVI above 0.6 on {HOT}?", (hot > 0.6).sum() * demo.hectares)
    yield _value(f"What share of the area has NDWI above 0 on {HOT}?", 100 * (demo.ndwi(HOT) > 0).mean())


def _hotter_than(demo: _Demo) -> Family:
    hot, mild = demo.lst(HOT), demo.lst(MILD)
    yield _value(f"What share of the area is hotter than 305 K on {HOT}?", 100 * (hot > 305).mean())
    yield _value(f"percentage of the area with LST above 305 K on {HOT}", 100 * (hot > 305).mean())
    yield _value(f"What share of the area is colder than 305 K on {HOT}?", 100 * (hot < 305).mean())
    yield _value(f"What share of the area is hotter than 308 K on {HOT}?", 100 * (hot > 308).mean())
    yield _value(f"What share of the area is hotter than 301 K on {MILD}?", 100 * (mild > 301).mean())
    yield _value(
        # Between two steps of the stored temperatures: on one of them, the way a limit is converted
        # would decide.
        f"What share of the area is hotter than 30.004 °C on {HOT}?",
        100 * (hot > 30.004 + _ZERO_CELSIUS).mean(),
    )
    yield _value(f"What area in km2 is hotter than 305 K on {HOT}?", (hot > 305).sum() * demo.hectares / 100)


def _where_greener(demo: _Demo) -> Family:
    heat, green = demo.lst(HOT), demo.ndvi(HOT)
    yield _value(f"mean LST where NDVI > 0.6 on {HOT}", np.nanmean(heat[green > 0.6]))
    yield _value(f"What is the mean LST where NDVI is above 0.6 on {HOT}?", np.nanmean(heat[green > 0.6]))
    yield _value(f"mean LST where NDVI < 0.6 on {HOT}", np.nanmean(heat[green < 0.6]))
    yield _value(f"mean LST where NDVI > 0.7 on {HOT}", np.nanmean(heat[green > 0.7]))
    yield _value(f"mean LST where NDVI > 0.6 on {MILD}", np.nanmean(demo.lst(MILD)[demo.ndvi(MILD) > 0.6]))
    yield _value(f"maximum LST where NDVI > 0.6 on {HOT}", np.nanmax(heat[green > 0.6]))
    yield _value(f"mean elevation where NDVI > 0.6 on {HOT}", np.nanmean(demo.elevation[green > 0.6]))


def _areas(demo: _Demo) -> Family:
    yield _value("What is the area of the cropland in ha?", demo.area("Cropland"))
    yield _value("area of cropland in hectares", demo.area("Cropland"))
    yield _value("What is the area of the grassland in ha?", demo.area("Grassland"))
    yield _value("What is the area of the cropland in km2?", demo.area("Cropland") / 100)
    yield _value("What share of the area is cropland?", 100 * (demo.cover == demo.names["Cropland"]).mean())
    yield _value("What is the area of the water in ha?", demo.area("Water"))
    yield _value("What share of the area is grassland?", 100 * (demo.cover == demo.names["Grassland"]).mean())


def _class_extremes(demo: _Demo) -> Family:
    def best(values: Array, sign: int) -> tuple[str, float]:
        means = {name: float(np.nanmean(demo.inside(values, name))) for name in demo.names}
        name = max(means, key=lambda each: sign * means[each])
        return name, means[name]

    for question, values, sign in (
        ("Which class has the highest mean elevation?", demo.elevation, 1),
        ("Which land cover class has the greatest mean elevation?", demo.elevation, 1),
        ("Which class has the lowest mean elevation?", demo.elevation, -1),
        (f"Which class has the highest mean LST on {HOT}?", demo.lst(HOT), 1),
        (f"Which class has the lowest mean LST on {HOT}?", demo.lst(HOT), -1),
        (f"Which class has the highest mean LST on {MILD}?", demo.lst(MILD), 1),
        (f"Which class has the lowest mean NDVI on {MILD}?", demo.ndvi(MILD), -1),
    ):
        name, value = best(values, sign)
        yield BenchQuestion(question=question, value=value, text=name, tolerance=_TOLERANCE)


def _elevations(demo: _Demo) -> Family:
    yield _value(
        "What is the mean elevation of the cropland?", demo.inside(demo.elevation, "Cropland").mean()
    )
    yield _value("average elevation of cropland", demo.inside(demo.elevation, "Cropland").mean())
    yield _value(
        "What is the highest elevation of the cropland?", demo.inside(demo.elevation, "Cropland").max()
    )
    yield _value(
        "What is the lowest elevation of the cropland?", demo.inside(demo.elevation, "Cropland").min()
    )
    yield _value(
        "What is the mean elevation of the grassland?", demo.inside(demo.elevation, "Grassland").mean()
    )
    yield _value("What is the mean elevation?", demo.elevation.mean())
    yield _value(
        "What is the median elevation of the cropland?", np.median(demo.inside(demo.elevation, "Cropland"))
    )


def _differences(demo: _Demo) -> Family:
    hot, mild = float(np.nanmean(demo.lst(HOT))), float(np.nanmean(demo.lst(MILD)))
    green = float(np.nanmean(demo.ndvi(HOT)) - np.nanmean(demo.ndvi(MILD)))
    crop = [float(np.nanmean(demo.inside(demo.lst(day), "Cropland"))) for day in (HOT, MILD)]
    yield _value(f"By how much was {HOT} warmer than {MILD}?", hot - mild)
    yield _value(f"How much did the mean LST change from {MILD} to {HOT}?", hot - mild)
    yield _value(f"How much did the mean LST change from {HOT} to {MILD}?", mild - hot)
    yield _value(f"What is the difference in mean LST between {MILD} and {HOT}?", hot - mild)
    yield _value(f"How much did the mean NDVI change from {MILD} to {HOT}?", green)
    yield _value(f"How much did the mean LST of the cropland change from {MILD} to {HOT}?", crop[0] - crop[1])
    yield _value(f"percent change in mean LST from {MILD} to {HOT}", 100 * (hot - mild) / mild)


def _percentiles(demo: _Demo) -> Family:
    hot, mild = demo.lst(HOT), demo.lst(MILD)
    yield _value(f"What is the 90th percentile of LST on {HOT}?", np.nanpercentile(hot, 90))
    yield _value(f"90th percentile of the land surface temperature on {HOT}", np.nanpercentile(hot, 90))
    yield _value(f"What is the 10th percentile of LST on {HOT}?", np.nanpercentile(hot, 10))
    yield _value(f"What is the 90th percentile of LST on {MILD}?", np.nanpercentile(mild, 90))
    yield _value(f"What is the 90th percentile of NDVI on {HOT}?", np.nanpercentile(demo.ndvi(HOT), 90))
    yield _value(f"What is the median LST on {HOT}?", np.nanmedian(hot))
    yield _value(f"What is the standard deviation of LST on {HOT}?", np.nanstd(hot))


_FAMILIES = (
    _mean_temperature,
    _share_above,
    _hotter_than,
    _where_greener,
    _areas,
    _class_extremes,
    _elevations,
    _differences,
    _percentiles,
)
