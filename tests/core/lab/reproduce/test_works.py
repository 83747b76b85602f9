"""What there is to do for the cells of a paper's table."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from treeline.core.lab.earth_bench_run import _inputs_of, data_folder
from treeline.core.lab.records import Question
from treeline.core.lab.reproduce.cells import WITHOUT_MODEL, Cell
from treeline.core.lab.reproduce.papers import paper_of
from treeline.core.lab.reproduce.reproduction import Reproduction
from treeline.core.lab.reproduce.sources import EARTH_SETTING, THINK_GEO_SETTING, Sources
from treeline.core.lab.reproduce.works import jobs_of
from treeline.core.lab.selection import Selection
from treeline.toolkit.errors import InputError, RasterMissing

QUESTIONS = [
    Question(id="1", auto_planning="How warm?", modality="RGB", files=("a.tif",)),
    Question(id="2", auto_planning="How green?", modality="Spectrum", files=("a.tif", "b.tif")),
]


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(f"{question.model_dump_json()}\n" for question in QUESTIONS))
    return Sources(questions=str(file))


@pytest.mark.parametrize(("part", "taken"), [("", ["1", "2"]), ("Spectrum", ["2"])])
def test_the_questions_of_a_part_are_taken_alone(sources: Sources, part: str, taken: list[str]):
    paper = paper_of("rs-claw")
    cell = Cell("earth-bench", next(iter(paper.systems)), "", "ap")
    jobs = jobs_of([cell], paper, sources, Selection(), None, part)
    assert [str(job.item.id) for job in jobs] == taken
    assert cell.asks_model and not replace(cell, model=WITHOUT_MODEL).asks_model
    with pytest.raises(InputError, match="no question of the part 'Radar'"):
        jobs_of([cell], paper, sources, Selection(), None, "Radar")


def test_a_file_of_a_shared_folder_that_is_not_there_is_named(tmp_path: Path):
    question = QUESTIONS[1].model_copy(update={"data_dir": "images", "only_files": True})
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.tif").touch()
    with pytest.raises(RasterMissing, match="has no file 'b.tif'"):
        data_folder(question, tmp_path)
    (tmp_path / "images" / "b.tif").touch()
    assert data_folder(question, tmp_path) == tmp_path / "images"


def test_questions_beside_the_project_are_found_where_nothing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for setting in (EARTH_SETTING, THINK_GEO_SETTING):
        monkeypatch.delenv(setting, raising=False)
    monkeypatch.setattr("treeline.core.lab.reproduce.sources._BESIDE", tmp_path)
    beside = tmp_path / "earth_bench" / "questions.jsonl"
    beside.parent.mkdir()
    beside.touch()
    assert Sources().file("earth-bench") == beside
    with pytest.raises(InputError, match="ThinkGeoBench.json is not to be found"):
        Sources().file("thinkgeo")


@pytest.mark.parametrize(("workers", "right"), [(0, False), (1, True), (64, True), (65, False)])
def test_there_is_one_worker_at_least_and_64_at_most(workers: int, right: bool):
    asked = Reproduction("rs-claw", workers=workers)
    with nullcontext() if right else pytest.raises(InputError, match="1 to 64 workers"):
        asked.check()


def test_a_question_of_its_own_files_sees_these_alone():
    question = QUESTIONS[1]
    assert _inputs_of(question, Path("/data")) == [Path("/data")]
    alone = question.model_copy(update={"only_files": True})
    assert _inputs_of(alone, Path("/data")) == [Path("/data/a.tif"), Path("/data/b.tif")]
