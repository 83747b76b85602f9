"""What a language model is asked as a judge: which of two plans is better, and which tools of one are key.

Only plans are judged, whoever made them: the same two plans for a task are compared once, in both orders, and
the key tools of the same plan are chosen once. Plans that are equal draw without being judged. Its replies
are kept as results are.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from treeline.core.errors import EndpointError, EndpointUnreachable
from treeline.core.lab.geoplan.judging import check_read, compare_plans
from treeline.core.lab.geoplan.key_tools import asks_for_choice, choose_key_tools, chosen_scores
from treeline.core.lab.geoplan.model_planners import Advisor
from treeline.core.lab.pooling import work_through
from treeline.core.lab.reproduce.matrix import Purse
from treeline.core.lab.results import ResultStore
from treeline.core.settings import Endpoint
from treeline.toolkit.context import TellProgress
from treeline.toolkit.errors import Stopped

Row = dict[str, Any]
Path = tuple[str, ...]

CELL = "verdict"
"""The cell that verdicts are kept under."""
CHOICES = "key tools"
"""The cell that choices of key tools are kept under."""
REPLIES = 2
"""How often a judge is asked for a verdict."""


class JudgedTask(Protocol):
    """What a judge is asked about a task."""

    @property
    def task(self) -> str:
        """The task's name."""
        ...

    @property
    def key(self) -> str:
        """The name under which what it says is kept."""
        ...

    @property
    def replies(self) -> int:
        """How often it is asked."""
        ...

    def ask(self, advisor: Advisor) -> Row:
        """Return what it says, with ``cell`` and how many of its replies are ``unread``."""
        ...


@dataclass(frozen=True, slots=True)
class Match:
    """Two plans for a task; the order of the two says nothing."""

    judge: str
    task: str
    question: str
    first: Path
    second: Path

    @property
    def key(self) -> str:
        """The name under which its verdict is kept."""
        return verdict_key(self.judge, self.task, self.first, self.second)

    @property
    def replies(self) -> int:
        """In both orders."""
        return REPLIES

    def ask(self, advisor: Advisor) -> Row:
        """Return the verdict."""
        found = compare_plans(advisor, self.question, self.first, self.second)
        # With the plans, since the score is that of the first, and the key says nothing of the order.
        plans = [list(self.first), list(self.second)]
        return {"cell": CELL, "plans": plans, "score": found.score, "unread": found.unread}


@dataclass(frozen=True, slots=True)
class Choice:
    """A path for a task, a plan or the gold one, of which the key tools are chosen."""

    judge: str
    task: str
    question: str
    path: Path

    @property
    def key(self) -> str:
        """The name under which the key tools are kept."""
        return _key(CHOICES, self.judge, self.task, self.path)

    @property
    def replies(self) -> int:
        """Once."""
        return 1

    def ask(self, advisor: Advisor) -> Row:
        """Return the key tools; ``None`` where the reply names none."""
        found = choose_key_tools(advisor, self.question, self.path)
        chosen = None if found is None else sorted(found)
        return {"cell": CHOICES, "path": list(self.path), "chosen": chosen, "unread": int(found is None)}


def verdict_key(judge: str, task: str, first: Path, second: Path) -> str:
    """Return the name under which the verdict on two plans is kept, whichever stands first."""
    # By the plans, not by who made them: many planners make the same plan, and each reply costs.
    return _key(CELL, judge, task, sorted([first, second]))


def _key(cell: str, judge: str, task: str, plans: Sequence[Any]) -> str:
    digest = hashlib.sha256(json.dumps(plans).encode()).hexdigest()[:16]
    return f"{cell} | {judge} | {task} | {digest}"


def is_of_judge(row: Mapping[str, Any]) -> bool:
    """Return whether a result is what a judge says of plans, not a plan."""
    return row.get("cell") in (CELL, CHOICES)


def matches_of(judge: str, rows: Iterable[Mapping[str, Any]]) -> list[Match]:
    """Return the pairs of different plans that there are for each task."""
    plans: dict[tuple[str, str], set[Path]] = {}
    for row in rows:
        plans.setdefault((row["question_id"], row["question"]), set()).add(tuple(row["path"]))
    return [
        Match(judge, task, question, first, second)
        for (task, question), some in plans.items()
        for first, second in itertools.combinations(sorted(some), 2)
    ]


