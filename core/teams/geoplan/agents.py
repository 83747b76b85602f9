"""The planning tools of GeoPlan-bench under the sub-agents of the layered team."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def agents() -> dict[str, dict[str, Any]]:
    """Return the sub-agents by name: ``layer``, ``steps`` at most, ``tools``."""
    text = files("treeline.core.teams.geoplan").joinpath("agents.json").read_text("utf-8")
    return json.loads(text)["sub_agents"]


def tool_names() -> tuple[str, ...]:
    """Return the names of the planning tools, each once."""
    return tuple(dict.fromkeys(tool for agent in agents().values() for tool in agent["tools"]))


def agents_of_layer(layer: int) -> list[str]:
    """Return the names of a layer's sub-agents."""
    return [name for name, agent in agents().items() if agent["layer"] == layer]


@cache
def agents_with(tool: str) -> tuple[str, ...]:
    """Return the sub-agents that can call a tool."""
    return tuple(name for name, agent in agents().items() if tool in agent["tools"])


@cache
def layers_of(tool: str) -> tuple[int, ...]:
    """Return the layers in which a tool can be called, the lowest first; the lowest for an unknown one."""
    return tuple(sorted({agents()[name]["layer"] for name in agents_with(tool)})) or (1,)


def sub_agents_of(tools: Iterable[str], layer: int) -> tuple[str, ...]:
    """Return the fewest sub-agents of a layer that can call some tools, the most able first."""
    able = {name: set(agents()[name]["tools"]) for name in agents_of_layer(layer)}
    left, chosen = set(tools), []
    while left:
        best = max(able, key=lambda name: len(able[name] & left))
        if not able[best] & left:
            break
        chosen.append(best)
        left -= able[best]
    return tuple(chosen)
