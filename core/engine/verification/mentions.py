"""The numbers of a clause beside the dates, classes and zones that it names: which belongs to which."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from treeline.core.engine.verification.claims import Claim, claims_in, dates_in
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.labels import places_of_labels
from treeline.core.engine.verification.notation import in_plain_digits

_TWO = 2
# What has no other name than that of the year, or of the image, before.
_A_YEAR_BEFORE = (
    r"(?:(?:in|on|at|that of) )?(?:an?|the|its|their) (?:one )?(?:\w+ )?"
    r"(?:counterpart|equivalent|predecessor|forerunner|year (?:before|earlier)|"
    r"(?:previous|preceding|prior) \w+)"
)
# What stands beside such words is of more, or of others, than the clause names.
OF_OTHERS = re.compile(
    r"\b(?:others?|rest|remain\w*|elsewhere|overall|total|all|whole|each|every|both|combined|together|sum|"
    rf"against|compared|versus|vs|followed by|twice|double|triple|"
    rf"than(?! (?:about |some )?[-\d]| {_A_YEAR_BEFORE}))\b",
    re.I,
)
_AGAINST = re.compile(r"\b(?:against|compared|versus|vs|followed by|twice|double|triple)\b", re.I)
# Between a number and what it is of; between several that it is of.
_JOINS = re.compile(
    r"\s*[^\s\d,;]{0,4}\s*(?:\b(?:on|in|for|at)\s+(?:the\s+)?|\()|\s*[^\s\d,;%]{1,4}\s+of\s+(?:the\s+)?", re.I
)
_NAMES = re.compile(
    r"s?\s*(?:[:=]|(?:has|had|have|is|was|are|were|with|reach(?:es|ed)|shows?|showed)\b"
    r"(?: (?:at|an?|the|its|about|around|only|just|mean|average|of))*)?\s*[-+\u2212]?",
    re.I,
)
_LISTS = re.compile(r"\s*(?:,|and|or|to|until|[-\u2013])\s*(?:in\s+|on\s+)?", re.I)
_TO = re.compile(r"\s*(?:to|until|till|through|[-\u2013])\s*")
_BUT = re.compile(r"\b(?:but|while|whereas|although|though)\b", re.I)
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_BRACKET = re.compile(r"[^()\d]*\([^()\d]*")
_FROM_TO = re.compile(
    r"[-+\u2212]?\d[\d.,]*\s?\S{0,4} ?(?:to|\u2192|->|\u2013) ?[-+\u2212]?\d[\d.,]*\s?\S{0,4}"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A label, or else a number, where it stands in a clause."""

    place: int
    label: str = ""
    claim: Claim | None = None


def in_digits(text: str) -> str:
    """Return a text with its numbers in plain digits, and its dates as they stand."""
    plain = in_plain_digits(text)
    for date in sorted(dates_in(text), key=len, reverse=True):  # a day before the month that it begins with
        plain = plain.replace(date.replace("-", "\u2013"), date)
    return plain


def mentions_in(clause: str, columns: Sequence[Column]) -> list[Mention]:
    """Return the labels and the numbers of a clause, in the order in which they stand."""
    found = [Mention(place, label) for label, place in places_of_labels(clause, columns).items()]
    end = 0
    for claim in claims_in(clause):
        match = re.compile(rf"(?<![\w.]){re.escape(claim.text)}(?!\d)").search(clause, end)
        if match is not None:
            end = match.end()
            found.append(Mention(match.start(), claim=claim))
    return sorted(found, key=lambda mention: mention.place)


def labels_beside(mention: Mention, mentions: Sequence[Mention], clause: str) -> frozenset[str]:
    """Return the labels that a number stands beside: its own of several, else all of its clause."""
    found: set[str] = set()
    for dated in (True, False):
        labels = [each for each in mentions if each.label and bool(dates_in(each.label)) is dated]
        numbers = [each for each in mentions if each.claim is not None]
        before = [each for each in labels if each.place < mention.place]
        if joined := label_beside(mention, labels, clause):
            found.add(joined)
        elif before and is_alone_in_bracket(mention, before[-1], numbers, clause):
            found.add(before[-1].label)
        elif len(labels) == len(numbers) > 1 and _in_order(labels, numbers) and not _are_ends(labels, clause):
            found.add(labels[numbers.index(mention)].label)
        elif not _is_behind_another(mention, labels, _plainly_told(numbers, clause), clause):
            found |= {each.label for each in _on_its_side(mention, labels, clause)}
    return frozenset(found)


def without_wider(said: frozenset[str]) -> frozenset[str]:
    """Return labels without the years and months in which a day that is said as well lies."""
    wider = {a for a in said for b in said if dates_in(a) and a != b and b.startswith(a)}
    return said - wider


