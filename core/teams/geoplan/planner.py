"""The layered team's plan alone: from a task to a path of planning tools, scored on GeoPlan-bench.

Without experience, by rules: the top layer picks the sub-agent whose tools' names are nearest to the
task, the layers below what the words of the task call for, on the usual chain of acquisition and
correction. With experience (paths of other tasks), each layer is planned from the top: of the
segments that the nearest tasks have in that layer the one that is most alike to all of them, where
tasks that agree with what was chosen above count for more. The draft stands against the whole
paths of those tasks, and is then mended by single insertions, removals and replacements, as long
as the expected similarity grows (minimum Bayes risk; Kumar and Byrne 2004, HLT-NAACL).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from treeline.core.teams.geoplan.agents import (
    agents,
    agents_of_layer,
    agents_with,
    layers_of,
    sub_agents_of,
    tool_names,
)
from treeline.core.teams.geoplan.metric import Path, PathMetric
from treeline.knowledge.embedding import Embedder, LexicalEmbedder
from treeline.knowledge.words import telling_words

# From the application down to the acquisition: what is above decides what is needed below.
LAYERS = (3, 2, 1)
_NEIGHBOURS = 40
_TEMPERATURE = 0.1
_SAME_DOMAIN = 0.1
# How much less a neighbour counts in the layers below whose segment above differs from the chosen one.
_AGREEMENT = 1.0
# Each change tries every tool at every place of the path.
_MOST_CHANGES = 4
_TOOLS_TRIED = 20
_CHAIN = (
    "recommend_satellite_platforms",
    "download_satellite_imagery",
    "atmospheric_correction",
    "geometric_correction",
    "cloud_mask_removal",
    "crop_image",
)
_CONCLUSION = ("statistical_analysis", "generate_analysis_reports")
# The least likeness of a tool to its sub-task beside the likest one, which is always taken.
_FITTING = 0.12


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """A task and its path, empty where it is not known.

    Attributes
    ----------
    domain : str
        Sub-domain of remote sensing; empty where it is not given.
    """

    question: str
    path: tuple[str, ...] = ()
    domain: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """A path with the sub-agents of each layer that carry it out.

    Attributes
    ----------
    layers : dict
        Tools by layer, in the order in which they are called.
    sub_agents : dict
        Names by layer.
    """

    path: tuple[str, ...]
    layers: dict[int, tuple[str, ...]]
    sub_agents: dict[int, tuple[str, ...]]


class LayeredPlanner:
    """Plans tasks layer by layer, with or without experience.

    Parameters
    ----------
    metric : PathMetric
    experience : sequence of PlannedTask
        Other tasks with their paths; one with the words of the task that is planned is passed over.
    embedder : Embedder, optional
        Of questions; by default the lexical one fitted on the experience.
    """

    def __init__(
        self, metric: PathMetric, experience: Sequence[PlannedTask] = (), embedder: Embedder | None = None
    ) -> None:
        self.metric = metric
        self.experience = [task for task in experience if task.path]
        texts = [task.question for task in self.experience]
        self._embedder = embedder or (LexicalEmbedder(texts) if texts else None)
        self._vectors = self._embedder.embed(texts) if self._embedder and texts else None
        self._paths = [metric.numbers(task.path) for task in self.experience]
        self._segments = [_by_layer(task.path) for task in self.experience]

    @classmethod
    def over(cls, experience: Sequence[PlannedTask]) -> LayeredPlanner:
        """Return a planner that compares paths by the names of their tools."""
        return cls(PathMetric(further=(tool for task in experience for tool in task.path)), experience)

    def plan(self, task: PlannedTask) -> Plan:
        """Return the plan of a task; what the task holds as its path is not looked at."""
        path = self._by_experience(task) if self.experience else by_rules(task.question)
        layers = _by_layer(path)
        return Plan(path, layers, {layer: sub_agents_of(tools, layer) for layer, tools in layers.items()})

    def _by_experience(self, task: PlannedTask) -> tuple[str, ...]:
        near, weights = self._nearest(task)
        if not near:
            return by_rules(task.question)
        paths = [self._paths[i] for i in near]
        drafts = [*paths, self.metric.numbers(self._draft(near, weights))]
        expected = self.metric.between(drafts, paths) @ weights
        best = drafts[int(np.argmax(expected))]
        mended = self._mend(best, paths, weights)
        return tuple(self.metric.names[number] for number in mended)

    def _nearest(self, task: PlannedTask) -> tuple[list[int], NDArray[np.float64]]:
        assert self._embedder is not None and self._vectors is not None
        likeness = self._vectors @ self._embedder.embed([task.question])[0]
        same = np.array([bool(task.domain) and other.domain == task.domain for other in self.experience])
        likeness = likeness + _SAME_DOMAIN * same
        own = [_words(other.question) == _words(task.question) for other in self.experience]
        likeness[own] = -np.inf
        near = np.argsort(-likeness, kind="stable")[:_NEIGHBOURS]
        near = near[np.isfinite(likeness[near])]
        weights = np.exp(likeness[near].astype(np.float64) / _TEMPERATURE)
        return near.tolist(), weights / weights.sum()

    def _draft(self, near: Sequence[int], weights: NDArray[np.float64]) -> tuple[str, ...]:
        """Return a path put together layer by layer, from the top."""
        chosen: dict[int, tuple[str, ...]] = {}
        for layer in LAYERS:
            segments = [self.metric.numbers(self._segments[i][layer]) for i in near]
            alike = self.metric.between(segments, segments)
            best = int(np.argmax(alike @ weights))
            chosen[layer] = self._segments[near[best]][layer]
            weights = weights * np.exp(_AGREEMENT * (alike[best] - 1))
            weights = weights / weights.sum()
        return tuple(tool for layer in reversed(LAYERS) for tool in chosen[layer])

    def _mend(self, path: Path, others: Sequence[Path], weights: NDArray[np.float64]) -> Path:
        expected = float((self.metric.between([path], others) @ weights)[0])
        tried = _find_most_frequent(others, weights)
        for _ in range(_MOST_CHANGES):
            changed = list(_changes(path, tried))
            values = self.metric.between(changed, others) @ weights
            best = int(np.argmax(values))
            if values[best] <= expected + 1e-9:
                break
            path, expected = changed[best], float(values[best])
        return path


def _words(question: str) -> list[str]:
    return question.casefold().split()


def by_rules(question: str) -> tuple[str, ...]:
    """Return a path without experience: the usual chain, and what the words of the task call for."""
    fits = _fits(question)
    top = max(agents_of_layer(3), key=lambda name: sum(sorted(_own_fits(name, fits))[-2:]))
    applications = _best(top, fits, 2)
    analysis = max(agents_of_layer(2), key=lambda name: max(_own_fits(name, fits)))
    middle = [tool for tool in _best(analysis, fits, 1) if tool not in _CHAIN and tool not in applications]
    return tuple(dict.fromkeys([*_CHAIN, *middle, *applications, *_CONCLUSION]))


def _by_layer(path: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """Return the tools of a path by layer; one of several layers goes no lower than the one before it."""
    found: dict[int, list[str]] = {layer: [] for layer in reversed(LAYERS)}
    reached = 1
    for tool in path:
        layers = layers_of(tool)
        above = [layer for layer in layers if layer >= reached]
        layer = above[0] if above else layers[-1]
        reached = max(reached, layer)
        found[layer].append(tool)
    return {layer: tuple(tools) for layer, tools in found.items()}


def _find_most_frequent(paths: Sequence[Path], weights: NDArray[np.float64]) -> list[int]:
    counts: defaultdict[int, float] = defaultdict(float)
    for path, weight in zip(paths, weights, strict=True):
        for number in set(path.tolist()):
            counts[number] += float(weight)
    return sorted(counts, key=lambda number: -counts[number])[:_TOOLS_TRIED]


def _changes(path: Path, tools: Sequence[int]) -> Iterator[Path]:
    for position in range(len(path)):
        if len(path) > 1:
            yield np.delete(path, position)
    for tool in tools:
        if tool in path:
            continue
        for position in range(len(path) + 1):
            yield np.insert(path, position, tool)
        for position in range(len(path)):
            changed = path.copy()
            changed[position] = tool
            yield changed


@cache
def _name_embedder() -> LexicalEmbedder:
    return LexicalEmbedder([name.replace("_", " ") for name in tool_names()])


def _fits(question: str) -> dict[str, float]:
    """Return how well each tool's name fits a task."""
    names = tool_names()
    vectors = _name_embedder().embed([*(name.replace("_", " ") for name in names), question])
    likeness = dict(zip(names, (vectors[:-1] @ vectors[-1]).tolist(), strict=True))
    words = set(telling_words(question))
    shared = {name: len(words & set(telling_words(name.replace("_", " ")))) for name in names}
    return {name: likeness[name] + 0.1 * shared[name] for name in names}


def _own_fits(agent: str, fits: dict[str, float]) -> list[float]:
    """Return how well the tools fit that a sub-agent has to itself."""
    tools = agents()[agent]["tools"]
    return [fits[tool] for tool in tools if len(agents_with(tool)) <= 2]


def _best(agent: str, fits: dict[str, float], count: int) -> list[str]:
    tools = [t for t in agents()[agent]["tools"] if len(agents_with(t)) <= 2]
    ranked = sorted(tools, key=lambda tool: -fits[tool])[:count]
    return ranked[:1] + [tool for tool in ranked[1:] if fits[tool] >= _FITTING]
