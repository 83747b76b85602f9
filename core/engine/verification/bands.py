"""How much lies between two limits, where results count by bins or bands: a histogram, classes by limits.

"300 to 305 K: 49 %" is of one bin; "at 315 K or more" of all from there on.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.checks import COUNT
from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import Claim, claims_in
from treeline.core.engine.verification.clauses import is_negated, sentences
from treeline.core.engine.verification.degree_words import comparison, extreme, find_rank
from treeline.core.engine.verification.percent import per_cent
from treeline.core.engine.verification.results import is_number
from treeline.core.engine.verification.shares import find_shares

_NUMBER = r"[-+\u2212]?\d+(?:,\d{3})*(?:\.\d+)?(?![.,]?\d)"
_UNIT = r"(?:\s?(?:\u00b0\s?C?|K|m|%|km|mm|degrees?|kelvins?|met(?:re|er)s?)(?![\w%]))?"
_MORE = r"(?:more|great\w+|high\w+|warm\w+|hott\w+|steep\w+|larg\w+)"
_LESS = r"(?:less|fewer|low\w+|cool\w+|cold\w+|flatt\w+|gentl\w+|small\w+)"
_RANGE = re.compile(
    rf"(?<![\w.,])(?P<low>{_NUMBER}){_UNIT}\s?(?:to|and|up to|-|\u2013|\u2014)\s?"
    rf"(?P<high>{_NUMBER}){_UNIT}(?![\w.]*\d)|"
    rf"(?:\b(?:above|over|beyond|exceed\w*|from|at least|{_MORE} than)|[>\u2265]=?)\s?"
    rf"(?P<from>{_NUMBER}){_UNIT}(?: on(?:wards?)?\b| up(?:wards?)?\b)?(?! ?(?:to|and|-|\u2013) ?\d)|"
    rf"(?:\b(?:below|under|up to|at most|{_LESS} than)|[<\u2264]=?)\s?(?P<until>{_NUMBER}){_UNIT}|"
    rf"(?<![\w.,])(?P<more>{_NUMBER}){_UNIT} (?:or|and) (?:{_MORE}|above|over|beyond|up(?:wards?)?)\b|"
    rf"(?<![\w.,])(?P<less>{_NUMBER}){_UNIT} (?:or|and) (?:{_LESS}|below|under)\b",
    re.I,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ENDS = ("last", "topmost", "uppermost", "bottommost", "lowermost")
_BY_PLACE = re.compile(
    rf"\bthe (?P<place>{'|'.join((*_ORDINALS, *_ENDS))}) (?:of the \w+ )?"
    r"(?:bins?|intervals?|bands?|belts?|bars?)\b|"
    r"\b(?:bin|interval|band|belt|bar) (?:no\.? ?|number |#)?(?P<number>\d{1,2})(?![.,]?\d)",
    re.I,
)
# Which of the bins, by how many it holds.
_OF_BIN = r"(?:bins?|intervals?|bands?|belts?|zones?|class(?:es)?|ranges?|bars?)"
_PEOPLED = r"(?:full|populated|frequent|common|crowded|represented|filled|occupied|numerous)"
_FULLEST = re.compile(
    rf"\b(?:fullest|tallest|highest bar|mode|modal|most {_PEOPLED}|"
    r"(?:most|majority of)(?: of)?(?: the| all)? (?:pixels|cells|values|land|area|ground|terrain)|"
    rf"(?:largest|greatest|highest|biggest) (?:{_OF_BIN}|number|share|count|portion|part|group))\b",
    re.I,
)
_EMPTIEST = re.compile(
    rf"\b(?:emptiest|rarest|least {_PEOPLED}|fewest(?: (?:pixels|cells|values))?|"
    rf"(?:smallest|lowest|least) (?:{_OF_BIN}|number|share|count|portion|part|group))\b(?! one)",
    re.I,
)
_MOST = re.compile(r"\bmost\b(?! (?:populated|full|frequent|common|crowded))|\bmajority\b", re.I)
_HALF = 50.0
_KELVIN = 273.15
_TWO = 2
_MOST_BANDS = 64


@dataclass(frozen=True, slots=True)
class Range:
    """A run of bands, from the first on and up to before the last, where a sentence names it."""

    first: int
    last: int
    start: int
    end: int

    @property
    def run(self) -> tuple[int, int]:
        """The bands that it is of."""
        return self.first, self.last


@dataclass(frozen=True)
class Bands:
    """How much lies between limits that rise.

    Attributes
    ----------
    edges : tuple of float
        One more than there are bands; minus and plus infinity where the outer ones are open.
    rows : mapping
        By the unit of what is told: a number for each band.
    adds : bool
        Its numbers tell how much there is; those of others, such as means, come to nothing together.
    """

    edges: tuple[float, ...]
    rows: Mapping[str, tuple[float, ...]]
    adds: bool = True

    @property
    def parts(self) -> tuple[float, ...]:
        """The share of each band in all of them, in per cent."""
        row = next(iter(self.rows.values()))
        total = math.fsum(row)
        return tuple(per_cent(number, total) for number in row) if total else row

    def find(self, told: re.Match[str], kelvin: float = 0.0) -> tuple[int, int] | None:
        """Return from which band on and up to which one a range goes; ``None`` where it is between others."""
        low, high = (
            (told["low"] or told["from"] or told["more"]),
            (told["high"] or told["until"] or told["less"]),
        )
        first = self._place(low, kelvin) if low else 0
        last = self._place(high, kelvin) if high else len(self.edges) - 1
        return None if first is None or last is None or first >= last else (first, last)

    def _place(self, number: str, kelvin: float) -> int | None:
        value, half = float(number.replace(",", "").replace("\u2212", "-")) + kelvin, _half(number)
        near = (n for n, edge in enumerate(self.edges) if abs(edge - value) <= half * (1 + 1e-6))
        return next(near, None)

    def name(self, first: int, last: int) -> str:
        """Return a run of bands in words."""
        low, high = self.edges[first], self.edges[last]
        if math.isinf(low):
            return f"below {high:.6g}"
        return f"above {low:.6g}" if math.isinf(high) else f"{low:.6g} to {high:.6g}"


def _half(number: str) -> float:
    return 0.5 * 10.0 ** -len(number.partition(".")[2])


def find_misplaced_in_bands(answer: AnswerColumns) -> Iterator[str]:
    """Yield what is told of one bin or band of values and is another one's, in sentences."""
    known = list(bands_of(answer.steps))
    for sentence in (*sentences(answer.text), answer.option) if known else ():
        for bands in known:
            found = _ranges_in(sentence, bands)
            # Another table by the same limits, as of another date, may have what is told.
            alike = [each for each in known if each.edges == bands.edges]
            if found:
                yield from _misplaced(answer, sentence, bands, found, alike)
                yield from _false_ends(answer, sentence, bands, found) if bands.adds else ()
                yield from _false_order(bands, sentence, found, bands.parts) if bands.adds else ()
            if found and not bands.adds and sum(not each.adds for each in alike) == 1:
                yield from _false_relations(answer, sentence, bands, found)


