"""One selection for tree, steps and map: a step and a layer that belong together."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.layers import Entry
from pages.parts.runview import RunView
from pages.parts.treeview import KitNode, step_of_node

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
    """Return the uppermost layer: chosen, of the selected step, the newest product, or the first input.

    Parameters
    ----------
    entries : sequence of Entry
        Products first, the newest of them first; then inputs.
    """
    by_key = {entry.key: entry for entry in entries}
    chosen = by_key.get(st.session_state.get(LAYER) or "")
    if chosen is not None:
        return chosen
    made = [entry for entry in entries if entry.step is not None and entry.layer.on_map]
    number = selected_step()
    of_step = [entry for entry in made if entry.step == number]
    if of_step:
        return of_step[0]
    if number is None and made:
        return made[0]
    if number is not None and made:
        earlier = [entry for entry in made if entry.step is not None and entry.step <= number]
        if earlier:
            return earlier[0]
    drawable = [entry for entry in entries if entry.step is None and entry.layer.on_map]
    colour = [entry for entry in drawable if entry.layer.role == "rgb"]
    return next(iter(colour or drawable), None)
