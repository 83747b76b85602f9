"""Tools: the whole tree, each tool's document, and a form that runs it."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from treeline.core.policies.names import PERSON
from treeline.core.runs.options import RunOptions
from treeline.pages.parts.map.area import area_for_map, session_area_option
from treeline.pages.parts.shared.address import keep_chosen
from treeline.pages.parts.shared.choice import beside_choice, choose_row, search_words, tell_absent
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.services import current_workspace, may_work, services
from treeline.pages.parts.shared.session import pending_start, widget_value
from treeline.pages.parts.shared.sidebar import show_copying
from treeline.pages.parts.shared.text import plain, without_marks
from treeline.pages.parts.tools.form import show_form
from treeline.pages.parts.tools.run import show_run, start_tool
from treeline.toolkit import SkillTree, Tool
from treeline.toolkit.errors import TreelineError

_CHOSEN, _KIT = "tool", "kit"
_FIRST = "tool-first"


def main() -> None:
    keep_chosen(_CHOSEN)
    tree = services().tree
    words, kit = _search(tree)
    left, *beside = beside_choice([5, 7], _CHOSEN)
    with left:
        tool = _browse(tree, words, kit)
    for right in beside:
        with right:
            if tool is not None:
                _show(tool)


def _browse(tree: SkillTree, words: str | None, kit: str | None) -> Tool | None:
    """Return the tool that is chosen, among those that a search finds or earlier."""
    found = [
        tool
        for name, tools in tree.tools.items()
        if kit in (None, name)
        for tool in tools
        if matches(tool, words)
    ]
    chosen = st.session_state.get(_CHOSEN)
    # What an address names stands first: a tick far down a long table is not seen.
    first = st.session_state.setdefault(_FIRST, chosen)
    found.sort(key=lambda tool: tool.name != first)
    choose_row(
        [{"Kit": tool.kit, "Tool": tool.name, "Brief": without_marks(tool.brief)} for tool in found],
        [tool.name for tool in found],
        _CHOSEN,
        column_config={"Kit": _width(80), "Tool": _width(220)},
        height=table_height(len(found), 640),
        alt="Tools of the tree",
    )
    if chosen is None:
        st.caption("Choose a tool to read its document and to run it.")
    every = (tool for tools in tree.tools.values() for tool in tools)
    tool = next((tool for tool in every if tool.name == chosen), None)
    if tool is None:
        tell_absent(_CHOSEN)
    return tool


def _search(tree: SkillTree) -> tuple[str | None, str | None]:
    """Return the words and the kit that are looked for."""
    words = search_words("Search names, briefs, parameters", key="tool-search")
    keep_chosen(_KIT)
    if st.session_state[_KIT] not in tree.kits:
        st.session_state[_KIT] = None
    kit = st.pills(
        "Kit",
        list(tree.kits),
        default=widget_value(_KIT),
        format_func=lambda name: f"{name} ({len(tree.tools[name])})",
        label_visibility="collapsed",
        wrap=True,
        key=_KIT,
    )
    if kit:
        st.caption(plain(tree.kits[kit].summary))
    return words, kit


def _width(pixels: int) -> Any:
    return st.column_config.TextColumn(width=pixels)


def matches(tool: Tool, words: str | None) -> bool:
    """Return whether a tool has every word in its name, brief, kit or parameters."""
    text = " ".join(
        [tool.name, *tool.aliases, tool.brief, tool.kit, *(p.name for p in tool.parameters)]
    ).casefold()
    return all(word in text for word in (words or "").casefold().split())


def _show(tool: Tool) -> None:
    st.markdown(f"## {plain(tool.name)}")
    st.markdown(f"{plain(tool.kit)} · {plain(without_marks(tool.brief))}")
    document, *run = st.tabs(["Document", *["Run it"] * may_work()], key="tool-tabs")
    with document:
        st.code(without_marks(tool.document), language=None, wrap_lines=True)
        if tool.aliases:
            st.caption(f"Also known as {plain(', '.join(tool.aliases))}")
        if tool.difference:
            st.caption(f"Profile earth\\_bench: {plain(tool.difference)}")
    for tab in run:
        with tab:
            _run(tool)


def _run(tool: Tool) -> None:
    name, workspace = current_workspace()
    if not workspace.writable:
        show_copying()
        return
    area = area_for_map(workspace)
    inside = area is not None and st.toggle(
        "Only inside the area of the map",
        True,
        key="tool-inside",
        help="It was drawn or named on the Workbench.",
    )
    try:
        arguments = show_form(tool, workspace)
    except ValueError as error:
        st.error(plain(error))
        return
    if arguments is not None:
        try:
            options = RunOptions(
                policy=PERSON,
                profile=st.session_state["profile"],
                aoi=session_area_option(workspace) if inside else {},
            )
            new = pending_start("begun-tool")
            new.begin(partial(start_tool, tool, arguments, name, options))
        except TreelineError as error:
            st.error(plain(error), icon=":material/error:")
            return
        st.session_state["tool-run"] = (tool.name, new.name)
        new.name = ""
    of, run = st.session_state.get("tool-run", ("", ""))
    if of == tool.name:
        show_run(run, tool, key=f"tool-map-{name}")


main()
