"""``treeline tools``: the registry."""

from __future__ import annotations

import argparse
from typing import Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.toolkit import KITS, registry


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "tools", COMMANDS["tools"].summary, run)
    parser.add_argument("name", nargs="?", help="show the document of this tool")


def run(options: argparse.Namespace) -> Outcome:
    """List every tool, or show one."""
    tools = [registry().get(options.name)] if options.name else list(registry())
    value = [
        {
            "name": tool.name,
            "kit": tool.kit,
            "brief": tool.brief,
            "document": tool.document,
            "schema": tool.schema,
            "source": tool.source,
            "aliases": list(tool.aliases),
        }
        for tool in tools
    ]
    if options.name:
        return Outcome(value, tools[0].document)
    lines = []
    for kit in KITS.values():
        lines += ["", f"{kit.name}: {kit.summary}"]
        lines += [f"  {tool.name}: {tool.brief}" for tool in registry().of_kit(kit.name)]
    return Outcome(value, "\n".join(lines).strip())
