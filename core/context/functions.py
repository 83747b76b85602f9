"""The four functions that a language model is offered: fixed schemas, validation, actions.

They are the same in every run and at every turn, so that an endpoint can cache the prompt's
beginning; which tools exist is said in the conversation instead.
"""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, SkipJsonSchema
from pydantic_core import core_schema

from treeline.core.context.json_reading import read_value
from treeline.core.engine.actions import Action, Answer, Call, Doc, Reading, Skill
from treeline.core.engine.verification.notation import in_plain_digits
from treeline.toolkit import registry

# A number of its own, with thousands set off by commas; none inside a word such as B04.
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# What models put before a name: the kit, a module, a server.
_PREFIXES = re.compile(r".*(?:[./:>]|__)\s*", re.DOTALL)
# What they and their servers put behind it: marks of a template, the number of the call, brackets.
_SUFFIXES = re.compile(r"(?:(?<=\w)<\|.*|:\d+|\(\))\s*\Z", re.DOTALL)

_NO_NUMBER = frozenset({"", "-", "none", "null", "n/a", "nan", "unknown"})

# What models call the arguments of a call.
ARGUMENTS = (
    "arguments",
    "parameters",
    "args",
    "kwargs",
    "tool_args",
    "params",
    "action_input",
    "tool_input",
    "input",
)

# What models call a function by mistake.
_MEANT: dict[str, tuple[str, ...]] = {
    "skill": ("skills", "open_skill", "kit", "open_kit", "open", "list_tools"),
    "doc": ("docs", "document", "documentation", "read_doc", "get_doc", "read_document"),
    "call": ("call_tool", "run_tool", "use_tool", "execute_tool", "run", "execute", "invoke"),
    "answer": ("final_answer", "give_answer", "finish", "final", "respond", "submit", "submit_answer"),
}


def _read(value: Any) -> Any:
    return read_value(value or "{}") if isinstance(value, str) else value


def _as_object(value: Any) -> Any:
    value = _read(value)
    if value is None:
        return {}
    return _one(value)


def _one(value: Any) -> Any:
    """Return the only item of a list; else the value."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _as_number(value: Any) -> Any:
    value = _one(value)
    if not isinstance(value, str):
        return value
    found = _NUMBER.findall(in_plain_digits(value.replace("\u2212", "-")))
    # The first number of a text such as "34.2 %" or "1,234 ha"; what stands behind it goes into the unit.
    said = found[0].replace(",", "") if found else value.strip()
    return None if said.casefold() in _NO_NUMBER else said


def plain_name(name: str) -> str:
    """Return the name of a tool or function without what models put before and around it."""
    return _PREFIXES.sub("", _SUFFIXES.sub("", name.strip(" `'\"*<>"))).strip()


def tool_name(name: str) -> str:
    """Return the name of a tool as it is written in the toolkit, without what models put around it."""
    return registry().spelling(plain_name(name))


def _as_steps(value: Any) -> Any:
    listed = value if isinstance(value, list) else [value]
    return [int(number) for item in listed for number in re.findall(r"\d+", str(item))]


def _field_of(*names: str, **options: Any) -> Any:
    return Field(validation_alias=AliasChoices(*names), **options)


class _Function(BaseModel):
    model_config = ConfigDict(
        extra="ignore", allow_inf_nan=False, coerce_numbers_to_str=True, defer_build=True
    )

    def action(self) -> Action:
        raise NotImplementedError


Name = Annotated[str, BeforeValidator(_one)]


class SkillFunction(_Function):
    """List the tools of a kit."""

    kit: Name = _field_of("kit", "skill", "name", min_length=1)

    def action(self) -> Action:
        """Return the action."""
        return Skill(self.kit)


class DocFunction(_Function):
    """Read a tool's document; makes it callable."""

    tool: Name = _field_of("tool", "tool_name", "name", min_length=1)

    def action(self) -> Action:
        """Return the action."""
        return Doc(tool_name(self.tool))


class CallFunction(_Function):
    """Call a tool whose document was read; its arguments by name."""

    tool: Name = _field_of("tool", "tool_name", "name", min_length=1)
    arguments: Annotated[dict[str, Any], BeforeValidator(_as_object)] = _field_of(*ARGUMENTS)

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, given: Any) -> Any:
        """Take the arguments that stand beside the tool's name, where they should stand below one."""
        if not isinstance(given, dict) or given.keys() & set(ARGUMENTS):
            return given
        tool = next((key for key in ("tool", "tool_name", "name") if key in given), "tool")
        return {tool: given.get(tool), "arguments": {k: v for k, v in given.items() if k != tool}}

    def action(self) -> Action:
        """Return the action."""
        return Call(tool_name(self.tool), self.arguments)


class AnswerFunction(_Function):
    """Give the final answer in a sentence, or say that there can be none."""

    text: str = _field_of(
        "text",
        "answer",
        "final_answer",
        "response",
        min_length=1,
        description="Behind each number, rank and comparison the step that shows it: [5], or [5, 7].",
    )
    choice: str | SkipJsonSchema[None] = Field(None, description="Letter of the nearest option.")
    value: Annotated[float | SkipJsonSchema[None], BeforeValidator(_as_number)] = None
    unit: Annotated[str | SkipJsonSchema[None], BeforeValidator(_one)] = ""
    evidence: Annotated[list[int], BeforeValidator(_as_steps)] = Field(
        default_factory=list, description="Steps it rests on."
    )
    declined: bool = False
    asks: Annotated[list[str], BeforeValidator(lambda value: value or [])] = Field(
        default_factory=list, description="Ways the question can be meant, two or more, to ask back."
    )

    @model_validator(mode="after")
    def _several(self) -> AnswerFunction:
        if len(set(self.asks)) == 1:
            raise ValueError("asks needs two ways or more that differ; of one there is nothing to choose")
        return self

    def action(self) -> Action:
        """Return the action."""
        fields = self.model_dump(exclude={"asks"})
        fields |= {"unit": self.unit or "", "choice": self.choice or None, "evidence": tuple(self.evidence)}
        ways = dict.fromkeys(text.strip() for text in self.asks if text.strip())
        return Answer(**fields, readings=tuple(Reading(n, way) for n, way in enumerate(ways, 1)))


FUNCTIONS: dict[str, type[_Function]] = {
    "skill": SkillFunction,
    "doc": DocFunction,
    "call": CallFunction,
    "answer": AnswerFunction,
}


def find_function(name: str) -> str | None:
    """Return the function that a name means, however a model writes it; ``None`` if it means none."""
    plain = plain_name(name).casefold()
    for said in (plain, plain.rpartition("_")[2]):  # with a prefix such as that of a server
        if said in FUNCTIONS:
            return said
        if meant := next((function for function, names in _MEANT.items() if said in names), None):
            return meant
    return None


def main_field(function: str) -> str:
    """Return the field that a function needs first."""
    return next(iter(FUNCTIONS[function].model_fields))


class _Plain(GenerateJsonSchema):
    """Schemas without titles, defaults and lengths, which only cost tokens."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        return {"type": "object"}

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
            fields = {
                name: item for name, item in asdict(action).items() if name in AnswerFunction.model_fields
            }
            fields |= {"asks": [each.read_as for each in action.readings]} if action.readings else {}
    return json.dumps(fields, ensure_ascii=False, default=str)
