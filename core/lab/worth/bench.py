"""One policy, a team without experience and one that keeps its experience, side by side."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeline.core.demo import write_demo
from treeline.core.lab.ablation import AblationOptions, BenchQuestion, open_manager, work_on
from treeline.core.lab.metrics import average, group_rows
from treeline.core.lab.worth.questions import demo_questions
from treeline.core.memory.bank import MemoryBank
from treeline.core.settings import Endpoint
from treeline.toolkit.context import TellProgress

SOLO, EMPTY, EXPERIENCED, LAYERED = "solo", "evolver, empty bank", "evolver, with experience", "layered"
WAYS: dict[str, dict[str, Any]] = {
    SOLO: {"team": "solo"},
    EMPTY: {"team": "evolver"},
    EXPERIENCED: {"team": "evolver"},
    LAYERED: {"team": "layered"},
}
# Pixels a side: large enough for classes and percentiles, small enough for hundreds of runs.
_SIZE = 240


def run_worth(
    questions: Sequence[BenchQuestion],
    options: AblationOptions,
    progress: TellProgress | None = None,
    stop: threading.Event | None = None,
    endpoint: Endpoint | None = None,
) -> dict[str, Any]:
    """Work on questions in their order under each way and return the report.

    Returns
    -------
    dict
        ``by_way``: by name the share right and answered, and the mean steps, seconds of waiting and tokens;
        ``spoilt``: the questions that one policy answers rightly and a team does not; ``by_turn``: of the
        team with experience, the first questions of a kind apart from those whose kind it knew.

    Raises
    ------
    InputError
        A file or an option names nothing.
    """
    options.check(endpoint)
    rows: list[dict[str, Any]] = []
    total = len(WAYS) * len(questions)
    for row in _rows(questions, options, stop or threading.Event(), endpoint):
        rows.append(row)
        if progress:
            progress(len(rows), total, row["way"])
    return summarise_worth(rows)


def summarise_worth(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the report on results."""
    groups = group_rows(rows, "way")
    by_way = {name: average(row["measures"] for row in groups[name]) for name in WAYS if name in groups}
    known = {
        name: [r for r in groups.get(EXPERIENCED, []) if r["known"] is (name == "known")] for name in _TURNS
    }
    return {
        "bench": "worth",
        "by_way": by_way,
        "by_turn": {
            name: {"questions": len(found), **average(row["measures"] for row in found)}
            for name, found in known.items()
            if found
        },
        "spoilt": _spoilt(rows),
        "questions": list(rows),
    }


def worth_text(report: dict[str, Any]) -> str:
    """Return the report as a table."""
    names = ("right", "answered", "steps", "elapsed", "tokens")
    titles = ("right", "answered", "steps", "seconds", "tokens")
    lines = [f"{'':36s}" + "".join(f"{title:>10s}" for title in titles)]
    parts = [
        *report["by_way"].items(),
        *((f"  {name} kinds", row) for name, row in report["by_turn"].items()),
    ]
    for way, row in parts:
        values = ("-" if row.get(name) is None else f"{row[name]:.3f}" for name in names)
        counted = f"{way} ({row['questions']} questions)" if "questions" in row else way
        lines.append(f"{counted:36s}" + "".join(f"{value:>10s}" for value in values))
    spoilt = [f"spoilt by {each['way']}: {each['question']}: {each['answer']}" for each in report["spoilt"]]
    return "\n".join([*lines, f"{len(spoilt)} right answers were turned into wrong ones.", *spoilt])


_TURNS = ("new", "known")


def _spoilt(rows: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    """Return the questions that one policy answers rightly and a team does not."""
    alone = {row["number"] for row in rows if row["way"] == SOLO and row["measures"]["right"] == 1}
    return [
        {"way": row["way"], "question": row["question"], "answer": str(row["answer"])}
        for row in rows
        if row["way"] != SOLO and row["number"] in alone and row["measures"]["right"] != 1
    ]


def _rows(
    questions: Sequence[BenchQuestion],
    options: AblationOptions,
    stop: threading.Event,
    endpoint: Endpoint | None,
) -> Iterator[dict[str, Any]]:
    """Yield the results, each question by every way in turn, so that a busy machine slows all alike."""
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="treeline-")))
        managers = {
            way: opened.enter_context(open_manager(folder / str(number), options.data))
            for number, way in enumerate(WAYS)
        }
        for number, asked in enumerate(questions, start=1):
            for way, manager in managers.items():
                bank = MemoryBank(manager.store)
                # The same team with the same database: only what it remembers is taken away.
                if way == EMPTY:
                    for item in bank.items():
                        bank.remove(item.key)
                uses = _uses(bank)
                how = replace(options.run_options(), **WAYS[way], choices=asked.choices)
                row = work_on(manager, asked, how, stop, endpoint)
                if row is None:
                    return
                # An item that was used counts up: that is how the bank tells that it knew the kind
                # of question.
                yield {"way": way, "number": number, **row, "known": _uses(bank) > uses}


def _uses(bank: MemoryBank) -> int:
    return sum(item.uses for item in bank.items())


@contextmanager
def demo_data(folder: str = "") -> Iterator[tuple[list[BenchQuestion], str]]:
    """Yield the questions on the demo and the folder of its rasters, which are made where none is named."""
    with tempfile.TemporaryDirectory(prefix="treeline-demo-") as made:
        place = Path(folder or made) / "demo"
        write_demo(place, size=_SIZE)
        yield demo_questions(place), str(place)
