"""Descriptions that outlast their process: taken while all that they were made of stays, never longer."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.workspace import Workspace, described
from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.recognition import Correction
from treeline.toolkit.recognition.resolver import _describe

MTL = 'GROUP = IMAGE_ATTRIBUTES\n  DATE_ACQUIRED = 2020-05-0{}\n  SPACECRAFT_ID = "LANDSAT_8"\nEND_GROUP\n'


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    for month in (5, 6, 7):
        write_raster(folder / f"Place_red_2020-0{month}-01.tif", np.full((4, 4), month, "uint16"), nodata=0)
    return folder


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are described, not taken from what is kept."""
    names: list[str] = []
    make = described.describe_in_folder

    def describe(path: Path, *rest: object) -> object:
        names.append(path.name)
        return make(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(described, "describe_in_folder", describe)
    return names


@pytest.fixture(autouse=True)
def begin_anew() -> Iterator[None]:
    _forget()
    yield
    _forget()


def _forget() -> None:
    described.kept_descriptions.cache_clear()
    described._state_of_folder.cache_clear()
    described._maker.cache_clear()
    _describe.cache_clear()


def another_process(workspace: Workspace) -> Workspace:
    """Return the workspace as another process would open it, which shares files alone."""
    _forget()
    return Workspace(workspace.folder, workspace.sources)


def test_another_process_takes_what_was_made(tmp_path: Path, source: Path, made: list[str]) -> None:
    workspace = Workspace(tmp_path / "workspace", [source])
    first = workspace.rasters
    assert len(made) == 3
    made.clear()
    assert repr(another_process(workspace).rasters) == repr(first)
    assert made == []


def test_what_is_sent_to_another_process_reads_there(tmp_path: Path, source: Path, made: list[str]) -> None:
    workspace = Workspace(tmp_path / "workspace", [source])
    workspace.rasters  # noqa: B018
    sent = pickle.dumps(workspace.resolver)
    assert b"RasterDescription" not in sent
    another_process(workspace)
    made.clear()
    assert pickle.loads(sent).describe("Place_red_2020-05-01.tif")[0] == workspace.rasters[0]
    assert made == []


def _rewrite_in_its_time(source: Path, _: Workspace) -> None:
    file = source / "Place_red_2020-05-01.tif"
    before = file.stat()
    write_raster(file, np.full((4, 4), 9, "uint16"), nodata=0)
    assert file.stat().st_size == before.st_size
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def _statistics_beside(source: Path, _: Workspace) -> None:
    (source / "Place_red_2020-05-01.tif.aux.xml").write_text("<PAMDataset/>", "utf-8")


def _world_file(source: Path, _: Workspace) -> None:
    (source / "Place_red_2020-05-01.tfw").write_text("10\n0\n0\n-10\n5\n5\n", "utf-8")


def _another_name_beside(source: Path, _: Workspace) -> None:
    (source / "Place_nir_2020-05-01.tif").write_bytes((source / "Place_red_2020-05-01.tif").read_bytes())


def _correction(_: Path, workspace: Workspace) -> None:
    workspace.correct({"Place_red_2020-05-01.tif": Correction(role="nir", date=datetime(2021, 1, 1))})


@pytest.mark.parametrize(
    "change", [_rewrite_in_its_time, _statistics_beside, _world_file, _another_name_beside, _correction]
)
def test_what_changes_a_description_has_it_made_anew(
    tmp_path: Path, source: Path, made: list[str], change: Callable[[Path, Workspace], None]
) -> None:
    workspace = Workspace(tmp_path / "workspace", [source])
    workspace.rasters  # noqa: B018
    change(source, workspace)
    made.clear()
    found = another_process(workspace).rasters
    assert "Place_red_2020-05-01.tif" in made
    # And what is kept then holds in the next one.
    made.clear()
    assert repr(another_process(workspace).rasters) == repr(found)
    assert made == []


def test_what_comes_beside_a_file_is_seen_within_the_same_second(
    tmp_path: Path, source: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(described.time, "monotonic", lambda: 5.0)
    workspace = Workspace(tmp_path / "workspace", [source])
    workspace.rasters  # noqa: B018
    for content in ("<PAMDataset/>", "<PAMDataset></PAMDataset>"):  # it comes, and is written anew in place
        (source / "Place_red_2020-05-01.tif.aux.xml").write_text(content, "utf-8")
        made.clear()
        workspace.refresh()
        assert len(workspace.rasters) == 3
        assert "Place_red_2020-05-01.tif" in made


def test_metadata_rewritten_above_the_folder_of_a_scene(tmp_path: Path, made: list[str]) -> None:
    bands = tmp_path / "scene" / "bands"
    bands.mkdir(parents=True)
    write_raster(bands / "LC08_190028_B4.tif", np.full((4, 4), 7, "uint16"))
    stated = tmp_path / "scene" / "LC08_190028_MTL.txt"
    stated.write_text(MTL.format(1), "utf-8")
    workspace = Workspace(tmp_path / "workspace", [bands])
    assert workspace.rasters[0].date == datetime(2020, 5, 1)
    # In place, so that no folder changes, and of the same size.
    stated.write_text(MTL.format(2), "utf-8")
    assert another_process(workspace).rasters[0].date == datetime(2020, 5, 2)


def test_a_new_rule_or_limit_never_meets_an_old_description(
    tmp_path: Path, source: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace(tmp_path / "workspace", [source])
    workspace.rasters  # noqa: B018
    monkeypatch.setenv("TREELINE_LIMITS", "pixels=3")
    described._maker.cache_clear()
    with pytest.raises(RasterUnreadable, match="16 pixels"):
        another_process(workspace).raster("Place_red_2020-05-01.tif")
    monkeypatch.delenv("TREELINE_LIMITS")
    made.clear()
    toolkit = tmp_path / "toolkit"
    toolkit.mkdir()
    (toolkit / "__init__.py").write_text("", "utf-8")
    monkeypatch.setattr(described.treeline.toolkit, "__file__", str(toolkit / "__init__.py"))
    changed = another_process(workspace)
    assert len(changed.rasters) == len(made) == 3
    made.clear()
    (toolkit / "rule.yaml").write_text("a: 1", "utf-8")
    assert len(another_process(changed).rasters) == len(made) == 3


def _other_path(content: dict[str, dict[str, dict[str, dict[str, object]]]]) -> None:
    for entry in content["files"].values():
        entry["description"]["path"] = "/elsewhere.tif"


def _no_bands(content: dict[str, dict[str, dict[str, dict[str, object]]]]) -> None:
    for entry in content["files"].values():
        entry["description"]["bands"] = "none"


def _more(content: dict[str, object]) -> None:
    content["code"] = "run me"


@pytest.mark.parametrize("spoil", [_other_path, _no_bands, _more, None])
def test_a_damaged_or_foreign_file_is_made_anew(
    tmp_path: Path, source: Path, made: list[str], spoil: Callable[[object], None] | None
) -> None:
    workspace = Workspace(tmp_path / "workspace", [source])
    first = workspace.rasters
    file = workspace.folder / described.NAME
    whole = file.read_text("utf-8")
    if spoil is None:
        file.write_text(whole[:-50], "utf-8")
    else:
        content = json.loads(whole)
        spoil(content)
        file.write_text(json.dumps(content), "utf-8")
    made.clear()
    assert repr(another_process(workspace).rasters) == repr(first)
    assert len(made) == 3
    assert json.loads(file.read_text("utf-8")) == json.loads(whole)


def test_what_is_gone_is_forgotten(tmp_path: Path, source: Path) -> None:
    workspace = Workspace(tmp_path / "workspace", [source])
    workspace.rasters  # noqa: B018
    (source / "Place_red_2020-05-01.tif").unlink()
    workspace.refresh()
    assert len(workspace.rasters) == 2
    assert "2020-05-01" not in (workspace.folder / described.NAME).read_text("utf-8")


def test_workspaces_keep_apart_and_within_bounds(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(described, "MOST_BANDS", 2)
    one, two = (Workspace(tmp_path / name, [source]) for name in ("one", "two"))
    assert len(one.rasters) == 3
    assert len(json.loads((one.folder / described.NAME).read_text("utf-8"))["files"]) == 2
    assert not (two.folder / described.NAME).exists()


def test_a_file_too_large_to_be_ours_is_not_read(
    tmp_path: Path, source: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace(tmp_path / "workspace", [source])
    workspace.rasters  # noqa: B018
    monkeypatch.setattr(described, "LARGEST", 10)
    made.clear()
    assert len(another_process(workspace).rasters) == len(made) == 3


def test_where_nothing_can_be_written_the_work_is_done(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace(tmp_path / "workspace", [source])
    (workspace.folder / described.NAME).mkdir()
    assert len(workspace.rasters) == 3
