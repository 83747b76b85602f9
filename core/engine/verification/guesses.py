"""What an answer tells as a guess or as usual elsewhere, and what it says that it does not tell."""

from __future__ import annotations

import re

_PERHAPS = re.compile(
    r"\b(?:(?-i:may)|might|could|can|possibly|probably|perhaps|likely|presumably|potentially|suggests?)\b",
    re.I,
)
# What is told as usual elsewhere, or as what would be needed, is not told of this place.
_AS_USUAL = re.compile(
    r"\b(?:typical\w*|usual\w*|as expected|fits|consistent with|points? to|signs? of|hints?|"
    r"looks? like|resembl\w+|speaks? for|(?:I|we) infer|need(?:ed|s)?|"
    r"(?:should|must) not|"
    r"would|require[ds]?|reflects?|corrected for|part of (?:that|this|it))\b",
    re.I,
)
# What an answer says that it does not tell.
_LEFT_OPEN = re.compile(
    r"\b(?:whether|(?:not|\w+n't|cannot|unable to|no conclusions?|nothing)\b[^.;,]{0,20}?\b(?:tell|say|said|"
    r"shown?|reveal|explain|prove|mean|imply|rule out|distinguish|"
    r"separate|resolve|known?|conclude[ds]?|infer(?:red)?|determined?|allow|"
    r"about)\b)[^.;,]*",
    re.I,
)
_NOT_THAT = re.compile(
    r"\b(?:nearly|almost|practically|virtually|rather than|not|no|without) "
    r"(?:its|the|their|any|an?)? ?[a-z]+\b",
    re.I,
)


def is_interpretation(sentence: str) -> bool:
    """Return whether a sentence tells a guess, or what is usual."""
    return is_guess(sentence) or _AS_USUAL.search(sentence) is not None


def is_guess(text: str) -> bool:
    """Return whether a text tells what may be so."""
    return _PERHAPS.search(text) is not None


def without_open(text: str) -> str:
    """Return a text without what it leaves open."""
    return _LEFT_OPEN.sub(" ", text)


def without_denied(text: str) -> str:
    """Return a text without what it leaves open, and without what it says that something is not."""
    return _NOT_THAT.sub(" ", without_open(text))
