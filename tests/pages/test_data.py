"""The Data page keeps a person's files: a selection is a band's, a removal is asked for and can be undone."""

from __future__ import annotations

import shutil
import zipfile
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import assert_whole
from tests.rasters import write_raster
from treeline.core.runs.options import RunOptions
from treeline.pages.parts.data.catalogue import CHOSEN, CHOSEN_MANY, key_of_band
from treeline.pages.parts.data.removing import ASKED
from treeline.pages.parts.shared.services import services
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.recognition import Correction

FILES = ("a_red.tif", "b_red.tif", "c_red.tif")


@pytest.fixture
def inputs(home: Path) -> Path:
    """Three files of one band each, listed in the order of their names."""
    folder = home / "workspaces" / "demo" / "inputs"
    for path in folder.iterdir():
        path.unlink()
    for i, name in enumerate(FILES):
        write_raster(folder / name, np.full((20, 20), 0.1 + i / 10, "float32"), descriptions=["red"])
    return folder


@pytest.fixture
def data(inputs: Path, app: AppTest) -> AppTest:
    app.run()
    app.switch_page("data.py").run()
    assert_whole(app)
    return app


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def select(data: AppTest, path: Path) -> None:
    data.session_state[CHOSEN] = key_of_band(path, 1)
    data.run()
    assert str(path.parent) not in str(data.query_params)
    assert str(path.parent) not in str(data.query_params)


def table(data: AppTest):
    return next(item for item in data.dataframe if "handle" in item.value.columns)


def keys(data: AppTest, start: str) -> list[str]:
    return [button.key for button in data.button if (button.key or "").startswith(start)]


def hidden_places(data: AppTest) -> int:
    """Return how many columns stand empty beside a table, and are hidden."""
    return sum("<i hidden>" in str(item.proto) for item in data.get("html"))


def remove(data: AppTest, name: str) -> None:
    data.button(key=f"remove-{name}").click().run()
    data.button(key=f"remove-now-{name}").click().run()
    assert_whole(data)


def test_a_correction_sorts_anew_and_the_same_file_stays_selected(data, inputs):
    select(data, inputs / "a_red.tif")
    before = list(table(data).value["name"])
    next(box for box in data.selectbox if box.label == "Role").set_value("swir2")
    next(button for button in data.button if button.label == "Save correction").click().run()
    assert_whole(data)
    after = list(table(data).value["name"])
    assert after != before
    assert keys(data, "remove-") == ["remove-a_red.tif"]
    assert any(plain("a_red.tif") in item.value for item in data.markdown)
    assert list(table(data).value["role"])[after.index("a_red.tif")] == "swir2"
    remove(data, "a_red.tif")
    assert names(inputs) == ["b_red.tif", "c_red.tif"]


def test_a_removal_is_asked_by_name_and_can_be_refused(data, inputs, served):
    served.manager.create("demo", "How red is it?", RunOptions())
    select(data, inputs / "b_red.tif")
    data.button(key="remove-b_red.tif").click().run()
    assert_whole(data)
    assert any(f"Remove **{plain('b_red.tif')}** from" in item.value for item in data.markdown)
    assert any("A run is under way here" in item.value for item in data.warning)
    assert names(inputs) == list(FILES)
    data.button(key="not-remove-now-b_red.tif").click().run()
    data.run()
    assert_whole(data)
    assert keys(data, "remove-now") == []
    assert names(inputs) == list(FILES)


def test_after_a_removal_nothing_else_is_selected_and_it_can_be_undone(data, inputs):
    select(data, inputs / "b_red.tif")
    remove(data, "b_red.tif")
    assert names(inputs) == ["a_red.tif", "c_red.tif"]
    assert keys(data, "remove-") == []
    assert hidden_places(data) == 1
    (undo,) = keys(data, "undo-")
    data.button(key=undo).click().run()
    assert_whole(data)
    assert names(inputs) == list(FILES)
    assert keys(data, "undo-") == []
    assert keys(data, "remove-") == ["remove-b_red.tif"]
    assert hidden_places(data) == 0


def test_a_correction_is_still_there_after_an_undo(data, inputs, served):
    select(data, inputs / "c_red.tif")
    next(box for box in data.selectbox if box.label == "Role").set_value("nir")
    next(button for button in data.button if button.label == "Save correction").click().run()
    remove(data, "c_red.tif")
    data.button(key=keys(data, "undo-")[0]).click().run()
    shown = table(data).value
    assert list(shown["role"])[list(shown["name"]).index("c_red.tif")] == "nir"


