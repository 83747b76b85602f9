"""Workbench: ask a question, watch the tree open, see every raster on the map."""

from __future__ import annotations

import time
from dataclasses import replace

import streamlit as st

from treeline.core.access import acting_person
from treeline.core.engine.journal import events_of, recorded_draft
from treeline.core.engine.waiting import find_awaited
from treeline.core.errors import RecordError
from treeline.core.record.store import RunRecord
from treeline.core.runs.rephrasing import whole_question
from treeline.pages.parts.map.area import keep_address
from treeline.pages.parts.shared import selection
from treeline.pages.parts.shared.announcer import announce
from treeline.pages.parts.shared.answer import answer_text
from treeline.pages.parts.shared.drawing import begin_drawing
from treeline.pages.parts.shared.faults import tell_lost_record
from treeline.pages.parts.shared.reading import is_reading, show_reader_line
from treeline.pages.parts.shared.run_view import RunView, run_view
from treeline.pages.parts.shared.services import REPLAY, current_workspace, services, workspace_of
from treeline.pages.parts.shared.session import pending_start
from treeline.pages.parts.shared.text import plain
from treeline.pages.parts.shared.tour import show_tour
from treeline.pages.parts.workbench.panel import show_view
from treeline.pages.parts.workbench.question import show_question
from treeline.pages.parts.workbench.rounds import show_round_picker
from treeline.pages.parts.workbench.styles_in_address import keep_styles, take_styles
from treeline.pages.parts.workbench.team.model import team_of
from treeline.toolkit.errors import InputError

# A run is looked at less often while it waits for a person, who may answer it elsewhere, and where looking
# takes long: on a busy server the looks of many are what keeps it busy.
POLL_SECONDS, WAIT_SECONDS = 0.5, 3.0
_PAUSES_A_LOOK = 5
_LOOK = "seconds-of-a-look"


def main() -> None:
    name, workspace = current_workspace()
    keep_address()
    selection.take_address()
    take_styles()
    record = current_run(name)
    running = record is not None and not record.is_finished
    waiting = record is not None and running and is_waiting(record.id)
    with st.container(key="problems"):
        for problem in st.session_state.pop("problems", ()):
            st.error(plain(problem), icon=":material/error:")
    # First for the keyboard, and one can type while the map is drawn; it is seen below that.
    with st.container(key="ask-box"):
        if is_reading():
            show_reader_line(found=record is not None)
        else:
            show_question(workspace, record, waiting=waiting)
    if is_reading() and record is None:
        return
    show_tour()
    with st.spinner("Looking at the rasters"):
        _ = workspace.rasters
    pause = WAIT_SECONDS if waiting else pause_after(st.session_state.get(_LOOK, 0.0))
    st.fragment(run_every=pause if running else None)(draw_run)(
        name, record.id if record else None, running, waiting, pause
    )


def current_run(workspace: str) -> RunRecord | None:
    """Return the run that has just begun, that of the address, or the one that the session looked at last."""
    new = pending_start()
    asked = new.name or st.query_params.get("run") or st.session_state.get("run")
    try:
        record = services().manager.record(asked) if asked else None
    except InputError:
        record = None
    if new.name:
        selection.clear()
    if record is None or record.workspace != workspace:
        new.name = ""
        # A reader who is not let in yet loads the same link again.
        if not is_reading():
            if record is None and asked and "run" not in st.session_state:
                others = "" if acting_person().local else " or is not shared with you"
                st.session_state["problems"] = [f"The run of this address is not here{others}."]
            st.query_params.pop("run", None)
            st.session_state.pop("run", None)
        return None
    if not new.name and st.session_state.get("run") not in (None, record.id):
        # Another address, by the browser's way back: the box would keep the question that was left behind,
        # and tree, steps and map what was selected there.
        st.session_state["question"] = whole_question(record)
        selection.take_address(anew=True)
    st.session_state["run"] = record.id
    st.query_params["run"] = record.id
    new.name = ""
    return record


def is_waiting(run: str) -> bool:
    """Return whether a run waits for a person."""
    return find_awaited(stored.event for stored in events_of(services().store, run)) is not None


def pause_after(seconds: float) -> float:
    """Return the seconds between two looks at a run of which one takes so long."""
    return min(max(POLL_SECONDS, _PAUSES_A_LOOK * seconds), WAIT_SECONDS)


def draw_run(workspace: str, run: str | None, was_running: bool, was_waiting: bool, pause: float) -> None:
    """Show the run as the store has it now, or that the store cannot be read."""
    begun = time.monotonic()
    begin_drawing()  # the page around it may have been drawn long ago
    try:
        _draw_run(workspace, run, was_running, was_waiting)
    except RecordError as error:
        tell_lost_record(error)
    # One look alone may have been slow.
    st.session_state[_LOOK] = seconds = (st.session_state.get(_LOOK, 0.0) + time.monotonic() - begun) / 2
    if was_running and not was_waiting and not pause / 2 <= pause_after(seconds) <= 2 * pause:
        st.rerun()  # the browser keeps to the pause that it was told


def _draw_run(workspace: str, run: str | None, was_running: bool, was_waiting: bool) -> None:
    if pending_start().name:
        st.rerun()
    store = services().store
    record = store.run(run) if run else None
    shown = show_round_picker(store, run) if run else ""
    view = run_view(events_of(store, shown)) if run else RunView()
    if was_running:
        view = replace(view, draft=recorded_draft(store, shown))
    # The whole page looks at a run that goes on, and no more at one that has ended.
    if was_running is not (record is not None and not record.is_finished):
        st.rerun()
    if was_running and (view.awaited is not None) != was_waiting:
        st.rerun()
    trouble = services().manager.trouble(run) if run else ""
    if trouble:
        st.error(plain(f"{trouble} The run ends once it can be written again."), icon=":material/error:")
    team = team_of(store, shown)
    asked = whole_question(record) if record else ""
    announce(answer_text(view, record.status if record else None), begin_at="Question", written=asked)
    named = f"{shown}{REPLAY}" if is_reading() else shown
    show_view(workspace_of(workspace, record), view, record.status if record else None, named, team)
    selection.keep_address()
    keep_styles()


main()
