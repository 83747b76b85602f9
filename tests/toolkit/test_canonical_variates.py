from __future__ import annotations

import numpy as np
import pytest
from statsmodels.multivariate.cancorr import CanCorr

from treeline.toolkit.canonical_variates import canonical_of
from treeline.toolkit.errors import InputError


@pytest.mark.parametrize("late_bands", [3, 2])
@pytest.mark.parametrize("early_bands", [3, 1])
def test_canonical_correlations_are_those_of_statsmodels(early_bands: int, late_bands: int) -> None:
    random = np.random.default_rng(4)
    first = random.normal(0, 1, (500, early_bands))
    mixing = random.normal(0, 1, (early_bands, late_bands))
    second = first @ mixing + random.normal(0, 1, (500, late_bands))
    found = canonical_of(first, second, np.ones(500))
    bands = min(early_bands, late_bands)
    expected = CanCorr(second, first).cancorr
    np.testing.assert_allclose(found.correlations, np.sort(expected)[-bands:], atol=1e-8)
    left, right = (first - found.before_mean) @ found.before, (second - found.after_mean) @ found.after
    np.testing.assert_allclose(left.T @ right / 500, np.diag(found.correlations), atol=1e-8)
    np.testing.assert_allclose(left.T @ left / 500, np.eye(bands), atol=1e-8)


def test_a_constant_band_has_a_solution_with_a_ridge_only() -> None:
    first = np.random.default_rng(1).normal(0, 1, (50, 2))
    second = np.column_stack([first[:, 0] + first[:, 1] ** 2, np.full(50, 7.0)])
    with pytest.raises(InputError, match="constant"):
        canonical_of(first, second, np.ones(50))
    assert np.isfinite(canonical_of(first, second, np.ones(50), ridge=1e-6).correlations).all()
