"""Phrases as a graph of words: what they have in common is held once, however many spellings they stand for.

A phrase may hold choices: "(cloudy|clouded) (pixels|areas|)" stands for six. One with eight choices of ten
words stands for a hundred million; as a finite automaton over words, in which every alternative of a choice
goes on to the same places, it takes eighty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

Words = tuple[str, ...]
Numbers = tuple[int, ...]
# Where in its phrases a graph stands. A negative place is the end of the phrases of number -1 - place.
Places = frozenset[int]
NOWHERE: Places = frozenset()
_WORD = re.compile(r"@?[^\W]+(?:'[^\W]+)?|[^\s\w]")
_NO_WORDS = frozenset(("-", "‑", ""))
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")


@lru_cache(maxsize=1 << 14)
def words_of(text: str) -> Words:
    """Return the words of a phrase, in lower case, hyphens and possessives aside."""
    if text.isascii() and text.islower() and text.replace(" ", "").isalnum():
        return tuple(text.split())
    found = _WORD.findall(text.lower().replace("’", "'").replace("_", " "))
    if "'" in text or "’" in text:
        found = [word.removesuffix("'s").removesuffix("'") for word in found]
    return tuple([word for word in found if word not in _NO_WORDS])


def spellings(phrase: str) -> Iterator[str]:
    """Yield the phrases that one with choices stands for: "(cloudy|clouded) (pixels|)" for four."""
    if "|" not in phrase:
        yield " ".join(phrase.split())
        return
    # Texts and choices take turns. A choice within a choice is left for another round.
    parts = _CHOICE.split(phrase)
    parts[1::2] = [choice.split("|") for choice in parts[1::2]]
    parts[::2] = [[text] for text in parts[::2]]
    for ways in product(*parts):
        one = "".join(ways)
        if "(" in one and _CHOICE.search(one):
            yield from spellings(one)
        else:
            yield " ".join(one.split())


class WordGraph:
    """Phrases, each known by a number that several may share, found word by word."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._next: list[Places] = []
        self._starts: dict[str, set[int]] = {}

    def add_phrase(self, phrase: str, number: int) -> None:
        """Add a phrase, which may hold choices."""
        self._begin(self._places(phrase, frozenset((-1 - number,))))

    def add_words(self, words: Words, number: int) -> None:
        """Add a phrase word by word, in which no sign has a meaning."""
        self._begin(self._chain(words, frozenset((-1 - number,))))

    def begin(self, word: str) -> Places:
        """Return the places after a first word."""
        return frozenset(self._starts.get(word, NOWHERE))

    def follow(self, places: Places, word: str) -> Places:
        """Return the places after one more word."""
        found = [self._next[place] for place in places if place >= 0 and self._words[place] == word]
        return NOWHERE.union(*found) if found else NOWHERE

    def find(self, words: Words) -> Numbers:
        """Return the numbers of the phrases that are spelled with just these words."""
        if not words:
            return ()
        places = self.begin(words[0])
        for word in words[1:]:
            places = self.follow(places, word)
        return numbers_at(places)

    def single_words(self) -> Iterator[str]:
        """Yield the words that are phrases by themselves."""
        return (word for word, places in self._starts.items() if any(place < 0 for place in places))

    def _begin(self, places: Places) -> None:
        for place in places:
            # A phrase without a word is none.
            if place >= 0:
                self._starts.setdefault(self._words[place], set()).update(self._next[place])

    def _places(self, phrase: str, end: Places) -> Places:
        """Return the places at which a phrase begins that goes on to an end."""
        for alternatives in reversed(list(_terms(phrase))):
            if len(alternatives) == 1 and "|" not in alternatives[0]:
                end = self._chain(words_of(alternatives[0]), end)
            else:
                end = NOWHERE.union(*(self._places(one, end) for one in alternatives))
        return end

    def _chain(self, words: Words, end: Places) -> Places:
        for word in reversed(words):
            place = len(self._words)
            self._words.append(word)
            self._next.append(end)
            end = frozenset((place,))
        return end


def numbers_at(places: Places) -> Numbers:
    """Return the numbers of the phrases that end at some places, the lowest first."""
    return tuple(sorted([-1 - place for place in places if place < 0]))


def _terms(phrase: str) -> Iterator[list[str]]:
    """Yield what stands between the spaces of a phrase, each as its alternatives.

    What a choice is written to without a space ("otsu('s|)") is spelled out with it.
    """
    depth, begin = 0, 0
    for at, letter in enumerate(f"{phrase} "):
        depth += (letter == "(") - (letter == ")")
        if letter == " " and depth == 0:
            if term := phrase[begin:at]:
                yield _alternatives(term)
            begin = at + 1


def _alternatives(term: str) -> list[str]:
    if "|" not in term:
        return [term]
    found, depth, begin = [], 0, 1
    for at, letter in enumerate(term):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and at < len(term) - 1:
            return list(spellings(term))
        if depth == 1 and letter == "|":
            found.append(term[begin:at])
            begin = at + 1
    return [*found, term[begin:-1]]
