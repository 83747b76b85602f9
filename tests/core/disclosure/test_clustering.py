"""Groups of alike vectors: how many, how large, and which joins which."""

from __future__ import annotations

import numpy as np
import pytest

from treeline.core.disclosure.clustering import _halves, _merge, divide, main_directions


def bundles(sizes: list[int]) -> np.ndarray:
    """Return unit vectors in bundles, each about an axis of its own."""
    spread = np.random.default_rng(5).normal(scale=0.05, size=(sum(sizes), len(sizes)))
    vectors = np.repeat(np.eye(len(sizes)), sizes, axis=0) + spread
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_items_up_to_the_limit_stay_together():
    assert divide(bundles([4]), 4, 5) == [[0, 1, 2, 3]]
    assert len(divide(bundles([5, 5]), 9, 5)) > 1


@pytest.mark.parametrize(
    ("sizes", "limit", "most", "expected"),
    [
        ([6, 6, 6, 6], 6, 8, [6, 6, 6, 6]),  # 24 by 6: as many groups as are wanted and no more than needed
        ([6, 6, 6, 6], 6, 3, None),  # no more groups than there may be
        ([8, 8, 2], 9, 6, [8, 10]),  # two are too few for a group
        ([8, 8, 3], 9, 6, [3, 3, 5, 8]),  # three are enough
        ([8, 8], 15, 1, [8, 8]),  # there are two groups at least
    ],
)
def test_groups_are_as_many_and_as_large_as_is_wanted(sizes, limit, most, expected):
    groups = divide(bundles(sizes), limit, most)
    assert sorted(item for group in groups for item in group) == list(range(sum(sizes)))
    assert len(groups) <= max(2, most)
    if expected:
        assert sorted(map(len, groups)) == expected


def test_the_smallest_group_joins_the_most_alike_whatever_the_lengths():
    vectors = np.array([[1, 0], [1, 0.1], [0, 1], [0.3, 1], [0.5, 1]], dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert _merge(vectors, [[0, 1], [2, 3], [4]], 3, 2) == [[0, 1], [2, 3, 4]]
    # A centre's length says how much its group differs, not how alike another is to it.
    wide = np.array(
        [[1, 0, 0], [0.9, 0.44, 0], [0, 1, 0.2], [0, -0.6, 0.8], [0.3, 0, 1], [0.6, 0, 0.8]], np.float32
    )
    assert _merge(wide, [[0, 1], [2, 3, 4], [5]], 2, 1) == [[0, 1], [2, 3, 4, 5]]


def test_groups_are_merged_to_the_number_and_the_size_and_no_further():
    vectors = bundles([3, 3, 3])
    groups = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert _merge(vectors, groups, 3, 3) == groups
    assert len(_merge(vectors, groups, 2, 3)) == 2
    assert len(_merge(vectors, groups, 3, 4)) == 2
    assert len(_merge(vectors, groups[:2], 1, 9)) == 2, "two stay two"


def test_vectors_that_are_all_the_same_are_halved():
    assert _halves(5) == [[0, 1], [2, 3, 4]]
    assert divide(np.ones((6, 2), dtype=np.float32) / np.sqrt(2), 4, 3) == [[0, 1, 2], [3, 4, 5]]


def test_main_directions_are_few_and_of_length_one():
    few = bundles([5] * 24)
    assert main_directions(few) is few
    many = main_directions(bundles([5] * 25))
    assert many.shape == (125, 24)
    assert np.allclose(np.linalg.norm(many, axis=1), 1.0, atol=1e-4)
    assert np.array_equal(many, main_directions(bundles([5] * 25)))
