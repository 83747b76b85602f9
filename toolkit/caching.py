"""Values that are worked out once: whoever asks for one meanwhile waits for it, and nobody else waits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Owner = TypeVar("Owner")
Value = TypeVar("Value")


def lock_of(thing: object, name: str) -> threading.RLock:
    """Return the lock of an object for one thing that is worked out of it."""
    # Of two threads that come first at once, both get the one that is kept.
    lock: threading.RLock = vars(thing).setdefault(f"_lock_of_{name}", threading.RLock())
    return lock


class CachedPerObject(Generic[Owner, Value]):
    """A property that is worked out once for each object, and again once it is taken out of its ``__dict__``.

    ``functools.cached_property`` has one lock for all objects up to Python 3.11, so that all wait for the
    slowest, and none after it, so that all who come at once work out the same.
    """

    def __init__(self, work: Callable[[Owner], Value]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, thing: None, owner: type) -> Self: ...

    @overload
    def __get__(self, thing: Owner, owner: type) -> Value: ...

    def __get__(self, thing: Any, owner: type) -> Any:
        if thing is None:
            return self
        # A lock for each property of each object: one property is often worked out of another one.
        with lock_of(thing, self._name):
            if self._name in vars(thing):
                return vars(thing)[self._name]
            value = self._work(thing)
            vars(thing)[self._name] = value
            return value
