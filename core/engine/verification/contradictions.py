"""What an answer says that the results contradict: which, when, how many, which way, yes or no.

Each number of such an answer may stand in a result; it is of another date or class, is not the largest, or
falls where the answer says that it rises.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.attributions import find_misattributions
from treeline.core.engine.verification.bands import find_misplaced_in_bands
from treeline.core.engine.verification.claims import Claim, claims_in, dates_in
from treeline.core.engine.verification.class_meanings import (
    find_exchanged_directions,
    find_exchanged_marks,
    find_misnamed_classes,
    find_misplaced_classes,
)
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.clouds import asks_cloudiness, cloud_covers
from treeline.core.engine.verification.comparisons import (
    false_bases,
    false_comparisons,
    false_own_differences,
    false_own_parts,
    false_own_ratios,
)
from treeline.core.engine.verification.compass import find_false_bearings, find_false_directions
from treeline.core.engine.verification.counting import (
    false_counts,
    false_existence,
    find_limits_of_other_units,
    find_miscounted,
)
from treeline.core.engine.verification.coverage import (
    find_changes_of_other_months,
    find_days_of_whole_times,
    find_exchanged_numbers,
    find_false_movements,
    find_false_sums,
    find_misplaced_days,
    find_misplaced_numbers,
)
from treeline.core.engine.verification.degree_words import extreme, find_rank
from treeline.core.engine.verification.enumerations import find_miscounts, find_other_parts
from treeline.core.engine.verification.extremes import (
    false_extremes,
    false_ranges,
    not_the_extreme,
)
from treeline.core.engine.verification.facts import is_share_of_things, statistic_of_call
from treeline.core.engine.verification.guesses import is_guess
from treeline.core.engine.verification.labels import find_dates, find_names, labels_in
from treeline.core.engine.verification.members import (
    false_members,
    false_orders,
    find_false_ends,
    find_false_firsts,
    find_false_listing,
    find_false_names,
    find_false_only,
    find_false_sequence,
)
from treeline.core.engine.verification.named_statistics import find_other_statistics
from treeline.core.engine.verification.notation import COUNTABLE, number_in_words
from treeline.core.engine.verification.own_standings import find_false_own_standings
from treeline.core.engine.verification.percent import per_cent, rest_of
from treeline.core.engine.verification.phrases import multiplies, side
from treeline.core.engine.verification.quantifiers import is_of_things
from treeline.core.engine.verification.question_words import asks_yes_or_no, leads_elsewhere, polarity
from treeline.core.engine.verification.readings import readings_of
from treeline.core.engine.verification.records import (
    false_extreme_keys,
    false_halves,
    false_keys,
    false_statistics,
    false_totals,
    limit_of_half,
    medians_of,
)
from treeline.core.engine.verification.results import numbers_in, percentiles_of, usual_argument
from treeline.core.engine.verification.sentence_grounds import ends_of
from treeline.core.engine.verification.shares import (
    false_shares,
    parts_told_of,
)
from treeline.core.engine.verification.skies import find_exchanged_sky, find_false_sky, find_miscounted_clouds
from treeline.core.engine.verification.tables import find_misplaced_cells
from treeline.core.engine.verification.trends import (
    false_signs,
    false_ways,
    find_levels_as_changes,
)
from treeline.core.engine.verification.variables import find_other_variables

_IS_NOT = re.compile(r"\b(?:is|are|was|were|lies?|does|do)(?: not|n't)\b", re.I)
_HALVES = re.compile(
    r"\bhalf (?:of )?(?:\w+ ){1,3}?(?:is|are|was|were|lies?|lay) (?:\w+er|above|below)\b", re.I
)
_SIGNIFICANT = re.compile(r"\bsignifican", re.I)
_COVERED = 100.0
_BOTH = 2
_AREAS = ("ha", "km2", "m2", "count")
_COMPARED = re.compile(r"\b(?:than|against|compared|versus|unlike|while)\b", re.I)
# What has hardly anything beyond a limit is not called beyond it.
_HARDLY_ANY = re.compile(
    r"\b(?:next to|almost|practically|virtually) (?:nothing|none)\b|\bhardly (?:any|anything)\b", re.I
)


def _asked_pairs(answer: AnswerColumns) -> Iterator[str]:
    """Find numbers that are told of what the question names and are of another date, class or zone."""
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


def _of_question(answer: AnswerColumns) -> Iterator[str]:
    """Find a date or a name that does not have the number by which the question asks for it."""
    told = [claim for claim in claims_in(answer.question) if not claim.limit]
    plain = len(told) == len(answer.labels) == 1 and not answer.claims and not extreme(answer.question)
    if plain and (wrong := answer.wrong_label(told[0], answer.labels[0], answer.text)):
        yield wrong


def _option_beside_text(answer: AnswerColumns) -> Iterator[str]:
    """Find an option that names another date, class or zone than the text."""
    chosen = labels_in(answer.option, answer.columns)
    find = find_dates if any(map(dates_in, chosen)) else find_names  # dates beside a class are none of it
    said = find(answer.text, answer.columns)
    alike = any(one.startswith(other) or other.startswith(one) for one in chosen for other in said)
    if chosen and said and not alike:
        yield f"The option names {chosen[0]}, and the text {' and '.join(said)}."


def _other_labels(answer: AnswerColumns) -> Iterator[str]:
    """Find an answer of another date, class or zone than the one that is asked and that the results hold."""
    asked = answer.labels_of_question()
    labels = find_dates if any(dates_in(label) for label in asked) else find_names
    said = labels(f"{_COMPARED.split(answer.text)[0]} {answer.option}", answer.columns)
    if len(asked) != 1 or not said or leads_elsewhere(answer.question):
        return
    alike = any(one.startswith(asked[0]) or asked[0].startswith(one) for one in said)
    kinds = {label for c in answer.columns for label in c.numbers if label.endswith(f" {asked[0]}")}
    alike = alike or bool(kinds) and kinds <= set(said)  # broadleaf and conifer forest are the forest
    own, other = ([n for c in answer.columns for n in c.under(label)] for label in (asked[0], said[0]))
    beside = any(answer.shows(claim, other) for claim in answer.claims[1:])
    alike = alike or beside and answer.shows(answer.claims[0], own)
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
    medians = medians_of(answer.records)
    of_medians = [step for step in answer.steps if statistic_of_call(step) == "median"]
    medians += [n for step in of_medians for n in numbers_in(step.observation.value)]
    shares += [n for percentage, _ in percentiles_of(answer.steps) for n in (percentage, rest_of(percentage))]
    modes = {
        str((step.observation.arguments or {}).get("mode") or usual_argument(step, "mode"))
        for step in answer.steps
        if step.observation.unit == "%"
    } - {""}
    measured = side(" ".join(modes).replace("_", " ")) if modes else side(answer.question)
    of_things = [n for s in answer.steps if is_share_of_things(s) for n in numbers_in(s.observation.value)]
    of_clouds = asks_cloudiness(f"{answer.question} {answer.text}")
    for covers in map(cloud_covers, answer.steps) if asks_cloudiness(answer.text) else ():
        parts = [sum(n == 0 for n in covers), sum(n == _COVERED for n in covers)] if len(covers) > 1 else []
        shares += [per_cent(part, len(covers)) for n in parts for part in (n, len(covers) - n)]
    measuring = [step for step in answer.steps if of_clouds or not cloud_covers(step)]
    found = [n for s in measuring if s.observation.unit == "%" for n in numbers_in(s.observation.value)]
    found, shares = [*found, *of_things], of_things or shares
    yield from false_shares(
        text,
        answer.columns,
        shares,
        answer.question,
        measured=measured,
        found=found,
        numbers=answer.evidence.numbers,
        is_told=lambda part: (
            bool(medians)
            and _is_of_median(answer, part, medians)
            or is_of_things(part)
            and any(verdict.true for verdict in answer.verdicts(part))
        ),
        asked=asked if len(asked := answer.labels_of_question()) == 1 and not answer.labels else (),
        wholes_for=lambda claim: _find_wholes(answer, claim),
    )


def _find_wholes(answer: AnswerColumns, claim: Claim) -> Iterator[float]:
    """Yield what a number may be a part of, in its unit: numbers and sums of results, and of the answer."""
    yield from (each.number for each in answer.claims if each.unit in ("", claim.unit))
    yield from answer.evidence.counts
    numbers = [(number, answer.evidence.units.get(number, ())) for number in answer.evidence.numbers]
    numbers += [(math.fsum(c.numbers.values()), (c.unit,) if c.unit else ()) for c in answer.columns]
    for number, units in numbers:
        if claim.thing not in COUNTABLE or number % 1 == 0:  # of things there is a whole number
            yield from readings_of(claim, number, units)


def _is_of_median(answer: AnswerColumns, part: str, medians: Sequence[float]) -> bool:
    """Return whether half is said to lie beyond the median: beyond its number, or on either side of it."""
    limit = limit_of_half(part)
    return answer.shows(limit, medians) if limit is not None else _HALVES.search(part) is not None


def _denied_parts(answer: AnswerColumns) -> Iterator[str]:
    """Find the number of a class or zone that is told of what does not belong to it."""
    for part in answer.clauses:
        denied = _IS_NOT.search(part)
        for label in labels_in(part[denied.end() :], answer.columns)[:1] if denied else ():
            held = [n for c in answer.columns if c.has_several for n in c.under(label)]
            for claim in claims_in(part[: denied.start()]) if denied else ():
                if claim in answer.claims and answer.shows(claim, held):
                    yield f"{claim.text} is of {label} itself."


def _lists(answer: AnswerColumns) -> Iterator[str]:
    """Find lists of what lies beyond a limit that are not those, and lists in a wrong order."""
    yield from false_members(answer.question, answer.text, answer.option, answer.ground)
    yield from (told for part in answer.clauses for told in find_false_only(part, answer.ground))
    told = [s for s in sentences(answer.text) if not (is_guess(s) or _HARDLY_ANY.search(s))]
    yield from (wrong for sentence in told for wrong in find_false_names(sentence, answer.ground))
    yield from find_false_listing(answer.text)
    yield from find_false_ends(answer.question, answer.text, answer.columns)
    yield from find_false_firsts(answer.question, answer.text, answer.ground)
    yield from find_false_sequence(answer.question, answer.text)
    yield from false_orders(answer.question, answer.text, answer.columns)


def _comparisons(answer: AnswerColumns) -> Iterator[str]:
    """Find by how much one is more than another, or than before, and is not."""
    for part in answer.clauses:
        # A mean of ratios is no ratio of means.
        ratios = [replace(claim, unit="") for claim in claims_in(part) if claim.unit == "1"]
        if not any(answer.shows(ratio, answer.evidence.single) for ratio in ratios):
            yield from false_comparisons(part, answer.columns)
        yield from false_bases(part, [(each.first, each.last) for each in ends_of(answer.ground, part)])


def _statements(answer: AnswerColumns) -> Iterator[str]:
    """Find sentences that the columns contradict: limits with quantifiers, comparisons, changes."""
    asked = find_rank(answer.question)
    own = any(find_rank(part) or extreme(part) for part in answer.clauses)
    alone = asked and len(answer.labels) == 1 and not own
    chosen = labels_in(answer.option, answer.columns)
    for part in [
        *answer.clauses,
        *([f"{answer.labels[0]} is the {asked}"] if alone else []),
        *([f"{chosen[0]} is the {asked}"] if asked and len(chosen) == 1 else []),
    ]:
        yield from (f"{verdict.held}." for verdict in answer.verdicts(part) if not verdict.true)


def _polarities(answer: AnswerColumns) -> Iterator[str]:
    """Find a yes or no to a question whose statement the columns judge otherwise."""
    said = polarity(answer.option) if answer.option else polarity(answer.text)
    if said is None or not asks_yes_or_no(answer.question):
        return
    if not said and _SIGNIFICANT.search(answer.question):  # what changes need not do so significantly
        return
    multiple = multiplies(answer.question)  # what rises need not have doubled
    for verdict in answer.verdicts(answer.question):
        if verdict.true is not said and not (verdict.true and multiple):
            yield f"{verdict.held}, so that the answer is {'no' if said else 'yes'}."
    direction, labels = extreme(answer.question), labels_in(answer.question, answer.columns)
    if direction and len(labels) == 1:
        wrong = list(not_the_extreme(answer, labels[0], direction))
        if said and wrong:
            yield from wrong
        elif not said and not wrong and any(c.has_several and c.under(labels[0]) for c in answer.columns):
            yield f"{labels[0]} is the {'largest' if direction > 0 else 'smallest'}."


def _keys(answer: AnswerColumns) -> Iterator[str]:
    """Find numbers and dates that are told under the name of another quantity of a record."""
    yield from false_keys(answer.clauses, list(answer.records), answer.shows)
    for check in (false_halves, false_statistics, false_totals):
        yield from check(answer.clauses, answer.records, answer.shows)
    rows = [row for step in answer.steps for row in _rows_of_table(step.observation.value)]
    yield from false_extreme_keys(answer.clauses, [*answer.records, *rows], answer.shows)


def _rows_of_table(value: Any) -> list[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def contradictions(answer: AnswerColumns) -> Iterator[str]:
    """Yield what of an answer contradicts the results, in sentences."""
    for check in (*_OF_NUMBERS, *_OF_RELATIONS):
        yield from check(answer)


def plain_contradictions(answer: AnswerColumns) -> Iterator[str]:
    """Yield what of numbers, and of what was asked and chosen, no other reading of the words can save."""
    for check in _PLAIN:
        yield from check(answer)


def contradictions_of_numbers(answer: AnswerColumns) -> Iterator[str]:
    """Yield which numbers, dates, names and choices of an answer contradict the results, in sentences."""
    for check in _OF_NUMBERS:
        yield from check(answer)


def _own_relations(answer: AnswerColumns) -> Iterator[str]:
    """Find how two numbers of a sentence are told to stand to one another, and do not."""
    yield from find_false_directions(answer.text)
    yield from find_false_own_standings(answer.text)
    for sentence in sentences(answer.text):
        claims = claims_in(sentence)
        yield from false_own_ratios(sentence, claims)
        yield from false_own_differences(sentence)
        yield from false_own_parts(sentence)
        told = [claim for claim in claims if not claim.limit and claim.unit in _AREAS]
        if len(told) == _BOTH and told[0].unit == told[1].unit:
            yield from _own_parts(answer, sentence, told)


def _own_parts(answer: AnswerColumns, sentence: str, told: Sequence[Claim]) -> Iterator[str]:
    """Find a part in words of what has one of two numbers, where the other one is no such part of it."""
    for name, (low, high) in parts_told_of(sentence, answer.tabled_names):
        own = [n for column in answer.columns for n in column.under(name)]
        of = [claim for claim in told if answer.shows(claim, own)]
        others = [claim for claim in told if claim not in of]
        if len(of) == len(others) == 1 and of[0].number:
            part = per_cent(others[0].number, of[0].number)
            if not low <= part <= high:
                yield f"{others[0].text} is {part:.3g} % of {of[0].text}."


_OF_QUESTION: tuple[Callable[[AnswerColumns], Iterator[str]], ...] = (
    _asked_pairs,
    _option_beside_text,
    _other_labels,
    _value_beside_text,
    find_limits_of_other_units,
    _polarities,
)
# What no other reading of the words can save.
_PLAIN = (*_OF_QUESTION, find_exchanged_numbers)
# What a number is said to be of, how many there are, what is chosen: these can be held against the results
# strictly.
_OF_NUMBERS: tuple[Callable[[AnswerColumns], Iterator[str]], ...] = (
    find_misattributions,
    find_misplaced_numbers,
    find_misplaced_days,
    find_changes_of_other_months,
    find_false_sums,
    find_levels_as_changes,
    find_misplaced_cells,
    find_misplaced_in_bands,
    find_misnamed_classes,
    find_misplaced_classes,
    find_exchanged_marks,
    find_exchanged_directions,
    find_miscounted,
    *_OF_QUESTION,
    _keys,
    find_miscounted_clouds,
)
# How things stand to one another, parts and counts in words, which are read from words: of ten that are found
# in long true answers, nine are false alarms (played answers), so that these alone do not decide about an
# answer that tells what was asked in another sentence.
_OF_RELATIONS: tuple[Callable[[AnswerColumns], Iterator[str]], ...] = (
    _shares,
    _own_relations,
    find_false_bearings,
    false_existence,
    false_counts,
    find_exchanged_sky,
    find_other_statistics,
    find_miscounts,
    find_other_parts,
    find_false_movements,
    false_extremes,
    false_ranges,
    _denied_parts,
    _statements,
    _lists,
    _comparisons,
    false_ways,
    false_signs,
    find_false_sky,
    find_other_variables,
    find_days_of_whole_times,
)
