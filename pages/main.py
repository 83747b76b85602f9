"""The entry script of the pages."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from treeline.pages.parts.shared import look
from treeline.pages.parts.shared.sidebar import show_sidebar

HERE = Path(__file__).parent

st.set_page_config(page_title="Treeline", page_icon=str(HERE / "icon.png"), layout="wide")
page = st.navigation(
    [
        st.Page(HERE / "workbench.py", title="Workbench", icon=":material/explore:", default=True),
        st.Page(HERE / "data.py", title="Data", icon=":material/layers:"),
        st.Page(HERE / "tools.py", title="Tools", icon=":material/account_tree:"),
        st.Page(HERE / "knowledge.py", title="Knowledge", icon=":material/menu_book:"),
        st.Page(HERE / "lessons.py", title="Lessons", icon=":material/school:"),
        st.Page(HERE / "memory.py", title="Memory", icon=":material/psychology:"),
        st.Page(HERE / "compare.py", title="Compare", icon=":material/compare_arrows:"),
        st.Page(HERE / "lab.py", title="Lab", icon=":material/science:"),
        st.Page(HERE / "runs.py", title="Runs", icon=":material/history:"),
    ]
)
look.apply()
show_sidebar()
page.run()