def label_beside(mention: Mention, labels: Sequence[Mention], clause: str) -> str:
    """Return the label right before or behind a number: "forest 0.72", "301.7 K on 2022-06-15"."""
    if mention.claim is None:
        return ""
    end = clause.find(mention.claim.text, mention.place) + len(mention.claim.text)
    before = [each for each in labels if each.place < mention.place]
    behind = [each for each in labels if each.place >= end]
    if not behind or not _JOINS.fullmatch(clause, end, behind[0].place):
        end = before[-1].place + len(before[-1].label) if before else 0
        paired = before and clause[: before[-1].place].endswith("(") and clause[end : mention.place] == ", "
        beside = before and (paired or _NAMES.fullmatch(clause, end, mention.place))
        return before[-1].label if beside else ""
    stop = behind[0].place + len(behind[0].label)
    listed = any(_LISTS.fullmatch(clause, stop, each.place) for each in behind[1:2])
    return "" if listed else behind[0].label


def _on_its_side(mention: Mention, labels: Sequence[Mention], clause: str) -> list[Mention]:
    """Return the labels that a number is told of: of two sides that are compared those of its own.

    Beside other words of others it is told of none.
    """
    # What stands in brackets says nothing of what does not, where that has a label of its own.
    brackets = [match.span() for match in _IN_BRACKETS.finditer(clause)]
    apart = [(start, end) for start, end in brackets if not start < mention.place < end]

    def is_aside(place: int) -> bool:
        return any(start < place < end for start, end in apart)

    labels = [each for each in labels if not is_aside(each.place)] or labels
    others = [match for match in OF_OTHERS.finditer(clause) if not is_aside(match.start())]
    if not others:
        return list(labels)
    turn = others[0].start()
    if len(others) > 1 or not _AGAINST.match(clause, turn) or "(" in clause[: mention.place]:
        return []
    return [each for each in labels if (each.place < turn) == (mention.place < turn)]


def _plainly_told(numbers: Sequence[Mention], clause: str) -> list[Mention]:
    """Return the numbers that are told for themselves: no limit, and none in brackets behind another one."""
    depths = itertools.accumulate((sign == "(") - (sign == ")") for sign in clause)
    inside = [place for place, depth in enumerate(depths) if depth > 0]
    return [each for each in numbers if not (each.claim and each.claim.limit) and each.place not in inside]


def _is_behind_another(
    mention: Mention, labels: Sequence[Mention], numbers: Sequence[Mention], clause: str
) -> bool:
    """Return whether the only label stands behind a later number: "from 0.5 to 0.4, and to 0.6 in 2017".

    So it does, whatever there are, behind a number that is set against it: "34 days, but 185 from May on".
    """
    if any(
        mention.place < other.place < min((each.place for each in labels), default=0)
        and _BUT.search(clause, mention.place, other.place)
        for other in numbers
    ):
        return True
    if len(labels) != 1 or len(numbers) <= _TWO:
        return False
    return any(mention.place < other.place < labels[0].place for other in numbers)


def is_alone_in_bracket(mention: Mention, label: Mention, numbers: Sequence[Mention], clause: str) -> bool:
    """Return whether a number stands in brackets behind a label, and no other with it."""
    end = clause.find(")", mention.place)
    between = clause[label.place + len(label.label) : mention.place]
    inside = clause[clause.rfind("(", 0, mention.place) + 1 : end]
    if _FROM_TO.fullmatch(inside) is not None:  # from so much to so much
        return _BRACKET.match(between) is not None
    alone = not any(mention.place < other.place < end for other in numbers)
    return alone and _BRACKET.fullmatch(between) is not None


def _are_ends(labels: Sequence[Mention], clause: str) -> bool:
    """Return whether two dates are the ends of one time, and none of them has a number of its own."""
    if len(labels) != _TWO or not all(dates_in(each.label) for each in labels):
        return False
    one, other = labels
    return _TO.fullmatch(clause, one.place + len(one.label), other.place) is not None


def _in_order(labels: Sequence[Mention], numbers: Sequence[Mention]) -> bool:
    """Return whether labels and numbers alternate, or all of the one stand before all of the other."""
    if len({label.place for label in labels}) < len(labels):  # of a kind it is not told which comes first
        return False
    pairs = list(zip(labels, numbers, strict=True))
    before = [label.place < number.place for label, number in pairs]
    if labels[-1].place < numbers[0].place or numbers[-1].place < labels[0].place:
        return True
    one, other = (labels, numbers) if before[0] else (numbers, labels)
    merged = [each.place for pair in zip(one, other, strict=True) for each in pair]
    return merged == sorted(merged)
