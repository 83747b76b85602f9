"""What an answer says that the results contradict: which, when, how many, which way, yes or no.

Each number of such an answer may stand in a result; it is of another date or class, is not the largest, or
falls where the answer says that it rises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from treeline.core.engine.actions import Call
from treeline.core.engine.claims import Claim, claims_in, dates_in, months_in
from treeline.core.engine.columns import (
    Column,
    columns_for,
    columns_of,
    is_number,
    labels_in,
    legend_in,
    spoken_of,
)
from treeline.core.engine.comparisons import false_bases, false_comparisons
from treeline.core.engine.members import false_members, false_only, false_orders
from treeline.core.engine.phrases import (
    asks_count,
    asks_existence,
    asks_share_of_dates,
    asks_yes_or_no,
    at_limit,
    clauses,
    comparison,
    denies_existence,
    end_in_time,
    extreme,
    is_range,
    is_superlative,
    leads_elsewhere,
    of_each_year,
    polarity,
    relation,
    sentences,
    side,
    sign,
    significance,
    statistic_of,
    statistics_named,
    way,
    without_orders,
)
from treeline.core.engine.records import false_keys
from treeline.core.engine.shares import false_shares
from treeline.core.engine.state import Step
from treeline.core.engine.statements import Grounds, ends_of
from treeline.core.engine.support import Evidence, numbers_in
from treeline.toolkit import registry

_ROW = re.compile(r"\s*\|.*\|\s*$")  # of a table
_COMPARED = re.compile(r"\b(?:than|against|compared|versus|unlike|while)\b", re.I)
_TWO_ENDS = re.compile(r"\bbetween\s+\S+(?:\s+\S+){0,3}?\s+and\b|\bfrom\s+\S+(?:\s+\S+){0,3}?\s+to\b", re.I)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.I)
_FROM_TO = re.compile(
    r"\b(?:from|von|od|s)\s+([-\u2212]?\d[\d.,]*)[^\d,;]{0,12}?\s+(?:to|auf|bis|na|"
    r"do)\s+([-\u2212]?\d[\d.,]*\d)",
    re.I,
)
_SIGNIFICANT = 0.05
_THRESHOLDS = ("threshold", "value_threshold", "ndvi_threshold", "condition_threshold", "limit")
# From so much on there is something: one thing, or one per cent.
_NONE = 1.0
_SLOPES = ("slope", "trend", "tau")
_RELATIONS = ("r", "correlation", "pearson", "spearman", "rho")


@dataclass(frozen=True)
class Contradictions:
    """An answer beside the columns of what it rests on.

    Attributes
    ----------
    question, text, option : str
        The option is that which was chosen; empty where there is none.
    claims : sequence of Claim
        The numbers of the text that are not those of the question.
    value : Claim, optional
        The number of the answer.
    told : str
        What the policy was told of the classes.
    """

    question: str
    text: str
    option: str
    claims: Sequence[Claim]
    value: Claim | None
    told: str
    steps: Sequence[Step]
    evidence: Evidence

    def find(self) -> Iterator[str]:
        """Yield what contradicts the results, in sentences."""
        for check in _CHECKS:
            yield from check(self)

    @cached_property
    def columns(self) -> list[Column]:
        """The columns of the results."""
        return columns_of(self.steps, legend_in(self.told))

    @cached_property
    def said(self) -> list[str]:
        """What the answer says, by clauses; a chosen option is one too."""
        text = without_orders(self.text)
        whole = [text] if _RESPECTIVELY.search(text) else []
        parts = whole or [part for one in sentences(text) for part in ([one] if _ends(one) else clauses(one))]
        return [*parts, *([self.option] if self.option else [])]

    @cached_property
    def ground(self) -> Grounds:
        """What sentences are held against."""
        return Grounds(self.columns, self.evidence.units, dates_in(self.question))

    @cached_property
    def parts(self) -> list[str]:
        """What the answer says, by sentences; by clauses where a sentence names several limits."""
        found = sentences(self.text)
        several = [sum(claim.limit for claim in claims_in(text)) > 1 for text in found]
        cut = [clauses(text) if many else [text] for text, many in zip(found, several, strict=True)]
        return [part for parts in [*cut, [self.option]] for part in parts if part]

    def holds(self, claim: Claim) -> bool:
        """Return whether a number is a limit in a true sentence, or how many lie beyond one."""
        of = [part for part in self.parts if claim in claims_in(part)]
        verdicts = [verdict for part in of for verdict in self.ground.verdicts(part)]
        return any(v.true and (claim.limit or claim.number == v.count) for v in verdicts)

    @cached_property
    def labels(self) -> list[str]:
        """The dates, classes and zones that the answer names."""
        return labels_in(f"{self.text} {self.option}", self.columns)

    @cached_property
    def only(self) -> Claim | None:
        """The number of an answer that states one."""
        numbers = {claim.number: claim for claim in self.claims or claims_in(self.option)}
        if self.value is not None:
            numbers.setdefault(self.value.number, self.value)
        rounded = [
            c for c in numbers.values() if self.value is None or abs(c.number - self.value.number) > c.half
        ]
        return (
            self.value
            if self.value and not rounded
            else rounded[0]
            if len(rounded) == 1 and not self.value
            else None
        )

    def labels_asked(self) -> list[str]:
        """Return the dates, classes and zones that the question names; the first or last date counts."""
        named = labels_in(self.question, self.columns)
        end = end_in_time(self.question)
        dated = [column for column in self.columns if column.dated and len(column.numbers) > 1]
        if named or not end or len(dated) != 1:
            return named
        return [min(dated[0].numbers) if end < 0 else max(dated[0].numbers)]

    def shows(self, claim: Claim, numbers: Sequence[float]) -> bool:
        """Return whether one of some numbers is what is claimed."""
        return Evidence(tuple(numbers), units=self.evidence.units).shows(claim, claim.number >= 0)

    def wrong_label(self, claim: Claim, label: str, clause: str) -> str:
        """Return why a number is not that of a label, where it is that of another; else nothing."""
        own = [n for column in columns_for(clause, self.columns) for n in column.under(label)]
        if not own or self.shows(claim, [*own, *self.evidence.noted]):
            return ""
        for column in self.columns:
            if column.under(label):
                others = [o for o, n in column.numbers.items() if self.shows(claim, [n])]
                if others:
                    held = ", ".join(f"{n:.6g}" for n in own[:3])
                    other = others[0] if others[0] != label else column.of
                    return f"{claim.text} is of {other}; {label} has {held}."
        return ""


def _ends(sentence: str) -> bool:
    """Return whether a sentence tells both ends twice: from 0.1 to 0.2 between 2019 and 2020."""
    return len(_TWO_ENDS.findall(sentence)) > 1


def _pairs(answer: Contradictions) -> Iterator[str]:
    """Find numbers that are told of another date, class or zone than theirs."""
    for clause in dict.fromkeys([*answer.said, answer.text]):
        claims = [claim for claim in claims_in(clause) if claim in answer.claims]
        labels = labels_in(clause, answer.columns)
        together = len(claims) == len(labels) and (_ends(clause) or _RESPECTIVELY.search(clause) is not None)
        row = len(labels) == 1 and _ROW.match(clause) is not None
        if len(claims) == len(labels) == 1 or together or row:
            for claim, label in zip(claims, labels * len(claims) if row else labels, strict=True):
                if wrong := answer.wrong_label(claim, label, clause):
                    yield wrong
        if len(claims) == 1 and len(labels) == 2:
            crossed = [
                n for c in answer.columns for a, b in (labels, labels[::-1]) if c.of == a for n in c.under(b)
            ]
            if crossed and not answer.shows(claims[0], [*crossed, *answer.evidence.noted]):
                yield f"{claims[0].text} is not of {labels[0]} and {labels[1]}: {crossed[0]:.6g} is."
    asked = answer.labels_asked()
    unlabelled = not answer.labels and len(asked) == 1 and not extreme(answer.question)
    if (
        unlabelled
        and answer.only
        and (wrong := answer.wrong_label(answer.only, asked[0], f"{answer.question} {answer.text}"))
    ):
        yield wrong


def _option_beside_text(answer: Contradictions) -> Iterator[str]:
    """Find an option that names another date, class or zone than the text."""
    chosen, said = (labels_in(text, answer.columns) for text in (answer.option, answer.text))
    alike = any(one.startswith(other) or other.startswith(one) for one in chosen for other in said)
    if chosen and said and not alike:
        yield f"The option names {chosen[0]}, and the text {' and '.join(said)}."


def _other_than_asked(answer: Contradictions) -> Iterator[str]:
    """Find an answer of another date, class or zone than the one that is asked and that the results hold."""
    asked = answer.labels_asked()
    said = labels_in(f"{_COMPARED.split(answer.text)[0]} {answer.option}", answer.columns)
    if len(asked) != 1 or not said or leads_elsewhere(answer.question):
        return
    alike = any(one.startswith(asked[0]) or asked[0].startswith(one) for one in said)
    if not alike and (answer.claims or answer.value):
        yield f"The question is of {asked[0]}, and the answer of {' and '.join(said)}."


def _value_beside_text(answer: Contradictions) -> Iterator[str]:
    """Find a number of the answer that is one of a column where its text states another one of it."""
    value, claims = answer.value, answer.claims
    if value is None or len(claims) != 1 or abs(claims[0].number - value.number) <= claims[0].half:
        return
    for column in answer.columns:
        numbers = list(column.numbers.values())
        held = [n for n in numbers if answer.shows(claims[0], [n])]
        if held and answer.shows(value, numbers) and not answer.shows(value, held):
            yield f"The number of the answer is {value.text}, and its text states {claims[0].text}."
            return


def _extremes(answer: Contradictions) -> Iterator[str]:
    """Find what is called the largest or the smallest and is not."""
    asked = extreme(answer.question, conditional=True)
    asks = is_superlative(answer.question, conditional=True)
    for clause in answer.said:
        direction = extreme(clause) or (asked if len(answer.labels) < 2 and not comparison(clause) else 0)
        labels = labels_in(clause, answer.columns)
        if not direction:
            said = is_superlative(clause) or asks and len(answer.labels) == 1 and not comparison(clause)
            if (
                said
                and len(labels) == 1
                and not any(not list(_not_the_extreme(answer, labels[0], way)) for way in (1, -1))
            ):
                yield f"{labels[0]} is neither the largest nor the smallest."
            continue
        if len(labels) == 1:
            yield from _not_the_extreme(answer, labels[0], direction)
        elif not labels and not answer.labels:
            claims = [claim for claim in claims_in(clause) if claim in answer.claims]
            yield from (wrong for claim in claims[:1] for wrong in _no_extreme(answer, claim, direction))
    if asked and not answer.labels and answer.only and not answer.claims:
        yield from _no_extreme(answer, answer.only, asked)


def _scopes(answer: Contradictions, column: Column, label: str) -> Iterator[dict[str, float]]:
    """Yield the parts of a column in which a label can be the extreme: all, and what dates limit."""
    yield dict(column.numbers)
    if not column.dated:
        return
    told = f"{answer.question} {answer.text}"
    periods = {date for date in dates_in(told) if len(date) < 10}
    periods |= {label[:4]} if of_each_year(told) else set()
    for date in periods:
        yield {other: n for other, n in column.numbers.items() if other.startswith(date)}
    months = months_in(told)
    if label[5:7] in months:
        yield {other: n for other, n in column.numbers.items() if other[5:7] in months}
    ends = sorted(dates_in(answer.question))
    if len(ends) > 1:
        yield {o: n for o, n in column.numbers.items() if ends[0] <= o <= f"{ends[-1]}\uffff"}


def _best(numbers: Sequence[float], direction: int) -> float:
    return max(numbers) if direction > 0 else min(numbers)


def _not_the_extreme(answer: Contradictions, label: str, direction: int) -> Iterator[str]:
    fitting = [
        c for c in spoken_of(f"{answer.question} {answer.text}", answer.columns)
        if len(c.under(label)) == 1 < len(c.numbers)
    ]  # fmt: skip
    for column in fitting:
        own = column.under(label)
        for scope in _scopes(answer, column, label):
            rest = [n for other, n in scope.items() if not other.startswith(label)]
            if rest and len(set(scope.values())) > 1 and _best([*rest, *own], direction) in own:
                return
    if fitting:
        what = "largest" if direction > 0 else "smallest"
        best = _best(list(fitting[0].numbers.values()), direction)
        holder = next(label for label, n in fitting[0].numbers.items() if n == best)
        yield f"{label} is not the {what}: {holder} has {best:.6g}."


def _no_extreme(answer: Contradictions, claim: Claim, direction: int) -> Iterator[str]:
    """Find a number that is one of a column, and not its largest or smallest, nor a result by itself."""
    holding = [
        (column, label, n) for column in answer.columns if len(column.numbers) > 1
        for label, n in column.numbers.items() if answer.shows(claim, [n])
    ]  # fmt: skip
    apart = set(answer.evidence.numbers) - {n for column, _, _ in holding for n in column.numbers.values()}
    if not holding or answer.shows(claim, list(apart)):
        return
    for column, label, n in holding:
        if any(n == _best(list(s.values()), direction) for s in _scopes(answer, column, label) if len(s) > 1):
            return
    best = _best(list(holding[0][0].numbers.values()), direction)
    what = "largest" if direction > 0 else "smallest"
    yield f"{claim.text} is not the {what}: {best:.6g} is."


def _shares(answer: Contradictions) -> Iterator[str]:
    """Find parts of a whole in words that are not so large."""
    yield from false_shares(f"{answer.text}\n{answer.option}", answer.columns, answer.evidence.per_cents())


def _lists(answer: Contradictions) -> Iterator[str]:
    """Find lists of what lies beyond a limit that are not those, and lists in a wrong order."""
    yield from false_members(answer.question, answer.text, answer.option, answer.ground)
    yield from (told for part in answer.parts for told in false_only(part, answer.ground))
    yield from false_orders(answer.question, answer.text, answer.columns)


def _comparisons(answer: Contradictions) -> Iterator[str]:
    """Find by how much one is more than another, or than before, and is not."""
    for part in answer.parts:
        yield from false_comparisons(part, answer.columns)
        yield from false_bases(part, [(first, last) for first, last, _ in ends_of(answer.ground, part)])


def _conditions(answer: Contradictions) -> Iterator[str]:
    """Find shares and counts that are told of another threshold, or of the other side of it."""
    for step in answer.steps:
        arguments, value = step.observation.arguments or {}, step.observation.value
        heights = [float(n) for key, n in arguments.items() if key in _THRESHOLDS and is_number(n)]
        if heights and is_number(value):
            for part in answer.parts:
                limits = [c for c in claims_in(part) if c.limit] or claims_in(answer.question)
                direction = side(part) or side(answer.question)
                own = any(answer.shows(c, [value]) for c in claims_in(part) if not c.limit)
                if not own or len(limits) != 1 or not direction:
                    continue
                if not any(answer.shows(replace(limits[0], limit=False), [n]) for n in heights):
                    yield f"Step {step.number} is of a threshold of {heights[0]:g}, not of {limits[0].text}."
                elif (str(arguments.get("mode", "above"))[:5] == "below") != (direction < 0):
                    where = "below" if direction > 0 else "above"
                    yield f"Step {step.number} tells what lies {where} {heights[0]:g}."


def _statements(answer: Contradictions) -> Iterator[str]:
    """Find sentences that the columns contradict: limits with quantifiers, comparisons, changes."""
    for part in answer.parts:
        yield from (f"{verdict.held}." for verdict in answer.ground.verdicts(part) if not verdict.true)


def _polarities(answer: Contradictions) -> Iterator[str]:
    """Find a yes or no to a question whose statement the columns judge otherwise."""
    said = polarity(answer.option) if answer.option else polarity(answer.text)
    if said is None or not asks_yes_or_no(answer.question):
        return
    for verdict in answer.ground.verdicts(answer.question):
        if verdict.true is not said:
            yield f"{verdict.held}, so that the answer is {'no' if said else 'yes'}."
    direction, labels = extreme(answer.question), labels_in(answer.question, answer.columns)
    if direction and len(labels) == 1:
        wrong = list(_not_the_extreme(answer, labels[0], direction))
        if said and wrong:
            yield from wrong
        elif (
            not said and not wrong and any(len(c.numbers) > 1 and c.under(labels[0]) for c in answer.columns)
        ):
            yield f"{labels[0]} is the {'largest' if direction > 0 else 'smallest'}."


def _ways(answer: Contradictions) -> Iterator[str]:
    """Find what is said to rise and falls, or the other way round."""
    said = way(f"{answer.text} {answer.option}")
    if said:
        for text in (answer.text, answer.option):
            for start, end in _FROM_TO.findall(text):
                ends = [claim.number for n in (start, end) for claim in claims_in(n.rstrip(".,"))]
                first, last = ends if len(ends) == 2 else (0.0, 0.0)  # years are no claims
                if first != last and (last > first) != (said > 0):
                    yield f"From {first:g} to {last:g} it {'falls' if said > 0 else 'rises'}."
    for record in _records(answer):
        yield from _way_of_trend(answer, record, said)


def _records(answer: Contradictions) -> Iterator[dict[str, Any]]:
    for step in answer.steps:
        if isinstance(step.observation.value, dict):
            yield step.observation.value


def _signs(answer: Contradictions) -> Iterator[str]:
    """Find a relation that is called positive and is negative, or the other way round."""
    whole = f"{answer.text} {answer.option}"
    said = sign(whole)
    for record in _records(answer):
        for key in (*_SLOPES, *_RELATIONS):
            number, told = record.get(key), said or (relation(whole) if key in _RELATIONS else 0)
            if isinstance(number, int | float) and number * told < 0:
                yield f"Its {key} is {number:.6g}."


def _ranges(answer: Contradictions) -> Iterator[str]:
    """Find the ends of a range that are not the ends of the column that they are of."""
    for part in answer.parts:
        ends = sorted((c for c in claims_in(part) if c in answer.claims), key=lambda c: c.number)
        if is_range(part) and len(ends) == 2 and not answer.labels:
            yield from _no_extreme(answer, ends[0], -1)
            yield from _no_extreme(answer, ends[1], 1)
            yield from _not_the_ends(answer, ends)


def _not_the_ends(answer: Contradictions, ends: Sequence[Claim]) -> Iterator[str]:
    """Find two numbers of one record that are not its minimum and its maximum."""
    for record in _records(answer):
        known = {statistic_of(key): n for key, n in record.items() if is_number(n)}
        if {"min", "max"} <= known.keys() and all(answer.shows(c, list(known.values())) for c in ends):
            right = answer.shows(ends[0], [known["min"]]) and answer.shows(ends[1], [known["max"]])
            yield from [] if right else [f"It ranges from {known['min']:.6g} to {known['max']:.6g}."]


def _keys(answer: Contradictions) -> Iterator[str]:
    """Find numbers and dates that are told under the name of another quantity of a record."""
    yield from false_keys(answer.parts, list(_records(answer)), answer.shows)


def _existence(answer: Contradictions) -> Iterator[str]:
    """Find a no to whether there is something of which the only result is a number above zero, or a yes."""
    said = polarity(answer.option or answer.text)
    for part in answer.parts:
        labels = labels_in(part, answer.columns)
        own = [n for c in answer.columns for label in labels for n in c.under(label)]
        if denies_existence(part) and len(labels) == 1 and own and min(own) >= _NONE:
            yield f"{labels[0]} has {own[0]:.6g}."
    numbers = {n for step in answer.steps for n in numbers_in(step.observation.value)}
    denied = any(denies_existence(part) and not labels_in(part, answer.columns) for part in answer.parts)
    if said is None and denied:
        said = False
    if said is not None and (denied or asks_existence(answer.question)) and len(numbers) == 1:
        (number,) = numbers
        if number >= 0 and said is not (number > 0):
            yield f"The result is {number:.6g}, so that the answer is {'no' if said else 'yes'}."


def _way_of_trend(answer: Contradictions, record: dict[str, Any], said: int) -> Iterator[str]:
    slope = next((float(record[k]) for k in _SLOPES if isinstance(record.get(k), int | float)), 0.0)
    if said and slope * said < 0:
        yield f"The slope is {slope:.6g}: it {'falls' if slope < 0 else 'rises'}."
    p = record.get("p", record.get("p_value"))
    claimed = (
        significance(answer.text) if significance(answer.text) is not None else significance(answer.option)
    )
    says_yes = polarity(answer.option or answer.text)
    if claimed is None and significance(answer.question) and asks_yes_or_no(answer.question):
        claimed = says_yes
    if isinstance(p, int | float) and claimed is not None and claimed != (p < _threshold(answer)):
        yield f"With p = {p:.3g} it is {'not ' * claimed}significant."


def _threshold(answer: Contradictions) -> float:
    """Return the level of significance that the question names; 0.05 where it names none."""
    named = [c.number / 100 if c.unit == "%" else c.number for c in claims_in(answer.question)]
    return next((level for level in named if level in (0.001, 0.01, 0.1)), _SIGNIFICANT)


def _counts(answer: Contradictions) -> Iterator[str]:
    """Find a count, or a share, of dates on one side of the question's limit that is of the other or all."""
    results = {n for step in answer.steps for n in numbers_in(step.observation.value)}
    told = [answer.value] if answer.value else list(answer.claims)
    if (
        len(results) == 1
        and asks_count(answer.question)
        and told
        and not any(c.limit or c.unit for c in told)
    ):
        (number,) = results
        if number % 1 == 0 and not any(abs(c.number - number) <= c.half for c in told):
            yield f"{told[0].text} is not what was counted: {number:g}."
    direction, limits = side(answer.question), claims_in(answer.question)
    series = [list(c.numbers.values()) for c in answer.columns if c.dated and len(c.numbers) > 1]
    claim = answer.value or (answer.claims[0] if answer.claims else None)
    if not direction or len(limits) != 1 or len(series) != 1 or claim is None:
        return
    values, share = series[0], claim.unit == "%"
    if limits[0].unit == "%" and answer.evidence.units.get(values[0]) != ("%",):
        return  # a part of something
    alone = {n for step in answer.steps for n in numbers_in(step.observation.value)} - set(values)
    if claim.number in alone or not (asks_share_of_dates if share else asks_count)(answer.question):
        return
    if not share and (claim.unit or claim.number % 1 or not 0 <= claim.number <= len(values)):
        return
    counts = answer.ground.beyond(limits[0], values, direction)
    of, inclusive = 100 / len(values) if share else 1, at_limit(answer.question)
    if counts and abs(counts[inclusive] * of - claim.number) > claim.half:
        where = "above" if direction > 0 else "below"
        held = f"{counts[inclusive]} of {len(values)} do"
        yield f"{claim.text} is not how many lie {where} {limits[0].text}: {held}."


