"""Which card fits a question."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
import yaml

from treeline.knowledge import CardMatch, CardSearch, built_in_cards
from treeline.knowledge.retrieval import CONTENT_WEIGHT, KEYWORD_WEIGHT, THRESHOLD, TITLE_WEIGHT, _weights

HERE = Path(__file__).parent
SEARCH = CardSearch(built_in_cards())


def first(question: str) -> str:
    found = SEARCH.search(question, limit=1)
    return found[0].id if found else ""


def share_right(asked: list[tuple[str, str]]) -> float:
    wrong = [(card, first(question), question) for card, question in asked if first(question) != card]
    print(f"{len(asked) - len(wrong)} of {len(asked)} right")
    print(*(f"{card}, not {found}: {question[:90]}" for card, found, question in wrong), sep="\n")
    return 1.0 - len(wrong) / len(asked)


@pytest.mark.parametrize(("form", "least"), [("auto_planning", 0.7), ("instruction_following", 0.6)])
def test_the_card_of_the_open_questions_is_found(shared: Path, form: str, least: float) -> None:
    labels = yaml.safe_load((HERE / "question_cards.yaml").read_text("utf-8"))
    card_of = {number: card for card, numbers in labels.items() for number in numbers}
    lines = (shared / "earth_bench" / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    assert {question["id"] for question in questions} == set(card_of)
    assert share_right([(card_of[question["id"]], question[form]) for question in questions]) >= least


def test_keywords_help_the_open_questions_no_more_than_others(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What helps the questions at hand alone was learnt by heart from them."""
    labels = yaml.safe_load((HERE / "question_cards.yaml").read_text("utf-8"))
    card_of = {number: card for card, numbers in labels.items() for number in numbers}
    lines = (shared / "earth_bench" / "questions.jsonl").read_text("utf-8").splitlines()
    read = [(card_of[entry["id"]], entry["auto_planning"]) for entry in map(json.loads, lines)]
    written = yaml.safe_load((HERE / "other_questions.yaml").read_text("utf-8"))
    others = [(card, question) for card, questions in written.items() for question in questions]
    before = share_right(read), share_right(others)
    monkeypatch.setattr("treeline.knowledge.retrieval.KEYWORD_WEIGHT", 0.0)
    gains = before[0] - share_right(read), before[1] - share_right(others)
    assert gains[0] <= gains[1] + 0.02, gains


def test_every_card_is_found_by_questions_in_other_words() -> None:
    asked = yaml.safe_load((HERE / "other_questions.yaml").read_text("utf-8"))
    assert set(asked) == set(SEARCH.cards)
    assert (
        share_right([(card, question) for card, questions in asked.items() for question in questions]) >= 0.85
    )


@pytest.mark.parametrize(
    "question",
    ["", "?!", "of the and", "What is the capital of France?", "How do I bake bread?", "Tell me a joke"],
)
def test_a_question_on_something_else_finds_nothing(question: str) -> None:
    assert SEARCH.search(question) == [] and SEARCH.best(question) is None


def test_the_weights_and_the_threshold_are_those_of_the_paper() -> None:
    """RSMem, equation 1: alpha 0.2, beta 0.08, gamma 0.1, tau 0.2."""
    assert (TITLE_WEIGHT, KEYWORD_WEIGHT, CONTENT_WEIGHT, THRESHOLD) == (0.2, 0.08, 0.1, 0.2)


def test_a_card_is_found_above_the_threshold_and_not_at_it() -> None:
    match = SEARCH.search("snow cover of the Alps", 1)[0]
    assert [m.id for m in SEARCH.search("snow cover of the Alps", 1, match.score - 1e-9)] == [match.id]
    assert SEARCH.search("snow cover of the Alps", 1, match.score) == []


def test_the_parts_add_up_and_stand_in_order() -> None:
    found = SEARCH.search("What share of the valley has TVDI above 0.7, from NDVI and LST?", limit=50)
    assert found[0].id == "dryness_share" and "TVDI" in found[0].matched
    assert [match.score for match in found] == sorted((match.score for match in found), reverse=True)
    for match in found:
        parts = match.cosine + match.title + match.keywords + match.content
        assert match.score == pytest.approx(parts) and match.score > THRESHOLD
        assert match.keywords == pytest.approx(KEYWORD_WEIGHT * len(match.matched))
        assert 0.0 <= match.title <= TITLE_WEIGHT and 0.0 <= match.content <= CONTENT_WEIGHT


def part_of(question: str, card: str) -> CardMatch:
    return next(match for match in SEARCH.search(question, 100, -1.0) if match.id == card)


def test_a_whole_title_counts_whole_and_one_more_keyword_counts_once() -> None:
    assert part_of("Burn severity of a fire (dNBR)", "burn_severity").title == pytest.approx(TITLE_WEIGHT)
    less, more = (
        part_of("the glacier", "glacier_change"),
        part_of("the glacier and its terminus", "glacier_change"),
    )
    assert more.keywords - less.keywords == pytest.approx(KEYWORD_WEIGHT)


def test_a_keyword_is_a_word_and_not_a_part_of_one() -> None:
    assert "sand" not in " ".join(part_of("a thousand scarfs", "landslides").matched)
    assert part_of("a scarf", "landslides").matched == () and part_of("a scar", "landslides").matched == (
        "scar",
    )


def test_no_cards_find_nothing() -> None:
    assert CardSearch([]).search("snow cover") == []


def test_a_single_card_can_be_searched() -> None:
    search = CardSearch([card for card in built_in_cards() if card.id == "sea_ice"])
    assert search.best("sea ice extent of the Arctic") is not None


def test_a_word_weighs_the_more_the_fewer_texts_have_it():
    weights = _weights([{"a", "b"}, {"a"}, {"a", "c"}])
    assert weights["a"] == pytest.approx(math.log(4 / 4) + 1)
    assert weights["b"] == weights["c"] == pytest.approx(math.log(4 / 2) + 1)


def test_a_title_of_words_that_say_nothing_scores_nothing():
    card = SEARCH.cards["sea_ice"].model_copy(update={"title": "What is the data of it"})
    assert CardSearch([card]).search("What is the sea ice?", threshold=-1.0)[0].title == 0.0
