"""A run as files to take away: JSON, Markdown, the trajectory, its products."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from treeline.core.engine.events import to_json
from treeline.core.engine.journal import events_of
from treeline.core.runs.reporting import run_result
from treeline.core.runs.result import RunResult, StepResult
from treeline.pages.parts.shared.opening import REPLAY
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.services import services


def show_exports(view: RunView, run: str, series: str = "") -> None:
    """Show the downloads of a run; ``series`` is what its evidence holds by date, as CSV."""
    run = run.removesuffix(REPLAY)

    def result() -> RunResult:
        return run_result(services().store, run)

    with st.popover(
        "Export", icon=":material/download:", help="Take away", key="exports", on_change="rerun"
    ) as part:
        if not part.open:
            return
        _offer("Answer and steps, JSON", lambda: run_json(result()), run, "json", "data_object")
        _offer("Answer and steps, Markdown", lambda: run_markdown(result()), run, "md", "article")
        _offer("Trajectory, one event per line", lambda: trajectory(run), run, "jsonl", "list")
        if series:
            _offer("Series, CSV", lambda: series, run, "csv", "show_chart")
        if view.products:
            _offer("Products, ZIP", lambda: products_zip(view), run, "zip", "folder_zip")
        with st.popover("Copy as text", icon=":material/content_copy:"):
            st.code(run_markdown(result()), language=None, wrap_lines=True, height=300)


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


def run_json(result: RunResult) -> str:
    """Return a run as ``ask --json`` prints it."""
    return json.dumps(result.to_json(), ensure_ascii=False, indent=1, allow_nan=False)


def run_markdown(result: RunResult) -> str:
    """Return question, answer and steps for a report."""
    lines = [f"# {result.question}", ""]
    if result.read_as:
        lines += [f"Read as: {result.read_as}", ""]
    if result.answer is not None:
        lines += [f"**{result.choice}** {result.answer}" if result.choice else result.answer, ""]
    if result.status not in (None, "answered"):
        lines += [f"Status: {result.status}. {result.reason}".strip(), ""]
    lines += [f"- Reading {each.number}: {each.read_as}" for each in result.readings]
    return "\n".join([*lines, *(line for step in result.steps for line in _step_lines(step))])


def _step_lines(step: StepResult) -> list[str]:
    found = step.observation
    lines = [f"## {step.number}. {step.action} {step.name} ({step.seconds:.2f} s)", ""]
    if step.thought:
        lines += [step.thought, ""]
    if step.action == "call":
        lines += ["```json", json.dumps(found.arguments or step.arguments, ensure_ascii=False), "```"]
    lines += ["```", found.text, "```"]
    if found.hint:
        lines.append(found.hint)
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
