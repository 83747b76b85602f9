"""The oracles by tool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tests.toolkit.oracles.scenes import RandomScene

Kind = Literal["library", "formulation", "property"]
Check = Callable[[RandomScene], None]


@dataclass(frozen=True)
class Oracle:
    """What a tool is held against.

    Attributes
    ----------
    tool : str
    kind : str
        Another ``library``, another ``formulation`` of the method, or a ``property`` that it has.
    by : str
        Which one, for the table.
    check : callable
        Runs the tool in a random scene and fails where the two disagree.
    """

    tool: str
    kind: Kind
    by: str
    check: Check


ORACLES: dict[str, Oracle] = {}


def oracle(tool: str, kind: Kind, by: str) -> Callable[[Check], Check]:
    """Register a check as the oracle of a tool."""

    def register(check: Check) -> Check:
        add(tool, kind, by, check)
        return check

    return register


def add(tool: str, kind: Kind, by: str, check: Check) -> None:
    """Register the oracle of a tool."""
    if tool in ORACLES:
        raise ValueError(f"{tool} has an oracle already: {ORACLES[tool].by}.")
    ORACLES[tool] = Oracle(tool, kind, by, check)
