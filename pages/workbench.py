"""Workbench: ask a question, watch the tree open, see every raster on the map."""

from __future__ import annotations

import streamlit as st

from core.events import Status
from core.store import RunRecord
from pages.parts import selection
from pages.parts.answer import cost_text, show_answer
from pages.parts.exports import show_exports
from pages.parts.layers import Entry, input_entries, product_entries
from pages.parts.mappanel import show_panel
from pages.parts.question import show_question
from pages.parts.runview import RunView, run_view
from pages.parts.services import current_workspace, services
from pages.parts.steps import show_steps
from pages.parts.text import plain
from pages.parts.treechart import show_tree, tree_rows
from pages.parts.treeview import node_of_step, tree_view

TREE_HEIGHT = 270
STEPS_HEIGHT = 430
MAP_HEIGHT = 470
ANSWER_HEIGHT = 190
POLL_SECONDS = 1.0


def main() -> None:
    name, workspace = current_workspace()
    record = current_run(name)
    running = record is not None and not record.finished
    for problem in st.session_state.pop("problems", ()):
        st.error(plain(problem))
    st.fragment(run_every=POLL_SECONDS if running else None)(live)(name, record.id if record else None, running)
    show_question(name, workspace, record)


def current_run(workspace: str) -> RunRecord | None:
    """Return the run of the address, or the one that the session looked at last."""
    asked = st.query_params.get("run") or st.session_state.get("run")
    record = services().store.run(asked) if asked else None
    if record is None or record.workspace != workspace:
        st.query_params.pop("run", None)
        return None
    st.session_state["run"] = record.id
    st.query_params["run"] = record.id
    return record


def live(workspace: str, run: str | None, was_running: bool) -> None:
    """Show the run as the store has it now."""
    store = services().store
    record = store.run(run) if run else None
    view = run_view(store.events(run)) if run else RunView()
    if was_running and (record is None or record.finished):
        st.rerun()
    show_view(workspace, view, record.status if record else None, run or "")


def show_view(workspace: str, view: RunView, status: Status | None, run: str) -> None:
    """Show tree and steps on the left, map and answer on the right."""
    entries = [*reversed(product_entries(view.products)), *input_entries(services().library.get(workspace))]
    left, right = st.columns([5, 7], gap="small")
    with left:
        _tree(view)
        with st.container(height=STEPS_HEIGHT, key="steps", gap="xsmall"):
            show_steps(view, selection.selected_step(), selection.select_step, run=run)
    with right:
        show_panel(entries, view, key=workspace, height=MAP_HEIGHT)
        _answer(view, status, run, entries)


def _tree(view: RunView) -> None:
    tree = services().tree
    nodes = tree_view(tree, view.steps, view.pending)
    step = view.step(selection.selected_step())
    chart, table = st.tabs(["Skill tree", "As a table"])
    with chart:
        show_tree(nodes, node_of_step(tree, step), lambda name: selection.select_node(nodes, name), height=TREE_HEIGHT)
    table.dataframe(tree_rows(nodes), hide_index=True, height=TREE_HEIGHT, alt="The skill tree as a table")


def _answer(view: RunView, status: Status | None, run: str, entries: list[Entry]) -> None:
    with st.container(height=ANSWER_HEIGHT, key="answer", border=True, gap="xsmall"):
        show_answer(view, status, selection.select_step, run=run)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(cost_text(view) if status else "")
        if status:
            show_exports(view, run)


main()
