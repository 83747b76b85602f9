"""Extents of water, snow, vegetation and burned ground: the usual limit is taken and said."""

from __future__ import annotations

from pathlib import Path

import rasterio

from tests.core.policies.planner.arrays import Array, ratio
from tests.core.policies.planner.conftest import Ask, answer_of

PIXEL_HA = 0.04  # the demo's pixels of 20 m


def bands(folder: Path, date: str) -> dict[str, Array]:
    """Return the bands of a scene of the demo by role."""
    with rasterio.open(folder / f"Demo_{date}.tif") as raster:
        names, data = raster.descriptions, raster.read().astype(float)
    return {name: data[i] * 1e-4 - 0.1 for i, name in enumerate(names)}


def nbr(folder: Path, date: str) -> Array:
    found = bands(folder, date)
    return ratio(found["nir"], found["swir2"])


def dnbr(folder: Path, before: str = "2022-07-18", after: str = "2022-08-20") -> Array:
    return nbr(folder, before) - nbr(folder, after)


def ndwi(folder: Path, date: str) -> Array:
    found = bands(folder, date)
    return ratio(found["green"], found["nir"])


def ndvi(folder: Path, date: str) -> Array:
    found = bands(folder, date)
    return ratio(found["nir"], found["red"])


def test_dates_that_share_the_extreme_are_all_named(ask: Ask, slovenia: Path) -> None:
    answer = answer_of(ask("Which date of August 2016 is the least cloudy?", slovenia / "cloud_mask"))
    clear = [
        date
        for date in ("2016-08-04", "2016-08-14", "2016-08-24")
        if not rasterio.open(slovenia / "cloud_mask" / f"Slovenia_CLM_{date}.tif").read(1).any()
    ]
    assert answer.value == 0 and clear and all(date in answer.text for date in clear)
