"""What a reflection demands or forbids, in a form that a policy obeys and the environment checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

CONTEXT_PART = "guardrails"
MEMORY_PART = "memory"
MASKED_PART = "masked"
"""Names of files whose clouds another member of a team has masked, one a line."""


@dataclass(frozen=True, slots=True)
class RequireRole:
    """The number is one of a variable, not of those that are mistaken for it."""

    role: str
    instead_of: tuple[str, ...]
    reason: str = ""
    kind: Literal["require_role"] = "require_role"

    def __str__(self) -> str:
        return f"Measure {self.role}, not {' or '.join(self.instead_of)}."


@dataclass(frozen=True, slots=True)
class AvoidCall:
    """A call that cannot succeed is not made again."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    reason: str = ""
    kind: Literal["avoid_call"] = "avoid_call"

    def __str__(self) -> str:
        return f"Do not call {self.tool} with the same arguments again."


@dataclass(frozen=True, slots=True)
class AvoidTool:
    """A tool does not suit this question or these data."""

    tool: str
    reason: str = ""
    kind: Literal["avoid_tool"] = "avoid_tool"

    def __str__(self) -> str:
        return f"Do not use {self.tool}."


@dataclass(frozen=True, slots=True)
class UseTool:
    """A tool is to be preferred where it can be had."""

    tool: str
    reason: str = ""
    kind: Literal["use_tool"] = "use_tool"

    def __str__(self) -> str:
        return f"Use {self.tool}."


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """A raster that cannot be used is left out; ``raster`` is its file name."""

    raster: str
    reason: str = ""
    kind: Literal["leave_out"] = "leave_out"

    def __str__(self) -> str:
        return f"Leave out {self.raster}."


@dataclass(frozen=True, slots=True)
class MaskFirst:
    """Clouds are masked before anything is measured."""

    reason: str = ""
    kind: Literal["mask_first"] = "mask_first"

    def __str__(self) -> str:
        return "Mask the clouds before anything is measured."


Guardrail = RequireRole | AvoidCall | AvoidTool | UseTool | LeaveOut | MaskFirst

_ADAPTER: TypeAdapter[Guardrail] = TypeAdapter(Annotated[Guardrail, Field(discriminator="kind")])


def to_lines(guardrails: Iterable[Guardrail]) -> str:
    """Return guardrails as text, one JSON object a line."""
    return "\n".join(_ADAPTER.dump_json(guardrail).decode() for guardrail in guardrails)


def from_lines(text: str) -> tuple[Guardrail, ...]:
    """Return the guardrails of a text; lines that are none are passed over."""
    found = (read(line) for line in text.splitlines() if line.strip())
    return tuple(guardrail for guardrail in found if guardrail is not None)


def of_context(context: Mapping[str, str]) -> tuple[Guardrail, ...]:
    """Return the guardrails that a run started with."""
    return from_lines(context.get(CONTEXT_PART, ""))


def read(given: str | Mapping[str, Any]) -> Guardrail | None:
    """Return the guardrail that a JSON text or an object describes, ``None`` if it describes none."""
    try:
        return _ADAPTER.validate_json(given) if isinstance(given, str) else _ADAPTER.validate_python(given)
    except ValidationError:
        return None


def join_guardrails(*several: Iterable[Guardrail]) -> tuple[Guardrail, ...]:
    """Return guardrails of several sources, each demand once, the first wording kept."""
    kept: dict[str, Guardrail] = {}
    for guardrails in several:
        for guardrail in guardrails:
            # By what it says, which leaves the reason out: two failures may lead to one rule. The arguments
            # are not in its words.
            kept.setdefault(f"{guardrail}{getattr(guardrail, 'arguments', '')}", guardrail)
    return tuple(kept.values())
