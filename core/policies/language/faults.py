"""What an endpoint's fault means: whether to try again, when, and what to tell the person."""

from __future__ import annotations

import email.utils
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treeline.core.errors import ContextTooLong, EndpointError, EndpointRefused, EndpointUnreachable
from treeline.core.model_settings import ModelSettings
from treeline.core.settings import Endpoint

if TYPE_CHECKING:
    import openai

_TRANSIENT = frozenset({408, 409, 425, 429})
_TOO_LONG = re.compile(
    r"context.{0,20}(length|window|size|limit)|maximum context|prompt is too long|too many (input )?tokens"
    r"|input (is |length |token count ).{0,30}(long|exceeds)|n_ctx",
    re.IGNORECASE,
)
# Where an endpoint tells how much its model's context holds.
_WINDOW = re.compile(
    r"(?:context (?:length|window|size|limit)|maximum context|n_ctx|maximum(?: number)? of(?: input)?)"
    r"\D{0,40}?(?P<said>\d[\d,]{2,})|\d{3,}\s*(?:tokens\s*)?(?:>|exceeds\D{1,40}?)\s*(?P<above>\d[\d,]{2,})",
    re.IGNORECASE,
)
# Tokens. No model has less; a smaller number in an error is not its window.
_LEAST_WINDOW = 512
_LONGEST_QUOTE = 300
# How systems say that a name has no address.
_NO_HOST = re.compile(r"name or service|nodename|name resolution|getaddrinfo|no address associated", re.I)
_NO_QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an endpoint is waited for.

    Attributes
    ----------
    attempts : int
        Requests for one message, the first included.
    briefly : int
        Those where nobody listens at the address: what was never there is not slow.
    first, longest : float
        Seconds before the second request, and at most before any; doubled each time in between.
        An endpoint that asks for a longer wait is given up.
    silence : float
        Seconds without a byte after which a request has failed.
    quiet : float
        Seconds without a byte of a message after which people are told, once a run.
    message : float
        Seconds that a whole message may take.
    """

    attempts: int = 6
    briefly: int = 3
    first: float = 1.0
    longest: float = 60.0
    silence: float = 180.0
    quiet: float = 15.0
    message: float = 900.0

    @classmethod
    def of(cls, settings: ModelSettings) -> Patience:
        """Return how long an endpoint is waited for by settings: a message as long as two silences."""
        whole = max(cls().message, 2 * settings.silence)
        return cls(attempts=settings.attempts, silence=settings.silence, message=whole)

    def wait(self, attempt: int, fault: Fault) -> float | None:
        """Return the seconds before the next request; ``None`` to give up.

        Parameters
        ----------
        attempt : int
            Number of the request that failed, from 1.
        """
        if not fault.transient or attempt >= (
            min(self.briefly, self.attempts) if fault.absent else self.attempts
        ):
            return None
        # An endpoint that wants to be left alone for longer than a person would wait is given up at once.
        if fault.retry_after is not None:
            return fault.retry_after if fault.retry_after <= self.longest else None
        doubled = min(self.longest, self.first * 2 ** (attempt - 1))
        # Spread, so that many runs which one outage stopped do not all come back at once.
        return doubled * random.uniform(0.75, 1.25)


@dataclass(frozen=True, slots=True)
class Fault:
    """A request that failed.

    Attributes
    ----------
    error : EndpointError
        What the run ends with if this was the last request.
    why : str
        In two or three words, for a note.
    retry_after : float, optional
        Seconds that the endpoint asked to wait.
    absent : bool
        Nobody listens at the address, or there is no host of this name.
    """

    error: EndpointError
    why: str
    transient: bool = False
    retry_after: float | None = None
    absent: bool = False


class NoStream(Exception):
    """A stream was asked for, and something else came: no event at all."""


_REFUSALS: dict[int, tuple[str, str]] = {
    401: ("does not accept the key", "Check the key: OPENAI_API_KEY, or the field for it."),
    403: ("does not permit this key to use the model", "Check the key and what its account may use."),
    404: (
        "knows no model {model!r} at this address",
        "Check TREELINE_MODEL, and OPENAI_BASE_URL, which mostly ends in /v1.",
    ),
}


def fault_of(error: Exception, endpoint: Endpoint) -> Fault:
    """Return what an exception of the client means. The key is in no text of it."""
    import openai

    match error:
        case openai.APIStatusError():
            return _status_fault(error, endpoint)
        case TimeoutError() | openai.APITimeoutError():
            return _unreachable("no answer in time", endpoint)
        case openai.APIConnectionError():
            return _connection_fault(error, endpoint)
        case openai.APIError() if _TOO_LONG.search(error.message):
            return _too_long(endpoint, error.message)
        case openai.APIError():
            return _unreachable(f"fault of the endpoint ({_quote(error.message, endpoint)})", endpoint)
        case NoStream():
            return _unreachable("no stream of events", endpoint)
        case ValueError():  # JSON that ends in the middle
            return _unreachable("garbled answer", endpoint)
        case _:
            return _unreachable(f"connection lost ({type(error).__name__})", endpoint)


def complaint_of(error: Exception) -> str:
    """Return what an endpoint has against the form of a request, in its words; empty for another fault."""
    import openai

    if isinstance(error, NoStream):
        return "stream"
    passing = isinstance(error, openai.APIStatusError) and error.status_code in (*_TRANSIENT, 401, 403)
    if not isinstance(error, openai.APIError) or passing or _TOO_LONG.search(error.message):
        return ""
    return "" if isinstance(error, openai.APIConnectionError) else error.message


def address(endpoint: Endpoint) -> str:
    """Return where the endpoint is, for people."""
    return endpoint.url or "the default address"


def _status_fault(error: openai.APIStatusError, endpoint: Endpoint) -> Fault:
    status = error.status_code
    body = error.body if isinstance(error.body, dict) else {}
    message = _quote(str(body.get("message") or error.message), endpoint).rstrip(".")
    too_long = error.code == "context_length_exceeded" or _TOO_LONG.search(error.message)
    if status == 413 or (status in (400, 422) and too_long):
        return _too_long(endpoint, error.message)
    # Sent with status 429 like a rate limit, but no waiting helps.
    if error.code in _NO_QUOTA:
        text = f"The endpoint at {address(endpoint)} has no quota left for this key: {message}."
        return Fault(EndpointRefused(text, "Check its account."), "no quota")
    if status in _TRANSIENT or status >= 500:
        why = "rate limit" if status == 429 else f"fault {status} of the endpoint"
        wait = seconds_to_wait(error.response.headers)
        asked = f" It asks to wait {wait:.0f} s." if wait else ""
        unreachable = EndpointUnreachable(
            f"The endpoint at {address(endpoint)} answered with status {status}: {message}.",
            f"Resume the run later, or choose another endpoint.{asked}",
        )
        return Fault(unreachable, why, True, wait)
    what, hint = _REFUSALS.get(status, ("refuses the request", "Check model and address."))
    what = what.format(model=endpoint.model)
    text = f"The endpoint at {address(endpoint)} {what} (status {status}: {message})."
    return Fault(EndpointRefused(text, hint), f"refused with status {status}")


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that an endpoint asks to wait; ``None`` if it does not say.

    ``Retry-After`` is a number of seconds or an HTTP date (RFC 9110, section 10.2.3);
    ``retry-after-ms`` is what some endpoints send besides.
    """
    for name, divisor in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / divisor
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        moment = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, moment.timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def window_in(said: str) -> int | None:
    """Return the tokens that a model's context holds, as a refusal tells them."""
    found = _WINDOW.search(said)
    window = int((found["said"] or found["above"]).replace(",", "")) if found else 0
    return window if window >= _LEAST_WINDOW else None


