"""Runs: the history; open one, step through it, resume, stop, delete, take away."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from typing import Any

import streamlit as st

from treeline.core.access import acting_person
from treeline.core.engine.actions import TokenUse
from treeline.core.engine.journal import events_of
from treeline.core.lab.bench_marks import is_bench
from treeline.core.memory.rounds import shown_run
from treeline.core.record.store import RunRecord
from treeline.core.runs.lessons.lesson import Lesson, keep_lesson, lessons_in
from treeline.core.runs.rephrasing import thread_of, whole_question
from treeline.core.teams.names import SOLO
from treeline.pages.parts.runs.bundles import show_bundle, show_bundle_opening
from treeline.pages.parts.runs.stepping import show_stepping
from treeline.pages.parts.shared import selection
from treeline.pages.parts.shared.address import keep_chosen, keep_several
from treeline.pages.parts.shared.answer import STATUS, standing
from treeline.pages.parts.shared.choice import choose_row, search_words, tell_absent
from treeline.pages.parts.shared.clock import moment_column
from treeline.pages.parts.shared.exports import show_exports
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.opening import open_run
from treeline.pages.parts.shared.resuming import RESUMABLE, resume, resume_label
from treeline.pages.parts.shared.run_view import run_view
from treeline.pages.parts.shared.services import asker_of, is_own_run, may_work, services
from treeline.pages.parts.shared.session import values_of
from treeline.pages.parts.shared.sharing import show_sharing
from treeline.pages.parts.shared.text import plain, shorten
from treeline.pages.parts.workbench.team.model import team_of
from treeline.toolkit.errors import TreelineError

INSPECTED, LISTED = "inspected-run", "listed-run"
MOST_LISTED = 500


def main() -> None:
    fault = st.session_state.pop("run-fault", None)
    if fault:
        st.error(plain(fault))
    # In the address alone, so that a reload stays and the browser's way back leaves.
    inspected = st.query_params.get(INSPECTED)
    record = services().store.run(inspected) if inspected else None
    if record is None:
        _history()
    else:
        show_stepping(record, _leave)


def _leave() -> None:
    st.query_params.pop(INSPECTED, None)


def _history() -> None:
    keep_chosen(LISTED)
    found = services().store.runs(limit=MOST_LISTED)
    records = [record for record in found if not is_bench(record)]
    show_bundle()
    if not records:
        if may_work():
            st.info("No question was asked yet. Ask one on the Workbench.")
            show_bundle_opening()
        else:
            st.info("No run is shared with you yet.")
        return
    if len(found) == MOST_LISTED:
        st.caption(f"The newest {MOST_LISTED} are listed.")
    titles = {name: services().library.title(name) for name in services().library.names()}
    with st.container(horizontal=True, gap="small"):
        words = search_words("Search questions, answers, workspaces, status", key="history-search")
        keep_several("history-status", list(STATUS))
        ends = st.multiselect(
            "Status",
            list(STATUS),
            values_of("history-status", STATUS),
            format_func=lambda status: STATUS[status][2],
            placeholder="Any status",
            label_visibility="collapsed",
            key="history-status",
            width=320,
        )
        if may_work():
            show_bundle_opening()
    records = [record for record in records if not ends or record.status in ends]
    rows = {record.id: row for record in records if fits(row := _row(record, titles), words or "")}
    records = [record for record in records if record.id in rows]
    if not records:
        st.caption("No run fits.")
        return
    chosen = choose_row(
        list(rows.values()),
        list(rows),
        LISTED,
        height=table_height(len(records), 580),
        alt="Runs, the newest first",
        column_config={
            "Asked": moment_column(width=120),
            "By": st.column_config.TextColumn(width=110),
            "Question": st.column_config.TextColumn(width=270),
            "Status": st.column_config.TextColumn(width=125),
            "Answer": st.column_config.TextColumn(width=229 if acting_person().local else 119),
            **{name: st.column_config.Column(width=54) for name in ("Steps", "Seconds")},
            "Tokens": st.column_config.NumberColumn(width=70, format="localized"),
            "How": st.column_config.TextColumn(width=120, help="Policy, disclosure, team"),
            "Workspace": st.column_config.TextColumn(width=90),
        },
    )
    record = next((record for record in records if record.id == chosen), None)
    if record is None and not tell_absent(LISTED):
        st.caption("Choose a run to open it, step through it, resume or delete it.")
    if record is None:
        return
    _actions(record, here=record.workspace in titles)


def fits(row: Mapping[str, Any], words: str) -> bool:
    """Return whether a run has every word in what the table shows of it."""
    text = " ".join(str(value) for value in row.values()).casefold()
    return all(word in text for word in words.casefold().split())


def _row(record: RunRecord, titles: Mapping[str, str]) -> dict[str, Any]:
    view = _summary(record)
    # A run whose process was lost waits for nobody.
    waits = view["waits"] and not record.is_finished
    asker = asker_of(record)
    return {
        "Asked": record.created,
        **({"By": "you" if asker == acting_person().id else asker} if asker else {}),
        "Question": view["question"],
        "Status": "waits for you" if waits else standing(record.status, view["ended"])[2],
        "Answer": shorten(view["answer"], 200),
        "Steps": view["steps"],
        "Seconds": view["seconds"],
        "Tokens": view["tokens"],
        "How": " · ".join(_how(record)),
        "Workspace": titles.get(record.workspace, record.workspace),
    }


def _how(record: RunRecord) -> Iterator[str]:
    """Yield who chose the actions, how tools were disclosed, and the team where there was one."""
    yield str(record.options.get("policy", ""))
    yield str(record.options.get("disclosure", ""))
    team = str(record.options.get("team", SOLO))
    if team != SOLO:
        yield team


def _summary(record: RunRecord) -> dict[str, Any]:
    return _summary_of(record.id, record.updated.timestamp()) if record.is_finished else _measure(record.id)


@st.cache_data(max_entries=2000, show_spinner=False)
def _summary_of(run: str, updated: float) -> dict[str, Any]:
    return _measure(run)


def _measure(run: str) -> dict[str, Any]:
    store = services().store
    shown = shown_run(store, run)
    view = run_view(events_of(store, shown))
    team = team_of(store, shown)
    # The tokens and the ways that were not taken are with the members.
    states = [lane.view.state for lane in team.members] if team else [view.state]
    tokens = sum((state.tokens for state in states), team.orchestrator if team else TokenUse())
    answer = view.finished.answer if view.finished else None
    reason = view.finished.reason if view.finished else ""
    return {
        "question": _with_followed(run),
        "answer": answer.text if answer else reason,
        "waits": view.awaited is not None,
        "ended": view.finished,
        "steps": sum(len(state.steps) for state in states),
        "seconds": round(view.seconds, 2),
        "tokens": tokens.input + tokens.output,
    }


def _with_followed(run: str) -> str:
    """Return the question of a run with those before it: what a fragment means stands in them."""
    store = services().store
    record = store.run(run)
    return " ← ".join(whole_question(each) for each in reversed(thread_of(store, record))) if record else ""


def _actions(record: RunRecord, *, here: bool) -> None:
    manager, own = services().manager, is_own_run(record.id)
    view = run_view(events_of(services().store, shown_run(services().store, record.id)))
    summary = _summary(record)
    st.markdown(f"**{plain(summary['question'])}**")
    # Its column in the table is too narrow for most.
    if summary["answer"]:
        st.markdown(plain(summary["answer"]))
    if not here:
        st.caption("This run was made outside the workspaces of this server, so its rasters cannot be shown.")
    with st.container(horizontal=True, gap="xsmall"):
        if st.button("Open on the Workbench", icon=":material/explore:", disabled=not here, type="primary"):
            open_run(record)
        if st.button("Step through", icon=":material/slideshow:", disabled=not here):
            st.query_params[INSPECTED] = record.id
            selection.clear()
            st.rerun()
        if st.button(
            resume_label(record),
            icon=":material/resume:",
            disabled=record.status not in RESUMABLE or not own,
        ):
            _resume(record)
        st.button(
            "Stop",
            icon=":material/stop:",
            disabled=record.is_finished or not own,
            on_click=manager.stop,
            args=(record.id,),
        )
        if st.button("Delete", icon=":material/delete:", disabled=not record.is_finished or not own):
            _confirm_delete(record)
        if own and not acting_person().local:
            with st.popover("Share", icon=":material/share:"):
                show_sharing("run", record.id)
                st.caption("Of them, those see it who may see its workspace too.")
        if st.button("Make a lesson", icon=":material/school:", disabled=not (here and record.is_finished)):
            _make_lesson(record)
        show_exports(view, record.id)


def _make_lesson(record: RunRecord) -> None:
    folder = services().library.get(record.workspace).folder
    known = {lesson.run for lesson in lessons_in(folder)}
    if record.id not in known:
        keep_lesson(folder, Lesson(run=record.id, title=shorten(_with_followed(record.id), 120)))
    st.switch_page("lessons.py", query_params={"lesson": record.id})


def _resume(record: RunRecord) -> None:
    try:
        resume(record)
    except TreelineError as error:
        st.session_state["run-fault"] = str(error)
        st.rerun()
    open_run(record)


@st.dialog("Delete the run?")
def _confirm_delete(record: RunRecord) -> None:
    st.markdown(f"**{plain(record.question)}**")
    st.caption("Its record and the rasters that it wrote are deleted. Inputs stay.")
    if st.button("Delete", type="primary", icon=":material/delete:", key="delete-confirmed"):
        library = services().library
        parts = (record, *services().store.runs(parent=record.id))
        services().store.delete_run(record.id)
        if record.workspace in library.names():
            products = library.get(record.workspace).products_folder
            for part in parts:
                shutil.rmtree(products / part.id, ignore_errors=True)
        st.rerun()


main()
