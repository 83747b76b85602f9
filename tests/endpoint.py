"""An OpenAI-compatible endpoint on the loopback interface that plays a script.

A script is a list of replies, or a function from the messages of a request to a reply. A reply is
one of :class:`Say`, :class:`Refuse`, :class:`Drop`, :class:`Hang`, :class:`Send`, or a function from
the messages to one of these. Leaving the ``with`` block fails when replies of a list are unused.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Messages = list[dict[str, Any]]


@dataclass(frozen=True)
class Say:
    """A message without a function call; ``usage`` is (input, output, cached), ``None`` leaves it out.

    Before the last pieces of a stream are sent, ``pause`` is called.
    """

    text: str = ""
    reasoning: str = ""
    usage: tuple[int, int, int] | None = (100, 10, 60)
    finish_reason: str = "stop"
    calls: tuple[tuple[str, Any], ...] = ()
    pause: Callable[[], None] | None = None


def use(
    name: str, *, thought: str = "", usage: tuple[int, int, int] | None = (100, 10, 60), **arguments: Any
) -> Say:
    """Return a message that calls one function with arguments, after some words."""
    return Say(thought, usage=usage, finish_reason="tool_calls", calls=((name, json.dumps(arguments)),))


def use_raw(*calls: tuple[str, Any], text: str = "") -> Say:
    """Return a message with calls whose arguments are sent as they stand, malformed or not."""
    return Say(text, finish_reason="tool_calls", calls=calls)


@dataclass(frozen=True)
class Refuse:
    """An answer with an error status."""

    status: int
    message: str = "refused"
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Drop:
    """A message that ends in the middle; ``clean`` ends a stream properly, but with no last event."""

    clean: bool = False


@dataclass(frozen=True)
class Hang:
    """No byte until the endpoint is closed; ``begun`` sends the beginning of a stream before that."""

    begun: bool = False


@dataclass(frozen=True)
class Send:
    """A body as it stands, of any type: a page, a body that breaks the form, the events of a stream."""

    text: str
    kind: str = "text/html"
    status: int = 200


def send_pieces(*deltas: dict[str, Any], finish_reason: str | None = "tool_calls") -> Send:
    """Return a stream whose pieces bring what is given, as a server sends them that has its own ways."""
    events = [*(_event({"model": "m"}, delta) for delta in deltas)]
    if finish_reason is not None:
        events.append(_event({"model": "m"}, {}, finish_reason))
    return Send("".join(_sse(event).decode() for event in events) + "data: [DONE]\n\n", "text/event-stream")


def send_json(content: Any, status: int = 200) -> Send:
    """Return a body of JSON."""
    return Send(json.dumps(content), "application/json", status)


_HELD_BACK = 3  # so many of the last events of a stream come behind its pause

Reply = Say | Refuse | Drop | Hang | Send
Scripted = Reply | Callable[[Messages], Reply]
Script = Sequence[Scripted] | Callable[[Messages], Reply]


@dataclass(frozen=True)
class Request:
    """What was asked of the endpoint; names of headers in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> Messages:
        """The conversation that was sent; of the Responses API its items."""
        return self.body["messages"] if "messages" in self.body else self.body["input"]

    @property
    def last(self) -> str:
        """The text of the last message."""
        last = self.messages[-1]
        return str(last["content"] if "content" in last else last["output"])