def holds_in_bands(answer: AnswerColumns, claim: Claim) -> bool:
    """Return whether a number is how much several bins or bands hold together of which it is told."""
    for bands in bands_of(answer.steps):
        for sentence in sentences(answer.text):
            place, ranges = sentence.find(claim.text), _ranges_in(sentence, bands)
            told = place >= 0 and claim in claims_in(sentence)
            if told and any(_shows(answer, bands, claim, *each.run) for each in ranges):
                return True
    return False


def names_band(answer: AnswerColumns, clause: str) -> bool:
    """Return whether a clause names a bin or band of the results by its limits."""
    return any(_ranges_in(clause, bands) for bands in bands_of(answer.steps))


def bands_of(steps: Sequence[Step]) -> Iterator[Bands]:
    """Yield the bands by which results tell how much lies where."""
    made: dict[str, tuple[float, ...]] = {}
    for step in steps:
        value, given = step.observation.value, step.observation.arguments or {}
        for product in step.observation.products:
            limits = _numbers(given.get("limits")) or _numbers(
                value.get("thresholds") if isinstance(value, dict) else ()
            )
            if product.role == "classes" and limits:
                edges = (-math.inf, *limits, math.inf)
                made[file_name(product.name)] = made[file_name(product.path)] = edges
        if isinstance(value, dict) and len(edges := _numbers(value.get("edges"))) > 1:
            rows = (_numbers(held) for key, held in value.items() if key != "edges")
            counts = [row for row in rows if len(row) == len(edges) - 1]
            if counts and len(counts[0]) <= _MOST_BANDS:
                yield Bands(edges, {COUNT: counts[0]})
        read = [made[file_name(text)] for text in texts(given) if file_name(text) in made]
        if len(read) == 1 and isinstance(value, list):
            yield from _of_classes(step, read[0])
            yield from _of_statistics(step, read[0])


