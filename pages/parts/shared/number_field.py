"""A field of a number that begins with its usual value, however late a browser draws it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from treeline.pages.parts.shared.session import first_value


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
