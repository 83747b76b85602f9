"""Two reports of one benchmark beside one another."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from treeline.core.lab.comparing import FORMS, check_report, compare, unlike_texts
from treeline.core.lab.reports import html_of
from treeline.core.record.store import RunRecord
from treeline.pages.parts.lab.benches import report_of, title_of
from treeline.pages.parts.shared.clock import moment_text
from treeline.pages.parts.shared.downloads import offer_download
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import InputError

_FILE = "A report from a file"
OTHER = "JSON of a report"
_LARGEST_MEGABYTES = 20
_NUMBERS = ("Other", "This", "Difference", "from", "to")


def show_comparison(record: RunRecord, report: Mapping[str, Any], records: Sequence[RunRecord]) -> None:
    """Show what another report has more or less than the one that is looked at."""
    others = {r.id: r for r in records if r.id != record.id and r.options["bench"] == record.options["bench"]}
    wanted = st.selectbox(
        "Compare with",
        [*others, _FILE],
        key="lab-other",
        format_func=lambda key: _bench_label(others[key]) if key in others else key,
    )
    other = report_of(others[wanted]) if wanted in others else report_of_file(OTHER, "lab-other-file")
    if other is not None:
        show_difference(other, report)


def show_difference(other: Mapping[str, Any], report: Mapping[str, Any]) -> None:
    """Show what a report has more or less than another one, or why they cannot be compared."""
    try:
        found = compare(other, report)
    except InputError as error:
        st.error(plain(error))
        return
    _show(found)


def _bench_label(record: RunRecord) -> str:
    return f"{title_of(record)} · {moment_text(record.created, '%Y-%m-%d %H:%M:%S')}"


def report_of_file(label: str, key: str) -> dict[str, Any] | None:
    """Ask for a report as a file; return ``None`` without one, and for what is none, which is told."""
    given = st.file_uploader(label, type="json", key=key, max_upload_size=_LARGEST_MEGABYTES)
    if given is None:
        return None
    try:
        return check_report(json.loads(given.getvalue()), given.name)
    # Lists that are nested thousands deep are JSON too, and more than Python's parser takes.
    except (ValueError, RecursionError):
        st.error(plain(f"{given.name!r} is not JSON that can be read. Give a report that a bench wrote."))
    except InputError as error:
        st.error(plain(error))
    return None


def _show(found: Mapping[str, Any]) -> None:
    st.markdown(outcome_text(found))
    if found["differing"]:
        told = [f"{d['setting']}: {d['second']}, not {d['first']}" for d in found["differing"]]
        st.caption(plain("; ".join(told)))
    for text in unlike_texts(found):
        st.caption(plain(text))
    rows = comparison_rows(found)
    if not rows:
        st.info("No metric has a number in both reports.", icon=":material/info:")
        return
    st.dataframe(
        rows,
        hide_index=True,
        height=table_height(len(rows), 260),
        key="lab-comparison",
        alt="Difference of each metric",
        column_config={name: st.column_config.NumberColumn(format="%.3f") for name in _NUMBERS},
    )
    changed = [
        {"Id": q["id"], "Other": q["first"], "This": q["second"], "": "better" if q["won"] else "worse"}
        for q in found["questions"]
    ]
    if changed:
        st.dataframe(
            changed,
            hide_index=True,
            height=table_height(len(changed), 220),
            key="lab-changed",
            alt="What differs, the worse first",
        )
    offer_download(
        "Comparison, HTML", lambda: html_of(found), "comparison.html", "text/html", icon=":material/download:"
    )


def outcome_text(found: Mapping[str, Any]) -> str:
    """Return in how much of what both reports measured this one is better and worse, in a sentence."""
    lead, rows = found["metrics"][found["lead"]], FORMS[found["bench"]].rows
    measured = lead["wins"] + lead["losses"] + lead["ties"]
    told = (
        f"**Better in {lead['wins']}, worse in {lead['losses']}, equal in {lead['ties']}** of {measured} "
        f"{rows} by {found['lead'].replace('_', ' ')}; differences are this one less the "
        "other, with 95 % intervals."
    )
    without = found["shared"] - measured
    return told + (f" {without} more {rows} are in both without a number in each." if without else "")


def comparison_rows(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each metric that both reports know."""
    return [
        {
            "Metric": name.replace("_", " "),
            "Other": metric["first"],
            "This": metric["second"],
            "Difference": metric["difference"],
            "from": (metric["interval"] or (None, None))[0],
            "to": (metric["interval"] or (None, None))[1],
            "Better": metric["wins"],
            "Worse": metric["losses"],
        }
        for name, metric in found["metrics"].items()
        if metric["difference"] is not None
    ]
