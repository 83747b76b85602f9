"""Whether it is true that something rises, falls or stays: between two dates, at every step, in time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from treeline.core.engine.verification.claims import Claim, claims_in, dates_in, months_in
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.degree_words import extreme
from treeline.core.engine.verification.labels import columns_for, find_columns, find_names, labels_in
from treeline.core.engine.verification.notation import in_plain_digits
from treeline.core.engine.verification.percent import per_cent
from treeline.core.engine.verification.phrases import (
    multiplies,
    never_goes,
    of_place,
    says_change,
    says_no_change,
    steadily,
    way,
)
from treeline.core.engine.verification.quantifiers import comparison_of
from treeline.core.engine.verification.sentence_grounds import (
    ALL_BUT,
    STEADY,
    Ends,
    Grounds,
    Verdict,
    changes_of_labels,
    ends_of,
    is_no_change,
    labels_between,
)

# What two dates alone do not tell.
_ON_THE_WAY = re.compile(
    r"\b(?:steadily|continuously|constantly|consistently|monotonically|gradually)\b", re.I
)
_NOT_SO_FAR = re.compile(r"\b(?:less|(?:no|not) more|at most|up to)\b", re.I)
# Behind a turn, which the sentence before tells.
_THEN = re.compile(r"\b(?:then|afterwards|thereafter|subsequently|after (?:that|which))\b", re.I)
# What another way of reckoning does not change: "masking clouds did not change this ranking".
_OF_FINDINGS = re.compile(
    r"\b(?:chang|alter|affect)\w* (?:the |this |that |its |my )?"
    r"(?:ranking|result|answer|count|number|conclusion|order|outcome|picture|finding)s?\b|"
    r"\b(?:ranking|order|pattern|picture|conclusion|result)s? (?:is|are|was|were|stay\w*|remain\w*) (?:\w+ )?"
    r"(?:the same|unchanged|alike|identical)\b",
    re.I,
)
# The quantifier stands before the classes or zones: all classes, none of the regions, four of five zones.
_OF_CLASSES = re.compile(
    r"\b(?:all|every|each|both|none of|no|most|half|two|three|four|\d+|\w+ of)(?: of)?(?: the)?(?: \w+)? "
    r"(?:class(?:es)?|zones?|regions?|districts?|categor(?:y|ies)|types?|fields?|parcels?|covers?|sites?|"
    r"polygons?|basins?|municipalit(?:y|ies))\b",
    re.I,
)
# How far two things lie apart is no number of either.
OF_GAP = re.compile(r"\b(?:gaps?|differences?|contrasts?|margins?|advantage|lead|order|ranking)\b", re.I)
# An event, which falls between two days.
_FALLS_BETWEEN = re.compile(
    r"\b(?:green-?up|onset|start|end|beginning|peak|maximum|minimum|harvest|mowing|fire|event|break|change)\b"
    r"[^.;,]{0,40}?\b(?:f[ae]lls?|fell) (?:between|within|in|into|on)\b",
    re.I,
)
_UNTIL = re.compile(r"\b(?:until|till|up to|down to|before|to)\b", re.I)
_BOTH = 2

# Units of how much ground something is true of.
_EXTENTS = ("%", "ha", "km2", "m2")


def judge_changes(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that something rises, falls, changes or does not between two dates."""
    # Between two places of a profile something goes along the ground, too.
    elsewhere = of_place(sentence) and not find_names(sentence, [c for c in grounds.columns if c.is_profile])
    of_event = _FALLS_BETWEEN.search(sentence)
    if _OF_FINDINGS.search(sentence) or OF_GAP.search(sentence) or of_event or elsewhere:
        return
    never = never_goes(sentence)
    said, still = never or way(sentence), says_no_change(sentence)
    if said and (never or steadily(sentence)) and not _THEN.search(sentence):
        yield from _of_steps(grounds, sentence, said, still=not way(sentence))
        return
    said = way(sentence)
    moves = says_change(sentence) or multiplies(sentence)
    if not said and not still and not moves or extreme(sentence) or _tells_extent(grounds, sentence):
        return
    if still and len(labels := dates_in(sentence)) == 1:
        yield from _of_course(grounds, sentence, labels[0])
        return
    ends = list(ends_of(grounds, sentence))
    if ALL_BUT.search(sentence):
        yield from _of_all_but(grounds, sentence, said)
        return
    if said and _OF_CLASSES.search(in_plain_digits(sentence)) and (wanted := comparison_of(sentence)):
        yield from _of_so_many(grounds, sentence, said, wanted)
        return
    named = find_names(sentence, grounds.columns) or grounds.names
    of_each = [[each for each in ends if each.of == name] for name in named]  # of several classes each one
    for own in [some for some in of_each if some] or [ends]:
        yield from _of_ends(grounds, sentence, own, said, still) if own else ()


