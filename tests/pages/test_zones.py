"""Zones on the map have the numbers that the answer gives them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shapely.geometry import box

from tests.rasters import write_raster
from tests.vectors import VectorWorkplace
from treeline.core.engine.actions import Call, Observation
from treeline.core.engine.journal import events_of
from treeline.core.engine.state import Step
from treeline.core.record.store import Store
from treeline.core.runs.asking import ask
from treeline.core.runs.manager import RunManager
from treeline.core.workspace import Workspace
from treeline.pages.parts.map.zone_numbers import ByValue, numbers_of_zones, values_by_value
from treeline.pages.parts.map.zones import Zone, zone_at, zone_outlines, zone_that_answers, zones_of
from treeline.pages.parts.shared.run_view import run_view

# Columns of pixels of 10 m, from the west: meadow, without a name, forest, meadow again.
VALUES = {"meadow": 0.2, "forest": 0.8}


@pytest.fixture
def answer_of(tmp_path: Path):
    """What answers a question on a vector file whose second feature has no name."""
    data = tmp_path / "data"
    data.mkdir()
    columns = np.repeat([[0.2, 0.5, 0.8, 0.2]], 4, axis=0).repeat(5, axis=0).repeat(5, axis=1)
    write_raster(data / "ndvi_2020-06-01.tif", columns.astype("float32"), origin=(500_000, 5_100_000))
    stripes = [box(500_000 + 50 * n, 5_099_800, 500_050 + 50 * n, 5_100_000) for n in range(4)]
    VectorWorkplace(data).features("cover.geojson", *stripes, name=["meadow", None, "forest", "meadow"])
    store = Store(f"sqlite:///{tmp_path / 'record.db'}")
    manager = RunManager(store, lambda name: Workspace(tmp_path / "workspace", [data]))

    def answer(question: str):
        result = ask(question, [data], manager=manager)
        return result, run_view(events_of(store, result.run)), Workspace(tmp_path / "workspace", [data])

    return answer


@pytest.fixture
def page_with_answer(answer_of):
    return answer_of("mean NDVI of each polygon on 2020-06-01")


def test_a_zone_has_the_number_that_the_answer_gives_it(page_with_answer):
    result, view, workspace = page_with_answer
    assert result.status == "answered", result.reason
    zones = zones_of(view, workspace)
    assert {zone.name: zone.value for zone in zones} == pytest.approx(VALUES)


def test_a_zone_of_several_parts_is_labelled_once(page_with_answer):
    _, view, workspace = page_with_answer
    outlines: list[Any] = list(zone_outlines(zones_of(view, workspace)))
    tooltips = [tip for outline in outlines for tip in outline._children.values()]
    permanent = sorted(tip.text for tip in tooltips if tip.options.get("permanent"))
    assert sum(outline._name == "Polygon" for outline in outlines) == 3
    assert permanent == ["forest: 0.8000", "meadow: 0.2000"]  # as the answer has them


def test_a_label_has_several_places_in_its_zone_to_stand_at(page_with_answer):
    _, view, workspace = page_with_answer
    for zone in (found := zones_of(view, workspace)):
        (places,) = [mark.options["places"] for mark in zone_outlines([zone]) if "places" in mark.options]
        assert len(places) > 5
        assert all(zone_at(found, latitude, longitude) == zone for latitude, longitude in places)


def test_a_zone_ends_with_the_rasters_and_is_found_by_a_place_in_it(page_with_answer):
    _, view, workspace = page_with_answer
    west, south, east, north = zones_of(view, workspace)[1].geometry.bounds
    half = (west, south, (west + east) / 2, north)
    (forest,) = zones_of(view, workspace, half)
    assert forest.geometry.bounds == pytest.approx(half, abs=1e-6)
    middle = (south + north) / 2
    assert zone_at([forest], middle, west + 1e-5) == forest
    assert zone_at([forest], middle, east) is None
    assert any("chosen" in str(outline.options) for outline in zone_outlines([forest], "forest"))


def test_zones_have_what_was_calculated_of_their_numbers():
    def step(number: int, tool: str, value: list, **arguments: list) -> Step:
        return Step(
            number, Call(tool, arguments), Observation("result", "", value=value, arguments=arguments)
        )

    after = step(1, "statistics_by_class", [{"1": 0.5, "2": None, "3": 0.25}])
    before = step(2, "statistics_by_class", [{"1": 0.75, "2": None, "3": 0.125}])
    lists = {"left": [0.5, None, 0.25], "right": [0.75, None, 0.125]}
    change = step(3, "combine_values", [-0.25, None, 0.125], **lists)
    ranks = step(4, "rank_values", [2, None, 1], values=[-0.25, None, 0.125])
    assert numbers_of_zones([after, before]).values == {"1": 0.75, "3": 0.125}
    assert numbers_of_zones([after, before, change, ranks]).values == {"1": -0.25, "3": 0.125}


def test_each_of_the_parts_that_are_compared_is_a_zone(answer_of):
    result, view, workspace = answer_of(
        "Is the mean NDVI of forest higher than that of meadow on 2020-06-01?"
    )
    assert result.status == "answered", result.reason
    values = {zone.name: zone.value for zone in zones_of(view, workspace)}
    assert values == pytest.approx({"forest": 0.8, "meadow": 0.2})


def test_of_one_class_alone_only_its_polygons_are_marked(answer_of):
    result, view, workspace = answer_of("How many hectares of meadow are there?")
    assert result.status == "answered", result.reason
    (zone,) = zones_of(view, workspace)
    assert zone.name == "meadow" and zone.value == pytest.approx(result.value)


def test_zones_have_hectares_where_pixels_were_counted_on_the_way(answer_of):
    result, view, workspace = answer_of("What area of each polygon has NDVI above 0.1 on 2020-06-01?")
    assert result.status == "answered", result.reason
    assert "statistics_by_class" in [step.name for step in result.steps]
    zones = {zone.name: (zone.value, zone.unit) for zone in zones_of(view, workspace)}
    assert zones == {
        "meadow": (pytest.approx(2.0, rel=0.01), "ha"),
        "forest": (pytest.approx(1.0, rel=0.01), "ha"),
    }


def test_polygons_that_are_added_up_by_class_have_their_sums():
    areas = [{"zone": n, "cover": name, "area": float(n)} for n, name in enumerate("aabba", start=1)]
    calls = [
        ("areas", areas, {}),
        ("sum", 8.0, {"values": [1.0, 2.0, 5.0]}),
        ("sum", 7.0, {"values": [3.0, 4.0]}),
    ]
    steps = [
        Step(number, Call(tool, arguments), Observation("result", "", value=value, arguments=arguments))
        for number, (tool, value, arguments) in enumerate(calls, start=1)
    ]
    assert values_by_value(steps) == ByValue({"a": 8.0, "b": 7.0}, "cover")
    assert values_by_value(steps[:2]) == ByValue({"a": 8.0}, "cover"), "of one alone too"
    assert values_by_value(steps[:1]) == ByValue()


def test_the_zone_that_an_answer_begins_with_is_the_one_that_answers():
    square = box(14.0, 46.0, 14.1, 46.1)
    zones = [Zone(square, name, 0.5) for name in ("1", "eastern", "eastern field")]
    told = {
        text: zone_that_answers(zones, text)
        for text in (
            "eastern field has the lowest mean NDVI: 0.1.",
            "eastern has the lowest mean NDVI: 0.1.",
            "1 has the highest mean NDVI.",
            "12 has the highest mean NDVI.",
            "The mean NDVI of eastern is 0.5.",
        )
    }
    assert list(told.values()) == ["eastern field", "eastern", "1", "", ""]
    assert zone_that_answers(zones[:1], "1 has the highest mean NDVI.") == ""
