"""The tree as strategies walk it: branches of any depth, tools at their ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from treeline.toolkit import KITS, registry
from treeline.toolkit.errors import UnknownTool
from treeline.toolkit.likeness import nearest_names
from treeline.toolkit.tool import Tool
from treeline.toolkit.tree import Kit, SkillTree

SEPARATOR = "/"
_MOST_LIKE = 3


@dataclass(frozen=True)
class Branch:
    """A node of the tree: a kit, or a part of one. It has either parts or tools.

    Attributes
    ----------
    name : str
        A part is named after its branch as well, such as ``Statistics/clouds``.
    summary : str
        One or two lines.
    """

    name: str
    summary: str
    tools: tuple[Tool, ...] = ()
    parts: tuple[Branch, ...] = ()

    @cached_property
    def all_tools(self) -> tuple[Tool, ...]:
        """The tools of the branch and of all its parts."""
        return self.tools + tuple(tool for part in self.parts for tool in part.all_tools)

    @property
    def line(self) -> str:
        """The branch in one line."""
        return f"{self.name}: {self.summary}"

    def listing(self) -> str:
        """Return what opening the branch shows: one line for each part, or for each tool."""
        return "\n".join([*(part.line for part in self.parts), *(brief(tool) for tool in self.tools)])

    def contents(self) -> dict[str, list[str]]:
        """Return what a listing is about, as JSON: names of parts and of tools."""
        return {"parts": [part.name for part in self.parts], "tools": [tool.name for tool in self.tools]}

    def walk(self) -> Iterator[Branch]:
        """Yield the branch and all its parts."""
        yield self
        for part in self.parts:
            yield from part.walk()


class Forest:
    """The uppermost branches, and the way from them to each tool."""

    def __init__(self, branches: tuple[Branch, ...]) -> None:
        self.branches = branches
        self._named = {node.name.casefold(): node for branch in branches for node in branch.walk()}
        self._way = {tool.name: way for branch in branches for tool, way in _ways(branch, ())}
        self.tools = {tool.name: tool for branch in branches for tool in branch.all_tools}
        self._aliases = {alias: tool for tool in self.tools.values() for alias in tool.aliases}

    def summaries(self) -> str:
        """Return one line for each branch."""
        return "\n".join(branch.line for branch in self.branches)

    def branch(self, name: str) -> Branch:
        """Return a branch however its case is written; a part also by its own name alone.

        Raises
        ------
        UnknownTool
            With the names of the branches.
        """
        wanted = name.casefold().strip()
        ends = [node for key, node in self._named.items() if key.rpartition(SEPARATOR)[2] == wanted]
        found = self._named.get(wanted) or (ends[0] if len(ends) == 1 else None)
        if found is None:
            if (kit := next((kit for kit in KITS if kit.casefold() == wanted), None)) is not None:
                raise UnknownTool(
                    f"The kit {kit} is there, but not among the tools of this run.",
                    "Of a team another member has it. Here are "
                    f"{', '.join(branch.name for branch in self.branches)}.",
                )
            near = nearest_names(name, [node.name for node in self._named.values()], 1)
            nearest = f"The nearest is {near[0]!r}; there" if near else "There"
            names = ", ".join(branch.name for branch in self.branches)
            raise UnknownTool(f"There is no kit named {name!r}.", f"{nearest} are {names}.")
        return found

    def is_branch(self, name: str) -> bool:
        """Return whether a branch has that name."""
        return name.casefold().strip() in self._named

    def tool(self, name: str) -> Tool:
        """Return a tool by its name or an older one.

        Raises
        ------
        UnknownTool
            With the nearest names.
        """
        found = self.tools.get(name) or self._aliases.get(name)
        if found is None:
            if name in registry():
                raise UnknownTool(
                    f"The tool {registry().get(name).name} is there, but not among the tools of this run.",
                    f"Of a team another member has it: say in the answer that it is needed. Nearest here:\n"
                    f"{self.briefs_like(registry().get(name))}",
                )
            near = nearest_names(name, self.tools)
            raise UnknownTool(f"There is no tool named {name!r}.", f"Nearest tools: {', '.join(near)}.")
        return found

    def briefs_like(self, tool: Tool) -> str:
        """Return the tools that do what is most like another one, in a line each."""
        # Few runs look for a tool that they lack, and importing the search takes time.
        from treeline.core.disclosure.search import nearest_tools, text_of

        near = nearest_tools(tuple(self.tools.values()), text_of(tool), _MOST_LIKE)
        return "\n".join(brief(self.tools[name]) for name, _ in near)

    def way_to(self, tool: str) -> tuple[Branch, ...]:
        """Return the branches from the uppermost one down to a tool."""
        return self._way[tool]

    def tree(self) -> SkillTree:
        """Return the uppermost branches, each with all the tools below it."""
        return SkillTree(
            {branch.name: Kit(branch.name, branch.summary) for branch in self.branches},
            {branch.name: branch.all_tools for branch in self.branches},
        )


def forest_of(tree: SkillTree, grow: Callable[[Branch], Branch] | None = None) -> Forest:
    """Return the forest of a skill tree; ``grow`` may give branches parts."""
    kits = (Branch(kit.name, kit.summary, by_use(tree.tools[kit.name])) for kit in tree.kits.values())
    return Forest(tuple(grow(kit) if grow else kit for kit in kits))


def by_use(tools: Sequence[Tool]) -> tuple[Tool, ...]:
    """Return tools in the order of their use: those that most task cards name come first."""
    return tuple(sorted(tools, key=lambda tool: -_uses()[tool.name]))


@cache
def _uses() -> Counter[str]:
    # A single call reads no card, and importing them takes time.
    from treeline.knowledge import built_in_cards

    return Counter(tool for card in built_in_cards() for tool in card.tools)


def brief(tool: Tool) -> str:
    """Return a tool in one line."""
    return f"{tool.name}: {tool.brief}"


def _ways(branch: Branch, above: tuple[Branch, ...]) -> Iterator[tuple[Tool, tuple[Branch, ...]]]:
    way = (*above, branch)
    for tool in branch.tools:
        yield tool, way
    for part in branch.parts:
        yield from _ways(part, way)
