"""What a request leaves out once an endpoint has refused it: small servers take a part of the protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from treeline.core.context.conversation import Message
from treeline.core.context.functions import DEFINITIONS

_TOLD = """

There is no function calling here. Write one function as a JSON object at the end of your message, such as
{"name": "skill", "arguments": {"kit": "Index"}}
Functions:
"""


@dataclass(frozen=True, slots=True)
class Form:
    """How a request is put.

    Attributes
    ----------
    offers : bool
        The model is offered functions.
    usage : bool
        A stream is asked to tell the use of tokens.
    stream : bool
        The message is read as it is written.
    native : bool
        Functions are given as such; else they are told in the text, and called in it.
    system : bool
        The instruction is a message of its own; else it begins the first message of the user.
    """

    offers: bool = True
    usage: bool = True
    stream: bool = True
    native: bool = True
    system: bool = True


# What an endpoint says of what it does not take, and what is left out then; the first that is new is taken.
_CONCESSIONS: tuple[tuple[re.Pattern[str], Mapping[str, bool]], ...] = tuple(
    (re.compile(said, re.IGNORECASE), changes)
    for said, changes in (
        (r"stream_options|include_usage", {"usage": False}),
        (r"\bstream(ing|ed)?\b", {"stream": False}),
        (r"\btools?\b|tool_choice|function[ _-]?call", {"native": False}),
        (r"roles? must alternate", {"native": False, "system": False}),
        (r"\bsystem\b.{0,40}\b(role|message|prompt)s?\b|\brole\b.{0,40}\bsystem\b", {"system": False}),
    )
)


def conceding(form: Form, said: str) -> Form | None:
    """Return the form without what an endpoint complains of; ``None`` where it is left out already."""
    for pattern, changes in _CONCESSIONS:
        changed = replace(form, **changes)
        if changed != form and pattern.search(said):
            return changed
    return None


def body_of(form: Form, model: str, messages: list[Message]) -> dict[str, Any]:
    """Return the body of a request."""
    body: dict[str, Any] = {"model": model, "messages": _put(form, messages)}
    if form.offers and form.native:
        body["tools"] = list(DEFINITIONS)
    if form.stream:
        body["stream"] = True
        body |= {"stream_options": {"include_usage": True}} if form.usage else {}
    return body


def _put(form: Form, messages: list[Message]) -> list[Message]:
    if form.native and form.system:
        return messages
    told = [_as_text(message) for message in messages] if not form.native else list(messages)
    if form.offers and not form.native:
        functions = "\n".join(json.dumps(each["function"]) for each in DEFINITIONS)
        told[0] = {**told[0], "content": f"{told[0]['content']}{_TOLD}{functions}"}
    if not form.system:
        told = [{**message, "role": "user"} if message["role"] == "system" else message for message in told]
    return list(_merged(told))


def _as_text(message: Message) -> Message:
    """Return a message in which a call and its result are plain words."""
    calls = [call["function"] for call in message.get("tool_calls", ())]
    if calls:
        written = (f'{{"name": "{call["name"]}", "arguments": {call["arguments"]}}}' for call in calls)
        return {"role": "assistant", "content": "\n".join([message["content"], *written])}
    return {"role": "user" if message["role"] == "tool" else message["role"], "content": message["content"]}


def _merged(messages: Iterable[Message]) -> Iterable[Message]:
    """Yield messages of which no two in a row are of one side."""
    for _, group in groupby(messages, key=lambda message: (message["role"], bool(message.get("tool_calls")))):
        same = list(group)
        if same[0]["role"] == "tool" or same[0].get("tool_calls"):
            yield from same
        else:
            yield {**same[0], "content": "\n\n".join(message["content"] for message in same)}
