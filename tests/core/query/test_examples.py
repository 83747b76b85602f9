"""What is offered to somebody who does not know what can be asked can be asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.query.examples import asks_for_help, examples, others
from treeline.core.query.holdings import inventory_of
from treeline.core.query.reading import read
from treeline.core.workspace import Workspace

DATES = ("2021-06-03", "2021-07-12")


@pytest.mark.parametrize(
    "files",
    [
        {"Lake_DEM.tif": "dem"},
        {"Lake_landcover.tif": "landcover"},
        {"Lake_DEM.tif": "dem", "Lake_CLM_2021-06-03.tif": "cloud_mask"},
        {f"Lake_{date}_vv.tif": "vv" for date in DATES},
        {f"Lake_{date}_rain.tif": "precipitation" for date in DATES},
        {"Lake_blue.tif": "blue"},
        {"Lake_evi_2021-06-03.tif": "evi", "Lake_soil.tif": "soil_moisture"},
        {"Lake_unknown.tif": "something"},
    ],
    ids=lambda files: "+".join(sorted(set(files.values()))),
)
def test_every_example_is_read(tmp_path: Path, files: dict[str, str]) -> None:
    for name, role in files.items():
        kind = "uint8" if role in ("landcover", "cloud_mask") else "float32"
        write_raster(tmp_path / name, np.full((9, 9), 1, kind), descriptions=[role])
    workspace = Workspace(tmp_path / "own", [tmp_path])
    inventory = inventory_of(workspace, ())
    found = examples(workspace.collections)
    assert found and len(set(found)) == len(found)
    assert {question: read(question, inventory).status for question in found} == dict.fromkeys(found, "read")


def test_what_was_asked_is_not_offered_again(tmp_path: Path) -> None:
    write_raster(tmp_path / "Lake_DEM.tif", np.full((9, 9), 500, "float32"), descriptions=["dem"])
    collections = Workspace(tmp_path / "own", [tmp_path]).collections
    first, *rest = examples(collections)
    assert first == "What is the mean elevation?"
    assert others(collections, first, 1) == rest[:1]


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("help", True),
        ("Help!", True),
        ("What can I do here?", True),
        ("what  can you do with this", True),
        ("How does this work?", True),
        ("which questions can I ask", True),
        ("What can I do about clouds?", False),
        ("Which date can help?", False),
        ("how does NDVI work", False),
        ("what can I ask of NDVI", False),
    ],
)
def test_who_asks_for_help_is_known(question: str, asks: bool) -> None:
    assert asks_for_help(question) is asks


def test_named_classes_are_asked_for(tmp_path: Path) -> None:
    tags = {"TREELINE_CLASSES": '{"1": "lake", "3": "forest"}'}
    classes = np.where(np.arange(9) < 4, 1, 3).astype("uint8")[np.newaxis].repeat(9, 0)
    write_raster(tmp_path / "Lake_landcover.tif", classes, descriptions=["landcover"], tags=tags)
    workspace = Workspace(tmp_path / "own", [tmp_path])
    (found,) = examples(workspace.collections)
    assert found == "What is the area of each class?"
    assert read(found, inventory_of(workspace, ())).status == "read"
