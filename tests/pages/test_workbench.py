from __future__ import annotations

import json
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import DATES, MAIN, NDVI_ACTIONS, ask, assert_whole
from tests.rasters import write_raster
from treeline.core.engine.actions import Answer, Call, Doc, Skill
from treeline.core.engine.budget import Budget
from treeline.core.policies.registry import POLICIES
from treeline.core.query.examples import examples
from treeline.core.query.holdings import inventory_of
from treeline.core.query.reading import read
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace
from treeline.core.workspace.library import WorkspaceLibrary
from treeline.pages.parts.map.layers import geographic_bounds, inputs_of
from treeline.pages.parts.workbench import question
from treeline.pages.parts.workbench.map_panel import far_place


def tree(app):
    """Return the kits of the tree: name -> names of the open children."""
    closed = re.findall(r'data-kit="([^"]+)"', "".join(item.proto.body for item in app.get("html")))
    if closed:
        return {name: [] for name in closed}
    spec = json.loads(app.get("echarts_chart")[0].proto.spec)
    (root,) = spec["series"][0]["data"]
    return {kit["name"]: [child["name"] for child in kit.get("children", [])] for kit in root["children"]}


def layers(app):
    """Return what the map was told to show."""
    return json.loads(app.get("component_instance")[0].proto.json_args)["feature_group"]


def layer(app):
    """Return the choice of the uppermost layer."""
    return next(box for box in app.selectbox if box.label == "Layer")


def texts(app):
    return "\n".join(item.value for item in app.markdown)


def test_first_look_shows_tree_map_and_a_raster(app):
    app.run()
    assert_whole(app)
    assert tree(app)["Index"] == []
    assert "/tiles/" in layers(app)
    assert app.button(key="stop").disabled
    # A browser that draws late begins with the field's own default, and a run with what the browser shows.
    usual, fields = Budget(), ("steps", "tokens", "seconds")
    begun = {name: app.number_input(key=f"budget-{name}").proto.default for name in fields}
    assert begun == {name: getattr(usual, name) for name in fields}


