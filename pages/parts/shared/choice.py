"""A table in which one row is chosen: what is chosen is the thing, wherever its row stands afterwards."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st


def choose_row(rows: Sequence[Mapping[str, Any]], keys: Sequence[str], state: str, **how: Any) -> str | None:
    """Show a table and return the key of the row that is chosen.

    The browser tells row numbers, and the same number means another thing as soon as something is added,
    removed or sorted anew: so another order is another table, in which the chosen thing is marked again.

    Parameters
    ----------
    keys : sequence of str
        One for each row.
    state : str
        Where the session keeps the chosen key.
    **how
        As for ``st.dataframe``.
    """
    table = f"{state}-{_digest(keys)}"
    chosen = st.session_state.get(state)
    st.dataframe(
        list(rows),
        hide_index=True,
        selection_mode="single-row",
        on_select=partial(_keep, state, table, list(keys)),
        selection_default={"selection": {"rows": [keys.index(chosen)] if chosen in keys else []}},
        key=table,
        **how,
    )
    return chosen if chosen in keys else None


def _keep(state: str, table: str, keys: Sequence[str]) -> None:
    rows = st.session_state[table].selection.rows
    st.session_state[state] = keys[rows[0]] if rows else None


def _digest(keys: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(keys).encode("utf-8", "surrogateescape")).hexdigest()[:12]
