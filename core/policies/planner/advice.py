"""What the planner takes from the task card of a run, where its own reading leaves a choice open."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from treeline.core.context.cards import CONTEXT_PART
from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.intent import Intent
from treeline.knowledge.card import chain_and_pitfalls

_FEW_FOR_A_TEST = 8


@dataclass(frozen=True, slots=True)
class Advice:
    """Of a card: the tools of its chain, preferred among several that would do, and its pitfalls."""

    tools: tuple[str, ...] = ()
    pitfalls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How a question was worked on; ``cloudy`` where clouds were told of and left in."""

    intent: Intent
    finding: Finding
    cloudy: bool


NO_ADVICE = Advice()


def advice_of(context: Mapping[str, str]) -> Advice:
    """Return the advice of the card in a run's context."""
    return Advice(*chain_and_pitfalls(context.get(CONTEXT_PART, "")))


def pitfalls_met(advice: Advice, at: Circumstances) -> list[str]:
    """Return the pitfalls of a card that the work ran into, as sentences without the card's own numbers."""
    met = [
        pitfall
        for pitfall in advice.pitfalls
        if any(re.search(words, pitfall, re.IGNORECASE) and check(at) for words, check in _CHECKS.items())
    ]
    clauses = [re.split(r"[;,] ", pitfall)[0].rstrip(".") for pitfall in met]
    return [f"{clause}." for clause in clauses if not re.search(r"\d", clause)]


def _measures_brightness(at: Circumstances) -> bool:
    return any(subject.role.startswith("bt") for subject in at.intent.subjects)


def _few_values(at: Circumstances) -> bool:
    dates = at.finding.facts.get("dates")
    return at.intent.operation == "trend" and isinstance(dates, int) and dates < _FEW_FOR_A_TEST


def _trend_of_single_dates(at: Circumstances) -> bool:
    return at.intent.operation == "trend" and at.intent.grouping == "date"


_CHECKS: dict[str, Callable[[Circumstances], bool]] = {
    r"\bcloud": lambda at: at.cloudy,
    r"brightness temperature\b.* not\b.* (?:surface temperature|LST)": _measures_brightness,
    r"fewer than \w+ values": _few_values,
    r"dominated by the season": _trend_of_single_dates,
}
