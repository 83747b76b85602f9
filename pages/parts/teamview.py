"""A team on the screen: its sub-goals, its members as lanes, the judge's verdicts."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.teams.report import team_report
from pages.parts.services import services
from pages.parts.text import plain

_MARKS = {"answered": ":material/check_circle:", "declined": ":material/block:", "failed": ":material/error:"}
_LAYERS = {3: "Synthesis and application", 2: "Processing and analysis", 1: "Acquisition and preprocessing"}


def report_of(run: str) -> dict[str, Any]:
    """Return what a run's record says of its team; empty for a run of one policy."""
    return team_report(services().manager.store, run) if run else {}


def show_team(report: dict[str, Any]) -> None:
    """Show the lanes of the members, the verdicts, and what happened between them."""
    for lane, members in _lanes(report["members"]).items():
        with st.container(border=True, gap="xsmall"):
            st.caption(plain(lane))
            with st.container(horizontal=True, gap="small"):
                for member in members:
                    _member(member)
    if report["verdicts"]:
        st.dataframe(_verdict_rows(report["verdicts"]), hide_index=True, alt="The judge's verdicts")
    for goal in report["sub_goals"]:
        contract = goal["contract"]
        read, made = (", ".join(contract[side]) or "-" for side in ("inputs", "outputs"))
        st.caption(plain(f"{goal['text']} In: {read}. Out: {made}."))
    for happened in report["happened"]:
        st.caption(plain(f"{happened['kind']}: {happened['text']}"))


def _lanes(members: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the members by layer, the highest first, or by variant."""
    lanes: dict[str, list[dict[str, Any]]] = {}
    for member in sorted(members, key=lambda m: (-m["layer"], m["variant"])):
        name = _LAYERS.get(member["layer"], f"Variant {member['variant']}")
        lanes.setdefault(name, []).append(member)
    return lanes


def _member(member: dict[str, Any]) -> None:
    lost = f", process lost {member['lost']} times" if member["lost"] else ""
    st.markdown(
        f"{_MARKS.get(member['status'], ':material/pending:')} **{plain(member['role'])}** · "
        f"{plain(member['goal'])} · {member['steps']} steps, {member['seconds']:.1f} s{lost}"
    )


def _verdict_rows(verdicts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "variant": verdict["variant"],
            "way": verdict["strategy"],
            "taken": verdict["chosen"],
            "success": verdict["success"],
            "confidence": verdict["confidence"],
            "why": verdict["why"],
        }
        for verdict in verdicts
    ]
