"""The one entry: a question in words becomes an expression, several between which is asked, or none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from treeline.core.query.agreement import keep_agreeing
from treeline.core.query.background import Span, background, stories
from treeline.core.query.called_ground import with_limit_beside, with_usual_limits
from treeline.core.query.canonical import with_units_of_limits
from treeline.core.query.chart import TooAmbiguous, fill_chart
from treeline.core.query.checks import (
    absences,
    on_nearest_dates,
)
from treeline.core.query.clouds import assume_clouds, says_they_stay
from treeline.core.query.demands import leaves_its_variable_out
from treeline.core.query.directions import with_both_directions
from treeline.core.query.distinct import keep_distinct
from treeline.core.query.ellipsis import (
    as_asked,
    at_its_time,
    change_question,
    ends_of_what_is_not_there,
    fill_in,
    go_on,
    points_back,
    with_pointers,
    without_lead,
)
from treeline.core.query.expression import (
    Cloud,
    Node,
    Place,
    Variable,
)
from treeline.core.query.followup import is_fragment
from treeline.core.query.grammar.conditions import sole_greenness
from treeline.core.query.inventory import Inventory
from treeline.core.query.lacking import (
    asks_whether_there,
    describe_missing,
    describe_undefined,
    find_unknown_words,
)
from treeline.core.query.lexer import LONGEST, tokens_of
from treeline.core.query.names import UNTOLD_SENSOR, Names, names_of
from treeline.core.query.offers import nearest
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.passing_limits import with_dates_that_pass
from treeline.core.query.phrases.phrase import Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.times import Clouds
from treeline.core.query.rewordings import near_wordings, other_wordings
from treeline.core.query.sayings import CannotSay
from treeline.core.query.scopes import (
    of_crossings,
    over_the_zones_named,
    with_each_time,
    with_its_zones,
    with_other_scopes,
)
from treeline.core.query.sentences import (
    bind,
    share_time_in_a_list,
    split_brackets,
    with_sole_variable,
)
from treeline.core.query.shared_limits import with_limits_of_both
from treeline.core.query.slots import leaves
from treeline.core.query.spare_words import is_spare, without_spare_words
from treeline.core.query.tokens import Token, content
from treeline.core.query.ways_to_read import read_alone, read_apart
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
    asked = with_pointers([token for token in tokens if not opening.holds(token)], names)

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
    near: list[Node] = []
    for other in near_wordings(question):
        said = tokens_of(other, names)
        found = _read(other, said, names, after, [background(other, said)])
        near += found.expressions[:1]
    return _offers_of(near, names)


def _tell_changes(changes: Sequence[tuple[str, str]], question: str) -> tuple[str, ...]:
    """Say which words were taken for which; of a whole question only what it was read as at last."""
    notes: list[str] = []
    for told, meant in changes:
        whole = 2 * len(told) > len(question)
        if whole and meant:
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
    if after is None:
        tokens = with_pointers(tokens, names)
    notes = tuple(
        f"{told!r} is read as {meant!r}."
        for token in tokens
        if token.repaired
        for told, meant in zip(token.text.split(), token.repaired.split(), strict=False)
        if told != meant
    )
    notes += tuple(
        f"No file tells which sensor it is of: \u201c{token.text}\u201d is taken to be right."
        for token in tokens
        if UNTOLD_SENSOR in token.meanings
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
            found = read_alone(question, tokens, names, chart)
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
        found = [node for node in read_apart(question, tokens, names) if is_sound(node)]
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


_POINTS_NOWHERE = "What it is asked of in the question before is not clear: name what is meant."
_NO_QUESTION_BEFORE = "That changes a question, and there is none before it: ask the question in full."


def _settle(reading: Reading, found: list[Node], names: Names) -> Reading:
    """Return a reading of expressions that are sound, if what they ask for is there."""
    missed = [absences(expression, names.inventory) for expression in found]
    there = keep_distinct(tuple(node for node, lack in zip(found, missed, strict=True) if not lack), names)
    if not there:
        near = on_nearest_dates(found[0], names.inventory)
        return replace(reading, notes=(*reading.notes, *missed[0]), offers=_offers_of(near, names))
    if len(there) == 1:
        return replace(reading, status="read", expressions=there)
    return replace(reading, status="asks", expressions=there, offers=_offers_of(there, names))


def _offers_of(found: Iterable[Node], names: Names) -> tuple[tuple[str, Node], ...]:
    """Return expressions with their words, as they are offered."""
    return tuple((say(node, names.inventory), node) for node in found)


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
