"""The skill tree by keyboard: one stop of Tab in which arrows go from node to node, and Enter chooses one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

_KEYS = st.components.v2.component(
    "treeline_tree_keys",
    html='<ul role="tree" tabindex="0" aria-label="Skill tree"></ul><span hidden></span>',
    css="""
        ul { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden;
             clip-path: inset(50%); }
        span { position: fixed; z-index: 5; box-sizing: border-box; border: 2px solid currentColor;
               border-radius: 4px; pointer-events: none; }
    """,
    js=Path(__file__).with_suffix(".js").read_text("utf-8"),
)
KEY = "tree-keys"


@dataclass(frozen=True, slots=True)
class Entry:
    """A node as a person goes to it by keyboard.

    Attributes
    ----------
    label : str
        What the chart writes beside it.
    level : int
        1 for a kit, 2 for a tool.
    told : str
        What it is called and how it stands, to be read aloud.
    """

    name: str
    label: str
    level: int
    told: str


def listen_to_keys(entries: Sequence[Entry], selected: str | None, on_choice: Callable[[str], None]) -> None:
    """Let a person go through the nodes of the chart above; Enter calls back with the name of one."""

    def tell_choice() -> None:
        name = st.session_state[KEY].chosen
        if any(entry.name == name for entry in entries):
            on_choice(name)

    with st.container(key=f"{KEY}-box"):
        _KEYS(
            key=KEY,
            data={"entries": [asdict(entry) for entry in entries], "selected": selected or ""},
            on_chosen_change=tell_choice,
        )
