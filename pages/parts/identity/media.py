"""Which sessions a file was made for that Streamlit serves: a picture, a download."""

from __future__ import annotations

import hashlib
import threading

from streamlit import runtime

# What was made when a button was pressed, by its content: Streamlit keeps such a file for no session.
_MADE: dict[str, set[str]] = {}
_LOCK = threading.Lock()


def sessions_with(file: str) -> set[str]:
    """Return the sessions whose page refers to a file or had it made; none for one that is not known."""
    if not runtime.exists():
        return set()
    # Streamlit gives no other way to learn it. Where that changes, no file is served.
    manager = runtime.get_instance().media_file_mgr
    known = dict(getattr(manager, "_files_by_session_and_coord", {}))
    shown = {session for session, files in known.items() if file in dict(files).values()}
    kept = manager.read_file(file)
    return shown if kept is None else shown | _MADE.get(_digest(kept.content), set())


def note_file(content: bytes, session: str) -> None:
    """Note that a file was made for a session."""
    with _LOCK:
        _MADE.setdefault(_digest(content), set()).add(session)


def forget_files(session: str) -> None:
    """Forget what was made for a session that has ended."""
    with _LOCK:
        for digest, sessions in list(_MADE.items()):
            sessions.discard(session)
            if not sessions:
                del _MADE[digest]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
