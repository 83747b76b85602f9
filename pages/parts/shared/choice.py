"""A table that is searched and in which rows are chosen: the thing is, wherever its row stands afterwards."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treeline.pages.parts.shared.address import keep_text
from treeline.pages.parts.shared.session import widget_value


def choose_row(
    rows: Sequence[Mapping[str, Any]],
    keys: Sequence[str],
    state: str,
    then: Callable[[str], None] | None = None,
    **how: Any,
) -> str | None:
    """Show a table and return the key of the row that is chosen.

    Parameters
    ----------
    keys : sequence of str
        One for each row.
    state : str
        Where the session keeps the chosen key.
    then : callable, optional
        Told of a key as soon as it is chosen, before the page is built again.
    **how
        As for ``st.dataframe``.
    """

    def keep(chosen: Sequence[str]) -> None:
        st.session_state[state] = chosen[0] if chosen else None
        if chosen and then is not None:
            then(chosen[0])

    kept = st.session_state.get(state)
    known = [key for key in keys if key == kept]
    _show(rows, keys, known, state, "single-row", keep, how)
    return known[0] if known else None


def choose_rows(rows: Sequence[Mapping[str, Any]], keys: Sequence[str], state: str, **how: Any) -> list[str]:
    """Show a table and return the keys of the rows that are chosen, see :func:`choose_row`."""

    def keep(chosen: Sequence[str]) -> None:
        st.session_state[state] = list(chosen)

    known = [key for key in st.session_state.get(state, ()) if key in keys]
    _show(rows, keys, known, state, "multi-row", keep, how)
    return known


def search_words(placeholder: str, *, key: str, **how: Any) -> str | None:
    """Show the field in which a list is searched, and return what stands in it; the address keeps it.

    Parameters
    ----------
    placeholder : str
        What can be searched for.
    **how
        As for ``st.text_input``.
    """
    keep_text(key)
    return st.text_input(
        "Search",
        widget_value(key),
        type="search",
        live=True,
        placeholder=placeholder,
        label_visibility="collapsed",
        key=key,
        **how,
    )


def tell_absent(state: str) -> bool:
    """Say that what the address or the session chose is not in the table; return whether anything was chosen.

    For a table that shows nothing as chosen.
    """
    absent = bool(st.session_state.get(state))
    if absent:
        st.caption(
            ":material/search_off: What was chosen, or what the address names, is not in this table: "
            "it was removed or renamed, or the filters leave it out."
        )
    return absent


def beside_choice(shares: Sequence[float], *states: str, there: bool = True) -> list[DeltaGenerator]:
    """Return the columns for a table and for what is chosen in it; one alone while nothing is.

    Parameters
    ----------
    shares : sequence of float
        Of the width, for the table and for what stands beside it.
    states : str
        Where the session keeps what is chosen.
    there : bool
        Whether what the session keeps is still to be had: what was removed leaves no empty place.
    """
    columns = st.columns(shares, gap="small")
    if there and any(st.session_state.get(state) for state in states):
        return columns
    # Hidden and not left out: in another row of columns the table would be built anew.
    for number, column in enumerate(columns[1:]):
        column.container(key=f"beside-nothing-{number}").html("<i hidden></i>")
    return columns[:1]


def _show(
    rows: Sequence[Mapping[str, Any]],
    keys: Sequence[str],
    chosen: Sequence[str],
    state: str,
    mode: Literal["single-row", "multi-row"],
    keep: Callable[[Sequence[str]], None],
    how: Mapping[str, Any],
) -> None:
    """Show the table; what is chosen in it is kept by its keys.

    The browser sends row numbers, and the same number means another thing as soon as something is added,
    removed or sorted anew: so another order is another table, in which the chosen things are marked again.
    """
    table = f"{state}-{_digest(keys)}"
    st.dataframe(
        list(rows),
        hide_index=True,
        placeholder="",
        selection_mode=mode,
        on_select=partial(_tell, table, list(keys), keep),
        selection_default={"selection": {"rows": [keys.index(key) for key in chosen]}},
        key=table,
        **how,
    )


def _tell(table: str, keys: Sequence[str], keep: Callable[[Sequence[str]], None]) -> None:
    keep([keys[row] for row in st.session_state[table].selection.rows])


def _digest(keys: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(keys).encode("utf-8", "surrogateescape")).hexdigest()[:12]
