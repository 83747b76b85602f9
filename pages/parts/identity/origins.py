"""Whose page opens a session: one of this server, by a name that is this server's."""

from __future__ import annotations

import ipaddress
from urllib.parse import SplitResult, urlsplit

import streamlit as st
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

_ADDRESS = "browser.serverAddress"
_LOCAL = "localhost"


class OwnPages:
    """Middleware of a server of one person, who is asked nothing: no page of another opens a session.

    Such a page may have a name that stands for this machine a moment later (DNS rebinding); to the browser it
    is then a page of this server, so that the name itself has to be one of this server's.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "websocket":
            connection = HTTPConnection(scope)
            own = is_own_page(connection) and _is_own_name(connection)
            if not (own or _is_of_this_machine(connection)):
                said = f"Not from a page of this server. {_ADDRESS} may name it."
                await send({"type": "websocket.close", "code": 1008, "reason": said})
                return
        await self._app(scope, receive, send)


def _is_of_this_machine(connection: HTTPConnection) -> bool:
    """Return whether a page of this machine comes to a loopback address, on whatever port.

    A tunnel, a notebook server or a proxy for a prefix has a port of its own and may name the host that it
    asks in place of its own, so that the two differ. A name that another site gave to this machine is none of
    these: its page keeps that name.
    """
    origin = _parts(connection.headers.get("origin", ""))
    host = _parts(f"//{connection.headers.get('host', '')}")
    return _is_loopback(origin.hostname) and _is_loopback(host.hostname)


def _is_loopback(name: str | None) -> bool:
    if name is None:
        return False
    if name == _LOCAL or name.endswith(f".{_LOCAL}"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_own_page(connection: HTTPConnection) -> bool:
    """Return whether a page of this server opens a session, or no browser does.

    Streamlit lets in the pages of any program on the visitor's own machine as well.
    """
    origin = connection.headers.get("origin")
    if origin is None or origin in st.get_option("server.corsAllowedOrigins"):
        return True
    named = _parts(origin)
    if named.netloc.casefold() == connection.headers.get("host", "").casefold():
        return True
    # Named by whoever runs the server, where its proxy does not keep the host; else it is "localhost".
    return config.is_manually_set(_ADDRESS) and named.hostname == config.get_option(_ADDRESS)


def _is_own_name(connection: HTTPConnection) -> bool:
    """Return whether a browser that comes knows the server by a name that nobody else can give it."""
    origin = connection.headers.get("origin")
    if origin is None or origin in st.get_option("server.corsAllowedOrigins"):
        return True
    name = (_parts(origin).hostname or "").rstrip(".")
    if name == _LOCAL or name.endswith(f".{_LOCAL}") or name == config.get_option(_ADDRESS):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name == st.get_option("server.address")
    return True  # a number stands for one machine


def _parts(origin: str) -> SplitResult:
    """Return the parts of an origin; empty ones of what is none."""
    try:
        return urlsplit(origin)
    except ValueError:
        return urlsplit("")
