"""The person of a session of the pages, and what ends with the session."""

from __future__ import annotations

import weakref

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from treeline.core.access import Actor
from treeline.core.record.people import People
from treeline.core.serving import LAYERS, UPLOADS
from treeline.pages.parts.identity.media import forget_files, keep_shown_files
from treeline.pages.parts.identity.providers import way_to_know_users

_ENDING = "session-ending"

# Whose each session is: by it the routes of Streamlit that name a session are guarded.
_OWNERS: dict[str, str] = {}


# Who a session's user is comes from headers that anybody may send, unless the gate looks at them first.
_guarded = False


def trust_sessions() -> None:
    """Say that the gate stands before the pages, so that what Streamlit knows of a user is true."""
    global _guarded
    _guarded = True


class _Ending:
    """Lives as long as a session does."""


def find_acting(people: People) -> Actor | None:
    """Return who acts in the session whose script is running; ``None`` for nobody who is known."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not _guarded:
        return None
    identity = way_to_know_users().of_session(st.user.to_dict())
    person = people.let_in(identity) if identity is not None else None
    if person is None:
        return None
    _keep(context.session_id, person.id)
    return Actor(person, context.session_id)


def _keep(session: str, person: str) -> None:
    if _OWNERS.get(session) == person and _ENDING in st.session_state:
        return
    end_session(session)
    keep_shown_files()
    _OWNERS[session] = person
    st.session_state[_ENDING] = ending = _Ending()
    # Streamlit says nothing when a session ends; it lets go of the session's state, and of what is in it.
    weakref.finalize(ending, end_session, session)


def owner_of_session(session: str) -> str:
    """Return the identity of the person of a session that is open; empty for none."""
    return _OWNERS.get(session, "") if session_is_open(session) else ""


def session_is_open(session: str) -> bool:
    """Return whether a page of the session is open in a browser now.

    Streamlit forgets a session that nobody came back to only when it is in need of the room.
    """
    return runtime.exists() and runtime.get_instance().is_active_session(session)


def end_session(session: str) -> None:
    """Make worthless what a session was given."""
    _OWNERS.pop(session, None)
    forget_files(session)
    for registry in (LAYERS, UPLOADS):
        registry.revoke(session)
