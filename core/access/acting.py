"""Who acts: the person of the request or of the page that is being worked on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from treeline.core.access.mode import in_team
from treeline.core.access.people import LOCAL_PERSON, Person
from treeline.core.errors import NotSignedIn

_ACTING: ContextVar[Person | None] = ContextVar("acting", default=None)

Finder = Callable[[], Person | None]


def _nobody() -> Person | None:
    return None


_finder: Finder = _nobody


def set_finder(find: Finder) -> None:
    """Set how the person of a page is found, where no request says it."""
    global _finder
    _finder = find


def acting_person() -> Person:
    """Return who acts now; in the mode ``local`` it is always the one local person.

    Raises
    ------
    NotSignedIn
        Nobody is known here.
    """
    if not in_team():
        return LOCAL_PERSON
    person = _ACTING.get() or _finder()
    if person is None:
        raise NotSignedIn("You are not signed in.", "Sign in, then load the page again.")
    return person


@contextmanager
def as_person(person: Person) -> Iterator[None]:
    """Act as a person in this context."""
    token = _ACTING.set(person)
    try:
        yield
    finally:
        _ACTING.reset(token)
