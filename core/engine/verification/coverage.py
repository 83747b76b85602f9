"""Whether each number of an answer is carried by the dates, classes and zones that its own clause names.

A number is carried by a cell of a column, or by two cells that it sets apart. Where only cells of others than
its clause names have it, it is told of what it is not of. What no cell and no two of them give is looked at
elsewhere.
"""

from __future__ import annotations

import calendar
import itertools
import math
import re
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from treeline.core.engine.checks import INDEX
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import SPANS, Claim, claims_in, dates_in, months_in
from treeline.core.engine.verification.clauses import clauses_of, sentences, without_standard
from treeline.core.engine.verification.columns import Column, changes_of_months, day_number
from treeline.core.engine.verification.degree_words import COMPARATIVE, extreme
from treeline.core.engine.verification.evidence import adds_up
from treeline.core.engine.verification.facts import LabelledNumber, cells_of, is_same_label
from treeline.core.engine.verification.labels import (
    ALL_TOGETHER,
    classes_of_kinds,
    columns_for,
    find_dates,
    find_names,
    kinds_of,
    labels_in,
)
from treeline.core.engine.verification.mentions import (
    OF_OTHERS,
    Mention,
    in_digits,
    is_alone_in_bracket,
    label_beside,
    labels_beside,
    mentions_in,
    without_wider,
)
from treeline.core.engine.verification.percent import change_of, per_cent, rest_of
from treeline.core.engine.verification.phrases import (
    ends_of_range,
    is_range,
    multiplies,
    says_change,
    tells_difference,
    way,
)
from treeline.core.engine.verification.readings import difference_of, readings_of
from treeline.core.engine.verification.statistic_words import find_statistics
from treeline.toolkit.units import convert

# Where a clause goes on to what something is held against.
_TURN = re.compile(r"\s(?:exceed|surpass|outweigh|outdo|top|beat)\w*\s", re.I)
_TOGETHER = re.compile(r"\b(?:together|combined|jointly|in (?:sum|total)|the sum of|add(?:s|ed)? up)\b", re.I)
_ARRIVED = re.compile(
    r"\b(?:up to|down to|to) (?:(?:an?|its|the) (?:\w+ )?\w+ of )?"
    r"(?:about |around |roughly |some |only |just )?$",
    re.I,
)
# How one number stands to another one.
_BESIDE = re.compile(
    rf"\b(?:{COMPARATIVE}|than|times|half|twice|ratio|percent|per cent|ahead|behind|apart|gaps?|leads?|"
    r"margins?|swings?|spans?|ranges?|between|by|versus|vs|against)\b|(?<!\d)[-+\u2212](?=\d)",
    re.I,
)
# Of a longer column some two numbers lie as far apart as any number.
_MOST_PAIRED = 12
# Written out: what a year stands beside, or can have one alone, is a date by now.
_MONTH_ALONE = re.compile(
    rf"(?:\b(?:in|of|for|by|during) |^\W*)({'|'.join(calendar.month_name[1:])})\b"
    r"(?!(?<=May) (?:be|have|not)\b)"
)
_TWO = 2
# How long something lasted is of its class or zone; "ten days later" is of none.
_BRACKETS = re.compile(r"\([^()]*\)")
_RESPECTIVELY = re.compile(r"\brespectively\b|\bin (?:this|that) order\b", re.I)
_OF_A_LENGTH = re.compile(r"length|duration|lasts?\b|days")
# What a table calls the row of all of them together.
SUMMARIES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "sum": math.fsum,
}
_SIZES = ("ha", "km2", "m2", "count")
_KEEPS_ON = re.compile(r"\b(?:kept|keeps|continue[sd]?|went on|further)\b", re.I)
_OF_A_DAY = len("2016-08-14")


