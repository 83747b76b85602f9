"""What the way in which a question asks demands of its answer: which, whether, how many, how."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, product

from treeline.core.query.expression import Variable
from treeline.core.query.grammar.groups import PERIODS
from treeline.core.query.kinds import kind_of
from treeline.core.query.phrases.comparisons import Change, Comparative, HowMuch
from treeline.core.query.phrases.conditions import Operator
from treeline.core.query.phrases.counts import Area, Unit
from treeline.core.query.phrases.phrase import Phrase, Word
from treeline.core.query.phrases.ranks import Extreme, Ranking
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Amount, Bands, Each, Raw, Stat
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token, content


def says(*words: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether one of some words is said."""
    return lambda tokens: any(token.text in words for token in tokens)


def says_word(name: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether what a word of the lexicon means is said."""
    return lambda tokens: any(Word(name) in token.meanings for token in tokens)


def says_all(tokens: Sequence[Token]) -> bool:
    """Return whether it is said of all."""
    return any(token.text.split()[0] == "all" for token in tokens)


def says_but(tokens: Sequence[Token]) -> bool:
    """Return whether something is left out: "but not", "neither", "nor"."""
    return any(token.text.split()[0] in ("but", "neither", "nor") for token in tokens)


def asks_which(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with "which" or "on which": yes or no does not answer it."""
    words = " ".join(token.text for token in tokens).split()
    nearest = bool(tokens) and tokens[0].text.endswith(_NEAREST_TO)
    return not nearest and next((word for word in words if word not in _PREPOSITIONS), "") == "which"


def asks_which_dates(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with "which dates"."""
    first = tokens[0] if tokens else None
    if first is None or not first.text.startswith(("which ", "what ")):
        return False
    return any(isinstance(m, Unit) and m.of == "date" for m in first.meanings)


# "Which of these is closest to the mean elevation" asks for that number.
_NEAREST_TO = ("closest to", "nearest to")


def asks_in_which_ground(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked in which band, class or polygon something is, wherever that stands."""
    return any(
        one.text in _IN_WHICH
        and any(
            meaning == Word("bands") or getattr(meaning, "of", "") in ("class", "zone")
            for meaning in other.meanings
        )
        for one, other in pairwise(tokens)
    )


_IN_WHICH = frozenset(f"{at} {which}" for at in ("in", "at", "for", "of") for which in ("which", "what"))


def names_another_temperature(tokens: Sequence[Token]) -> bool:
    """Return whether a temperature is named, but not that of the surface: "brightness temperature"."""
    named = [m.node for t in tokens for m in t.meanings if isinstance(m, Raw | Comparative | Ranking)]
    told = [leaf for node in named if node is not None for leaf in leaves(node) if isinstance(leaf, Variable)]
    roles = {leaf.role for leaf in told if kind_of(leaf).unit in _TEMPERATURES}
    return bool(roles) and "lst" not in roles


def asks_which_within(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked which region, date or class, wherever that stands in the question."""
    return any(token.text.split()[0] == "which" and token.means(Unit) for token in tokens)


def asks_which_has(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked which of several has the most of something: no number answers that."""
    for place, token in enumerate(tokens):
        begins = place == 0 or tokens[place - 1].text in (",", ";") or token.start - tokens[place - 1].end > 1
        if begins and token.means(Word) and any(m == Word("which_has") for m in token.meanings):
            return True
    return False


def asks_when(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with "when was": neither yes nor no answers that."""
    words = " ".join(token.text for token in tokens[:2]).split()
    return len(words) > 1 and words[0] == "when" and words[1] in _VERBS


def looks_for_what_has_the_most(tokens: Sequence[Token]) -> bool:
    """Return whether one of several is looked for: "name the class (100 m steps) with the highest"."""
    told = [token for token in _outside_brackets(tokens) if token.kind != "filler" or token.text == "with"]
    return any(
        joint.text == "with" and after.means(Extreme) and _is_one_of_several(noun)
        for noun, joint, after in zip(told, told[1:], told[2:], strict=False)
    )


def _outside_brackets(tokens: Sequence[Token]) -> list[Token]:
    depth, told = 0, []
    for token in tokens:
        depth += {"open": 1, "close": -1}.get(token.kind, 0)
        if depth == 0 and token.kind != "close":
            told.append(token)
    return told


def _is_one_of_several(noun: Token) -> bool:
    return any(isinstance(m, Bands) or isinstance(m, Unit) and m.of != "pixel" for m in noun.meanings)


def asks_which_one(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with which date or zone: "which 2017 date shows the greatest"."""
    # The noun may stand at the end of a phrase of its own: "which completely cloud-free date".
    phrase = " ".join(token.text for token in tokens[:2]).split()
    words = " ".join(token.text for token in tokens).split()
    return bool(words) and words[0] == "which" and any(word in _ONE for word in (*words[1:3], *phrase))


_ONE = ("date", "day", "month", "year", "season", "image", "scene", "class", "region", "polygon")


def begins_with_a_mask(tokens: Sequence[Token]) -> bool:
    """Return whether what counts is named first: "mask: forest above 600 m"."""
    return bool(tokens) and tokens[0].text in ("mask", "the mask")


def speaks_of_one(tokens: Sequence[Token]) -> bool:
    """Return whether one of several is asked for, wherever that stands: "of the five scenes, which one"."""
    said = " ".join(token.text for token in tokens)
    return "which one" in said and "which ones" not in said


def begins_with_a_date(tokens: Sequence[Token]) -> bool:
    """Return whether a date is asked for by its noun: "the 2016 date with the highest median"."""
    told = [token for token in tokens if token.kind != "filler" or token.text in _WITH]
    if tokens and tokens[0].text in _ENDS and any(token.text in _ON_WHICH for token in tokens):
        return True
    while told and told[0].means(Time) and not told[0].means(Unit):
        told = told[1:]
    return len(told) > 1 and told[0].text in _DATES and told[1].text in _WITH


_DATES = ("date", "day", "image", "scene")
_ENDS = tuple(f"{end} {unit}" for end in ("first", "last") for unit in _DATES)
_ON_WHICH = ("which", "on which", "when", "with")
_WITH = ("with", "having", "that has", "that had")


_PREPOSITIONS = ("on", "in", "at", "of", "for")


def chooses_among(tokens: Sequence[Token]) -> bool:
    """Return whether one of several is asked for: "which of the six dates in 2021"."""
    first = tokens[0].text if tokens else ""
    return first.startswith("which of") and not first.endswith(_NEAREST_TO)


def asks_whether(tokens: Sequence[Token]) -> bool:
    """Return whether yes or no is asked for, and nothing else."""
    texts = [token.text for token in tokens]
    first = texts[0].split()[0] if texts else ""
    others = ("which", "when", "what", "where", "how", "there", "any", "or")
    return first in _VERBS and not any(word in text.split() for text in texts for word in others)


def asks_how(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with "how": how much, how high, how it changed."""
    told = [token for token in tokens if token.kind != "open"]
    return bool(told) and told[0].text.split()[0] == "how"


def asks_how_high_it_gets(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked how high something got, and not how high it was."""
    pairs = pairwise(
        token.text for token in tokens if token.kind != "filler" or token.text in ("did", "does")
    )
    return any(one == "how high" and other in ("did", "does") for one, other in pairs)


def asks_for_a_statistic_of_periods(tokens: Sequence[Token]) -> bool:
    """Return whether a statistic of each month's number is asked for: "monthly means and their range"."""
    told = content(tokens)
    each = any(m.axis in PERIODS for token in told for m in token.meanings if isinstance(m, Each))
    return each and any(Word("it") in one.meanings and other.means(Stat) for one, other in pairwise(told))


def begins_with_a_verb(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with a verb alone: "is the slope gentle", and not "do you have"."""
    told = [token for token in tokens if token.kind != "open"]
    return len(told) > 1 and told[0].text in _VERBS and told[1].text not in _POLITE


_VERBS = ("do", "does", "did", "is", "are", "was", "were")


def asks_yes_or_no(tokens: Sequence[Token]) -> bool:
    """Return whether yes or no is asked for: "do you know the NDVI" asks politely for the NDVI itself."""
    first = [token for token in tokens if token.kind != "open"][:2]
    words = [word for token in first for word in token.text.split()]
    return bool(words) and words[0] in _YES_OR_NO and not any(word in _POLITE for word in words)


def asks_whether_two_differ(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked if two things differ, from how much on is not said."""
    return asks_yes_or_no(tokens) and any(token.text.endswith("differ from") for token in tokens)


_YES_OR_NO = (*_VERBS, "has", "have", "whether")


_POLITE = ("know", "mind", "idea", "tell", "give", "get", "find", "obtain", "see")


def asks_if_anywhere(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked if there is one pixel of a kind, which the mean of all does not tell."""
    texts = [token.text for token in tokens]
    begins = bool(texts) and texts[0].startswith(("is there", "was there", "are there", "were there"))
    return begins or "anywhere" in texts or "somewhere" in texts


def speaks_of_some_pixel(tokens: Sequence[Token]) -> bool:
    """Return whether a limit is for each pixel by itself: "contain a pixel above 0.8", "are pixels above"."""
    texts = [token.text for token in tokens]
    one_pixel = any(
        (one, other) in _ONE_PIXEL and any(token.means(Operator) for token in tokens[k + 2 : k + 5])
        for k, (one, other) in enumerate(pairwise(texts))
    )
    told = [token for token in tokens if token.kind != "filler"]
    return one_pixel or any(one.text in _PIXELS and other.means(Operator) for one, other in pairwise(told))


_ONE_PIXEL = frozenset(product(("a", "any", "one", "some", "have any"), ("pixel", "cell")))
_PIXELS = ("pixels", "cells")


def asks_what_it_means(tokens: Sequence[Token]) -> bool:
    """Return whether a variable is to be explained: "what is NDVI", "how is NDVI computed"."""
    text = " ".join(token.text for token in tokens if token.text not in ("?", ","))
    variable = " ".join(token.text for token in tokens if token.means(Raw))
    told = (f"what is {variable}", f"what's {variable}", f"what does {variable} mean")
    return bool(variable) and (text in told or _HOW_MADE.match(text) is not None)


_HOW_MADE = re.compile(
    r"how (?:is|are|was|were|do you|did you) (?:the )?(?:\w+ )+(?:computed|calculated|defined|derived|made)\b"
    r"|how (?:do|did) you (?:compute|calculate|define|derive|make)\b"
)


def asks_no_availability(tokens: Sequence[Token]) -> bool:
    """Return whether it is not asked whether something is there: "the NDVI in the data"."""
    return not asks_yes_or_no(tokens)


def _says_rate(tokens: Sequence[Token]) -> bool:
    """Return whether it is said per what: "per year", "at what rate"."""
    return any(token.text.split()[0] == "per" or token.text.startswith(_RATES) for token in tokens)


_RATES = ("a year", "a month", "a decade", "a day", "at what rate", "at which rate", "how fast")


def begins(*words: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether a phrase begins with some words."""
    return lambda tokens: any(token.text.lstrip(", ").startswith(words) for token in tokens)


def numbers_apart(tokens: Sequence[Token]) -> frozenset[float]:
    """Return the numbers that stand between two limits: of "above 720 m or above NDVI 0.7" the first.

    They belong to the limit before them, and are no "720 m or above".
    """
    found = set()
    for before, number, join, after in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        if before.means(Operator) and join.text == "or" and after.means(Operator):
            found |= {m.number.value for m in number.meanings if isinstance(m, Amount)}
    return frozenset(found)


def counted_numbers(tokens: Sequence[Token]) -> Iterable[float]:
    """Yield the numbers of things that follow: of "at least two of A, B and C"."""
    for operator, number, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if operator.means(Operator) and after.text == "of":
            yield from (
                m.number.value
                for m in number.meanings
                if isinstance(m, Amount) and not m.number.unit and m.number.value in _COUNTED
            )


def numbers_of_units(tokens: Sequence[Token]) -> Iterable[tuple[float, str]]:
    """Yield the numbers in limits of how many dates or pixels: of "on more than 10 of the 2016 dates" 10.

    Also of "on 10 or more of the dates".
    """
    told = [token for token in tokens if token.kind != "filler" and not token.means(Time)]
    ends = [
        (number, unit)
        for operator, number, unit in zip(told, told[1:], told[2:], strict=False)
        if operator.means(Operator)
    ]
    ends += [
        (number, unit)
        for number, join, more, unit in zip(told, told[1:], told[2:], told[3:], strict=False)
        if join.text == "or" and more.text in ("more", "fewer", "less")
    ]
    for number, after in ends:
        units = {m.of for m in after.meanings if isinstance(m, Unit)} & {"date", "pixel"}
        yield from (
            (m.number.value, unit)
            for m in number.meanings
            if isinstance(m, Amount) and not m.number.unit
            for unit in units
        )


def amounts_of_changes(tokens: Sequence[Token]) -> Iterable[float]:
    """Yield the numbers that something changes by: "fell in NDVI by more than 0.2 NDVI"; each told once."""
    told = [token for token in tokens if token.kind != "filler"]
    numbers = [m.number.value for token in told for m in token.meanings if isinstance(m, Amount)]
    if not any(token.means(Change) for token in told):
        return
    for by, operator, number in zip(told, told[1:], told[2:], strict=False):
        if by.text == "by" and operator.means(Operator):
            found = {m.number.value for m in number.meanings if isinstance(m, Amount)}
            yield from (value for value in found if numbers.count(value) == 1)


# "Above 700 of the forest" is no number of things.
_COUNTED = range(2, 13)


def asks_how_much(tokens: Sequence[Token]) -> bool:
    """Return whether an amount is asked for, and no rate."""
    return says("how much", "by how much")(tokens) and not _says_rate(tokens)


def units_asked_for(tokens: Sequence[Token]) -> Iterable[frozenset[str]]:
    """Yield in which units it is asked by how much: "how many metres higher" in m."""
    for token in tokens:
        if any(isinstance(meaning, HowMuch) for meaning in token.meanings):
            yield from (units for said, units in _IN_UNITS.items() if re.search(said, token.text))


# What is counted in "how many degrees warmer", and the units of what can be told so.
_TEMPERATURES = frozenset({"K", "degC", "degF"})


_IN_UNITS = {
    r"\b(?:metres|meters|m)$": frozenset({"m", "km"}),
    r"\b(?:hectares|hectare|ha)$": frozenset({"ha"}),
    r"\bdegrees$": _TEMPERATURES | {"degree"},
    r"\b(?:kelvins?|celsius|centigrade|degrees c|\u00b0c)$": _TEMPERATURES,
    r"\b(?:percentage|percent) points$": frozenset({"%"}),
}


def asks_several_of_one(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked "how steep and how high" something is."""
    told = [token for token in tokens if token.text not in (",", "and")]
    return any(_asks_how(one) and _asks_how(other) for one, other in pairwise(told))


def _asks_how(token: Token) -> bool:
    return token.text.startswith("how ") and token.means(Raw)


def asks_what_it_is(tokens: Sequence[Token]) -> bool:
    """Return whether the question begins by asking for what something is, which is no yes or no."""
    return bool(tokens) and tokens[0].text in _WHAT and not any(t.text in _OR for t in tokens)


_WHAT = ("what is", "what was", "what's", "what are", "what were", "how much", "how many", "by how much")


_OR = ("whether", "or", "rather")


def leaves_its_variable_out(tokens: Sequence[Token]) -> bool:
    """Return whether numbers without a unit are said to be passed by something that has no name: "above 0.7".

    "More than 0.5", "smaller than 0.5" are rather said of a share or a size.
    """
    told = [meaning for token in tokens for meaning in token.meanings]
    named = {leaf.role for meaning in told for leaf in leaves(meaning) if isinstance(leaf, Variable)}
    said = content(tokens)
    bare = [
        (before, operator)
        for before, operator, number, after in zip(
            (None, *said), said, said[1:], (*said[2:], None), strict=False
        )
        if operator.means(Operator)
        and any(isinstance(m, Amount) and not m.number.unit for m in number.meanings)
        and not (after is not None and after.means(Raw))  # "above 0.7 NDVI" names it
    ]
    # "Mean NDVI and share of pixels above 0.7": of pixels something is above it, and only NDVI is spoken of.
    if named and not (
        bare and named == {"ndvi"} and all(before and _are_pixels(before) for before, _ in bare)
    ):
        return False
    return all(operator.text.split()[-1] in _LEVELS for _, operator in bare)


def _are_pixels(token: Token) -> bool:
    """Return whether pixels or their area are what a limit is said of."""
    return token.means(Area) or any(_unit_of(m) == Unit("pixel") for m in token.meanings)


def _unit_of(meaning: Phrase) -> Phrase | None:
    return meaning if isinstance(meaning, Unit) else getattr(meaning, "unit", None)


_PASSING = ("exceed", "exceeds", "exceeded", "exceeding", "reach", "reaches", "reached", "reaching")
_LEVELS = ("above", "below", "over", "under", *_PASSING)


def asks_how_many_pixels(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked how many pixels there are: of dates that have so many it is not."""
    told = [token.text for token in tokens if token.kind != "filler"][:2]
    return " ".join(told).startswith(("how many pixels", "how many cells", "number of pixels"))
