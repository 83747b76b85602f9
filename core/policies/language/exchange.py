"""One exchange with an endpoint: send the conversation, get a message, whatever it takes."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as NotYet
from typing import TYPE_CHECKING, Any

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

from core.policies.language.faults import Fault, Patience, fault_of
from core.policies.language.functions import DEFINITIONS
from core.policies.language.gathering import Gathered, tokens_of
from core.policies.language.prompt import Message
from core.policies.language.reply import Reply, settle
from core.settings import Endpoint
from toolkit.errors import Stopped

if TYPE_CHECKING:
    import openai

__all__ = ["Exchange", "Patience"]

_STOP_INTERVAL = 0.05
# The client wants some key; local servers need none.
_NO_KEY = "none"


class Exchange:
    """Sends conversations to an endpoint and returns its messages.

    Parameters
    ----------
    endpoint : Endpoint
    stream : bool
        Read the message as it is written, so that a dropped or silent connection is noticed early.
    patience : Patience

    Raises
    ------
    BackendMissing
        No model is named, or neither an address nor a key is given.
    """

    def __init__(self, endpoint: Endpoint, stream: bool = True, patience: Patience | None = None) -> None:
        endpoint.check()
        # Loaded here, where it is needed and no time runs: it takes half a second.
        import openai  # noqa: F401

        self.endpoint = endpoint
        self.stream = stream
        self.patience = patience or Patience()
        self._usage_option: dict[str, Any] = {"stream_options": {"include_usage": True}}

    def reply(self, messages: list[Message], notify: Callable[[str], None], stop: threading.Event) -> Reply:
        """Return the model's next message.

        Raises
        ------
        EndpointUnreachable, EndpointRefused, ContextTooLong
        Stopped
            Within 0.2 s of the event, in the middle of a request as well as between two.
        """
        attempt = 0
        with start_blocking_portal() as portal:
            while True:
                attempt += 1
                outcome = self._attempt(portal, messages, stop)
                if isinstance(outcome, Reply):
                    return settle(outcome)
                wait = self.patience.wait(attempt, outcome)
                if wait is None:
                    raise outcome.error
                notify(f"{outcome.why}: trying again in {wait:.2g} s")
                if stop.wait(wait):
                    raise Stopped("The run was stopped.")

    def _attempt(
        self, portal: BlockingPortal, messages: list[Message], stop: threading.Event
    ) -> Reply | Fault:
        future = portal.start_task_soon(self._request, messages)
        while True:
            if stop.is_set():
                future.cancel()
                raise Stopped("The run was stopped.")
            try:
                return future.result(_STOP_INTERVAL)
            except NotYet:
                continue
            except CancelledError:
                raise Stopped("The run was stopped.") from None

    @property
    def _read(self) -> Callable[[openai.AsyncOpenAI, list[Message]], Awaitable[Reply]]:
        return self._streamed if self.stream else self._whole

    async def _request(self, messages: list[Message]) -> Reply | Fault:
        # Faults are returned, not raised: the client's exceptions hold the request and so the key.
        try:
            with anyio.fail_after(self.patience.message):
                async with self._client() as client:
                    return await self._read(client, messages)
        except Exception as error:
            return fault_of(error, self.endpoint)

    def _client(self) -> openai.AsyncOpenAI:
        import openai

        timeout = openai.Timeout(self.patience.silence, connect=min(20.0, self.patience.silence))
        return openai.AsyncOpenAI(
            api_key=self.endpoint.key or _NO_KEY,
            base_url=self.endpoint.url or None,
            timeout=timeout,
            max_retries=0,
        )

    def _body(self, messages: list[Message]) -> dict[str, Any]:
        return {"model": self.endpoint.model, "messages": messages, "tools": list(DEFINITIONS)}

    async def _whole(self, client: openai.AsyncOpenAI, messages: list[Message]) -> Reply:
        completion = await client.chat.completions.create(**self._body(messages))
        choice = (getattr(completion, "choices", None) or [None])[0]
        if choice is None:
            return Reply(tokens=tokens_of(getattr(completion, "usage", None)))
        gathered = Gathered()
        gathered.add_message(choice.message, complete=True)
        gathered.finish_reason = choice.finish_reason
        gathered.tokens = tokens_of(completion.usage)
        return gathered.reply()

    async def _streamed(self, client: openai.AsyncOpenAI, messages: list[Message]) -> Reply:
        gathered = Gathered()
        async with await self._open_stream(client, messages) as chunks:
            async for chunk in chunks:
                gathered.add(chunk)
        if not gathered.finish_reason:
            raise ConnectionError("the stream ended before the message did")
        return gathered.reply()

    async def _open_stream(self, client: openai.AsyncOpenAI, messages: list[Message]) -> Any:
        import openai

        body = self._body(messages)
        try:
            return await client.chat.completions.create(**body, stream=True, **self._usage_option)
        except openai.BadRequestError as error:
            if not self._usage_option or "stream_options" not in error.message:
                raise
            self._usage_option = {}  # an older server, which then reports no use of tokens
        return await client.chat.completions.create(**body, stream=True)
