"""What is judged by a limit is judged at the limit itself, and not a hair beside it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.engine.actions import Answer, Call, Observation
from treeline.core.engine.checks import doubts_of_value
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification import verify
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.evidence import Evidence, _counts_beyond
from treeline.core.engine.verification.evidence_of_steps import evidence_of
from treeline.toolkit import registry
from treeline.toolkit.variables import VARIABLES

MEAN = registry().get("calc_batch_image_mean")
FIRST = MEAN.inputs[0].name


@pytest.fixture
def rasters(tmp_path: Path) -> list[str]:
    """An NDVI and a surface temperature, whose limits have nothing in common."""
    paths = []
    for role, value in (("ndvi", 0.5), ("lst", 300.0)):
        path = tmp_path / f"Place_{role}_2021-06-03.tif"
        write_raster(path, np.full((4, 4), value, "float32"), descriptions=[role])
        paths.append(str(path))
    return paths


@pytest.mark.parametrize("number", [0, 1], ids=["lowest", "highest"])
def test_the_limits_of_a_variable_are_values_that_it_can_have(rasters, number: int) -> None:
    for path, role in zip(rasters, ("ndvi", "lst"), strict=True):
        limit = VARIABLES[role].limits[number]
        beyond = limit + (1e-6 if number else -1e-6) * max(1.0, abs(limit))
        assert doubts_of_value(MEAN, {FIRST: [path]}, [limit]) == []
        assert len(doubts_of_value(MEAN, {FIRST: [path]}, [beyond])) == 1


def test_each_number_is_judged_by_its_own_raster_and_a_single_one_by_the_first(rasters) -> None:
    assert doubts_of_value(MEAN, {FIRST: rasters}, [0.5, 300.0]) == []
    swapped = doubts_of_value(MEAN, {FIRST: rasters}, [300.0, 0.5])
    assert ["ndvi" in swapped[0].lower(), "lst" in swapped[1].lower()] == [True, True]
    assert doubts_of_value(MEAN, {FIRST: rasters}, 0.5) == []
    assert len(doubts_of_value(MEAN, {FIRST: rasters}, 300.0)) == 1


def test_a_series_is_counted_against_the_parts_of_its_mean_that_a_limit_in_per_cent_names() -> None:
    values = [(n / 1000) ** 2 for n in range(1, 2001)]  # so many that 1 % more of a limit is another count
    found = {round(n, 6) for n in _counts_beyond(values, (20.0,))}
    for count in (735, 967, 1484, 1553):  # above 120, 80 and 20 % of the mean, and above 0.2
        assert {float(count), 2000.0 - count, round(count / 20, 6), round(100 - count / 20, 6)} <= found


@pytest.mark.parametrize(
    ("text", "follows"),
    [("There are 3 dates.", True), ("There are 3.00 dates.", False), ("It is 3 K.", False)],
)
def test_a_count_has_no_unit_and_no_decimals(text: str, follows: bool) -> None:
    assert Evidence(counts=(3.0,)).gives(claims_in(text)[0]) is follows


def test_a_number_of_rasters_is_counted_alone_and_as_a_share_of_those_that_were_read() -> None:
    seen = Observation("result", "6", value=6.0, arguments={"paths": ["a.tif"] * 8})
    assert evidence_of([Step(1, Call("count", {}), seen)]).counts == (8.0, 75.0)


@pytest.mark.parametrize(
    ("text", "number", "follows"),
    [
        ("The mean is 0.41.", 0.4149, True),
        ("The mean is 0.41.", 0.4151, False),
        ("The mean is 0.41.", 0.4051, True),
        ("The mean is 0.41.", 0.4049, False),
        ("It is 26.85 °C.", 300.0, True),
        ("It is 26.75 °C.", 300.0, False),
        ("It is 20 %.", 0.2, True),
        ("It is 21 %.", 0.2, False),
    ],
)
def test_a_number_is_shown_within_half_of_its_last_digit(text: str, number: float, follows: bool) -> None:
    assert Evidence(numbers=(number,)).shows(claims_in(text)[0]) is follows


@pytest.mark.parametrize(
    ("question", "date", "status"),
    [
        ("mean NDVI on 2021-06-03", "2021-06-03", "answered"),
        ("mean NDVI on 2021-06-03", "2021-07-12", "unverified"),
        ("mean NDVI in 2021-06", "2021-06-03", "answered"),
        ("mean NDVI in 2021-06", "2021-07-12", "unverified"),
        ("mean NDVI on 2021-06-03 and on 2021-06-20", "2021-07-12", "answered"),  # which one is not known
    ],
)
def test_an_answer_without_a_date_is_of_the_date_that_was_asked_for(question, date, status) -> None:
    seen = Observation("result", f"NDVI of {date}: 5", value=5.0)
    state = State(question, steps=(Step(1, Call("mean", {}), seen),))
    found = verify(Answer("The mean is 5.", 5.0, evidence=(1,)), state)
    assert ("unverified" if found.unverified else "answered") == status
    assert not found.unverified or ("question is of 2021-06" in found.unverified and date in found.unverified)
