"""Faults of Treeline as a person sees them: a sentence with a code; details on a single-user server."""

from __future__ import annotations

import streamlit as st

from treeline.core.errors import RecordError
from treeline.core.faults import Fault, log_fault
from treeline.core.record.faults import faults_of, record_fault
from treeline.pages.parts.shared.services import server_services, services, single_user
from treeline.pages.parts.shared.text import plain


def tell_fault(error: BaseException) -> bool:
    """Record an unforeseen fault of a page and show it in a sentence."""
    if isinstance(error, RecordError):  # there is nowhere to record it
        tell_lost_record(error)
        return True
    fault = _record(error)
    st.error(
        f"{plain(fault.sentence)} What was recorded of your runs is safe. Load the page again.",
        icon=":material/error:",
    )
    _show_details([fault])
    return True


def tell_lost_record(error: RecordError) -> None:
    """Show that the record cannot be used now, which is no fault of the page."""
    st.error(
        f"{plain(str(error))} What was recorded of your runs is safe. Load the page again in a while.",
        icon=":material/error:",
    )


def show_faults(run: str) -> None:
    """Show the tracebacks of a run's faults; nothing where there are none, or others use the server too."""
    if run and single_user():
        _show_details([stored.fault for stored in faults_of(services().store, run)])


def _record(error: BaseException) -> Fault:
    try:
        store = server_services().store
    except Exception:  # the services themselves are at fault
        return log_fault(error, "This page")
    return record_fault(store, error, "This page")


def _show_details(faults: list[Fault]) -> None:
    if not single_user():
        return
    for fault in {fault.code: fault for fault in faults}.values():
        with st.expander(f"Details of {fault.code}", icon=":material/bug_report:"):
            st.caption(plain(f"{fault.subject}, {fault.where}"))
            st.code(fault.traceback, language="text")
