"""What happens once: the first page is made ready while the browser opens; the log is set up."""

from __future__ import annotations

import gc
import logging
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

# The map's component imports these, which takes a while, so the server does; the component itself has to be
# imported by a page, or Streamlit does not know it.
import folium.plugins  # noqa: F401

from treeline.core.access import in_team
from treeline.core.logs import set_up_logging
from treeline.core.query.inventory import Inventory
from treeline.core.query.names import names_of
from treeline.core.query.rewordings import prepare_rewordings
from treeline.core.runs.workers import WORKERS
from treeline.pages.parts.assets import prepare_assets
from treeline.pages.parts.map.layers import inputs_of
from treeline.pages.parts.shared.services import DEMO, server_services

_LOG = logging.getLogger(__name__)
_FIRST_PAGE_SECONDS = 4.0


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Make the services, the demo workspace and the assets of every page ready in the background."""
    set_up_logging()
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    yield


def _may_have_processes() -> bool:
    """Return whether runs of one person work in processes: many in threads make every click wait.

    A process takes seconds to start on Windows.
    """
    return sys.platform != "win32"


def _warm_up() -> None:
    try:
        prepare_assets()
        server_services().manager.apart = in_team() or _may_have_processes()
        workspace = server_services().library.get(DEMO)
        _ = workspace.collections
        inputs_of(workspace)
        # Who starts a server opens it at once: what the first page does not need comes once that is there,
        # and before a question is typed.
        time.sleep(_FIRST_PAGE_SECONDS)
        if server_services().manager.apart:
            WORKERS.prepare(1)  # the first question would wait for the process that works on it
        # Each takes a second or a few, in which the pages of everybody else would be slow.
        names_of(Inventory())
        prepare_rewordings()
        import_module("treeline.toolkit.raster.pictures")
        # What is there now stays: looking through it for what is not needed stops every page meanwhile.
        gc.collect()
        gc.freeze()
    except Exception:  # the page shows it again
        _LOG.exception("The demo workspace could not be made ready.")
