"""The vision language model of this installation, and one exchange with it."""

from __future__ import annotations

import contextlib
import contextvars
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treeline.toolkit.context import current_context
from treeline.toolkit.endpoints import KEY, URL, VISION_MODEL, client_options
from treeline.toolkit.errors import BackendMissing
from treeline.toolkit.secret_settings import secret_setting

if TYPE_CHECKING:
    import openai

SECONDS = 120.0
RETRIES = 2
POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class VisionEndpoint:
    """Where a vision language model is asked.

    Attributes
    ----------
    model : str
    url : str
        Base address; empty means the client's default.
    key : str
        Kept out of every representation.
    """

    model: str
    url: str = ""
    key: str = field(default="", repr=False)

    @classmethod
    def from_environment(cls) -> VisionEndpoint | None:
        """Read ``TREELINE_VISION_MODEL``, ``OPENAI_BASE_URL``, ``OPENAI_API_KEY``; ``None`` if too few."""
        found = cls(os.environ.get(VISION_MODEL, ""), os.environ.get(URL, ""), secret_setting(KEY))
        return found if found.model and (found.url or found.key) else None

    def complete(self, messages: list[dict[str, Any]], schema: dict[str, Any]) -> str:
        """Send messages and return what the model writes.

        Parameters
        ----------
        schema : dict
            ``name`` and ``schema`` of the form in which it is to answer.

        Raises
        ------
        BackendMissing
            The endpoint cannot be reached, or refuses.
        """
        return _text(self, messages, schema)


_endpoint: contextvars.ContextVar[VisionEndpoint | None] = contextvars.ContextVar(
    "vision_endpoint", default=None
)


@contextlib.contextmanager
def use_vision(endpoint: VisionEndpoint | None) -> Iterator[None]:
    """Use an endpoint instead of that of the environment, for the duration of a ``with`` block."""
    token = _endpoint.set(endpoint)
    try:
        yield
    finally:
        _endpoint.reset(token)


def current_vision() -> VisionEndpoint | None:
    """Return the endpoint in force, else that of the environment."""
    return _endpoint.get() or VisionEndpoint.from_environment()


# --- One exchange ---------------------------------------------------------------------------------


def _text(endpoint: VisionEndpoint, messages: list[dict[str, Any]], schema: dict[str, Any]) -> str:
    import openai

    client = openai.OpenAI(
        **client_options(endpoint.url, endpoint.key),
        timeout=SECONDS,
        max_retries=RETRIES,
        http_client=openai.DefaultHttpxClient(timeout=SECONDS, follow_redirects=False),
    )
    # Temperature 0: the same picture is to get the same answer.
    request: dict[str, Any] = {"model": endpoint.model, "messages": messages, "temperature": 0}
    try:
        with client:
            reply = _await_reply(lambda: _complete(client, request, schema))
    except openai.OpenAIError as error:
        raise _fault(endpoint, error) from error
    return (reply.choices[0].message.content if reply.choices else None) or ""


def _complete(client: openai.OpenAI, request: dict[str, Any], schema: dict[str, Any]) -> Any:
    import openai

    complete: Any = client.chat.completions.create
    try:
        return complete(**request, response_format={"type": "json_schema", "json_schema": schema})
    except (openai.BadRequestError, openai.UnprocessableEntityError):
        # Not every endpoint takes a schema; the question holds it as well.
        return complete(**request)


def _await_reply(exchange: Callable[[], Any]) -> Any:
    """Return what an exchange gives; a person who stops does not wait for the endpoint."""
    context, pool = current_context(), ThreadPoolExecutor(1, thread_name_prefix="vision")
    try:
        future = pool.submit(exchange)
        while not future.done():
            context.check_stop()
            wait([future], timeout=POLL_SECONDS)
        return future.result()
    finally:
        # An exchange that is under way cannot be broken off; it ends by its own timeout.
        pool.shutdown(wait=False)


def _fault(endpoint: VisionEndpoint, error: openai.OpenAIError) -> BackendMissing:
    import openai

    where = endpoint.url or "the default address"
    if isinstance(error, openai.APIStatusError):
        reason = f"refused with status {error.status_code}"
    elif isinstance(error, openai.APITimeoutError):
        reason = f"did not answer in {SECONDS:.0f} s"
    else:
        reason = "cannot be reached"
    return BackendMissing(
        f"The vision model {endpoint.model} at {where} {reason}.",
        f"Check {VISION_MODEL}, {URL} and {KEY}; can it see?",
    )
