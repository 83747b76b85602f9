"""Which language a question is written in, as far as its small words tell."""

from __future__ import annotations

import re

_SMALL_WORDS = {
    "English": "the of is was were what which how many much in on at where when and to by for from it",
    "German": "der die das den dem des ein eine einen wie hoch viel viele ist war waren welche welcher wann "
    "wo und im am vom zum zur von für mit über unter zwischen nach nicht auf gibt es hat mittlere anteil",
    "French": "le la les du des un une est était quel quelle combien où quand et dans sur au aux entre pour "
    "avec par de plus moyenne",
    "Spanish": "el la los las un una es era fue cuál cuánto cuánta cuándo dónde y en del al entre para con "
    "por de qué media",
    "Italian": "il lo la gli le un una è era qual quale quanto quanta quando dove e nel nella del della di "
    "al tra per con media",
    "Slovene": "je so bil bila kakšen kakšna kateri katera koliko kje kdaj in na v od do med za povprečni",
}
_WORDS = {language: frozenset(words.split()) for language, words in _SMALL_WORDS.items()}


def foreign(question: str) -> str:
    """Return the language of a question that is plainly not English; empty for English.

    Parameters
    ----------
    question : str
    """
    words = re.findall(r"[^\W\d_]+", question.lower())
    counts = {language: sum(word in small for word in words) for language, small in _WORDS.items()}
    likeliest = max(counts, key=lambda language: counts[language])
    return likeliest if counts[likeliest] >= 2 and counts[likeliest] > counts["English"] else ""
