"""The one entry: a question in words becomes an expression, several between which is asked, or none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from treeline.core.query.agreement import keep_agreeing
from treeline.core.query.background import Span, background, stories
from treeline.core.query.called_ground import with_limit_beside, with_usual_limits
from treeline.core.query.canonical import with_units_of_limits
from treeline.core.query.chart import Chart, TooAmbiguous, fill_chart
from treeline.core.query.checks import (
    absences,
    on_nearest_dates,
)
from treeline.core.query.clouds import assume_clouds, says_they_stay
from treeline.core.query.demands import leaves_its_variable_out
from treeline.core.query.directions import with_both_directions
from treeline.core.query.ellipsis import (
    as_asked,
    at_its_time,
    change_question,
    ends_of_what_is_not_there,
    fill_in,
    go_on,
    points_back,
    without_lead,
)
from treeline.core.query.expression import (
    Aggregate,
    Cloud,
    Combine,
    Correlation,
    Dates,
    Node,
    Not,
    Place,
    Several,
    Show,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.followup import is_fragment
from treeline.core.query.grammar.conditions import sole_greenness
from treeline.core.query.grammar.groups import ground_of_all_zones
from treeline.core.query.inventory import Inventory
from treeline.core.query.lacking import (
    asks_whether_there,
    describe_missing,
    describe_undefined,
    find_unknown_words,
)
from treeline.core.query.lexer import ASIDE, LONGEST, tokens_of
from treeline.core.query.names import Names, names_of
from treeline.core.query.offers import nearest
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.passing_limits import with_dates_that_pass
from treeline.core.query.phrases.answers import Target
from treeline.core.query.phrases.counts import Unit
from treeline.core.query.phrases.courses import Course
from treeline.core.query.phrases.phrase import Join, Pair, Phrase, Word
from treeline.core.query.phrases.places import Location, Mask
from treeline.core.query.phrases.times import Clouds, DayOfYear, Time, TimeModifier
from treeline.core.query.phrases.values import Along, Anaphor, Raw, Stat, StatPair
from treeline.core.query.repetition import says, says_each, split_gloss, split_modifiers
from treeline.core.query.rewordings import near_wordings, other_wordings
from treeline.core.query.rewriting import rewrite
from treeline.core.query.sayings import CannotSay
from treeline.core.query.scopes import (
    of_crossings,
    over_the_zones_named,
    with_each_time,
    with_its_zones,
    with_other_scopes,
)
from treeline.core.query.sentences import (
    apart,
    bind,
    move_request_to_front,
    read_several,
    share_time_in_a_list,
    split_at_comma,
    split_brackets,
    with_comparison_last,
    with_excess,
    with_limit_of_both,
    with_minus,
    with_order_first,
    with_sole_variable,
    with_than_last,
    with_unit_last,
    with_variable_of_both,
    without_pauses,
)
from treeline.core.query.shared_limits import with_limits_of_both
from treeline.core.query.slots import as_conditions, leaves, rebuild
from treeline.core.query.spare_words import is_spare, without_spare_words
from treeline.core.query.tokens import Token, content
from treeline.core.query.weighing import best, expressions_in, is_sound, is_well_typed

UNKNOWN = "unknown"
_SILENT = ("filler", "open", "close", "background")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question was read as.

    Attributes
    ----------
    question : str
    status : str
        ``read``: one expression; ``asks``: several that differ; ``declined``: none.
    words : tuple of (text, entry, kind)
        Each token with what it was taken for.
    expressions : tuple of Node
        The best first.
    uncovered : tuple of str
        Words that no reading covers.
    notes : tuple of str
        Repairs of spelling, what is not there, what was set aside.
    offers : tuple of (paraphrase, expression)
        Questions near to this one that can be answered.
    missing : tuple of (word, role)
        Those of the uncovered words that are understood, but whose variable is not there.
    reworded : bool
        It was read in other words than its own.
    """

    question: str
    status: str
    words: tuple[tuple[str, str, str], ...] = ()
    expressions: tuple[Node, ...] = ()
    uncovered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    offers: tuple[tuple[str, Node], ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    reworded: bool = False

    @property
    def expression(self) -> Node | None:
        """The expression, where there is just one."""
        return self.expressions[0] if self.status == "read" else None

    @property
    def left_out(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The uncovered words that are not known, and those that are known but fit nowhere.

        Words that stand together are told together; what is understood but not there is in neither.
        """
        open_words = [word for word in self.uncovered if word not in dict(self.missing)]
        told = [(text, entry == UNKNOWN) for text, entry, _ in self.words if entry not in _SILENT]
        told += [(word, True) for word in open_words if word not in {text for text, _ in told}]
        parts = groupby(told, lambda word: (word[0] in open_words, word[1]))
        # A phrase that stands for several words is told once.
        joined = [
            (unknown, " ".join(text for text, _ in groupby(text for text, _ in words)))
            for (left, unknown), words in parts
            if left
        ]
        unknown_parts = dict.fromkeys(text for unknown, text in joined if unknown)
        return tuple(unknown_parts), tuple(dict.fromkeys(text for unknown, text in joined if not unknown))


def read(question: str, inventory: Inventory, after: Node | None = None) -> Reading:
    """Read a question that is asked of a workspace.

    Parameters
    ----------
    question : str
    inventory : Inventory
        What the workspace holds by name.
    after : Node, optional
        The expression of the question before, which a fragment changes.
    """
    names = names_of(inventory)
    tokens = tokens_of(question, names) if len(question) <= LONGEST else []
    if after is None and leaves_its_variable_out(tokens):
        names = replace(names, bare_limits=True)
    opening = background(question, tokens)
    # What is set aside: greetings, and what is told before the question where it is not read otherwise.
    asides = [[opening]]
    found = _read(question, tokens, names, after, [opening])
    if found.status == "declined" and (told := stories(question, tokens, opening.end)):
        asides.append([opening, *told])
        found = _read(question, tokens, names, after, asides[-1])
    if found.status == "declined" and not found.missing:
        found = _in_other_words(question, tokens, names, after) or found
    if found.status == "declined" and not found.missing and after is None:
        found = _without_spare_words(question, tokens, names) or found
    if found.status == "declined":
        refusals = [_read(question, tokens, names, after, aside, helps=True) for aside in asides]
        found = min(refusals, key=lambda refusal: len(refusal.uncovered))
        # What leaves words out says less of what was asked.
        found = replace(found, offers=_near_to(question, names, after) or found.offers)
    if _says_what_clouds_do(tokens) or (after is not None and says_they_stay(after, inventory)):
        return found

    def assume(node: Node) -> Node:
        return assume_clouds(node, inventory)

    return replace(
        found,
        expressions=tuple(map(assume, found.expressions)),
        offers=tuple((said, assume(node)) for said, node in found.offers),
    )


def _in_other_words(
    question: str, tokens: Sequence[Token], names: Names, after: Node | None
) -> Reading | None:
    """Return the reading of a question that is only read in other words, which it tells."""
    named = any(isinstance(leaf, Variable) for token in tokens for m in token.meanings for leaf in leaves(m))
    sole = sole_greenness(names)
    # "The scene mean" is that of a date, unless ground is named that it may be set against.
    grounded = any(
        isinstance(m, Mask) and isinstance(m.node, Place) for token in tokens for m in token.meanings
    )
    index = None if grounded else "" if named else None if sole is None else sole.role.upper()
    for other in other_wordings(question, index):
        said = tokens_of(other.question, names)
        if after is None:  # in other words it may name the variable that it left out
            names = replace(names, bare_limits=leaves_its_variable_out(said))
        found = _read(other.question, said, names, after, [background(other.question, said)])
        if found.status != "declined":
            told = _tell_changes(other.changes, question)
            return replace(found, question=question, notes=(*found.notes, *told), reworded=True)
    return None


def _without_spare_words(question: str, tokens: Sequence[Token], names: Names) -> Reading | None:
    """Return the reading of a question without words that add nothing to it, which it tells."""
    if len(question) > LONGEST:
        return None
    opening = background(question, tokens)
    asked = [token for token in tokens if not opening.holds(token)]

    def readable(kept: Sequence[Token]) -> list[Node]:
        try:
            return keep_agreeing(best(expressions_in(fill_chart(kept, names))), asked)
        except TooAmbiguous:
            return []

    ways = []
    for kept, left in without_spare_words(bind(question, asked), readable):
        found = _read(question, kept, names, None, [])
        if found.status != "declined" and all(is_spare(t, node) for t in left for node in found.expressions):
            told = " ".join(token.text for token in left)
            note = f"Passed over, as it adds nothing: \u201c{told}\u201d."
            ways.append(replace(found, notes=(*found.notes, note), reworded=True))
    if not ways:
        return None
    return _settle(ways[0], list(dict.fromkeys(node for way in ways for node in way.expressions)), names)


def _near_to(question: str, names: Names, after: Node | None) -> tuple[tuple[str, Node], ...]:
    """Return what is near to a question in words that do not mean the same, as it is offered."""
    for other in near_wordings(question):
        said = tokens_of(other, names)
        found = _read(other, said, names, after, [background(other, said)])
        if found.expressions:
            return _offers_of(found.expressions[:1], names)
    return ()


def _tell_changes(changes: Sequence[tuple[str, str]], question: str) -> tuple[str, ...]:
    """Say which words were taken for which; of a whole question only what it was read as at last."""
    notes: list[str] = []
    for told, meant in changes:
        whole = 2 * len(told) > len(question)
        if whole:
            notes = [f"Read as \u201c{meant}\u201d."]
        elif meant:
            notes.append(f"\u201c{told.strip()}\u201d is read as \u201c{meant.strip()}\u201d.")
    return tuple(notes)


# What says of clouds that they stay in, so that nothing is left to assume.
def _says_what_clouds_do(tokens: Sequence[Token]) -> bool:
    """Return whether a question says that clouds count: "clouds included", "leave the clouds in"."""
    meant = {meaning for token in tokens for meaning in token.meanings}
    return not meant.isdisjoint(_CLOUDS_SAID) or meant >= _LEAVE_CLOUDS


_CLOUDS_SAID = (Clouds("included"), Word("with_and_without_clouds"), Word("without_and_with_clouds"))
# Of these words with "out", an expression says by itself that clouds do not count.
_LEAVE_CLOUDS = {Word("leave"), Mask(Cloud())}


def _read(
    question: str,
    tokens: Sequence[Token],
    names: Names,
    after: Node | None,
    aside: Sequence[Span],
    *,
    helps: bool = False,
) -> Reading:
    """Return what a question is read as; a refusal says what would be read only where it is to help."""
    if len(question) > LONGEST:
        note = f"The question has {len(question):,} characters; up to {LONGEST:,} are read."
        return Reading(question[:200], "declined", notes=(note,))
    passed = [token for token in tokens if any(span.holds(token) for span in aside)]
    words = tuple((t.text, "background" if t in passed else _entry(t), t.kind) for t in tokens)
    tokens = [token for token in tokens if token not in passed]
    notes = tuple(
        f"{told!r} is read as {meant!r}."
        for token in tokens
        if token.repaired
        for told, meant in zip(token.text.split(), token.repaired.split(), strict=False)
        if told != meant
    )
    for start, end in aside:
        said = question[start:end].strip(" :,.!-").removesuffix(" but").removesuffix(" so").rstrip(" ,")
        if " " in said:  # a greeting need not be said again
            notes += (f"Set aside: \u201c{said}\u201d.",)
    bare_tokens, leads = without_lead(tokens)
    if after is not None:
        tokens = ends_of_what_is_not_there(bare_tokens)
    reading = Reading(question, "declined", words, notes=notes)
    lacking = find_unknown_words(tokens)
    absent, missing = describe_missing(lacking)
    refusal = replace(reading, notes=(*reading.notes, *absent), missing=missing)
    if lacking and not asks_whether_there(tokens, lacking):
        return _decline(refusal, tokens, names) if helps else refusal
    tokens = bind(question, tokens)
    alone = after is None or not points_back(tokens)
    asked = partial(as_asked, names=names, ask=lambda said: read(said, names.inventory).expression)
    try:
        chart = fill_chart(tokens, names)
        found = asked(go_on(after, chart, tokens, names, leads)) if after is not None else []
        if not found and alone:
            found = _read_alone(question, tokens, names, chart)
            if after is not None:
                found = [*asked(at_its_time(after, chart, found)), *found]
            elif not found and (told := with_sole_variable(tokens, names)):
                found = best(expressions_in(fill_chart(told, names)))
        found = of_crossings(with_dates_that_pass(found, tokens), tokens)
        found = keep_agreeing(filter(is_well_typed, found), tokens)
    except TooAmbiguous as error:
        return replace(reading, notes=(*notes, str(error)))
    if not found and after is not None:
        found = asked(change_question(after, chart, tokens) or fill_in(after, tokens, names))
    if not found and alone:
        found = [node for node in _apart(question, tokens, names) if is_sound(node)]
    if not split_brackets(tokens):  # what stands in brackets of its own agrees with its own words
        found = keep_agreeing(filter(is_well_typed, found), tokens)
    if not found and alone and (limited := with_limit_beside(tokens) or with_usual_limits(tokens, names)):
        return _read(question, limited, names, after, aside, helps=helps)
    if not found:
        bare = fill_chart(bare_tokens, names) if leads and after is None else chart
        if after is None and any(is_fragment(phrase) for _, phrase in bare.whole.values()):
            refusal = replace(refusal, notes=(*refusal.notes, _NO_QUESTION_BEFORE))
        if not alone:
            refusal = replace(refusal, notes=(*refusal.notes, _POINTS_NOWHERE))
        refusal = replace(refusal, notes=(*refusal.notes, *describe_undefined(tokens, names)))
        return _decline(refusal, tokens, names) if helps else refusal
    shared = with_limits_of_both((share_time_in_a_list(node, tokens) for node in found), tokens)
    shared = with_each_time(with_other_scopes(over_the_zones_named(shared, tokens), tokens), tokens)
    shared = with_its_zones(with_both_directions(shared, tokens), names)
    # What was said of one part and holds for another need not fit that one.
    shared = list(filter(is_well_typed, map(with_units_of_limits, shared)))
    if not shared:
        return _decline(refusal, tokens, names) if helps else refusal
    return _settle(reading, list(dict.fromkeys(shared)), names)


def _read_alone(
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
        read = _read_alone(question, asked, names, repeats=False)
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
        read = _read_alone(question, rest, names, repeats=False)
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
        return _in_full(_apart(question, rest, names, front), tokens, names)
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


def _apart(question: str, tokens: Sequence[Token], names: Names, front: Sequence[Token] = ()) -> list[Node]:
    """Return the readings of a question as several."""
    return read_several(question, tokens, lambda part, former: _read_part(part, former, names), front)


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


_POINTS_NOWHERE = "What it is asked of in the question before is not clear: name what is meant."
_NO_QUESTION_BEFORE = "That changes a question, and there is none before it: ask the question in full."


def _settle(reading: Reading, found: list[Node], names: Names) -> Reading:
    """Return a reading of expressions that are sound, if what they ask for is there."""
    missed = [absences(expression, names.inventory) for expression in found]
    there = _different(tuple(node for node, lack in zip(found, missed, strict=True) if not lack), names)
    if not there:
        near = on_nearest_dates(found[0], names.inventory)
        return replace(reading, notes=(*reading.notes, *missed[0]), offers=_offers_of(near, names))
    if len(there) == 1:
        return replace(reading, status="read", expressions=there)
    return replace(reading, status="asks", expressions=there, offers=_offers_of(there, names))


def _offers_of(found: Iterable[Node], names: Names) -> tuple[tuple[str, Node], ...]:
    """Return expressions with their words, as they are offered."""
    return tuple((say(node, names.inventory), node) for node in found)


def _different(found: tuple[Node, ...], names: Names) -> tuple[Node, ...]:
    """Return the expressions that differ by more than an order, or by a ground, that makes no difference.

    What lies so far apart has no first; the ground of all zones is that of each zone as well.
    """

    def plain(table: Aggregate | Combine | Correlation | Show | Variable) -> Node:
        if isinstance(table, Show):
            # A mask of ground on which something holds is that of both.
            return replace(table, of=as_conditions(table.of))
        if isinstance(table, Correlation):
            left, right = sorted((table.left, table.right), key=repr)
            directed = table.gives in ("slope", "scatter")
            return table if directed else replace(table, left=left, right=right)
        if isinstance(table, Variable):
            # "Clear-pixel NDVI" is NDVI where there is no cloud, and NDVI with clouds masked.
            clear = table.where in (Not(Cloud()), Not(Cloud(table.when)))
            return replace(table, where=None, clouds="masked") if clear else table
        if isinstance(table, Combine):
            left, right = sorted((table.left, table.right), key=repr)
            return replace(table, left=left, right=right) if table.how == "absolute_difference" else table
        of = table.of
        if isinstance(table.by, Zones) and not table.by.names:
            ground = ground_of_all_zones(table.by, names)
            of = rebuild(of, lambda leaf: replace(leaf, where=None) if leaf.where == ground else leaf)
        sized = table.statistic in ("count", "area") and table.over == "pixel"
        return replace(table, of=as_conditions(of) if sized else of)

    if len(found) < 2:
        return found
    kept = {
        rewrite(node, (Aggregate, Combine, Correlation, Show, Variable), plain): node
        for node in reversed(found)
    }
    return _in_one_order(tuple(reversed(kept.values())))


def _in_one_order(found: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return expressions of which no two ask for the same things in another order.

    The last one stays, which has the order of the text: conditions that exclude each other are sorted.
    """
    kept = {frozenset(node.of) if isinstance(node, Several) else node: node for node in found}
    return tuple(kept.values())


def say(node: Node, inventory: Inventory) -> str:
    """Return an expression in words, or as it is where there are none."""
    try:
        return paraphrase(node, inventory)
    except CannotSay:
        return repr(node)


def _entry(token: Token) -> str:
    if token.kind in (UNKNOWN, *_SILENT):
        return token.kind
    return " or ".join(type(meaning).__name__ for meaning in token.meanings)


def _decline(reading: Reading, tokens: Sequence[Token], names: Names) -> Reading:
    """Return a refusal with the nearest questions that can be read, and the words that they leave out."""
    lacking = find_unknown_words(tokens)
    usable = [token for token in tokens if token not in lacking]

    def readable(kept: Sequence[Token]) -> list[Node]:
        try:
            found = keep_agreeing(best(expressions_in(fill_chart(kept, names))), tokens)
        except TooAmbiguous:
            return []
        return [node for node in found if not absences(node, names.inventory)]

    near = nearest(tokens, lacking, readable)
    left = {
        token.end: token.text
        for token in (*lacking, *(near[0].left_out if near else content(usable) if not lacking else ()))
    }
    uncovered = tuple(left[end] for end in sorted(left))
    offers = _offers_of([one.expression for one in near], names)
    return replace(reading, uncovered=uncovered, offers=offers)
