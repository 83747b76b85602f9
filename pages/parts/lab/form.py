"""What is run: the benchmark, its question file, and how."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from treeline.core.disclosure.names import DISCLOSURES
from treeline.core.home import home
from treeline.core.lab.ablation import AblationOptions
from treeline.core.lab.bench_options import MOST_WORKERS, BenchOptions
from treeline.core.lab.benches import BENCHES
from treeline.core.lab.geoplan.bench import PlanOptions
from treeline.core.lab.geoplan.planners import PLANNERS
from treeline.core.policies.names import USUAL
from treeline.core.policies.registry import POLICIES
from treeline.core.runs.options import MOST_ROUNDS
from treeline.core.settings import Endpoint
from treeline.core.teams import TEAMS
from treeline.core.teams.names import MOST_EXECUTORS, MOST_VARIANTS
from treeline.pages.parts.lab.benches import BEGUN, benches
from treeline.pages.parts.lab.files import check_readable, file_label, known_files, show_upload
from treeline.pages.parts.lab.reproduction import reproduction_options, show_reproduction_form
from treeline.pages.parts.shared.fields import show_choice, show_number_field
from treeline.pages.parts.shared.glossary import WORDS
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.services import current_workspace
from treeline.pages.parts.shared.session import keep, pending_start, position_of, widget_value
from treeline.pages.parts.shared.sidebar import POLICY_TITLES, TEAM_NAMES
from treeline.toolkit.errors import TreelineError

_REGIMES = {"ap": "Auto-planning", "if": "With the steps"}
_EMBEDDERS = {"auto": "MiniLM where installed", "lexical": "Lexical", "minilm": "MiniLM"}
_MEMORIES = {"off": "Off", "bench": "Of earlier questions"}


def show_form() -> None:
    """Show the line in which a benchmark is started."""
    keep("lab-benchmark", next(iter(BENCHES)))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="lab-row-what"):
        st.segmented_control(
            "Benchmark",
            list(BENCHES),
            default=widget_value("lab-benchmark"),
            format_func=lambda name: BENCHES[name].title,
            required=True,
            key="lab-benchmark",
            label_visibility="collapsed",
        )
        _file("Question file", f"lab-file-{st.session_state['lab-benchmark']}")
        with st.popover("Upload", icon=":material/upload:"):
            show_upload()
        st.button(
            "Start",
            type="primary",
            icon=":material/play_arrow:",
            on_click=_start,
            args=(_newest(),),
            key="lab-start",
            disabled=not st.session_state.get(f"lab-file-{st.session_state['lab-benchmark']}"),
        )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="lab-row-how"):
        _FORMS[st.session_state["lab-benchmark"]]()


def _file(label: str, key: str, empty: str | None = None) -> None:
    """Show a choice of the files that are known, to which a path of the server may be added."""
    known = known_files(st.session_state["lab-benchmark"])
    written = st.session_state.get(key)
    options = list(dict.fromkeys([*known, *([written] if written else [])]))
    st.session_state[key] = written or (options[0] if options and empty is None else None)
    st.selectbox(
        label,
        options,
        position_of(key, options) if st.session_state[key] else None,
        format_func=file_label,
        accept_new_options=True,
        key=key,
        placeholder=empty or "Path on the server, or upload one",
        help="A path on the server may be typed: lines of JSON, or the published question.json.",
    )


def _earth_bench() -> None:
    usual = BenchOptions()
    keep("lab-disclosure", USUAL)
    for name in ("regime", "policy", "team", "memory"):
        keep(f"lab-{name}", getattr(usual, name))
    show_choice("Regime", "lab-regime", _REGIMES)
    _policy()
    strategies = {name: name for name in (USUAL, *DISCLOSURES)}
    show_choice("Strategy", "lab-disclosure", strategies, help=WORDS["Disclosure"])
    show_choice("Team", "lab-team", {name: TEAM_NAMES.get(name, name) for name in TEAMS})
    show_number_field("Rounds", "lab-rounds", usual.rounds, 1, MOST_ROUNDS, width=90)
    with st.popover("More", icon=":material/tune:"):
        st.text_input(
            "Folder of the data",
            key="lab-data",
            placeholder="None: by file names, without pixels",
            help="The benchmark's folder on the server; with it answers are scored too.",
        )
        show_choice(
            "Memory",
            "lab-memory",
            _MEMORIES,
            help="With it a team works on the questions in order and keeps what earlier ones taught.",
        )
        show_number_field("Questions at the same time", "lab-workers", usual.workers, 1, MOST_WORKERS)


def _policy() -> None:
    show_choice(
        "Policy",
        "lab-policy",
        {name: POLICY_TITLES.get(name, name) for name in POLICIES},
        help="A language model is asked at the endpoint of the sidebar.",
    )


def _geoplan() -> None:
    keep("lab-planner", PlanOptions().planner)
    keep("lab-embedder", PlanOptions().embedder)
    show_choice("Planner", "lab-planner", {name: name for name in PLANNERS})
    _file("Solved tasks to draw on", "lab-neighbours", "None")
    show_choice(
        "Embedder",
        "lab-embedder",
        _EMBEDDERS,
        help="What compares tools that are not the same; the published scores were made with MiniLM.",
    )


def _ablation() -> None:
    usual = AblationOptions()
    keep("lab-policy", usual.policy)
    _policy()
    show_number_field("Variants", "lab-variants", usual.variants, 1, MOST_VARIANTS, width=100)
    show_number_field("Executors", "lab-executors", usual.executors, 1, MOST_EXECUTORS, width=100)
    st.text_input(
        "Rasters",
        key="lab-rasters",
        placeholder="Those of the workspace",
        help="A file or folder of the server that the questions are about.",
    )


_FORMS: Mapping[str, Callable[[], None]] = {
    "earth-bench": _earth_bench,
    "geoplan": _geoplan,
    "ablation": _ablation,
    "reproduce": lambda: show_reproduction_form("lab-file-reproduce"),
}


def _earth_bench_options(state: Any) -> tuple[BenchOptions, Endpoint | None]:
    remembers = state["lab-memory"] == "bench"
    options = BenchOptions(
        regime=state["lab-regime"],
        policy=state["lab-policy"],
        disclosure=state["lab-disclosure"],
        team=state["lab-team"],
        rounds=state["lab-rounds"],
        memory=state["lab-memory"],
        workers=state["lab-workers"],
        data=check_readable(state.get("lab-data")),
        record=str(home() / "lab" / f"{uuid.uuid4().hex[:12]}.sqlite") if remembers else "",
    )
    return options, session_endpoint() if options.policy == "language" else None


def _geoplan_options(state: Any) -> tuple[PlanOptions, Endpoint | None]:
    neighbours = check_readable(state.get("lab-neighbours"))
    return PlanOptions(state["lab-planner"], neighbours, state["lab-embedder"]), session_endpoint()


def _ablation_options(state: Any) -> tuple[AblationOptions, Endpoint | None]:
    named = check_readable(state.get("lab-rasters"))
    options = AblationOptions(
        data=(named,) if named else current_workspace()[1].places,
        policy=state["lab-policy"],
        variants=state["lab-variants"],
        executors=state["lab-executors"],
        record=str(home() / "lab" / uuid.uuid4().hex[:12]),
    )
    return options, session_endpoint() if options.policy == "language" else None


_OPTIONS: Mapping[str, Callable[[Any], tuple[Any, Endpoint | None]]] = {
    "earth-bench": _earth_bench_options,
    "geoplan": _geoplan_options,
    "ablation": _ablation_options,
    "reproduce": reproduction_options,
}


def _newest() -> str:
    """Return the bench that was started last; empty where none was."""
    return next((record.id for record in benches().records()), "")


def _start(newest: str) -> None:
    state, new = st.session_state, pending_start(BEGUN)
    # The second press of a double one comes from a page that did not know what the first has begun.
    if new.name or _newest() != newest:
        return
    bench = state["lab-benchmark"]
    try:
        file = check_readable(state.get(f"lab-file-{bench}"))
        options, endpoint = _OPTIONS[bench](state)
        new.begin(partial(benches().start, bench, Path(file), options, endpoint))
    except TreelineError as error:
        state["lab-problems"] = (str(error),)
