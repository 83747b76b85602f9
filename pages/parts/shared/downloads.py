"""Files that are made when they are asked for, for whoever asks and nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from treeline.core.access import in_team, who_acts
from treeline.core.record.audit import note
from treeline.pages.parts.identity.media import note_file
from treeline.pages.parts.shared.services import server_services

Content = Callable[[], str | bytes]


def offer_download(label: str, content: Content, name: str, media_type: str, **how: Any) -> None:
    """Show a button that makes a file when it is pressed and gives it to the browser.

    The page is not drawn anew by it: a drawing forgets the files of the one before, and the browser may come
    for its file after that.

    Parameters
    ----------
    **how
        As for ``st.download_button``.
    """
    made = _bind(content, name) if in_team() else content
    st.download_button(label, made, name, media_type, on_click="ignore", **how)


def _bind(content: Content, name: str) -> Content:
    """Return what makes the same file and notes whose it is; it runs outside of the page."""
    acting = who_acts()

    def make() -> bytes:
        made = content()
        data = made.encode() if isinstance(made, str) else made
        note_file(data, acting.session)
        note(server_services().store, acting.person, "download", "server", name)
        return data

    return make
