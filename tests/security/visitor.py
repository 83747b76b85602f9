"""A visitor of the server without a browser: asks for addresses, opens pages, types and presses."""

from __future__ import annotations

import http.client
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from google.protobuf import text_format
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileUploaderState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

_PATIENCE = 60.0


@dataclass(frozen=True)
class Reply:
    """What the server answered."""

    status: int
    body: bytes
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


@dataclass
class Page:
    """What one run of a page sent."""

    messages: list[ForwardMsg] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Everything that was sent, as text."""
        return "\n".join(text_format.MessageToString(m, as_utf8=True) for m in self.messages)

    def elements(self, kind: str) -> list[Any]:
        """Return the elements of a kind, such as ``button``."""
        elements = (m.delta.new_element for m in self.messages if m.delta.HasField("new_element"))
        return [getattr(e, kind) for e in elements if e.WhichOneof("type") == kind]

    def element(self, kind: str, label: str) -> Any:
        """Return the one element of a kind and a label."""
        found = [e for e in self.elements(kind) if e.label == label]
        assert found, f"no {kind} {label!r} among {[e.label for e in self.elements(kind)]}"
        return found[0]

    @property
    def titles(self) -> list[str]:
        """The pages that the navigation offers."""
        for message in self.messages:
            if message.HasField("navigation"):
                return [page.page_name for page in message.navigation.app_pages]
        return []


class Session:
    """A session of the pages, as a browser's tab holds one."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.id = ""

    def open(self, page: str = "", query: str = "") -> Page:
        """Open a page by its address."""
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        return self._send(message)

    def use(self, states: Mapping[str, tuple[str, Any]], page: str = "", query: str = "") -> Page:
        """Run a page anew with what was typed and pressed: the widget's id, its field and its value."""
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        for widget, (name, value) in states.items():
            state = message.rerun_script.widget_states.widgets.add(id=widget)
            setattr(state, name, value)
        return self._send(message)

    def make(self, file: str) -> str:
        """Have a file of a page made, as a press of its button does; return its address, empty for none."""
        message = BackMsg()
        message.backend_operation_request.request_id = file
        message.backend_operation_request.session_id = self.id
        message.backend_operation_request.deferred_file.file_id = file
        self.send(message)
        for received in self._receive():
            if received.HasField("backend_operation_response"):
                return received.backend_operation_response.deferred_file.url
        raise AssertionError("The server did not answer.")

    def import_file(self, visitor: Visitor, page: str, label: str, content: bytes, button: str) -> Page:
        """Give a file to a field of a page, press the button that then stands there; return what is answered.

        The file is sent as this visitor's, with the name that the field takes.
        """
        field = self.open(page).element("file_uploader", label)
        mark, name = "of-the-form", f"given{field.type[0]}"
        message = BackMsg()
        message.file_urls_request.request_id = label
        message.file_urls_request.session_id = self.id
        message.file_urls_request.file_names.append(name)
        self.send(message)
        told = (received for received in self._receive() if received.HasField("file_urls_response"))
        urls = next(told).file_urls_response.file_urls[0]
        part = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        form = part.encode() + content + f"\r\n--{mark}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={mark}"}
        sent = visitor.ask(urls.upload_url, "PUT", form, **kind, **visitor.xsrf)
        assert sent.status == 204, sent.text
        state = FileUploaderState()
        info = state.uploaded_file_info.add(file_id=urls.file_id, name=name, size=len(content))
        info.file_urls.CopyFrom(urls)
        given = self._with_file(page, field.id, state)
        return self._with_file(page, field.id, state, given.element("button", button).id)

    def _with_file(self, page: str, field: str, state: FileUploaderState, pressed: str = "") -> Page:
        message = BackMsg()
        message.rerun_script.page_name = page
        held = message.rerun_script.widget_states.widgets.add(id=field)
        held.file_uploader_state_value.CopyFrom(state)
        if pressed:
            message.rerun_script.widget_states.widgets.add(id=pressed, trigger_value=True)
        return self._send(message)

    def send(self, message: BackMsg) -> None:
        """Send any message."""
        self._socket.send(message.SerializeToString())

    def _send(self, message: BackMsg) -> Page:
        self.send(message)
        page, finished = Page(), False
        for received in self._receive():
            page.messages.append(received)
            if received.HasField("new_session"):
                self.id = received.new_session.initialize.session_id or self.id
            status = ForwardMsg.ScriptFinishedStatus
            finished = finished or (
                received.HasField("script_finished")
                and received.script_finished != status.FINISHED_EARLY_FOR_RERUN
            )
            if finished:
                return page
        raise AssertionError("The page did not come to its end.")

    def _receive(self) -> Iterator[ForwardMsg]:
        while True:
            message = ForwardMsg()
            message.ParseFromString(self._socket.recv(timeout=_PATIENCE))
            yield message

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()


class Visitor:
    """Somebody who reaches the server.

    Parameters
    ----------
    url : str
        Of the server.
    headers : mapping
        Sent with every request, as a proxy would.
    """

    def __init__(self, url: str, headers: Mapping[str, str] | None = None) -> None:
        self.url = url
        self.headers = dict(headers or {})
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Reply:
        """Ask for an address; a redirection is not followed."""
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_PATIENCE)
        try:
            connection.request(method, path, body, {**self._headers(), **headers})
            response = connection.getresponse()
            reply = Reply(response.status, response.read(), dict(response.getheaders()))
            self._keep_cookies(response.headers.get_all("set-cookie") or [])
        finally:
            connection.close()
        return reply

    @property
    def xsrf(self) -> dict[str, str]:
        """The header by which a page's own scripts are told from those of others."""
        return {"X-Xsrftoken": self.cookies.get("_streamlit_xsrf", "")}

    def status(self, path: str) -> int:
        """Return the status of an address; 0 where nothing listens."""
        try:
            return self.ask(path).status
        except OSError:
            return 0

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {**self.headers, **({"Cookie": cookies} if cookies else {})}

    def _keep_cookies(self, lines: list[str]) -> None:
        for line in lines:
            name, _, rest = line.partition("=")
            value = rest.partition(";")[0]
            if value in ("", '""'):
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value

    def session(self, origin: str = "", resumed: str = "") -> Session:
        """Open a session of the pages.

        Parameters
        ----------
        origin : str, optional
            Of another page than the server's.
        resumed : str, optional
            A session to go on with, as a browser asks for that lost its connection.

        Raises
        ------
        WebSocketException
            The server does not let the visitor in.
        """
        if "_streamlit_xsrf" not in self.cookies:
            self.ask("/_stcore/host-config")
            self.ask("/_stcore/health")
        protocols = ["streamlit", self.cookies.get("_streamlit_xsrf", "none"), *filter(None, (resumed,))]
        address = self.url.replace("http", "ws", 1) + "/_stcore/stream"
        socket = connect(
            address,
            additional_headers=self._headers(),
            subprotocols=protocols,
            origin=Origin(origin or self.url),
            max_size=None,
        )
        return Session(socket)

    def is_let_in(self) -> bool:
        """Return whether the server opens a session."""
        try:
            self.session().__exit__()
        except WebSocketException:
            return False
        return True