_FINE = 0.005
_DAY_IN_BRACKETS = re.compile(r"\(\d{4}-\d\d-\d\d\)")
# Which part of a time a number is of: what tells one need not be the mean of all.
_PART_OF_TIME = re.compile(
    r"\b(?:early|late|mid|begin\w*|began|start\w*|end\w*|first|last|once|one|single|up to|as (?:high|low)|"
    r"reach\w*|some|winter|spring|summer|autumn|season|still|already|dates?|images?)\b",
    re.I,
)
_END_NAMES = frozenset({"max", "min"})
_TEMPERATURES = frozenset({"K", "degC", "degF"})


def find_exchanged_numbers(answer: AnswerColumns) -> Iterator[str]:
    """Yield which numbers are of others than the date, class or zone that they stand right beside."""
    yield from find_misplaced_numbers(answer, beside=True)


def find_misplaced_numbers(answer: AnswerColumns, beside: bool = False) -> Iterator[str]:
    """Yield which numbers of an answer are of other dates, classes or zones than their clauses name.

    Parameters
    ----------
    beside : bool
        Only those that stand right beside what they are told of, which leaves nothing open.
    """
    cells = cells_of(answer.columns)
    held = {cell.number for cell in cells}
    # What a result tells shortly is the same number again.
    shortly = {float(f"{number:.5g}") for number in held}
    known = (*answer.evidence.numbers, *answer.evidence.noted)
    elsewhere = _of_products_of_other_dates(answer)
    ends = frozenset[float]() if _tells_ends(answer) else _ends_of_products(answer)
    apart = [
        n
        for n in known
        if n not in held | elsewhere | ends
        and not any(float(f"{each:.5g}") in shortly for each in _in_other_degrees(answer, n))
    ]
    lengths = [n for c in answer.columns if _OF_A_LENGTH.search(c.quantity) for n in c.numbers.values()]
    stated = [c for c in answer.claims if not c.limit and (c.thing not in SPANS or answer.shows(c, lengths))]
    checked = [claim for claim in stated if not answer.shows(claim, apart)]
    told_sentences = [*sentences(answer.text), answer.option]
    for last, sentence in zip(["", *told_sentences], told_sentences, strict=False):
        before: frozenset[str] = frozenset()
        for clause in (part for one in clauses_of(sentence) for part in _TURN.split(in_digits(one))):
            mentions = mentions_in(clause, answer.columns)
            own = frozenset(each.label for each in mentions if each.label)
            # Of the month in which a day lies that is named right behind it, that day is meant.
            wider = own - without_wider(own) if _DAY_IN_BRACKETS.search(clause) else frozenset[str]()
            mentions = [each for each in mentions if each.label not in wider]
            of_those_before = not own and len(before) == 1 and not OF_OTHERS.search(clause)
            told: set[frozenset[str]] = set()
            between = [text for text, _ in ends_of_range(clause)]
            for mention in (each for each in mentions if each.claim in checked):
                if mention.claim is not None and mention.claim.text in between:
                    continue  # it is none of what lies there
                said = before if of_those_before else labels_beside(mention, mentions, clause)
                if said in told or not said or mention.claim is None:
                    continue
                if own and _is_end_of_all(answer, clause, own) or _is_sum_of(answer, mention.claim, said):
                    continue
                if _is_further_on(answer, mention, mentions, clause, before):
                    continue
                alone = bool(own) and _is_named_alone(answer, mention, mentions, clause)
                said |= classes_of_kinds(clause, answer.columns)
                wrong = _of_others(answer, mention.claim, said, cells, clause, alone)
                if wrong and not _stands_beside(answer, mention, mentions, said, cells, clause):
                    of_others = beside or _may_be_of(answer, mention.claim, said, cells, f"{last} {sentence}")
                    wrong = "" if of_others else wrong
                if wrong:
                    told.add(said)
                    yield wrong
            # "Cooler than grassland, and it ..." goes on of what is cooler.
            subjects = mentions_in(without_standard(clause), answer.columns) if own else []
            before = without_wider(own.intersection(each.label for each in subjects)) or before


