"""The planner as a policy: it follows a course step by step, also one that a record has begun."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator

from treeline.core.context.guardrails import of_context
from treeline.core.disclosure.progressive import Progressive
from treeline.core.engine.actions import Action, Call, Decision
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State
from treeline.core.policies.planner.advice import advice_of
from treeline.core.policies.planner.course import Courses, Reader
from treeline.core.policies.planner.plan import CannotAnswer, Feedback
from treeline.core.policies.planner.scope import NOTHING, HandedLayers
from treeline.core.policies.reading_choice import AS_IT_STANDS, HowToRead
from treeline.core.query.asked_parts import AskedPart, asked_parts
from treeline.core.query.expression import Node
from treeline.core.query.wording import read_plainly
from treeline.toolkit import SkillTree, registry

Course = Generator[Decision, Feedback, None]


class Planner:
    """Answers questions without a language model.

    Parameters
    ----------
    data : RunData
        The workspace's collections are all that it sees; numbers come from observations alone.
    disclosure : Disclosure, optional
        What it has to open before a call; progressive by default.
    handed : Handed, optional
        What other members of a team made for it.
    how : HowToRead
        Which reading is meant, what the question follows, whether a part of it may be carried out.
    reader : callable
        Reads the question.
    """

    name = "planner"

    def __init__(
        self,
        data: RunData,
        disclosure: Disclosure | None = None,
        handed: HandedLayers = NOTHING,
        how: HowToRead = AS_IT_STANDS,
        reader: Reader = read_plainly,
    ) -> None:
        self.data = data
        self.handed = handed
        self.how = how
        self.reader = reader
        self.registry = registry()
        self.disclosure = disclosure or Progressive(SkillTree.of(self.registry))
        self._course: Course | None = None
        self._proposed: Decision | None = None
        self._fed = 0

    def decide(self, state: State, notify: Callable[[str], None], stop: threading.Event) -> Decision:
        """Return the next action.

        The plan is fed the recorded observations that it has not seen. Where a record differs from
        what the plan would do, as after a change of the workspace, the plan starts anew from there.
        """
        if self._course is None or self._proposed is None or self._fed > len(state.steps):
            self._begin(state)
        assert self._course is not None and self._proposed is not None
        while self._fed < len(state.steps):
            step = state.steps[self._fed]
            if not _same(step.action, self._proposed.action):
                notify("The record differs from the plan; planning anew.")
                self._begin(state)
                self._fed = len(state.steps)
                break
            self._fed += 1
            made = step.action.arguments if isinstance(step.action, Call) else None
            self._proposed = self._course.send(Feedback(step.number, step.observation, made))
        return self._proposed

    def course(self, state: State) -> Course:
        """Yield the decisions that lead to an answer; each is sent what became of it."""
        rules, advice = of_context(state.context), advice_of(state.context)
        courses = Courses(self.data, self.disclosure, rules, self.handed, advice, self.how, self.reader)
        return courses.of(state.question, state.choices)

    def _begin(self, state: State) -> None:
        self._course = self.course(state)
        self._proposed = next(self._course)
        self._fed = 0


def _same(recorded: Action, proposed: Action) -> bool:
    if isinstance(recorded, Call) and isinstance(proposed, Call):
        return recorded.tool == proposed.tool and set(recorded.arguments) == set(proposed.arguments)
    return recorded == proposed


def read_in_words(question: str, data: RunData, how: HowToRead = AS_IT_STANDS) -> str:
    """Return what the planner reads a question as, without working on it; empty where it cannot read it."""
    courses = Courses(data, Progressive(SkillTree.of(registry())), how=how)
    return "; or ".join(map(courses.say, courses.read(question).expressions))


def parts_in_words(
    question: str, data: RunData, how: HowToRead = AS_IT_STANDS
) -> tuple[tuple[AskedPart, str], ...]:
    """Return what a question asks for part by part, each in words; nothing where its reading is not sure."""
    courses = Courses(data, Progressive(SkillTree.of(registry())), how=how)
    return tuple((part, courses.say(part.expression)) for part in asked_parts(courses.read(question)))


def expressions_of(question: str, data: RunData, how: HowToRead = AS_IT_STANDS) -> tuple[Node, ...]:
    """Return what the planner would carry out; nothing where it would not carry out the whole question."""
    courses = Courses(data, Progressive(SkillTree.of(registry())), how=how)
    try:
        meant = courses.interpret(courses.read(question))
    except CannotAnswer:
        return ()
    return () if meant is None or meant.left_out else tuple(meant.expressions)