def choices_of(judge: str, rows: Iterable[Mapping[str, Any]]) -> list[Choice]:
    """Return the paths whose key tools a judge is asked for: the plans, and the gold path of each task."""
    found = {
        choice.key: choice
        for row in rows
        for path in (row["ground_truth"], row["path"])
        if asks_for_choice(path)
        for choice in [Choice(judge, row["question_id"], row["question"], tuple(path))]
    }
    return list(found.values())


def put_chosen_scores(judge: str, said: Mapping[str, Mapping[str, Any]], row: Row) -> Row:
    """Return a plan's result with the scores by the key tools that the judge chose, in the proxy's place."""
    gold, plan = row["ground_truth"], row["path"]
    gold_key, plan_key = (_find_key_tools(judge, said, row, path) for path in (gold, plan))
    return {**row, "key_tool_scores": chosen_scores(gold_key, plan_key, plan, gold)}


def _find_key_tools(
    judge: str, said: Mapping[str, Mapping[str, Any]], row: Row, path: Sequence[str]
) -> frozenset[str] | None:
    if not asks_for_choice(path):
        return frozenset(path)
    found = said.get(_key(CHOICES, judge, row["question_id"], path), {}).get("chosen")
    return None if found is None else frozenset(found)


def ask_judge(
    wanted: Sequence[JudgedTask],
    kept: ResultStore,
    purse: Purse,
    advise: Callable[[threading.Event], Advisor],
    workers: int = 2,
    progress: TellProgress | None = None,
    stop: threading.Event | None = None,
) -> str:
    """Ask what has no reply yet; return why it ended early, empty where it did not.

    Parameters
    ----------
    advise : callable
        Makes the model that is asked.

    Raises
    ------
    EndpointUnreachable
        The judge gave no answer, or refused; what it said is kept.
    EndpointConfused
        Most of its replies cannot be read.
    """
    stop = stop or threading.Event()
    left = {one.key: one for one in wanted if one.key not in kept.rows}
    done = len(wanted) - len(left)
    asked = unread = 0

    def judge(one: JudgedTask, halt: threading.Event) -> Row | None:
        # Looked at here, in the worker: all of them are handed out at once, and the limit is
        # reached in between.
        return None if halt.is_set() or purse.empty else _reply(one, advise(halt))

    for row in work_through(list(left.values()), judge, workers, stop, threads=True):
        if row is None:
            continue
        kept.keep(row)
        purse.spent.add(row)
        done, asked, unread = done + 1, asked + left[row["id"]].replies, unread + row["unread"]
        # At each reply, so that a judge who does not understand is not asked hundreds of times for draws.
        check_read(asked, unread)
        if progress:
            progress(done, len(wanted), f"{row['cell']} on {row['question_id']}")
    if asked:
        # Once more at the end, where fewer were asked than are needed to tell on the way.
        check_read(asked, unread, 1)
    return (purse.empty or "It was stopped.") if done < len(wanted) else ""


def _reply(one: JudgedTask, advisor: Advisor) -> Row | None:
    began = time.monotonic()
    try:
        said = one.ask(advisor)
    except Stopped:
        return None
    except EndpointError as error:
        raise EndpointUnreachable(
            f"The judge gives no verdict: {error}",
            "What is done is kept: the same command goes on from there.",
        ) from error
    calls, read, written = advisor.usage
    return {
        "id": one.key,
        "question_id": one.task,
        **said,
        "model_calls": calls,
        "tokens": {"input": read, "output": written, "cached": 0},
        "seconds": round(time.monotonic() - began, 3),
    }


def by_verdict(
    judge: str, verdicts: Mapping[str, Mapping[str, Any]], paths: Mapping[tuple[str, str], Path]
) -> Callable[[str, str, str], float | None]:
    """Return the judge that uses the verdicts; ``None`` where there is none.

    Parameters
    ----------
    paths : mapping of (task, player) to path
    """

    def decide(task: str, one: str, other: str) -> float | None:
        first, second = paths[task, one], paths[task, other]
        if first == second:
            return 0.5
        row = verdicts.get(verdict_key(judge, task, first, second))
        if row is None:
            return None
        score = float(row["score"])
        return score if tuple(row["plans"][0]) == first else 1.0 - score

    return decide


def judge_endpoint(endpoint: Endpoint, model: str) -> Endpoint:
    """Return where a judge is asked: the same endpoint, under its own name."""
    return replace(endpoint, model=model) if model else endpoint
