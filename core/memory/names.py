"""The memories and what can be said of an entry, by name."""

from __future__ import annotations

FAILURES, BANK = "failures", "bank"
MEMORIES = (FAILURES, BANK)

MARKS: dict[str, dict[str, bool]] = {
    "pin": {"pinned": True},
    "unpin": {"pinned": False},
    "mute": {"muted": True},
    "unmute": {"muted": False},
    "delete": {"deleted": True},
    "restore": {"deleted": False},
    "share": {"shared": True},
    "unshare": {"shared": False},
}
"""What is kept of an entry of the failure memory, by the action that says so."""
