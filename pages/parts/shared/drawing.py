"""What is looked up once in a drawing of a page, however many of its parts ask for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar, cast

from streamlit.runtime.scriptrunner import get_script_run_ctx

Found = TypeVar("Found")

# A part of a page that is drawn again by itself may come to the thread of the drawing before: what a person
# may see is not taken from that for longer than a drawing lasts, in seconds.
LONGEST = 2.0
_BEGUN = ("", "begun")
# Of the thread that draws, which belongs to one session; a further drawing of a whole page in it begins anew.
_found: ContextVar[dict[tuple[str, str], Any] | None] = ContextVar("found-in-drawing", default=None)


def begin_drawing() -> None:
    """Forget what a drawing before this one has looked up."""
    _found.set({_BEGUN: time.monotonic()})


def once(what: str, look_up: Callable[[], Found]) -> Found:
    """Return what a drawing looks up, as it was the first time; outside of one it is looked up anew.

    Parameters
    ----------
    what : str
        Names it.
    """
    found, context = _found.get(), get_script_run_ctx(suppress_warning=True)
    if found is None or context is None or time.monotonic() - found[_BEGUN] > LONGEST:
        return look_up()
    key = (context.session_id, what)
    if key not in found:
        found[key] = look_up()
    return cast(Found, found[key])
