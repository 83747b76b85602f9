"""Runs side by side: a table, tokens by turn, and for each its tree, its tools and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from treeline.core.context.ledger import Ledger, Prices, ledger_of
from treeline.core.engine.actions import Call
from treeline.core.engine.journal import events_of
from treeline.core.lab.metrics import score_trajectory
from treeline.core.lab.records import ToolCall
from treeline.core.record.store import RunRecord
from treeline.pages.parts.compare.form import expert_tools, prices
from treeline.pages.parts.shared.answer import standing
from treeline.pages.parts.shared.ledger_chart import turns_option
from treeline.pages.parts.shared.opening import open_run
from treeline.pages.parts.shared.run_view import RunView, run_view
from treeline.pages.parts.shared.services import services, tree_of
from treeline.pages.parts.shared.text import plain, seconds, shorten, tell_apart
from treeline.pages.parts.shared.theme import is_dark
from treeline.pages.parts.shared.tree_chart import fitting_height, tree_option
from treeline.pages.parts.shared.tree_view import tree_view

_COLUMNS = 2
_LONGEST_QUESTION = 40
_TREE_HEIGHT = 250
_TURNS_HEIGHT = 200


@dataclass(frozen=True)
class ComparedRun:
    """A run with what is compared of it."""

    record: RunRecord
    view: RunView
    ledger: Ledger

    @property
    def strategy(self) -> str:
        """The name of its disclosure."""
        return str(self.record.options.get("disclosure", ""))

    @property
    def tools(self) -> list[str]:
        """The tools that it called with success, in order."""
        done = [step for step in self.view.state.calls if step.observation.is_success]
        return [step.action.tool for step in done if isinstance(step.action, Call)]


def compare_runs(runs: Sequence[str]) -> list[ComparedRun]:
    """Return the runs as the store has them now."""
    store = services().store
    records = [record for record in map(store.run, runs) if record is not None]
    views = [run_view(events_of(store, record.id)) for record in records]
    return [ComparedRun(r, v, ledger_of(v.state)) for r, v in zip(records, views, strict=True)]


def names_of(shown: Sequence[ComparedRun]) -> list[str]:
    """Return what the runs are called: by strategy, and where two have the same one by question as well."""
    strategies = {each.record.id: each.strategy for each in shown}
    questions = {each.record.id: shorten(each.record.question, _LONGEST_QUESTION) for each in shown}
    told = tell_apart(strategies, questions)
    return [told[each.record.id] for each in shown]


def show_summary(shown: Sequence[ComparedRun]) -> None:
    """Show a row for each run."""
    st.dataframe(
        [
            summary_row(each, expert_tools()) | {"Strategy": name}
            for each, name in zip(shown, names_of(shown), strict=True)
        ],
        hide_index=True,
        key="compare-summary",
        alt="The strategies and what each cost",
        column_config={
            "Strategy": st.column_config.TextColumn(width=90),
            "Status": st.column_config.TextColumn(width=120),
            "Answer": st.column_config.TextColumn(width="large"),
            "Input tokens": st.column_config.NumberColumn(format="localized"),
            "Cached": st.column_config.NumberColumn(format="localized"),
            "Output": st.column_config.NumberColumn(format="localized"),
            "A turn": st.column_config.NumberColumn(format="localized", help="Input tokens of a turn."),
            "Cost": st.column_config.NumberColumn(format="%.5f"),
        },
    )


def summary_row(each: ComparedRun, expert: Sequence[str]) -> dict[str, Any]:
    """Return what is compared of a run; with the expert's tools also its scores."""
    answer = each.view.finished.answer if each.view.finished else None
    turns = len(each.ledger.turns)
    row: dict[str, Any] = {
        "Strategy": each.strategy,
        "Status": standing(each.record.status, each.view.finished)[2],
        "Answer": answer.text if answer else "",
        "Turns": turns,
        "Input tokens": each.ledger.input,
        "A turn": round(each.ledger.input / turns) if turns else 0,
        "Cached": each.ledger.cached_input,
        "Output": each.ledger.output,
        "Seconds": round(each.view.seconds, 2),
    }
    if prices() != Prices():
        row["Cost"] = prices().of(each.ledger)
    if expert:
        scores = score_trajectory(*([ToolCall(tool=t) for t in tools] for tools in (each.tools, expert)))
        row |= {
            "Any order": scores.tool_any_order,
            "In order": scores.tool_in_order,
            "Exact": scores.tool_exact_match,
        }
    return row


def show_turns(shown: Sequence[ComparedRun]) -> None:
    """Show the tokens of each turn, a line a strategy."""
    if not any(each.ledger.turns for each in shown):
        return
    ledgers = dict(zip(names_of(shown), (each.ledger for each in shown), strict=True))
    option = turns_option(ledgers, dark=is_dark())
    st.echarts_chart(
        option,
        height=_TURNS_HEIGHT,
        renderer="svg",
        key="compare-turns",
        alt="Tokens of each turn by strategy",
    )


def show_cards(shown: Sequence[ComparedRun]) -> None:
    """Show for each run its tree, its tools and its answer, two beside one another."""
    named = list(zip(shown, names_of(shown), strict=True))
    for start in range(0, len(shown), _COLUMNS):
        row = named[start : start + _COLUMNS]
        for column, (each, name) in zip(st.columns(_COLUMNS, gap="small"), row, strict=False):
            key = f"compared-{each.strategy}-{each.record.id}"
            with column.container(border=True, gap="xsmall", key=key):
                _card(each, name)


def _card(each: ComparedRun, name: str) -> None:
    colour, icon, word = standing(each.record.status, each.view.finished)
    tokens = f"{each.ledger.input:,} tokens · {seconds(each.view.seconds)}"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(f"**{plain(name)}** :{colour}-badge[:material/{icon}: {word}] :gray[{tokens}]")
        st.space("stretch")
        if st.button("Open", key=f"open-{each.record.id}", type="tertiary", icon=":material/explore:"):
            open_run(each.record)
    _tree(each)
    st.markdown(sequence_text(each.tools, expert_tools()) or "No call yet.")
    finished = each.view.finished
    if finished is not None:
        st.markdown(plain(finished.answer.text if finished.answer else finished.reason))


def _tree(each: ComparedRun) -> None:
    nodes = tree_view(tree_of(each.record.id), each.view.steps, each.view.pending)
    height = fitting_height(nodes, _TREE_HEIGHT)
    opened = ", ".join(kit.name for kit in nodes if kit.opened) or "none"
    with st.container(height=_TREE_HEIGHT + 10, border=False):
        st.echarts_chart(
            tree_option(nodes, None, dark=is_dark(), height=height),
            height=height,
            renderer="svg",
            key=f"tree-{each.record.id}",
            alt=f"Tree of {each.strategy}; opened kits: {opened}",
        )


def sequence_text(tools: Sequence[str], expert: Sequence[str] = ()) -> str:
    """Return tools in their order; those of the expert are marked."""
    wanted = set(expert)
    return " → ".join(f":green-badge[{plain(tool)}]" if tool in wanted else plain(tool) for tool in tools)
