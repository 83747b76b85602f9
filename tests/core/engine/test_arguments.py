"""Repairs of argument names and outputs, where the meaning is certain and where it is not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.engine.arguments import Repair, _same_words
from treeline.core.engine.rundata import RunData
from treeline.core.workspace import Workspace
from treeline.toolkit import registry
from treeline.toolkit.errors import InputError


@pytest.fixture
def data(tmp_path: Path) -> RunData:
    folder = tmp_path / "rasters"
    folder.mkdir()
    for name in ("Lake_2021-07-12_NDVI.tif", "Lake_2021-07-12_LST.tif"):
        write_raster(folder / name, np.ones((4, 4), "float32"))
    return RunData(Workspace(tmp_path / "workspace", [folder]), "run")


def repair_arguments(tool: str, data: RunData, **given) -> tuple[dict, list[str]]:
    repair = Repair(registry().get(tool), data)
    return repair.arguments(given), repair.notes


def test_a_handle_of_one_raster_is_its_path_where_one_is_taken(data: RunData):
    arguments, _ = repair_arguments(
        "threshold_segmentation", data, input_image_path="@ndvi", threshold=0.5, output_path="m.tif"
    )
    assert Path(arguments["input_image_path"]).name == NDVI


def test_names_that_are_right_stay(data: RunData):
    arguments, notes = repair_arguments("mean", data, x=[1.0, 2.0])
    assert arguments == {"x": [1.0, 2.0]} and notes == []


def test_a_text_is_taken_out_of_quotes_and_a_number_stays(data: RunData):
    arguments, _ = repair_arguments("convert_units", data, unit="'K'", values=3.0)
    assert arguments == {"unit": "K", "values": 3.0}


NDVI, LST = "Lake_2021-07-12_NDVI.tif", "Lake_2021-07-12_LST.tif"


def test_the_one_input_and_the_one_output_are_meant_by_their_usual_names(data: RunData):
    arguments, notes = repair_arguments(
        "threshold_segmentation", data, path=NDVI, threshold=0.5, output_filename="mask.tif"
    )
    assert set(arguments) == {"input_image_path", "threshold", "output_path"}
    assert arguments["output_path"] == "mask.tif" and len(notes) == 2


def test_of_two_inputs_none_is_meant_by_a_general_name(data: RunData):
    arguments, _ = repair_arguments("compute_tvdi", data, path=NDVI, output_path="t.tif")
    assert set(arguments) == {"path", "output_path"}


def test_a_name_of_the_same_words_is_meant_if_it_is_the_only_one(data: RunData):
    arguments, notes = repair_arguments(
        "compute_tvdi", data, input_ndvi_path=NDVI, lst_paths=LST, output_path="t.tif"
    )
    assert set(arguments) == {"ndvi_path", "lst_path", "output_path"} and len(notes) == 2
    arguments, notes = repair_arguments("compute_tvdi", data, ndvi_lst_path=NDVI, output_path="t.tif")
    assert set(arguments) == {"ndvi_lst_path", "output_path"} and notes == []


def test_what_was_given_is_not_replaced_by_another_name_of_it(data: RunData):
    arguments, _ = repair_arguments(
        "compute_tvdi", data, ndvi_path=NDVI, lst_path=LST, output="a.tif", output_path="b.tif"
    )
    assert arguments["output_path"] == "b.tif"
    arguments, _ = repair_arguments(
        "compute_tvdi", data, output_path="b.tif", output="a.tif", ndvi_path=NDVI, lst_path=LST
    )
    assert arguments["output_path"] == "b.tif"


def test_an_output_is_named_after_role_and_input(data: RunData):
    arguments, notes = repair_arguments("compute_tvdi", data, ndvi_path=NDVI, lst_path=LST)
    assert arguments["output_path"].startswith("tvdi") and arguments["output_path"].endswith(".tif")
    assert len(notes) == 1 and "not given" in notes[0]
    assert repair_arguments("compute_tvdi", data, ndvi_path=NDVI, output_path="t.tif")[1] == []


def test_a_picture_is_named_as_one(data: RunData):
    arguments, _ = repair_arguments("draw_map", data, image_path=NDVI)
    assert arguments["save_name"].endswith(".png")


def test_without_an_input_no_output_is_named(data: RunData):
    arguments, notes = repair_arguments("compute_tvdi", data, minimum_count=5)
    assert arguments == {"minimum_count": 5} and notes == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("red_paths", "path_red", True),
        ("red_path", "input_red_path", True),
        ("input_red_path", "red_path", True),
        ("red_path", "nir_path", False),
        ("red_path", "input_nir_path", False),
    ],
)
def test_one_name_has_the_words_of_the_other(one: str, other: str, same: bool):
    assert _same_words(one, other) is same


def test_handles_stand_for_rasters_in_the_names_of_a_formula(data: RunData, tmp_path: Path):
    write_raster(tmp_path / "rasters" / "Lake_2021-08-12_NDVI.tif", np.ones((4, 4), "float32"))
    data = RunData(Workspace(tmp_path / "workspace", [tmp_path / "rasters"]), "run")
    series, _ = repair_arguments("calculate_batch_formula", data, rasters={"a": "@ndvi", "b": ["@lst"]})
    assert [Path(path).name for path in series["rasters"]["a"]] == [NDVI, "Lake_2021-08-12_NDVI.tif"]
    assert [Path(path).name for path in series["rasters"]["b"]] == [LST]
    one, _ = repair_arguments("raster_calculator", data, rasters={"a": "@ndvi[2021-07-12]", "b": "@lst"})
    assert [Path(path).name for path in one["rasters"].values()] == [NDVI, LST]
    with pytest.raises(InputError, match="@ndvi is 2 rasters"):
        repair_arguments("raster_calculator", data, rasters={"a": "@ndvi"})


def test_what_may_be_null_can_be_left_out(data: RunData):
    arguments, notes = repair_arguments("calculate_area", data, input_image_path="@ndvi")
    assert arguments["gsd"] is None and notes == ["gsd was left out: it was taken for null."]
    arguments, notes = repair_arguments("calculate_area", data, input_image_path="@ndvi", gsd=30.0)
    assert arguments["gsd"] == 30.0 and notes == []


@pytest.mark.parametrize(
    ("given", "meant"),
    [("maximum", "max"), ("Average", "mean"), ("standard_deviation", "std"), ("MEDIAN", "median")],
)
def test_an_option_is_meant_by_its_usual_name(data: RunData, given: str, meant: str):
    rasters = {"file_list": ["@ndvi"], "output_path": "c.tif"}
    arguments, notes = repair_arguments("calculate_composite", data, **rasters, method=given)
    assert arguments["method"] == meant and notes == [f"method was {given!r}; it is called {meant!r}."]


def test_what_is_no_option_stays_to_be_refused(data: RunData):
    rasters = {"file_list": ["@ndvi"], "output_path": "c.tif"}
    arguments, notes = repair_arguments("calculate_composite", data, **rasters, method="mode")
    assert arguments["method"] == "mode" and notes == []


def test_one_name_for_the_outputs_of_a_series_becomes_one_of_each_raster(tmp_path: Path):
    folder = tmp_path / "series"
    folder.mkdir()
    for month in range(1, 13):
        for role in ("nir", "red"):
            write_raster(folder / f"Lake_2021-{month:02}-01_{role}.tif", np.ones((4, 4), "float32"))
    data = RunData(Workspace(tmp_path / "workspace", [folder]), "run")
    bands = {"input_nir_paths": "@nir", "input_red_paths": "@red"}
    arguments, notes = repair_arguments("calculate_batch_ndvi", data, **bands, output_paths="ndvi")
    assert arguments["output_paths"] == [f"ndvi_{number:02}" for number in range(1, 13)]
    assert any("ndvi_01 to ndvi_12" in note for note in notes)
    by_formula = {"formula": "a - b", "rasters": {"a": "@nir", "b": "@red[2021-01]"}, "output_paths": "d.tif"}
    arguments, _ = repair_arguments("calculate_batch_formula", data, **by_formula)
    assert arguments["output_paths"] == [f"d_{number:02}.tif" for number in range(1, 13)]
    by_file = {**by_formula, "rasters": {"a": ["@nir"], "b": "Lake_2021-01-01_red.tif"}}
    assert repair_arguments("calculate_batch_formula", data, **by_file)[0]["rasters"]["b"] == [
        "Lake_2021-01-01_red.tif"
    ]
    one = {"input_nir_paths": "@nir[2021-03]", "input_red_paths": "@red[2021-03]"}
    assert repair_arguments("calculate_batch_ndvi", data, **one, output_paths="n")[0]["output_paths"] == ["n"]
    listed, notes = repair_arguments("calculate_batch_ndvi", data, **bands, output_paths=["n"])
    assert listed["output_paths"] == [f"n_{number:02}" for number in range(1, 13)] and "n_12" in notes[0]
    # Two names are meant as they are: some too few are a slip that has to be told.
    listed = repair_arguments("calculate_batch_ndvi", data, **bands, output_paths=["n", "m"])[0]
    assert listed["output_paths"] == ["n", "m"]
