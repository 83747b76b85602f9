"""What results are of: the limits by which a call chose pixels."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.engine.verification.test_cheats import Told
from treeline.core.engine.actions import Call, Observation, ProductRecord
from treeline.core.engine.state import Step
from treeline.core.engine.verification.origins import Limit, trace_origins

SLOPE = {"input_path": "Soca_slope.tif", "output_path": "steep.tif"}
AREA = (
    "calculate_area",
    Observation("result", "18.8", value=18.8, unit="ha", arguments={"input_image_path": "steep.tif"}),
)


def marked(tool: str, **arguments: Any) -> tuple[str, Observation]:
    mask = ProductRecord("steep.tif", "steep.tif", "mask", "class", minimum=0.0, maximum=1.0, mean=0.19)
    return tool, Observation("result", "wrote steep.tif", products=(mask,), arguments={**SLOPE, **arguments})


@pytest.mark.parametrize(
    ("tool", "arguments", "limits", "is_open"),
    [
        ("threshold_mask", {"minimum": 15.0, "maximum": None}, {Limit(15.0, 1)}, False),
        ("threshold_mask", {"maximum": 15.0}, {Limit(15.0, -1)}, False),
        ("threshold_mask", {"minimum": 5.0, "maximum": 15.0}, set(), True),
        ("raster_calculator", {"formula": "a <= 15"}, {Limit(15.0, -1)}, False),
        ("raster_calculator", {"formula": "(a > 15) & (b < 2)"}, set(), True),
    ],
)
def test_a_mask_of_one_end_is_of_what_lies_beyond_it(tool, arguments, limits, is_open: bool):
    steps = [
        Step(number, Call(name, observation.arguments or {}), observation)
        for number, (name, observation) in enumerate((marked(tool, **arguments), AREA), 1)
    ]
    whole = trace_origins(steps, {})[2].whole
    assert (whole.limits, whole.is_open) == (limits, is_open)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("18.8 ha are steeper than 15 degrees.", ""),
        ("18.8 ha are flatter than 15 degrees.", "what lies above 15"),
        ("18.8 ha are less steep than 15 degrees.", "what lies above 15"),
        ("18.8 ha are steeper than 20 degrees.", "threshold of 15"),
        ("Slopes up to 15 degrees make up 18.8 ha.", "what lies above 15"),
    ],
)
def test_the_area_of_a_mask_is_of_its_side_of_the_limit(text: str, said: str):
    told = Told("What area is steeper than 15 degrees?", text, (marked("threshold_mask", minimum=15.0), AREA))
    assert said in told.why() and bool(said) == bool(told.why())
