"""What a question names and nobody knows, or is not there, or has no limit of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treeline.core.query.checks import is_rate
from treeline.core.query.dates import find_no_days
from treeline.core.query.expression import Variable
from treeline.core.query.grammar.availability import THERE
from treeline.core.query.names import Names
from treeline.core.query.phrases.counts import Unit
from treeline.core.query.phrases.phrase import MissingVariable, Word
from treeline.core.query.phrases.places import Definition
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Stat
from treeline.core.query.slots import leaves
from treeline.core.query.titles import short_title
from treeline.core.query.tokens import Token


def find_unknown_words(tokens: Sequence[Token]) -> list[Token]:
    """Return the words that nothing is known of, of variables that are not there, of dates left unnamed."""
    named = sum(any(isinstance(m, Time) for m in t.meanings) for t in tokens)
    return [
        t
        for t in tokens
        if t.kind == "unknown"
        or any(isinstance(m, MissingVariable) for m in t.meanings)
        or named < _FEWEST_TO_CHOOSE
        and any(isinstance(m, Unit) and m.these for m in t.meanings)
    ]


# "Which of these dates" needs them named.
_FEWEST_TO_CHOOSE = 2


def asks_whether_there(tokens: Sequence[Token], lacking: Sequence[Token]) -> bool:
    """Return whether it may be asked if what is lacking is there: no is an answer then."""
    asked = any(meaning in THERE for token in tokens for meaning in token.meanings)
    return asked and all(any(isinstance(m, MissingVariable) and m.role for m in t.meanings) for t in lacking)


def describe_undefined(tokens: Sequence[Token], names: Names) -> tuple[str, ...]:
    """Return what would settle words for ground that no class bears, days that are none, a total of rates."""
    text = " ".join(token.text for token in tokens)
    notes = [f"There is no {day}." for day in find_no_days(re.sub(r"(?<=\d) - (?=\d)", "-", text))]
    classes = [name for ground in names.units() if ground.noun == "class" for name in ground.names]
    there = f"; the classes are {', '.join(classes)}" if classes else ""
    for token in tokens:
        defined = [meaning for meaning in token.meanings if isinstance(meaning, Definition)]
        if defined and len(defined) == len(token.meanings):
            index, sign = short_title(defined[0].roles[0]), ">" if defined[0].sign == "gt" else "<"
            notes.append(
                f"No class here is {token.text!r}{there}. Give a limit: '{token.text} ({index} {sign} ...)'."
            )
        if Word("heat_island") in token.meanings:
            notes.append("A heat island is how much warmer the built-up ground is than another: name both.")
        if Word("burned") in token.meanings:
            notes.append("By how much the burn ratio must fall is not said: ask where 'dNBR above 0.27'.")
        if Word("trimmed") in token.meanings:
            notes.append(f"How much is cut off at each end is not said: ask for the '10 % {token.text}'.")
    meanings = [meaning for token in tokens for meaning in token.meanings]
    rate = next((leaf for meaning in meanings for leaf in leaves(meaning) if is_rate(leaf)), None)
    if (
        isinstance(rate, Variable)
        and not rate.periods
        and any(isinstance(m, Stat) and m.statistic == "sum" for m in meanings)
    ):
        notes.append(
            f"{short_title(rate.role).capitalize()} is a rate here ({rate.unit}), and rates make no total: "
            "ask for the mean, and take it times the days, hours or months that are meant."
        )
    return tuple(notes)


def describe_missing(lacking: Sequence[Token]) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return which variables are not there and that dates must be named, in sentences; and (word, role)."""
    absent = [(t.text, m) for t in lacking for m in t.meanings if isinstance(m, MissingVariable)]
    notes = tuple(
        f"There is no {title} here, and it cannot be made from what there is."
        for title in dict.fromkeys(m.title for _, m in absent)
    )
    if any(isinstance(m, Unit) and m.these for t in lacking for m in t.meanings):
        notes += ("Name the dates that are meant.",)
    return notes, tuple((word, m.role) for word, m in absent)
