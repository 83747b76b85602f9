"""The numbers of a sample are those that NumPy gives."""

from __future__ import annotations

import numpy as np

from treeline.toolkit.recognition.sample import statistics


def test_percentiles_are_numpys_to_the_last_digit() -> None:
    rng = np.random.default_rng(3)
    for size in (1, 2, 3, 50, 101, 1000):
        for values in (rng.normal(0, 40, size), rng.integers(0, 9000, size).astype("uint16")):
            found = statistics(values, (), None)
            assert found is not None
            low, median = np.percentile(values.astype("float64"), (1, 50))
            assert (found.low, found.median) == (low, median)
            assert found.magnitude99 == np.percentile(np.abs(values.astype("float64")), 99)
