"""Path similarity: a weighted edit distance between two sequences of tools.

HTAM (arXiv 2511.17198), supplement 8.2.2 and table 16: to insert or delete a tool costs
1 + (C_D + C_P) / 2 with its normalised out-degree and PageRank centralities; to put one tool for
another costs 1 - (cosine + 1) / 2 of their texts; the sum is divided by 1.5 times the longer path.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from treeline.knowledge import Embedder
from treeline.toolkit.compilation import compile_function

# HTAM, supplement 8.2.2: the sum of costs is divided by 1.5 times the longer path, and a tool that is not
# in table 16 costs what one without centrality does.
_WORST = 1.5
_BASE = 1.0


def collapse(path: Sequence[str]) -> list[str]:
    """Return a path without repetitions of a tool right after itself."""
    return [tool for tool, _ in groupby(path)]


@cache
def table_of_costs() -> dict[str, float]:
    """Return what it costs to insert or delete each tool of the table."""
    text = resources.files("treeline.core.teams.geoplan").joinpath("centrality.json").read_text("utf-8")
    table = json.loads(text)
    highest = table["highest_out_degree"]
    return {
        name: _BASE * (1 + (degree / highest + rank) / 2) for name, (degree, rank) in table["tools"].items()
    }


class PathSimilarity:
    """Compares paths of tools.

    Parameters
    ----------
    embedder : Embedder
    descriptions : mapping of str to str
        Of the known tools; one that is not among them is like no other.
    """

    def __init__(self, embedder: Embedder, descriptions: Mapping[str, str]) -> None:
        self.name = embedder.name
        names = list(descriptions)
        vectors = embedder.embed([tool_text(name, descriptions[name]) for name in names])
        self._place = {name: number for number, name in enumerate(names)}
        self._cosine = np.asarray(vectors @ vectors.T, dtype=float)
        self._costs = table_of_costs()

    def __call__(self, path: Sequence[str], gold: Sequence[str]) -> float:
        """Return the similarity of two paths, 1 for equal ones; never below 0."""
        names = list(dict.fromkeys([*path, *gold]))
        number = {name: n for n, name in enumerate(names)}
        mine, theirs = (np.array([number[t] for t in collapse(list(p))], np.int64) for p in (path, gold))
        costs = np.array([self._costs.get(name, _BASE) for name in names])
        return float(compile_similarity()(mine, theirs, costs, self._substitution(names)))

    def _substitution(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Return what it costs to put one tool for another; for one that is not known as much as can be."""
        known = np.array([name in self._place for name in names], dtype=bool)
        places = [self._place.get(name, 0) for name in names]
        costs = 1 - (self._cosine[np.ix_(places, places)] + 1) / 2
        return np.where(known & known[:, np.newaxis], costs, 1.0)


@cache
def compile_similarity() -> Callable[..., float]:
    """Return the similarity of two paths that are arrays of numbers, compiled.

    It takes the paths, what it costs to leave out each tool, shape (tools,), and what it costs to put one
    for another, shape (tools, tools).
    """
    return compile_function(_similarity)


def _similarity(
    path: NDArray[np.int64],
    other: NDArray[np.int64],
    costs: NDArray[np.float64],
    substitution: NDArray[np.float64],
) -> float:
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
                    above[j + 1] + costs[path[i]],
                    row[j] + costs[other[j]],
                    above[j] + substitution[path[i], other[j]],
                )
        above = row
    return max(0.0, 1 - above[columns] / (_WORST * max(rows, columns)))


def tool_text(name: str, description: str) -> str:
    """Return the text of a tool that is embedded: its name in words, then what it does."""
    return f"{name.replace('_', ' ')} {description}".strip()


def known_tools(descriptions: Mapping[str, str], paths: Iterable[Sequence[str]] = ()) -> dict[str, str]:
    """Return the tools with a description; without any, those of the table and of the gold paths."""
    if descriptions:
        return dict(descriptions)
    return dict.fromkeys([*table_of_costs(), *(tool for path in paths for tool in path)], "")
