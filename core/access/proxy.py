"""A proxy before the server that has signed people in, and says in headers who each is."""

from __future__ import annotations

import hmac
import ipaddress
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from treeline.core.logs import hide
from treeline.toolkit.errors import InputError
from treeline.toolkit.secret_settings import secret_setting

SECRET, ADDRESSES = "TREELINE_PROXY_SECRET", "TREELINE_PROXY_ADDRESSES"
SECRET_HEADER = "x-treeline-proxy-secret"
# uvicorn puts what a proxy on this machine says in the place of the peer's address, unless this is empty.
FORWARDED = "FORWARDED_ALLOW_IPS"
# Who guesses the secret is whoever he likes: a person's name or a year is too short to be one.
_SHORTEST_SECRET = 16

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class TrustedProxy:
    """The proxy whose headers are believed.

    Attributes
    ----------
    headers : mapping
        From the name of a header, in lower case, to the claim that it states.
    secret : str
        What the proxy sends in the header ``X-Treeline-Proxy-Secret``; empty for nothing.
    networks : tuple of networks
        Where it may ask from; empty for anywhere, where there is a secret.
    """

    headers: Mapping[str, str]
    secret: str = field(repr=False, default="")
    networks: tuple[Network, ...] = ()

    def claims(self, headers: Iterable[tuple[str, str]], peer: str | None) -> Mapping[str, str] | None:
        """Return what the proxy says of a visitor; ``None`` for a request that is not the proxy's own."""
        given: dict[str, list[str]] = {}
        for name, value in headers:
            given.setdefault(name.lower(), []).append(value)
        if not self._is_proxy(given.get(SECRET_HEADER, []), peer):
            return None
        claims = {}
        for header, claim in self.headers.items():
            values = given.get(header, [])
            if len(values) > 1:  # one of them came from the visitor
                return None
            if values:
                claims[claim] = values[0]
        return claims

    def _is_proxy(self, secrets: list[str], peer: str | None) -> bool:
        if self.secret:
            # Compared in constant time: how long it takes tells nothing of the secret.
            if len(secrets) != 1 or not hmac.compare_digest(secrets[0].encode(), self.secret.encode()):
                return False
        elif not self.networks:
            return False
        return not self.networks or _lies_in(peer, self.networks)


def _lies_in(peer: str | None, networks: Iterable[Network]) -> bool:
    try:
        address = ipaddress.ip_address(peer or "")
    except ValueError:
        return False
    return any(address in network for network in networks)


def proxy_of_environment(headers: Mapping[str, str]) -> TrustedProxy:
    """Return the proxy that the settings describe.

    Parameters
    ----------
    headers : mapping
        From header to claim, as ``server.trustedUserHeaders`` of Streamlit has it.

    Raises
    ------
    InputError
        The settings do not say how the proxy is told from anybody else.
    """
    secret, text = secret_setting(SECRET), os.environ.get(ADDRESSES, "")
    hide(secret)  # from every log, before anything can go wrong
    if not secret and not text:
        raise InputError(
            "The headers of a proxy are trusted, and nothing says how the proxy is told from anybody else.",
            f"Set {SECRET} to a text that the proxy sends as X-Treeline-Proxy-Secret, or {ADDRESSES} to "
            "the addresses that it asks from.",
        )
    if secret and len(secret) < _SHORTEST_SECRET:
        raise InputError(f"{SECRET} is shorter than {_SHORTEST_SECRET} characters.", "Take a random one.")
    try:
        networks = tuple(ipaddress.ip_network(part) for part in text.split())
    except ValueError as error:
        raise InputError(
            f"{ADDRESSES} holds what is no address: {error}.", "Write it as 10.0.0.5 or 10.0.0.0/24."
        ) from None
    if networks and os.environ.get(FORWARDED) != "":
        raise InputError(
            f"{ADDRESSES} cannot be compared while {FORWARDED} lets a header replace the peer's address.",
            f"Start by `treeline serve --mode team`, or set {FORWARDED} to nothing.",
        )
    return TrustedProxy({name.lower(): claim for name, claim in headers.items()}, secret, networks)
