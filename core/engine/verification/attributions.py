"""Whether each number is told of what it is of: its statistic, class, date and limit, all at once.

Where no result has a number and all that is said of it, it is told of something else. What no result has by
itself, such as differences, is looked at elsewhere.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from treeline.core.engine.calls import texts
from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import (
    Claim,
    claims_in,
    dates_in,
    find_unit,
    is_until,
    months_in,
)
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.clouds import (
    asks_cloudiness,
    cloud_covers,
    tells_left_in,
    tells_masked,
    tells_only_clear,
)
from treeline.core.engine.verification.columns import day_number
from treeline.core.engine.verification.coverage import SUMMARIES, pairs_of, relates, set_apart, sums_up
from treeline.core.engine.verification.degree_words import (
    extreme,
    find_rank,
    place_of_extreme,
    tells_of_pixel,
)
from treeline.core.engine.verification.extremes import best_of, counts_of_all_dates
from treeline.core.engine.verification.facts import OF_MANY, SHARE, Fact, is_same_label, is_share_of_things
from treeline.core.engine.verification.mentions import Mention, in_digits
from treeline.core.engine.verification.notation import COUNTABLE, DATES
from treeline.core.engine.verification.percent import rest_of
from treeline.core.engine.verification.phrases import is_range, tells_difference
from treeline.core.engine.verification.results import quantity_of, tool_of
from treeline.core.engine.verification.statistic_words import (
    find_statistics,
)
from treeline.core.engine.verification.told_numbers import (
    ASPECT,
    MEASURED,
    SLOPE,
    Told,
    limits_told,
    mentions_told,
    tell_of,
    with_heading,
)
from treeline.core.engine.verification.variables import ACRONYMS
from treeline.core.engine.verification.wording import shown_by_indices
from treeline.toolkit.variables import VARIABLES

ENDS = {"max": 1, "min": -1}
_EACH = re.compile(
    r"\b(?:both|each|every|all|equally|alike)\b(?!.*\b(?:together|combined|in total|in sum)\b)", re.I
)
_WHERE = re.compile(r"\b(?:where|wherever|for which)\b", re.I)
_POOLED = re.compile(r"\b(?:pooled|together|combined|taken as one)\b", re.I)
_ISO = r"\b\d{4}(?:-\d\d){0,2}\b"
# A time by its ends: 2017-06 to 2017-08, or between 2017-06 and 2017-08.
_TIME = re.compile(rf"{_ISO}\W*(?:[-\u2013]|to|until|through)\W*{_ISO}|\bbetween {_ISO} and {_ISO}")
_MONTHS = frozenset(name.casefold() for name in calendar.month_name)
_OF_ALL = frozenset({"mean", "median", "sum", SHARE, "percentile", "max", "min"})
_OF_A_YEAR = len("2016")
_ENDS_OF_CHANGE = 2
_MAXIMUM_OF = (
    r"\b(?:max|maximum|min|minimum)(?P<what>(?: (?!is\b|was\b|are\b|were\b|occur|reach)\w+){0,2}?) "
    r"(?:of|in|for|on) (?:the )?"
)
_ITS_MAXIMUM = re.compile(
    r"\b(?:its|their|(?:with|ha[sd]|have) an?) (?:max(?:imum)?|min(?:imum)?) "
    r"(?!in\b|on\b|of\b|is\b|was\b|occur|reach)\w+",
    re.I,
)
_OF_MAXIMA = re.compile(
    r"\b(?:high|larg|great|low|small)est (?:\w+ )?(?:maxim\w+|minim\w+|max|min|peaks?)\b", re.I
)
_BASE = re.compile(r"\s*(?:%|per ?cent) (?:of|in) (?:the |all (?:the )?)?(?P<name>\S+(?: \S+)?)", re.I)
_ITS = re.compile(r"(?:it|its|them|their|this|that|these|those|pixels|ground|land|scene|map)\b", re.I)
_BRACKETS = re.compile(r"\([^()]*\d[^()]*\)")
_SECTORS = re.compile(r"\b(?:north|south|east|west)", re.I)
_OF_BOTH_DATES = re.compile(r"loss|gain|change|transition|difference")
_EXTENDS = r"(?:covers?|covered|occup(?:y|ies|ied)|takes? up|took up|extends? over|makes? up)"
_GROUND = re.compile(r"condition|mask|class|zone|formula|expression|aoi|rasters|vector")
# What a part is one of; what is left beside what a limit sets apart; ground that clouds hide.
_AS_BASE = re.compile(
    r"(?:%|per ?cent) (?:out )?of (?:the |some |all )*(?:about |roughly |around |some )?$", re.I
)
_OF_REMAINDER = re.compile(r"\b(?:remainder|rest|elsewhere|the others)\b[^\d]*$", re.I)
_CLUSTER = re.compile(r"\bclusters? $", re.I)
_SIGN = re.compile(r"\b(?:(?P<positive>positive)|negative) (?:slopes?|trends?|values?|changes?)\b", re.I)
_IS_MASKED = re.compile(r"\bmask(?:ed|ing|s)?\b", re.I)
_HIDDEN = re.compile(r"\b(?:hidden|obscured|veiled|covered)\b", re.I)


def find_misattributions(answer: AnswerColumns) -> Iterator[str]:
    """Yield the numbers of an answer that no result gives as what its clause says of them."""
    for clause, heading in zip(map(in_digits, answer.clauses), answer.headings, strict=True):
        mentions = mentions_told(answer, clause)
        for mention in mentions:
            claim = mention.claim
            if claim is None or claim.limit or claim.unit == "1" or claim not in answer.claims:
                continue
            if _CLUSTER.search(clause[: mention.place]):
                continue  # its name
            told = with_heading(answer, heading, tell_of(answer, clause, mention, mentions))
            for name in _each_of(clause, mentions):  # both forest and grassland have it
                yield from _judge(answer, claim, Told(clause, frozenset(), frozenset({name})))
            if sums_up(answer, claim, told.names | told.dates, told.statistics):
                continue
            yield from _judge(answer, claim, told)
            yield from _mean_of_ends(answer, claim, told)
    if answer.only_number and not answer.claims:  # told by the question alone
        statistics_of_question = find_statistics(answer.question)
        yield from _judge(answer, answer.only_number, Told(answer.text, statistics_of_question))


def _each_of(clause: str, mentions: Sequence[Mention]) -> list[str]:
    """Return the classes of which each is told to have the only number of a clause."""
    names = [m.label for m in mentions if m.label and not dates_in(m.label)]
    alone = sum(m.claim is not None for m in mentions) == 1
    return names if alone and len(names) > 1 and _EACH.search(clause) else []


def _judge(answer: AnswerColumns, claim: Claim, told: Told) -> Iterator[str]:
    """Yield why no result gives a number as it is told; nothing where one does, or none has the number."""
    reasons = [
        next((why for rule in _RULES if (why := rule(answer, claim, told, fact))), "")
        for fact in _facts(answer, claim)
    ]
    if not reasons or not all(reasons):
        return
    # By chance a result has the number by which one is more than another.
    said = told.names | told.dates
    if relates(told.clause) and any(set_apart(pair, said) for pair in pairs_of(answer, claim)):
        return
    yield reasons[0]


def _mean_of_ends(answer: AnswerColumns, claim: Claim, told: Told) -> Iterator[str]:
    """Yield why what lies in the middle between a minimum and a maximum is no mean."""
    if not told.statistics & SUMMARIES.keys() or _facts(answer, claim) or tells_difference(told.clause):
        return
    low, high = ([fact.number for fact in answer.facts if fact.statistic == name] for name in ("min", "max"))
    if any(answer.shows(claim, [(a + b) / 2]) for a in low for b in high if a < b):
        yield f"{claim.text} is the middle between the smallest and the largest, and no mean of all."


def _facts(answer: AnswerColumns, claim: Claim) -> list[Fact]:
    """Return what a number may be; what a later step only took from an earlier one, as the earlier had it."""
    found = [fact for fact in answer.facts if answer.shows(claim, [fact.number])]
    if not found and claim.unit == "%":  # what is left over is of the same
        shares = (fact for fact in answer.facts if fact.statistic == SHARE)
        found = [fact for fact in shares if answer.shows(claim, [rest_of(fact.number)])]
    known = {fact.number for fact in found if fact.statistic}
    return [fact for fact in found if fact.statistic or fact.number not in known]


def _other_name(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why a number is of another class or zone than is told."""
    own = fact.origin.names
    if _is_of_more(answer, fact, told.names):
        return f"{claim.text} is {_of(own)} together, not of {_list(told.names)} alone."
    if not own and _AS_BASE.search(told.clause.partition(claim.text)[0]):
        return ""  # 75 % of the roughly 100.9 ha
    # What stands in a table is looked at there.
    in_table = _may_count(claim) or any(not dates_in(label) for label in fact.labels)
    said = told.names - answer.tabled_names if in_table else told.names
    said -= {label for column in answer.columns for label in column.places}  # how far apart two points lie
    said -= _MONTHS  # which are no classes, though results may be by them
    read = " ".join(texts(fact.step.observation.arguments)).casefold()
    said = frozenset(name for name in said if f"@{name}" not in read)  # the band that was read
    if said and not own and (fact.origin.limits or fact.origin.is_open):  # water, by a limit of its index
        said -= shown_by_indices(answer.evidence.words)
    if fact.origin.limits and not own:  # bare pixels, which a limit of an index tells apart
        said = frozenset(name for name in said if name.split()[0] in told.clause.casefold())
    of_kind = {name for name in own for kind in said if name.rpartition(" ")[2] == kind}
    if not said or own & said | of_kind and not _are_others(own, told.names):
        return ""
    if not own and (fact.origin.is_open or not _is_measured(answer, said)):
        return ""
    if not own and _is_of_unnamed_class(fact):
        return ""  # which may be what is said: the run made it
    if any(re.search(rf"\b{re.escape(name)}\b", label) for name in said for label in fact.labels):
        return ""  # a row that is called so: "south below 690 m"
    if any(answer.shows(claim, column.under(name)) for name in said for column in answer.changes):
        return ""  # by how much what is said changes
    return f"{claim.text} is of step {fact.step.number}, which is {_of(own)}, not of {_list(said)}."