def correct_role(data: AppTest, role: str) -> None:
    next(box for box in data.selectbox if box.label == "Role").set_value(role)
    next(button for button in data.button if button.label == "Save correction").click().run()
    assert_whole(data)


def role_of(data: AppTest, name: str) -> str:
    shown = table(data).value
    return list(shown["role"])[list(shown["name"]).index(name)]


def test_a_correction_is_taken_back_by_one_click_and_that_is_undone_by_one(data, inputs):
    select(data, inputs / "b_red.tif")
    assert keys(data, "as-found") == []
    correct_role(data, "nir")
    next(box for box in data.text_input if box.label == "Date").set_value("2021-07-12")
    next(button for button in data.button if button.label == "Save correction").click().run()
    assert_whole(data)
    assert keys(data, "as-found") == ["as-found-role", "as-found-date"]
    told = [item.value for item in data.markdown]
    assert any("nir" in text and "found: red" in text for text in told)
    data.button(key="as-found-role").click().run()
    assert_whole(data)
    assert role_of(data, "b_red.tif") == "red"
    assert keys(data, "as-found") == ["as-found-date"]
    data.button(key=keys(data, "correct-again-")[0]).click().run()
    assert_whole(data)
    assert role_of(data, "b_red.tif") == "nir"
    assert keys(data, "correct-again-") == []


def test_corrections_of_many_are_taken_back_together(data, inputs, served):
    workspace = served.manager.workspace("demo")
    workspace.correct({name: Correction(role="nir") for name in FILES[:2]})
    data.session_state["catalogue-several-demo"] = True
    data.session_state[CHOSEN_MANY] = tuple(key_of_band(inputs / name, 1) for name in FILES)
    data.run()
    assert_whole(data)
    data.button(key="as-found-all").click().run()
    assert_whole(data)
    assert set(table(data).value["role"]) == {"red"}
    assert served.manager.workspace("demo").corrections == {}


def test_an_undo_that_would_write_over_a_file_says_so(data, inputs):
    select(data, inputs / "a_red.tif")
    remove(data, "a_red.tif")
    write_raster(inputs / "a_red.tif", np.full((20, 20), 0.9, "float32"), descriptions=["red"])
    data.button(key=keys(data, "undo-")[0]).click().run()
    assert_whole(data)
    assert "is there again" in data.error[0].value
    assert len(keys(data, "undo-")) == 1


def test_the_trash_is_emptied_after_a_question(data, inputs):
    select(data, inputs / "a_red.tif")
    remove(data, "a_red.tif")
    data.button(key="empty-trash").click().run()
    assert len(keys(data, "undo-")) == 1
    data.button(key="empty-now").click().run()
    assert_whole(data)
    assert keys(data, "undo-") == []
    assert list(inputs.parent.rglob("a_red.tif")) == []


def test_a_question_about_another_workspace_is_not_asked_here(data, inputs, served):
    select(data, inputs / "a_red.tif")
    data.session_state[ASKED] = ("elsewhere", ("a_red.tif",))
    data.run()
    assert_whole(data)
    assert keys(data, "remove-now") == []


def test_a_file_in_a_folder_is_not_taken_for_its_namesake(data, inputs, served):
    (inputs / "later").mkdir()
    write_raster(inputs / "later" / "a_red.tif", np.full((20, 20), 0.9, "float32"), descriptions=["red"])
    served.library.get("demo").refresh()
    select(data, inputs / "later" / "a_red.tif")
    remove(data, "later/a_red.tif")
    assert (inputs / "a_red.tif").is_file()
    assert not (inputs / "later" / "a_red.tif").exists()


def test_an_unusable_namesake_in_a_linked_folder_does_not_offer_the_good_upload(
    data, inputs, served, tmp_path_factory
):
    linked = tmp_path_factory.mktemp("linked")
    (linked / "a_red.tif").write_text("not a raster", "utf-8")
    served.library.link("demo", str(linked))
    data.run()
    assert_whole(data)
    assert any(plain("a_red.tif") in item.value for item in data.warning)
    assert keys(data, "remove-") == []


def field(data: AppTest, label: str):
    return next(item for item in data.text_input if item.label == label)


def role_box(data: AppTest):
    return next(box for box in data.selectbox if box.label == "Role")


