"""Parts of one that stand as per cent."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from treeline.core.engine.bare_claims import _changes_as_per_cent, _shares_as_per_cent
from treeline.core.engine.claims import Claim, claims_in


@pytest.mark.parametrize(
    ("text", "number", "unit", "found"),
    [
        ("0.64 %", 64.2, "%", True),
        ("0.64 %", 64.502, "%", False),  # beyond half of the last digit
        ("0.64 %", 0.64, "%", False),
        ("0.64 %", 64.2, "ha", False),
        ("0.64", 64.2, "%", False),
    ],
)
def test_a_share_as_per_cent_is_a_hundredth(text: str, number: float, unit: str, found: bool):
    def shows(claim: Claim, numbers: list[float]) -> bool:
        return any(abs(claim.number - each) <= claim.half for each in numbers)

    evidence = SimpleNamespace(numbers=[number], units={number: (unit,)})
    answer = SimpleNamespace(claims=claims_in(f"It is {text}."), shows=shows, evidence=evidence)
    assert bool(list(_shares_as_per_cent(answer))) is found  # type: ignore[arg-type]


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
    answer = SimpleNamespace(parts=[f"It fell by {text}."], evidence=evidence)
    assert bool(list(_changes_as_per_cent(answer))) is found  # type: ignore[arg-type]
