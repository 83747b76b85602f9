"""Whether a reading agrees with the words of its question, where words that join others bear on the whole.

A word such as "which", "all", "but" or "their" rules out some kinds of answers wherever it stands. Each of
these is one entry of ``_DISAGREEMENTS``: the words that demand it, and the expressions that do not meet it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from treeline.core.query.checks import (
    claims_by_default,
    forgets_the_found,
    limits_shares_of_zones,
    ranks_pixels_of_a_ground,
)
from treeline.core.query.expression import Aggregate, And, Compare, Dates, Node, Number, Place, Several, Trend
from treeline.core.query.kinds import kind_of
from treeline.core.query.phrases.conditions import Limit
from treeline.core.query.phrases.phrase import Phrase
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Extreme, LargestArea, Ranked
from treeline.core.query.phrases.values import Amount
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token


def agreeing(found: Iterable[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return the readings that no word of the question rules out."""
    wrong = [is_wrong for demand, is_wrong in _DISAGREEMENTS if demand(tokens)]
    pairs = list(_grounds_between(tokens))
    return [
        node
        for node in found
        if not any(is_wrong(node) for is_wrong in wrong) and not any(_pools(node, pair) for pair in pairs)
    ]


# --- What words demand ----------------------------------------------------------------------------


def _says(*words: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether one of some words is said."""
    return lambda tokens: any(token.text in words for token in tokens)


def _says_all(tokens: Sequence[Token]) -> bool:
    return any(token.text.split()[0] == "all" for token in tokens)


def _says_but(tokens: Sequence[Token]) -> bool:
    return any(token.text.split()[0] in ("but", "neither", "nor") for token in tokens)


def _means(token: Token, *kinds: type[Phrase]) -> bool:
    return any(isinstance(meaning, kinds) for meaning in token.meanings)


def _is_share(token: Token) -> bool:
    return any(isinstance(m, Amount | Limit) and m.number.unit == "%" for m in token.meanings)


def _is_unled(tokens: Sequence[Token]) -> bool:
    """Return whether a comma stands right before a class or region that is the largest or highest.

    "Median elevation, largest class" are two things, and not the elevation of that class.
    """
    told = [token for token in tokens if token.text != "the"]
    return any(
        comma.text in (",", ";") and _means(word, Extreme, LargestArea, Ranked)
        for comma, word in pairwise(told)
    )


def _ranks_pixels(tokens: Sequence[Token]) -> bool:
    """Return whether the highest or lowest per cent of something is spoken of: "hottest 10 %"."""
    told = [token for token in tokens if token.kind not in ("filler", "open", "close")]
    return any(
        _means(word, Extreme, Ranked) and _means(share, Amount) and _is_share(share)
        for word, share in pairwise(told)
    )


def _is_part_of_a_ground(tokens: Sequence[Token]) -> bool:
    """Return whether a share is said to be "of" something: 30 % of the forest is not 30 % forest."""
    for place, (share, after) in enumerate(pairwise(tokens)):
        if _is_share(share) and (share.text.endswith(" of") or after.text.split()[0] == "of"):
            noun = next((t for t in tokens[place + 1 :] if t.text not in _LED_BY), after)
            if not noun.text.startswith("pixel"):
                return True
    return False


_LED_BY = ("the", "all", "their", "its", "of")


def _asks_which(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with "which" or "on which": yes or no does not answer it."""
    first = next((token.text for token in tokens if token.text not in _PREPOSITIONS), "")
    return first == "which"


_PREPOSITIONS = ("on", "in", "at", "of", "for")


def _grounds_between(tokens: Sequence[Token]) -> Iterable[tuple[Place, Place]]:
    """Yield the two named grounds that something is between: "between cropland and forest"."""
    told = [token for token in tokens if token.text not in ("the", "of", "that of")]
    for word, one, join, other in zip(told, told[1:], told[2:], told[3:], strict=False):
        if word.text == "between" and join.text == "and":
            match [m.node for t in (one, other) for m in t.meanings if isinstance(m, Mask)]:
                case [Place() as first, Place() as second]:
                    yield first, second


# --- What does not meet them ----------------------------------------------------------------------


def _parts(node: Node) -> tuple[Node, ...]:
    return node.of if isinstance(node, Several) else (node,)


def _is_about_dates(node: Node) -> bool:
    """Return whether a node is yes or no, or counts dates, on ground that another ground is cut out of.

    What holds of one ground "but not" of another is not one thing on the first without the second.
    """
    if isinstance(node, Several):
        return False
    truth = kind_of(node).value == "truth" or isinstance(node, Dates)
    truth = truth or isinstance(node, Aggregate) and node.over == "date"
    return truth and any(isinstance(getattr(leaf, "where", None), And) for leaf in leaves(node))


def _is_of_found_ground(node: Node) -> bool:
    return any(isinstance(part, Place) and part.at is not None for part in node.walk())


def _is_of_a_mean(node: Node) -> bool:
    """Return whether a part is yes or no of a mean that nobody said: "all" is not that of a mean."""
    return any(map(claims_by_default, _parts(node)))


def _claims_a_limit(node: Node) -> bool:
    """Return whether a node is yes or no of one number; "which is higher, A or B" is told with yes or no."""
    if isinstance(node, Several):
        return False
    kind = kind_of(node)
    limits = [part.limit for part in node.walk() if isinstance(part, Compare)]
    return kind.value == "truth" and not kind.axes and any(isinstance(limit, Number) for limit in limits)


def _pools(node: Node, grounds: tuple[Place, Place]) -> bool:
    """Return whether two grounds are one in an expression."""
    names = {name for ground in grounds for name in ground.names}
    return any(isinstance(part, Place) and names <= set(part.names) for part in node.walk())


def _slopes_per_other_than(unit: str) -> Callable[[Node], bool]:
    """Return whether a trend is told per another unit of time than the one that is said."""
    return lambda node: any(
        isinstance(part, Trend) and part.gives == "slope" and part.per != unit for part in node.walk()
    )


_DISAGREEMENTS: tuple[tuple[Callable[[Sequence[Token]], bool], Callable[[Node], bool]], ...] = (
    (_says("total area"), lambda node: isinstance(node, Dates)),
    (_says("their"), forgets_the_found),
    (_says_all, _is_of_a_mean),
    (_says_but, _is_about_dates),
    (_asks_which, _claims_a_limit),
    (_is_unled, _is_of_found_ground),
    (_ranks_pixels, ranks_pixels_of_a_ground),
    (_is_part_of_a_ground, limits_shares_of_zones),
    *((_says(f"per {unit}"), _slopes_per_other_than(unit)) for unit in ("day", "month", "year", "decade")),
)
