"""What one value is more than another, as a difference or in per cent."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from treeline.core.lab.reproduce.report import Judging, _contrast, _difference
from treeline.core.lab.reproduce.verdicts import CELL, CHOICES


@pytest.mark.parametrize(
    ("kind", "value", "than", "found"),
    [
        ("difference", 5.0, 4.0, 1.0),
        ("difference", 5.0, 0.0, 5.0),
        ("percent", 5.0, 4.0, 25.0),
        ("percent", 3.0, 4.0, -25.0),
        ("percent", 5.0, 0.0, None),
    ],
)
def test_a_difference_in_per_cent_is_of_the_second(kind: str, value: float, than: float, found: float | None):
    assert _difference(kind, value, than) == found


@pytest.mark.parametrize(("regime", "models"), [("ap", {"m, ap"}), ("", {"m, ap", "m, if"})])
def test_a_contrast_is_of_the_regime_that_the_paper_states_it_for(regime: str, models: set[str]):
    def line(system: str, regime: str, value: float) -> dict[str, Any]:
        setting = {"model": "m", "system": system, "regime": regime}
        return {"ours": {"accuracy": {"value": value}}, "setting": setting}

    stated = SimpleNamespace(
        metric="accuracy",
        regime=regime,
        kind="difference",
        system="with",
        than="without",
        value=2.0,
        model_dump=lambda exclude: {},
    )
    lines = [
        line(system, way, value)
        for way in ("ap", "if")
        for system, value in (("with", 5.0), ("without", 4.0))
    ]
    assert _contrast(stated, lines)["ours"] == dict.fromkeys(models, 1.0)


def test_a_judge_tells_how_many_of_its_own_replies_named_nothing():
    replies = {
        "a": {"cell": CELL, "unread": 1},
        "b": {"cell": CHOICES, "unread": 1},
        "c": {"cell": CHOICES, "unread": 0},
    }
    keys, elo = Judging("j", replies).differences(["elo", "recall"])
    assert "1 of 2 replies named no tool" in keys and "1 of 2 replies named no plan" in elo