def _is_of_unnamed_class(fact: Fact) -> bool:
    """Return whether a number stands in a table below a class that only has a number."""
    rows = fact.step.observation.value
    in_table = isinstance(rows, list) and any(isinstance(row, dict) for row in rows)
    return in_table and all(label.lstrip("-").isdigit() for label in fact.labels if not dates_in(label))


def _is_of_more(answer: AnswerColumns, fact: Fact, said: frozenset[str]) -> bool:
    """Return whether a number is of more than the class that is said, which has a number of its own."""
    own, tool = fact.origin.names, tool_of(fact.step)
    alone = (f for f in answer.facts if f.origin.names == said and tool_of(f.step) == tool)
    return len(said) == 1 and said < own and any(f.number != fact.number for f in alone)


def _are_others(own: frozenset[str], said: frozenset[str]) -> bool:
    """Return whether two are told of a number that is made of two, of which one is another."""
    return len(own) == len(said) > 1 and own != said


def _is_measured(answer: AnswerColumns, names: frozenset[str]) -> bool:
    """Return whether a class was looked at, or nobody looked at any and none was asked for."""
    if answer.names_of_facts:
        return bool(names & answer.names_of_facts)
    chosen = any(may_choose(step) for step in answer.steps)
    return not chosen and not any(name in answer.question.casefold() for name in names)


