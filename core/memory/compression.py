"""A trace in a tenth of its size, with all that explains why it failed.

After RSMem, section 3.3 (GeoTraceCompress): of a list the first three and the last two items are kept,
of a dictionary two representative pairs; error messages and the reasoning stay whole. Beyond the paper:
a list that was given is referred to by its step, calls that repeat in a row are given once, and a long trace
is given in less detail until it is a tenth of its size.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treeline.core.context.shortening import Detail, brief, cut
from treeline.core.context.tokens import count_tokens
from treeline.core.engine.actions import Answer, Call, action_fields, action_name
from treeline.core.engine.state import Step

# RSMem makes a trace shorter by an order of magnitude; one that is as short as this stays as it is.
SHORT_ENOUGH = 400
FACTOR = 10
# A model that goes round does so in a few steps; each length costs a pass over the trace.
_LONGEST_CYCLE = 6
_LONGEST_ANSWER = 240
# Where a product lies explains no failure, and its path is the longest part of such a result.
_SAVED = re.compile(r"result saved? at ", re.IGNORECASE)

_DETAILS = (
    Detail(),
    Detail(2, 1, 2, 80, 120, 40),
    Detail(1, 1, 2, 60, 80, 20),
    Detail(1, 1, 1, 40, 40, 0),
    Detail(1, 0, 1, 24, 24, 0),
    Detail(0, 0, 0, 16, 16, 0),
)


@dataclass(frozen=True, slots=True)
class CompressedTrace:
    """A trace in short, with the sizes before and after in tokens."""

    text: str
    full_tokens: int
    tokens: int

    @property
    def factor(self) -> float:
        """How many times shorter it is."""
        return self.full_tokens / max(self.tokens, 1)


def compress(steps: Sequence[Step]) -> CompressedTrace:
    """Return a trace in short; every error message and every thought of it stays whole."""
    full = count_tokens(full_text(steps))
    for detail in _DETAILS:
        text = "\n".join(_Narrator(detail).lines(steps))
        tokens = count_tokens(text)
        # Of all levels the most detailed one that is short enough; the last one where none is.
        if tokens * FACTOR <= full or tokens <= SHORT_ENOUGH:
            break
    return CompressedTrace(text, full, tokens)


def full_text(steps: Sequence[Step]) -> str:
    """Return a trace as it is, one step a paragraph."""
    return "\n".join(_whole(step) for step in steps)


@dataclass
class _Narrator:
    """Tells steps at one level of detail; remembers which lists it has told."""

    detail: Detail
    told: dict[str, int] = field(default_factory=dict)

    def lines(self, steps: Sequence[Step]) -> Iterator[str]:
        position = 0
        while steps[position:]:
            length, times = _cycle(steps, position)
            for step in steps[position : position + length]:
                yield from self._step(step)
            if times > 1:
                last = steps[position + length * times - 1]
                yield f"... these {length} {times - 1} more times, until {last.number} = {self._result(last)}"
            position += length * times

    def _step(self, step: Step) -> Iterator[str]:
        if step.thought:
            yield f"{step.number} thought: {step.thought}"
        if isinstance(step.action, Answer):
            chosen = f" ({step.action.choice})" if step.action.choice else ""
            yield f"{step.number} answer{chosen}: {cut(step.action.text, _LONGEST_ANSWER)}"
            return
        if not isinstance(step.action, Call):
            yield f"{step.number} {step.action.kind} {action_name(step.action)} = {self._outcome(step)}"
            return
        given = ", ".join(f"{n}={self._argument(step, v)}" for n, v in step.action.arguments.items())
        yield f"{step.number} {step.action.tool}({given}) = {self._outcome(step)}"

    def _argument(self, step: Step, value: Any) -> str:
        if isinstance(value, list | Mapping) and len(value) > self.detail.first + self.detail.last:
            # Only what would be cut is referred to: a short list is no longer than the words "as in 3".
            key = json.dumps(value, sort_keys=True, default=str)
            if key in self.told:
                return f"as in {self.told[key]}"
            self.told[key] = step.number
        return brief(value, self.detail)

    def _outcome(self, step: Step) -> str:
        observation = step.observation
        if not observation.is_success:
            text = " ".join(filter(None, (observation.error, observation.text, observation.hint)))
            first = self.told.setdefault(text, step.number)
            return (
                f"{observation.kind}: {text}" if first == step.number else f"{observation.kind} as in {first}"
            )
        if observation.kind == "information":
            return cut(observation.text, self.detail.information)
        warnings = "".join(f" warning: {cut(w, self.detail.text)}" for w in observation.warnings[:2])
        return f"{self._result(step)}{warnings}"

    def _result(self, step: Step) -> str:
        value = step.observation.value
        if value is not None and json.dumps(value, default=str) in self.told:
            return f"as in {self.told[json.dumps(value, default=str)]}"
        told = brief(value if value is not None else step.observation.text, self.detail)
        return "saved" if _SAVED.match(told) else cut(told, self.detail.result)


def _cycle(steps: Sequence[Step], position: int) -> tuple[int, int]:
    """Return the length of the steps that repeat from a position, and how often; (1, 1) where none do."""
    best = (1, 1)
    for length in range(1, _LONGEST_CYCLE + 1):
        names = _names(steps[position : position + length])
        times = 1
        while names and _names(steps[position + length * times : position + length * (times + 1)]) == names:
            times += 1
        # The cycle that covers the most steps; of equal ones the shortest, which was found first.
        if times > 1 and length * times > best[0] * best[1]:
            best = (length, times)
    return best


def _names(steps: Sequence[Step]) -> list[str]:
    """Return the tools of calls that went well and say nothing of their own; nothing for other steps."""
    plain = all(s.observation.kind == "result" and not s.thought for s in steps)
    return [action_name(step.action) for step in steps] if plain else []


def _whole(step: Step) -> str:
    observation = step.observation
    value = "" if observation.value is None else json.dumps(observation.value, ensure_ascii=False)
    # What a policy reads of a result is its text; the value is there where the text leaves something out.
    result = value if len(value) > len(observation.text) else observation.text
    parts = (
        step.thought,
        f"{step.number} {step.action.kind} {json.dumps(action_fields(step.action), ensure_ascii=False)}",
        f"{observation.kind} {observation.error}: {result}",
        *observation.warnings,
        observation.hint,
    )
    return "\n".join(part for part in parts if part)
