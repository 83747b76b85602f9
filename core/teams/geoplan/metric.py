"""The path similarity of :mod:`.similarity` by tables made once, for planning by it.

A planner that looks for the path most alike to many others compares ten thousands of pairs a task.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.core.teams.geoplan.agents import tool_names
from treeline.core.teams.geoplan.similarity import collapse, compile_similarity, table_of_costs
from treeline.knowledge import Embedder, LexicalEmbedder

Path = NDArray[np.int64]


class PathMetric:
    """Similarity of paths, 0 to 1.

    Parameters
    ----------
    embedder : Embedder, optional
        Of the tools' names; by default the local lexical one.
    further : iterable of str
        Names that may occur in paths besides the planning tools.
    """

    def __init__(self, embedder: Embedder | None = None, further: Iterable[str] = ()) -> None:
        self.names = tuple(dict.fromkeys([*tool_names(), *further]))
        self._number = {name: number for number, name in enumerate(self.names)}
        table = table_of_costs()
        self.costs = np.array([table.get(name, 1.0) for name in self.names])
        texts = [name.replace("_", " ") for name in self.names]
        chosen = embedder or LexicalEmbedder(texts)
        vectors = chosen.embed(list(self.names) if embedder else texts).astype(np.float64)
        self.substitution = 1 - (np.clip(vectors @ vectors.T, -1, 1) + 1) / 2
        self.embedder = chosen.name
        self._compare = compile_similarity()

    def numbers(self, path: Iterable[str]) -> Path:
        """Return a path, collapsed, as numbers of tools.

        Raises
        ------
        KeyError
            A name is unknown.
        """
        return np.array([self._number[tool] for tool in collapse(list(path))], dtype=np.int64)

    def similarity(self, path: Sequence[str], other: Sequence[str]) -> float:
        """Return how alike two paths are; 1 for equal ones, never below 0."""
        return float(self._compare(self.numbers(path), self.numbers(other), self.costs, self.substitution))

    def between(self, paths: Sequence[Path], others: Sequence[Path]) -> NDArray[Any]:
        """Return the similarity of each path with each of the others, shape (paths, others)."""
        return np.array([[self._compare(a, b, self.costs, self.substitution) for b in others] for a in paths])
