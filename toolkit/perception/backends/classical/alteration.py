"""Change between two pictures of the same ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.canonical_variates import Matrix, canonical_of
from treeline.toolkit.perception.picture import Mask, Picture

# Iterations at most, and the change of the correlations at which they have settled.
ROUNDS = 50
SETTLED = 1e-3
# Keeps the covariances invertible where a picture has three equal bands.
RIDGE = 1e-6
# Of a megapixel without change a thousand pixels pass for changed; the specks among them are dropped.
CERTAIN = 0.999
LEAST_PIXELS = 9


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
    weights, previous = np.ones(len(first)), np.full(bands, -1.0)
    distance = np.zeros(len(first))
    for _ in range(ROUNDS):
        variates = canonical_of(first, second, weights, RIDGE)
        distance = variates.chi_square(variates.mad(first, second))
        if np.abs(variates.correlations - previous).max() < SETTLED:
            break
        previous = variates.correlations
        weights = chi2.sf(distance, bands)
    return distance, bands


def _distinct(pixels: NDArray[np.uint8]) -> Matrix:
    """Return bands as floats; a grey picture has one, not three alike."""
    grey = (pixels[:, 0] == pixels[:, 1]).all() and (pixels[:, 0] == pixels[:, 2]).all()
    return (pixels[:, :1] if grey else pixels).astype(np.float64)
