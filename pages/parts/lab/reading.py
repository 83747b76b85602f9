"""Reports of benches that were made elsewhere: read and compared, nothing is started."""

from __future__ import annotations

import streamlit as st

from treeline.pages.parts.lab.comparison import OTHER, report_of_file, show_difference
from treeline.pages.parts.lab.results import show_report

_CLOSED = (
    "On a server of a team no benchmark is started here: it reads question files and rasters of the server "
    "by their paths and works for hours with as many runs as it likes, beside all quotas. Who runs the "
    "server starts one there with `treeline bench`, and its report is read and compared here. One's own "
    "answers are compared on the page Compare."
)


def show_reading() -> None:
    """Show a report that a person gives, alone or beside another one; it stays in the session."""
    st.info(_CLOSED, icon=":material/science:")
    report = report_of_file("Report of a bench, JSON", "lab-report-file")
    if report is None:
        return

    def compare() -> None:
        other = report_of_file(OTHER, "lab-other-file")
        if other is not None:
            show_difference(other, report)

    try:
        show_report(report, compare)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        # Whatever a stranger's file lacks or has in another form.
        st.error(f"The report is not whole: {type(error).__name__}. Give one as a bench wrote it.")
