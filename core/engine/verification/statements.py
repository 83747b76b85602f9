"""Whether a sentence is true of columns of results: limits, comparisons, changes, orders and ranks.

A sentence that columns neither bear out nor contradict has no verdict.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from treeline.core.engine.verification.claims import claims_in, dates_in
from treeline.core.engine.verification.columns import Column, changes_of_months
from treeline.core.engine.verification.comparisons import leaning
from treeline.core.engine.verification.courses import judge_changes
from treeline.core.engine.verification.degree_words import (
    compares_with_all_others,
    comparison,
    extreme,
    order,
    rank,
    standings,
)
from treeline.core.engine.verification.evidence import adds_up
from treeline.core.engine.verification.labels import find_columns, find_names, labels_in
from treeline.core.engine.verification.limits import judge_limits
from treeline.core.engine.verification.notation import in_plain_digits
from treeline.core.engine.verification.phrases import multiplies, says_no_change, way
from treeline.core.engine.verification.placements import judge_placements
from treeline.core.engine.verification.sentence_grounds import (
    Grounds,
    Verdict,
    changes_of_labels,
    is_no_change,
)
from treeline.core.engine.verification.shares import shares_of, tells_fraction
from treeline.core.engine.verification.signs import judge_signs
from treeline.core.engine.verification.statistic_words import find_statistics, statistic_of

_EACH = re.compile(r"\b(?:all|every|each|always)\b", re.I)
# What is compared is how much something changed: the warming was stronger over one class than over another.
_MOVES = re.compile(
    r"\b(?:warm(?:ing|ed)|cool(?:ing|ed)|green(?:ing|ed)|brown(?:ing|ed)|(?:in|de)creased?|declined?|drop(?:ped)?|"
    r"rise|rose|fell|gain(?:ed)?|loss|lost|grew|shrank|changed?)\b",
    re.I,
)
_BOTH_OF = re.compile(r"\bboth\b", re.I)
_EQUALLY = re.compile(
    r"\b(?:to|at|on) the (?:same )?level of\b|"
    r"\b(?:equally|(?:the same|as \w+ as)\b(?!.*\b(?:times|twice|half)\b)|alike|identical|tied|"
    r"on a par|neck and neck|equal)\b",
    re.I,
)
# What is held against several others: more than A and B together.
_OF_SEVERAL = re.compile(
    r"\b(?:(?P<equal>(?:just |exactly )?as (?:much|many|large|big|extensive) (?:[a-z]+ )?as)|"
    r"(?P<more>[a-z]+er|more|less) than)"
    r"(?P<several>[^.;]*?\band\b[^.;]*?)\b(?:together|combined|in sum|in total)\b",
    re.I,
)
# So many times what all others have together.
_TIMES_ALL_OTHERS = re.compile(
    r"(?:\b(?P<bound>more than|over|at least|less than|under|at most) )?(?:about |nearly |almost |roughly )?"
    r"\b(?:(?P<word>double|triple|half)|(?P<times>\d+(?:\.\d+)?) times)\b[^.;,]{0,40}?"
    r"\b(?:others?|rest|remaining)\b[^.;,]{0,20}?\b(?:together|combined)\b",
    re.I,
)
# So far in parts of it a factor lies from the true one at most: a whole one, and one that is told finely.
_ROUGHLY, _CLOSELY = 0.2, 0.025
_LESSER = re.compile(r"(?:less|fewer|smaller|lower)\b", re.I)
# Behind which one it comes is no part of what comes second.
# What comes next behind something, in the order that is spoken of.
_NEXT = (
    re.compile(r"(?P<before>.*)followed by(?P<behind>.*)", re.I | re.S),
    re.compile(
        r"^\W*(?:next |right |directly )?(?:after|behind) (?P<before>[^,]+?),? "
        r"(?:comes?|came|follows?|followed|ranks?) (?P<behind>.*)",
        re.I | re.S,
    ),
    re.compile(
        r"(?P<behind>.*?)\b(?:is|was|comes?|came|ranks?|ranked) (?:in )?"
        r"(?:second(?: place)?|next|right|directly|immediately) (?:after|behind) (?P<before>[^,;.(]+)",
        re.I | re.S,
    ),
)
_BEHIND = re.compile(r"(?<=\w) (?:after|behind)\b", re.I)
_ANY = re.compile(r"\b(?:all|both|every|each|any(?:thing)?|always|ever)\b", re.I)
_BOTH = 2


def _of_comparisons(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that one label has more or less than another, or than the other one that the question names."""
    if _OF_SEVERAL.search(sentence):
        yield from _of_sums(grounds, sentence)
        return
    if _TIMES_ALL_OTHERS.search(in_plain_digits(sentence)):
        yield from _of_times_all_others(grounds, sentence)
        return
    yield from _of_equals(grounds, sentence)
    yield from _of_statistics(grounds, sentence)
    compared = comparison(sentence) or _comparison_with_question(grounds, sentence)
    if compared is not None and compares_with_all_others(compared[2]):
        yield from _of_all_others(grounds, sentence, *compared[:2])
    elif compared is not None:
        yield from _of_two(grounds, sentence, *compared)
    for before, direction, behind in [] if way(sentence) else standings(sentence, grounds.question):
        if not claims_in(behind):
            yield from _of_two(grounds, sentence, before, direction, behind)


