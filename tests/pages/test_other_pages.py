from __future__ import annotations

import json
from datetime import datetime

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import DATES, MAIN, NDVI_ACTIONS, ask, assert_whole, frame
from tests.pages.test_workbench import layer, tree
from tests.rasters import write_raster
from treeline.core.runs.options import RunOptions
from treeline.pages.parts.data.correcting import changes
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source

LISTED = "listed-run"


def test_data_lists_each_band_with_what_was_recognised(app, home):
    (home / "workspaces" / "demo" / "inputs" / "broken.tif").write_text("not a raster", "utf-8")
    app.run()
    app.switch_page("data.py").run()
    assert_whole(app)
    rows = frame(app, "handle")
    assert len(rows) == 2 * len(DATES)
    assert set(rows["role"]) == {"red", "nir"}
    assert set(rows["handle"]) == {"@red", "@nir"}
    assert sorted(set(rows["date"])) == sorted(DATES)
    assert any("broken" in item.value for item in app.warning)


def test_an_empty_workspace_says_so(app, served):
    name = served.library.create("Empty")
    app.run()
    app.selectbox(key="workspace").set_value(name).run()
    app.switch_page("data.py").run()
    assert_whole(app)
    assert "empty" in app.info[0].value


def test_vector_files_are_listed_and_uploads_among_them_removed(app, home, tmp_path_factory, served):
    linked = tmp_path_factory.mktemp("linked")
    inputs = home / "workspaces" / "demo" / "inputs"
    for path, count in ((inputs / "fields.geojson", 2), (linked / "sites.geojson", 1)):
        square = {"type": "Polygon", "coordinates": [[[15, 46], [16, 46], [16, 47], [15, 46]]]}
        members = [{"type": "Feature", "geometry": square, "properties": {"crop": "rye"}}] * count
        path.write_text(json.dumps({"type": "FeatureCollection", "features": members}), "utf-8")
    served.library.link("demo", str(linked))
    app.run()
    app.switch_page("data.py").run()
    assert_whole(app)
    lines = sorted(item.value for item in app.markdown if "geojson" in item.value)
    assert len(lines) == 2 and "2 polygons" in lines[0] and "attributes crop" in lines[0]
    assert "1 polygon;" in lines[1]
    buttons = [button.key for button in app.button if (button.key or "").startswith("remove-")]
    assert buttons == ["remove-fields.geojson"]
    app.button(key="remove-fields.geojson").click().run()
    app.button(key="remove-now-fields.geojson").click().run()
    assert_whole(app)
    assert not (inputs / "fields.geojson").exists() and (linked / "sites.geojson").exists()
    assert not any("2 polygons" in item.value for item in app.markdown)


def test_an_upload_that_cannot_be_used_is_removed(app, home):
    broken = home / "workspaces" / "demo" / "inputs" / "broken.tif"
    broken.write_text("not a raster", "utf-8")
    app.run()
    app.switch_page("data.py").run()
    app.button(key="discard-broken.tif").click().run()
    app.button(key="remove-now-broken.tif").click().run()
    assert_whole(app)
    assert not broken.exists() and not app.warning


def test_a_correction_keeps_only_what_was_changed(served):
    workspace = served.library.get("demo")
    raster = workspace.rasters[0]
    source = Source(raster, raster.bands[0])
    same = {"role": "red", "scale": 1.0, "offset": 0.0, "unit": raster.bands[0].unit or "", "date": DATES[0]}
    assert changes(source, same) == ({}, {})
    of_band, of_file = changes(source, {**same, "role": "green", "scale": 0.1, "date": "2020-02"})
    assert of_band == {"role": "green", "scale": 0.1}
    assert of_file == {"date": datetime(2020, 2, 1), "date_precision": "month"}
    with pytest.raises(InputError, match="yesterday is not a date. Write 2021"):
        changes(source, {**same, "date": "yesterday"})


