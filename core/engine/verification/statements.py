"""Whether a sentence is true of columns of results: limits with their quantifiers, comparisons, changes.

A sentence that columns neither bear out nor contradict has no verdict.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from treeline.core.engine.checks import COUNT
from treeline.core.engine.verification.claims import Claim, claims_in, dates_in, find_unit, months_in
from treeline.core.engine.verification.columns import Column, columns_for, find_columns, find_names, labels_in
from treeline.core.engine.verification.comparisons import leaning
from treeline.core.engine.verification.notation import COUNTED, in_plain_digits, number_in_words
from treeline.core.engine.verification.phrases import (
    at_limit,
    compares_with_all_others,
    comparison,
    denies_side,
    extreme,
    is_margin,
    is_overall,
    multiplies,
    never_goes,
    of_any_pixel,
    of_others,
    order,
    rank,
    says_change,
    says_no_change,
    side,
    standings,
    steadily,
    way,
)
from treeline.core.engine.verification.readings import readings_of
from treeline.core.engine.verification.shares import shares_of, tells_fraction
from treeline.core.engine.verification.statistic_words import find_statistics, statistic_of

_OF_TIME = (
    r"(?:dates?|days?|images?|rasters?|scenes?|acquisitions?|observations?|months?|years?|seasons?|times?)"
)
_THINGS = rf"(?:\w+ )?(?:{_OF_TIME}|{COUNTED}|class|zone|field|parcel|polygon|site|district|region)"
_NOT_ALL = re.compile(r"\b(?:not|n't|hardly) (?:always|every|each|all|throughout|constantly)\b", re.I)
_ALL_BUT = re.compile(r"\b(?:all|every|each)\b[^.;]{0,30}?\b(?:but|except(?: for)?|apart from) (\w+)\b", re.I)
_MOSTLY = re.compile(r"(?<!at )\b(?:most|mostly|the majority)\b", re.I)
_NONE = re.compile(rf"\b(?:never|not once|at no time|none|no {_THINGS})\b", re.I)
# "Not on any date", "neither May nor July": of none.
_NOT_ANY = re.compile(
    r"(?:\b(?:not|never|without|hardly)\b|n't\b)(?:[^.;]|\.\d)*?\b(?:any|either|a single)\b|"
    r"\bneither\b(?: of\b|(?:[^.;]|\.\d)*?\bnor\b)",
    re.I,
)
_ALL = re.compile(
    rf"\b(?:always|throughout|constantly|consistently|at all times|without (?:an? )?(?:exception|break)|all|"
    rf"(?:every|each) {_THINGS})\b",
    re.I,
)
_SOME = re.compile(rf"\b(?:ever|sometimes|at least once|some(?: of the)? {_THINGS}|any {_THINGS})\b", re.I)
_SO_MANY = re.compile(
    rf"(?<![\d.])(\d+)(?:(?: of (?:the |all )?\d+)? (?:\w+ )?{COUNTED[:-1]}|date|day|month|year)\b|"
    r" of (?:the |all |these )?(?:\d+|[a-z]+) [a-z]+s\b)",
    re.I,
)
# Others are counted by a plural before a verb: 3 districts stay below it.
_SO_MANY_THINGS = re.compile(
    r"(?<![\d.,])(\d{1,3}) (?:[a-z]+ )?(?P<thing>[a-z]{3,}s)(?= (?:(?:that|which|only|all) )?"
    r"(?:stay|remain|lie|exceed|have|are|were|had|reach|keep|fall|average|show|surpass|rise|go|do)\w*\b)",
    re.I,
)
# What stands before the number of a limit, which is no number of things.
_AT_LIMIT = re.compile(
    r"(?:[<>\u2264\u2265]=?|\b(?:above|below|over|under|than|exceed\w*|least|most|to))\s*$", re.I
)
_VAGUE = re.compile(r"\b(?:many|few|half|nearly|almost|usually|often|rarely|except|only|if)\b", re.I)
# A time with one end that is named: since 2016-05, from 2016-05 on, until 2016-05.
_OPEN = re.compile(
    r"\b(?:(?P<first>since|from(?= [\d-]+ on(?:wards?)?\b)|(?P<apart>after))|until|till|up to|before) "
    r"[\d-]{4,10}\b",
    re.I,
)
_ONLY = re.compile(r"\bonly\b(?! (?:\d|one\b|two\b|three\b|just\b|about\b|slightly\b|a \b))", re.I)
_THE_ONLY = re.compile(r"\bthe only\b", re.I)
_LISTED = re.compile(r":\s")
# What two dates alone do not tell.
_ON_THE_WAY = re.compile(
    r"\b(?:steadily|continuously|constantly|consistently|monotonically|gradually)\b", re.I
)
_NOT_SO_FAR = re.compile(r"\b(?:less|(?:no|not) more|at most|up to)\b", re.I)
_EACH = re.compile(r"\b(?:both|all|every|each|always)\b", re.I)
_EQUALLY = re.compile(
    r"\b(?:equally|(?:the same|as \w+ as)\b(?!.*\b(?:times|twice|half)\b)|alike|identical)\b", re.I
)
_ANY = re.compile(r"\b(?:all|every|each|any(?:thing)?|always|ever)\b", re.I)
_PERIODS = re.compile(r"\b(?:month|year|season)s?\b", re.I)
_ADVERB = re.compile(r"\b(?:always|never|throughout|ever|constantly|consistently)\b", re.I)
# No ground is as cold in kelvin and none as hot in degrees Celsius, so it tells the two scales apart.
_COLDEST_KELVIN = 150.0
# Behind a turn, which the sentence before tells.
_THEN = re.compile(r"\b(?:then|afterwards|thereafter|subsequently|after (?:that|which))\b", re.I)
# What another way of reckoning does not change: "masking clouds did not change this ranking".
_OF_FINDINGS = re.compile(
    r"\b(?:chang|alter|affect)\w* (?:the |this |that |its |my )?"
    r"(?:ranking|result|answer|count|number|conclusion|order|outcome|picture|finding)s?\b",
    re.I,
)
_BOTH = 2
_OF_PARTS = (("%",), (COUNT,), ("ha",), ("km2",), ("m2",))
# What a reader takes for no change: a twentieth of the larger number, or a degree.
_STEADY, _STEADY_DEGREES = 0.05, 1.0


@dataclass(frozen=True, slots=True)
class Ends:
    """The numbers of two dates, and the class or zone that they are of."""

    first: float
    last: float
    dates: tuple[str, str]
    of: str = ""

    @property
    def change(self) -> float:
        """How much it changes."""
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a sentence is true, what the results hold, and how many lie beyond its limit."""

    true: bool
    held: str
    count: int | None = None