def save(data: AppTest) -> None:
    next(button for button in data.button if button.label == "Save correction").click().run()
    assert_whole(data)


def shown_fill(data: AppTest, name: str) -> str:
    rows = table(data).value
    return rows[rows["name"] == name]["no data"].iloc[0]


def choose_many(data: AppTest, *paths: Path) -> None:
    several(data).set_value(True).run()
    data.session_state[CHOSEN_MANY] = [key_of_band(path, 1) for path in paths]
    data.run()
    assert_whole(data)


def several(data: AppTest):
    return next(toggle for toggle in data.toggle if toggle.label == "Several")


def test_what_is_sought_and_chosen_is_of_one_workspace(data, inputs, served):
    other = served.library.create("Quarry")
    quarry = inputs.parents[1] / other / "inputs"
    quarry.mkdir(parents=True, exist_ok=True)
    write_raster(quarry / "pit_red.tif", np.full((20, 20), 0.1, "float32"), descriptions=["red"])
    choose_many(data, inputs / "a_red.tif")
    field(data, "Search").set_value("a_red").run()
    assert list(table(data).value["name"]) == ["a_red.tif"]
    data.selectbox(key="workspace").set_value(other).run()
    assert_whole(data)
    assert list(table(data).value["name"]) == ["pit_red.tif"]
    assert not several(data).value and not field(data, "Search").value


def test_many_are_corrected_at_once_with_every_reason_shown(data, inputs, served):
    choose_many(data, inputs / "a_red.tif", inputs / "c_red.tif")
    why = served.library.get("demo").raster("a_red.tif").bands[0].evidence[0].because
    reasons = [item.value for item in data.markdown if plain(why) in item.value]
    assert len(reasons) == 1 and "2 bands" in reasons[0]
    # However many there are, the form is seen without a way past them.
    values = [item.value for item in data.markdown]
    assert values.index("Correct all of them; what is left empty stays as it is") < values.index(reasons[0])
    field(data, "Date").set_value("2021-07")
    next(item for item in data.number_input if item.label == "Scale").set_value(0.5)
    next(button for button in data.button if button.label == "Save corrections").click().run()
    assert_whole(data)
    workspace = served.library.get("demo")
    said = {name: (c.date, c.scale, c.role) for name, c in workspace.corrections.items()}
    assert said == {name: (datetime(2021, 7, 1), 0.5, None) for name in ("a_red.tif", "c_red.tif")}
    field(data, "Valid from, to").set_value("9, 1")
    next(button for button in data.button if button.label == "Save corrections").click().run()
    assert "the lower one first" in data.error[0].value


def test_several_are_removed_together_and_come_back_together(data, inputs):
    choose_many(data, inputs / "a_red.tif", inputs / "c_red.tif")
    data.button(key="remove-several").click().run()
    asked = next(item.value for item in data.markdown if plain("c_red.tif") in item.value)
    assert plain("a_red.tif") in asked and plain("b_red.tif") not in asked
    data.button(key="remove-now-several").click().run()
    assert_whole(data)
    assert names(inputs) == ["b_red.tif"]
    (undo,) = keys(data, "undo-")
    data.button(key=undo).click().run()
    assert_whole(data)
    assert names(inputs) == list(FILES)


def test_an_archive_is_removed_whole_and_thousands_that_cannot_be_used_are_a_table(data, inputs, served):
    with zipfile.ZipFile(inputs / "scenes.zip", "w") as archive:
        archive.write(inputs / "a_red.tif", "inside_red.tif")
        for number in range(3_000):
            archive.writestr(f"junk/{number}.tif", b"x")
    workspace = served.library.get("demo")
    workspace.refresh()
    data.run()
    assert_whole(data)
    assert ["3,000" in item.value for item in data.warning] == [True]
    rows = next(item.value for item in data.dataframe if "Why" in item.value.columns)
    assert len(rows) == 3_000 and set(rows["Came in"]) == {"scenes.zip"}
    select(data, workspace.raster("inside_red.tif").path)
    assert keys(data, "remove-") == ["remove-scenes.zip"]
    data.button(key="discard-scenes.zip").click().run()
    data.button(key="remove-now-scenes.zip").click().run()
    assert_whole(data)
    assert names(inputs) == list(FILES) and not data.warning
    assert list(table(data).value["name"]) == list(FILES)


