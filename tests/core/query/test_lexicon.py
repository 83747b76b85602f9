"""Every entry of the lexicon is sound, and its examples give what they state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import pytest

from tests.core.query.workspaces import DEMO, MEADOWS
from treeline.core.query.lexer import tokens_of
from treeline.core.query.lexicon import entries, phrase_of
from treeline.core.query.lexicon.graph import spellings, words_of
from treeline.core.query.names import names_of
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.phrases.phrase import Phrase
from treeline.core.query.reading import read

EXAMPLES = [(e.question, e.paraphrase) for entry in entries() for e in entry.examples]


def test_an_entry_has_a_meaning_or_is_a_filler():
    for entry in entries():
        means = entry.means or entry.variable or entry.classes or entry.all_of or entry.reads_as
        assert entry.filler or entry.sensor or means, entry
        assert all(isinstance(phrase_of(meaning), Phrase) for meaning in entry.means), entry


def test_every_phrase_is_known():
    known = names_of(DEMO).vocabulary
    phrases = {words_of(one) for entry in entries() for phrase in entry.phrases for one in few(phrase)}
    assert not [words for words in phrases if words and known.get(words) is None]


def few(phrase: str) -> Iterator[str]:
    """Yield spellings from all over those of a phrase, which may be hundreds of thousands."""
    step = max(1, sum(1 for _ in spellings(phrase)) // 50)
    return islice(spellings(phrase), 0, None, step)


def test_what_stands_for_other_words_is_made_of_known_ones():
    for entry in entries():
        if entry.reads_as:
            assert all(token.kind != "unknown" for token in tokens_of(entry.reads_as, names_of(DEMO))), entry
            assert not entry.means, f"{entry} is never read, as the other words take its place."


@pytest.mark.parametrize(("question", "meant"), EXAMPLES)
def test_an_example_is_read_as_it_states(question: str, meant: str):
    found = read(question, MEADOWS)
    assert found.status == "read", found.uncovered
    assert re.sub(r" \(assumed: .*\)$", "", paraphrase(found.expressions[0], MEADOWS)) == meant
