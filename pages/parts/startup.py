"""What happens once: the first workspace is made ready while the browser opens; faults are told plainly."""

from __future__ import annotations

import importlib
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st

from treeline.toolkit import registry

_LOG = logging.getLogger("treeline")


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Import what pages need, then make the services and the demo workspace ready in the background."""
    # By one thread: modules that import each other fail when two threads begin at different ends.
    for module in (
        "treeline.pages.parts.shared.services",
        "treeline.core.policies.planner",
        "treeline.core.policies.language",
    ):
        importlib.import_module(module)
    registry()
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    yield


def _warm_up() -> None:
    from treeline.pages.parts.shared.services import DEMO, services

    try:
        _ = services().library.get(DEMO).collections
    except Exception:  # the page tells it again, to a person
        _LOG.exception("The demo workspace could not be made ready.")


def tell_fault(error: BaseException) -> bool:
    """Show an unforeseen fault in a sentence; its traceback goes to the log."""
    _LOG.error("A page failed.", exc_info=error)
    st.error(
        f"This page failed with {type(error).__name__}. The log of the server has the details; "
        "what was recorded of your runs is safe. Load the page again."
    )
    return True
