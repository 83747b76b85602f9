"""Tools that work in a process without network where the files are those of others.

What a tool tells goes to whoever waits, and a question to a vision model is asked there, as the process has
neither network nor key. Scenes of a catalogue on the web are read where the network is, and so are items
that go to a cluster, whose network is the cluster's affair.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeline.core.confinement import Line, call_and_attend, is_confining
from treeline.toolkit import ToolContext, cluster, registry, use_context
from treeline.toolkit.catalogue_search.kit import CATALOGUE
from treeline.toolkit.errors import BackendMissing
from treeline.toolkit.items import Outcome, Surroundings
from treeline.toolkit.tool import Tool
from treeline.toolkit.vision_endpoint import VisionEndpoint, current_vision, use_vision

_PROGRESS, _VISION = "progress", "vision"


def run_tool(tool: Tool, arguments: Mapping[str, Any], context: ToolContext) -> Any:
    """Run a tool whose arguments are checked, in a process of its own where files are opened so.

    Raises
    ------
    TreelineError
        The tool failed, or its process was lost.
    Stopped
        The person stopped the work.
    """
    if not is_confining() or cluster.is_wanted() or _reads_web(tool, arguments):
        return tool.run(arguments, context)
    context.check_stop()
    vision = current_vision()
    outcome = call_and_attend(
        _work,
        _Caller(context),
        tool.name,
        dict(arguments),
        Surroundings.of(context, context.threads),
        vision.model if vision is not None else "",
    )
    for warning in outcome.warnings:
        context.warn(warning)
    for doubt in outcome.doubts:
        context.doubt(doubt)
    context.products.extend(outcome.products)
    return outcome.value


def _reads_web(tool: Tool, arguments: Mapping[str, Any]) -> bool:
    return tool.kit == CATALOGUE and "://" in str(arguments.get("catalogue"))


@dataclass(frozen=True)
class _Caller:
    """Whoever waits for a tool: hears of its progress, and asks the vision model for it."""

    context: ToolContext

    @property
    def stop(self) -> threading.Event:
        """Set by the person who stops the work."""
        return self.context.stop

    def answer(self, subject: str, content: Any) -> Any:
        """Pass on the progress, or ask the vision model."""
        if subject == _PROGRESS:
            done, total, label = content
            return self.context.progress(int(done), int(total), str(label))
        vision = current_vision()
        if vision is None:
            raise BackendMissing("No vision model is named.", "Name one in the settings.")
        messages, schema = content
        return vision.complete(messages, schema)


@dataclass(frozen=True, slots=True)
class _AskedElsewhere(VisionEndpoint):
    """A vision model that the caller asks."""

    line: Line | None = None

    def complete(self, messages: list[dict[str, Any]], schema: dict[str, Any]) -> str:
        """Have the caller send messages, and return what the model writes."""
        assert self.line is not None
        return str(self.line.ask(_VISION, (messages, schema)))


def _work(
    line: Line, name: str, arguments: dict[str, Any], surroundings: Surroundings, vision: str
) -> Outcome:
    """Run a tool in this process, and return what it gave, told and wrote."""
    context = surroundings.context(line.stop)
    # The caller's own functions cannot be sent to another process; what they are told is.
    context.progress = lambda done, total, label: line.ask(_PROGRESS, (done, total, label))
    with use_context(context), use_vision(_AskedElsewhere(vision, line=line) if vision else None):
        value = registry().get(name).run(arguments, context)
    return Outcome(value, tuple(context.warnings), tuple(context.products), tuple(context.doubts))
