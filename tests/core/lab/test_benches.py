"""Benches in the background: recorded, stopped, resumed, found after their process is gone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treeline.core.engine.events import Progress
from treeline.core.engine.journal import events_of
from treeline.core.lab.bench_marks import WORKSPACE
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.benches import Benches, memory_of
from treeline.core.lab.geoplan.bench import PlanOptions
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError

QUESTIONS = [
    {
        "id": n,
        "modality": "products",
        "auto_planning": "What is the mean NDVI on 2021-06-01?",
        "files": ["Lake_2021-06-01_NDVI.tif"],
        "ground_truth": [{"tool": "calc_batch_image_mean"}],
    }
    for n in range(5)
]


@pytest.fixture
def benches(tmp_path: Path) -> Benches:
    store = Store(tmp_path / "store.sqlite")
    return Benches(RunManager(store, lambda name: Workspace(tmp_path / name)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps(question) for question in QUESTIONS))
    return path


def test_a_bench_is_a_run_of_its_own_with_its_results(benches: Benches, file: Path) -> None:
    run = benches.start("earth-bench", file, BenchOptions(workers=1))
    benches.manager.wait(run, 120)
    (record,) = benches.records()
    standing = benches.read_standing(run)
    assert (record.id, record.status, standing.total) == (run, "answered", 5)
    report = benches.report(record, standing.rows)
    assert report["metrics"]["tool_any_order"] == 1 and len(report["questions"]) == 5
    events = [stored.event for stored in events_of(benches.manager.store, run)]
    told = [event for event in events if isinstance(event, Progress)]
    assert {(event.step, event.total) for event in told} == {(0, 5)}, "of the bench, and of no step"
    assert benches.read_standing(run, standing) == standing


def test_a_bench_that_was_stopped_goes_on_with_what_is_left(benches: Benches, file: Path) -> None:
    store, append = benches.manager.store, benches.manager.store.append

    def stop_after_two(run, kind, body, *more):
        number = append(run, kind, body, *more)
        if len(benches.read_standing(run).rows) == 2:
            benches.stop(run)
        return number

    store.append = stop_after_two
    run = benches.start("earth-bench", file, BenchOptions(workers=1))
    benches.manager.wait(run, 120)
    assert benches.manager.record(run).status == "stopped" and len(benches.read_standing(run).rows) == 2
    store.append = append
    benches.resume(run)
    benches.manager.wait(run, 120)
    assert [row["id"] for row in benches.read_standing(run).rows] == list(range(5))
    assert benches.manager.record(run).status == "answered"
    with pytest.raises(InputError, match="resumed|answered"):
        benches.resume(run)


def test_a_bench_that_remembers_does_so_over_a_resumption(
    benches: Benches, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    store, append = benches.manager.store, benches.manager.store.append

    def stop_after_two(run, kind, body, *more):
        number = append(run, kind, body, *more)
        if len(benches.read_standing(run).rows) == 2:
            benches.stop(run)
        return number

    store.append = stop_after_two
    run = benches.start("earth-bench", file, BenchOptions(workers=1, memory="bench"))
    benches.manager.wait(run, 120)
    store.append = append
    benches.resume(run)
    benches.manager.wait(run, 120)
    remembered = Store(memory_of(run) / "record.sqlite")
    assert len(remembered.runs("bench")) == 5
    remembered.close()


def test_a_bench_whose_process_is_gone_is_found_interrupted(benches: Benches, file: Path) -> None:
    settings = {"planner": "template", "neighbours": "", "embedder": "lexical"}
    kept = {"bench": "geoplan", "file": str(file), "settings": settings}
    benches.manager.store.create_run("lost", WORKSPACE, "GeoPlan-bench", kept)
    benches.manager.store.set_status("lost", "running", "999999999-1.00-dead")
    assert benches.manager.recover() == ["lost"]
    file.write_text(json.dumps({"id": "1", "question": "?", "ground_truth": ["crop_image"]}))
    benches.resume("lost")
    benches.manager.wait("lost", 120)
    assert benches.manager.record("lost").status == "answered"
    report = benches.report(benches.manager.record("lost"), benches.read_standing("lost").rows)
    assert report["planner"] == "template" and len(report["tasks"]) == 1


def test_what_is_wrong_with_a_file_is_the_reason_of_the_end(benches: Benches, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{")
    run = benches.start("geoplan", bad, PlanOptions("template"))
    benches.manager.wait(run, 60)
    assert benches.manager.record(run).status == "failed"
    assert "not JSON" in benches.read_standing(run).reason


def test_what_cannot_be_run_is_refused_before_it_is_recorded(benches: Benches, file: Path) -> None:
    for bench, path, options in (
        ("chess", file, PlanOptions()),
        ("geoplan", file, PlanOptions("oracle")),
        ("earth-bench", file.with_name("none.jsonl"), BenchOptions()),
    ):
        with pytest.raises(InputError):
            benches.start(bench, path, options)
    assert benches.records() == []
