"""A task is worked on to its end: alone, in rounds or as a team; what was learnt; how it ended, recorded."""

from __future__ import annotations

import logging
import time

from treeline.core.engine.events import RunFinished
from treeline.core.errors import LeaseLost
from treeline.core.memory.learning import learn
from treeline.core.metrics import RUN_SECONDS
from treeline.core.runs.options import RunOptions
from treeline.core.runs.recording import Recording
from treeline.core.runs.rounds import work_rounds
from treeline.core.runs.second_answer import work_beside_planner
from treeline.core.runs.solo import work_alone
from treeline.core.runs.task import Task
from treeline.core.teams.joining import work_as_team
from treeline.core.teams.names import SOLO
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import Stopped, TreelineError

_LOG = logging.getLogger(__name__)


def work_and_record(task: Task, recording: Recording) -> RunFinished:
    """Work on a task to its end, whatever happens, and record how it ended.

    Raises
    ------
    LeaseLost
        Another process has taken the run meanwhile, and records its end.
    """
    parts, run = task.parts, task.run
    _LOG.info("Run %s %s.", run, "goes on" if task.is_resumed else "begins")
    began = time.monotonic()
    try:
        recording.begin()
        # What is read before the first step ends with it too: a thousand files take seconds.
        with use_context(ToolContext(stop=task.stop)):
            finished = _work(task)
        # Each round has learnt for itself, as a run of its own.
        if task.options.memory != "off" and task.options.rounds == 1 and not recording.trouble:
            record = parts.record(run)
            learn(parts.store, record, parts.data, finished, task.endpoint, recording.emit, task.stop)
    except LeaseLost:
        raise
    except Stopped as error:
        finished = RunFinished("stopped", reason=str(error))
        recording.emit(finished)
    except TreelineError as error:
        finished = RunFinished("failed", reason=str(error), error=type(error).__name__)
        recording.emit(finished)
    except Exception as error:  # whatever it was, the record must not say "running" for ever
        finished = RunFinished("failed", reason=task.report(error, _subject(task.options)).sentence)
        recording.emit(finished)
    finished = recording.end(finished)
    RUN_SECONDS.labels(finished.status).observe(time.monotonic() - began)
    _LOG.info("Run %s: %s.", run, finished.status)
    return finished


def _work(task: Task) -> RunFinished:
    if task.options.rounds > 1:
        return work_beside_planner(task, work_rounds)
    return work_beside_planner(task, work_alone if task.options.team == SOLO else work_as_team)


def _subject(options: RunOptions) -> str:
    """Return what works on a run, as a person chose it."""
    return f"The policy {options.policy}" if options.team == SOLO else f"The team {options.team}"
