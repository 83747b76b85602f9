"""The one decision: may a person do this to that thing?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from treeline.core.access.people import Person, Role
from treeline.core.access.things import Kind, Thing
from treeline.core.errors import AccessDenied

Action = Literal["see", "change", "ask", "share", "delete", "stop", "create", "teach", "administer"]

# The least role that an action takes, whatever the thing is.
_LEAST: Mapping[Action, Role] = {
    "see": "viewer",
    "change": "analyst",
    "ask": "analyst",
    "share": "analyst",
    "delete": "analyst",
    "stop": "analyst",
    "create": "analyst",
    "teach": "teacher",
    "administer": "admin",
}
# What was learned and is shared enters the runs of others.
_LEAST_OF_KIND: Mapping[tuple[Action, Kind], Role] = {
    ("share", "memory"): "teacher",
    ("share", "item"): "teacher",
}


def _allow(person: Person, thing: Thing) -> bool:
    return True


def _owner(person: Person, thing: Thing) -> bool:
    return thing.belongs_to(person)


def _reader(person: Person, thing: Thing) -> bool:
    return thing.belongs_to(person) or thing.grants_to(person, "see")


def _writer(person: Person, thing: Thing) -> bool:
    return thing.belongs_to(person) or thing.grants_to(person, "change")


def _owner_or_admin(person: Person, thing: Thing) -> bool:
    return thing.belongs_to(person) or person.has_role("admin")


# What a person has to be to the thing itself.
_RELATION: Mapping[Action, Callable[[Person, Thing], bool]] = {
    "see": _reader,
    "change": _writer,
    "ask": _writer,
    "share": _owner,
    "delete": _owner,
    "stop": _owner_or_admin,
    "create": _allow,
    "teach": _allow,
    "administer": _allow,
}

# What a refused action is called. To see is not among them: what one may not see does not exist.
_WORDS: Mapping[Action, str] = {
    "change": "change it",
    "ask": "ask questions here",
    "share": "share it",
    "delete": "delete it",
    "stop": "stop it",
    "create": "create workspaces",
    "teach": "change what all are given",
    "administer": "administer the server",
}


Witness = Callable[[Person, str, Kind, str], None]


def _look_away(person: Person, action: str, kind: Kind, thing: str) -> None:
    return None


_witness: Witness = _look_away


def set_witness(witness: Witness) -> None:
    """Set who is told of each refusal: the person, the action, and the kind and the name of the thing."""
    global _witness
    _witness = witness


def tell_refusal(person: Person, action: str, kind: Kind, thing: str) -> None:
    """Tell the witness what a person was refused, if only by saying that there is no such thing."""
    _witness(person, action, kind, thing)


def may(person: Person, action: Action, thing: Thing) -> bool:
    """Return whether a person may do something to a thing."""
    # Whoever sits at the machine can open its files anyway.
    if person.local:
        return True
    least = _LEAST_OF_KIND.get((action, thing.kind), _LEAST[action])
    return person.has_role(least) and _RELATION[action](person, thing)


def require(person: Person, action: Action, thing: Thing) -> None:
    """Refuse what a person may not do to a thing that the person sees.

    Raises
    ------
    AccessDenied
    """
    if not may(person, action, thing):
        tell_refusal(person, action, thing.kind, thing.id)
        least = _LEAST_OF_KIND.get((action, thing.kind), _LEAST[action])
        if not person.has_role(least):
            hint = f"It takes the role {least!r}; yours is {person.role!r}. An admin gives roles."
        else:
            hint = f"Ask the owner of the {thing.kind} to share it with you."
        raise AccessDenied(f"You may not {_WORDS.get(action, 'see it')}.", hint)
