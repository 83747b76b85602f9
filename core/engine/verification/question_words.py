"""What a question asks for: yes or no, one of two, a number, a count."""

from __future__ import annotations

import re

_EXISTS = re.compile(
    r"\s*(?:is|are|was|were) there\b(?!.*\b(?:trend|chang|differen|relat|correlat|signific))", re.I
)
_YES = re.compile(r"\W*(?:yes|true|it (?:is|does|did|was) (?!not\b)|correct)\b", re.I)
_NO = re.compile(
    r"\W*(?:no\b(?!\s+(?:\w+\s+){0,3}(?:date|image|raster))|not\b|false\b|never\b|"
    r"it (?:is|does|did|was) not\b)",
    re.I,
)
_POLAR = re.compile(r"\s*(?:is|are|was|were|does|do|did|has|have|had)\b", re.I)
_COUNTING = re.compile(r"\b(?:how many|number of|how often)\b", re.I)
_SHARE_OF_DATES = re.compile(
    r"\b(?:share|percentage|per\s?cent|fraction|proportion|part) of (?:all )?(?:the |these )?(?:\w+ )?"
    r"(?:dates|days|images|rasters|scenes|months|years|acquisitions|observations)\b",
    re.I,
)
_ELSEWHERE = re.compile(
    r"\b(?:which|when|where|what (?:date|day|month|year|class|zone|region|field|parcel|type|time)|who|"
    r"others?|than|since|after|before|until|from|to|between|compar\w*|versus|nearest|closest|next|"
    r"previous|earlier|later|"
    r"chang\w*|differ\w*|but|except\w*|without|not|if|list|rank|order|each|all)\b",
    re.I,
)
_MEASURING = re.compile(
    r"\bhow (?:much|many|large|high|warm|hot|cold|cool|far|long|big|deep|often|wide|steep|dense|strong)\b|"
    r"\bwhat (?:is|was|are|were) (?:the )?(?:\w+ )?(?:mean|average|median|maximum|minimum|max|min|highest|"
    r"lowest|total|area|share|percentage|number|standard deviation|sum|slope|difference|ratio|value)\b|"
    r"\b(?:which|what) (?:share|percentage|fraction)\b",
    re.I,
)


def asks_existence(question: str) -> bool:
    """Return whether a question asks whether there is something that can be counted or measured."""
    return _EXISTS.match(question) is not None


def polarity(text: str) -> bool | None:
    """Return whether a text begins with yes or with no; ``None`` where with neither."""
    return False if _NO.match(text) else True if _YES.match(text) else None


def asks_yes_or_no(question: str) -> bool:
    """Return whether a question is one to say yes or no to."""
    return _POLAR.match(question) is not None and not re.search(r"\b(?:how|which|what)\b", question, re.I)


def asks_count(question: str) -> bool:
    """Return whether a question asks how many."""
    return _COUNTING.search(question) is not None


def asks_share_of_dates(question: str) -> bool:
    """Return whether a question asks for how large a part of the dates something holds."""
    return _SHARE_OF_DATES.search(question) is not None


def leads_elsewhere(question: str) -> bool:
    """Return whether what a question names leads to something else: which, when, since, nearest."""
    return _ELSEWHERE.search(question) is not None


def asks_either(question: str) -> bool:
    """Return whether a question asks for one of two that it names."""
    return re.search(r"\bor\b", question) is not None


def asks_number(question: str) -> bool:
    """Return whether a question asks for a number."""
    return _MEASURING.search(question) is not None
