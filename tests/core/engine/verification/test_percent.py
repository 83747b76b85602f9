"""Parts, changes and rests in per cent."""

from __future__ import annotations

from treeline.core.engine.verification.percent import change_of, part_of_one, per_cent, rest_of


def test_a_part_a_change_and_a_rest_are_in_per_cent_and_a_share_is_a_part_again():
    assert (per_cent(3, 4), per_cent(0.5)) == (75.0, 50.0)
    assert (change_of(4, 5), change_of(4, 3)) == (25.0, -25.0)
    assert (rest_of(30.0), part_of_one(25.0)) == (70.0, 0.25)
