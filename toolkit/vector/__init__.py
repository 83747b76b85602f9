"""Geometries: the one place that reads, transforms, measures and writes vector files."""

from treeline.toolkit.vector.features import Feature, Features, checked_crs
from treeline.toolkit.vector.reading import read_features
from treeline.toolkit.vector.writing import write_features

__all__ = [
    "Feature",
    "Features",
    "checked_crs",
    "read_features",
    "write_features",
]
