"""The ablation: a tree whose kits mean nothing."""

from __future__ import annotations

import random

from treeline.core.disclosure.forest import Branch, Forest
from treeline.core.disclosure.progressive import Progressive
from treeline.toolkit.tree import SkillTree

_EXAMPLES = 3


class RandomTree(Progressive):
    """Progressive over kits to which the tools were assigned at random.

    The ablation "Random" of RS-Claw, section IV-E.
    """

    name = "random_tree"

    def grow(self, tree: SkillTree) -> Forest:
        """Return as many groups as there are kits, dealt out by the seed."""
        tools = [tool for members in tree.tools.values() for tool in members]
        random.Random(self.seed).shuffle(tools)
        count = len(tree.kits)
        groups = [tuple(tools[start::count]) for start in range(count)]
        return Forest(tuple(_group(number, group) for number, group in enumerate(groups, start=1)))


def _group(number: int, tools: tuple) -> Branch:
    examples = ", ".join(tool.name for tool in tools[:_EXAMPLES])
    return Branch(f"Group {number}", f"Assorted tools, such as {examples}.", tools)
