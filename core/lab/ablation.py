"""What each part of the evolver is worth: the same questions with parts switched off.

After GeoEvolver, table 4: full, without contrast, also without parallel exploration, also without
memory, a single agent.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from core.events import RunFinished
from core.lab.metrics import average
from core.ledger import ledger_of
from core.options import RunOptions
from core.runs import RunManager
from core.state import state_of
from core.store import Store
from core.teams.report import variant_costs
from core.workspace import Workspace
from toolkit.context import TellProgress

SETTINGS: dict[str, dict[str, Any]] = {
    "full": {"team": "evolver"},
    "without contrast": {"team": "evolver", "without": ("contrast",)},
    "without exploration": {"team": "evolver", "without": ("contrast", "exploration")},
    "without memory": {"team": "evolver", "without": ("contrast", "exploration", "memory")},
    "single agent": {"team": "solo"},
}
MEASURES = ("answered", "right", "steps", "seconds", "tokens")


class Asked(BaseModel):
    """A question with what is right, where that is known: a value, or the letter of an option."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    question: str = Field(min_length=1)
    value: float | None = None
    choices: tuple[str, ...] = ()
    choice: str | None = None


def run_ablation(
    questions: Sequence[Asked],
    data: Sequence[str],
    folder: Path,
    options: RunOptions | None = None,
    progress: TellProgress | None = None,
) -> dict[str, Any]:
    """Work on the questions in their order under each setting.

    Parameters
    ----------
    data : sequence of str
        Files or folders that are read in place.
    folder : Path
        For the stores: each setting has one of its own, since the memory bank is in it.

    Returns
    -------
    dict
        ``settings``: by name the mean of each of :data:`MEASURES` over the questions, and ``questions``,
        the measures of each. Steps, seconds of actions and tokens (as the ledger counts them) are those
        of all members together; ``elapsed`` is the time that a person waits.
    """
    report: dict[str, Any] = {}
    for done, (name, switches) in enumerate(SETTINGS.items()):
        manager = _manager(folder / name.replace(" ", "-"), data)
        setting = replace(options or RunOptions(), **switches)
        rows = []
        for number, asked in enumerate(questions):
            rows.append(_row(manager, asked, setting))
            if progress:
                progress(done * len(questions) + number + 1, len(SETTINGS) * len(questions), name)
        manager.store.close()
        report[name] = {**average([row["measures"] for row in rows]), "questions": rows}
    return {"bench": "ablation", "settings": report}


def _manager(home: Path, data: Sequence[str]) -> RunManager:
    workspace = Workspace(home / "workspace", [Path(source) for source in data])
    return RunManager(Store(home / "store.sqlite"), lambda name: workspace)


def _row(manager: RunManager, asked: Asked, options: RunOptions) -> dict[str, Any]:
    began = time.monotonic()
    run = manager.create("ablation", asked.question, replace(options, choices=asked.choices))
    finished = manager.work(run)
    elapsed = time.monotonic() - began
    state = state_of(stored.event for stored in manager.store.events(run))
    costs = variant_costs(manager.store, run)
    if not costs:
        seconds = sum(step.seconds for step in state.steps)
        costs = [{"steps": len(state.steps), "seconds": seconds, "input": ledger_of(state).input}]
    measures = {
        "answered": float(finished.status == "answered"),
        "right": _right(finished, asked),
        "steps": float(sum(cost["steps"] for cost in costs)),
        "seconds": float(sum(cost["seconds"] for cost in costs)),
        "tokens": float(sum(cost["input"] for cost in costs)),
        "elapsed": elapsed,
    }
    return {"question": asked.question, "run": run, "measures": measures}


def _right(finished: RunFinished, asked: Asked) -> float | None:
    answer = finished.answer
    if asked.choice is not None:
        return float(answer is not None and answer.choice == asked.choice)
    if asked.value is None:
        return None
    value = answer.value if answer else None
    return float(value is not None and math.isclose(value, asked.value, rel_tol=1e-2, abs_tol=1e-9))
