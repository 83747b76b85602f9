"""How many of several a statement speaks of."""

from __future__ import annotations

import pytest

from treeline.core.engine.verification.quantifiers import comparison_of, is_of_things, without_bounds


@pytest.mark.parametrize(
    ("sentence", "right", "wrong"),
    [
        ("All classes but one exceed 0.7.", (4, 5), (5, 5)),
        ("Most of the dates lie below 0.5.", (3, 5), (2, 5)),
        ("More than half of the clear scenes lie under 0.5.", (9, 17), (8, 16)),
        ("Half of the scenes were warmer than 300 K.", (3, 6), (2, 6)),
        ("A third of the regions exceed 300 m.", (3, 9), (4, 9)),
        ("About a third of the regions exceed 300 m.", (3, 10), (5, 10)),
        ("Only one scene exceeds 305 K.", (1, 6), (2, 6)),
        ("Every land cover averages at least 3 degrees.", (5, 5), (4, 5)),
        ("At least two classes exceed 0.6.", (2, 5), (1, 5)),
        ("Fewer than 3 dates exceed 0.6.", (2, 5), (3, 5)),
        ("Not a single class exceeds 0.75.", (0, 5), (1, 5)),
        ("Nowhere does it exceed 0.75.", (0, 5), (1, 5)),
        ("Both dates exceed 0.6, as all dates do.", (5, 5), (4, 5)),
    ],
)
def test_a_quantifier_tells_how_many_of_how_many(
    sentence: str, right: tuple[int, int], wrong: tuple[int, int]
):
    holds = comparison_of(sentence)
    assert holds is not None
    assert holds(*right)
    assert not holds(*wrong)


def test_a_part_of_things_is_none_of_the_ground():
    assert is_of_things("Half of the scenes lie below 0.5.")
    assert not is_of_things("Half of the forest lies below 700 m.")


def test_a_bound_of_how_many_is_no_side_of_a_limit():
    assert without_bounds("More than half of the dates lie under 0.5.").strip() == (
        "half of the dates lie under 0.5."
    )
