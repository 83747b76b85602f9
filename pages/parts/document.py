"""The document that every page begins with: Streamlit's own, which is told where the server is.

Streamlit takes the address of a page for that of the server and asks it first, so that each page which is
opened by its address begins with two answers of 404 and a pause.
"""

from __future__ import annotations

import gzip

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from treeline.pages.parts.assets import FOLDER

_STREAMLIT = (FOLDER / "index.html").read_bytes()
# A page is the last part of its address, whatever prefix a proxy puts before: the scripts of the document are
# asked for relative to it as well.
_ADDRESS = b'<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location.href).href}</script>'
_TITLE = b"<title>Streamlit</title>"

DOCUMENT = _STREAMLIT.replace(_TITLE, b"<title>Treeline</title>" + _ADDRESS)
_VALIDATORS = ("etag", "last-modified", "accept-ranges")


class Document:
    """Middleware that gives this document where Streamlit gives its own, and leaves everything else alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        held: list[Message] = []

        async def exchange(message: Message) -> None:
            if message["type"] == "http.response.start" and _may_be_document(message):
                held.append(message)
                return
            if held and message["type"] == "http.response.body":
                held.append(message)
                if message.get("more_body"):
                    return
                for each in _exchange_document(held):
                    await send(each)
                held.clear()
                return
            await send(message)

        await self._app(scope, receive, exchange)


def _may_be_document(start: Message) -> bool:
    headers = MutableHeaders(scope=start)
    length = headers.get("content-length", "")
    is_page = headers.get("content-type", "").startswith("text/html") and start["status"] == 200
    return is_page and length.isdecimal() and int(length) <= len(_STREAMLIT)


def _exchange_document(messages: list[Message]) -> list[Message]:
    """Return an answer with this document in the place of Streamlit's; any other answer as it is."""
    start, *bodies = messages
    headers = MutableHeaders(scope=start)
    body = b"".join(part.get("body", b"") for part in bodies)
    packed = headers.get("content-encoding") == "gzip"
    if (gzip.decompress(body) if packed else body) != _STREAMLIT:
        return messages
    document = gzip.compress(DOCUMENT) if packed else DOCUMENT
    headers["content-length"] = str(len(document))
    # They are those of the file.
    for name in _VALIDATORS:
        del headers[name]
    return [start, {"type": "http.response.body", "body": document}]
