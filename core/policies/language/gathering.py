"""A message put together from what an endpoint sends: whole, or in the pieces of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from treeline.core.engine.actions import TokenUse
from treeline.core.engine.events import Draft
from treeline.core.policies.language.message import FunctionCall, Reply
from treeline.toolkit.files import mend_text

# Letters. A model that repeats itself may never end, and servers without a limit send it all.
_LONGEST_MESSAGE = 400_000
_LONGEST_DRAFT = 4_000
# DeepSeek, vLLM and others use the first name, OpenRouter and newer servers the second.
_REASONING = ("reasoning_content", "reasoning")


# How endpoints say that a filter of contents kept a message back.
_WITHHELD = ("content_filter", "refusal", "safety", "SAFETY")


@dataclass
class PartialMessage:
    """What has arrived of a message so far; calls by their position in it."""

    text: str = ""
    reasoning: str = ""
    reasoning_field: str = ""
    names: dict[int, str] = field(default_factory=dict)
    arguments: dict[int, str] = field(default_factory=dict)
    finish_reason: str | None = None
    tokens: TokenUse = TokenUse()

    def add(self, chunk: Any) -> None:
        """Add a chunk of a stream."""
        if getattr(chunk, "usage", None):
            self.tokens = tokens_of(chunk.usage)
        for choice in (getattr(chunk, "choices", None) or [])[:1]:
            if choice.delta is not None:
                self.add_message(choice.delta)
            self.finish_reason = choice.finish_reason or self.finish_reason

    def add_message(self, message: Any, complete: bool = False) -> None:
        """Add a message or a piece of one.

        Parameters
        ----------
        message : object
            Of the client, or the difference that a piece of a stream brings.
        complete : bool
            It is a whole message, whose calls are in their order.

        Raises
        ------
        ConnectionError
            The text is longer than any answer: a model repeats itself.
        """
        self.text += _text(message, "content") or _text(message, "refusal")
        for name in _REASONING:
            if thought := _text(message, name):
                self.reasoning, self.reasoning_field = self.reasoning + thought, name
                break
        for position, call in enumerate(getattr(message, "tool_calls", None) or ()):
            self._add_call(call, position if complete else self._index(call, position))
        check_length(len(self.text) + len(self.reasoning))

    def _index(self, call: Any, position: int) -> int:
        index = getattr(call, "index", None)
        if index is not None:
            return int(index)
        # Servers that leave the index out send each call whole, one after the other.
        return len(self.names) if getattr(call.function, "name", None) else max(len(self.names) - 1, position)

    def _add_call(self, call: Any, index: int) -> None:
        function = getattr(call, "function", None)
        arguments = getattr(function, "arguments", None) or ""
        if not isinstance(arguments, str):  # some servers send the object itself
            arguments = json.dumps(arguments)
        self.names[index] = self.names.get(index, "") + _text(function, "name")
        self.arguments[index] = self.arguments.get(index, "") + arguments

    def draft(self) -> Draft:
        """Return what has arrived, for people to read."""
        calls = (f"{self.names[i]} {self.arguments[i]}" for i in sorted(self.names))
        return draft_of(f"{self.reasoning[-_LONGEST_DRAFT:]}\n\n{self.text[-_LONGEST_DRAFT:]}", calls)

    def reply(self) -> Reply:
        """Return the whole message."""
        calls = tuple(FunctionCall(self.names[i], self.arguments[i]) for i in sorted(self.names))
        return Reply(
            mend_text(self.text),
            mend_text(self.reasoning),
            calls,
            self.tokens,
            cut=self.finish_reason == "length",
            reasoning_field=self.reasoning_field,
            withheld=self.finish_reason in _WITHHELD,
        )


def check_length(letters: int) -> None:
    """Check that what has come of a message is not longer than any message.

    Raises
    ------
    ConnectionError
        A model repeats itself.
    """
    if letters > _LONGEST_MESSAGE:
        raise ConnectionError("the message has no end")


def draft_of(thought: str, calls: Iterable[str]) -> Draft:
    """Return the end of what a model is writing, for people to read.

    It is made of every piece that comes: all of a long message each time would take longer than the model.
    """
    return Draft(
        mend_text(thought[-_LONGEST_DRAFT:].strip()),
        tuple(mend_text(call[-_LONGEST_DRAFT:].strip()) for call in calls),
    )


def _text(message: Any, name: str) -> str:
    value = getattr(message, name, None)
    if isinstance(value, Iterable) and not isinstance(value, str):
        value = "".join(str(part.get("text", "")) for part in value if isinstance(part, dict))
    return value if isinstance(value, str) else ""


def tokens_of(usage: Any) -> TokenUse:
    """Return the use of tokens as an endpoint reports it; what it leaves out is zero."""
    details = getattr(usage, "prompt_tokens_details", None)
    # OpenAI's name first, then DeepSeek's.
    cached = getattr(details, "cached_tokens", None) or getattr(usage, "prompt_cache_hit_tokens", None)
    return TokenUse(
        getattr(usage, "prompt_tokens", None) or 0,
        getattr(usage, "completion_tokens", None) or 0,
        cached or 0,
    )
