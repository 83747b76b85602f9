"""Features of a text: its words, pairs of words and character n-grams, by a hash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from treeline.knowledge.words import telling_words

FEATURES = 2**16
"""How many there are: half of them words and pairs of words, half n-grams."""

Features = tuple[NDArray[np.int64], NDArray[np.float32]]
"""Numbers of features, 0 to :data:`FEATURES` - 1, in order; and how often each is found."""

_HALF = FEATURES // 2
_LENGTHS = (4, 5)


def features(text: str) -> Features:
    """Return the features of a text's telling words and their counts."""
    words = telling_words(text)
    terms = [*words, *(" ".join(pair) for pair in pairwise(words))]
    counts = Counter(crc32(term.encode()) % _HALF for term in terms)
    for word, times in Counter(words).items():
        for gram in _grams(word):
            counts[_HALF + crc32(gram.encode()) % _HALF] += times
    numbers = sorted(counts)
    return np.array(numbers, dtype=np.int64), np.array([counts[n] for n in numbers], dtype=np.float32)


def _grams(word: str) -> Iterator[str]:
    """Yield the n-grams of a word with its ends; a word that is shorter is one itself."""
    padded = f" {word} "
    for length in _LENGTHS:
        if len(padded) <= length:
            yield padded
            return
        for start in range(len(padded) - length + 1):
            yield padded[start : start + length]
