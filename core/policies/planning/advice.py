"""What the planner takes from the task card of a run, where several tools would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treeline.core.cards import CONTEXT_PART
from treeline.knowledge.card import chain_and_pitfalls


@dataclass(frozen=True, slots=True)
class Advice:
    """Of a card: the tools of its chain, preferred among several that would do, and its pitfalls."""

    tools: tuple[str, ...] = ()
    pitfalls: tuple[str, ...] = ()


NO_ADVICE = Advice()


def advice_of(context: Mapping[str, str]) -> Advice:
    """Return the advice of the card in a run's context."""
    return Advice(*chain_and_pitfalls(context.get(CONTEXT_PART, "")))
