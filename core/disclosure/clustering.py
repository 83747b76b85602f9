"""Groups of alike vectors, by splitting and merging."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

_SPLIT_BEYOND = 1.5
_DIMENSION = 24

Groups = list[list[int]]


def main_directions(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the vectors in their 24 main directions, of length one again.

    In all their dimensions short texts are nearly equally far from one another; in the main ones
    those on one subject come together.
    """
    if min(vectors.shape) <= _DIMENSION:
        return vectors
    from sklearn.decomposition import TruncatedSVD

    reduced = TruncatedSVD(_DIMENSION, random_state=0).fit_transform(vectors)
    lengths = np.linalg.norm(reduced, axis=1, keepdims=True)
    return (reduced / np.maximum(lengths, 1e-9)).astype(np.float32)


def divide(vectors: NDArray[np.float32], limit: int, most: int, least: int = 3) -> Groups:
    """Return groups of alike vectors.

    Bisecting k-means (Steinbach et al. 2000, KDD workshop on text mining) splits into more groups
    than are wanted; then the smallest joins the group it is most alike, as long as there are too
    many, or one that is too small.

    Parameters
    ----------
    vectors : array of shape (items, dimension)
        Of length one.
    limit : int
        How many items a group should hold at most; more where there would be too many groups.
    most : int
        How many groups there may be; at least 2.
    least : int
        Below this a group joins another.

    Returns
    -------
    list of list of int
        Positions of the items, each exactly once; more than one group for more than ``limit`` items.
    """
    count = len(vectors)
    if count <= limit:
        return [list(range(count))]
    # As many as it takes for none to be above the limit (rounded up), and one more, since groups are uneven.
    wanted = min(max(2, most), -(-count // limit) + 1)
    # Split further than wanted and then merged: bisecting alone leaves groups of one or two.
    groups = _split(vectors, min(count, round(wanted * _SPLIT_BEYOND)))
    groups = _merge(vectors, groups, wanted, least)
    # Vectors that are all alike cannot be told apart, and a branch must become smaller all the same.
    return groups if len(groups) > 1 else _halves(count)


def _split(vectors: NDArray[np.float32], count: int) -> Groups:
    from sklearn.cluster import BisectingKMeans

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where fewer vectors differ than groups are asked for
        clustering = BisectingKMeans(count, random_state=0, bisecting_strategy="largest_cluster")
        labels = clustering.fit_predict(vectors)
    return [np.flatnonzero(labels == label).tolist() for label in np.unique(labels)]


def _merge(vectors: NDArray[np.float32], groups: Groups, wanted: int, least: int) -> Groups:
    groups = sorted(groups, key=len)
    while len(groups) > 2 and (len(groups) > wanted or len(groups[0]) < least):
        smallest, *others = groups
        centres = np.array([vectors[group].mean(axis=0) for group in others])
        lengths = np.maximum(np.linalg.norm(centres, axis=1), 1e-9)
        nearest = int(np.argmax((centres @ vectors[smallest].mean(axis=0)) / lengths))
        others[nearest] = sorted(others[nearest] + smallest)
        groups = sorted(others, key=len)
    return sorted(groups)


def _halves(count: int) -> Groups:
    return [list(range(count // 2)), list(range(count // 2, count))]
