"""A message put together from what an endpoint sends: whole, or in the pieces of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from treeline.core.context.json_reading import end_of
from treeline.core.engine.actions import TokenUse
from treeline.core.engine.events import Draft
from treeline.core.policies.language.message import FunctionCall, Reply
from treeline.toolkit.files import mend_text

# Letters. A model that repeats itself may never end, and servers without a limit send it all.
_LONGEST_MESSAGE = 400_000
_LONGEST_DRAFT = 4_000
# Where a message holds what a model reasoned: DeepSeek, vLLM and others use the first name, OpenRouter and
# newer servers the second.
REASONING = ("reasoning_content", "reasoning")


# How endpoints say that a filter of contents kept a message back.
_WITHHELD = ("content_filter", "refusal", "safety", "SAFETY")


@dataclass(frozen=True, slots=True)
class _Legacy:
    """A call as messages held it before they could hold several."""

    function: Any


@dataclass
class PartialMessage:
    """What has arrived of a message so far; calls by their place among them."""

    text: str = ""
    reasoning: str = ""
    reasoning_field: str = ""
    names: dict[int, str] = field(default_factory=dict)
    arguments: dict[int, str] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    beside: dict[int, str] = field(default_factory=dict)
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
            It is a whole message, each of whose calls is whole.

        Raises
        ------
        ConnectionError
            The text is longer than any answer: a model repeats itself.
        """
        self.text += _text(message, "content") or _text(message, "refusal")
        for name in REASONING:
            if thought := _text(message, name):
                self.reasoning, self.reasoning_field = self.reasoning + thought, name
                break
        else:
            self.reasoning += _text(message, "content", "thinking")
        calls = getattr(message, "tool_calls", None) or ()
        legacy = getattr(message, "function_call", None)
        for call in calls or ([_Legacy(legacy)] if legacy else ()):
            self._add_call(call, len(self.names) if complete else self._place(call))
        check_length(len(self.text) + len(self.reasoning))

    def _place(self, call: Any) -> int:
        """Return the place of a call that a piece of a stream begins or goes on with.

        Servers number the calls of a message, or give each an identifier, or neither: what brings a name
        where the arguments are whole already is another call.
        """
        given = getattr(call, "index", None)
        last = len(self.names) - 1
        place = last if given is None else self.places.get(given, -1)
        if place < 0 or self._is_another(call, place, numbered=given is not None):
            place = last + 1
        if given is not None:
            self.places[given] = place
        return place

    def _is_another(self, call: Any, place: int, numbered: bool) -> bool:
        identifier, known = _text(call, "id"), self.ids.get(place, "")
        if identifier and known and identifier != known:
            return True
        if not _text(call.function, "name"):
            return False
        so_far = self.arguments[place].strip()
        if so_far and end_of(so_far, 0) == len(so_far):
            return bool(getattr(call.function, "arguments", None))
        # Servers that number nothing send each call whole, one after the other.
        return not numbered and not identifier

    def _add_call(self, call: Any, place: int) -> None:
        function = getattr(call, "function", None)
        arguments = getattr(function, "arguments", None) or ""
        if not isinstance(arguments, str):  # some servers send the object itself
            arguments = json.dumps(arguments)
        name, known = _text(function, "name"), self.names.get(place, "")
        # Some servers repeat the name with every piece of the arguments.
        self.names[place] = known if name == known else known + name
        self.arguments[place] = self.arguments.get(place, "") + arguments
        self.ids[place] = self.ids.get(place, "") or _text(call, "id")
        # Such as the sign of a thought, without which an endpoint refuses the call when it comes back.
        extra = getattr(call, "model_extra", None) or {}
        if beside := {name: value for name, value in extra.items() if isinstance(value, dict)}:
            self.beside[place] = json.dumps(beside)

    def draft(self) -> Draft:
        """Return what has arrived, for people to read."""
        calls = (f"{self.names[i]} {self.arguments[i]}" for i in sorted(self.names))
        return draft_of(f"{self.reasoning[-_LONGEST_DRAFT:]}\n\n{self.text[-_LONGEST_DRAFT:]}", calls)

    def reply(self) -> Reply:
        """Return the whole message.

        Raises
        ------
        ConnectionError
            The endpoint gave it up.
        """
        if self.finish_reason == "error":
            raise ConnectionError("the endpoint gave the message up")
        calls = tuple(
            FunctionCall(self.names[i], self.arguments[i], self.beside.get(i, "")) for i in sorted(self.names)
        )
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


def _text(message: Any, name: str, part: str = "text") -> str:
    """Return a field of a message as a text; of parts what they have of one name."""
    value = getattr(message, name, None)
    return value if isinstance(value, str) and part == "text" else _text_of_parts(value, part)


def _text_of_parts(value: Any, part: str) -> str:
    if isinstance(value, dict):
        inner = value.get(part)
        return inner if isinstance(inner, str) else _text_of_parts(inner, "text")
    if isinstance(value, list | tuple):
        return "".join(_text_of_parts(item, part) for item in value)
    return ""


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
