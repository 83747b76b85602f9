"""Recorded runs scored against the expert's calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from treeline.core.lab.experience import RunFacts, experience_metrics
from treeline.core.lab.intervals import intervals
from treeline.core.lab.metrics import average, efficiency, group_rows, score_trajectory
from treeline.core.lab.records import ScoredRun, read_records


def score_runs(path: Path) -> dict[str, Any]:
    """Score the runs of a file, in its order, and summarise them as a whole and by run.

    Raises
    ------
    InputError
        The file cannot be read or holds something else.
    """
    runs = read_records(path, ScoredRun)
    rows = [_row(run) for run in runs]
    scores = [row["scores"] for row in rows]
    facts = [RunFacts(run.predicted, run.expected) for run in runs]
    by_run = {name: average([r["scores"] for r in group]) for name, group in group_rows(rows, "run").items()}
    return {
        "bench": "metrics",
        "runs": rows,
        "metrics": average([*scores]),
        "intervals": intervals(scores),
        "by_run": by_run,
        "experience": experience_metrics(facts),
    }


def _row(run: ScoredRun) -> dict[str, Any]:
    scores = score_trajectory(run.predicted, run.expected).as_dict()
    return {
        "run": run.run,
        "question": run.question,
        "scores": scores,
        "efficiency": efficiency(run.predicted, run.expected),
    }
