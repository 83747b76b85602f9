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
    r"context.{0,20}(?:length|window|size|limit)|maximum (?:context|model length|prompt length)|n_ctx"
    r"|\b(?:prompt|inputs?|tokens?)\b[^.!?]{0,80}\b(?:too long|too large|exceed(?:s|ed)?|longer than)\b"
    r"|too many (?:input )?tokens|\brequest too large\b"
    r"|\btokens?\b.{0,60}(?:<=|cannot exceed)|less than \d+ tokens",
    re.IGNORECASE,
)
# A rate limit that one request alone is above: no waiting helps.
_TOO_LARGE = re.compile(r"request too large", re.IGNORECASE)
# Where an endpoint tells how much its model's context holds, the surest way first. A request that is so many
# tokens too long tells nothing of it.
_WINDOW = tuple(
    re.compile(said, re.IGNORECASE)
    for said in (
        r"n_ctx\D{0,10}(\d+)",
        r"\d[\d,]{2,}\s*(?:tokens\s*)?>\s*(\d[\d,]{2,})",
        r"(?:<=|exceed(?:s|ed)?|longer than|less than)\D{1,60}?(?<!by )(\d[\d,]{2,})",
        r"(?:context (?:length|window|size)|maximum|\blimit)\D{0,40}?(?<!by )(\d[\d,]{2,})",
        r"(\d[\d,]{2,})\s*(?:tokens\s*)?maximum",
    )
)
# Tokens. No model has less; a smaller number in an error is not its window.
_LEAST_WINDOW = 512
_LONGEST_QUOTE = 300
_LONGEST_SAID = 10_000
# Where servers put the words of a refusal.
_TOLD = ("message", "error", "errors", "detail", "msg")
_TAG = re.compile(r"<(script|style)\b.*?</\1>|<[^<>]*>", re.DOTALL | re.IGNORECASE)
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
        Seconds without a piece of a message; those that a message may take which comes as a whole.
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


class CutStream(ConnectionError):
    """A stream ended, and did not say that the message had."""

    def __init__(self) -> None:
        super().__init__("the stream ended before the message did")


class NoMessage(Exception):
    """A message was asked for, and something else came, such as a page; the text is what came."""


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
        case openai.APIError() if _TOO_LONG.search(said_by(error)):
            return _too_long(endpoint, said_by(error))
        case openai.APIError():
            return _unreachable(f"fault of the endpoint ({_quote(_told_by(error), endpoint)})", endpoint)
        case NoStream():
            return _unreachable("no stream of events", endpoint)
        case NoMessage():
            return _no_message(str(error), endpoint)
        case ValueError():  # JSON that ends in the middle
            return _unreachable("garbled answer", endpoint)
        case ConnectionError() if str(error):
            return _unreachable(_quote(str(error), endpoint), endpoint)
        case _:
            return _unreachable(f"connection lost ({type(error).__name__})", endpoint)


def complaint_of(error: Exception) -> str:
    """Return what an endpoint has against the form of a request, in its words; empty for another fault."""
    import openai

    if isinstance(error, NoStream):
        return "stream"
    passing = isinstance(error, openai.APIStatusError) and error.status_code in (*_TRANSIENT, 401, 403)
    if not isinstance(error, openai.APIError) or passing or _TOO_LONG.search(said_by(error)):
        return ""
    return "" if isinstance(error, openai.APIConnectionError) else said_by(error)


def unread_call_of(error: Exception) -> str:
    """Return the call that a model wrote and its endpoint could not read; empty for another fault."""
    body = getattr(error, "body", None)
    written = body.get("failed_generation") if isinstance(body, Mapping) else None
    return written if isinstance(written, str) else ""


def said_by(error: openai.APIError) -> str:
    """Return all that an endpoint says of a fault: its words, and the names and numbers beside them."""
    body = error.body
    beside = body.items() if isinstance(body, Mapping) else ()
    facts = [
        f"{name}: {value}" for name, value in beside if isinstance(value, str | int) and name not in _TOLD
    ]
    return "\n".join([_told_by(error), *facts])[:_LONGEST_SAID]


def _told_by(error: openai.APIError) -> str:
    """Return an endpoint's words; those of the client where it has none."""
    return words_of(error.body) or error.message


def words_of(body: object) -> str:
    """Return the words in the body of a refusal, wherever a server puts them; of a page its text."""
    match body:
        case str():
            return " ".join(_TAG.sub(" ", body).split())
        case Mapping():
            place = body.get("loc")
            said = next((words for name in _TOLD if (words := words_of(body.get(name)))), "")
            return f"{'.'.join(map(str, place))}: {said}" if isinstance(place, list) else said
        case list():
            return "; ".join(filter(None, map(words_of, body)))
        case _:
            return ""


def address(endpoint: Endpoint) -> str:
    """Return where the endpoint is, for people."""
    return endpoint.url or "the default address"


def _status_fault(error: openai.APIStatusError, endpoint: Endpoint) -> Fault:
    status, said = error.status_code, said_by(error)
    message = _quote(_told_by(error), endpoint).rstrip(".")
    # Some servers send it as a fault of their own.
    too_long = status not in (*_TRANSIENT, *_REFUSALS) and (
        error.code == "context_length_exceeded" or _TOO_LONG.search(said)
    )
    if status == 413 or too_long or (status == 429 and _TOO_LARGE.search(said)):
        return _too_long(endpoint, said)
    # Sent with status 429 like a rate limit, but no waiting helps.
    if error.code in _NO_QUOTA:
        text = f"The endpoint at {address(endpoint)} has no quota left for this key: {message}."
        return Fault(EndpointRefused(text, "Check its account."), "no quota")
    if status in _TRANSIENT or status >= 500:
        why = "rate limit" if status == 429 else f"fault {status} of the endpoint ({message})"
        wait = seconds_to_wait(error.response.headers)
        asked = f" It asks to wait {wait:.0f} s." if wait else ""
        unreachable = EndpointUnreachable(
            f"The endpoint at {address(endpoint)} answered with status {status}: {message}.",
            f"Resume the run later, or choose another endpoint.{asked}",
        )
        return Fault(unreachable, why, True, wait)
    what, hint = _REFUSALS.get(status, ("refuses the request", "Check model, address and settings."))
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
    found = next((match for told in _WINDOW if (match := told.search(said))), None)
    window = int(found[1].replace(",", "")) if found else 0
    return window if window >= _LEAST_WINDOW else None


def _too_long(endpoint: Endpoint, said: str) -> Fault:
    told = _quote(said, endpoint).rstrip(".")
    text = f"The conversation does not fit the context of the model {endpoint.model!r}: {told}."
    hint = "Choose a model with a larger context, or adaptive disclosure."
    error = ContextTooLong(text, hint)
    error.window = window_in(said)
    return Fault(error, "context too long")


def _unreachable(why: str, endpoint: Endpoint) -> Fault:
    text = f"The endpoint at {address(endpoint)} cannot be used: {why}, at every try."
    hint = "Is it running, and is its address (OPENAI_BASE_URL) right?"
    return Fault(EndpointUnreachable(text, hint), why, True)


def _no_message(said: str, endpoint: Endpoint) -> Fault:
    told = _quote(words_of(said), endpoint)
    text = f"What answers at {address(endpoint)} is no endpoint of a model: {told or 'an empty page'}."
    return Fault(EndpointRefused(text, _REFUSALS[404][1]), "no message of a model")


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
