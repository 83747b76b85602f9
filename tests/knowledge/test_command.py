"""``treeline cards`` and ``treeline cards search``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.knowledge.test_card import VALID
from treeline.core.cli import main
from treeline.knowledge import TaskCard, built_in_cards
from treeline.knowledge.library import CardLibrary


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path))
    monkeypatch.delenv("TREELINE_EMBEDDER", raising=False)
    return tmp_path.resolve()


def test_cards_are_listed_with_their_fields(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    CardLibrary(home / "cards").save(TaskCard.from_content(VALID))
    assert main(["cards", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert len(listed) == len(built_in_cards()) + 1
    expected = {"id", "domain", "sub_domain", "title", "definition", "suggestion", "keywords", "tools"}
    assert all(expected <= set(card) for card in listed)
    assert listed[-1]["id"] == "dune_migration"


def test_a_search_prints_the_score_taken_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "search", "share of dry land by TVDI from NDVI and LST", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found[0]["id"] == "dryness_share"
    for match in found:
        parts = match["cosine"] + match["title"] + match["keywords"] + match["content"]
        assert match["score"] == pytest.approx(parts) and match["score"] > 0.2


def test_a_question_on_something_else_finds_no_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "search", "What is the capital of France?", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_a_card_is_shown_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "show", "sea_ice"]) == 0
    assert "NASA Team" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["cards", "search"], ["cards", "show", "sea_ise"]])
def test_bad_input_is_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("treeline: ")


def test_an_embedder_that_is_not_there_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREELINE_EMBEDDER", "magic")
    assert main(["cards", "search", "snow cover"]) == 2
    assert "names no embedder" in capsys.readouterr().err
