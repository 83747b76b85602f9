"""A number for each place or zone, which are not compared."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.policies.planner.derivation import Derivation, Missing, Wish
from treeline.core.policies.planner.findings import Finding, label_of
from treeline.core.policies.planner.intent import Intent, Subject
from treeline.core.policies.planner.measured import Number
from treeline.core.policies.planner.measuring import Measuring
from treeline.core.policies.planner.plan import NoPixel, Steps
from treeline.core.policies.planner.ranking import ranked
from treeline.core.policies.planner.tabled import numbers_of_table, one_table_serves
from treeline.core.policies.planner.vocabulary import Lexicon
from treeline.core.policies.planner.zoned import each_class

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
    return replace(intent, subjects=subjects, each=True)


def _has(derivation: Derivation, subject: Subject, place: str, intent: Intent) -> bool:
    wish = Wish(
        lambda item: item.date is None or subject.period.holds(item.date),
        intent.methods,
        place,
        forms=intent.forms,
    )
    roles = (subject.role, *(condition.role for condition in subject.conditions))
    return not any(isinstance(derivation.find(role, wish), Missing) for role in roles)


def each(measuring: Measuring, intent: Intent) -> Steps:
    """Return the number of each place or zone; of the zones that the question chooses from, which it is."""
    subjects = yield from each_class(measuring, intent.subjects)
    intent = replace(intent, subjects=subjects)
    numbers = yield from _numbers(measuring, subjects)
    rows = [(label_of(s, intent), n.value) for s, n in zip(subjects, numbers, strict=True)]
    told = next((number for number in numbers if number.unit), numbers[0])
    unit, how = told.unit, told.how
    if all(value is None for _, value in rows):
        raise NoPixel("There is no valid pixel in any of them.", "Check extent and clouds.")
    return ranked(intent, Finding(None, unit, rows=tuple(rows), facts={"how": how, "intent": intent}))


def _numbers(measuring: Measuring, subjects: tuple[Subject, ...]) -> Steps:
    """Return a :class:`Number` for each subject, without a value where no pixel is left."""
    if one_table_serves(subjects):
        return (yield from numbers_of_table(measuring, subjects))
    found: list[Number] = []
    for subject in subjects:
        try:
            found.append((yield from measuring.number(subject)))
        except NoPixel:
            found.append(Number(None, ""))
    return found