def test_a_first_question_is_asked_by_a_click(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    app.run()
    first = app.button(key="first-0")
    assert first.label == "What is the mean NDVI of each date?"
    first.click().run()
    run = app.session_state["run"]
    served.manager.wait(run, 30)
    app.run()
    assert_whole(app)
    assert served.store.run(run).question == first.label == app.text_input(key="question").value
    assert not [button for button in app.button if (button.key or "").startswith("first-")]


def test_examples_are_of_several_variables_and_forms(served):
    questions = examples(served.library.get("demo").collections)
    assert questions[0] == "What is the mean NDVI of each date?" and len(set(questions)) == len(questions)


@pytest.mark.parametrize("clouds", [False, True])
def test_every_example_is_read(tmp_path, clouds):
    for date in DATES:
        for role in ("red", "nir", "green", "swir1", "swir2"):
            write_raster(tmp_path / f"Lake_{date}_{role}.tif", np.full((9, 9), 0.3), descriptions=[role])
        if clouds:
            mask = np.zeros((9, 9), "uint8")
            write_raster(tmp_path / f"Lake_{date}_CLM.tif", mask, descriptions=["cloud_mask"])
    workspace = Workspace(tmp_path / "workspace", [tmp_path])
    inventory = inventory_of(workspace, ("ndvi", "ndwi", "ndmi", "nbr"))
    questions = examples(workspace.collections)
    assert len(questions) == 8
    assert {question: read(question, inventory).status for question in questions} == dict.fromkeys(
        questions, "read"
    )


def test_a_question_opens_branches_adds_layers_and_answers(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    run = ask(app, served, "What is the mean NDVI of each date?")
    assert_whole(app)
    record = served.store.run(run)
    assert record.status == "answered"
    opened = tree(app)
    assert opened["Index"][0] == "calculate_batch_ndvi"
    assert opened["Statistics"] == []
    assert app.query_params["run"] == run
    assert "NDVI is 0\\.5 on all dates\\." in texts(app)
    assert "colormap=rdylgn" in layers(app)
    assert layer(app).value == "product Place_NDVI_2021-08-20.tif"
    labels = [item.label for item in app.expander]
    assert any("refused" in label for label in labels)


def test_table_twin_says_the_same_as_the_chart(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    ask(app, served, "NDVI?")
    app.session_state["tree-form"] = "As a table"
    app.run()
    table = next(frame.value for frame in app.dataframe if "state" in frame.value.columns)
    states = {row.tool or row.kit: row.state for row in table.itertuples()}
    assert states["Index"] == "opened"
    assert states["calculate_batch_ndvi"] == "called"
    assert states["Statistics"] == "not opened"


def test_evidence_selects_the_step_and_its_layer(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    run = ask(app, served, "NDVI?")
    app.button(key=f"evidence-{run}-4").click().run()
    assert_whole(app)
    assert app.session_state["selected"].step == 4
    unfolded = [item for item in app.expander if item.proto.expanded]
    assert any(
        "calculate\\_batch\\_ndvi" in item.label and item.label.startswith("**4**") for item in unfolded
    )
    assert not any(item.label.startswith("**5**") for item in unfolded)


def test_a_series_stands_beside_the_answer(app, served, scripted):
    call = Call("calc_batch_image_mean", {"file_list": "@nir"})
    scripted(Doc("calc_batch_image_mean"), call, Answer("Means.", evidence=(2,)))
    ask(app, served, "Mean nir?")
    assert_whole(app)
    spec = json.loads(app.get("echarts_chart")[1].proto.spec)
    points = [datum["value"] for datum in spec["series"][0]["data"]]
    assert [when for when, _ in points] == list(DATES)
    assert [round(value, 3) for _, value in points] == [0.3, 0.3, 0.3]


def test_the_map_shows_the_date_that_the_answer_names(app, served, scripted):
    scripted(*NDVI_ACTIONS[:-1], Answer(f"It is highest on {DATES[1]}.", evidence=(4,)))
    ask(app, served, "When?")
    assert layer(app).value == f"product Place_NDVI_{DATES[1]}.tif"


def test_a_step_that_only_read_shows_what_it_read(app, served, scripted):
    scripted(
        Doc("calc_batch_image_mean"), Call("calc_batch_image_mean", {"file_list": "@nir"}), Answer("Means.")
    )
    ask(app, served, "Mean nir?")
    assert layer(app).value == f"input Place_{DATES[-1]}.tif#2"


def test_choosing_a_layer_selects_its_step(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    ask(app, served, "NDVI?")
    layer(app).set_value("product Place_NDVI_2021-06-03.tif").run()
    assert_whole(app)
    assert app.session_state["selected"].step == 4
    assert layer(app).value == "product Place_NDVI_2021-06-03.tif"


def test_a_run_is_found_again_by_its_address(app, served, scripted, home):
    scripted(*NDVI_ACTIONS)
    run = ask(app, served, "NDVI?")
    other = AppTest.from_file(str(MAIN), default_timeout=60)
    other.query_params["run"] = run
    other.run()
    assert_whole(other)
    assert tree(other) == tree(app)


def test_choices_of_an_address_are_what_their_elements_begin_with(app, home):
    """A browser that makes an element anew would take the first option for what the person chose."""
    WorkspaceLibrary(home / "workspaces").create("AAA first")
    app.query_params.update(
        {"workspace": "demo", "policy": "language", "team": "layered", "disclosure": "adaptive"}
    )
    app.run()
    for element in (*app.sidebar.selectbox, *app.sidebar.radio):
        options = list(element.options)
        begun = options[element.proto.default]
        assert begun == options[element.index], element.label
    assert app.sidebar.selectbox(key="workspace").proto.default == 1
    assert app.sidebar.radio(key="policy").value == "language"


def test_options_that_a_question_names_stay_with_it(app, served):
    run = ask(app, served, "How many images are there: 3, 30 or 300?")
    assert "How many images are there" in texts(app)
    assert any(r"A\) 3 B\) 30 C\) 300" in item.value for item in app.caption)
    assert r"A \(3\)" in texts(app)
    again = AppTest.from_file(str(MAIN), default_timeout=60)
    again.query_params.update({"run": run, "workspace": "demo"})
    again.run()
    assert again.text_input(key="question").value == "How many images are there? A) 3 B) 30 C) 300"
    then = ask(again, served, again.text_input(key="question").value)
    assert then != run and served.store.run(then).options["choices"] == ["3", "30", "300"]


def test_the_way_back_brings_the_question_back(app, served):
    first = ask(app, served, "How many images are there: 3, 30 or 300?")
    app.session_state["selected"].step = 1
    app.run()
    ask(app, served, "What is the mean red on 2021-07-12?")
    app.session_state["selected"].step = 3
    app.run()
    assert app.query_params["step"] == "3"
    app.query_params["run"] = first
    app.query_params["step"] = "1"
    app.run()
    assert app.session_state["selected"].step == 1
    assert app.session_state["run"] == first
    assert app.text_input(key="question").value == "How many images are there? A) 3 B) 30 C) 300"


def test_a_double_press_asks_a_question_with_options_once(app, served, monkeypatch):
    monkeypatch.setattr(question, "DOUBLE_SECONDS", 60.0)  # however busy the machine is
    app.run()
    app.text_input(key="question").set_value("How many images are there: 3, 30 or 300?")
    press = next(button for button in app.button if button.label == "Ask")
    press.click().run()
    press.click().run()
    assert len(served.store.runs("demo")) == 1


def test_a_run_that_used_up_its_steps_goes_on_by_a_click(app, served):
    app.run()
    app.number_input(key="budget-steps").set_value(3)
    run = ask(app, served, "What is the mean NDVI of each date?")
    assert served.store.run(run).status == "failed" and "3 steps is used up" in texts(app)
    assert "orange-badge[:material/hourglass_bottom: steps used up]" in texts(app)
    assert not [button for button in app.button if button.label == "Resume"], "it would end at once"
    while served.store.run(run).status == "failed":
        button = next(button for button in app.button if button.label == "Go on with 3 more steps")
        button.click().run()
        served.manager.wait(run, 30)
        app.run()
        assert_whole(app)
    assert served.store.run(run).status == "answered"


def test_an_empty_question_is_refused_in_a_sentence(app, served):
    app.run()
    next(button for button in app.button if button.label == "Ask").click().run()
    assert_whole(app)
    assert "The question is empty" in app.error[0].value
    assert served.store.runs() == []


def test_text_of_data_and_of_the_model_is_shown_as_it_stands(app, served, scripted):
    scripted(
        Skill("<script>alert(1)</script>"),
        Doc("**x** :red[y]"),
        Call("$a$", {"<i>": 1}),
        Answer("# <b>no</b> *x*"),
    )
    ask(app, served, "A <b>question</b> :material/home:")
    assert_whole(app)
    assert "<script>" not in texts(app)
    assert "\\# \\<b\\>no\\</b\\> \\*x\\*" in texts(app)
    assert all("<script>" not in item.label.replace("\\<", "") for item in app.expander)
    assert not any(item.proto.allow_html for item in app.markdown)


def test_a_declined_answer_says_why(app, served, scripted):
    scripted(Answer("There is no thermal band: I see only red and nir.", declined=True))
    question = "What is the mean NDVI of each date?"
    ask(app, served, question)
    assert "cannot be answered" in texts(app)
    assert "no thermal band" in texts(app)
    offered = [button.label for button in app.button if (button.key or "").startswith("first-")]
    assert offered and question not in offered


def test_a_question_of_another_workspace_is_not_shown_here(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    ask(app, served, "NDVI?")
    name = served.library.create("Empty")
    app.run()
    app.selectbox(key="workspace").set_value(name).run()
    assert_whole(app)
    assert tree(app)["Index"] == []
    assert "run" not in app.query_params


def test_a_chart_that_answers_is_shown_beside_the_answer(app, served, scripted):
    draw = {"file_list": f"@red[{DATES[0]}]", "save_name": "red.png"}
    scripted(
        Skill("Statistics"),
        Doc("draw_histogram"),
        Call("draw_histogram", draw),
        Answer("The histogram is red.png.", evidence=(3,), map="red.png"),
    )
    ask(app, served, "Show a histogram of red")
    assert_whole(app)
    assert len(app.get("image")) == 1
    assert any("1 picture" in text for text in (item.label for item in app.expander))


def test_examples_fit_the_bands(app):
    app.run()
    app.session_state["examples"] = True
    app.run()
    labels = [button.label for button in app.button if button.key and button.key.startswith("example-")]
    assert "What is the mean NDVI of each date?" in labels
    assert not any("temperature" in label for label in labels)
    app.button(key="example-0").click().run()
    assert app.text_input(key="question").value == labels[0]


def test_the_language_policy_asks_for_its_endpoint(app):
    app.run()
    app.radio(key="policy").set_value("language").run()
    assert_whole(app)
    assert app.text_input(key="endpoint-key").proto.type == app.text_input(key="endpoint-key").proto.PASSWORD


def test_the_key_is_in_no_record(app, served, scripted, home, monkeypatch):
    scripted(*NDVI_ACTIONS)
    monkeypatch.setitem(POLICIES, "language", POLICIES["planner"])
    app.run()
    app.radio(key="policy").set_value("language").run()
    app.text_input(key="endpoint-model").set_value("some-model")
    app.text_input(key="endpoint-key").set_value("sk-very-secret").run()
    ask(app, served, "NDVI?")
    for path in home.rglob("*"):
        if path.is_file():
            assert b"sk-very-secret" not in path.read_bytes(), path


def test_the_tree_is_that_of_the_strategy(app, served, scripted):
    scripted(Skill("Group 1"), Answer("x"))
    app.run()
    app.selectbox(key="disclosure").set_value("random_tree").run()
    ask(app, served, "NDVI?")
    assert_whole(app)
    assert "Index" not in tree(app)
    assert tree(app)["Group 1"] == ["Group 1 rest"]


def test_a_run_of_the_command_line_shows_the_files_it_read(app, served, scripted, home, tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    (home / "workspaces" / "demo" / "inputs" / f"Place_{DATES[0]}.tif").rename(
        data / "Elsewhere_2020-05-04.tif"
    )
    (home / "workspaces" / "command-line").mkdir()
    scripted(Answer("x"))
    run = served.manager.create("command-line", "NDVI?", RunOptions(data=(str(data),)))
    served.manager.work(run)
    app.query_params["run"] = run
    app.run()
    assert_whole(app)
    assert layer(app).value.startswith("input Elsewhere_2020-05-04.tif")
    (data / "Elsewhere_2020-05-04.tif").unlink()
    data.rmdir()
    served.manager._with_data.clear()
    app.run()
    assert_whole(app)


def test_a_question_goes_to_the_workspace_that_is_chosen_while_the_page_is_still_the_one_before(
    app, served, scripted
):
    scripted(*NDVI_ACTIONS)
    other = served.library.create("Other")
    app.run()
    app.selectbox(key="workspace").set_value(other)
    app.text_input(key="question").set_value("What is the mean NDVI?")
    next(button for button in app.button if button.label == "Ask").click().run()
    assert_whole(app)
    assert [record.workspace for record in served.store.runs()] == [other]


def test_a_layer_that_would_be_a_dot_is_gone_to(home, app, served):
    far = np.full((1, 40, 40), 0.2, dtype="float32")
    inputs = home / "workspaces" / "demo" / "inputs"
    write_raster(inputs / "Far_2021-06-03.tif", far, descriptions=["swir1"], origin=(700_000, 5_900_000))
    entries = inputs_of(served.library.get("demo")).entries
    home_bounds = inputs_of(served.library.get("demo")).bounds
    dot = next(entry for entry in entries if "Far" in entry.key)
    assert far_place(dot, home_bounds) == geographic_bounds(dot.layer.description)
    assert far_place(dot, geographic_bounds(dot.layer.description)) is None
    assert far_place(None, home_bounds) is None
