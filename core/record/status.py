"""How far a run has come; apart from the store, so that an event needs no database."""

from __future__ import annotations

from typing import Literal

Status = Literal[
    "waiting", "running", "answered", "unverified", "asks", "declined", "stopped", "failed", "interrupted"
]

FINISHED: frozenset[str] = frozenset({"answered", "unverified", "asks", "declined", "stopped", "failed"})
