"""Things that belong to somebody, and whom they are shared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treeline.core.access.people import Person

Kind = Literal["workspace", "run", "memory", "item", "card", "server"]
Right = Literal["see", "change"]
Visibility = Literal["private", "shared", "public"]

ALL = "all"
_PERSON, GROUP_PREFIX = "person:", "group:"


@dataclass(frozen=True, slots=True)
class Grant:
    """That a thing is shared.

    Attributes
    ----------
    to : str
        ``person:`` or ``group:`` with an identity after it, or ``all``.
    right : str
        ``see``, or ``change``, which contains it.
    """

    to: str
    right: Right = "see"

    @classmethod
    def to_person(cls, person: str, right: Right = "see") -> Grant:
        """Return the grant to one person."""
        return cls(_PERSON + person, right)

    @classmethod
    def to_group(cls, group: str, right: Right = "see") -> Grant:
        """Return the grant to the members of a group."""
        return cls(GROUP_PREFIX + group, right)

    @property
    def title(self) -> str:
        """Whom it reaches, for people."""
        return "everybody" if self.to == ALL else self.to.partition(":")[2]


def grantees_of(person: Person) -> frozenset[str]:
    """Return what a grant may be made to so that it reaches a person."""
    return frozenset({_PERSON + person.id, ALL, *(GROUP_PREFIX + group for group in person.groups)})


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that a person may see, change, share or delete.

    Attributes
    ----------
    owner : str
        Identity of a person; empty for what belongs to nobody.
    """

    kind: Kind
    id: str
    owner: str = ""
    grants: frozenset[Grant] = frozenset()

    @property
    def visibility(self) -> Visibility:
        """Who sees it besides its owner."""
        if any(grant.to == ALL for grant in self.grants):
            return "public"
        return "shared" if self.grants else "private"

    def belongs_to(self, person: Person) -> bool:
        """Return whether a person owns it."""
        # What belongs to nobody has an empty owner, and must not fall to a person without an identity.
        return bool(person.id) and self.owner == person.id

    def grants_to(self, person: Person, right: Right) -> bool:
        """Return whether a right to it is shared with a person."""
        reached = grantees_of(person)
        # Who may change a thing sees it, so "change" answers for both rights.
        return any(g.to in reached and g.right in (right, "change") for g in self.grants)


SERVER = Thing("server", "")