def _tells_extent(grounds: Grounds, sentence: str) -> bool:
    """Return whether a sentence tells on how much ground something changes, as a result measured it."""
    sizes = [claim for claim in claims_in(sentence) if claim.unit in _EXTENTS and not claim.limit]
    found = [(n, units) for n, units in grounds.units.items() for claim in sizes if claim.unit in units]
    return any(abs(n - claim.number) <= claim.half for n, _ in found for claim in sizes)


def _of_so_many(
    grounds: Grounds, sentence: str, said: int, wanted: Callable[[int, int], bool]
) -> Iterator[Verdict]:
    """Judge that all, none or so many classes or zones go one way."""
    found = []
    for column in changes_of_labels(grounds.columns, dates_in(sentence) or grounds.dates):
        count, of = sum(n * said > 0 for n in column.numbers.values()), len(column.numbers)
        held = f"{count} of {of} {'rise' if said > 0 else 'fall'}"
        found.append(Verdict(wanted(count, of), held, count))
    # Which of several columns it is of is not known: one that bears it out is enough.
    yield from [next((verdict for verdict in found if verdict.true), found[0])] if found else []


def _of_all_but(grounds: Grounds, sentence: str, said: int) -> Iterator[Verdict]:
    """Judge that all classes or zones go one way but those that are named."""
    for column in changes_of_labels(grounds.columns, dates_in(sentence) or grounds.dates) if said else ():
        named = labels_in(sentence, [column])
        moved = {label for label, change in column.numbers.items() if change * said > 0}
        others = column.numbers.keys() - set(named)
        right = others <= moved
        yield Verdict(right, f"{len(moved)} of {len(column.numbers)} {'rise' if said > 0 else 'fall'}")
        return


def _of_course(grounds: Grounds, sentence: str, time: str) -> Iterator[Verdict]:
    """Judge that something keeps the same in a month or year of which there are several dates."""
    for column in find_columns(sentence, grounds.columns):
        row = column.under(time) if column.dated else []
        if len(row) > _BOTH:
            low, high = min(row), max(row)
            steady = is_no_change(low, high, grounds.units.get(low, ()))
            yield Verdict(steady, f"in {time} it lies between {low:.6g} and {high:.6g}")


def _of_ends(
    grounds: Grounds, sentence: str, ends: Sequence[Ends], said: int, still: bool
) -> Iterator[Verdict]:
    """Judge a change of one thing, of which several columns may tell."""
    one = ends[0]
    held = f"{one.of or 'it'} changes by {one.change:.6g} from {one.dates[0]} to {one.dates[1]}"
    if still:
        yield Verdict(any(is_no_change(e.first, e.last, grounds.units.get(e.first, ())) for e in ends), held)
    elif not said:
        yield Verdict(any(each.change for each in ends), held)
    elif moved := {each.change * said > 0 for each in ends if each.change}:
        yield Verdict(True in moved, held)
    told = [claim for claim in claims_in(sentence) if claim.unit == "%" and _is_by(sentence, claim)]
    changes = [
        abs(per_cent(each.change, each.first))
        for each in ends
        if each.first and "%" not in grounds.units.get(each.first, ())
    ]
    if len(told) == 1 and changes:
        true = any(abs(abs(told[0].number) - change) <= told[0].half * (1 + 1e-6) for change in changes)
        yield Verdict(true, f"{held}, by {changes[0]:.3g} %")
    plain = [claim for claim in claims_in(sentence) if not claim.unit and _is_by(sentence, claim)]
    if (between := _range_of_change(sentence)) is not None:
        low, high = between
        yield Verdict(any(low <= abs(each.change) <= high for each in ends), held)
    elif len(plain) == 1 and not plain[0].limit and not multiplies(sentence):
        true = any(abs(abs(plain[0].number) - abs(e.change)) <= plain[0].half * (1 + 1e-6) for e in ends)
        yield Verdict(true, held)
    factors = [claim for claim in claims_in(sentence) if claim.unit == "1"] if multiplies(sentence) else []
    ratios = [each.last / each.first for each in ends if each.first]
    if len(factors) == 1 and ratios:
        yield Verdict(
            any(_comes_to(factors[0], ratio, _beyond(sentence, said)) for ratio in ratios),
            f"{held}: {ratios[0]:.3g} times",
        )


