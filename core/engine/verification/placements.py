"""Whether it is true where several stand to one another: between, close together, in an order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from treeline.core.engine.verification.claims import Claim, claims_in, dates_in
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.labels import find_columns, labels_in
from treeline.core.engine.verification.quantifiers import is_number_of_things
from treeline.core.engine.verification.sentence_grounds import Grounds, Verdict

_BETWEEN = re.compile(
    r"\b(?:is|was|are|were|lies?|lay|sits?|sat|falls?|fell|stands?|stood|ranks?|ranked|comes?|came|in)\s+"
    r"(?:right |just |somewhere |neatly )?(?:in )?between\s+"
    r"(?P<others>(?:all )?(?:the )?(?:other two|two others|others?\b))?",
    re.I,
)
_WITHIN = re.compile(
    r"\bwithin (?:about |some |just |only )?(?P<number>[\d.,]*\d)\s?(?P<unit>[^\s\d]{0,7}) of "
    r"(?:each other|one another)|"
    r"\b(?:no|not) more than (?P<apart>[\d.,]*\d)\s?(?P<of>[^\s\d]{0,7}) (?:apart|from each other)\b",
    re.I,
)
_ORDERED = re.compile(
    r"\b(?:order(?:ing|ed)?|ranking|sequence|(?:de|a)scending(?:ly)?)\b(?! of magnitude)", re.I
)
_FEWEST = 3
_BOTH = 2


def judge_placements(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge what lies between others, how close several lie together, and in which order they are told."""
    yield from _of_between(grounds, sentence)
    yield from _of_closeness(grounds, sentence)
    yield from _of_ordering(grounds, sentence)


def _plain_columns(grounds: Grounds, sentence: str) -> list[Column]:
    return [c for c in find_columns(sentence, grounds.columns) if c.has_several and not c.is_of_ranks]


def _held(column: Column, labels: Sequence[str]) -> str:
    return ", ".join(f"{label} has {column.write(n)}" for label in labels for n in column.under(label)[:1])


def _of_between(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    match = _BETWEEN.search(sentence)
    told = [claim for claim in claims_in(sentence) if not (claim.limit or is_number_of_things(claim))]
    if match is None or told:
        return
    for column in _plain_columns(grounds, sentence):
        own = labels_in(sentence[: match.start()], [column])
        others = labels_in(sentence[match.end() :], [column])
        if match["others"] and len(column.numbers) == _FEWEST:
            others = [label for label in column.numbers if not any(column.is_under(label, o) for o in own)]
        numbers = [column.under(label) for label in (*own, *others)]
        if len(own) == 1 and len(others) == _BOTH and all(len(row) == 1 for row in numbers):
            (n,), (a,), (b,) = numbers
            yield Verdict(min(a, b) <= n <= max(a, b), _held(column, (*own, *others)))
            return


def _of_closeness(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    match = _WITHIN.search(sentence)
    told = claims_in(f"{match['number'] or match['apart']} {match['unit'] or match['of']}") if match else []
    for column in _plain_columns(grounds, sentence) if len(told) == 1 else ():
        labels = labels_in(sentence, [column]) or [*column.numbers]
        numbers = [n for label in labels for n in column.under(label)]
        if len(numbers) > 1 and not column.is_of_other_quantity(_quantity_of(told[0])):
            apart = max(numbers) - min(numbers)
            yield Verdict(apart <= told[0].number + told[0].half, f"they lie {apart:.4g} apart")
            return


def _quantity_of(claim: Claim) -> str:
    return "K" if claim.unit == "degC" else claim.unit


def _of_ordering(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    if not _ORDERED.search(sentence) or claims_in(sentence):
        return
    for column in _plain_columns(grounds, sentence):
        labels = labels_in(sentence, [column])
        numbers = [column.under(label) for label in labels]
        in_time = labels == sorted(labels) and all(map(dates_in, labels))
        if len(labels) < _FEWEST or in_time or any(len(row) != 1 for row in numbers):
            continue
        steps = [b[0] - a[0] for a, b in pairwise(numbers)]
        true = all(step <= 0 for step in steps) or all(step >= 0 for step in steps)
        yield Verdict(true, f"they are not in order: {_held(column, labels)}")
        return
