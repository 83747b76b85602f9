from __future__ import annotations

import json
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.workspace import Workspace
from treeline.core.workspace.trash import KEPT
from treeline.toolkit.errors import InputError


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "place")
    for name in ("a_ndvi_2021-01-01.tif", "b_ndvi_2021-02-01.tif"):
        write_raster(workspace.inputs_folder / name, np.full((8, 8), 0.5, "float32"))
    return workspace


def names(workspace: Workspace) -> list[str]:
    return [raster.path.name for raster in workspace.rasters]


def age(workspace: Workspace, key: str, by: timedelta) -> None:
    note = workspace.folder / "trash" / key / "removal.json"
    told = json.loads(note.read_text("utf-8"))
    told["time"] = (datetime.fromisoformat(told["time"]) - by).isoformat()
    note.write_text(json.dumps(told), "utf-8")


def test_a_removed_upload_comes_back_as_it_was(workspace):
    path = workspace.inputs_folder / "a_ndvi_2021-01-01.tif"
    before = path.read_bytes()
    removal = workspace.remove_input(path.name)
    assert names(workspace) == ["b_ndvi_2021-02-01.tif"]
    assert not path.exists()
    assert [found.name for found in workspace.trash.removals()] == [path.name]
    assert workspace.restore_input(removal.key) == path.name
    assert path.read_bytes() == before
    assert len(names(workspace)) == 2
    assert workspace.trash.removals() == []


def test_what_belongs_to_a_file_goes_and_comes_with_it(workspace):
    inputs = workspace.inputs_folder
    for name in ("a_ndvi_2021-01-01.tif.aux.xml", "a_ndvi_2021-01-01.tif.ovr"):
        (inputs / name).write_text("beside", "utf-8")
    for suffix in ("shp", "shx", "dbf", "prj", "txt"):
        (inputs / f"fields.{suffix}").write_text("part", "utf-8")
    raster = workspace.remove_input("a_ndvi_2021-01-01.tif")
    shape = workspace.remove_input("fields.shp")
    assert sorted(path.name for path in inputs.iterdir()) == ["b_ndvi_2021-02-01.tif", "fields.txt"]
    workspace.restore_input(raster.key)
    workspace.restore_input(shape.key)
    assert len(list(inputs.iterdir())) == 9


def test_files_of_one_name_in_two_folders_are_two_files(workspace):
    deep = workspace.inputs_folder / "2021" / "a_ndvi_2021-01-01.tif"
    deep.parent.mkdir()
    write_raster(deep, np.full((8, 8), 0.7, "float32"))
    removal = workspace.remove_input("2021/a_ndvi_2021-01-01.tif")
    assert not deep.exists()
    assert (workspace.inputs_folder / deep.name).exists()
    assert workspace.restore_input(removal.key) == "2021/a_ndvi_2021-01-01.tif"
    assert deep.exists()


def test_nothing_is_written_over_when_a_file_comes_back(workspace):
    path = workspace.inputs_folder / "a_ndvi_2021-01-01.tif"
    removal = workspace.remove_input(path.name)
    path.write_text("another", "utf-8")
    with pytest.raises(InputError, match="is there again"):
        workspace.restore_input(removal.key)
    assert path.read_text("utf-8") == "another"
    assert [found.key for found in workspace.trash.removals()] == [removal.key]


def test_two_removals_of_one_name_are_kept_apart(workspace):
    path = workspace.inputs_folder / "a_ndvi_2021-01-01.tif"
    first = workspace.remove_input(path.name)
    path.write_bytes((workspace.inputs_folder / "b_ndvi_2021-02-01.tif").read_bytes())
    second = workspace.remove_input(path.name)
    assert {found.key for found in workspace.trash.removals()} == {first.key, second.key}
    assert workspace.trash.removals()[0] == second


def test_a_week_later_it_is_deleted_for_good(workspace):
    old = workspace.remove_input("a_ndvi_2021-01-01.tif")
    assert old.until - old.time == KEPT == timedelta(days=7)
    age(workspace, old.key, KEPT - timedelta(hours=1))
    assert len(workspace.trash.removals()) == 1
    age(workspace, old.key, timedelta(hours=2))
    assert workspace.trash.removals() == []
    with pytest.raises(InputError, match="not in the trash"):
        workspace.restore_input(old.key)
    workspace.remove_input("b_ndvi_2021-02-01.tif")
    assert not (workspace.folder / "trash" / old.key).exists()


def test_the_trash_is_emptied(workspace):
    workspace.remove_input("a_ndvi_2021-01-01.tif")
    workspace.trash.empty()
    assert workspace.trash.removals() == []
    assert list(workspace.folder.rglob("a_ndvi*")) == []
    workspace.trash.empty()


@pytest.mark.parametrize("key", ["", "..", "../inputs", "nothing"])
def test_only_removals_come_back(workspace, key):
    workspace.remove_input("a_ndvi_2021-01-01.tif")
    with pytest.raises(InputError, match="not in the trash"):
        workspace.restore_input(key)


@pytest.mark.parametrize("name", ["../corrections.json", "nothing.tif", "", "/etc/hostname"])
def test_only_uploads_are_removed(workspace, name):
    (workspace.folder / "corrections.json").write_text("{}", "utf-8")
    with pytest.raises(InputError, match="not an upload"):
        workspace.remove_input(name)


def test_two_at_once_remove_a_file_once(workspace):
    problems: list[Exception] = []

    def remove() -> None:
        try:
            workspace.remove_input("a_ndvi_2021-01-01.tif")
        except InputError as error:
            problems.append(error)

    threads = [threading.Thread(target=remove) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(problems) == 3
    assert len(workspace.trash.removals()) == 1
    assert names(workspace) == ["b_ndvi_2021-02-01.tif"]


def test_a_note_that_cannot_be_read_hides_nothing_else(workspace):
    removal = workspace.remove_input("a_ndvi_2021-01-01.tif")
    (workspace.folder / "trash" / "odd").mkdir()
    (workspace.folder / "trash" / "odd" / "removal.json").write_text("{", "utf-8")
    assert [found.key for found in workspace.trash.removals()] == [removal.key]
    assert removal.time <= datetime.now(UTC)
    workspace.trash.expire()
    assert (workspace.folder / "trash" / "odd").is_dir()


def test_a_removal_noted_before_several_could_be_removed_together_comes_back(workspace: Workspace) -> None:
    removal = workspace.remove_input("a_ndvi_2021-01-01.tif")
    note = workspace.trash.folder / removal.key / "removal.json"
    note.write_text(json.dumps({"name": removal.name, "time": removal.time.isoformat()}), "utf-8")
    assert workspace.restore_input(removal.key) == "a_ndvi_2021-01-01.tif"
    assert (workspace.inputs_folder / "a_ndvi_2021-01-01.tif").is_file()
