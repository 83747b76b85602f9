"""What an item of the memory bank says, in a line and in full."""

from __future__ import annotations

import streamlit as st

from treeline.core.memory.items import BankItem
from treeline.pages.parts.shared.text import plain, shorten

REVIEWS = {
    "accepted": (":green-badge[:material/check: accepted]", "It enters runs."),
    "proposed": (":orange-badge[:material/hourglass: to review]", "No run uses it before it is accepted."),
    "rejected": (":gray-badge[:material/close: rejected]", "No run uses it."),
}


def headline(item: BankItem) -> str:
    """Return what an item says in a line: of a procedure the question it was learned from and its tools."""
    if item.procedure is None:
        return " ".join(item.text.split())
    return ": ".join(filter(None, (item.topic, " → ".join(item.procedure.tools))))


def show_text(text: str) -> None:
    """Show what an item says; the lines of a procedure stay lines."""
    first, _, rest = text.partition("\n")
    st.markdown(plain(first))
    if rest:
        st.code(rest, language=None, wrap_lines=True)


def marks_of(item: BankItem) -> str:
    """Return what keeps an item from runs, in front of its line."""
    told = [item.review] if item.review != "accepted" else []
    return "".join(f"{mark}: " for mark in [*told, *(["muted"] if item.muted else [])])


def line_of(item: BankItem, longest: int = 200) -> str:
    """Return an item as a row of a list."""
    return f"{marks_of(item)}{shorten(headline(item), longest)}"