def test_rows_are_found_by_words_and_grouped_by_scene_and_date(data, inputs):
    next(item for item in data.text_input if item.label == "Search").set_value("B_RED").run()
    assert list(table(data).value["name"]) == ["b_red.tif"]
    next(item for item in data.text_input if item.label == "Search").set_value("").run()
    data.segmented_control(key="catalogue-grouping-demo").set_value("Dates").run()
    assert_whole(data)
    shown = next(item.value for item in data.dataframe if "Files" in item.value.columns)
    assert list(shown["Date"]) == ["no date"] and list(shown["Bands"]) == [3]


def test_a_scene_is_a_place_at_a_moment_whatever_files_it_has(data, inputs, served):
    for band in ("B02", "B03"):
        write_raster(inputs / f"Lake_2021-07-12_{band}.tif", np.full((20, 20), 0.2, "float32"))
    served.library.get("demo").refresh()
    data.segmented_control(key="catalogue-grouping-demo").set_value("Scenes").run()
    assert_whole(data)
    shown = next(item.value for item in data.dataframe if "Scene" in item.value.columns)
    assert dict(zip(shown["Scene"], shown["Files"], strict=True))["Lake \u00b7 2021-07-12"] == 2


def test_a_file_with_the_same_bytes_is_shown_as_a_duplicate(data, inputs, served):
    shutil.copy(inputs / "a_red.tif", inputs / "z_red.tif")
    served.library.get("demo").refresh()
    data.run()
    assert_whole(data)
    shown = table(data).value
    assert dict(zip(shown["name"], shown["duplicate of"], strict=True))["z_red.tif"] == "a_red.tif"
    assert shown["duplicate of"].count() == 1


def open_with(app: AppTest, path: Path, *fills: float) -> AppTest:
    """Return the page on a raster of which a row holds each fill, selected."""
    red = np.random.default_rng(3).uniform(0.1, 0.4, (40, 40)).astype("float32")
    for row, fill in enumerate(fills):
        red[row] = fill
    write_raster(path, red, descriptions=["red"])
    app.run()
    app.switch_page("data.py").run()
    select(app, path)
    return app


def test_a_recognised_fill_is_shown_and_can_be_corrected(app, inputs):
    data = open_with(app, inputs / "a_red.tif", -9999, 0)
    assert shown_fill(data, "a_red.tif") == "-9999*, 0?"
    assert any("-9999" in warning.value for warning in data.warning)
    field(data, "No data").set_value("-9999, 0")
    save(data)
    assert shown_fill(data, "a_red.tif") == "-9999, 0"
    assert not data.warning


def test_what_may_be_no_data_can_be_said_to_be_a_value(app, inputs):
    data = open_with(app, inputs / "a_red.tif", 0)
    next(box for box in data.checkbox if "is a value" in box.label).check()
    save(data)
    assert shown_fill(data, "a_red.tif") == ""


@pytest.mark.parametrize(
    ("label", "text"), [("No data", "none"), ("Valid from, to", "5"), ("Valid from, to", "2, 1")]
)
def test_numbers_that_cannot_be_read_are_refused(data, inputs, label, text):
    select(data, inputs / "a_red.tif")
    field(data, label).set_value(text)
    save(data)
    assert data.error


def test_a_demo_whose_writing_was_cut_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path))
    inputs = tmp_path / "workspaces" / "demo" / "inputs"
    inputs.mkdir(parents=True)
    found = services()
    try:
        assert found.library.get("demo").rasters and found.library.title("demo") == "Demo (simulated)"
    finally:
        found.store.close()


def test_a_band_whose_correction_takes_it_out_of_a_filtered_table_stays_beside_it(data, inputs):
    data.session_state["catalogue-roles-demo"] = ["red"]
    select(data, inputs / "b_red.tif")
    role_box(data).set_value("swir2")
    save(data)
    assert list(table(data).value["name"]) == ["a_red.tif", "c_red.tif"]
    assert keys(data, "remove-") == ["remove-b_red.tif"]
    assert any("left out of it by the filters" in item.value for item in data.caption)


def test_what_was_said_of_some_bands_is_not_in_the_form_of_others(data, inputs, served):
    choose_many(data, inputs / "a_red.tif", inputs / "b_red.tif")
    role_box(data).set_value("swir1")
    next(button for button in data.button if button.label == "Save corrections").click().run()
    assert_whole(data)
    choose_many(data, inputs / "c_red.tif", inputs / "b_red.tif")
    assert role_box(data).value is None
