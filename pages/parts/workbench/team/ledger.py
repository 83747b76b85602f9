"""What each member of a team cost: steps, seconds, tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from treeline.core.context.ledger import PARTS, Ledger, ledger_of
from treeline.pages.parts.shared.ledger_chart import COLOURS, frame
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.theme import is_dark
from treeline.pages.parts.workbench.team.model import Team

_WIDTH, _CHART_HEIGHT = 640, 190


_SUMMED = ("Steps", "Seconds", "Tokens in", "Tokens out")


def show_team_ledger(team: Team) -> None:
    """Show what the members cost, beside each other, when it is unfolded."""
    with st.popover("Cost", icon=":material/stacked_bar_chart:", key="ledger", on_change="rerun") as part:
        if not part.open:
            return
        ledgers = {lane.name: ledger_of(lane.view.state) for lane in team.members}
        if not any(ledger.turns for ledger in ledgers.values()):
            st.caption("No turn yet.")
            return
        rows = member_rows(team, ledgers)
        st.dataframe(
            rows,
            hide_index=True,
            width=_WIDTH,
            height=table_height(len(rows), 230),
            key="team-ledger",
            alt="What each member cost",
            column_config={"Seconds": st.column_config.NumberColumn(format="%.2f")},
        )
        st.caption(describe_cost(team, ledgers))
        st.echarts_chart(
            members_option(ledgers, dark=is_dark()),
            height=_CHART_HEIGHT,
            width=_WIDTH,
            renderer="svg",
            key="team-ledger-chart",
            alt=f"Tokens of {len(ledgers)} members by part of the context",
        )


def member_rows(team: Team, ledgers: Mapping[str, Ledger]) -> list[dict[str, Any]]:
    """Return a row for each member and one for all; tokens as counted, or as an endpoint reported."""
    place = "Layer" if team.kind == "layered" else "Variant"
    rows: list[dict[str, Any]] = [
        {
            "Member": f"{lane.role}: {lane.goal}",
            place: str(lane.layer or lane.variant),
            "Steps": len(lane.view.steps),
            "Seconds": lane.seconds,
            "Tokens in": ledgers[lane.name].input,
            "Tokens out": ledgers[lane.name].output,
        }
        for lane in team.members
    ]
    if team.orchestrator.input:
        told = {"Tokens in": team.orchestrator.input, "Tokens out": team.orchestrator.output}
        rows.append({"Member": "orchestrator", place: "", **told})
    sums: dict[str, Any] = {name: sum(row.get(name, 0) for row in rows) for name in _SUMMED}
    return [*rows, {"Member": "all", place: "", **sums}]


def describe_cost(team: Team, ledgers: Mapping[str, Ledger]) -> str:
    """Return how the cost is counted, and what the ways that were not taken cost."""
    reported = any(turn.reported.input for ledger in ledgers.values() for turn in ledger.turns)
    how = "Tokens as the endpoint reported them." if reported else "Tokens: what a language model would get."
    spare = [v["variant"] for v in team.verdicts if not v["chosen"]]
    lanes = [lane for lane in team.members if lane.variant in spare]
    if not lanes:
        return how
    steps = sum(len(lane.view.steps) for lane in lanes)
    took = sum(lane.seconds for lane in lanes)
    tokens = sum(ledgers[lane.name].input + ledgers[lane.name].output for lane in lanes)
    which = ", ".join(map(str, spare))
    return f"{how} Not taken: variant {which}, {steps} steps, {took:.1f} s, {tokens:,} tokens."


def members_option(ledgers: Mapping[str, Ledger], *, dark: bool) -> dict[str, Any]:
    """Return a stacked bar for each member, as an option of ECharts."""
    parts = {name: ledger.parts() for name, ledger in ledgers.items()}
    series = [
        {
            "type": "bar",
            "name": part,
            "stack": "context",
            "barMaxWidth": 60,
            "itemStyle": {"color": COLOURS[part]},
            "data": [tokens[part] for tokens in parts.values()],
        }
        for part in PARTS
        if any(tokens[part] for tokens in parts.values())
    ]
    return frame(list(ledgers), series, dark, "member")