def _in_other_degrees(answer: AnswerColumns, number: float) -> Iterator[float]:
    """Yield a number, and a temperature in the other units: what was converted is of what it was before."""
    yield number
    for unit in _TEMPERATURES & {*answer.evidence.units.get(number, ())}:
        yield from (convert(number, unit, other) for other in _TEMPERATURES - {unit})


def _stands_beside(
    answer: AnswerColumns,
    mention: Mention,
    mentions: Sequence[Mention],
    said: frozenset[str],
    cells: Sequence[LabelledNumber],
    clause: str,
) -> bool:
    """Return whether a number stands beside what it is said to be of, with no other number between.

    What is of that and of something else besides is of the class that was spoken of before; and numbers in
    brackets may be of as many as are named before.
    """
    shown = [cell for cell in cells if mention.claim and answer.shows(mention.claim, [cell.number])]
    spans = [match.span() for match in _BRACKETS.finditer(clause)]
    inside = next((span for span in spans if span[0] < mention.place < span[1]), (0, 0))
    bare = all(not each.label for each in mentions if inside[0] < each.place < inside[1])
    of_several = sum(each.claim is not None and inside[0] < each.place < inside[1] for each in mentions) > 1
    if of_several and bare or any(said < cell.labels or _is_without_name(cell) for cell in shown):
        return False
    numbers = [each.place for each in mentions if each.claim is not None and each is not mention]
    ends = (sorted((mention.place, each.place)) for each in mentions if each.label in said)
    return any(not any(start < place < end for place in numbers) for start, end in ends)


def _is_without_name(cell: LabelledNumber) -> bool:
    """Return whether a number is of a class that only has a number, whatever a run calls it."""
    names = [label for label in cell.labels if not dates_in(label)]
    return bool(names) and all(map(str.isdigit, names))


def _may_be_of(
    answer: AnswerColumns, claim: Claim, said: frozenset[str], cells: Sequence[LabelledNumber], text: str
) -> bool:
    """Return whether a number may be told of a class that a sentence, or the one before, names elsewhere.

    In what order they are told, words leave open: schrubland, just ahead of forest (0.755 and 0.745).
    """
    if all(map(dates_in, said)) or _RESPECTIVELY.search(text):
        return False
    named = {*find_dates(text, answer.columns), *find_names(text, answer.columns)}
    return any(
        all(any(label == name or label.startswith(f"{name}-") for name in named) for label in cell.labels)
        for cell in cells
        if answer.shows(claim, [cell.number])
    )


def _is_sum_of(answer: AnswerColumns, claim: Claim, labels: frozenset[str]) -> bool:
    """Return whether a number is what the labels that it stands beside come to together."""
    rows = [[n for label in labels for n in column.under(label)] for column in answer.columns]
    whole = [row for row in rows if len(row) == len(labels) > 1]
    kinds = kinds_of(answer.columns)
    whole += [  # both forests of a region
        row
        for kind in labels & kinds.keys()
        for column in answer.columns
        if column.of in labels and len(row := [n for each in kinds[kind] for n in column.under(each)]) > 1
    ]
    return any(
        answer.shows(claim, [math.fsum(row)])
        for row in whole
        if adds_up(answer.evidence.units.get(row[0], ()))
    )


def _is_further_on(
    answer: AnswerColumns,
    mention: Mention,
    mentions: Sequence[Mention],
    clause: str,
    before: frozenset[str],
) -> bool:
    """Return whether a number is what something comes to behind the only place of a profile that is named."""
    places = {label for column in answer.columns if column.is_profile for label in column.places}
    labels = [each for each in mentions if each.label]
    named = {each.label for each in labels if each.place < mention.place} if labels else before
    alone = len(labels) <= 1 and len(named) == 1 and named <= places
    return alone and _ARRIVED.search(clause[: mention.place]) is not None


