"""Headers by which a browser refuses scripts, pictures and frames of others, and guessed types."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from treeline.pages.parts.document import DOCUMENT
from treeline.pages.parts.map.bases import BASES

_BASE_MAPS = " ".join(dict.fromkeys(f"https://{urlsplit(address).netloc}" for address, _ in BASES.values()))

_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def _hashes(document: str) -> str:
    """Return the scripts that a document holds itself, as a policy names them."""
    found = (hashlib.sha256(script.encode()).digest() for script in _INLINE.findall(document))
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in found)


# Streamlit writes styles into the page and loads the scripts of components from memory (blob:).
POLICY: Mapping[str, str] = {
    "default-src": "'self'",
    "script-src": f"'self' blob: {_hashes(DOCUMENT.decode())}",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": f"'self' data: blob: {_BASE_MAPS}",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "frame-src": "'self'",
    "frame-ancestors": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
# The map's frame is a document of its own, which runs the script that the page sends it.
FRAME = "/component/"
FRAME_POLICY: Mapping[str, str] = {**POLICY, "script-src": "'self' 'unsafe-inline' 'unsafe-eval'"}
HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    # Not even the path, which holds the run; base maps want to know which site asks.
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "SAMEORIGIN",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


def headers_of(path: str) -> dict[str, str]:
    """Return the headers of an answer to a path; a proxy's prefix may stand before it."""
    policy = FRAME_POLICY if FRAME in path else POLICY
    written = "; ".join(f"{part} {sources}" for part, sources in policy.items())
    return {"Content-Security-Policy": written, **HEADERS}


class Headers:
    """Middleware that puts the headers on every answer, Streamlit's own among them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers_of(scope["path"]))
            await send(message)

        await self._app(scope, receive, with_headers)
