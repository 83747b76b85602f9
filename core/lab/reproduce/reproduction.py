"""A paper's tables from the matrix of their cells to a report, or an estimate of what that takes."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from treeline.core.errors import EndpointConfused
from treeline.core.lab.bench_options import MOST_WORKERS
from treeline.core.lab.geoplan.judging import reachable_judge
from treeline.core.lab.geoplan.model_planners import Advisor, check_model
from treeline.core.lab.reproduce.cells import Cell, Runs, cells_of
from treeline.core.lab.reproduce.estimate import estimate
from treeline.core.lab.reproduce.matrix import (
    Limits,
    Purse,
    Spending,
    deciding_settings,
    results_file,
    run_jobs,
)
from treeline.core.lab.reproduce.papers import Paper, Table, paper_of
from treeline.core.lab.reproduce.pilot import is_narrow, pilot_turns
from treeline.core.lab.reproduce.report import BY_RULE, ELO, Judging, asks_for_keys, table_report
from treeline.core.lab.reproduce.sources import Sources
from treeline.core.lab.reproduce.verdicts import (
    JudgedTask,
    ask_judge,
    choices_of,
    is_of_judge,
    judge_endpoint,
    matches_of,
)
from treeline.core.lab.reproduce.works import (
    WORKS,
    Item,
    Job,
    Row,
    bench_options,
    jobs_of,
    planning_ground,
    questions_of,
)
from treeline.core.lab.results import Results, ResultStore
from treeline.core.lab.selection import Selection
from treeline.core.lab.tuning import tuning_statement
from treeline.core.model_settings import ModelSettings
from treeline.core.settings import Endpoint
from treeline.toolkit.context import TellProgress
from treeline.toolkit.errors import InputError, RasterMissing

Judge = Literal["rule", "language"]
JUDGES: tuple[Judge, ...] = get_args(Judge)


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What is reproduced, and with what.

    Attributes
    ----------
    table : str
        A table's number; empty for all that can be made from what is at hand.
    models : tuple of str
        Names at the endpoint; without any, what needs none is run.
    only, exclude, sample, limit
        Which questions, see :class:`treeline.core.lab.selection.Selection`.
    most_calls, most_tokens, most_price, most_hours
        What may be used, see :class:`treeline.core.lab.reproduce.matrix.Limits`.
    workers : int
        Questions at the same time; what the endpoint allows besides, it says itself, and is waited for.
    judge : str
        Who compares plans and says which tools are key: ``rule``, or ``language`` for a model.
    judge_model : str
        The name of that model; empty for the first of the models.
    results : str
        File that keeps the results; empty for one in the home.
    """

    paper: str
    table: str = ""
    models: tuple[str, ...] = ()
    seed: int = 0
    repeats: int = 1
    questions: str = ""
    data: str = ""
    neighbours: str = ""
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    sample: int | None = None
    limit: int | None = None
    workers: int = 2
    most_calls: int | None = None
    most_tokens: int | None = None
    most_price: float | None = None
    most_hours: float | None = None
    judge: Judge = "rule"
    judge_model: str = ""
    results: str = ""

    @property
    def selection(self) -> Selection:
        """Which questions are taken."""
        return Selection(tuple(self.only), tuple(self.exclude), self.sample, self.limit)

    @property
    def limits(self) -> Limits:
        """What may be used of a model."""
        return Limits(self.most_calls, self.most_tokens, self.most_price, self.most_hours)

    @property
    def sources(self) -> Sources:
        """Where the benchmarks lie."""
        return Sources(self.questions, self.data, self.neighbours)

    def check(self, endpoint: Endpoint | None = None) -> None:
        """Refuse what names nothing or lacks what it needs.

        Raises
        ------
        InputError
        BackendMissing
            A model is named, and there is no endpoint to ask.
        """
        paper_of(self.paper).numbers(self.table)
        if not 1 <= self.workers <= MOST_WORKERS:
            raise InputError(f"There can be 1 to {MOST_WORKERS} workers, not {self.workers}.")
        if self.repeats < 1:
            raise InputError(f"A cell is worked on once or more often, not {self.repeats} times.")
        if self.data and not Path(self.data).is_dir():
            raise InputError(f"There is no folder {self.data!r}.", "Give the benchmark's folder of data.")
        self.limits.check(_settings(endpoint))
        for model in self.models:
            _endpoint(endpoint, model).check()
        self._check_judge(endpoint)

    def _check_judge(self, endpoint: Endpoint | None) -> None:
        if self.judge not in JUDGES:
            raise InputError(f"There is no judge {self.judge!r}.", f"There are {', '.join(JUDGES)}.")
        if self.judge_model and self.judge != "language":
            raise InputError("A judge's model is named, and plans are judged by rule.", "Judge by language.")
        if self.judge == "language":
            paper = paper_of(self.paper)
            if not any(is_judged(paper.tables[number].metrics) for number in paper.numbers(self.table)):
                raise InputError(
                    "Nothing is judged in this table.", "Tables with Elo ratings or key tools have a judge."
                )
            check_model(judge_endpoint(_endpoint(endpoint), self.judging_model), "The judge")

    @property
    def judging_model(self) -> str:
        """The name of the model that judges; empty for the rule, and for the endpoint's own."""
        return (self.judge_model or next(iter(self.models), "")) if self.judge == "language" else ""


