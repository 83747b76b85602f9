"""The question: typed or taken from the examples; Ask and Stop."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from treeline.core.engine.journal import expression_of
from treeline.core.policies.names import PERSON
from treeline.core.query.examples import examples, others
from treeline.core.record.store import RunRecord
from treeline.core.runs.names import CALLS
from treeline.core.runs.options import RunOptions
from treeline.core.runs.question_options import split_options
from treeline.core.runs.rephrasing import thread_of, whole_question
from treeline.core.workspace import Workspace
from treeline.pages.parts.map.area import session_area_option
from treeline.pages.parts.shared.fields import show_text_field
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.resuming import RESUMABLE, resume, resume_label, used_up
from treeline.pages.parts.shared.services import is_own_run, services
from treeline.pages.parts.shared.session import keep, pending_start, widget_value
from treeline.pages.parts.shared.sidebar import chosen_options, show_copying
from treeline.pages.parts.shared.text import shorten
from treeline.pages.parts.workbench.thread import (
    branch,
    rephrasing_of,
    show_edited,
    show_following,
    show_thread,
)
from treeline.toolkit.errors import TreelineError

_FIRST, _BEFORE = 4, 48
# A double press is quicker, and nobody reads an answer and asks again so soon.
DOUBLE_SECONDS = 1.0


def show_question(workspace: Workspace, record: RunRecord | None, *, waiting: bool = False) -> None:
    """Show the line in which a question is typed.

    Parameters
    ----------
    waiting : bool
        Whether the run waits for a person, so that there is nothing to pause.
    """
    if not workspace.writable:
        show_copying()
        return
    running = record is not None and not record.is_finished
    shown = record.id if record else ""
    followed = _run_to_change(record)
    # A run that is opened by its address shows the question that can be edited.
    keep("question", whole_question(record) if record else "")
    keep("choices", "")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="ask-row"):
        # In the order of the keyboard; what is seen before the question is put there by style.
        with (
            st.form("ask", border=False),
            st.container(horizontal=True, vertical_alignment="center", gap="xsmall"),
        ):
            show_text_field(
                "Question",
                "question",
                label_visibility="collapsed",
                placeholder="Ask a question of these rasters",
            )
            st.form_submit_button(
                "Ask",
                type="primary",
                icon=":material/play_arrow:",
                disabled=running,
                on_click=_ask_after,
                args=(shown,),
            )
        _stop_or_resume(record, running=running, waiting=waiting)
        _examples(workspace)
        show_edited(record)
        if record is not None and (followed or record.options.get("after") or record.options.get("edited")):
            show_thread(record, _show)
        count = len(_choices())
        with st.popover(
            f"Options ({count})" if count else "Options",
            icon=":material/checklist:",
            help="Options to choose from",
        ):
            st.text_area(
                "Options, one per line",
                widget_value("choices"),
                key="choices",
                placeholder="A. 0.31\nB. 0.42",
            )


def _run_to_change(record: RunRecord | None) -> RunRecord | None:
    """Return the run that a fragment would change: this one, or where it was not understood one before it."""
    if record is None or not record.is_finished or widget_value("policy") != "planner":
        return None
    store = services().store
    return next((each for each in reversed(thread_of(store, record)) if expression_of(store, each.id)), None)


def _examples(workspace: Workspace) -> None:
    with st.popover(
        "Examples",
        icon=":material/lightbulb:",
        help="Examples that fit this workspace",
        key="examples",
        on_change="rerun",
    ) as part:
        if part.open:
            for i, text in enumerate(examples(workspace.collections)):
                st.button(text, key=f"example-{i}", type="tertiary", on_click=_take, args=(text,))


def show_first_questions(workspace: Workspace) -> None:
    """Show a few questions that fit the workspace; a click asks one."""
    if not workspace.writable:
        return
    if not workspace.collections:
        st.page_link("data.py", label="Add rasters on the Data page first.", icon=":material/upload:")
        return
    st.caption("Such as:")
    shown = st.session_state.get("run") or ""
    record = services().store.run(shown) if shown else None
    left = others(workspace.collections, record.question if record else "", _FIRST)
    with st.container(gap=None, key="first"):
        for i, text in enumerate(left):
            asked = st.button(
                text,
                key=f"first-{i}",
                type="tertiary",
                icon=":material/lightbulb:",
                on_click=_ask_this,
                args=(text, shown),
            )
            if asked:
                st.rerun()


def show_instead(workspace: Workspace, run: str) -> None:
    """Show what can be asked instead of a question that was declined, after the one before it or anew."""
    before = _run_to_change(services().store.run(run))
    if before is not None and before.id != run:
        told = f"Back to \u201c{shorten(before.question, _BEFORE)}\u201d"
        show_following(before.id, ask_following, told)
    show_first_questions(workspace)


def _ask_this(text: str, shown: str) -> None:
    if _is_pressed_again(shown, text):
        return
    _take(text)
    _start(chosen_options(_choices()))


def _stop_or_resume(record: RunRecord | None, *, running: bool, waiting: bool) -> None:
    if record is not None and not is_own_run(record.id):
        return
    # What ended by its budget goes on from the answer, where that is told.
    if record is not None and record.status in RESUMABLE and not used_up(record):
        st.button("Resume", icon=":material/resume:", on_click=_resume, args=(record,), key="resume")
    else:
        run = record.id if record else ""
        stops = running and services().manager.is_stopping(run)
        # A person's run waits at every step.
        if (
            record is not None
            and running
            and not waiting
            and not stops
            and record.options.get("policy") != PERSON
        ):
            st.button(
                "Pause",
                icon=":material/pause:",
                on_click=services().manager.set_approval,
                key="pause",
                args=(run, CALLS),
                help="The run asks you before its next call.",
            )
        st.button(
            "Stop",
            icon=":material/stop:",
            disabled=not running or stops,
            on_click=_stop,
            args=(run,),
            key="stop",
        )


def _take(text: str) -> None:
    st.session_state["question"] = text


def _is_pressed_again(shown: str, question: str) -> bool:
    """Return whether a press is the second of a double one.

    Another run has begun since the page was drawn on which was pressed; or that page already shows the run,
    whose end came at once.
    """
    if (pending_start().name or st.session_state.get("run") or "") != shown:
        return True
    record = services().store.run(shown) if shown else None
    if record is None or record.question != split_options(question)[0]:
        return False
    return (datetime.now(UTC) - record.created).total_seconds() < DOUBLE_SECONDS


def _ask_after(run: str) -> None:
    """Ask the question; a fragment follows the run that is shown, a question of its own nothing.

    Which run that is, is looked up now: the form may have been drawn before the run's end was told. A
    question that was edited follows what it followed before.
    """
    question = st.session_state["question"]
    if _is_pressed_again(run, question):
        return
    edited = branch()
    after = edited.after if edited.edited else _run_before(question, run)
    _start(replace(chosen_options(_choices()), after=after, edited=edited.edited))


def _run_before(question: str, shown: str) -> str:
    """Return the run that a question follows, if it is a fragment of a conversation; empty if it is none."""
    followed = _run_to_change(services().store.run(shown)) if shown else None
    if followed is None:
        return ""
    found = rephrasing_of(followed.id)
    return followed.id if found is None or found.leads_to(split_options(question)[0]) else ""


def ask_following(question: str, run: str) -> None:
    """Ask a question that follows a run, as that one was asked; called before the page is drawn."""
    record = services().store.run(run)
    if record is None or _is_pressed_again(run, question):
        return
    _take(question)
    options = RunOptions.from_json(record.options)
    _start(replace(options, after=run, edited="", reading=0, choices=(), aoi=None), question)


def _start(options: RunOptions, question: str = "") -> None:
    edited = branch()
    # The workspace that is chosen now: the page may still be the one of the workspace before.
    name = widget_value("workspace")
    asked = question or st.session_state["question"]
    if split_options(asked)[1]:  # seen in the question, and so meant before those of a closed list
        options = replace(options, choices=())
    endpoint, new = session_endpoint(), pending_start()
    try:
        area = session_area_option(services().library.get(name))
        start = services().manager.start
        new.begin(partial(start, name, asked, replace(options, aoi=area), endpoint))
        edited.clear()
    except TreelineError as error:
        st.session_state["problems"] = (str(error),)


def _show(record: RunRecord) -> None:
    """Show another run of the thread, with its question."""
    new, edited = pending_start(), branch()
    _take(whole_question(record))
    # The page takes the run from here: one written into the session too may be missed, see pending_start.
    new.name = record.id
    edited.clear()


def _choices() -> tuple[str, ...]:
    lines = str(widget_value("choices") or "").splitlines()
    return tuple(line.strip() for line in lines if line.strip())


def show_more_budget(run: str) -> None:
    """Offer that a run that used up its budget goes on with as much again."""
    record = services().store.run(run) if run else None
    if record is None or not is_own_run(record.id) or not used_up(record):
        return
    # By a callback: what is pressed while the page is drawn for another reason would be lost otherwise.
    st.button(resume_label(record), icon=":material/resume:", on_click=_resume, args=(record,), key="go-on")


def _resume(record: RunRecord) -> None:
    try:
        resume(record)
    except TreelineError as error:
        st.session_state["problems"] = (str(error),)


def _stop(run: str) -> None:
    services().manager.stop(run)
