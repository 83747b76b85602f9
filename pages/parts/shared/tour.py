"""The tour of the Workbench: five stops, on a first visit and whenever it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st
import yaml

HERE = Path(__file__).parent
_TIMES = "tour-times"
STOPS: Sequence[Mapping[str, str]] = yaml.safe_load((HERE / "tour.yaml").read_text("utf-8"))
_TOUR = st.components.v2.component(
    "treeline_tour",
    html='<div class="tour"></div>',
    css=(HERE / "tour.css").read_text("utf-8"),
    js=(HERE / "tour.js").read_text("utf-8"),
)


def show_tour() -> None:
    """Begin the tour in a browser that has not seen it, or where it was asked for."""
    with st.container(key="tour"):
        _TOUR(key="tour-stops", data={"stops": STOPS, "times": count_tours()})


def begin_tour() -> None:
    """Go to the Workbench and begin the tour there."""
    st.session_state[_TIMES] = count_tours() + 1
    st.switch_page("workbench.py")


def count_tours() -> int:
    """Return how often the tour was asked for in this session."""
    return int(st.session_state.get(_TIMES, 0))
