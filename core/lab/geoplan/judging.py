"""A language model that says which of two plans is the better one."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from treeline.core.lab.geoplan.modelled import Advisor, check_model
from treeline.core.settings import Endpoint

_VERDICT = re.compile(r"\b(A|B|tie)\b", re.IGNORECASE)
_QUESTION = (
    "The task:\n{question}\n\nPlan A:\n{first}\n\nPlan B:\n{second}\n\n"
    "Which plan does the whole task, in a right order, with nothing needless? Reply with A, B or tie."
)
_SCORES = {"A": 1.0, "B": 0.0, "TIE": 0.5}


class LanguageJudge:
    """Asks for each pair of plans in both orders, since models favour what stands first.

    HTAM (arXiv 2511.17198), supplement 8.2.3, asks which of two plans is more complete.

    Parameters
    ----------
    rows : mapping of (task, planner) to mapping
        ``question`` and ``path`` of each plan.

    Attributes
    ----------
    asked, unread : int
        Replies that were asked for, and those among them that named neither plan; they count as a draw.
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
            The model cannot be reached; no verdict is made up for it.
        """
        one, other = self._rows[task, first], self._rows[task, second]
        wins = self._score(one["question"], one["path"], other["path"])
        wins += 1.0 - self._score(one["question"], other["path"], one["path"])
        return {0.0: 0.0, 2.0: 1.0}.get(wins, 0.5)

    def _score(self, question: str, first: Sequence[str], second: Sequence[str]) -> float:
        """Return what the plan that stands first gets."""
        plans = {"first": json.dumps(list(first)), "second": json.dumps(list(second))}
        found = _VERDICT.search(self._advisor.ask(_QUESTION.format(question=question, **plans)))
        self.asked += 1
        self.unread += found is None
        return _SCORES[found[1].upper()] if found else 0.5


def reachable_judge(endpoint: Endpoint | None, tools: Mapping[str, str]) -> Advisor:
    """Return a model to judge by, after it has answered once: hours of planning would be lost else.

    Raises
    ------
    BackendMissing
        None is configured.
    EndpointError
        It cannot be reached, or refuses.
    """
    advisor = Advisor(check_model(endpoint, "The judge"), tools, threading.Event())
    advisor.ask("You will compare plans. Reply with A.")
    return advisor