def _of_products_of_other_dates(answer: AnswerColumns) -> set[float]:
    """Return statistics of rasters that steps wrote, of dates that an answer leaves out if it names any."""
    told = dates_in(answer.text)
    products = (p for step in answer.steps for p in step.observation.products if told and p.date)
    others = [p for p in products if not any(str(p.date).startswith(date) for date in told)]
    return {n for p in others for n in (p.minimum, p.maximum, p.mean, p.valid_share) if n is not None}


def _tells_ends(answer: AnswerColumns) -> bool:
    """Return whether an answer or its question speaks of a largest or smallest number, or of a range."""
    told = f"{answer.question} {answer.text}"
    return bool(find_statistics(told) & {"max", "min", "range"}) or extreme(told) != 0 or is_range(told)


def _ends_of_products(answer: AnswerColumns) -> frozenset[float]:
    """Return the least and greatest pixels of rasters that steps wrote on the way."""
    products = [product for step in answer.steps for product in step.observation.products]
    return frozenset(n for p in products for n in (p.minimum, p.maximum) if n is not None)


def _is_end_of_all(answer: AnswerColumns, clause: str, labels: frozenset[str]) -> bool:
    """Return whether the numbers of all labels of a clause lie in the range that it tells."""
    ends = sorted((claim for claim in claims_in(clause) if not claim.limit), key=lambda claim: claim.number)
    if len(labels) < _TWO or len(ends) != _TWO:
        return False
    a, b = (re.escape(end.text) for end in ends)
    if not is_range(clause) and re.search(rf"{a}\s?(?:to|-|\u2013)\s?{b}", clause) is None:
        return False
    low, high = ends[0].number - ends[0].half, ends[1].number + ends[1].half
    rows = [[c.under(label) for label in labels] for c in columns_for(clause, answer.columns)]
    found = [[n for numbers in row for n in numbers] for row in rows if sum(map(bool, row)) >= _TWO]
    return any(all(low <= n <= high for n in row) for row in found)


def find_misplaced_days(answer: AnswerColumns) -> Iterator[str]:
    """Yield days that are told of one class or zone where only others have them: when seasons start."""
    columns = [column for column in answer.columns if column.of_days]
    for clause in answer.clauses if columns else ():
        labels, days = find_names(clause, columns), [day for day in dates_in(clause) if len(day) == _OF_A_DAY]
        if len(labels) != 1 or len(days) != 1:
            continue
        of = [label for c in columns for label, n in c.numbers.items() if n == day_number(days[0])]
        if of and labels[0] not in of:
            yield f"{days[0]} is of {of[0]}, not of {labels[0]}."


def find_false_sums(answer: AnswerColumns) -> Iterator[str]:
    """Yield a number that is told of several classes or zones together and is not what they come to."""
    for clause in answer.clauses if any(not c.dated for c in answer.columns) else ():
        labels = [label for label in find_names(clause, answer.columns) if label != ALL_TOGETHER]
        claims = [claim for claim in claims_in(clause) if claim in answer.claims and not claim.limit]
        if len(labels) < _TWO or len(claims) != 1 or not _TOGETHER.search(clause):
            continue
        own = [n for column in answer.columns for label in labels for n in column.under(label)]
        # Numbers in hand may have been those of others.
        reckoned = answer.evidence.computed if claims[0].unit in _SIZES else frozenset()
        if answer.shows(
            claims[0], [n for n in answer.evidence.numbers if n not in own and n not in reckoned]
        ):
            continue  # which a result tells of them together
        rows = [
            (column, [n for label in labels for n in column.under(label)])
            for column in columns_for(clause, answer.columns)
            if not column.dated
        ]
        sums = [(column, math.fsum(row)) for column, row in rows if len(row) == len(labels)]
        if sums and not any(
            adds_up(answer.evidence.units.get(n, ())) for c, _ in sums for n in c.numbers.values()
        ):
            yield f"{' and '.join(labels)} have no sum: it is no quantity that adds up."
            continue
        shares = [per_cent(n, whole) for c, n in sums if (whole := math.fsum(c.numbers.values()))]
        units = {n: answer.evidence.units.get(next(iter(c.numbers.values())), ()) for c, n in sums}
        given: list[dict[float, tuple[str, ...]]] = [units]
        given += [dict.fromkeys(shares, ("%",)), {n / len(labels): units[n] for _, n in sums}]
        if sums and not any(answer.with_numbers(each).shows(claims[0]) for each in given):
            yield f"{' and '.join(labels)} come to {sums[0][1]:.6g} together, not {claims[0].text}."


