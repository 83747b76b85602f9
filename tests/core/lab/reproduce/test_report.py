"""What one value is more than another, as a difference or in per cent."""

from __future__ import annotations

import pytest

from treeline.core.lab.reproduce.report import _difference


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
