"""The built-in cards: complete, readable, and true to the registry."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from treeline.knowledge import TAXONOMY, TaskCard, built_in_cards
from treeline.knowledge.words import contains_phrase, words
from treeline.toolkit import registry
from treeline.toolkit.variables import VARIABLES

CARDS = built_in_cards()
LONGEST = 420


def test_every_sub_domain_has_its_cards() -> None:
    assert len(TAXONOMY) == 3 and sum(len(parts) for parts in TAXONOMY.values()) == 12
    assert len(CARDS) >= 64
    counts = Counter(card.sub_domain for card in CARDS)
    assert set(counts) == {part for parts in TAXONOMY.values() for part in parts}
    assert min(counts.values()) >= 5


def test_there_is_one_file_for_each_sub_domain() -> None:
    folder = Path(__file__).parents[2] / "knowledge" / "cards"
    expected = {part.lower().replace(" ", "_") for parts in TAXONOMY.values() for part in parts}
    assert {file.stem for file in folder.glob("*.yaml")} == expected


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_chain_and_roles_exist(card: TaskCard) -> None:
    assert [name for name in card.tools if name not in {tool.name for tool in registry()}] == []
    assert [role for role in card.roles if role not in VARIABLES] == []


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_a_card_is_read_in_two_minutes_and_says_enough(card: TaskCard) -> None:
    text = card.guidance
    assert 60 <= len(text.split()) <= LONGEST
    assert len(card.suggestion) >= 3 and len(card.pitfalls) >= 2 and card.references and card.tools
    assert all(sentence.endswith((".", "?", '".')) for sentence in (*card.suggestion, *card.pitfalls))
    keywords = [tuple(words(keyword)) for keyword in card.keywords]
    assert len(set(keywords)) == len(keywords), "a keyword that comes twice counts twice"
    assert () not in keywords


def test_titles_and_ids_are_their_own() -> None:
    assert len({card.title for card in CARDS}) == len({card.id for card in CARDS}) == len(CARDS)


def test_no_card_repeats_a_benchmark_question(shared: Path) -> None:
    """Cards describe tasks; a run of seven words out of a question would be the question."""
    length = 7
    runs: set[tuple[str, ...]] = set()
    for line in (shared / "earth_bench" / "questions.jsonl").read_text("utf-8").splitlines():
        question = json.loads(line)
        for form in ("auto_planning", "instruction_following"):
            text = words(question[form])
            runs |= {tuple(text[start : start + length]) for start in range(len(text) - length + 1)}
    for card in CARDS:
        text = words(card.text + "\n" + "\n".join(card.pitfalls))
        repeated = [run for s in range(len(text)) if (run := tuple(text[s : s + length])) in runs]
        assert not repeated, f"{card.id}: {' '.join(repeated[0])}"


def test_few_keywords_stand_in_one_question_alone(shared: Path) -> None:
    """A word that a single question has is more likely taken from it than from the field."""
    lines = (shared / "earth_bench" / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [words(json.loads(line)["auto_planning"]) for line in lines]
    phrases = {tuple(words(keyword)) for card in CARDS for keyword in card.keywords}
    once = [phrase for phrase in phrases if sum(contains_phrase(q, list(phrase)) for q in questions) == 1]
    assert len(once) <= 0.1 * len(phrases), (len(once), sorted(once))
    assert not [phrase for phrase in once if len(phrase) > 3]
