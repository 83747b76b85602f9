"""The teams give the answers of a single policy on real rasters."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.options import RunOptions
from core.runs import RunManager
from core.store import Store
from core.workspace import Workspace

QUESTIONS = [
    ("What is the mean NDVI of 2016?", ("ndvi",)),
    ("What is the mean NDVI of 2016 without clouds?", ("ndvi", "cloud_mask")),
    ("How does the mean NDVI of the growing season 2016 compare with that of 2017?", ("ndvi",)),
    ("How many hectares have an NDVI over 0.6 on 2015-07-31?", ("scenes",)),
    ("On which date was the mean NDWI highest?", ("scenes",)),
    ("What is the difference between the mean NDVI and the mean NDWI on 2015-08-30?", ("scenes",)),
]


@pytest.fixture(scope="module")
def answer(shared: Path, tmp_path_factory: pytest.TempPathFactory):
    home = tmp_path_factory.mktemp("teams")
    root = shared / "rasters" / "slovenia_sentinel2"
    manager = RunManager(Store(home / "store.sqlite"), lambda name: Workspace(home / name))
    known: dict[tuple, object] = {}

    def answered(question: str, folders: tuple[str, ...], **options):
        key = (question, tuple(sorted(options.items())))
        if key not in known:
            data = tuple(str(root / folder) for folder in folders)
            run = manager.create("slovenia", question, RunOptions(data=data, **options))
            known[key] = manager.work(run)
        return known[key]

    return answered


TEAMS = [{"team": "layered"}, {"team": "evolver", "variants": 1}]


@pytest.mark.parametrize("team", TEAMS, ids=["layered", "evolver"])
@pytest.mark.parametrize(("question", "folders"), QUESTIONS, ids=[q for q, _ in QUESTIONS])
def test_a_team_answers_as_one_policy_does(answer, question, folders, team):
    alone, together = answer(question, folders), answer(question, folders, without=("memory",), **team)
    assert alone.status == together.status == "answered"
    expected = alone.answer.value
    assert together.answer.value == (None if expected is None else pytest.approx(expected))
    assert together.answer.unit == alone.answer.unit
    assert together.answer.text.split(".")[0] == alone.answer.text.split(".")[0]
