"""Sharing one's own workspaces, runs, cards and memories with people, with groups, with everybody."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.access import ALL, SERVER, Grant, Kind, Thing, may, require
from treeline.core.access.people import usable_id
from treeline.core.context.cards import common_cards
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.failure import FailureMemory
from treeline.core.record.audit import note
from treeline.core.record.store import Store
from treeline.core.runs.reach.rights import Rights
from treeline.toolkit.errors import InputError


class Sharing:
    """What a person shares of what the person owns.

    Parameters
    ----------
    rights : Rights
    store : Store
        Where what the person does is noted.
    """

    def __init__(self, rights: Rights, store: Store) -> None:
        self._rights = rights
        self._store = store

    def thing(self, kind: Kind, name: str) -> Thing | None:
        """Return a thing with its grants; ``None`` for what is not the person's to share."""
        thing = self._thing(kind, name)
        return thing if may(self._rights.person, "share", thing) else None

    def _thing(self, kind: Kind, name: str) -> Thing:
        thing = self._rights.ownership.thing(kind, name)
        person = self._rights.person.id
        # What was learned says itself whose it is.
        if kind == "memory":
            return replace(thing, owner=FailureMemory(self._store, person).get(name).owner)
        if kind == "item":
            return replace(thing, owner=MemoryBank(self._store, owner=person, shared=True).get(name).owner)
        return thing

    def share(self, kind: Kind, name: str, grant: Grant) -> None:
        """Share a thing.

        Raises
        ------
        AccessDenied
            It is not the person's to share.
        InputError
            Nobody can be called so, or the right makes no sense.
        """
        require(self._rights.person, "share", self._thing(kind, name))
        if not usable_id(grant.title):
            raise InputError(
                f"{grant.title[:40]!r} names nobody.", "Give the name that a person signs in by."
            )
        if grant.right == "change" and kind != "workspace":
            raise InputError("It is changed by its owner alone.", "Share it to be seen.")
        if kind == "memory" and grant.to == ALL:
            raise InputError(
                "A lesson is shared with everybody by its button Share.", "Name people or groups."
            )
        if kind == "card":
            self._check_card(name.partition("/")[2], grant)
        self._rights.ownership.share(kind, name, grant)
        note(self._store, self._rights.person, "share", kind, name, f"{grant.right} for {grant.to}")

    def _check_card(self, card_id: str, grant: Grant) -> None:
        """Refuse what would put a card into everybody's runs, or could be read by nobody."""
        if grant.to == ALL:  # as what all are given
            require(self._rights.person, "teach", SERVER)
        elif any(card.id == card_id for card in common_cards().cards()):
            raise InputError(
                f"All have a card {card_id!r} already, which they would see in place of yours.",
                "Save yours under another id, then share it.",
            )

    def withdraw(self, kind: Kind, name: str, grantee: str) -> None:
        """Stop sharing a thing with somebody.

        Raises
        ------
        AccessDenied
            It is not the person's to share.
        """
        require(self._rights.person, "share", self._thing(kind, name))
        self._rights.ownership.withdraw(kind, name, grantee)
        note(self._store, self._rights.person, "withdraw", kind, name, grantee)
