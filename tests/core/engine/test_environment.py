from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from treeline.core.disclosure.fixed import Flat
from treeline.core.disclosure.progressive import Progressive
from treeline.core.engine.actions import Call, Doc, Observation
from treeline.core.engine.environment import Environment, _warning_lines
from treeline.core.engine.observations import as_json
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification.readings import units_of
from treeline.core.workspace import Workspace
from treeline.toolkit import SkillTree, registry


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two dates of red and near infrared, a brightness temperature, and what is not usable."""
    data = tmp_path / "data"
    data.mkdir()
    rng = np.random.default_rng(3)
    for date in ("2021-06-01", "2021-07-01"):
        bands = rng.integers(500, 4000, (2, 20, 30)).astype("uint16")
        write_raster(data / f"Lake_{date}.tif", bands, descriptions=("red", "nir"), scale=0.0001, offset=0.0)
    write_raster(data / "Lake_2021-06-01_BT10.tif", np.full((20, 30), 295.0, "float32"))
    write_raster(data / "Lake_2021-06-01_ndvi.tif", rng.uniform(0, 1, (20, 30)).astype("float32"))
    (data / "broken.tif").write_text("not a raster")
    return data


@pytest.fixture
def environment(folder: Path, tmp_path: Path) -> Environment:
    data = RunData(Workspace(tmp_path / "ws", [folder]), "run")
    return Environment(data, Flat(SkillTree.of(registry())), registry())


def call(environment: Environment, tool: str, **arguments):
    return environment.act(Call(tool, arguments), State("q"))


@pytest.mark.parametrize(
    ("files", "labels"),
    [
        (["@red[2021-06-01]", "@nir[2021-06-01]"], ["2021-06-01 red", "2021-06-01 nir"]),
        (["@red"], ["2021-06-01", "2021-07-01"]),
        (["@red[2021-06-01]", "@red[2021-06-01]"], ["2021-06-01", "2021-06-01"]),
    ],
)
def test_numbers_are_told_by_their_dates_and_those_of_one_date_by_their_bands(environment, files, labels):
    observation = call(environment, "calc_batch_image_mean", file_list=files)
    assert [pair.rsplit(" ", 1)[0] for pair in observation.text.split("; ")] == labels


def test_what_has_no_date_is_told_by_its_file(environment, folder):
    for name, value in (("before.tif", 0.5), ("after.tif", 0.25)):
        write_raster(folder / name, np.full((20, 30), value, "float32"), descriptions=("ndvi",))
    files = {"file_list": ["before.tif", "after.tif"]}
    assert call(environment, "calc_batch_image_mean", **files).text == "before.tif 0.5; after.tif 0.25"
    write_raster(folder / "classes.tif", np.ones((20, 30), "uint8"), descriptions=("landcover",))
    by_class = call(environment, "statistics_by_class", **files, classes_path="classes.tif")
    assert json.loads(by_class.text) == [{"file": "before.tif", "1": 0.5}, {"file": "after.tif", "1": 0.25}]
    some = ["before.tif", "Lake_2021-06-01_ndvi.tif"]
    mixed = call(environment, "statistics_by_class", file_list=some, classes_path="classes.tif")
    # Rows are alike, so that they make up a table.
    assert [(row["date"], row["file"]) for row in json.loads(mixed.text)] == [
        ("", "before.tif"),
        ("2021-06-01", "Lake_2021-06-01_ndvi.tif"),
    ]
    one = call(environment, "statistics_by_class", file_list=some[:1], classes_path="classes.tif")
    assert json.loads(one.text) == [{"1": 0.5}]


def test_rasters_of_one_day_are_told_apart_by_their_files_and_units(environment, folder):
    for role, value in (("lst", 301.5), ("ndvi", 0.5)):
        write_raster(
            folder / f"Lake_2021-07-02_{role}.tif", np.full((20, 30), value, "float32"), descriptions=(role,)
        )
    files = ["Lake_2021-07-02_lst.tif", "Lake_2021-07-02_ndvi.tif"]
    seen = call(environment, "calc_batch_image_mean", file_list=files)
    assert seen.text == "2021-07-02 lst 301.5 K; 2021-07-02 ndvi 0.5 index"
    assert (seen.unit, seen.units) == ("", ("K", "index"))
    write_raster(folder / "classes.tif", np.ones((20, 30), "uint8"), descriptions=("landcover",))
    seen = call(environment, "statistics_by_class", file_list=files, classes_path="classes.tif")
    rows = json.loads(seen.text.splitlines()[0])
    assert [(row["file"], row["unit"], row["1"]) for row in rows] == [
        (files[0], "K", 301.5),
        (files[1], "index", 0.5),
    ]
    assert dict(units_of(seen)) == {301.5: "K", 0.5: "index"}


def test_classes_that_a_run_named_have_their_names_in_its_tables(environment, folder):
    write_raster(
        folder / "height.tif", np.arange(600, dtype="float32").reshape(20, 30), descriptions=("dem",)
    )
    made = call(
        environment,
        "raster_calculator",
        formula="where(z < 300, 1, 2)",
        rasters={"z": "height.tif"},
        output_path="belts.tif",
        role="class",
        class_names={"1": "low", "2": "high"},
    )
    assert made.kind == "result"
    seen = call(environment, "statistics_by_class", file_list=["height.tif"], classes_path="belts.tif")
    assert "(classes: 1 low, 2 high)" in seen.text


def test_a_number_of_each_of_several_rasters_has_the_date_of_its_raster(folder, environment):
    for date, covered in (("2021-06-01", 3), ("2021-07-01", 0)):
        mask = np.zeros((20, 30), "uint8")
        mask[:, :covered] = 1
        write_raster(folder / f"Lake_{date}_cloud_mask.tif", mask)
    told = call(environment, "calculate_cloud_cover", qa_pixel_path="@cloud_mask").text
    assert told == "2021-06-01 10; 2021-07-01 0\n(unit: %)"


def test_what_is_calculated_for_each_number_of_a_series_has_its_dates(environment):
    means = environment.act(Call("calc_batch_image_mean", {"file_list": ["@red"]}), State("q"))
    state = State("q", steps=(Step(1, Call("calc_batch_image_mean", {"file_list": ["@red"]}), means),))
    limit = Call("compare_values", {"values": "@result1", "operator": "ge", "limit": max(means.value)})
    higher = means.value.index(max(means.value))
    later = environment.act(limit, state)
    assert later.text == f"true for 1 of 2: {['2021-06-01', '2021-07-01'][higher]}"
    ranks = environment.act(Call("rank_values", {"values": "@result1"}), state)
    assert [pair.split()[0] for pair in ranks.text.split("; ")] == ["2021-06-01", "2021-07-01"]


def test_an_extreme_and_its_place_have_no_dates(environment):
    state = State("q")
    for files in (["@red"], ["@red", "@nir"]):
        means = environment.act(Call("calc_batch_image_mean", {"file_list": files}), state)
        state = State("q", steps=(Step(1, Call("calc_batch_image_mean", {"file_list": files}), means),))
        highest = environment.act(Call("max_value_and_index", {"x": "@result1"}), state)
        assert highest.value == [max(means.value), means.value.index(max(means.value))]
        assert "2021" in means.text and "2021" not in highest.text


def expected_ndvi(folder: Path, date: str) -> np.ndarray:
    with rasterio.open(folder / f"Lake_{date}.tif") as dataset:
        red, nir = dataset.read().astype(float)
    return (nir - red) / (nir + red)


def test_handles_become_rasters_and_products_get_a_handle_and_a_date(environment, folder):
    observation = call(
        environment,
        "calculate_batch_ndvi",
        input_nir_paths="@nir",
        input_red_paths="@red",
        output_paths=["a.tif", "b.tif"],
    )
    assert observation.kind == "result", observation
    assert [p.date for p in observation.products] == ["2021-06-01", "2021-07-01"]
    assert {p.handle for p in observation.products} == {"@ndvi-made"}
    means = call(environment, "calc_batch_image_mean", file_list="@ndvi-made")
    assert means.value == pytest.approx(
        [expected_ndvi(folder, d).mean() for d in ("2021-06-01", "2021-07-01")], abs=1e-6
    )


def test_what_is_made_of_the_same_dates_anew_is_a_series_of_its_own(environment):
    made = [["a.tif", "b.tif"], ["c.tif", "d.tif"], ["e.tif"]]
    for paths, dates in zip(made, ("", "", "[2021-06]"), strict=True):
        bands = {"input_nir_paths": f"@nir{dates}", "input_red_paths": f"@red{dates}"}
        call(environment, "calculate_batch_ndvi", output_paths=paths, **bands)
    expected = dict(zip(("@ndvi-made", "@ndvi-made-2", "@ndvi-made-3"), made, strict=True))
    known = environment.data.collections
    assert {name: list(known[name].addresses) for name in expected} == expected
    assert len(call(environment, "calc_batch_image_mean", file_list="@ndvi-made-2").value) == 2

    resumed = RunData(environment.data.workspace, "run")
    resumed.restore(environment.data.products)
    assert {name: list(resumed.collections[name].addresses) for name in expected} == expected


def test_what_is_made_of_one_date_after_another_is_one_series(environment):
    for month in ("06", "07"):
        of_month = {"input_nir_paths": f"@nir[2021-{month}]", "input_red_paths": f"@red[2021-{month}]"}
        call(environment, "calculate_batch_ndvi", output_paths=[f"of_{month}.tif"], **of_month)
    assert list(environment.data.collections["@ndvi-made"].addresses) == ["of_06.tif", "of_07.tif"]


def test_rows_that_are_given_again_have_their_dates(environment):
    state = State("q")
    for tool, arguments in (
        ("calc_batch_image_mean", {"file_list": "@red"}),
        ("get_rows", {"rows": "@result1"}),
    ):
        action = Call(tool, arguments)
        observation = environment.act(action, state)
        state = State("q", steps=(*state.steps, Step(len(state.steps) + 1, action, observation)))
    assert observation.text == state.steps[0].observation.text
    assert observation.text.startswith("2021-06-01 ")


def test_rows_of_the_tables_of_several_rasters_have_the_dates_of_their_own(environment, folder):
    names = [f"Lake_{date}_landcover.tif" for date in ("2021-06-01", "2021-07-01")]
    for name, width in zip(names, (10, 20), strict=True):
        classes = np.ones((20, 30), "uint8")
        classes[:, width:] = 2
        write_raster(folder / name, classes)
    action = Call("area_by_class", {"input_path": names})
    tables = environment.act(action, State("q"))
    state = State("q", steps=(Step(1, action, tables),))
    head, *rows, unit = tables.text.splitlines()
    assert (head, unit) == ("date | raster | class | pixels | area | percent", "(areas in ha)")
    assert [row.split(" | ")[:3] for row in rows][1:3] == [["2021-06-01", "1", "2"], ["2021-07-01", "2", "1"]]
    given = environment.act(Call("get_rows", {"rows": "@result1", "first": 2, "count": 2}), state)
    assert [(row["raster"], row["class"]) for row in given.value] == [(1, 2.0), (2, 1.0)]
    assert (
        given.text.startswith('[{"date": "2021-06-01", "raster": 1,') and '"date": "2021-07-01"' in given.text
    )


def test_an_output_that_was_not_named_is_derived_and_said(environment):
    observation = call(environment, "calculate_batch_ndvi", input_nir_paths="@nir", input_red_paths="@red")
    assert [p.name for p in observation.products] == ["ndvi_Lake_2021-06-01.tif", "ndvi_Lake_2021-07-01.tif"]
    assert any("was not given" in warning for warning in observation.warnings)


def test_one_path_where_a_list_is_wanted_and_a_json_text_are_repaired(environment):
    name = "Lake_2021-06-01_ndvi.tif"
    assert len(call(environment, "calc_batch_image_mean", file_list=name).value) == 1
    repaired = call(environment, "calc_batch_image_mean", file_list=json.dumps([name]))
    assert repaired.kind == "result" and any("JSON" in w for w in repaired.warnings)


def test_the_text_of_a_result_is_a_path_and_a_step_is_a_value(environment):
    state = State("q")
    first = Call("calc_batch_image_mean", {"file_list": "@ndvi"})
    observation = environment.act(first, state)
    state = state.after(Step(1, first, observation))
    mean = environment.act(Call("mean", {"x": "@result1"}), state)
    assert mean.value == pytest.approx(observation.value[0])
    written = call(
        environment, "calculate_batch_ndvi", input_nir_paths="@nir[2021-06]", input_red_paths="@red[2021-06]"
    ).value
    assert call(environment, "calc_batch_image_mean", file_list=written).kind == "result"


def test_an_older_tool_and_parameter_name_are_said_and_used(environment):
    observation = call(
        environment,
        "calculate_ndvi",
        input_nir_path="Lake_2021-06-01.tif#nir",
        input_red_path="Lake_2021-06-01.tif#red",
        output_filename="n.tif",
    )
    assert observation.kind == "result"
    assert any("calculate_batch_ndvi" in warning for warning in observation.warnings)


DIFFERENCE = {"image_a_path": "@ndvi", "image_b_path": "@ndvi"}


@pytest.mark.parametrize(
    ("tool", "arguments", "error", "says"),
    [
        ("calc_batch_image_men", {"file_list": "@ndvi"}, "UnknownTool", "calc_batch_image_mean"),
        ("calc_batch_image_mean", {"file_list": "@ndwi"}, "InputError", "@ndvi"),
        ("calc_batch_image_mean", {"file_list": ["Lake_2021-06-02_ndvi.tif"]}, "RasterMissing", "06-01_ndvi"),
        ("calc_batch_image_mean", {"files_list_x": 3, "file_list": "@ndvi"}, "InputError", "Signature"),
        ("calc_batch_image_mean", {}, "InputError", "file_list"),
        ("mean", {"x": "many"}, "InputError", "x"),
        ("calc_batch_image_mean", {"file_list": ["../../etc/passwd"]}, "PathOutside", "workspace"),
        ("calc_batch_image_mean", {"file_list": ["broken.tif"]}, "RasterUnreadable", "broken.tif"),
        ("calculate_tif_difference", DIFFERENCE | {"output_path": "../x.tif"}, "PathOutside", "output"),
        (
            "calculate_batch_ndvi",
            {"input_nir_paths": ["Lake_2021-06-01_BT10.tif"], "input_red_paths": "@red[2021-06]"},
            "RoleMismatch",
            "bt10",
        ),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_would_do(environment, tool, arguments, error, says):
    observation = environment.act(Call(tool, arguments), State("q"))
    assert observation.kind == "refusal" and observation.error == error, observation
    assert says in f"{observation.text} {observation.hint}"
    assert list(environment.data.folder.iterdir()) == []


def test_a_call_before_its_document_is_refused(folder, tmp_path):
    data = RunData(Workspace(tmp_path / "w2", [folder]), "run")
    environment = Environment(data, Progressive(SkillTree.of(registry())), registry())
    action = Call("calc_batch_image_mean", {"file_list": "@ndvi"})
    refused = environment.act(action, State("q"))
    assert refused.kind == "refusal" and "doc('calc_batch_image_mean')" in refused.hint
    document = environment.act(Doc("calc_batch_image_mean"), State("q"))
    state = State("q").after(Step(1, Doc("calc_batch_image_mean"), document))
    assert environment.act(action, state).kind == "result"


def test_an_implausible_product_is_part_of_the_observation(environment, folder):
    write_raster(folder / "Lake_2021-08-01_red.tif", np.full((20, 30), 0.2, "float32"))
    write_raster(folder / "Lake_2021-08-01_nir.tif", np.full((20, 30), 0.4, "float32"))
    environment.data.workspace.refresh()
    environment.data.resolver.inputs = environment.data.workspace.resolver
    observation = call(
        environment,
        "calculate_batch_ndvi",
        input_nir_paths=["Lake_2021-08-01_nir.tif"],
        input_red_paths=["Lake_2021-08-01_red.tif"],
    )
    assert observation.kind == "result", observation
    assert any("same value" in warning for warning in observation.warnings)
    assert "same value" in observation.text


def test_what_is_not_json_becomes_json():
    value = {"a": np.float32(1.5), "b": (1, float("nan")), "c": Path("/x"), "d": np.arange(2)}
    assert as_json(value) == {"a": 1.5, "b": [1, None], "c": "/x", "d": [0, 1]}


def test_a_result_that_is_not_there_is_refused_with_those_that_are(environment):
    there = Step(2, Call("mean", {"x": [1]}), Observation("result", "1", value=1.0))
    state = State("q", steps=(there,))
    refused = environment.act(Call("mean", {"x": "@result7"}), state)
    assert refused.kind == "refusal" and "x: There is no result of step 7" in refused.text
    assert "@result2" in refused.hint
    assert environment.act(Call("mean", {"x": ["@result2", 3]}), state).value == 2
    series = Step(
        3, Call("rank_values", {"values": [7, 5]}), Observation("result", "[1, 2]", value=[1.0, 2.0])
    )
    assert environment.act(Call("mean", {"x": ["@result3"]}), state.after(series)).value == 1.5
    assert environment.act(Call("mean", {"x": ["@result3", 6]}), state.after(series)).value == 3


def test_a_handle_that_is_not_there_names_its_argument(environment):
    refused = call(environment, "calc_batch_image_mean", file_list="@snow")
    assert refused.text.startswith("file_list: There is no collection '@snow'")


def test_texts_that_cannot_be_written_are_made_so(environment):
    refused = call(environment, "calc_batch_image_mean", file_list=["a\ud800.tif"])
    json.dumps([refused.text, refused.hint], ensure_ascii=False).encode()
    assert refused.kind == "refusal" and "file_list" in refused.text
    nested: list = []
    for _ in range(400):
        nested = [nested]
    assert "nested" in call(environment, "mean", x=nested).text


def test_a_name_in_another_encoding_does_not_disturb_the_others(environment, folder):
    (folder / os.fsdecode(b"Gr\xf6\xdfe.tif")).write_bytes((folder / "Lake_2021-06-01.tif").read_bytes())
    environment.data.workspace.refresh()
    assert len(call(environment, "calc_batch_image_mean", file_list="@nir").value) == 2
    json.dumps(environment.data.workspace.problems, ensure_ascii=False).encode()
    assert any(name.startswith("Gr") for name in environment.data.workspace.problems)


def test_a_missing_backend_is_a_refusal(environment):
    refused = call(environment, "SM3Det", input_image_path="Lake_2021-06-01.tif", text_prompt="ship")
    assert (refused.kind, refused.error) == (
        "refusal",
        "BackendMissing",
    ) and "TREELINE_WEIGHTS" in refused.hint


def test_a_missing_raster_is_answered_with_the_collections_of_the_nearest(environment):
    refused = call(environment, "calc_batch_image_mean", file_list=["Lake_2021-06-04_ndvi.tif"])
    assert "Nearest: Lake_2021-06-01_ndvi.tif" in refused.hint
    assert "@ndvi (1 raster; 2021-06-01; 30 x 20 pixels of 10 x 10 m (EPSG:32633); Lake)" in refused.hint


def test_what_is_missing_is_told_with_what_was_given_instead(environment):
    refused = call(environment, "calculate_batch_ndvi", near_infrared="@nir", input_red_paths="@red")
    assert "'input_nir_paths', which is missing; it has no 'near_infrared'" in refused.text
    assert len(call(environment, "made up " * 500).text) < 200


def after(environment: Environment, tool: str, state: State = State("q"), **arguments) -> State:  # noqa: B008
    """Return the state after a call."""
    action = Call(tool, arguments)
    return state.after(Step(len(state.steps) + 1, action, environment.act(action, state)))


def test_the_same_call_is_answered_from_the_record(environment, monkeypatch):
    once = after(environment, "calc_batch_image_mean", file_list="@ndvi")
    monkeypatch.setattr(environment, "run_tool", None)
    again = after(environment, "calc_batch_image_mean", once, file_list=["Lake_2021-06-01_ndvi.tif"])
    first, second = (step.observation for step in again.steps)
    assert second.value == first.value and second.text.startswith("As in step 1, which made the same call:")
    thrice = after(environment, "calc_batch_image_mean", again, file_list="@ndvi").steps[-1].observation
    assert thrice.text.startswith("As in step 2") and len(thrice.text) == len(second.text)


def test_a_call_whose_rasters_were_written_anew_is_made_again(environment):
    def make(month: str, state: State = State("q")) -> State:  # noqa: B008
        bands = {"input_nir_paths": f"@nir[{month}]", "input_red_paths": f"@red[{month}]"}
        state = after(environment, "calculate_batch_ndvi", state, **bands, output_paths=["a.tif"])
        return after(environment, "calc_batch_image_mean", state, file_list=["a.tif"])

    state = make("2021-07", make("2021-06"))
    assert state.steps[1].observation.value != state.steps[3].observation.value


def test_a_handle_in_capitals_is_read_and_said(environment):
    observation = call(environment, "calc_batch_image_mean", file_list="@NDVI")
    assert observation.kind == "result" and "@NDVI was read as @ndvi" in observation.text
    missing = call(environment, "calc_batch_image_mean", file_list="@NDVII")
    assert missing.kind == "refusal" and "@ndvi" in missing.hint


@pytest.mark.parametrize(("name", "handle"), [("ndvi_2021.tif", "@ndvi[2021]"), ("ndvi_2016.tif", "@ndvi")])
def test_a_file_that_is_not_there_is_pointed_to_the_collection(environment, name, handle):
    observation = call(environment, "calc_batch_image_mean", file_list=[name])
    assert observation.kind == "refusal" and handle in observation.hint, observation


def test_open_tools_need_no_document(folder, tmp_path):
    data = RunData(Workspace(tmp_path / "ws", [folder]), "run")
    closed = Environment(data, Progressive(SkillTree.of(registry())), registry())
    opened = Environment(
        data, Progressive(SkillTree.of(registry())), registry(), open_tools=("calculate", "get_rows")
    )
    arguments = {"formula": "a * 2", "values": {"a": "@result1"}}
    state = State("q").after(Step(1, Call("mean"), Observation("result", "3", value=3.0)))
    assert closed.act(Call("calculate", arguments), state).kind == "refusal"
    assert opened.act(Call("calculate", arguments), state).value == 6.0
    rows = State("q").after(Step(1, Call("table"), Observation("result", "...", value=list(range(100)))))
    assert opened.act(Call("get_rows", {"rows": "@result1", "first": 99}), rows).value == [98, 99]


def test_a_warning_of_a_kind_that_was_told_is_told_no_more():
    first = Step(1, Call("mean"), Observation("result", "", warnings=("a.tif has no scale.",)))
    state = State("How much?", steps=(first,))
    again = "(warnings of the same kind as before)"
    assert _warning_lines(["a.tif is small."], state) == ["warning: a.tif is small."]
    assert _warning_lines(["a.tif has no scale."], state) == [again]
    assert _warning_lines(["a.tif is small.", "a.tif has no scale."], state) == [
        "warning: a.tif is small.",
        again,
    ]
    assert _warning_lines([], state) == []


def test_of_warnings_of_a_kind_every_file_is_told():
    empty = [f"No pixel of c_{number}.tif is valid: m_{number}.tif covers it." for number in range(4)]
    (line,) = _warning_lines(empty[:3], State("q"))
    assert line == f"warning: {empty[0]} (So too c_1.tif, c_2.tif.)"
    told = State("q", steps=(Step(1, Call("mean"), Observation("result", "", warnings=tuple(empty[:3]))),))
    assert _warning_lines(empty, told) == ["(warnings of the same kind as before, of c_3.tif)"]
    many = [f"{number}.tif is small." for number in range(20)]
    assert _warning_lines(many, State("q"))[0].endswith("12.tif and 7 more.)")


def test_of_two_cloud_masks_neither_is_blamed_alone(tmp_path):
    folder = tmp_path / "two"
    folder.mkdir()
    for day, cloudy in (("05-03", 0), ("07-12", 1)):
        write_raster(folder / f"Lake_2021-{day}_NDVI.tif", np.full((8, 8), 0.5, "float32"))
        write_raster(folder / f"Lake_2021-{day}_cloud_mask.tif", np.full((8, 8), cloudy, "uint8"))
    data = RunData(Workspace(tmp_path / "ws", [folder]), "run")
    environment = Environment(
        data, Progressive(SkillTree.of(registry())), registry(), open_tools=("raster_calculator",)
    )
    masks = {name: f"@cloud_mask[2021-{day}]" for name, day in (("c", "05-03"), ("d", "07-12"))}
    arguments = {
        "formula": "where((c == 0) & (d == 0), a, nodata)",
        "rasters": {"a": "@ndvi[2021-05-03]", **masks},
        "output_path": "clear.tif",
    }
    observation = environment.act(Call("raster_calculator", arguments), State("q"))
    assert "2021-05-03_cloud_mask.tif or Lake_2021-07-12_cloud_mask.tif marks" in observation.text


def test_a_file_of_several_bands_has_the_handle_of_the_first(tmp_path: Path):
    """Its record tells of that band: of a trend the slope, and neither its z nor its interval."""
    folder = tmp_path / "rasters"
    folder.mkdir()
    for year in range(2016, 2022):
        write_raster(folder / f"Lake_{year}-07-12_NDVI.tif", np.full((4, 4), year / 1e4, "float32"))
    data = RunData(Workspace(tmp_path / "workspace", [folder]), "run", tmp_path / "run")
    environment = Environment(data, Flat(SkillTree.of(registry())), registry())
    call = Call("calculate_trend_map", {"file_list": "@ndvi", "output_path": "trend.tif"})
    seen = environment.act(call, State("How fast?"))
    assert seen.products[0].handle == "@trend_slope", seen.text
