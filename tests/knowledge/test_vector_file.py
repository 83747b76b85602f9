"""A search whose vectors are kept on disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.knowledge.test_card import VALID
from treeline.knowledge import CardSearch, EmbedderMissing, TaskCard, built_in_cards, embedder_of, open_search

CARDS = [card for card in built_in_cards() if card.sub_domain in ("Drought", "Flood")]
QUESTION = "What share of the valley has TVDI above 0.7, from NDVI and LST?"


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("cards-*.npz"))


def test_a_kept_search_finds_what_a_fresh_one_finds(tmp_path: Path) -> None:
    fresh = CardSearch(CARDS).search(QUESTION, 50, -1.0)
    written = open_search(CARDS, tmp_path).search(QUESTION, 50, -1.0)
    (file,) = files(tmp_path)
    stamp = file.stat().st_mtime_ns
    read = open_search(CARDS, tmp_path).search(QUESTION, 50, -1.0)
    assert file.stat().st_mtime_ns == stamp
    assert len(read) == len(CARDS)
    for match, other in zip(written, read, strict=True):
        assert match.id == other.id and match.score == pytest.approx(other.score, abs=1e-5)
    assert [match.id for match in fresh] == [match.id for match in read]


def test_another_card_or_embedder_is_another_file_and_the_oldest_go(tmp_path: Path) -> None:
    for count in range(2, 8):
        open_search(CARDS[:count], tmp_path)
    assert len(files(tmp_path)) == 4
    extended = open_search([*CARDS[:3], TaskCard.from_content(VALID)], tmp_path)
    assert extended.search(VALID["title"])[0].id == VALID["id"]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off", b"text"])
def test_a_broken_file_is_made_anew(tmp_path: Path, content: bytes) -> None:
    open_search(CARDS, tmp_path)
    (file,) = files(tmp_path)
    file.write_bytes(content)
    assert open_search(CARDS, tmp_path).search(QUESTION)[0].id == "dryness_share"
    assert "vectors" in np.load(file, allow_pickle=False)


def test_where_nothing_can_be_written_the_search_works_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    folder = tmp_path / "file" / "cache"
    assert open_search(CARDS, folder).search(QUESTION)[0].id == "dryness_share"


def test_a_setting_that_names_no_embedder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbedderMissing):
        open_search(CARDS, tmp_path, "magic")


def test_a_kept_search_needs_no_learning_library(tmp_path: Path) -> None:
    open_search(CARDS, tmp_path)
    code = (
        "import sys; from pathlib import Path; from knowledge import built_in_cards, open_search\n"
        "cards = [c for c in built_in_cards() if c.sub_domain in ('Drought', 'Flood')]\n"
        f"print(open_search(cards, Path({str(tmp_path)!r})).search({QUESTION!r})[0].id)\n"
        "print(sorted({'sklearn', 'scipy', 'faiss'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.split("\n")[:2] == ["dryness_share", "[]"]


def test_the_state_of_an_embedder_gives_the_same_vectors() -> None:
    embedder = embedder_of("", [card.text for card in CARDS])
    again = type(embedder).from_state(embedder.state)  # type: ignore[attr-defined]
    assert np.array_equal(embedder.embed([QUESTION, ""]), again.embed([QUESTION, ""]))
