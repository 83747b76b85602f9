"""One exchange with an endpoint: send the conversation, get a message, whatever it takes."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from concurrent.futures import wait as wait_for
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

from treeline.core.context.conversation import Message
from treeline.core.context.pictures import TOKENS, is_picture, without_pictures
from treeline.core.context.tokens import count_tokens
from treeline.core.engine.actions import TokenUse
from treeline.core.engine.events import Draft
from treeline.core.policies.language.concessions import Form, concede
from treeline.core.policies.language.drafting import SeldomTeller, TellDraft, tell_nobody
from treeline.core.policies.language.faults import (
    CutStream,
    Fault,
    Patience,
    complaint_of,
    fault_of,
    unread_call_of,
)
from treeline.core.policies.language.forms import EXCHANGES
from treeline.core.policies.language.message import Reply
from treeline.core.policies.language.reply import settle
from treeline.core.settings import Endpoint
from treeline.toolkit.endpoints import client_options
from treeline.toolkit.errors import Stopped

if TYPE_CHECKING:
    import openai

__all__ = ["Exchange", "Patience", "client_of"]

_LOG = logging.getLogger(__name__)

# Seconds. The event that stops a run is set in another thread and cannot end a wait for the network.
_STOP_INTERVAL = 0.05


class Exchange:
    """Sends conversations to an endpoint and returns its messages.

    Parameters
    ----------
    endpoint : Endpoint
    stream : bool
        Read the message as it is written, so that a dropped or silent connection is noticed early.
    patience : Patience
        By default that of the endpoint's settings.
    offers : bool
        Offer the model the functions; else it is asked for words alone.

    Raises
    ------
    BackendMissing
        No model is named, or neither an address nor a key is given.
    """

    def __init__(
        self, endpoint: Endpoint, stream: bool = True, patience: Patience | None = None, offers: bool = True
    ) -> None:
        endpoint.check()
        # Loaded here, where it is needed and no time runs: it takes half a second.
        import openai  # noqa: F401

        self.endpoint = endpoint
        self.patience = patience or Patience.of(endpoint.settings)
        self._kind = EXCHANGES[endpoint.settings.form]
        self.form = Form(offers, stream=stream)
        self._told_quiet = False
        self._cut = 0  # streams in a row that ended before their message did

    def reply(
        self,
        messages: list[Message],
        notify: Callable[[str], None],
        stop: threading.Event,
        tell: TellDraft = tell_nobody,
    ) -> Reply:
        """Return the model's next message.

        Parameters
        ----------
        tell : callable
            Takes what has come of the message, now and then.

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
                outcome = self._attempt(portal, messages, stop, SeldomTeller(tell), notify)
                if isinstance(outcome, Reply):
                    self._cut = 0
                    # What has answered is there, and comes back after a restart.
                    self.patience = replace(self.patience, briefly=self.patience.attempts)
                    return settle(self._count_tokens(outcome, messages), self.form.offers)
                wait = self.patience.wait(attempt, outcome)
                if wait is None:
                    raise outcome.error
                _LOG.info("%s: trying again in %.2g s.", outcome.why, wait)
                notify(f"{outcome.why}: trying again in {wait:.2g} s")
                if stop.wait(wait):
                    raise Stopped("The run was stopped.")

    def _attempt(
        self,
        portal: BlockingPortal,
        messages: list[Message],
        stop: threading.Event,
        tell: SeldomTeller,
        notify: Callable[[str], None],
    ) -> Reply | Fault:
        future = portal.start_task_soon(self._request, messages, tell)
        begun = time.monotonic()
        # Not by the timeout of `result`: it raises the same TimeoutError as a request may that has ended, and
        # that would be waited for as if it were still under way.
        while not wait_for([future], _STOP_INTERVAL).done:
            if stop.is_set():
                future.cancel()
                raise Stopped("The run was stopped.")
            tell.tell_due()
            if not tell.begun and time.monotonic() - begun > self.patience.quiet:
                self._tell_quiet(notify)
        try:
            return future.result()
        except CancelledError:
            raise Stopped("The run was stopped.") from None

    def _tell_quiet(self, notify: Callable[[str], None]) -> None:
        """Tell once that nothing comes: a slow model and a dead one look alike."""
        if not self._told_quiet:
            self._told_quiet = True
            patience = f"it is waited for {self.patience.silence:g} s"
            notify(f"nothing has come from the endpoint for {self.patience.quiet:g} s: {patience}")

    async def _request(self, messages: list[Message], tell: TellDraft) -> Reply | Fault:
        # Faults are returned, not raised: the client's exceptions hold the request and so the key.
        while True:
            try:
                with anyio.fail_after(self.patience.message) as limit:
                    heard = self._postponing(limit, tell)
                    async with self._client() as client:
                        return await self._kind.read(client, self._body(messages), self.form.stream, heard)
            except Exception as error:
                if written := unread_call_of(error):
                    return Reply(written)
                fault = fault_of(error, self.endpoint)
                form = concede(self.form, self._complaint_of(error))
                if form is None:
                    return fault
                self.form = form

    def _postponing(self, limit: anyio.CancelScope, tell: TellDraft) -> TellDraft:
        """Return what tells a draft and gives the message as much time again: what comes slowly does come."""

        def heard(draft: Draft) -> None:
            limit.deadline = anyio.current_time() + self.patience.message
            tell(draft)

        return heard

    def _complaint_of(self, error: Exception) -> str:
        """Return what speaks against the form of a request, as the endpoint says or shows it."""
        if not isinstance(error, CutStream):
            return complaint_of(error)
        self._cut += 1
        # One may be lost; a server that never says that a message has ended is asked for it whole.
        return "stream" if self._cut > 1 else ""

    def _client(self) -> openai.AsyncOpenAI:
        return client_of(self.endpoint, self.patience.silence)

    def _body(self, messages: list[Message]) -> dict[str, Any]:
        return self._kind.body_of(self.form, self.endpoint.model, messages, self.endpoint.settings)

    def _count_tokens(self, reply: Reply, messages: list[Message]) -> Reply:
        """Return a reply with its tokens, counted here where the endpoint reports none."""
        if reply.tokens != TokenUse():
            return replace(reply, tokens=replace(reply.tokens, replies=1))
        words = [{**message, "content": without_pictures(message["content"])} for message in messages]
        read = json.dumps(self._body(words), ensure_ascii=False)
        seen = sum(
            is_picture(part) for m in messages if isinstance(m["content"], list) for part in m["content"]
        )
        written = [reply.text, reply.reasoning, *(call.arguments for call in reply.calls)]
        use = TokenUse(
            count_tokens(read) + seen * TOKENS, sum(map(count_tokens, written)), counted=True, replies=1
        )
        return replace(reply, tokens=use)


def client_of(endpoint: Endpoint, silence: float) -> openai.AsyncOpenAI:
    """Return a client for an endpoint that gives up after so many seconds without a byte."""
    import openai

    timeout = openai.Timeout(silence, connect=min(20.0, silence))
    options = client_options(endpoint.url, endpoint.key)
    options["default_headers"] = {**options.get("default_headers", {}), **dict(endpoint.settings.headers)}
    return openai.AsyncOpenAI(
        **options,
        timeout=timeout,
        # Tried again here, where the person is told of it and can stop it.
        max_retries=0,
        # An endpoint that sends its visitors on could send them past what is allowed.
        http_client=openai.DefaultAsyncHttpxClient(timeout=timeout, follow_redirects=False),
    )
