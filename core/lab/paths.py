"""GeoPlan-bench's path similarity: a weighted edit distance between two sequences of tools.

HTAM (arXiv 2511.17198), section 8.2.2, equations 8 to 11: a tool is inserted or deleted for
1 + (C_D + C_P) / 2 with its normalised out-degree centrality and its PageRank, and substituted for
1 - (cos + 1) / 2 of the embeddings of the two names; equal tools take the diagonal. The distance is
divided by 1.5 times the longer path. Consecutive duplicates are collapsed first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.embedding import Embedder, LexicalEmbedder
from toolkit.compiled import compiled

Path = NDArray[np.int64]

_LONGEST_SHARE = 1.5


@cache
def planning_tools() -> dict[str, Any]:
    """Return the planning tools: sub-agents with their tools, and centralities."""
    return json.loads(files("core.lab").joinpath("geoplan_tools.json").read_text("utf-8"))


def tool_names() -> tuple[str, ...]:
    """Return the names of the planning tools, each once."""
    agents = planning_tools()["sub_agents"].values()
    return tuple(dict.fromkeys(tool for agent in agents for tool in agent["tools"]))


def collapsed(path: Iterable[str]) -> tuple[str, ...]:
    """Return a path without consecutive duplicates."""
    return tuple(tool for tool, _ in groupby(path))


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
        centrality = planning_tools()["centrality"]
        pairs = [centrality.get(name, (0.0, 0.0)) for name in self.names]
        self.costs = np.array([1 + (degree + rank) / 2 for degree, rank in pairs])
        texts = [name.replace("_", " ") for name in self.names]
        chosen = embedder or LexicalEmbedder(texts)
        vectors = chosen.embed(list(self.names) if embedder else texts).astype(np.float64)
        self.substitution = 1 - (np.clip(vectors @ vectors.T, -1, 1) + 1) / 2
        self.embedder = chosen.name
        self._compare = _compiled()

    def numbers(self, path: Iterable[str]) -> Path:
        """Return a path, collapsed, as numbers of tools.

        Raises
        ------
        KeyError
            A name is unknown.
        """
        return np.array([self._number[tool] for tool in collapsed(path)], dtype=np.int64)

    def similarity(self, path: Sequence[str], other: Sequence[str]) -> float:
        """Return how alike two paths are; 1 for equal ones."""
        return float(self._compare(self.numbers(path), self.numbers(other), self.costs, self.substitution))

    def between(self, paths: Sequence[Path], others: Sequence[Path]) -> NDArray[Any]:
        """Return the similarity of each path with each of the others, shape (paths, others)."""
        return np.array([[self._compare(a, b, self.costs, self.substitution) for b in others] for a in paths])


def _similarity(path: Path, other: Path, costs: NDArray[Any], substitution: NDArray[Any]) -> float:
    rows, columns = len(path), len(other)
    if rows == 0 and columns == 0:
        return 1.0
    above = np.zeros(columns + 1)
    for j in range(columns):
        above[j + 1] = above[j] + costs[other[j]]
    for i in range(rows):
        row = np.empty(columns + 1)
        row[0] = above[0] + costs[path[i]]
        for j in range(columns):
            if path[i] == other[j]:
                row[j + 1] = above[j]
            else:
                row[j + 1] = min(
                    above[j + 1] + costs[path[i]], row[j] + costs[other[j]],
                    above[j] + substitution[path[i], other[j]],
                )  # fmt: skip
        above = row
    return 1 - above[columns] / (_LONGEST_SHARE * max(rows, columns))


@cache
def _compiled() -> Any:
    return compiled(_similarity)
