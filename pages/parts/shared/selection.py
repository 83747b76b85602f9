"""One selection for tree, steps and map: a step and a layer that belong together."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from treeline.core.engine.actions import Call
from treeline.core.engine.state import Step
from treeline.pages.parts.map.layers import Entry
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.tree_view import KitNode, step_of_node

STEP, LAYER = "step", "layer-chosen"


def selected_step() -> int | None:
    """Return the selected step; ``None`` while nobody chose one."""
    return st.session_state.get(STEP)


def select_step(number: int) -> None:
    """Select a step, and the layer that it wrote."""
    st.session_state[STEP] = number
    st.session_state[LAYER] = None


def select_node(nodes: Sequence[KitNode], name: str) -> None:
    """Select the last step about a kit or a tool."""
    number = step_of_node(nodes, name)
    if number is not None:
        select_step(number)


def select_layer(entry: Entry) -> None:
    """Select a layer, and the step that wrote it."""
    st.session_state[LAYER] = entry.key
    if entry.step is not None:
        st.session_state[STEP] = entry.step


def clear() -> None:
    """Select nothing: what is newest is shown."""
    st.session_state[STEP] = None
    st.session_state[LAYER] = None


def active_layer(entries: Sequence[Entry], view: RunView) -> Entry | None:
    """Return the uppermost layer: chosen, of the answer, of the step, or the first input.

    Parameters
    ----------
    entries : sequence of Entry
        Products first, the newest of them first; then inputs.
    """
    chosen = next((entry for entry in entries if entry.key == st.session_state.get(LAYER)), None)
    return chosen or _of_answer(entries, view) or _of_steps(entries, view) or _first_input(entries)


def _of_answer(entries: Sequence[Entry], view: RunView) -> Entry | None:
    """Return the newest product of the one date that the answer names, while nobody chose a step."""
    answer = view.finished.answer if view.finished else None
    if answer is None or selected_step() is not None:
        return None
    named = [e for e in entries if e.step is not None and e.layer.on_map and e.date and e.date in answer.text]
    return named[0] if len({entry.date for entry in named}) == 1 else None


def _of_steps(entries: Sequence[Entry], view: RunView) -> Entry | None:
    """Return the layer that the selected step wrote or read, else the nearest earlier one."""
    last = selected_step()
    drawable = [entry for entry in entries if entry.layer.on_map]
    for step in reversed(view.steps):
        if last is None or step.number <= last:
            written = [entry for entry in drawable if entry.step == step.number]
            found = written or _read_by(step, drawable)
            if found:
                return found[0]
    return None


def _read_by(step: Step, entries: Sequence[Entry]) -> list[Entry]:
    if not isinstance(step.action, Call) or not step.observation.succeeded:
        return []
    given = (step.observation.arguments or {}).values()
    addresses = [address for value in given for address in (value if isinstance(value, list) else [value])]
    named = [address for address in addresses if isinstance(address, str)]
    return [entry for address in named[-1:] for entry in entries if entry.is_at(address)]


def _first_input(entries: Sequence[Entry]) -> Entry | None:
    drawable = [entry for entry in entries if entry.step is None and entry.layer.on_map]
    colour = [entry for entry in drawable if entry.layer.role == "rgb"]
    return next(iter(colour or drawable), None)
