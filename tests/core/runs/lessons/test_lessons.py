from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
import rasterio
from shapely.geometry import box

from treeline.core.cli import main
from treeline.core.demo import write_demo
from treeline.core.engine.actions import Answer, Call, Doc, Skill, action_name
from treeline.core.engine.journal import recorded_state
from treeline.core.record.store import Store
from treeline.core.runs.lessons.choices import MOST, choices_at, in_words
from treeline.core.runs.lessons.lesson import (
    Lesson,
    StepNote,
    delete_lesson,
    keep_lesson,
    lesson_of,
    lessons_in,
)
from treeline.core.runs.lessons.shipped_lessons import prepare, ready_lessons
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace
from treeline.core.workspace.library import WorkspaceLibrary
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.errors import InputError
from treeline.toolkit.interest import AreaOfInterest

TREE = SkillTree.of(registry())


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home with the demo as it ships, and both lessons prepared."""
    folder = tmp_path_factory.mktemp("home")
    write_demo(folder / "workspaces" / "demo" / "inputs")
    return folder


@pytest.fixture(scope="module")
def manager(home):
    store = Store(home / "treeline.sqlite")
    yield RunManager(store, lambda name: Workspace(home / "workspaces" / name))
    store.close()


@pytest.fixture(scope="module")
def lesson_run(manager):
    return {name: prepare(manager, "demo", ready) for name, ready in ready_lessons().items()}


@pytest.mark.parametrize("name", list(ready_lessons()))
def test_a_lesson_that_ships_still_gives_its_verified_answer(manager, lesson_run, name):
    run = lesson_run[name].run
    assert manager.record(run).status == "answered", "the demo or a tool has changed; make the lesson anew"
    steps = recorded_state(manager.store, run).steps
    assert len(steps) == len(ready_lessons()[name].steps)
    assert all(step.observation.is_success for step in steps)


@pytest.mark.parametrize("name", list(ready_lessons()))
def test_each_step_has_alternatives_that_are_real_and_never_taken(manager, lesson_run, name):
    steps = recorded_state(manager.store, lesson_run[name].run).steps
    taken = {(type(s.action), action_name(s.action)) for s in steps}
    places = set()
    for index in range(len(steps)):
        choices = choices_at(steps, index, TREE)
        assert choices == choices_at(steps, index, TREE)
        assert len(choices) == MOST and len({choice.text for choice in choices}) == MOST
        (right,) = [place for place, choice in enumerate(choices) if choice.taken]
        assert choices[right].action == steps[index].action
        places.add(right)
        later = {(type(s.action), action_name(s.action)) for s in steps[index:]}
        for choice in choices:
            if choice.taken:
                continue
            assert (type(choice.action), action_name(choice.action)) not in later
            assert choice.action.kind in ("skill", "doc", "call", "answer")
            if isinstance(choice.action, Doc | Call):
                assert action_name(choice.action) in registry()
    assert len(places) > 1, "the right one is not always at the same place"
    assert taken


def test_there_are_two_lessons_with_a_hint_and_a_note_for_each_step():
    assert len(ready_lessons()) == 2
    for ready in ready_lessons().values():
        assert all(step.hint and step.note for step in ready.steps)
        assert isinstance(ready.steps[-1].action, Answer)


def test_an_action_in_words():
    assert in_words(Skill("Index")) == "Open the kit Index"
    assert in_words(Doc("mean")).startswith("Read the document of mean: ")
    call = Call("calc_batch_image_mean", {"file_list": ["a.tif", "b.tif", "c.tif"]})
    assert in_words(call) == "Call calc_batch_image_mean on a.tif, b.tif and 1 more"


def test_a_lesson_is_kept_with_its_workspace(tmp_path):
    lesson = Lesson(run="abc", title="Water", notes={2: StepNote(hint="look up", note="so it is")})
    keep_lesson(tmp_path, lesson)
    assert lessons_in(tmp_path) == [lesson] and lesson_of(tmp_path, "abc").note(2).hint == "look up"
    assert lesson.note(9) == StepNote()
    (tmp_path / "lessons" / "other.json").write_text("{")
    assert lessons_in(tmp_path) == [lesson]
    delete_lesson(tmp_path, "abc")
    with pytest.raises(InputError, match="no lesson"):
        lesson_of(tmp_path, "abc")


@pytest.fixture
def file(lesson_run, home, tmp_path, monkeypatch, capsys) -> Path:
    """A lesson exported by the command line."""
    monkeypatch.setenv("TREELINE_HOME", str(home))
    monkeypatch.delenv("TREELINE_STORE", raising=False)
    run, path = lesson_run["heat_over_vegetation"].run, tmp_path / "lesson.zip"
    assert main(["export", run, "--as", "lesson", "--out", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"path": str(path)}
    return path


def test_a_lesson_is_one_file_with_the_rasters_that_its_steps_read(file, tmp_path, monkeypatch, capsys):
    names = set(zipfile.ZipFile(file).namelist())
    assert {n for n in names if n.startswith("inputs/")} == {
        "inputs/Demo_2021-06-19.tif",
        "inputs/Demo_LST_2021-06-19.tif",
        "inputs/Demo_cloud_mask_2021-06-19.tif",
    }
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setenv("TREELINE_HOME", str(elsewhere))
    assert main(["import", str(file), "--json"]) == 0
    run = json.loads(capsys.readouterr().out)["run"]
    store, library = Store(elsewhere / "treeline.sqlite"), WorkspaceLibrary(elsewhere / "workspaces")
    record = store.run(run)
    assert record.status == "answered" and record.workspace in library.names()
    lesson = lesson_of(library.folder / record.workspace, run)
    assert lesson.title == ready_lessons()["heat_over_vegetation"].title and lesson.note(1).hint
    inputs = library.folder / record.workspace / "inputs"
    read = recorded_state(store, run).steps[2].observation.arguments["sr_band_path"]
    assert Path(read.partition("#")[0]).parent == inputs and Path(read.partition("#")[0]).is_file()
    assert "lst" in {c.role for c in library.get(record.workspace).collections.values()}
    store.close()


def test_the_rasters_of_a_run_in_an_area_are_cut_to_it(home, manager, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TREELINE_HOME", str(home))
    inputs = home / "workspaces" / "demo" / "inputs"
    with rasterio.open(inputs / "Demo_2021-06-19.tif") as dataset:
        left, bottom, right, top = dataset.bounds
        size, crs = (dataset.width, dataset.height), dataset.crs.to_string()
    middle = box(
        (2 * left + right) / 3, (2 * bottom + top) / 3, (left + 2 * right) / 3, (bottom + 2 * top) / 3
    )
    area = AreaOfInterest(middle, crs, "a box").to_json()
    run = manager.create(
        "demo", "What is the mean NDVI on 2021-06-19, clouds included?", RunOptions(aoi=area)
    )
    assert manager.work(run).status == "answered"
    path = tmp_path / "lesson.zip"
    assert main(["export", run, "--as", "lesson", "--out", str(path), "--json"]) == 0
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "elsewhere"))
    assert main(["import", str(path), "--json"]) == 0
    capsys.readouterr()
    (cut,) = (tmp_path / "elsewhere" / "workspaces").glob("*/inputs/Demo_2021-06-19.tif")
    with rasterio.open(cut) as dataset:
        assert dataset.width < size[0] / 2 and dataset.height < size[1] / 2


def change_archive(file: Path, target: Path, change) -> Path:
    """Write an archive anew with what a function makes of each name and content."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            made = change(info.filename, old.read(info))
            if made is not None:
                new.writestr(*made)
    return target