@dataclass(frozen=True)
class Grounds:
    """What sentences are held against.

    Attributes
    ----------
    columns : sequence of Column
    units : mapping
        The units that their numbers are known to have.
    heights : sequence of float
        What calls were told to measure by: a share of what lies above 0.6 is itself not above it.
    dates, names : sequence of str
        Those of the question, which a sentence speaks of that names none.
    """

    columns: Sequence[Column]
    units: Mapping[float, tuple[str, ...]]
    dates: Sequence[str] = ()
    names: Sequence[str] = ()
    question: str = ""
    heights: Sequence[float] = ()

    def verdicts(self, sentence: str) -> Iterator[Verdict]:
        """Yield the verdicts on what a sentence says, or on what a question asks."""
        for judge in _JUDGES:
            yield from judge(self, sentence)

    def readings(self, limit: Claim, number: float) -> list[float]:
        """Return a number in the unit of a limit; empty where it is of another quantity."""
        units = self.units.get(number, ())
        return list(readings_of(limit, number, units))[:1] if units and limit.unit else [number]

    def count_beyond(self, limit: Claim, numbers: Sequence[float], direction: int) -> tuple[int, int] | None:
        """Return how many numbers lie beyond a limit, without and with those at the limit itself."""
        measured = [reading for n in numbers for reading in self.readings(limit, n)]
        if len(measured) < len(numbers):
            return None
        of_unit = bool(limit.unit and self.units.get(numbers[0]))
        height = limit.number if of_unit else _limit_in_unit_of(limit.number, numbers)
        return (
            sum((n - height) * direction > 0 for n in measured),
            sum((n - height) * direction >= 0 for n in measured),
        )


def _limit_in_unit_of(limit: float, values: Sequence[float]) -> float:
    """Return a limit in the unit of a series: degrees Celsius beside kelvin, per cent beside shares."""
    if min(values) > _COLDEST_KELVIN and limit < _COLDEST_KELVIN:
        return limit + 273.15
    if limit > _COLDEST_KELVIN > max(values):
        return limit - 273.15
    return limit / 100 if limit > 1 >= max(values) else limit


