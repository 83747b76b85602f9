"""Dates chosen by another variable, ratios, averages of the shares that exceed, directions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_demo import bands, lst, ndvi


def dates(demo: Path) -> list[str]:
    return sorted(path.stem.removeprefix("Demo_LST_") for path in demo.glob("Demo_LST_*.tif"))


def mean(values: Array) -> float:
    return float(np.nanmean(values))


def hottest(demo: Path, year: str = "") -> str:
    return max((d for d in dates(demo) if d.startswith(year)), key=lambda d: mean(lst(demo, d)))


def greenest(demo: Path) -> str:
    return max(dates(demo), key=lambda d: mean(ndvi(demo, d)))


@pytest.mark.parametrize(
    "question", ["What is the NDVI on the date with the highest LST?", "mean NDVI when LST was highest"]
)
def test_a_variable_on_the_date_that_another_chooses(ask: Ask, demo: Path, question: str) -> None:
    answer = answer_of(ask(question, demo))
    assert answer.value == pytest.approx(mean(ndvi(demo, hottest(demo))), abs=1e-4)
    assert "on the date of the highest mean LST" in answer.text


def test_the_date_is_chosen_within_the_period(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("share of the area with NDVI above 0.7 on the hottest day of 2021", demo))
    expected = 100 * np.nanmean(ndvi(demo, hottest(demo, "2021")) > 0.7)
    assert answer.value == pytest.approx(float(expected), abs=1e-3)


def test_a_superlative_names_the_variable(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("On the greenest date, what was the mean LST?", demo))
    assert answer.value == pytest.approx(mean(lst(demo, greenest(demo))), abs=1e-3)


def test_a_plain_question_for_a_date_is_not_split(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("Which date has the highest LST?", demo))
    assert answer.value == pytest.approx(mean(lst(demo, hottest(demo))), abs=1e-3)


DATE = "2022-07-18"


def quotient(demo: Path) -> float:
    found = bands(demo, DATE)
    return mean(found["nir"]) / mean(found["red"])


@pytest.mark.parametrize(
    "question",
    [
        f"Ratio of mean NIR to mean red on {DATE}",
        f"mean NIR divided by mean red on {DATE}",
        f"How many times higher is the mean NIR than the mean red on {DATE}?",
    ],
)
def test_ratios(ask: Ask, demo: Path, question: str) -> None:
    assert answer_of(ask(question, demo)).value == pytest.approx(quotient(demo), rel=1e-4)


@pytest.mark.parametrize("question", ["mean ratio of NIR to red on {}", "average NIR/red ratio on {}"])
def test_the_mean_of_a_ratio_of_named_bands_of_one_file(ask: Ask, demo: Path, question: str) -> None:
    found = bands(demo, DATE)
    expected = mean(found["nir"] / found["red"])
    assert answer_of(ask(question.format(DATE), demo)).value == pytest.approx(expected, rel=1e-4)


def test_one_per_unit_of_another(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask(f"mean LST divided by mean NDVI on {DATE}", demo))
    assert answer.value == pytest.approx(mean(lst(demo, DATE)) / mean(ndvi(demo, DATE)), rel=1e-4)
    assert answer.unit == "K"


@pytest.mark.parametrize(
    ("question", "upper"),
    [
        ("By what factor did the mean NDVI change from 2021-04-12 to 2021-06-19?", "2021-06-19"),
        ("mean NDVI on 2021-04-12 divided by mean NDVI on 2021-06-19", "2021-04-12"),
    ],
)
def test_a_factor_is_the_later_by_the_earlier(ask: Ask, demo: Path, question: str, upper: str) -> None:
    pair = {"2021-04-12", "2021-06-19"}
    (lower,) = pair - {upper}
    expected = mean(ndvi(demo, upper)) / mean(ndvi(demo, lower))
    assert answer_of(ask(question, demo)).value == pytest.approx(expected, rel=1e-4)


def test_a_difference_of_two_bands(ask: Ask, demo: Path) -> None:
    found = bands(demo, DATE)
    answer = answer_of(ask(f"How much higher is mean NIR than mean red on {DATE}?", demo))
    assert answer.value == pytest.approx(mean(found["nir"]) - mean(found["red"]), abs=1e-4)


def test_the_shares_of_dates_that_exceed_are_counted_and_told(ask: Ask, demo: Path) -> None:
    shares = {date: 100 * np.nanmean(ndvi(demo, date) > 0.7) for date in dates(demo)}
    question = "Which dates have more than 40 % of the area above NDVI 0.7?"
    text = answer_of(ask(question, demo)).text
    assert [date in text for date in shares] == [share > 40 for share in shares.values()]
    mean_share = answer_of(ask("average share of the area with NDVI above 0.7", demo))
    assert mean_share.value == pytest.approx(float(np.mean(list(shares.values()))), abs=1e-2)


def sides(hot: Array) -> dict[str, int]:
    rows, columns = np.nonzero(hot)
    down, right = rows - (hot.shape[0] - 1) / 2, columns - (hot.shape[1] - 1) / 2
    upright = np.abs(down) > np.abs(right)
    return {
        "north": int(np.sum(upright & (down < 0))),
        "south": int(np.sum(upright & (down > 0))),
        "east": int(np.sum(~upright & (right > 0))),
        "west": int(np.sum(~upright & (right < 0))),
    }


def test_direction_of_hot_spots(ask: Ask, demo: Path) -> None:
    counts = sides(lst(demo, DATE) > 310)
    answer = answer_of(ask(f"On which side of the image is LST above 310 K on {DATE}?", demo))
    assert max(counts, key=lambda side: counts[side]) in answer.text


def test_two_years_are_no_trend_but_their_dates_are(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("What is the trend of LST per year?", demo))
    days = np.array(dates(demo), dtype="datetime64[D]").astype(float) / 365.25
    slope = np.polyfit(days, [mean(lst(demo, date)) for date in dates(demo)], 1)[0]
    assert answer.value == pytest.approx(float(slope), rel=1e-2)
    assert answer.unit == "K/year"
