"""The people of the server: role, groups, a way to block one."""

from __future__ import annotations

from typing import Any

import streamlit as st

from treeline.core.access import ROLES
from treeline.core.record.people import PersonRow
from treeline.pages.parts.shared.choice import choose_row
from treeline.pages.parts.shared.clock import moment_column
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.services import administration
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import TreelineError

_FAULT = "admin-fault"


def show_people() -> None:
    """Show everybody who came, and what can be done about the one who is chosen."""
    fault = st.session_state.pop(_FAULT, None)
    if fault:
        st.error(plain(fault), icon=":material/error:")
    everybody = administration().people()
    left, right = st.columns([8, 4], gap="small")
    with left:
        chosen = choose_row(
            [_row(listed) for listed in everybody],
            [listed.person.id for listed in everybody],
            "admin-person",
            height=table_height(len(everybody), 580),
            alt="People of the server",
            column_config={"First seen": moment_column(width=120), "Last seen": moment_column(width=120)},
        )
    with right:
        found = next((listed for listed in everybody if listed.person.id == chosen), None)
        if found is None:
            st.caption("Choose a person to change role and groups, or to block.")
        else:
            _edit(found)


def _row(listed: PersonRow) -> dict[str, Any]:
    return {
        "Person": listed.person.id,
        "Name": listed.person.name,
        "Role": listed.person.role,
        "Groups": ", ".join(sorted(listed.person.groups)),
        "Blocked": listed.blocked,
        "Last seen": listed.seen,
        "First seen": listed.created,
    }


def _edit(listed: PersonRow) -> None:
    person = listed.person
    st.markdown(f"**{plain(person.title)}**")
    with st.form(f"person-{person.id}", border=False):
        role = st.selectbox("Role", ROLES, ROLES.index(person.role))
        groups = st.text_input("Groups, with commas between", ", ".join(sorted(person.groups)))
        if st.form_submit_button("Save", type="primary", icon=":material/check:"):
            _save(listed, role, groups)
    label, icon = ("Let in again", "lock_open") if listed.blocked else ("Block", "block")
    if st.button(label, icon=f":material/{icon}:"):
        _act(lambda: administration().set_blocked(person.id, not listed.blocked))


def _save(listed: PersonRow, role: Any, groups: str) -> None:
    person, found = listed.person, administration()
    wanted = frozenset(group.strip() for group in groups.split(",") if group.strip())

    def save() -> None:
        # Each of the two is a line of the audit: one that was left as it is must not appear there
        # as a change.
        if role != person.role:
            found.set_role(person.id, role)
        if wanted != person.groups:
            found.set_groups(person.id, wanted)

    _act(save)


def _act(do: Any) -> None:
    try:
        do()
    except TreelineError as error:
        st.session_state[_FAULT] = str(error)
    # The table above shows how it was; the next drawing shows how it is, or what was wrong.
    st.rerun()
