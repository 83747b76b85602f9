"""Whether the server lives, and whether it can work.

Whoever reaches the port can read the answers, so they name no folder and no address.
"""

from __future__ import annotations

from collections.abc import Callable
from tempfile import TemporaryFile

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from treeline.core.errors import RecordError
from treeline.core.record.store import Store
from treeline.core.settings import home, store_url
from treeline.toolkit import cluster
from treeline.toolkit.errors import TreelineError

_FRESH = {"Cache-Control": "no-store"}


async def livez(request: Request) -> Response:
    """Answer ``/livez`` while the process lives."""
    return PlainTextResponse("ok", headers=_FRESH)


def readyz(request: Request) -> Response:
    """Answer ``/readyz``: 200 while every part can be used, 503 with the reason otherwise."""
    faults = {part: find() for part, find in PARTS.items()}
    reason = " ".join(fault for fault in faults.values() if fault)
    body = {
        "ready": not reason,
        "reason": reason or None,
        "parts": {part: fault or "ok" for part, fault in faults.items()},
    }
    return JSONResponse(body, status_code=503 if reason else 200, headers=_FRESH)


def home_fault() -> str:
    """Return why no file can be written in the home; empty if one can."""
    try:
        home().mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=home()) as probe:
            probe.write(b"ready")
    except OSError as error:
        return f"The home cannot be written to ({error.strerror or type(error).__name__})."
    return ""


def record_fault() -> str:
    """Return why the record cannot be read; empty if it can."""
    try:
        store = Store(store_url())
        try:
            store.runs(limit=1)
        finally:
            store.close()
    except (SQLAlchemyError, RecordError, OSError, ImportError) as error:
        return f"The record cannot be opened ({type(error).__name__})."
    return ""


def worker_fault() -> str:
    """Return why the worker processes of the settings cannot be used; empty if they can, or none are set."""
    try:
        cluster.check_workers()
    except TreelineError as error:
        return f"The workers cannot be used ({type(error).__name__})."
    return ""


PARTS: dict[str, Callable[[], str]] = {
    "home": home_fault,
    "record": record_fault,
    "workers": worker_fault,
}