def _range_of_change(sentence: str) -> tuple[float, float] | None:
    """Return between which two numbers something is said to have changed: "fell by 0.1 to 0.3"."""
    for one, other in pairwise(claims_in(sentence)):
        told = rf"\bby (?:between )?{re.escape(one.text)} ?(?:to|and|-|\u2013) ?{re.escape(other.text)}"
        if not one.unit and not other.unit and re.search(told, sentence):
            low, high = sorted((abs(one.number), abs(other.number)))
            return low, high
    return None


def _is_by(sentence: str, claim: Claim) -> bool:
    """Return whether a number tells by how much something changes."""
    return (
        re.search(rf"\bby (?:about |around |roughly |some |only |just )?{re.escape(claim.text)}", sentence)
        is not None
    )


def _beyond(sentence: str, said: int) -> int:
    """Return to which side of its factor a change is said to go: less than doubled stays below it."""
    return -(said or 1) if _NOT_SO_FAR.search(sentence) else said


def _comes_to(factor: Claim, ratio: float, said: int) -> bool:
    """Return whether something came to so many times as much, or to more where that is said."""
    if factor.limit:
        return (ratio - factor.number) * (said or 1) >= 0
    return abs(ratio - factor.number) <= max(factor.half, STEADY * 2 * factor.number)


def _part_of_line(column: Column, sentence: str, named: Sequence[str]) -> list[str]:
    """Return the places of a profile that a sentence speaks of: up to where it says that something ends."""
    places = column.order
    ends = [places.index(label) for label in named if label in places]
    if match := _UNTIL.search(sentence):
        claims = [claim for claim in claims_in(sentence[match.end() :]) if not claim.limit]
        ends += [
            place
            for place, label in enumerate(places)
            for claim in claims
            if abs(column.numbers[label] - claim.number) <= claim.half * (1 + 1e-6)
        ]
        best = extreme(sentence[match.end() :])
        if best:
            row = [column.numbers[label] * best for label in places]
            ends.append(row.index(max(row)))
    first, last = min(ends, default=0), max(ends, default=0)
    return places[first if first < last else 0 : last + 1] if last else places


def _of_steps(grounds: Grounds, sentence: str, said: int, still: bool) -> Iterator[Verdict]:
    """Judge that something goes one way at every step, or stays where it is where that counts too."""
    named, months = labels_in(sentence, grounds.columns), months_in(sentence)
    found = []
    for column in columns_for(sentence, grounds.columns):
        dates = [date for date in column.order if not (months and column.dated) or date[5:7] in months]
        if column.is_profile:
            dates = _part_of_line(column, sentence, named)
        elif between := labels_between(column, sentence, named):
            dates = sorted(between)
        elif len(named) > 2:
            dates = [date for date in dates if any(column.is_under(date, each) for each in named)]
        numbers = [column.numbers[date] for date in dates]
        if len(numbers) == _BOTH and _ON_THE_WAY.search(sentence):
            found.append(Verdict(False, f"nothing is known between {dates[0]} and {dates[1]}"))
        elif len(numbers) > 1:
            against = [b - a for a, b in pairwise(numbers) if (b - a) * said < 0 or a == b and not still]
            held = f"{len(against)} of {len(numbers) - 1} steps go another way"
            found.append(Verdict(not against, held))
    # Which of several columns it is of is not known: one that bears it out is enough.
    yield from [next((verdict for verdict in found if verdict.true), found[0])] if found else []
