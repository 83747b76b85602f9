"""Canonical variates of two dates, whose differences (MAD) show change of any kind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError

Floats = NDArray[np.floating]
Matrix = NDArray[np.float64]
# Of the largest eigenvalue: what is smaller is the rounding of float64, and no variance.
SINGULAR = 1e-13


@dataclass(frozen=True)
class Variates:
    """Canonical variates of two dates.

    Attributes
    ----------
    before, after : ndarray (bands, variates)
        Coefficients, a column per variate; as many as the date of fewer bands has bands.
    before_mean, after_mean : ndarray (bands,)
    correlations : ndarray (variates,)
        Rising, so that the first variate holds most of the change.
    """

    before: Matrix
    after: Matrix
    before_mean: Matrix
    after_mean: Matrix
    correlations: Matrix

    def mad(self, before: Floats, after: Floats) -> Matrix:
        """Return the differences of the variates of pixels (n, bands)."""
        early = (before.astype(np.float64) - self.before_mean) @ self.before
        return early - (after.astype(np.float64) - self.after_mean) @ self.after

    def chi_square(self, mad: Matrix) -> Matrix:
        """Return the sum of the squared differences over their variance without change."""
        # Variates have a variance of 1, so that the difference of two with the correlation r has 2 (1 - r).
        return (mad**2 / (2 * (1 - self.correlations))).sum(axis=1)


def canonical(covariance: Matrix, mean: Matrix, bands: int, ridge: float = 0.0) -> Variates:
    """Return the canonical variates of two dates.

    Parameters
    ----------
    covariance, mean : ndarray
        Of the bands of the first date followed by those of the second.
    bands : int
        How many belong to the first date.
    ridge : float
        Added to the variances, as a share of their mean; above 0 there is always a solution.

    Raises
    ------
    InputError
        A band is constant or follows from others.

    Notes
    -----
    Source: Nielsen 2007, IEEE Trans. Image Process. 16:463.
    """
    early = _inverse_root(covariance[:bands, :bands], ridge)
    late = _inverse_root(covariance[bands:, bands:], ridge)
    # Canonical correlations are the singular values of S11^-1/2 S12 S22^-1/2 (Nielsen 2007, IEEE Trans. Image
    # Process. 16:463).
    left, correlations, right = np.linalg.svd(early @ covariance[:bands, bands:] @ late, full_matrices=False)
    if correlations.max() > 1 - 1e-9:
        raise InputError(
            "A band of one date follows exactly from the other date.", "Are the dates different?"
        )
    # The least correlated pair first: its difference shows the most change.
    a, b = (early @ left)[:, ::-1], (late @ right.T)[:, ::-1]
    return Variates(a, b, mean[:bands], mean[bands:], correlations[::-1])


def canonical_of(first: Floats, second: Floats, weights: Matrix, ridge: float = 0.0) -> Variates:
    """Return the canonical variates of pixels (n, bands) of two dates, counted by weights (n,)."""
    pixels = np.hstack([first, second]).astype(np.float64)
    mean = np.average(pixels, axis=0, weights=weights)
    pixels -= mean
    covariance = (pixels * weights[:, np.newaxis]).T @ pixels / weights.sum()
    return canonical(covariance, mean, first.shape[1], ridge)


def _inverse_root(covariance: Matrix, ridge: float) -> Matrix:
    added = ridge * max(float(np.trace(covariance)) / len(covariance), 1e-12)
    values, vectors = np.linalg.eigh(covariance + added * np.eye(len(covariance)))
    if not values[0] > SINGULAR * values[-1]:
        raise InputError(
            "A band is constant or follows from the others, so IR-MAD has no solution.", "Leave it out."
        )
    # V diag(l^-1/2) V^T of the eigenvalues l.
    return vectors / np.sqrt(values) @ vectors.T