def _of_sums(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that one label has as much as, more or less than several others together."""
    match = _OF_SEVERAL.search(sentence)
    assert match is not None
    before, behind = sentence[: match.start()], match["several"]
    for column in find_columns(sentence, grounds.columns):
        one, others = labels_in(before, [column])[-1:], labels_in(behind, [column])
        rows = [column.under(label) for label in (*one, *others)]
        if not one or len(others) < _BOTH or one[0] in others or any(len(row) != 1 for row in rows):
            continue
        own, total = rows[0][0], sum(row[0] for row in rows[1:])
        units = grounds.units.get(own, ())
        if not adds_up(units):
            continue
        way = 0 if match["equal"] else -1 if _LESSER.match(match["more"]) else 1
        true = is_no_change(own, total, units) if way == 0 else (own - total) * way > 0
        held = f"{one[0]} has {column.write(own)}, {' and '.join(others)} {column.write(total)} together"
        yield Verdict(true, held)
        return


def _of_equals(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that two labels have the same number, as a reader takes it."""
    labels = labels_in(sentence, grounds.columns)
    # Their own numbers tell no more than they do.
    own = [n for column in grounds.columns for label in labels for n in column.under(label)]
    stated = [c for c in claims_in(sentence) if not any(abs(n - c.number) <= c.half for n in own)]
    if not labels and _BOTH_OF.search(sentence):  # both of those that the question names, whatever they have
        labels, stated = labels_in(grounds.question, grounds.columns), []
    multiple = multiplies(sentence) or tells_fraction(sentence) or stated
    if len(labels) != _BOTH or not _EQUALLY.search(sentence) or multiple or says_no_change(sentence):
        return
    for column in find_columns(sentence, grounds.columns):
        pair = [column.under(label) for label in labels]
        if all(len(row) == 1 for row in pair):
            (a,), (b,) = pair
            true = is_no_change(a, b, grounds.units.get(a, ()))
            yield Verdict(true, f"{labels[0]} has {column.write(a)} and {labels[1]} {column.write(b)}")
            return


def _of_statistics(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that one statistic of something is more, or less, than another one: its mean than its median."""
    compared = [*standings(sentence, ""), *filter(None, [comparison(sentence)])]
    for before, direction, behind in compared[:1]:
        one, other = (find_statistics(side, nouns=True) for side in (before, behind))
        if len(one) != 1 or len(other) != 1 or one == other:
            return
        named = labels_in(sentence, grounds.columns)
        known = [
            [c for c in grounds.columns if statistic_of(c.quantity) in statistic]
            for statistic in (one, other)
        ]
        pairs = [
            (label, n, b.numbers[label])
            for a in known[0]
            for b in known[1]
            for label, n in a.numbers.items()
            if a.of == b.of and label in b.numbers and (not named or any(a.is_under(label, e) for e in named))
        ]
        claims = [claim for claim in claims_in(sentence) if not claim.limit]
        told = [pair for pair in pairs if any(abs(n - c.number) <= c.half for n in pair[1:] for c in claims)]
        pairs = told or pairs  # those of the date whose numbers are told
        against = [pair for pair in pairs if (pair[1] - pair[2]) * direction <= 0]
        label, a_number, b_number = (against or pairs or [("", 0.0, 0.0)])[0]
        held = f"of {label} the {''.join(one)} is {a_number:.6g} and the {''.join(other)} {b_number:.6g}"
        yield from [Verdict(not against, held)] if pairs else []


def _of_two(grounds: Grounds, sentence: str, before: str, direction: int, behind: str) -> Iterator[Verdict]:
    """Judge that the last label before has more (1), or less (-1), than the first one behind."""
    known = [column for column in find_columns(sentence, grounds.columns) if not column.is_of_ranks]
    if _MOVES.search(before) and (changes := changes_of_labels(grounds.columns, grounds.dates)):
        known = _sizes(changes)
    elif way(before) and any(dates_in(label) for label in labels_in(sentence, known)):
        return  # how much it moved within one time and within another
    elif way(before) < 0:  # what fell more has the lower change
        known = [size for c in known for size in (_sizes([c]) if c.is_of_losses else [c])]
    one = labels_in(before, known)[-1:] or (list(grounds.names) if len(grounds.names) == 1 else [])
    other = labels_in(behind, known)[:1]
    if one and other and _EACH.search(sentence) and (paired := list(_by_month(known, one[0], other[0]))):
        so = sum((a - b) * direction > 0 for a, b in paired)
        yield Verdict(so == len(paired), f"{so} of {len(paired)} months of {one[0]} are so")
        return
    sides = [
        (
            column,
            _number_for(column.under(one[0]), before, -direction),
            _number_for(column.under(other[0]), behind, direction),
        )
        for column in known
        if one and other and one != other and column.under(one[0]) and column.under(other[0])
    ]
    # Where it tells their numbers, those are compared, and not how cloudy it was.
    claims = [claim for claim in claims_in(sentence) if not claim.limit]
    told = [side for side in sides if any(abs(n - c.number) <= c.half for n in side[1:] for c in claims)]
    sides = told or sides
    if _BOTH_OF.search(sentence) and len(whole := [side for side in sides if not side[0].of]) == _BOTH:
        sides = whole  # both seasons, and not each of their dates
    if sides:
        column, a, b = sides[0]
        fitting = sum((a - b) * direction > 0 for _, a, b in sides)
        wanted = len(sides) if _EACH.search(sentence) else _BOTH if _BOTH_OF.search(sentence) else 1
        true = fitting >= min(wanted, len(sides))
        yield Verdict(true, f"{one[0]} has {column.write(a)} and {other[0]} {column.write(b)}")


def _by_month(columns: Sequence[Column], year: str, other: str) -> Iterator[tuple[float, float]]:
    """Yield the numbers of each month of two years: every image of 2022 against its counterpart of 2021."""
    for column in columns:
        for months in changes_of_months([column]) if {year, other} == {d[:4] for d in column.numbers} else ():
            yield from (pair if year < other else pair[::-1] for pair in months.values())
            return


def _of_all_others(grounds: Grounds, sentence: str, before: str, direction: int) -> Iterator[Verdict]:
    """Judge that a class or zone has more (1), or less (-1), than all others of a whole together."""
    known = find_columns(sentence, grounds.columns)
    label = (find_names(before, known)[-1:] or [""])[0]
    for own, rest in (
        (part[label], sum(part.values()) - part[label]) for c in known if label in (part := shares_of(c))
    ):
        yield Verdict((own - rest) * direction > 0, f"{label} has {own:.4g} % and all others {rest:.4g} %")
        return


def _of_times_all_others(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that one label has so many times as much as all others of a whole together."""
    match = _TIMES_ALL_OTHERS.search(in_plain_digits(sentence))
    assert match is not None
    factor = {"double": 2.0, "triple": 3.0, "half": 0.5}.get(match["word"] or "") or float(
        match["times"] or 1
    )
    known = find_columns(sentence, grounds.columns)
    label = (find_names(sentence, known)[:1] or [""])[0]
    for part in (shares_of(column) for column in known):
        rest = sum(part.values()) - part.get(label, 0.0)
        if label in part and rest > 0:
            ratio, bound = part[label] / rest, (match["bound"] or "").casefold()
            true = (
                ratio > factor
                if bound in ("more than", "over", "at least")
                else ratio < factor
                if bound in ("less than", "under", "at most")
                else abs(ratio - factor) <= (_CLOSELY if factor % 1 else _ROUGHLY) * factor
            )
            yield Verdict(true, f"{label} has {ratio:.3g} times as much as all others together", factor)
            return


def _comparison_with_question(grounds: Grounds, sentence: str) -> tuple[str, int, str] | None:
    """Return what a sentence compares that names one of the two that the question compares."""
    said, asked = labels_in(sentence, grounds.columns), labels_in(grounds.question, grounds.columns)
    if said and not any(map(dates_in, said)):  # of two classes on two dates
        asked = find_names(grounds.question, grounds.columns)
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


def _of_orders(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge what is listed from the largest to the smallest, and what is called the second largest."""
    listed, place = order(sentence), rank(sentence)
    yield from _of_followers(grounds, sentence)
    if listed:
        direction, behind = listed
        labels = labels_in(behind, grounds.columns)
        known = find_columns(f"{grounds.question} {sentence}", grounds.columns)
        rows = [[n for label in labels for n in c.under(label)] for c in known]
        rows = [row for row in rows if len(row) == len(labels) > 1]
        if rows:
            right = any(all((a - b) * direction >= 0 for a, b in pairwise(row)) for row in rows)
            yield Verdict(right, f"they have {', '.join(f'{n:.6g}' for n in rows[0])}")
    elif place:
        yield from _of_rank(grounds, sentence)


def _of_followers(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge what is said to come next behind something: "forest, followed by grassland"."""
    match = next(filter(None, (pattern.search(sentence) for pattern in _NEXT)), None)
    before, behind = (match["before"], match["behind"]) if match else ("", "")
    known = find_columns(f"{grounds.question} {sentence}", grounds.columns)
    one, other = labels_in(before, known)[-1:], labels_in(behind, known)[:1]
    direction = extreme(sentence) or extreme(grounds.question)
    columns = [
        c
        for c in known
        if not c.is_of_ranks and one and other and len(c.under(one[0])) == len(c.under(other[0])) == 1
    ]
    ranked = [
        sorted(column.numbers, key=lambda label: column.numbers[label], reverse=direction > 0)
        for column in columns
    ]
    if match and direction and ranked:
        own = [(labels, [label for label in labels if label.startswith(one[0])]) for labels in ranked]
        nexts = [labels[labels.index(first[0]) + 1 :][:1] for labels, first in own if first]
        right = any(each and each[0].startswith(other[0]) for each in nexts)
        yield Verdict(right, f"behind {one[0]} comes {(nexts[0] or ['nothing'])[0]}")


def _of_rank(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge what a clause that names one thing calls the second largest."""
    place, labels = rank(sentence), labels_in(_BEHIND.split(sentence)[0], grounds.columns)
    if place is None or len(labels) != 1:
        return
    number, of_question = place[0], rank(grounds.question)
    direction = place[1] or extreme(grounds.question) or (of_question[1] if of_question else 0)
    known = find_columns(f"{grounds.question} {sentence}", grounds.columns)
    if any(column.under(labels[0]) for column in known):  # the second of how much each of them changed
        known = [*known, *_sizes(changes_of_labels(grounds.columns, grounds.dates))]
    fitting = [c for c in known if len(c.numbers) >= number and c.under(labels[0])]
    ranked = [
        (sorted(c.numbers.values(), reverse=way > 0)[number - 1], c)
        for way in ([direction] if direction else (1, -1))  # from either end where nothing tells it
        for c in fitting
    ]
    if ranked:
        right = any(n in column.under(labels[0]) for n, column in ranked)
        yield Verdict(right, f"the number at that rank is {ranked[0][0]:.6g}")


def _sizes(changes: Sequence[Column]) -> list[Column]:
    """Return changes without their signs."""
    return [replace(c, numbers={label: abs(n) for label, n in c.numbers.items()}) for c in changes]


def verdicts(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Yield the verdicts on what a sentence says, or on what a question asks."""
    for judge in _JUDGES:
        yield from judge(grounds, sentence)


_JUDGES: tuple[Callable[[Grounds, str], Iterator[Verdict]], ...] = (
    judge_limits,
    _of_comparisons,
    judge_changes,
    _of_orders,
    judge_placements,
    judge_signs,
)
