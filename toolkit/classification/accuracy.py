"""How good a classification is: confusion matrix and what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.classification.kit import CLASSIFICATION
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import reduce_pixels, require_classes, source
from treeline.toolkit.tool import Gives, Reads, tool

MOST_CLASSES = 250
Table = dict[str, Any]


@dataclass(frozen=True)
class Confusion:
    """Counts of mapped against true classes.

    Attributes
    ----------
    labels : tuple
        Class numbers or names.
    counts : ndarray
        ``counts[mapped, true]``.
    """

    labels: tuple[Any, ...]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, mapped: Sequence[Any], true: Sequence[Any]) -> Confusion:
        """Return the counts of two equally long sequences."""
        return cls.of_pairs(Counter(zip(mapped, true, strict=True)))

    @classmethod
    def of_pairs(cls, pairs: Counter[tuple[Any, Any]]) -> Confusion:
        """Return the counts of pairs (mapped, true)."""
        labels = tuple(sorted({label for pair in pairs for label in pair}))
        place = {label: n for n, label in enumerate(labels)}
        counts = np.zeros((len(labels), len(labels)), dtype=np.int64)
        for (mapped, true), count in pairs.items():
            counts[place[mapped], place[true]] = count
        return cls(labels, counts)

    def table(self) -> Table:
        """Return the matrix with overall accuracy, kappa, and accuracies and F1 by class."""
        right, rows, columns = np.diag(self.counts), self.counts.sum(axis=1), self.counts.sum(axis=0)
        total = int(self.counts.sum())
        overall = float(right.sum() / total)
        chance = float((rows / total) @ (columns / total))
        return {
            "classes": list(self.labels),
            "matrix": self.counts.tolist(),
            "pixels": total,
            "overall_accuracy": overall,
            # Both rasters of one class agree by chance alone.
            "kappa": (overall - chance) / (1 - chance) if chance < 1 else None,
            "users_accuracy": _by(self.labels, _shares(right, rows)),
            "producers_accuracy": _by(self.labels, _shares(right, columns)),
            "f1": _by(self.labels, _shares(2 * right, rows + columns)),
        }


@tool(
    kit=CLASSIFICATION,
    source="Congalton 1991, Remote Sens. Environ. 37:35; Cohen 1960, Educ. Psychol. Meas. 20:37 (kappa)",
    gives=Gives("table", "accuracy"),
    formula="overall = sum n_ii / n; kappa = (overall - chance) / (1 - chance); user's n_ii / row, "
    "producer's n_ii / column",
)
def confusion_matrix(
    classified_path: Annotated[str, Reads()],
    reference_path: Annotated[str, Reads()],
) -> Table:
    """Confusion matrix of a class raster against a reference, with accuracies and kappa.

    Parameters
    ----------
    classified_path : str
        The classification; its grid is used.
    reference_path : str
        True classes under the same numbers, nodata where unknown (see ``rasterize_features``).

    Returns
    -------
    dict
        ``classes``, ``matrix`` (rows mapped, columns true), ``pixels``, ``overall_accuracy``, ``kappa``, and
        by class ``users_accuracy``, ``producers_accuracy``, ``f1`` (null where a class does not occur).
    """
    mapped, true = source(classified_path), source(reference_path)

    names = {"mapped": mapped.name, "true": true.name}

    def count_pairs(**sides: NDArray[np.floating]) -> Counter[tuple[float, float]]:
        for side, values in sides.items():
            require_classes(names[side], values)
        valid = ~np.isnan(sides["mapped"]) & ~np.isnan(sides["true"])
        both = np.stack([sides["mapped"][valid], sides["true"][valid]])
        pairs, counts = np.unique(both, axis=1, return_counts=True)
        if pairs.shape[1] > MOST_CLASSES**2:
            raise InputError(
                "The rasters hold no classes: their values differ everywhere.", "Classify first."
            )
        return Counter(dict(zip(map(tuple, pairs.T.tolist()), counts.tolist(), strict=True)))

    pairs = reduce_pixels(
        count_pairs, lambda a, b: a + b, {"mapped": mapped, "true": true}, label="confusion"
    )
    if not pairs:
        raise NoValidPixels(f"{mapped.name} and {true.name} have no valid pixel in common.", "Check nodata.")
    return Confusion.of_pairs(pairs).table()


def _shares(part: NDArray[np.int64], whole: NDArray[np.int64]) -> list[float | None]:
    return [float(p / w) if w else None for p, w in zip(part, whole, strict=True)]


def _by(labels: Sequence[Any], values: Sequence[float | None]) -> dict[str, float | None]:
    texts = (f"{label:g}" if isinstance(label, float) else str(label) for label in labels)
    return dict(zip(texts, values, strict=True))
