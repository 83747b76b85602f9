"""Which rasters clouds can hide something of."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest

from treeline.core.context.guardrails import AvoidCall, LeaveOut
from treeline.core.memory.enforcing import _call, _may_be_cloudy, _raster
from treeline.toolkit.errors import RasterMissing


def want_role(role: str, date: datetime | None, known: bool = True) -> Any:
    def describe(address: str) -> tuple[SimpleNamespace, str]:
        if not known:
            raise RasterMissing(f"There is no {address}.", "Look.")
        return SimpleNamespace(date=date), address

    resolver = SimpleNamespace(describe=describe)
    return SimpleNamespace(
        role_of=lambda address: role, call=SimpleNamespace(data=SimpleNamespace(resolver=resolver))
    )


@pytest.mark.parametrize(
    ("role", "dated", "known", "cloudy"),
    [
        ("ndvi", False, True, True),
        ("no such role", False, True, True),
        ("cloud_mask", True, True, False),
        ("dem", False, True, False),
        ("landcover", False, True, False),
        ("landcover", True, True, True),
        ("dem", True, False, True),
    ],
)
def test_clouds_hide_what_is_of_a_date_and_not_relief_or_the_clouds_themselves(
    role: str, dated: bool, known: bool, cloudy: bool
):
    date = datetime(2021, 7, 12) if dated else None
    assert _may_be_cloudy("a.tif", want_role(role, date, known)) is cloudy


@pytest.mark.parametrize(
    ("tool", "arguments", "refused"),
    [
        ("mean", {"x": "a.tif"}, True),
        ("median", {"x": "a.tif"}, False),
        ("mean", {"x": "b.tif"}, False),
    ],
)
def test_a_call_that_failed_is_refused_to_the_same_tool_with_the_same_arguments(
    tool: str, arguments: dict[str, str], refused: bool
):
    call = SimpleNamespace(action=SimpleNamespace(arguments=arguments), arguments=arguments)
    made = SimpleNamespace(call=call, tool=SimpleNamespace(name=tool))
    assert bool(_call(AvoidCall("mean", {"x": "a.tif"}, "It failed."), made)) is refused


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        (["in/b.tif"], ""),
        (["in/a.tif"], "a.tif is among the rasters and cannot be used."),
        (["in/a.tif", "in/b.tif"], "a.tif is among the rasters and cannot be used. The others are in/b.tif."),
    ],
)
def test_a_raster_that_is_left_out_is_named_beside_the_others(inputs: list[str], told: str):
    assert _raster(LeaveOut("a.tif", "It is empty."), SimpleNamespace(inputs=inputs)) == told  # type: ignore[arg-type]
