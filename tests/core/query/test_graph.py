"""A graph of words knows just the spellings of its phrases."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.core.query.lexicon.graph import WordGraph, spellings, words_of

WORDS = ("a", "b", "c")


def graph_of(*phrases: str) -> WordGraph:
    graph = WordGraph()
    for number, phrase in enumerate(phrases):
        graph.add_phrase(phrase, number)
    return graph


@st.composite
def phrases(draw: st.DrawFn, depth: int = 2) -> str:
    """Return a phrase of words and choices, some of which may be left out."""
    terms = []
    for _ in range(draw(st.integers(1, 3))):
        if depth and draw(st.booleans()):
            choices = draw(st.lists(st.one_of(st.just(""), phrases(depth - 1)), min_size=2, max_size=3))
            terms.append(f"({'|'.join(choices)})")
        else:
            terms.append(draw(st.sampled_from(WORDS)))
    return " ".join(terms)


@given(st.lists(phrases(), min_size=1, max_size=3))
def test_what_is_known_are_the_spellings_and_nothing_else(given_phrases: list[str]):
    graph = graph_of(*given_phrases)
    spelled = [{words_of(one) for one in spellings(phrase)} for phrase in given_phrases]
    asked = set.union(*spelled) | {words for n in range(4) for words in product(WORDS, repeat=n)}
    for words in asked - {()}:
        assert graph.find(words) == tuple(n for n, known in enumerate(spelled) if words in known)
    assert set(graph.single_words()) == {words[0] for words in set.union(*spelled) if len(words) == 1}


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        ("otsu('s|) threshold", ("otsu", "threshold")),
        ("false(-| )(colour|color)", ("false", "color")),
        ("(, |)and which", (",", "and", "which")),
        ("(, |)and which", ("and", "which")),
        ("(yes|true)/(no|false)", ("true", "/", "no")),
    ],
)
def test_a_choice_may_be_written_to_a_word(phrase: str, words: tuple[str, ...]):
    assert graph_of(phrase).find(words) == (0,)


def test_signs_of_a_name_are_no_choice():
    graph = WordGraph()
    graph.add_words(words_of("forest (old|young"), 3)
    assert graph.find(words_of("Forest (old|young")) == (3,)
    assert graph.find(("forest", "(", "old")) == ()


def test_many_spellings_take_little():
    """A million spellings are sixty words."""
    choice = f"({'|'.join(f'w{n}' for n in range(10))})"
    graph = graph_of(" ".join([choice] * 6))
    assert len(graph._words) == 60 and graph.find(("w0", "w9", "w3", "w3", "w1", "w5")) == (0,)
