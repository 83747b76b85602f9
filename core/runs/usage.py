"""What a run cost in tokens, with its rounds and its members."""

from __future__ import annotations

from treeline.core.engine.actions import TokenUse
from treeline.core.engine.journal import recorded_state
from treeline.core.memory.rounds import rounds_of
from treeline.core.record.store import Store
from treeline.core.teams.report import team_tokens


def count_tokens_used(store: Store, run: str) -> TokenUse:
    """Return what the policies of a run used: in all its rounds, and all members of a team."""
    runs = [each.run for each in rounds_of(store, run)] or [run]
    return sum((_of_one(store, each) for each in runs), TokenUse())


def reflection_tokens(store: Store, run: str) -> int:
    """Return how long the reflections between the rounds of a run are."""
    judged = [each.judgement for each in rounds_of(store, run)]
    return sum(judgement.tokens for judgement in judged if judgement is not None)


def model_calls(store: Store, run: str) -> int:
    """Return how often a language model replied in a run: in its rounds, to its members, for reflections."""
    judged = [each.judgement for each in rounds_of(store, run)]
    reflections = sum(judgement is not None and judgement.tokens > 0 for judgement in judged)
    return count_tokens_used(store, run).replies + reflections


def _of_one(store: Store, run: str) -> TokenUse:
    own = recorded_state(store, run).tokens
    return own + team_tokens(store, run)