def _too_long(endpoint: Endpoint, said: str) -> Fault:
    text = f"The conversation does not fit the context of the model {endpoint.model!r}."
    hint = "Choose a model with a larger context, or adaptive disclosure."
    error = ContextTooLong(text, hint)
    error.window = window_in(said)
    return Fault(error, "context too long")


def _unreachable(why: str, endpoint: Endpoint) -> Fault:
    text = f"The endpoint at {address(endpoint)} cannot be used: {why}, at every try."
    hint = "Is it running, and is its address (OPENAI_BASE_URL) right?"
    return Fault(EndpointUnreachable(text, hint), why, True)


def _connection_fault(error: openai.APIConnectionError, endpoint: Endpoint) -> Fault:
    kind = type(error.__cause__).__name__
    if kind in ("RemoteProtocolError", "ReadError", "WriteError"):
        return _unreachable("connection dropped", endpoint)
    if kind != "ConnectError":
        return _unreachable("no connection", endpoint)
    named = _NO_HOST.search(str(error.__cause__)) is None
    why = "no connection, nothing listens there" if named else "no connection, no host of this name is known"
    return replace(_unreachable(why, endpoint), absent=True)


def _quote(text: str, endpoint: Endpoint) -> str:
    """Return what an endpoint said, short and without the key, which some repeat."""
    if endpoint.key:
        text = text.replace(endpoint.key, "***")
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]} ..."