def test_tools_are_browsed_searched_and_read(app):
    app.run()
    app.switch_page("tools.py").run()
    assert_whole(app)
    assert len(frame(app, "Tool")) > 30
    app.text_input[0].set_value("tvdi").run()
    assert "compute_tvdi" in set(frame(app, "Tool")["Tool"])
    app.session_state["tool"] = "compute_tvdi"
    app.run()
    assert_whole(app)
    assert any("ndvi_path" in item.value for item in app.code)
    # A bookmark shows the same.
    assert "compute_tvdi" in app.query_params["tool"]
    del app.session_state["tool"], app.session_state["tool-first"]
    app.run()
    assert any("ndvi_path" in item.value for item in app.code)
    # Its tick is in sight, however far down the tree the tool stands.
    app.text_input[0].set_value("").run()
    assert frame(app, "Tool")["Tool"].iloc[0] == "compute_tvdi"


def test_a_form_knows_what_fits_and_runs_the_tool(app, served):
    app.run()
    app.switch_page("tools.py").run()
    app.session_state["tool"] = "calculate_batch_ndvi"
    app.run()
    chosen = {box.key: box.value for box in app.selectbox if (box.key or "").endswith("_paths")}
    form = "tool-calculate_batch_ndvi"
    assert chosen == {f"{form}-input_nir_paths": "@nir", f"{form}-input_red_paths": "@red"}
    assert app.selectbox(key=f"{form}-input_nir_paths").label == "Near-infrared bands"
    next(button for button in app.button if button.label == "Run").click().run()
    served.manager.wait(app.session_state["tool-run"][1], 30)
    app.run()
    assert_whole(app)
    assert not app.error, app.error[0].value
    assert f"ndvi_{DATES[0]}.tif" in "\n".join(item.value for item in app.code)
    assert app.get("component_instance")


def test_a_form_calls_no_parameter_by_the_type_of_a_program(app):
    app.run()
    app.switch_page("tools.py").run()
    app.session_state["tool"] = "calc_batch_image_mean"
    app.run()
    (box,) = app.checkbox
    assert box.label == "Stretched to 0..255 (optional)" and box.help.startswith("uint8: ")


def test_a_form_shows_what_is_missing_and_a_refusal_with_its_hint(app, served):
    app.run()
    app.switch_page("tools.py").run()
    app.session_state["tool"] = "compute_tvdi"
    app.run()
    before = len(served.store.runs())
    next(button for button in app.button if button.label == "Run").click().run()
    assert_whole(app)
    assert "which are missing" in app.error[0].value and "NDVI" in app.error[0].value
    assert len(served.store.runs()) == before, "nothing is run with a field that is empty"
    for name in ("ndvi", "lst"):
        app.selectbox(key=f"tool-compute_tvdi-{name}_path").set_value("@red")
    next(button for button in app.button if button.label == "Run").click().run()
    served.manager.wait(app.session_state["tool-run"][1], 30)
    app.run()
    assert_whole(app)
    assert app.error and "red" in app.error[0].value
    hint = next(item.value for item in app.markdown if "lightbulb" in item.value)
    assert "Signature" not in hint and "ndvi\\_path" not in app.error[0].value
    app.session_state["tool"] = "zonal_statistics"
    app.run()
    assert app.selectbox(key="tool-zonal_statistics-zones_path").label == "Zones"


