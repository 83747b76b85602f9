"""Ways to read a question: as it stands, in other orders, without what it says twice, as several."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from treeline.core.query.agreement import keep_agreeing
from treeline.core.query.chart import Chart, TooAmbiguous, fill_chart
from treeline.core.query.ellipsis import (
    change_question,
)
from treeline.core.query.expression import (
    Combine,
    Dates,
    Node,
    Several,
    When,
    Which,
)
from treeline.core.query.lexer import ASIDE
from treeline.core.query.names import Names
from treeline.core.query.passing_limits import with_dates_that_pass
from treeline.core.query.phrases.answers import Target
from treeline.core.query.phrases.counts import Unit
from treeline.core.query.phrases.courses import Course
from treeline.core.query.phrases.phrase import Join, Pair, Phrase
from treeline.core.query.phrases.places import Location, Mask
from treeline.core.query.phrases.times import Clouds, DayOfYear, Time, TimeModifier
from treeline.core.query.phrases.values import Along, Anaphor, Raw, Stat, StatPair
from treeline.core.query.repetition import says, says_each, split_gloss, split_modifiers
from treeline.core.query.sentences import (
    apart,
    move_request_to_front,
    read_several,
    split_at_comma,
    with_comparison_last,
    with_excess,
    with_limit_of_both,
    with_minus,
    with_order_first,
    with_than_last,
    with_unit_last,
    with_variable_of_both,
    without_pauses,
)
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token, content
from treeline.core.query.weighing import best, expressions_in


def read_alone(
    question: str, tokens: Sequence[Token], names: Names, chart: Chart | None = None, repeats: bool = True
) -> list[Node]:
    """Return the readings of a question by itself, first as it stands and then in other orders.

    With `repeats`, it may also say something twice: it is then read without that, in any order.
    """
    chart = chart or fill_chart(tokens, names)
    found = _under_heading(question, tokens, names)
    if not found:
        found = _in_full([] if _has_aside(tokens) else best(expressions_in(chart)), tokens, names)
    if repeats and (not found or any(token.kind == "close" for token in tokens)):
        found = _without_gloss(question, tokens, names) or found
    if not found and not _has_aside(tokens):
        found = _read_in_other_order(question, tokens, names)
    if not found and repeats and not _has_aside(tokens):
        found = _without_repetition(question, tokens, names)
    return found


def read_apart(
    question: str, tokens: Sequence[Token], names: Names, front: Sequence[Token] = ()
) -> list[Node]:
    """Return the readings of a question as several."""
    return read_several(question, tokens, lambda part, former: _read_part(part, former, names), front)


def _read_part(tokens: Sequence[Token], former: Node | None, names: Names) -> list[Node]:
    """Return the readings of one of several questions, after the one before."""
    # What stands in brackets is rather a gloss: "when was it greenest (by mean NDVI)" asks for a date.
    for rest, inside in (*split_gloss(tokens), *(() if _has_aside(tokens) else ((tokens, []),))):
        try:
            chart = fill_chart(rest, names)
        except TooAmbiguous:
            continue
        refers = any(isinstance(phrase, Anaphor | Course) for _, phrase in chart.whole.values())
        read = with_dates_that_pass(best(expressions_in(chart)), tokens)
        found = [] if refers else keep_agreeing(read, tokens)
        # "Are all pixels above 200 m" is a question of its own, and no ground for the one before.
        if not found and former is not None and (refers or not _asks_whether(rest)):
            found = change_question(former, chart, rest)
        if found := _that_say(found, inside, names) if inside else found:
            return found
    return []


def _has_aside(tokens: Sequence[Token]) -> bool:
    """Return whether something is told in other words, which may not add to what is asked."""
    return any(token.text == ASIDE for token in tokens)


def _asks_whether(tokens: Sequence[Token]) -> bool:
    """Return whether a part begins as a question that is answered with yes or no."""
    return bool(tokens) and tokens[0].text.split()[0] in ("is", "are", "was", "were", "did", "does", "do")


def _without_gloss(question: str, tokens: Sequence[Token], names: Names) -> list[Node]:
    """Return the readings of a question that say by themselves what stands in its brackets."""
    for rest, inside in split_gloss(tokens):
        units, said = _units_apart(inside)
        asked = [*rest, *units]
        read = read_alone(question, asked, names, repeats=False)
        read = read or _without_repetition(question, asked, names)
        if found := keep_agreeing(_that_say(read, said, names), tokens):
            return found
    return []


def _under_heading(question: str, tokens: Sequence[Token], names: Names) -> list[Node]:
    """Return the readings of what a heading stands before, if they say what it does.

    "TEMPERATURE: which region was hottest" is of temperature anyway.
    """
    colon = question.find(": ")
    heading = [token for token in tokens if token.end <= colon]
    rest = [token for token in tokens if token.start > colon]
    if not heading or not rest or not all(any(isinstance(m, Raw) for m in t.meanings) for t in heading):
        return []
    return _that_say(best(expressions_in(fill_chart(rest, names))), heading, names)


def _units_apart(inside: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """Return the unit that stands in brackets beside something else, and the rest: "(LST in °C)"."""
    units = [token for token in inside if any(isinstance(m, Target) for m in token.meanings)]
    rest = [token for token in inside if token not in units]
    return (units, rest) if len(units) == 1 and content(rest) else ([], list(inside))


def _that_say(read: list[Node], inside: Sequence[Token], names: Names) -> list[Node]:
    """Return those of some readings that say by themselves what stands in brackets."""
    if not read:
        return []
    glosses = [phrase for _, phrase in fill_chart(inside, names).whole.values()]
    found = [n for n in read if any(says(n, gloss) for gloss in glosses) or says_each(n, inside)]
    parts = apart(inside)
    if found or len(parts) == 1:
        return found
    for part in parts:
        read = _that_say(read, part, names)
    return read


def _without_repetition(question: str, tokens: Sequence[Token], names: Names) -> list[Node]:
    """Return the readings of a question that say by themselves what one or two of its modifiers do."""
    for rest, modifiers in split_modifiers(tokens):
        read = read_alone(question, rest, names, repeats=False)
        found = [n for n in read if all(any(says(n, one) for one in meant) for meant in modifiers)]
        if found:
            return found
    return []


def _read_in_other_order(question: str, tokens: Sequence[Token], names: Names) -> list[Node]:
    """Return the readings of a question in another order: as if when, where and for what were told last.

    A time or ground may be told first or in between, and what is asked for at the end.
    """
    if found := _with_insertion(tokens, names):
        return found
    if exceeds := with_excess(tokens):
        return _read_in_other_order(question, exceeds, names) or best(
            expressions_in(fill_chart(exceeds, names))
        )
    front, rest = split_at_comma(tokens)
    if front and _compares_dates_with_a_day(rest):
        return []  # "in 2016, which date was greener than 14 August": the year is not that day's alone
    if _find_leading_phrases(tokens, names):
        return _in_full(read_apart(question, rest, names, front), tokens, names)
    both = with_variable_of_both(tokens)
    for turned in (
        move_request_to_front(question, tokens),
        with_order_first(tokens),
        with_unit_last(tokens),
        with_than_last(tokens),
        with_limit_of_both(tokens),
        both,
        with_comparison_last(both or tokens),
    ):
        if turned and (found := best(expressions_in(fill_chart(turned, names)))):
            return found
    negatives = best(expressions_in(fill_chart(with_minus(tokens), names)))
    return [_negative(node) for node in negatives if isinstance(node, Combine) and node.how == "difference"]


def _compares_dates_with_a_day(tokens: Sequence[Token]) -> bool:
    """Return whether dates are looked for that are set against a day without a year."""
    dates = [t.start for t in tokens if any(isinstance(m, Unit) and m.of == "date" for m in t.meanings)]
    days = [t.start for t in tokens if any(isinstance(m, DayOfYear) for m in t.meanings)]
    than = [t.start for t in tokens if Join("than") in t.meanings]
    return bool(dates and days and than) and min(than) < max(days)


def _negative(difference: Combine) -> Node:
    return replace(difference, left=difference.right, right=difference.left)


def _with_insertion(tokens: Sequence[Token], names: Names) -> list[Node]:
    """Return the readings of a question that tells between two commas when, where or in which unit.

    "The range of NDVI, highest minus lowest": or in other words what is asked.
    """
    if any(token.text == "and" for token in tokens):
        return []  # what stands between commas may be said of the one, and not of the other
    for before, inside, after in without_pauses(tokens):
        meant = [phrase for _, phrase in fill_chart(inside, names).whole.values()]
        gloss = any(isinstance(phrase, StatPair) for phrase in meant)
        if not gloss and not any(isinstance(phrase, _INSERTED) for phrase in meant):
            continue
        joined = [] if gloss else best(expressions_in(fill_chart([*before, *inside, *after], names)))
        if joined:
            return joined
        if found := _that_say(best(expressions_in(fill_chart([*before, *after], names))), inside, names):
            return found
    return []


_INSERTED = (Along, Clouds, Stat, Target, Time)


def _find_leading_phrases(tokens: Sequence[Token], names: Names) -> set[Phrase]:
    """Return the times and grounds that what stands before the first comma may be."""
    return {p for _, p in fill_chart(split_at_comma(tokens)[0], names).whole.values() if _is_adverbial(p)}


def _in_full(found: list[Node], tokens: Sequence[Token], names: Names) -> list[Node]:
    """Return readings in which what is told first, before a comma, is said of each of several things.

    What is asked of a date or ground that was found is asked within it anyway, and so is the lead of the
    higher of two.
    """
    several = [node for node in found if isinstance(node, Several)]
    said = _find_leading_phrases(tokens, names) if several else set()

    tables = [which.of for node in several for which in node.walk() if isinstance(which, Which)]

    def holds(part: Node) -> bool:
        sought = any(isinstance(one, Which | Dates) for one in part.walk())
        of_tables = getattr(part, "of", None) in tables
        return sought or of_tables or any(says(part, one) or _is_within(part, one) for one in said)

    return [node for node in found if node not in several or not said or all(map(holds, node.of))]


def _is_within(part: Node, said: Phrase) -> bool:
    """Return whether all that has a date lies in a time: July 2021 in 2021."""
    if not isinstance(said, Time) or len(said.when.spans) != 1 or said.when != When(said.when.spans):
        return False
    (span,) = said.when.spans
    first, last = span.first or dt.date.min, span.last or dt.date.max
    whens = [leaf.when for leaf in leaves(part) if not getattr(leaf, "timeless", False)]
    spans = [one for when in whens for one in when.spans]
    if not all(when.spans for when in whens):
        return False
    return all(one.first and one.last and first <= one.first and one.last <= last for one in spans)


def _is_adverbial(phrase: Phrase) -> bool:
    """Return whether a meaning is a time, ground or unit, or two of them, and not what is asked for."""
    sides = (phrase.left, phrase.right) if isinstance(phrase, Pair) else (phrase,)
    return all(isinstance(side, Clouds | Location | Mask | Target | Time | TimeModifier) for side in sides)
