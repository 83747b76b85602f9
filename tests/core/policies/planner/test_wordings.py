"""Other ways to write dates, decimals, clouds and limits, as analysts in a hurry do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import ratio, read, scene, series
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.running import evaluate
from tests.core.policies.planner.test_slovenia import clear, mean, ndvi
from treeline.core.query.expression import Aggregate, Compare, Number, Variable


def cloudless(root: Path) -> dict[str, float]:
    """Return the mean NDVI of the clear pixels by date, without dates that have none."""
    masks = series(root / "cloud_mask", "Slovenia_CLM_")
    kept = {date: values[masks[date] == 0] for date, values in ndvi(root).items()}
    return {date: float(np.nanmean(values)) for date, values in kept.items() if values.size}


NDVI: list[tuple[str, Callable[[Path], float]]] = [
    ("What is the mean NDVI on 14.8.16?", lambda r: mean(ndvi(r, "2016-08-14", "2016-08-14"))),
    ("mean NDVI Q3 2016", lambda r: mean(ndvi(r, "2016-07", "2016-09"))),
    ("mean NDVI in the first half of 2017", lambda r: mean(ndvi(r, "2017-01", "2017-06"))),
    (
        "How many dates have a mean NDVI over 0.6?",
        lambda r: float(sum(np.nanmean(a) > 0.6 for a in ndvi(r).values())),
    ),
    (
        "coefficient of variation of the mean NDVI over time",
        lambda r: _variation([float(np.nanmean(a)) for a in ndvi(r).values()]),
    ),
]


def _variation(values: list[float]) -> float:
    return float(np.std(values, ddof=1) / np.mean(values))


@pytest.mark.parametrize(("question", "expected"), NDVI, ids=[q[0] for q in NDVI])
def test_dates_and_decimals_as_they_are_written(
    ask: Ask, slovenia: Path, question: str, expected: Callable[[Path], float]
) -> None:
    answer = answer_of(ask(question, slovenia / "ndvi"))
    assert answer.value == pytest.approx(expected(slovenia), rel=1e-3)


def test_dates_without_a_clear_pixel_are_told_once(ask: Ask, slovenia: Path) -> None:
    data = (slovenia / "ndvi", slovenia / "cloud_mask")
    expected = clear(slovenia, "2017", "2017")
    answer = answer_of(ask("mean NDVI of 2017 without cloudy pixels", *data))
    assert answer.value == pytest.approx(np.mean(expected), rel=1e-4)
    lost = len(ndvi(slovenia, "2017", "2017")) - len(expected)
    assert f"{lost} dates have no valid pixel and were left out: what marks clouds" in answer.text
    assert answer.text.count("left out") == 1


def test_the_greenest_clear_date(ask: Ask, slovenia: Path) -> None:
    found = cloudless(slovenia)
    best = max(found, key=lambda date: found[date])
    data = (slovenia / "ndvi", slovenia / "cloud_mask")
    answer = answer_of(ask("On which date without clouds was the mean NDVI highest?", *data))
    assert answer.value == pytest.approx(found[best], rel=1e-5) and best in answer.text


def test_without_clouds_is_no_question_about_clouds(ask: Ask, slovenia: Path) -> None:
    day = "2016-08-24"
    values = ndvi(slovenia, day, day)[day]
    kept = values[read(slovenia / "cloud_mask" / f"Slovenia_CLM_{day}.tif") == 0]
    data = (slovenia / "ndvi", slovenia / "cloud_mask")
    answer = answer_of(ask(f"share of the area with NDVI above 0.6 on {day} without clouds", *data))
    assert answer.value == pytest.approx(100 * np.mean(kept > 0.6), rel=1e-4)


def test_a_limit_of_brightness(shared: Path) -> None:
    path = shared / "rasters" / "odd" / "RGB.byte.tif"
    red = read(path)
    bright = Compare(Variable("red", timeless=True), "gt", Number(100))
    found = evaluate(Aggregate("share", bright, "pixel"), path)
    assert found.values == pytest.approx((100 * np.mean(red[np.isfinite(red)] > 100),), rel=1e-4)


def test_an_area_of_nothing_valid_is_no_zero(ask: Ask, shared: Path) -> None:
    finished = ask("How many hectares have NDVI above 0.5?", shared / "rasters" / "odd" / "all-nodata.tif")
    assert finished.status == "declined" and finished.answer is not None
    assert "no pixel is valid" in finished.answer.text


def test_a_number_that_was_not_used_is_declined(ask: Ask, slovenia: Path) -> None:
    finished = ask("What was the NDVI on 2016-08-14 for 500 cows?", slovenia / "ndvi")
    assert finished.status == "declined" and finished.answer is not None
    assert "\u201c500\u201d" in finished.answer.text and "\u201ccows\u201d" in finished.answer.text


def test_options_that_are_all_wrong_are_doubted(ask: Ask, slovenia: Path) -> None:
    asked = ask("What is the mean NDVI in July 2017?", slovenia / "ndvi", choices=("0.10", "0.11", "0.12"))
    assert asked.status == "unverified" and asked.answer is not None
    assert asked.answer.choice == "C" and "No option is near: found 0.6081, nearest C (0.12)" in asked.reason


def test_anywhere_asks_for_the_extreme(ask: Ask, slovenia: Path) -> None:
    highest = float(np.nanmax(ndvi(slovenia, "2016-08-14", "2016-08-14")["2016-08-14"]))
    answer = answer_of(ask("Does the NDVI exceed 0.8 anywhere on 2016-08-14?", slovenia / "ndvi"))
    assert answer.text.startswith("Yes" if highest > 0.8 else "No")


def test_how_much_is_free_of_clouds(ask: Ask, slovenia: Path) -> None:
    mask = read(slovenia / "cloud_mask" / "Slovenia_CLM_2016-08-24.tif")
    data = (slovenia / "ndvi", slovenia / "cloud_mask")
    answer = answer_of(ask("On 2016-08-24, how much of the area is cloud-free?", *data))
    assert answer.value == pytest.approx(100 * np.mean(mask == 0), rel=1e-5)
    assert "not cloud" in answer.text


def test_a_limit_on_the_change_of_a_pixel(ask: Ask, slovenia: Path) -> None:
    question = "Which percent of the area lost more than 0.1 NDVI from 2016-08-14 to 2016-10-23?"
    before, after = (ndvi(slovenia, day, day)[day] for day in ("2016-08-14", "2016-10-23"))
    expected = 100 * np.mean(after - before < -0.1)
    assert answer_of(ask(question, slovenia / "ndvi")).value == pytest.approx(expected, abs=0.02)


def test_a_date_without_a_pixel_under_a_condition_is_a_gap(ask: Ask, slovenia: Path) -> None:
    question = "What was the mean NDVI where NDWI is below -0.5 on each date?"
    answer = answer_of(ask(question, slovenia / "scenes"))
    for date in ("2015-07-11", "2015-07-31", "2015-08-20", "2015-08-30", "2015-09-09"):
        bands = scene(slovenia / "scenes", date)
        dry = ratio(bands["B08"], bands["B04"])[ratio(bands["B03"], bands["B08"]) < -0.5]
        assert f"{date} {dry.mean():.4f}" in answer.text if dry.size else f"{date} no value" in answer.text
