"""Pinned: answers that stay in sight, with map and chart, and what changed since they were asked before."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from treeline.core.access import acting_person
from treeline.core.record.pins import Pin
from treeline.pages.parts.pinned.card import show_card
from treeline.pages.parts.pinned.wall import WALL_SECONDS, WALL_STYLE, turn_to
from treeline.pages.parts.shared.look import add_style
from treeline.pages.parts.shared.services import current_workspace, services
from treeline.pages.parts.shared.text import count_text

WALL = "wall"
# While an answer is worked on.
POLL_SECONDS = 1.0


def main() -> None:
    name, _ = current_workspace()
    wall = st.query_params.get(WALL) == "1"
    pause = _pause(services().pins.pins(name), wall=wall)
    st.fragment(run_every=pause)(draw_pins)(name, wall, pause)


def _pause(pins: Sequence[Pin], *, wall: bool) -> float | None:
    """Return after how many seconds the pins are looked at anew; ``None`` where nothing comes by itself."""
    if any(not services().manager.record(pin.run).is_finished for pin in pins):
        return POLL_SECONDS
    # What is asked again by the clock is seen by who leaves the page open.
    return WALL_SECONDS if wall or any(pin.every for pin in pins) else None


def draw_pins(name: str, wall: bool, pause: float | None) -> None:
    """Show the pins of the workspace as they are now."""
    pins = services().pins.pins(name)
    # What is asked again here is looked at more often until it has ended.
    if pause != _pause(pins, wall=wall):
        st.rerun()
    _show_head(name, len(pins), wall=wall)
    if not pins:
        others = "" if acting_person().local else " Those of colleagues come here once they show them."
        st.info(
            "No answer that you see is pinned in this workspace. Ask a question on the Workbench, and press "
            f"Pin over its answer.{others}",
            icon=":material/push_pin:",
        )
        return
    # By the clock, not by a count in the session: two walls turn together, and a reload does not begin anew.
    shown, told = turn_to(pins, time.time()) if wall else (pins, "")
    # A single answer has the whole wall.
    columns = st.columns(1 if wall and len(shown) == 1 else 2, gap="medium")
    for number, pin in enumerate(shown):
        with columns[number % len(columns)]:
            show_card(pin, wall=wall)
    if told:
        st.caption(told)


def _show_head(name: str, count: int, *, wall: bool) -> None:
    if wall:
        add_style(WALL_STYLE)
        st.title(services().library.title(name))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{count_text(count, 'pinned answer')}** of this workspace")
        st.space("stretch")
        if count:
            st.link_button(
                "For a wall",
                f"?{WALL}=1&workspace={name}",
                icon=":material/tv:",
                help="Without controls, two at a time, anew every half minute; for a lecture or a wall",
            )


main()
