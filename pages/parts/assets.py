"""Streamlit's own scripts, styles and fonts, from memory and compressed once.

A first visit asks for over a hundred of them. Streamlit reads each from the disk whenever it is asked for and
leaves compression to a proxy; before a server on one's own machine there is none.
"""

from __future__ import annotations

import gzip
import mimetypes
import re
from functools import cached_property
from pathlib import Path

import streamlit
from anyio import to_thread
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

FOLDER = Path(streamlit.__file__).parent / "static"
_ROUTE = "/static/"
# Names of these files hold a hash of what is in them.
_CACHE = "public, immutable, max-age=31536000"
_SUFFIXES = (".js", ".css", ".woff2")
_LEVEL = 6
_OF_DOCUMENT = re.compile(r'(?:src|href)="\./static/([\w./-]+\.(?:js|css))"')


class Asset:
    """A file whose content never changes.

    Parameters
    ----------
    path : Path
        Where it lies.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        # The table of a system need not know this form of fonts.
        self._type = mimetypes.guess_type(path.name)[0] or "font/woff2"

    @cached_property
    def content(self) -> bytes:
        """What is in the file."""
        return self._path.read_bytes()

    @cached_property
    def compressed(self) -> bytes | None:
        """The content compressed; ``None`` where that gains nothing."""
        # Fonts in WOFF2 are compressed already: unpacking them again would only keep the browser busy.
        compressed = gzip.compress(self.content, _LEVEL)
        return compressed if len(compressed) < 0.9 * len(self.content) else None

    def respond(self, headers: Headers) -> Response:
        """Return the response to a request with these headers."""
        answer = {"Cache-Control": _CACHE, "Vary": "Accept-Encoding"}
        if "gzip" in headers.get("accept-encoding", "") and self.compressed is not None:
            answer["Content-Encoding"] = "gzip"
            return Response(self.compressed, headers=answer, media_type=self._type)
        return Response(self.content, headers=answer, media_type=self._type)


class Assets:
    """Middleware that answers for Streamlit's assets and leaves everything else to the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        asset = _requested_asset(scope)
        if asset is not None:
            response = await to_thread.run_sync(asset.respond, Headers(scope=scope))
            await response(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _requested_asset(scope: Scope) -> Asset | None:
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    # Whatever stands before is the prefix of a proxy; only names that were found in the folder are known.
    _, route, name = scope["path"].rpartition(_ROUTE)
    return _ASSETS.get(name) if route else None


def prepare_assets() -> None:
    """Compress what every page begins with, so that the first visitor does not wait for it."""
    for name in _OF_DOCUMENT.findall((FOLDER / "index.html").read_text("utf-8")):
        _ = _ASSETS[name].compressed


_ASSETS = {
    path.relative_to(FOLDER / "static").as_posix(): Asset(path)
    for path in (FOLDER / "static").rglob("*")
    if path.suffix in _SUFFIXES
}
