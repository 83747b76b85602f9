"""What could be done at a step of a run: what was done, and real alternatives that the run never took."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from treeline.core.engine.actions import Action, Answer, Call, Doc, Skill, action_name
from treeline.core.engine.calls import file_name, inputs_of
from treeline.core.engine.state import Step
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.likeness import nearest_names

MOST = 4
_LISTED = 2


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that could be done next.

    Attributes
    ----------
    text : str
        In words.
    taken : bool
        Whether the run did it.
    """

    action: Action
    text: str
    taken: bool = False


def choices_at(steps: Sequence[Step], index: int, tree: SkillTree) -> tuple[Choice, ...]:
    """Return what could be done at a step, in an order that is the same each time.

    Parameters
    ----------
    steps : sequence of Step
        Of the whole run.
    index : int
        Of the step, from 0.
    tree : SkillTree
    """
    before, taken = steps[:index], steps[index].action
    later = {(type(step.action), action_name(step.action)) for step in steps[index:]}
    seed = hashlib.sha256(f"{index} {in_words(taken)}".encode()).digest()
    drawn = random.Random(seed)
    others = [
        action
        for action in _alternatives(before, taken, tree, drawn)
        if (type(action), action_name(action)) not in later
    ]
    found = [Choice(taken, in_words(taken), True), *(Choice(a, in_words(a)) for a in others[: MOST - 1])]
    drawn.shuffle(found)
    return tuple(found)


def _alternatives(
    before: Sequence[Step], taken: Action, tree: SkillTree, drawn: random.Random
) -> Iterable[Action]:
    """Yield what else could be done: mostly of the same kind, which is the harder question."""
    kits: list[Action] = [Skill(kit) for kit in tree.kits if kit not in _names_of_actions(before, Skill)]
    drawn.shuffle(kits)
    documents: list[Action] = [Doc(name) for name in _unread(before, taken, tree)]
    calls: list[Action] = [Call(name) for name in reversed(_names_of_actions(before, Doc))]
    answer: list[Action] = [Answer("")] if _has_result(before) else []
    rows = {
        Skill: (kits, documents, answer),
        Doc: (documents, kits, answer),
        Call: (calls, documents, answer, kits),
        Answer: (calls, documents, kits),
    }[type(taken)]
    yield from rows[0][: MOST - 2]
    for row in zip_longest(rows[0][MOST - 2 :], *rows[1:]):
        yield from (action for action in reversed(row) if action is not None)


def _unread(before: Sequence[Step], taken: Action, tree: SkillTree) -> list[str]:
    """Return the tools of open kits whose document was not read, those most like the one taken first."""
    opened, read = _names_of_actions(before, Skill), _names_of_actions(before, Doc)
    names = [tool.name for kit in opened if kit in tree.tools for tool in tree.tools[kit]]
    unread = [name for name in names if name not in read and name != action_name(taken)]
    return nearest_names(action_name(taken), unread, MOST) if unread else []


def _names_of_actions(before: Sequence[Step], kind: type) -> list[str]:
    return [action_name(s.action) for s in before if isinstance(s.action, kind) and s.observation.is_success]


def _has_result(before: Sequence[Step]) -> bool:
    return any(step.observation.kind == "result" for step in before)


def in_words(action: Action) -> str:
    """Return an action in words."""
    match action:
        case Skill(kit=name):
            return f"Open the kit {name}"
        case Doc(tool=name):
            brief = f": {registry().get(name).brief}" if name in registry() else ""
            return f"Read the document of {name}{brief}"
        case Call(tool=name, arguments=arguments):
            read = _reads(name, arguments)
            return f"Call {name}" + (f" on {read}" if read else "")
        case Answer():
            return "Answer: the steps so far carry it"


def _reads(name: str, arguments: dict[str, object]) -> str:
    if name not in registry():
        return ""
    found = [file_name(address) for address in inputs_of(registry().get(name), arguments)]
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    return ", ".join(found[:_LISTED]) + more
