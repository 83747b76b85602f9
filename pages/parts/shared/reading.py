"""A link by which others read a run: the run alone, without what would ask or change something."""

from __future__ import annotations

from urllib.parse import quote, urlsplit, urlunsplit

import streamlit as st

from treeline.core.access import acting_person
from treeline.pages.parts.shared.services import is_own_run
from treeline.pages.parts.shared.sharing import show_sharing

_NAME, _VALUE = "read", "only"


def is_reading() -> bool:
    """Return whether the page was opened by such a link."""
    return bool(st.query_params.get(_NAME) == _VALUE)


def link_to_read(address: str, run: str) -> str:
    """Return the link of a run for the server of a page's address."""
    parts = urlsplit(address)
    # The Workbench is the page without a name; any other has its name at the end.
    folder = parts.path.rpartition("/")[0]
    return urlunsplit((parts.scheme, parts.netloc, f"{folder}/", f"run={quote(run)}&{_NAME}={_VALUE}", ""))


def show_link(run: str) -> None:
    """Show the link of a run to be copied, and in a team with whom the run is shared."""
    with st.popover("Link to read", icon=":material/link:"):
        st.code(link_to_read(st.context.url or "", run), language=None, wrap_lines=True)
        if acting_person().local:
            st.caption(
                "It shows the run without the controls that change something. This server has no sign-in: "
                "whoever reaches it can also work here."
            )
        else:
            st.caption(
                "Whoever opens it signs in first, and reads the run where it is shared with them, as well as "
                "its workspace."
            )
            if is_own_run(run):
                show_sharing("run", run)


def show_reader_line(*, found: bool) -> None:
    """Say what a reader sees, in the place where others ask; or that there is nothing to see."""
    if not found:
        st.error(
            "There is no such run, or it is not shared with you. Ask who gave you the link.",
            icon=":material/visibility_off:",
        )
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="read-only"):
        st.markdown(":material/visibility: This link is for reading.", width="content")
        if st.button("Open the workbench", icon=":material/explore:", type="tertiary"):
            st.query_params.pop(_NAME, None)
            st.rerun()
