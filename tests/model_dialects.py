"""What small models on local servers really send: calls as text in many dialects, thoughts, faults in form.

A dialect turns a function and its arguments into a message; :func:`follow_actions` plays a list of actions
in one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from tests.endpoint import Messages, Refuse, Reply, Say, use_raw

Action = tuple[str, dict[str, Any]]
Dialect = Callable[[str, dict[str, Any]], Say]


def _text(template: str) -> Dialect:
    def say(name: str, arguments: dict[str, Any]) -> Say:
        call = json.dumps({"name": name, "arguments": arguments})
        parameters = "".join(f"<parameter={key}>\n{_bare(v)}\n</parameter>\n" for key, v in arguments.items())
        pairs = "".join(
            f"<arg_key>{key}</arg_key>\n<arg_value>{_bare(v)}</arg_value>\n" for key, v in arguments.items()
        )
        named = "".join(f'<parameter name="{key}">{_bare(v)}</parameter>\n' for key, v in arguments.items())
        marked = named.replace("parameter", "｜DSML｜parameter").replace('">', '" string="true">')
        spoken = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
        text = template
        for mark, value in (
            ("CALL", call),
            ("NAME", name),
            ("ARGUMENTS", json.dumps(arguments)),
            ("PARAMETERS", parameters),
            ("PAIRS", pairs),
            ("NAMED", named),
            ("DSML", marked),
            ("SPOKEN", spoken),
            ("PYTHON", repr(json.loads(call))),
        ):
            text = text.replace(f"@{mark}@", value)
        return Say(text, usage=None)

    return say


def _bare(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _flat(name: str, arguments: dict[str, Any]) -> Say:
    """A tool called as if it were a function, and arguments beside the tool's name."""
    if name != "call":
        return use_raw((name, json.dumps(arguments)))
    return use_raw((arguments["tool"], json.dumps(arguments["arguments"])))


def _double(name: str, arguments: dict[str, Any]) -> Say:
    """Arguments encoded twice, and those of a tool once more."""
    inner = {key: json.dumps(v) if isinstance(v, dict) else v for key, v in arguments.items()}
    return use_raw((name, json.dumps(json.dumps(inner))))


def _beside(name: str, arguments: dict[str, Any]) -> Say:
    given = {**arguments.get("arguments", {}), **{k: v for k, v in arguments.items() if k != "arguments"}}
    return use_raw((name, json.dumps(given)))


def _several(name: str, arguments: dict[str, Any]) -> Say:
    return use_raw(
        (name, json.dumps(arguments)), ("skill", '{"kit": "Terrain"}'), ("doc", '{"tool": "mean"}')
    )


DIALECTS: dict[str, Dialect] = {
    "fence": _text("I will look first.\n```json\n@CALL@\n```\nThen I go on."),
    "fence, open": _text("```json\n@CALL@"),
    "tool_call": _text('<think>\nHm, {"a": 1}?\n</think>\nNow.\n<tool_call>\n@CALL@\n</tool_call>'),
    "tool_call, open": _text("<tool_call>\n@CALL@"),
    "parameters": _text("<tool_call>\n<function=@NAME@>\n@PARAMETERS@</function>\n</tool_call>"),
    "function": _text("<function=@NAME@>@ARGUMENTS@</function>"),
    "python_tag": _text("<|python_tag|>@CALL@"),
    "TOOL_CALLS": _text("[TOOL_CALLS] [@CALL@]"),
    "TOOL_CALLS, ARGS": _text("[TOOL_CALLS]@NAME@[ARGS]@ARGUMENTS@"),
    "harmony": _text("to=functions.@NAME@ <|constrain|>json<|message|>@ARGUMENTS@<|call|>"),
    "deepseek": _text("function<｜tool▁sep｜>@NAME@\n```json\n@ARGUMENTS@\n```<｜tool▁call▁end｜>"),
    "kimi": _text(
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.@NAME@:0<|tool_call_argument_begin|>"
        "@ARGUMENTS@<|tool_call_end|><|tool_calls_section_end|>"
    ),
    "arg_key": _text("<tool_call>@NAME@\n@PAIRS@</tool_call>"),
    "namespace": _text('<x:tool_call>\n<invoke name="@NAME@">\n@NAMED@</invoke>\n</x:tool_call>'),
    "DSML": _text('<｜DSML｜function_calls>\n<｜DSML｜invoke name="@NAME@">\n@DSML@</｜DSML｜invoke>\n'),
    "thinking marks": _text("<|START_THINKING|>Hm.<|END_THINKING|><|START_ACTION|>[@CALL@]<|END_ACTION|>"),
    "Python, marked": _text("<|python_start|>[@NAME@(@SPOKEN@)]<|python_end|>"),
    "Python, printed": _text("```tool_code\nprint(default_api.@NAME@(@SPOKEN@))\n```"),
    "bare": _text("@CALL@"),
    "as Python prints": _text("@PYTHON@"),
    "ReAct": _text("Thought: I look first.\nAction: @NAME@\nAction Input: @ARGUMENTS@\nObservation: done"),
    "Python": _text("I do this:\n@NAME@(@SPOKEN@)"),
    "Python, listed": _text("[@NAME@(@SPOKEN@)]"),
    "keyed": _text('{"tool_calls": [{"type": "function", "function": @CALL@}]}'),
    "action": _text('{"action": "@NAME@", "action_input": @ARGUMENTS@}'),
    "fields alone": _text("```\n@ARGUMENTS@\n```"),
    "flat": _flat,
    "double": _double,
    "beside": _beside,
    "several": _several,
}


def follow_actions(actions: Sequence[Action], dialect: Dialect) -> Callable[[Messages], Reply]:
    """Return a script that takes actions one after the other, whatever it is told."""

    def reply(messages: Messages) -> Reply:
        told = " ".join(str(message["content"]) for message in messages)
        taken = max(map(int, re.findall(r"\[step (\d+)\]", told)), default=0)
        return dialect(*actions[min(taken, len(actions) - 1)])

    return reply


def refuse_requests(*parts: str, status: int = 400) -> Callable[[dict[str, Any]], Refuse | None]:
    """Return what refuses a request with one of some parts: keys of its body, or the role ``system``."""

    def refuse(body: dict[str, Any]) -> Refuse | None:
        has = {**body, **{message["role"]: True for message in body["messages"]}}
        found = next((part for part in parts if has.get(part)), None)
        return Refuse(status, f"{found} is not supported by this model: no {found} role") if found else None

    return refuse
