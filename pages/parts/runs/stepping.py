"""A past run, step by step: its tree, steps and map as they were; of a team, its board."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from treeline.core.engine.journal import StoredEvent, events_of
from treeline.core.memory.rounds import shown_run
from treeline.core.record.store import RunRecord
from treeline.pages.parts.shared import selection
from treeline.pages.parts.shared.run_view import RunView, run_view
from treeline.pages.parts.shared.services import REPLAY, services, workspace_of
from treeline.pages.parts.workbench.panel import show_view
from treeline.pages.parts.workbench.team.model import Team, team_of


def show_stepping(record: RunRecord, leave: Callable[[], None]) -> None:
    """Show a run as it was at the step that is chosen; ``leave`` goes back to the history."""
    run = shown_run(services().store, record.id)
    events = events_of(services().store, run)
    team = team_of(services().store, run)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="stepping-row"):
        st.button("All runs", icon=":material/arrow_back:", on_click=leave)
        view, team = _of_run(events) if team is None else _of_team(events, team, run)
    status = record.status if view.finished else "running"
    show_view(workspace_of(record.workspace, record), view, status, f"{run}{REPLAY}", team)


def _of_run(events: Sequence[StoredEvent]) -> tuple[RunView, None]:
    steps = run_view(events).steps
    return run_view(events, _slider(steps[-1].number if steps else 1)), None


def _of_team(events: Sequence[StoredEvent], team: Team, run: str) -> tuple[RunView, Team | None]:
    """Return a team's run as it was when the chosen step of any member was answered."""
    moments = team.moments
    step = _slider(len(moments))
    if step >= len(moments):
        return run_view(events), team
    until = moments[step - 1]
    return run_view([e for e in events if e.time <= until]), team_of(services().store, run, until)


def _slider(last: int) -> int:
    # A slider needs two places.
    if last < 2:
        return last
    return int(
        st.slider(
            "Step",
            1,
            last,
            last,
            key="replay-step",
            label_visibility="collapsed",
            on_change=lambda: selection.select_step(st.session_state["replay-step"]),
        )
    )
