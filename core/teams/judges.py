"""The judge of a team, by its policy: by rules, or by a language model."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from treeline.core.engine.actions import Call
from treeline.core.teams.crew import Crew
from treeline.core.teams.judge import Variant, Verdict, judge
from treeline.core.teams.language.judge import judge_by_model

Judge = Callable[[Crew, Sequence[Variant]], tuple[Variant, list[Verdict]]]


def _by_rules(crew: Crew, variants: Sequence[Variant]) -> tuple[Variant, list[Verdict]]:
    return judge(variants, crew.options.choices)


_JUDGES: dict[str, Judge] = {"planner": _by_rules, "language": judge_by_model}


def judge_variants(crew: Crew, variants: Sequence[Variant]) -> tuple[Variant, list[Verdict]]:
    """Return the variant that is taken and the verdict on each, by the judge of the team's policy.

    Variants that came by the same calls to the same answer are judged once: they are no two ways that agree.
    """
    firsts = find_firsts(variants)
    distinct = [variant for variant in variants if firsts[variant.number] == variant.number]
    taken, verdicts = _JUDGES[crew.options.policy](crew, distinct)
    judged = {verdict.variant: verdict for verdict in verdicts}
    return taken, [_verdict_on(variant, judged[firsts[variant.number]]) for variant in variants]


def find_firsts(variants: Sequence[Variant]) -> dict[int, int]:
    """Return for each variant the first one that is identical to it, by their numbers."""
    seen: dict[str, int] = {}
    return {variant.number: seen.setdefault(_course_of(variant), variant.number) for variant in variants}


def _course_of(variant: Variant) -> str:
    """Return the calls of a variant, how they ended, and its answer, as one text."""
    calls = [
        (step.action.tool, step.action.arguments, step.observation.kind)
        for outcome in variant.outcomes
        for step in outcome.state.calls
        if isinstance(step.action, Call)
    ]
    said = variant.answer
    answer = (said.text, said.value, said.unit, said.choice, said.status) if said else variant.number
    return json.dumps([calls, answer], sort_keys=True, default=str)


def _verdict_on(variant: Variant, verdict: Verdict) -> Verdict:
    if verdict.variant == variant.number:
        return verdict
    why = f"As variant {verdict.variant}: the same calls lead to the same answer."
    return replace(verdict, variant=variant.number, strategy=variant.strategy, why=why, chosen=False)
