"""What a request leaves out once an endpoint has refused it: small servers take a part of the protocol."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace


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
        Functions are given as such; else they are described in the text, and called in it.
    system : bool
        The instruction is a message of its own; else it begins the first message of the user.
    completion_tokens : bool
        The longest reply is given under the newer name of its field.
    pictures : bool
        Messages may hold pictures.
    reasoning : bool
        What a model reasoned goes back to it.
    """

    offers: bool = True
    usage: bool = True
    stream: bool = True
    native: bool = True
    system: bool = True
    completion_tokens: bool = False
    pictures: bool = True
    reasoning: bool = True


# What an endpoint says of what it does not take, and what is left out then; the first that is new is taken.
_CONCESSIONS: tuple[tuple[re.Pattern[str], Mapping[str, bool]], ...] = tuple(
    (re.compile(said, re.IGNORECASE), changes)
    for said, changes in (
        (r"max_completion_tokens", {"completion_tokens": True}),
        (r"reasoning_content|\bmessages?\W.{0,40}\breasoning\b", {"reasoning": False}),
        (r"\bimages?\b|image_url|input_image|multi-?modal|content.{0,30}\bstring\b", {"pictures": False}),
        (r"stream_options|include_usage", {"usage": False}),
        (r"\bstream(ing|ed)?\b", {"stream": False}),
        (r"\btools?\b|tool_choice|function[ _-]?call", {"native": False}),
        # Such chat templates know user and assistant alone, so that results of tools become the user's words.
        (r"roles? must alternate", {"native": False, "system": False}),
        (r"\bsystem\b.{0,40}\b(role|message|prompt)s?\b|\brole\b.{0,40}\bsystem\b", {"system": False}),
    )
)


def concede(form: Form, said: str) -> Form | None:
    """Return the form without what an endpoint complains of; ``None`` where it is left out already."""
    for pattern, changes in _CONCESSIONS:
        changed = replace(form, **changes)
        # The more special complaints stand first, as "stream_options" also holds the word "stream".
        if changed != form and pattern.search(said):
            return changed
    return None
