"""The commands of the command line, one module each."""

from core.commands import ask, call, replay, runs, tools

COMMANDS = (ask, call, tools, runs, replay)

__all__ = ["COMMANDS"]
