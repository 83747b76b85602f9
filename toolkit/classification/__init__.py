"""Kit Classification: classes from bands, and how good they are."""

from __future__ import annotations

from treeline.toolkit.classification import accuracy, smoothing, supervised, texture, thresholds, unsupervised

__all__ = ["accuracy", "smoothing", "supervised", "texture", "thresholds", "unsupervised"]
