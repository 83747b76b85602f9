"""Whether it is true that all, none, some or so many numbers lie beyond a limit."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from treeline.core.engine.checks import COUNT
from treeline.core.engine.verification.claims import Claim, claims_in, dates_in
from treeline.core.engine.verification.clauses import is_negated
from treeline.core.engine.verification.degree_words import (
    extreme,
    is_margin,
    of_any_pixel,
    of_others,
    tells_of_pixel,
)
from treeline.core.engine.verification.labels import find_columns, labels_in
from treeline.core.engine.verification.notation import in_plain_digits
from treeline.core.engine.verification.phrases import at_limit, denies_side, side, tells_barely, way
from treeline.core.engine.verification.quantifiers import (
    OF_TIME,
    comparison_of,
    counted,
    counts_things,
    is_number_of_things,
    is_of_things,
    speaks_of_none,
    without_bounds,
)
from treeline.core.engine.verification.sentence_grounds import (
    ALL_BUT,
    CLOSE,
    STEADY_DEGREES,
    Grounds,
    Verdict,
    changes_of_labels,
    ends_of,
    labels_between,
)
from treeline.core.engine.verification.shares import shares_of, tells_fraction
from treeline.core.engine.verification.statistic_words import find_statistics, statistic_of
from treeline.toolkit.units import UNITS

_VAGUE = re.compile(
    r"\b(?:many|few|half|nearly|almost|usually|often|rarely|except|if|"
    r"only(?! (?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)))\b",
    re.I,
)
_ONLY = re.compile(r"\bonly\b(?! (?:\d|one\b|two\b|three\b|just\b|about\b|slightly\b|a \b))", re.I)
_THE_ONLY = re.compile(r"\bthe only\b(?P<several> \w+s\b)?", re.I)
# Only those that are named: none but these.
_NONE_BUT = re.compile(
    r"\b(?:no|none)\b[^.;]{0,30}?\b(?:but|except(?: for)?|apart from|other than|besides)\s", re.I
)
_NO_ONE = re.compile(r"\b(?:no(?=\s\w)|none of|not one of|neither of)\b", re.I)
_MAKES_UP = re.compile(r"\b(?:mak(?:e|es|ing) up|made up|account(?:s|ed)? for|together|combined)\b", re.I)
_LISTED = re.compile(r":\s")
_CLASSES = re.compile(
    r"\b(?:class(?:es)?|categor(?:y|ies)|zones?|regions?|districts?|fields?|parcels?|polygons?|sites?)\b",
    re.I,
)
_PERIODS = re.compile(r"\b(?:month|year|season)s?\b", re.I)
_ADVERB = re.compile(r"\b(?:always|never|throughout|ever|constantly|consistently)\b", re.I)
# What part of the ground lies beyond a limit: 19 % of the pixels are steeper than 15 degrees.
_SHARE_OF_GROUND = re.compile(
    rf"\d\s?%\s(?:of|in)\s(?:all |the |its |their |this |that )*(?!{OF_TIME}\b)[a-z]", re.I
)
_OF_VARIANCE = re.compile(r"% of (?:the |all )?(?:\w+ )?(?:variance|variation|variability)\b", re.I)
_SIZES = frozenset({COUNT, "ha", "km2", "m2"})
_EXTENTS = _SIZES | {"%"}
_MORE_OR_LESS = (
    r"\b(?:(?P<more>(?:more|greater|larger) than|over|above|exceed(?:s|ed)?)|"
    r"(?:less|fewer|smaller) than|under|below)"
)
_MEETS = re.compile(
    r"\b(?:(?P<fails>fails?|violat\w+|breach\w*|misses|miss|breaks?)|satisf\w+|meets?|met|fulfil\w*|"
    r"compl(?:y|ies)|pass(?:es|ed)?|qualif\w+|respects?|within|inside) "
    r"(?:with )?(?:the|your|this|that|its|our|all)\b",
    re.I,
)
_OF_REST = re.compile(
    r"\b(?:clear|free|remain\w*|rest|not|without|outside|others?|usable|left)\b|n't\b", re.I
)
_DEGREES = frozenset({"K", "degC"})
_OF_PARTS = (("%",), (COUNT,), ("ha",), ("km2",), ("m2",))


# What is said of all that lies beyond a limit: "Below 690 m the two hardly differ".
_SPOKEN_OF = re.compile(
    r"\W*(?:below|above|under|over|beyond|from) (?:about |around )?[-\u2212]?\d[\d.,]*(?: ?\S{1,4})?,? "
    r"(?:the (?!\w+ (?:lies?|lay|falls?|fell|remain))|they |both |it (?!lies?|lay))",
    re.I,
)


def judge_limits(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that all, none, some or so many numbers lie above or below a limit."""
    yield from _of_margins(grounds, sentence)
    yield from _of_extents(grounds, sentence)
    yield from _of_rules(grounds, sentence)
    # What is so many times as much is beyond no limit.
    limits = [
        c
        for c in claims_in(sentence)
        if c.limit and c.unit != "1" and not (is_margin(sentence, c.text) or is_number_of_things(c))
    ]
    part = is_of_things(sentence)
    if _OF_VARIANCE.search(sentence) or tells_fraction(sentence) and not part:
        return  # of pixels that lie beyond a limit: that is a share, and no number's side
    direction = side(without_bounds(sentence))
    if len(limits) == 1 and limits[0].unit == "%" and direction and tells_sum(sentence):
        yield from _of_sums(grounds, sentence, limits[0], direction)
        return
    if len(limits) == 1 and direction and _NONE_BUT.search(sentence):
        yield from _of_only(grounds, sentence, limits[0], direction)
        return
    if len(limits) == 1 and direction and _ONLY.search(sentence):
        named = labels_in(sentence, grounds.columns)  # what is named wrongly is told by its name elsewhere
        found_only = _of_only(grounds, sentence, limits[0], direction)
        yield from (verdict for verdict in found_only if verdict.true or not named)
    if (
        len(limits) != 1
        or not direction
        or _VAGUE.search(sentence)
        and not (part or ALL_BUT.search(sentence))
    ):
        return
    if tells_of_pixel(sentence, limits[0].text):  # which its mean tells nothing of
        return
    if _is_told_upwards(grounds, sentence, limits[0]) or _SPOKEN_OF.match(in_plain_digits(sentence)):
        return
    wanted = comparison_of(sentence)
    ends = at_limit(sentence) or speaks_of_none(sentence) or denies_side(sentence)
    if ends and is_value(grounds, sentence, limits[0]) or of_others(sentence):
        return
    if is_condition(grounds, sentence, limits[0]) or limits[0].number in grounds.usual:
        return
    end = extreme(sentence) if wanted is None else 0
    found = [
        replace(
            verdict,
            true=verdict.true and (wanted is not None or _is_as_close(grounds, sentence, limits[0], scope)),
        )
        for scope in (_at_end(each, end) for each in _scopes(grounds, sentence))
        if not is_of_other_things(grounds, limits[0], scope)
        and (counts := grounds.count_beyond(limits[0], list(scope.values()), direction))
        and (verdict := _verdict(wanted, counts[at_limit(sentence)], scope, limits[0], direction, sentence))
    ]
    # Which of several columns a sentence speaks of is not known: one that bears it out is enough.
    yield from [next((v for v in found if v.true), found[0])] if found else []


