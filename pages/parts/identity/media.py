"""Which sessions a file was made for that Streamlit serves: a picture, a download."""

from __future__ import annotations

import hashlib
import threading
from typing import Any

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

# What was made when a button was pressed, by its content: Streamlit keeps such a file for no session.
_MADE: dict[str, set[str]] = {}
# What a session's page referred to before it was run anew: it is on the screen still, and kept by Streamlit.
_BEFORE: dict[str, set[str]] = {}
_LOCK = threading.Lock()


def sessions_with(file: str) -> set[str]:
    """Return the sessions whose page refers to a file or had it made; none for one that is not known."""
    if not runtime.exists():
        return set()
    # Streamlit gives no other way to learn it. Where that changes, no file is served.
    manager = runtime.get_instance().media_file_mgr
    shown = {session for session, files in _files_by_session(manager).items() if file in dict(files).values()}
    kept = manager.read_file(file)
    if kept is not None:
        shown |= {session for session, files in list(_BEFORE.items()) if file in files}
    return shown if kept is None else shown | _MADE.get(_digest(kept.content), set())


def keep_shown_files() -> None:
    """See to it that a file stays a session's while its page is run anew."""
    manager: Any = runtime.get_instance().media_file_mgr
    with _LOCK:
        if hasattr(manager, "treeline_forgets"):
            return
        manager.treeline_forgets = forget = manager.clear_session_refs

    def clear(session_id: str | None = None) -> None:
        context = get_script_run_ctx(suppress_warning=True)
        session = session_id or (context.session_id if context else "")
        files = set(dict(_files_by_session(manager).get(session, {})).values())
        if files:
            _BEFORE[session] = files
        forget(session_id)

    manager.clear_session_refs = clear


def _files_by_session(manager: Any) -> dict[str, Any]:
    return dict(getattr(manager, "_files_by_session_and_coord", {}))


def note_file(content: bytes, session: str) -> None:
    """Note that a file was made for a session."""
    with _LOCK:
        _MADE.setdefault(_digest(content), set()).add(session)


def forget_files(session: str) -> None:
    """Forget what was made for a session that has ended."""
    with _LOCK:
        _BEFORE.pop(session, None)
        for digest, sessions in list(_MADE.items()):
            sessions.discard(session)
            if not sessions:
                del _MADE[digest]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
