"""A pinned answer: the question, the answer, its map and chart, what changed, and how it is asked again."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import streamlit as st

from treeline.core.confinement import call
from treeline.core.engine.journal import events_of
from treeline.core.record.pins import Pin
from treeline.core.record.store import RunRecord
from treeline.core.runs.pins import INTERVALS, Change
from treeline.core.runs.result import RunResult
from treeline.core.serving.tiles import unit_text
from treeline.pages.parts.shared.answer import STATUS
from treeline.pages.parts.shared.clock import moment_text
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.opening import open_run
from treeline.pages.parts.shared.run_view import run_view
from treeline.pages.parts.shared.services import services
from treeline.pages.parts.shared.text import plain
from treeline.pages.parts.workbench.series import evidence_series, show_series
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster.pictures import map_picture

_CHART_HEIGHT = 180


def show_card(pin: Pin, *, wall: bool) -> None:
    """Show a pinned answer; on a wall without what can be pressed."""
    record = services().manager.record(pin.run)
    result = services().pins.result(pin)
    with st.container(border=True, key=f"pin-{pin.id}"):
        st.markdown(f"**{plain(record.question)}**")
        if result.read_as:
            st.caption(f"Read as: {plain(result.read_as)}")
        _show_answer(record, result)
        _show_change(services().pins.change(pin))
        _show_picture(result)
        _show_chart(pin)
        st.caption(_told_when(pin, record))
        if not wall:
            _show_controls(pin, record)


def _show_answer(record: RunRecord, result: RunResult) -> None:
    colour, icon, word = STATUS[record.status]
    if record.status != "answered":
        st.badge(word, icon=f":material/{icon}:", color=colour)  # type: ignore[arg-type]
    if result.answer:
        st.markdown(f"### {plain(result.answer)}" if len(result.answer) < 60 else plain(result.answer))
    elif record.finished:
        st.caption(plain(result.reason))


def _show_change(change: Change | None) -> None:
    if change is None:
        return
    if change.same:
        st.caption(":material/drag_handle: As before")
        return
    told = ""
    if change.difference:
        unit = unit_text(change.unit)
        told = f"{change.difference:+.4g}{f' {unit}' if unit else ''}; "
    st.markdown(f":material/change_history: **{told}before:** {plain(change.before)}")


def _show_picture(result: RunResult) -> None:
    if not result.map or not result.map.lower().endswith((".tif", ".tiff")):
        return
    try:
        path = Path(result.map)
        st.image(_picture(path, path.stat().st_mtime_ns), width="stretch")
    except (TreelineError, OSError):
        st.caption("The map of this answer is gone.")


@lru_cache(maxsize=32)
def _picture(path: Path, modified: int) -> bytes:
    return call(map_picture, path)


def _show_chart(pin: Pin) -> None:
    view = run_view(events_of(services().store, pin.run))
    answer = view.finished.answer if view.finished else None
    if answer is None:
        return
    series = evidence_series(view, answer, services().manager.workspace(pin.workspace))
    if series.points:
        show_series(series, height=_CHART_HEIGHT, key=f"series-{pin.id}")


def _told_when(pin: Pin, record: RunRecord) -> str:
    told = f"Asked {moment_text(record.created)}"
    if pin.every:
        told += (
            f"; {INTERVALS[pin.every].lower()} it is looked for new scenes, last {moment_text(pin.looked)}"
        )
    return told


def _show_controls(pin: Pin, record: RunRecord) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if services().pins.is_own(pin):
            st.button(
                "Ask again", icon=":material/refresh:", key=f"again-{pin.id}", disabled=not record.finished,
                on_click=_tell_refusal, args=("ask", pin.id),
            )  # fmt: skip
            st.selectbox(
                "Look for new scenes", list(INTERVALS), list(INTERVALS).index(pin.every),
                format_func=INTERVALS.__getitem__, key=f"every-{pin.id}", width=170,
                on_change=_tell_refusal, args=("schedule", pin.id),
            )  # fmt: skip
            st.button(
                "Unpin", icon=":material/keep_off:", type="tertiary", key=f"unpin-{pin.id}",
                on_click=_tell_refusal, args=("remove", pin.id),
            )  # fmt: skip
        if st.button("Open", icon=":material/explore:", type="tertiary", key=f"open-{pin.id}"):
            open_run(record)


def _tell_refusal(what: str, pin: str) -> None:
    """Do something to a pin, and say why where it cannot be done."""
    pins = services().pins
    try:
        match what:
            case "ask":
                pins.ask(pin, session_endpoint())
            case "schedule":
                pins.schedule(pin, st.session_state[f"every-{pin}"])
            case _:
                pins.remove(pin)
    except TreelineError as error:
        st.toast(plain(str(error)), icon=":material/error:")
