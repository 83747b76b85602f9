"""What a run proposes and a person approves, edits or denies: a call, or the plan before any."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from treeline.core.engine.actions import Call
from treeline.core.engine.events import DecisionAwaited
from treeline.core.runs.approval import estimate_bytes
from treeline.core.runs.names import CALLS, OFF
from treeline.core.runs.rephrasing import whole_question
from treeline.core.workspace import is_handle, select
from treeline.pages.parts.shared.services import is_own_run, services
from treeline.pages.parts.shared.text import count_text, plain
from treeline.pages.parts.tools.form import Holds, show_form
from treeline.pages.parts.workbench.reply import forget_fault, keep_fault, show_fault, tell
from treeline.pages.parts.workbench.steps import shorten_values
from treeline.toolkit import Tool, registry
from treeline.toolkit.errors import InputError

_EDITED = "edited-call"


def show_proposal(run: str, awaited: DecisionAwaited, who: str = "") -> None:
    """Show the plan or the call for which a run waits, with what a person can say to it."""
    if not is_own_run(run):
        st.caption("It waits for its owner to decide.")
        return
    with st.container(border=True, gap="xsmall", key="proposal"):
        with st.container(key="word-fault"):
            show_fault(run, awaited.step)
        if awaited.plan:
            _plan(run, awaited)
        elif isinstance(awaited.action, Call):
            _call(run, awaited, awaited.action, who)


def _plan(run: str, awaited: DecisionAwaited) -> None:
    st.markdown("**The plan, before anything is called**")
    rows = [
        {"": n, "Tool": c.tool, "Reads": _paths(c, writes=False), "Writes": _paths(c, writes=True)}
        for n, c in enumerate(awaited.plan, start=1)
    ]
    widths = {"": 30, "Tool": 125, "Reads": 135, "Writes": 125}
    config = {name: st.column_config.Column(width=width) for name, width in widths.items()}
    st.dataframe(rows, hide_index=True, column_config=config, alt="The plan")
    size = sum(estimate_bytes(call, services().manager.data(run)) for call in awaited.plan)
    told = f"They write at least {_size(size)}." if size else ""
    st.caption(f"These calls are certain; what follows depends on what they give. {told}")
    with st.container(horizontal=True, gap="xsmall"):
        st.button(
            "Go",
            type="primary",
            icon=":material/play_arrow:",
            key="plan-go",
            on_click=tell,
            args=(run, awaited.step),
        )
        st.button(
            "Step by step",
            icon=":material/footprint:",
            key="plan-steps",
            on_click=_step_by_step,
            args=(run, awaited.step),
        )
        st.button(
            "Change the question",
            icon=":material/edit:",
            key="plan-change",
            on_click=_change,
            args=(run, awaited.step),
        )


def _paths(call: Call, *, writes: bool) -> str:
    if call.tool not in registry():
        return ""
    wanted = registry().get(call.tool).outputs if writes else registry().get(call.tool).inputs
    found = [call.arguments.get(parameter.name) for parameter in wanted]
    flat = [item for value in found for item in (value if isinstance(value, list) else [value]) if item]
    # How many comes first: a long name is cut in its column.
    return f"{count_text(len(flat), 'file')}, {flat[0]}" if len(flat) > 1 else "".join(map(str, flat))


def _step_by_step(run: str, step: int) -> None:
    # First how it goes on, then that it does: a run that is told to go on makes its first call at once.
    services().manager.set_approval(run, CALLS)
    tell(run, step)


def _change(run: str, step: int) -> None:
    st.session_state["question"] = whole_question(services().manager.record(run))
    tell(run, step, denied="the question is changed")


def _call(run: str, awaited: DecisionAwaited, proposed: Call, who: str) -> None:
    """Show the call as it now stands, which is what an approval sends, and what can be said to it."""
    step = awaited.step
    edited = _edited_call(run, step)
    call = edited or proposed
    told = f"{who}: step" if who else "Step"
    st.markdown(f"**{plain(told)} {step} would call {plain(call.tool)}**")
    if awaited.thought:
        st.caption(plain(awaited.thought))
    data = services().manager.data(run)
    # The box is always there, so that what is open below it stays open when it fills.
    with st.container(gap="xsmall", key="call-notes"):
        if edited is not None:
            _show_changes(run, step, proposed, edited)
        if size := estimate_bytes(call, data):
            st.caption(f"It would write about {_size(size)}.")
    here = f"{run}-{step}"
    with st.container(horizontal=True, gap="xsmall"):
        st.button(
            "Approve",
            type="primary",
            icon=":material/check:",
            key=f"approve-{here}",
            on_click=tell,
            args=(run, step, edited),
        )
        st.button(
            "Approve all",
            icon=":material/fast_forward:",
            key=f"approve-all-{here}",
            on_click=_approve_all,
            args=(run, step, edited),
            help="This run asks about nothing more.",
        )
        st.button(
            "Always here",
            icon=":material/bookmark_added:",
            key=f"always-{here}",
            on_click=_always,
            args=(run, step, call.tool, edited),
            help="This tool is not asked about in this workspace again.",
        )
    with st.form(f"deny-{here}", border=False), st.container(horizontal=True, gap="xsmall"):
        reason = st.text_input(
            "Reason",
            placeholder="Why not? The policy is told.",
            label_visibility="collapsed",
            key=f"reason-{here}",
        )
        if st.form_submit_button("Deny", icon=":material/block:"):
            tell(run, step, denied=reason.strip() or "it is not wanted")
            st.rerun()
    # Below what can be said to the call, which long lists would push out of sight.
    given = json.dumps(shorten_values(call.arguments), ensure_ascii=False, indent=1)
    st.code(given, language=None, wrap_lines=True)
    with st.expander("Edit the call", icon=":material/edit:", key=f"edit-{run}-{step}"):
        _edit(run, step, proposed, call)


def _edited_call(run: str, step: int) -> Call | None:
    """Return the call that a person made of the one that a step proposed."""
    *whose, call = st.session_state.get(_EDITED, ("", 0, None))
    return call if whose == [run, step] else None


def _show_changes(run: str, step: int, proposed: Call, edited: Call) -> None:
    names = ", ".join(changed_names(proposed, edited))
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="edited-call"):
        st.markdown(f":material/edit: You changed {plain(names)}; nothing is sent yet.", width="content")
        st.button(
            "Take the changes back",
            type="tertiary",
            icon=":material/undo:",
            key=f"unedit-{run}-{step}",
            on_click=_keep_edited,
            args=(run, step, None),
        )


def _keep_edited(run: str, step: int, call: Call | None) -> None:
    st.session_state[_EDITED] = run, step, call


def changed_names(before: Call, after: Call) -> list[str]:
    """Return the arguments, by their names, in which two calls of one tool differ.

    An argument that is not given has its default, and one file is the same alone and in a list.
    """
    usual = {p.name: p.default for p in registry().get(before.tool).parameters}
    one, other = ({**usual, **call.arguments} for call in (before, after))
    return [name for name in {**one, **other} if _alone(one.get(name)) != _alone(other.get(name))]


def _alone(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _edit(run: str, step: int, proposed: Call, call: Call) -> None:
    """Show the tool's own form; what is sent by it is shown before anything is called."""
    if call.tool not in registry():
        return
    tool, data = registry().get(call.tool), services().manager.data(run)
    try:
        arguments = show_form(
            tool, data, key=f"-{run}-{step}", submit="Change the call", given=proposed.arguments
        )
        if arguments is None:
            return
        changed = Call(call.tool, arguments)
        if not changed_names(call, changed):
            raise ValueError("Nothing of the call was changed.")
        refuse_unknown_handles(tool, arguments, data)
    except (ValueError, InputError) as error:
        keep_fault(run, step, str(error))
    else:
        forget_fault()
        _keep_edited(run, step, changed if changed_names(proposed, changed) else None)
    st.rerun()


def refuse_unknown_handles(tool: Tool, arguments: Mapping[str, Any], data: Holds) -> None:
    """Refuse what is written like a handle and names nothing, before a step is spent on it.

    Raises
    ------
    InputError
        The hint names what exists.
    """
    values = [arguments.get(parameter.name) for parameter in tool.inputs]
    for value in (item for each in values for item in (each if isinstance(each, list) else [each])):
        if isinstance(value, str) and is_handle(value):
            select(value, data.collections)


def _approve_all(run: str, step: int, edited: Call | None) -> None:
    services().manager.set_approval(run, OFF)
    tell(run, step, edited)


def _always(run: str, step: int, tool: str, edited: Call | None) -> None:
    services().manager.remember_tool(run, tool)
    tell(run, step, edited)


def _size(count: int) -> str:
    if count < 2**20:
        return f"{count / 2**10:,.0f} KB"
    return f"{count / 2**20:,.1f} MB" if count < 2**30 else f"{count / 2**30:,.1f} GB"
