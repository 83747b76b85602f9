"""The sidebar: the workspace, who chooses the next action, the limits."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from treeline.core.access import acting_person
from treeline.core.context.names import AUTO, NONE
from treeline.core.disclosure.names import DISCLOSURES
from treeline.core.engine.budget import Budget
from treeline.core.policies.names import PERSON, POLICY_NAMES, USUAL
from treeline.core.runs.approval import MEGABYTES, read_remembered, remember
from treeline.core.runs.names import CALLS, OFF, PLAN, WRITES
from treeline.core.runs.options import MOST_ROUNDS, RunOptions
from treeline.core.teams import TEAMS
from treeline.core.teams.names import MOST_EXECUTORS, MOST_VARIANTS, SOLO
from treeline.core.teams.worth import hint_without_model
from treeline.pages.parts.identity.sign_in import show_person
from treeline.pages.parts.map.area import set_area
from treeline.pages.parts.shared import selection
from treeline.pages.parts.shared.address import keep_choice
from treeline.pages.parts.shared.fields import show_choice, show_number_field
from treeline.pages.parts.shared.glossary import WORDS, show_glossary
from treeline.pages.parts.shared.model import has_prices, show_endpoint
from treeline.pages.parts.shared.services import (
    WANTED,
    WORKSPACE_PROBLEM,
    current_workspace,
    may_work,
    services,
)
from treeline.pages.parts.shared.session import (
    first_value,
    keep,
    pending_start,
    position_of,
    widget_value,
)
from treeline.pages.parts.shared.sharing import show_sharing
from treeline.pages.parts.shared.text import plain, tell_apart
from treeline.pages.parts.shared.workspace_removal import show_removal
from treeline.toolkit.errors import TreelineError

_MEMORY = {"off": "Off", "own": "Its own rounds", "user": "Mine", "shared": "Mine and shared"}
TEAM_NAMES = {SOLO: "Solo", "evolver": "Evolver (with variants)", "layered": "Layered (three layers)"}
# It is told where the name is written: the box lies over what stands below it.
_NAME_PROBLEM = "workspace-name-problem"
_PROFILES = ("science", "earth_bench")
_CARDS = {AUTO: "The best that fits", NONE: "None"}
POLICY_TITLES = {
    "planner": "Planner (no model)",
    "language": "Language model",
    "person": "Person (you choose)",
}
_APPROVALS = {
    OFF: "Nothing",
    PLAN: "The plan",
    CALLS: "Each call",
    WRITES: f"Calls that write over {MEGABYTES} MB",
}


def show_sidebar() -> None:
    """Show the parts that all pages share."""
    with st.spinner("Opening the workspaces; the first start writes the demo", show_time=True):
        try:
            services()
        except TreelineError as error:
            st.error(plain(str(error)), icon=":material/error:")
            st.stop()
    with st.sidebar:
        person = acting_person()
        if not person.local:
            show_person(person)
        _workspace()
        # How a question is worked on is nothing for who asks none.
        if may_work():
            _policy()
            _team()
            _limits()
        show_glossary()


def _workspace() -> None:
    library = services().library
    if library.names():
        current_workspace()
    labels = tell_apart({name: library.title(name) for name in library.names()})
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        if labels:
            show_choice("Workspace", "workspace", labels, on_change=_forget_run, help=WORDS["Workspace"])
        else:
            st.markdown("No workspace yet", width="stretch")
        if may_work():
            _edit()
    _tell_problem(WORKSPACE_PROBLEM)


def _tell_problem(key: str) -> None:
    problem = st.session_state.pop(key, None)
    if problem:
        st.error(plain(problem))


def _edit() -> None:
    person = acting_person()
    with st.popover(
        "Edit",
        help="New workspace, copy, rename, share, delete"
        if not person.local
        else "New workspace, rename, delete",
    ):
        _tell_problem(_NAME_PROBLEM)
        with st.form("workspace-name", border=False, clear_on_submit=True):
            st.text_input("Name", key="workspace-title", max_chars=80, placeholder="Vipava valley")
            # Side by side as far as there is room: below them there is more than a low window shows.
            with st.container(horizontal=True, gap="xsmall"):
                st.form_submit_button("Create", on_click=_create, icon=":material/create_new_folder:")
                if not person.local:
                    st.form_submit_button("Copy this one", on_click=_copy, icon=":material/content_copy:")
                st.form_submit_button("Rename this one", on_click=_rename, icon=":material/edit:")
        if not services().library.names():
            return
        if not person.local:
            show_sharing("workspace", st.session_state["workspace"])
        show_removal(st.session_state["workspace"], _forget_run)


def show_copying() -> None:
    """Say that a workspace is only to be looked at, and offer a copy to whoever may have one."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="read-only"):
        st.markdown(":material/visibility: You may view this workspace, but not change it.", width="content")
        if may_work():
            st.button("Take a copy", icon=":material/content_copy:", on_click=_copy, type="primary")
            st.caption("In a copy of your own you ask questions and add data.", width="content")
        else:
            st.caption("Your role is viewer; an admin gives another.", width="content")


def _copy() -> None:
    library, state, wanted = services().library, st.session_state, pending_start(WANTED)
    name = state["workspace"]
    try:
        title = state.get("workspace-title", "").strip() or f"{library.title(name)} (copy)"
        wanted.begin(partial(library.copy, name, title))
        _forget_run()
    except TreelineError as error:
        state[WORKSPACE_PROBLEM] = str(error)