def _of_limits(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that all, none, some or so many numbers lie above or below a limit."""
    # What is so many times as much is beyond no limit.
    limits = [c for c in claims_in(sentence) if c.limit and c.unit != "1" and not is_margin(sentence, c.text)]
    if tells_fraction(sentence):  # of pixels that lie beyond a limit: that is a share, and no number's side
        return
    direction = side(sentence)
    if len(limits) == 1 and direction and _ONLY.search(sentence):
        yield from _of_only(grounds, sentence, limits[0], direction)
    if len(limits) != 1 or not direction or _VAGUE.search(sentence) and not _ALL_BUT.search(sentence):
        return
    wanted = _comparison_of(sentence)
    if at_limit(sentence) and is_value(grounds, sentence, limits[0]) or of_others(sentence):
        return
    if is_condition(grounds, sentence, limits[0]):
        return
    end = extreme(sentence) if wanted is None else 0
    found = [
        verdict
        for scope in (_at_end(each, end) for each in _scopes(grounds, sentence))
        if not is_of_parts(grounds, limits[0], scope)
        and (counts := grounds.count_beyond(limits[0], list(scope.values()), direction))
        and (verdict := _verdict(wanted, counts[at_limit(sentence)], scope, limits[0], direction, sentence))
    ]
    # Which of several columns a sentence speaks of is not known: one that bears it out is enough.
    yield from [next((v for v in found if v.true), found[0])] if found else []


def _of_only(grounds: Grounds, sentence: str, limit: Claim, direction: int) -> Iterator[Verdict]:
    """Judge that only what is named, or one alone, lies beyond a limit.

    What is named wrongly is told by ``find_false_only``, by its name.
    """
    known = find_columns(sentence, grounds.columns)
    named, one = labels_in(sentence, known), _THE_ONLY.search(sentence) is not None
    found = []
    for column in (c for c in known if len(c.numbers) > 1 and (named or one)):
        counts = {label: grounds.count_beyond(limit, [n], direction) for label, n in column.numbers.items()}
        inside = {label for label, count in counts.items() if count and count[at_limit(sentence)]}
        own = {label for label in column.numbers if any(column.is_under(label, each) for each in named)}
        if None in counts.values() or named and not own:
            continue
        true = inside == own if named else len(inside) == 1
        found.append(Verdict(true, f"{len(inside)} of {len(counts)} lie beyond {limit.text}", len(inside)))
    found = [next((verdict for verdict in found if verdict.true), found[0])] if found else []
    yield from (verdict for verdict in found if verdict.true or not named)


def _at_end(scope: Mapping[str, float], end: int) -> Mapping[str, float]:
    """Return the largest (1) or the smallest (-1) number alone; all where no end is meant (0)."""
    if not end:
        return scope
    label = (max if end > 0 else min)(scope, key=lambda each: scope[each])
    return {label: scope[label]}


def is_value(grounds: Grounds, clause: str, limit: Claim) -> bool:
    """Return whether a limit is a number of what its clause names itself: a summit that reaches 1562 m."""
    labels = labels_in(clause, grounds.columns)
    held = [n for column in grounds.columns for label in labels for n in column.under(label)]
    return any(abs(n - limit.number) <= limit.half for n in held)


def is_condition(grounds: Grounds, sentence: str, limit: Claim) -> bool:
    """Return whether another number of a sentence is of what lies beyond its limit.

    So much lies beyond a limit that is a result itself (90 % are below 0.8), or by which a call was told to
    choose (above 700 m the mean is 0.74).
    """
    others = [claim for claim in claims_in(sentence) if not claim.limit]
    numbers = (n for column in grounds.columns for n in column.numbers.values())
    if any(claim.unit == "%" for claim in others) and limit.unit != "%":
        return any(abs(n - limit.number) <= limit.half for n in numbers)
    chosen = any(abs(n - limit.number) <= limit.half for n in grounds.heights)
    return chosen and any(not claim.thing or claim.unit for claim in others)


def is_of_parts(grounds: Grounds, limit: Claim, scope: Mapping[str, float]) -> bool:
    """Return whether numbers are parts of what lies beyond a limit that the call was told."""
    told = any(abs(n - limit.number) <= limit.half for n in grounds.heights)
    parts = (grounds.units.get(n, (COUNT,) if n % 1 == 0 else ()) in _OF_PARTS for n in scope.values())
    return told and limit.unit != "%" and all(parts)


def _comparison_of(sentence: str) -> Callable[[int, int], bool] | None:
    """Return what a sentence says of how many lie beyond its limit; ``None`` where nothing."""
    plain = in_plain_digits(sentence)
    if match := _ALL_BUT.search(plain):  # those that it names are left out of what it speaks of
        left = 0 if dates_in(match[1]) else number_in_words(match[1]) or 0
        return lambda count, of: count == of - left
    if _MOSTLY.search(plain):
        return lambda count, of: 2 * count > of
    if _NOT_ALL.search(plain):
        return lambda count, of: count < of
    if _NONE.search(plain) or _NOT_ANY.search(plain):
        return lambda count, of: count == 0
    if counted := _counted(plain):
        number = int(counted[0][1])
        return lambda count, of: count == number
    if _ALL.search(plain):
        return lambda count, of: count == of
    if _SOME.search(plain):
        return lambda count, of: count > 0
    if denies_side(plain):
        return lambda count, of: count == 0
    return None


def counts_things(sentence: str) -> bool:
    """Return whether a sentence says how many lie beyond its limit."""
    return bool(_counted(in_plain_digits(sentence)))


def _counted(plain: str) -> list[re.Match[str]]:
    """Return where a sentence in plain digits says how many things there are."""
    things = [match for match in _SO_MANY_THINGS.finditer(plain) if not find_unit(match["thing"])]
    found = [*_SO_MANY.finditer(plain), *things]
    return [match for match in found if not _AT_LIMIT.search(plain[: match.start()])]


def _verdict(
    wanted: Callable[[int, int], bool] | None,
    count: int,
    scope: Mapping[str, float],
    limit: Claim,
    direction: int,
    sentence: str,
) -> Verdict | None:
    of, numbers = len(scope), list(scope.values())
    if wanted is None and 0 < count < of:  # neither one number nor all alike
        return None
    true = wanted(count, of) if wanted else count == of
    if not true and _leaves_open(sentence, scope):
        return None
    where = "above" if direction > 0 else "below"
    held = (
        f"{numbers[0]:.6g} is {'' if count else 'not '}{where} {limit.text}"
        if of == 1
        else f"{count} of {of} lie {where} {limit.text} ({min(numbers):.6g} to {max(numbers):.6g})"
    )
    return Verdict(true, held, count)


def _leaves_open(sentence: str, scope: Mapping[str, float]) -> bool:
    """Return whether a sentence speaks of months or years of which some have several numbers."""
    if not _PERIODS.search(sentence):
        return False
    periods = {label[: 4 if re.search(r"\byears?\b", sentence, re.I) else 7] for label in scope}
    return len(periods) < len(scope)


def _scopes(grounds: Grounds, sentence: str) -> Iterator[dict[str, float]]:
    """Yield the numbers that a sentence can speak of with their labels, by columns."""
    if counts_things(sentence):  # those that are listed behind are the ones that were counted
        sentence = _LISTED.split(sentence)[0]
    known = find_columns(sentence, grounds.columns)
    labels = labels_in(sentence, known)
    several = re.search(rf"\b{_OF_TIME}\b", sentence, re.I) or _ADVERB.search(sentence)
    dated = [column for column in known if column.dated and len(column.numbers) > 1]
    columns = dated if several and dated and not labels else known
    # The highest of several means is a mean.
    named = frozenset[str]() if of_any_pixel(sentence) else find_statistics(sentence, nouns=True)
    for column in columns:
        statistic = statistic_of(column.quantity)
        if named and statistic and statistic not in named:
            continue
        own = {label for each in labels for label in column.numbers if column.is_under(label, each)}
        if _ALL_BUT.search(sentence):
            own = column.numbers.keys() - own
        between = _between(column, sentence, labels)
        chosen = between or own or (set() if labels else set(column.numbers))
        if chosen:
            yield {label: n for label, n in column.numbers.items() if label in chosen}


def _between(column: Column, sentence: str, labels: Sequence[str]) -> set[str]:
    """Return the dates of a time that a sentence names by its ends, or by the one that it has."""
    if column.dated and len(labels) == 1 and (end := _OPEN.search(sentence)):
        date = labels[0]
        inside = {d for d in column.numbers if (d >= date if end["first"] else d <= f"{date}\uffff")}
        return {d for d in inside if not (end["apart"] and d.startswith(date))}
    if not column.dated or len(labels) != 2 or not re.search(r"\b(?:from|between|since)\b", sentence, re.I):
        return set()
    first, last = min(labels), max(labels)
    return {date for date in column.numbers if first <= date <= f"{last}\uffff"}


def _of_comparisons(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that one label has more or less than another, or than the other one that the question names."""
    yield from _of_equals(grounds, sentence)
    compared = comparison(sentence) or _comparison_with_question(grounds, sentence)
    if compared is not None and compares_with_all_others(compared[2]):
        yield from _of_all_others(grounds, sentence, *compared[:2])
    elif compared is not None:
        yield from _of_two(grounds, sentence, *compared)
    for before, direction, behind in [] if way(sentence) else standings(sentence, grounds.question):
        if not claims_in(behind):
            yield from _of_two(grounds, sentence, before, direction, behind)


def _of_equals(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that two labels have the same number, as a reader takes it."""
    labels = labels_in(sentence, grounds.columns)
    multiple = multiplies(sentence) or tells_fraction(sentence) or claims_in(sentence)
    if len(labels) != _BOTH or not _EQUALLY.search(sentence) or multiple or says_no_change(sentence):
        return
    for column in find_columns(sentence, grounds.columns):
        pair = [column.under(label) for label in labels]
        if all(len(row) == 1 for row in pair):
            (a,), (b,) = pair
            true = is_no_change(a, b, grounds.units.get(a, ()))
            yield Verdict(true, f"{labels[0]} has {column.write(a)} and {labels[1]} {column.write(b)}")
            return


def _of_two(grounds: Grounds, sentence: str, before: str, direction: int, behind: str) -> Iterator[Verdict]:
    """Judge that the last label before has more (1), or less (-1), than the first one behind."""
    known = find_columns(sentence, grounds.columns)
    one = labels_in(before, known)[-1:] or (list(grounds.names) if len(grounds.names) == 1 else [])
    other = labels_in(behind, known)[:1]
    sides = [
        (
            column,
            _number_for(column.under(one[0]), before, -direction),
            _number_for(column.under(other[0]), behind, direction),
        )
        for column in known
        if one and other and one != other and column.under(one[0]) and column.under(other[0])
    ]
    truths = {(a - b) * direction > 0 for _, a, b in sides}
    if sides:
        column, a, b = sides[0]
        true = truths == {True} if _EACH.search(sentence) else True in truths
        yield Verdict(true, f"{one[0]} has {column.write(a)} and {other[0]} {column.write(b)}")


def _of_all_others(grounds: Grounds, sentence: str, before: str, direction: int) -> Iterator[Verdict]:
    """Judge that a class or zone has more (1), or less (-1), than all others of a whole together."""
    known = find_columns(sentence, grounds.columns)
    label = (find_names(before, known)[-1:] or [""])[0]
    for own, rest in (
        (part[label], sum(part.values()) - part[label]) for c in known if label in (part := shares_of(c))
    ):
        yield Verdict((own - rest) * direction > 0, f"{label} has {own:.4g} % and all others {rest:.4g} %")
        return


def _comparison_with_question(grounds: Grounds, sentence: str) -> tuple[str, int, str] | None:
    """Return what a sentence compares that names one of the two that the question compares."""
    said, asked = labels_in(sentence, grounds.columns), labels_in(grounds.question, grounds.columns)
    if not said and len(asked) == _BOTH and (of_question := comparison(grounds.question)):
        one, other = labels_in(of_question[0], grounds.columns), labels_in(of_question[2], grounds.columns)
        if one and other and leaning(sentence):
            return one[-1], leaning(sentence), other[0]
    others = [label for label in asked if not any(label.startswith(each) for each in said)]
    direction = leaning(sentence)
    if not direction or len(said) != 1 or len(asked) != _BOTH or len(others) != 1:
        return None
    return said[0], direction, others[0]


def _number_for(numbers: Sequence[float], said: str, end: int) -> float:
    """Return the number that stands for several: of all of them the one at an end, else the mean."""
    if _ANY.search(said):
        return max(numbers) if end > 0 else min(numbers)
    return statistics.fmean(numbers)


def _of_changes(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that something rises, falls, changes or does not between two dates."""
    if _OF_FINDINGS.search(sentence):
        return
    never = never_goes(sentence)
    said, still = never or way(sentence), says_no_change(sentence)
    if said and (never or steadily(sentence)) and not _THEN.search(sentence):
        yield from _of_steps(grounds, sentence, said, still=not way(sentence))
        return
    said = way(sentence)
    moves = says_change(sentence) or multiplies(sentence)
    if not said and not still and not moves or extreme(sentence):
        return
    if still and len(labels := dates_in(sentence)) == 1:
        yield from _of_course(grounds, sentence, labels[0])
        return
    ends = list(ends_of(grounds, sentence))
    if _ALL_BUT.search(sentence):
        yield from _of_all_but(grounds, sentence, said)
        return
    named = find_names(sentence, grounds.columns) or grounds.names
    of_each = [[each for each in ends if each.of == name] for name in named]  # of several classes each one
    for own in [some for some in of_each if some] or [ends]:
        yield from _of_ends(grounds, sentence, own, said, still) if own else ()


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
            steady = is_no_change(min(row), max(row), grounds.units.get(row[0], ()))
            yield Verdict(steady, f"in {time} it lies between {min(row):.6g} and {max(row):.6g}")


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
        100 * abs(e.change / e.first) for e in ends if e.first and "%" not in grounds.units.get(e.first, ())
    ]
    if len(told) == 1 and changes:
        true = any(abs(abs(told[0].number) - change) <= told[0].half * (1 + 1e-6) for change in changes)
        yield Verdict(true, f"{held}, by {changes[0]:.3g} %")
    plain = [claim for claim in claims_in(sentence) if not claim.unit and _is_by(sentence, claim)]
    if len(plain) == 1 and not plain[0].limit and not multiplies(sentence):
        true = any(abs(abs(plain[0].number) - abs(e.change)) <= plain[0].half * (1 + 1e-6) for e in ends)
        yield Verdict(true, held)
    factors = [claim for claim in claims_in(sentence) if claim.unit == "1"] if multiplies(sentence) else []
    ratios = [each.last / each.first for each in ends if each.first]
    if len(factors) == 1 and ratios:
        yield Verdict(
            any(_comes_to(factors[0], ratio, _beyond(sentence, said)) for ratio in ratios),
            f"{held}: {ratios[0]:.3g} times",
        )


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
    return abs(ratio - factor.number) <= max(factor.half, _STEADY * 2 * factor.number)


def _of_steps(grounds: Grounds, sentence: str, said: int, still: bool) -> Iterator[Verdict]:
    """Judge that something goes one way at every step, or stays where it is where that counts too."""
    named, months = labels_in(sentence, grounds.columns), months_in(sentence)
    for column in columns_for(sentence, grounds.columns):
        dates = [date for date in sorted(column.numbers) if not months or date[5:7] in months]
        if between := _between(column, sentence, named):
            dates = sorted(between)
        elif len(named) > 2:
            dates = [date for date in dates if any(column.is_under(date, each) for each in named)]
        numbers = [column.numbers[date] for date in dates] if column.dated else []
        if len(numbers) == _BOTH and _ON_THE_WAY.search(sentence):
            yield Verdict(False, f"nothing is known between {dates[0]} and {dates[1]}")
            return
        if len(numbers) > 1:
            against = [b - a for a, b in pairwise(numbers) if (b - a) * said < 0 or a == b and not still]
            yield Verdict(not against, f"{len(against)} of {len(numbers) - 1} steps go another way")
            return


def _of_orders(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge what is listed from the largest to the smallest, and what is called the second largest."""
    listed, place = order(sentence), rank(sentence)
    yield from _of_followers(grounds, sentence)
    if listed:
        direction, behind = listed
        labels = labels_in(behind, grounds.columns)
        rows = [[n for label in labels for n in c.under(label)] for c in grounds.columns]
        rows = [row for row in rows if len(row) == len(labels) > 1]
        if rows:
            right = any(all((a - b) * direction >= 0 for a, b in pairwise(row)) for row in rows)
            yield Verdict(right, f"they have {', '.join(f'{n:.6g}' for n in rows[0])}")
    elif place:
        yield from _of_rank(grounds, sentence)


def _of_followers(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge what is said to come next behind something: "forest, followed by grassland"."""
    before, followed, behind = sentence.partition("followed by")
    known = find_columns(f"{grounds.question} {sentence}", grounds.columns)
    one, other = labels_in(before, known)[-1:], labels_in(behind, known)[:1]
    direction = extreme(sentence) or extreme(grounds.question)
    columns = [c for c in known if one and other and len(c.under(one[0])) == len(c.under(other[0])) == 1]
    ranked = [
        sorted(column.numbers, key=lambda label: column.numbers[label], reverse=direction > 0)
        for column in columns
    ]
    if followed and direction and ranked:
        own = [(labels, [label for label in labels if label.startswith(one[0])]) for labels in ranked]
        nexts = [labels[labels.index(first[0]) + 1 :][:1] for labels, first in own if first]
        right = any(each and each[0].startswith(other[0]) for each in nexts)
        yield Verdict(right, f"behind {one[0]} comes {(nexts[0] or ['nothing'])[0]}")


def _of_rank(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge what a clause that names one thing calls the second largest."""
    place, labels = rank(sentence), labels_in(sentence, grounds.columns)
    if place is None or len(labels) != 1:
        return
    number, of_question = place[0], rank(grounds.question)
    direction = place[1] or extreme(grounds.question) or (of_question[1] if of_question else 0)
    known = find_columns(f"{grounds.question} {sentence}", grounds.columns)
    fitting = [c for c in known if len(c.numbers) >= number and c.under(labels[0])]
    ranked = [
        (sorted(c.numbers.values(), reverse=way > 0)[number - 1], c)
        for way in ([direction] if direction else (1, -1))  # from either end where nothing tells it
        for c in fitting
    ]
    if ranked:
        right = any(n in column.under(labels[0]) for n, column in ranked)
        yield Verdict(right, f"the number at that rank is {ranked[0][0]:.6g}")


def is_no_change(first: float, last: float, units: Sequence[str]) -> bool:
    """Return whether a reader would take two numbers for no change."""
    if {"K", "degC"} & set(units):
        return abs(last - first) <= _STEADY_DEGREES
    return abs(last - first) <= _STEADY * max(abs(first), abs(last))


def ends_of(grounds: Grounds, sentence: str) -> Iterator[Ends]:
    """Yield the numbers of the two dates that a sentence, or a column of two, is of.

    What is said of a whole series goes from its first to its last date, where its slope goes that way too.
    """
    named = dates_in(sentence)
    if not named or len(named) == 1 < len(grounds.dates) and _is_of(named[0], grounds.dates):
        named = list(grounds.dates)
    for column in columns_for(sentence, grounds.columns):
        if not column.dated:
            continue
        dates = sorted(column.numbers) if not named and len(column.numbers) == 2 else sorted(named)
        if not named and not months_in(sentence) and is_overall(sentence) and _goes_one_way(column):
            dates = [min(column.numbers), max(column.numbers)]
        if len(dates) == 2:
            first, last = column.under(dates[0]), column.under(dates[1])
            if len(first) == len(last) == 1:
                yield Ends(first[0], last[0], (dates[0], dates[1]), column.of)


def _is_of(date: str, dates: Sequence[str]) -> bool:
    """Return whether a date is one of several, or the month or year of one."""
    return any(each.startswith(date) for each in dates)


def _goes_one_way(column: Column) -> bool:
    """Return whether the slope of a column goes the way that its last number lies from its first."""
    numbers = [column.numbers[date] for date in sorted(column.numbers)]
    middle = (len(numbers) - 1) / 2
    slope = sum((place - middle) * n for place, n in enumerate(numbers))
    return slope * (numbers[-1] - numbers[0]) > 0


def changes_of_labels(columns: Sequence[Column], dates: Sequence[str]) -> list[Column]:
    """Return how much each class or zone changes between two dates, by its name.

    Parameters
    ----------
    dates : sequence of str
        Those that are spoken of; of others than two the first and the last of each column count.
    """
    found: dict[str, list[dict[str, float]]] = {}
    for column in columns:
        if column.dated and column.of and len(column.numbers) > 1:
            ends = sorted(dates) if len(dates) == 2 else [min(column.numbers), max(column.numbers)]
            first, last = (column.under(date) for date in ends)
            if len(first) == len(last) == 1:
                known = found.setdefault(column.quantity, [])  # what was measured anew is another column
                row = next((row for row in known if column.of not in row), None)
                if row is None:
                    known.append(row := {})
                row[column.of] = last[0] - first[0]
    return [
        Column(row, quantity=quantity) for quantity, rows in found.items() for row in rows if len(row) > 1
    ]


_JUDGES: tuple[Callable[[Grounds, str], Iterator[Verdict]], ...] = (
    _of_limits,
    _of_comparisons,
    _of_changes,
    _of_orders,
)
