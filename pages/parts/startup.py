"""What happens once: the log is set up, and the first workspace made ready while the browser opens."""

from __future__ import annotations

import importlib
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from treeline.core.logs import set_up_logging
from treeline.toolkit import registry

_LOG = logging.getLogger(__name__)


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Import what pages need, then make the services and the demo workspace ready in the background."""
    set_up_logging()
    # By one thread: modules that import each other fail when two threads begin at different ends.
    for module in (
        "treeline.pages.parts.shared.services",
        "treeline.core.policies.planning",
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
