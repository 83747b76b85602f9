"""What an answer says of two things beside each other: how much more one is, and by how many per cent."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from treeline.core.engine.verification.claims import POINTS, Claim, claims_at, claims_in, without_dates
from treeline.core.engine.verification.clauses import is_negated
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.degree_words import COMPARATIVE, LESS, MORE, comparison, standings
from treeline.core.engine.verification.labels import find_columns, labels_in
from treeline.core.engine.verification.notation import COUNTABLE, in_plain_digits
from treeline.core.engine.verification.percent import change_of, per_cent
from treeline.core.engine.verification.phrases import multiplies, way
from treeline.core.engine.verification.question_words import asks_either
from treeline.core.engine.verification.shares import changed_shares

_AS_MUCH = re.compile(
    r"\b(?:as (?:much|many|large|high|warm|wet|big|green) [^.;]{0,20}?as|the same [^.;]{0,20}?as|"
    r"equal to|back (?:to|at) (?:the )?\S+ level)\b",
    re.I,
)
_TIMES = re.compile(r"\b(?:times|twice|half|third|quarter|almost|nearly|not|n't|over|more)\b", re.I)
_BY_SO_MUCH = re.compile(
    r"\b(?:(?P<least>more than|over|at least|greater than)|less than|under|at most|no more than|up to) "
    rf"(?P<number>\d[\d.,]*\s?[^\s\d,.;]*(?: [CF]\b)?) (?={COMPARATIVE})",
    re.I,
)
_AT_LEAST = re.compile(r"\b(?:(?P<least>more than|over|at least)|less than|at most|under) \S+ times\b", re.I)
_TO = re.compile(r"(?<![\w.,-])(\d[\d.,]*) ?[\w%]{0,3} to (\d[\d.,]*\d)(?![\w-])")
# By how much, as a share, two numbers may differ that are called alike.
_SAME = 0.05
_ROUGHLY = 0.2  # so far in parts of it a factor in words lies from the true one at most
_TWO = 2
# Which of two that a question names an answer means.
_FORMER, _LATTER = (
    re.compile(rf"\bthe {word}\b(?: (?:one|date|year|day))?", re.I) for word in ("former", "latter")
)
_EARLIER, _LATER = (
    re.compile(rf"\bthe {word}\b(?: of (?:the )?(?:two|both))?(?: (?:one|date|year|day|image|scene))?", re.I)
    for word in ("earlier", "later")
)
_FOR_EVERY = re.compile(
    r"\bfor (?:every|each|one) (?:hectare|ha|km2|square kilomet\w+|pixel) of (?:the )?(?P<one>[\w -]+?),? "
    r"there (?:is|are|was|were) (?P<rough>(?:about|around|roughly|some|nearly|almost|only|just) |)"
    r"(?P<factor>\d[\d.,]*) ?(?:ha|hectares?|km2|km\u00b2|square kilomet\w+|pixels?|px) of (?:the )?"
    r"(?P<other>[\w -]+)",
    re.I,
)
# Units of what can be so many times as much.
_RATIOS = ("ha", "km2", "m2", "m", "km", "degree", "mm")
_IS_APART = re.compile(
    r"(?: ?[^\s\d,;.()]{1,12})? "
    r"(?:more|less|fewer|(?:larg|small|high|low|warm|cool|cold|hott|great|bigg)er) than\b",
    re.I,
)
_DEGREES = ("K", "degC", "degF", "degree")
# Two numbers of which one came to be the other, or is held against it: 0.7 \u2192 0.6, 0.7 versus 0.6.
_TO_OTHER = re.compile(
    r"(?=(?<![\w.,\u2212-])(?P<one>[-+\u2212]?\d[\d,]*(?:\.\d+)?)(?!\w)[^\d.;:!?\n]{0,40}?"
    r"(?P<turn>\u2192|[-=]+>|\b(?:to|vs|versus|against|compared|than)\b\.?)"
    r"(?:[^\d.;:!?\n]{0,40}[\s(\[~\u2248*])?(?P<other>[-+\u2212]?\d[\d,]*(?:\.\d+)?))"
)
_ARROW = re.compile(r"\u2192|[-=]+>")
# What tells that the number behind it is how far two lie apart, and how much one of them is more or less.
_APART_BEFORE = re.compile(
    r"\b(?:by|(?:differen\w+|chang\w*|rise|increase|growth|gain|fall|drop|decline|decrease|loss|range|relief|span|"
    r"gap|margin)(?: (?:of|is|was))?:?|spans?|spanned|lost|gained|i\.e\.)"
    r"(?: (?:about|around|roughly|nearly|almost|some|just|only|of|a))*\W{0,3}$",
    re.I,
)
# Between a part and what it is a part of.
_OF_WHOLE = (
    r"\W{0,3}(?:[a-z]{1,3}[2\u00b2]?|%)?(?P<thing> ?[a-z]{4,})?\W{0,3} "
    r"(?:out )?of (?:(?:the|these|all|its) )*\W{0,3}"
)
_ADDS_ANOTHER = re.compile(r"\b(?:and|but|while|whereas)\b")
_IN_BRACKET = re.compile(r" ?[^\s\d,;.()]{0,12}\W{0,3}[(:]\W{0,2}")
_APART_BEHIND = re.compile(rf"(?: ?[^\s\d,;.()]{{1,12}})?\W{{0,3}}\s?(?:{COMPARATIVE}|apart\b)", re.I)


# What is set against how large each is, which no column tells.
_FOR_ITS_SIZE = re.compile(
    r"\b(?:relative to|in proportion to|for) (?:its|their) (?:own )?(?:area|size|extent)\b", re.I
)


def false_comparisons(text: str, columns: Sequence[Column]) -> Iterator[str]:
    """Yield by how much one thing is said to be more than another, where that is of others, in sentences."""
    labels = labels_in(text, columns)
    claims = [claim for claim in claims_in(text) if not claim.limit]
    pairs = _pairs_of(text, labels, columns)
    if not pairs or _FOR_ITS_SIZE.search(text):
        return
    a, b = pairs[0]
    yield from _false_limits(text, labels, columns, pairs)
    held = f"{labels[0]} has {a:.6g} and {labels[1]} {b:.6g}."
    ratios = [claim for claim in claims if claim.unit == "1"]
    bounds = [c for c in claims_in(text) if c.limit and c.unit == "1"]
    if len(bounds) == 1 and (told := _AT_LEAST.search(text)):
        factors = [x / y for x, y in pairs if y]
        least = told["least"] is not None
        if factors and not any(n >= bounds[0].number if least else n <= bounds[0].number for n in factors):
            yield held
    parts = changed_shares(text) if _compares_by_verb(text) else []
    if parts and not any(low <= per_cent(x / y - 1) <= high for x, y in pairs if y for low, high in parts):
        yield held
    elif len(ratios) == 1 or ratios and len(ratios) == len(claims):
        changes = [y / x for x, y in pairs if x] if multiplies(text) else []  # of the first to the last
        near = any(abs(n - ratios[0].number) <= _ROUGHLY * ratios[0].number for n in changes)
        if not near and not any(_is_near(ratios[0], x / y) for x, y in pairs if y):
            yield held
    elif not claims and _AS_MUCH.search(text) and not _TIMES.search(text):
        if not any(abs(x - y) <= _SAME * max(abs(x), abs(y)) for x, y in pairs):
            yield held
    elif len(claims) == 1 and _compares(text, labels, columns):
        # "12 ha, larger than" tells one of the two; "4 ha larger than" only how far they are apart.
        plain = in_plain_digits(text)
        apart = _IS_APART.match(plain, plain.find(claims[0].text) + len(claims[0].text)) is not None
        differ = _margins if apart else _differences
        wanted = [n for x, y in pairs for n in differ(claims[0], x, y)]
        if wanted and not any(_is_near(claims[0], abs(n)) for n in wanted):
            yield held


def _false_limits(
    text: str, labels: Sequence[str], columns: Sequence[Column], pairs: Sequence[tuple[float, float]]
) -> Iterator[str]:
    """Yield by how much at least, or at most, one thing is said to be more than another, where it is not."""
    match = _BY_SO_MUCH.search(in_plain_digits(text))
    if match is None or not _compares(text, labels, columns):
        return
    claim = next(iter(claims_in(match["number"])), None)
    if claim is None:
        return
    least = match["least"] is not None
    apart = [abs(n) for x, y in pairs for n in _margins(claim, x, y)]
    if apart and not any(n >= claim.number if least else n <= claim.number for n in apart):
        a, b = pairs[0]
        yield f"{labels[0]} has {a:.6g} and {labels[1]} {b:.6g}, {abs(a - b):.4g} apart."


def false_own_ratios(text: str, claims: Sequence[Claim]) -> Iterator[str]:
    """Yield how many times as much something is said to be, where the only two numbers told say otherwise."""
    ratios = [claim for claim in claims if claim.unit == "1" and claim.number > 1]
    numbers = {claim.number: claim.unit for claim in claims if not claim.limit and claim.unit in _RATIOS}
    if len(ratios) != 1 or len(numbers) != _TWO or len(set(numbers.values())) != 1 or min(numbers) <= 0:
        return
    factor, said = max(numbers) / min(numbers), ratios[0].number
    bound = _AT_LEAST.search(in_plain_digits(text))
    right = abs(factor - said) <= _ROUGHLY * said
    if bound and ratios[0].limit:
        right = factor >= said if bound["least"] else factor <= said
    if not right:
        yield f"{max(numbers):g} is {factor:.3g} times {min(numbers):g}."


def false_own_differences(text: str) -> Iterator[str]:
    """Yield how far a sentence tells two of its numbers to lie apart, where they do not."""
    plain, claims = in_plain_digits(without_dates(text)), claims_at(text)
    apart = {place for place, claim in claims.items() if _tells_apart(plain, place, claim)}
    pairs = [
        match
        for match in _TO_OTHER.finditer(plain)
        if {match.start("one"), match.start("other")} <= claims.keys() - apart
    ]
    if len(pairs) != 1:
        return
    first, last = pairs[0].start("one"), pairs[0].start("other")
    one, other = claims[first], claims[last]
    if (one.unit or other.unit) != other.unit or one.limit or other.limit or one.thing in COUNTABLE:
        return
    places = sorted(claims)
    beside = [*places[: places.index(first)][-1:], *places[places.index(last) + 1 :][:1]]
    for place in beside:
        behind = plain[place + len(claims[place].text) : first]
        comes_to = place < first and _ARROW.match(pairs[0]["turn"]) and _IN_BRACKET.fullmatch(behind)
        between = plain[last:place] if place > last else behind
        if (
            (place in apart or comes_to)
            and not _ADDS_ANOTHER.search(between)
            and not (place < first and way(between))  # "warmed by 5 K, so its lead shrank from 6 to 4"
            and not _is_apart(claims[place], one, other)
        ):
            far = abs(one.number - other.number)
            yield f"{one.text} and {other.text} lie {far:.6g} apart, not {claims[place].text}."


def false_own_parts(text: str) -> Iterator[str]:
    """Yield which number a sentence tells to be a part of a smaller one: 36 of the 17 dates."""
    plain, claims = in_plain_digits(without_dates(text)), claims_in(text)
    for one, other in itertools.pairwise(claims):
        match = re.search(rf"(?<![\d.]){re.escape(one.text)}{_OF_WHOLE}{re.escape(other.text)}(?!\d)", plain)
        alike = (
            match is not None and one.unit == other.unit and (match["thing"] or other.thing) == other.thing
        )
        bare = match is not None and not one.unit and not match["thing"]
        if (alike or bare) and not (one.limit or other.limit) and one.number > other.number >= 0:
            yield f"{one.text} is more than {other.text}, and no part of it."


def _tells_apart(text: str, place: int, claim: Claim) -> bool:
    """Return whether words beside a number tell that it is how far two others lie apart."""
    if claim.limit or claim.per or claim.thing in COUNTABLE:
        return False
    behind = _APART_BEHIND.match(text, place + len(claim.text))
    return behind is not None or _APART_BEFORE.search(text[:place]) is not None


def _is_apart(claim: Claim, one: Claim, other: Claim) -> bool:
    """Return whether a number may tell how far two lie apart, in their unit or in per cent of either."""
    rounding = claim.half + one.half + other.half
    share = claim.unit == "%"
    if claim.unit == POINTS and other.unit == "%":
        claim = replace(claim, unit="%")
    if claim.unit in ("", other.unit) or {claim.unit, other.unit} <= {*_DEGREES} or other.unit == "%":
        if abs(abs(one.number - other.number) - abs(claim.number)) <= rounding * (1 + 1e-6):
            return True
    elif not share:
        return True  # in another unit, which is converted elsewhere
    bases = [(a, b) for a, b in ((one, other), (other, one)) if share and a.number]
    return any(
        abs(abs(change_of(a.number, b.number)) - abs(claim.number))
        <= claim.half + abs(per_cent(a.half + b.half, a.number)) * (1 + 1e-6)
        for a, b in bases
    )


def _compares_by_verb(text: str) -> bool:
    return re.search(r"\b(?:exceed|surpass|top|outdo|beat)\w*\b", text, re.I) is not None


def _compares(text: str, labels: Sequence[str], columns: Sequence[Column]) -> bool:
    """Return whether a text says that the first of two is more or less than the second."""
    found = comparison(text) or next(standings(text, ""), None)
    if found is None:
        return False
    before, _, behind = found
    return labels_in(before, columns)[:1] == [labels[0]] and labels_in(behind, columns)[:1] == [labels[1]]


def _pairs_of(text: str, labels: Sequence[str], columns: Sequence[Column]) -> list[tuple[float, float]]:
    if len(labels) != 2:
        return []
    found = [(column.under(labels[0]), column.under(labels[1])) for column in find_columns(text, columns)]
    return [(one[0], other[0]) for one, other in found if len(one) == len(other) == 1]


def _differences(claim: Claim, one: float, other: float) -> Iterator[float]:
    """Yield what a claim can be that tells by how much one number is more: also the numbers themselves."""
    yield from (one, other, one - 273.15, other - 273.15)
    if claim.unit == "%":
        yield from (per_cent(one), per_cent(other))
    yield from _margins(claim, one, other)


def _margins(claim: Claim, one: float, other: float) -> Iterator[float]:
    """Yield by how much one number is more than another, in the units that a claim may have."""
    if claim.unit == "%":
        yield from (change_of(base, one) for base in (other,) if base)
        yield from (one - other, per_cent(one - other))
    elif claim.unit in _DEGREES:
        yield (one - other) * (1.8 if claim.unit == "degF" else 1.0)
    else:
        yield from ((one - other) * factor for factor in (1.0, 1e-2, 1e-4, 1e4, 1e2, 1.8))
        yield from (one / other, one / other - 1) if other else ()


def _is_near(claim: Claim, number: float) -> bool:
    return abs(abs(claim.number) - number) <= claim.half * (1 + 1e-6)


def false_bases(text: str, ends: Sequence[tuple[float, float]]) -> Iterator[str]:
    """Yield changes in per cent of the later number, which are of the earlier one, in sentences."""
    said = way(text)
    for interval in changed_shares(text) if said else ():
        changes = [abs(change_of(first, last)) for first, last in ends if first]
        if changes and not any(interval[0] <= change <= interval[1] for change in changes):
            first, last = ends[0]
            yield f"From {first:.6g} to {last:.6g} it changes by {change_of(first, last):.4g} %."
    told = [[claim for n in match.groups() for claim in claims_in(n)] for match in _TO.finditer(text)]
    pairs = [(pair[0].number, pair[1].number) for pair in told if len(pair) == _TWO]
    # Of a change that is worked out of exact numbers, those that are told are roundings.
    slack = {
        (pair[0].number, pair[1].number): per_cent(pair[0].half + pair[1].half, abs(pair[0].number))
        for pair in told
        if len(pair) == _TWO and pair[0].number
    }
    ends = [*ends, *pairs]
    factors = [claim for claim in claims_in(text) if claim.unit == "1"] if multiplies(text) else []
    for first, last in pairs if len(factors) == 1 and not factors[0].limit else ():
        if first and abs(last / first - factors[0].number) > _ROUGHLY * factors[0].number:
            yield f"From {first:.6g} to {last:.6g} it comes to {last / first:.3g} times as much."
    for claim in claims_in(text) if said else ():
        if claim.unit != "%" or claim.limit:
            continue
        for first, last in ends:
            if not first or not last:
                continue
            right, wrong = abs(change_of(first, last)), abs(per_cent(last - first, last))
            rough = replace(claim, half=claim.half + slack.get((first, last), 0.0))
            if _is_near(claim, wrong) and not _is_near(rough, right):
                yield f"From {first:.6g} to {last:.6g} it changes by {change_of(first, last):.4g} %."


def prefers(question: str) -> int:
    """Return whether a question asks which of those that it names has more (1) or less (-1); else 0."""
    if not asks_either(question):
        return 0
    return leaning(question)


def leaning(text: str) -> int:
    """Return whether a text calls something larger (1) or smaller (-1) than what it does not name; else 0."""
    found = [match for word in (MORE, LESS) for match in word.finditer(text)]
    if any(is_negated(text, match.start()) for match in found) or re.search(r"\bthan\b", text, re.I):
        return 0
    return int(MORE.search(text) is not None) - int(LESS.search(text) is not None)


def exchange_proportions(text: str) -> str:
    """Return a text in which "for every hectare of one there are 4 ha of the other" tells how many times."""
    return _FOR_EVERY.sub(
        lambda m: f"{m['other']} is {m['rough']}{m['factor']} times as large as {m['one']}", text
    )


def exchange_places(text: str, named: Sequence[str]) -> str:
    """Return a text in which the former, the latter, the earlier and the later of two have their names."""
    if len(named) != _TWO:
        return text
    text = _FORMER.sub(named[0], _LATTER.sub(named[1], text))
    return _EARLIER.sub(min(named), _LATER.sub(max(named), text)) if named[0][:1].isdigit() else text
