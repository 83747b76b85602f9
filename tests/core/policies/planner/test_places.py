"""A question is answered at the place that it names; bands of two places are never paired."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array, ratio, read
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.running import evaluate
from tests.rasters import write_raster
from treeline.core.engine.actions import Answer
from treeline.core.engine.events import RunFinished
from treeline.core.policies.planner.layers import Ground
from treeline.core.query.canonical import both
from treeline.core.query.expression import Aggregate, Compare, Number, Place, Variable


@pytest.fixture
def odd(shared: Path) -> Path:
    """Folder of rasters of places that have nothing to do with each other."""
    return shared / "rasters" / "odd"


def ndvi(folder: Path, place: str) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        found = ratio(read(folder / f"{place}.tif", 4), read(folder / f"{place}.tif", 1))
    return np.where((found >= -1) & (found <= 1), found, np.nan)


def doubted(finished: RunFinished) -> Answer:
    """Return the answer of bytes, which may be stretched for a screen, so that nobody relies on ratios."""
    assert finished.status == "unverified" and finished.answer is not None
    assert "stretched for a screen" in finished.reason
    return finished.answer


@pytest.mark.parametrize("place", ["rgbn_suba", "rgbn_subb"])
def test_the_named_place_alone_is_used(ask: Ask, odd: Path, place: str) -> None:
    answer = doubted(ask(f"mean NDVI of {place}", odd))
    assert answer.value == pytest.approx(float(np.nanmean(ndvi(odd, place))), abs=1e-6)
    assert place in answer.text


def test_the_place_that_was_taken_is_said_where_none_is_named(ask: Ask, odd: Path) -> None:
    finished = ask("mean NDVI", odd)
    assert finished.answer is not None
    assert "Taken from all-nodata; there is also" in finished.answer.text
    for place in ("rgbn_suba", "rgbn_subb"):
        assert place in finished.answer.text


def test_a_date_that_another_series_alone_has_is_taken_from_it(ask: Ask, tmp_path: Path) -> None:
    for name, value in (("LST_2021-06-01", 291), ("LST_2021-06-02", 292), ("Brda_LST_2021-06-03", 293)):
        write_raster(tmp_path / f"{name}.tif", np.full((8, 8), value + 0.5, "float32"))
    answer = answer_of(ask("mean LST on 2021-06-03", tmp_path))
    assert answer.value == pytest.approx(293.5)
    assert "Taken from Brda; there is also LST_2021-06-01.tif" in answer.text
    every = answer_of(ask("mean LST on each date", tmp_path))
    assert "Taken from LST_2021-06-01.tif; there is also Brda" in every.text


def test_two_named_places_are_compared(ask: Ask, odd: Path) -> None:
    answer = doubted(ask("difference in mean NDVI between rgbn_suba and rgbn_subb", odd))
    expected = np.nanmean(ndvi(odd, "rgbn_suba")) - np.nanmean(ndvi(odd, "rgbn_subb"))
    assert answer.value == pytest.approx(float(expected), abs=1e-6)


def test_a_band_of_another_place_is_not_borrowed(ask: Ask, odd: Path) -> None:
    finished = ask("mean NDVI of RGB.byte", odd)
    assert finished.status == "declined" and finished.answer is not None
    assert (
        "RGB.byte" in finished.answer.text
        and "I see only blue reflectance, green reflectance" in finished.answer.text
    )


def test_a_condition_is_tested_at_the_same_place(odd: Path) -> None:
    site = Place("site", ("rgbn_suba",))
    condition = Compare(Variable("blue", timeless=True), "gt", Number(120))
    dark = Variable("red", where=both(site, condition), timeless=True)
    found = evaluate(Aggregate("mean", dark, "pixel"), odd)
    red, blue = (read(odd / "rgbn_suba.tif", band) for band in (1, 3))
    assert found.values == pytest.approx((float(np.nanmean(red[blue > 120])),))


def test_ground_in_another_crs() -> None:
    ljubljana = Ground("EPSG:32633", (455000.0, 5095000.0, 465000.0, 5105000.0))
    assert ljubljana.meets(Ground("EPSG:4326", (14.0, 46.0, 15.0, 46.5)))
    assert not ljubljana.meets(Ground("EPSG:4326", (16.0, 46.0, 17.0, 46.5)))
    assert ljubljana.meets(Ground("no such system", (0.0, 0.0, 1.0, 1.0))), "cannot be told"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the population in 2020?", 160.0),
        ("What is the population?", 128.0),
        ("What is the total population?", 128.0),
        ("What is the mean population in 2020?", 2.5),
    ],
)
def test_people_of_all_pixels_are_summed_and_not_again_on_each_date(
    ask: Ask, tmp_path: Path, question: str, expected: float
) -> None:
    for year, count in ((2015, 1.5), (2020, 2.5)):
        write_raster(tmp_path / f"population_{year}.tif", np.full((8, 8), count, "float32"))
    assert answer_of(ask(question, tmp_path)).value == pytest.approx(expected)


def test_a_class_without_a_name_is_told_by_its_number(ask: Ask, tmp_path: Path) -> None:
    write_raster(tmp_path / "landcover_2020.tif", np.array([[1, 2, 3, 2]], "uint8"))
    answer = answer_of(ask("What is the share of class 2?", tmp_path))
    assert answer.status == "answered" and "The share of class 2 is 50" in answer.text


@pytest.mark.parametrize(
    ("crs", "shift", "told"),
    [
        ("EPSG:32633", 0, ""),
        ("EPSG:32633", 4, "about a third of it is common"),
        ("EPSG:32633", 8, "they share none"),
        ("EPSG:32634", 0, "they share none"),
    ],
)
def test_dates_that_share_little_ground_are_told(
    ask: Ask, tmp_path: Path, crs: str, shift: int, told: str
) -> None:
    for day, system, columns in (("01", "EPSG:32633", 0), ("11", crs, shift)):
        values = np.linspace(0.2, 0.6, 64, dtype="float32").reshape(8, 8)
        path = tmp_path / f"NDVI_2021-06-{day}.tif"
        write_raster(path, values, crs=system, origin=(5e5 + 10 * columns, 5.1e6))
    text = answer_of(ask("By how much did NDVI change from 2021-06-01 to 2021-06-11?", tmp_path)).text
    assert ("show different ground" in text) == bool(told) and told in text


def test_why_a_file_holds_nothing_that_is_known_is_told(ask: Ask, tmp_path: Path) -> None:
    for day in ("01", "02"):
        write_raster(tmp_path / f"ndvi_mask_2021-06-{day}.tif", np.array([[0, 1]], "uint8"))
    finished = ask("What is the mean NDVI?", tmp_path)
    assert finished.status == "declined" and finished.answer is not None
    text = finished.answer.text
    assert "There is no" in text and "ndvi_mask_2021-06-01.tif and 1 more: The name is that of" in text
