"""What a run proposes and a person approves, edits or denies: a call, or the plan before any."""

from __future__ import annotations

import json

import streamlit as st

from treeline.core.engine.actions import Call
from treeline.core.engine.events import Awaited
from treeline.core.runs.approval import estimate_bytes
from treeline.core.runs.names import CALLS, OFF
from treeline.pages.parts.shared.services import is_own_run, services
from treeline.pages.parts.shared.text import plain
from treeline.pages.parts.tools.form import show_form
from treeline.pages.parts.workbench.steps import shorten_values
from treeline.pages.parts.workbench.word import keep_fault, show_fault, tell
from treeline.toolkit import registry


def show_proposal(run: str, awaited: Awaited, who: str = "") -> None:
    """Show the plan or the call for which a run waits, with what a person can say to it."""
    if not is_own_run(run):
        st.caption("It waits for its owner to decide.")
        return
    with st.container(border=True, gap="xsmall", key="proposal"):
        show_fault(run, awaited.step)
        if awaited.plan:
            _plan(run, awaited)
        elif isinstance(awaited.action, Call):
            _call(run, awaited, awaited.action, who)


def _plan(run: str, awaited: Awaited) -> None:
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
    return f"{flat[0]}{f' and {len(flat) - 1} more' if len(flat) > 1 else ''}" if flat else ""


def _step_by_step(run: str, step: int) -> None:
    services().manager.set_approval(run, CALLS)
    tell(run, step)


def _change(run: str, step: int) -> None:
    st.session_state["question"] = services().manager.record(run).question
    tell(run, step, denied="the question is changed")


def _call(run: str, awaited: Awaited, call: Call, who: str) -> None:
    step = awaited.step
    told = f"{who}: step" if who else "Step"
    st.markdown(f"**{plain(told)} {step} would call {plain(call.tool)}**")
    if awaited.thought:
        st.caption(plain(awaited.thought))
    given = json.dumps(shorten_values(call.arguments), ensure_ascii=False, indent=1)
    st.code(given, language=None, wrap_lines=True)
    data = services().manager.data(run)
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
            args=(run, step),
        )
        st.button(
            "Approve all",
            icon=":material/fast_forward:",
            key=f"approve-all-{here}",
            on_click=_approve_all,
            args=(run, step),
            help="This run asks about nothing more.",
        )
        st.button(
            "Always here",
            icon=":material/bookmark_added:",
            key=f"always-{here}",
            on_click=_always,
            args=(run, step, call.tool),
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
    with st.expander("Edit the call", icon=":material/edit:", key=f"edit-{run}-{step}"):
        _edit(run, step, call)


def _edit(run: str, step: int, call: Call) -> None:
    if call.tool not in registry():
        return
    try:
        arguments = show_form(
            registry().get(call.tool),
            services().manager.data(run),
            key=f"-{run}-{step}",
            submit="Call with these",
            given=call.arguments,
        )
    except ValueError as error:
        keep_fault(run, step, str(error))
        st.rerun()
    if arguments is not None:
        tell(run, step, Call(call.tool, arguments))
        st.rerun()


def _approve_all(run: str, step: int) -> None:
    services().manager.set_approval(run, OFF)
    tell(run, step)


def _always(run: str, step: int, tool: str) -> None:
    services().manager.remember_tool(run, tool)
    tell(run, step)


def _size(count: int) -> str:
    if count < 2**20:
        return f"{count / 2**10:,.0f} KB"
    return f"{count / 2**20:,.1f} MB" if count < 2**30 else f"{count / 2**30:,.1f} GB"
