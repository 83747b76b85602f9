"""What an answer says that no result can be held against: relations of things that the results do not name.

A comparison, a superlative, a change or a part of a whole is a claim, as a number is. Where neither a class,
zone or date of the results stands beside it nor a number, nothing was there to check.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.bands import names_band
from treeline.core.engine.verification.claims import Claim, claims_in, dates_in
from treeline.core.engine.verification.clouds import (
    cloud_covers,
    tells_only_clear,
    tells_only_cloudy,
)
from treeline.core.engine.verification.coverage import pairs_of
from treeline.core.engine.verification.degree_words import (
    comparison,
    extreme,
    is_superlative,
    of_one_pixel,
    order,
)
from treeline.core.engine.verification.labels import labels_in
from treeline.core.engine.verification.notation import number_in_words
from treeline.core.engine.verification.percent import per_cent
from treeline.core.engine.verification.phrases import of_place, way
from treeline.core.engine.verification.relation_words import RELATIONS, goes_by_degrees
from treeline.core.engine.verification.results import is_number, only_number, quantity_of, tells_gaps, tool_of
from treeline.core.engine.verification.sentence_grounds import ends_of
from treeline.core.engine.verification.shares import find_shares
from treeline.core.engine.verification.trends import FEWEST_IN_RELATION

# What is held against everything else that there is.
AMONG_ALL = re.compile(
    r"\b(?:of|among) (?:all|every|any|each|the (?:two|three|four|five|six|seven|eight|nine|ten|\d+))\b|"
    r"\bthan (?:(?:that|those) (?:of|in) )?(?:all|every|any|each)\b|\bno other\b|\ball (?:the )?others?\b",
    re.I,
)
_OTHER_NAMES = re.compile(
    r"\b(?:any|every|each|all|no)(?: of)?(?: the)? others? (?:\w+ )?"
    r"(?:class|zone|region|district|cover|type|field)",
    re.I,
)
_THAN_BEFORE = re.compile(
    r"\bthan\b.*\b(?:days?|dates?|weeks?|months?|years?|seasons?|before|ever|previous\w*)\b", re.I
)
_MOST_THINGS = re.compile(
    r"\b(?:most|few|many|the majority of|all|every|each|no) (?:of (?:the )?)?[a-z]{3,}s\b", re.I
)
# What is said of all places: no mean tells it.
_EVERYWHERE = re.compile(
    r"\b(?:nowhere|everywhere|(?:no|not a|every|each|all|any)(?: single)?(?: of the)? "
    r"(?:pixels?|places?|spots?))\b",
    re.I,
)
# What was done with all of the data, or had not to be: it tells nothing of the world.
_WORK = re.compile(
    r"\b(?:us(?:es?|ed|ing)|pool\w*|averag(?:es?|ed|ing)|includ\w+|combin\w+|process\w*|analys\w+|"
    r"comput\w+|calculat\w+|check\w*|(?:plain|simple) (?:means|averages)|"
    r"(?:had|have|has|need\w*) to be \w+ed|"
    r"(?:were|was|is|are) (?:masked|excluded|removed|left out|discarded|averaged|checked|used|included))\b",
    re.I,
)
_OF_DATA = re.compile(
    r"\b(?:pixels?|dates?|days?|images?|scenes?|rasters?|values?|observations?|acquisitions?)\b", re.I
)
_NOT_FOUND = re.compile(
    r"\b(?:could not|cannot|can't|couldn't) be (?:evaluated|computed|calculated|assessed|used|measured)\b|"
    r"\b(?:has|have|had|gives?|gave) no (?:valid |usable )?(?:values?|pixels?|data|numbers?|observations?)\b|"
    r"\bno (?:valid |usable )?(?:\w+ )?(?:pixels?|values?|data) (?:remain\w*|(?:is|are|was|were) left)\b",
    re.I,
)
_QUOTED = 60
_BOTH = 2
_ROW = re.compile(r"\s*\|")
_WORD = re.compile(r"[a-z]+", re.I)
# What tells that a result is of a change by itself.
_OF_CHANGE = re.compile(
    r"chang|differ|delta|anomal|trend|slope|tau\b|increas|decreas|gain|loss|rate\b|break|dnbr|minus|direction|"
    r"correl|deform|displac|recover",
    re.I,
)
# Of what the number behind it is a part.
_OUT_OF = re.compile(r"\W*(?:out )?(?:of|among|from) (?:all |the |these |those )*\w+(?: \w+)?\W*", re.I)
_THAN_YEAR_BEFORE = re.compile(
    r"\b(?:than|compared (?:to|with)|versus|against) (?:\w+ ){0,2}?"
    r"(?:(?:a|one|the) year (?:before|earlier|ago|prior)|"
    r"(?:last|the previous|the preceding|the prior) year)\b",
    re.I,
)
# What a count may have left out is compared with nothing.
_CAVEAT = re.compile(
    r"\b(?:may|might|could|can)\b.*\b(?:miss\w*|undetected|overlook\w*|unnoticed|counted twice|left out)\b",
    re.I,
)


def find_unchecked_claims(answer: AnswerColumns) -> Iterator[str]:
    """Yield what an answer says that nothing was found to hold against, in sentences.

    What states a number of the results may go on to say what it makes of it, but for what it says of all
    others.
    """
    founded = any(answer.shows(claim, answer.evidence.numbers) for claim in answer.claims)
    for clause in answer.clauses:
        in_time = not of_place(clause) and (way(clause) or _THAN_BEFORE.search(clause))
        only_time = in_time and _is_of_one_time(answer)
        checked = only_time or of_one_pixel(clause) or AMONG_ALL.search(clause)
        if founded and clause != answer.option and not checked:
            continue
        if _CAVEAT.search(clause) or _is_heading(clause) or _OUT_OF.fullmatch(clause):
            continue
        if _OTHER_NAMES.search(clause) and len(answer.names_of_facts | answer.tabled_names) <= 1:
            yield f"No cited step is of the others that {shortly(clause)!r} speaks of."
            continue
        if _is_judged(answer, clause):
            continue
        if tells_work(answer, clause):
            continue
        for says, is_founded, reason in _RELATIONS:
            if says(clause) and not is_founded(answer, clause):
                yield reason.format(repr(shortly(clause)))
                break
    yield from _changes_as_per_cent(answer)
    yield from _times_not_measured(answer)


def _times_not_measured(answer: AnswerColumns) -> Iterator[str]:
    """Find what is compared with the year before, of which there is no result."""
    years = {date[:4] for date in answer.evidence.dates}
    for clause in answer.clauses if years else ():
        match = _THAN_YEAR_BEFORE.search(clause)
        told = dates_in(clause[: match.start()]) or dates_in(answer.text) or [*years] if match else []
        before = {str(int(date[:4]) - 1) for date in told}
        if match and not before & years:
            yield f"No cited step is of {' or '.join(sorted(before))}, which {shortly(clause)!r} speaks of."


def shortly(part: str) -> str:
    """Return as much of a clause as is quoted of it."""
    text = " ".join(part.split())
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED].rsplit(' ', 1)[0]} ..."


def _is_heading(clause: str) -> bool:
    """Return whether a clause is a row of a table, or the order of a list, without numbers: no statement."""
    return (_ROW.match(clause) is not None or order(clause) is not None) and not claims_in(clause)


def tells_work(answer: AnswerColumns, clause: str) -> bool:
    """Return whether a clause tells what was done with the data, or that some are lacking which are."""
    if _NOT_FOUND.search(clause):
        return any(_lacks_some(step) for step in answer.steps)
    return _WORK.search(clause) is not None and _OF_DATA.search(clause) is not None and not way(clause)


def _lacks_some(step: Step) -> bool:
    value = step.observation.value
    return isinstance(value, list) and None in value or tells_gaps(step)


def _is_judged(answer: AnswerColumns, clause: str) -> bool:
    return any(True for _ in answer.verdicts(clause))


def _relates(answer: AnswerColumns, clause: str) -> bool:
    """Return whether a number of a clause is what two cells come to together, or a result by itself."""
    alone = [n for step in answer.steps for n in [step.observation.value] if is_number(n)]
    return any(
        answer.shows(claim, alone) or any(True for _ in pairs_of(answer, claim)) or _is_derived(answer, claim)
        for claim in claims_in(clause)
        if not claim.limit
    )


def _is_derived(answer: AnswerColumns, claim: Claim) -> bool:
    """Return whether a number follows from several of the results, and is none of them."""
    return not answer.evidence.shows(claim, falls=True) and answer.evidence.gives(claim, falls=True)


def _is_compared(answer: AnswerColumns, clause: str) -> bool:
    """Return whether both sides of a comparison are known, as a limit, a part or how far they lie apart."""
    if any(claim.limit for claim in claims_in(clause)) or find_shares(clause):
        return True
    _, _, behind = comparison(clause) or ("", 0, "")
    counted = [number_in_words(word) for word in _WORD.findall(behind)[:1]]
    return (
        any(counted)
        or _relates(answer, clause)
        or _holds_between_numbers(answer, clause)
        or _holds_before(answer, clause)
    )


def _holds_before(answer: AnswerColumns, clause: str) -> bool:
    """Return whether all numbers before are more, or less, than the one that they are held against."""
    compared = comparison(clause)
    if compared is None:
        return False
    _, direction, behind = compared
    told = [replace(c, limit=False) for c in claims_in(behind)[:1]]
    others = [c for c in answer.claims if c not in claims_in(clause) and told and c.unit == told[0].unit]
    known = all(answer.shows(c, answer.evidence.numbers) for c in (*told, *others))
    return bool(others) and known and all((c.number - told[0].number) * direction > 0 for c in others)


def _holds_between_numbers(answer: AnswerColumns, clause: str) -> bool:
    """Return whether results give the numbers before and behind "more than", and it is so."""
    before, direction, behind = comparison(clause) or ("", 0, "")
    one, other = claims_in(before)[-1:], [replace(c, limit=False) for c in claims_in(behind)[:1]]
    known = [c for c in (*one, *other) if answer.shows(c, answer.evidence.numbers)]
    return len(known) == _BOTH and (one[0].number - other[0].number) * direction > 0


def _is_placed(answer: AnswerColumns, clause: str) -> bool:
    """Return whether what is called the most is a label, a date or a number of the results."""
    clause = answer.with_its_number(clause)
    shown = any(answer.shows(claim, answer.evidence.numbers) for claim in claims_in(clause))
    shown = shown or any(date in answer.evidence.dates for date in dates_in(clause))
    named = labels_in(clause, answer.columns) or names_band(answer, clause)
    return shown or bool(named) or _relates(answer, clause)


def _is_followed(answer: AnswerColumns, clause: str) -> bool:
    """Return whether two times of what is said to rise or fall are known, or a result tells of its change."""
    series = [list(c.numbers.values()) for c in answer.columns if c.dated and c.has_several]
    shown = {claim.number for claim in claims_in(clause) if answer.shows(claim, answer.evidence.numbers)}
    return (
        any(True for _ in ends_of(answer.ground, clause))
        or len(shown) > 1
        or any(answer.shows(claim, row) for claim in claims_in(clause) for row in series)
        or _relates(answer, clause)
        and not _is_of_one_time(answer)
        or any(map(_tells_change, answer.steps))
        or _goes_so_in_all(answer, clause)
    )


def _goes_so_in_all(answer: AnswerColumns, clause: str) -> bool:
    """Return whether what names no time goes that way from the first to the last that the answer names."""
    dates = sorted(dates_in(answer.text))
    rows = [(c.under(dates[0]), c.under(dates[-1])) for c in answer.columns if c.dated and len(dates) > 1]
    return any(len(a) == len(b) == 1 and (b[0] - a[0]) * way(clause) > 0 for a, b in rows)


def _is_of_one_time(answer: AnswerColumns) -> bool:
    """Return whether results are of one date, and none is of a change."""
    return len(answer.evidence.dates) == 1 and not any(map(_tells_change, answer.steps))


def _tells_change(step: Step) -> bool:
    """Return whether a result is of a change, by its tool, its keys or what it read."""
    name, quantity = tool_of(step), quantity_of(step)
    seen = step.observation
    return _OF_CHANGE.search(f"{name} {quantity} {seen.text} {seen.value} {seen.arguments}") is not None


def _is_counted(answer: AnswerColumns, clause: str) -> bool:
    if any(not claim.limit for claim in claims_in(clause)):
        return True
    if any(fact.is_departure and fact.names for fact in answer.facts) and way(clause):
        return True  # which way all classes went tells a difference of each
    if (tells_only_clear(clause) or tells_only_cloudy(clause)) and any(map(cloud_covers, answer.steps)):
        return True  # which is held against them
    parts = [per_cent(n, count) for n, count in map(_count_of, answer.steps) if count]
    return any(low <= part <= high for low, high in find_shares(clause) for part in parts)


def _count_of(step: Step) -> tuple[float, int]:
    """Return how many a step counted, and of how many that it read; 0 where it counted none."""
    lists = [len(v) for v in (step.observation.arguments or {}).values() if isinstance(v, list)]
    number = only_number(step)
    counted = quantity_of(step).startswith("count") and number is not None and len(set(lists)) == 1
    return (number or 0.0, lists[0]) if counted else (0.0, 0)


def _is_whole(answer: AnswerColumns, clause: str) -> bool:
    shares = [n for n in answer.evidence.numbers if answer.evidence.units.get(n) == ("%",)]
    return bool(claims_in(clause)) or any(share in (0.0, 100.0) for share in shares)


def _is_of_series(answer: AnswerColumns, clause: str) -> bool:
    """Return whether results tell how two things go together, or have the numbers of both."""
    tested = any(key in record for record in answer.records for key in RELATIONS)
    pairs = itertools.combinations([column.numbers for column in answer.columns], 2)
    return tested or any(len(one.keys() & other.keys()) >= FEWEST_IN_RELATION for one, other in pairs)


_RELATIONS: tuple[tuple[Callable[[str], object], Callable[[AnswerColumns, str], bool], str], ...] = (
    (comparison, _is_compared, "No cited step gives both sides of what {} compares."),
    (goes_by_degrees, _is_of_series, "No cited step gives the two series of which {} tells."),
    (
        lambda clause: not goes_by_degrees(clause) and (extreme(clause) or is_superlative(clause)),
        _is_placed,
        "No cited step gives those of which {} names one.",
    ),
    (way, _is_followed, "No cited step gives two times, or a change, of which {} could tell."),
    (
        # The highest of all dates is one of them, and nothing that all have.
        lambda clause: _MOST_THINGS.search(clause) and not extreme(clause),
        _is_counted,
        "No cited step counts what {} speaks of.",
    ),
    (_EVERYWHERE.search, _is_whole, "No cited step is of all places, as {} is."),
)


def _changes_as_per_cent(answer: AnswerColumns) -> Iterator[str]:
    """Yield differences that are told as changes in per cent: 16 % of an index that fell by 0.16."""
    for part in answer.clauses:
        for claim in claims_in(part):
            by = re.search(
                rf"\bby (?:about |around |some )?[-\u2212]?{re.escape(claim.text)}\s?(?:%|per)", part
            )
            if claim.unit != "%" or not by:
                continue
            held = answer.evidence.behind(claim, falls=True)
            plain = [n for n in answer.evidence.numbers if 0 < abs(n) <= 1 and _is_plain(answer, n)]
            found = [n for n in plain if abs(per_cent(abs(n)) - claim.number) <= claim.half]
            if found and len(held) == len(found):
                yield f"{claim.text} % is no change in per cent: it changes by {found[0]:.4g}."


def _is_plain(answer: AnswerColumns, number: float) -> bool:
    """Return whether a number has no unit, or is a part of one."""
    return answer.evidence.units.get(number, ("1",))[0].endswith("1")
