"""What texts, tools and tables call a statistic by."""

from __future__ import annotations

import re

_STATISTICS = {
    "mean": re.compile(r"\b(?:means?|average[ds]?|on average)\b", re.I),
    "median": re.compile(r"\bmedians?\b", re.I),
    "max": re.compile(
        r"\b(?:max|maximum|maxima|highest|largest|hottest|warmest|greatest|peak|peaks at|peaked)\b",
        re.I,
    ),
    "min": re.compile(r"\b(?:min|minimum|minima|lowest|smallest|coldest|coolest)\b", re.I),
    "range": re.compile(
        r"\brange of (?:the )?(?!values)[a-z]|(?<!sharpest )(?<!greatest )\brelief\b(?! (?:came|is|was)\b)|"
        r"\bspans? (?:about )?[\d.,]+ ?[a-z]+\b(?! (?:to|and)\b)|"
        r"\bvar(?:y|ies|ied) by\b|\bmax\w* (?:minus|-|\u2212) min\w*|"
        r"\bbetween (?:the|its) (?:lowest|smallest|minimum)\b.*\b(?:highest|largest|maximum)\b|"
        r"\bbetween (?:the|its) (?:highest|largest|maximum)\b.*\b(?:lowest|smallest|minimum)\b",
        re.I,
    ),
    "iqr": re.compile(r"\binter-?quartile\b|\biqr\b|\bmiddle (?:half|50)\b", re.I),
    "cv": re.compile(r"\bcoefficients? of variation\b", re.I),
    "std": re.compile(r"\b(?:std|st(?:d|andard)? dev\w*|deviation|spread)\b", re.I),
    "percentile": re.compile(r"\b(?:percentile|quantile|decile)s?\b", re.I),
    "standard_error": re.compile(r"\bstandard errors?\b", re.I),
    "sum": re.compile(r"\b(?:sum|total)\b", re.I),
    "variance": re.compile(r"\b(?<!of the )variance\b", re.I),
}
_ADJECTIVES = re.compile(
    r"\b(?:highest|largest|hottest|warmest|greatest|peak|peaked|peaks at|lowest|smallest|coldest|coolest|"
    r"spread)\b",
    re.I,
)
_ONLY_EXTREME = re.compile(
    r"\W*(?:and|but) (?:(?:is|was|are|were) )?(?:the )?(?:[a-z]{3,}est|most|least)\b"
    r"(?! (?:\w+ )?(?:of|mean|is|was))",
    re.I,
)
_EXTREME = re.compile(r"\b(?:[a-z]{3,}est|most|least)\b", re.I)
_NOUNS = {"std": "standard deviation", "min": "minimum", "max": "maximum", "cv": "coefficient of variation"}
_SAME_STATISTIC = {"minimum": "min", "maximum": "max", "stdev": "std", "average": "mean", "total": "sum"}
_CHANGE = re.compile(r"difference|change|anomal")
# The mean of a composite of maxima is a mean.
_OF_ENDS = re.compile(r"\b(mean|median|average) of the (?:\w+ly )?(?:maximum|minimum|max|min)\b", re.I)


def find_statistics(text: str, nouns: bool = False) -> frozenset[str]:
    """Return the statistics that a text names, such as ``mean``.

    Parameters
    ----------
    nouns : bool
        "Highest" does not count, which can be said of any number.
    """
    text = _OF_ENDS.sub(r"\1", _ADJECTIVES.sub(" ", text) if nouns else text)
    return frozenset(name for name, pattern in _STATISTICS.items() if pattern.search(text))


def with_statistic_of(before: str, clause: str) -> str:
    """Return a clause that only calls something the most or the least with the statistic of that before it.

    "The standard deviation was highest in May and lowest in June" tells two extremes of one statistic.
    """
    named = find_statistics(before, nouns=True)
    alike = _EXTREME.search(before) and _ONLY_EXTREME.match(clause)
    if len(named) != 1 or find_statistics(clause, nouns=True) or not alike:
        return clause
    return f"{noun_of(min(named))}: {clause}"


def noun_of(statistic: str) -> str:
    """Return what texts call a statistic: the maximum of ``max``."""
    return _NOUNS.get(statistic, statistic)


def statistics_in_order(text: str) -> list[str]:
    """Return the statistics that a text names, each time that it does, in its order."""
    found = [
        (match.start(), name) for name, pattern in _STATISTICS.items() for match in pattern.finditer(text)
    ]
    return [name for _, name in sorted(found)]


def is_change(name: str) -> bool:
    """Return whether a tool or quantity is of a change, by its name."""
    return _CHANGE.search(name) is not None


def statistic_of(key: str) -> str:
    """Return the statistic that a tool's quantity or a key of a table is; empty where it is none."""
    name = _SAME_STATISTIC.get(key.casefold(), key.casefold())
    return name if name in _STATISTICS else ""
