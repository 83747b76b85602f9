"""A language model that says which of two plans is the better one."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from treeline.core.errors import EndpointConfused
from treeline.core.lab.geoplan.model_planners import Advisor, check_model
from treeline.core.settings import Endpoint

_ALONE = re.compile(r"^\W*(?:plan\s+)?(A|B|tie)\W*$", re.IGNORECASE | re.MULTILINE)
_NAMED = re.compile(
    r"\b(?:[Pp]lan|[Aa]nswer|[Vv]erdict|[Bb]etter)\W+(?:is\W+)?(?:[Pp]lan\W+)?(A|B|tie)\b"
    r"|\b(A|B)\s+(?:is|does|wins)\b|\b(tie)\b"
)
_QUESTION = (
    "The task:\n{question}\n\nPlan A:\n{first}\n\nPlan B:\n{second}\n\n"
    "Which plan does the whole task, in a right order, with nothing needless? Reply with A, B or tie."
)
_SCORES = {"A": 1.0, "B": 0.0, "TIE": 0.5}
# A judge of whose replies most cannot be read rates by draws, which say nothing.
_ENOUGH = 10
_READ = 0.5


class Verdict(NamedTuple):
    """What a judge says of two plans.

    Attributes
    ----------
    score : float
        1 where the first is better, 0 where the second is, 0.5 where neither is.
    unread : int
        How many of the two replies named neither plan; they count as a draw.
    """

    score: float
    unread: int


def compare_plans(advisor: Advisor, question: str, first: Sequence[str], second: Sequence[str]) -> Verdict:
    """Ask which of two plans is better, in both orders, since models favour what stands first.

    Raises
    ------
    EndpointError
        The model cannot be reached; no verdict is made up for it.
    """
    forth, back = _favour(advisor, question, first, second), _favour(advisor, question, second, first)
    unread = [forth, back].count(None)
    wins = (0.5 if forth is None else forth) + 1.0 - (0.5 if back is None else back)
    # A plan is better where it wins in both orders; all else is a draw.
    return Verdict({0.0: 0.0, 2.0: 1.0}.get(wins, 0.5), unread)


def _favour(advisor: Advisor, question: str, first: Sequence[str], second: Sequence[str]) -> float | None:
    """Return what the plan that stands first gets; ``None`` where the reply names neither."""
    plans = {"first": json.dumps(list(first)), "second": json.dumps(list(second))}
    return verdict_in(advisor.ask(_QUESTION.format(question=question, **plans)))


def verdict_in(reply: str) -> float | None:
    """Return what a reply says of the plan that stands first; ``None`` where it names neither.

    A letter that stands alone in a line goes before one within a sentence.
    """
    found = [*_NAMED.finditer(reply), *_ALONE.finditer(reply)]
    if not found:
        return None
    # A verdict on a line of its own goes last: it settles what the sentences weigh.
    named = next(name for name in found[-1].groups() if name)
    return _SCORES[named.upper()]


def check_read(asked: int, unread: int, enough: int = _ENOUGH) -> None:
    """Refuse a judge most of whose replies name neither plan, nor a key tool, once enough were asked for.

    Raises
    ------
    EndpointConfused
    """
    if asked >= enough and unread > _READ * asked:
        raise EndpointConfused(
            f"The judge named neither plan, nor a key tool, in {unread} of {asked} replies.",
            "Name another model with --judge-model, or judge by rule.",
        )


class LanguageJudge:
    """Says of two planners' plans for a task which is better.

    HTAM (arXiv 2511.17198), supplement 8.2.3, asks which of two plans is more complete.

    Parameters
    ----------
    rows : mapping of (task, planner) to mapping
        ``question`` and ``path`` of each plan.

    Attributes
    ----------
    asked, unread : int
        Replies that were asked for, and those among them that named neither plan.
    """

    def __init__(self, rows: Mapping[tuple[str, str], Mapping[str, Any]], advisor: Advisor) -> None:
        self._rows = rows
        self._advisor = advisor
        self.asked = self.unread = 0

    def __call__(self, task: str, first: str, second: str) -> float:
        """Return 1 where the first's plan is better, 0 where the second's is, 0.5 where neither is.

        Raises
        ------
        EndpointError
            The model cannot be reached, or names no plan; no verdict is made up for it.
        """
        one, other = self._rows[task, first], self._rows[task, second]
        verdict = compare_plans(self._advisor, one["question"], one["path"], other["path"])
        self.asked += 2
        self.unread += verdict.unread
        check_read(self.asked, self.unread)
        return verdict.score


def reachable_judge(endpoint: Endpoint | None, tools: Mapping[str, str]) -> Advisor:
    """Return a model to judge by, after it has answered once: hours of planning would be lost else.

    Raises
    ------
    BackendMissing
        None is configured.
    EndpointError
        It cannot be reached, refuses, or its reply names no plan.
    """
    advisor = Advisor(check_model(endpoint, "The judge"), tools, threading.Event())
    # More than a greeting: a model that answers, but never in the form that is asked for, is found out here.
    reply = advisor.ask("You will compare plans. Reply with A.")
    if verdict_in(reply) is None:
        raise EndpointConfused(
            f"The judge was asked to reply with A, and said {reply[:80]!r}.",
            "Name another model, or judge by rule.",
        )
    return advisor
