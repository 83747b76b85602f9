"""The judge of a team, by its policy: by rules, or by a language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treeline.core.teams.crew import Crew
from treeline.core.teams.judge import Variant, Verdict, judge
from treeline.core.teams.language.judge import judge_by_model

Judge = Callable[[Crew, Sequence[Variant]], tuple[Variant, list[Verdict]]]


def _by_rules(crew: Crew, variants: Sequence[Variant]) -> tuple[Variant, list[Verdict]]:
    return judge(variants, crew.options.choices)


_JUDGES: dict[str, Judge] = {"planner": _by_rules, "language": judge_by_model}


def judge_variants(crew: Crew, variants: Sequence[Variant]) -> tuple[Variant, list[Verdict]]:
    """Return the variant that is taken and the verdict on each, by the judge of the team's policy."""
    return _JUDGES[crew.options.policy](crew, variants)
