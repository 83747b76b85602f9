"""Extents of water, snow, vegetation and burned ground by their limits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.core.policies.planner.arrays import Array, ratio, read, scene
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


FIRE = "between 2022-07-18 and 2022-08-20"
QUESTIONS: list[tuple[str, Callable[[Path], float], str, str]] = [
    (f"area in ha with dNBR above 0.1 {FIRE}", lambda f: np.sum(dnbr(f) > 0.10) * PIXEL_HA, "ha", "NBR"),
    (
        f"area in km2 with dNBR above 0.1 {FIRE}",
        lambda f: np.sum(dnbr(f) > 0.10) * PIXEL_HA / 100,
        "km2",
        "2022-07-18",
    ),
    (
        f"share of the area with dNBR above 0.1 {FIRE}",
        lambda f: 100 * np.mean(dnbr(f) > 0.10),
        "%",
        "above 0.1",
    ),
    (
        f"How many hectares have a dNBR above 0.27 {FIRE}?",
        lambda f: np.sum(dnbr(f) > 0.27) * PIXEL_HA,
        "ha",
        "above 0.27",
    ),
    (
        "area in ha with dNBR above 0.66 between 2022-06-15 and 2022-08-20",
        lambda f: np.sum(dnbr(f, "2022-06-15") > 0.66) * PIXEL_HA,
        "ha",
        "2022-06-15",
    ),
    (
        f"area in ha of the forest with dNBR above 0.1 {FIRE}",
        lambda f: np.sum((dnbr(f) > 0.1) & np.isin(read(f / "Demo_land_cover.tif"), (4, 5))) * PIXEL_HA,
        "ha",
        "Conifer forest",
    ),
    (f"mean dNBR {FIRE}", lambda f: float(np.mean(dnbr(f))), "1", "difference between NBR on 2022-07-18"),
    (
        "share of the area with NDWI above 0 on 2021-07-22",
        lambda f: 100 * np.mean(ndwi(f, "2021-07-22") > 0),
        "%",
        "McFeeters",
    ),
    (
        "area in ha with NDWI above 0 on 2022-04-08",
        lambda f: np.sum(ndwi(f, "2022-04-08") > 0) * PIXEL_HA,
        "ha",
        "NDWI on 2022-04-08 above 0",
    ),
    (
        "share of the area with NDVI below 0.2 on 2021-07-22",
        lambda f: 100 * np.mean(ndvi(f, "2021-07-22") < 0.2),
        "%",
        "below 0.2",
    ),
]


@pytest.mark.parametrize(("question", "expected", "unit", "words"), QUESTIONS, ids=[q[0] for q in QUESTIONS])
def test_an_extent_by_its_limit(
    ask: Ask, demo: Path, question: str, expected: Callable[[Path], float], unit: str, words: str
) -> None:
    answer = answer_of(ask(question, demo))
    assert answer.value == pytest.approx(expected(demo), rel=1e-4, abs=1e-6)
    assert answer.unit == unit
    assert words in answer.text


def test_the_share_of_snow(ask: Ask, slovenia: Path) -> None:
    found = scene(slovenia / "scenes", "2015-07-11")
    share = 100 * np.mean(ratio(found["B03"], found["B11"]) > 0.4)
    answer = answer_of(ask("share of the area with NDSI above 0.4 on 2015-07-11", slovenia / "scenes"))
    assert answer.value == pytest.approx(share)


def test_dates_that_share_the_extreme_are_all_named(ask: Ask, slovenia: Path) -> None:
    answer = answer_of(ask("Which date of August 2016 is the least cloudy?", slovenia / "cloud_mask"))
    clear = [
        date
        for date in ("2016-08-04", "2016-08-14", "2016-08-24")
        if not rasterio.open(slovenia / "cloud_mask" / f"Slovenia_CLM_{date}.tif").read(1).any()
    ]
    assert answer.value == 0 and clear and all(date in answer.text for date in clear)


def test_burned_ground_without_two_dates_is_declined(ask: Ask, slovenia: Path) -> None:
    finished = ask("area in ha with dNBR above 0.27 between 2015-08-30 and 2015-09-09", slovenia / "bands")
    assert finished.status == "declined" and finished.answer is not None and finished.answer.value is None
    assert "2015-09-09" in finished.answer.text
