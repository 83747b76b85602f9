"""The teams give the answers of a single policy on real rasters: wordings of every intent."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.policies.planner.test_demo import two_sensors  # noqa: F401
from tests.core.policies.planner.test_places import odd  # noqa: F401
from tests.core.policies.planner.test_slovenia import SCENES, SERIES
from treeline.core.engine.events import Note, RunFinished
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace

CLEAR = "What is the mean NDVI of 2016 without clouds?"
OTHERS: list[tuple[str, tuple[str, ...]]] = [
    (CLEAR, ("ndvi", "cloud_mask")),
    ("What is the difference between the mean NDVI and the mean NDWI on 2015-08-30?", ("scenes",)),
    ("In which year is the mean NDVI highest?", ("ndvi",)),
    ("On which date was the mean NDWI highest?", ("scenes",)),
    ("Between which dates of 2017 did the mean NDVI rise the most?", ("ndvi",)),
    ("list the average ndvi for every image", ("scenes",)),
    ("Is there a significant linear trend in the mean NDVI?", ("ndvi",)),
    ("How many cloud-free dates are there in 2016?", ("ndvi", "cloud_mask")),
    ("mean NDVI where the elevation is above 720 m on 2017-07-15", ("",)),
    (
        "How did the mean NDVI of the grassland change from 2015-08-30 to 2016-08-24, and what is the mean "
        "slope of the grassland, clouds masked?",
        ("",),
    ),
    ("mean rainfall in 2016", ("ndvi",)),
    ("mean NDVI on 2018-05-05", ("ndvi",)),
    ("What is the answer to everything?", ("ndvi",)),
]
WORDINGS = [
    *((question, ("ndvi", "cloud_mask")) for question, _ in SERIES[::4]),
    *((question, ("scenes",)) for question, _ in SCENES[::2]),
]
TEAMS = [{"team": "layered"}, {"team": "evolver", "variants": 1}]


of_each_team = pytest.mark.parametrize("team", TEAMS, ids=lambda team: team["team"])


Ask = Callable[..., RunFinished]


@pytest.fixture(scope="module")
def manager(tmp_path_factory: pytest.TempPathFactory) -> RunManager:
    home = tmp_path_factory.mktemp("teams")
    return RunManager(Store(home / "store.sqlite"), lambda name: Workspace(home / name))


@pytest.fixture(scope="module")
def create(manager: RunManager, shared: Path) -> Callable[..., str]:
    """A function from a question, folders and options to a recorded run."""
    root = shared / "rasters" / "slovenia_sentinel2"

    def create_run(question: str, folders: tuple[str, ...], **options) -> str:
        data = tuple(str(root / folder) for folder in folders)
        return manager.create("slovenia", question, RunOptions(data=data, **options))

    return create_run


@pytest.fixture(scope="module")
def answer(manager: RunManager, create: Callable[..., str]) -> Ask:
    known: dict[tuple, RunFinished] = {}

    def answer_once(question: str, folders: tuple[str, ...], **options) -> RunFinished:
        key = (question, tuple(sorted(options.items())))
        if key not in known:
            known[key] = manager.work(create(question, folders, **options))
        return known[key]

    return answer_once


def same(together: RunFinished, alone: RunFinished) -> None:
    assert together.status == alone.status and alone.answer is not None
    expected = alone.answer.value
    assert together.answer.value == (None if expected is None else pytest.approx(expected))
    assert (together.answer.unit, together.answer.choice) == (alone.answer.unit, alone.answer.choice)
    assert together.answer.text.split(".")[0] == alone.answer.text.split(".")[0]


@pytest.mark.sample(4)
@of_each_team
@pytest.mark.parametrize(("question", "folders"), [*OTHERS, *WORDINGS], ids=str)
def test_a_team_answers_as_one_policy_does(answer, question, folders, team):
    same(answer(question, folders, without=("memory",), **team), answer(question, folders))


@of_each_team
@pytest.mark.parametrize(
    "question",
    [
        "What is the mean cloud-free NDVI in March 2016?",
        "Which date has the highest cloud-free mean NDVI in April 2017?",
        "mean cloud-free NDVI in January 2016",
    ],
)
def test_what_the_makers_of_a_raster_met_is_said_by_who_answers(answer, question, team):
    """Dates without a pixel, and with few of them: what was met where clouds were masked, and no more."""
    folders = ("ndvi", "cloud_mask")
    together, alone = answer(question, folders, without=("memory",), **team), answer(question, folders)
    assert together.answer.text == alone.answer.text


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "options", [{"variants": 2}, {"rounds": 2, "memory": "own"}, {"memory": "user"}], ids=str
)
@pytest.mark.parametrize("team", ["layered", "evolver"])
def test_a_team_with_variants_rounds_or_failure_memory_does_too(answer, team, options):
    together = answer(CLEAR, ("ndvi", "cloud_mask"), **{"variants": 1, "team": team, **options})
    same(together, answer(CLEAR, ("ndvi", "cloud_mask")))


@pytest.mark.sample(2)
@of_each_team
@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("What is the difference between the mean NDVI of Landsat 8 and Sentinel-2?", "two_sensors"),
        ("mean NDVI", "two_sensors"),
        ("mean NDVI", "odd"),
        ("difference in mean NDVI between rgbn_suba and rgbn_subb", "odd"),
    ],
)
def test_a_team_keeps_sensors_and_places_apart(manager, request, question, where, team):
    data = (str(request.getfixturevalue(where)),)

    def answer_apart(**options) -> RunFinished:
        return manager.work(manager.create("apart", question, RunOptions(data=data, **options)))

    same(answer_apart(without=("memory",), **team), answer_apart())


@pytest.mark.parametrize("team", ["layered", "evolver"])
def test_options_to_choose_from_reach_the_member_that_answers(answer, team):
    question, choices = "What is the mean NDVI on 2015-07-11?", ("0.61", "0.73", "0.85")
    together = answer(question, ("ndvi",), choices=choices, team=team, variants=1)
    assert together.answer.choice == "B"


@pytest.mark.parametrize("team", ["layered", "evolver"])
@pytest.mark.parametrize("rounds", [1, 2])
def test_a_team_that_was_stopped_goes_on_and_answers_the_same(manager, create, answer, team, rounds):
    stop = threading.Event()

    def stop_at_first_end(event) -> None:
        if isinstance(event, Note) and event.data.get("team") == "member_finished":
            stop.set()

    options = {"variants": 1, "rounds": rounds, "without": ("memory",)}
    run = create(CLEAR, ("ndvi", "cloud_mask"), team=team, **options)
    manager.on_event = stop_at_first_end
    try:
        stopped = manager.work(run, stop=stop)
    finally:
        manager.on_event = None
    assert stopped.status == "stopped" and manager.check_resumable(run).id == run
    same(manager.work(run), answer(CLEAR, ("ndvi", "cloud_mask")))
