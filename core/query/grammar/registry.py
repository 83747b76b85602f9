"""The registry of rules, by the two categories that they join."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from treeline.core.query.names import Names
from treeline.core.query.phrases.phrase import Phrase

Rule = Callable[[Any, Any, Names], Iterable[Phrase]]
RULES: dict[tuple[type[Phrase], type[Phrase]], list[tuple[Rule, int]]] = {}


def rule(
    left: type[Phrase] | tuple[type[Phrase], ...],
    right: type[Phrase] | tuple[type[Phrase], ...],
    either: bool = False,
    before: bool = False,
    cost: int = 0,
) -> Callable[[Rule], Rule]:
    """Register a rule for two categories that stand side by side.

    Parameters
    ----------
    left, right : category or several
    either : bool
        The order may be turned; the rule is still called with ``left`` first.
    before : bool
        The right one stands before the left one, and only there.
    cost : int
        What it costs to read the question so.
    """

    def register(function: Rule) -> Rule:
        for one in left if isinstance(left, tuple) else (left,):
            for other in right if isinstance(right, tuple) else (right,):
                if not before:
                    RULES.setdefault((one, other), []).append((function, cost))
                if either or before:
                    RULES.setdefault((other, one), []).append((_turn(function), cost))
        return function

    return register


def _turn(function: Rule) -> Rule:
    def call_turned(left: Any, right: Any, names: Names) -> Iterable[Phrase]:
        return function(right, left, names)

    return call_turned


def rules_for(left: Phrase, right: Phrase) -> list[tuple[Rule, int]]:
    """Return the rules that join two meanings."""
    return RULES.get((type(left), type(right)), _NONE)


_NONE: list[tuple[Rule, int]] = []
