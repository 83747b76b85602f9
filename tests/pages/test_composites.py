"""Colour images of any three bands of a scene, and the classes of a raster beside the answer."""

from __future__ import annotations

import numpy as np

from tests.pages.conftest import DATES, ask, assert_whole
from tests.rasters import write_raster
from treeline.core.engine.actions import Answer, Call, Doc
from treeline.pages.parts.map.composites import composite_entries, key_of, roles_in
from treeline.pages.parts.map.layers import inputs_of, series_of

ROLES = ("nir", "red", "red")


def test_a_composite_is_a_layer_for_each_scene_and_a_series(served):
    workspace = served.library.get("demo")
    made = composite_entries(workspace.rasters, [ROLES, ("nir", "red", "green")])
    assert [entry.date for entry in made] == list(DATES)
    assert all(entry.layer.is_colour for entry in made)
    assert roles_in(made[0].key) == ROLES and roles_in("input a.tif#1") is None
    assert key_of(ROLES, made[0].layer.sources) == made[0].key
    inputs = inputs_of(workspace).entries
    assert [entry.date for entry in series_of(made[1], [*inputs, *made])] == list(DATES)


def test_a_composite_of_the_address_is_shown(app, served):
    made = composite_entries(served.library.get("demo").rasters, [ROLES])
    app.query_params["layer"] = made[1].key
    app.run()
    assert_whole(app)
    assert layer_box(app).value == made[1].key


def test_each_of_two_layers_that_are_called_alike_is_shown(app, served, home):
    inputs = home / "workspaces" / "demo" / "inputs"
    write_raster(
        inputs / f"Place_{DATES[0]}_B04.tif", np.full((40, 40), 0.2, "float32"), descriptions=["red"]
    )
    app.run()
    assert_whole(app)
    alike = [text for text in layer_box(app).options if DATES[0] in text and text.startswith("Red")]
    assert len(set(alike)) == 2
    for text in alike:
        layer_box(app).select(text).run()
        file = text.rpartition("(")[2].rstrip(")")
        assert file and file in layer_box(app).value


def layer_box(app):
    return next(box for box in app.selectbox if box.key and box.key.startswith("layer "))


def test_step_layer_and_choices_are_in_the_address(app, served, scripted):
    call = Call("calc_batch_image_mean", {"file_list": "@nir"})
    scripted(Doc("calc_batch_image_mean"), call, Answer("Means.", evidence=(2,)))
    run = ask(app, served, "Mean nir?")
    app.button(key=f"evidence-{run}-2").click().run()
    assert app.query_params["step"] == "2" and app.query_params["workspace"] == "demo"
    app.radio(key="policy").set_value("language").run()
    assert app.query_params["policy"] == "language"
    app.radio(key="policy").set_value("planner").run()
    assert "policy" not in app.query_params
