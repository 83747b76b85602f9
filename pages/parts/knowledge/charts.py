"""Charts of the Knowledge page: the taxonomy, what a score is made of, a chain over the skill tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from treeline.knowledge import TAXONOMY, CardMatch, TaskCard
from treeline.pages.parts.shared.text import shorten
from treeline.pages.parts.shared.theme import INK, is_dark
from treeline.toolkit import SkillTree

TAXONOMY_KEY, SCORES_KEY, CHAIN_KEY = "cards-chart", "scores-chart", "chain-chart"
_DOMAIN_COLOURS = ("#2c7a58", "#ad4f38", "#44699f")
_PARTS = ("cosine", "title", "keywords", "content")
_PART_COLOURS = ("#44699f", "#2c7a58", "#c08a2b", "#8a5a9e")
_FAINT = {False: "#98a39f", True: "#7b8784"}
_LINE = {False: "#c3cbc8", True: "#5a6663"}
_CHAIN = {False: "#2b6cb0", True: "#6aa9e9"}
_ROW = 30


def taxonomy_option(cards: Sequence[TaskCard], *, dark: bool) -> dict[str, Any]:
    """Return domains, sub-domains and cards as a treemap: two levels at a time, a click goes in."""
    colours = zip(TAXONOMY, _DOMAIN_COLOURS, strict=True)
    branches = [_domain(name, cards, colour, INK[dark]) for name, colour in colours]
    label = {
        "fontSize": 11,
        "overflow": "break",
        "color": "#ffffff",
        "lineHeight": 16,
        "padding": [4, 4, 4, 6],
    }
    return {
        "tooltip": {"formatter": "{b}", "confine": True},
        "series": [
            {
                "type": "treemap",
                "name": "All cards",
                "data": branches,
                "left": 0,
                "right": 0,
                "top": 0,
                "bottom": 30,
                "leafDepth": 2,
                "drillDownIcon": "",
                "roam": False,
                "selectedMode": "single",
                # A click goes into a sub-domain; a card has no link, so a click only selects it.
                "nodeClick": "link",
                "select": {"label": {"fontWeight": "bold"}},
                "animationDuration": 0,
                "animationDurationUpdate": 300,
                "label": {**label, "position": "insideTopLeft"},
                "upperLabel": {"show": True, "height": 24, "color": "#ffffff", "fontSize": 13},
                "breadcrumb": {"show": True, "bottom": 0, "height": 22, "emptyItemWidth": 25},
                "itemStyle": {"gapWidth": 2, "borderWidth": 2},
                "levels": [
                    {"itemStyle": {"borderWidth": 0, "gapWidth": 4}, "upperLabel": {"show": False}},
                    {"itemStyle": {"borderWidth": 2, "gapWidth": 2}, "upperLabel": {"show": True}},
                ],
            }
        ],
    }


def _domain(name: str, cards: Sequence[TaskCard], colour: str, ink: str) -> dict[str, Any]:
    parts = []
    for part in TAXONOMY[name]:
        leaves = [
            {"name": card.title, "value": 1, "itemStyle": {"color": colour}}
            for card in cards
            if card.sub_domain == part
        ]
        parts.append(
            {
                "name": f"{part} ({len(leaves)})",
                "children": leaves,
                "itemStyle": {"color": colour},
                "upperLabel": {"color": ink},
            }
        )
    return {"name": name, "children": parts, "itemStyle": {"color": colour, "borderColor": colour}}


def taxonomy_names(cards: Sequence[TaskCard]) -> list[str]:
    """Return what each node of the treemap is, in the order of its numbers: domain, sub-domain or card id."""
    # ECharts numbers the nodes of a treemap depth first, after a root of its own.
    names = [""]
    for domain, parts in TAXONOMY.items():
        names.append(domain)
        for part in parts:
            names += [part, *(card.id for card in cards if card.sub_domain == part)]
    return names


def show_taxonomy(cards: Sequence[TaskCard], on_click: Callable[[str], None], *, height: int) -> None:
    """Show the treemap; a click calls back with a domain, a sub-domain or the id of a card."""
    names = taxonomy_names(cards)
    st.echarts_chart(
        taxonomy_option(cards, dark=is_dark()),
        height=height,
        key=TAXONOMY_KEY,
        renderer="svg",
        on_select=lambda: _tell_click(TAXONOMY_KEY, names, on_click),
        alt=f"{len(cards)} cards by domain and sub-domain",
    )


def _tell_click(key: str, names: Sequence[str], on_click: Callable[[str], None]) -> None:
    for group in st.session_state[key].selection.selected:
        for index in group["data_indices"]:
            if 0 <= index < len(names) and names[index]:
                on_click(names[index])


def scores_option(
    matches: Sequence[CardMatch], cards: Mapping[str, TaskCard], *, dark: bool
) -> dict[str, Any]:
    """Return the parts of scores as stacked bars, the best on top."""
    titles = [shorten(cards[match.id].title, 46) for match in matches]
    series = [
        {
            "type": "bar",
            "name": part,
            "stack": "score",
            "selectedMode": "single",
            "data": [round(getattr(match, part), 3) for match in matches],
            "itemStyle": {"color": colour},
            "barWidth": 15,
        }
        for part, colour in zip(_PARTS, _PART_COLOURS, strict=True)
    ]
    return {
        "animation": False,
        "tooltip": {"trigger": "axis", "axisPointer": {"type": "shadow"}, "confine": True},
        "legend": {"top": 0, "textStyle": {"color": INK[dark]}, "itemWidth": 12, "itemHeight": 10},
        "grid": {"left": 8, "right": 24, "top": 28, "bottom": 8, "containLabel": True},
        "xAxis": {
            "type": "value",
            "axisLabel": {"color": INK[dark]},
            "splitLine": {"lineStyle": {"color": _LINE[dark]}},
        },
        "yAxis": {
            "type": "category",
            "inverse": True,
            "data": titles,
            "axisTick": {"show": False},
            "axisLabel": {"color": INK[dark], "fontSize": 11, "width": 240, "overflow": "truncate"},
        },
        "series": series,
    }


def show_scores(
    matches: Sequence[CardMatch], cards: Mapping[str, TaskCard], on_click: Callable[[str], None]
) -> None:
    """Show what the scores are made of; a click on a bar calls back with the card."""
    names = [match.id for match in matches]
    st.echarts_chart(
        scores_option(matches, cards, dark=is_dark()),
        height=60 + 28 * len(matches),
        key=SCORES_KEY,
        renderer="svg",
        on_select=lambda: _tell_click(SCORES_KEY, names, on_click),
        alt=f"Scores of {len(matches)} cards, taken apart",
    )


@dataclass(frozen=True, slots=True)
class ChainTool:
    """A tool of a chain: its kit, and where in the chain it comes, from 1."""

    kit: str
    name: str
    places: tuple[int, ...]


def chain_tools(tree: SkillTree, chain: Sequence[str]) -> list[ChainTool]:
    """Return the tools of a chain with their kits, in the order of the chain; a tool comes once."""
    kits = {
        name: (kit, tool.name)
        for kit, tools in tree.tools.items()
        for tool in tools
        for name in (tool.name, *tool.aliases)
    }
    places: dict[tuple[str, str], list[int]] = {}
    for number, name in enumerate(chain, 1):
        if name in kits:
            places.setdefault(kits[name], []).append(number)
    return [ChainTool(kit, name, tuple(numbers)) for (kit, name), numbers in places.items()]


def chain_option(tree: SkillTree, chain: Sequence[str], *, dark: bool) -> dict[str, Any]:
    """Return the skill tree with the tools of a chain, and the chain as numbered arrows over it."""
    tools = chain_tools(tree, chain)
    kits = list(dict.fromkeys(tool.kit for tool in tools))
    rest = f"+{len(tree.kits) - len(kits)} kits"
    heights = _spread([*kits, rest], len(tools) * _ROW)
    nodes = [_node("skills", 0, len(tools) * _ROW / 2, _FAINT[dark], INK[dark], "left")]
    nodes += [_node(kit, 150, heights[kit], _CHAIN[dark], INK[dark], "top") for kit in kits]
    nodes.append(_node(rest, 150, heights[rest], _FAINT[dark], _FAINT[dark], "right"))
    nodes += [_tool(tool, row * _ROW, dark) for row, tool in enumerate(tools)]
    pairs = [("skills", kit) for kit in [*kits, rest]] + [(tool.kit, tool.name) for tool in tools]
    branch = {"color": _LINE[dark], "width": 1.2}
    links = [{"source": a, "target": b, "lineStyle": branch} for a, b in pairs]
    return {
        "animation": False,
        "tooltip": {"show": False},
        "series": [
            {
                "type": "graph",
                "layout": "none",
                "roam": False,
                "data": nodes,
                "links": links + _arrows(tools, dark),
                "left": 50,
                "right": 230,
                "top": 22,
                "bottom": 14,
                "edgeSymbolSize": [0, 8],
                "emphasis": {"disabled": True},
                "silent": True,
            }
        ],
    }


def _spread(names: Sequence[str], height: float) -> dict[str, float]:
    """Return heights for names, evenly from the top to the bottom."""
    return {name: height * row / max(len(names) - 1, 1) for row, name in enumerate(names)}


def _arrows(tools: Sequence[ChainTool], dark: bool) -> list[dict[str, Any]]:
    """Return an arrow from each tool of the chain to the next one."""
    at = {place: tool.name for tool in tools for place in tool.places}
    order = [at[place] for place in sorted(at)]
    style = {"color": _CHAIN[dark], "width": 2, "curveness": -0.45}
    return [
        {"source": a, "target": b, "symbol": ["none", "arrow"], "lineStyle": style}
        for a, b in zip(order, order[1:], strict=False)
        if a != b
    ]


def _tool(tool: ChainTool, y: int, dark: bool) -> dict[str, Any]:
    node = _node(tool.name, 330, y, _CHAIN[dark], INK[dark], "right")
    node["label"]["formatter"] = f"{', '.join(map(str, tool.places))}  {tool.name}"
    return {**node, "symbol": "roundRect", "symbolSize": 10}


def _node(name: str, x: int, y: float, colour: str, ink: str, position: str) -> dict[str, Any]:
    label = {
        "show": True,
        "position": position,
        "fontSize": 12,
        "color": ink,
        "distance": 6,
        "formatter": "{b}",
    }
    return {"name": name, "x": x, "y": y, "symbolSize": 8, "itemStyle": {"color": colour}, "label": label}


def show_chain(tree: SkillTree, chain: Sequence[str]) -> None:
    """Show a chain over the skill tree."""
    rows = len(chain_tools(tree, chain)) + 1
    st.echarts_chart(
        chain_option(tree, chain, dark=is_dark()),
        height=max(140, rows * _ROW + 36),
        key=CHAIN_KEY,
        renderer="svg",
        alt=f"Chain over the skill tree: {', then '.join(chain)}",
    )
