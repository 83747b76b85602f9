"""Sharing a workspace, a run, a card or a lesson: with whom it is shared, and a form that adds somebody."""

from __future__ import annotations

import streamlit as st

from treeline.core.access import ALL, Grant, Kind, Right, acting_person
from treeline.core.access.identity import normalise_identity
from treeline.core.record.store import RunRecord
from treeline.pages.parts.shared.services import asker_of, services
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import TreelineError

_WHOM = {"person": "A person", "group": "A group", "all": "Everybody"}
_RIGHTS: dict[Right, str] = {"see": "may look", "change": "may work in it"}
_FAULT = "sharing-fault"


def show_sharing(kind: Kind, name: str) -> None:
    """Show whom a thing of the person's own is shared with; nothing for what belongs to others."""
    thing = services().sharing.thing(kind, name)
    if thing is None:
        return
    st.markdown(f"**Shared with** ({thing.visibility})")
    for grant in sorted(thing.grants, key=lambda grant: grant.to):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.markdown(f"{plain(grant.title)} — {_RIGHTS[grant.right]}")
            st.button(
                "",
                icon=":material/close:",
                type="tertiary",
                help=f"Stop sharing with {plain(grant.title)}",
                key=f"withdraw-{kind}-{name}-{grant.to}",
                on_click=_withdraw,
                args=(kind, name, grant.to),
            )
    key = f"share-{kind}-{name}"
    # A lesson is shared with everybody in another way.
    whom = [each for each in _WHOM if kind != "memory" or each != "all"]
    # Emptied once it is sent: whoever shares with several people types their names one after the other.
    with st.form(key, border=False, clear_on_submit=True):
        st.segmented_control(
            "Share with",
            whom,
            default="person",
            required=True,
            format_func=lambda w: _WHOM[w],
            key=f"{key}-whom",
            label_visibility="collapsed",
        )
        st.text_input("Name", key=f"{key}-name", placeholder="ana@example.org", label_visibility="collapsed")
        with st.container(horizontal=True, gap="xsmall"):
            if kind == "workspace":
                st.selectbox(
                    "Right",
                    list(_RIGHTS),
                    format_func=lambda right: _RIGHTS[right],
                    key=f"{key}-right",
                    label_visibility="collapsed",
                    width=150,
                )
            st.form_submit_button("Share", icon=":material/share:", on_click=_share, args=(kind, name, key))
    fault = st.session_state.pop(_FAULT, None)
    if fault:
        st.error(plain(fault))


def asker_text(record: RunRecord) -> str:
    """Return `` by ANA`` for the run of a colleague; nothing for one's own, and where there is one person."""
    asker = asker_of(record)
    return "" if asker in ("", acting_person().id) else f" by {asker}"


def _share(kind: Kind, name: str, key: str) -> None:
    state = st.session_state
    right: Right = state.get(f"{key}-right", "see")
    try:
        services().sharing.share(kind, name, _grant(state[f"{key}-whom"], state[f"{key}-name"], right))
    except TreelineError as error:
        state[_FAULT] = str(error)


def _grant(whom: str, name: str, right: Right) -> Grant:
    name = name.strip()
    if whom == "all":
        return Grant(ALL, right)
    if whom == "group":
        return Grant.to_group(name, right)
    return Grant.to_person(normalise_identity(name), right)


def _withdraw(kind: Kind, name: str, grantee: str) -> None:
    try:
        services().sharing.withdraw(kind, name, grantee)
    except TreelineError as error:
        st.session_state[_FAULT] = str(error)
