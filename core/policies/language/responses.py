"""The Responses API: items instead of messages, and what a model reasoned goes back as it came."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treeline.core.context.conversation import Message
from treeline.core.context.functions import DEFINITIONS
from treeline.core.context.pictures import is_picture, without_pictures
from treeline.core.engine.actions import TokenUse
from treeline.core.engine.events import Draft
from treeline.core.model_settings import ModelSettings
from treeline.core.policies.language.concessions import Form
from treeline.core.policies.language.drafting import TellDraft
from treeline.core.policies.language.faults import CutStream, NoMessage, NoStream
from treeline.core.policies.language.gathering import check_length, draft_of
from treeline.core.policies.language.message import FunctionCall, Reply
from treeline.toolkit.files import mend_text

if TYPE_CHECKING:
    import openai

REASONING = "reasoning_items"
_WORDS = frozenset(
    {"response.output_text.delta", "response.reasoning_summary_text.delta", "response.reasoning_text.delta"}
)
_ENDINGS = frozenset({"response.completed", "response.incomplete", "response.failed"})


def body_of(form: Form, model: str, messages: list[Message], settings: ModelSettings) -> dict[str, Any]:
    """Return the body of a request; the endpoint keeps nothing of it."""
    body: dict[str, Any] = {
        "model": model,
        "input": [item for message in messages for item in _items(message, form.pictures)],
        "store": False,
    }
    set_by_person = {
        "temperature": settings.temperature,
        "max_output_tokens": settings.longest_reply,
        "reasoning": {"effort": settings.effort} if settings.effort else None,
        # As nothing is stored there, what was reasoned can only go back encrypted; models that do not reason
        # refuse the field.
        "include": ["reasoning.encrypted_content"] if settings.effort else None,
    }
    body |= {name: value for name, value in set_by_person.items() if value is not None}
    if form.offers and form.native:
        body["tools"] = [{"type": "function", "strict": False, **each["function"]} for each in DEFINITIONS]
    return body | ({"stream": True} if form.stream else {})


async def read(client: openai.AsyncOpenAI, body: dict[str, Any], stream: bool, tell: TellDraft) -> Reply:
    """Send a request and return the reply; what has come of a stream is shown."""
    sent: Any = await client.responses.create(**body)
    if not stream:
        return _reply(sent)
    begun, gathered = False, _Pieces()
    async with sent:
        async for event in sent:
            begun = True
            if getattr(event, "type", "") in _ENDINGS:
                return _reply(event.response)
            gathered.add(event)
            tell(gathered.draft())
    if not begun:
        raise NoStream
    raise CutStream


@dataclass
class _Pieces:
    """What the events of a stream have told so far: words, and calls by their place."""

    words: str = ""
    calls: dict[int, str] = field(default_factory=dict)

    def add(self, event: Any) -> None:
        """Add what an event tells."""
        kind, place = getattr(event, "type", ""), getattr(event, "output_index", 0)
        if kind in _WORDS:
            self.words += str(event.delta)
            check_length(len(self.words))
        elif kind == "response.function_call_arguments.delta":
            self.calls[place] = self.calls.get(place, "") + str(event.delta)
        elif kind == "response.output_item.added" and event.item.type == "function_call":
            self.calls[place] = f"{event.item.name} "

    def draft(self) -> Draft:
        """Return it for people to read."""
        return draft_of(self.words, (self.calls[place] for place in sorted(self.calls)))


def _items(message: Message, pictures: bool = True) -> Iterator[dict[str, Any]]:
    """Yield the items of a message: what was reasoned before what was said and called."""
    if message["role"] == "tool":
        call = message["tool_call_id"]
        yield {"type": "function_call_output", "call_id": call, "output": message["content"]}
        return
    # The endpoint refuses a call whose reasoning item does not stand before it.
    yield from json.loads(message.get(REASONING) or "[]")
    content = message["content"]
    if not isinstance(content, str):
        content = [_part(part) for part in content] if pictures else without_pictures(content)
    calls = message.get("tool_calls", ())
    # What stands for no words is left out: nothing belongs between what was reasoned and its call.
    if not calls or content != calls[0]["function"]["name"]:
        yield {"role": message["role"], "content": content}
    for called in calls:
        yield {"type": "function_call", "call_id": called["id"], **called["function"]}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if is_picture(part):
        return {"type": "input_image", "image_url": part["image_url"]["url"]}
    return {"type": "input_text", "text": part["text"]}


def _reply(response: Any) -> Reply:
    if isinstance(response, str):
        raise NoMessage(response)
    if getattr(response, "status", "") == "failed":
        told = getattr(getattr(response, "error", None), "message", "") or "no reason given"
        raise ConnectionError(f"the endpoint failed: {told}")
    items = list(getattr(response, "output", None) or ())
    of_kind = {kind: [item for item in items if item.type == kind] for kind in ("message", "reasoning")}
    parts = [part for item in of_kind["message"] for part in item.content]
    text = "".join(getattr(part, "text", "") or getattr(part, "refusal", "") for part in parts)
    reasoned = [item.model_dump(exclude_none=True) for item in of_kind["reasoning"]]
    calls = (FunctionCall(item.name, item.arguments) for item in items if item.type == "function_call")
    details = getattr(response, "incomplete_details", None)
    words = (part.get("text", "") for item in reasoned for part in _parts_of(item))
    return Reply(
        mend_text(text),
        mend_text("\n".join(filter(None, words))),
        tuple(calls),
        _tokens_of(getattr(response, "usage", None)),
        cut=getattr(details, "reason", "") == "max_output_tokens",
        reasoning_field=REASONING if reasoned else "",
        reasoning_items=json.dumps(reasoned) if reasoned else "",
        withheld=getattr(details, "reason", "") == "content_filter",
    )


def _parts_of(item: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parts of what was reasoned: in full where the endpoint gives it so, else in short."""
    return item.get("content") or item.get("summary") or []


def _tokens_of(usage: Any) -> TokenUse:
    details = getattr(usage, "input_tokens_details", None)
    return TokenUse(
        getattr(usage, "input_tokens", None) or 0,
        getattr(usage, "output_tokens", None) or 0,
        getattr(details, "cached_tokens", None) or 0,
    )
