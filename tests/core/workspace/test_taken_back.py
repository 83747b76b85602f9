"""A correction that is taken back leaves what was found, and can hold again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.workspace import Workspace
from treeline.core.workspace.taken_back import said_of, split
from treeline.core.workspace.trash import KEPT
from treeline.core.workspace.workspace import TAKEN_BACK
from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition import Correction

NAME = "a_red_2021-05-01.tif"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path / "own")
    write_raster(made.inputs_folder / NAME, np.full((8, 8), 0.2, "float32"), descriptions=("red",))
    return made


def test_what_was_found_holds_again(workspace: Workspace) -> None:
    before = workspace.rasters
    assert workspace.as_found(before[0].path) is None
    said = Correction(role="nir", date=datetime(2022, 1, 2), date_precision="day", fill=(0.0,))
    workspace.correct({NAME: said})
    corrected = workspace.rasters
    assert corrected != before
    assert workspace.as_found(corrected[0].path) == before[0]
    workspace.take_back({"role": [NAME], "date": [NAME], "fill": [NAME]})
    assert workspace.rasters == before
    assert workspace.corrections == {}
    assert workspace.as_found(before[0].path) is None


def test_one_of_several_fields_is_taken_back_and_comes_again(workspace: Workspace) -> None:
    workspace.correct({NAME: Correction(role="nir", scale=0.5)})
    taken = workspace.take_back({"role": [NAME]})
    assert taken is not None and taken.fields == ("role",) and taken.name == NAME
    assert workspace.corrections == {NAME: Correction(scale=0.5)}
    workspace.correct({NAME: Correction(scale=0.25)})
    assert workspace.correct_again(taken.key) == NAME
    assert workspace.corrections == {NAME: Correction(role="nir", scale=0.25)}
    with pytest.raises(InputError, match="not kept any more"):
        workspace.correct_again(taken.key)


def test_what_is_taken_back_twice_is_there_once(workspace: Workspace) -> None:
    workspace.correct({NAME: Correction(role="nir")})
    assert workspace.take_back({"role": [NAME]}) is not None
    assert workspace.take_back({"role": [NAME]}) is None
    assert len(workspace.taken_back.all()) == 1


def test_a_date_goes_with_how_exact_it_is() -> None:
    said = {NAME: Correction(date=datetime(2022, 1, 1), date_precision="year", sensor="x")}
    stay, go = split(said, {"date": [NAME]})
    assert stay == {NAME: Correction(sensor="x")}
    assert go == {NAME: Correction(date=datetime(2022, 1, 1), date_precision="year")}


@pytest.mark.parametrize(
    ("name", "is_meant"),
    [
        (NAME, True),
        (f"{NAME}#1", True),
        (f"{NAME}#RED", True),
        (f"inputs/{NAME}", True),
        (f"{NAME}#2", False),
        (f"other/{NAME}", False),
        ("b.tif", False),
        ("#1", False),
    ],
)
def test_names_mean_files_bands_and_places(workspace: Workspace, name: str, is_meant: bool) -> None:
    raster = workspace.rasters[0]
    said = said_of({name: Correction(role="nir")}, raster.path, raster.bands[0], "red")
    assert said == ({"role": [name]} if is_meant else {})


def test_it_is_kept_for_a_while(workspace: Workspace) -> None:
    workspace.correct({NAME: Correction(role="nir")})
    workspace.take_back({"role": [NAME]})
    path = workspace.folder / TAKEN_BACK
    entries = json.loads(path.read_text("utf-8"))
    entries[0]["time"] = (datetime.now(UTC) - KEPT + timedelta(minutes=1)).isoformat()
    path.write_text(json.dumps(entries), "utf-8")
    assert len(workspace.taken_back.all()) == 1
    entries[0]["time"] = (datetime.now(UTC) - KEPT).isoformat()
    path.write_text(json.dumps(entries), "utf-8")
    assert workspace.taken_back.all() == []


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"key": "a"}]', '{"a": 1}', "[" * 50_000])
def test_a_damaged_file_takes_nothing_with_it(workspace: Workspace, text: str) -> None:
    (workspace.folder / TAKEN_BACK).write_text(text, "utf-8")
    assert workspace.taken_back.all() == []
    workspace.correct({NAME: Correction(role="nir")})
    assert workspace.take_back({"role": [NAME]}) is not None
    assert len(workspace.taken_back.all()) == 1
