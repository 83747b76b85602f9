"""Variants as a language model reads them when it judges or compares them."""

from __future__ import annotations

from collections.abc import Sequence

from treeline.core.engine.actions import Call
from treeline.core.engine.observations import shorten
from treeline.core.teams.judge import Variant

_LONGEST_LINE = 300
_MOST_STEPS = 40


def describe_variants(variants: Sequence[Variant]) -> str:
    """Return what each variant did and answered, a paragraph each."""
    return "\n\n".join(_describe_variant(variant) for variant in variants)


def _describe_variant(variant: Variant) -> str:
    lines = [f"Variant {variant.number} ({variant.strategy}):"]
    for outcome in variant.outcomes:
        lines.append(f"- {outcome.member.name}: {shorten(outcome.member.goal.brief, _LONGEST_LINE)}")
        for step in outcome.state.calls[:_MOST_STEPS]:
            assert isinstance(step.action, Call)
            said = shorten(step.observation.text, _LONGEST_LINE)
            lines.append(f"  - {step.action.tool}: {step.observation.kind}: {said}")
    answer = variant.answer
    lines.append(f"Answer: {answer.text if answer else 'none'}")
    return "\n".join(lines)