def may_choose(step: Step) -> bool:
    """Return whether a call may have chosen a ground in a way that its arguments do not name."""
    given = (step.observation.arguments or {}).keys()
    return any(_GROUND.search(name) for name in given)


def _other_date(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why a number is of another date than is told."""
    counts = claim.thing in DATES or not claim.thing and _may_count(claim)  # Three: 15 June, ...
    if counts and _lists_as_many(answer.text, claim):
        return ""
    own, said = fact.dates, _with_far_ends(told)
    dated = [column for column in answer.columns if column.dated]
    if own and _begins_a_change(told.clause, claim) and min(own) < max(said, default=""):
        return ""  # by December it lost 0.36, from 0.75 on
    in_series = any(map(dates_in, fact.labels)) and any(c.under(date) for c in dated for date in said)
    if _is_year_of_one_date(answer, told, fact):
        return f"{claim.text} is of {_list(own)} alone, and more dates of that year are there."
    if not said or not own or in_series:  # what stands in a series is looked at there
        return ""
    if "winter" in told.clause.casefold():  # which has the year that it ends in
        return ""
    if _is_time(told.clause, said) and all(min(said) <= day and is_until(day, max(said)) for day in own):
        return ""
    held = {n for column in answer.columns for label in fact.labels for n in column.under(label)}
    if all(day_number(date) in held for date in said):
        return ""  # dates that were found of the same thing: when its season began and ended
    named = said | set(dates_in(told.clause))
    of_named = all(any(is_same_label(one, date) for date in named) for one in own)
    if of_named and all(any(is_same_label(one, date) for one in own) for date in said):
        return ""  # a difference of both dates that are named
    near = {one for one in own for other in said if one.startswith(other) or other.startswith(one)}
    # What was made of several is of none of them alone; a difference is told of its end.
    whole = fact.statistic in _OF_ALL or quantity_of(fact.step).startswith("count")
    if not near and not any(day.startswith(date) for day in answer.evidence.dates for date in said):
        return ""  # that no step is of it is told elsewhere
    if near and _OF_BOTH_DATES.search(f"{tool_of(fact.step)} {quantity_of(fact.step)}"):
        return ""  # how much of the earlier was lost
    if fact.is_departure and near:
        return ""  # what is so much greener in 2022, and whether it is, is looked at where departures are
    both = len(own) == len(said) == _ENDS_OF_CHANGE and _TIME.search(told.clause) is not None
    if near and not (whole and len(near) < len(own) or both):
        return ""
    return f"{claim.text} is of {_list(own)}, not of {_list(said)}."


def _begins_a_change(clause: str, claim: Claim) -> bool:
    """Return whether something changed from a number on, of which the clause does not itself tell the date.

    "By 2017-12-12 it lost 0.36 (from 0.75 to 0.39)" tells when that ended.
    """
    begins = re.search(rf"\bfrom (?:about |around )?{re.escape(claim.text)}(?![\d.])[^.;]*? to \d", clause)
    until = re.search(rf"\b(?:by|until|till) {_ISO}", clause, re.I)
    return begins is not None and (until is not None or not dates_in(clause))


def _lists_as_many(text: str, claim: Claim) -> bool:
    """Return whether a sentence names as many dates as it says that there are: on two dates, ..."""
    told = (sentence for sentence in sentences(text) if claim in claims_in(in_digits(sentence)))
    return any(len(dates_in(sentence)) == claim.number for sentence in told)


def _with_far_ends(told: Told) -> frozenset[str]:
    """Return the dates of a number, and with one that ends a time the other end of it.

    The nearer stands beside the number: the mean of June to August 2017 was 0.66.
    """
    ends = [frozenset(dates_in(match[0])) for match in _TIME.finditer(told.clause)]
    return told.dates.union(*(each for each in ends if each & told.dates))


def _is_time(clause: str, said: frozenset[str]) -> bool:
    """Return whether two dates are told as the ends of a time: June to August."""
    return any(set(dates_in(match[0])) == said for match in _TIME.finditer(clause))


def _is_year_of_one_date(answer: AnswerColumns, told: Told, fact: Fact) -> bool:
    """Return whether the statistic of one date is told as that of a year of which there are more dates."""
    if extreme(told.clause) and fact.several:  # the lowest of a year is of one of its dates
        return False
    years = [date for date in told.dates if len(date) == _OF_A_YEAR and len(told.dates) == 1]
    of_sentence = (each for each in sentences(answer.text) if told.clause in in_digits(each))
    if any(map(months_in, (told.clause, *of_sentence))):
        return False
    if any(len(date) > _OF_A_YEAR for date in dates_in(answer.text)):
        return False
    named = told.statistics & {"mean", "max", "min", "median"}
    return bool(years and named) and len(fact.dates) == 1 and answer.years.get(years[0], 0) > 1


def _other_limit(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why a number is of what lies beyond another limit, or on its other side."""
    limits = fact.origin.limits
    if sign := _SIGN.search(told.clause) if not told.limits and fact.statistic == SHARE else None:
        side_told = 1 if sign["positive"] else -1
        of_zero = [limit for limit in limits if limit.number == 0]
        if of_zero and all(limit.side == -side_told for limit in of_zero):
            return f"Step {fact.step.number} tells what is {'negative' if side_told > 0 else 'positive'}."
    if fact.origin.is_open or not limits or len(told.limits) != 1:
        return ""
    ((written, said),) = told.limits
    if _OF_REMAINDER.search(told.clause.partition(claim.text)[0]):
        said = -said
    # Of a mean that is itself said to be above a limit the limit is no condition.
    condition = _WHERE.search(told.clause) or written.unit != claim.unit
    if fact.statistic in OF_MANY | ENDS.keys() and not condition:
        return ""
    rest = fact.statistic == SHARE and answer.shows(claim, [rest_of(fact.number)])  # on the other side
    near = [
        each
        for each in limits
        if abs(each.number - written.number) <= written.half
        or answer.shows(replace(written, limit=False), [each.number])
    ]
    if not near:
        own = min(limits, key=lambda each: abs(each.number - written.number))
        return f"Step {fact.step.number} is of a threshold of {own.number:g}, not of {written.text}."
    # What lost more than 0.1 lies below -0.1.
    turned = [-1 if each.number * written.number < 0 else 1 for each in near]
    if said and not rest and all(e.side * sign != said for e, sign in zip(near, turned, strict=True)):
        where = "above" if near[0].side > 0 else "below"
        return f"Step {fact.step.number} tells what lies {where} {near[0].number:g}."
    return ""


def _other_statistic(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why a number is another statistic than is told."""
    named, own = told.statistics, fact.statistic
    of_pixel = tells_of_pixel(told.clause, claim.text) and not _POOLED.search(told.clause)
    of_pixel = (
        of_pixel and not find_statistics(told.clause) & OF_MANY
    )  # on average a pixel was covered so long
    if of_pixel and own in OF_MANY and claim.number:  # a mask whose mean is 0 has no pixel that is marked
        return f"{claim.text} is the {own} of many pixels, and no pixel's own value."
    if own in ENDS and tells_of_pixel(told.clause, claim.text):
        return ""  # "even in the coolest region single pixels reached 43.8"
    if fact.several:  # the highest of several means: which is looked at elsewhere
        texts = (told.clause, told.heading, answer.question)
        plain = next(filter(None, (find_statistics(text, nouns=True) for text in texts)), frozenset())
        named = named & plain
    if not named or not own or own in named or find_rank(told.clause):
        return ""
    if own in ENDS and is_range(told.clause):
        return ""
    # On average 40 % of the pixels are of it.
    if not named or own == SHARE and (claim.unit == "%" or not named & OF_MANY):
        return ""
    # Of several means the highest is their maximum; of minima, or of one label, it is none.
    alone = own in ENDS or _OF_MAXIMA.search(told.clause) or _of_one_label(told)
    ends = set() if alone else named & ENDS.keys()
    if any(is_end(answer, claim, ENDS[name]) for name in ends):
        return ""
    if sums_up_all(answer, claim, named & SUMMARIES.keys()):
        return ""
    return f"{claim.text} is the {own}, not the {' or '.join(sorted(named))}."


def _of_one_label(told: Told) -> bool:
    """Return whether a number is called the maximum, or minimum, of one label: the maximum NDVI of forest."""
    if _ITS_MAXIMUM.search(told.clause):
        return True
    labels = "|".join(re.escape(label) for label in (*told.names, *told.dates))
    found = re.search(rf"{_MAXIMUM_OF}(?:{labels})", told.clause, re.I) if labels else None
    # "Its maximum in August" is the highest of several, "its maximum NDVI in August" is not.
    return found is not None and bool(told.names or found["what"])


def is_end(answer: AnswerColumns, claim: Claim, direction: int) -> bool:
    """Return whether a number is an end of a column, or of the numbers of one time or class in it."""
    rows = [list(column.numbers.values()) for column in answer.columns]
    rows += [column.under(label) for column in answer.columns for label in answer.labels]
    return any(len(row) > 1 and answer.shows(claim, [best_of(row, direction)]) for row in rows)


def sums_up_all(answer: AnswerColumns, claim: Claim, named: Collection[str]) -> bool:
    """Return whether a number is what several come to together, by one of the statistics that are named."""
    rows = [list(column.numbers.values()) for column in answer.columns if column.has_several]
    return any(answer.shows(claim, [SUMMARIES[name](row) for name in named]) for row in rows)


def _other_base(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why a number of one class is not of the whole, or a share of it not one of something else."""
    own = fact.origin.names
    beyond = (
        fact.origin.limits if fact.statistic in OF_MANY | ENDS.keys() and not limits_told(told.clause) else ()
    )
    if told.whole and not own and beyond:
        (limit, *_) = beyond
        where = "above" if limit.side > 0 else "below"
        return f"{claim.text} is of what lies {where} {limit.number:g}, not of the whole."
    if not own:
        return ""
    if told.whole:
        return f"{claim.text} is of step {fact.step.number}, which is {_of(own)}, not of the whole."
    base = _BASE.match(told.clause, told.clause.find(claim.text) + len(claim.text))
    two = sum(name.startswith("threshold") for name in fact.step.observation.arguments or {}) > 1
    if base is None or fact.statistic != SHARE or two or _ITS.match(base["name"]):
        return ""
    place = base.start("name")
    before = told.clause[:place].casefold()
    named = any(name in before or name in base["name"].casefold() for name in own)
    behind = any(name in told.clause[base.end() :].casefold() for name in own)
    if not named and behind:
        return f"{claim.text} % is a share of {_list(own)}, not the share that it has of {base['name']}."
    return ""


def _without_limit(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why what lies beyond a limit is not all of a class, where an answer drops the limit."""
    if not fact.origin.limits or any(c.limit for c in claims_in(answer.text)):
        return ""
    names = "|".join(map(re.escape, fact.origin.names))
    if not names or not re.match(rf"\W*(?:the )?(?:{names})s? {_EXTENDS}\b", told.clause, re.I):
        return ""
    (limit, *_) = fact.origin.limits
    where = "above" if limit.side > 0 else "below"
    return f"{claim.text} is of what lies {where} {limit.number:g}, not of all of it."


def _share_of_dates(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why a share of ground is none of dates."""
    base = _BASE.match(told.clause, told.clause.find(claim.text) + len(claim.text))
    of_ground = fact.statistic == SHARE and fact.origin.limits and not is_share_of_things(fact.step)
    if base is None or not of_ground or not DATES & set(re.findall(r"\w+", base["name"].casefold())):
        return ""
    return f"{claim.text} % is a share of ground, and not of dates."


def _other_condition(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why dates were counted by another statistic than is told: by their mean, not their maximum."""
    if not quantity_of(fact.step).startswith("count_images"):
        return ""
    own = next((name for name in tool_of(fact.step).split("_") if name in OF_MANY | ENDS.keys()), "")
    named = find_statistics(told.clause, nouns=True)
    if not own or not named or own in named:
        return ""
    return (
        f"Step {fact.step.number} counts by the {own} of each date, not by its {' or '.join(sorted(named))}."
    )


def _other_variable(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why a number is of another variable than is told: a slope, and no elevation."""
    own = fact.origin.variables
    families = {_family(role) for role in told.variables}
    if not own or not families or not own <= VARIABLES.keys() or families & set(map(_family, own)):
        return ""
    if families == {SLOPE} and own != {"dem"}:  # that of a trend, or of a line
        return ""
    if families <= {ASPECT, SLOPE} and _SECTORS.search(
        told.clause
    ):  # it varies with aspect: 0.72 on north slopes
        return ""
    spoken = told.clause.casefold()
    if any(word in spoken for role in own for word in VARIABLES[role].words):
        return ""  # the highest and the steepest, with elevations and slopes
    read = frozenset[str]().union(*(each.origin.variables for each in answer.facts))
    if told.variables <= {*ACRONYMS} and not told.variables & read:  # which is told of all numbers at once
        return ""
    # What has no words of its own, such as a difference, is of what it was made of.
    if not all(VARIABLES[role].kind in MEASURED and VARIABLES[role].words for role in own):
        return ""
    # Beside other numbers its unit tells what it is of: a slope of 2.7 degrees at 232 m.
    of_own = own if len(claims_in(told.clause)) == 1 else ()
    units = {find_unit(VARIABLES[role].unit) or VARIABLES[role].unit for role in (*of_own, *told.variables)}
    if _may_count(claim) or claim.unit and claim.unit not in units:  # an area, or how many there are
        return ""
    name, other = (VARIABLES[min(roles)].title for roles in (own, told.variables))
    return f"{claim.text} is of the {name}, not of the {other}."


def _is_cloudiness(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why how cloudy it was is nothing else, where neither clause nor question speaks of clouds."""
    spoken = f"{answer.question} {told.clause if not _HIDDEN.search(told.clause) else answer.text}"
    speaks = asks_cloudiness(spoken) or tells_only_clear(spoken) or _IS_MASKED.search(spoken)
    if speaks or _may_count(claim) or not cloud_covers(fact.step):
        return ""
    return f"{claim.text} is how cloudy it was."


def _may_count(claim: Claim) -> bool:
    """Return whether a number may be how many of something there are."""
    return not claim.unit and "." not in claim.text


def _family(role: str) -> str:
    """Return what variables have in common of which one may be called another: all temperatures."""
    kind = VARIABLES[role].kind
    return kind if kind == "temperature" else SLOPE if "slope" in role else role


def _words_behind(clause: str, claim: Claim) -> str:
    """Return what stands between a number and the next one."""
    behind = clause.partition(claim.text)[2]
    return re.split(r"\d", behind, maxsplit=1)[0]


def _without_other_brackets(text: str, claim: Claim) -> str:
    return _BRACKETS.sub(lambda match: match[0] if claim.text in match[0] else " ", text)


def _other_clouds(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why a number is not of what clouds were taken out of, or left in, as is told."""
    if re.search(rf"\b(?:in|within|over|after) {re.escape(claim.text)} (?:day|week|month)s\b", told.clause):
        return ""
    beside = _words_behind(told.clause, claim)
    # What stands in brackets is of the number in them: "0.17 (0.23 once clouds are masked)".
    texts = (beside, *(_without_other_brackets(text, claim) for text in (told.clause, answer.text)))
    beside = next((text for text in texts if tells_masked(text) or tells_left_in(text)), "")
    masked, left_in = tells_masked(beside), tells_left_in(beside)
    if masked is left_in or not any(f.origin.is_clear for f in answer.facts):
        return ""
    alike = [f for f in answer.facts if (f.labels, f.statistic) == (fact.labels, fact.statistic)]
    meant = [f for f in alike if f.origin.is_clear is masked and not answer.shows(claim, [f.number])]
    if fact.origin.is_clear is not masked and meant:  # of a clear date there is one number
        return f"{claim.text} is of what clouds were {'taken out of' if left_in else 'left in'}."
    return ""


def _other_thing(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why a number of dates is none of months or of other things."""
    counted = quantity_of(fact.step).startswith("count_images")
    if not counted or claim.thing not in COUNTABLE or claim.thing in DATES:
        return ""
    return f"{claim.text} is a number of dates, not of {claim.thing}."


def _only_some_dates(answer: AnswerColumns, claim: Claim, told: Told, fact: Fact) -> str:
    """Return why a number is not of all dates that there are."""
    of_a_day = any(len(date) > _OF_A_YEAR for date in told.dates) or bool(months_in(told.clause))
    if of_a_day:
        return ""
    # The highest of all dates is the number of one, and stands beside those of the others.
    beside = [c.numbers for c in answer.columns if c.dated and answer.shows(claim, [*c.numbers.values()])]
    is_of_one = place_of_extreme(told.clause) < len(told.clause)
    of = frozenset[str]().union(*beside) if is_of_one else fact.origin.dates
    counts = counts_of_all_dates(answer, told.clause, of, told.dates)
    return f"{claim.text} is of {counts[0]} of {counts[1]} dates." if counts else ""


def _of(names: frozenset[str]) -> str:
    return f"of {_list(names)}" if names else "of the whole"


def _list(names: frozenset[str]) -> str:
    known = sorted(names)
    return " and ".join(known[:3]) if len(known) <= 3 else f"{known[0]} to {known[-1]}"


_RULES: tuple[Callable[[AnswerColumns, Claim, Told, Fact], str], ...] = (
    _other_name,
    _other_date,
    _other_limit,
    _other_statistic,
    _other_base,
    _without_limit,
    _share_of_dates,
    _other_condition,
    _other_clouds,
    _other_thing,
    _other_variable,
    _is_cloudiness,
    _only_some_dates,
)
