"""Parts of one that stand as per cent."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from treeline.core.engine.bare_claims import _shares_as_per_cent
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
