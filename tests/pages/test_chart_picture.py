"""The chart beside an answer as files: they hold what the page shows."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from treeline.core.engine.actions import Answer, Call, Observation
from treeline.core.engine.state import State, Step
from treeline.pages.parts.map.class_rows import ClassRow
from treeline.pages.parts.shared.answer import without_file_names
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.workbench.chart_picture import bars_picture, histogram_csv, series_picture
from treeline.pages.parts.workbench.series import Point, Series

POINTS = (Point("2021-06-03", 290.0), Point("2021-07-12", None), Point("2021-08-20 10:04", 301.5))
ROWS = [ClassRow("forest", 1, 15.25, "ha", "#1b5e20"), ClassRow("water", 2, 2.5, "ha")]


def texts(picture: bytes) -> str:
    """Return an SVG, whose text matplotlib keeps in comments beside its outlines."""
    assert picture.startswith(b"<?xml")
    return picture.decode()


def test_a_series_is_drawn_with_its_unit_and_what_the_answer_names():
    series = Series(POINTS, "K", ("2021-08-20 10:04",), "Mean LST, step 7")
    drawn = texts(series_picture(series, "How warm is it?", "svg"))
    for told in ("Mean LST in K", "How warm is it?", "2021-08-20"):
        assert f"<!-- {told} -->" in drawn
    assert "step 7" not in drawn
    with Image.open(io.BytesIO(series_picture(series, "How warm is it?", "png"))) as opened:
        assert opened.format == "PNG" and opened.width > 1000


def test_classes_are_drawn_in_the_colours_of_the_map():
    drawn = texts(bars_picture(ROWS, "Area", "How large?", "svg"))
    for told in ("Area in ha", "forest", "water", "15.25", "2.50"):
        assert f"<!-- {told} -->" in drawn
    assert "#1b5e20" in drawn


def test_the_bins_of_a_histogram_go_away_as_rows():
    value = {"edges": [0.0, 0.5, 1.0], "counts": [3, 4], "saved": "h.png"}
    steps = (
        Step(1, Call("draw_histogram", {}), Observation("result", "", value=value)),
        Step(2, Call("mean", {}), Observation("result", "", value=0.25)),
    )
    view = RunView(state=State("q", steps=steps))
    rows = histogram_csv(view, Answer("So.", evidence=(1, 2))).split()
    assert rows == ["from,to,pixels", "0.0,0.5,3", "0.5,1.0,4"]
    assert histogram_csv(view, Answer("So.", evidence=(2,))) == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The map of NDVI is ndvi_2021-07-22.tif.", "On the map: NDVI."),
        (
            "The map of NDVI above 0.5 is mask_2021.tif: 1 where it holds, 0 where not.",
            "On the map: NDVI above 0.5, 1 where it holds, 0 where not.",
        ),
        (
            "(1) The map of NDVI is a.tif. (2) The map of EVI is b.tif. Which is meant?",
            "(1) On the map: NDVI. (2) On the map: EVI. Which is meant?",
        ),
        ("The picture of 2021-07-22 is p.tif.", "The picture of 2021-07-22 is on the map."),
        (
            "The histogram of NDVI is ndvi_histogram.png: 40 pixels.",
            "The histogram of NDVI stands beside: 40 pixels.",
        ),
        ("The mean NDVI is 0.5.", "The mean NDVI is 0.5."),
        ("The newest file is named a.tif.", "The newest file is named a.tif."),
    ],
)
def test_what_is_shown_needs_no_name_of_a_file(text, shown):
    assert without_file_names(text) == shown
