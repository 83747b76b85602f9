"""Answers to another question than was asked: of the other end of all, of another statistic, not how many."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treeline.core.engine.checks import COUNT
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in, find_unit
from treeline.core.engine.verification.degree_words import ends_of_scales, extreme
from treeline.core.engine.verification.labels import labels_in
from treeline.core.engine.verification.phrases import way
from treeline.core.engine.verification.question_words import asks_number, asks_yes_or_no
from treeline.core.engine.verification.statistic_words import find_statistics, noun_of
from treeline.toolkit.units import UNITS

# How far values lie from one another is asked in many words; about what they lie is no statistic asked for.
_SCATTERS = re.compile(
    r"\b(?:scatter\w*|dispers\w+|fluctuat\w+|(?:in)?homogene\w+|heterogene\w+|uniform\w*|variab(?:le|ility)|"
    r"(?:vary|varies|varied|variation|spread|deviate[sd]?) (?:\w+ )?(?:within|around|about|across|over))\b",
    re.I,
)
_ABOUT_THE_MEAN = re.compile(
    r"\b(?:about|around|from|above|below|than|over|under) (?:the |its |their )?(?:\w+ )?"
    r"(?:means?|averages?|medians?)\b",
    re.I,
)
_SPREADS = frozenset({"std", "variance", "cv", "range", "iqr", "percentile", "standard_error"})
# What a statistic that is asked for may be told by.
_TOLD_BY = {
    "std": frozenset({"std", "variance", "cv"}),
    "variance": frozenset({"std", "variance"}),
    "range": frozenset({"range", "max", "min", "iqr"}),
    "iqr": frozenset({"iqr", "percentile"}),
    "median": frozenset({"median", "percentile"}),
    "mean": frozenset({"mean"}),
    "max": frozenset({"max"}),
    "min": frozenset({"min"}),
}
# Scales whose ends are the lowest and the highest number: the driest may be either, and the cloudiest.
_MEASURED = frozenset({"low", "cool", "flatt", "brown", "short"})
_OF_CHANGE = re.compile(
    r"\b(?:chang|differ|anomal|deviat|depart|loss|lost|gap|error|distance|near|close)\w*", re.I
)
_KNOWN = frozenset({"mean", "median", "max", "min", "std", "range", "variance"})
_OF_SEVERAL = frozenset({"max", "min", "range"})
_HOW_MANY = re.compile(r"\bhow many (?:\w+ )??(?P<thing>[a-z]+)\b", re.I)
_NO_NUMBER = re.compile(
    r"\b(?:no|none|not|all|both|only|never|every|each|one|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"twelve|single|any|half|most|some|many|few)\b|n't\b",
    re.I,
)


def find_other_questions(answer: AnswerColumns) -> Iterator[str]:
    """Yield why an answer is one to another question than was asked.

    Parameters
    ----------
    answer : AnswerColumns
        What is said and asked, beside the facts of the results.
    """
    if asks_yes_or_no(answer.question):
        return
    yield from _of_other_end(answer)
    yield from _of_other_statistic(answer)
    yield from _of_no_count(answer)


def _of_other_end(answer: AnswerColumns) -> Iterator[str]:
    """Yield which end of all was asked for where only the other one is told: the gentlest, the steepest."""
    asked, direction = ends_of_scales(answer.question), extreme(answer.question, conditional=True)
    if not direction or {end for _, end in asked} != {direction}:
        return
    named = [clause for clause in answer.clauses if labels_in(clause, answer.columns)]
    # Asked for the greenest, what is most uniform is something beside.
    about = find_statistics(answer.question, nouns=True)
    beside = [_SPREADS & find_statistics(clause, nouns=True) - about for clause in named]
    told = [set() if of else ends_of_scales(clause) for clause, of in zip(named, beside, strict=True)]
    scales = {scale for scale, _ in asked}
    of_change = way(answer.question) or _OF_CHANGE.search(answer.question)  # the smallest loss is the highest
    if scales <= _MEASURED and not of_change:
        scales |= {"low"}
    elif of_change:
        scales -= {"low"}
    others = [{scale for scale, end in ends if end == -direction} & scales for ends in told]
    turned = any(way(clause) * way(answer.question) < 0 for clause in named)  # lost least, and gained most
    if named and all(others) and not any(end == direction for ends in told for _, end in ends) and not turned:
        yield f"The question asks for the {_name(direction)}, and the answer tells the {_name(-direction)}."


def _name(direction: int) -> str:
    return "largest" if direction > 0 else "smallest"


def _of_other_statistic(answer: AnswerColumns) -> Iterator[str]:
    """Yield which statistic was asked for where all numbers of an answer are another one."""
    question = _ABOUT_THE_MEAN.sub(" ", answer.question)
    named = find_statistics(question, nouns=True)
    scatters = _SCATTERS.search(answer.question) is not None and not extreme(answer.question)
    if not asks_number(answer.question) or len(named | ({"std"} if scatters else set())) != 1:
        return
    wanted = "std" if scatters else min(named)
    fitting = _SPREADS | _TOLD_BY["range"] if scatters else _TOLD_BY.get(wanted, frozenset())
    told = [claim for claim in answer.claims if not claim.limit]
    called = find_statistics(answer.text, nouns=True)
    if not fitting or not told or called & fitting or not (called or scatters):
        return  # what is only told as a number is held against what was asked where each number is
    # Of several numbers the largest is a maximum too, and two of them tell a range.
    one_alone = len(told) == 1 and wanted not in _OF_SEVERAL
    facts = [fact for fact in answer.facts if one_alone or not fact.several]
    shown = [{fact.statistic for fact in facts if answer.shows(claim, [fact.number])} for claim in told]
    if all(statistics and statistics <= _KNOWN - fitting for statistics in shown):
        (own, *_) = sorted(shown[0])
        what = "a measure of the spread" if scatters else f"the {noun_of(wanted)}"
        yield f"The question asks for {what}, and {told[0].text} is the {noun_of(own)}."


def _of_no_count(answer: AnswerColumns) -> Iterator[str]:
    """Yield that it was asked how many there are where an answer tells sizes alone."""
    match = _HOW_MANY.search(answer.question)
    if match is None or find_unit(match["thing"]) not in ("", COUNT) or answer.value is not None:
        return
    told = [claim for claim in claims_in(answer.text) if not claim.limit]
    sizes = [claim for claim in told if claim.unit in UNITS and claim.unit not in ("1", "%", COUNT)]
    if told and len(sizes) == len(told) and not _NO_NUMBER.search(answer.text) and not answer.labels:
        yield f"The question asks how many {match['thing']}, and {told[0].text} is no count."
