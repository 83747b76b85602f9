"""Classes and regions by their size, against one of them or their average; where a raster is highest."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import read
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_extents import PIXEL_HA, ndvi
from tests.core.policies.planner.test_zones import CROPLAND, DAY, cover, forest, lst, region

NAMES = (
    "Larchford",
    "Upper Larchford",
    "Marshend",
    "Oakhollow",
    "Stonebridge",
    "Millbrook",
    "Ashfield",
    "Lakeside",
    "Pinehurst",
    "Willowbank",
)


def by_region(folder: Path, value: Callable[[np.ndarray], float]) -> dict[str, float]:
    return {name: value(region(folder, name)) for name in NAMES}


def named_regions(text: str) -> set[str]:
    """Return the regions that an answer names."""
    return {name for name in NAMES if re.search(rf"(?<!Upper ){name}", text)}


def test_regions_by_how_much_there_is_of_a_class(ask: Ask, demo: Path) -> None:
    wooded = forest(demo)
    hectares = by_region(demo, lambda ground: (ground & wooded).sum() * PIXEL_HA)
    shares = by_region(demo, lambda ground: 100 * wooded[ground].mean())
    limit = float(np.median(list(hectares.values())))
    found = answer_of(ask(f"Which regions have more than {limit:.0f} ha of forest?", demo))
    assert named_regions(found.text) == {name for name, size in hectares.items() if size > round(limit)}
    found = answer_of(ask("How many regions have more than 30 % forest?", demo))
    assert found.value == sum(share > 30 for share in shares.values())


def test_the_shares_of_classes_are_those_within_the_region(ask: Ask, demo: Path) -> None:
    inside = cover(demo)[region(demo, "Oakhollow")]
    found = answer_of(ask("What is the share of each class in Oakhollow?", demo))
    assert f"Cropland {100 * np.mean(inside == CROPLAND):.2f} %" in found.text


def test_regions_and_dates_against_one_of_them(ask: Ask, demo: Path) -> None:
    warm = lst(demo, DAY)
    means = by_region(demo, lambda ground: float(np.nanmean(warm[ground])))
    found = answer_of(ask(f"Which regions were hotter than Oakhollow on {DAY}?", demo))
    assert named_regions(found.text.split(":")[-1]) == {
        n for n, mean in means.items() if mean > means["Oakhollow"]
    }
    dates = [path.stem[-10:] for path in sorted(demo.glob("Demo_LST_*.tif"))]
    hotter = {day for day in dates if np.nanmean(lst(demo, day)) > np.nanmean(warm)}
    found = answer_of(ask(f"On which dates was it hotter than on {DAY}?", demo))
    assert set(re.findall(r"\d{4}-\d\d-\d\d", found.text.split(":")[-1])) == hotter


def test_an_order_by_another_statistic_than_the_mean(ask: Ask, demo: Path) -> None:
    dates = [path.stem[-10:] for path in sorted(demo.glob("Demo_LST_*.tif"))]
    highest = {day: np.nanmax(lst(demo, day)) for day in dates}
    found = answer_of(ask("What was the coolest date by maximum LST?", demo))
    assert found.text.startswith(min(highest, key=lambda day: highest[day]))


def test_what_is_measured_at_the_highest_point(ask: Ask, demo: Path) -> None:
    height = np.where(forest(demo), read(demo / "Demo_DEM.tif"), -np.inf)
    there = ndvi(demo, DAY)[height == height.max()].mean()
    found = answer_of(ask(f"What is the highest point of the forest and what is its NDVI on {DAY}?", demo))
    assert f"{there:.4f}" in found.text


def test_the_hottest_tenth(ask: Ask, demo: Path) -> None:
    warm, green = lst(demo, DAY), ndvi(demo, DAY)
    found = answer_of(ask(f"What is the mean NDVI of the hottest 10 % of pixels on {DAY}?", demo))
    assert found.value == pytest.approx(green[warm >= np.nanpercentile(warm, 90)].mean(), abs=2e-4)


def test_where_the_lowest_point_lies(ask: Ask, demo: Path, tmp_path: Path) -> None:
    height = read(demo / "Demo_DEM.tif")
    lowest = height == height.min()
    holds = [
        name for name, pixels in by_region(demo, lambda ground: (ground & lowest).sum()).items() if pixels
    ]
    shutil.copy(demo / "Demo_DEM.tif", tmp_path)
    regions = json.loads((demo / "Demo_regions.geojson").read_text("utf-8"))
    regions["features"] = [f for f in regions["features"] if f["properties"]["name"] not in holds]
    (tmp_path / "Demo_regions.geojson").write_text(json.dumps(regions), "utf-8")
    elsewhere = ask("Which region is the lowest point in?", tmp_path)
    assert elsewhere.status == "declined" and "No class or region has any of it" in str(elsewhere)
    if holds:
        assert answer_of(ask("Which region is the lowest point in?", demo)).text.startswith(holds[0])
