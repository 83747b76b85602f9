"""Branches first, then briefs, then documents: what is needed is opened on the way."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from treeline.core.context.subject import Subject
from treeline.core.disclosure.forest import Forest, brief, forest_of
from treeline.core.engine.actions import Doc, Observation, Skill
from treeline.core.engine.state import State
from treeline.core.errors import NotDisclosed
from treeline.toolkit.errors import UnknownTool
from treeline.toolkit.tree import SkillTree


class Progressive:
    """Summaries of the kits first; ``Skill`` returns briefs, ``Doc`` a document and the right to call.

    Parameters
    ----------
    tree : SkillTree
    question : str
        What the run is about.
    seed : int
        Seed of strategies that are random.
    cards : bool
        Whether a strategy may use the task cards that fit the question.
    subject : Subject, optional
        What the question names of the data, where they are known.
    """

    name = "progressive"

    def __init__(
        self,
        tree: SkillTree,
        question: str = "",
        seed: int = 0,
        cards: bool = True,
        subject: Subject | None = None,
    ) -> None:
        self.question = question
        self.seed = seed
        self.cards = cards
        self.subject = subject
        self._whole = tree

    # Grown when it is walked: its branches are ordered by the task cards, which a single call need not read.
    @cached_property
    def forest(self) -> Forest:
        """The branches that a policy walks."""
        return self.grow(self._whole)

    @cached_property
    def tree(self) -> SkillTree:
        """The uppermost branches, each with all the tools below it."""
        return self.forest.tree()

    def grow(self, tree: SkillTree) -> Forest:
        """Return the forest that is walked."""
        return forest_of(tree)

    def context(self) -> dict[str, str]:
        """Return the summaries of the branches."""
        return {"tree": self.forest.summaries()}

    def answer(self, action: Skill | Doc, state: State) -> Observation:
        """Return what a branch holds, or the document of a tool."""
        try:
            if isinstance(action, Skill):
                return self.listing(action.kit, state)
            return self.document(action.tool)
        except UnknownTool as error:
            return Observation("refusal", error.message, hint=error.hint, error=type(error).__name__)

    def listing(self, name: str, state: State) -> Observation:
        """Return what a branch holds.

        Raises
        ------
        UnknownTool
        """
        branch = self.forest.branch(name)
        return Observation("information", branch.listing(), value=branch.contents())

    def document(self, name: str) -> Observation:
        """Return the document of a tool.

        Raises
        ------
        UnknownTool
        """
        if name not in self.forest.tools and self.forest.is_branch(name):
            return Observation(
                "refusal", f"{name!r} is a kit, not a tool.", hint=f"Open it with skill({name!r})."
            )
        tool = self.forest.tool(name)
        return Observation("information", tool.document, value={"tool": tool.name})

    def callable_set(self, state: State) -> frozenset[str]:
        """Return the tools whose document was read."""
        return frozenset(self.forest.tool(name).name for name in state.documents if self._knows(name))

    def _knows(self, name: str) -> bool:
        try:
            return bool(self.forest.tool(name))
        except UnknownTool:
            return False

    def way_to(self, tool: str, opened: Collection[str] = ()) -> tuple[Skill | Doc, ...]:
        """Return the branches down to a tool, then its document, less what is opened already."""
        if tool in opened or tool not in self.forest.tools:
            return ()
        way = [Skill(branch.name) for branch in self.forest.way_to(tool) if branch.name not in opened]
        return (*way, Doc(tool))

    def refusal(self, tool: str) -> NotDisclosed:
        """Return that the document was not read, or that the tree does not hold the tool."""
        try:
            self.forest.tool(tool)
        except UnknownTool as error:
            return NotDisclosed(error.message, error.hint)
        return NotDisclosed(
            f"{tool} is there, but not callable yet: what names a tool does not open it, its document does.",
            f"Read it first: doc({tool!r}), then the same call again; both may stand in one message.",
        )


class TwoLayer(Progressive):
    """All briefs at the start; ``Doc`` returns a document and the right to call.

    The ablation "2layers" of RS-Claw, section IV-E.
    """

    name = "two_layer"

    def context(self) -> dict[str, str]:
        """Return the briefs of all tools, by kit."""
        kits = (
            f"{branch.name}:\n" + "\n".join(brief(tool) for tool in branch.all_tools)
            for branch in self.forest.branches
        )
        return {"tree": "\n\n".join(kits)}

    def way_to(self, tool: str, opened: Collection[str] = ()) -> tuple[Skill | Doc, ...]:
        """Return the document, unless it was read."""
        return tuple(action for action in super().way_to(tool, opened) if isinstance(action, Doc))
