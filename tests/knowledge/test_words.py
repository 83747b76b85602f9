"""Words of a text in one form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.knowledge.words import STOP_WORDS, contains_phrase, telling_words, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Night-time lights", "nighttime light"),
        ("water vapour", "Water Vapor"),
        ("normalised burn ratios", "normalized burn ratio"),
        ("built-up areas", "built up area"),
        ("cities", "city"),
        ("cars", "car"),
        ("sur_refl_b01", "sur refl b01"),
        ("Réunion", "reunion"),
    ],
)
def test_spellings_of_one_thing_are_one(one: str, other: str) -> None:
    assert words(one) == words(other)


@pytest.mark.parametrize("word", ["gas", "mass", "radius", "this", "axis"])
def test_a_word_that_is_singular_stays(word: str) -> None:
    assert words(word) == [word]


def test_words_of_the_field_are_no_stop_words() -> None:
    assert not STOP_WORDS & {"fire", "top", "three", "system", "ice", "day", "night"}
    assert telling_words("What is the fire of the day?") == ["fire", "day"]


@given(st.lists(st.sampled_from("ab"), max_size=12), st.lists(st.sampled_from("ab"), max_size=4))
def test_a_phrase_is_found_where_its_words_follow_each_other(text: list[str], phrase: list[str]) -> None:
    assert contains_phrase(text, phrase) == (bool(phrase) and "".join(phrase) in "".join(text))
