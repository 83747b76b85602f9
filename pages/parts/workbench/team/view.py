"""A team on the screen: its board, and whose tree and steps are looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import streamlit as st

from treeline.pages.parts.shared import selection
from treeline.pages.parts.shared.model import money_text
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.services import REPLAY, tree_of
from treeline.pages.parts.shared.text import count_text, seconds
from treeline.pages.parts.shared.theme import is_dark
from treeline.pages.parts.shared.tree_view import KitNode, tree_view
from treeline.pages.parts.workbench.team.board import board
from treeline.pages.parts.workbench.team.model import Lane, Team, merge_members

BOARD, STEPS = "Team", "Tree and steps"
BANK_RUN = "bank-run"
_WHOLE = ""


@dataclass(frozen=True)
class Part:
    """What of a team is looked at: all of it as a board, or the tree and steps of a run."""

    view: RunView
    run: str
    as_board: bool


def choose_part(team: Team, own: RunView, run: str) -> Part:
    """Show what can be looked at, and return what is."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="team-part-row"):
        part = st.segmented_control(
            "Part",
            [BOARD, STEPS],
            default=BOARD,
            required=True,
            label_visibility="collapsed",
            key="team-part",
            on_change=selection.clear,
        )
        whole = own if team.finished and own.steps else merge_members(team, own)
        if part != STEPS:
            return Part(whole, run, as_board=True)
        lane = _whose(team, run)
    return Part(lane.view, lane.run, as_board=False) if lane else Part(whole, run, as_board=False)


def show_board(team: Team) -> None:
    """Show all members at once."""
    st.html(board(team, _tree, dark=is_dark()))


def team_cost_text(team: Team, own: RunView) -> str:
    """Return what a team cost so far, in one line."""
    used = sum((lane.view.state.tokens for lane in team.members), team.orchestrator)
    steps = sum(len(lane.view.steps) for lane in team.members)
    tokens = f"{used.input:,} in · {used.output:,} out" if used.input else "no tokens used"
    size = f"{count_text(len(team.members), 'member')} · {count_text(steps, 'step')}"
    money = money_text(used) if used.input else ""
    return " · ".join(filter(None, [size, seconds(own.seconds), tokens, money]))


def show_team_lessons(team: Team | None, run: str) -> None:
    """Offer what the run left in the memory bank."""
    count = len(team.learned.get("keys", ())) if team and team.learned else 0
    if not count:
        return
    if st.button(f"Learned: {count} new", type="tertiary", icon=":material/psychology:", key="team-learned"):
        st.session_state[BANK_RUN] = run.removesuffix(REPLAY)
        # What was looked at on that page before would go before the address.
        st.session_state.pop("memory-part", None)
        st.switch_page("memory.py", query_params={"bank": run.removesuffix(REPLAY)})


def _whose(team: Team, run: str) -> Lane | None:
    names = {_WHOLE: "Whole team", **{lane.name: title_of(team, lane) for lane in team.members}}
    chosen = st.selectbox(
        "Whose steps",
        list(names),
        format_func=lambda name: names.get(name, name),
        label_visibility="collapsed",
        key=f"team-member-{run}",
        on_change=selection.clear,
    )
    return team.lane(chosen)


def title_of(team: Team, lane: Lane) -> str:
    """Return what a member is called in a list."""
    place = f"Layer {lane.layer} · {lane.role}" if lane.layer else f"Variant {lane.variant}"
    again = f" · attempt {lane.attempt}" if lane.attempt > 1 else ""
    return f"{place} · {lane.goal}{again}"


def _tree(lane: Lane) -> Iterable[KitNode]:
    return tree_view(tree_of(lane.run), lane.view.steps, lane.view.pending) if lane.run else ()
