"""Path similarity: a weighted edit distance between two sequences of tools.

HTAM (arXiv 2511.17198), supplement 8.2.2 and table 16: to insert or delete a tool costs
1 + (C_D + C_P) / 2 with its normalised out-degree and PageRank centralities; to put one tool for
another costs 1 - (cosine + 1) / 2 of their texts; the sum is divided by 1.5 times the longer path.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import resources

import numpy as np

from core.lab.geoplan.tasks import collapsed
from knowledge import Embedder

_WORST = 1.5
_BASE = 1.0


@lru_cache(maxsize=1)
def table_of_costs() -> dict[str, float]:
    """Return what it costs to insert or delete each tool of the table."""
    text = resources.files("core.lab.geoplan").joinpath("centrality.json").read_text("utf-8")
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
        mine, theirs = collapsed(list(path)), collapsed(list(gold))
        if not mine and not theirs:
            return 1.0
        distance = self.distance(mine, theirs)
        return max(0.0, 1 - distance / (_WORST * max(len(mine), len(theirs))))

    def distance(self, mine: Sequence[str], theirs: Sequence[str]) -> float:
        """Return the least cost of turning one path into the other."""
        above = np.concatenate([[0.0], np.cumsum([self._cost(tool) for tool in theirs])])
        for tool in mine:
            row = [above[0] + self._cost(tool)]
            for column, other in enumerate(theirs, start=1):
                if tool == other:
                    row.append(above[column - 1])
                    continue
                row.append(
                    min(
                        above[column] + self._cost(tool),
                        row[-1] + self._cost(other),
                        above[column - 1] + self._substitution(tool, other),
                    )
                )
            above = np.asarray(row)
        return float(above[-1])

    def _cost(self, tool: str) -> float:
        return self._costs.get(tool, _BASE)

    def _substitution(self, mine: str, theirs: str) -> float:
        if mine not in self._place or theirs not in self._place:
            return 1.0
        return 1 - (self._cosine[self._place[mine], self._place[theirs]] + 1) / 2


def tool_text(name: str, description: str) -> str:
    """Return the text of a tool that is embedded: its name in words, then what it does."""
    return f"{name.replace('_', ' ')} {description}".strip()


def known_tools(descriptions: Mapping[str, str], paths: Iterable[Sequence[str]] = ()) -> dict[str, str]:
    """Return the tools with a description; without any, those of the table and of the gold paths."""
    if descriptions:
        return dict(descriptions)
    return dict.fromkeys([*table_of_costs(), *(tool for path in paths for tool in path)], "")