class ScriptedEndpoint:
    """Serves a script from a thread, as a context manager.

    Parameters
    ----------
    refuses : callable, optional
        From the body of a request to a refusal of it, which uses nothing of the script.
    streams : bool
        Whether it heeds that a stream is asked for; else it sends the message whole.
    models : sequence of str
        What it lists; without any it has no such list.
    listed : Send, optional
        What it sends in place of such a list.

    Attributes
    ----------
    requests : list of Request
        What was asked, in order.
    """

    def __init__(
        self,
        script: Script,
        port: int = 0,
        refuses: Callable[[dict[str, Any]], Refuse | None] | None = None,
        streams: bool = True,
        models: Sequence[str] = (),
        listed: Send | None = None,
    ) -> None:
        self.models = tuple(models)
        self.listed = listed
        self.requests: list[Request] = []
        self.streams = streams
        self._refuses = refuses
        self._function = script if callable(script) else None
        self._left: list[Scripted] = [] if callable(script) else list(script)
        self._arrived = threading.Condition()
        self._closing = threading.Event()
        self._problem = ""
        self._server = _Server(self, port)

    @property
    def url(self) -> str:
        """The base address that a client is given."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> ScriptedEndpoint:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if kind is None:
            assert not self._problem, self._problem
            assert not self._left, f"{len(self._left)} scripted replies were not asked for: {self._left}"

    def wait_for_requests(self, count: int, patience: float = 240.0) -> None:
        """Wait until so many requests came, seconds at most."""
        with self._arrived:
            came = self._arrived.wait_for(lambda: len(self.requests) >= count, patience)
        assert came, f"{len(self.requests)} of {count} requests came in {patience:g} s"

    def wait_for_close(self) -> None:
        """Wait until the endpoint is closed."""
        self._closing.wait()

    def reply_to(self, request: Request) -> Reply:
        """Record a request and return the reply that the script has for it."""
        with self._arrived:
            self.requests.append(request)
            self._arrived.notify_all()
            refused = self._refuses(request.body) if self._refuses else None
            if refused is not None:
                return refused
            if self._function is not None:
                return self._function(request.messages)
            if not self._left:
                self._problem = f"request {len(self.requests)} came after the end of the script"
                return Refuse(400, self._problem)
            scripted = self._left.pop(0)
        return scripted(request.messages) if callable(scripted) else scripted


class _Server(ThreadingHTTPServer):
    """A server whose handlers, one a request, find the endpoint that they answer for."""

    daemon_threads = True

    def __init__(self, endpoint: ScriptedEndpoint, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.endpoint = endpoint


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *arguments: Any) -> None:
        return None

    def do_GET(self) -> None:
        endpoint = self.server.endpoint
        names = [{"id": name, "object": "model", "created": 0, "owned_by": "x"} for name in endpoint.models]
        if endpoint.listed is not None:
            self._send_bytes(200, endpoint.listed.text.encode(), {"Content-Type": endpoint.listed.kind})
        elif self.path.endswith("/models") and endpoint.models:
            self._send(200, {"object": "list", "data": names})
        else:
            self._send(404, {"error": {"message": "no such path"}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        endpoint = self.server.endpoint
        reply = endpoint.reply_to(
            Request(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        )
        streaming = bool(body.get("stream")) and endpoint.streams
        match reply:
            case Say():
                responds = self.path.endswith("/responses")
                whole = _response(reply, body) if responds else _completion(reply, body)
                self._stream(reply, body) if streaming else self._send(200, whole)
            case Refuse():
                error = {"message": reply.message, "type": "error", "code": reply.code}
                self._send(reply.status, {"error": error}, reply.headers)
            case Send():
                self._send_bytes(reply.status, reply.text.encode(), {"Content-Type": reply.kind})
            case Drop():
                self._begin(body, streaming)
                if streaming and reply.clean:
                    self._chunk(b"")
                self.close_connection = True
            case Hang():
                if reply.begun:
                    self._begin(body, streaming)
                endpoint.wait_for_close()
                self.close_connection = True

    def _send(self, status: int, content: dict[str, Any], headers: Mapping[str, str] | None = None) -> None:
        kind = {"Content-Type": "application/json"}
        self._send_bytes(status, json.dumps(content).encode(), {**(headers or {}), **kind})

    def _send_bytes(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _begin(self, body: dict[str, Any], streaming: bool) -> None:
        self.send_response(200)
        if streaming:
            self._open_stream()
            self._chunk(_sse(_event(body, {"role": "assistant", "content": "I would"})))
        else:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "4096")
            self.end_headers()
            self.wfile.write(b'{"id": "x", "choices": [')
        self.wfile.flush()

    def _open_stream(self) -> None:
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _stream(self, reply: Say, body: dict[str, Any]) -> None:
        self.send_response(200)
        self._open_stream()
        responds = self.path.endswith("/responses")
        events = list(_response_events(reply, body) if responds else _events(reply, body))
        for number, event in enumerate(events):
            if reply.pause is not None and number == max(1, len(events) - _HELD_BACK):
                self.wfile.flush()
                reply.pause()
            self._chunk(_sse(event))
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def _sse(event: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(event)}\n\n".encode()


def _event(
    body: dict[str, Any], delta: dict[str, Any] | None, finish_reason: str | None = None, **more: Any
) -> dict[str, Any]:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish_reason}]
    kind = {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
    return {**kind, "choices": choices, **more}


def _events(reply: Say, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield _event(body, {"role": "assistant", "content": ""})
    for name, text in (("reasoning_content", reply.reasoning), ("content", reply.text)):
        for piece in _pieces(text):
            yield _event(body, {name: piece})
    for index, (name, arguments) in enumerate(reply.calls):
        head = {"index": index, "id": f"call_{index}", "type": "function"}
        yield _event(body, {"tool_calls": [{**head, "function": {"name": name, "arguments": ""}}]})
        for piece in _pieces(arguments):
            yield _event(body, {"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield _event(body, {}, reply.finish_reason)
    if reply.usage is not None and (body.get("stream_options") or {}).get("include_usage"):
        yield _event(body, None, usage=_usage(reply.usage))


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), 7):
        yield text[start : start + 7]


def _completion(reply: Say, body: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [
            {"id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for index, (name, arguments) in enumerate(reply.calls)
        ]
    choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason}
    kind = {"id": "scripted", "object": "chat.completion", "created": 0, "model": body["model"]}
    usage = {} if reply.usage is None else {"usage": _usage(reply.usage)}
    return {**kind, "choices": [choice], **usage}


def _usage(usage: tuple[int, int, int]) -> dict[str, Any]:
    given, written, cached = usage
    return {
        "prompt_tokens": given,
        "completion_tokens": written,
        "total_tokens": given + written,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def _response(reply: Say, body: dict[str, Any]) -> dict[str, Any]:
    """Return a reply as the Responses API gives it."""
    items: list[dict[str, Any]] = []
    if reply.reasoning:
        summary = [{"type": "summary_text", "text": reply.reasoning}]
        items.append({"id": "rs_0", "type": "reasoning", "summary": summary, "encrypted_content": "c2VjcmV0"})
    if reply.text:
        content = [{"type": "output_text", "text": reply.text, "annotations": []}]
        items.append(
            {"id": "m_0", "type": "message", "role": "assistant", "status": "completed", "content": content}
        )
    for index, (name, arguments) in enumerate(reply.calls):
        call = {"id": f"fc_{index}", "call_id": f"call_{index}", "name": name, "arguments": arguments}
        items.append({**call, "type": "function_call", "status": "completed"})
    cut = reply.finish_reason == "length"
    given, written, cached = reply.usage or (0, 0, 0)
    usage = {
        "input_tokens": given,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": given + written,
    }
    return {
        "id": "resp_0",
        "object": "response",
        "created_at": 0,
        "model": body["model"],
        "output": items,
        "status": "incomplete" if cut else "completed",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        **({} if reply.usage is None else {"usage": usage}),
    }


def _response_events(reply: Say, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    whole = _response(reply, body)
    begun = {**whole, "status": "in_progress", "output": []}
    yield {"type": "response.created", "sequence_number": 0, "response": begun}
    for number, piece in enumerate(_pieces(reply.text), 1):
        place = {"item_id": "m_0", "output_index": 0, "content_index": 0, "logprobs": []}
        yield {"type": "response.output_text.delta", "sequence_number": number, "delta": piece, **place}
    for index, (name, arguments) in enumerate(reply.calls, 1):
        item = {
            "id": f"fc_{index}",
            "call_id": f"call_{index}",
            "name": name,
            "arguments": "",
            "type": "function_call",
            "status": "in_progress",
        }
        head = {"sequence_number": 5_000, "output_index": index}
        yield {"type": "response.output_item.added", "item": item, **head}
        for piece in _pieces(arguments):
            delta = {"item_id": f"fc_{index}", "delta": piece}
            yield {"type": "response.function_call_arguments.delta", **delta, **head}
    yield {"type": f"response.{whole['status']}", "sequence_number": 10_000, "response": whole}
