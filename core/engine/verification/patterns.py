"""How values lie in space, as an answer says it: clustered, at random or apart, by Moran's I."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.clauses import is_negated, sentences
from treeline.core.engine.verification.guesses import is_guess
from treeline.core.engine.verification.results import is_number

_AUTOCORRELATED = r"(?:spatial(?:ly)? )?auto-?correlat\w*"
_KINDS = (
    (
        "together",
        re.compile(
            rf"\b(?:(?:cluster|clump|aggregat)\w*|(?:positive(?:ly)? )?{_AUTOCORRELATED}|contiguous|"
            r"(?:lie|lies|lay|stand|group|grouped|bunched|huddle\w*|occur\w*|found) (?:close )?together|"
            r"(?:like|similar|alike|same)\b[^.;]{0,40}\b(?:together|beside|adjacent|neighbou?r\w*|next to)\b|"
            r"(?:neighbou?r\w*|adjacent|nearby)\b[^.;]{0,40}\b(?:alike|similar|resemble\w*|the same|like)\b|"
            r"spatial (?:structure|pattern|dependence)|spatially (?:structured|dependent))",
            re.I,
        ),
    ),
    (
        "at random",
        re.compile(
            r"\b(?:random(?:ly|ness)?|by (?:pure )?chance|haphazard\w*|salt[- ]and[- ]pepper|unstructured|"
            r"spatially independent|no\b[^.;]{0,20}\b(?:pattern|structure|order|arrangement)|scattered)\b",
            re.I,
        ),
    ),
    (
        "apart",
        re.compile(
            rf"\b(?:dispersed|(?:chess|checker|chequer)-?board\w*|negative(?:ly)? {_AUTOCORRELATED}|"
            r"alternat\w*|regularly (?:spaced|spread)|evenly (?:spaced|spread|distributed)|"
            r"unlike\b[^.;]{0,40}\b(?:together|beside|adjacent|next to)|"
            r"(?:neighbou?r\w*|adjacent)\b[^.;]{0,40}\b(?:unlike|dissimilar|differ\w*|opposite))\b",
            re.I,
        ),
    ),
)
_STRONGLY = re.compile(
    r"\b(?:strong|high|clear|marked|pronounced|tight|heav|very|extreme)\w*\W+(?:\w+\W+){0,2}?"
    r"(?:cluster|clump|aggregat|auto-?correlat)",
    re.I,
)
_WEAKLY = re.compile(
    r"\b(?:weak|slight|faint|hard|loose|bare|low)\w*\W+(?:\w+\W+){0,2}?(?:cluster|clump|aggregat|auto-?correlat)",
    re.I,
)
# Nearer to what no pattern would give nothing is seen on a map, however many pixels make it significant.
_NO_PATTERN, _SIGNIFICANT, _STRONG, _WEAK = 0.1, 0.05, 0.3, 0.7


def find_false_patterns(answer: AnswerColumns) -> Iterator[str]:
    """Yield how values are said to lie in space, where Moran's I says otherwise, in sentences."""
    records = [record for record in answer.records if _is_of_space(record)]
    for sentence in sentences(answer.text) if len(records) == 1 else ():
        if is_guess(sentence):
            continue
        kinds, number = _kinds_of(records[0]), float(records[0]["i"])
        for name, pattern in _KINDS:
            found = pattern.search(sentence)
            denied = found is not None and is_negated(sentence, found.start())
            if found and (name in kinds) is denied and not (denied and len(kinds) > 1):
                yield f"Moran's I is {number:.3g}: like values lie {' or '.join(sorted(kinds))}."
                break
        else:
            strong, weak = _STRONGLY.search(sentence), _WEAKLY.search(sentence)
            if strong and not is_negated(sentence, strong.start()) and abs(number) < _STRONG:
                yield f"Moran's I is {number:.3g}, which is no strong pattern."
            if weak and not is_negated(sentence, weak.start()) and abs(number) > _WEAK:
                yield f"Moran's I is {number:.3g}, which is no weak pattern."


def _is_of_space(record: Mapping[str, Any]) -> bool:
    return is_number(record.get("i")) and is_number(record.get("expected"))


def _kinds_of(record: Mapping[str, Any]) -> set[str]:
    """Return how values lie by Moran's I: of what is significant and small either is right."""
    apart = float(record["i"]) - float(record["expected"])
    p = record.get("p")
    by_chance = is_number(p) and float(p or 0.0) >= _SIGNIFICANT
    found = set[str]() if by_chance else {"together" if apart > 0 else "apart"}
    return found | ({"at random"} if by_chance or abs(apart) < _NO_PATTERN else set())
