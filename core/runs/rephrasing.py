"""How a question that was answered can be asked otherwise: its parts, what follows, what it follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treeline.core.disclosure.progressive import Progressive
from treeline.core.engine.journal import expression_of
from treeline.core.engine.rundata import RunData
from treeline.core.policies.planner.course import Courses
from treeline.core.query.edits import Change, Part, edited_question, parts_of, suggestions
from treeline.core.query.expression import Node
from treeline.core.query.form import from_json
from treeline.core.query.inventory import Inventory
from treeline.core.query.reading import read
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.question_options import with_options
from treeline.toolkit import SkillTree, registry

# Each step back is a query of the record.
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

    def leads_to(self, question: str) -> bool:
        """Return whether a question changes this one, or can be read only after it, if at all.

        One that reads the same without it is a question of its own.
        """
        alone = read(question, self.inventory)
        return alone.status == "declined" or alone.expressions != self._read_after(question)

    def _read_after(self, question: str) -> tuple[Node, ...]:
        return read(question, self.inventory, self.expression).expressions

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


def whole_question(record: RunRecord) -> str:
    """Return the question of a run with the options that it was asked with, as it can be asked again."""
    return with_options(record.question, record.options.get("choices", ()))


def branches_of(store: Store, record: RunRecord) -> list[tuple[int, RunRecord]]:
    """Return all questions of the conversation that a run belongs to, each with its place in its thread.

    What follows a question stands below it, in the order of asking; what was edited beside what it was
    made of.
    """
    records = {each.id: each for each in reversed(store.runs(record.workspace))} | {record.id: record}
    before = {name: str(each.options.get("after") or "") for name, each in records.items()}
    below: dict[str, list[str]] = {}
    for name, parent in before.items():
        below.setdefault(parent if parent in records else "", []).append(name)
    first = thread_of(store, record)[0].id
    begun = [name for name in below[""] if _find_original(records, name) == _find_original(records, first)]
    found: list[tuple[int, RunRecord]] = []
    rest = [(1, name) for name in reversed(begun)]
    while rest and len(found) < LONGEST_THREAD:
        depth, name = rest.pop()
        found.append((depth, records[name]))
        rest += [(depth + 1, each) for each in reversed(below.get(name, []))]
    return found


def _find_original(records: Mapping[str, RunRecord], name: str) -> str:
    """Return the first question that one was made of by editing, over and over."""
    seen = {name}
    while name in records:
        former = str(records[name].options.get("edited") or "")
        if not former or former in seen:
            break
        seen.add(former)
        name = former
    return name
