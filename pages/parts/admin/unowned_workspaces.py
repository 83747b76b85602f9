"""Workspaces that belong to nobody: those from before there were people."""

from __future__ import annotations

import streamlit as st

from treeline.pages.parts.shared.services import administration
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import TreelineError


def show_unowned() -> None:
    """Show the workspaces without an owner, and a way to give one to somebody."""
    found = administration()
    names = found.unowned_workspaces()
    if not names:
        st.caption("Every workspace belongs to somebody.")
        return
    st.caption("Nobody sees them until they belong to somebody.")
    with st.form("give", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Workspace", names)
        identity = st.selectbox("Give it to", [listed.person.id for listed in found.people()])
        if st.form_submit_button("Give", icon=":material/person_add:"):
            try:
                found.give(name, identity)
                st.rerun()
            except TreelineError as error:
                st.error(plain(str(error)))