def find_days_of_whole_times(answer: AnswerColumns) -> Iterator[str]:
    """Find the number of one date that is told of a month or year of which several dates are there."""
    for part in answer.clauses:
        claims = [c for c in claims_in(part) if c in answer.claims and not c.limit]
        labels = labels_in(part, answer.columns)
        if len(claims) != 1 or len(labels) != 1 or extreme(part) or is_range(part):
            continue
        if _PART_OF_TIME.search(part) or tells_difference(part) or find_statistics(part) & _END_NAMES:
            continue
        if months_in(answer.question):  # of a year that month is meant
            continue
        rows = [(c, c.under(labels[0])) for c in answer.columns if c.dated and len(c.under(labels[0])) > 1]
        if rows and not any(_is_of_all(answer, claims[0], row) for _, row in rows):
            yield from (
                told for column, row in rows[:1] for told in _of_one_date(answer, claims[0], column, row)
            )


def _is_of_all(answer: AnswerColumns, claim: Claim, row: Sequence[float]) -> bool:
    """Return whether a number is what several come to together, or each of them is it."""
    whole = [statistics.fmean(row), statistics.median(row), sum(row)]
    return answer.shows(claim, whole) or all(answer.shows(claim, [n]) for n in row)


def _of_one_date(answer: AnswerColumns, claim: Claim, column: Column, row: Sequence[float]) -> Iterator[str]:
    own = [date for date, n in column.numbers.items() if answer.shows(claim, [n])]
    facts = [fact for fact in answer.facts if answer.shows(claim, [fact.number])]
    if own and all(fact.dates == {own[0]} for fact in facts):
        yield f"{claim.text} is of {own[0]} alone, and {len(row)} dates are there."


def find_false_movements(answer: AnswerColumns) -> Iterator[str]:
    """Yield which numbers something is said to have risen or fallen to, where no earlier one lies so."""
    rows = [[column.numbers[label] for label in column.order] for column in answer.columns]
    profiles = [row for row, column in zip(rows, answer.columns, strict=True) if column.is_profile]
    left: Claim | None = None
    for clause in map(in_digits, answer.clauses):
        said = way(clause)
        for mention in mentions_in(clause, answer.columns) if said else ():
            if mention.claim is None or not _ARRIVED.search(clause[: mention.place]):
                continue
            ends = [
                (row[place], _way_from(answer, row[:place], left) if row in profiles else row[:place])
                for row in rows
                for place in range(1, len(row))
                if answer.shows(mention.claim, [row[place]])
            ]
            left = mention.claim
            if _KEEPS_ON.search(clause):
                ends = [(number, former[-1:]) for number, former in ends]
            if ends and all((n - f) * said <= 0 for n, former in ends for f in former):
                number, former = ends[0]
                yield f"From {former[-1]:.6g} to {number:.6g} it {'falls' if said > 0 else 'rises'}."


def _way_from(answer: AnswerColumns, row: list[float], left: Claim | None) -> list[float]:
    """Return of the places of a profile the last that has the number which was told before; else all."""
    known = [number for number in row if left is not None and answer.shows(left, [number])]
    return known[-1:] or row


