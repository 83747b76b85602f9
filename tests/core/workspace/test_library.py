from __future__ import annotations

import json
import os
import zipfile

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.workspace.library import WorkspaceLibrary, allowed_roots
from treeline.core.workspace.workspace import Workspace
from treeline.toolkit.errors import InputError, PathOutside


def test_create_gives_a_folder_and_keeps_the_title(tmp_path):
    library = WorkspaceLibrary(tmp_path)
    name = library.create("Vipava valley, 2021!")
    assert name == "vipava-valley-2021"
    assert library.title(name) == "Vipava valley, 2021!"
    assert library.create("Vipava valley 2021") == "vipava-valley-2021-2"
    assert library.get(name).inputs_folder.is_dir()
    assert library.get(name) is library.get(name)


@pytest.mark.parametrize("title", ["", "   "])
def test_a_workspace_needs_a_name(tmp_path, title):
    with pytest.raises(InputError, match="no name"):
        WorkspaceLibrary(tmp_path).create(title)


def test_rename_changes_the_title_and_not_the_name(tmp_path):
    library = WorkspaceLibrary(tmp_path)
    name = library.create("One")
    library.rename(name, "Two")
    assert library.names() == [name]
    assert WorkspaceLibrary(tmp_path).title(name) == "Two"
    with pytest.raises(InputError):
        library.rename("Two", "Three")
    assert library.names() == [name]


@pytest.mark.parametrize("name", ["", "..", ".hidden", "a/b", "nothing"])
def test_only_folders_of_the_library_are_workspaces(tmp_path, name):
    library = WorkspaceLibrary(tmp_path / "workspaces")
    (tmp_path / "workspaces" / "a" / "b").mkdir(parents=True)
    with pytest.raises(InputError, match="no workspace"):
        library.get(name)


def test_a_linked_folder_is_read_in_place(tmp_path):
    library = WorkspaceLibrary(tmp_path / "workspaces")
    name = library.create("One")
    (tmp_path / "data").mkdir()
    library.link(name, str(tmp_path / "data"))
    assert library.get(name).sources == (tmp_path / "data",)
    library.unlink(name, str(tmp_path / "data"))
    assert library.get(name).sources == ()
    assert (tmp_path / "data").is_dir()


def test_only_allowed_roots_may_be_linked(tmp_path, monkeypatch):
    (tmp_path / "open").mkdir()
    (tmp_path / "closed").mkdir()
    (tmp_path / "open" / "way").symlink_to(tmp_path / "closed")
    monkeypatch.setenv("TREELINE_DATA_ROOTS", str(tmp_path / "open"))
    library = WorkspaceLibrary(tmp_path / "workspaces", allowed_roots(single_user=True))
    name = library.create("One")
    for folder in ("closed", "open/../closed", "open/way"):
        with pytest.raises(PathOutside, match="may not be read"):
            library.link(name, str(tmp_path / folder))
    library.link(name, str(tmp_path / "open"))


def test_several_users_may_link_nothing_until_roots_are_named(tmp_path, monkeypatch):
    monkeypatch.delenv("TREELINE_DATA_ROOTS", raising=False)
    assert allowed_roots(single_user=True) is None
    library = WorkspaceLibrary(tmp_path / "workspaces", allowed_roots(single_user=False))
    with pytest.raises(PathOutside, match="TREELINE_DATA_ROOTS"):
        library.link(library.create("One"), str(tmp_path))


@pytest.mark.parametrize("folder", ["", "relative", "/no/such/folder"])
def test_a_link_needs_an_absolute_path_that_exists(tmp_path, folder):
    library = WorkspaceLibrary(tmp_path)
    name = library.create("One")
    with pytest.raises(InputError, match="no folder"):
        library.link(name, folder)


def test_a_source_that_is_gone_does_not_close_the_workspace(tmp_path):
    library = WorkspaceLibrary(tmp_path / "workspaces")
    name = library.create("One")
    (tmp_path / "data").mkdir()
    library.link(name, str(tmp_path / "data"))
    (tmp_path / "data").rmdir()
    assert WorkspaceLibrary(tmp_path / "workspaces").get(name).sources == ()


def test_damaged_settings_do_not_hide_a_workspace(tmp_path):
    library = WorkspaceLibrary(tmp_path)
    name = library.create("One")
    (tmp_path / name / "workspace.json").write_text("{", "utf-8")
    assert library.title(name) == name
    (tmp_path / name / "workspace.json").write_text(json.dumps([1]), "utf-8")
    assert library.title(name) == name


def test_an_archive_that_comes_in_later_is_opened_when_it_is_looked_again(tmp_path):
    library = WorkspaceLibrary(tmp_path / "workspaces")
    workspace = library.get(library.create("One"))
    assert workspace.rasters == ()
    write_raster(tmp_path / "ndvi_2021-06-01.tif", np.ones((4, 4), "float32"))
    with zipfile.ZipFile(workspace.inputs_folder / "june.zip", "w") as archive:
        archive.write(tmp_path / "ndvi_2021-06-01.tif", "ndvi_2021-06-01.tif")
    workspace.refresh()
    assert [raster.path.name for raster in workspace.rasters] == ["ndvi_2021-06-01.tif"]
    workspace.remove_input("june.zip")
    assert workspace.rasters == () and list((workspace.folder / "unpacked").iterdir()) == []


def test_commands_with_other_data_leave_each_other_what_they_took_out(tmp_path):
    write_raster(tmp_path / "ndvi_2021-06-01.tif", np.ones((4, 4), "float32"))
    for name in ("one.zip", "two.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.write(tmp_path / "ndvi_2021-06-01.tif", "ndvi_2021-06-01.tif")
    folder = tmp_path / "workspace"
    first = Workspace(folder, sources=(tmp_path / "one.zip",))
    (kept,) = first.unpacked_folders
    second = Workspace(folder, sources=(tmp_path / "two.zip",))
    assert len(second.rasters) == 1 and [raster.path.parent.parent for raster in first.rasters] == [kept]
    os.utime(kept, (0, 0))
    second.refresh()
    assert len(second.rasters) == 1 and not kept.exists()


def test_another_version_takes_out_anew_what_it_may_read_otherwise(tmp_path, monkeypatch):
    write_raster(tmp_path / "ndvi_2021-06-01.tif", np.ones((4, 4), "float32"))
    with zipfile.ZipFile(tmp_path / "one.zip", "w") as archive:
        archive.write(tmp_path / "ndvi_2021-06-01.tif", "ndvi_2021-06-01.tif")

    def take_out() -> str:
        (folder,) = Workspace(tmp_path / "workspace", sources=(tmp_path / "one.zip",)).unpacked_folders
        return folder.name

    first = take_out()
    assert take_out() == first
    monkeypatch.setattr("treeline.core.workspace.workspace.__version__", "0.0.0")
    assert take_out() != first
