"""Registers the kit."""

from __future__ import annotations

from toolkit.tree import add_kit

CLASSIFICATION = add_kit(
    "Classification",
    """Classes from bands: k-means, random forest and maximum likelihood with training areas, accuracy
    (confusion matrix, kappa), thresholds (Otsu), GLCM texture, principal components, sieve and majority.""",
)
