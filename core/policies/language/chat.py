"""Chat completions: the form of the exchange that every compatible endpoint knows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from treeline.core.context.conversation import Message
from treeline.core.context.functions import DEFINITIONS
from treeline.core.context.pictures import without_pictures
from treeline.core.model_settings import ModelSettings
from treeline.core.policies.language.concessions import Form
from treeline.core.policies.language.drafting import TellDraft
from treeline.core.policies.language.faults import CutStream, NoMessage, NoStream, words_of
from treeline.core.policies.language.gathering import REASONING, PartialMessage, tokens_of
from treeline.core.policies.language.message import Reply

if TYPE_CHECKING:
    import openai

_TOLD = """

There is no function calling here. Write one function as a JSON object at the end of your message, such as
{"name": "skill", "arguments": {"kit": "Index"}}
Functions:
"""


def body_of(form: Form, model: str, messages: list[Message], settings: ModelSettings) -> dict[str, Any]:
    """Return the body of a request."""
    # OpenAI's reasoning models refuse the older name; most other servers know no other.
    longest = "max_completion_tokens" if form.completion_tokens else "max_tokens"
    set_by_person = {
        "temperature": settings.temperature,
        "seed": settings.seed,
        "reasoning_effort": settings.effort or None,
        longest: settings.longest_reply,
    }
    body: dict[str, Any] = {"model": model, "messages": _put(form, messages)}
    body |= {name: value for name, value in set_by_person.items() if value is not None}
    if form.offers and form.native:
        body["tools"] = list(DEFINITIONS)
    if form.stream:
        body["stream"] = True
        body |= {"stream_options": {"include_usage": True}} if form.usage else {}
    return body


async def read(client: openai.AsyncOpenAI, body: dict[str, Any], stream: bool, tell: TellDraft) -> Reply:
    """Send a request and return the reply; what has come of a stream is shown."""
    sent = await client.chat.completions.create(**body)
    return await _stream(sent, tell) if stream else _whole(sent)


def _put(form: Form, messages: list[Message]) -> list[Message]:
    if not form.pictures:
        messages = [{**message, "content": without_pictures(message["content"])} for message in messages]
    if not form.reasoning:
        messages = [{k: v for k, v in message.items() if k not in REASONING} for message in messages]
    if form.native and form.system:
        return messages
    told = [_as_text(message) for message in messages] if not form.native else list(messages)
    if form.offers and not form.native:
        functions = "\n".join(json.dumps(each["function"]) for each in DEFINITIONS)
        told[0] = {**told[0], "content": f"{told[0]['content']}{_TOLD}{functions}"}
    if not form.system:
        told = [{**message, "role": "user"} if message["role"] == "system" else message for message in told]
    return list(_merge(told))


def _as_text(message: Message) -> Message:
    """Return a message in which a call and its result are plain words."""
    calls = [call["function"] for call in message.get("tool_calls", ())]
    if calls:
        written = (f'{{"name": "{call["name"]}", "arguments": {call["arguments"]}}}' for call in calls)
        return {"role": "assistant", "content": "\n".join([message["content"], *written])}
    return {"role": "user" if message["role"] == "tool" else message["role"], "content": message["content"]}


def _merge(messages: Iterable[Message]) -> Iterable[Message]:
    """Yield messages of which no two in a row are of one side."""
    for _, group in groupby(messages, key=lambda message: (message["role"], bool(message.get("tool_calls")))):
        same = list(group)
        if same[0]["role"] == "tool" or same[0].get("tool_calls"):
            yield from same
        else:
            yield {**same[0], "content": _join([message["content"] for message in same])}


def _join(contents: list[Any]) -> Any:
    """Return what several messages of one side say as one; with pictures as parts."""
    if all(isinstance(content, str) for content in contents):
        return "\n\n".join(contents)
    parts = [[{"type": "text", "text": c}] if isinstance(c, str) else c for c in contents]
    return [part for each in parts for part in each]


def _whole(completion: Any) -> Reply:
    if isinstance(completion, str):
        raise NoMessage(completion)
    if fault := getattr(completion, "error", None):
        raise ConnectionError(f"fault of the endpoint ({words_of(fault)})")
    choice = (getattr(completion, "choices", None) or [None])[0]
    if choice is None:
        return Reply(tokens=tokens_of(getattr(completion, "usage", None)))
    gathered = PartialMessage()
    gathered.add_message(choice.message, complete=True)
    gathered.finish_reason = choice.finish_reason
    gathered.tokens = tokens_of(completion.usage)
    return gathered.reply()


async def _stream(chunks: Any, tell: TellDraft) -> Reply:
    gathered, begun = PartialMessage(), False
    async with chunks:
        async for chunk in chunks:
            begun = True
            gathered.add(chunk)
            tell(gathered.draft())
    if not begun:
        raise NoStream
    # A proxy that gives up closes the connection as if the message were whole.
    if not gathered.finish_reason:
        raise CutStream
    return gathered.reply()
