"""What a language model distils from the variants of a run (GeoEvolver, equations 7 and 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from treeline.core.memory.items import JUDGE, BankItem
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
what the successful variants share and the failed ones lack, what went wrong and how to avoid it. What is \
not confirmed was doubted by a check that may err. Never name an option, a result or a \
number of this question.

Reply with one JSON array and nothing else, at most {most} objects:
{{"kind": "pattern" or "guardrail" or "contrast", "text": "one to three sentences"}}
Where a known lesson says the same in whatever words, do not say it again: {{"same": its number}}"""


class _Lesson(BaseModel):
    kind: Literal["pattern", "guardrail", "contrast"]
    text: str = Field(min_length=1, max_length=_LONGEST)


class _Same(BaseModel):
    same: int


def lessons_by_model(
    crew: Crew,
    variants: Sequence[Variant],
    verdicts: Sequence[Verdict],
    topic: str,
    known: Sequence[BankItem] = (),
) -> list[BankItem]:
    """Return what the model distils, without sentences that tell an answer; nothing where it is silent.

    Parameters
    ----------
    known : sequence of BankItem
        Lessons that may say it already: what the model finds again is given as it stands there, with this run
        among its sources. Words alone do not tell that two lessons are one.
    """
    if not any(variant.steps for variant in variants):
        return []
    labels = "\n".join(f"Variant {v.variant}: {'success' if v.success else 'failure'}" for v in verdicts)
    listed = "\n".join(f"{number}. {item.text}" for number, item in enumerate(known, start=1))
    parts = {
        "Question": topic,
        "Variants": describe_variants(variants),
        "Labels": labels,
        "Known lessons": listed,
    }
    text = text_from(crew, _INSTRUCTION.format(most=_MOST), parts, "distil what was learned")
    answers = [variant.answer for variant in variants if variant.answer]
    apart = (each.text for answer in answers for each in answer.unconfirmed)
    secrets = [*crew.options.choices, *(answer.words for answer in answers), *apart]
    said = [lesson for item in objects_in(text)[:_MOST] if (lesson := _read(item)) is not None]
    numbers = dict.fromkeys(lesson.same for lesson in said if isinstance(lesson, _Same))
    again = [known[number - 1] for number in numbers if 0 < number <= len(known)]
    new = [lesson for lesson in said if isinstance(lesson, _Lesson)]
    safe = [(lesson.kind, without_answers(lesson.text, secrets)) for lesson in new]
    return [
        *(replace(item, provenance=(crew.run,), review="accepted", reviewer=JUDGE) for item in again),
        *(BankItem(kind, topic, text, None, (crew.run,)) for kind, text in safe if text),
    ]


def _read(item: object) -> _Lesson | _Same | None:
    for form in (_Lesson, _Same):
        try:
            return form.model_validate(item)
        except ValidationError:
            continue
    return None
