"""Differences that are told as changes in per cent."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from treeline.core.engine.verification.bare_claims import _changes_as_per_cent


@pytest.mark.parametrize(
    ("text", "number", "unit", "found"),
    [
        ("16.0 %", -0.16, "1", True),
        ("16.0 %", -0.1604, "1", True),
        ("16.0 %", -0.1616, "1", False),  # beyond half of the last digit
        ("16.0 %", -0.16, "K", False),
        ("16.0 K", -0.16, "1", False),
        ("160 %", -1.6, "1", False),  # no part of one
    ],
)
def test_a_difference_is_no_change_in_per_cent(text: str, number: float, unit: str, found: bool):
    evidence = SimpleNamespace(
        numbers=[number], units={number: (unit,)}, behind=lambda claim, falls: [number] if found else []
    )
    answer = SimpleNamespace(clauses=[f"It fell by {text}."], evidence=evidence)
    assert bool(list(_changes_as_per_cent(answer))) is found  # type: ignore[arg-type]
