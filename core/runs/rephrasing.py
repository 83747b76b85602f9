"""How a question that was answered can be asked otherwise: its parts, what follows, what it follows."""

from __future__ import annotations

from dataclasses import dataclass

from treeline.core.disclosure.progressive import Progressive
from treeline.core.engine.journal import expression_of
from treeline.core.engine.rundata import RunData
from treeline.core.policies.planner.course import Courses
from treeline.core.query.edits import Change, Part, edited_question, parts_of, suggestions
from treeline.core.query.expression import Node
from treeline.core.query.form import from_json
from treeline.core.query.inventory import Inventory
from treeline.core.record.store import RunRecord, Store
from treeline.toolkit import SkillTree, registry

LONGEST_THREAD = 50


@dataclass(frozen=True)
class Rephrasing:
    """What can be made of a question that was read.

    Attributes
    ----------
    parts : tuple of Part
        What can be changed one by one.
    following : tuple of str
        Questions that can follow.
    """

    expression: Node
    inventory: Inventory
    parts: tuple[Part, ...]
    following: tuple[str, ...]

    def questions(self, part: Part) -> list[tuple[str, str]]:
        """Return what a part can become, in a few words, with the question that asks for it."""
        asked = ((change.text, self._question_of(change)) for change in part.changes)
        return [(text, question) for text, question in asked if question]

    def _question_of(self, change: Change) -> str:
        return edited_question(change, self.expression, self.inventory)


def rephrase(store: Store, run: str, data: RunData) -> Rephrasing | None:
    """Return what can be made of the question of a run; ``None`` where it was not read as an expression."""
    stored = expression_of(store, run)
    if not stored:
        return None
    try:
        expression = from_json(dict(stored))
    except ValueError:  # of an earlier form
        return None
    inventory = Courses(data, Progressive(SkillTree.of(registry()))).inventory
    return Rephrasing(
        expression, inventory, parts_of(expression, inventory), tuple(suggestions(expression, inventory))
    )


def thread_of(store: Store, record: RunRecord) -> list[RunRecord]:
    """Return the questions that a run follows, the first one first, and the run itself."""
    found = [record]
    while len(found) < LONGEST_THREAD:
        before = store.run(str(found[0].options.get("after") or ""))
        if before is None or before in found:
            break
        found.insert(0, before)
    return found
