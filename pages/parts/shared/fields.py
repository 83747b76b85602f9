"""Fields that begin with the value that the session has, however late a browser draws them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from treeline.pages.parts.shared.session import first_value, position_of, widget_value


def show_choice(label: str, key: str, names: Mapping[str, str], **how: Any) -> None:
    """Show a choice of one of several, whose value :func:`keep` has begun.

    Parameters
    ----------
    key : str
        Where the session has what is chosen.
    names : mapping
        What can be chosen, and what each is called.
    **how
        As for ``st.selectbox``.
    """
    options = list(names)
    # A name may be gone once the browser tells what was chosen.
    shown = {**how, "format_func": lambda name: names.get(name, name)}
    st.selectbox(label, options, position_of(key, options), key=key, **shown)


def show_text_field(label: str, key: str, **how: Any) -> None:
    """Show a field of text, whose value :func:`keep` has begun.

    Parameters
    ----------
    key : str
        Where the session has the text.
    **how
        As for ``st.text_input``.
    """
    st.text_input(label, widget_value(key), key=key, **how)


def show_number_field(
    label: str, key: str, usual: float | None, least: float, most: float | None = None, **how: Any
) -> None:
    """Show a field of a number; what stands in it is kept while the field is not shown.

    A first value that is only written into the session can miss a browser that draws late, which would begin
    with the least one.

    Parameters
    ----------
    key : str
        Where the session has the number.
    usual : float or int, optional
        What it begins with; ``None`` for an empty field.
    least, most : float or int
        What may be given.
    **how
        As for ``st.number_input``.
    """
    st.number_input(label, least, most, first_value(key, usual), key=key, **how)
