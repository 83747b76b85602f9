"""Which sessions a file was made for that Streamlit serves: a picture, a download."""

from __future__ import annotations

from streamlit import runtime


def sessions_with(file: str) -> list[str]:
    """Return the sessions whose page refers to a file; none for one that is not known."""
    if not runtime.exists():
        return []
    # Streamlit gives no other way to learn it. Where that changes, no file is served.
    manager = runtime.get_instance().media_file_mgr
    known = dict(getattr(manager, "_files_by_session_and_coord", {}))
    return [session for session, files in known.items() if file in dict(files).values()]
