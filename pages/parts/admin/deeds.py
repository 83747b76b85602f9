"""The trail: who did what to which thing."""

from __future__ import annotations

import streamlit as st

from treeline.pages.parts.shared.clock import moment_column
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.services import administration

_MOST = 1_000


def show_deeds() -> None:
    """Show what was done, the newest first."""
    person = st.text_input("Of one person", placeholder="ana@example.org", key="audit-person").strip()
    found = administration().deeds(person, _MOST)
    if not found:
        st.caption("Nothing was done yet.")
        return
    st.dataframe(
        [
            {
                "When": deed.time,
                "Person": deed.person,
                "Did": deed.action,
                "Kind": deed.kind,
                "Thing": deed.thing,
                "Detail": deed.detail,
            }
            for deed in found
        ],
        hide_index=True,
        height=table_height(len(found), 560),
        column_config={
            "When": moment_column(width=130),
            "Did": st.column_config.TextColumn(width=90),
            "Kind": st.column_config.TextColumn(width=90),
        },
        alt="What was done",
    )
    if len(found) == _MOST:
        st.caption(f"The newest {_MOST:,} are shown.")
