"""What a command hands back to be printed, and how commands declare themselves."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """A value for machines, a text for people, and the exit code."""

    value: Any
    text: str
    code: int = 0


def error_as_json(kind: str, message: str, hint: str) -> dict[str, str]:
    """Return an error as every command prints it."""
    return {"type": kind, "message": message, "hint": hint}


def add_command(
    commands: Any,
    common: argparse.ArgumentParser,
    name: str,
    summary: str,
    run: Callable[[argparse.Namespace], Outcome],
) -> argparse.ArgumentParser:
    """Declare a command and return its parser for further options."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, description=summary, parents=[common]
    )
    parser.set_defaults(run=run)
    return parser
