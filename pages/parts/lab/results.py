"""What came out of a bench: metrics by group, failures by cause, every question, and a comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from treeline.core.lab.benches import BENCHES, Standing
from treeline.core.lab.failures import failure_groups
from treeline.core.record.store import RunRecord
from treeline.pages.parts.lab.ablation import show_settings
from treeline.pages.parts.lab.benches import report_of
from treeline.pages.parts.lab.charts import show_groups_chart
from treeline.pages.parts.lab.comparison import show_comparison
from treeline.pages.parts.lab.reproduction import show_tables
from treeline.pages.parts.lab.rows import question_row
from treeline.pages.parts.shared.choice import choose_row
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.text import number

_MOST = 330
_GROUPS = {"earth-bench": "by_modality", "geoplan": "by_complexity"}
_NUMBER = st.column_config.NumberColumn(format="%.3f")
_PLAN_SCORES = ("path_similarity", "recall", "precision", "f1")


def show_results(record: RunRecord, standing: Standing, records: Sequence[RunRecord]) -> None:
    """Show the parts of the report of a bench."""
    report = report_of(record)
    show_report(report, lambda: show_comparison(record, report, records))


def show_report(report: Mapping[str, Any], compare: Callable[[], None]) -> None:
    """Show the parts of a report.

    Parameters
    ----------
    compare : callable
        Shows it beside another one.
    """
    results, failures, questions, comparison = st.tabs(
        ["Results", "Failures", "Questions", "Compare"], key="lab-tabs"
    )
    bench = report["bench"]
    rows = report[BENCHES[bench].rows]
    with results:
        _RESULTS.get(bench, _metrics)(report)
    with failures:
        _failures(bench, rows)
    with questions:
        _questions([question_row(bench, row) for row in rows], "lab-questions")
    with comparison:
        compare()


def _metrics(report: Mapping[str, Any]) -> None:
    groups = report[_GROUPS[report["bench"]]]
    table = metric_rows(report)
    if not table:
        st.info(
            "No metric has a number: there is nothing to compare the results with.", icon=":material/info:"
        )
        return
    show_groups_chart(metrics_of(report), groups)
    st.dataframe(
        table,
        hide_index=True,
        height=table_height(len(table), _MOST),
        key="lab-metrics",
        alt="Metrics with intervals, as a whole and by group",
        column_config=dict.fromkeys(list(table[0])[1:], _NUMBER),
    )
    if "beside" in report:
        told = " · ".join(f"{name} {number(value, 3)}" for name, value in report["beside"].items())
        st.caption(f"Path similarity of other planners on these tasks: {told}")
    if "experience" in report:
        known = {name: value for name, value in report["experience"].items() if value is not None}
        told = " · ".join(f"{_words(name)} {value:.3f}" for name, value in known.items())
        st.caption(f"RSMem's metrics: {told}")


def metrics_of(report: Mapping[str, Any]) -> dict[str, float | None]:
    """Return the metrics of a report as a whole."""
    if report["bench"] == "geoplan":
        return {name: report.get(name) for name in _PLAN_SCORES}
    return dict(report["metrics"])


def metric_rows(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each metric: the mean, its interval, and the mean of each group."""
    groups = report[_GROUPS[report["bench"]]]
    spread = report["intervals"]
    return [
        {
            "Metric": _words(name),
            "All": value,
            "from": (spread.get(name) or (None, None))[0],
            "to": (spread.get(name) or (None, None))[1],
            **{group or "none": scores.get(name) for group, scores in groups.items()},
        }
        for name, value in metrics_of(report).items()
        if value is not None
    ]


def _failures(bench: str, rows: Sequence[Mapping[str, Any]]) -> None:
    groups = failure_groups(bench, rows)
    if not groups:
        st.caption("No failure.")
        return
    cause = choose_row(
        [{"Cause": group["cause"], "Questions": group["count"]} for group in groups],
        [group["cause"] for group in groups],
        "lab-cause",
        height=table_height(len(groups), 220),
        alt="Failures by cause, the most frequent first",
        column_config={"Cause": st.column_config.TextColumn(width="large")},
    )
    if cause is None:
        st.caption("Choose a cause to see its questions.")
        return
    members = next(set(group["questions"]) for group in groups if group["cause"] == cause)
    _questions([question_row(bench, row) for row in rows if str(row["id"]) in members], "lab-failed")


def _questions(rows: Sequence[Mapping[str, Any]], key: str) -> None:
    st.dataframe(
        rows,
        hide_index=True,
        height=table_height(len(rows), _MOST),
        key=key,
        alt="Questions with their scores",
        column_config={
            "Setting": st.column_config.TextColumn(width=120),
            "Question": st.column_config.TextColumn(width=260),
            "Calls": st.column_config.TextColumn(width=260),
            "Expert": st.column_config.TextColumn(width=260),
            "Score": st.column_config.NumberColumn(format="%.2f", width=60),
        },
    )


_RESULTS: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
    "ablation": show_settings,
    "reproduce": show_tables,
}


def _words(name: str) -> str:
    return name.replace("_", " ")
