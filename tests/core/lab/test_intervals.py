"""The interval of a mean over questions."""

from __future__ import annotations

import numpy as np
import pytest

from treeline.core.lab.intervals import confidence_interval, intervals

VALUES = list(np.random.default_rng(3).normal(10, 2, 200))


def test_it_is_the_interval_of_95_per_cent():
    low, high = confidence_interval(VALUES) or (0, 0)
    error = np.std(VALUES) / np.sqrt(len(VALUES))
    assert low == pytest.approx(np.mean(VALUES) - 1.959964 * error, abs=0.06 * error)
    assert high == pytest.approx(np.mean(VALUES) + 1.959964 * error, abs=0.06 * error)


def test_it_is_the_same_each_time():
    assert confidence_interval(VALUES) == confidence_interval(VALUES)


def test_it_needs_two_values_and_is_a_point_for_equal_ones():
    assert confidence_interval([]) is None and confidence_interval([0.5]) is None
    assert confidence_interval([0.5, 0.5]) == (0.5, 0.5)
    assert confidence_interval([0.0, 1.0]) == (0.0, 1.0)


def test_rows_without_a_score_are_passed_over():
    assert intervals([{"a": 1.0, "b": None}, {"a": 1.0}]) == {"a": (1.0, 1.0), "b": None}