@dataclass(frozen=True, slots=True)
class _Plan:
    """The tables that are made, with their cells and jobs."""

    paper: Paper
    cells: dict[str, list[Cell]]
    by_table: dict[str, list[Job]]
    left_out: dict[str, str]

    def table(self, number: str) -> Table:
        """Return a table by its number."""
        return self.paper.tables[number]

    @property
    def jobs(self) -> list[Job]:
        """What there is to do; what tables have in common once."""
        return list({job.key: job for jobs in self.by_table.values() for job in jobs}.values())


def reproduce(
    wanted: Reproduction,
    progress: TellProgress | None = None,
    stop: threading.Event | None = None,
    endpoint: Endpoint | None = None,
    kept: ResultStore | None = None,
) -> dict[str, Any]:
    """Work on what has no result yet, and return the report on all that have one.

    Returns
    -------
    dict
        ``rows``: each with ``table``, ``kind`` (``ours``, ``published`` or ``floor``), ``setting``, ``ours``
        (value, low and high of each metric), ``published``, ``parts`` and ``differences``. ``tables``: of
        each its title, place, metrics, contrasts and what the text lost. ``cost``: what this and earlier
        runs used; ``spent``: this one. ``stopped``: why it ended early.

    Raises
    ------
    InputError, BackendMissing, RasterMissing
        Before anything is asked.
    EndpointUnreachable
        The endpoint gave no answer; what is done is kept.
    """
    wanted.check(endpoint)
    plan = _plan(wanted, endpoint)
    kept = kept or _results_of(wanted, endpoint, plan)
    _clear_memory(kept)
    purse = Purse(wanted.limits, Spending(_settings(endpoint)))
    judge = _judge_of(wanted, plan, endpoint, kept.rows)
    done = run_jobs(plan.jobs, kept, purse, wanted.workers, progress, stop, kept.memory)
    stopped = done.stopped
    rows = list(done.rows.values())
    # Only when all plans are there: each that is missing would be compared with none, and the ratings lean.
    if judge is not None and not stopped:
        asked = _list_judgements(judge.model, plan, done.rows)
        advise, told = partial(_advisor, judge, plan), _progress_after(progress, len(rows))
        stopped = ask_judge(asked, kept, purse, advise, wanted.workers, told, stop)
        rows += [kept.rows[one.key] for one in asked if one.key in kept.rows]
    report = report_of(wanted, rows, endpoint, plan)
    return report | {
        "spent": purse.spent.to_json(),
        "stopped": stopped,
        "results": str(kept.path) if isinstance(kept, Results) else "",
    }


def kept_results(
    wanted: Reproduction, endpoint: Endpoint | None = None
) -> tuple[list[Row], dict[str, Sequence[Item]]]:
    """Return the results that there are for what is reproduced, and by benchmark what was asked."""
    plan = _plan(wanted, endpoint)
    kept = _results_of(wanted, endpoint, plan).rows
    asked: dict[str, Sequence[Item]] = {
        job.cell.bench: questions_of(job.cell.bench, job.file) for job in plan.jobs
    }
    judging = _make_judging(wanted, endpoint, kept.values())
    keyed = {job.key for job in _jobs_with(plan, asks_for_keys)}
    rows = [kept[job.key] for job in plan.jobs if job.key in kept]
    return [judging.with_key_tool_scores(row) if row["id"] in keyed else row for row in rows], asked


def report_of(
    wanted: Reproduction,
    rows: Sequence[dict[str, Any]],
    endpoint: Endpoint | None = None,
    plan: _Plan | None = None,
) -> dict[str, Any]:
    """Return the report on the results that there are."""
    plan = plan or _plan(wanted, endpoint)
    paper = plan.paper
    judging = _make_judging(wanted, endpoint, rows)
    planned = [row for row in rows if not is_of_judge(row)]
    tables = []
    for number, cells in plan.cells.items():
        jobs = plan.by_table[number]
        wanted_keys = {job.key for job in jobs}
        own = [row for row in planned if row["id"] in wanted_keys]
        floors = list(WORKS[paper.tables[number].bench].floors(jobs))
        said = _differences(wanted, jobs, own)
        tables.append(table_report(paper, number, cells, own, floors, said, judging))
    cost = Spending(_settings(endpoint))
    for row in rows:
        cost.add(row)
    return {
        "bench": "reproduce",
        "paper": wanted.paper,
        "title": paper.title,
        "source": paper.source,
        "table": wanted.table or None,
        "models": list(wanted.models),
        "tuned_on": tuning_statement(job.cell.bench for job in plan.jobs),
        "rows": [line for table in tables for line in table.pop("rows")],
        "tables": tables,
        "left_out": plan.left_out,
        "cost": cost.to_json(),
        "done": len(planned),
        "wanted": len(plan.jobs),
    }


