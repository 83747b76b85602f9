"""Signing in and out, and what somebody sees whom the server does not let in."""

from __future__ import annotations

import logging
from contextlib import suppress

import streamlit as st

from treeline.core.access import LOCAL_PERSON, Person, in_team, who_acts
from treeline.core.access.identity import claim_of_identity
from treeline.core.errors import NotSignedIn
from treeline.core.record.audit import note
from treeline.pages.parts.identity.providers import ProviderUnreachable, look_for_provider, way_to_know_users
from treeline.pages.parts.identity.return_address import keep_link, return_to_link
from treeline.pages.parts.identity.sessions import end_session
from treeline.pages.parts.shared.services import people, server_services
from treeline.pages.parts.shared.text import plain

_log = logging.getLogger(__name__)
_UNREACHED = "sign-in-unreached"
_ROLES = {
    "viewer": "sees what is shared",
    "analyst": "asks questions and adds data",
    "teacher": "also changes task cards and shares lessons",
    "admin": "also looks after people and running work",
}


def person_of_page() -> Person | None:
    """Return whose page it is; ``None`` where the server does not know or does not let in who came."""
    if not in_team():
        return LOCAL_PERSON
    try:
        return who_acts().person
    except NotSignedIn:
        return None


def show_entrance() -> None:
    """Show the way in to somebody who is not in."""
    with st.container(horizontal_alignment="center"):
        st.space("large")
        st.title("Treeline", width="content")
        st.caption(
            "A workbench in which remote-sensing questions are answered in plain sight", width="content"
        )
        st.space("small")
        if st.user.to_dict().get("is_logged_in"):
            _show_refusal()
        elif way_to_know_users().signs_in:
            _offer_sign_in()
        else:
            st.error(
                "The proxy before this server does not say who you are. Ask whoever runs it.",
                icon=":material/error:",
            )


def _offer_sign_in() -> None:
    keep_link()
    st.button("Sign in", type="primary", icon=":material/login:", on_click=_begin_sign_in)
    if told := st.session_state.pop(_UNREACHED, ""):
        st.error(told, icon=":material/cloud_off:")


def _begin_sign_in() -> None:
    """Send the browser to the provider, unless that is down: its error page would be Streamlit's own."""
    try:
        look_for_provider()
    except ProviderUnreachable as error:
        _log.warning("nobody can sign in: %s", error)
        st.session_state[_UNREACHED] = str(error)
    else:
        st.login()


def _show_refusal() -> None:
    identity = way_to_know_users().of_session(st.user.to_dict())
    if identity is not None and people().has_ended(identity.sign_in):
        st.info("You have signed out, here or in another tab.", icon=":material/logout:")
        _offer_sign_in()
        return
    if identity is None:
        claim = claim_of_identity()
        verified = " that it has verified" if claim == "email" else ""
        st.error(
            f"Your provider does not state the claim {plain(claim)}{verified}; people are known by it here.",
            icon=":material/error:",
        )
    else:
        st.error("An admin of this server has blocked you.", icon=":material/block:")
    st.button("Sign out", icon=":material/logout:", on_click=sign_out)


def show_person(person: Person) -> None:
    """Show in the sidebar who is signed in, and the way out."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="person"):
        st.markdown(f":material/person: {plain(person.title)}", help=plain(person.id))
        st.badge(person.role, color="gray", help=f"{person.role}: {_ROLES[person.role]}")
        if way_to_know_users().signs_in:
            return_to_link()
            st.space("stretch")
            st.button(
                "Sign out", icon=":material/logout:", type="tertiary", on_click=sign_out, key="sign-out"
            )


def sign_out() -> None:
    """End the sign-in, the session and its tokens, and go to the provider's sign-out where it has one."""
    with suppress(NotSignedIn):
        acting = who_acts()
        end_session(acting.session)
        # Before `st.logout`, after which nobody is known here.
        identity = way_to_know_users().of_session(st.user.to_dict())
        if identity is not None:
            people().end_sign_in(identity.sign_in)
        note(server_services().store, acting.person, "sign out", "server", acting.person.id)
    st.logout()
