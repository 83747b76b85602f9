"""Whether the steps that an answer rests on carry it, whoever gave it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from treeline.core.engine.actions import Answer
from treeline.core.engine.state import State
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.bands import holds_in_bands
from treeline.core.engine.verification.bare_claims import find_unchecked_claims
from treeline.core.engine.verification.carried_sentences import find_carried_sentences
from treeline.core.engine.verification.choices import find_false_choice
from treeline.core.engine.verification.claims import (
    Claim,
    claim_of,
    claims_in,
    dates_in,
    times_without_year,
)
from treeline.core.engine.verification.contradictions import (
    contradictions,
    contradictions_of_numbers,
    plain_contradictions,
)
from treeline.core.engine.verification.covers import find_unseen_covers
from treeline.core.engine.verification.degree_words import comparison
from treeline.core.engine.verification.denials import find_unchecked_denials
from treeline.core.engine.verification.foreign_statements import find_foreign_statements
from treeline.core.engine.verification.grounded_answer import GroundedAnswer
from treeline.core.engine.verification.grounds import empty_map, grounds_of, without_lost_citations
from treeline.core.engine.verification.guesses import is_interpretation
from treeline.core.engine.verification.labels import labels_in
from treeline.core.engine.verification.missing_units import find_units_of_others
from treeline.core.engine.verification.nearest_numbers import describe_nearest, describe_nearest_days
from treeline.core.engine.verification.notation import DATES
from treeline.core.engine.verification.question_words import (
    asks_either,
    asks_number,
    leads_elsewhere,
    polarity,
)
from treeline.core.engine.verification.reckoning import reckoning_of
from treeline.core.engine.verification.shares import tells_fraction
from treeline.core.engine.verification.skies import tells_found_sky
from treeline.core.engine.verification.sources import find_sources
from treeline.core.engine.verification.subjects import find_other_subjects
from treeline.core.engine.verification.times_told import is_found_as_day
from treeline.core.engine.verification.untold_units import find_untold_units
from treeline.core.engine.verification.wording import find_unsupported_words
from treeline.core.faults import Fault, log_fault

_OF_A_DAY = len("2016-08-14")
_OF_A_MONTH = len("2016-08")
# The reason goes to a person and back to the model, and has to be read; the rest is counted.
# It answers how much there is with zero; "nothing can be said" answers nothing.
_NONE = re.compile(
    r"\W*(?:none|nothing|not? (?:a|one|single))\b(?! (?:can|could|may|might|will|would|is known)\b)",
    re.I,
)
# An answer that it cannot be told, which is no finding.
_SAYS_NOTHING = re.compile(
    r"[^.!?\n]*\b(?:cannot|can not|can't|could not|couldn't|unable to|impossible to|not possible to|"
    r"nothing can|do not know|don't know|not sure|no idea)\b[^.!?\n]*[.!?]?\s*$",
    re.I,
)
# A number that is told as what something is, and a limit or a setting, which the question may have told.
_IS_SO_MUCH = re.compile(
    r"\b(?:is|was|are|were|equals?|amounts? to|comes? to|came to) "
    r"(?:about |around |roughly |exactly |just )?(?=[-\u2212]?\d)"
)
_OF_LIMIT = re.compile(
    r"\b(?:threshold|limit|level|cut-?off|criterion|if|asked|question|not|never|no|none|there)\b|n't\b", re.I
)
_MOST = 2
_OF_PIXELS = ("m", "degrees")
_WHICH = re.compile(
    r"\b(?:which|what(?!\s+(?:is|was)\s+the\s+(?:\w+\s+)?area\s+of))\b[^?.]{0,25}?"
    r"\b(?:class|categor|type|zone|region|district|parcel|feature|municipalit|park|field|area|cover|site|"
    r"basin|plot|polygon)\w*",
    re.I,
)
# What an answer says of a date that the data do not have.
_LACKS = re.compile(r"\b(?:no|not|none|without|missing|lacks?|gaps?|unavailable)\b|n't\b", re.I)

_LEFT_OUT = re.compile(r"\b(?:left out|leav\w+ out|exclud\w+|omit\w*|skip\w*|disregard\w*)\b", re.I)


Depth = Literal["all", "numbers", "founded"]
_CONTRADICTIONS: Mapping[Depth, Callable[[AnswerColumns], Iterator[str]]] = {
    "all": contradictions,
    "numbers": contradictions_of_numbers,
    "founded": plain_contradictions,
}


@dataclass(frozen=True)
class Findings:
    """What the check of an answer found.

    Attributes
    ----------
    doubts : tuple of str
        Why its evidence does not carry it, in sentences; those of the rules before one that failed.
    fault : Fault, optional
        With what the check itself failed: nothing is known of the answer by it, and nothing is doubted.
    carried : tuple of str
        The sentences that the steps which they cite carry; they are looked for where there are doubts.
    """

    doubts: tuple[str, ...] = ()
    fault: Fault | None = None
    carried: tuple[str, ...] = field(default=(), compare=False)


def verify(answer: Answer, state: State, found: Findings | None = None) -> Answer:
    """Return an answer as its evidence carries it: unverified where it does not, with the reason.

    Its citations are those that name a result; an answer that cites none rests on all that there are. It is
    unverified too where the check failed, by a fault that is not the answer's.

    Parameters
    ----------
    found : Findings, optional
        Of :func:`check_answer`, where it was checked already.
    """
    found = found or check_answer(answer, state)
    answer = without_lost_citations(answer, state)
    doubts, fault = found.doubts, found.fault
    if not doubts and fault is None:
        return answer
    more = f" (and {len(doubts) - _MOST} more of this kind)" if len(doubts) > _MOST else ""
    reason = " ".join(doubts[:_MOST]) + more
    return replace(
        answer,
        unverified=" ".join(filter(None, [reason, fault.sentence if fault else ""])),
        check_fault=fault.code if fault else "",
    )


def find_doubts(answer: Answer, state: State) -> list[str]:
    """Return why the evidence of an answer does not carry it, in sentences; none where it does."""
    return list(check_answer(answer, state).doubts)


def check_answer(
    answer: Answer, state: State, depth: Depth = "all", carried: Collection[str] | None = None
) -> Findings:
    """Return what of an answer its evidence does not carry, and whether the check of it failed.

    Parameters
    ----------
    depth : {"all", "numbers", "founded"}
        Of all; but not of how things stand to one another, and of causes; or only of whether results have its
        numbers, dates and names at all, and carry what was asked and chosen.
    carried : collection of str, optional
        Its sentences that the steps which they cite carry, where they were looked for already.
    """
    answer = without_lost_citations(answer, state)
    if answer.status != "answered":
        return Findings()
    doubts: dict[str, None] = {}
    found: tuple[str, ...] = ()
    try:
        for doubt in _doubts(answer, state, depth):
            doubts[doubt] = None
        found = find_carried(answer, state) if doubts and carried is None else tuple(carried or ())
        if doubts and found:
            left = set(_doubts(without_sentences(answer, found), state, depth))
            doubts = {doubt: None for doubt in doubts if doubt in left}
    except Exception as error:  # a rule that fails must not lose the answer, which is not known to hold
        return Findings(tuple(doubts), log_fault(error, "The check of this answer"))
    return Findings(tuple(doubts), carried=found)


def find_carried(answer: Answer, state: State) -> tuple[str, ...]:
    """Return the sentences of an answer that the steps which they cite carry, whatever other steps hold."""
    return tuple(find_carried_sentences(answer, state, lambda part: [*_doubts(part, state, "all")]))


def without_sentences(answer: Answer, left_out: Collection[str]) -> Answer:
    """Return an answer without some of its sentences."""
    text = answer.text
    for sentence in left_out:
        text = text.replace(sentence, " ")
    return replace(answer, text=text)


def _doubts(answer: Answer, state: State, depth: Depth) -> Iterator[str]:
    reckoning = reckoning_of(state)
    grounds = grounds_of(answer, state, reckoning)
    yield from (doubt for step in grounds for doubt in step.observation.doubts)
    yield from (doubt for step in grounds if (doubt := reckoning.doubt(step)))
    yield from empty_map(answer.map, (step.observation for step in grounds))
    if not any(step.observation.kind == "result" for step in state.calls):
        yield "The answer rests on no result: no tool was called with success."
        return
    grounded = GroundedAnswer(answer, state, tuple(grounds))
    found = False
    for fault in find_faults(grounded, depth):  # one by one: those before a rule that fails are kept
        found = True
        yield fault
    if not found and depth == "all" and not answer.expression:
        yield from find_unchecked_denials(grounded.answer_columns, answer.text, _passes(grounded))


def _passes(grounded: GroundedAnswer) -> Callable[[str], bool]:
    """Return whether an answer of another text would pass."""
    return lambda text: not any(True for _ in find_faults(grounded.with_text(text)))


def with_sources(answer: Answer, state: State) -> Answer:
    """Return an answer in words that Treeline did not choose, with what each of its numbers is.

    What is unverified has them too: they show what of it the steps give.
    """
    if not answer.answers or answer.expression:
        return answer
    grounded = GroundedAnswer(answer, state, tuple(grounds_of(answer, state, reckoning_of(state))))
    try:
        return replace(answer, sources=find_sources(grounded))
    except Exception as error:  # what only explains an answer must not lose it
        log_fault(error, "The list of what the numbers of this answer are")
        return answer


def contradictions_with(answer: Answer, state: State) -> Iterator[str]:
    """Yield which numbers, dates and names of an answer results of other steps than its own contradict."""
    grounds = tuple(step for step in state.calls if step.observation.kind == "result")
    yield from contradictions_of_numbers(GroundedAnswer(answer, state, grounds).answer_columns)


def find_faults(grounded: GroundedAnswer, depth: Depth = "all") -> Iterator[str]:
    """Yield what of an answer does not follow, is contradicted, or was not checked, in sentences."""
    found = False
    for fault in _find_false(grounded, depth):
        found = True
        yield fault
    # What could not be read is no reason beside one that is a better one.
    if not found and depth == "all" and not grounded.answer.expression:
        yield from find_foreign_statements(grounded.answer_columns, grounded.data_text)


def _find_false(grounded: GroundedAnswer, depth: Depth) -> Iterator[str]:
    yield from _find_unfounded_numbers(grounded)
    yield from _find_other_days(grounded)
    yield from _find_missing_names(grounded)
    yield from find_false_choice(grounded)
    if not grounded.answer.expression:  # the planner words what it computed, by rules that are tested
        yield from _find_other_dates(grounded)
        yield from _find_silence(grounded)
        yield from _CONTRADICTIONS[depth](grounded.answer_columns)
        yield from find_unchecked_claims(grounded.answer_columns) if depth == "all" else ()
        yield from find_other_subjects(grounded.answer_columns, grounded.state)
        yield from find_untold_units(grounded.answer_columns, grounded.question_text)
        yield from find_units_of_others(grounded)
        told = f"{grounded.question_text}\n{grounded.data_text}"
        yield from find_unseen_covers(grounded.answer_columns, told)
        if depth == "all":
            yield from find_unsupported_words(grounded.answer_columns, told)
        yield from _find_other_months(grounded)


def _find_unfounded_numbers(grounded: GroundedAnswer) -> Iterator[str]:
    value = grounded.value()
    held = (
        value is None
        or grounded.follows(value)
        or grounded.is_catalogued(value)
        or grounded.tells_time(value)
        or grounded.working_of(value) is not None
    )
    wrong = [value] if value is not None and not held else []
    wrong += [
        c
        for c in grounded.claims
        if not (grounded.follows(c) or grounded.is_given(c) or grounded.tells_time(c))
        and not (
            grounded.is_bound(c)
            or grounded.is_end_of_range(c)
            or grounded.working_of(c) is not None
            or grounded.answer_columns.holds(c)
            or holds_in_bands(grounded.answer_columns, c)
            or tells_found_sky(grounded.answer_columns, c)
        )
    ]
    for claim in {c.number: c for c in reversed(wrong)}.values():
        yield f"No cited step gives {claim.text}: {describe_nearest(grounded, claim)}"
    if not wrong and (echo := _echo(grounded)):
        yield f"{echo} was only said, to a tool or in what was told at the start; no result gives it."
    if not wrong and (repeated := _repeated(grounded)):
        yield f"No cited step gives {repeated}, which only the question names."


def _repeated(grounded: GroundedAnswer) -> str:
    """Return a number of the question that is told as what was found, where no result is so much."""
    asked = {claim.number for claim in claims_in(grounded.question_text)}
    shares = {c.number for c in claims_in(grounded.state.question) if c.unit == "%" and not c.limit}
    for clause in grounded.answer_columns.clauses:
        if _OF_LIMIT.search(clause):
            continue
        match = _IS_SO_MUCH.search(clause)
        told = claims_in(clause[match.start() :])[:1] if match else []
        told = told or [claim for claim in claims_in(clause) if claim.unit == "%" and claim.number in shares]
        if told and told[0].number in asked and not told[0].limit and not _is_found(grounded, told[0]):
            return told[0].text
    return ""


def _is_found(grounded: GroundedAnswer, claim: Claim) -> bool:
    """Return whether a number follows; where the question is of one date or name, from what that has.

    What is a whole result, such as how many dates there are, belongs to none of them.
    """
    answer, asked = grounded.answer_columns, grounded.answer_columns.labels_of_question()
    of_labels = {n for column in answer.columns for n in column.numbers.values()}
    if answer.shows(claim, [n for n in grounded.evidence.single if n not in of_labels]):
        return True
    own = [n for column in answer.columns for n in column.under(asked[0])] if len(asked) == 1 else []
    return answer.shows(claim, own) if own else grounded.follows(claim)


def _echo(grounded: GroundedAnswer) -> str:
    """Return a number of the answer where all that it states was said and not found."""
    said = [claim for claim in grounded.claims if not claim.limit and claim.unit not in _OF_PIXELS]
    named = len(dates_in(grounded.text))
    said = [claim for claim in said if claim.thing not in DATES or claim.number != named]  # which it lists
    found = (c for c in grounded.claims if grounded.follows(c) and not grounded.is_given(c))
    if grounded.answer.value is not None or not said or any(map(grounded.follows, said)) or any(found):
        return ""
    asked = {abs(claim.number) for claim in claims_in(f"{grounded.question_text} {grounded.answer.read_as}")}
    told = {abs(number) for number in grounded.given_numbers}
    return next((c.text for c in said if abs(c.number) in told and abs(c.number) not in asked), "")


def _is_empty(grounded: GroundedAnswer, period: str) -> bool:
    """Return whether a month or year is told to have none, within the time that the results are of."""
    held = sorted(grounded.evidence.dates)
    within = bool(held) and len(period) < _OF_A_DAY and held[0] <= period <= held[-1]
    return within and re.search(rf"{re.escape(period)}:? 0(?![\d.,])", grounded.text) is not None


def _find_other_days(grounded: GroundedAnswer) -> Iterator[str]:
    known = {*grounded.evidence.dates, *dates_in(f"{grounded.question_text} {grounded.answer.read_as}")}
    # A winter is named by the year that it ends in.
    known |= {
        str(int(d[:4]) + 1)
        for d in grounded.evidence.dates
        if d[5:7] == "12" and "winter" in grounded.answer_text
    }
    if not grounded.evidence.dates:  # rasters whose names tell no date
        known |= {date for text in grounded.state.context.values() for date in dates_in(text)}
    for date in dates_in(grounded.text):
        plainly = len(date) == 4 and (
            grounded.evidence.shows(claim_of(float(date))) or float(date) in grounded.given_numbers
        )
        if plainly or any(other.startswith(date) for other in known) or _is_empty(grounded, date):
            continue
        if is_found_as_day(date, grounded.text, grounded.evidence):
            continue
        yield f"No cited step is of {date}: {describe_nearest_days(date, grounded.evidence.dates)}"


def _find_other_months(grounded: GroundedAnswer) -> Iterator[str]:
    """Find seasons, months and days that are told without their year and that no result is of."""
    told = f"{grounded.question_text} {grounded.answer.read_as}"
    held = sorted(date for date in grounded.evidence.dates if len(date) >= _OF_A_MONTH)
    known = {date[5:] for date in (*held, *dates_in(told)) if len(date) >= _OF_A_MONTH}
    known |= {each for time in times_without_year(told) for each in time.of}
    for clause in grounded.answer_columns.clauses if known else ():
        aside = _LACKS.search(clause) or _LEFT_OUT.search(clause) or is_interpretation(clause)
        told_of = [] if aside else times_without_year(clause)
        others = [time for time in told_of if not any(map(time.holds, known))]
        of = f"{', '.join(held[:3])}{' ...' * (len(held) > 3)}"
        yield from (f"No cited step is of {time.words}: they are of {of}." for time in others[:1])


def _find_other_dates(grounded: GroundedAnswer) -> Iterator[str]:
    """Find results that are of no date that the question is about, where the answer does not say so."""
    asked = [date for date in dates_in(grounded.state.question) if len(date) >= 7]
    held = sorted(date for date in grounded.evidence.dates if len(date) == _OF_A_DAY)
    if len(asked) > 1 and comparison(grounded.state.question) and held and not _LACKS.search(grounded.text):
        lost = [date for date in asked if not any(d.startswith(date) for d in held)]
        yield from (f"No cited step is of {date}, which the question compares." for date in lost[:1])
    if len(asked) != 1 or not held or set(dates_in(grounded.text)) - set(asked):
        return
    if leads_elsewhere(grounded.state.question) or _LACKS.search(grounded.text):
        return
    if not any(date.startswith(asked[0]) or asked[0].startswith(date) for date in grounded.evidence.dates):
        yield f"The question is of {asked[0]}; the cited steps are of {', '.join(held[:3])}."


def _find_silence(grounded: GroundedAnswer) -> Iterator[str]:
    """Find an answer in words alone to a question that asks for a number."""
    says = (
        grounded.answer.value is not None or grounded.option or grounded.answer.expression or grounded.claims
    )
    offered = (
        labels_in(grounded.state.question, grounded.columns) if asks_either(grounded.state.question) else []
    )
    if (
        len(offered) > 1
        and not any(grounded.answer_columns.labels)
        and not says
        and polarity(grounded.text) is None
    ):
        yield f"The answer names none of {' and '.join(offered)}."
    told = labels_in(grounded.text, grounded.columns) or polarity(grounded.text) is not None
    if not (says or told or dates_in(grounded.text)) and _SAYS_NOTHING.match(grounded.text):
        yield "The answer says nothing of what was asked: decline where it cannot be told."
        return
    if (
        says
        or _NONE.match(grounded.text)
        or tells_fraction(grounded.text)
        or not asks_number(grounded.state.question)
        or dates_in(grounded.text)
    ):
        return
    if not any(name in grounded.answer_text for name in grounded.evidence.names):
        yield "The answer states no number, where the question asks for one."


def _find_missing_names(grounded: GroundedAnswer) -> Iterator[str]:
    listed = grounded.evidence.names
    if (
        listed
        and _WHICH.search(grounded.state.question)
        and not any(name in grounded.answer_text for name in listed)
        and not any(label in grounded.answer_text for column in grounded.columns for label in column.numbers)
    ):
        yield f"The answer names nothing that the cited steps name{_list_names(listed)}"


def _list_names(names: Sequence[str]) -> str:
    return f": they name {', '.join(names[:5])}{' ...' * (len(names) > 5)}." if names else "."