def _is_told_upwards(grounds: Grounds, sentence: str, limit: Claim) -> bool:
    """Return whether a limit is a found number that is told as where something begins: 313.8 K or more."""
    found = any(abs(n - limit.number) <= limit.half for c in grounds.columns for n in c.numbers.values())
    behind = (
        rf"{re.escape(limit.text)} ?\S{{0,3}} (?:or|and) (?:more|less|above|below|higher|lower|upwards?)\b"
    )
    return found and re.search(behind, in_plain_digits(sentence), re.I) is not None


def _of_rules(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that a number meets the limit that the question sets: 19 % satisfies the 15 % rule."""
    match = _MEETS.search(sentence)
    asked = [claim for claim in claims_in(grounds.question) if claim.limit]
    direction = side(grounds.question)
    if match is None or len(asked) != 1 or not direction:
        return
    limit = asked[0]
    told = {c.number for c in claims_in(sentence) if c.unit == limit.unit} - {limit.number}
    # A number and as it is written shortly are one.
    found = told or {float(f"{n:.4g}") for n, units in grounds.units.items() if limit.unit in units}
    for number in found if len(found) == 1 else ():
        said = (match["fails"] is None) is not is_negated(sentence, match.start())
        held = f"{number:.6g} is {'above' if number > limit.number else 'below'} {limit.text}"
        yield Verdict(((number - limit.number) * direction >= 0) is said, held)


def _of_extents(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that more, or less, than so much ground is something: more than 5,000 pixels are hot."""
    plain = in_plain_digits(sentence)
    # Whether a part or the rest of it is told, no word alone tells: "without doubt", "not cloudy".
    for claim in claims_in(sentence) if not _OF_REST.search(plain) else ():
        match = re.search(rf"{_MORE_OR_LESS} ?{re.escape(claim.text)}(?![\d.])", plain, re.I)
        own = {float(f"{n:.5g}") for n, units in grounds.units.items() if claim.unit in units}
        # Of one result alone: which of several is meant is told by what it is of.
        if match and claim.unit in _EXTENTS and len(own) == 1 and claim.number not in grounds.heights:
            number, more = own.pop(), match["more"] is not None
            if number != claim.number:
                true = number > claim.number if more else number < claim.number
                yield Verdict(true, f"What was found is {number:.6g}")


def _of_sums(grounds: Grounds, sentence: str, limit: Claim, direction: int) -> Iterator[Verdict]:
    """Judge that the classes or zones that are named, or else the largest, make up more, or less, of all."""
    told = counted(in_plain_digits(sentence))
    for column in find_columns(sentence, grounds.columns):
        shares = shares_of(column)
        named = [label for label in labels_in(sentence, [column]) if label in shares]
        largest = sorted(shares.values(), reverse=True)
        count = int(told[0][1] or 0) if told else 0
        parts = [shares[label] for label in named] or largest[:count]
        if len(parts) > 1:
            total = math.fsum(parts)
            held = f"{len(parts)} of {len(shares)} come to {total:.4g} % together"
            true = (total - limit.number) * direction > 0 and _is_as_close(
                grounds, sentence, limit, {"": total}
            )
            yield Verdict(true, held)
            return


def _is_as_close(grounds: Grounds, sentence: str, limit: Claim, scope: Mapping[str, float]) -> bool:
    """Return whether what is said to lie just beyond a limit does, as a reader takes it."""
    if not tells_barely(in_plain_digits(sentence), limit.text):
        return True
    units = {unit for n in scope.values() for unit in grounds.units.get(n, ())}
    close = 2 * STEADY_DEGREES if units & _DEGREES else CLOSE * abs(limit.number)
    return all(
        abs(n - limit.number) <= close for each in scope.values() for n in grounds.readings(limit, each)[:1]
    )


def _of_margins(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that all, none or so many classes or zones change by more, or by less, than so much."""
    limits = [c for c in claims_in(sentence) if c.limit and is_margin(sentence, c.text)]
    wanted, direction = comparison_of(sentence), side(sentence)
    said = way(_NO_ONE.sub(" ", sentence))  # that none rises by more tells of a rise, too
    if len(limits) != 1 or not direction or not said or limits[0].unit in ("%", "1"):
        return
    if not wanted:
        meant = replace(grounds, columns=find_columns(sentence, grounds.columns))  # the means, if any
        ends = list(ends_of(meant, sentence)) or list(ends_of(grounds, sentence))
        true = any((each.change * said - limits[0].number) * direction > 0 for each in ends)
        if ends:
            yield Verdict(true, f"{ends[0].of or 'it'} changes by {ends[0].change:.6g}")
        return
    found = []
    for column in changes_of_labels(grounds.columns, dates_in(sentence) or grounds.dates):
        left_out = labels_in(sentence, [column]) if ALL_BUT.search(sentence) else []
        moves = [n * said for label, n in column.numbers.items() if label not in left_out]
        count = sum((n - limits[0].number) * direction > 0 for n in moves)
        than = f"{'more' if direction > 0 else 'less'} than {limits[0].text}"
        held = f"{count} of {len(moves)} change by {than}"
        found.append(Verdict(wanted(count, len(moves)), held, count))
    yield from [next((verdict for verdict in found if verdict.true), found[0])] if found else []


def _of_only(grounds: Grounds, sentence: str, limit: Claim, direction: int) -> Iterator[Verdict]:
    """Judge that only what is named, or one alone, lies beyond a limit."""
    # The only ones that reach it do so by any of their statistics, where none is named.
    whole = not find_statistics(sentence, nouns=True) and _THE_ONLY.search(sentence)
    known = grounds.columns if whole else find_columns(sentence, grounds.columns)
    named, only = labels_in(sentence, known), _THE_ONLY.search(sentence)
    found = []
    for column in (c for c in known if c.has_several and (named or only)):
        counts = {label: grounds.count_beyond(limit, [n], direction) for label, n in column.numbers.items()}
        inside = {label for label, count in counts.items() if count and count[at_limit(sentence)]}
        own = {label for label in column.numbers if any(column.is_under(label, each) for each in named)}
        if None in counts.values() or named and not own:
            continue
        several = only is not None and only["several"] is not None
        true = inside == own if named else len(inside) > 1 if several else len(inside) == 1
        found.append(Verdict(true, f"{len(inside)} of {len(counts)} lie beyond {limit.text}", len(inside)))
    yield from [next((verdict for verdict in found if verdict.true), found[0])] if found else []


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
        of_ground = _SHARE_OF_GROUND.search(sentence) is not None
        return of_ground or limit.unit in UNITS or any(abs(n - limit.number) <= limit.half for n in numbers)
    if any(claim.unit in _SIZES for claim in others) and limit.unit not in _SIZES:
        return True  # so many pixels lie beyond it
    chosen = any(abs(n - limit.number) <= limit.half for n in grounds.heights)
    return chosen and any(not claim.thing or claim.unit for claim in others)


def is_of_other_things(grounds: Grounds, limit: Claim, scope: Mapping[str, float]) -> bool:
    """Return whether numbers are not what a limit is of: counts and shares beside the limit of an index.

    So are the parts of what lies beyond a limit that a call was told, whatever its unit.
    """
    told = any(abs(abs(n) - abs(limit.number)) <= limit.half for n in grounds.heights)
    units = [grounds.units.get(n, (COUNT,) if n % 1 == 0 else ()) for n in scope.values()]
    if limit.unit == COUNT:  # over 10,100 pixels
        return not any(unit == (COUNT,) for unit in units)
    shares = grounds.shares.issuperset(scope.values())
    return told and limit.unit != "%" and (shares or all(unit in _OF_PARTS for unit in units))


def tells_sum(sentence: str) -> bool:
    """Return whether a sentence tells what several come to together."""
    return _MAKES_UP.search(sentence) is not None


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
    if counts_things(sentence) or is_of_things(
        sentence
    ):  # those that are listed behind are the ones that were counted
        sentence = _LISTED.split(sentence)[0]
    known = find_columns(sentence, grounds.columns)
    labels = labels_in(sentence, known)
    several = re.search(rf"\b{OF_TIME}\b", sentence, re.I) or _ADVERB.search(sentence)
    dated = [column for column in known if column.dated and column.has_several]
    columns = dated if several and dated and not labels else known
    if not labels and _CLASSES.search(sentence):  # all of them are not one number of each
        columns = [column for column in columns if column.has_several and not column.dated]
    # The highest of several means is a mean.
    named = frozenset[str]() if of_any_pixel(sentence) else find_statistics(sentence, nouns=True)
    limits = [claim.unit for claim in claims_in(sentence) if claim.limit]
    of_degrees = any(set(limits) & _DEGREES and column.unit in _DEGREES for column in grounds.columns)
    for column in columns:
        statistic = statistic_of(column.quantity)
        if any(map(column.is_of_other_quantity, limits)) or (
            not column.unit and ("degree" in limits or of_degrees)  # which has its unit where it is measured
        ):
            continue
        if named and statistic and statistic not in named:
            continue
        own = {label for each in labels for label in column.numbers if column.is_under(label, each)}
        if ALL_BUT.search(sentence):
            own = column.numbers.keys() - own
        between = labels_between(column, sentence, labels)
        chosen = between or own or (set() if labels else set(column.numbers))
        if chosen:
            yield {label: n for label, n in column.numbers.items() if label in chosen}
