"""What the address of a page holds of a session, so that a reload or a bookmark finds it again.

A change of the page leaves the address empty; whoever shows a choice puts it there again. Streamlit's own
binding of widgets to the address is of no use here: a page with one cannot be left by ``st.switch_page``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from treeline.pages.parts.shared.session import keep

# A browser's address holds a few thousand letters.
LONGEST = 1500


def put_in_address(name: str, value: str) -> None:
    """Put a value into the address; an empty or a too long one takes the name out of it."""
    if not 0 < len(value) <= LONGEST:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value


def put_all_in_address(name: str, values: Sequence[str]) -> None:
    """Put several values into the address under one name; none takes the name out of it."""
    if st.query_params.get_all(name) == list(values):
        return
    if values:
        st.query_params[name] = list(values)
    else:
        st.query_params.pop(name, None)


def keep_choice(name: str, usual: str, offered: Collection[str]) -> None:
    """Keep a choice of the session as :func:`keep` does, begun with that of the address, and put it there.

    Parameters
    ----------
    usual : str
        What is chosen where nothing is; the address does not name it.
    offered : collection of str
        What can be chosen; whatever else an address names counts for nothing.
    """
    asked = st.query_params.get(name, usual)
    keep(name, asked if asked in offered else usual)
    chosen = str(st.session_state[name])
    put_in_address(name, "" if chosen == usual else chosen)


def keep_text(name: str) -> None:
    """Begin a field of text with what the address names so, and put there what stands in it."""
    if name not in st.session_state:
        st.session_state[name] = st.query_params.get(name, "")
    put_in_address(name, st.session_state[name] or "")


def keep_several(name: str, offered: Collection[str]) -> None:
    """Begin a choice of several with those of what is offered that the address names, and put it there."""
    if name not in st.session_state:
        st.session_state[name] = [value for value in st.query_params.get_all(name) if value in offered]
    put_all_in_address(name, st.session_state[name])


def keep_chosen(state: str) -> None:
    """Begin what is chosen in a table with what the address names so, and put it there."""
    if state not in st.session_state:
        st.session_state[state] = st.query_params.get(state)
    put_in_address(state, str(st.session_state[state] or ""))