def edit_notes(key, value):
    def change(name, content):
        if name == "lesson.json":
            told = json.loads(content)
            told[key] = value(told[key])
            content = json.dumps(told).encode()
        return name, content

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda n, c: (n, c[:-1] + b"x") if n.startswith("inputs/") else (n, c), "was changed"),
        (lambda n, c: None if n.startswith("inputs/Demo_LST") else (n, c), "does not hold"),
        (lambda n, c: (n.replace("inputs/Demo_LST", "inputs/../../Demo_LST"), c), "does not hold"),
        (edit_notes("former", lambda told: dict.fromkeys(told, "")), "is no path"),
        (edit_notes("lesson", lambda told: told | {"title": ""}), "title"),
        (edit_notes("lesson", lambda told: told | {"run": "../x"}), "run"),
        (edit_notes("rasters", lambda told: told[1:]), "differ"),
    ],
    ids=["content", "missing", "path", "former", "title", "run", "rasters"],
)
def test_a_file_that_was_changed_is_refused_in_a_sentence(
    file, tmp_path, monkeypatch, capsys, change, message
):
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "elsewhere"))
    bad = change_archive(file, tmp_path / "bad.zip", change)
    assert main(["import", str(bad), "--json"]) == 2
    found = capsys.readouterr()
    assert message in json.loads(found.out)["error"]["message"] and "Traceback" not in found.err
    assert not list((tmp_path / "elsewhere" / "workspaces").glob("lesson*")), "nothing is left behind"


def test_a_raster_never_lands_outside_the_workspace(file, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "elsewhere"))

    def rename(name, content):
        text = content.decode("utf-8", "replace") if name == "lesson.json" else ""
        if text:
            content = text.replace("Demo_LST_2021-06-19.tif", "../../Demo_LST.tif").encode()
        return name.replace("Demo_LST_2021-06-19.tif", "../../Demo_LST.tif"), content

    assert main(["import", str(change_archive(file, tmp_path / "bad.zip", rename)), "--json"]) == 2
    assert not list(tmp_path.rglob("Demo_LST.tif"))
    capsys.readouterr()
