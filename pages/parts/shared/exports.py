"""A run as files to take away: JSON, Markdown, the trajectory, its products."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from treeline.core.engine.actions import Call, action_name
from treeline.core.engine.events import to_json
from treeline.core.engine.journal import events_of
from treeline.core.engine.state import Step
from treeline.core.teams.report import team_report
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.services import services

REPLAY = "-replay"


def show_exports(view: RunView, run: str, series: str = "") -> None:
    """Show the downloads of a run; ``series`` is what its evidence holds by date, as CSV."""
    run = run.removesuffix(REPLAY)
    with st.popover(
        "Export", icon=":material/download:", help="Take away", key="exports", on_change="rerun"
    ) as part:
        if not part.open:
            return
        _offer("Answer and steps, JSON", lambda: run_json(view, run), run, "json", "data_object")
        _offer("Answer and steps, Markdown", lambda: run_markdown(view), run, "md", "article")
        _offer("Trajectory, one event per line", lambda: trajectory(run), run, "jsonl", "list")
        if series:
            _offer("Series, CSV", lambda: series, run, "csv", "show_chart")
        if view.products:
            _offer("Products, ZIP", lambda: products_zip(view), run, "zip", "folder_zip")
        with st.popover("Copy as text", icon=":material/content_copy:"):
            st.code(run_markdown(view), language=None, wrap_lines=True, height=300)


_KINDS = {
    "json": "application/json",
    "md": "text/markdown",
    "jsonl": "application/jsonl",
    "csv": "text/csv",
    "zip": "application/zip",
}


def _offer(label: str, content: Callable[[], str | bytes], run: str, suffix: str, icon: str) -> None:
    """Show the download of a file that is made when it is asked for."""
    st.download_button(label, content, f"{run}.{suffix}", _KINDS[suffix], icon=f":material/{icon}:")


def run_json(view: RunView, run: str) -> str:
    """Return question, answer and steps as JSON, with what the record says of a team."""
    finished = view.finished
    body: dict[str, Any] = {
        "question": view.state.question,
        "choices": list(view.state.choices),
        "status": finished.status if finished else "running",
        "reason": finished.reason if finished else "",
        "answer": asdict(finished.answer) if finished and finished.answer else None,
        "steps": [asdict(step) for step in view.steps],
        "tokens": asdict(view.state.tokens),
        "seconds": round(view.seconds, 3),
    }
    team = team_report(services().store, run)
    if team:
        body["team"] = team
    return json.dumps(body, ensure_ascii=False, indent=1, default=str)


def run_markdown(view: RunView) -> str:
    """Return question, answer and steps for a report."""
    answer = view.finished.answer if view.finished else None
    lines = [f"# {view.state.question}", ""]
    if answer:
        lines += [f"**{answer.choice}** {answer.text}" if answer.choice else answer.text, ""]
    elif view.finished:
        lines += [view.finished.reason, ""]
    return "\n".join([*lines, *(line for step in view.steps for line in _step_lines(step))])


def _step_lines(step: Step) -> list[str]:
    lines = [f"## {step.number}. {step.action.kind} {action_name(step.action)} ({step.seconds:.2f} s)", ""]
    if step.thought:
        lines += [step.thought, ""]
    if isinstance(step.action, Call):
        lines += [
            "```json",
            json.dumps(step.observation.arguments or step.action.arguments, ensure_ascii=False),
            "```",
        ]
    lines += ["```", step.observation.text, "```"]
    if step.observation.hint:
        lines.append(step.observation.hint)
    return [*lines, ""]


def trajectory(run: str) -> str:
    """Return the events of a run, a line each."""
    return "".join(f"{to_json(stored.event)}\n" for stored in events_of(services().store, run))


def products_zip(view: RunView) -> bytes:
    """Return what the run wrote, as one archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for _, product in view.products:
            if Path(product.path).is_file():
                archive.write(product.path, product.name)
    return stream.getvalue()
