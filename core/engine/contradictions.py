"""What an answer says that the results contradict: which, when, how many, which way, yes or no.

Each number of such an answer may stand in a result; it is of another date or class, is not the largest, or
falls where the answer says that it rises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from treeline.core.engine.actions import Call
from treeline.core.engine.answer_columns import AnswerColumns, has_two_ends
from treeline.core.engine.claims import Claim, claims_in, dates_in
from treeline.core.engine.columns import find_dates, find_names, labels_in
from treeline.core.engine.comparisons import false_bases, false_comparisons
from treeline.core.engine.counting import false_conditions, false_counts, false_existence
from treeline.core.engine.extremes import best_of, false_extremes, false_ranges, not_the_extreme
from treeline.core.engine.members import false_members, false_orders, find_false_only
from treeline.core.engine.notation import number_in_words
from treeline.core.engine.phrases import (
    asks_yes_or_no,
    extreme,
    find_rank,
    find_statistics,
    goes_both_ways,
    leads_elsewhere,
    polarity,
    side,
    statistic_of,
)
from treeline.core.engine.records import false_halves, false_keys
from treeline.core.engine.shares import false_shares
from treeline.core.engine.statements import ends_of
from treeline.core.engine.support import numbers_in
from treeline.core.engine.trends import false_signs, false_ways
from treeline.core.engine.wholes import false_wholes
from treeline.toolkit import registry

_IS_NOT = re.compile(r"\b(?:is|are|was|were|lies?|does|do)(?: not|n't)\b", re.I)
_CONTRAST = re.compile(r"[,;]?\s(?:whereas|while|but|and)\s|[;,]\s")
_ROW = re.compile(r"\s*\|.*\|\s*$")  # of a table
_COMPARED = re.compile(r"\b(?:than|against|compared|versus|unlike|while)\b", re.I)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.I)


def _pairs(answer: AnswerColumns) -> Iterator[str]:
    """Find numbers that are told of another date, class or zone than theirs."""
    for clause in dict.fromkeys([*answer.statements, answer.text]):
        claims = [c for c in claims_in(clause) if c in answer.claims and (c.unit or not answer.holds(c))]
        labels = labels_in(clause, answer.columns)
        together = len(claims) == len(labels) and (
            has_two_ends(clause) or _RESPECTIVELY.search(clause) is not None
        )
        row = len(labels) == 1 and _ROW.match(clause) is not None
        if len(claims) == len(labels) == 1 or together or row:
            for claim, label in zip(claims, labels * len(claims) if row else labels, strict=True):
                if not _is_other_side(answer, claim) and (wrong := answer.wrong_label(claim, label, clause)):
                    yield wrong
        elif (
            len(claims) > 1 and len(labels) == 1 and all(_is_elsewhere(answer, c, labels[0]) for c in claims)
        ):
            yield answer.wrong_label(claims[0], labels[0], clause)
        if len(claims) == 1 and len(labels) == 2:
            crossed = [
                n for c in answer.columns for a, b in (labels, labels[::-1]) if c.of == a for n in c.under(b)
            ]
            if crossed and not answer.shows(claims[0], [*crossed, *answer.evidence.noted]):
                yield f"{claims[0].text} is not of {labels[0]} and {labels[1]}: {crossed[0]:.6g} is."
    yield from _of_question(answer)
    asked = answer.labels_of_question()
    by_itself = answer.asks_of_label or not extreme(answer.question)
    unlabelled = not answer.labels and len(asked) == 1 and by_itself
    if (
        unlabelled
        and answer.only_number
        and (wrong := answer.wrong_label(answer.only_number, asked[0], f"{answer.question} {answer.text}"))
    ):
        yield wrong


def _is_elsewhere(answer: AnswerColumns, claim: Claim, label: str) -> bool:
    """Return whether a number is in a column that has the label, and under others only."""
    known = [column for column in answer.columns if column.under(label)]
    own = [n for column in known for n in column.under(label)]
    others = [n for column in known for n in column.numbers.values() if n not in own]
    return answer.shows(claim, others) and not answer.shows(claim, [*own, *answer.evidence.noted])


def _is_other_side(answer: AnswerColumns, claim: Claim) -> bool:
    """Return whether a number is what another one is held against, and of another date than that."""
    return (
        re.search(
            rf"\b(?:against|versus|vs\.?|compared (?:with|to)) {re.escape(claim.text)}(?!\d)", answer.text
        )
        is not None
    )


def _of_question(answer: AnswerColumns) -> Iterator[str]:
    """Find a date or a name that does not have the number by which the question asks for it."""
    told = [claim for claim in claims_in(answer.question) if not claim.limit]
    plain = len(told) == len(answer.labels) == 1 and not answer.claims and not extreme(answer.question)
    if plain and (wrong := answer.wrong_label(told[0], answer.labels[0], answer.text)):
        yield wrong


def _option_beside_text(answer: AnswerColumns) -> Iterator[str]:
    """Find an option that names another date, class or zone than the text."""
    chosen, said = (labels_in(text, answer.columns) for text in (answer.option, answer.text))
    alike = any(one.startswith(other) or other.startswith(one) for one in chosen for other in said)
    if chosen and said and not alike:
        yield f"The option names {chosen[0]}, and the text {' and '.join(said)}."


def _other_than_asked(answer: AnswerColumns) -> Iterator[str]:
    """Find an answer of another date, class or zone than the one that is asked and that the results hold."""
    asked = answer.labels_of_question()
    labels = find_dates if any(dates_in(label) for label in asked) else find_names
    said = labels(f"{_COMPARED.split(answer.text)[0]} {answer.option}", answer.columns)
    if len(asked) != 1 or not said or leads_elsewhere(answer.question):
        return
    alike = any(one.startswith(asked[0]) or asked[0].startswith(one) for one in said)
    if not alike and (answer.claims or answer.value):
        yield f"The question is of {asked[0]}, and the answer of {' and '.join(said)}."


def _value_beside_text(answer: AnswerColumns) -> Iterator[str]:
    """Find a number of the answer that is one of a column where its text states another one of it."""
    value, claims = answer.value, answer.claims
    if value is None or len(claims) != 1 or abs(claims[0].number - value.number) <= claims[0].half:
        return
    if any(number_in_words(word) == value.number for word in re.findall(r"[A-Za-z]+", answer.text)):
        return
    for column in answer.columns:
        numbers = list(column.numbers.values())
        held = [n for n in numbers if answer.shows(claims[0], [n])]
        if held and answer.shows(value, numbers) and not answer.shows(value, held):
            yield f"The number of the answer is {value.text}, and its text states {claims[0].text}."
            return


def _shares(answer: AnswerColumns) -> Iterator[str]:
    """Find parts of a whole in words that are not so large."""
    text, shares = f"{answer.text}\n{answer.option}", answer.evidence.per_cents()
    modes = {str((step.observation.arguments or {}).get("mode", "")) for step in answer.steps} - {""}
    measured = side(" ".join(modes).replace("_", " ")) if modes else side(answer.question)
    yield from false_shares(
        text,
        answer.columns,
        shares,
        answer.question,
        measured=measured,
        numbers=answer.evidence.numbers,
    )


def _denied_parts(answer: AnswerColumns) -> Iterator[str]:
    """Find the number of a class or zone that is told of what does not belong to it."""
    for part in answer.parts:
        denied = _IS_NOT.search(part)
        for label in labels_in(part[denied.end() :], answer.columns)[:1] if denied else ():
            held = [n for c in answer.columns if len(c.numbers) > 1 for n in c.under(label)]
            for claim in claims_in(part[: denied.start()]) if denied else ():
                if claim in answer.claims and answer.shows(claim, held):
                    yield f"{claim.text} is of {label} itself."


def _lists(answer: AnswerColumns) -> Iterator[str]:
    """Find lists of what lies beyond a limit that are not those, and lists in a wrong order."""
    yield from false_members(answer.question, answer.text, answer.option, answer.ground)
    yield from (told for part in answer.parts for told in find_false_only(part, answer.ground))
    yield from false_orders(answer.question, answer.text, answer.columns)


def _comparisons(answer: AnswerColumns) -> Iterator[str]:
    """Find by how much one is more than another, or than before, and is not."""
    for part in answer.parts:
        yield from false_comparisons(part, answer.columns)
        yield from false_bases(part, [(each.first, each.last) for each in ends_of(answer.ground, part)])


def _statements(answer: AnswerColumns) -> Iterator[str]:
    """Find sentences that the columns contradict: limits with quantifiers, comparisons, changes."""
    asked = find_rank(answer.question)
    own = any(find_rank(part) or extreme(part) for part in answer.parts)
    alone = asked and len(answer.labels) == 1 and not own
    for part in [
        *answer.parts,
        *_each_way(answer),
        *([f"{answer.labels[0]} is the {asked}"] if alone else []),
    ]:
        yield from (f"{verdict.held}." for verdict in answer.ground.verdicts(part) if not verdict.true)


def _each_way(answer: AnswerColumns) -> Iterator[str]:
    """Yield the parts of sentences in which one thing rises and another one falls."""
    for sentence in filter(goes_both_ways, answer.parts):
        parts = _CONTRAST.split(sentence)
        yield from parts if all(len(find_names(part, answer.columns)) == 1 for part in parts) else ()


def _polarities(answer: AnswerColumns) -> Iterator[str]:
    """Find a yes or no to a question whose statement the columns judge otherwise."""
    said = polarity(answer.option) if answer.option else polarity(answer.text)
    if said is None or not asks_yes_or_no(answer.question):
        return
    for verdict in answer.ground.verdicts(answer.question):
        if verdict.true is not said:
            yield f"{verdict.held}, so that the answer is {'no' if said else 'yes'}."
    direction, labels = extreme(answer.question), labels_in(answer.question, answer.columns)
    if direction and len(labels) == 1:
        wrong = list(not_the_extreme(answer, labels[0], direction))
        if said and wrong:
            yield from wrong
        elif (
            not said and not wrong and any(len(c.numbers) > 1 and c.under(labels[0]) for c in answer.columns)
        ):
            yield f"{labels[0]} is the {'largest' if direction > 0 else 'smallest'}."


def _keys(answer: AnswerColumns) -> Iterator[str]:
    """Find numbers and dates that are told under the name of another quantity of a record."""
    yield from false_keys(answer.parts, list(answer.records), answer.shows)
    yield from false_halves(answer.parts, list(answer.records), answer.shows)


def _statistics(answer: AnswerColumns) -> Iterator[str]:
    """Find a number that is called another statistic than the tool or the table gave."""
    said = [(part, [c for c in claims_in(part) if c in answer.claims]) for part in answer.statements]
    alone = [(part, claims[0]) for part, claims in said if len(claims) == 1 and find_statistics(part)]
    whole = [(answer.text, answer.only_number)] if answer.only_number is not None else []
    for text, claim in alone or whole:
        named = find_statistics(text) or find_statistics(answer.question)
        given = {kind for kind, numbers in _given_statistics(answer) if answer.shows(claim, numbers)}
        ends = [
            n
            for c in answer.columns
            if len(c.numbers) > 1
            for n in (best_of(list(c.numbers.values()), w) for w in (1, -1))
        ]
        if not find_statistics(text, nouns=True) and answer.shows(claim, ends):
            continue  # the highest of several means
        if named and given and "" not in given and not given & named:
            yield f"{claim.text} is the {' or '.join(sorted(given))}, not the {' or '.join(sorted(named))}."


def _given_statistics(answer: AnswerColumns) -> Iterator[tuple[str, list[float]]]:
    """Yield the numbers of results by the statistic that they are; those of a series may be any.

    What a question asks of one date is of that date, and no statistic of a series.
    """
    dated = any(len(label) == 10 for label in labels_in(answer.question, answer.columns))
    for step in answer.steps:
        value, name = step.observation.value, step.action.tool if isinstance(step.action, Call) else ""
        quantity = registry().get(name).gives.quantity if name in registry() else ""
        chosen = statistic_of(str((step.observation.arguments or {}).get("statistic", quantity)))
        several = isinstance(value, list | dict) and len(value) > 1
        tables = value if isinstance(value, list) else [value]
        yield from ((statistic_of(key), [n]) for row in tables for key, n in _cells(row))
        plain = [n for n in tables if not isinstance(n, dict)]
        yield chosen if not several or dated else "", list(numbers_in(plain))
    yield "", list(answer.evidence.noted)


def _cells(row: Any) -> Iterator[tuple[str, float]]:
    for key, item in row.items() if isinstance(row, dict) else ():
        yield from ((str(key), number) for number in numbers_in(item))


def _other_variable(answer: AnswerColumns) -> Iterator[str]:
    """Find a variable in answer or question that the results are not of, where they are of others."""
    known = {name: re.compile(rf"(?<![a-z]){re.escape(name)}(?![a-z])") for name in VARIABLES}
    tools = " ".join(s.action.tool for s in answer.steps if isinstance(s.action, Call))
    words = f"{answer.evidence.words} {tools}".casefold()
    asked = f"{answer.question} {answer.text}"
    present = {name for name, pattern in known.items() if pattern.search(words)}
    named = [name for name in VARIABLES if re.search(rf"\b{name.upper()}\b", asked)]
    if present and len(named) == 1 and not present & {named[0], *_ALIASES.get(named[0], ())}:
        yield f"The cited steps are of {', '.join(sorted(present)).upper()}, none of {named[0].upper()}."


# Variables that texts call by their capitals, and what some call others by.
VARIABLES = (
    "ndvi", "evi", "evi2", "savi", "msavi", "ndwi", "mndwi", "ndmi", "ndbi", "ndsi", "nbr", "dnbr", "lst",
    "tvdi", "fvc", "lai", "pwv", "ndre",
)  # fmt: skip
_ALIASES = {"ndwi": ("ndmi", "mndwi"), "ndmi": ("ndwi",), "evi": ("evi2",), "lst": ("bt",), "dnbr": ("nbr",)}


def contradictions(answer: AnswerColumns) -> Iterator[str]:
    """Yield what of an answer contradicts the results, in sentences."""
    for check in _CHECKS:
        yield from check(answer)


_CHECKS: tuple[Callable[[AnswerColumns], Iterator[str]], ...] = (
    _pairs, _option_beside_text, _other_than_asked, _value_beside_text, false_extremes, false_ranges, _shares,
    _denied_parts, _statements, _lists, _comparisons, false_conditions, false_ways, false_signs, _keys,
    _polarities, false_existence, false_counts, false_wholes, _statistics, _other_variable,
)  # fmt: skip
