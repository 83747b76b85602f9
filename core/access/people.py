"""People and their roles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Role = Literal["viewer", "analyst", "teacher", "admin"]
# Each may do what those before it may.
ROLES: tuple[Role, ...] = get_args(Role)

# As long as the columns that hold one.
LONGEST_ID = 128


@dataclass(frozen=True, slots=True)
class Person:
    """Someone whom the server knows.

    Attributes
    ----------
    id : str
        What the way to know users calls the person, such as an e-mail address; empty only for the one
        local person.
    groups : frozenset of str
        Groups that the person belongs to.
    local : bool
        Whether this is the one person of the mode ``local``.
    """

    id: str
    name: str = ""
    role: Role = "viewer"
    groups: frozenset[str] = frozenset()
    local: bool = False

    def has_role(self, least: Role) -> bool:
        """Return whether the person's role is at least another."""
        return ROLES.index(self.role) >= ROLES.index(least)

    @property
    def title(self) -> str:
        """The person as others see it."""
        return self.name or self.id


LOCAL_PERSON = Person("", role="admin", local=True)


def usable_id(text: str) -> bool:
    """Return whether a text can be the identity of a person: short, printable, without blanks around it."""
    return 0 < len(text) <= LONGEST_ID and text.isprintable() and text == text.strip()