def _of_classes(step: Step, edges: tuple[float, ...]) -> Iterator[Bands]:
    """Yield the bands of a table of classes that were made by limits, of which the lowest is 1."""
    rows = [row for row in step.observation.value if isinstance(row, dict) and is_number(row.get("class"))]
    places = [int(row["class"]) - 1 for row in rows]
    if not rows or not all(0 <= place < len(edges) - 1 for place in places):
        return
    found: dict[str, tuple[float, ...]] = {}
    for unit, key in ((COUNT, "pixels"), (step.observation.unit, "area"), ("%", "percent")):
        held = {
            place: float(row[key]) for place, row in zip(places, rows, strict=True) if is_number(row.get(key))
        }
        if held:
            found[unit] = tuple(held.get(place, 0.0) for place in range(len(edges) - 1))
    if found:
        yield Bands(edges, found)


def _of_statistics(step: Step, edges: tuple[float, ...]) -> Iterator[Bands]:
    """Yield the bands of a statistic by classes that were made by limits, of one raster."""
    value = step.observation.value
    row = value[0] if len(value) == 1 and isinstance(value[0], dict) else {}
    places = {f"{place}": place - 1 for place in range(1, len(edges))}
    if row and row.keys() <= places.keys():
        numbers = [row.get(place) for place in places]
        yield Bands(edges, {"": tuple(float(n) if is_number(n) else math.nan for n in numbers)}, adds=False)


def _numbers(value: object) -> tuple[float, ...]:
    items = value if isinstance(value, list | tuple) else ()
    return tuple(map(float, items)) if all(map(is_number, items)) else ()


def _ranges_in(sentence: str, bands: Bands) -> list[Range]:
    """Return the runs of bands that a sentence names, in its order; one that is named twice once."""
    found = []
    for match in _RANGE.finditer(sentence):
        run = bands.find(match)
        if run is None and "\u00b0" in match[0]:
            run = bands.find(match, _KELVIN)
        found += [Range(*run, *match.span())] if run else []
    count = len(bands.edges) - 1
    for match in _BY_PLACE.finditer(sentence):
        word, number = (match["place"] or "").casefold(), match["number"]
        place = int(number) - 1 if number else _ORDINALS.index(word) if word in _ORDINALS else count - 1
        place = 0 if word in ("bottommost", "lowermost") else place
        found += [Range(place, place + 1, *match.span())] if 0 <= place < count else []
    found.sort(key=lambda each: each.start)
    return [each for n, each in enumerate(found) if not n or each.run != found[n - 1].run]


def _misplaced(
    answer: AnswerColumns, sentence: str, bands: Bands, ranges: Sequence[Range], tables: Sequence[Bands]
) -> Iterator[str]:
    """Yield numbers and parts in words that are those of other bands than the ones they are told of."""
    numbers = []
    for claim in dict.fromkeys(claims_in(sentence)):
        place = sentence.find(claim.text)
        shown = any(_shows(answer, bands, claim, *run) for run in _runs(bands))
        if claim in answer.claims and shown and not any(each.start <= place < each.end for each in ranges):
            numbers.append((place, claim))
    for place, claim in numbers:
        alike = sorted(other for other, each in numbers if (each.unit == "%") == (claim.unit == "%"))
        own = _own_ranges(place, ranges, alike)
        # Of several numbers beside one range one has to be its own: the others go on to other bins.
        alike_numbers = [c for _, c in numbers if (c.unit == "%") == (claim.unit == "%")]
        beside = alike_numbers if len(ranges) == 1 else [claim]
        held = any(_shows(answer, each, c, *told.run) for each in tables for told in own for c in beside)
        if held or any(_is_total(answer, each, claim) for each in tables):
            continue
        first, last = next(run for run in _runs(bands) if _shows(answer, bands, claim, *run))
        yield f"{claim.text} is of {bands.name(first, last)}, not of {bands.name(*own[0].run)}."
    if len(ranges) == 1 and bands.adds:
        first, last = ranges[0].run
        share = math.fsum(bands.parts[first:last])
        for low, high in find_shares(sentence):
            if not low <= share <= high and not is_negated(sentence, ranges[0].start):
                yield f"{bands.name(first, last)} holds {share:.3g} % of all."


