"""The steps of a run, the newest first, each one line that unfolds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import streamlit as st

from treeline.core.engine.actions import Answer, Call, Doc, Skill, action_name
from treeline.core.engine.events import Draft, StepStarted
from treeline.core.engine.state import Step
from treeline.core.engine.table_units import is_by_class
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.text import count_text, number, plain, seconds, shorten, without_marks
from treeline.toolkit.lists import rows_of

_LINE = 52
_MOST_ITEMS, _FEW = 8, 2
_LAST_WORDS = 600
_ICONS = {"skill": "account_tree", "doc": "description", "call": "play_arrow", "answer": "flag"}
_KINDS = {"raster": "raster", "image": "picture"}
_FAULTS = {"refusal": ("block", "orange", "refused"), "failure": ("error", "red", "failed")}


def show_steps(view: RunView, selected: int | None, on_select: Callable[[int], None], *, run: str) -> None:
    """Show the step under way and the steps that were answered."""
    if view.pending is not None:
        _show_pending(view)
    elif view.draft is not None:
        _show_draft(view.draft, len(view.steps) + 1)
    if not view.steps and view.pending is None and view.draft is None:
        st.caption("No step yet. They come here, the newest first.")
    newest = view.steps[-1] if view.steps else None
    # The answer stands beside the steps, and needs no second place among them.
    told = newest is not None and isinstance(newest.action, Answer) and newest.observation.is_success
    first = newest.number if newest is not None and not told else None
    for step in reversed(view.steps):
        _one(step, step.number == (first if selected is None else selected), on_select, run)


def _show_pending(view: RunView) -> None:
    assert view.pending is not None
    text = f"**{view.pending.step}** {_action(view.pending)} …"
    progress = view.progress
    if progress is not None and progress.total:
        share = min(progress.done / progress.total, 1.0)
        st.progress(share, text=f"{text} {progress.done} of {progress.total} {plain(progress.label)}")
    else:
        st.markdown(f":material/pending: {text}")


def _show_draft(draft: Draft, number: int) -> None:
    """Show what the model is writing: its last words, and its calls as far as they are."""
    st.markdown(f":material/edit_note: **{number}** the model is writing …")
    with st.container(border=True):
        if draft.thought:
            left_out = "… " if len(draft.thought) > _LAST_WORDS else ""
            st.caption(plain(left_out + draft.thought[-_LAST_WORDS:]))
        for call in draft.calls:
            st.code(call[-_LAST_WORDS:], language=None, wrap_lines=True)


def _action(step: Step | StepStarted) -> str:
    if isinstance(step.action, Answer):
        return "answer"
    return f"{step.action.kind} {plain(_name(step))}"


def _name(step: Step | StepStarted) -> str:
    return shorten(action_name(step.action), 40)


def _one(step: Step, unfolded: bool, on_select: Callable[[int], None], run: str) -> None:
    # A step that folds because another one came is another widget, of which the browser may still tell.
    key = f"step-{run}-{step.number}-{'unfolded' if unfolded else 'folded'}"

    def toggle() -> None:
        if st.session_state[key] and not unfolded:
            on_select(step.number)

    with st.expander(
        _label(step),
        expanded=unfolded,
        key=key,
        type="compact",
        icon=_icon(step),
        on_change=toggle,
    ) as part:
        if part.open:
            show_details(step)


def _icon(step: Step) -> str:
    fault = _FAULTS.get(step.observation.kind)
    return f":material/{fault[0] if fault else _ICONS[step.action.kind]}:"


def _label(step: Step) -> str:
    fault = _FAULTS.get(step.observation.kind)
    text = f"**{step.number}** {_action(step)}"
    came = "" if isinstance(step.action, Skill | Doc | Answer) and not fault else _came(step)
    # Less would be shown as 0.00 s, which says nothing.
    tail = f" :gray[{seconds(step.seconds)}]" if step.seconds >= 0.005 else ""
    return (f":{fault[1]}[{text} {came}]" if fault else f"{text} {came}") + tail


def _came(step: Step) -> str:
    room = max(12, _LINE - len(_name(step)))
    text = plain(shorten(tell_briefly(step.observation.value) or step.observation.text, room))
    if not step.observation.is_success:
        return f"— {_FAULTS[step.observation.kind][2]}\\: {text}"
    kinds = Counter(_KINDS.get(product.kind, "product") for product in step.observation.products)
    if kinds:
        return f"→ {', '.join(count_text(count, kind) for kind, count in kinds.items())}"
    return f"→ {text}"


def tell_briefly(value: Any) -> str:
    """Return what a call gave in a few words, its numbers rounded; empty for what has no such words."""
    match value:
        case None | str():
            return ""
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return number(value)
        case [alone]:
            return tell_briefly(alone)
        case list():
            return _tell_list(value)
        # "1 299, 2 310" names no class, and says nothing to who does not know the numbers of the map.
        case dict() if is_by_class(value) and all(isinstance(n, int | float | None) for n in value.values()):
            known = [n for n in value.values() if n is not None]
            ends = f", {number(min(known))} to {number(max(known))}" if known else ""
            return f"{len(value)} {'class' if len(value) == 1 else 'classes'}{ends}"
        case dict():
            told = {name: tell_briefly(item) for name, item in value.items()}
            return ", ".join(f"{name} {text}" for name, text in told.items() if text)
        case _:
            return ""


def _tell_list(values: list[Any]) -> str:
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, bool) for value in known):
        return f"yes {sum(known)} of {len(values)} times"
    if known and all(isinstance(value, int | float) for value in known):
        # Two are often of different kinds: a highest value and its place are no range.
        if len(known) == len(values) <= _FEW:
            return ", ".join(map(number, known))
        return f"{len(values)} numbers, {number(min(known))} to {number(max(known))}"
    rows = rows_of(values)  # of the tables of several rasters
    return f"{len(rows)} rows" if all(isinstance(row, dict) for row in rows) else ""


def shorten_values(value: Any) -> Any:
    """Return arguments with file names for paths, and long lists cut."""
    match value:
        case dict():
            return {name: shorten_values(item) for name, item in value.items()}
        case list() if len(value) > _MOST_ITEMS:
            return [*map(shorten_values, value[:3]), f"… {len(value) - 4} more …", shorten_values(value[-1])]
        case list():
            return [shorten_values(item) for item in value]
        # Where the server keeps a file is nobody's business, and longer than the line.
        case str() if value.startswith("/"):
            return PurePath(value).name
        case _:
            return value


def show_details(step: Step) -> None:
    """Show what a step was chosen for, with what, and what came of it."""
    if step.thought:
        st.markdown(f"*{plain(step.thought)}*")
    if isinstance(step.action, Call):
        given = shorten_values(step.observation.arguments or step.action.arguments)
        st.code(json.dumps(given, ensure_ascii=False, indent=1), language=None, wrap_lines=True)
    if isinstance(step.action, Answer):
        st.markdown(plain(step.action.text))
    else:
        text = step.observation.text
        st.code(without_marks(text) if isinstance(step.action, Doc) else text, language=None, wrap_lines=True)
    if step.observation.hint:
        st.markdown(f":material/lightbulb: {plain(step.observation.hint)}")
    for warning in step.observation.warnings:
        st.markdown(f":material/warning: :orange[{plain(warning)}]")
    cost = step.tokens
    tokens = f"{cost.input:,} in · {cost.output:,} out" if cost.input or cost.output else "no tokens"
    st.caption(f"{seconds(step.seconds)} · {tokens}")