def test_runs_lists_the_history(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    ask(app, served, "What is the mean NDVI?")
    app.switch_page("runs.py").run()
    assert_whole(app)
    (row,) = frame(app, "Question").itertuples()
    assert row.Question == "What is the mean NDVI?"
    assert (row.Status, row.Steps, row.Tokens) == ("answered", 5, 550)


def test_a_run_stays_chosen_when_another_comes_in(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    first = ask(app, served, "How green is June?")
    app.session_state[LISTED] = first
    app.switch_page("runs.py").run()
    assert any("How green is June?" in item.value for item in app.markdown)
    served.manager.wait(served.manager.start("demo", "How wet is July?", RunOptions()), 30)
    app.run()
    assert_whole(app)
    assert list(frame(app, "Question")["Question"]) == ["How wet is July?", "How green is June?"]
    assert any("How green is June?" in item.value for item in app.markdown)
    served.store.delete_run(first)
    app.run()
    assert_whole(app)
    assert list(frame(app, "Question")["Question"]) == ["How wet is July?"]
    assert not any("How wet is July?" in item.value for item in app.markdown)


def test_stepping_through_shows_the_tree_of_that_step(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    run = ask(app, served, "NDVI?")
    app.switch_page("runs.py")
    app.query_params["inspected-run"] = run
    app.run()
    assert_whole(app)
    assert tree(app)["Index"][0] == "calculate_batch_ndvi"
    app.slider(key="replay-step").set_value(1).run()
    assert_whole(app)
    assert tree(app)["Index"] == ["Index rest"]
    assert app.session_state["selected"].step == 1
    assert any("as it was at step 1" in item.value for item in app.markdown)


def test_a_raster_without_crs_says_it_is_not_on_the_map(app, home):
    inputs = home / "workspaces" / "demo" / "inputs"
    for path in inputs.iterdir():
        path.unlink()
    import numpy as np

    write_raster(inputs / "flat_NDVI_2021-07-12.tif", np.full((20, 20), 0.5, "float32"), crs=None)
    app.run()
    assert_whole(app)
    layer(app).set_value("input flat_NDVI_2021-07-12.tif").run()
    assert_whole(app)
    assert any("not on the map" in item.value for item in app.caption)


def test_runs_are_searched_by_what_the_history_shows(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    ask(app, served, "How green is <b>June</b>?")
    ask(app, served, "How wet is July?")
    app.switch_page("runs.py").run()
    app.text_input(key="history-search").set_value("green answered").run()
    assert_whole(app)
    assert list(frame(app, "Question")["Question"]) == ["How green is <b>June</b>?"]
    app.text_input(key="history-search").set_value("no such run").run()
    assert_whole(app)
    assert any("No run fits" in item.value for item in app.caption)


def test_workspaces_of_one_title_are_told_apart_and_a_renamed_one_stays_chosen(app, served):
    first, second = served.library.create("Quarry"), served.library.create("Pit")
    app.run()
    app.selectbox(key="workspace").set_value(second).run()
    button = {each.label: each for each in app.button}
    button["Create"].click().run()
    assert any("has no name" in each.value for each in app.error)
    app.text_input(key="workspace-title").set_value("Quarry")
    next(each for each in app.button if each.label == "Rename this one").click().run()
    assert_whole(app)
    chosen = app.selectbox(key="workspace")
    assert {f"Quarry ({first})", f"Quarry ({second})"} < set(chosen.options)
    # A browser says which is chosen by its title, and must be told the new one.
    assert chosen.proto.set_value and chosen.proto.raw_value == f"Quarry ({second})"
    assert app.session_state["workspace"] == second
    app.selectbox(key="workspace").select(f"Quarry ({first})").run()
    assert app.session_state["workspace"] == first


def test_who_follows_a_link_to_what_is_not_here_is_told(served):
    for query, told in (
        ({"workspace": "gone"}, ["What this address names is not here; another workspace is open."]),
        ({"workspace": "demo"}, []),
        ({"workspace": "demo", "run": "gone"}, ["The run of this address is not here."]),
        ({}, []),
    ):
        app = AppTest.from_file(str(MAIN), default_timeout=60)
        app.query_params.update(query)
        app.run()
        assert [error.value.replace("\\", "") for error in app.error] == told


def test_a_workspace_is_deleted_after_a_question_and_the_demo_is_not(app, served):
    name = served.library.create("Quarry")
    page = app.run()
    assert not [button for button in page.button if button.key == "delete-workspace"]
    page.selectbox(key="workspace").set_value(name).run()
    page.button(key="delete-workspace").click().run()
    assert any("0 runs are deleted" in each.value for each in page.markdown)
    assert name in served.library.names()
    page.button(key="delete-workspace-now").click().run()
    assert not page.exception and served.library.names() == ["demo"]
    assert page.session_state["workspace"] == "demo"


@pytest.mark.parametrize(
    ("page", "name", "usual"),
    [
        ("data", "band-chosen", "Choose a row"),
        ("runs", LISTED, "Choose a run"),
        ("tools", "tool", "Choose a tool"),
    ],
)
def test_a_choice_of_an_address_that_is_not_in_the_table_is_told(app, served, page, name, usual):
    ask(app, served, "What is the mean NDVI of each date?")
    told = "names, is not in this table"
    for address in ({}, {name: "nothing of that name"}):
        app.session_state[name] = None
        app.switch_page(f"{page}.py")
        app.session_state[name] = address.get(name)
        app.run()
        assert_whole(app)
        captions = [item.value for item in app.caption]
        assert any(told in text for text in captions) is bool(address)
        assert any(text.startswith(usual) for text in captions) is not bool(address)
