"""How a policy comes to a tool under a strategy of disclosure: it knows where the tool is, or has to find it.

``known``: the branches down to the tool and its document, and nothing else; a bound that no policy is below.
``found``: branches are opened one after the other, the one whose line is most like the question first, until
the tool is seen; then its document is read. What was opened in vain stays in the context and is counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

from treeline.core.disclosure.forest import Forest
from treeline.core.disclosure.progressive import Progressive
from treeline.core.disclosure.search import search_of
from treeline.core.engine.actions import Action, Doc, Observation, Skill
from treeline.core.engine.disclosure import Disclosure, opened_names
from treeline.core.engine.state import State
from treeline.toolkit import registry

Take = Callable[[State, Action, Observation], State]
Way = Callable[[Disclosure, str, State, Take], State]


def walk_known_way(strategy: Disclosure, tool: str, state: State, take: Take) -> State:
    """Return the state after the way that who knows the tree takes."""
    for action in strategy.way_to(tool, opened_names(state)):
        state = take(state, action, strategy.answer(action, state))
    return state


def walk_unknown_way(strategy: Disclosure, tool: str, state: State, take: Take) -> State:
    """Return the state after branches were opened until the tool was seen and could be called."""
    if not strategy.way_to(tool, opened_names(state)):
        return state
    assert isinstance(strategy, Progressive)
    while tool not in strategy.callable_set(state):
        action = Doc(tool) if _was_named(tool, state) else _find_nearest_branch(strategy.forest, state)
        if action is None:
            return state
        observation = strategy.answer(action, state)
        state = take(state, action, observation)
        # A document that is refused would be asked for again and again.
        if isinstance(action, Doc) and not observation.is_success:
            return state
    return state


WAYS: Mapping[str, Way] = {"known": walk_known_way, "found": walk_unknown_way}


def _was_named(tool: str, state: State) -> bool:
    """Return whether the tool was named in what is shown of the tree, at the start or later.

    A listing of a kit tells names that begin alike in short, ``calc_{mean,sum,std}``, and has them all.
    """
    if any(tool in _names_listed(step.observation) for step in state.steps):
        return True
    name = re.compile(rf"(?<!\w){re.escape(tool)}(?!\w)")
    told = [state.context.get("tree", ""), state.context.get("documents", "")]
    told += [step.observation.text for step in state.steps if step.observation.kind == "information"]
    return any(name.search(text) for text in told)


def _names_listed(observation: Observation) -> Collection[str]:
    value = observation.value if observation.kind == "information" else None
    return value.get("tools", ()) if isinstance(value, dict) else ()


def _find_nearest_branch(forest: Forest, state: State) -> Skill | None:
    """Return the branch to open next: of those that were named, the likest to the question."""
    opened = opened_names(state)
    named = list(forest.branches)
    # The list grows while it is walked: the parts of an opened branch are named too.
    for branch in named:
        if branch.name in opened:
            named += branch.parts
    left = {branch.name: branch.line for branch in named if branch.name not in opened}
    return Skill(max(left, key=lambda name: _likeness(state.question, left[name]))) if left else None


@lru_cache(maxsize=4096)
def _likeness(question: str, line: str) -> float:
    """Return how like a branch's line is to a question, by the words of its tools."""
    search = search_of(tuple(registry()))
    one, other = search.embedder.embed([question, line])
    return float(one @ other)
