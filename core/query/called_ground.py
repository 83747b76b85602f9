"""Ground that a question calls flat, steep or green: its limit stands elsewhere, or is the usual one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treeline.core.query.expression import Compare, Number, Variable
from treeline.core.query.names import Names
from treeline.core.query.phrases.phrase import Phrase
from treeline.core.query.phrases.places import Definition, Mask
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token

# Level land has less than 10 % of slope, steep land more than 30 %; what lies between is neither
# (FAO 2006, Guidelines for soil description, 4th edition, table 4).
_SLOPE = "terrain_slope_percent"
_LIMITS = {"lt": ("flat", Number(10.0, "%")), "gt": ("steep", Number(30.0, "%"))}


def with_usual_limits(tokens: Sequence[Token], names: Names) -> list[Token] | None:
    """Return a question in which flat and steep ground has its usual limit.

    ``None`` where it names neither, or a limit that may be meant for it.
    """
    slope = names.variable(_SLOPE)
    if slope is None or any(_may_limit(meaning) for token in tokens for meaning in token.meanings):
        return None
    told = [
        replace(token, meanings=tuple(_with_limit(meaning, slope) for meaning in token.meanings))
        for token in tokens
    ]
    return told if told != list(tokens) else None


def with_limit_beside(tokens: Sequence[Token]) -> list[Token] | None:
    """Return "how much flat land is there (slope below 5 degrees)" with the brackets beside the word.

    ``None`` where there is not one such word and one pair of brackets further on.
    """
    words = [at for at, token in enumerate(tokens) if any(isinstance(m, Definition) for m in token.meanings)]
    opened = [at for at, token in enumerate(tokens) if token.kind == "open"]
    closed = [at for at, token in enumerate(tokens) if token.kind == "close"]
    if not len(words) == len(opened) == len(closed) == 1 or not words[0] + 1 < opened[0] < closed[0]:
        return None
    word, begin, end = words[0] + 1, opened[0], closed[0] + 1
    return [*tokens[:word], *tokens[begin:end], *tokens[word:begin], *tokens[end:]]


def _may_limit(meaning: Phrase) -> bool:
    """Return whether a word may limit the slope: the slope itself, or so many degrees or per cent."""
    number = getattr(meaning, "number", None)
    if isinstance(number, Number) and number.unit in ("degree", "%"):
        return True
    return any(getattr(leaf, "role", "").startswith("terrain_slope") for leaf in leaves(meaning))


def _with_limit(meaning: Phrase, slope: Variable) -> Phrase:
    if not isinstance(meaning, Definition) or meaning.roles != ("terrain_slope",):
        return meaning
    slot, limit = _LIMITS[meaning.sign]
    return Mask(Compare(slope, meaning.sign, limit, assumed=(slot,)))
