"""The entry script of the pages."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from treeline.core.access import LOCAL_PERSON, SERVER, Person, may
from treeline.pages.parts.identity.sign_in import person_of_page, show_entrance
from treeline.pages.parts.shared import look
from treeline.pages.parts.shared.announcer import show_heading
from treeline.pages.parts.shared.drawing import begin_drawing
from treeline.pages.parts.shared.history import keep_history_short
from treeline.pages.parts.shared.menus import link_menus
from treeline.pages.parts.shared.reading import is_reading
from treeline.pages.parts.shared.services import may_work, services
from treeline.pages.parts.shared.sidebar import show_sidebar
from treeline.pages.parts.shared.theme import watch_theme

HERE = Path(__file__).parent
# It is about people and work, so it needs no workspace.
ADMIN = "Admin"


def show_lab_of_team() -> None:
    """Show the part of the Lab that a team has: the reading of reports."""
    # Only a team's people need it, and only here.
    from treeline.pages.parts.lab.reading import show_reading

    show_reading()


def pages_for(person: Person) -> list[StreamlitPage]:
    """Return the pages of a person."""
    pages = [
        st.Page(HERE / "workbench.py", title="Workbench", icon=":material/explore:", default=True),
        st.Page(HERE / "pinned.py", title="Pinned", icon=":material/push_pin:"),
        st.Page(HERE / "data.py", title="Data", icon=":material/layers:"),
        st.Page(HERE / "tools.py", title="Tools", icon=":material/account_tree:"),
        st.Page(HERE / "knowledge.py", title="Knowledge", icon=":material/menu_book:"),
        st.Page(HERE / "lessons.py", title="Lessons", icon=":material/school:"),
        st.Page(HERE / "memory.py", title="Memory", icon=":material/psychology:"),
    ]
    if may(person, "create", SERVER):  # it asks questions
        pages.append(st.Page(HERE / "compare.py", title="Compare", icon=":material/compare_arrows:"))
    lab = HERE / "lab.py" if person.local else show_lab_of_team
    pages.append(st.Page(lab, title="Lab", icon=":material/science:", url_path="lab"))
    pages.append(st.Page(HERE / "runs.py", title="Runs", icon=":material/history:"))
    if may(person, "administer", SERVER) and not person.local:
        pages.append(st.Page(HERE / "admin.py", title=ADMIN, icon=":material/admin_panel_settings:"))
    return pages


def entrances() -> list[StreamlitPage]:
    """Return the way in under the address of every page, none of which is then told to be missing."""
    paths = [*(page.url_path for page in pages_for(LOCAL_PERSON)), ADMIN.lower()]
    return [st.Page(show_entrance, title="Treeline", url_path=path, default=not path) for path in paths]


begin_drawing()
# First whose session it is: the browser asks for the icon as soon as it is told of it.
person = person_of_page()
st.set_page_config(page_title="Treeline", page_icon=str(HERE / "icon.png"), layout="wide")
look.apply()
if person is None:
    st.navigation(entrances(), position="hidden").run()
else:
    # A reader has one page, and nothing beside it.
    page = st.navigation(pages_for(person), position="hidden" if is_reading() else "sidebar")
    show_heading(page.title)
    watch_theme()
    link_menus()
    keep_history_short()
    if not is_reading():
        show_sidebar()
    if services().library.names() or page.title == ADMIN:
        page.run()
    else:
        own = "Create one under Edit, or ask" if may_work() else "Ask"
        st.info(f"No workspace is shared with you yet. {own} a colleague to share one.")
