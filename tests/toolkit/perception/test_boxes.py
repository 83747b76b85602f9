from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import box as rectangle

from treeline.toolkit import registry
from treeline.toolkit.errors import InputError
from treeline.toolkit.perception import boxes as module
from treeline.toolkit.perception.boxes import (
    bbox_expansion,
    bboxes2centroids,
    calculate_bbox_area,
    centroid_distance_extremes,
)

NUMBERS = st.floats(-1e4, 1e4)
BOXES = st.lists(
    st.tuples(NUMBERS, NUMBERS, st.floats(0, 1e3), st.floats(0, 1e3)).map(
        lambda b: [b[0], b[1], b[0] + b[2], b[1] + b[3]]
    ),
    min_size=1,
    max_size=8,
)
KIT = "Perception"


def benchmark(name, **arguments):
    tool = registry().get(name)
    return tool.implementation("earth_bench")(**tool.validate(arguments))


def same(found, expected):
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(same(found[k], expected[k]) for k in expected)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    return math.isclose(found, expected, rel_tol=1e-9)


def test_every_recorded_scalar_case_is_met(shared):
    cases = json.loads((shared / "earth_bench" / "scalar_cases.json").read_text())
    ours = [case for case in cases if case["tool"] in registry() and registry().get(case["tool"]).kit == KIT]
    wrong = [c for c in ours if not same(benchmark(c["tool"], **c["arguments"]), c["reference_output"])]
    assert len(ours) > 10
    assert wrong == []


def test_areas_of_the_expert_answers_are_met_in_both_profiles(shared):
    lines = (shared / "earth_bench" / "questions.jsonl").read_text().splitlines()
    calls = [
        c for line in lines for c in json.loads(line)["ground_truth"] if c["tool"] == "calculate_bbox_area"
    ]
    assert len(calls) == 3
    for call in calls:
        assert calculate_bbox_area(**call["arguments"]) == pytest.approx(float(call["output"]), rel=1e-9)
        assert benchmark(call["tool"], **call["arguments"]) == pytest.approx(float(call["output"]), rel=1e-9)


@given(BOXES)
def test_area_and_centre_are_those_of_shapely(boxes):
    shapes = [rectangle(*b) for b in boxes]
    assert calculate_bbox_area(boxes) == pytest.approx(sum(s.area for s in shapes), abs=1e-6)
    assert calculate_bbox_area(boxes, 0.5) == pytest.approx(sum(s.area for s in shapes) / 4, abs=1e-6)
    middles = [[(s.bounds[0] + s.bounds[2]) / 2, (s.bounds[1] + s.bounds[3]) / 2] for s in shapes]
    assert bboxes2centroids(boxes) == [pytest.approx(m, abs=1e-9) for m in middles]


@given(BOXES, st.floats(0, 100), st.floats(0.1, 10))
def test_expansion_moves_each_side_by_the_distance(boxes, radius, gsd):
    for before, after in zip(boxes, bbox_expansion(boxes, radius, gsd), strict=True):
        moved = np.abs(np.subtract(after, before))
        assert moved == pytest.approx([radius / gsd] * 4, abs=1e-6)
        assert after[0] <= before[0] and after[3] >= before[3]


def test_expansion_is_cut_at_the_image():
    assert bbox_expansion([[5, 5, 10, 95]], 5, 0.5, width=50, height=100) == [[0, 0, 20, 100]]
    assert bbox_expansion([5, 5, 10, 10], 1, 1) == [[4, 4, 11, 11]]
    assert bbox_expansion([[0, 0, 10, 10]], -2, 1) == [[2, 2, 8, 8]]


@given(st.lists(st.tuples(NUMBERS, NUMBERS).map(list), min_size=2, max_size=12))
def test_extremes_are_those_of_all_pairs(points):
    pairs = [(i, j, math.dist(p, q)) for i, p in enumerate(points) for j, q in enumerate(points) if i != j]
    found = centroid_distance_extremes(points)
    assert found["min"][2] == pytest.approx(min(p[2] for p in pairs))
    assert found["max"][2] == pytest.approx(max(p[2] for p in pairs))
    for i, j, distance in found.values():
        assert i != j and math.dist(points[i], points[j]) == pytest.approx(distance)


def test_extremes_are_the_same_in_pieces(monkeypatch):
    points = np.random.default_rng(2).uniform(0, 100, (50, 2)).tolist()
    whole = centroid_distance_extremes(points)
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 7)
    assert centroid_distance_extremes(points) == whole
    assert whole["min"][0] < whole["min"][1] and whole["max"][0] < whole["max"][1]


def test_one_point_is_refused_by_science_and_infinite_in_the_benchmark():
    with pytest.raises(InputError, match="two"):
        centroid_distance_extremes([[1, 2]])
    assert benchmark("centroid_distance_extremes", centroids=[[1, 2]]) == {
        "min": [0, 0, math.inf],
        "max": [0, 0, -math.inf],
    }


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        (calculate_bbox_area, {"bboxes": [[474.54, 514.09, 186.58, 91.55]]}, "width, height"),
        (calculate_bbox_area, {"bboxes": []}, "empty"),
        (calculate_bbox_area, {"bboxes": [[1, 2, 3]]}, "3 numbers, not 4"),
        (calculate_bbox_area, {"bboxes": [[1, 2, 3, 4], [1]]}, "'bboxes'"),
        (calculate_bbox_area, {"bboxes": [[0, 0, 1, math.nan]]}, "not finite"),
        (calculate_bbox_area, {"bboxes": [[0, 0, 1, 1]], "gsd": 0}, "'gsd' is 0"),
        (bbox_expansion, {"bboxes": [[0, 0, 1, 1]], "radius": 1, "gsd": 0}, "'gsd' is 0"),
        (bbox_expansion, {"bboxes": [[0, 0, 1, 1]], "radius": -5, "gsd": 1}, "'radius'"),
        (centroid_distance_extremes, {"centroids": [[1, 2, 3]]}, "x, y"),
    ],
)
def test_bad_boxes_are_refused_with_what_was_found(function, arguments, words):
    with pytest.raises(InputError) as error:
        function(**arguments)
    assert words in str(error.value)
