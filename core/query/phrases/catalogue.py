"""Every kind of meaning by its name, as the lexicon names them."""

from __future__ import annotations

from treeline.core.query.phrases import (
    answers,
    comparisons,
    conditions,
    counts,
    courses,
    phrase,
    places,
    ranks,
    times,
    values,
)
from treeline.core.query.phrases.phrase import Phrase

_CONCEPTS = (phrase, values, places, times, counts, conditions, comparisons, ranks, courses, answers)

KINDS: dict[str, type[Phrase]] = {
    name: kind
    for concept in _CONCEPTS
    for name, kind in vars(concept).items()
    if isinstance(kind, type) and issubclass(kind, Phrase) and kind is not Phrase
}
