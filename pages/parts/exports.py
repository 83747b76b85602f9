"""A run as files to take away: JSON, Markdown, the trajectory, its products."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from core.actions import Call, action_name
from core.events import to_json
from core.state import Step
from core.teams.report import team_report
from pages.parts.runview import RunView
from pages.parts.services import services

REPLAY = "-replay"


def show_exports(view: RunView, run: str, series: str = "") -> None:
    """Show the downloads of a run; ``series`` is what its evidence holds by date, as CSV."""
    run = run.removesuffix(REPLAY)
    with st.popover(
        "Export", icon=":material/download:", help="Take away", key="exports", on_change="rerun"
    ) as part:
        if not part.open:
            return
        st.download_button(
            "Answer and steps, JSON",
            lambda: run_json(view, run),
            f"{run}.json",
            "application/json",
            icon=":material/data_object:",
        )
        st.download_button(
            "Answer and steps, Markdown",
            lambda: run_markdown(view),
            f"{run}.md",
            "text/markdown",
            icon=":material/article:",
        )
        st.download_button(
            "Trajectory, one event per line",
            lambda: trajectory(run),
            f"{run}.jsonl",
            "application/jsonl",
            icon=":material/list:",
        )
        if series:
            st.download_button("Series, CSV", series, f"{run}.csv", "text/csv", icon=":material/show_chart:")
        if view.products:
            st.download_button(
                "Products, ZIP",
                lambda: products_zip(view),
                f"{run}.zip",
                "application/zip",
                icon=":material/folder_zip:",
            )
        with st.popover("Copy as text", icon=":material/content_copy:"):
            st.code(run_markdown(view), language=None, wrap_lines=True, height=300)


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
    return "".join(f"{to_json(stored.event)}\n" for stored in services().store.events(run))


def products_zip(view: RunView) -> bytes:
    """Return what the run wrote, as one archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for _, product in view.products:
            if Path(product.path).is_file():
                archive.write(product.path, product.name)
    return stream.getvalue()
