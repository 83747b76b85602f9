"""Change between two pictures of the same ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toolkit.perception.picture import Mask, Picture

ROUNDS = 50
SETTLED = 1e-3
RIDGE = 1e-6
CERTAIN = 0.999
LEAST_PIXELS = 9

Matrix = NDArray[np.float64]


class AnyChange:
    """Change of any kind by the iteratively reweighted multivariate alteration detection."""

    name = "classical: IR-MAD change of any kind, not only of buildings"

    def changes(self, before: Picture, after: Picture) -> Mask:
        """Return the pixels that changed with 99.9 % certainty, without specks of fewer than nine.

        The reweighting makes distances longer than chi-squared even where nothing changed; they are
        scaled by their median, so up to half of the picture may have changed.
        """
        from scipy.stats import chi2
        from skimage.morphology import label

        valid = before.valid & after.valid
        mask = np.zeros(before.shape, dtype=bool)
        first, second = (_distinct(picture.pixels[valid]) for picture in (before, after))
        if np.array_equal(first, second):
            return mask
        distance, bands = irmad(first, second)
        scale = max(1.0, float(np.median(distance)) / chi2.median(bands))
        mask[valid] = distance / scale > chi2.ppf(CERTAIN, bands)
        labels = label(mask, connectivity=2)
        return mask & (np.bincount(labels.ravel())[labels] >= LEAST_PIXELS)


def irmad(first: Matrix, second: Matrix) -> tuple[NDArray[np.float64], int]:
    """Return how far pixels depart from no change, and the degrees of freedom of that measure.

    Parameters
    ----------
    first, second : ndarray
        (pixels, bands) of two dates.

    Returns
    -------
    ndarray, int
        Sum of squared standardised MAD variates; of one pass it follows chi-squared where nothing
        changed, of several it is somewhat longer.

    References
    ----------
    Nielsen 2007, IEEE Trans. Image Process. 16:463.
    """
    from scipy.stats import chi2

    bands = min(first.shape[1], second.shape[1])
    weights = np.ones(len(first))
    previous = np.full(bands, -1.0)
    distance = np.zeros(len(first))
    for _ in range(ROUNDS):
        a, b, correlation, means = canonical(first, second, weights)
        variates = (first - means[0]) @ a - (second - means[1]) @ b
        distance = (variates**2 / np.maximum(2 * (1 - correlation), RIDGE)).sum(axis=1)
        if np.abs(correlation - previous).max() < SETTLED:
            break
        previous = correlation
        weights = chi2.sf(distance, bands)
    return distance, bands


def canonical(
    first: Matrix, second: Matrix, weights: NDArray[np.float64]
) -> tuple[Matrix, Matrix, NDArray[np.float64], tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return canonical vectors of unit variance, their correlations, and the weighted means."""
    means = tuple(np.average(values, axis=0, weights=weights) for values in (first, second))
    centred = first - means[0], second - means[1]
    total = weights.sum()
    s11, s12, s22 = (
        (centred[i] * weights[:, np.newaxis]).T @ centred[j] / total for i, j in ((0, 0), (0, 1), (1, 1))
    )
    inner1, inner2 = _inverse_root(s11), _inverse_root(s22)
    left, correlation, right = np.linalg.svd(inner1 @ s12 @ inner2, full_matrices=False)
    return inner1 @ left, inner2 @ right.T, correlation.clip(0, 1), (means[0], means[1])


def _inverse_root(covariance: Matrix) -> Matrix:
    ridge = RIDGE * max(np.trace(covariance) / len(covariance), 1e-12)
    values, vectors = np.linalg.eigh(covariance + ridge * np.eye(len(covariance)))
    return vectors / np.sqrt(values) @ vectors.T


def _distinct(pixels: NDArray[np.uint8]) -> Matrix:
    """Return bands as floats; a grey picture has one, not three alike."""
    grey = (pixels[:, 0] == pixels[:, 1]).all() and (pixels[:, 0] == pixels[:, 2]).all()
    return (pixels[:, :1] if grey else pixels).astype(np.float64)
