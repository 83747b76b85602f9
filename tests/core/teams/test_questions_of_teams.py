"""What a team does with a question that is declined, asked about, read in part, or follows another one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.engine.actions import Call
from treeline.core.engine.events import RunFinished
from treeline.core.engine.journal import recorded_state
from treeline.core.policies.planner.course import Courses
from treeline.core.query import reading
from treeline.core.query.expression import Aggregate, Span, Variable, When
from treeline.core.query.reading import Reading
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.teams.report import team_report

DAY = dt.date(2021, 7, 1)
DATES = ("2021-06-01", "2021-07-01")
CLOUDY = "What is the mean NDVI on 2021-07-01?"
TEAMS = [{"team": "layered"}, {"team": "evolver", "variants": 1}]
teams = pytest.mark.parametrize("team", TEAMS, ids=["layered", "evolver"])


@pytest.fixture
def cloudy(tmp_path: Path) -> Path:
    """Red, near infrared and masks of two dates; half of the second lies under a cloud that hides green."""
    folder = tmp_path / "cloudy"
    folder.mkdir()
    for number, date in enumerate(DATES):
        near = np.full((40, 40), 0.5, "float32")
        cloud = np.zeros((40, 40), "uint8")
        if number:
            near[:20], cloud[:20] = 0.15, 1
        write_raster(folder / f"Lake_red_{date}.tif", np.full((40, 40), 0.1, "float32"), descriptions=["red"])
        write_raster(folder / f"Lake_nir_{date}.tif", near, descriptions=["nir"])
        write_raster(folder / f"Lake_cloudmask_{date}.tif", cloud, descriptions=["cloud_mask"])
    return folder


def ask(manager: RunManager, question: str, **options: object) -> tuple[str, RunFinished]:
    run = manager.create("lake", question, RunOptions(without=("memory",), **options))  # type: ignore[arg-type]
    return run, manager.work(run)


def same(together: RunFinished, alone: RunFinished) -> None:
    assert together.status == alone.status
    assert together.answer is not None and alone.answer is not None
    if alone.status == "answered":
        # What tools remark on a raster on the way is said by the member that made it.
        assert together.answer.text.split(". ")[0].rstrip(".") == alone.answer.text.split(". ")[0].rstrip(".")
    else:
        assert together.answer.text == alone.answer.text
    assert together.answer.readings == alone.answer.readings
    assert together.answer.unverified == alone.answer.unverified
    assert together.answer.expression == alone.answer.expression
    assert together.answer.value == (
        None if alone.answer.value is None else pytest.approx(alone.answer.value)
    )


@teams
@pytest.mark.parametrize(
    "question",
    [
        "What is the answer to everything?",
        "What is the mean rainfall in 2021?",
        "What is the mean NDVI of the frobnicated pixels on 2021-06-01?",
        "What is the mean NDVI on 2025-06-01?",
    ],
)
def test_a_question_that_is_declined_is_declined_in_the_same_words(
    bands: Path, manager_over: Callable[..., RunManager], question: str, team: dict[str, object]
) -> None:
    manager = manager_over(bands)
    _, alone = ask(manager, question)
    run, together = ask(manager, question, **team)
    assert alone.status == "declined"
    same(together, alone)
    assert not any(event["kind"] == "retry" for event in team_report(manager.store, run)["happened"])


@teams
def test_a_question_that_is_asked_back_is_asked_back_and_the_reading_that_is_meant_answered(
    cloudy: Path,
    manager_over: Callable[..., RunManager],
    monkeypatch: pytest.MonkeyPatch,
    team: dict[str, object],
) -> None:
    left_open = Variable("ndvi", When((Span(DAY, DAY),)), assumed=("clouds",))

    def read(self: Courses, question: str) -> Reading:
        if question != CLOUDY or self.reader is not reading.read:
            return self.reader(question, self.inventory, None)
        return Reading(question, "read", expressions=(Aggregate("mean", left_open, "pixel"),))

    monkeypatch.setattr(Courses, "read", read)
    manager = manager_over(cloudy)
    _, alone = ask(manager, CLOUDY)
    _, together = ask(manager, CLOUDY, **team)
    assert alone.status == "asks" and alone.answer is not None and len(alone.answer.readings) == 2
    same(together, alone)
    values = []
    for number in (1, 2):
        _, meant = ask(manager, CLOUDY, reading=number, **team)
        same(meant, ask(manager, CLOUDY, reading=number)[1])
        assert meant.status == "answered" and meant.answer is not None
        values.append(meant.answer.value)
    assert values == pytest.approx([(0.2 + 2 / 3) / 2, 2 / 3], abs=1e-4)


@teams
def test_clouds_that_are_masked_in_what_is_handed_on_are_masked_once(
    cloudy: Path, manager_over: Callable[..., RunManager], team: dict[str, object]
) -> None:
    manager = manager_over(cloudy)
    question = "What is the mean NDVI on 2021-07-01 without clouds?"
    run, together = ask(manager, question, **team)
    alone = ask(manager, question)[1]
    assert together.answer is not None and alone.answer is not None
    assert together.answer.value == pytest.approx(2 / 3, abs=1e-4)
    assert together.answer.value == pytest.approx(alone.answer.value)
    calls = [step.action for step in recorded_state(manager.store, run).calls]
    masking = [call for call in calls if isinstance(call, Call) and call.tool == "apply_cloud_mask"]
    assert len(team_report(manager.store, run)["members"]) > 1
    assert 1 <= len(masking) == len({str(call.arguments) for call in masking}) <= 2


@teams
def test_the_part_that_is_understood_is_carried_out_where_that_is_wanted(
    bands: Path, manager_over: Callable[..., RunManager], team: dict[str, object]
) -> None:
    manager = manager_over(bands)
    question = "What is the mean NDVI of the frobnicated pixels on 2021-06-01?"
    _, alone = ask(manager, question, partial=True)
    _, together = ask(manager, question, partial=True, **team)
    assert alone.status == "unverified"
    same(together, alone)


@teams
def test_a_fragment_changes_the_question_that_it_follows(
    bands: Path, manager_over: Callable[..., RunManager], team: dict[str, object]
) -> None:
    manager = manager_over(bands)
    first, _ = ask(manager, "What is the mean NDVI on 2021-06-01?", **team)
    fragment = "and on 2021-07-01?"
    _, alone = ask(manager, fragment, after=first)
    _, together = ask(manager, fragment, after=first, **team)
    same(together, alone)
    assert together.answer is not None and together.answer.expression is not None
