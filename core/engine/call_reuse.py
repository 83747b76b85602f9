"""Calls that were made before: the same tool with the same arguments gives the same again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeline.core.engine.actions import Call, Observation
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import State, Step
from treeline.toolkit.tool import Tool

SAME_AS = "As in step "
_REPEATED = re.compile(rf"\A{SAME_AS}\d+, which made the same call:\n")


def from_record(tool: Tool, arguments: Mapping[str, Any], state: State) -> Observation | None:
    """Return what a call gave earlier in a run, saying so; ``None`` where it was not made, or is no more so.

    Parameters
    ----------
    arguments : mapping
        As JSON, after repair.
    """
    calls = state.calls
    # The latest call first: a file that both wrote is as the latest left it.
    for place in range(len(calls) - 1, -1, -1):
        step = calls[place]
        if _is_same(step, tool, arguments):
            if not _still_holds(step, calls[place + 1 :]):
                return None
            # The step may itself be a repetition, whose own first line would stand below the new one.
            text = _REPEATED.sub("", step.observation.text)
            said = f"{SAME_AS}{step.number}, which made the same call:"
            return replace(step.observation, text=f"{said}\n{text}")
    return None


def _is_same(step: Step, tool: Tool, arguments: Mapping[str, Any]) -> bool:
    assert isinstance(step.action, Call)
    same = step.observation.kind == "result" and step.action.tool == tool.name
    return same and step.observation.arguments == arguments


def _still_holds(step: Step, later: tuple[Step, ...]) -> bool:
    """Return whether what a call read and wrote stands as it was then."""
    products = step.observation.products
    touched = {file_name(text) for text in texts(step.observation.arguments)}
    touched |= {file_name(product.path) for product in products}
    written = {file_name(product.path) for other in later for product in other.observation.products}
    return not touched & written and all(Path(product.path).exists() for product in products)
