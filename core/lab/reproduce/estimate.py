"""What a reproduction will take, before anything is asked: calls, tokens, price, hours.

Where a cell has results already, the rest is taken to cost what these cost on average. Elsewhere the cost
is that of the expert's way: each document that has to be opened, each call, the answer; a planner of
GeoPlan-bench asks as often as its procedure says. How many attempts fail, and are made again, is counted in
the results of other cells where there are some.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from treeline.core.context.tokens import count_tokens
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.context import replay
from treeline.core.lab.geoplan.aflow import CALLS as AFLOW_CALLS
from treeline.core.lab.geoplan.tasks import PlanningTask
from treeline.core.lab.records import Question
from treeline.core.lab.reproduce.verdicts import CELL, REPLIES
from treeline.core.lab.reproduce.works import Job, bench_options, planning_text
from treeline.core.lab.toolbox import toolbox
from treeline.core.memory.asking import REFLECTIONS
from treeline.core.model_settings import ModelSettings
from treeline.core.teams.geoplan.agents import agents
from treeline.core.teams.names import SOLO

# Earth-Agent (arXiv 2509.23141), table 2: 79 to 158 minutes for 60 questions of some ten calls each.
SECONDS_A_CALL = 10.0
# A thought with a call, or a plan; models that reason write more.
WRITTEN_A_CALL = 150
# A letter, and what some models say before it.
WRITTEN_A_VERDICT = 20
# Where nothing is measured: half of the attempts show a sign of failure (RSMem, table 1: accuracy by half).
FAILING = 0.5

EXPERTS_WAY = "the expert's way"
MEASURED = "the results so far"
VERDICTS = "verdicts on pairs of plans"


@dataclass(frozen=True, slots=True)
class Expected:
    """What one question is expected to take."""

    calls: float
    read: float
    written: float
    seconds: float

    @classmethod
    def of_calls(cls, calls: float, read: float) -> Expected:
        """Return what so many calls take that read so many tokens."""
        return cls(calls, read, calls * WRITTEN_A_CALL, calls * SECONDS_A_CALL)


def estimate(
    jobs: Sequence[Job], rows: Mapping[str, Mapping[str, Any]], settings: ModelSettings, workers: int,
    games: Sequence[PlanningTask] = (), judge: str = "", failing: float | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return what the jobs that ask a model and have no result yet will take.

    Parameters
    ----------
    rows : mapping of str to mapping
        The results so far by the job's key.
    games : sequence of PlanningTask
        For each verdict that a judge gives the task; plans that come out alike need none.
    judge : str
        The judge's name.
    failing : float, optional
        The part of the attempts that show a sign of failure; default: that of the results, or a half.

    Returns
    -------
    dict
        ``calls``, ``range`` (of the calls: no attempt fails, all do), ``failing`` (the part that was taken),
        ``tokens`` (``input``, ``output``), ``price`` (``None`` without prices), ``hours``, ``questions``
        that are left, ``without_model`` (questions that ask none), and ``basis``: in how many questions
        the estimate rests on what.
    """
    measured, ways = _mean_costs(rows.values()), _Ways()
    share = failing if failing is not None else _failing(jobs, rows)
    left = [job for job in jobs if job.key not in rows]
    asking = [job for job in left if job.cell.asks_model]
    calls = read = written = seconds = 0.0
    least = most = 0.0
    basis: dict[str, int] = {}
    for job in asking:
        known = measured.get(job.cell.key)
        one = known or _expect(job, ways, share)
        calls, read = calls + one.calls, read + one.read
        least += known.calls if known else _expect(job, ways, 0.0).calls
        most += known.calls if known else _expect(job, ways, 1.0).calls
        written, seconds = written + one.written, seconds + one.seconds
        name = MEASURED if known else EXPERTS_WAY
        basis[name] = basis.get(name, 0) + 1
    worked = calls
    given = sum(row["cell"] == CELL and f"| {judge} |" in row["id"] for row in rows.values())
    rest = games[given:]
    if judge:
        calls += bool(rest or asking)
        basis[VERDICTS] = len(rest)
    for task in rest:
        calls, read = calls + REPLIES, read + REPLIES * _verdict_length(jobs, task)
        written, seconds = written + REPLIES * WRITTEN_A_VERDICT, seconds + REPLIES * SECONDS_A_CALL
    tokens = {"input": round(read), "output": round(written)}
    price = settings.cost_of(tokens["input"], 0, tokens["output"]) if settings.has_prices else None
    return {
        "calls": round(calls),
        "range": [round(least + calls - worked), round(most + calls - worked)],
        "failing": share,
        "tokens": tokens,
        "price": price,
        "hours": seconds / 3600 / max(workers, 1),
        "questions": len(asking),
        "without_model": len(left) - len(asking),
        "done": len(jobs) - len(left),
        "basis": basis,
    }