def _own_ranges(place: int, ranges: Sequence[Range], numbers: Sequence[int]) -> Sequence[Range]:
    """Return the range that a number is told of by its place in their order; all where nothing tells it."""
    return [ranges[numbers.index(place)]] if len(ranges) == len(numbers) else ranges


def _runs(bands: Bands) -> Iterator[tuple[int, int]]:
    """Yield each band, and then all runs of several."""
    count = len(bands.edges) - 1
    if not bands.adds:
        yield from ((place, place + 1) for place in range(count))
        return
    yield from sorted(itertools.combinations(range(count + 1), 2), key=lambda run: run[1] - run[0])


def _shows(answer: AnswerColumns, bands: Bands, claim: Claim, first: int, last: int) -> bool:
    """Return whether a number is how much lies in a run of bands."""
    if not bands.adds:
        return last - first == 1 and answer.shows(claim, [row[first] for row in bands.rows.values()])
    share = math.fsum(bands.parts[first:last])
    if claim.unit == "%":
        return answer.with_numbers({share: ("%",)}).shows(claim)
    sums = ((math.fsum(row[first:last]), unit) for unit, row in bands.rows.items() if unit != "%")
    return any(answer.with_numbers({number: (unit,)}).shows(claim) for number, unit in sums)


def _is_total(answer: AnswerColumns, bands: Bands, claim: Claim) -> bool:
    """Return whether a number is that of all bands together, of which a part is told."""
    return bands.adds and _shows(answer, bands, claim, 0, len(bands.edges) - 1)


def _false_ends(answer: AnswerColumns, sentence: str, bands: Bands, ranges: Sequence[Range]) -> Iterator[str]:
    """Yield the bin that is called the fullest or the emptiest, and is not."""
    if len(ranges) != 1 or find_rank(sentence):
        return
    first, last = ranges[0].run
    said = _end_told(sentence)
    if not said and not _end_told(answer.text) and sentence == sentences(answer.text)[0]:
        said = _end_told(answer.question)
    if not said or is_negated(sentence, ranges[0].start):
        return
    parts = bands.parts
    best = (max if said > 0 else min)(parts)
    share = math.fsum(parts[first:last])
    holds_most = said > 0 and share > _HALF and _MOST.search(f"{answer.question} {sentence}")
    if holds_most or last - first > 1 and said < 0 or last - first == 1 and parts[first] == best:
        return
    place = parts.index(best)
    if last - first == 1 or _MOST.search(sentence):
        yield (
            f"{bands.name(place, place + 1)} holds {'most' if said > 0 else 'least'}, {best:.3g} % of all; "
            f"{bands.name(first, last)} holds {share:.3g} %."
        )


def _false_relations(
    answer: AnswerColumns, sentence: str, bands: Bands, ranges: Sequence[Range]
) -> Iterator[str]:
    """Yield which band is said to have the highest or the lowest statistic, or more than another one."""
    row = next(iter(bands.rows.values()))
    known = [number for number in row if not math.isnan(number)]
    if any(each.last - each.first > 1 for each in ranges) or find_rank(sentence):
        return
    said = extreme(sentence) or (extreme(answer.question) if not comparison(sentence) else 0)
    if len(ranges) == 1 and said and not is_negated(sentence, ranges[0].start):
        best = max(known) if said > 0 else min(known)
        if row[ranges[0].first] != best:
            place = row.index(best)
            yield f"{bands.name(place, place + 1)} is the {'highest' if said > 0 else 'lowest'}: {best:.6g}."
    yield from _false_order(bands, sentence, ranges, row)


def _false_order(bands: Bands, sentence: str, ranges: Sequence[Range], row: Sequence[float]) -> Iterator[str]:
    """Yield which of two bands is said to have more than the other, and has less."""
    compared = comparison(_RANGE.sub(_without_than, sentence)) if len(ranges) == _TWO else None
    numbers = [math.fsum(row[each.first : each.last]) for each in ranges]
    if compared and (numbers[0] - numbers[1]) * compared[1] < 0:
        own, other = (
            f"{bands.name(*each.run)} has {number:.6g}" for each, number in zip(ranges, numbers, strict=True)
        )
        yield f"{own}, {other}."


def _without_than(match: re.Match[str]) -> str:
    """Return the words of a limit without those that compare: "steeper than 5" is no comparison of two."""
    return match[0].replace(" than ", " ")


def _end_told(text: str) -> int:
    high, low = _FULLEST.search(text) is not None, _EMPTIEST.search(text) is not None
    return 0 if high == low else 1 if high else -1
