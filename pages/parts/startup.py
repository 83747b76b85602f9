"""What happens once: the first page is made ready while the browser opens; faults are told plainly."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

# The map's component imports these, which takes a while, so the server does; the component itself has to be
# imported by a page, or Streamlit does not know it.
import folium.plugins  # noqa: F401
import streamlit as st

from treeline.pages.parts.assets import prepare_assets
from treeline.pages.parts.map.layers import inputs_of
from treeline.pages.parts.shared.services import DEMO, services

_LOG = logging.getLogger("treeline")


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Make the services, the demo workspace and the assets of every page ready in the background."""
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    yield


def _warm_up() -> None:
    try:
        prepare_assets()
        workspace = services().library.get(DEMO)
        _ = workspace.collections
        inputs_of(workspace)
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
