"""What a reproduction will take, before anything is asked: calls, tokens, price, hours.

Where a cell has results already, the rest is taken to cost what these cost: on average, or as a multiple of
the expert's way where the results follow that more closely. Elsewhere the cost is that of the expert's way:
each document that has to be opened, each call, the answer; a planner of GeoPlan-bench asks as often as its
procedure says for a plan like the gold one. How many attempts fail, and are made again, how many plans lack
the form that was asked for and how many pairs of plans differ is counted in the results where there are some.
What is assumed is said, with a range of calls: for what is measured that in which 19 of 20
sums would lie, the cells being independent; else from a model that answers at once to one that makes several
times the expert's calls, or as many as a planner's procedure allows.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from treeline.core.context.tokens import count_tokens
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.context import replay
from treeline.core.lab.geoplan.aflow import CALLS as AFLOW_CALLS
from treeline.core.lab.geoplan.evolver import CALLS as EVOLVER_CALLS
from treeline.core.lab.geoplan.evolver import VARIANTS
from treeline.core.lab.geoplan.model_planners import MOST_ACTIONS, MOST_STEPS
from treeline.core.lab.geoplan.tasks import PlanningTask
from treeline.core.lab.records import Question
from treeline.core.lab.reproduce.verdicts import REPLIES, JudgedTask, choices_of, matches_of
from treeline.core.lab.reproduce.works import Job, bench_options, planning_text
from treeline.core.lab.toolbox import toolbox
from treeline.core.memory.model_reflection import REFLECTIONS
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

# Where nothing is measured: a form that is asked for is met.
MALFORMED = 0.0

# Earth-Agent, table 1, efficiency: the wordiest model makes three times as many calls as the expert.
MOST_OF_EXPERTS = 3.0
# Of what is measured: the part of the cases that lie below the upper end of the range, by Student's t.
_BELOW = 0.975

_DIGIT = re.compile(r"\d")

EXPERTS_WAY = "the expert's way"
MEASURED = "the results so far"
VERDICTS = "verdicts on pairs of plans"
CHOICES = "choices of key tools"


@dataclass(frozen=True, slots=True)
class Expectation:
    """What one question is expected to take."""

    calls: float
    read: float
    written: float
    seconds: float

    @classmethod
    def of_calls(cls, calls: float, read: float) -> Expectation:
        """Return what so many calls take that read so many tokens."""
        return cls(calls, read, calls * WRITTEN_A_CALL, calls * SECONDS_A_CALL)

    def of(self, factor: float) -> Expectation:
        """Return what a question takes that needs so many times as much."""
        return Expectation(
            self.calls * factor, self.read * factor, self.written * factor, self.seconds * factor
        )


@dataclass(frozen=True, slots=True)
class _Span:
    """What one question is expected to take, and the fewest and the most calls that it may come to."""

    expected: Expectation
    fewest: float
    most: float


@dataclass(frozen=True, slots=True)
class _Shares:
    """The part of the attempts that show a sign of failure, and of the plans that lack their form."""

    attempts: float | None
    plans: float

    def of(self, rounds: int) -> float:
        """Return the part of the attempts that fail, where so many are made; one alone is not looked at."""
        return (FAILING if rounds > 1 else 0.0) if self.attempts is None else self.attempts


def estimate(
    jobs: Sequence[Job],
    rows: Mapping[str, Mapping[str, Any]],
    settings: ModelSettings,
    workers: int,
    games: Sequence[Job] = (),
    judge: str = "",
    failing: float | None = None,
    keyed: Sequence[Job] = (),
) -> dict[str, Any]:
    """Return what the jobs that ask a model and have no result yet will take.

    Parameters
    ----------
    rows : mapping of str to mapping
        The results so far by the job's key.
    games : sequence of Job
        Those whose plans a judge compares; plans that come out alike need no verdict.
    judge : str
        The judge's name.
    failing : float, optional
        The part of the attempts that show a sign of failure, and of the plans that lack their form;
        default: those of the results, or a half (without rasters all) and none.
    keyed : sequence of Job
        Those of whose plans the judge chooses the key tools.

    Returns
    -------
    dict
        ``calls``, ``range`` (how few and how many the replies may make of it), ``assumes`` (what
        the figure takes for granted), ``failing`` (the part that was taken), ``tokens`` (``input``,
        ``output``), ``price`` (``None`` without prices), ``hours``, ``questions`` that are left,
        ``without_model`` (questions that ask none), and ``basis``: in how many questions the estimate
        rests on what.
    """
    measured, ways, shares = _jobs_with_results(jobs, rows), _Ways(), _shares(jobs, rows, failing)
    left = [job for job in jobs if job.key not in rows]
    asking = [job for job in left if job.cell.asks_model]
    known = [job for job in asking if job.cell.key in measured]
    unknown = [job for job in asking if job.cell.key not in measured]
    spans = [_expect(job, ways, shares) for job in unknown]
    errors: list[float] = []
    for group in _by_cell(known).values():
        found, error = _measured_spans(measured[group[0].cell.key], group, ways, shares)
        spans += found
        errors.append(error)
    basis = {MEASURED: len(known), EXPERTS_WAY: len(unknown)}
    basis = {name: count for name, count in basis.items() if count}
    if judge:
        for name, of, some in ((VERDICTS, _PAIRS, games), (CHOICES, _KEY_TOOLS, keyed)):
            said, error = _of_judge(of, some, rows, judge, shares.plans)
            spans += said
            errors.append(error)
            basis |= {name: len(said)} if said else {}
        if asking or basis.keys() & {VERDICTS, CHOICES}:
            spans.append(_Span(Expectation.of_calls(1, 0), 1, 1))  # the judge is tried before it is needed
    # They are of different jobs, so they add up as the sides of a right angle do.
    error_of_all = math.hypot(*errors)
    whole = [span.expected for span in spans]
    tokens = {
        "input": round(sum(one.read for one in whole)),
        "output": round(sum(one.written for one in whole)),
    }
    price = settings.cost_of(tokens["input"], 0, tokens["output"]) if settings.has_prices else None
    planned = all(isinstance(job.item, PlanningTask) for job in jobs)
    return {
        "calls": round(sum(one.calls for one in whole)),
        "range": [
            max(round(sum(span.fewest for span in spans) - error_of_all), 0),
            round(sum(span.most for span in spans) + error_of_all),
        ],
        "assumes": _assumptions(unknown, shares, bool(judge)),
        "failing": shares.plans if planned else shares.of(2),
        "tokens": tokens,
        "price": price,
        "hours": sum(one.seconds for one in whole) / 3600 / max(workers, 1),
        "questions": len(asking),
        "without_model": len(left) - len(asking),
        "done": len(jobs) - len(left),
        "basis": basis,
    }


def _by_cell(jobs: Sequence[Job]) -> dict[str, list[Job]]:
    groups: dict[str, list[Job]] = {}
    for job in jobs:
        groups.setdefault(job.cell.key, []).append(job)
    return groups


def _measured_spans(
    known: Sequence[tuple[Job, Mapping[str, Any]]], left: Sequence[Job], ways: _Ways, shares: _Shares
) -> tuple[list[_Span], float]:
    """Return what the jobs that are left of a cell take, when they are like those that have results.

    Besides that, by how many calls their sum may differ. One result alone has no spread: the range is then
    that of what is not measured.
    """
    mean = _mean([row for _, row in known])
    wide = [_expect(job, ways, shares) for job in left]
    if len(known) == 1:
        return [_Span(mean, min(one.fewest, mean.calls), max(one.most, mean.calls)) for one in wide], 0.0
    made = [float(row["model_calls"]) for _, row in known]
    expected = [_expect(job, ways, shares).expected.calls for job, _ in known]
    # One ratio of the sums: the mean of ratios would give a question of one call as much weight as
    # one of forty.
    ratio = sum(made) / sum(expected)
    by_mean = statistics.stdev(made)
    by_way = statistics.stdev(one - ratio * way for one, way in zip(made, expected, strict=True))
    # Whichever leaves less unexplained: models that go their own way do not follow the expert's length.
    follows = by_way < by_mean
    factors = [ratio * one.expected.calls / mean.calls for one in wide] if follows else [1.0] * len(left)
    spread = min(by_way, by_mean)
    spans = [_Span(mean.of(factor), mean.calls * factor, mean.calls * factor) for factor in factors]
    return spans, _error_of_sum(spread, len(known), len(left))


def _error_of_sum(spread: float, known: int, left: int) -> float:
    """Return by how much the sum of what is left may differ from that of as many means of what is known."""
    return _quantile(known) * spread * math.sqrt(left**2 / known + left)


def _quantile(count: int) -> float:
    """Return within how many standard errors the mean of so many results lies in 19 of 20 cases."""
    from scipy.stats import t

    return float(t.ppf(_BELOW, count - 1))


def _assumptions(unknown: Sequence[Job], shares: _Shares, judged: bool) -> list[str]:
    """Return in sentences what is taken for granted of the questions that nothing is measured of."""
    said = []
    agents = [bench_options(job) for job in unknown if not isinstance(job.item, PlanningTask)]
    if agents:
        said.append(
            "Each attempt takes the calls of the expert, none refused; the models of Earth-Agent's table 1 "
            "made 0.3 to 3 times as many. The range reaches from an answer at once to three times as many."
        )
    if any(not options.data for options in agents) and shares.attempts is None:
        said.append(
            "Without rasters no number follows from the results: an answer with one is sent back, and fails."
        )
    if any(options.rounds > 1 for options in agents):
        said.append(f"Of the attempts {shares.of(2):.0%} show a sign of failure, and are made again.")
    if len(agents) < len(unknown):
        said.append(
            "Each plan has as many tools and sub-agents as the gold one; "
            f"{shares.plans:.0%} lack the form that was asked for."
        )
    if judged and unknown:
        said.append("Plans that are still to be made differ, so that each needs to be judged.")
    if unknown:
        said.append(
            "Results that there are tell more: `bench reproduce --pilot` works on some questions of each "
            "cell first, and keeps them, until the calls are known within a tenth."
        )
    return said


@dataclass(frozen=True, slots=True)
class _OfJudge:
    """Something that a judge is asked about the plans for a task.

    Attributes
    ----------
    found : callable
        From the judge and results to what it is asked.
    most : callable
        From the number of plans for a task to how much that is where all differ.
    differ : callable
        From that number and the part of the plans that lack their form, and are alike, to the part of it.
    replies, plans : int
        How often it is asked, and how many plans it reads each time.
    """

    found: Callable[[str, Sequence[Mapping[str, Any]]], Sequence[JudgedTask]]
    most: Callable[[int], int]
    differ: Callable[[int, float], float]
    replies: int
    plans: int


_PAIRS = _OfJudge(
    lambda judge, rows: matches_of(judge, rows),
    lambda plans: math.comb(plans, 2),
    lambda plans, alike: 1.0 - alike**2,
    REPLIES,
    2,
)
# The gold path of a task has key tools too.
_KEY_TOOLS = _OfJudge(
    lambda judge, rows: choices_of(judge, rows),
    lambda plans: plans + 1,
    lambda plans, alike: 1.0 - alike * plans / (plans + 1),
    1,
    1,
)


def _of_judge(
    of: _OfJudge, jobs: Sequence[Job], rows: Mapping[str, Mapping[str, Any]], judge: str, malformed: float
) -> tuple[list[_Span], float]:
    """Return what the judge's replies take, and how their sum may differ.

    Where all plans for a task are there, it is known which differ, and that part is taken to differ of others
    too; without any such task those that lack their form, and so are empty, are alike.
    """
    by_task: dict[str, list[Job]] = {}
    for job in jobs:
        by_task.setdefault(str(job.item.id), []).append(job)
    there = [some for some in by_task.values() if all(job.key in rows for job in some)]
    found = [of.found(judge, [rows[job.key] for job in some]) for some in there]
    needed = [len(one) / max(of.most(len(some)), 1) for one, some in zip(found, there, strict=True)]
    spans = [
        span
        for one, some in zip(found, there, strict=True)
        for span in _replies(of, some, jobs, sum(each.key not in rows for each in one), (of.replies,) * 3)
    ]
    others = [some for some in by_task.values() if some not in there]
    whole, error = sum(of.most(len(some)) for some in others), 0.0
    measured = statistics.fmean(needed) if needed else None
    if len(needed) > 1:
        spread = statistics.stdev(needed) * of.replies * whole / max(len(others), 1)
        error = _error_of_sum(spread, len(needed), len(others))
    for some in others:
        share = of.differ(len(some), malformed) if measured is None else measured
        calls = of.replies * share
        ends = (calls, calls) if len(needed) > 1 else (0.0, float(of.replies))
        spans += _replies(of, some, jobs, of.most(len(some)), (calls, *ends))
    return spans, error


def _replies(
    of: _OfJudge, some: Sequence[Job], jobs: Sequence[Job], count: int, calls: tuple[float, float, float]
) -> list[_Span]:
    """Return what a judge takes for so many things about a task, with the calls for one of them."""
    if not count:
        return []
    expected, fewest, most = calls
    task = some[0].item
    assert isinstance(task, PlanningTask)
    read = expected * _length_for_judge(jobs, task, of.plans)
    each = Expectation(expected, read, expected * WRITTEN_A_VERDICT, expected * SECONDS_A_CALL)
    return [_Span(each, fewest, most)] * count


def _length_for_judge(jobs: Sequence[Job], task: PlanningTask, plans: int) -> int:
    """Return how much a judge reads for one reply: the tools, the question, plans like the gold one."""
    length = plans * count_tokens(", ".join(task.ground_truth))
    return _tools_text(next(iter(jobs)).file) + count_tokens(task.question) + length


def _jobs_with_results(
    jobs: Sequence[Job], rows: Mapping[str, Mapping[str, Any]]
) -> dict[str, list[tuple[Job, Mapping[str, Any]]]]:
    """Return the jobs of each cell that asked a model, with their results."""
    groups: dict[str, list[tuple[Job, Mapping[str, Any]]]] = {}
    for job in jobs:
        if rows.get(job.key, {}).get("model_calls"):
            groups.setdefault(job.cell.key, []).append((job, rows[job.key]))
    return groups


def _mean(rows: Sequence[Mapping[str, Any]]) -> Expectation:
    count = len(rows)
    return Expectation(
        sum(row["model_calls"] for row in rows) / count,
        sum(row["tokens"]["input"] for row in rows) / count,
        sum(row["tokens"]["output"] for row in rows) / count,
        sum(row.get("seconds", SECONDS_A_CALL) for row in rows) / count,
    )


def _shares(jobs: Sequence[Job], rows: Mapping[str, Mapping[str, Any]], failing: float | None) -> _Shares:
    """Return which parts fail: what is given, else that of the results."""
    if failing is not None:
        return _Shares(failing, failing)
    made = [(job, rows[job.key]) for job in jobs if job.key in rows and rows[job.key].get("model_calls")]
    plans = [row.get("malformed", 0) > 0 for job, row in made if isinstance(job.item, PlanningTask)]
    return _Shares(_share_of_failures(made), sum(plans) / len(plans) if plans else MALFORMED)


def _share_of_failures(made: Sequence[tuple[Job, Mapping[str, Any]]]) -> float | None:
    """Return the part of the attempts so far that failed, of cells that make several."""
    attempts = failed = 0
    for job, row in made:
        if isinstance(job.item, PlanningTask):
            continue
        most, rounds = bench_options(job).rounds, int(row.get("rounds") or 1)
        if most > 1:
            attempts += rounds
            failed += rounds - 1 + (rounds == most and row.get("status") != "answered")
    return failed / attempts if attempts else None


def _expect(job: Job, ways: _Ways, shares: _Shares) -> _Span:
    """Return what a job is expected to take when such parts of its attempts or plans fail."""
    if isinstance(job.item, PlanningTask):
        planning = _PLANNING[str(job.options["planner"])]
        calls = shares.plans * planning.fewest + (1 - shares.plans) * planning.calls(job.item)
        message = _tools_text(job.file) + count_tokens(job.item.question) + planning.asked
        return _Span(Expectation.of_calls(calls, calls * message), planning.fewest, planning.most)
    options = bench_options(job)
    way = ways(job.item, options)
    at_once, every = _attempts((1, 0), options, 0.0), _attempts(way, options, 1.0)
    unfounded = shares.attempts is None and _lacks_numbers(job.item, options)
    share = 1.0 if unfounded else shares.of(options.rounds)
    return _Span(_attempts(way, options, share), at_once.calls, MOST_OF_EXPERTS * every.calls)


def _lacks_numbers(question: Question, options: BenchOptions) -> bool:
    """Return whether an option has numbers that follow from nothing: without rasters they are stand-ins."""
    return not options.data and any(_DIGIT.search(choice) for choice in question.choices)


def _attempts(way: tuple[int, int], options: BenchOptions, failing: float) -> Expectation:
    """Return what the attempts on a question take when such a part of them fails."""
    attempts = sum(failing**number for number in range(options.rounds))
    asks = bool(REFLECTIONS[options.reflection].instruction)
    # A failed attempt is reflected on, the last one too; what it answers was sent back once before.
    reflections = failing * attempts if options.rounds > 1 and asks else 0.0
    variants, told = _team(options)
    calls = (way[0] + failing) * attempts * variants + told + reflections
    return Expectation.of_calls(calls, way[1] * attempts * variants)


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
        self._known: dict[tuple[str, str, str, int], tuple[int, int]] = {}

    def __call__(self, question: Question, options: BenchOptions) -> tuple[int, int]:
        """Return the turns of a question's way, and the tokens that are read on it."""
        key = (str(question.id), options.disclosure, options.tools, options.window)
        if key not in self._known:
            tree = toolbox(options.tools, options.needed)
            turns = replay(question, options.disclosure, tree=tree, window=options.window).ledger.turns
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


