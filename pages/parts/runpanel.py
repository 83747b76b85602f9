"""A run on the screen: tree and steps on the left, map and answer on the right."""

from __future__ import annotations

import streamlit as st

from core.events import Status
from core.serving.tiles import unit_text
from core.workspace import Workspace
from pages.parts import selection
from pages.parts.answer import cost_text, show_answer, show_question_asked
from pages.parts.exports import show_exports
from pages.parts.knowledgecard import CHOSEN as CARD
from pages.parts.layers import inputs_of, product_entries
from pages.parts.ledgerchart import show_ledger
from pages.parts.mappanel import show_panel
from pages.parts.runview import RunView
from pages.parts.series import evidence_series, show_series
from pages.parts.services import tree_of
from pages.parts.steps import show_steps
from pages.parts.teamview import report_of, show_team
from pages.parts.text import plain, shortened
from pages.parts.treechart import show_tree, tree_rows
from pages.parts.treeview import node_of_step, tree_view

REPLAY = "-replay"
TREE_HEIGHT = 280
STEPS_HEIGHT = 484
MAP_HEIGHT = 470
ANSWER_HEIGHT = 220


def show_view(workspace: Workspace, view: RunView, status: Status | None, run: str) -> None:
    """Show tree and steps on the left, map and answer on the right."""
    inputs = inputs_of(workspace)
    entries = [*reversed(product_entries(view.products)), *inputs.entries]
    left, right = st.columns([5, 7], gap="small")
    with left.container(gap="xsmall"):
        _tree(view, run.removesuffix(REPLAY))
        with st.container(height=STEPS_HEIGHT, key="steps", gap="xsmall"):
            show_steps(view, selection.selected_step(), selection.select_step, run=run)
    with right.container(gap="xsmall"):
        show_panel(entries, inputs.bounds, view, key=workspace.folder.name, height=MAP_HEIGHT)
        _answer(workspace, view, status, run)


def _tree(view: RunView, run: str) -> None:
    tree = tree_of(run)
    nodes = tree_view(tree, view.steps, view.pending)
    step = view.step(selection.selected_step())
    team = report_of(run)
    chart, table, *lanes = st.tabs(["Skill tree", "As a table", *(["Team"] if team else [])])
    for lane in lanes:
        with lane.container(height=TREE_HEIGHT, border=False, key="team-box"):
            show_team(team)
    with chart.container(height=TREE_HEIGHT, border=False, key="tree-box"):
        show_tree(
            nodes,
            node_of_step(tree, step),
            lambda name: selection.select_node(nodes, name),
            height=TREE_HEIGHT,
        )
    table.dataframe(tree_rows(nodes), hide_index=True, height=TREE_HEIGHT, alt="The skill tree as a table")


def _card(view: RunView) -> None:
    """Show the task card that the run was told; it opens on the Knowledge page."""
    if view.card is None:
        return
    match = view.card["match"]
    label = f"Card: {shortened(view.card['title'], 40)}" + (f" ({match['score']:.2f})" if match else "")
    if st.button(plain(label), type="tertiary", icon=":material/menu_book:", key="card-of-run"):
        st.session_state[CARD] = view.card["id"]
        st.switch_page("knowledge.py", query_params={"card": view.card["id"]})


def _answer(workspace: Workspace, view: RunView, status: Status | None, run: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="cost-row"):
        st.caption(cost_text(view) if status else "No run yet")
        _card(view)
        if status:
            show_ledger(view)
            show_exports(view, run)
    answer = view.finished.answer if view.finished else None
    points = evidence_series(view, answer, workspace) if answer else []
    with st.container(height=ANSWER_HEIGHT, key="answer", border=True, gap="xsmall"):
        show_question_asked(view, status)
        text, chart = st.columns([3, 2], gap="small") if points else (st.container(), None)
        with text:
            show_answer(view, selection.select_step, run=run)
        if chart is not None and answer is not None:
            with chart:
                show_series(points, unit_text(answer.unit), height=ANSWER_HEIGHT - 66)
