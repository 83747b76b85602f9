"""The features of a text: its words, pairs of words, and n-grams of letters."""

from __future__ import annotations

import pytest

from treeline.knowledge.features import _LENGTHS, FEATURES, _grams, features


@pytest.mark.parametrize("word", ["a", "ab", "abc", "abcd", "drought"])
def test_no_part_of_a_word_counts_twice(word: str):
    grams = list(_grams(word))
    padded = f" {word} "
    assert len(grams) == len(set(grams))
    assert all(gram in padded for gram in grams)
    longest = min(len(padded), max(_LENGTHS))
    assert max(map(len, grams)) == longest
    expected = sum(max(len(padded) - length + 1, 0) for length in _LENGTHS if length < len(padded))
    assert len(grams) == expected + (len(padded) <= max(_LENGTHS))


def test_a_word_that_is_there_twice_counts_twice():
    once, twice = features("drought"), features("drought drought")
    assert once[1].max() == 1 and twice[1].max() == 2
    assert set(once[0]) <= set(twice[0])


def test_words_and_ngrams_share_no_number():
    numbers, _ = features("drought")
    assert (numbers < FEATURES // 2).sum() == 1, "the word"
    assert (numbers >= FEATURES // 2).sum() == len(set(_grams("drought")))
    assert numbers.max() < FEATURES
