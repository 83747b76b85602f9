"""Addresses of the web, compared by their parts: scheme, host, port and path, never as text."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from treeline.toolkit.errors import InputError, PathOutside

_PORTS = {"http": 80, "https": 443}


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
            raise PathOutside(f"{text[:80]!r} is no address of the web.", "Give one with https.")
        if "@" in parts.netloc:
            raise InputError(
                f"The address at {host} names a user before its host.", "Give the address without it."
            )
        path = tuple(segment for segment in unquote(parts.path).split("/") if segment)
        if ".." in path:
            raise InputError(f"{text[:80]!r} climbs with '..'.", "Give the address without it.")
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
        is empty, any address of the web may be used.

    Raises
    ------
    PathOutside
        It is no address of the web, or not listed.
    """
    wanted = WebAddress.of(address)
    listed = os.environ.get(setting, "").split()
    if listed and not any(WebAddress.of(each).covers(wanted) for each in listed):
        raise PathOutside(f"{address[:80]!r} may not be used here.", f"Allowed: {', '.join(listed)}.")
