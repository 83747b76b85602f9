"""Words of questions and cards, brought to one form."""

from __future__ import annotations

import re
import unicodedata

# A library's list would do, were "fire", "top" and "three" not on it.
_STOP_WORDS = """
a about after all also an and any are as at based be been being both but by can could did do does during
each for from give given had has have how if in into is it its may more most of on or other our over per
should such than that the their them then there these they this those through to under up upon using use
was were what when where which while who whose will with within would you your calculate compute
determine data
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

_SPELLINGS = (
    (re.compile(r"\bnight[\s-]time\b"), "nighttime"),
    (re.compile(r"\bday[\s-]time\b"), "daytime"),
    (re.compile(r"\bbuilt[\s-]up\b"), "builtup"),
    (re.compile(r"(?<=[a-z])is(?=ed\b|ation\b|ing\b)"), "iz"),
    (re.compile(r"\b(col|vap|harb|neighb)our"), r"\1or"),
    (re.compile(r"\bgrey"), "gray"),
)
_GREEK = str.maketrans({"Δ": " delta ", "δ": " delta ", "ε": " epsilon ", "μ": "u", "µ": "u"})
_WORD = re.compile(r"[a-z0-9]+")


def words(text: str) -> list[str]:
    """Return the words of a text: lower case, one spelling, singular, in order.

    Plural endings go by the S-stemmer (Harman 1991, JASIS 42:7).
    """
    plain = unicodedata.normalize("NFKD", text.translate(_GREEK)).encode("ascii", "ignore").decode().lower()
    for pattern, spelling in _SPELLINGS:
        plain = pattern.sub(spelling, plain)
    return [_singular(word) for word in _WORD.findall(plain)]


def telling_words(text: str) -> list[str]:
    """Return the words of a text without those that say nothing of its subject."""
    return [word for word in words(text) if word not in STOP_WORDS]


def contains_phrase(text_words: list[str], phrase_words: list[str]) -> bool:
    """Return whether the words of a phrase follow each other in a text."""
    length = len(phrase_words)
    return length > 0 and any(
        text_words[start : start + length] == phrase_words for start in range(len(text_words))
    )


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("us", "ss", "is")):
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    return word[:-1]