def find_changes_of_other_months(answer: AnswerColumns) -> Iterator[str]:
    """Yield what is told as the change of a month, of one year or another, and is that of other months."""
    for clause in map(in_digits, answer.clauses):
        mentions = [each for each in mentions_in(clause, answer.columns) if each.claim is not None]
        months = [Mention(match.start(1), match[1]) for match in _MONTH_ALONE.finditer(clause)]
        both = sorted([*mentions, *months], key=lambda each: each.place)
        for mention in mentions if months else ():
            if mention.claim is not None and not mention.claim.limit:
                for month in labels_beside(mention, both, clause):
                    yield from _of_other_months(answer, mention.claim, month, clause)


def _of_other_months(answer: AnswerColumns, claim: Claim, month: str, clause: str) -> Iterator[str]:
    """Yield of what a number is that is told as the change of a month, and is that of another one."""
    of = f"-{list(calendar.month_name).index(month):02d}"
    for changes in changes_of_months(columns_for(clause, answer.columns)):
        shown = [each for each, change in changes.items() if _shows_change(answer, claim, change)]
        if shown and of in changes and of not in shown:
            other, (first, last) = calendar.month_name[int(shown[0][1:])], changes[of]
            yield f"{claim.text} is the change of {other}; {month} changes by {last - first:.6g}."
            return
    if not _is_fine(claim) or replace(answer.evidence, sets_apart=False).gives(claim):
        return
    pairs = pairs_of(answer, claim)
    ends = [[date for label in one | other for date in dates_in(label)] for one, other in pairs]
    if ends and all(dates and not any(date[4:7] == of for date in dates) for dates in ends):
        yield f"{claim.text} lies between {' and '.join(sorted(ends[0]))}, not in {month}."


def _shows_change(answer: AnswerColumns, claim: Claim, change: tuple[float, float]) -> bool:
    first, last = change
    units = difference_of(answer.evidence.units.get(first, ()))
    return answer.with_numbers({last - first: units}).shows(claim, falls=True)


def _is_named_alone(
    answer: AnswerColumns, mention: Mention, mentions: Sequence[Mention], clause: str
) -> bool:
    """Return whether a number is told as that of the label right beside it, and set against nothing."""
    labels = [each for each in mentions if each.label]
    before = [each for each in labels if each.place < mention.place]
    if len({each.place for each in labels}) < len(labels):  # of a kind it is not told which one is meant
        return False
    numbers = [each for each in mentions if each.claim is not None]
    if len(labels) > len(numbers):  # of several together
        return False
    joined = label_beside(mention, labels, clause)
    in_bracket = bool(before) and is_alone_in_bracket(mention, before[-1], numbers, clause)
    return bool(joined or in_bracket) and not tells_difference(f"{answer.question} {clause}")


def _is_level_before(answer: AnswerColumns, claim: Claim, clause: str, said: frozenset[str]) -> bool:
    """Return whether a number is that of the date before: on 2021-07-01 it rose from 0.5 to 0.7."""
    dates = [label for label in said if dates_in(label)]
    if len(dates) != 1 or not re.search(rf"\bfrom (?:\w+ )?{re.escape(claim.text)}\b[^.;]*? to ", clause):
        return False
    earlier = [
        (max(before), column)
        for column in answer.columns
        if column.dated and (before := [date for date in column.numbers if date < dates[0]])
    ]
    return any(answer.shows(claim, [column.numbers[date]]) for date, column in earlier)


