"""Some documents given at the start, because a lesson names their tools; all else as its strategy has it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from treeline.core.engine.actions import Doc, Observation, Skill
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.state import State
from treeline.core.errors import NotDisclosed


class OpenedAhead:
    """A strategy whose run begins with the documents of some tools.

    No tool is taken away: what the lesson does not name is opened as it would be without it.

    Parameters
    ----------
    inner : Disclosure
    tools : iterable of str
        Those that its tree does not hold are passed over.
    """

    def __init__(self, inner: Disclosure, tools: Iterable[str]) -> None:
        self.name = inner.name
        self.tree = inner.tree
        self._inner = inner
        # A lesson may name tools that are not in this run's part of the tree, or no longer exist.
        held = {tool.name: tool for of_kit in inner.tree.tools.values() for tool in of_kit}
        self._ahead = {name: held[name] for name in dict.fromkeys(tools) if name in held}

    def context(self) -> dict[str, str]:
        """Return what the strategy tells, and the documents."""
        told = self._inner.context()
        documents = "\n\n".join(tool.document for tool in self._ahead.values())
        given = "\n\n".join(filter(None, (told.get("documents", ""), documents)))
        return {**told, **({"documents": given} if given else {})}

    def answer(self, action: Skill | Doc, state: State) -> Observation:
        """Return what the strategy answers."""
        return self._inner.answer(action, state)

    def callable_set(self, state: State) -> frozenset[str]:
        """Return the tools whose document was read or given."""
        return self._inner.callable_set(state) | frozenset(self._ahead)

    def way_to(self, tool: str, opened: Collection[str] = ()) -> tuple[Skill | Doc, ...]:
        """Return what is still to be opened; nothing for a tool whose document was given."""
        return () if tool in self._ahead else self._inner.way_to(tool, opened)

    def refusal(self, tool: str) -> NotDisclosed:
        """Return why a tool was not called."""
        return self._inner.refusal(tool)
