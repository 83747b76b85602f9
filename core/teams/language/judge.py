"""The judge by a language model; the rules' signals stand beside what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, ValidationError

from treeline.core.teams.crew import Crew
from treeline.core.teams.judge import Variant, Verdict, best_variant, verdicts_by_rules
from treeline.core.teams.language.asking import objects_in, text_from
from treeline.core.teams.language.variants import describe_variants

_LONGEST_WHY = 500
_INSTRUCTION = """\
You judge variants of work on a question about rasters. A variant succeeds when its steps lead to its \
answer, the answer is in the form asked for, every number comes from a step, and the right variable, dates \
and units were taken. Do not trust an answer because it is well told. What stands as not confirmed was \
taken out by a check that may err: hold it against the steps; if they bear it out it counts as said, and it \
alone makes no variant a failure.

Reply with one JSON array and nothing else, an object for each variant:
{"variant": 1, "success": true, "confidence": 0.0 to 1.0, "why": "one or two sentences"}"""


class _VariantVerdict(BaseModel):
    variant: int
    success: bool
    confidence: Annotated[float, AfterValidator(lambda value: min(max(value, 0.0), 1.0))]
    why: str = Field(min_length=1)


def judge_by_model(crew: Crew, variants: Sequence[Variant]) -> tuple[Variant, list[Verdict]]:
    """Return the variant that is taken and the verdict on each.

    A variant without an answer in the form asked for, or whose steps do not carry its answer, is no
    success whatever the model says; of one that the model says nothing of, the rules' verdict stands.
    """
    verdicts = verdicts_by_rules(variants, crew.options.choices)
    if not any(variant.steps for variant in variants):
        return best_variant(variants, verdicts)
    parts = {
        "Question": crew.question,
        "Options": "\n".join(crew.options.choices),
        "Variants": describe_variants(variants),
    }
    items = objects_in(text_from(crew, _INSTRUCTION, parts, "judge"))
    said = {s.variant: s for s in map(_read, items) if s is not None}
    return best_variant(variants, [_join(verdict, said.get(verdict.variant)) for verdict in verdicts])


def _read(item: object) -> _VariantVerdict | None:
    try:
        return _VariantVerdict.model_validate(item)
    except ValidationError:
        return None


def _join(verdict: Verdict, said: _VariantVerdict | None) -> Verdict:
    if said is None:
        return verdict
    success = said.success and verdict.signals["format"] == 1 and verdict.signals["traceable"] == 1
    signals = {**verdict.signals, "model": round(said.confidence, 4)}
    confidence = round((verdict.confidence + said.confidence) / 2, 4)
    why = f"{said.why[:_LONGEST_WHY]} By the rules: {verdict.why}"
    return replace(verdict, success=success, confidence=confidence, signals=signals, why=why)
