"""The few rules of style that the theme has no setting for. Constant; nothing from data comes in."""

from __future__ import annotations

import streamlit as st

from pages.parts.teamstyle import BOARD_STYLE

_STYLE = (
    f"<style>{BOARD_STYLE}</style>"
    + """
<style>
.stMainBlockContainer { padding: 2.1rem 1rem 0.4rem 1rem; }
.stAppHeader { height: 2rem; min-height: 2rem; background: transparent; }
[data-testid="stStatusWidget"] { display: none; }
[data-stale="true"] { opacity: 1 !important; transition: none !important; }
[data-testid="stSidebarHeader"] { height: 2rem; padding-bottom: 0; margin-bottom: 0; }
[data-testid="stSidebarUserContent"] { padding-bottom: 1rem; }
.stTabs [data-baseweb="tab-panel"] { padding-top: 0.25rem; }
.st-key-steps summary, .st-key-steps summary p { color: inherit; opacity: 1; }
.st-key-tree-box { overflow-x: hidden; }
.st-key-steps [data-testid="stMarkdownContainer"] { font-variant-numeric: tabular-nums; }
</style>
"""
)


_ROW, _HEADER = 28, 31


def table_height(rows: int, most: int) -> int:
    """Return the height of a table without empty rows."""
    return min(most, _HEADER + _ROW * max(rows, 1))


def apply() -> None:
    """Apply the rules to the page."""
    st.html(_STYLE)
