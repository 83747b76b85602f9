"""Addresses of the web, compared by their parts: scheme, host, port and path, never as text."""

from __future__ import annotations

import ipaddress
import os
import socket
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from treeline.toolkit.errors import InputError, PathOutside

_PORTS = {"http": 80, "https": 443}
# IPv4 addresses written as IPv6 ones, RFC 6052.
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
# Every IPv6 address of the public web; some of the others stand for IPv4 ones of a network's own (RFC 8215).
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")


@dataclass(frozen=True, slots=True)
class WebAddress:
    """An address with http or https.

    Attributes
    ----------
    path : tuple of str
        The segments, without empty ones.
    """

    scheme: str
    host: str
    port: int
    path: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> WebAddress:
        """Return the parts of an address.

        Raises
        ------
        PathOutside
            It is none with http or https.
        InputError
            It names a user, or climbs with ``..``.
        """
        try:
            parts = urlsplit(text.strip())
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if not host or parts.scheme not in _PORTS or "\\" in text or not text.isprintable():
            raise PathOutside(f"{text[:80]!r} is not an address of the web.", "Give one with https.")
        # In https://allowed.example@other.example/ the host is the one behind the mark.
        if "@" in parts.netloc:
            raise InputError(
                f"The address at {host} names a user before its host.", "Give the address without it."
            )
        # Decoded before ".." is looked for, which may be written %2e%2e.
        path = tuple(segment for segment in unquote(parts.path).split("/") if segment)
        if ".." in path:
            raise InputError(f"{text[:80]!r} contains '..'.", "Give the address without it.")
        return cls(parts.scheme, host.casefold().rstrip("."), port or _PORTS[parts.scheme], path)

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port."""
        return self.scheme, self.host, self.port

    def covers(self, other: WebAddress) -> bool:
        """Return whether another address has the same origin and lies at or below this one's path."""
        return self.origin == other.origin and other.path[: len(self.path)] == self.path


def require_allowed(address: str, setting: str) -> None:
    """Refuse an address that a setting of the environment does not list.

    Parameters
    ----------
    address : str
    setting : str
        Name of the variable: addresses with blanks between, each with all that lies below it. Where it
        is empty, any address of the web may be used; on a server of a team none.

    Raises
    ------
    PathOutside
        It is no address of the web, or not listed.
    """
    wanted = WebAddress.of(address)
    listed = addresses_in(setting)
    if not listed and not serves_team():
        return
    if not any(WebAddress.of(each).covers(wanted) for each in listed):
        allowed = ", ".join(listed) or f"none, until {setting} lists one"
        raise PathOutside(f"{address[:80]!r} may not be used here.", f"Allowed: {allowed}.")


def addresses_in(setting: str) -> list[str]:
    """Return the addresses that a setting of the environment lists."""
    return os.environ.get(setting, "").split()


def serves_team() -> bool:
    """Return whether the server is one of a team, so that whoever names an address is not who runs it."""
    return os.environ.get("TREELINE_MODE", "") == "team"


def require_public(address: str) -> None:
    """Refuse an address that is not of the public web, by what its name stands for now.

    Only https will do: a name that stands for another machine a moment later has no certificate there.

    Raises
    ------
    PathOutside
        It is not https, its host is not found, or one of the host's addresses is private, of this machine or
        of this network.
    """
    wanted = WebAddress.of(address)
    if wanted.scheme != "https":
        raise PathOutside(f"{address[:80]!r} is not encrypted.", "Give an address with https.")
    try:
        found = socket.getaddrinfo(wanted.host, wanted.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise PathOutside(f"The host {wanted.host[:80]!r} is not found.", "Check its spelling.") from None
    # All of them: a name may stand for a public and an inner address, and the client takes either.
    if not found or not all(_is_public(str(place[0])) for *_, place in found):
        raise PathOutside(
            f"The host {wanted.host[:80]!r} is not one of the public web.",
            "Whoever runs the server may list its address.",
        )


def _is_public(text: str) -> bool:
    """Return whether an IP address is public, and, of one that holds another, the other as well."""
    # Behind the mark stands the network interface of a link-local address.
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        elif address in _TRANSLATED:
            address = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        elif address not in _GLOBAL_UNICAST or address.sixtofour is not None or address.teredo is not None:
            return False
    return address.is_global and not address.is_multicast
