"""Benchmarks in the form of Inspect's logs: each task with its target, calls and scores."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from treeline import __version__
from treeline.core.lab.geoplan.tasks import PlanningTask
from treeline.core.lab.metrics import group_rows
from treeline.core.lab.parts import part_of
from treeline.core.lab.records import Question
from treeline.core.runs.exports.inspect_log import SOFTWARE, Sample, call_message, inspect_log, log_text
from treeline.toolkit.files import output_file

Row = Mapping[str, Any]
Item = Question | PlanningTask
_REPEAT = re.compile(r" #(\d+)$")


def bench_log(
    report: Mapping[str, Any], rows: Sequence[Row], items: Iterable[Item], model: str = ""
) -> dict[str, Any]:
    """Return the log of a bench of questions or of plans.

    Parameters
    ----------
    rows : sequence of mapping
        The results.
    items : iterable of Question or PlanningTask
        What was asked; the targets are theirs.
    model : str
        Its name; without one the name of the policy or planner.
    """
    settings = dict(report.get("settings", {}))
    who = model or f"{SOFTWARE}/{settings.get('planner') or settings.get('policy', 'planner')}"
    known = {str(item.id): item for item in items}
    samples = [_sample(row, known[_question_of(row)], _epoch(row)) for row in rows]
    told = {**settings, "tuned_on": report.get("tuned_on", "")}
    return inspect_log(str(report["bench"]), who, samples, datetime.now(UTC), __version__, told)


def reproduction_logs(
    report: Mapping[str, Any], rows: Sequence[Row], items: Mapping[str, Iterable[Item]]
) -> dict[str, dict[str, Any]]:
    """Return a log for each system, model and regime of a paper's tables, by the name of its file.

    Parameters
    ----------
    items : mapping of str to iterable
        What is asked, by benchmark.
    """
    known = {bench: {str(item.id): item for item in some} for bench, some in items.items()}
    moment = datetime.now(UTC)
    told = {"paper": report["paper"], "source": report["source"], "tuned_on": report["tuned_on"]}
    groups: dict[tuple[str, ...], list[Sample]] = {}
    for cell, some in group_rows([dict(row) for row in rows], "cell").items():
        bench, system, model, regime, _, repeat = str(cell).split(" | ")
        groups.setdefault((bench, system, model, regime), []).extend(
            _sample(row, known[bench][str(row["question_id"])], int(repeat) + 1) for row in some
        )
    logs = {}
    for (bench, system, model, regime), samples in groups.items():
        settings = {**told, "system": system, "regime": regime}
        name = log_name(moment, f"{report['paper']}-{system}-{model}-{regime}")
        # Repeats are epochs of one log, as Inspect calls them.
        logs[name] = inspect_log(f"{bench}/{system}", model, samples, moment, __version__, settings)
    return logs


def write_log(path: Path, log: Mapping[str, Any]) -> None:
    """Write a log to a file; it appears whole or not at all."""
    with output_file(path) as place:
        place.write_text(log_text(log), "utf-8")


def _sample(row: Row, item: Item, epoch: int) -> Sample:
    common: dict[str, Any] = {
        "id": str(item.id),
        "tokens": row.get("tokens", {}),
        "epoch": epoch,
        "error": str(row.get("reason", "")) if row.get("status") == "failed" else "",
        "seconds": float(row.get("seconds", 0.0)),
    }
    if isinstance(item, PlanningTask):
        return Sample(
            question=item.question,
            target=json.dumps(list(item.ground_truth)),
            answer=json.dumps(row["path"]),
            scores={"path_similarity": row["path_similarity"], **row["key_tool_scores"]},
            metadata={"domain": item.domain, "complexity": item.complexity},
            **common,
        )
    said = str(row.get("answer") or "")
    return Sample(
        question=str(row["question"]),
        target=_target(item),
        choices=item.choices,
        messages=[
            call_message(f"call-{number}", call["tool"], call["arguments"])
            for number, call in enumerate(row["calls"], start=1)
        ],
        answer=said if row.get("choice") is None else f"{row['choice']}. {said}",
        scores={
            "accuracy": None if row["correct"] is None else float(row["correct"]),
            **row["scores"],
            "efficiency": row["efficiency"],
        },
        metadata={
            "status": row["status"],
            "modality": item.modality,
            "expected": row["expected"],
            "part": part_of(item.id, item.benchmark),
        },
        **common,
    )


def _target(question: Question) -> str | list[str]:
    """Return what is right: letters, a number, or the aliases of which one has to be named."""
    told = list(question.answers) or [alias for group in question.accepted for alias in group]
    return told[0] if len(told) == 1 else told or ""


def _question_of(row: Row) -> str:
    return str(row.get("question_id", row["id"]))


def _epoch(row: Row) -> int:
    found = _REPEAT.search(str(row["id"]))
    return int(found[1]) if found else 1


def log_name(moment: datetime, what: str) -> str:
    """Return a name by which Inspect finds a log in a folder: the moment, then what it is of."""
    plain = re.sub(r"[^\w.]+", "-", what).strip("-")
    return f"{moment.isoformat(timespec='seconds').replace(':', '-')}_{plain}.json"
