"""What stays of steps that are shortened."""

from __future__ import annotations

import pytest

from treeline.core.context.digest import digest, is_alike, names_of
from treeline.core.engine.actions import Call, Observation, ProductRecord, Skill
from treeline.core.engine.state import Step


def threshold(number: int, year: int, limit: float = 0.5) -> Step:
    name = f"mask_{year}.tif"
    arguments = {"path": f"ndvi_{year}.tif", "threshold": limit, "output_path": name}
    seen = Observation(
        "result",
        f"Result saved at {name}",
        arguments=arguments,
        products=(ProductRecord(name, f"/out/{name}", "mask", "1"),),
    )
    return Step(number, Call("threshold_segmentation", arguments), seen)


@pytest.mark.parametrize(("others", "alike"), [(0, False), (1, False), (2, True), (3, True), (5, True)])
def test_a_step_is_alike_to_others_from_three_on(others: int, alike: bool):
    assert is_alike(threshold(9, 2009), [threshold(n, 2010 + n) for n in range(others)]) is alike


def test_what_stays_the_same_in_alike_steps_is_told_in_its_place():
    (line,) = digest([threshold(n, 2010 + n) for n in range(1, 4)]).splitlines()
    assert line.startswith("[steps with <a>: 1: 2011; 2: 2012; 3: 2013] ")
    assert "0.5" in line and "ndvi_<a>.tif" in line and "<b>" not in line


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        (("calc_sum", "calc_std"), "calc_sum, calc_std"),
        (("calc_sum", "calc_std", "calc_max"), "calc_{sum,std,max}"),
        (
            ("calc_sum", "calc_batch_sum", "calc_batch_std", "calc_batch_max", "calc_std"),
            "calc_{sum,std}, calc_batch_{sum,std,max}",
        ),
        (
            ("calc_sum", "calc_batch_sum", "calc_batch_std", "calc_batch_max"),
            "calc_sum, calc_batch_{sum,std,max}",
        ),
    ],
)
def test_no_name_of_a_branch_is_lost_in_short(tools: tuple[str, ...], told: str):
    listing = Step(1, Skill("Statistics"), Observation("information", "", value={"tools": tools}))
    assert names_of(listing) == told


def test_a_call_is_told_with_every_number_and_all_of_its_formula():
    arguments = {
        "formula": "where(a > 0.43215, a * 1.234567 + 0.0078125, a / 2.7182818) - 0.00314159 + b * 1234567.8",
        "rasters": {"a": "@ndvi[2016-01-07]", "b": "/data/lake/elevation.tif"},
        "threshold": 1234.5678,
        "classes": [2, 3, 5, 7],
        "box": [14.123456, 46.5, 14.25, 46.625],
    }
    line = digest([Step(3, Call("raster_calculator", arguments), Observation("result", "0.5"))])
    for told in (arguments["formula"], "@ndvi[2016-01-07]", "elevation.tif", "1234.5678", "[2,3,5,7]"):
        assert told in line
    assert "[14.123456,46.5,14.25,46.625]" in line and "/data" not in line


def test_faults_share_a_line_where_the_same_would_do():
    def refused(number: int, hint: str) -> Step:
        return Step(number, Call("mean", {"x": number}), Observation("refusal", f"No list {number}.", hint))

    told = digest([refused(1, "Is @ndvi meant?"), refused(2, "Is @lst meant?"), refused(3, "Is @lst meant?")])
    assert told.splitlines() == [
        "[step 1] call mean {x:1} -> refusal: No list 1. Is @ndvi meant?",
        "2 times, last [step 3] call mean {x:3} -> refusal: No list 3. Is @lst meant?",
    ]
