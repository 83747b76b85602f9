"""Whether it is true that all, none or so many changes, or that of one class, are positive or negative."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.clauses import is_negated
from treeline.core.engine.verification.labels import find_columns, labels_in
from treeline.core.engine.verification.quantifiers import comparison_of
from treeline.core.engine.verification.sentence_grounds import ALL_BUT, Grounds, Verdict, changes_of_labels

# The sign of a relation or of a trend is looked at where these are; one of a test is no sign of a number.
_SIGN = re.compile(
    r"\b(?:(?P<plus>positive)|negative)\b(?!ly\b)(?![^.;,]{0,20}\b(?:correlat|relat|slope|trend|associat|link|"
    r"effect|feedback|impact|rate|side))",
    re.I,
)
_OF_CHANGE = re.compile(r"\b(?:differ|chang|anomal|deviat|depart|balance|gain|loss)\w*", re.I)
# What is chosen by its sign, of which something else is said: all pixels with a positive change.
_CHOSEN = re.compile(
    r"\b(?:with|whose|where|of|for|only) (?:(?:an?|the) )?(?:\w+ )?(?:positive|negative)\b", re.I
)
_THE_ONLY = re.compile(r"\bthe only (?:one|[a-z]+) (?:with|whose|(?:that|which) (?:has|is|was|had))\b", re.I)
_OTHER = re.compile(r"\b(?:false|true) (?:positive|negative)|\b(?:correlat|slope|trend|tau)\w*", re.I)


def judge_signs(grounds: Grounds, sentence: str) -> Iterator[Verdict]:
    """Judge that all, none or so many numbers, or those of what is named, are positive or negative."""
    match = _SIGN.search(sentence)
    only = _THE_ONLY.search(sentence) is not None
    if (
        match is None
        or _CHOSEN.search(sentence)
        and not only
        or _OTHER.search(sentence)
        or any(claim.limit for claim in claims_in(sentence))
    ):
        return
    said = 1 if match["plus"] else -1
    all_but = ALL_BUT.search(sentence) is not None
    wanted = comparison_of(sentence)
    known = [c for c in find_columns(sentence, grounds.columns) if c.has_several]
    if _OF_CHANGE.search(sentence):
        known += changes_of_labels(grounds.columns, grounds.dates)
    # What is never below zero, such as kelvins and areas, tells no sign where something else does.
    known = [c for c in known if min(c.numbers.values()) < 0] or known
    found = []
    for column in known:
        named = labels_in(sentence, [column])
        own = {label for label in column.numbers if any(column.is_under(label, each) for each in named)}
        if wanted is None and (not own or is_negated(sentence, match.start())):
            continue
        if all_but:
            numbers = [n for label, n in column.numbers.items() if label not in own]
        else:
            numbers = [n for label, n in column.numbers.items() if wanted is not None or label in own]
        if only and own:
            inside = {label for label, n in column.numbers.items() if n * said > 0}
            found.append(Verdict(inside == own, f"{len(inside)} of {len(column.numbers)} are {_name(said)}"))
            continue
        count = sum(n * said > 0 for n in numbers)
        true = wanted(count, len(numbers)) if wanted is not None and not all_but else count == len(numbers)
        held = (
            f"{count} of {len(numbers)} are {_name(said)}" if len(numbers) > 1 else f"it is {numbers[0]:.6g}"
        )
        found.append(Verdict(true, held, count))
    # Which of several columns it is of is not known: one that bears it out is enough.
    yield from [next((verdict for verdict in found if verdict.true), found[0])] if found else []


def _name(sign: int) -> str:
    return "positive" if sign > 0 else "negative"
