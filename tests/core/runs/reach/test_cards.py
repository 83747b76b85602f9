"""A card has an owner: it is private, shared with people or groups, or given to all by a teacher."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.knowledge.test_card import VALID
from treeline.core.access import ALL, Grant, Person, Role
from treeline.core.context.cards import Cards, card_of_run, common_cards
from treeline.core.errors import AccessDenied, QuotaReached
from treeline.core.record.audit import deeds
from treeline.core.record.people import People
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reach import ReachedCards, Rights, Sharing, cards
from treeline.core.workspace.library import WorkspaceLibrary
from treeline.knowledge import CardError, TaskCard
from treeline.knowledge.card import cards_to_yaml
from treeline.toolkit.errors import InputError

CARD = TaskCard.from_content(VALID)
BUILT_IN = "snow_cover"
ABOUT_IT = f"{CARD.title}: {' '.join(CARD.keywords)}?"


class Team:
    """A server's cards as its people reach them."""

    def __init__(self, home: Path) -> None:
        self.store = Store(home / "treeline.sqlite")
        self._library = WorkspaceLibrary(home / "workspaces", ())

    def rights(self, name: str, role: Role) -> Rights:
        return Rights(Person(name, role=role), self.store, self._library)

    def cards(self, name: str, role: Role = "analyst") -> ReachedCards:
        return ReachedCards(self.store, self.rights(name, role))

    def share(self, name: str, card: str, grant: Grant, role: Role = "analyst") -> None:
        thing = self.cards(name, role).thing(card)
        assert thing is not None
        Sharing(self.rights(name, role), self.store).share("card", thing.id, grant)

    def given(self, name: str) -> set[str]:
        """Return the cards that a run of a person may be given unasked."""
        return {card.id for card in Cards(self.store, name).cards_for_runs().cards()}


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Team]:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path))
    opened = Team(tmp_path)
    yield opened
    opened.store.close()


def with_title(card: TaskCard, title: str) -> TaskCard:
    return card.model_copy(update={"title": title})


def test_what_one_writes_is_nobody_elses(team: Team) -> None:
    saved = team.cards("ana").save(CARD)
    thing = team.cards("ana").thing(CARD.id)
    assert saved.version == 1 and thing is not None and (thing.owner, thing.visibility) == ("ana", "private")
    assert deeds(team.store, "ana")[0].thing == thing.id
    for cards_of_others in (team.cards("ben"), team.cards("ada", "admin"), common_cards()):
        assert CARD.id not in {card.id for card in cards_of_others.cards()}
        with pytest.raises(CardError, match="There is no card"):
            cards_of_others.get(CARD.id)
    # Nor does a name that is taken tell of it.
    assert team.cards("ben").save(with_title(CARD, "Dunes of Ben")).version == 1
    assert team.cards("ana").get(CARD.id).title == CARD.title


def test_a_run_has_the_cards_of_its_person(team: Team) -> None:
    team.cards("ana").save(CARD)
    _, (note,) = card_of_run(ABOUT_IT, "auto", {}, Cards(team.store, "ana"))
    assert note.data["card"]["id"] == CARD.id
    _, notes = card_of_run(ABOUT_IT, "auto", {}, Cards(team.store, "ben"))
    assert all(note.data["card"]["id"] != CARD.id for note in notes)
    manager = RunManager(team.store, lambda name: pytest.fail("No workspace is opened."))
    assert manager.create("quarry", "How far?", RunOptions(card=CARD.id, person="ana"))
    with pytest.raises(CardError, match="There is no card"):
        manager.create("quarry", "How far?", RunOptions(card=CARD.id, person="ben"))


def test_what_is_shared_with_a_person_is_chosen_by_hand_alone(team: Team) -> None:
    team.cards("ana").save(CARD)
    team.share("ana", CARD.id, Grant.to_person("ben"))
    assert team.cards("ben").get(CARD.id).title == CARD.title
    assert team.cards("ben").thing(CARD.id) is None
    assert CARD.id not in team.given("ben") and CARD.id in team.given("ana")
    assert CARD.id not in {card.id for card in team.cards("eva").cards()}
    # An edit makes one of the own; hers stays as it is.
    assert team.cards("ben").save(with_title(CARD, "Dunes of Ben")).version == 2
    assert team.cards("ana").get(CARD.id).title == CARD.title
    thing = team.cards("ana").thing(CARD.id)
    assert thing is not None
    with pytest.raises(AccessDenied):
        Sharing(team.rights("ben", "analyst"), team.store).share("card", thing.id, Grant.to_person("eva"))