@dataclass(frozen=True, slots=True)
class _Planning:
    """How often a planner asks a model for a task.

    Attributes
    ----------
    calls : callable
        From a task to the calls for a plan like its gold one.
    asked : int
        How many tokens each message has besides the tools and the question.
    fewest, most : int
        Where no reply has the form that was asked for, and where every limit is reached.
    """

    calls: Callable[[PlanningTask], float]
    asked: int
    fewest: int
    most: int

    @classmethod
    def of_fixed_calls(cls, calls: int, asked: int) -> _Planning:
        """Return a procedure that asks as often, whatever the replies."""
        return cls(lambda task: calls, asked, calls, calls)


_PLANNING: Mapping[str, _Planning] = {
    "chain-of-thought": _Planning.of_fixed_calls(1, 60),
    "react": _Planning(lambda task: len(task.ground_truth) + 1, 300, 1, MOST_ACTIONS),
    "plan-and-execute": _Planning(lambda task: 1 + len(task.ground_truth), 300, 1, 1 + MOST_STEPS),
    "debate": _Planning.of_fixed_calls(10, 600),
    "aflow": _Planning.of_fixed_calls(AFLOW_CALLS, 300),
    "earthagent": _Planning(lambda task: 3 + _agents_of(task), 150, 3, 3 + len(agents())),
    "geoevolver": _Planning(lambda task: EVOLVER_CALLS, 300, VARIANTS + 2, EVOLVER_CALLS),
    "earthagent-flat": _Planning(lambda task: 1 + _agents_of(task), 150, 1, 1 + len(agents())),
}
"""Each planner that asks a model."""
