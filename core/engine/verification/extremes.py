"""What an answer calls the largest or the smallest, and between which ends it says that something lies."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import (
    Claim,
    claims_in,
    dates_in,
    ends_of_times,
    is_until,
    months_in,
    without_dates,
)
from treeline.core.engine.verification.clouds import cloud_covers
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.comparisons import prefers
from treeline.core.engine.verification.courses import OF_GAP
from treeline.core.engine.verification.degree_words import (
    COMPARATIVE,
    LESS,
    comparison,
    extreme,
    is_superlative,
    names_more_of_two,
    names_strongest_gain,
    place_of_extreme,
    strongest_loss,
)
from treeline.core.engine.verification.labels import (
    find_columns,
    find_dates,
    find_names,
    labels_in,
)
from treeline.core.engine.verification.notation import COUNTABLE, DATES
from treeline.core.engine.verification.phrases import ends_of_range, is_range, of_each_year, says_change, way
from treeline.core.engine.verification.quantifiers import LABELLED
from treeline.core.engine.verification.results import is_number
from treeline.core.engine.verification.statistic_words import find_statistics, statistic_of
from treeline.toolkit.units import UNITS

_OFFERED = 2
_DATE = "|".join(each[:-1] for each in sorted(DATES))
_ALL_DATES = re.compile(
    rf"\b(?:all|every|each)(?: of)?(?: the| these)?(?: \d+)? (?:available )?(?:{_DATE})s?\b", re.I
)
_EXAMPLE = re.compile(r"\b(?:for (?:example|instance)|e\.g\.|such as)", re.I)
_ENDS = frozenset({"min", "max"})
_NUMBER = r"([-+\u2212]?\d(?:[\d.,]*\d)?)"
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_FROM_TO = re.compile(rf"\b(?:from|between) {_NUMBER}\s?[^\s\d]{{0,6}} (?:to|and) {_NUMBER}", re.I)
# All that an answer says that tells a range alone: from 664 to 801 m, between 288 and 304 K.
_TWO_ENDS = re.compile(
    r"\W*(?:from |between )?[-+\u2212]?\d[\d.,]*\s?[^\s\d]{0,6}\s?(?:to|and|[-\u2013]) ?[-+\u2212]?\d", re.I
)
_TO = re.compile(r"\d\s?[^\s\d]{0,6}\s?(?:to|\u2192|->) ?[-+\u2212]?\d")
# How strong something is, is its size.
_STRENGTH = re.compile(r"\b(?:strong|weak)(?:er|est)\b", re.I)
_OF_A_DAY = len("2016-08-14")
# What is held against all others: warmer than every other class, no other lies higher, all others lost more.
_MORE = rf"(?P<what>{COMPARATIVE}|(?:more|less)\b)"
_ALL_THE_OTHERS = (
    r"(?:(?:that|those|in|on|at|of|for) ){0,2}(?:every|any|all|each)(?: of)? "
    r"(?:(?:the|its|their|these|those) )?"
    r"(?:others?|neighbou?rs?|rest|remaining|rivals?)\b(?![^.;,]{0,20}(?:together|combined))"
)
_THAN_ALL = re.compile(rf"{_MORE}[^.;,]{{0,30}}? than {_ALL_THE_OTHERS}", re.I)
_EXCEEDS_ALL = re.compile(
    rf"\b(?:(?:exceed|surpass|outdo|outstrip|outrank|top|beat)\w*|outd(?:id|one)) {_ALL_THE_OTHERS}", re.I
)
_ONE_OTHER = rf"\bno other (?:(?:of )?(?:the|these|those) )?{LABELLED}\b"
_NO_OTHER = re.compile(
    rf"(?:{_ONE_OTHER}|\bno (?:other|class|region|zone|date|month|year)\b)"
    rf"[^.;,]*?{_MORE}[^.;,]{{0,30}}? than\b(?! [-\d])|{_ONE_OTHER}[^.;,]*?(?P<alone>{COMPARATIVE})",
    re.I,
)
_AGAINST = re.compile(
    r"\b(?:against|versus|vs|compared (?:with|to))\b|, (?:closely |directly )?followed by\b|"
    r", with (?=[^;]*\b(?:level|next|second|close|behind|following|runner-up)\b)",
    re.I,
)
_OF_OTHERS = re.compile(r"\b(?:others?|rest|remaining)\b", re.I)
_ALL_OTHERS = re.compile(rf"\b(?:all|every) (?:the )?others?\b[^.;,]*?{_MORE}[^.;,]{{0,30}}? than\b", re.I)
_OF_ALL = re.compile(
    r"\b(?:of|among) all\b|\bthe (?:\w+est|most \w+|least \w+) (?:class|region|zone|district)\b", re.I
)
_OF_LAND = re.compile(
    r"\bland (?:classes|types)\b|"
    r"\b(?:of|among) (?:all )?(?:the )?land (?:class|surface|type)e?s\b|\bon land\b",
    re.I,
)
_VEGETATED = re.compile(r"\bvegetated (?:class|surface|land|type)", re.I)
_NO_LAND = ("water", "lake", "sea", "river")
_BARE = (*_NO_LAND, "built", "artificial", "urban", "bare", "sand", "rock", "snow", "ice")
# What something else is held against: 7.5 times as large as the smallest.
_HELD_AGAINST = re.compile(r"\b(?:than|as \w+ as|from|over|above) the (?:\w+est|most \w+|least \w+)\b", re.I)
# The largest of what something has itself: its own largest patch.
_ITS_OWN = re.compile(
    r"\bown (?:\w+est|most \w+|least \w+)\b|"
    r"\b(?:its|their|whose) (?:large|bigg|small|great)est (?:patch|parcel|block|stand|bod|part)",
    re.I,
)
_LARGEST_PATCH = re.compile(
    r"\b(?:largest|biggest|greatest) (?:single |connected |contiguous |individual )*(?:patch|block|stand)\b",
    re.I,
)
_BOTH_TIMES = re.compile(r"\bboth\b", re.I)
_EVERY_TIME = re.compile(
    r"\b(?:on|in|at) (?:every|each|all|both)(?: \w+)? (?:dates?|days?|months?|years?|images?|scenes?)\b|"
    r"\balways\b",
    re.I,
)
_WHEN = re.compile(r"\b(?:when|(?:which|what) (?:date|day|month|season|year)s?)\b", re.I)
_SPAN = re.compile(
    r"\b(?:long|short)est (?:\w+ )?(?:gap|period|run|stretch|break|interval|spell|time)s?\b", re.I
)
_NEXT = re.compile(r"^\W*(?:and |but |while )?the (?:next|second|runner-up|others?)\b(?! (?:to|of))", re.I)
_CHANGES = re.compile(
    r"\b(?:chang\w*|differ\w*|deviat\w*|depart(?:s|ed|ures?)?|drop\w*|fall\w*|fell|declin\w*|decreas\w*|"
    r"los(?:s|ses|es?|t|ing)|shr[aiu]nk\w*)\b",
    re.I,
)
# The most of fewer than all: of the images without a cloud, of that year.
_RESTRICTED = re.compile(
    r"\b(?:clear|cloudless|cloud-free|usable|(?<!no )(?<!any )(?<!every )(?<!all )other|remaining) "
    r"(?:image|date|scene|day)s?\b|"
    r"\b(?:of|in) (?:that|this|the same) (?:year|month|season|class|zone|region)\b",
    re.I,
)
_OF_CLEAR = re.compile(r"\b(?:clear|cloudless|cloud-free) (?:image|date|scene|day)s?\b", re.I)
_OF_PERIODS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "max": max,
    "min": min,
}
_ALL = ("all", "total")  # rows of tables
_LISTING = re.compile(r"(?<=\s)(?:,\s*)?(?:and|or)(?=\s\s)")  # between things that are blanked out


def false_extremes(answer: AnswerColumns) -> Iterator[str]:
    """Find what is called the largest or the smallest and is not."""
    if answer.asks_of_label:
        return
    asked = extreme(answer.question, conditional=True) or _requested_extreme(answer)
    asks = is_superlative(answer.question, conditional=True)
    own = _single(answer, _labels(answer, f"{answer.text} {answer.option}"))
    told = False  # what comes behind the extreme that is asked for is compared with it
    for clause in answer.clauses:
        told = told and clause != answer.option  # which answers anew
        lost = strongest_loss(clause) or (0 if told or extreme(clause) else strongest_loss(answer.question))
        labels = _without_asked(answer, _labels(answer, clause), clause)
        claims = [c for c in claims_in(clause) if c in answer.claims and not _is_of_all(c, clause)]
        if _SPAN.search(clause):  # whose dates are its ends
            continue
        timed = bool(months_in(clause) or dates_in(clause)) and _WHEN.search(answer.question) is not None
        if timed and not (_OF_ALL.search(clause) or any(map(dates_in, labels)) or _tells_own(answer, clause)):
            continue  # it is the largest of its own dates
        if (
            _HELD_AGAINST.search(clause)
            or _ITS_OWN.search(clause)
            or any(_is_of_label(clause, label) for label in labels)
        ):
            continue
        if OF_GAP.search(clause) and not answer.changes:
            continue
        if len(labels) == _OFFERED and (
            turn := _AGAINST.search(clause)
        ):  # the larger of two, beside the other
            labels = _labels(answer, clause[: turn.start()])
        restricted = _RESTRICTED.search(clause) and not (
            _OF_CLEAR.search(clause) and _has_the_clear_alone(answer)
        )
        if _NEXT.search(clause) or restricted:  # it comes behind, or is the best of the clear
            continue
        if lost and len(labels) == 1 and (losses := _losses(answer, labels[0])):
            told = True
            of_own = _losses(answer.narrowed(clause), labels[0])
            if not of_own or any(True for _ in _not_the_loss(labels[0], of_own, lost)):
                yield from _not_the_loss(labels[0], losses, lost)
            continue
        first = clause is answer.clauses[0] and _is_answer_alone(clause, labels)
        fits = (len(own) < 2 or first) and not told and not comparison(clause)
        fits = fits and (not way(clause) or way(answer.question) != 0)  # it tells how that changed, too
        direction = extreme(_EVERY_TIME.sub(" ", _without_labels(clause, labels))) or (asked if fits else 0)
        direction = _among_others(clause) or direction
        if not direction:
            alone = asks and not told and len(answer.labels) == 1 and not comparison(clause)
            best = is_superlative(clause) and not _CHANGES.search(clause)
            said, told = best or alone, told or bool(labels)
            if (
                said
                and len(labels) == 1
                and all(_not_the_extreme_told(answer, labels[0], way, clause) for way in (1, -1))
            ):
                yield f"{labels[0]} is neither the largest nor the smallest."
            continue
        told = told or bool(labels or claims and extreme(clause))
        yield from _of_two_tables(answer, labels, direction, clause)
        if len(labels) == 1:
            yield from _not_the_extreme_told(answer, labels[0], direction, clause)
            yield from _of_fewer_dates(answer, labels[0], clause)
        if not _single(answer, labels) and (labels or not answer.labels):
            behind = [c for c in claims if clause.find(c.text) > place_of_extreme(clause)]
            yield from (
                wrong for claim in (behind or claims)[:1] for wrong in _no_extreme(answer, claim, direction)
            )
    if asked and not answer.labels and answer.only_number and not answer.claims:
        yield from _no_extreme(answer, answer.only_number, asked)


def _without_labels(clause: str, labels: Sequence[str]) -> str:
    """Return a clause without names that themselves tell which is more: the lower belt, the northernmost."""
    for label in labels:
        clause = re.sub(re.escape(label), lambda match: " " * len(match[0]), clause, flags=re.I)
    return clause


def _not_the_extreme_told(answer: AnswerColumns, label: str, direction: int, clause: str) -> list[str]:
    """Return why what is called the most is not, by all columns and by those of the numbers of its clause."""
    found = list(not_the_extreme(answer, label, direction, clause))
    own = answer.narrowed(clause)
    holds = own is not answer and not any(True for _ in not_the_extreme(own, label, direction, clause))
    return [] if holds else found


def _of_two_tables(
    answer: AnswerColumns, labels: Sequence[str], direction: int, clause: str
) -> Iterator[str]:
    """Find the region that has the most of a class, or the class of which a region has most, and is not.

    Words leave open which of the two is meant: one that holds is enough.
    """
    tables = (
        [
            (label, column)
            for label, of in (labels, labels[::-1])
            for column in answer.columns
            if column.of == of and len(column.under(label)) == 1 and column.has_several
        ]
        if len(labels) == _OFFERED and not any(map(dates_in, labels))
        else []
    )
    for label, column in tables:
        for scope in scopes_of(answer, column, label, clause):
            if len(scope) > 1 and best_of([*scope.values()], direction) in column.under(label):
                return
    for label, column in tables[:1]:
        best = best_of([*column.numbers.values()], direction)
        holder = next(other for other, n in column.numbers.items() if n == best)
        yield f"{label} is not the {_name(direction)} of {column.of}: {holder} has {column.write(best)}."


def _tells_own(answer: AnswerColumns, clause: str) -> bool:
    """Return whether a clause tells a number that the only class or zone that it names has in a table."""
    names = find_names(clause, answer.columns)
    known = [c for c in answer.columns if c.has_several and not (c.dated or c.of or c.of_days)]
    own = [n for column in known for n in column.under(names[0])] if len(names) == 1 else []
    return any(answer.shows(claim, own) for claim in claims_in(clause) if not claim.limit)


def _is_answer_alone(clause: str, labels: Sequence[str]) -> bool:
    """Return whether a clause is a label with its number, and no sentence: "Water, at -0.1"."""
    name = re.escape(labels[0]) if len(labels) == 1 else ""
    return (
        bool(name)
        and re.fullmatch(rf"\W*{name}(?:,? (?:with|at)|:|,)? ?\W*\d[^a-z]*", clause, re.I) is not None
    )


def _has_the_clear_alone(answer: AnswerColumns) -> bool:
    """Return whether as many dates were measured as are clear: the best of these is that of the clear."""
    covers = [found for step in answer.steps if (found := cloud_covers(step))]
    clear = {sum(share == 0 for share in each) for each in covers} - {len(each) for each in covers}
    return any(column.dated and len(column.numbers) in clear for column in answer.columns)


def _among_others(clause: str) -> int:
    """Return which end is told of what is held against all others: 1 of "no other class lies higher than"."""
    if _EXCEEDS_ALL.search(clause):
        return 1
    for pattern, sign in ((_THAN_ALL, 1), (_NO_OTHER, 1), (_ALL_OTHERS, -1)):
        if match := pattern.search(clause):
            more = -1 if LESS.search(next(filter(None, match.groups()))) else 1
            return sign * more * (-1 if way(clause) < 0 else 1)
    return 0


def _is_of_label(clause: str, label: str) -> bool:
    """Return whether a clause tells the largest or smallest within a label: the hottest forest pixel."""
    name = "|".join(map(re.escape, (label, label.split(" ")[0])))
    name = f"(?:{name})"
    ends = r"(?:maximum|minimum|peak)"
    found = re.search(
        rf"\b(?:\w+est|{ends}) (?:single )?{name} (?:pixel|point|spot)|\b{name} {ends}\b", clause, re.I
    )
    return found is not None


def _is_of_all(claim: Claim, clause: str) -> bool:
    """Return whether a number tells of how many something is the largest: the largest of the 18 patches."""
    return re.search(rf"\bof (?:the |all |these )?{re.escape(claim.text)} [a-z]", clause) is not None


def _name(direction: int) -> str:
    return "largest" if direction > 0 else "smallest"


def _requested_extreme(answer: AnswerColumns) -> int:
    """Return which end of those that a question offers it asks for; 0 where it offers none."""
    offered = labels_in(answer.question, answer.columns)
    if len(offered) < _OFFERED:
        return 0
    bare = without_dates(answer.question).casefold()
    for label in offered:
        bare = bare.replace(label, " " * len(label))
    asked = extreme(_LISTING.sub(" ", bare), conditional=True)
    return asked or (prefers(answer.question) if len(offered) == _OFFERED else 0)


def _labels(answer: AnswerColumns, clause: str) -> list[str]:
    """Return the labels of a clause; of a date the classes that it names where results list them by dates."""
    names = find_names(clause, answer.columns)
    several = [column for column in answer.columns if column.has_several]
    dates = find_dates(clause, several) or ([] if names else find_dates(clause, answer.columns))
    by_date = any(column.of.startswith(date) for date in dates for column in answer.columns)
    if names and by_date:
        return names
    # A year whose month is named tells of which year that is.
    return [date for date in dates if not any(o != date and o.startswith(date) for o in dates)] or names


def _without_asked(answer: AnswerColumns, labels: Sequence[str], clause: str) -> Sequence[str]:
    """Return without what the question asks of that which alone is held against all others of its kind.

    Of the classes of a zone and the zones of a class "more than in any other zone" tells of a zone.
    """
    if len(labels) != _OFFERED or not _among_others(clause):
        return labels
    asked = labels_in(answer.question, answer.columns)
    left = [label for label in labels if label not in asked]
    tabled = any(c.of in asked and left[0] in c.numbers for c in answer.columns) if len(left) == 1 else False
    return left if tabled else labels


def _single(answer: AnswerColumns, labels: Sequence[str]) -> list[str]:
    """Return those of labels that no column has several numbers of, as it has of a year."""
    return [label for label in labels if not any(len(c.under(label)) > 1 for c in answer.columns)]


def _losses(answer: AnswerColumns, label: str) -> list[Column]:
    """Return the columns that tell of losses by name: changes between dates, and numbers below zero.

    Regions are held against regions, and classes against classes: against those of columns with the label.
    """
    below = [c for c in find_columns(f"{answer.question} {answer.text}", answer.columns) if not c.dated]
    below = [c for c in below if any(n < 0 for n in c.under(label)) or c.is_of_losses]
    found = [c for c in answer.changes if c.under(label)] or [c for c in below if c.under(label)]
    lost = [replace(c, numbers={label: n for label, n in c.numbers.items() if n < 0}) for c in found]
    return [column for column in lost if column.numbers]


def _not_the_loss(label: str, losses: Sequence[Column], most: int) -> Iterator[str]:
    """Find what is said to have lost most, or least, and has not."""
    if not any(best_of([*c.numbers.values()], -most) in c.under(label) for c in losses):
        best = best_of([*losses[0].numbers.values()], -most)
        holder = next(other for other, n in losses[0].numbers.items() if n == best)
        yield f"{label} is not what lost {'most' if most > 0 else 'least'}: {holder} changes by {best:.6g}."


def scopes_of(
    answer: AnswerColumns, column: Column, label: str, clause: str = ""
) -> Iterator[dict[str, float]]:
    """Yield the parts of a column in which a label can be the extreme: all, and what dates limit."""
    yield dict(column.numbers)
    if left := _NO_LAND if _OF_LAND.search(clause) else _BARE if _VEGETATED.search(clause) else ():
        yield {other: n for other, n in column.numbers.items() if not other.startswith(left)}
    told = f"{answer.question} {answer.text}"
    ends = ends_of_times(told)  # of a time that its ends tell, neither of them is one
    named = [each for each in labels_in(answer.question, answer.columns) if each not in ends]
    asked = extreme(answer.question, conditional=True) or prefers(answer.question)
    if len(named) > 1 and (asked or not _OF_ALL.search(clause)):  # which of these
        yield {o: n for o, n in column.numbers.items() if any(column.is_under(o, each) for each in named)}
    of_two = labels_in(clause, [column]) if names_more_of_two(clause) else []
    if len(of_two) == _OFFERED:
        yield {o: n for o, n in column.numbers.items() if any(column.is_under(o, each) for each in of_two)}
    if not column.dated:
        return
    periods = {date for date in dates_in(told) if len(date) < 10} - ends
    periods |= {label[:4]} if of_each_year(told) else set()
    for date in periods:
        yield {other: n for other, n in column.numbers.items() if other.startswith(date)}
    months = months_in(told)
    if label[5:7] in months:
        yield {other: n for other, n in column.numbers.items() if other[5:7] in months}
    if asked_of := dates_in(answer.question):
        first, last = min(asked_of), max(asked_of)
        yield {o: n for o, n in column.numbers.items() if first <= o and is_until(o, last)}


def best_of(numbers: Sequence[float], direction: int) -> float:
    """Return the largest (1) or the smallest (-1) of some numbers."""
    return max(numbers) if direction > 0 else min(numbers)


def not_the_extreme(answer: AnswerColumns, label: str, direction: int, clause: str = "") -> Iterator[str]:
    """Find what is called the largest (1) or the smallest (-1) and is not.

    Parameters
    ----------
    clause : str
        What calls it so, which may tell which way something changes while the whole tells of both.
    """
    told = f"{answer.question} {clause or answer.text}"  # another sentence may tell of changes
    moved = int(names_strongest_gain(clause)) or way(clause) or way(told)
    of_change = answer.changes if moved or says_change(told) else []
    if of_change and not moved:  # what changes most, either way
        of_change = [replace(c, numbers={label: abs(n) for label, n in c.numbers.items()}) for c in of_change]
    if of_change and _tells_levels(answer, label, clause, of_change):
        of_change = []
    fitting = [
        c for c in of_change or columns_meant(answer, clause) if len(c.under(label)) == 1 and c.has_several
    ]
    # What all come to is none of them.
    fitting = [replace(c, numbers={o: n for o, n in c.numbers.items() if o not in _ALL}) for c in fitting]
    fitting = fitting or list(_by_period(answer, label, clause))
    timed = [column for column in fitting if dates_in(column.of)] if _EVERY_TIME.search(clause) else []
    if _BOTH_TIMES.search(clause) and len(timed) > _OFFERED:  # of these two it is, but not which they are
        timed = []
    for column in timed if len(timed) > 1 else ():
        own, numbers = column.under(label), list(column.numbers.values())
        if best_of(numbers, direction) not in own:
            holder = next(o for o, n in column.numbers.items() if n == best_of(numbers, direction))
            yield f"{label} is not the {_name(direction)} on {column.of}: {holder} is."
            return
    if not fitting and len(label) == _OF_A_DAY and dates_in(label):
        measured = [c for c in columns_meant(answer, clause) if c.dated and c.has_several]
        yield from [f"{label} is none of the dates that were measured."] if measured and not of_change else []
        return
    claims = [claim for claim in claims_in(clause) if not claim.limit]
    # What stands in brackets tells more of it: by share it leads with 76 % (387 ha).
    claims = [c for c in claims_in(_IN_BRACKETS.sub(" ", clause)) if not c.limit] or claims
    # Of changes that tell their sign the size counts.
    if (_CHANGES.search(clause) or _STRENGTH.search(clause)) and not names_strongest_gain(clause):
        fitting = [replace(c, numbers={o: abs(n) for o, n in c.numbers.items()}) for c in fitting]
        claims = [replace(claim, number=abs(claim.number)) for claim in claims]
    of_units = [each.unit for each in claims if each.unit in UNITS and not each.limit]
    if of_units and all(c.is_of_other_quantity(unit) for unit in of_units for c in fitting):
        return  # which has most hectares above a limit is not which is the hottest
    stated = [c for c in fitting if any(answer.shows(each, c.under(label)) for each in claims)]
    # The smallest patches: by their mean size, and not by how many there are.
    if fitting and not stated and not of_change:
        single = [c for c in answer.columns if len(c.under(label)) == 1 and c.has_several]
        stated = [c for c in single if any(answer.shows(each, c.under(label)) for each in claims)]
    if not stated and answer.is_of_others(clause):
        return
    named = [c for c in stated if _is_extreme_of(clause, c)]
    fitting = named or stated or fitting
    levels = [
        n for c in answer.columns if of_change and c.dated and c.of == label for n in c.numbers.values()
    ]
    others = [] if named or stated else [claim for claim in claims if not answer.shows(claim, levels)]
    if fitting and any(_is_of_another(answer, claim, fitting) for claim in others):
        return
    for column in fitting:
        own = column.under(label)
        for scope in scopes_of(answer, column, label, clause):
            rest = [n for other, n in scope.items() if not other.startswith(label)]
            if rest and len(set(scope.values())) > 1 and best_of([*rest, *own], direction) in own:
                return
    if fitting:
        what = _name(direction)
        best = best_of(list(fitting[0].numbers.values()), direction)
        holder = next(label for label, n in fitting[0].numbers.items() if n == best)
        things = f" {fitting[0].quantity}" if fitting[0].quantity in COUNTABLE else ""
        yield f"{label} is not the {what}: {holder} has {fitting[0].write(best)}{things}."


def _tells_levels(answer: AnswerColumns, label: str, clause: str, changes: Sequence[Column]) -> bool:
    """Return whether the numbers of a clause are what a label had on its dates, and not how it changed."""
    if way(clause) or says_change(clause):
        return False
    claims = [claim for claim in claims_in(clause) if not claim.limit]
    if _FROM_TO.search(clause) or len(claims) == _OFFERED and _TO.search(clause):
        return False  # what it was before and after
    moved = [abs(n) for column in changes for n in column.under(label)]
    had = [n for c in answer.columns if c not in changes and not c.dated for n in c.under(label)]
    return any(answer.shows(claim, had) and not answer.shows(claim, moved) for claim in claims)


def _is_of_another(answer: AnswerColumns, claim: Claim, columns: Sequence[Column]) -> bool:
    """Return whether a number with a unit is in none of some columns, and another result has it."""
    own = [n for column in columns for n in column.numbers.values()]
    apart = [n for n in answer.evidence.numbers if n not in own]
    return claim.unit in UNITS and not answer.shows(claim, own) and answer.shows(claim, apart)


def _of_fewer_dates(answer: AnswerColumns, label: str, clause: str) -> Iterator[str]:
    """Find what is called the most of all dates where only some of them were measured."""
    of = [c.numbers for c in answer.columns if c.dated and c.has_several and c.under(label)]
    counts = [counts_of_all_dates(answer, clause, dates.keys()) for dates in of]
    if counts and all(counts) and counts[0]:
        yield f"{label} is the most of {counts[0][0]} of {counts[0][1]} dates."


def counts_of_all_dates(
    answer: AnswerColumns, clause: str, dates: Collection[str], told: Collection[str] = ()
) -> tuple[int, int] | None:
    """Return of how many of all dates something is that a clause tells of all; ``None`` where of all.

    Parameters
    ----------
    dates : collection of str
        Those that it is of.
    told : collection of str
        Those that it is told of; else those of the question count.
    """
    if not _ALL_DATES.search(clause) or _EXAMPLE.search(clause):
        return None
    years = {date[:4] for date in told or dates_in(answer.question)} or answer.years.keys()
    read, there = sum(date[:4] in years for date in dates), sum(answer.years.get(year, 0) for year in years)
    return (read, there) if 0 < read < there else None


def _by_period(answer: AnswerColumns, label: str, clause: str) -> Iterator[Column]:
    """Yield the maxima, minima or means of years or months where a label is one with several numbers."""
    told = f"{answer.question} {answer.text}"
    of_question = find_statistics(answer.question) | find_statistics(
        told, nouns=True
    )  # the peak of each year
    named = find_statistics(clause, nouns=True) or of_question or {"mean"}
    for column in (c for c in answer.columns if c.dated and len(c.under(label)) > 1):
        periods = dict.fromkeys(date[: len(label)] for date in column.numbers)
        rows = {period: column.under(period) for period in periods}
        for name, summary in _OF_PERIODS.items():
            if name in named and len(rows) > 1:
                yield Column({period: summary(row) for period, row in rows.items()}, True, quantity=name)


def _is_extreme_of(clause: str, column: Column) -> bool:
    """Return whether a clause says of which quantity something is the most: the largest number of patches."""
    quantity = re.escape(column.quantity.replace("_", " "))
    return (
        bool(quantity)
        and re.search(rf"\b(?:\w+est|most|least) (?:number of )?{quantity}\b", clause) is not None
    )


def is_of_largest_patch(column: Column) -> bool:
    """Return whether a column tells how large the largest patch of each class is."""
    return column.quantity.startswith("largest_patch")


def columns_meant(answer: AnswerColumns, clause: str) -> list[Column]:
    """Return the columns of the statistic that a clause names, else of those that question or text name."""
    if _LARGEST_PATCH.search(clause) and (own := [c for c in answer.columns if is_of_largest_patch(c)]):
        return own
    of_several = len(find_statistics(answer.question)) > 1  # for each date its mean, minimum and maximum
    if clause and (of_several or find_statistics(clause, nouns=True)):
        return find_columns(clause, answer.columns)
    told = find_columns(f"{answer.question} {answer.text}", answer.columns)
    own = find_columns(f"{answer.question} {clause}", answer.columns) if clause else []
    return [*told, *(column for column in own if column not in told)]


def _no_extreme(answer: AnswerColumns, claim: Claim, direction: int) -> Iterator[str]:
    """Find a number that is one of a column, or its sum, and not its largest or smallest, nor a result."""
    holding = [
        (column, label, n)
        for column in answer.columns
        if column.has_several
        for label, n in column.numbers.items()
        if answer.shows(claim, [n])
    ]
    held = {n for column, _, _ in holding for n in column.numbers.values()}
    shortly = {_shortly(n) for n in held}  # what a result tells shortly is the same number again
    apart = {n for n in answer.evidence.numbers if n not in held and _shortly(n) not in shortly}
    for column in answer.columns if not holding and not answer.shows(claim, list(apart)) else ():
        numbers = [*column.numbers.values()]
        if column.has_several and answer.shows(claim, [math.fsum(numbers)]):
            end = f"the {_name(direction)} is {best_of(numbers, direction):.6g}"
            yield f"{claim.text} is what all come to; {end}."
            return
    if not holding or answer.shows(claim, list(apart)):
        return
    for column, label, n in holding:
        if any(
            n == best_of(list(s.values()), direction) for s in scopes_of(answer, column, label) if len(s) > 1
        ):
            return
    best = best_of(list(holding[0][0].numbers.values()), direction)
    what = _name(direction)
    yield f"{claim.text} is not the {what}: {best:.6g} is."


def _shortly(number: float) -> float:
    return float(f"{number:.5g}")


def false_ranges(answer: AnswerColumns) -> Iterator[str]:
    """Find the ends of a range that are not the ends of the column that they are of."""
    for part in answer.clauses:
        told = [claim for claim in claims_in(part) if claim in answer.claims]
        ends = sorted(_ends_told(part, told), key=lambda claim: claim.number)
        if _lie_within(answer, part):
            continue
        ranges = is_range(part) or _asks_range(answer) and _TWO_ENDS.match(part) is not None
        if (
            ranges
            and len(ends) == 2
            and not _OF_OTHERS.search(part)
            and (_is_of_all_dates(answer, part) or _hold_them(answer, part, ends))
        ):
            yield from _no_extreme(answer, ends[0], -1)
            yield from _no_extreme(answer, ends[1], 1)
            yield from _not_the_ends(answer, ends)
        if is_range(part) and len(ends) == 2:
            yield from _ends_of_others(answer, part, ends)
        yield from _given_end(answer, part)


def _lie_within(answer: AnswerColumns, part: str) -> bool:
    """Return whether what a clause names lies between two numbers, as it says: forest and meadow do."""
    between = ends_of_range(part)
    labels = labels_in(part, answer.columns) if between else []
    rows = [[n for label in labels for n in column.under(label)] for column in answer.columns]
    return any(len(row) > 1 and between[0][1] <= min(row) and max(row) <= between[1][1] for row in rows)


def _ends_told(part: str, claims: Sequence[Claim]) -> Sequence[Claim]:
    """Return the ends of the range that a clause tells: of more than two numbers "from A to B"."""
    match = _FROM_TO.search(part) if len(claims) > _OFFERED else None
    if match is None:
        return claims
    return [next((c for c in claims if c.text == text), None) or claims[0] for text in match.groups()]


def _asks_range(answer: AnswerColumns) -> bool:
    """Return whether a question asks for both ends of something."""
    return is_range(answer.question) or find_statistics(answer.question) >= _ENDS


# All that there is ranges from one day to another.
_RANGES = re.compile(r"\brang(?:e[sd]?|ing)\b", re.I)


def _is_of_all_dates(answer: AnswerColumns, part: str) -> bool:
    """Return whether a clause names no date but those of its ends, and the answer no class or zone."""
    ends = _RANGES.search(part) is not None and len(dates_in(part)) == _OFFERED
    ends = ends and not dates_in(answer.question)  # which may be of a part of all
    return (ends or not labels_in(part, answer.columns)) and not find_names(answer.text, answer.columns)


def _hold_them(answer: AnswerColumns, part: str, ends: Sequence[Claim]) -> bool:
    """Return whether the two classes or zones that a clause names are told to have the ends of its range."""
    names = find_names(part, answer.columns)
    own = [n for column in answer.columns for name in names for n in column.under(name)]
    return len(names) == len(ends) and not dates_in(part) and all(answer.shows(end, own) for end in ends)


def _ends_of_others(answer: AnswerColumns, part: str, ends: Sequence[Claim]) -> Iterator[str]:
    """Find an end of a range that is told of one class and is another's: "from 670 for A to 717 for B"."""
    told = part.casefold()
    names = sorted(find_names(part, answer.columns), key=lambda name: told.find(name.casefold()))
    if len(names) == len(ends) and not dates_in(part):
        for claim, name in zip(sorted(ends, key=lambda end: part.find(end.text)), names, strict=True):
            yield from filter(None, [answer.wrong_label(claim, name, part)])


def _given_end(answer: AnswerColumns, part: str) -> Iterator[str]:
    """Find a number of the question that is told as one end of a range of which a result gives the other."""
    claims = claims_in(part)
    if not is_range(part) or len(claims) != _OFFERED or claims_in(answer.question) == []:
        return
    shown = [answer.shows(claim, answer.evidence.numbers) for claim in claims]
    for claim, other, found in zip(claims, reversed(claims), shown, strict=True):
        if not found and claim not in answer.claims and other in answer.claims:
            yield f"No cited step gives {claim.text}, which only the question names."


def _not_the_ends(answer: AnswerColumns, ends: Sequence[Claim]) -> Iterator[str]:
    """Find two numbers of one record that are not its minimum and its maximum."""
    for record in answer.records:
        known = {statistic_of(key): n for key, n in record.items() if is_number(n)}
        if "min" in known and "max" in known and all(answer.shows(c, list(known.values())) for c in ends):
            right = answer.shows(ends[0], [known["min"]]) and answer.shows(ends[1], [known["max"]])
            yield from [] if right else [f"It ranges from {known['min']:.6g} to {known['max']:.6g}."]
