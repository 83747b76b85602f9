"""What is compared: the question, the strategies, the expert's tools, the prices."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import streamlit as st

from treeline.core.context.ledger import Prices
from treeline.core.disclosure.names import DISCLOSURES
from treeline.core.lab.expert import expert_tools_of, expert_trajectories
from treeline.pages.parts.map.area import session_area_option
from treeline.pages.parts.shared.address import put_in_address
from treeline.pages.parts.shared.fields import show_number_field, show_text_field
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.services import is_own_run, services
from treeline.pages.parts.shared.session import keep, pending_start, values_of
from treeline.pages.parts.shared.sidebar import chosen_options
from treeline.toolkit.errors import TreelineError

# As many as the chart of their tokens has colours that are told apart.
FEWEST, MOST = 2, 5
_BEGUN = "begun-comparison"
DEFAULT = ["progressive", "adaptive", "flat"]


def runs_of_address() -> tuple[str, ...]:
    """Return the runs of the address, or those that the session compared last, that exist."""
    new = pending_start(_BEGUN)
    # What a press has just begun goes first: the address still names what was compared before.
    asked = new.name or st.query_params.get("runs") or st.session_state.get("compared", "")
    found = tuple(run for run in asked.split(",")[:MOST] if run and services().store.run(run))
    st.session_state["compared"] = ",".join(found)
    put_in_address("runs", ",".join(found))
    new.name = ""
    return found


def show_form(workspace: str, runs: tuple[str, ...], running: bool) -> None:
    """Show the line in which a comparison is asked for."""
    keep("compare-question", _question_of(runs))
    keep("compare-strategies", DEFAULT)
    keep("compare-expert", "")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="compare-row"):
        show_text_field("Question", "compare-question", placeholder="Ask a question of these rasters")
        st.multiselect(
            "Strategies",
            list(DISCLOSURES),
            values_of("compare-strategies", DISCLOSURES),
            key="compare-strategies",
            max_selections=MOST,
        )
        with st.popover("More", icon=":material/tune:"):
            _more()
        chosen = len(st.session_state["compare-strategies"])
        st.button(
            "Compare",
            type="primary",
            icon=":material/compare_arrows:",
            on_click=_start,
            args=(workspace, runs),
            disabled=running or chosen < FEWEST,
            help=f"{FEWEST} to {MOST} strategies",
            key="compare-start",
        )
        st.button(
            "Stop",
            icon=":material/stop:",
            on_click=_stop,
            args=(runs,),
            disabled=not running,
            key="compare-stop",
        )


def _more() -> None:
    show_text_field(
        "Expert's tools, in order",
        "compare-expert",
        placeholder="get_filelist, compute_tvdi, ...",
        help="Where they are known: each sequence is scored against them.",
    )
    st.file_uploader(
        "Or a question file",
        type=["jsonl", "json"],
        key="compare-file",
        on_change=_read_file,
        help="In the form of Earth-Bench: the expert's tools are those of the same question in it.",
    )
    st.caption("Prices of a million tokens")
    for name, label in (("input", "Input"), ("cached", "Cached input"), ("output", "Output")):
        usual = st.session_state.get(f"model-price_{name}") or 0.0
        show_number_field(label, f"price-{name}", usual, 0.0, 1000.0, step=0.1)


def expert_tools() -> list[str]:
    """Return the expert's tools, in order: those that the person gave, else those of the question file."""
    state = st.session_state
    given = re.findall(r"\w+", state.get("compare-expert", ""))
    return given or list(expert_tools_of(state.get("compare-question", ""), state.get("compare-known", {})))


def _read_file() -> None:
    state = st.session_state
    file = state["compare-file"]
    try:
        state["compare-known"] = expert_trajectories(file.getvalue(), file.name) if file else {}
    except TreelineError as error:
        state["compare-known"], state["compare-problems"] = {}, (str(error),)


def prices() -> Prices:
    """Return the prices that the person set."""
    state = st.session_state
    return Prices(*(state.get(f"price-{name}", 0.0) for name in ("input", "cached", "output")))


def _question_of(runs: tuple[str, ...]) -> str:
    record = services().store.run(runs[0]) if runs else None
    return record.question if record else ""


def _start(workspace: str, shown: tuple[str, ...]) -> None:
    state, new = st.session_state, pending_start(_BEGUN)
    question, strategies = state["compare-question"], state["compare-strategies"]
    endpoint = session_endpoint()
    # The second press of a double one comes from a page that showed other runs.
    if (new.name or state.get("compared", "")) != ",".join(shown):
        return
    try:
        options = replace(chosen_options(), aoi=session_area_option(services().library.get(workspace)))
        start = partial(services().manager.start, workspace, question)
        each = [replace(options, disclosure=name) for name in strategies]
        new.begin(lambda: ",".join([start(of_one, endpoint) for of_one in each]))
    except TreelineError as error:
        state["compare-problems"] = (str(error),)


def _stop(runs: tuple[str, ...]) -> None:
    for run in filter(is_own_run, runs):
        services().manager.stop(run)
