"""The live tree as a chart, and the same as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import streamlit as st

from treeline.pages.parts.shared.closed_tree import closed_tree, is_closed
from treeline.pages.parts.shared.theme import INK, is_dark
from treeline.pages.parts.shared.tree_keys import Entry, listen_to_keys
from treeline.pages.parts.shared.tree_view import KitNode, NodeState, ToolNode

# State: symbol of ECharts, sign in the label, colour on light and on dark.
LOOK: dict[NodeState, tuple[str, str, str, str]] = {
    "closed": ("circle", "", "#98a39f", "#7b8784"),
    "opened": ("circle", "", "#2b6cb0", "#6aa9e9"),
    "read": ("roundRect", "", "#2b6cb0", "#6aa9e9"),
    "running": ("diamond", "…", "#b7791f", "#e0b050"),
    "succeeded": ("roundRect", "✓", "#1b7f4d", "#4dc48a"),
    "refused": ("triangle", "!", "#c05621", "#ef9a5d"),
    "failed": ("rect", "✕", "#b02a37", "#f07883"),
}
WORDS: dict[NodeState, str] = {
    "closed": "not opened",
    "opened": "opened",
    "read": "document read",
    "running": "running",
    "succeeded": "called",
    "refused": "refused",
    "failed": "failed",
}
ROW = 19
# Nodes that stand for what is not shown: kits, and the tools of a kit, whose name stands before it.
FOLDED, REST = "other kits", " rest"
_FEWER = "show fewer"
_PAPER = {False: "#ffffff", True: "#14191a"}
# Less than ink, and still to be read.
_FAINT = {False: "#5f6b67", True: "#98a39f"}
KEY = "tree"
_DRAWN = "tree-drawn"


# The name of an open kit stands before its branches, and so do those of all others: the branches of the one
# above may pass them.
_BEFORE_NODE = {"position": "left", "align": "right", "distance": 5, "padding": [1, 4]}
_HOLLOW: frozenset[NodeState] = frozenset({"closed", "read"})


def tree_option(
    nodes: Sequence[KitNode], selected: str | None, *, dark: bool, height: int, whole: bool = False
) -> dict[str, Any]:
    """Return the tree as an option of ECharts; only branches that are open have children.

    Parameters
    ----------
    whole : bool
        No kit is folded, whatever the height.
    """
    ink = INK[dark]
    shown, folded = (nodes, 0) if whole else fit_rows(nodes, height // ROW)
    children = [_kit(kit, selected, dark) for kit in shown]
    if folded or whole:
        children.append(_rest(FOLDED, f"+{folded} kits" if folded else _FEWER, dark))
    for child in children:
        child["label"] |= _BEFORE_NODE | {"backgroundColor": _PAPER[dark]}
    spare = max((height - (rows_of(shown) + (folded > 0 or whole)) * 34) // 2, 8)
    return {
        "tooltip": {"trigger": "item", "formatter": "{b}"},
        "series": [
            {
                "type": "tree",
                # Of the series: a tree has durations of its own, which go before those of the chart.
                "animationDuration": 0,
                "animationDurationUpdate": 200,
                "data": [
                    {
                        "name": "skills",
                        "children": children,
                        "symbol": "circle",
                        "symbolSize": 5,
                        "value": "",
                        "label": {"show": False},
                    }
                ],
                "orient": "LR",
                "top": spare,
                "bottom": spare,
                # In a narrow window names of kits would reach the root.
                "left": 8,
                "right": "50%",
                "expandAndCollapse": False,
                "initialTreeDepth": -1,
                "roam": False,
                "selectedMode": "single",
                "symbolSize": 9,
                # Beside the root, where the names of kits do not lie on the branches.
                "edgeShape": "polyline",
                "edgeForkPosition": "7%",
                "lineStyle": {"color": "#5a6663" if dark else "#c3cbc8", "width": 1.2},
                "itemStyle": {"color": "#98a39f", "borderColor": "#98a39f"},
                "label": {"position": "left", "fontSize": 12, "color": ink, "distance": 6},
                "leaves": {"label": {"position": "right", "align": "left"}},
                "emphasis": {"focus": "none"},
            }
        ],
    }


def rows_of(nodes: Sequence[KitNode]) -> int:
    """Return how many lines the tree needs."""
    return sum(max(1, len(kit.tools) + _has_rest(kit)) for kit in nodes)


def _has_rest(kit: KitNode) -> bool:
    """Return whether a line below the tools of a kit shows the others, or hides them again."""
    return kit.unfolded or (kit.opened and kit.unread_count > 0)


def fit_rows(nodes: Sequence[KitNode], rows: int) -> tuple[Sequence[KitNode], int]:
    """Return the kits that are shown and how many closed ones are folded so that the rest fits.

    Beside more than one tool the names of closed kits would pass for branches of theirs.
    """
    if rows_of(nodes) <= min(rows, len(nodes) + 1):
        return nodes, 0
    used = [kit for kit in nodes if kit.opened or kit.tools]
    return (used, len(nodes) - len(used)) if used else (nodes, 0)


def fitting_height(nodes: Sequence[KitNode], height: int, *, whole: bool = False) -> int:
    """Return the height that the tree needs where at least a height is given."""
    shown, folded = (nodes, 0) if whole else fit_rows(nodes, height // ROW)
    return max(height, (rows_of(shown) + (folded > 0 or whole)) * ROW)


def _kit(kit: KitNode, selected: str | None, dark: bool) -> dict[str, Any]:
    state: NodeState = "opened" if kit.opened else "closed"
    # In a narrow window the longest name with its number would reach beyond the root.
    text = f"{kit.name} ({kit.count})" if kit.opened else kit.name
    node = _node(kit.name, text, state, kit.name == selected, dark)
    children = [_tool(tool, selected, dark) for tool in kit.tools]
    if _has_rest(kit):
        told = f"+{kit.unread_count} more" if kit.unread_count else _FEWER
        children.append(_rest(kit.name + REST, told, dark))
    if children:
        node["children"] = children
    return node


def _rest(name: str, text: str, dark: bool) -> dict[str, Any]:
    node = _node(name, text, "closed", False, dark)
    node["symbolSize"] = 4
    node["label"]["color"] = _FAINT[dark]
    return node


def _tool(tool: ToolNode, selected: str | None, dark: bool) -> dict[str, Any]:
    sign = LOOK[tool.state][1]
    times = f" ×{tool.calls}" if tool.calls > 1 else ""
    text = f"{tool.name}{times} {sign}".rstrip()
    return _node(tool.name, text, tool.state, tool.name == selected, dark)


def _node(name: str, text: str, state: NodeState, selected: bool, dark: bool) -> dict[str, Any]:
    symbol, _, light_colour, dark_colour = LOOK[state]
    colour = dark_colour if dark else light_colour
    node: dict[str, Any] = {
        "name": name,
        "symbol": symbol,
        "itemStyle": {
            "color": _PAPER[dark] if state in _HOLLOW else colour,
            "borderColor": colour,
            "borderWidth": 1.6,
        },
        # ECharts takes what stands in braces for something to be filled in.
        "label": {"formatter": text.replace("{", "").replace("}", "")},
    }
    if selected:
        node["label"] |= {"fontWeight": "bold", "color": colour}
        node["symbolSize"] = 13
    return node


def tree_rows(nodes: Sequence[KitNode]) -> list[dict[str, Any]]:
    """Return the tree as rows, for the table beside the chart."""
    rows: list[dict[str, Any]] = []
    for kit in nodes:
        rows.append(
            {
                "kit": kit.name,
                "tool": "",
                "state": WORDS["opened" if kit.opened else "closed"],
                "step": _step(kit.step),
            }
        )
        rows += [
            {"kit": kit.name, "tool": t.name, "state": WORDS[t.state], "step": _step(t.step)}
            for t in kit.tools
        ]
    return rows


def _step(number: int | None) -> str:
    """Return a step's number; a column of numbers would say "None" or 0 where there is no step."""
    return str(number) if number else ""