def _of_others(
    answer: AnswerColumns,
    claim: Claim,
    said: frozenset[str],
    cells: Sequence[LabelledNumber],
    clause: str,
    alone: bool = False,
) -> str:
    """Return of what a number is, where it is of nothing that is said beside it; else nothing.

    Parameters
    ----------
    alone : bool
        It is told as that of a label, so that it is no difference of two.
    """
    if claim.unit == "" and claim.thing and claim.number % 1 == 0 and claim.number in answer.evidence.counts:
        return ""  # how many there are
    if _is_level_before(answer, claim, clause, said):
        return ""
    named_alone = said
    for kind, classes in kinds_of(answer.columns).items():  # mostly forest: 37 % broadleaf
        if kind in said or not said.isdisjoint(classes):
            # The forest of which nothing is said but that is all of it, and no class of it.
            spoken_of = {*answer.labels, *labels_in(answer.question, answer.columns)}
            said |= {kind, *(classes if kind in said and not spoken_of.isdisjoint(classes) else ())}
    shown = [cell for cell in cells if answer.shows(claim, [cell.number])]
    if any(label.startswith(f"{name} ") for cell in shown for label in cell.labels for name in said):
        return ""  # of bare ground from 700 m, as a run calls a class of its own
    joint = any(len(cell.labels) >= _TWO and cell.labels <= said for cell in cells)
    days = without_wider(said)
    if any(cell.is_of(days, joint) for cell in shown) or _is_part_of_stated(answer, claim):
        return ""
    if sums_up(answer, claim, said):
        return ""
    lying = list(pairs_of(answer, claim))
    if lying and alone and not shown:
        own_cells = [cell.number for cell in cells if cell.is_of(days, joint) and cell.labels & said]
        units = {unit for n in own_cells for unit in answer.evidence.units.get(n, ())}
        told_in = {claim.unit} if claim.unit else {INDEX, "1"}
        # Hundredths of an index are told as such, and what is not covered by what is.
        readings = [n for cell in own_cells for n in (*readings_of(claim, cell), rest_of(cell))]
        if own_cells and units <= told_in and not any(abs(n - claim.number) <= claim.half for n in readings):
            return f"{' and '.join(sorted(said))} has {own_cells[0]:.6g}, not {claim.text}."
    # By chance some two numbers have a ratio, or lie apart, as is told of one of them.
    pairs = lying if not shown or relates(clause) else []
    if any(set_apart(pair, each) for pair in pairs for each in (said, named_alone)):
        return ""
    if shown and _may_be_called(answer, shown, said):
        return ""
    if shown:
        named = " and ".join(sorted(said))
        fitting = [cell for cell in cells if cell.is_of(said, joint) and cell.labels & said]
        # Of the date that the number is of, first.
        fitting.sort(key=lambda cell: -len(cell.labels & shown[0].labels))
        own = [f"{cell.number:.6g}" for cell in fitting]
        has = f"; {named} has {', '.join(own[:3])}" if own else f", not of {named}"
        return f"{claim.text} is of {' and '.join(sorted(shown[0].labels))}{has}."
    elif pairs and _is_fine(claim) and not replace(answer.evidence, sets_apart=False).gives(claim):
        one, other = pairs[0]
        apart, named = " and ".join(sorted(one ^ other)), " and ".join(sorted(said))
        return f"{claim.text} lies between {apart}, not {named}."
    # Of the whole a part is told: 98 % of the 87 ha, nine of the 82 patches.
    is_whole = re.search(
        rf"(?:%|\d)(?: \w+)? of (?:(?:the|all|these|about|roughly) )*{re.escape(claim.text)}", clause
    )
    return "" if pairs or is_whole else _of_all(answer, claim, said)


def _may_be_called(answer: AnswerColumns, shown: Sequence[LabelledNumber], said: frozenset[str]) -> bool:
    """Return whether a number is of a class without a name, which a run may have named as is said.

    It has none of the names of the user's map: sectors of slopes are north and south.
    """
    names = {label for label in said if not dates_in(label)}
    if not names or not names.isdisjoint(answer.legend.values()) or any(map(str.isdigit, names)):
        return False
    of_cells = ([label for label in cell.labels if not dates_in(label)] for cell in shown)
    return any(labels and all(map(str.isdigit, labels)) for labels in of_cells)


