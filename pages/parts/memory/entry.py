"""One entry of the failure memory: what failed, what was learned, what changed, and its upkeep."""

from __future__ import annotations

import json

import streamlit as st

from treeline.core.access import in_team
from treeline.core.context.guardrails import read, to_lines
from treeline.core.memory.compression import full_text
from treeline.core.memory.entries import Entry
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.inspection import steps_of
from treeline.core.record.store import Store
from treeline.pages.parts.memory.entries import UNDO
from treeline.pages.parts.memory.rounds import show_rounds
from treeline.pages.parts.shared.clock import moment_column, moment_text
from treeline.pages.parts.shared.services import may_teach
from treeline.pages.parts.shared.sharing import show_sharing
from treeline.pages.parts.shared.text import plain, shorten
from treeline.toolkit.errors import InputError

_TRACE_HEIGHT = 420
_AUTHORS = {"rules": "by the rules", "model": "by the language model", "person": "by hand"}


def show_entry(memory: FailureMemory, entry: Entry, store: Store) -> None:
    """Show an entry with all that belongs to it."""
    st.markdown(f"**{plain(shorten(entry.question, 200))}**")
    _upkeep(memory, entry)
    told, fix, trace, uses, edit = st.tabs(
        ["Reflection", "What changed", "Trace", f"Uses ({entry.uses})", "Edit"], key="memory-tabs"
    )
    with told:
        _reflection(entry)
    with fix:
        show_rounds(store, entry)
    with trace:
        _trace(store, entry)
    with uses:
        _uses(memory, store, entry)
    with edit:
        _edit(memory, entry)


def _upkeep(memory: FailureMemory, entry: Entry) -> None:
    if entry.owner != memory.owner:
        st.caption(f"Shared by {plain(entry.owner)}")
        return
    with st.container(horizontal=True, gap="xsmall", key="memory-upkeep"):
        for name, yes, no, icon in (
            ("pinned", "Pin", "Unpin", "push_pin"),
            ("muted", "Mute", "Unmute", "volume_off"),
            ("shared", "Share", "Unshare", "group"),
            ("deleted", "Delete", "Restore", "delete"),
        ):
            holds = getattr(entry, name)
            if name == "shared" and not (holds or may_teach()):
                continue
            st.button(
                no if holds else yes,
                icon=f":material/{icon}:",
                key=f"memory-{name}",
                on_click=_mark,
                args=(memory, entry.id, name, not holds),
            )
        if in_team() and may_teach():
            with st.popover("Share with", icon=":material/group_add:", key="memory-share"):
                show_sharing("memory", entry.id)


def _mark(memory: FailureMemory, entry: str, name: str, value: bool) -> None:
    if name == "deleted":
        # First: another press ends this one where it looks at the session, and a way back must be there.
        st.session_state[UNDO] = entry if value else None
    memory.mark(entry, **{name: value})


def _reflection(entry: Entry) -> None:
    lesson = entry.lesson
    st.markdown(f":material/lightbulb: {plain(lesson.text)}")
    for rule in lesson.guardrails:
        st.markdown(f":material/shield: {plain(rule)} :gray[{plain(rule.reason)}]")
    if entry.expression:
        with st.expander("Key: the expression of its question", icon=":material/key:"):
            key = json.dumps(json.loads(entry.expression), ensure_ascii=False, indent=1)
            st.code(key, language=None, wrap_lines=True)
    st.markdown("**Signs of failure**")
    for issue in lesson.issues:
        where = f" · step {issue['step']}" if issue.get("step") else ""
        sign = str(issue.get("sign", "")).replace("_", " ")
        st.markdown(f":orange-badge[{plain(sign)}]{where} {plain(shorten(issue.get('cause', ''), 400))}")
    cost = f" · {lesson.tokens:,} tokens" if lesson.tokens else ""
    made = _AUTHORS.get(lesson.author, lesson.author)
    st.caption(
        f"Learned {moment_text(entry.created)} from round {entry.round} of run {entry.root}, {made}{cost}"
        f" · runs that used it: {entry.uses}, of which succeeded: {entry.helped}, "
        f"failed: {entry.harmed}"
    )


def _trace(store: Store, entry: Entry) -> None:
    lesson = entry.lesson
    steps = steps_of(store, entry.run)
    short, whole = st.columns(2, gap="small")
    with short:
        factor = (
            f", {lesson.full_tokens / lesson.trace_tokens:.1f} times shorter" if lesson.trace_tokens else ""
        )
        st.caption(f"In short: {lesson.trace_tokens:,} tokens{factor}")
        st.code(lesson.trace or "No step was taken.", language=None, wrap_lines=True, height=_TRACE_HEIGHT)
    with whole:
        st.caption(f"Whole: {lesson.full_tokens:,} tokens")
        text = full_text(steps) if steps else "The run is no longer in the store."
        st.code(text, language=None, wrap_lines=True, height=_TRACE_HEIGHT)


def _uses(memory: FailureMemory, store: Store, entry: Entry) -> None:
    uses = memory.uses(entry.id)
    if not uses:
        st.caption("No run has used it yet.")
        return
    words = {True: "yes", False: "no", None: "not judged"}
    st.dataframe(
        [
            {
                "When": use.time,
                "Run": use.run,
                "Status": record.status if (record := store.run(use.run)) else "deleted",
                "Tokens": use.tokens,
                "Helped": words[use.helped],
            }
            for use in uses
        ],
        hide_index=True,
        alt="Runs that used the entry",
        column_config={"When": moment_column()},
    )
    st.caption(f"{sum(use.tokens for use in uses):,} tokens of context in all")


def _edit(memory: FailureMemory, entry: Entry) -> None:
    if entry.owner != memory.owner:
        st.caption("Only its owner can edit it.")
        return
    with st.form(f"memory-edit-{entry.id}", border=False):
        text = st.text_area("Reflection", entry.lesson.text, height=130, max_chars=8000)
        rules = st.text_area(
            "Guardrails, one JSON object a line",
            to_lines(entry.lesson.guardrails),
            height=110,
            help='Such as {"kind": "avoid_tool", "tool": "split_window", "reason": "only one thermal band"}',
        )
        if st.form_submit_button("Save", type="primary", icon=":material/save:"):
            _save(memory, entry, text, rules)
    versions = memory.versions(entry.id)
    for number, old in reversed(list(enumerate(versions, 1))):
        with st.expander(f"Version {number}"):
            st.markdown(plain(old.text))
            for rule in old.guardrails:
                st.markdown(f":material/shield: {plain(rule)}")


def _save(memory: FailureMemory, entry: Entry, text: str, rules: str) -> None:
    lines = [line for line in rules.splitlines() if line.strip()]
    guardrails = [read(line) for line in lines]
    wrong = [number for number, rule in enumerate(guardrails, 1) if rule is None]
    if wrong:
        st.error(f"Line {wrong[0]} of the guardrails is none: {plain(shorten(lines[wrong[0] - 1], 80))}")
        return
    try:
        memory.edit(entry.id, text, [rule for rule in guardrails if rule is not None])
    except InputError as error:
        st.error(plain(error))
        return
    st.rerun()
