"""As much as the question needs, and more where a branch fails: our own strategy.

RS-Claw (arXiv 2605.13391) names an adaptive depth of exploration as its future work.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cached_property

from treeline.core.context.digest import group_names
from treeline.core.context.documents import working_document
from treeline.core.context.tokens import count_tokens
from treeline.core.disclosure.advice import advised_tools
from treeline.core.disclosure.forest import Forest, brief
from treeline.core.disclosure.growing import deep_forest
from treeline.core.disclosure.progressive import Progressive
from treeline.core.disclosure.search import nearest_tools
from treeline.core.engine.actions import Call, Doc, Observation, Skill, action_name
from treeline.core.engine.state import State, Step
from treeline.toolkit import registry
from treeline.toolkit.errors import UnknownTool
from treeline.toolkit.tool import Tool
from treeline.toolkit.tree import SkillTree

SMALL_TREE = 1_500
"""Tokens that the first context may spend on all documents, or else on all briefs."""

DOCUMENTS_AT_START = 900
"""Tokens that it may spend on documents of a larger tree."""

EXPLORATION_BUDGET = 6
"""Branches and documents that may be opened in a row without a call that succeeds."""

# What a policy calls first to see which files there are.
_FIRST_NEED = "get_filelist"
_CARDS = 2
_NEAREST_AT_START = 3
_KITS_AT_START = 2
_BRIEFS_OF_A_BRANCH = 12
_BRIEFS_BESIDE_PARTS = 6
_NEAREST_WHEN_WIDENED = 5
_DOCUMENTS_WHEN_WIDENED = 2


class Adaptive(Progressive):
    """Goes as deep at once as the question allows, and wider when it does not get on.

    - A small tree is given whole: all documents, or all briefs, whichever the budget holds.
    - Of a larger one, a tool that the question names comes with its document, and so do those of
      the task card that fits; those of the next card and the nearest to the question come with
      their briefs; the kits of these with their summaries, the others by name.
    - A branch shows the briefs nearest to the question and the rest by name; a kit that has grown
      large has parts, and shows what each holds.
    - When a branch fails (an unknown name, a call refused or failed, openings without a call), the
      answer to the next opening lists the nearest tools of all branches as well, each once; whenever the
      exploration budget is used up, with the documents of the best.
    """

    name = "adaptive"

    def grow(self, tree: SkillTree) -> Forest:
        """Return the kits, the large ones with parts."""
        return deep_forest(tree)

    @cached_property
    def given_documents(self) -> dict[str, Tool]:
        """The tools whose documents are given at the start."""
        tools = self.forest.tools
        if _cost(map(_document, tools.values())) <= SMALL_TREE:
            return dict(tools)
        if self._all_briefs:
            return self._first_documents(named_tools(self.question, tools.values()))
        named = named_tools(self.question, tools.values())
        first = [_FIRST_NEED] if self.subject is None else self.subject.tools
        return self._first_documents([*named, *first, *self._tools_of_cards()])

    @cached_property
    def given_briefs(self) -> frozenset[str]:
        """The tools whose briefs are given at the start."""
        if self._all_briefs:
            return frozenset(self.forest.tools) - self.given_documents.keys()
        near = self._needed(self._nearest(self.question, _NEAREST_AT_START))
        names = {*self._tools_of_cards(_CARDS), *near}
        return frozenset(names & self.forest.tools.keys() - self.given_documents.keys())

    @cached_property
    def _all_briefs(self) -> bool:
        return _cost(brief(tool) for tool in self.forest.tools.values()) <= SMALL_TREE

    def _tools_of_cards(self, cards: int = 1) -> list[str]:
        return self._needed(advised_tools(self.question, cards, self.subject)) if self.cards else []

    def _needed(self, names: Iterable[str]) -> list[str]:
        """Return those of some tools that may be needed with the data, where these are known.

        Data that are told need no list of files, nor what makes them anew.
        """
        known = self.subject
        return [n for n in names if known is None or (n != _FIRST_NEED and not known.makes_anew(n))]

    def _first_documents(self, names: Iterable[str]) -> dict[str, Tool]:
        """Return the first tools whose documents fit into the budget together."""
        chosen: dict[str, Tool] = {}
        room = DOCUMENTS_AT_START
        for name in dict.fromkeys(names):
            tool = self.forest.tools.get(name)
            if tool is not None and (cost := count_tokens(_document(tool))) <= room:
                chosen[name] = tool
                room -= cost
        return chosen

    def context(self) -> dict[str, str]:
        """Return what the question needs of the tree, and the documents that it needs at once."""
        documents = "\n\n".join(map(_document, self.given_documents.values()))
        if len(self.given_documents) == len(self.forest.tools):
            return {"documents": documents}
        return {"tree": self._overview(), "documents": documents} if documents else {"tree": self._overview()}

    def _overview(self) -> str:
        near = self._nearest(self.question, _NEAREST_AT_START)
        kits = dict.fromkeys(self.forest.way_to(name)[0].name for name in near)
        full, others = [], []
        for branch in self.forest.branches:
            briefs = [f"  {brief(tool)}" for tool in branch.all_tools if tool.name in self.given_briefs]
            if briefs:
                full += [f"{branch.name}, among them:", *briefs]
            elif branch.name in list(kits)[:_KITS_AT_START]:
                full.append(branch.line)
            else:
                others.append(branch.name)
        return "\n".join([*full, f"Further kits: {', '.join(others)}"] if others else full)

    def answer(self, action: Skill | Doc, state: State) -> Observation:
        """Return what is asked for; after a failure also what lies beside it."""
        try:
            observation = self._respond(action, state)
        except UnknownTool as error:
            # What is of another member alone: the refusal itself names what does the like here.
            if isinstance(action, Doc) and action.tool in registry():
                return super().answer(action, state)
            near = self._briefs(self._nearest_in_turns(action_name(action), ()))
            hint = f"Nearest tools of all kits:\n{near}"
            return Observation("refusal", error.message, hint=hint, error=type(error).__name__)
        if not observation.is_success or not is_failing(state.steps):
            return observation
        return self._widen(observation, action, state)

    def _respond(self, action: Skill | Doc, state: State) -> Observation:
        if isinstance(action, Doc):
            return self.document(action.tool)
        return self.listing(action.kit, state)

    def listing(self, name: str, state: State) -> Observation:
        """Return a branch: the nearest tools in a line each, and the rest by name, of parts a line each."""
        branch = self.forest.branch(name)
        if len(branch.all_tools) <= _BRIEFS_OF_A_BRANCH:
            return super().listing(name, state)
        count = _BRIEFS_BESIDE_PARTS if branch.parts else _BRIEFS_OF_A_BRANCH
        near = {name for name, _ in nearest_tools(branch.all_tools, self.question, count)}
        lines = [brief(tool) for tool in branch.all_tools if tool.name in near]
        # The names of its tools say what a part holds: words that they share tell a model little.
        for label, tools in [(part.name, part.all_tools) for part in branch.parts] or [
            ("Also", branch.tools)
        ]:
            rest = group_names([tool.name for tool in tools if tool.name not in near])
            lines += [f"{label}: {', '.join(rest)}"] if rest else []
        # Every tool is named, so the parts, of which none can be called, need not be told again.
        names = [tool.name for tool in branch.all_tools]
        return Observation("information", "\n".join(lines), value={"parts": [], "tools": names})

    def _widen(self, observation: Observation, action: Skill | Doc, state: State) -> Observation:
        told = {name for step in state.steps for name in _tools_in_listing(step)}
        known = self.callable_set(state) | self.given_briefs | told | {action_name(action)}
        beside = self._nearest_in_turns(action_name(action), known)
        # Each time that so many openings led to no call, documents are given unasked, so that a call becomes
        # possible.
        spent = openings(state.steps) % EXPLORATION_BUDGET == 0 < openings(state.steps)
        given = beside[:_DOCUMENTS_WHEN_WIDENED] if spent else []
        documents = [_document(self.forest.tools[name]) for name in given]
        near = f"Nearest tools of all kits:\n{self._briefs(beside)}"
        text = "\n\n".join([observation.text, near, *documents])
        return Observation(
            "information", text, value={**(observation.value or {}), "given": given, "beside": beside}
        )

    def callable_set(self, state: State) -> frozenset[str]:
        """Return the tools whose document was given or read."""
        widened = (
            step.observation.value.get("given", ())
            for step in state.steps
            if isinstance(step.action, Skill | Doc) and isinstance(step.observation.value, dict)
        )
        return super().callable_set(state).union(self.given_documents, *widened)

    def way_to(self, tool: str, opened: Collection[str] = ()) -> tuple[Skill | Doc, ...]:
        """Return what is still to be opened: nothing for a given tool, its document for a briefed one."""
        if tool in self.given_documents or tool in opened:
            return ()
        return (Doc(tool),) if tool in self.given_briefs else super().way_to(tool, opened)

    def _nearest(self, text: str, count: int) -> list[str]:
        return [name for name, _ in nearest_tools(tuple(self.forest.tools.values()), text, count)]

    def _nearest_in_turns(self, wanted: str, known: Collection[str]) -> list[str]:
        """Return the nearest tools to what is wanted and to the question, in turns, less those known."""
        count = _NEAREST_WHEN_WIDENED + len(known)
        texts = (wanted.replace("_", " "), self.question)
        pairs = zip(*(self._nearest(text, count) for text in texts), strict=True)
        names = dict.fromkeys(name for pair in pairs for name in pair if name not in known)
        return list(names)[:_NEAREST_WHEN_WIDENED]

    def _briefs(self, names: Iterable[str]) -> str:
        return "\n".join(brief(self.forest.tools[name]) for name in names)


def named_tools(question: str, tools: Iterable[Tool]) -> list[str]:
    """Return the tools that a question names by their name or an older one."""
    spoken = set(re.findall(r"\w+", question.casefold()))
    return [
        tool.name
        for tool in tools
        if any("_" in name and name.casefold() in spoken for name in (tool.name, *tool.aliases))
    ]


def is_failing(steps: tuple[Step, ...]) -> bool:
    """Return whether the last step failed, or too many openings led to no call."""
    if not steps:
        return False
    return not steps[-1].observation.is_success or openings(steps) >= EXPLORATION_BUDGET


def openings(steps: tuple[Step, ...]) -> int:
    """Return how many branches and documents were opened since the last call that succeeded."""
    count = 0
    for step in reversed(steps):
        if isinstance(step.action, Call) and step.observation.is_success:
            break
        count += isinstance(step.action, Skill | Doc)
    return count


def _tools_in_listing(step: Step) -> Iterable[str]:
    """Return the tools that a listing named, and those that it told beside them."""
    if not isinstance(step.action, Skill | Doc) or not isinstance(step.observation.value, dict):
        return ()
    return (*step.observation.value.get("tools", ()), *step.observation.value.get("beside", ()))


def _document(tool: Tool) -> str:
    return working_document(tool.document)


def _cost(texts: Iterable[str]) -> int:
    return sum(count_tokens(text) for text in texts)
