"""What the planner takes from the task card of a run: tools to prefer, pitfalls that the work ran into."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from treeline.core.context.cards import CONTEXT_PART
from treeline.core.policies.planner.values import Numbers
from treeline.core.policies.planner.work import Work
from treeline.core.query.expression import Aggregate, Node, Trend, Variable
from treeline.knowledge.card import chain_and_pitfalls
from treeline.toolkit.variables import VARIABLES

_FEW_FOR_A_TEST = 8


@dataclass(frozen=True, slots=True)
class Advice:
    """Of a card: the tools of its chain, preferred among several that would do, and its pitfalls."""

    tools: tuple[str, ...] = ()
    pitfalls: tuple[str, ...] = ()


NO_ADVICE = Advice()


def advice_of(context: Mapping[str, str]) -> Advice:
    """Return the advice of the card in a run's context."""
    return Advice(*chain_and_pitfalls(context.get(CONTEXT_PART, "")))


def find_pitfalls(advice: Advice, work: Work, expression: Node) -> list[str]:
    """Return the pitfalls of a card that the work ran into, as sentences without the card's own numbers."""
    met = [
        pitfall
        for pitfall in advice.pitfalls
        if any(
            re.search(words, pitfall, re.IGNORECASE) and check(work, expression)
            for words, check in _CHECKS.items()
        )
        and _is_of(pitfall, expression)
    ]
    clauses = [re.split(r"[;,] ", pitfall)[0].rstrip(".") for pitfall in met]
    return [f"{clause}." for clause in clauses if not re.search(r"\d", clause)]


def _is_of(pitfall: str, expression: Node) -> bool:
    """Return whether a pitfall of clouds is of what was asked for: a card also tells of its neighbours."""
    if not re.search(_CLOUDS, pitfall, re.IGNORECASE):
        return True
    asked = {node.role for node in expression.walk() if isinstance(node, Variable)}
    named = {role for role in VARIABLES if re.search(rf"\b{re.escape(role)}\b", pitfall, re.IGNORECASE)}
    return bool(named) and named <= asked


_CLOUDS = r"\bcloud"


def _measures_brightness(work: Work, expression: Node) -> bool:
    return any(isinstance(node, Variable) and node.role.startswith("bt") for node in expression.walk())


def _courses(work: Work, expression: Node) -> list[Numbers]:
    trends = [node for node in expression.walk() if isinstance(node, Trend)]
    return [course for node in trends if isinstance(course := work.known_value(node.of), Numbers)]


def _few_values(work: Work, expression: Node) -> bool:
    return any(len(course.values) < _FEW_FOR_A_TEST for course in _courses(work, expression))


def _trend_of_single_dates(work: Work, expression: Node) -> bool:
    return any(
        isinstance(node, Trend) and isinstance(node.of, Aggregate) and not isinstance(node.of.by, str)
        for node in expression.walk()
    )


_CHECKS: dict[str, Callable[[Work, Node], bool]] = {
    _CLOUDS: lambda work, expression: bool(work.under_clouds) and not work.clouds_known,
    r"brightness temperature\b.* not\b.* (?:surface temperature|LST)": _measures_brightness,
    r"fewer than \w+ values": _few_values,
    r"dominated by the season": _trend_of_single_dates,
}
