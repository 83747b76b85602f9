"""Accuracy and areas of a map from a stratified sample, with their confidence intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from treeline.toolkit.classification.kit import CLASSIFICATION
from treeline.toolkit.errors import InputError
from treeline.toolkit.tool import Gives, tool

# Of the normal distribution, two-sided 95 %.
Z = 1.959963984540054
Table = dict[str, Any]


@tool(
    kit=CLASSIFICATION,
    source="Olofsson et al. 2014, Remote Sens. Environ. 148:42",
    gives=Gives("table", "accuracy"),
    formula="p_ij = W_i n_ij / n_i; overall sum p_ii; user's p_ii / p_i.; producer's p_ii / p_.j; area A "
    "p_.j; S(p_.k) = sqrt(sum W_i^2 (n_ik / n_i)(1 - n_ik / n_i) / (n_i - 1)); 95 % is 1.96 standard errors",
)
def area_adjusted_accuracy(
    matrix: list[list[float]], mapped_areas: list[float], classes: list[str] | None = None
) -> Table:
    """Accuracies and areas of map classes from a stratified sample, with 95 % confidence intervals.

    The area of a class is that of the truth, not of the map: the map's errors are taken out of it.

    Parameters
    ----------
    matrix : list of list of float
        Counts of the sample: rows are the map's classes (the strata), columns the true ones, as
        ``confusion_matrix`` has them.
    mapped_areas : list of float
        Area of each class on the map, in one unit: ``area_by_class``.
    classes : list of str, optional
        Names of the classes; 1, 2, 3, ... without.

    Returns
    -------
    dict
        ``overall_accuracy`` and ``overall_interval``; by class ``users_accuracy``, ``users_interval``,
        ``producers_accuracy``, ``producers_interval``, ``area``, ``area_interval`` (half widths at 95 %,
        areas in
        the unit given) and ``mapped_area``.
    """
    counts, areas, names = _check(matrix, mapped_areas, classes)
    n = counts.sum(axis=1)
    weights = areas / areas.sum()
    shares = counts / n[:, np.newaxis]
    cells = weights[:, np.newaxis] * shares
    truth = cells.sum(axis=0)
    right = np.diag(shares)
    spread = shares * (1 - shares) / (n - 1)[:, np.newaxis]
    overall = float(np.diag(cells).sum())
    overall_error = math.sqrt(float((weights**2 * np.diag(spread)).sum()))
    with np.errstate(all="ignore"):
        # A class without a true sample has no producer's accuracy: 0 / 0, which is reported as none.
        producers = np.diag(cells) / truth
        producers_error = _producers_error(areas, n, shares, spread, right, producers)
    area_error = areas.sum() * np.sqrt((weights[:, np.newaxis] ** 2 * spread).sum(axis=0))
    return {
        "overall_accuracy": overall,
        "overall_interval": Z * overall_error,
        "users_accuracy": _by(names, right),
        "users_interval": _by(names, Z * np.sqrt(np.diag(spread))),
        "producers_accuracy": _by(names, producers),
        "producers_interval": _by(names, Z * producers_error),
        "area": _by(names, areas.sum() * truth),
        "area_interval": _by(names, Z * area_error),
        "mapped_area": _by(names, areas),
    }


def _producers_error(areas: Any, n: Any, shares: Any, spread: Any, users: Any, producers: Any) -> Any:
    """Return the standard error of the producer's accuracy (their equation 7)."""
    found = np.empty(len(areas))
    estimated = (areas[:, np.newaxis] * shares).sum(axis=0)
    for j in range(len(areas)):
        others = np.arange(len(areas)) != j
        own = areas[j] ** 2 * (1 - producers[j]) ** 2 * users[j] * (1 - users[j]) / (n[j] - 1)
        rest = producers[j] ** 2 * (areas[others] ** 2 * spread[others, j]).sum()
        found[j] = math.sqrt((own + rest) / estimated[j] ** 2) if estimated[j] > 0 else math.nan
    return found


def _check(matrix: Any, mapped_areas: Any, classes: Any) -> tuple[Any, Any, list[str]]:
    size = len(matrix)
    if size < 2 or any(len(row) != size for row in matrix) or len(mapped_areas) != size:
        raise InputError(
            f"The matrix has {size} rows and 'mapped_areas' {len(mapped_areas)} areas.",
            "Give a square matrix of two classes or more, and an area for each row.",
        )
    counts, areas = np.array(matrix, dtype=np.float64), np.array(mapped_areas, dtype=np.float64)
    if not np.isfinite(counts).all() or (counts < 0).any() or not (areas > 0).all() or np.isinf(areas).any():
        raise InputError(
            "The matrix or the areas hold numbers below 0, or none.", "Give counts from 0 and areas above 0."
        )
    few = np.flatnonzero(counts.sum(axis=1) < 2)
    if few.size:
        raise InputError(
            f"Row {few[0] + 1} of the matrix has fewer than two samples.",
            "Give two or more of each map class.",
        )
    names = [str(name) for name in classes] if classes else [str(n + 1) for n in range(size)]
    if len(set(names)) != size:
        raise InputError(f"There are {len(set(names))} names for {size} classes.", "Give each class its own.")
    return counts, areas, names


def _by(names: list[str], values: Any) -> dict[str, float | None]:
    return {n: float(v) if math.isfinite(v) else None for n, v in zip(names, values, strict=True)}
