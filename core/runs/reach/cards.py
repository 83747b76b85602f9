"""The task cards of one person on a server of a team."""

from __future__ import annotations

from treeline.core.access import SERVER, Thing, may, require
from treeline.core.context.cards import Cards, common_cards, folder_of, name_of_card, tool_names
from treeline.core.errors import QuotaReached
from treeline.core.record.audit import note
from treeline.core.record.store import Store
from treeline.core.runs.reach.rights import Rights
from treeline.knowledge import CardLibrary, TaskCard

# Decisions: more than anybody writes, and no way to fill the disk.
MOST_CARDS, MOST_VERSIONS = 500, 500


class ReachedCards(CardLibrary):
    """The cards that a person is given, and the person's own.

    What a person writes is the person's own, and private until it is shared. A card that belongs to nobody
    is changed for all by a teacher; whoever else edits it, or a card of another, makes one of the own of it,
    which takes its place for that person alone.

    Parameters
    ----------
    store : Store
    rights : Rights
    """

    def __init__(self, store: Store, rights: Rights) -> None:
        person = rights.person.id
        super().__init__(folder_of(person), tool_names(), Cards(store, person).of_others())
        self._store = store
        self._rights = rights

    def save(self, card: TaskCard) -> TaskCard:
        """Write a new or edited card and return it with the version it got.

        Raises
        ------
        AccessDenied, CardError
        QuotaReached
            The person has as many cards, or the card as many versions, as there may be.
        """
        person = self._rights.person
        if self.is_for_all(card.id):
            saved = common_cards().save(card)
            note(self._store, person, "edit", "card", saved.id, f"version {saved.version}, for all")
            return saved
        require(person, "create", SERVER)
        self._check_room(card.id)
        saved = super().save(card)
        name = name_of_card(person.id, saved.id)
        if not self._rights.ownership.thing("card", name).owner:
            self._rights.ownership.set_owner("card", name, person.id)
        note(self._store, person, "edit", "card", name, f"version {saved.version}")
        return saved

    def remove(self, card_id: str) -> None:
        """Delete a card of the person's own, or for all where the person teaches.

        Raises
        ------
        CardError
            It is neither.
        """
        person = self._rights.person
        if self.is_for_all(card_id):
            common_cards().remove(card_id)
            note(self._store, person, "delete", "card", card_id, "for all")
            return
        super().remove(card_id)
        name = name_of_card(person.id, card_id)
        self._rights.ownership.forget("card", name)
        note(self._store, person, "delete", "card", name)

    def _check_room(self, card_id: str) -> None:
        own = self.own_ids()
        if card_id not in own and len(own) >= MOST_CARDS:
            raise QuotaReached(f"You have {len(own)} cards; {MOST_CARDS} are allowed.", "Edit one of them.")
        if card_id in own and len(self.versions(card_id)) >= MOST_VERSIONS:
            raise QuotaReached(
                f"The card has {MOST_VERSIONS} versions; more are not kept.", "Save it under another id."
            )

    def is_for_all(self, card_id: str) -> bool:
        """Return whether the person changes a card for everybody by an edit."""
        if not may(self._rights.person, "teach", SERVER) or card_id in self.own_ids():
            return False
        return any(card.id == card_id for card in common_cards().cards())

    def thing(self, card_id: str) -> Thing | None:
        """Return a card of the person's own as what is shared; ``None`` for any other."""
        if card_id not in self.own_ids():
            return None
        return self._rights.ownership.thing("card", name_of_card(self._rights.person.id, card_id))
