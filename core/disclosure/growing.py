"""Trees that build themselves: branches split where they hold too much, each with a summary of its own."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from treeline.core.disclosure.clustering import divide, main_directions
from treeline.core.disclosure.forest import SEPARATOR, Branch, Forest, forest_of
from treeline.core.disclosure.progressive import Progressive
from treeline.core.disclosure.search import search_of
from treeline.knowledge.words import telling_words
from treeline.toolkit.tool import Tool
from treeline.toolkit.tree import SkillTree

# Most tools of a branch that is not divided, and most branches side by side.
LEAF = 16
WIDTH = 12
KIT_LIMIT = 60
_NAME_WORDS = 2
_SUMMARY_WORDS = 7
_EXAMPLES = 3

Tools = tuple[Tool, ...]

# Growing clusters the texts of all tools; a server shows a few sets of them, one for each regime.
_MOST_GROWN = 16
_GROWN: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[Branch, ...]] = {}


class SelfBuilt(Progressive):
    """Progressive over a tree that was built from the tools' texts alone."""

    name = "self_built"

    def grow(self, tree: SkillTree) -> Forest:
        """Return a forest grown from all tools, whatever kit they are in."""
        return grow_forest(tuple(tool for members in tree.tools.values() for tool in members))


def grow_forest(tools: Tools) -> Forest:
    """Return a forest grown from tools."""
    return Forest(_grow(tools))


def deep_forest(tree: SkillTree, limit: int = KIT_LIMIT) -> Forest:
    """Return the forest of a tree in which a kit of more tools than the limit has parts."""

    def grow(kit: Branch) -> Branch:
        if len(kit.tools) <= limit:
            return kit
        return Branch(kit.name, kit.summary, parts=_grow(kit.tools, kit.name))

    return forest_of(tree, grow)


def _grow(tools: Tools, above: str = "") -> tuple[Branch, ...]:
    """Return the branches that hold some tools, kept for the next run with the same tools."""
    if not tools:
        return ()
    key = above, tuple((tool.name, tool.brief) for tool in tools)
    if key not in _GROWN:
        while len(_GROWN) >= _MOST_GROWN:
            _GROWN.pop(next(iter(_GROWN)), None)
        _GROWN[key] = tuple(_parts(tools, main_directions(search_of(tools).vectors), above))
    return _GROWN[key]


def _parts(tools: Tools, vectors: NDArray[np.float32], above: str = "") -> Iterator[Branch]:
    """Yield branches that hold the tools, with parts of their own where one would hold too many."""
    groups = divide(vectors, LEAF, WIDTH)
    words = _distinguishing_words([[tools[i] for i in group] for group in groups])
    names = _names(words, above)
    for group, name, telling in zip(groups, names, words, strict=True):
        members = tuple(tools[i] for i in group)
        examples = ", ".join(tool.name for tool in members[:_EXAMPLES])
        summary = f"{', '.join(telling[:_SUMMARY_WORDS])}; such as {examples}."
        if len(members) <= LEAF:
            yield Branch(name, summary, members)
        else:
            yield Branch(name, summary, parts=tuple(_parts(members, vectors[group], name)))


def _distinguishing_words(groups: Sequence[Sequence[Tool]]) -> list[list[str]]:
    """Return for each group its words, those first that distinguish it from the others."""
    counts = [Counter(word for tool in group for word in _words(tool)) for group in groups]
    everywhere = sum(counts, Counter[str]())
    total = sum(len(group) for group in groups)

    def weight(word: str, mine: Counter[str], size: int) -> float:
        share, overall = mine[word] / size, everywhere[word] / total
        # Share within the group times how much larger it is than the share in all: a word that is common in
        # the group and rare outside of it.
        return share * math.log(1 + share / overall)

    return [
        sorted(mine, key=lambda word: (-weight(word, mine, len(group)), word))
        for mine, group in zip(counts, groups, strict=True)
    ]


def _words(tool: Tool) -> set[str]:
    words = telling_words(f"{tool.name.replace('_', ' ')} {tool.brief}")
    return {word for word in words if len(word) > 2 and not word.isdigit()}


def _names(words: Sequence[Sequence[str]], above: str) -> list[str]:
    """Return a different name for each of several branches."""
    names: list[str] = []
    for telling in words:
        own = " ".join(telling[:_NAME_WORDS]) or "others"
        name = base = f"{above}{SEPARATOR}{own}" if above else own
        count = 1
        while name in names:
            count += 1
            name = f"{base} {count}"
        names.append(name)
    return names
