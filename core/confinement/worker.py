"""A process without network, secrets and much memory, that makes one call after the other."""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any, Protocol

from treeline.core.confinement.network import cut_network
from treeline.core.confinement.plain_values import receive, send
from treeline.core.logs import keep_traceback
from treeline.core.processes import give_way, limit_memory, process_context, without_main
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.limits import Limits

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

# Enough for every raster that one call reads; a file made to open others without end comes no further.
_HANDLES = 256
# What a confined process may know of the server's settings; keys and addresses are not among them.
_KNOWN = (
    "PATH",
    "HOME",
    "LANG",
    "LC_",
    "TZ",
    "TMPDIR",
    "GDAL_",
    "PROJ_",
    "TREELINE_LIMITS",
    "TREELINE_LOG",
    "TREELINE_WEIGHTS",
    "LD_LIBRARY_PATH",
)
# Where somebody attends, the person may press stop at any time, so the pipe is not waited for any longer.
_LOOK_SECONDS = 0.05
# What is at work sees a stop at its next block.
_GRACE_SECONDS = 10.0
_ASKING = "asking"


class TooLong(Exception):
    """A call took longer than is waited; its process is ended."""


class WorkerDied(Exception):
    """The process ended in the middle of a call."""


class Attendant(Protocol):
    """Whoever attends to a call while it is made."""

    @property
    def stop(self) -> threading.Event:
        """Set by the person who stops the work."""
        ...

    def answer(self, subject: str, content: Any) -> Any:
        """Answer what the call asks; the process may be another's by now, so that nothing is taken on trust.

        Raises
        ------
        TreelineError
            Is raised in the call.
        """
        ...


@dataclass(frozen=True)
class Line:
    """What a call has of its attendant: the person's stop, and an answer to what it asks."""

    stop: threading.Event = field(default_factory=threading.Event)
    send: Callable[[Any], None] = lambda message: None
    replies: queue.SimpleQueue[tuple[bool, Any]] = field(default_factory=queue.SimpleQueue)
    alone: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, subject: str, content: Any) -> Any:
        """Ask the attendant, from any thread of the call."""
        with self.alone:
            self.send((_ASKING, (subject, content)))
            answered, reply = self.replies.get()
        if not answered:
            raise reply
        return reply


class Worker:
    """A confined process.

    Parameters
    ----------
    limits : Limits
    patient : bool
        Nobody waits at a page for what it does, so that it lets others come first.

    Attributes
    ----------
    calls : int
        How many it has made.
    """

    def __init__(self, limits: Limits, *, patient: bool = False) -> None:
        self.limits = limits
        self.calls = 0
        context = process_context()
        self._pipe, theirs = context.Pipe()
        given = theirs, limits.memory, patient
        self._process: BaseProcess = context.Process(target=_serve, args=given, daemon=True)
        with without_main():
            self._process.start()
        theirs.close()

    @property
    def alive(self) -> bool:
        """True while the process lives."""
        return self._process.is_alive()

    def call(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float,
        attendant: Attendant | None = None,
    ) -> Any:
        """Make a call and return what it gives.

        Parameters
        ----------
        attendant : Attendant, optional
            The function takes a :class:`Line` to it before its arguments.

        Raises
        ------
        TooLong, Died
            The process is gone then.
        Exception
            What the call raised.
        """
        self.calls += 1
        try:
            self._pipe.send((function, arguments, attendant is not None))
            kind, result = self._wait(seconds, attendant)
        except (EOFError, OSError, UnpicklingError) as error:
            self.end()
            raise WorkerDied(str(error)) from None
        if kind is not True:
            raise result
        return result

    def _wait(self, seconds: float, attendant: Attendant | None) -> tuple[Any, Any]:
        until, stopping = time.monotonic() + seconds, False
        while (left := until - time.monotonic()) > 0:
            if attendant is not None and attendant.stop.is_set() and not stopping:
                self._pipe.send(None)
                stopping, until = True, min(until, time.monotonic() + _GRACE_SECONDS)
            if not self._pipe.poll(min(left, _LOOK_SECONDS) if attendant is not None else left):
                continue
            kind, content = receive(self._pipe)
            if kind != _ASKING or attendant is None:
                return kind, content
            self._pipe.send(_answer(attendant, *content))
        self.end()
        raise TooLong

    def end(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.kill()
        self._process.join()


def _answer(attendant: Attendant, subject: str, content: Any) -> tuple[bool, Any]:
    try:
        return True, attendant.answer(subject, content)
    except TreelineError as error:
        return False, error


def _serve(pipe: Connection, memory: int, patient: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if patient:
        give_way()
    for name in [name for name in os.environ if not name.startswith(_KNOWN)]:
        del os.environ[name]
    cut_network()
    _limit(memory)
    line, calls = Line(send=partial(send, pipe)), queue.SimpleQueue[Any]()
    threading.Thread(target=_listen, args=(pipe, line, calls), daemon=True).start()
    while True:
        function, arguments, attended = calls.get()
        try:
            answer: tuple[bool, Any] = (True, function(*((line,) if attended else ()), *arguments))
        except MemoryError:
            return
        except Exception as error:
            if not isinstance(error, TreelineError):
                keep_traceback(error)
            answer = (False, error)
        send(pipe, answer)


def _listen(pipe: Connection, line: Line, calls: queue.SimpleQueue[Any]) -> None:
    """Take what comes: a call, the stop of the one that is made, or the answer to what it asked."""
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError):  # nobody waits for it any more
            os._exit(0)
        except Exception:  # a call that cannot be read here would be waited for until its time is over
            os._exit(1)
        if message is None:
            line.stop.set()
        elif len(message) == 2:
            line.replies.put(message)
        else:
            line.stop.clear()
            calls.put(message)


def _limit(memory: int) -> None:
    import resource  # not on Windows, where no network can be cut either

    limit_memory(memory)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_HANDLES, _HANDLES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