def _create() -> None:
    library, state, wanted = services().library, st.session_state, pending_start(WANTED)
    title = state["workspace-title"]
    try:
        wanted.begin(partial(library.create, title))
        _forget_run()
    except TreelineError as error:
        state[_NAME_PROBLEM] = str(error)


def _rename() -> None:
    state = st.session_state
    name = state["workspace"]
    try:
        services().library.rename(name, state["workspace-title"])
    except TreelineError as error:
        state[_NAME_PROBLEM] = str(error)
    else:
        state["workspace"] = name  # the browser knows it by the title that it had


def _forget_run() -> None:
    st.session_state.pop("run", None)
    # An area and a pixel lie in the rasters of one workspace.
    set_area("")
    selection.clear()
    selection.select_pixel(None)


def _policy() -> None:
    keep_choice("policy", "planner", POLICY_NAMES)
    keep_choice("approve", OFF, _APPROVALS)
    st.radio(
        "Policy",
        POLICY_NAMES,
        position_of("policy", POLICY_NAMES),
        key="policy",
        format_func=lambda name: POLICY_TITLES.get(name, name),
        help=WORDS["Policy"],
    )
    if not _is_person():
        show_choice("Ask me before", "approve", _APPROVALS, help=WORDS["Ask me before"])
        if st.session_state["approve"] in (CALLS, WRITES):
            _show_remembered()
    show_endpoint(speaks=st.session_state["policy"] == "language")


def _show_remembered() -> None:
    """Say which tools of the workspace are not asked about, and offer to ask about them again."""
    workspace = current_workspace()[1]
    tools = sorted(read_remembered(workspace.folder))
    if not tools or not workspace.writable:
        return
    st.caption(f"Not asked about here: {plain(', '.join(tools))}")
    st.button(
        "Ask about them again",
        icon=":material/undo:",
        key="forget-approved",
        type="tertiary",
        on_click=remember,
        args=(workspace.folder, frozenset()),
    )


def _is_person() -> bool:
    return bool(st.session_state["policy"] == PERSON)


def _team() -> None:
    keep_choice("team", SOLO, TEAMS)
    usual = {"variants": 2, "executors": RunOptions.executors}
    for name, number in usual.items():  # a question is asked with them where their fields are not shown too
        first_value(name, number)
    if _is_person():
        return
    show_choice("Team", "team", {name: TEAM_NAMES.get(name, name) for name in TEAMS}, help=WORDS["Team"])
    hint = hint_without_model(st.session_state["team"])
    if hint and st.session_state["policy"] == "planner":
        st.caption(f":material/info: {hint}")
    if st.session_state["team"] == "evolver":
        variants, executors = st.columns(2, gap="xsmall")
        with variants:
            _number("Variants", "variants", usual["variants"], 1, MOST_VARIANTS)
        with executors:
            _number("Executors", "executors", usual["executors"], 1, MOST_EXECUTORS)


def _number(
    label: str, key: str, usual: float | None, least: float, most: float | None = None, **how: Any
) -> None:
    show_number_field(label, key, usual, least, most, help=WORDS[label], **how)


def _limits() -> None:
    defaults = Budget()
    keep_choice("disclosure", USUAL, (USUAL, *DISCLOSURES))
    keep_choice("profile", "science", _PROFILES)
    keep("card", AUTO)  # the address of the page Knowledge has a card of its own
    keep_choice("memory", "off", _MEMORY)
    with st.expander("Disclosure and budget", icon=":material/tune:"):
        disclosures = {name: name for name in (USUAL, *DISCLOSURES)}
        show_choice("Disclosure", "disclosure", disclosures, help=WORDS["Disclosure"])
        show_choice("Formulas", "profile", {name: name for name in _PROFILES}, help=WORDS["Formulas"])
        show_choice("Task card", "card", _CARDS, help=WORDS["Task card"])
        _number("Rounds", "rounds", 1, 1, MOST_ROUNDS)
        show_choice("Memory", "memory", _MEMORY, help=WORDS["Memory"])
        _number("Steps", "budget-steps", defaults.steps, 1, 1000)
        _number("Tokens", "budget-tokens", defaults.tokens, 1000, 10_000_000, step=10_000)
        if has_prices():
            _number("Money", "budget-money", None, 0.0, step=0.1, placeholder="no limit")
        _number("Seconds", "budget-seconds", int(defaults.seconds or 900), 5, 86_400, step=60)


def _most_money() -> float | None:
    """Return what the next run may cost; ``None`` for any sum, and where prices are not set."""
    given = widget_value("budget-money") if has_prices() else None
    return given if isinstance(given, float) and given > 0 else None


def chosen_options(choices: tuple[str, ...] = ()) -> RunOptions:
    """Return how the next question is to be worked on."""
    value = widget_value
    alone = value("policy") == PERSON
    return RunOptions(
        policy=value("policy"),
        disclosure=value("disclosure"),
        profile=value("profile"),
        choices=choices,
        card=value("card"),
        team=SOLO if alone else value("team"),
        approve=OFF if alone else value("approve"),
        variants=value("variants"),
        executors=value("executors"),
        rounds=1 if alone else value("rounds"),
        # A further round that remembers nothing would be the first one again.
        memory=value("memory") if value("memory") != "off" or value("rounds") == 1 else "own",
        budget=Budget(
            steps=value("budget-steps"),
            tokens=value("budget-tokens"),
            seconds=float(value("budget-seconds")),
            money=_most_money(),
        ),
    )
