"""Variants as a language model reads them when it judges or compares them."""

from __future__ import annotations

from collections.abc import Sequence

from treeline.core.engine.actions import Call
from treeline.core.engine.observations import shorten, shorten_by_lines
from treeline.core.teams.judge import Variant

_LONGEST_LINE = 300
_MOST_STEPS = 40
# Characters of a result: whether a region is the highest is seen from all rows alone. Of many results each is
# given its share of what a model reads at once.
_LONGEST_RESULT = 1_500
_LONGEST_OF_ALL = 36_000


def describe_variants(variants: Sequence[Variant]) -> str:
    """Return what each variant did and answered, a paragraph each."""
    calls = sum(len(outcome.state.calls[:_MOST_STEPS]) for v in variants for outcome in v.outcomes)
    longest = max(min(_LONGEST_RESULT, _LONGEST_OF_ALL // max(calls, 1)), _LONGEST_LINE)
    return "\n\n".join(_describe_variant(variant, longest) for variant in variants)


def _describe_variant(variant: Variant, longest: int) -> str:
    lines = [f"Variant {variant.number} ({variant.strategy}):"]
    for outcome in variant.outcomes:
        lines.append(f"- {outcome.member.name}: {shorten(outcome.member.goal.brief, _LONGEST_LINE)}")
        for step in outcome.state.calls[:_MOST_STEPS]:
            assert isinstance(step.action, Call)
            said = shorten_by_lines(step.observation.text, longest)
            lines.append(f"  - {step.action.tool}: {step.observation.kind}: {said}")
        if outcome is not variant.last_outcome:
            lines.append(f"  - it said: {outcome.said}")
    lines.append(
        f"Answer: {variant.last_outcome.said if variant.answer and variant.last_outcome else 'none'}"
    )
    return "\n".join(lines)
