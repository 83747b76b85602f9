"""The card of a run: chosen, switched off, told by the command line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.cli import main
from treeline.core.context.cards import card_for, card_of_note, card_of_run, common_cards
from treeline.core.engine.events import Note, from_json, to_json
from treeline.knowledge import CardError

QUESTION = "What share of the land has TVDI above 0.7, from NDVI and LST?"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TREELINE_EMBEDDER", raising=False)
    return tmp_path


def test_the_best_card_is_found_with_its_score_and_none_for_another_subject() -> None:
    chosen = card_for(QUESTION)
    assert chosen is not None and chosen.match is not None
    assert chosen.card.id == "dryness_share" and chosen.match.score > 0.2
    assert card_for("What is the capital of France?") is None
    assert card_for(QUESTION, "none") is None


def test_a_card_is_chosen_by_id_in_its_newest_version() -> None:
    card = common_cards().get("sea_ice")
    saved = common_cards().save(card.model_copy(update={"title": "Ice of our own sea"}))
    chosen = card_for(QUESTION, "sea_ice")
    assert chosen is not None and chosen.match is None and chosen.card == saved
    with pytest.raises(CardError, match="no card"):
        card_for(QUESTION, "sea_ise")


def test_a_card_is_chosen_whose_variables_the_data_hold_or_tools_can_make_of_them() -> None:
    def chosen(question: str, held: Sequence[str] | None = None) -> str | None:
        card = card_for(question, held=held)
        return card.card.id if card else None

    temperature = "Is the land surface temperature of vegetated land lower than that of bare land?"
    assert chosen(temperature) == chosen(temperature, ["bt10", "red", "nir"]) == "lst_by_vegetation"
    assert chosen(temperature, ["ndvi", "dem", "landcover"]) is None
    assert chosen("Is there a trend of the NDVI over the years?", ["red", "nir"]) == "vegetation_trend"


def test_an_edited_card_is_found_by_its_new_words() -> None:
    assert card_for("wombat burrows") is None
    card = common_cards().get("sea_ice")
    common_cards().save(
        card.model_copy(update={"title": "Burrows of wombats", "keywords": ("wombat burrows",) * 3})
    )
    found = card_for("wombat burrows")
    assert found is not None and found.card.id == "sea_ice"


def test_a_run_that_was_handed_a_card_keeps_it() -> None:
    assert card_of_run(QUESTION, "auto", {"cards": "handed"}) == ({}, [])
    context, (note,) = card_of_run(QUESTION, "auto", {})
    assert context["cards"].startswith("Task: ")
    kept = from_json(to_json(note))
    assert isinstance(kept, Note)
    told = card_of_note(kept)
    assert told is not None and told["id"] == "dryness_share"
    parts = told["match"]
    assert parts["score"] == pytest.approx(
        parts["cosine"] + parts["title"] + parts["keywords"] + parts["content"]
    )
    assert card_of_note(Note("something else")) is None


@pytest.mark.parametrize(
    ("wanted", "told"), [("none", None), ("sea_ice", "sea_ice"), ("auto", "vegetation_state")]
)
def test_ask_tells_the_card(
    home: Path, capsys: pytest.CaptureFixture[str], wanted: str, told: str | None
) -> None:
    bands = np.stack([np.full((20, 20), 0.1), np.full((20, 20), 0.3)]).astype("float32")
    write_raster(home / "Place_2021-06-03.tif", bands, descriptions=["red", "nir"])
    arguments = ["ask", "What is the mean NDVI?", "--data", str(home / "Place_2021-06-03.tif")]
    assert main([*arguments, "--card", wanted, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert (value["card"]["id"] if value["card"] else None) == told
    assert value["value"] == pytest.approx(0.5)


def test_ask_with_a_card_that_is_not_there_is_one_sentence(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_raster(home / "ndvi_2021-06-03.tif", np.full((20, 20), 0.5, "float32"))
    assert (
        main(
            [
                "ask",
                "What is the mean NDVI?",
                "--data",
                str(home / "ndvi_2021-06-03.tif"),
                "--card",
                "sea_ise",
            ]
        )
        == 2
    )
    assert "sea_ice" in capsys.readouterr().err
