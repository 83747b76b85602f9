"""What was done lately and can be undone for a while: the newest on top, each with its button."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from treeline.pages.parts.shared.clock import moment_text
from treeline.pages.parts.shared.text import count_text, plain

_MOST = 20


@dataclass(frozen=True, slots=True)
class Undoable:
    """One thing that can be undone.

    Attributes
    ----------
    key : str
        Names it.
    name : str
        Of the file, or files.
    until : datetime
        When it can be undone no more.
    what : str
        What of the file, where that is not all.
    """

    key: str
    name: str
    until: datetime
    what: str = ""


@dataclass(frozen=True, slots=True)
class Deed:
    """A kind of what can be undone, in words and keys; in `undoing` stands ``{name}`` for the file.

    Attributes
    ----------
    title : str
        Over the list: "Removed".
    earlier : str
        One more of them: "earlier removal".
    icon : str
    key, button : str
        Begin the keys of the list and of its buttons.
    undoing : str
        What the button does.
    """

    title: str
    earlier: str
    icon: str
    key: str
    button: str
    undoing: str


def show_undoable(
    deed: Deed,
    done: Sequence[Undoable],
    just_done: str | None,
    undo: Callable[[str], None],
    below: Callable[[], None] | None = None,
) -> None:
    """Show a list of what can be undone.

    Parameters
    ----------
    done : sequence of Undoable
        The newest first; at least one.
    just_done : str, optional
        The key of what was done now, with which the list is open.
    undo : callable
        Takes the key of what is to be undone.
    below : callable, optional
        Shows what else can be done with all of them.
    """
    title = f"{deed.title}: {plain(done[0].name)}"
    if len(done) > 1:
        title += f", and {count_text(len(done) - 1, deed.earlier)}"
    with st.expander(
        title, icon=deed.icon, expanded=just_done == done[0].key, key=f"{deed.key}-{done[0].key}"
    ):
        for each in done[:_MOST]:
            with st.container(horizontal=True, vertical_alignment="center"):
                kept = f"kept until {moment_text(each.until)}"
                st.markdown(f"**{plain(each.name)}** — " + "; ".join(filter(None, (each.what, kept))))
                st.button(
                    "Undo",
                    icon=":material/undo:",
                    key=f"{deed.button}-{each.key}",
                    help=deed.undoing.format(name=each.name),
                    on_click=undo,
                    args=(each.key,),
                )
        if len(done) > _MOST:
            st.caption(f"The {_MOST} newest of {len(done)} are shown.")
        if below is not None:
            below()
