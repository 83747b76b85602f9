"""Variants as a language model reads them when it judges or compares them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.actions import Call
from core.errors import EndpointError
from core.memory.asking import reflecting
from core.observations import shorten
from core.policies.language.exchange import Exchange
from core.settings import Endpoint
from core.teams.crew import Crew
from core.teams.judge import Variant

_ARRAY = re.compile(r"\[.*\]", re.DOTALL)
_LONGEST_LINE = 300
_MOST_STEPS = 40


def told(variants: Sequence[Variant]) -> str:
    """Return what each variant did and answered, a paragraph each."""
    return "\n\n".join(_told(variant) for variant in variants)


def array_from(crew: Crew, instruction: str, parts: dict[str, str], purpose: str) -> list[Any]:
    """Return the JSON array that the team's model replies with; empty where it gives none.

    Raises
    ------
    Stopped
    """
    text = "\n\n".join(f"# {title}\n\n{part}" for title, part in parts.items() if part)
    exchange = reflecting(Exchange(crew.endpoint or Endpoint.from_environment()))
    try:
        reply = exchange.reply(
            [{"role": "system", "content": instruction}, {"role": "user", "content": text}],
            lambda note: crew.tell("note", note), crew.stop,
        )  # fmt: skip
    except EndpointError as error:
        crew.tell("orchestrator", f"The model was not heard to {purpose}: {error.message}")
        return []
    crew.tell("orchestrator", f"The model was asked to {purpose}.", tokens=asdict(reply.tokens))
    return array_in(reply.text)


def array_in(text: str) -> list[Any]:
    """Return the JSON array that stands in a model's text; empty where there is none."""
    found = _ARRAY.search(text)
    try:
        return json.loads(found[0]) if found else []
    except ValueError:
        return []


def _told(variant: Variant) -> str:
    lines = [f"Variant {variant.number} ({variant.strategy}):"]
    for work in variant.works:
        lines.append(f"- {work.member.name}: {shorten(work.member.goal.brief, _LONGEST_LINE)}")
        for step in work.state.calls[:_MOST_STEPS]:
            assert isinstance(step.action, Call)
            said = shorten(step.observation.text, _LONGEST_LINE)
            lines.append(f"  - {step.action.tool}: {step.observation.kind}: {said}")
    answer = variant.answer
    lines.append(f"Answer: {answer.text if answer else 'none'}")
    return "\n".join(lines)
