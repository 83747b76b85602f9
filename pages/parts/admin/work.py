"""The runs that wait or are worked on, and a way to stop one."""

from __future__ import annotations

import streamlit as st

from treeline.pages.parts.shared.choice import choose_row
from treeline.pages.parts.shared.clock import moment_column
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.services import administration, services
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import TreelineError

_LOOK_SECONDS = 2.0


# Always, also while nothing runs: what others begin is not told to this page.
@st.fragment(run_every=_LOOK_SECONDS)
def show_work() -> None:
    """Show the work of all people as it is now, without what they asked."""
    running = administration().list_running()
    if not running:
        st.info("Nothing is running.", icon=":material/check:")
        return
    chosen = choose_row(
        [
            {
                "Run": record.id,
                "Person": owner,
                "Status": record.status,
                "Policy": record.options.get("policy", ""),
                "Team": record.options.get("team", ""),
                "Begun": record.created,
            }
            for record, owner in running
        ],
        [record.id for record, _ in running],
        "admin-run",
        height=table_height(len(running), 580),
        alt="Running work",
        column_config={"Begun": moment_column(width=120)},
    )
    if st.button("Stop", icon=":material/stop:", disabled=chosen is None) and chosen is not None:
        try:
            services().manager.stop(chosen)
            st.caption("It ends at its next step.")
        except TreelineError as error:
            st.error(plain(str(error)))
