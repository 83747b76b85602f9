"""The questions nearest to one that cannot be read: the same without the few words that no reading covers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from treeline.core.query.expression import ALWAYS, Cloud, Node
from treeline.core.query.phrases.answers import Form
from treeline.core.query.phrases.counts import Area, Count, Share
from treeline.core.query.phrases.phrase import Join, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.times import Clouds, Time
from treeline.core.query.phrases.values import Each, Measure, Raw, Stat
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token

_WIDEST = 6
_MOST_TOKENS = 26


@dataclass(frozen=True, slots=True)
class Nearest:
    """A question that can be read, with the words that it leaves out."""

    expression: Node
    left_out: tuple[Token, ...]


def nearest(
    tokens: Sequence[Token],
    lacking: Collection[Token],
    read: Callable[[Sequence[Token]], list[Node]],
    most: int = 3,
) -> list[Nearest]:
    """Return what can be read when the fewest neighbouring words are left out.

    A word that negates, limits or conditions is left out with all that it belongs to, or not at all:
    an offer never says the opposite of the question.

    Parameters
    ----------
    tokens : sequence of Token
    lacking : collection of Token
        Those that are not known, which every offer leaves out.
    read : callable
        The expressions of a row of tokens, the best first.
    """
    known = [token for token in tokens if token not in lacking]
    content = [token for token in known if _has_content(token)]
    if len(content) > _MOST_TOKENS:
        return []
    whole = segments(tokens)
    for width in range(min(_WIDEST, len(content) - 1) + 1):
        found: dict[Node, Nearest] = {}
        for start in range(len(content) - width + 1):
            dropped = content[start : start + width]
            if _breaks(whole, {*dropped, *lacking}):
                continue
            kept = [token for token in known if token not in dropped]
            for expression in read(kept)[:1]:
                found.setdefault(expression, Nearest(expression, tuple(dropped)))
            if width == 0:
                break
        if found:
            return list(found.values())[:most]
    return []


def _has_content(token: Token) -> bool:
    return token.kind not in ("filler", "open", "close")


def _breaks(whole: Sequence[Collection[Token]], left_out: Collection[Token]) -> bool:
    """Return whether of a stretch that belongs together only a part is left out."""
    return any(0 < sum(token in left_out for token in stretch) < len(stretch) for stretch in whole)


# --- What belongs to a word that negates, limits or conditions ------------------------------------

_LEADS = re.compile(r"without|except.*|exclud(?:e|ing)|unless|if|when|only|but|other than|apart from|minus")
_TURNS = re.compile(r"not?|none|never|must|nowhere|neither|nor|cannot|hardly|.*n't")
_LEADING = ("without", "unless", "if", "left_out", "is_left_out")
_TURNING = ("not", "left_out", "is_left_out", "out", "cloudy_dates")
_PUNCTUATION = (",", ";")


def segments(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the words that each word belongs with which negates, limits or conditions.

    Such a word speaks of what follows it ("excluding", "if"), or of what stands on both sides ("must
    not", "masked out", "cloudy"); a time, a statistic, a variable or a comma ends it.
    """
    found = []
    for at, token in enumerate(tokens):
        leads, turns = _leads(token), _turns(token)
        if not leads and not turns:
            continue
        ends = _is_punctuation if _denies_both(token) else _ends
        first = last = at
        while turns and first > 0 and not ends(tokens[first - 1]):
            first -= 1
            if _leads(tokens[first]):
                break
        while last + 1 < len(tokens) and not ends(tokens[last + 1]):
            last += 1
        stretch = [one for one in tokens[first : last + 1] if _has_content(one)]
        if stretch:
            found.append(stretch)
    return found


def _leads(token: Token) -> bool:
    words = any(isinstance(one, Word) and one.name in _LEADING for one in token.meanings)
    return words or _LEADS.fullmatch(token.text) is not None


def _turns(token: Token) -> bool:
    return any(_is_turning(one) for one in token.meanings) or any(
        _TURNS.fullmatch(word) for word in token.text.split()
    )


def _is_turning(meaning: Phrase) -> bool:
    if isinstance(meaning, Word):
        return meaning.name in _TURNING
    if isinstance(meaning, Each):
        return meaning.axis.startswith("no ")
    return isinstance(meaning, Mask) and any(isinstance(leaf, Cloud) for leaf in leaves(meaning))


def _ends(token: Token) -> bool:
    """Return whether a token is no part of what a word beside it negates or limits."""
    if _is_punctuation(token):
        return True
    return any(
        isinstance(one, Stat | Raw | Measure | Share | Count | Area | Form | Clouds)
        or (isinstance(one, Time) and one.when != ALWAYS)
        or (isinstance(one, Each) and not one.axis.startswith("no "))
        or (isinstance(one, Join) and one.by == ";")
        for one in token.meanings
    )


def _is_punctuation(token: Token) -> bool:
    return token.kind in ("open", "close") or token.text in _PUNCTUATION


def _denies_both(token: Token) -> bool:
    """Return whether a word denies what stands before it of all that is named: "neither on A nor on B"."""
    return any(isinstance(one, Join) and one.by == "nor" for one in token.meanings)
