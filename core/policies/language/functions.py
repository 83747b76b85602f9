"""The four functions that a language model is offered: fixed schemas, validation, actions.

They are the same in every run and at every turn, so that an endpoint can cache the prompt's
beginning; which tools exist is told in the conversation instead.
"""

from __future__ import annotations

import inspect
import json
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, SkipJsonSchema
from pydantic_core import core_schema

from core.actions import Action, Answer, Call, Doc, Skill


def _from_json_text(value: Any) -> Any:
    return json.loads(value or "{}") if isinstance(value, str) else value


def _as_number(value: Any) -> Any:
    return value.replace(",", "").strip(" %") or None if isinstance(value, str) else value


def _as_list(value: Any) -> Any:
    if isinstance(value, str):
        value = json.loads(value or "[]")
    return [] if value is None else value if isinstance(value, list) else [value]


class _Function(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)

    def action(self) -> Action:
        raise NotImplementedError


class SkillFunction(_Function):
    """List the tools of a kit, a line each."""

    kit: str = Field(min_length=1)

    def action(self) -> Action:
        """Return the action."""
        return Skill(self.kit)


class DocFunction(_Function):
    """Read a tool's document; makes it callable."""

    tool: str = Field(min_length=1)

    def action(self) -> Action:
        """Return the action."""
        return Doc(self.tool.rpartition(".")[2])


class CallFunction(_Function):
    """Call a tool whose document was read."""

    tool: str = Field(min_length=1)
    arguments: Annotated[dict[str, Any], BeforeValidator(_from_json_text)] = Field(
        description="By name, as the document says."
    )

    def action(self) -> Action:
        """Return the action."""
        return Call(self.tool.rpartition(".")[2], self.arguments)


class AnswerFunction(_Function):
    """Give the final answer, or say that there can be none."""

    text: str = Field(min_length=1, description="In a sentence.")
    choice: str | SkipJsonSchema[None] = Field(None, description="Letter of the option.")
    value: Annotated[float | SkipJsonSchema[None], BeforeValidator(_as_number)] = Field(
        None, description="The number asked for."
    )
    unit: str | SkipJsonSchema[None] = ""
    evidence: Annotated[list[int], BeforeValidator(_as_list)] = Field(
        default_factory=list, description="Steps it rests on."
    )
    declined: bool = Field(False, description="True: cannot be answered here.")

    def action(self) -> Action:
        """Return the action."""
        fields = self.model_dump()
        fields |= {"unit": self.unit or "", "choice": self.choice or None, "evidence": tuple(self.evidence)}
        return Answer(**fields)


FUNCTIONS: dict[str, type[_Function]] = {
    "skill": SkillFunction,
    "doc": DocFunction,
    "call": CallFunction,
    "answer": AnswerFunction,
}


class _Plain(GenerateJsonSchema):
    """Schemas without titles, defaults and lengths, which only cost tokens."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        return {"type": "string"}


def _definition(name: str, function: type[_Function]) -> dict[str, Any]:
    parameters = function.model_json_schema(schema_generator=_Plain)
    kept = {key: value for key, value in parameters.items() if key not in ("title", "description")}
    description = " ".join(inspect.getdoc(function).split())  # type: ignore[union-attr]
    return {"type": "function", "function": {"name": name, "description": description, "parameters": kept}}


DEFINITIONS: tuple[dict[str, Any], ...] = tuple(_definition(n, f) for n, f in FUNCTIONS.items())


def arguments_of(action: Action) -> str:
    """Return an action as the JSON text that a model would have written for it."""
    match action:
        case Skill(kit=kit):
            fields: dict[str, Any] = {"kit": kit}
        case Doc(tool=tool):
            fields = {"tool": tool}
        case Call(tool=tool, arguments=arguments):
            fields = {"tool": tool, "arguments": arguments}
        case Answer():
            fields = {name: value for name, value in asdict(action).items() if name != "kind"}
    return json.dumps(fields, ensure_ascii=False, default=str)
