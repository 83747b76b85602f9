"""Calls that a model wrote into its text, in the way that it was trained to.

Servers that do not know a model's template pass its calls on as text: as tagged or fenced JSON, as
tags with parameters, as lines of ReAct, or as a function of Python.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from treeline.core.context.functions import ARGUMENTS, FUNCTIONS, find_function, main_field, plain_name
from treeline.core.context.json_reading import end_of, read_value, values_in
from treeline.core.policies.language.message import FunctionCall
from treeline.toolkit import registry
from treeline.toolkit.syntax import expression_in

_LONGEST = 100_000
_NAMES = ("name", "function", "function_name", "action", "tool", "tool_name")

# A name, after which the arguments stand as an object.
_HEADS = tuple(
    re.compile(pattern, re.DOTALL | re.MULTILINE)
    for pattern in (
        r"<function=(?P<name>[\w.]+)>\s*(?=\{)",
        r"to=functions\.(?P<name>\w+)[^{]{0,80}<\|message\|>\s*(?=\{)",
        # A name between marks of a template, whatever they are called.
        r"<[|｜][^<>]*[|｜]>\s*(?P<name>(?!json\b)[\w.:]+)\s*(?:<[|｜][^<>]*[|｜]>\s*)*(?:```(?:json)?)?\s*(?=\{)",
        r"\[TOOL_CALLS\]\s*(?P<name>\w+)\s*(?:\[ARGS\])?\s*(?=\{)",
        r"^\W*Action\W{1,4}(?P<name>[\w.]+)\W*\n\W*Action Input\W{1,4}\s*(?:```(?:json)?)?\s*(?=\{)",
    )
)
_BARE = re.compile(
    r"^\W*Action\W{1,5}(?P<name>[\w.]+)\W*\n\W*Action Input\W{0,3}:[* \t]*(?P<said>[^\n]+)$"
    r"|^\W*Action:\W*(?P<other>[\w.]+)\[(?P<inner>[^\]\n]*)\]",
    re.MULTILINE,
)
# What stands before the name of a tag, such as that of the model.
_SPACE = r"(?:[^\s<>=\"/]{1,20}[:｜])?"
_TAGGED = re.compile(
    rf"<{_SPACE}(?:function=(?P<name>[\w.]+)|invoke name=\"(?P<other>[\w.]+)\")>(?P<body>.*?)"
    rf"(?:</{_SPACE}(?:function|invoke)>|\Z)",
    re.DOTALL,
)
_PAIRED = re.compile(r"<tool_call>\s*(?P<name>[\w.]+)\s*(?P<body><arg_key>.*?)(?:</tool_call>|\Z)", re.DOTALL)
_PAIR = re.compile(
    r"<arg_key>\s*(?P<name>\w+)\s*</arg_key>\s*<arg_value>\s*(?P<value>.*?)\s*</arg_value>", re.DOTALL
)
_ELEMENT = re.compile(r"<(?P<name>skill|doc|call|answer)>(?P<body>\s*<.*?)</(?P=name)>", re.DOTALL)
_FIELD = re.compile(r"<(?P<name>\w+)>\s*(?P<value>.*?)\s*</(?P=name)>", re.DOTALL)
_PARAMETER = re.compile(
    rf"<{_SPACE}parameter(?:=(?P<name>\w+)| name=\"(?P<other>\w+)\")[^>]*>\s*(?P<value>.*?)\s*"
    rf"</{_SPACE}parameter>",
    re.DOTALL,
)
_SPOKEN = re.compile(
    r"^(?:<\|[^<>]*\|>)?[ \t>*\-`\[]*(?:Action:\s*`?|print\()?(?P<name>[A-Za-z_][\w.]*)(?=\()", re.MULTILINE
)
# What introduces a call: tags and marks of any template, a fence, a bracket.
_MARKS = re.compile(r"(?:```\w*|<[^<>]{1,40}>|<function=\w*|\[[A-Z_]+\]|\[|\s)+\Z|^\s*Thought:")

Found = tuple[int, FunctionCall]


def parse_calls(text: str) -> tuple[str, tuple[FunctionCall, ...]]:
    """Return the words before the first call in a text, and the calls; all the text where there is none."""
    kept = text[:_LONGEST]
    for find in _DIALECTS:
        found = list(find(kept))
        if found:
            words = _MARKS.sub("", kept[: min(start for start, _ in found)])
            return words.strip(), tuple(call for _, call in found)
    return text, ()


def call_of(value: Any) -> FunctionCall | None:
    """Return the call that an object describes, whatever its keys are named; ``None`` if it is none."""
    if not isinstance(value, dict):
        return None
    for key in ("function", "action", "tool_call"):
        if isinstance(value.get(key), dict):
            return call_of(value[key])
    named = next((key for key in _NAMES if isinstance(value.get(key), str)), "")
    given = next((value[key] for key in ARGUMENTS if key in value), None)
    rest = {key: item for key, item in value.items() if key != named}
    name = value.get(named, "")
    if find_function(name):
        return _call(name, rest if given is None else given)
    if function := _function_of(value):
        return _call(function, value)
    for function in FUNCTIONS:
        if function in value:
            return _call(function, _with_main(function, value))
    if plain_name(name) in registry() or (name and isinstance(given, dict)):
        return _call(name, rest if given is None else given)
    return None


def _function_of(value: dict[str, Any]) -> str | None:
    """Return the function whose fields an object has, and no others; the one with the most of them."""
    fitting = [
        (sum(field.is_required() for field in function.model_fields.values()), name)
        for name, function in FUNCTIONS.items()
        if value.keys() <= function.model_fields.keys()
        and all(name in value for name, field in function.model_fields.items() if field.is_required())
    ]
    return max(fitting)[1] if fitting else None


def _with_main(function: str, value: dict[str, Any]) -> Any:
    given = value[function]
    if isinstance(given, dict):
        return given
    rest = {key: item for key, item in value.items() if key != function}
    return {**rest, main_field(function): given}


def _call(name: str, given: Any) -> FunctionCall:
    return FunctionCall(name, given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))


def _calls_after_heads(text: str) -> Iterator[Found]:
    for head in _HEADS:
        for match in head.finditer(text):
            end = end_of(text, match.end())
            yield match.start(), FunctionCall(match["name"], text[match.end() : end])


def _bare(text: str) -> Iterator[Found]:
    for match in _BARE.finditer(text):
        name = match["name"] or match["other"]
        function = find_function(name)
        if function:
            said = (match["said"] or match["inner"] or "").strip(" \"'`")
            yield match.start(), _call(name, {main_field(function): said})


def _calls_in_tags(text: str) -> Iterator[Found]:
    for match in _TAGGED.finditer(text):
        given = {p["name"] or p["other"]: _plain(p["value"]) for p in _PARAMETER.finditer(match["body"])}
        if given:
            yield match.start(), _call(match["name"] or match["other"], given)


def _pairs(text: str) -> Iterator[Found]:
    for match in _PAIRED.finditer(text):
        given = {pair["name"]: _plain(pair["value"]) for pair in _PAIR.finditer(match["body"])}
        if given:
            yield match.start(), _call(match["name"], given)


def _elements(text: str) -> Iterator[Found]:
    for match in _ELEMENT.finditer(text):
        given = {field["name"]: _plain(field["value"]) for field in _FIELD.finditer(match["body"])}
        if given:
            yield match.start(), _call(match["name"], given)


def _plain(text: str) -> Any:
    try:
        return read_value(text)
    except ValueError:
        return text


def _objects(text: str) -> Iterator[Found]:
    for start, value in values_in(text):
        listed = value.get("tool_calls", value) if isinstance(value, dict) else value
        for item in listed if isinstance(listed, list) else [listed]:
            if (call := call_of(item)) is not None:
                yield start, call


def _calls_in_prose(text: str) -> Iterator[Found]:
    for match in _SPOKEN.finditer(text):
        function = find_function(match["name"])
        end = end_of(text, match.end())
        if end and (function or match["name"] in registry()):
            given = _as_python(text[match.start("name") : end], function)
            if given is not None:
                yield match.start(), _call(match["name"], given)


def _as_python(text: str, function: str | None) -> dict[str, Any] | None:
    """Return the arguments of a call written as Python; ``None`` where one is no plain value."""
    fields = list(FUNCTIONS[function].model_fields) if function else []
    try:
        tree = expression_in(text)
        assert isinstance(tree, ast.Call)
        given = {field: ast.literal_eval(value) for field, value in zip(fields, tree.args, strict=False)}
        return given | {word.arg: ast.literal_eval(word.value) for word in tree.keywords if word.arg}
    except (ValueError, SyntaxError, AssertionError, RecursionError, MemoryError):
        return None


# From the most distinct marks to plain words: the arguments of a tagged call are an object themselves, which
# would be taken for a call by the later ones.
_DIALECTS: tuple[Callable[[str], Iterator[Found]], ...] = (
    _calls_after_heads,
    _bare,
    _calls_in_tags,
    _pairs,
    _elements,
    _objects,
    _calls_in_prose,
)