def estimate_reproduction(
    wanted: Reproduction, endpoint: Endpoint | None = None, failing: float | None = None
) -> dict[str, Any]:
    """Return what a reproduction will still take; nothing is run.

    Parameters
    ----------
    failing : float, optional
        The part of the attempts that show a sign of failure, see :func:`estimate`.

    Raises
    ------
    InputError, BackendMissing, RasterMissing
    """
    wanted.check(endpoint)
    if failing is not None and not 0 <= failing <= 1:
        raise InputError(f"A part of {failing:g} of the attempts cannot fail.", "Give 0 to 1.")
    plan = _plan(wanted, endpoint)
    kept = _results_of(wanted, endpoint, plan)
    judged = wanted.judge == "language"
    games, keyed = (_jobs_with(plan, of) if judged else [] for of in (_has_elo, asks_for_keys))
    named = _judge_name(wanted, endpoint) if judged else ""
    return estimate(plan.jobs, kept.rows, _settings(endpoint), wanted.workers, games, named, failing, keyed)


def pilot_reproduction(
    wanted: Reproduction,
    endpoint: Endpoint | None = None,
    progress: TellProgress | None = None,
    stop: threading.Event | None = None,
) -> dict[str, Any]:
    """Work on some questions of each cell until the calls of the rest are known within a tenth.

    At most half of the questions of a cell are worked on; their results are kept and are not made again.

    Returns
    -------
    dict
        The estimate of what is left, see :func:`estimate`; ``pilot``: ``calls`` that were made, ``narrow``
        (whether the range is as narrow as that) and ``stopped`` (why it ended early).

    Raises
    ------
    InputError, BackendMissing, RasterMissing, EndpointUnreachable
    """
    wanted.check(endpoint)
    plan = _plan(wanted, endpoint)
    kept = _results_of(wanted, endpoint, plan)
    _clear_memory(kept)
    purse, stopped = Purse(wanted.limits, Spending(_settings(endpoint))), ""
    found = estimate_reproduction(wanted, endpoint)
    for jobs in pilot_turns(plan.jobs):
        # Looked at before each turn: results of an earlier run may be enough, and nothing is asked then.
        if is_narrow(found) or stopped:
            break
        done = run_jobs(jobs, kept, purse, wanted.workers, progress, stop, kept.memory)
        stopped = done.stopped
        found = estimate_reproduction(wanted, endpoint)
    pilot = {"calls": purse.spent.calls, "narrow": is_narrow(found), "stopped": stopped}
    return found | {"pilot": pilot}


def _clear_memory(kept: ResultStore) -> None:
    """Remove what is remembered where nothing has a result: it is of an attempt whose results are gone."""
    if not kept.rows:
        shutil.rmtree(kept.memory, ignore_errors=True)


def _plan(wanted: Reproduction, endpoint: Endpoint | None) -> _Plan:
    paper = paper_of(wanted.paper)
    runs = Runs(tuple(wanted.models), wanted.seed, wanted.repeats)
    numbers, left_out = paper.numbers(wanted.table), {}
    cells: dict[str, list[Cell]] = {}
    by_table: dict[str, list[Job]] = {}
    first: Exception | None = None
    for number in numbers:
        table = paper.tables[number]
        own = list(
            cells_of(
                paper,
                table,
                runs,
                _systems_that_ask(paper, table, True),
                _systems_that_ask(paper, table, False),
            )
        )
        try:
            by_table[number] = jobs_of(
                own, paper, wanted.sources, wanted.selection, _endpoint(endpoint), table.part
            )
        except (InputError, RasterMissing) as error:
            # A table that was named is not left out.
            if wanted.table:
                raise
            # Of several tables those that can be made are made; the first reason is raised if none can.
            first, left_out[number] = first or error, str(error)
            continue
        cells[number] = own
    if first is not None and not by_table:
        raise first
    return _Plan(paper, cells, by_table, left_out)


def is_judged(metrics: Sequence[str]) -> bool:
    """Return whether a judge decides some of a table's metrics."""
    return ELO in metrics or asks_for_keys(metrics)


def _has_elo(metrics: Sequence[str]) -> bool:
    return ELO in metrics


