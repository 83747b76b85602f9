"""The gate of a team's server: every request has a person whom the server knows, or is for everybody.

Streamlit's sign-in guards pages alone. What is not named here as open to everybody is closed.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from anyio import to_thread
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from treeline.core.access import Person, as_person
from treeline.core.errors import RecordError
from treeline.pages.parts.identity.media import sessions_with
from treeline.pages.parts.identity.origins import is_own_page
from treeline.pages.parts.identity.providers import way_to_know_users
from treeline.pages.parts.identity.sessions import owner_of_session
from treeline.pages.parts.shared.services import people

# First segments of paths. The metrics have a token of their own; the page itself holds nothing but the
# sign-in until there is a person.
_OF_PROCESS = frozenset({"livez", "readyz", "metrics"})
_OF_SIGN_IN = frozenset({"auth", "oauth2callback"})
_OF_PAGE = frozenset(
    {"", "static", "component", "leaflet", "favicon.png"}
    | {page.stem for page in Path(__file__).parents[2].glob("*.py") if page.stem[0] != "_"}
)
_OF_STREAMLIT = frozenset({"health", "host-config", "allowed-message-origins", "stream", "bidi-components"})
_PREFIX = "_stcore"
_UPLOADS, _MEDIA = "upload_file", "media"


class Gate:
    """Middleware that lets in whom the server knows, and says to the routes who it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        segments, connection = _segments(scope["path"]), HTTPConnection(scope)
        if scope["type"] == "websocket" and not is_own_page(connection):
            await _refuse(scope, receive, send, 403, "Not from a page of this server.")
            return
        if _is_of_process(segments):  # it tells whether the server lives, whatever else keeps it busy
            await self._app(scope, receive, send)
            return
        try:
            person = await to_thread.run_sync(_person_of, connection)
        except RecordError as error:  # who may see what is in it
            await _refuse(scope, receive, send, 503, str(error))
            return
        if person is None:
            if _is_open(segments):
                await self._app(scope, receive, send)
            else:
                await _refuse(scope, receive, send, 401, "Sign in first.")
        elif not _reaches(person, segments):
            await _refuse(scope, receive, send, 404, "Not found.")
        else:
            with as_person(person):
                await self._app(scope, receive, send)


def _segments(path: str) -> list[str]:
    """Return the parts of a path, without the prefix that all of Streamlit's own have."""
    segments = [part for part in path.split("/") if part]
    prefix = [part for part in st.get_option("server.baseUrlPath").split("/") if part]
    return segments[len(prefix) :] if segments[: len(prefix)] == prefix else segments


def _person_of(connection: HTTPConnection) -> Person | None:
    identity = way_to_know_users().of_request(connection)
    return people().let_in(identity) if identity is not None else None


def _is_of_process(segments: list[str]) -> bool:
    return len(segments) == 1 and segments[0] in _OF_PROCESS


def _is_open(segments: list[str]) -> bool:
    """Return whether somebody whom nobody knows may ask for a path."""
    first, *rest = segments or [""]
    if not way_to_know_users().signs_in:
        return False
    if first == _PREFIX:
        return bool(rest) and rest[0] in _OF_STREAMLIT
    return first in _OF_SIGN_IN or first in _OF_PAGE


def _reaches(person: Person, segments: list[str]) -> bool:
    """Return whether a path names nothing of another person's session, or of the process."""
    if segments[:2] == [_PREFIX, "metrics"]:  # what the process counts; it has numbers of its own
        return False
    if segments[:2] == [_PREFIX, _UPLOADS]:
        return len(segments) > 2 and owner_of_session(segments[2]) == person.id
    if segments[:1] == [_MEDIA]:
        name = segments[-1].partition(".")[0]
        return any(owner_of_session(session) == person.id for session in sessions_with(name))
    return True


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, said: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": said})
        return
    await PlainTextResponse(said, status, headers={"Cache-Control": "no-store"})(scope, receive, send)
