"""Documents given at the start, fixed for the run: all of them, or those nearest to the question."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from treeline.core.disclosure.progressive import Progressive
from treeline.core.engine.actions import Doc, Observation, Skill
from treeline.core.engine.state import State
from treeline.core.errors import NotDisclosed
from treeline.toolkit.tool import Tool

# RS-Claw, section IV-A and appendix C-A: k = 19, and the file listing, make 20 tools.
RETRIEVED = 19
ALWAYS_RETRIEVED = "get_filelist"


class Flat(Progressive):
    """Every document in the first context; every tool callable."""

    name = "flat"

    @cached_property
    def given_documents(self) -> dict[str, Tool]:
        """The tools whose documents are given, by name."""
        return self.choose()

    def choose(self) -> dict[str, Tool]:
        """Return the tools whose documents are given."""
        return self.forest.tools

    def context(self) -> dict[str, str]:
        """Return the documents."""
        return {"documents": "\n\n".join(tool.document for tool in self.given_documents.values())}

    def callable_set(self, state: State) -> frozenset[str]:
        """Return every tool."""
        return frozenset(tool.name for tools in self._whole.tools.values() for tool in tools)

    def way_to(self, tool: str, opened: Collection[str] = ()) -> tuple[Skill | Doc, ...]:
        """Return nothing: nothing can be opened."""
        return ()


class Retrieval(Flat):
    """The documents of the tools nearest to the question, fixed for the run.

    The baseline "RAG" of RS-Claw, section IV-A: the 19 tools nearest by embedding, and
    ``get_filelist`` whatever the question.
    """

    name = "retrieval"

    def choose(self) -> dict[str, Tool]:
        """Return the nearest tools, the best first."""
        # Documents that are all given need no search, and importing it takes time.
        from treeline.core.disclosure.search import nearest_tools

        tools = tuple(self.forest.tools.values())
        names = [name for name, _ in nearest_tools(tools, self.question, RETRIEVED)]
        if ALWAYS_RETRIEVED in self.forest.tools:
            names.append(ALWAYS_RETRIEVED)
        return {name: self.forest.tools[name] for name in dict.fromkeys(names)}

    def answer(self, action: Skill | Doc, state: State) -> Observation:
        """Return the document of a given tool again; all else is refused."""
        if isinstance(action, Doc) and action.tool in self.given_documents:
            return super().answer(action, state)
        error = self.refusal(action.tool if isinstance(action, Doc) else action.kit)
        return Observation("refusal", error.message, hint=error.hint, error="UnknownTool")

    def callable_set(self, state: State) -> frozenset[str]:
        """Return the tools whose documents were given."""
        return frozenset(self.given_documents)

    def refusal(self, tool: str) -> NotDisclosed:
        """Return that the tool was not retrieved."""
        return NotDisclosed(
            f"{tool} is not among the tools of this run.", f"There are {', '.join(self.given_documents)}."
        )
