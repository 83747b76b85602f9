"""Who acts: the person of the request or of the page that is being worked on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from treeline.core.access.mode import in_team
from treeline.core.access.people import LOCAL_PERSON, Person
from treeline.core.errors import NotSignedIn


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, and in which session; a request beside the pages belongs to none."""

    person: Person
    session: str = ""


Finder = Callable[[], Actor | None]

_LOCAL = Actor(LOCAL_PERSON)
_acting: ContextVar[Actor | None] = ContextVar("acting", default=None)


def _find_nobody() -> Actor | None:
    return None


_finder: Finder = _find_nobody


def set_finder(find: Finder) -> None:
    """Set how the person of a page is found, where no request says it."""
    global _finder
    _finder = find


def who_acts() -> Actor:
    """Return who acts now, and in which session.

    Raises
    ------
    NotSignedIn
        Nobody is known here.
    """
    if not in_team():
        return _LOCAL
    # A request says who asks; a page's script runs in a thread of Streamlit's, where only its session does.
    found = _acting.get() or _finder()
    if found is None:
        raise NotSignedIn("You are not signed in.", "Sign in, then load the page again.")
    return found


def acting_person() -> Person:
    """Return who acts now; in the mode ``local`` it is always the one local person.

    Raises
    ------
    NotSignedIn
        Nobody is known here.
    """
    return who_acts().person


@contextmanager
def as_person(person: Person) -> Iterator[None]:
    """Act as a person in this context."""
    token = _acting.set(Actor(person))
    try:
        yield
    finally:
        _acting.reset(token)
