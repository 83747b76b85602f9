"""How far a bench is, and what can be done with it: stop, resume, take away, delete."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from treeline.core.lab.benches import Standing
from treeline.core.lab.failures import UNANSWERED
from treeline.core.lab.reports import html_of
from treeline.core.lab.reproduce.writing import csv_of, latex_of
from treeline.core.record.store import RunRecord
from treeline.pages.parts.lab.benches import CHOSEN, WORDS, benches, forget, report_of, title_of
from treeline.pages.parts.shared.answer import STATUS
from treeline.pages.parts.shared.downloads import offer_download
from treeline.pages.parts.shared.faults import show_faults
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.resuming import RESUMABLE
from treeline.pages.parts.shared.text import plain, seconds
from treeline.toolkit.errors import TreelineError

_TABLE_FORMS = (
    ("Rows, CSV", csv_of, "csv", "table_view"),
    ("Table, LaTeX", latex_of, "tex", "functions"),
)


def show_status(record: RunRecord, standing: Standing) -> None:
    """Show the state of a bench in two lines that keep their place."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="lab-status"):
        colour, icon, _ = STATUS[record.status]
        badge = f":{colour}-badge[:material/{icon}: {WORDS[record.status]}]"
        st.markdown(f"{badge} **{plain(title_of(record))}**", width="stretch")
        st.button(
            "Stop",
            icon=":material/stop:",
            key="lab-stop",
            on_click=benches().stop,
            args=(record.id,),
            disabled=record.is_finished,
        )
        st.button(
            "Resume",
            icon=":material/resume:",
            key="lab-resume",
            on_click=_resume,
            args=(record.id,),
            disabled=record.status not in RESUMABLE,
        )
        _exports(record, standing)
        with st.popover("Delete", icon=":material/delete:", disabled=not record.is_finished):
            st.caption("The bench and its results are deleted; the question file stays.")
            st.button("Delete", key="lab-delete", type="primary", on_click=_delete, args=(record.id,))
    share = len(standing.rows) / standing.total if standing.total else 0.0
    st.progress(min(share, 1.0), text=progress_text(record, standing))
    if standing.reason and record.status == "failed":
        st.error(plain(standing.reason), icon=":material/error:")
    if standing.reason and record.status == "answered":
        st.warning(f"Not read: {plain(standing.reason)}", icon=":material/warning:")
    show_faults(record.id)


def progress_text(record: RunRecord, standing: Standing) -> str:
    """Return how many are done, and of those how many ended how."""
    if not standing.total:
        return "Reading the questions" if not record.is_finished else "Nothing was done"
    done = f"{len(standing.rows)} of {standing.total}"
    ends = [row.get("status") for row in standing.rows]
    counts = [f"{ends.count(word)} {word}" for word in ("answered", *UNANSWERED) if word in ends]
    spent = [row["seconds"] for row in standing.rows if "seconds" in row]
    took = [f"{seconds(sum(spent) / len(spent))} a question"] if spent else []
    return " · ".join([f"{done} done", *counts, *took])


def _exports(record: RunRecord, standing: Standing) -> None:
    with st.popover("Export", icon=":material/download:", disabled=not standing.rows):
        name = f"{record.options['bench']}-{record.id}"
        offer_download(
            "Report, JSON",
            lambda: json.dumps(report_of(record), ensure_ascii=False),
            f"{name}.json",
            "application/json",
            icon=":material/data_object:",
        )
        offer_download(
            "Report, HTML",
            lambda: html_of(report_of(record)),
            f"{name}.html",
            "text/html",
            icon=":material/bar_chart:",
        )
        if record.options["bench"] == "reproduce":
            _table_exports(record, name)


def _table_exports(record: RunRecord, name: str) -> None:
    """Offer a paper's table for a spreadsheet and for a text of one's own."""
    for title, form, suffix, icon in _TABLE_FORMS:
        offer_download(
            title,
            partial(_as_text, form, record),
            f"{name}.{suffix}",
            "text/plain",
            icon=f":material/{icon}:",
        )


def _as_text(form: Callable[[Mapping[str, Any]], str], record: RunRecord) -> str:
    return form(report_of(record))


def _resume(run: str) -> None:
    try:
        benches().resume(run, session_endpoint())
    except TreelineError as error:
        st.session_state["lab-problems"] = (str(error),)


def _delete(run: str) -> None:
    forget(run)
    st.session_state.pop(CHOSEN, None)
    st.query_params.pop("bench", None)
