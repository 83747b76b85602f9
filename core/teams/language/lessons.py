"""What a language model distils from the variants of a run (GeoEvolver, equations 7 and 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from treeline.core.memory.items import BankItem
from treeline.core.memory.leakage import without_answers
from treeline.core.teams.crew import Crew
from treeline.core.teams.judge import Variant, Verdict
from treeline.core.teams.language.asking import objects_in, text_from
from treeline.core.teams.language.variants import describe_variants

_MOST = 6
_LONGEST = 1_000
_INSTRUCTION = """\
You distil experience from the variants of work on one question about rasters, each with its label. Say what \
carries over to other questions of the kind: the order of tools and the points to check of what succeeded, \
what the successful variants share and the failed ones lack, what went wrong and how to avoid it. Never name \
an option, a result or a number of this question.

Reply with one JSON array and nothing else, at most {most} objects:
{{"kind": "pattern" or "guardrail" or "contrast", "text": "one to three sentences"}}"""


class _Lesson(BaseModel):
    kind: Literal["pattern", "guardrail", "contrast"]
    text: str = Field(min_length=1, max_length=_LONGEST)


def lessons_by_model(
    crew: Crew, variants: Sequence[Variant], verdicts: Sequence[Verdict], topic: str
) -> list[BankItem]:
    """Return what the model distils, without sentences that tell an answer; nothing where it is silent."""
    if not any(variant.steps for variant in variants):
        return []
    labels = "\n".join(f"Variant {v.variant}: {'success' if v.success else 'failure'}" for v in verdicts)
    parts = {"Question": topic, "Variants": describe_variants(variants), "Labels": labels}
    text = text_from(crew, _INSTRUCTION.format(most=_MOST), parts, "distil what was learned")
    secrets = [*crew.options.choices, *(v.answer.text for v in variants if v.answer)]
    lessons = [lesson for item in objects_in(text)[:_MOST] if (lesson := _read(item)) is not None]
    safe = [(lesson.kind, without_answers(lesson.text, secrets)) for lesson in lessons]
    return [BankItem(kind, topic, text, None, (crew.run,)) for kind, text in safe if text]


def _read(item: object) -> _Lesson | None:
    try:
        return _Lesson.model_validate(item)
    except ValidationError:
        return None
