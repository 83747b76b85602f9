"""From a failure to its fix: the rounds of a question, and two of them beside each other."""

from __future__ import annotations

from typing import Any

import streamlit as st

from treeline.core.engine.actions import Answer, Call, action_name
from treeline.core.engine.state import Step
from treeline.core.memory.entries import Entry
from treeline.core.memory.inspection import Mark, Pair, align, steps_of
from treeline.core.memory.rounds import Round, rounds_of
from treeline.core.record.store import Store
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.opening import open_run
from treeline.pages.parts.shared.text import plain, shorten

_MARKS: dict[Mark, tuple[str, str]] = {
    "same": ("", ""),
    "changed": ("≠ changed", "background-color: rgba(224, 176, 80, 0.28)"),
    "gone": ("− gone", "background-color: rgba(194, 86, 33, 0.24)"),
    "new": ("+ new", "background-color: rgba(27, 127, 77, 0.24)"),
}
_LONGEST = 150


def show_rounds(store: Store, entry: Entry) -> None:
    """Show the rounds of an entry's question and what differs between its round and the next."""
    rounds = rounds_of(store, entry.root)
    if not rounds:
        st.caption("The question was asked in a single round; its next attempt is given this entry.")
        return
    for each in rounds:
        _line(each, here=each.run == entry.run)
    position = next((i for i, each in enumerate(rounds) if each.run == entry.run), None)
    if position is None or position + 1 >= len(rounds):
        st.caption("No further round followed.")
        return
    before, after = rounds[position], rounds[position + 1]
    pairs = align(steps_of(store, before.run), steps_of(store, after.run))
    _table(pairs, before, after)
    _open(store, after)


def _line(each: Round, here: bool) -> None:
    succeeded = each.is_success
    icon, colour = ("check_circle", "green") if succeeded else ("error", "orange")
    answer = each.finished.answer if each.finished else None
    text = answer.text if answer else (each.finished.reason if each.finished else "not finished")
    signs = [str(i["sign"]).replace("_", " ") for i in each.judgement.issues] if each.judgement else []
    badges = " ".join(f":orange-badge[{plain(sign)}]" for sign in dict.fromkeys(signs))
    name = f"**Round {each.number}**" if here else f"Round {each.number}"
    st.markdown(f":{colour}[:material/{icon}:] {name} {badges} {plain(shorten(text, 220))}")


def _table(pairs: list[Pair], before: Round, after: Round) -> None:
    import pandas as pd

    rows = [_row(pair, before, after) for pair in pairs]
    frame = pd.DataFrame(rows)
    styles = [_MARKS[pair.mark][1] for pair in pairs]
    styled = frame.style.apply(lambda row: [styles[int(row.name)]] * len(row), axis=1)
    st.dataframe(
        styled,
        hide_index=True,
        height=table_height(len(rows), 380),
        alt="Two rounds, step beside step",
        column_config={
            name: st.column_config.TextColumn(width=295 if name else 78) for name in frame.columns
        },
    )
    changed = sum(pair.mark != "same" for pair in pairs)
    st.caption(f"{changed} of {len(pairs)} steps differ")


def _row(pair: Pair, before: Round, after: Round) -> dict[str, Any]:
    return {
        "": _MARKS[pair.mark][0],
        f"Round {before.number}": step_line(pair.before),
        f"Round {after.number}": step_line(pair.after),
    }


def step_line(step: Step | None) -> str:
    """Return a step in a line."""
    if step is None:
        return ""
    match step.action:
        case Call(tool=tool, arguments=arguments):
            given = ", ".join(f"{name}={shorten(value, 40)}" for name, value in arguments.items())
            sign = "→" if step.observation.is_success else f"✕ {step.observation.kind}:"
            return f"{step.number} {tool}({shorten(given, 110)}) {sign} {shorten(step.observation.text, 80)}"
        case Answer(text=text):
            return f"{step.number} answer: {shorten(text, _LONGEST)}"
        case _:
            return f"{step.number} {step.action.kind} {action_name(step.action)}"


def _open(store: Store, after: Round) -> None:
    if st.button("Open the run on the Workbench", icon=":material/open_in_new:", key="memory-open-run"):
        record = store.run(after.run)
        if record is not None:
            open_run(record)
