"""Admin: the people of the server, running work with a way to stop it, and what was done."""

from __future__ import annotations

import streamlit as st

from treeline.core.access import SERVER, acting_person, may
from treeline.pages.parts.admin.deeds import show_deeds
from treeline.pages.parts.admin.people import show_people
from treeline.pages.parts.admin.unowned_workspaces import show_unowned
from treeline.pages.parts.admin.work import show_work


def main() -> None:
    if not may(acting_person(), "administer", SERVER):
        st.error("This page is for admins.", icon=":material/block:")
        return
    people, work, deeds, unowned = st.tabs(["People", "Running work", "Audit", "Without an owner"])
    with people:
        show_people()
    with work:
        show_work()
    with deeds:
        show_deeds()
    with unowned:
        show_unowned()


main()
