"""What an address tells of the way layers are drawn."""

from __future__ import annotations

import json
import re

import pytest

from tests.pages.conftest import assert_whole
from treeline.core.serving import Style
from treeline.pages.parts.shared.selection import pixel_in
from treeline.pages.parts.workbench.profile import line_in, line_words
from treeline.pages.parts.workbench.styles_in_address import style_in, style_words

KEY, OTHER = "input Place_2021-06-03.tif#1", "input Place_2021-07-12.tif#2"


@pytest.mark.parametrize(
    ("style", "words"),
    [
        (Style("viridis", -0.2, 0.9), "viridis,-0.2,0.9,0.5"),
        (Style("magma_r", 250.0, 320.5), "magma_r,250,320.5,0.5"),
        (Style("rgb", 0.0, 0.75), "rgb,0,0.75,0.5"),
        (
            Style("classes", 0.0, 1.0, ((-1.0, "#00ff00"), (8.0, "#123abc"))),
            "classes,0,1,0.5,-1-00ff00,8-123abc",
        ),
        (None, "usual,,,0.5"),
    ],
)
def test_a_style_is_read_as_it_was_written(style, words):
    assert style_words(style, 0.5) == words
    assert style_in(words) == (style, 0.5)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "viridis",
        "viridis,0,1",
        "viridis,0,1,2",
        "viridis,1,0,1",
        "viridis,nan,1,1",
        "viridis,0,inf,1",
        "nosuchmap,0,1,1",
        "viridis,zero,1,1",
        "classes,0,1,1,8-red",
        "classes,0,1,1,8-123abc&low=3",
        "usual,,,nan",
    ],
)
def test_what_is_no_style_counts_for_nothing(words):
    assert style_in(words) is None


def test_a_line_is_read_as_it_was_written():
    line = ((14.5541, 45.868), (14.559, 45.8725), (-0.5, -1.25))
    assert line_in(line_words(line)) == line


@pytest.mark.parametrize(
    "words", ["", "1", "1,2,3;4,5,6", "1,two;3,4", "181,2;3,4", "1,nan;3,4", "1,inf;2,3"]
)
def test_what_is_no_line_counts_for_nothing(words):
    assert line_in(words) == ()


def test_a_page_begins_with_the_styles_of_its_address(app):
    app.query_params["style"] = [f"rgb,0,1,0.5 {KEY}", f"turbo,-0.5,0.5,1 {OTHER}", "turbo,0,1,1"]
    app.query_params["shown"] = [OTHER]
    app.query_params["layer"] = KEY
    app.run()
    assert_whole(app)
    drawn = json.loads(app.get("component_instance")[0].proto.json_args)["feature_group"]
    assert r"colormap=turbo\u0026low=-0.5\u0026high=0.5" in drawn
    # A layer of one band is no colour image, whatever an address says.
    assert "colormap=rgb" not in drawn
    assert re.findall(r'"opacity": ([\d.]+)', drawn) == ["1.0", "0.5"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("46.883877,15.266108", (46.883877, 15.266108)),
        ("-90,180", (-90.0, 180.0)),
        ("91,15", None),
        ("46", None),
        ("46,15,3", None),
        ("nan,15", None),
        ("", None),
    ],
)
def test_a_pixel_of_an_address_is_a_place_on_earth(text, place):
    assert pixel_in(text) == place


def test_a_page_begins_with_the_pixel_and_the_zone_of_its_address(app):
    app.query_params["pixel"] = "46.883877,15.266108"
    app.query_params["zone"] = "North"
    app.run()
    assert_whole(app)
    assert any("At 46.88388, 15.26611" in caption.value for caption in app.caption)
    assert app.query_params["pixel"] == "46.883877,15.266108"
    assert app.query_params["zone"] == "North"
