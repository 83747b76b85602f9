"""Plans compared by a language model, pair by pair; verdicts are kept as results are.

Only plans are compared, whoever made them: the same two plans for a task are judged once, in both orders.
Plans that are equal draw without being judged.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treeline.core.errors import EndpointError, EndpointUnreachable
from treeline.core.lab.geoplan.judging import check_read, compare_plans
from treeline.core.lab.geoplan.modelled import Advisor
from treeline.core.lab.pooling import work_through
from treeline.core.lab.reproduce.matrix import Purse
from treeline.core.lab.results import Kept
from treeline.core.settings import Endpoint
from treeline.toolkit.context import TellProgress
from treeline.toolkit.errors import Stopped

Row = dict[str, Any]
Path = tuple[str, ...]

CELL = "verdict"
"""The cell that verdicts are kept under."""
REPLIES = 2
"""How often a judge is asked for a verdict."""


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


def verdict_key(judge: str, task: str, first: Path, second: Path) -> str:
    """Return the name under which the verdict on two plans is kept, whichever stands first."""
    plans = json.dumps(sorted([first, second]))
    return f"{CELL} | {judge} | {task} | {hashlib.sha256(plans.encode()).hexdigest()[:16]}"


def is_verdict(row: Mapping[str, Any]) -> bool:
    """Return whether a result is a verdict on two plans, not a plan."""
    return row.get("cell") == CELL


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


def judge_matches(
    matches: Sequence[Match], kept: Kept, purse: Purse, advise: Callable[[threading.Event], Advisor],
    workers: int = 2, progress: TellProgress | None = None, stop: threading.Event | None = None,
) -> str:  # fmt: skip
    """Have the matches judged that have no verdict yet; return why it ended early, empty where it did not.

    Parameters
    ----------
    advise : callable
        Makes the model that is asked.

    Raises
    ------
    EndpointUnreachable
        The judge gave no answer, or refused; the verdicts that there are are kept.
    EndpointConfused
        Most of its replies name neither plan.
    """
    stop = stop or threading.Event()
    left = [match for match in matches if match.key not in kept.rows]
    done = len(matches) - len(left)
    asked = unread = 0

    def judge(match: Match, halt: threading.Event) -> Row | None:
        return None if halt.is_set() or purse.empty else _verdict(match, advise(halt))

    for row in work_through(left, judge, workers, stop, threads=True):
        if row is None:
            continue
        kept.keep(row)
        purse.spent.add(row)
        done, asked, unread = done + 1, asked + REPLIES, unread + row["unread"]
        check_read(asked, unread)
        if progress:
            progress(done, len(matches), f"verdict on {row['question_id']}")
    if asked:
        check_read(asked, unread, 1)
    return (purse.empty or "It was stopped.") if done < len(matches) else ""


def _verdict(match: Match, advisor: Advisor) -> Row | None:
    began = time.monotonic()
    try:
        found = compare_plans(advisor, match.question, match.first, match.second)
    except Stopped:
        return None
    except EndpointError as error:
        raise EndpointUnreachable(
            f"The judge gives no verdict: {error}",
            "What is done is kept: the same command goes on from there.",
        ) from error
    calls, read, written = advisor.usage
    return {
        "id": match.key,
        "question_id": match.task,
        "cell": CELL,
        "plans": [list(match.first), list(match.second)],
        "score": found.score,
        "unread": found.unread,
        "model_calls": calls,
        "tokens": {"input": read, "output": written, "cached": 0},
        "seconds": round(time.monotonic() - began, 3),
    }


def by_verdict(
    judge: str, verdicts: Mapping[str, Mapping[str, Any]], paths: Mapping[tuple[str, str], Path]
) -> Callable[[str, str, str], float | None]:
    """Return the judge that goes by the verdicts; ``None`` where there is none.

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
