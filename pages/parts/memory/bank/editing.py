"""Editing an item of the memory bank: its words, its key, its procedure and checks."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.items import BankItem
from treeline.core.memory.procedure import Procedure, ProcedureStep
from treeline.pages.parts.shared.text import plain
from treeline.toolkit import registry
from treeline.toolkit.errors import InputError

_COLUMNS = {
    "tool": st.column_config.TextColumn("Tool", width=150, required=True),
    "arguments": st.column_config.TextColumn("Arguments", help='Such as {"file_list": "<ndvi>"}'),
    "gives": st.column_config.TextColumn("Gives", width=90),
    "check": st.column_config.TextColumn("Check", width=110),
}


def show_editing(bank: MemoryBank, item: BankItem) -> None:
    """Show a form that changes an item."""
    with st.form(f"bank-edit-{item.key}", border=False):
        text = st.text_area("What it says", item.text, height=130, max_chars=8000)
        expression = st.text_area(
            "Key",
            item.expression,
            height=90,
            help="A list of expressions as JSON, as treeline explain --json gives them; empty for none.",
        )
        st.caption("Procedure")
        rows = st.data_editor(
            _rows(item.procedure),
            num_rows="dynamic",
            hide_index=True,
            column_config=_COLUMNS,
            key=f"bank-steps-{item.key}",
        )
        checks = st.text_area(
            "Checks of the answer, one a line",
            "\n".join(item.procedure.checks) if item.procedure else "",
            height=70,
        )
        if st.form_submit_button("Save", type="primary", icon=":material/save:"):
            _save(bank, item, text, expression, rows, checks)


def _rows(procedure: Procedure | None) -> list[dict[str, str]]:
    steps = procedure.steps if procedure else ()
    rows = [
        {
            "tool": step.tool,
            "arguments": json.dumps(step.arguments, ensure_ascii=False),
            "gives": step.gives,
            "check": step.check,
        }
        for step in steps
    ]
    # An editor without a row has no columns either, so that nothing could be added.
    return rows or [dict.fromkeys(_COLUMNS, "")]


def _save(
    bank: MemoryBank, item: BankItem, text: str, expression: str, rows: list[dict[str, Any]], checks: str
) -> None:
    try:
        steps = tuple(_step(row) for row in rows if (row.get("tool") or "").strip())
        told = tuple(line.strip() for line in checks.splitlines() if line.strip())
        ways = item.procedure.ways if item.procedure else ()
        bank.edit(item.key, text, expression, Procedure(steps, told, ways) if steps else None)
    except InputError as error:
        st.error(plain(error))
        return
    st.rerun()


def _step(row: dict[str, Any]) -> ProcedureStep:
    """Return a row as a step.

    Raises
    ------
    InputError
        There is no such tool, or the arguments are no JSON object.
    """
    tool = str(row["tool"]).strip()
    registry().get(tool)
    try:
        arguments = json.loads(row.get("arguments") or "{}")
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        raise InputError(f"The arguments of {tool} are no JSON object.", 'Such as {"file_list": "<ndvi>"}.')
    named = {str(name): str(value) for name, value in arguments.items()}
    return ProcedureStep(tool, named, str(row.get("gives") or ""), str(row.get("check") or ""))