def test_a_group_is_reached_and_left(team: Team) -> None:
    people = People(team.store)
    people.find_or_add("eva")
    people.set_groups("eva", ["lab"])
    team.cards("ana").save(CARD)
    team.share("ana", CARD.id, Grant.to_group("lab"))
    assert team.cards("eva").get(CARD.id) == team.cards("ana").get(CARD.id)
    people.set_groups("eva", [])
    assert CARD.id not in {card.id for card in team.cards("eva").cards()}


def test_a_teacher_alone_gives_a_card_to_all(team: Team) -> None:
    team.cards("ana").save(CARD)
    with pytest.raises(AccessDenied):
        team.share("ana", CARD.id, Grant(ALL))
    team.cards("tea", "teacher").save(with_title(CARD, "Dunes for all"))
    assert CARD.id not in team.given("ben")
    team.share("tea", CARD.id, Grant(ALL), "teacher")
    assert CARD.id in team.given("ben") and team.cards("ben").get(CARD.id).title == "Dunes for all"
    assert team.cards("ana").get(CARD.id).title == CARD.title


def test_a_card_is_deleted_by_its_owner_and_is_private_again_when_it_is_written_anew(team: Team) -> None:
    team.cards("ana").save(CARD)
    team.share("ana", CARD.id, Grant.to_person("ben"))
    for name, role in (("ben", "analyst"), ("tea", "teacher")):
        with pytest.raises(CardError):
            team.cards(name, role).remove(CARD.id)  # type: ignore[arg-type]
    team.cards("ana").remove(CARD.id)
    for name in ("ana", "ben"):
        assert CARD.id not in {card.id for card in team.cards(name).cards()}
    assert deeds(team.store, "ana")[0].action == "delete"
    team.cards("ana").save(CARD)
    assert CARD.id not in {card.id for card in team.cards("ben").cards()}


def test_an_edited_card_of_all_is_given_back_by_a_teacher_alone(team: Team) -> None:
    original = common_cards().get(BUILT_IN)
    team.cards("tea", "teacher").save(with_title(original, "Snow of all"))
    with pytest.raises(CardError):
        team.cards("ana").remove(BUILT_IN)
    team.cards("tea", "teacher").remove(BUILT_IN)
    assert common_cards().get(BUILT_IN) == original
    with pytest.raises(CardError):
        team.cards("tea", "teacher").remove(BUILT_IN)


def test_a_card_of_nobody_is_changed_for_all_by_a_teacher_alone(team: Team) -> None:
    original = common_cards().get(BUILT_IN)
    own = team.cards("ana").save(with_title(original, "Snow of Ana"))
    assert own.version == 2 and common_cards().get(BUILT_IN) == original
    assert [card.version for card in team.cards("ana").versions(BUILT_IN)] == [1, 2]
    # Nobody is given another in the place of a card that all have.
    with pytest.raises(InputError, match="All have a card"):
        team.share("ana", BUILT_IN, Grant.to_person("ben"))
    assert team.cards("tea", "teacher").save(with_title(original, "Snow of all")).title == "Snow of all"
    assert team.cards("ben").get(BUILT_IN).title == common_cards().get(BUILT_IN).title == "Snow of all"
    assert team.cards("ana").get(BUILT_IN).title == "Snow of Ana"


def test_a_viewer_writes_none_and_what_others_write_has_an_end(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(AccessDenied):
        team.cards("eva", "viewer").save(CARD)
    with pytest.raises(AccessDenied):
        team.cards("eva", "viewer").add(cards_to_yaml([CARD]))
    monkeypatch.setattr(cards, "MOST_CARDS", 1)
    monkeypatch.setattr(cards, "MOST_VERSIONS", 2)
    ana = team.cards("ana")
    ana.save(CARD)
    ana.save(with_title(CARD, "Another"))
    with pytest.raises(QuotaReached, match="2 versions"):
        ana.restore(CARD.id, 1)
    with pytest.raises(QuotaReached, match="1 cards"):
        ana.save(CARD.model_copy(update={"id": "another_card"}))
