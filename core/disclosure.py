"""How tool information reaches the policy, and which tools may therefore be called.

RS-Claw (arXiv 2605.13391), section III: the tools whose document stands in the trajectory are the
callable set V_k; a call outside it is refused.
"""

from __future__ import annotations

from typing import Protocol

from core.actions import Doc, Observation, Skill
from core.state import State
from toolkit.errors import UnknownTool
from toolkit.tree import SkillTree


class Disclosure(Protocol):
    """A strategy of disclosure."""

    name: str

    def initial(self, question: str) -> str:
        """Return what the policy is told of the tools before its first action."""
        ...

    def answer(self, action: Skill | Doc) -> Observation:
        """Return the information that an action asks for, or a refusal."""
        ...

    def callable_set(self, state: State) -> frozenset[str]:
        """Return the names of the tools that may be called in a state."""
        ...


class Progressive:
    """Summaries of the kits first; ``Skill`` returns briefs, ``Doc`` a document and the right to call."""

    name = "progressive"

    def __init__(self, tree: SkillTree) -> None:
        self.tree = tree
        self._tools = {tool.name: tool for tools in tree.tools.values() for tool in tools}
        self._aliases = {alias: tool for tool in self._tools.values() for alias in tool.aliases}

    def initial(self, question: str) -> str:
        """Return the summaries of the kits."""
        return self.tree.summaries()

    def answer(self, action: Skill | Doc) -> Observation:
        """Return the briefs of a kit or the document of a tool."""
        try:
            if isinstance(action, Skill):
                return Observation("information", self.tree.briefs(action.kit))
            return self._document(action.tool)
        except UnknownTool as error:
            return Observation("refusal", error.message, hint=error.hint, error=type(error).__name__)

    def _document(self, name: str) -> Observation:
        tool = self._tools.get(name) or self._aliases.get(name)
        if tool is None:
            if name.casefold() in {kit.casefold() for kit in self.tree.kits}:
                return Observation(
                    "refusal", f"{name!r} is a kit, not a tool.", hint=f"Open it with skill({name!r})."
                )
            raise UnknownTool(f"There is no tool named {name!r}.", self._nearest(name))
        return Observation("information", tool.document, value={"tool": tool.name})

    def _nearest(self, name: str) -> str:
        from rapidfuzz import process

        near = [match for match, *_ in process.extract(name, list(self._tools), limit=3)]
        return f"Nearest tools: {', '.join(near)}."

    def callable_set(self, state: State) -> frozenset[str]:
        """Return the tools whose document was read."""
        read = (self._tools.get(name) or self._aliases.get(name) for name in state.documents)
        return frozenset(tool.name for tool in read if tool is not None)


class Flat(Progressive):
    """Every document in the first context; every tool callable."""

    name = "flat"

    def initial(self, question: str) -> str:
        """Return all documents."""
        return "\n\n".join(tool.document for tool in self._tools.values())

    def callable_set(self, state: State) -> frozenset[str]:
        """Return all tools."""
        return frozenset(self._tools)


STRATEGIES = {strategy.name: strategy for strategy in (Progressive, Flat)}