def _statistics(answer: Contradictions) -> Iterator[str]:
    """Find a number that is called another statistic than the tool or the table gave."""
    said = [(part, [c for c in claims_in(part) if c in answer.claims]) for part in answer.said]
    alone = [(part, claims[0]) for part, claims in said if len(claims) == 1 and statistics_named(part)]
    whole = [(answer.text, answer.only)] if answer.only is not None else []
    for text, claim in alone or whole:
        named = statistics_named(text) or statistics_named(answer.question)
        given = {kind for kind, numbers in _given_statistics(answer) if answer.shows(claim, numbers)}
        ends = [
            n
            for c in answer.columns
            if len(c.numbers) > 1
            for n in (_best(list(c.numbers.values()), w) for w in (1, -1))
        ]
        if not statistics_named(text, nouns=True) and answer.shows(claim, ends):
            continue  # the highest of several means
        if named and given and "" not in given and not given & named:
            yield f"{claim.text} is the {' or '.join(sorted(given))}, not the {' or '.join(sorted(named))}."


def _given_statistics(answer: Contradictions) -> Iterator[tuple[str, list[float]]]:
    """Yield the numbers of results by the statistic that they are; those of a series may be any.

    What a question asks of one date is of that date, and no statistic of a series.
    """
    dated = any(len(label) == 10 for label in labels_in(answer.question, answer.columns))
    for step in answer.steps:
        value, name = step.observation.value, step.action.tool if isinstance(step.action, Call) else ""
        quantity = registry().get(name).gives.quantity if name in registry() else ""
        chosen = statistic_of(str((step.observation.arguments or {}).get("statistic", quantity)))
        several = isinstance(value, list | dict) and len(value) > 1
        tables = value if isinstance(value, list) else [value]
        yield from ((statistic_of(key), [n]) for row in tables for key, n in _cells(row))
        plain = [n for n in tables if not isinstance(n, dict)]
        yield chosen if not several or dated else "", list(numbers_in(plain))
    yield "", list(answer.evidence.noted)


