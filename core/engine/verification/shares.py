"""Parts of a whole in words, such as a majority, two fifths or more than half, and whether they are true."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from treeline.core.engine.verification.claims import Claim, claims_at, claims_in, without_dates
from treeline.core.engine.verification.clauses import clauses_of, is_negated, sentences
from treeline.core.engine.verification.columns import FAR_FROM_ALL, Column
from treeline.core.engine.verification.degree_words import LESS, MORE, PLAIN_HIGH, PLAIN_LOW
from treeline.core.engine.verification.evidence import adds_up
from treeline.core.engine.verification.labels import columns_for, labels_in
from treeline.core.engine.verification.notation import in_plain_digits, number_in_words
from treeline.core.engine.verification.percent import per_cent, rest_of
from treeline.core.engine.verification.phrases import denies_side, side
from treeline.core.engine.verification.results import IDENTIFIERS
from treeline.core.engine.verification.statistic_words import statistic_of

_PARTS = {
    name: n
    for n, names in enumerate(
        ("half|halves", "third", "quarter|fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
        + ("eleventh", "twelfth"),
        2,
    )
    for name in names.split("|")
} | {"fifteenth": 15, "sixteenth": 16, "twentieth": 20}
_NUMBER = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten)"
_SIDE = (
    r"(?P<side>(?:(?:just|slightly|marginally|barely|a (?:little|bit)) )?"
    r"(?:more than|over|above|less than|under|below|fewer than)|at least|at most|up to|"
    r"not even|almost|nearly|close to)?"
)
_END = r"\s*(?:[.:;(\u2013]|-(?!\w)|$)"
_FRACTION = re.compile(
    rf"\b{_SIDE}\s*"
    rf"(?:(?P<of>{_NUMBER})\s(?:in|out of)\s(?P<all>{_NUMBER})(?!\s(?:january|june))\b(?=\s\w)|"
    rf"(?:\b(?P<count>{_NUMBER})[\s-])?\b(?P<part>{'|'.join(_PARTS)})s?\b"
    r"(?! of (?:the |a )?(?:compass|circle|horizon|sky|kelvin|degree|unit|point)\b)"
    r"(?=\s+(?:of|is|are|was|were|burn\w*|cover\w*|belong\w*)\b|(?<=half)\s*(?:[.:;(\u2013-]|$)|"
    rf"(?(count)(?:{_END}|\s+(?:on|in|at|for|over|during)\b)|(?!))))",
    re.I,
)
# By what part of itself something changes: fell by more than half.
_BY_PART = re.compile(
    rf"\bby (?:about |around |roughly )?{_SIDE}\s*(?:(?P<count>{_NUMBER})[\s-])?"
    rf"\b(?P<part>{'|'.join(_PARTS)})s?\b"
    r"(?!\s+(?:of )?(?:an? |the )?(?:degree|kelvin|unit|point|per\s?cent|percent|month|year|day))",
    re.I,
)
# The middle half of the pixels tells a spread.
_OF_SPREAD = re.compile(r"\b(?:middle|central|inner|upper|lower|top|bottom)\s*$", re.I)
# A third of a standard deviation, or of what two differ by, is no part of the ground.
_OF_A_MEASURE = re.compile(
    r"\s*(?:of )?(?:the |a |an |its |their |this |that )?(?:\w+ )?"
    r"(?:spread|range|(?:standard )?deviations?|std|variance|variation|differences?|gap|margin|rise|fall|"
    r"drop|increase|decrease|change)\b",
    re.I,
)
_BY = re.compile(r"\bby(?: about| around| roughly)? ?$", re.I)
_MAJORITY = re.compile(r"\b(?:majority|mostly|most of (?!the (?:dates|days|images|years|months)))\b", re.I)
# All of the forest lies above it; of dates and classes that is no share of ground.
_ENTIRE = re.compile(
    r"\b(?:all|the whole) of the (?!\w+s\b)\w+ (?:is|was|lies|lay|exceeds|exceeded|has|had)\b",
    re.I,
)
_MINORITY = re.compile(r"\b(?:minority|a small part|a small share)\b", re.I)
_OF_THAT = re.compile(
    r"\s*(?:of )?(?:(?:that|this|which)\b|(?:it|them|these|those) (?:lies?|lay) (?:in|on|within)\b)", re.I
)
_A_FEW = re.compile(r"\ba (?:few|couple of) per\s?cent\b", re.I)
# Nearly all of one thing, or next to nothing of it; of things that are counted that is no share of ground.
_OF_ONE = (
    r"(?= (?:of )?(?:the |its )?(?!(?!pixels)\w+s\b|"
    r"(?:relation|trend|change|difference|correlation|link|effect|cloud|doubt|data|influence)\w*)[a-z])"
)
_NEARLY_ALL = re.compile(
    rf"\b(?:nearly|almost|virtually|practically) (?:all|the (?:whole|entire)){_OF_ONE}", re.I
)
_NEXT_TO_NONE = re.compile(rf"\b(?:hardly any|(?:almost|virtually|practically) no(?:ne)?){_OF_ONE}", re.I)
# What a part is said to do or be; without it the part is that which was asked for, and not its rest.
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|lies?|lay|do|does|did|[a-z]{3,}(?:ed|es)|not|no|without|rest|other|"
    r"burnt|left|remain\w*)\b|n't\b",
    re.I,
)
_REST = re.compile(
    r"\b(?:not|rest|remain\w*|left|without|outside|other|else|non|free|clear|below|under|less|at most)\b|"
    r"n't\b",
    re.I,
)
# Of a whole on the ground; parts of times and of numbers are other things.
_OF_GROUND = re.compile(
    r"\bof (?:the |all (?:the )?|its )?(?:\w+ )?(?:area|scene|image|raster|map|pixels|region|land)\b", re.I
)
_LARGEST = re.compile(
    r"\b(?:(?:pre)?domina(?:nt|nte|ntly|tes?|ted(?! by (?:an?|one|its|their)\b)|ting)|prevail\w*|"
    r"mainly|chiefly|primarily|largely)\b",
    re.I,
)
# Which of so many, and no part: the third of the five dates.
_OF_A_LIST = re.compile(rf"(?<=the )\w+ of (?:the |these |all )?{_NUMBER}\b", re.I)
_OF = re.compile(r"\bof\b", re.I)
_ADDITIVE = re.compile(r"area|pixel|count|hectare|km2|m2|ha\b|^$|total|sum")
# Units of what is a part of something, and none.
_AMOUNTS = frozenset({"", "ha", "km2", "m2", "acre", "count"})
_PER_CENT = re.compile(r"percent|per_cent|share|%")
_ABOVE = ("more than", "over", "above", "at least")
_NEARLY = ("almost", "nearly", "close to")
_BARELY = re.compile(r"(?:just|slightly|marginally|barely|a (?:little|bit)) ")
# What stands before a part that it tells of its subject: water makes a tenth.
_SUBJECT = re.compile(
    r"\b(?:mak(?:es?|ing)|made|tak(?:es?|ing)|took|cover\w*|occup\w+|account\w*|hold\w*|held|is|are|was|were|"
    r"has|have|had|fill\w*|form\w*|represent\w*|compris\w*|constitut\w*)\b(?: (?:up|for|about|around|roughly|"
    r"only|just|some|nearly|almost|well|far|more than|less than|over|under|an?|one|two|three|four))*\s*$",
    re.I,
)
_OTHERS = re.compile(r"\b(?:others?|rest|remain\w*)\b", re.I)
_CONDITION = re.compile(r"\W*(?:if|when|where|taking|counting)\b", re.I)
_IN_WORDS = (
    (_MAJORITY, (50.0, 100.0)),
    (_MINORITY, (0.0, 50.0)),
    (_A_FEW, (0.5, 10.0)),
    (_ENTIRE, (99.5, 100.0)),
    (_NEARLY_ALL, (85.0, 100.0)),
    (_NEXT_TO_NONE, (0.0, 10.0)),
)
_FEW = 12  # of many numbers some two have any ratio
_ROUGH = 6.0  # so coarsely, in per cent, fractions are told in words
_ALL_OR_NONE = re.compile(r"\b(?:all|any|no|whole|entire)$", re.I)
Interval = tuple[float, float]
_PART_IN_WORDS = re.compile(r"\b(?:half|thirds?|quarters?|fifths?|tenths?)\b", re.I)
_SO_MANY_OF = re.compile(
    r"(?<![\d.,])(\d+(?:\.\d+)?)(?: ?(?:ha|km2|km\u00b2))? (?:out )?of (?:the |all |these )*"
    r"(\d+(?:\.\d+)?)(?![\d.,]*\d)"
)
# Has more of it than any other, as its number behind tells: "Pinehurst has most of it (35 %)".
_MOST_OF_ALL = re.compile(
    r"most(?: of (?:it|them|that|these|those))?(?: \(|,? (?:with|at) (?=\d)|: (?=\d))", re.I
)
_HAS = re.compile(r"\b(?:has|had|have|holds?|held|contains?|contained) $", re.I)
_BEYOND = re.compile(r"\s*(?:below|above|under|over|within|beyond|outside|between)\b", re.I)
# A part with its number beside it: "half of the land, 4,056 ha", or "twelve scenes, a third of the images".
_NUMBER_BEHIND = re.compile(
    r"\s*(?:of )?(?:the |its |all |this |that |these |each )*[\w' -]{1,30}?[,(]\s*(?:or |about |some )*"
)
_NUMBER_BEFORE = re.compile(
    r"[^\d,;.()]{0,16}[,(]\s*(?:or |about |roughly |around |just |only |that is |i\.e |a )*"
)
_OF_IT = re.compile(r"\s*(?:of )?(?:it|them|that|this|those|these|which)\b", re.I)
_BEYOND_LIMIT = ("below ", "above ", "under ", "over ", "from ", "beyond ")


def false_shares(
    text: str,
    columns: Sequence[Column],
    per_cents: Sequence[float],
    question: str = "",
    *,
    measured: int = 0,
    found: Sequence[float] = (),
    numbers: Sequence[float] = (),
    is_told: Callable[[str], bool] = lambda clause: False,
    asked: Sequence[str] = (),
    wholes_for: Callable[[Claim], Iterable[float]] = lambda claim: (),
) -> Iterator[str]:
    """Yield what a text says of parts of a whole that the results contradict, in sentences.

    Parameters
    ----------
    columns : sequence of Column
        Of which those count whose numbers make up a whole: areas, pixels, shares.
    per_cents : sequence of float
        The shares of the results, for a text that names no class.
    question : str
        What it answers: "less than half" is a part of what was asked for, and not its rest.
    measured : int
        Whether the shares are of what lies above a limit (1) or below it (-1); 0 where nothing tells it.
    found : sequence of float
        Those that results give, and no part of a raster that is valid or marked: what lies beyond a limit.
    numbers : sequence of float
        Those of the results; one that is told as a part of one, as in "it is four fifths", is one of them.
    is_told : callable
        Whether a result tells by itself what a clause says, as a median tells where half of all lies.
    asked : sequence of str
        What the question asks for, which a clause is of that names nothing.
    wholes_for : callable
        What a number may be a part of, in its unit.
    """
    with_number = [*_parts_beside_numbers(text)]
    for sentence, part, interval, claim in with_number:
        wholes_of_number = (whole for whole in wholes_for(claim) if whole > claim.number)
        if not any(_is_in(per_cent(claim.number, whole), interval) for whole in wholes_of_number):
            yield f"{claim.text} is not {part!r} of anything that a cited step gives: {sentence!r}."
    told = [abs(share) for share in per_cents]  # of a loss, too
    both = [*told, *(abs(rest_of(share)) for share in per_cents)]
    wholes = every = [shares for column in columns if (shares := shares_of(column))]
    for clause in (part for part in clauses_of(text) if not is_told(part)):
        known_labels = labels_in(clause, columns) or asked
        labels = [label for label in known_labels if any(label in shares for shares in wholes)]
        wholes = [shares for c in columns_for(clause, columns) if (shares := shares_of(c))]
        stated = [claim.number for claim in claims_in(clause) if claim.unit == "%" and not claim.limit]
        for interval, where, end in _intervals(clause):
            left = rest_of(sum(claim.number for claim in claims_in(text) if claim.unit == "%"))
            if _OTHERS.search(clause) and _is_in(left, interval) or _CONDITION.match(clause):
                continue
            if any(clause[where:end].strip() == part for _, part, _, _ in with_number):
                continue  # its number tells whether it is so large
            if any(_is_in(number, interval) for number in stated):  # which is held against results
                continue
            if _MOST_OF_ALL.match(clause, where) and _HAS.search(clause[:where]):
                continue
            if _MAJORITY.fullmatch(clause, where, end) and _BEYOND.match(clause, end):
                continue  # forest stayed mostly below the limit: most of the forest, not of all
            if _OF_THAT.match(clause, end):
                continue  # a part of what was told before
            told_in_words = _PART_IN_WORDS.search(clause[where:end]) is not None
            if told_in_words and any(_is_in(part, interval) for part in _parts_told(text)):
                continue  # nine of the 36, a quarter
            if any(_is_part_of(clause[where:end], clause[end:], each) for each in labels):
                continue  # most of the cropland is a part of the cropland, which no share of the whole tells
            rest = f"{clause[:where]} {clause[end:]}"
            said = _PREDICATE.search(clause) or _REST.search(question)
            beside = _of_side(rest, found or told, measured)
            known = beside or (both if said else found or told)
            if not _OF.search(clause, where):  # a number told as a part of one: "it is two thirds"
                of_clause = [per_cent(n) for n in _numbers_of_clause(clause, columns) if 0 <= n <= 1]
                known = of_clause or beside or told or [per_cent(n) for n in numbers if 0 <= n <= 1]
            own = [
                next((s for s in some if labels and all(label in s for label in labels)), {})
                for some in (wholes, every)
            ]
            nearest = _nearest(clause, where, labels, columns) or "".join(labels if labels == asked else ())
            own += [shares for shares in wholes if nearest in shares]  # where no table has all of them
            own = [shares for shares in own if shares][:1]
            parts = [(sum(s.get(n, 0.0) for n in labels), s[nearest]) for s in own] if nearest else []
            if nearest.startswith(_BEYOND_LIMIT):
                continue  # nearly all cropland lies below 300 m, as a class of its own is called
            of_side = [n for c in columns for n in c.under(nearest) if c.unit == "%"] if side(rest) else []
            parts = [] if any(_is_in(n, interval) for n in of_side) else parts
            if parts and not any(_is_in(n, interval) for pair in parts for n in pair):
                yield f"{nearest} has {parts[0][1]:.4g} % of the whole."
            elif (
                not labels
                and (known or numbers or _OF_GROUND.search(clause, where))
                and not any(_is_in(n, interval) for n in [*(known or _ratios(numbers)), *_parts(wholes)])
            ):
                yield f"No cited step gives such a share: {clause.strip()!r}."
        yield from _false_largest(clause, labels, wholes, columns)


def _parts_beside_numbers(text: str) -> Iterator[tuple[str, str, Interval, Claim]]:
    """Yield the parts that a text tells in words and as a number, with their sentences: half of it, 40 ha."""
    for sentence in sentences(text):
        plain, numbers = in_plain_digits(without_dates(sentence)), claims_at(sentence)
        amounts = [(place, c) for place, c in numbers.items() if not c.limit and c.unit in _AMOUNTS]
        for interval, start, end in _intervals(plain):
            found = [
                c for place, c in amounts if place >= end and _NUMBER_BEHIND.fullmatch(plain, end, place)
            ]
            # "In all seven classes, most of all in one" tells no part of seven.
            if not found and _FRACTION.match(plain, start) and not _OF_IT.match(plain, end):
                found = [
                    claim
                    for place, claim in amounts
                    if place < start and _NUMBER_BEFORE.fullmatch(plain, place + len(claim.text), start)
                ]
            yield from ((sentence, plain[start:end].strip(), interval, claim) for claim in found)


def _parts_told(clause: str) -> list[float]:
    """Return what so many of so many are, in per cent: nine of the 36 are 25."""
    pairs = ((float(match[1]), float(match[2])) for match in _SO_MANY_OF.finditer(in_plain_digits(clause)))
    return [per_cent(part, whole) for part, whole in pairs if 0 <= part <= whole and whole]


def parts_told_of(clause: str, names: Collection[str]) -> Iterator[tuple[str, Interval]]:
    """Yield the classes or zones of which a clause tells a part in words, with the part in per cent."""
    for interval, where, end in _intervals(clause):
        of = (name for name in names if _is_part_of(clause[where:end], clause[end:], name))
        yield from ((name, interval) for name in of)


def _is_part_of(part: str, behind: str, label: str) -> bool:
    """Return whether a part is one of what has a label, which stands behind it: most of the cropland."""
    of = (
        ""
        if part.rstrip().endswith(" of")
        else r"\s*of "
        if not _ALL_OR_NONE.search(part)
        else r"\s*(?:of )?"
    )
    name = re.escape(label).replace(r"\ ", "[ -]")  # built-up land
    return re.match(rf"{of}(?:the |all |its )*{name}\b", behind) is not None


def _of_side(clause: str, shares: Sequence[float], measured: int) -> list[float]:
    """Return the shares on the side of a limit that a clause speaks of; empty where it names none."""
    said = side(clause) * (-1 if denies_side(clause) else 1) or _leaning(clause)
    if not said or not measured:
        return []
    return [share if said == measured else rest_of(share) for share in shares]


def _leaning(clause: str) -> int:
    """Return the side of what is only called more (1) or less (-1) than a limit that was told: gentler."""
    clause = clause.partition(": ")[0]
    more, less = MORE.search(clause) is not None, LESS.search(clause) is not None
    if not (more or less):
        more, less = (
            re.search(rf"\b(?:{plain})\b", clause, re.I) is not None for plain in (PLAIN_HIGH, PLAIN_LOW)
        )
    return 0 if _OF.search(clause) else int(more) - int(less)


def _numbers_of_clause(clause: str, columns: Sequence[Column]) -> list[float]:
    """Return the numbers of what a clause names."""
    labels = labels_in(clause, columns)
    return [n for column in columns_for(clause, columns) for label in labels for n in column.under(label)]


def find_shares(text: str) -> list[Interval]:
    """Return the parts of a whole that a text tells in words, as intervals in per cent."""
    return [interval for interval, _, _ in _intervals(text)]


def shares_in_words(text: str) -> list[Claim]:
    """Return the parts of a whole that a text tells in words, as numbers in per cent, as coarsely as told."""
    return [
        Claim(text[start:end].strip(), (low + high) / 2, (high - low) / 2, "%")
        for (low, high), start, end in _intervals(text)
    ]


def tells_fraction(text: str) -> bool:
    """Return whether a text tells a part of something as a fraction in words, such as a third."""
    return _FRACTION.search(text) is not None


def without_fractions(text: str) -> str:
    """Return a text without its fractions in words, whose "just under" speaks of no limit."""
    return _FRACTION.sub(" ", text)


def changed_shares(text: str) -> list[Interval]:
    """Return by what parts of itself a text says that something changes, as intervals in per cent."""
    found = [(match, _share(match)) for match in _BY_PART.finditer(text)]
    return [_interval((match["side"] or "").casefold(), share) for match, share in found if share is not None]


def _false_largest(
    clause: str, labels: Sequence[str], wholes: Sequence[dict[str, float]], columns: Sequence[Column]
) -> Iterator[str]:
    match = _LARGEST.search(clause)
    if match is None or not labels or is_negated(clause, match.start()):
        return
    nearest = _nearest(clause, match.start(), labels, columns)
    own = [shares for shares in wholes if nearest in shares]
    if own and not any(max(shares, key=lambda label: shares[label]) in labels for shares in own):
        largest = max(own[0], key=lambda label: own[0][label])
        most, less = own[0][largest], own[0][nearest]
        yield f"{largest} has the largest part, {most:.4g} %; {nearest} has {less:.4g} %."


def _nearest(clause: str, place: int, labels: Sequence[str], columns: Sequence[Column]) -> str:
    """Return the label next to a place: the subject of a verb before it, else what is behind it."""
    behind = labels_in(clause[place:], columns)
    before = labels_in(clause[:place], columns)[::-1]
    sides = (before, behind) if _SUBJECT.search(clause[:place]) else (behind, before)
    return next((label for side in sides for label in side if label in labels), "")


def _intervals(clause: str) -> Iterator[tuple[Interval, int, int]]:
    """Yield the shares that a clause speaks of, as intervals in per cent, with where it does from and to."""
    for match in _FRACTION.finditer(clause):
        share = _share(match)
        if (
            share is not None
            and not _OF_SPREAD.search(clause[: match.start()])
            and not is_negated(clause, match.start())
            and not _BY.search(clause[: match.start()])
            and not _OF_A_MEASURE.match(clause, match.end())
            and not _OF_A_LIST.match(clause, match.start("part") if match["part"] else match.end())
        ):
            yield _interval((match["side"] or "").casefold(), share), *match.span()
    for pattern, interval in _IN_WORDS:
        for match in pattern.finditer(clause):
            if not is_negated(clause, match.start()):
                yield interval, *match.span()


def _share(match: re.Match[str]) -> float | None:
    if match["part"]:
        return 100 * _number(match["count"] or "one") / _PARTS[match["part"].casefold()]
    of, whole = _number(match["of"]), _number(match["all"])
    return per_cent(of, whole) if whole > 1 and of <= whole else None


def _number(word: str) -> int:
    return 1 if word.casefold() in ("a", "an") else number_in_words(word) or 1


def _interval(side: str, share: float) -> Interval:
    if not side:
        rough = min(_ROUGH, share / 5)  # a tenth is told more finely than a half
        return share - rough, share + rough
    if barely := _BARELY.match(side):
        above = side[barely.end() :] in _ABOVE
        return (share, share + 1.5 * _ROUGH) if above else (share - 1.5 * _ROUGH, share + 0.5 * _ROUGH)
    if side in _NEARLY:
        return share - 1.5 * _ROUGH, share + 0.5 * _ROUGH
    return (share, 100.0) if side in _ABOVE else (0.0, share)


def _is_in(share: float, interval: Interval) -> bool:
    return interval[0] <= share <= interval[1]


def shares_of(column: Column) -> dict[str, float]:
    """Return the per cents of a column whose numbers make up a whole; empty where they do not."""
    numbers, name = dict(column.numbers), column.quantity.casefold()
    if (
        column.dated
        or name in IDENTIFIERS
        or statistic_of(name) not in ("", "sum")
        or not adds_up((column.unit,))
        or min(numbers.values()) < 0
    ):
        return {}
    if column.unit == "%" and abs(sum(numbers.values()) - 100) > FAR_FROM_ALL and column.has_several:
        return {}  # each is a part of something else
    if _PER_CENT.search(name):
        return numbers if max(numbers.values()) > 1 else {label: per_cent(n) for label, n in numbers.items()}
    total = math.fsum(numbers.values())  # alike in every version of Python
    if not column.has_several or not total or not _ADDITIVE.search(name):
        return {}
    return {label: per_cent(n, total) for label, n in numbers.items()}


def _ratios(numbers: Sequence[float]) -> Iterator[float]:
    """Yield what part of another one each of a few numbers is, in per cent."""
    few = numbers if len(numbers) <= _FEW else ()
    yield from (per_cent(a, b) for a, b in itertools.permutations(few, 2) if 0 < a < b)


def _parts(wholes: Iterable[dict[str, float]]) -> Iterator[float]:
    """Yield the shares of wholes, and what remains of them."""
    for shares in wholes:
        yield from (part for share in shares.values() for part in (share, rest_of(share)))