def games_of(jobs: Sequence[Job]) -> list[PlanningTask]:
    """Return for each pair of plans that will be made for a task that task."""
    plans: dict[str, list[PlanningTask]] = {}
    for job in jobs:
        if isinstance(job.item, PlanningTask):
            plans.setdefault(job.item.id, []).append(job.item)
    return [some[0] for some in plans.values() for _ in itertools.combinations(some, 2)]


def _verdict_length(jobs: Sequence[Job], task: PlanningTask) -> int:
    """Return how much a judge reads for one reply: the tools, the question, two plans like the gold one."""
    plans = 2 * count_tokens(", ".join(task.ground_truth))
    return _tools_text(jobs[0].file) + count_tokens(task.question) + plans


def _mean_costs(rows: Any) -> dict[str, Expected]:
    """Return the mean of what the results of each cell took."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if row.get("model_calls"):
            groups.setdefault(row["cell"], []).append(row)
    return {cell: _mean(group) for cell, group in groups.items()}


def _mean(rows: Sequence[Mapping[str, Any]]) -> Expected:
    count = len(rows)
    return Expected(
        sum(row["model_calls"] for row in rows) / count,
        sum(row["tokens"]["input"] for row in rows) / count,
        sum(row["tokens"]["output"] for row in rows) / count,
        sum(row.get("seconds", SECONDS_A_CALL) for row in rows) / count,
    )


def _failing(jobs: Sequence[Job], rows: Mapping[str, Mapping[str, Any]]) -> float:
    """Return the part of the attempts so far that failed, of cells that make several; without any a half."""
    attempts = failed = 0
    for job in jobs:
        row = rows.get(job.key)
        if row is None or not row.get("model_calls") or isinstance(job.item, PlanningTask):
            continue
        most, made = bench_options(job).rounds, int(row.get("rounds") or 1)
        if most > 1:
            attempts += made
            failed += made - 1 + (made == most and row.get("status") != "answered")
    return failed / attempts if attempts else FAILING


def _expect(job: Job, ways: _Ways, failing: float) -> Expected:
    """Return what a job is expected to take when so many of its attempts show a sign of failure."""
    if isinstance(job.item, PlanningTask):
        calls, asked = _PLANNING[str(job.options["planner"])](job.item)
        message = _tools_text(job.file) + count_tokens(job.item.question) + asked
        return Expected.of_calls(calls, calls * message)
    options = bench_options(job)
    way = ways(job.item, options)
    attempts = sum(failing**number for number in range(options.rounds))
    asks = bool(REFLECTIONS[options.reflection].instruction)
    # A failed attempt is reflected upon, the last one too.
    reflections = failing * attempts if options.rounds > 1 and asks else 0.0
    variants, told = _team(options)
    calls = way[0] * attempts * variants + told + reflections
    return Expected.of_calls(calls, way[1] * attempts * variants)


def _team(options: BenchOptions) -> tuple[int, int]:
    """Return how many variants a team has, and how often its leader, judge and memory ask besides."""
    if options.team == SOLO:
        return 1, 0
    variants = 1 if "exploration" in options.without else options.variants
    learns = options.memory == "bench" and "memory" not in options.without
    return variants, variants + 1 + learns


class _Ways:
    """The expert's ways under strategies, each walked once: regimes and models have it in common."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], tuple[int, int]] = {}

    def __call__(self, question: Question, options: BenchOptions) -> tuple[int, int]:
        """Return the turns of a question's way, and the tokens that are read on it."""
        key = (str(question.id), options.disclosure, options.tools)
        if key not in self._known:
            tree = toolbox(options.tools, options.needed)
            turns = replay(question, options.disclosure, tree=tree).ledger.turns
            self._known[key] = len(turns), sum(turn.total for turn in turns)
        return self._known[key]


@lru_cache(maxsize=4)
def _tools_text(file: str) -> int:
    """Return how long the list of the planning tools is, which every message begins with."""
    return count_tokens(planning_text(file))


def _agents_of(task: PlanningTask) -> int:
    """Return how many sub-agents have tools of the gold path."""
    gold = set(task.ground_truth)
    return sum(bool(gold & set(agent["tools"])) for agent in agents().values())


_PLANNING: Mapping[str, Callable[[PlanningTask], tuple[float, int]]] = {
    "chain-of-thought": lambda task: (1, 60),
    "react": lambda task: (len(task.ground_truth) + 1, 300),
    "plan-and-execute": lambda task: (1 + len(task.ground_truth), 300),
    "debate": lambda task: (10, 600),
    "aflow": lambda task: (AFLOW_CALLS, 300),
    "earthagent": lambda task: (3 + _agents_of(task), 150),
    "earthagent-flat": lambda task: (1 + _agents_of(task), 150),
}
"""For each planner that asks a model: how often for a task, and how many tokens each message has besides."""
