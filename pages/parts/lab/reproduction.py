"""A paper's table: what is reproduced, what that will take, and ours beside the published values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from treeline.core.lab.parts import PARTS
from treeline.core.lab.reproduce.papers import Paper, paper_names, paper_of
from treeline.core.lab.reproduce.reproduction import (
    JUDGES,
    Judge,
    Reproduction,
    estimate_reproduction,
    is_judged,
)
from treeline.core.settings import Endpoint
from treeline.pages.parts.lab.files import check_readable
from treeline.pages.parts.shared.fields import show_choice, show_number_field
from treeline.pages.parts.shared.ledger_chart import LINES
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.session import keep
from treeline.pages.parts.shared.text import count_text, plain
from treeline.pages.parts.shared.theme import INK, is_dark
from treeline.toolkit.errors import TreelineError

_MOST = 330
_MOST_BARS = 14
_QUESTIONS = 10
_WHOLE = "Overall"
_JUDGES = {"rule": "By rule", "language": "The first model"}
_SETTING = ("model", "system", "regime", "slice")
_PART_TITLES = {part: part.replace("_", " ").capitalize() for part in PARTS}


def show_reproduction_form(file_key: str) -> None:
    """Show which table of which paper is reproduced, and with what.

    Parameters
    ----------
    file_key : str
        Where the session keeps the question file that was chosen.
    """
    keep("lab-paper", paper_names()[0])
    show_choice("Paper", "lab-paper", {name: paper_of(name).title for name in paper_names()})
    paper = paper_of(st.session_state["lab-paper"])
    # Another paper has other tables, among which the choice of the one before is none.
    if st.session_state.get("lab-table") not in paper.tables:
        st.session_state["lab-table"] = next(iter(paper.tables))
    show_choice("Table", "lab-table", {number: _title(paper, number) for number in paper.tables})
    st.text_input(
        "Models",
        key="lab-models",
        placeholder="None: what needs no model",
        help="Names at the endpoint of the sidebar, with commas between them.",
    )
    show_number_field(
        "Questions", "lab-limit", _QUESTIONS, 1, 10_000, width=100, help="Most questions of each row."
    )
    with st.popover("More", icon=":material/tune:"):
        st.text_input(
            "Folder of the data", key="lab-reproduce-data", placeholder="None: by file names, without pixels"
        )
        show_number_field(
            "Most calls of models", "lab-most-calls", 0, 0, 10_000_000, help="0 for as many as it takes."
        )
        if is_judged(paper.tables[st.session_state["lab-table"]].metrics):
            keep("lab-judge", JUDGES[0])
            show_choice(
                "Judge of plans",
                "lab-judge",
                {name: _JUDGES[name] for name in JUDGES},
                help="Who says which tools of a plan are key and, for Elo ratings, which plan is better.",
            )
    with st.popover("Estimate", icon=":material/calculate:"):
        _show_estimate(st.session_state.get(file_key))


def _title(paper: Paper, number: str) -> str:
    return f"{number}: {paper.tables[number].title}"


def _show_estimate(file: str | None) -> None:
    """Show, once it is asked for, what the reproduction will take."""
    if not st.button("Work it out", key="lab-estimate", disabled=not file):
        st.caption("Calls, tokens and hours, before anything is asked.")
        return
    try:
        wanted, endpoint = reproduction_options(st.session_state, check_readable(file))
        found = estimate_reproduction(wanted, endpoint)
    except TreelineError as error:
        st.error(plain(str(error)))
        return
    tokens = found["tokens"]
    least, most = found["range"]
    span = f" ({least:,} to {most:,}, as the replies turn out)" if least < most else ""
    st.markdown(
        f"**{found['calls']:,}** calls{span} · "
        f"**{tokens['input']:,}** tokens read, {tokens['output']:,} written · "
        f"**{found['hours']:.2g}** hours · {count_text(found['without_model'], 'question')} without a model"
    )
    st.caption(" ".join(found["assumes"]))


def reproduction_options(state: Any, file: str = "") -> tuple[Reproduction, Endpoint | None]:
    """Return what the form asks for, and where the models are asked."""
    models = tuple(dict.fromkeys(str(state.get("lab-models") or "").replace(",", " ").split()))
    judge = _judge(state)
    endpoint = session_endpoint() if models or judge == "language" else None
    # The judge's name stays with the bench; whoever looks at it later may have another model in the sidebar.
    judging = endpoint.model if endpoint and judge == "language" and not models else ""
    wanted = Reproduction(
        paper=state["lab-paper"],
        table=state["lab-table"],
        models=models,
        questions=file,
        data=check_readable(state.get("lab-reproduce-data")),
        limit=state["lab-limit"],
        most_calls=state["lab-most-calls"] or None,
        judge=judge,
        judge_model=judging,
    )
    return wanted, endpoint


def _judge(state: Any) -> Judge:
    """Return who judges: of a table that has nothing to judge the rule, whatever was chosen for another."""
    judged = is_judged(paper_of(state["lab-paper"]).tables[state["lab-table"]].metrics)
    return state["lab-judge"] if judged else JUDGES[0]


def show_tables(report: Mapping[str, Any]) -> None:
    """Show ours beside the published values, metric by metric, and what differs."""
    for table in report["tables"]:
        lines = [line for line in report["rows"] if line["table"] == table["table"]]
        st.caption(f"Table {table['table']}: {table['title']} ({table['where']})")
        metric = st.segmented_control(
            "Metric",
            table["metrics"],
            default=table["metrics"][0],
            key=f"lab-metric-{table['table']}",
            format_func=lambda name: name.replace("_", " "),
            label_visibility="collapsed",
            required=True,
        )
        _show_chart(lines, str(metric), table["table"])
        apart = any(line["parts"] for line in lines)
        rows = [_row(line, str(metric), apart=apart) for line in lines]
        st.dataframe(
            rows,
            hide_index=True,
            height=table_height(len(rows), _MOST),
            key=f"lab-table-{table['table']}-rows",
            alt=f"Rows of table {table['table']}, ours and published",
            column_config=dict.fromkeys(
                ("Ours", "from", "to", "Published", *_PART_TITLES.values()),
                st.column_config.NumberColumn(format="%.3g"),
            ),
        )
        said = list(dict.fromkeys(text for line in lines for text in line["differences"]))
        with st.expander("What differs from the paper", icon=":material/difference:"):
            st.markdown("\n".join(f"- {plain(text)}" for text in [*filter(None, [table["lost"]]), *said]))
    st.caption(report["tuned_on"])


def _show_chart(lines: Sequence[Mapping[str, Any]], metric: str, number: str) -> None:
    """Show ours and the published values as bars, row by row: ours and whole rows before parts."""
    ranked = sorted(lines, key=lambda line: (line["kind"] == "published", not _is_whole(line)))
    shown = ranked[:_MOST_BARS]
    if len(shown) < len(ranked):
        st.caption(f"{len(shown)} of {len(ranked)} rows; all stand in the table below.")
    st.echarts_chart(
        rows_option(shown, metric, dark=is_dark()),
        height=70 + 22 * len(shown),
        renderer="svg",
        key=f"lab-chart-{number}",
        alt=f"{metric.replace('_', ' ')} of each row, ours and published",
    )


def _is_whole(line: Mapping[str, Any]) -> bool:
    """Return whether a row is of all its questions, not of a part of them."""
    return line["setting"].get("slice", _WHOLE) == _WHOLE


def rows_option(lines: Sequence[Mapping[str, Any]], metric: str, *, dark: bool) -> dict[str, Any]:
    """Return a chart of horizontal bars as an option of ECharts, a row of the table each."""
    axis = {
        "axisLabel": {"color": INK[dark], "fontSize": 11},
        "axisLine": {"lineStyle": {"color": INK[dark]}},
    }
    values = {
        "ours": [line["ours"].get(metric, {}).get("value") for line in lines],
        "published": [line["published"].get(metric) for line in lines],
    }
    return {
        "animation": False,
        "grid": {"left": 8, "right": 24, "top": 30, "bottom": 8, "containLabel": True},
        "legend": {"top": 0, "textStyle": {"color": INK[dark], "fontSize": 11}},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "value", "min": 0, "splitLine": {"lineStyle": {"opacity": 0.25}}, **axis},
        "yAxis": {"type": "category", "inverse": True, "data": [_label(line) for line in lines], **axis},
        "series": [
            {"type": "bar", "name": name, "barGap": "10%", "barMaxWidth": 9, "itemStyle": {"color": colour}}
            | {"data": [None if value is None else round(value, 4) for value in values[name]]}
            for name, colour in zip(values, LINES, strict=False)
        ],
    }


def _label(line: Mapping[str, Any]) -> str:
    return ", ".join(str(line["setting"][name]) for name in _SETTING if line["setting"].get(name))


def _row(line: Mapping[str, Any], metric: str, *, apart: bool) -> dict[str, Any]:
    """Return a row of the table; ``apart`` where parts of the questions stand apart."""
    ours = line["ours"].get(metric, {})
    row = {
        "Row": _label(line),
        "Kind": line["kind"],
        "Questions": line["questions"] or None,
        "Ours": ours.get("value"),
        "from": ours.get("low"),
        "to": ours.get("high"),
        "Published": line["published"].get(metric),
    }
    if not apart:
        return row
    parts = line["parts"]
    apart_values = {part: parts.get(part, {}).get(metric, {}).get("value") for part in PARTS}
    return row | {_PART_TITLES[part]: value for part, value in apart_values.items()}
