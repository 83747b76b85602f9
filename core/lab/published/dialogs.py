"""A recorded dialog: what was asked, what was called, what the tools replied."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from treeline.toolkit.syntax import value_in

_FILE_NAME = re.compile(r"[^\s'\",\[\](){}]+\.\w{2,5}\b")


def first_question(dialog: Sequence[Any]) -> str:
    """Return what the user says first; empty where no user speaks."""
    return next((_text(m.get("content")) for m in _messages(dialog) if _role(m) == "user"), "")


def recorded_calls(dialog: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the calls that a dialog's messages hold, in order, each with the reply where there is one.

    A call says its tool and arguments itself, or below ``function``; arguments may be JSON in a text.
    """
    messages = list(_messages(dialog))
    replies = [m.get("content") for m in messages if _role(m) == "tool"]
    found = []
    for message in messages:
        for call in message.get("tool_calls") or ():
            function = call.get("function", call)
            found.append({"tool": function.get("name"), "arguments": arguments_of(function.get("arguments"))})
    # Replies belong to calls by their order; where some are lost, which is whose cannot be known.
    if len(replies) == len(found):
        found = [{**call, "output": reply} for call, reply in zip(found, replies, strict=True)]
    return found


def listed_files(dialog: Sequence[Any], tool: str) -> list[str]:
    """Return the file names in the first reply of a tool that lists files."""
    replies = (m.get("content") for m in _messages(dialog) if _role(m) == "tool" and m.get("name") == tool)
    names = _names(next(replies, None))
    return list(dict.fromkeys(name.replace("\\", "/").rpartition("/")[2] for name in names))


def arguments_of(value: Any) -> dict[str, Any]:
    """Return a call's arguments, given as an object, as JSON in a text, or not at all.

    Arguments without names are numbered.
    """
    if isinstance(value, str):
        value = _value(value)
    if isinstance(value, Mapping):
        return dict(value)
    items = value if isinstance(value, list | tuple) else () if value in (None, "") else (value,)
    return dict(zip(map(str, count()), items, strict=False))


def _messages(dialog: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    return (message for message in dialog if isinstance(message, Mapping))


def _role(message: Mapping[str, Any]) -> str:
    return str(message.get("role", "")).casefold()


def _names(value: Any) -> Iterator[str]:
    """Yield the file names in a reply: a list, an object with a text, or a text that holds either."""
    match value:
        case str():
            inner = _value(value)
            if isinstance(inner, str):
                yield from _FILE_NAME.findall(inner)
            else:
                yield from _names(inner)
        case list() | tuple():
            for item in value:
                yield from [item] if _is_file(item) else _names(item)
        case Mapping():
            yield from _names(list(value.values()))


def _is_file(value: Any) -> bool:
    """Return whether a list's item is a file name; it may hold spaces, as in the published lists."""
    return isinstance(value, str) and value[:1] not in "[{" and "\n" not in value and "." in value


def _value(text: str) -> Any:
    """Return what a text holds as JSON or as a Python literal, or the text itself."""
    for load in (json.loads, value_in):
        try:
            return load(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return text


def _text(content: Any) -> str:
    """Return the text of a message's content, which may come in parts."""
    match content:
        case str():
            return content
        case list() | tuple():
            return "\n".join(filter(None, map(_text, content)))
        case Mapping():
            return _text(content.get("text") or content.get("content"))
        case _:
            return ""
