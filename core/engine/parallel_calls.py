"""Calls of one message that are carried out at the same time, and taken in their order.

Only calls that turn rasters into numbers are begun ahead, and only those that name no result: they write
nothing and read nothing of one another. What fails is called again in its turn, where it is reported.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from treeline.core.engine.actions import Action, Call
from treeline.core.engine.calls import measures, texts
from treeline.core.engine.observations import as_json
from treeline.toolkit import Registry, ToolContext
from treeline.toolkit.tool import Tool

# A call streams blocks in threads of its own; more of them beside each other take memory and no less time.
_AT_ONCE = 4
_OF_RESULT = "@result"

Attempt = Callable[[Call, ToolContext], tuple[dict[str, Any], Any]]
"""Repairs and checks a call and runs it in a context; returns its arguments and what it gave."""


@dataclass(frozen=True)
class Ahead:
    """What was begun ahead: the results to come, by tool and arguments as they were written.

    Attributes
    ----------
    stop : threading.Event
        Ends the calls.
    """

    stop: threading.Event = field(default_factory=threading.Event)
    results: dict[str, Future[tuple[dict[str, Any], Any, ToolContext]]] = field(default_factory=dict)

    def begin(
        self, calls: Sequence[Call], attempt: Attempt, context: Callable[[threading.Event], ToolContext]
    ) -> None:
        """Begin calls, each in a context of its own."""

        def run(call: Call) -> tuple[dict[str, Any], Any, ToolContext]:
            own = context(self.stop)
            arguments, value = attempt(call, own)
            return arguments, value, own

        pool = ThreadPoolExecutor(min(_AT_ONCE, len(calls)), thread_name_prefix="beside")
        for call in calls:
            self.results[_key(call)] = pool.submit(run, call)
        # The threads end with the last call; waiting for them here would undo the head start.
        pool.shutdown(wait=False)

    def take(self, call: Call, arguments: dict[str, Any], context: ToolContext) -> tuple[bool, Any]:
        """Return whether a call was begun ahead with these arguments and succeeded, and what it gave."""
        future = self.results.pop(_key(call), None)
        if future is None:
            return False, None
        try:
            own_arguments, value, own = future.result()
        except Exception:  # it fails in its turn too, where it is reported
            return False, None
        # A step in between may have added files, so that the same words mean another raster now.
        if as_json(own_arguments) != as_json(arguments):
            return False, None
        context.warnings.extend(text for text in own.warnings if text not in context.warnings)
        context.doubts.extend(text for text in own.doubts if text not in context.doubts)
        return True, value

    def end(self) -> None:
        """Stop what nobody took."""
        self.stop.set()
        for future in self.results.values():
            future.cancel()


def independent(actions: Sequence[Action], registry: Registry, callable_tools: frozenset[str]) -> list[Call]:
    """Return those calls among actions that may be made at the same time, each once."""
    found = {
        _key(action): action
        for action in actions
        if isinstance(action, Call)
        and action.tool in registry
        and action.tool in callable_tools
        and _stands_alone(action, registry.get(action.tool))
    }
    return list(found.values())


def _stands_alone(call: Call, tool: Tool) -> bool:
    return measures(tool) and not any(_OF_RESULT in text for text in texts(call.arguments))


def _key(call: Call) -> str:
    return json.dumps([call.tool, call.arguments], sort_keys=True, default=str)
