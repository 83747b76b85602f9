"""Running one tool from its form, in the workspace, and showing what came out."""

from __future__ import annotations

from typing import Any

import streamlit as st

from treeline.core.access import acting_person
from treeline.core.disclosure.strategies import make_disclosure
from treeline.core.engine.actions import Call, Doc, Observation
from treeline.core.engine.environment import Environment
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State, Step
from treeline.core.errors import AccessDenied
from treeline.core.runs.reach.rights import tried_run
from treeline.core.workspace import Workspace
from treeline.pages.parts.map.layers import geographic_bounds, product_entries, union
from treeline.pages.parts.map.leaflet import Drawn, show_map
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.services import services
from treeline.pages.parts.shared.text import plain
from treeline.pages.parts.workbench.map_panel import style_of
from treeline.toolkit import Tool, registry
from treeline.toolkit.perception.backends.endpoint import use_vision


def run_tool(tool: Tool, arguments: dict[str, Any], workspace: Workspace, profile: str) -> Observation:
    """Call a tool as a run would, with the same repairs and checks; products go to a folder of their own.

    Raises
    ------
    AccessDenied
        The workspace may only be read.
    """
    if not workspace.writable:
        raise AccessDenied("You may not run tools in this workspace.", "Take a copy of it, or ask its owner.")
    environment = Environment(
        RunData(workspace, tried_run(acting_person())),
        make_disclosure("progressive", services().tree),
        registry(),
        profile,
    )
    read = Step(1, Doc(tool.name), Observation("information", tool.document))
    with use_vision(session_endpoint(speaks=False).vision):
        return environment.act(Call(tool.name, arguments), State("", steps=(read,)))


def show_result(observation: Observation, key: str) -> None:
    """Show what a call answered, and its rasters."""
    if not observation.succeeded:
        st.error(plain(observation.text), icon=":material/block:")
        st.markdown(f":material/lightbulb: {plain(observation.hint)}")
        return
    st.code(observation.text, language=None, wrap_lines=True)
    for warning in observation.warnings:
        st.warning(plain(warning), icon=":material/warning:")
    entries = [e for e in product_entries((0, p) for p in observation.products) if e.layer.on_map]
    if not entries:
        return
    chosen = entries[0]
    if len(entries) > 1:
        chosen = st.selectbox("Product", entries, format_func=lambda entry: entry.title)
    style = style_of(chosen)
    if style is not None:
        show_map(
            [Drawn(chosen, style)],
            union(geographic_bounds(e.layer.description) for e in entries),
            key=key,
            height=360,
        )
