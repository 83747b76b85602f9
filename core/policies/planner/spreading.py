"""A question without a place, in a workspace of several places: a number for each."""

from __future__ import annotations

from dataclasses import replace

from core.policies.planner.derivation import Derivation, Missing, Wish
from core.policies.planner.intent import Intent, Subject
from core.policies.planner.vocabulary import Lexicon

_MOST_PLACES = 12


def at_each_place(intent: Intent, derivation: Derivation, lexicon: Lexicon) -> Intent:
    """Return an intent with a subject for each place that has what is asked for, where none is named."""
    if len(intent.subjects) != 1 or intent.operation != "value" or intent.whether is not None:
        return intent
    subject = intent.subjects[0]
    if subject.place or len(lexicon.sensors) > 1:
        return intent
    places = [place for place in lexicon.places if _has(derivation, subject, place, intent)]
    if not 1 < len(places) <= _MOST_PLACES:
        return intent
    subjects = tuple(replace(subject, place=place) for place in places)
    return replace(intent, subjects=subjects, each_place=True)


def _has(derivation: Derivation, subject: Subject, place: str, intent: Intent) -> bool:
    wish = Wish(
        lambda item: item.date is None or subject.period.holds(item.date),
        intent.methods,
        place,
        forms=intent.forms,
    )
    roles = (subject.role, *(condition.role for condition in subject.conditions))
    return not any(isinstance(derivation.find(role, wish), Missing) for role in roles)