def _jobs_with(plan: _Plan, of: Callable[[Sequence[str]], bool]) -> list[Job]:
    """Return the jobs of the tables whose metrics are such; what they have in common once."""
    jobs = (job for number, some in plan.by_table.items() if of(plan.table(number).metrics) for job in some)
    return list({job.key: job for job in jobs}.values())


def _list_judgements(judge: str, plan: _Plan, rows: Mapping[str, Mapping[str, Any]]) -> list[JudgedTask]:
    """Return what a judge is asked of the plans that there are: pairs of them, and key tools."""

    def rows_where(of: Callable[[Sequence[str]], bool]) -> list[Mapping[str, Any]]:
        return [rows[job.key] for job in _jobs_with(plan, of) if job.key in rows]

    return [*matches_of(judge, rows_where(_has_elo)), *choices_of(judge, rows_where(asks_for_keys))]


def _judge_name(wanted: Reproduction, endpoint: Endpoint | None) -> str:
    return judge_endpoint(_endpoint(endpoint), wanted.judging_model).model


def _make_judging(
    wanted: Reproduction, endpoint: Endpoint | None, rows: Iterable[Mapping[str, Any]]
) -> Judging:
    if wanted.judge != "language":
        return BY_RULE
    return Judging(_judge_name(wanted, endpoint), {row["id"]: row for row in rows if is_of_judge(row)})


def _progress_after(progress: TellProgress | None, done: int) -> TellProgress | None:
    """Return what tells of verdicts after so much other work."""
    if progress is None:
        return None
    return lambda count, total, label: progress(done + count, done + total, label)


def _judge_of(
    wanted: Reproduction, plan: _Plan, endpoint: Endpoint | None, known: Mapping[str, Row]
) -> Endpoint | None:
    """Return where the judge is asked, ``None`` where the rule judges.

    Where anything is left to be judged it has answered once.
    """
    if wanted.judge != "language":
        return None
    found = judge_endpoint(_endpoint(endpoint), wanted.judging_model)
    # The judge is tried before the plans are made: hours of planning would else end at a judge who is not
    # there.
    missing = any(job.key not in known for job in _jobs_with(plan, is_judged))
    if missing or any(one.key not in known for one in _list_judgements(found.model, plan, known)):
        reachable_judge(found, _tools_of(plan))
    return found


def _advisor(judge: Endpoint, plan: _Plan, stop: threading.Event) -> Advisor:
    return Advisor(judge, _tools_of(plan), stop)


def _tools_of(plan: _Plan) -> Mapping[str, str]:
    return planning_ground(next(job.file for job in _jobs_with(plan, is_judged))).tools


def _systems_that_ask(paper: Paper, table: Table, asks: bool) -> list[str]:
    """Return the systems that always ask a model, or that never do."""
    work = WORKS[table.bench]
    named = (name for name in table.systems if not paper.systems[name].missing)
    return [name for name in named if work.asks_model(paper.systems[name].options) is asks]


def _differences(wanted: Reproduction, jobs: Sequence[Job], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return how ours were made otherwise than any published value: questions, answers."""
    first = next(iter(jobs))
    bench = first.cell.bench
    asked, there = len({job.item.id for job in jobs}), questions_of(bench, first.file)
    said = [f"questions: {asked} of the {len(there)} that are at hand"]
    said += [f"not read: {text}" for text in there.unread]
    if bench != "geoplan" and not wanted.data:
        said.append("answers: not scored, since there are no rasters; numbers are stand-ins")
    if bench != "geoplan":
        # The smallest one, as models of one table may have others, and the smallest cuts most.
        window = min(bench_options(job).window for job in jobs)
        said.append(f"context: older steps are shortened above {window // 2:,} tokens (half of --window)")
    if len(rows) < len(jobs):
        said.append(f"unfinished: {len(rows)} of {len(jobs)} results are there")
    malformed = sum(row.get("malformed", 0) for row in rows)
    if malformed:
        said.append(f"malformed: {malformed} replies of models lacked the form that was asked for")
    confused = sum(row.get("error") == EndpointConfused.__name__ for row in rows)
    if confused:
        said.append(
            f"malformed: {confused} results are of models that gave no usable action, and count as failed"
        )
    return said


def _results_of(wanted: Reproduction, endpoint: Endpoint | None, plan: _Plan) -> Results:
    # Results without a model do not depend on the endpoint, and are found again whatever it is.
    asked = endpoint if wanted.models else None
    known = deciding_settings(wanted.paper, wanted.sources, asked, plan.jobs)
    place = results_file(wanted.paper, wanted.sources, asked, plan.jobs)
    return Results(Path(wanted.results) if wanted.results else place, known)


def _endpoint(endpoint: Endpoint | None, model: str = "") -> Endpoint:
    found = endpoint or Endpoint.from_environment()
    return replace(found, model=model) if model else found


def _settings(endpoint: Endpoint | None) -> ModelSettings:
    return endpoint.settings if endpoint else ModelSettings()
