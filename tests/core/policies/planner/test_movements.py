"""What rose or fell most is told as such, with the change; steps with both of their dates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import read
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_demo import lst, ndvi
from treeline.core.policies.planner.figures import plain

EARLIER, LATER = "2021-07-22", "2022-07-18"


def changes_of_classes(demo: Path) -> dict[int, float]:
    classes = read(demo / "Demo_land_cover.tif")
    before, after = lst(demo, EARLIER), lst(demo, LATER)
    return {
        int(number): float(np.nanmean(after[classes == number]) - np.nanmean(before[classes == number]))
        for number in np.unique(classes[np.isfinite(classes)])
    }


def test_which_warmed_most_and_that_none_cooled(ask: Ask, demo: Path) -> None:
    changes = changes_of_classes(demo)
    assert min(changes.values()) > 0
    question = f"Which class warmed most between {EARLIER} and {LATER}?"
    text = answer_of(ask(question, demo)).text
    assert f"warmed most in mean LST from {EARLIER} to {LATER}: +{plain(max(changes.values()), 'K')}" in text
    text = answer_of(ask(question.replace("warmed", "cooled"), demo)).text
    assert text.startswith("None cooled; ") and f"warmed least in mean LST from {EARLIER}" in text
    assert f"+{plain(min(changes.values()), 'K')}" in text


def test_a_largest_fall_has_both_its_dates(ask: Ask, slovenia: Path) -> None:
    means = {
        path.stem[-10:]: float(np.nanmean(read(path)))
        for path in sorted((slovenia / "ndvi").glob("*_2017-*.tif"))
    }
    dates = sorted(means)
    falls = {(a, b): means[b] - means[a] for a, b in zip(dates, dates[1:], strict=False)}
    first, last = min(falls, key=lambda pair: falls[pair])
    question = "What was the biggest drop in NDVI between two dates in a row in 2017?"
    answer = answer_of(ask(question, slovenia / "ndvi"))
    assert answer.value == pytest.approx(falls[first, last], abs=1e-4)
    assert answer.text.endswith(f"from {first} to {last}.") and "largest fall in mean NDVI" in answer.text


def test_each_class_departs_from_what_is_usual_in_it(ask: Ask, demo: Path) -> None:
    classes = read(demo / "Demo_land_cover.tif")
    dates = [path.stem[-10:] for path in sorted(demo.glob("Demo_LST_*.tif"))]
    water = [float(np.nanmean(lst(demo, date)[classes == 1])) for date in dates]
    answer = answer_of(ask(f"LST anomaly of each class on {LATER} against all dates", demo))
    assert f"Water {plain(water[dates.index(LATER)] - float(np.mean(water)), 'K')};" in answer.text


def test_what_is_in_the_middle_of_a_region(ask: Ask, demo: Path) -> None:
    where = answer_of(ask("Where is the centre of Marshend?", demo)).text
    latitude, longitude = (part.split("\u00b0")[0].split()[-1] for part in where.split(",")[:2])
    there = answer_of(ask(f"NDVI at {latitude} N, {longitude} E on {LATER}", demo))
    found = answer_of(ask(f"NDVI in the middle of Marshend on {LATER}", demo))
    assert found.value == pytest.approx(there.value)
    assert any(np.isclose(ndvi(demo, LATER), found.value, atol=1e-4).ravel())


def test_seasons_that_clouds_change_are_asked_back(ask: Ask, slovenia: Path) -> None:
    found = ask("How long is the growing season?", slovenia / "ndvi", slovenia / "cloud_mask")
    assert "without them the answer is the same" not in answer_of(found).text
    assert "2016 220 days" in answer_of(found).text