def _cells(row: Any) -> Iterator[tuple[str, float]]:
    for key, item in row.items() if isinstance(row, dict) else ():
        yield from ((str(key), number) for number in numbers_in(item))


def _other_variable(answer: Contradictions) -> Iterator[str]:
    """Find a variable in answer or question that the results are not of, where they are of others."""
    known = {name: re.compile(rf"(?<![a-z]){re.escape(name)}(?![a-z])") for name in _SHORT_NAMES}
    tools = " ".join(s.action.tool for s in answer.steps if isinstance(s.action, Call))
    words = f"{answer.evidence.words} {tools}".casefold()
    asked = f"{answer.question} {answer.text}"
    present = {name for name, pattern in known.items() if pattern.search(words)}
    named = [name for name in _SHORT_NAMES if re.search(rf"\b{name.upper()}\b", asked)]
    if present and len(named) == 1 and not present & {named[0], *_ALIASES.get(named[0], ())}:
        yield f"The cited steps are of {', '.join(sorted(present)).upper()}, none of {named[0].upper()}."


# Variables that texts call by their capitals, and what some call others by.
_SHORT_NAMES = (
    "ndvi", "evi", "evi2", "savi", "msavi", "ndwi", "mndwi", "ndmi", "ndbi", "ndsi", "nbr", "dnbr", "lst",
    "tvdi", "fvc", "lai", "pwv", "ndre",
)  # fmt: skip
_ALIASES = {"ndwi": ("ndmi", "mndwi"), "ndmi": ("ndwi",), "evi": ("evi2",), "lst": ("bt",), "dnbr": ("nbr",)}

_CHECKS: tuple[Callable[[Contradictions], Iterator[str]], ...] = (
    _pairs, _option_beside_text, _other_than_asked, _value_beside_text, _extremes, _ranges, _shares,
    _statements, _lists, _comparisons, _conditions, _ways, _signs, _keys, _polarities,
    _existence, _counts, _statistics, _other_variable,
)  # fmt: skip
