"""Which way an answer says that something goes: rise and fall, the sign of a relation, significance."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeline.core.engine.actions import action_name
from treeline.core.engine.calls import texts
from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in, dates_in
from treeline.core.engine.verification.clauses import clauses_of, sentences
from treeline.core.engine.verification.degree_words import COMPARATIVE, MORE
from treeline.core.engine.verification.labels import columns_for, labels_in
from treeline.core.engine.verification.notation import in_plain_digits
from treeline.core.engine.verification.percent import part_of_one
from treeline.core.engine.verification.phrases import is_range, of_part, of_part_of_ground, way
from treeline.core.engine.verification.question_words import asks_yes_or_no, polarity
from treeline.core.engine.verification.relation_words import (
    RELATIONS,
    denies_relation,
    goes_where,
    is_sure,
    levels_of_significance,
    relation,
    sign,
    significance,
    strength,
)
from treeline.core.engine.verification.results import is_number, numbers_in, quantity_of
from treeline.core.engine.verification.statistic_words import statistic_of

_FROM_TO = re.compile(
    r"\b(?:from|von|od|s)\s+([-\u2212]?\d[\d.,]*)[^\d,;]{0,12}?"
    r"(?:\s(?:on|in|at)\s\d{4}-[\d-]{2,5}|\s?\([^()]{1,20}\))?\s+(?:to|auf|bis|na|do)\s+"
    r"(?:(?:its|the|an?)\s(?:\w+\s){1,2}?(?:of\s)?)?([-\u2212]?\d[\d.,]*\d)",
    re.I,
)
# By how much something changes or ranges: it lost 2 ha, spans 5 m, a rise of 0.2.
_BY_SO_MUCH = re.compile(
    r"(?:\b(?:lost|los(?:es?|ing)|gain(?:s|ed|ing)?|span(?:s|ned|ning)?)|"
    r"\b(?:loss|gain|decline|drop|fall|rise|increase|decrease|range|amplitude|relief|swing|growth|reduction|"
    r"span|change) of|"
    r"\b(?:shr[aiu]nk\w*|gr[eo]w\w*|f[ae]ll\w*|r[io]s(?:es?|en|ing)|increas\w+|decreas\w+|declin\w+|drop\w*|"
    r"cool\w+|warm\w+|chang\w+|reduced|expand\w*|retreat\w*|vary|varies|varied) by)"
    r"\s+(?:(?:about|around|roughly|some|almost|nearly|only|just|over)\s+)?$",
    re.I,
)
_TO_ANOTHER = re.compile(r"[^\d,.;]{0,6}(?:\bto\b|\band\b|[-\u2013])[^\d,.;]{0,3}-?\d")
_MOST_ENDS = 200
# One of two things changes, and the sentence tells what the other does: more green means less heat.
_GOES_ALONG = re.compile(
    r"\b(?:goes?|went|comes?|came) (?:along |together )?with\b|\b(?:is|are|was|were) associated with\b|"
    r"\bcorresponds? to\b|\bmeans?\b(?= (?:a|an|about|that|less|more|lower|higher)\b)",
    re.I,
)
_ASKS_TREND = re.compile(r"\s*(?:is|was) there (?:an?|any) (?:[\w-]+ ){0,2}trend\b", re.I)
# The usual level of a test, where neither question nor answer names one.
_SIGNIFICANT = 0.05
_OF_TWO = re.compile(rf"\bthe (?P<how>{COMPARATIVE})(?: \w+)? of the two\b", re.I)
# So much more, or less, with each so many metres, years or units.
_FOR_EACH = re.compile(
    rf"\d\S* ?\S{{0,6}} (?P<how>{COMPARATIVE})\b [^.;,\d]{{0,20}}?(?:for|per|with) "
    r"(?:(?:every|each|a|one)(?: (?:further|additional|extra))? )?(?:\d+ )?"
    r"(?:k?m|met(?:re|er)s?|kilomet(?:re|er)s?|years?|degrees?|units?)\b"
    r"(?! (?:down|lower|less|deeper|closer))",
    re.I,
)
_SLOPES = ("slope", "trend", "tau")
# How far from zero a relation is at least that is called a strong one, and at most a weak one.
_STRONG, _WEAK = 0.5, 0.5
_LOSS, _CHANGE = re.compile(r"loss|lost|decrease"), re.compile(r"\bnet|chang|anomal|gain|differ|increas")
_TESTED = {"p", "p_value"}
# Of fewer dates, and nearer to zero, a correlation tells nothing of how two series go.
FEWEST_IN_RELATION, _SOME = 4, 0.3


def false_ways(answer: AnswerColumns) -> Iterator[str]:
    """Find what is said to rise and falls, or the other way round, and what is by chance and told as sure."""
    for clause in answer.clauses:
        yield from _ends_in_time(answer, clause)
        said = way(clause) or _way_of_two(answer, clause)
        yield from _sign_of_change(answer, clause, said) if said else ()
        for record in _stated_records(answer, clause):
            slope = next((float(record[key]) for key in _SLOPES if is_number(record.get(key))), 0.0)
            of_all = not (of_part(clause) or of_part_of_ground(clause) or _GOES_ALONG.search(clause))
            if slope * way(clause) < 0 and of_all:
                yield f"The slope is {slope:.6g}: it {'falls' if slope < 0 else 'rises'}."
    for record in answer.records:
        p = record.get("p", record.get("p_value"))
        if isinstance(p, int | float):
            yield from _false_significance(answer, p)
        elif any(key in record for key in RELATIONS):
            yield from _untested_chance(answer)


def _way_of_two(answer: AnswerColumns, clause: str) -> int:
    """Return whether the later of two times is called the one with more (1) or less (-1), 0 for neither."""
    match = _OF_TWO.search(clause)
    named = dates_in(clause[: match.start()]) if match else []
    others = {date for date in dates_in(answer.question) if date not in named}
    if match is None or len(set(named)) != 1 or len(others) != 1:
        return 0
    return (1 if MORE.search(match["how"]) else -1) * (1 if named[0] > others.pop() else -1)


def _false_significance(answer: AnswerColumns, p: float) -> Iterator[str]:
    """Find what is told as significant, or not, against the probability that a test gives."""
    levels = levels_of_significance(answer.text)
    told = [said for clause in answer.clauses if (said := _significance_in(clause)) is not None]
    if not told and asks_yes_or_no(answer.question):
        says_yes = polarity(answer.option or answer.text)
        asks_test = significance(answer.question) or says_yes and _asks_trend(answer.question)
        told = [says_yes] if asks_test and says_yes is not None else []
    for level, said in levels or [(_threshold(answer), said) for said in told]:
        if said != (p < level):
            at = f" at {level:g}" if levels else ""
            yield f"With p = {p:.3g} it is {'not ' * said}significant{at}."


def _untested_chance(answer: AnswerColumns) -> Iterator[str]:
    """Find a relation that is called no more than chance where no test was made, which is a finding too."""
    if any(_TESTED & record.keys() for record in answer.records):
        return
    if any(significance(clause) is False for clause in answer.clauses):
        yield "No cited step tests whether it is significant."


def _significance_in(clause: str) -> bool | None:
    """Return whether a clause says that something is so by more than chance; ``None`` where nothing of it."""
    said = significance(clause)
    return True if said is None and way(clause) and is_sure(clause) else said


def _asks_trend(question: str) -> bool:
    """Return whether who says yes to a question says that something rises or falls, and not by chance."""
    return way(question) != 0 or _ASKS_TREND.match(question) is not None


def _sign_of_change(answer: AnswerColumns, clause: str, said: int) -> Iterator[str]:
    """Find a change that is said to go the other way than the sign of its result, or of the only one."""
    labels = labels_in(clause, answer.columns)
    cells = [(c.quantity, n) for c in answer.columns for n in c.under(labels[0])] if len(labels) == 1 else []
    changes = [sign * n for key, n in cells if (sign := _way_of_key(key))]
    found = [step for step in answer.steps if _is_of_change(answer, step)]
    changes += [n for step in found for n in _changes_in_step(answer, step)]
    # What a result tells shortly is the same number again.
    others = [
        n for n in answer.evidence.numbers if not any(abs(abs(n) - abs(c)) <= 1e-4 * abs(c) for c in changes)
    ]
    told = [c for c in claims_in(clause) if not c.limit and c.number >= 0 and c in answer.claims]
    own = [[n for n in changes if answer.shows(c, [n])] for c in told if not answer.shows(c, others)]
    own += (
        [_all_changes(answer, found)] if not told and not labels and len(found) == len(answer.steps) else []
    )
    for numbers in own:
        if numbers and all(n * said < 0 for n in numbers):
            yield f"The change is {numbers[0]:+.6g}."


def _way_of_key(key: str) -> int:
    """Return whether numbers above zero tell more (1) or less (-1) in a column; 0 if it is of no change."""
    return -1 if _LOSS.search(key) else 1 if _CHANGE.search(key) else 0


def _all_changes(answer: AnswerColumns, steps: Sequence[Step]) -> list[float]:
    """Return what steps found of changes; where they only wrote them, how they are on average."""
    read = (step for step in steps if any(True for _ in numbers_in(step.observation.value)))
    found = [n for step in read for n in _changes_in_step(answer, step)]
    made = ((step, product.mean) for step in steps for product in step.observation.products)
    return found or [_sign_of(answer, step) * mean for step, mean in made if mean is not None]


def _sign_of(answer: AnswerColumns, step: Step) -> int:
    """Return -1 where numbers of a step are of the earlier date less the later one, else 1."""
    return answer.origins[step.number].whole.change or 1 if step.number in answer.origins else 1


def _is_of_change(answer: AnswerColumns, step: Step) -> bool:
    """Return whether a result is of a change, by what its tool gives, what it read or what it was made of."""
    quantity = quantity_of(step)
    read = any("difference" in text for text in texts(step.observation.arguments))
    made = step.number in answer.origins and answer.origins[step.number].whole.change != 0
    return read or made or "share" not in quantity and _CHANGE.search(quantity) is not None


def _changes_in_step(answer: AnswerColumns, step: Step) -> Iterator[float]:
    """Yield the changes that a step found; of a difference from the earlier date to the later one."""
    arguments = step.observation.arguments or {}
    ends = [arguments.get("a"), arguments.get("b")]
    dates = [
        min((d for c in answer.columns if c.dated for d, n in c.numbers.items() if n == end), default="")
        for end in ends
    ]
    if action_name(step.action) != "difference":
        yield from (n * _sign_of(answer, step) for n in _numbers_of_step(step))
    elif all(dates) and is_number(ends[0]) and is_number(ends[1]):  # the tool tells no sign
        yield (ends[1] - ends[0]) * (1 if dates[0] < dates[1] else -1)


def _numbers_of_step(step: Step) -> Iterator[float]:
    yield from (n for p in step.observation.products for n in (p.minimum, p.maximum, p.mean) if n is not None)
    value = step.observation.value
    for key, held in value.items() if isinstance(value, dict) else [("", value)]:
        # How much ground lost is told above zero.
        yield from (-n if _LOSS.search(str(key)) else n for n in numbers_in(held))


def _ends_in_time(answer: AnswerColumns, clause: str) -> Iterator[str]:
    """Find what is said to go from one number to another where the other one is the earlier."""
    ends = [each.rstrip(".,") for match in _FROM_TO.findall(clause) for each in match]
    found = [claim for each in ends for claim in claims_in(each)]
    if len(found) != 2 or is_range(clause):
        return
    moved = found[1].number - found[0].number
    if moved * way(clause) < 0 and found[0].unit == found[1].unit:
        yield f"From {found[0].text} to {found[1].text} it {'rises' if moved > 0 else 'falls'}."
        return
    columns = [column for column in columns_for(clause, answer.columns) if column.dated]
    dates = [[[d for d, n in c.numbers.items() if answer.shows(end, [n])] for end in found] for c in columns]
    both = [(first, last) for first, last in dates if first and last]
    if both and not any(min(first) < max(last) for first, last in both):
        yield f"{found[0].text} is of {both[0][0][0]}, and {found[1].text} of {both[0][1][0]}."


def find_levels_as_changes(answer: AnswerColumns) -> Iterator[str]:
    """Yield a number by which something is said to change, or to range, that is what it had at one time."""
    if any(_is_of_change(answer, step) for step in answer.steps) or any(
        _way_of_key(column.quantity) for column in answer.columns
    ):
        return
    for clause in map(in_plain_digits, answer.clauses):
        for claim in (c for c in claims_in(clause) if c in answer.claims and not c.limit and c.unit != "%"):
            before, _, behind = clause.partition(claim.text)
            if not _BY_SO_MUCH.search(before) or _TO_ANOTHER.match(behind):
                continue
            rows = [[*column.numbers.values()] for column in answer.columns if column.dated]
            rows += map(_ends_of, answer.records)
            own = [n for row in rows for n in row if answer.shows(claim, [n])]
            apart = [a - b for row in rows for a, b in itertools.combinations(row[:_MOST_ENDS], 2)]
            if own and not answer.shows(claim, apart):
                yield f"{claim.text} is a value itself, and not by how much something changes or differs."


def _ends_of(record: Mapping[str, Any]) -> list[float]:
    """Return the smallest and the largest number of which a record tells."""
    return [
        float(n) for key, n in record.items() if statistic_of(str(key)) in ("min", "max") and is_number(n)
    ]


def false_signs(answer: AnswerColumns) -> Iterator[str]:
    """Find a relation that is called positive and is negative, or the other way round."""
    for clause in answer.clauses:
        for record in _stated_records(answer, clause):
            for key in (*_SLOPES, *RELATIONS):
                number = record.get(key)
                if isinstance(number, int | float):
                    yield from _sign_in_clause(clause, key, number, tested=bool(_TESTED & record.keys()))
    slopes = [record["slope"] for record in answer.records if is_number(record.get("slope"))]
    for sentence in sentences(answer.text) if len(slopes) == 1 else ():
        match = _FOR_EACH.search(sentence)
        if match and slopes[0] * (1 if MORE.search(match["how"]) else -1) < 0:
            yield f"Its slope is {slopes[0]:.6g}."
    related = [record for record in answer.records if any(is_number(record.get(key)) for key in RELATIONS)]
    for sentence in sentences(answer.text) if len(related) == 1 else ():
        key, number = next((k, related[0][k]) for k in RELATIONS if is_number(related[0].get(k)))
        # What one clause gives as a number, the next may call positive.
        of_all = 0 if any(map(sign, clauses_of(sentence))) else sign(sentence)
        if goes_where(sentence) * number < 0 or of_all * number < 0:
            yield f"Its {key} is {number:.6g}."


def _stated_records(answer: AnswerColumns, clause: str) -> list[Mapping[str, Any]]:
    """Return the records one of whose relations or slopes a clause states; all where it states none."""
    claims = claims_in(clause)
    told = [
        record
        for record in answer.records
        for numbers in [[record[key] for key in (*_SLOPES, *RELATIONS) if is_number(record.get(key))]]
        if any(answer.shows(claim, numbers) for claim in claims)
    ]
    if not told and len(claims) > 1:  # it tells numbers of its own: elevation rises outward, 225 to 494 m
        return [record for record in answer.records if not any(key in record for key in RELATIONS)]
    return told or answer.records


def _sign_in_clause(clause: str, key: str, number: float, *, tested: bool) -> Iterator[str]:
    """Find what a clause says of the sign or the strength of a relation that it does not have."""
    of_relation = key in RELATIONS
    unrelated = denies_relation(clause) and abs(number) >= _STRONG and not tested
    if number * sign(clause) < 0 or of_relation and number * relation(clause) < 0:
        yield f"Its {key} is {number:.6g}."
    elif of_relation and (_is_other(strength(clause), number) or unrelated):
        yield f"Its {key} is {number:.6g}, which is no such relation."


def _is_other(said: int, relation: float) -> bool:
    """Return whether a relation is not as strong, or as weak, as it is said to be."""
    return said > 0 and abs(relation) < _STRONG or said < 0 and abs(relation) > _WEAK


def _threshold(answer: AnswerColumns) -> float:
    """Return the level of significance that the question names; 0.05 where it names none."""
    named = [part_of_one(c.number) if c.unit == "%" else c.number for c in claims_in(answer.question)]
    return next((level for level in named if level in (0.001, 0.01, 0.1)), _SIGNIFICANT)