def _of_all(answer: AnswerColumns, claim: Claim, said: frozenset[str]) -> str:
    """Return what a class or zone has where its number is what all of them come to; else nothing."""
    for column in answer.columns if len(said) == 1 and not claim.limit else ():
        numbers = [*column.numbers.values()]
        units = answer.evidence.units.get(numbers[0], ())
        own = [n for label in said for n in column.under(label)]
        adds = column.has_several and not column.dated and units and adds_up(units)
        if adds and own and answer.with_numbers({math.fsum(numbers): units}).shows(claim):
            return f"{claim.text} is what all come to; {' and '.join(said)} has {own[0]:.6g}."
    return ""


def _is_fine(claim: Claim) -> bool:
    """Return whether a number is told so finely that it is no difference of any two by chance."""
    return claim.half <= _FINE * abs(claim.number)


def _is_part_of_stated(answer: AnswerColumns, claim: Claim) -> bool:
    """Return whether a share is what one number that is told is of another one: 856 of 3,287 ha."""
    told = [claims_in(sentence) for sentence in sentences(answer.text) if claim.unit == "%"]
    rows = [
        [c.number for c in claims if c.unit == unit and c.number]
        for claims in told
        if claim in claims
        for unit in _SIZES
    ]
    pairs = (pair for row in rows for pair in itertools.permutations(dict.fromkeys(row), _TWO))
    return any(abs(per_cent(a, b) - claim.number) <= claim.half for a, b in pairs if a < b)


def sums_up(
    answer: AnswerColumns, claim: Claim, said: frozenset[str], named: frozenset[str] = frozenset()
) -> bool:
    """Return whether a number is what the numbers of a month or year that is said come to.

    Parameters
    ----------
    named : frozenset of str
        The statistics that it is said to be; empty where none is told.
    """
    rows = [column.under(date) for column in answer.columns for date in said]
    several = [row for row in rows if len(row) > 1]
    chosen = [summary for name, summary in SUMMARIES.items() if name in named or not named]
    return any(answer.shows(claim, [summary(row) for summary in chosen]) for row in several)


def pairs_of(answer: AnswerColumns, claim: Claim) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield the labels of two cells that a number tells the difference, ratio or change in per cent of."""
    for column in answer.columns:
        cells = cells_of([column])
        if len(cells) > _MOST_PAIRED:
            cells = [cell for cell in cells if not cell.labels.isdisjoint(answer.labels)]
        for one, other in itertools.combinations(cells if len(cells) <= _MOST_PAIRED else (), _TWO):
            if any(
                answer.with_numbers(told).shows(claim, falls=True) for told in _relations(answer, one, other)
            ):
                yield one.labels, other.labels


def relates(clause: str) -> bool:
    """Return whether a clause may tell how two numbers stand to each other."""
    said = way(clause) or says_change(clause) or tells_difference(clause) or multiplies(clause)
    return bool(said) or _BESIDE.search(clause) is not None


def _relations(
    answer: AnswerColumns, one: LabelledNumber, other: LabelledNumber
) -> Iterator[dict[float, tuple[str, ...]]]:
    """Yield what two cells of one unit come to together, with units: how far apart, how many times."""
    a, b = one.number, other.number
    units = answer.evidence.units.get(a, ())
    if units != answer.evidence.units.get(b, ()):
        return
    yield {a - b: difference_of(units)}
    for x, y in ((a, b), (b, a)):
        if y:
            yield {x / y: ("1",)}
            yield {change_of(y, x): ("%",)}


def set_apart(pair: tuple[frozenset[str], frozenset[str]], said: frozenset[str]) -> bool:
    """Return whether two cells are those that are said: one of them where one label is, else both."""
    differing = pair[0] ^ pair[1]
    dated = bool(dates_in(next(iter(differing), "")))
    wanted = [label for label in said if bool(dates_in(label)) is dated]
    if not LabelledNumber(0.0, pair[0] & pair[1]).is_of(said):
        return False
    if not wanted:
        return True
    met = [any(is_same_label(own, each) for each in wanted) for own in differing]
    return all(met) if len(wanted) >= _TWO else any(met)
