"""Times that numbers of an earlier step are of."""

from __future__ import annotations

import pytest

from treeline.core.engine.verification.earlier_labels import _is_in


@pytest.mark.parametrize(
    ("date", "period", "inside"),
    [
        ("2021-07-12", "july", True),
        ("2021-07", "july", True),
        ("2021", "july", False),
        ("2021-07-12", "2021-07", True),
        ("2021-07-12", "2021", True),
        ("2021-07-12", "2020", False),
    ],
)
def test_a_date_or_month_lies_in_its_month_of_any_year(date: str, period: str, inside: bool):
    assert _is_in(date, period) is inside
