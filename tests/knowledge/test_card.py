"""A card's schema: what is valid, and what is said of what is not."""

from __future__ import annotations

from typing import Any

import pytest

from treeline.knowledge import CardError, TaskCard, built_in_cards
from treeline.knowledge.card import (
    DEEPEST_YAML,
    LONGEST_YAML,
    cards_from_yaml,
    cards_to_yaml,
    chain_and_pitfalls,
    read_yaml,
)

VALID: dict[str, Any] = {
    "id": "dune_migration",
    "sub_domain": "Land Cover Mapping",
    "title": "Migration of dunes",
    "definition": "How far dunes move in a year, from two images of one season.",
    "suggestion": ["Outline the crests on both dates.", "Measure the shift across the wind."],
    "keywords": ["dune", "sand", "migration"],
    "pitfalls": ["The sun's direction moves the shadows."],
}


def test_a_valid_card_gets_its_domain_and_first_version() -> None:
    card = TaskCard.from_content(VALID)
    assert card.domain == "Environmental Monitoring" and card.version == 1
    assert "1. Outline the crests" in card.guidance and "shadows" in card.guidance


@pytest.mark.parametrize(
    ("change", "named", "hint"),
    [
        ({"id": "../etc/passwd"}, "'id'", "underscores"),
        ({"id": "Dune"}, "'id'", "underscores"),
        ({"sub_domain": "Deserts"}, "'Deserts'", "Land Cover Mapping"),
        ({"domain": "Disaster Management"}, "'domain'", "Leave it out"),
        ({"title": "x"}, "'title'", "5 to 120"),
        ({"suggestion": ["Only one step."]}, "'suggestion'", "two steps"),
        ({"suggestion": "One. Two."}, "'suggestion'", "list"),
        ({"keywords": ["dune", 7, "sand"]}, "'keywords[2]'", "phrases"),
        ({"tools": ["rm -rf"]}, "'tools[1]'", "tool names"),
        ({"pitfalls": []}, "'pitfalls'", "at least one"),
        ({"version": 0}, "'version'", "from 1"),
        ({"colour": "red"}, "'colour'", "suggestion"),
    ],
)
def test_an_error_names_the_field_and_what_would_do(change: dict[str, Any], named: str, hint: str) -> None:
    with pytest.raises(CardError) as caught:
        TaskCard.from_content({**VALID, **change})
    assert named in caught.value.message and "Card" in caught.value.message
    assert hint in caught.value.hint


def test_a_missing_field_is_named() -> None:
    with pytest.raises(CardError, match="'definition' is missing"):
        TaskCard.from_content({key: value for key, value in VALID.items() if key != "definition"})


def test_yaml_goes_there_and_back() -> None:
    cards = list(built_in_cards())
    assert cards_from_yaml(cards_to_yaml(cards)) == cards


@pytest.mark.parametrize("text", ["a: [1", "just words", "3", "- 1", "!!python/object/apply:os.getcwd []"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(CardError):
        cards_from_yaml(text)


def test_yaml_may_be_as_long_and_as_deep_as_the_limit_and_no_more() -> None:
    longest, deepest = "#" + " " * (LONGEST_YAML - 1), "[" * DEEPEST_YAML + "]" * DEEPEST_YAML
    assert read_yaml(longest) is None and read_yaml(deepest)
    with pytest.raises(CardError, match="characters"):
        read_yaml(longest + " ")
    with pytest.raises(CardError, match="deep"):
        read_yaml(f"[{deepest}]")


def test_the_chain_and_the_pitfalls_are_found_in_the_guidance() -> None:
    for card in built_in_cards():
        assert chain_and_pitfalls(card.guidance) == (card.tools, card.pitfalls)
    assert chain_and_pitfalls("Map the dunes.") == ((), ())
