"""The commands of the command line, one module each."""

from core.commands import ask, bench, call, cards, replay, runs, tools

COMMANDS = (ask, call, tools, cards, runs, replay, bench)

__all__ = ["COMMANDS"]
