"""Admin: the people of the server, what they use, running work with a way to stop it, and what was done."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from treeline.core.access import SERVER, acting_person, may
from treeline.pages.parts.admin.deeds import show_deeds
from treeline.pages.parts.admin.people import show_people
from treeline.pages.parts.admin.quotas import show_quotas
from treeline.pages.parts.admin.unowned_workspaces import show_unowned
from treeline.pages.parts.admin.work import show_work

_PARTS: Mapping[str, Callable[[], None]] = {
    "People": show_people,
    "Quotas": show_quotas,
    "Running work": show_work,
    "Audit": show_deeds,
    "Without an owner": show_unowned,
}


def main() -> None:
    if not may(acting_person(), "administer", SERVER):
        st.error("This page is for admins.", icon=":material/block:")
        return
    # No tabs: those that tell the server jump back where a second one is clicked before the first has come.
    part = st.segmented_control(
        "Part of the page",
        list(_PARTS),
        default=next(iter(_PARTS)),
        required=True,
        label_visibility="collapsed",
        key="admin-part",
    )
    # What is not looked at is not asked for: each reads much of the record.
    _PARTS[part]()


main()
