"""A question of the team itself to its language model: its cost is recorded, its reply parsed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from treeline.core.context.foreign_text import DATA, indent_headings
from treeline.core.context.holdings import CONTEXT_PART as HOLDINGS
from treeline.core.context.json_reading import values_in
from treeline.core.engine.journal import recorded_state
from treeline.core.errors import EndpointError
from treeline.core.memory.model_reflection import reflection_exchange
from treeline.core.teams.crew import Crew


def text_from(crew: Crew, instruction: str, parts: Mapping[str, str], purpose: str) -> str:
    """Return what the team's model replies; nothing where it cannot be reached.

    Parameters
    ----------
    parts : mapping of str to str
        Titles and texts; empty ones are left out.
    purpose : str
        What it is asked to do, such as ``judge``.

    Raises
    ------
    Stopped
    """
    parts = {"What was asked before": crew.before, **parts}
    text = "\n\n".join(f"# {title}\n\n{indent_headings(part)}" for title, part in parts.items() if part)
    messages = [{"role": "system", "content": f"{instruction}\n{DATA}"}, {"role": "user", "content": text}]
    exchange = reflection_exchange(crew.endpoint)
    try:
        reply = exchange.reply(messages, lambda note: crew.tell("note", note), crew.stop)
    except EndpointError as error:
        crew.tell("orchestrator", f"The model could not be asked to {purpose}: {error.message}")
        return ""
    crew.tell("orchestrator", f"The model was asked to {purpose}.", tokens=asdict(reply.tokens))
    return reply.text


def workspace_parts(crew: Crew) -> dict[str, str]:
    """Return what a plan is told of the data: what an analyst who works alone is told of them, too."""
    told = recorded_state(crew.store, crew.run).context
    parts = {"Workspace": told.get("catalogue", "")}
    # Where a paper's regime is measured, a model is told of the collections alone.
    return parts | ({"What the data hold": told.get(HOLDINGS, "")} if crew.options.open_tools else {})


def objects_in(text: str) -> list[dict[str, Any]]:
    """Return the objects that a text lists: in an array, in one that an object holds, or one by one."""
    found: list[dict[str, Any]] = []
    for _, value in values_in(text):
        lists = [value] if isinstance(value, list) else [v for v in value.values() if isinstance(v, list)]
        items = [item for each in lists for item in each if isinstance(item, dict)]
        if items and not found:
            return items
        if isinstance(value, dict):
            found.append(value)
    return found
