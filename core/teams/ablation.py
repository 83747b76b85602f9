"""What each part of the evolver is worth: the same questions with parts switched off.

After GeoEvolver, table 4: full, without contrast, also without parallel exploration, also without
memory, a single agent.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.events import RunFinished
from core.options import RunOptions
from core.runs import RunManager
from core.state import state_of
from core.teams.report import team_report, team_tokens

SETTINGS: dict[str, dict[str, Any]] = {
    "full": {"team": "evolver"},
    "without contrast": {"team": "evolver", "without": ("contrast",)},
    "without exploration": {"team": "evolver", "without": ("contrast", "exploration")},
    "without memory": {"team": "evolver", "without": ("contrast", "exploration", "memory")},
    "single agent": {"team": "solo"},
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the value that is right, where that is known."""

    question: str
    value: float | None = None


def run_ablation(
    manager_for: Callable[[str], RunManager], questions: Sequence[Asked], options: RunOptions, workspace: str
) -> dict[str, dict[str, float | None]]:
    """Return answered, right, steps, seconds and tokens a question, by setting.

    Parameters
    ----------
    manager_for : callable
        Returns a run manager for a setting; each needs a store of its own, since the memory bank is in it.
    """
    report = {}
    for name, switches in SETTINGS.items():
        manager = manager_for(name)
        rows = [_row(manager, asked, replace(options, **switches), workspace) for asked in questions]
        report[name] = {key: _mean([row[key] for row in rows]) for key in rows[0]} if rows else {}
    return report


def _row(manager: RunManager, asked: Asked, options: RunOptions, workspace: str) -> dict[str, float | None]:
    began = time.monotonic()
    run = manager.create(workspace, asked.question, options)
    finished = manager.work(run)
    seconds = time.monotonic() - began
    members = team_report(manager.store, run).get("members", [])
    state = state_of(stored.event for stored in manager.store.events(run))
    tokens = team_tokens(manager.store, run) if members else state.tokens
    return {
        "answered": float(finished.status == "answered"),
        "right": _right(finished, asked.value),
        "steps": float(sum(member["steps"] for member in members) if members else len(state.steps)),
        "seconds": seconds,
        "tokens": float(tokens.input + tokens.output),
    }


def _right(finished: RunFinished, wanted: float | None) -> float | None:
    if wanted is None:
        return None
    value = finished.answer.value if finished.answer else None
    return float(value is not None and math.isclose(value, wanted, rel_tol=1e-2, abs_tol=1e-9))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
