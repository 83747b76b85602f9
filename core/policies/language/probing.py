"""A look at an endpoint before a run depends on it: which models it has, and whether one calls functions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from anyio.from_thread import start_blocking_portal

from treeline.core.context.conversation import Message
from treeline.core.engine.actions import TokenUse
from treeline.core.errors import EndpointError
from treeline.core.policies.language.exchange import Exchange, client_of
from treeline.core.policies.language.faults import Patience, fault_of
from treeline.core.settings import Endpoint
from treeline.toolkit.files import mend_text

_MOST_MODELS = 200
# What an endpoint lists is drawn on a page; a foreign server may send anything.
_LONGEST_NAME = 120
_PATIENCE = Patience(attempts=1, silence=60.0, message=120.0)
_MESSAGES: list[Message] = [
    {"role": "system", "content": "You test a connection. Call a function; say nothing else."},
    {"role": "user", "content": 'Call the function skill with the kit "Statistics".'},
]


@dataclass(frozen=True, slots=True)
class Probe:
    """What an endpoint showed.

    Attributes
    ----------
    models : tuple of str
        Those that it lists; empty where it lists none.
    calls : bool
        The model called the function that it was asked to call.
    problems : tuple of str
        What did not work, in sentences.
    """

    model: str
    models: tuple[str, ...] = ()
    calls: bool = False
    seconds: float = 0.0
    tokens: TokenUse = TokenUse()
    problems: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        """Whether a run can be worked on with it."""
        return self.calls

    def to_json(self) -> dict[str, Any]:
        """Return what the command prints."""
        return {**asdict(self), "works": self.works}


def probe(endpoint: Endpoint, stop: threading.Event | None = None) -> Probe:
    """Return what an endpoint shows when its models are listed and one call is tried.

    Raises
    ------
    BackendMissing, InputError, PathOutside
        It must not or cannot be asked at all.
    Stopped
    """
    endpoint.check()
    models, unlisted = _list_models(endpoint)
    problems = [unlisted] if unlisted else []
    if models and endpoint.model not in models:
        problems.append(f"The endpoint does not list the model {endpoint.model!r}.")
    began, notes = time.monotonic(), list[str]()
    try:
        reply = Exchange(endpoint, patience=_PATIENCE).reply(
            _MESSAGES, notes.append, stop or threading.Event()
        )
    except EndpointError as error:
        return Probe(endpoint.model, models, seconds=_seconds_since(began), problems=(*problems, str(error)))
    calls = bool(reply.calls)
    if not calls:
        problems.append("The model answered, and called no function: choose one that can.")
    return Probe(endpoint.model, models, calls, _seconds_since(began), reply.tokens, tuple(problems))


def _seconds_since(began: float) -> float:
    return round(time.monotonic() - began, 3)


def _list_models(endpoint: Endpoint) -> tuple[tuple[str, ...], str]:
    """Return the models that an endpoint lists, or why it lists none."""

    async def ask() -> list[str]:
        async with client_of(endpoint, _PATIENCE.silence) as client:
            page = await client.models.list()
        return [str(model.id) for model in page.data]

    try:
        found = _within_portal(ask)
    except (AttributeError, TypeError):  # of a page of the web, or of a list in another form
        return (), "Its models cannot be listed: what it sends is no list of models."
    except Exception as error:  # the client's exceptions hold the request and so the key
        return (), f"Its models cannot be listed: {fault_of(error, endpoint).why}."
    return tuple(sorted(mend_text(name)[:_LONGEST_NAME] for name in found[:_MOST_MODELS])), ""


def _within_portal(ask: Callable[[], Any]) -> Any:
    with start_blocking_portal() as portal:
        return portal.call(ask)
