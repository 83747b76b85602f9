"""What an answer states in another language than that of the rules, which read English.

Its numbers, units, dates and names are checked as in any language. Of its words those may stand that state
nothing beside them, which ``foreign_words.yaml`` lists, those of a question that asks which or how much, and
those that the rules know: a superlative, a verb of change. Whatever else it says is not checked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib import resources

import yaml

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.bare_claims import shortly
from treeline.core.engine.verification.claims import find_unit
from treeline.core.engine.verification.degree_words import extreme, is_superlative, without_superlatives
from treeline.core.engine.verification.labels import labels_in
from treeline.core.engine.verification.phrases import way

_HERE = "treeline.core.engine.verification"
_WORD = re.compile(r"[^\W\d_]+")
# Words that only English has among the languages of the table.
_ENGLISH = re.compile(
    r"\b(?:the|of|are|were|and|has|have|had|with|than|by|it|its|for|from|to|that|this|these|those|which|be|been|not|"
    r"or|each|every|mean|average|between|both|at|there|they|their|while|but|only|about|highest|lowest|above|below|"
    r"plus(?= \d| \w+ \d)|roughly|around)\b",
    re.I,
)
# Names of places hold articles: Los Angeles, Rio de Janeiro.
_NAME = re.compile(
    r"\b(?:El|La|Los|Las|Le|Les|Il|San|Val) (?=[A-Z][a-z])|"
    r"(?<=[a-z]) (?:de|del|di|da|do|dos|van|von|la|los|las|le) (?=[A-Z])"
)
_RAIN = re.compile(r"\d ?mm\b")
# So many of the words that are not read are named.
_MOST = 3
_CODE = re.compile(r"https?://\S+|@[\w\[\]-]+|`[^`]*`|\b[\w-]+\.\w{2,5}\b|\b\w*[_\d]\w*\b")


@cache
def _words(kind: str) -> frozenset[str]:
    """Return the words of a kind that the table lists, in lower case."""
    table = yaml.safe_load(resources.files(_HERE).joinpath("foreign_words.yaml").read_text("utf-8"))
    return frozenset(table[kind].casefold().split())  # as words of answers are


def find_foreign_statements(answer: AnswerColumns, told: str) -> Iterator[str]:
    """Yield the clauses that say more than values and names in a language that is not checked, in sentences.

    Parameters
    ----------
    told : str
        What the data are said to be, where names stand as they are.
    """
    known = _names(f"{told} {answer.evidence.words} {' '.join(answer.evidence.names)}")
    asked = _words_asked_for(answer.question)
    for clause in answer.clauses:
        if clause == answer.option:
            continue
        words = [word for word in _WORD.findall(_CODE.sub(" ", clause)) if word.casefold() not in known]
        if not _is_foreign(clause, words):
            continue
        plain = asked | (_words("rain") if _RAIN.search(clause) else frozenset())
        judged = _is_judged(answer, clause)
        rest = _names(without_superlatives(clause)) if judged else _names(clause)
        words = [word for word in words if word.casefold() in rest]
        left = [w for w in words if not _is_read(w, plain, judged) and not _is_plain_script(w, known)]
        if left:
            yield (
                f"Not checked: {shortly(clause)!r} makes statements in a language which is not checked "
                f"({', '.join(left[:_MOST])})."
            )


def _is_judged(answer: AnswerColumns, clause: str) -> bool:
    """Return whether rules read the relations of a clause: verdicts say so, or an end of what it names."""
    if answer.verdicts(clause):
        return True
    return (extreme(clause) != 0 or is_superlative(clause)) and bool(labels_in(clause, answer.columns))


def _names(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))


def _words_asked_for(question: str) -> frozenset[str]:
    """Return the words of a foreign question that asks which or how much, and compares nothing."""
    words = _names(without_superlatives(question))
    return words if words & _words("asking") and not words & _words("telling") else frozenset()


def _is_foreign(clause: str, words: list[str]) -> bool:
    """Return whether a clause is in another language than English, by its small words and its letters."""
    if any(_is_of_other_script(letter) for word in words for letter in word):
        return True
    small = [word.casefold() for word in _WORD.findall(_NAME.sub(" ", clause))]
    own = sum(word in _words("function") or word in _words("telling") for word in small)
    english = len(_ENGLISH.findall(clause))
    marked = any(_is_marked(letter) for word in words for letter in word)
    return own > english or marked and not english


@cache
def _is_marked(letter: str) -> bool:
    """Return whether a letter is a Latin one that English does not have."""
    return not letter.isascii() and unicodedata.name(letter, "").startswith("LATIN")


@cache
def _is_of_other_script(letter: str) -> bool:
    """Return whether a letter is neither Latin nor a sign that formulas have."""
    name = unicodedata.name(letter, "")
    return letter.isalpha() and not name.startswith(("LATIN", "GREEK", "MICRO", "FEMININE", "MASCULINE"))


def _is_read(word: str, plain: frozenset[str], judged: bool) -> bool:
    """Return whether a word states nothing, or is one that the rules read in what they judge."""
    folded = word.casefold()
    if judged and way(word):
        return True
    if folded in _words("telling"):
        return False
    if folded in _words("function") | _words("beside") | _words("neutral") | plain or len(folded) == 1:
        return True
    return bool(find_unit(word.rstrip("\u00b2\u00b3")) or word.isupper() or _ENGLISH.fullmatch(word))


def _is_plain_script(word: str, known: frozenset[str]) -> bool:
    """Return whether a word of other letters states nothing."""
    if not any(map(_is_of_other_script, word)):
        return False
    return not any(map(_is_of_other_script, _without_phrases(word.casefold(), known)))


def _without_phrases(word: str, known: frozenset[str]) -> str:
    """Return a word, or a clause without spaces, without names and what states nothing."""
    names = {name for name in known if any(map(_is_of_other_script, name))}
    for phrase in sorted(_words("scripts") | names, key=len, reverse=True):
        word = word.replace(phrase, "")
    return word
