"""The ways to know users on a server of a team: OpenID Connect, or the headers of a proxy."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from functools import lru_cache
from http.client import HTTPException
from typing import Any, Protocol
from urllib.parse import urlsplit
from urllib.request import urlopen

import streamlit as st
from starlette.requests import HTTPConnection
from streamlit.auth_util import get_origin_from_redirect_uri, get_secrets_auth_section
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks

from treeline.core.access.identity import Identity, claim_of_identity, identity_of
from treeline.core.access.proxy import TrustedProxy, proxy_of_environment
from treeline.core.record.people import role_of_newcomers
from treeline.toolkit.errors import InputError, TreelineError

_NEEDED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
_SHORTEST_SECRET = 32
# Seconds for the provider's metadata; somebody waits at the button.
_PATIENCE = 5.0


class Way(Protocol):
    """A way to know users."""

    signs_in: bool
    """Whether people sign in here, rather than before they come."""

    def of_request(self, connection: HTTPConnection) -> Identity | None:
        """Return who sent a request; ``None`` for nobody who is known."""
        ...

    def of_session(self, claims: Mapping[str, Any]) -> Identity | None:
        """Return whose session it is, by what Streamlit knows of its user."""
        ...


class Proxy:
    """A proxy signs people in and says in headers who each is.

    Parameters
    ----------
    proxy : TrustedProxy
    """

    signs_in = False

    def __init__(self, proxy: TrustedProxy) -> None:
        self._proxy = proxy

    def of_request(self, connection: HTTPConnection) -> Identity | None:
        """Return who sent a request."""
        peer = connection.client.host if connection.client else None
        claims = self._proxy.claims(connection.headers.items(), peer)
        return None if claims is None else identity_of(claims, self_asserted=False)

    def of_session(self, claims: Mapping[str, Any]) -> Identity | None:
        """Return whose session it is; the gate has let in the proxy alone."""
        return identity_of(claims, self_asserted=False)


class OpenId:
    """People sign in by OpenID Connect; Streamlit keeps who they are in a signed cookie."""

    signs_in = True

    def of_request(self, connection: HTTPConnection) -> Identity | None:
        """Return who sent a request, by the cookie."""
        # Streamlit's own function, though it is not public: a second reading of the cookie could let in whom
        # the pages refuse. Where it is renamed, the import fails and nobody is let in.
        content = _get_signed_cookie_with_chunks(connection.cookies, USER_COOKIE_NAME)
        if content is None:
            return None
        try:
            claims = json.loads(content)
        except ValueError:
            return None
        # As Streamlit asks of its sessions: a cookie that another server signed with the same
        # secret is worth nothing.
        if not isinstance(claims, dict) or claims.get("origin") != get_origin_from_redirect_uri():
            return None
        return self.of_session(claims)

    def of_session(self, claims: Mapping[str, Any]) -> Identity | None:
        """Return whose session it is."""
        return identity_of(claims, self_asserted=True) if claims.get("is_logged_in") is True else None


@lru_cache(maxsize=1)
def way_to_know_users() -> Way:
    """Return the way that the settings choose.

    Raises
    ------
    InputError
        There is none, there are two, or one is not set up; says what is missing.
    """
    role_of_newcomers()
    headers = st.get_option("server.trustedUserHeaders")
    auth = get_secrets_auth_section()
    if headers and auth:
        raise InputError(
            "The mode 'team' is given two ways to know users.",
            "Take either server.trustedUserHeaders or [auth] out of the settings.",
        )
    if headers:
        if claim_of_identity() not in headers.values():
            raise InputError(
                f"No header of server.trustedUserHeaders states the claim {claim_of_identity()!r}.",
                "People are known by it; name its header, or another claim by TREELINE_USER_CLAIM.",
            )
        return Proxy(proxy_of_environment(headers))
    if auth:
        _check_auth(auth)
        return OpenId()
    raise InputError(
        "The mode 'team' needs a way to know users, and none is set.",
        "Set [auth] in .streamlit/secrets.toml for OpenID Connect, or server.trustedUserHeaders for a proxy "
        "that signs people in; docs/hosting.md shows both.",
    )


class ProviderUnreachable(TreelineError):
    """The OpenID provider does not answer."""


def look_for_provider() -> None:
    """Look whether the OpenID provider answers.

    Raises
    ------
    ProviderUnreachable
        It does not, or not with its metadata.
    """
    address = str(get_secrets_auth_section()["server_metadata_url"])
    try:
        with urlopen(address, timeout=_PATIENCE) as answer:
            json.load(answer)
    except (OSError, HTTPException, ValueError) as error:
        raise ProviderUnreachable(
            f"The sign-in service at {urlsplit(address).hostname} does not answer ({type(error).__name__}).",
            "Try again in a while, or tell whoever runs this server.",
        ) from error


def _check_auth(auth: Mapping[str, Any]) -> None:
    missing = [name for name in _NEEDED if not auth.get(name)]
    if missing:
        raise InputError(
            f"[auth] in the secrets lacks {', '.join(missing)}.", "OpenID Connect needs each of them."
        )
    if any(isinstance(value, Mapping) and "client_id" in value for value in auth.values()):
        raise InputError(
            "[auth] in the secrets names several providers, so that one name may stand for two people.",
            "Set one provider, directly in [auth].",
        )
    if len(auth["cookie_secret"]) < _SHORTEST_SECRET:
        raise InputError(
            f"The cookie_secret of [auth] is shorter than {_SHORTEST_SECRET} characters.",
            "Take a random one: whoever guesses it can be anybody.",
        )
    if importlib.util.find_spec("authlib") is None:
        raise InputError(
            "OpenID Connect needs Authlib, which is not installed.", "pip install treeline[team]"
        )
