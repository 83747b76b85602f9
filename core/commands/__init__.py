"""The commands of the command line, one module each."""

from treeline.core.commands import ask, bench, call, cards, memory, replay, runs, serve, tools

COMMANDS = (ask, call, tools, cards, memory, runs, replay, bench, serve)

__all__ = ["COMMANDS"]
