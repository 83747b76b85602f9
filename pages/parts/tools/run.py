"""A tool that is run by its form: a run as any other, in the background, and what came out of it."""

from __future__ import annotations

import json
import re
from typing import Any

import streamlit as st

from treeline.core.engine.actions import Call, Observation
from treeline.core.engine.journal import events_of
from treeline.core.engine.observations import shorten
from treeline.core.policies.form import Form
from treeline.core.record.store import RunRecord
from treeline.core.runs.options import RunOptions
from treeline.pages.parts.map.layers import geographic_bounds, product_entries, union
from treeline.pages.parts.map.leaflet import DrawnLayer, show_map
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.opening import open_run
from treeline.pages.parts.shared.run_view import run_view
from treeline.pages.parts.shared.services import services
from treeline.pages.parts.shared.text import plain, tell_apart
from treeline.pages.parts.tools.form import label_of
from treeline.pages.parts.workbench.style_panel import style_of
from treeline.toolkit import Tool

_LONGEST_QUESTION = 200
_POLL, _PATIENCE = 0.5, 1.0


def start_tool(tool: Tool, arguments: dict[str, Any], workspace: str, options: RunOptions) -> str:
    """Start a run of one call, which appears among the runs, and return its identifier.

    Raises
    ------
    TreelineError
        It cannot be started here.
    """
    told = shorten(json.dumps(arguments, ensure_ascii=False, default=str), _LONGEST_QUESTION)
    run = services().manager.play(
        workspace,
        f"By its form: {tool.name} {told}",
        options,
        Form(Call(tool.name, arguments)),
        session_endpoint(speaks=False),
    )
    # What is quick is shown at once.
    services().manager.wait(run, _PATIENCE)
    return run


def show_run(run: str, tool: Tool, key: str) -> None:
    """Show a run while it works, with a button that stops it, and then what it gave."""
    record = services().store.run(run)
    if record is None:
        return
    st.fragment(run_every=None if record.is_finished else _POLL)(_live)(
        run, tool, key, was_running=not record.is_finished
    )


def _live(run: str, tool: Tool, key: str, *, was_running: bool) -> None:
    record = services().store.run(run)
    if record is None:
        return
    if record.is_finished and was_running:
        st.rerun()
    view = run_view(events_of(services().store, run))
    if not record.is_finished:
        done = view.progress
        share = min(done.done / done.total, 1.0) if done is not None and done.total else 0.0
        st.progress(share, text=f"{done.done} of {done.total} {plain(done.label)}" if done else "Running")
        st.button(
            "Stop", icon=":material/stop:", on_click=services().manager.stop, args=(run,), key="tool-stop"
        )
        return
    if view.state.calls:
        show_result(view.state.calls[-1].observation, tool, key)
    elif view.finished is not None:
        st.error(plain(view.finished.reason or "The run was stopped."), icon=":material/error:")
    _links(record)


def _links(record: RunRecord) -> None:
    if st.button("Open on the Workbench", icon=":material/explore:", type="tertiary", key="tool-open"):
        open_run(record)


def in_labels(text: str, tool: Tool) -> str:
    """Return what a refusal says in the words of the form: labels for parameters, and no signature."""
    # The signature is for who writes calls; here the form is one.
    said = text.partition(" Signature: ")[0]
    for parameter in tool.parameters:
        name = re.escape(parameter.name)
        said = re.sub(rf"'{name}'|\b{name}\b(?=[:,])", label_of(parameter), said)
    return said


def show_result(observation: Observation, tool: Tool, key: str) -> None:
    """Show what a call answered, and its rasters."""
    if not observation.is_success:
        st.error(plain(in_labels(observation.text, tool)), icon=":material/block:")
        st.markdown(f":material/lightbulb: {plain(in_labels(observation.hint, tool))}")
        return
    st.code(observation.text, language=None, wrap_lines=True)
    for warning in observation.warnings:
        st.warning(plain(warning), icon=":material/warning:")
    entries = [e for e in product_entries((0, p) for p in observation.products) if e.layer.on_map][::-1]
    if not entries:
        return
    chosen = entries[0]
    if len(entries) > 1:
        by_key = {entry.key: entry for entry in entries}
        labels = tell_apart({entry.key: entry.title for entry in entries})
        chosen = by_key[st.selectbox("Product", list(by_key), format_func=labels.__getitem__)]
    style = style_of(chosen)
    if style is not None:
        show_map(
            [DrawnLayer(chosen, style)],
            union(geographic_bounds(e.layer.description) for e in entries),
            key=key,
            height=360,
        )