def show_tree(
    nodes: Sequence[KitNode],
    selected: str | None,
    on_click: Callable[[str], None],
    *,
    height: int,
    clickable: bool = False,
    whole: bool = False,
) -> None:
    """Show the tree; a click on a node calls back with its name. Where it is too tall, it scrolls.

    Parameters
    ----------
    clickable : bool
        Whether a click means something while no kit is open.
    whole : bool
        No kit is folded.
    """
    dark = is_dark()
    height = fitting_height(nodes, height, whole=whole)
    if is_closed(nodes) and not clickable:
        st.html(closed_tree(nodes, height=height))
        return
    option = tree_option(nodes, selected, dark=dark, height=height, whole=whole)
    # ECharts numbers the nodes of a tree depth first, after a root of its own.
    names = ["", *_names(option["series"][0]["data"][0])]
    opened = ", ".join(kit.name for kit in nodes if kit.opened) or "none"
    drawn = st.session_state[_DRAWN] = drawing_after(st.session_state.get(_DRAWN), option)
    key = f"{KEY}-{drawn[0]}"

    def tell_click() -> None:
        for group in st.session_state[key].selection.selected:
            for index in group["data_indices"]:
                # Neither ECharts' own root nor ours; and a click may come from a tree that was longer.
                if 1 < index < len(names):
                    on_click(names[index])

    st.echarts_chart(
        option,
        height=height,
        key=key,
        on_select=tell_click,
        renderer="svg",
        alt=f"Skill tree; opened kits: {opened}",
    )
    listen_to_keys(tree_entries(option, nodes), selected, on_click)


def drawing_after(
    kept: tuple[int, frozenset[str]] | None, option: dict[str, Any]
) -> tuple[int, frozenset[str]]:
    """Return the number of a drawing and its nodes with branches; a new one where a node has lost its own.

    ECharts leaves the lines of branches behind whose node stays without them.
    """
    (root,) = option["series"][0]["data"]
    parents = frozenset(child["name"] for child in root["children"] if child.get("children"))
    number, before = kept or (0, parents)
    return number + (not before <= parents), parents


def _names(node: dict[str, Any]) -> list[str]:
    return [node["name"], *(name for child in node.get("children", []) for name in _names(child))]


def tree_entries(option: dict[str, Any], nodes: Sequence[KitNode]) -> list[Entry]:
    """Return the nodes of a tree's option in their order, as a keyboard goes through them."""
    states = {row["tool"] or row["kit"]: _told(row) for row in tree_rows(nodes)}

    def entries(node: dict[str, Any], level: int) -> Iterator[Entry]:
        label = node["label"]["formatter"]
        # Of a node that shows more, the label says all.
        told = f"{node['name']}, {states[node['name']]}" if node["name"] in states else label
        yield Entry(node["name"], label, level, told)
        for child in node.get("children", []):
            yield from entries(child, level + 1)

    (root,) = option["series"][0]["data"]
    return [entry for kit in root["children"] for entry in entries(kit, 1)]


def _told(row: dict[str, Any]) -> str:
    return row["state"] + (f" in step {row['step']}" if row["step"] else "")
