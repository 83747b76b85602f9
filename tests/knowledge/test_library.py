"""Own and edited cards: versions are kept, built-in ones never change."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.knowledge.test_card import VALID
from treeline.knowledge import CardError, CardLibrary, TaskCard, built_in_cards
from treeline.knowledge.card import cards_to_yaml
from treeline.knowledge.library import _LARGEST_IMPORT


@pytest.fixture
def library(tmp_path: Path) -> CardLibrary:
    return CardLibrary(tmp_path / "cards")


def edit(card: TaskCard, title: str) -> TaskCard:
    return card.model_copy(update={"title": title})


def test_without_a_folder_there_are_the_built_in_cards_and_no_edits() -> None:
    library = CardLibrary()
    assert library.cards() == list(built_in_cards())
    with pytest.raises(CardError, match="no folder"):
        library.save(TaskCard.from_content(VALID))


def test_an_edit_is_a_new_version_and_the_old_one_stays(library: CardLibrary) -> None:
    original = library.get("snow_cover")
    first = library.save(edit(original, "Snow of our valley"))
    second = library.save(edit(original, "Snow of both valleys"))
    assert (original.version, first.version, second.version) == (1, 2, 3)
    assert [card.title for card in library.versions("snow_cover")] == [
        original.title,
        first.title,
        second.title,
    ]
    assert library.get("snow_cover") == second and second in library.cards()
    assert len(library.cards()) == len(built_in_cards())
    assert CardLibrary().get("snow_cover") == original


def test_an_older_version_is_restored_as_a_newer_one(library: CardLibrary) -> None:
    original = library.get("snow_cover")
    library.save(edit(original, "Snow of our valley"))
    restored = library.restore("snow_cover", 1)
    assert restored.version == 3 and library.get("snow_cover").title == original.title
    with pytest.raises(CardError, match="no version 9") as caught:
        library.restore("snow_cover", 9)
    assert "1, 2, 3" in caught.value.hint


def test_a_new_card_starts_at_one(library: CardLibrary) -> None:
    assert library.save(TaskCard.from_content(VALID)).version == 1
    assert CardLibrary(library.folder).get("dune_migration").title == VALID["title"]


def test_a_version_that_another_wrote_meanwhile_is_followed_by_the_next(library, monkeypatch) -> None:
    first = library.save(TaskCard.from_content(VALID))
    monkeypatch.setattr(library, "_next_version", lambda card: first.version)
    assert library.save(first).version == first.version + 1


def test_savers_at_the_same_time_get_different_versions(library: CardLibrary) -> None:
    card = TaskCard.from_content(VALID)
    with ThreadPoolExecutor(8) as pool:
        saved = list(pool.map(lambda n: library.save(edit(card, f"Dunes, edit {n}")), range(24)))
    assert sorted(card.version for card in saved) == list(range(1, 25))
    assert {card.title for card in library.versions(card.id)} == {card.title for card in saved}
    assert library.folder is not None and not list(library.folder.rglob(".card-*"))


def test_a_broken_file_is_passed_over_and_named(library: CardLibrary) -> None:
    saved = library.save(TaskCard.from_content(VALID))
    assert library.folder is not None
    (library.folder / saved.id / "00002.yaml").write_text("cards: [", "utf-8")
    (library.folder / saved.id / "00003.yaml").write_bytes(b"\xff\xfe\x00")
    assert library.get(saved.id) == saved
    assert saved in library.cards()
    assert [problem.split(":")[0] for problem in library.problems] == [
        f"{saved.id}/0000{n}.yaml" for n in (2, 3)
    ]
    assert library.save(saved).version == 4


def test_export_and_import_carry_cards_over(library: CardLibrary, tmp_path: Path) -> None:
    library.save(edit(library.get("snow_cover"), "Snow of our valley"))
    library.save(TaskCard.from_content(VALID))
    other = CardLibrary(tmp_path / "other")
    added = other.add(library.export())
    assert {card.id for card in added} == {"snow_cover", "dune_migration"}, "unchanged cards are passed over"
    assert other.get("snow_cover").title == "Snow of our valley"
    assert other.add(library.export(["snow_cover"])) == []


def test_an_import_with_a_fault_saves_nothing(library: CardLibrary) -> None:
    text = cards_to_yaml([TaskCard.from_content(VALID)]) + "- id: half_a_card\n"
    with pytest.raises(CardError, match="half_a_card"):
        library.add(text)
    assert library.cards() == list(built_in_cards())


def test_a_chain_with_an_unknown_tool_is_refused(tmp_path: Path) -> None:
    library = CardLibrary(tmp_path, known_tools=["compute_tvdi", "split_window"])
    with pytest.raises(CardError, match="'compute_tvd'") as caught:
        library.save(TaskCard.from_content({**VALID, "tools": ["compute_tvd"]}))
    assert "compute_tvdi" in caught.value.hint


@pytest.mark.parametrize("name", ["snow_covr", "../../etc", "", "/"])
def test_an_unknown_card_names_the_nearest(library: CardLibrary, name: str) -> None:
    with pytest.raises(CardError) as caught:
        library.get(name)
    assert "Nearest" in caught.value.hint


def test_an_import_may_be_as_large_as_the_limit_and_no_larger(library: CardLibrary) -> None:
    text = library.export([library.cards()[0].id])
    padding = "#" + " " * (_LARGEST_IMPORT - len(text) - 1)
    assert library.add(text + padding) == [], "it is here unchanged"
    with pytest.raises(CardError, match="characters"):
        library.add(text + padding + " ")
