"""GeoEvolver as a planner of GeoPlan-bench's tasks: variants of members' plans, a judge, lessons.

The tools of the benchmark are not run, so that nothing but the judge tells which variant is better.
"""

from __future__ import annotations

import json
from pathlib import Path

from treeline.core.lab.geoplan.model_planners import NUMBERED, Advisor, side_by_side
from treeline.knowledge.words import telling_words

VARIANTS, MEMBERS, LESSONS = 2, 3, 3
"""K, M and k as GeoEvolver's main table has them."""

CALLS = VARIANTS * (1 + MEMBERS) + 2
"""Replies for a task: of each variant the split and its members, the judge, the lesson."""

_STANCES = (
    "Keep to the usual workflow.",
    "Look for another workflow than the first that comes to mind.",
    "Use as few tools as the task allows.",
)
_SPLIT = (
    "The task:\n{question}\n{lessons}\n{stance}\n\nSplit the task into sub-goals that different experts can "
    f"plan. Write them as a numbered list in their order, at most {MEMBERS}, one line each, without naming "
    "tools."
)
_MEMBER = (
    "The task:\n{question}\n{lessons}\nAll sub-goals:\n{goals}\n\nYou are the expert for this one:\n{goal}\n"
    "\nReply with a JSON array of the tools that do it, in their order."
)
_JUDGE = (
    "The task:\n{question}\n\nPlans for it:\n{plans}\n\nWhich of them would do the task best: complete, in "
    "order, and without what is not needed? End with a JSON array of its number, such as [1]."
)
_LEARN = (
    "The task:\n{question}\n\nPlan {best} was judged the best of these:\n{plans}\n\nSay in one or two "
    "sentences what later tasks of this kind can learn from the difference."
)


class Lessons:
    """What earlier tasks taught, in the order of the tasks.

    Parameters
    ----------
    file : Path, optional
        Keeps the lessons, one a line; without it they end with the planner.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        lines = file.read_text("utf-8").splitlines() if file and file.is_file() else []
        self._known: dict[str, str] = dict(json.loads(line) for line in lines)

    def add(self, question: str, lesson: str) -> None:
        """Keep a task's lesson, in place of the one that it taught before."""
        self._known[question] = lesson
        if self._file:
            with self._file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps([question, lesson]) + "\n")

    def nearest(self, question: str, count: int) -> list[str]:
        """Return the lessons of the tasks that share most words with one; never its own."""
        wanted = set(telling_words(question))
        ranked = sorted(
            (-_likeness(wanted, set(telling_words(known))), place, lesson)
            for place, (known, lesson) in enumerate(self._known.items())
            if known != question
        )
        return [lesson for _, _, lesson in ranked[:count]]


def evolve(advisor: Advisor, question: str, lessons: Lessons) -> list[str]:
    """Return the plan that a judge takes of several variants, and keep what the difference teaches."""
    known = lessons.nearest(question, LESSONS)
    told = "\nLessons of earlier tasks:\n" + "\n".join(f"- {text}" for text in known) + "\n" if known else ""
    plans = [_variant(advisor, question, told, stance) for stance in _STANCES[:VARIANTS]]
    shown = "\n".join(f"{number}. {json.dumps(plan)}" for number, plan in enumerate(plans, start=1))
    best = _judge(advisor, question, shown, len(plans))
    lesson = advisor.ask(_LEARN.format(question=question, best=best, plans=shown)).strip()
    if lesson:
        lessons.add(question, lesson)
    return plans[best - 1]


def _variant(advisor: Advisor, question: str, told: str, stance: str) -> list[str]:
    """Return the plans of a variant's members, one after the other."""
    outline = advisor.ask(_SPLIT.format(question=question, lessons=told, stance=stance))
    goals = NUMBERED.findall(outline)[:MEMBERS]
    advisor.malformed_replies += not goals
    texts = [_MEMBER.format(question=question, lessons=told, goals=outline, goal=goal) for goal in goals]
    return [tool for reply in side_by_side(advisor, texts) for tool in advisor.path(reply)]


def _judge(advisor: Advisor, question: str, plans: str, count: int) -> int:
    """Return the number of the plan that the model names; the first where it names none."""
    reply = advisor.ask(_JUDGE.format(question=question, plans=plans))
    named = advisor.number_in(reply)
    if named is None or not 1 <= named <= count:
        advisor.malformed_replies += 1
        return 1
    return named


def _likeness(first: set[str], second: set[str]) -> float:
    return len(first & second) / len(first | second) if first | second else 0.0
