"""The area of interest of the Workbench: in the address, in the question, on the map."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import shapely
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import MAIN
from tests.rasters import ORIGIN, UTM, write_raster
from treeline.core.serving import MapLayer, Style
from treeline.pages.parts.map.area import text_of
from treeline.pages.parts.map.layers import Entry
from treeline.pages.parts.map.leaflet import DrawnLayer
from treeline.pages.parts.map.script import ADDRESS, FUNCTION, script_route
from treeline.pages.parts.shared.services import services
from treeline.pages.parts.workbench import map_picture
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.raster import Source
from treeline.toolkit.recognition.describe import describe

STYLE = Style("viridis", 0.0, 1.0)
AREA = f"SRID=32633;POLYGON(({ORIGIN[0]} {ORIGIN[1]}, {ORIGIN[0] + 100} {ORIGIN[1]}, \
{ORIGIN[0] + 100} {ORIGIN[1] - 100}, {ORIGIN[0]} {ORIGIN[1]}))"


def open_app(aoi: str = "") -> AppTest:
    app = AppTest.from_file(str(MAIN), default_timeout=60)
    if aoi:
        app.query_params["aoi"] = aoi
    return app.run()


def on_the_map(app: AppTest) -> str:
    return json.loads(app.get("component_instance")[0].proto.json_args)["feature_group"]


def ask(app: AppTest, question: str) -> dict[str, object]:
    app.text_input(key="question").set_value(question)
    next(button for button in app.button if button.label == "Ask").click().run()
    services().manager.wait(app.session_state["run"], 60)
    return services().store.run(app.session_state["run"]).options


@pytest.mark.usefixtures("home")
def test_the_area_of_the_address_is_that_of_the_question() -> None:
    app = open_app(AREA)
    assert not app.exception
    assert "treeline-area" in on_the_map(app)
    stored = ask(app, "What is the mean red?")["aoi"]
    assert AreaOfInterest.from_json(stored).geometry.area == pytest.approx(5000)


def test_the_picture_of_what_was_made_inside_an_area_is_of_the_area(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_raster(tmp_path / "red.tif", np.ones((60, 60), "float32"))
    description = describe(path)
    layer = MapLayer.of((Source(description, description.bands[0]),), "red")
    corners = shapely.box(ORIGIN[0], ORIGIN[1] - 100, ORIGIN[0] + 100, ORIGIN[1])
    area = AreaOfInterest(corners, UTM, "a box")
    whole, made, seen = (
        map_picture.view_of_page([DrawnLayer(Entry("red", layer, "", step), STYLE)], within)
        for step, within in ((None, area), (1, area), (1, None))
    )
    assert made.width < whole.width / 3 and whole == seen
    # What the map shows since somebody moved it goes before.
    monkeypatch.setattr(map_picture.st, "query_params", {"view": f"{whole.latitude},{whole.longitude},12"})
    moved = map_picture.view_of_page([DrawnLayer(Entry("red", layer, "", 1), STYLE)], area)
    assert moved.width > made.width


@pytest.mark.usefixtures("home")
def test_without_an_area_the_question_has_none() -> None:
    app = open_app()
    assert "treeline-area" not in on_the_map(app)
    assert ask(app, "What is the mean red?")["aoi"] == {}


@pytest.mark.usefixtures("home")
def test_a_question_is_refused_with_an_area_that_is_none() -> None:
    app = open_app("10,10,11,11")
    assert "treeline-area" not in on_the_map(app)
    app.text_input(key="question").set_value("What is the mean red?")
    next(button for button in app.button if button.label == "Ask").click().run()
    assert "outside of the rasters" in app.error[0].value
    assert "run" not in app.session_state


@pytest.mark.usefixtures("home")
def test_a_page_reads_no_file_of_the_server(tmp_path: Path) -> None:
    secret = tmp_path / "secret.geojson"
    secret.write_text(
        json.dumps({"type": "Polygon", "coordinates": [[[15, 46], [15.1, 46], [15.1, 46.1], [15, 46]]]})
    )
    app = open_app(str(secret))
    app.text_input(key="question").set_value("What is the mean red?")
    next(button for button in app.button if button.label == "Ask").click().run()
    assert "There is no area of interest" in app.error[0].value


@pytest.mark.usefixtures("home")
def test_the_map_asks_for_its_files_relative_to_its_frame() -> None:
    arguments = open_app().get("component_instance")[0].proto.json_args
    assert "../../tiles/" in arguments and "../../leaflet/leaflet.js" in arguments
    assert '"/tiles/' not in arguments and '"/leaflet' not in arguments
    # The instruments' own script is asked for once, and is in no drawing of a page.
    assert ADDRESS in arguments and "L.latLngBounds" not in arguments


def test_the_script_of_the_map_is_kept_by_the_browser() -> None:
    client = TestClient(Starlette(routes=[script_route("team/treeline")]))
    answer = client.get(f"/team/treeline/{ADDRESS.rsplit('/')[-1]}")
    assert answer.status_code == 200 and FUNCTION in answer.text
    assert "immutable" in answer.headers["cache-control"] and "javascript" in answer.headers["content-type"]


def test_what_is_drawn_is_told_as_the_command_line_takes_it() -> None:
    box = {"type": "Polygon", "coordinates": [[[15, 46], [15.1, 46], [15.1, 46.05], [15, 46.05], [15, 46]]]}
    assert text_of(box) == "15,46,15.1,46.05"
    triangle = {"type": "Polygon", "coordinates": [[[15, 46], [15.1, 46], [15.1, 46.05], [15, 46]]]}
    assert text_of(triangle).startswith("POLYGON ((15")
    assert text_of(None) == ""
