"""The forms in which an endpoint is asked and answers; each turns messages into a request and back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import treeline.core.policies.language.chat as chat
import treeline.core.policies.language.responses as responses
from treeline.core.context.conversation import Message
from treeline.core.model_settings import ModelSettings
from treeline.core.policies.language.concessions import Form
from treeline.core.policies.language.drafting import TellDraft
from treeline.core.policies.language.message import Reply

if TYPE_CHECKING:
    import openai


@dataclass(frozen=True, slots=True)
class ExchangeForm:
    """A form of the exchange.

    Attributes
    ----------
    body_of : callable
        Returns the body of a request.
    read : callable
        Sends a body, streaming or not, tells what comes, and returns the reply.
    """

    body_of: Callable[[Form, str, list[Message], ModelSettings], dict[str, Any]]
    read: Callable[[openai.AsyncOpenAI, dict[str, Any], bool, TellDraft], Awaitable[Reply]]


EXCHANGES: Mapping[str, ExchangeForm] = {
    "chat": ExchangeForm(chat.body_of, chat.read),
    "responses": ExchangeForm(responses.body_of, responses.read),
}
