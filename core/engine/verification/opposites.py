"""What an answer says that would pass as well if it said the opposite: of that nothing was checked.

A rule that does not read a sentence lets it pass, and what the sentence denies with it. So a denial is held
against what it denies: where nothing in the results contradicts that either, the denial is not borne out.
And a word such as "higher" is checked only where "lower" in its place would be refused.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.bare_claims import shortly, tells_work
from treeline.core.engine.verification.claims import claims_in, dates_in
from treeline.core.engine.verification.clauses import sentences, without_points_of_abbreviations
from treeline.core.engine.verification.degree_words import (
    COMPARATIVE,
    HIGH_STEMS,
    LOW_STEMS,
    OPPOSITE_STEMS,
    extreme,
    is_superlative,
)
from treeline.core.engine.verification.labels import labels_in
from treeline.core.engine.verification.phrases import says_no_change, side, way

_DENIAL = re.compile(r"\s?\bnot\b(?! (?:only|just|least)\b)|(?<=[a-z])n't\b", re.I)
# How far what is denied goes.
_END = re.compile(r"(?:[;:.!?](?!\d)|\()|\n|,\s|\b(?:but|while|whereas|although|because|so)\b")
_BEGIN = re.compile(r"[.;:!?]\s|\n")
# Words of relation with their opposites, read both ways; of adjectives any of the other side is one.
_PAIRS = (
    *("more less", "most least", "above below", "earliest latest", "rose fell", "rises falls"),
    *("increased decreased", "increases decreases", "increasing decreasing", "increase decrease"),
    *("climbed dropped", "climbs drops", "grew shrank", "gained lost", "gains loses", "gain loss"),
    *("warmed cooled", "maximum minimum", "peak trough", "positive negative", "positively negatively"),
    *("exceeds trails", "exceeded trailed", "exceed trail", "outweighs trails", "outweigh trail"),
    *("double half", "twice half", "majority minority", "always never"),
)
_IS_A_PART = re.compile(
    r"\s*(?:of\b|[(.,;:]|$|(?:is|are|was|were|lies?|lay)\b)(?! the (?:size|area|extent)\b)", re.I
)
# Of a place in an order another one is the opposite.
_PLACES = {"second": "fourth", "third": "fifth", "fourth": "second", "fifth": "third"}
_PLACED = "|".join(_PLACES)
_PLACE = (
    rf"(?:{_PLACED})(?=[ -](?:(?:in|by) (?:size|area|order|rank|place)|place|rank|\w+est\b|most\b|least\b))|"
    rf"(?:(?<=\branks )|(?<=\branked )|(?<=\bcomes ))(?:{_PLACED})"
)
_WORDS = {a: b for pair in _PAIRS for a, b in (pair.split(" "), pair.split(" ")[::-1])}
_OPPOSITES = _WORDS | _PLACES
_LONGEST_FIRST = "|".join(sorted(_WORDS, key=len, reverse=True))
_HIGH, _LOW = (re.compile(rf"(?P<stem>{stems})(?P<end>er|est)", re.I) for stems in (HIGH_STEMS, LOW_STEMS))
_RELATION = re.compile(
    rf"(?<!\bat )\b(?!more or less\b)(?<!\bmore or )(?:{_LONGEST_FIRST}|{_PLACE}|"
    rf"(?:{HIGH_STEMS}|{LOW_STEMS})(?:er|est))\b(?! sea level| squares|-squares| detail| information)"
    # Half of something is a part of it, as a third is.
    r"(?<!\bhalf(?= of\b))",
    re.I,
)
_OF_HALF = re.compile(r"\b(?:more than|less than|over|under|above|below) half$", re.I)
_SECONDS = 3.0
# What is not possible, and what a condition leaves open.
_OPEN = re.compile(r"\b(?:could|would|ca|can|may|might|should|whether|if|I|we)(?: (?:or|have|be))?$", re.I)
# What an answer does not tell of what there is.
_UNTOLD = re.compile(
    r"\W*(?:given|told|shown|listed|reported|stated|named|available|known|comput\w+|calculated|considered|"
    r"checked|needed|meant|asked)\b",
    re.I,
)
# What was or was not done with the data.
_OF_WORK = re.compile(r"\b(?:do|does|did)$", re.I)


def find_unchecked_denials(answer: AnswerColumns, text: str, passes: Callable[[str], bool]) -> Iterator[str]:
    """Yield what a text denies of the results, where what it denies would pass too, in sentences.

    Parameters
    ----------
    answer : AnswerColumns
        An answer that passes, beside the results that it rests on.
    text : str
        It, as it is written.
    passes : callable
        Whether an answer of another text would pass.
    """
    until = time.monotonic() + _SECONDS
    for match in _DENIAL.finditer(text):
        end = _END.search(text, match.end())
        denied = text[match.end() : end.start() if end else len(text)]
        start = max((begin.end() for begin in _BEGIN.finditer(text, 0, match.start())), default=0)
        told, behind = text[start : match.start()], _BEGIN.split(text[match.end() + len(denied) :])[0]
        if not _is_of_results(answer, told, denied, behind):
            continue
        # A long answer full of denials must not hold a run up: what was not tried is not known to hold.
        if time.monotonic() > until or passes(text[: match.start()] + text[match.end() :]):
            clause = shortly(told + match[0] + denied)
            yield f"Not checked: {clause!r} denies what the results do not contradict."


def find_unchecked_sentences(
    answer: AnswerColumns, text: str, passes: Callable[[str], bool], seconds: float = _SECONDS
) -> list[str]:
    """Return the sentences of a text with a word of relation that could as well be its opposite.

    Parameters
    ----------
    answer : AnswerColumns
        An answer that passes, beside the results that it rests on.
    text : str
        It, as it is written.
    passes : callable
        Whether an answer of another text would pass.
    seconds : float
        How long it is tried; a sentence that it was not tried for any more is not known to be checked.
    """
    until, text = time.monotonic() + seconds, without_points_of_abbreviations(text)
    found = list[str]()
    for sentence in sentences(text):
        matches = [] if tells_work(answer, sentence) else [*_RELATION.finditer(sentence)]
        # One word tells nothing where both it and its opposite hold: half lie above the median, half below.
        # Of "more than half" the other side is "less than half".
        matches = [m for m in matches if not _OF_HALF.search(sentence[: m.end()])]
        others = [
            sentence[: m.start()] + _opposite(m[0], sentence[m.end() :]) + sentence[m.end() :]
            for m in matches
        ]
        # By itself a sentence is judged faster than in a long answer, and mostly as in it.
        alone = bool(others) and time.monotonic() <= until and passes(sentence)
        left = [other for other in others if not (alone and not passes(other))]
        if any(time.monotonic() > until or passes(text.replace(sentence, other)) for other in left):
            found.append(sentence)
    return found


def _opposite(word: str, behind: str = "") -> str:
    """Return the opposite of a word of relation: cooler of warmer, longest of shortest.

    Parameters
    ----------
    behind : str
        What stands behind it: half of something is a part of it, and another part its opposite.
    """
    if word.casefold() == "half" and _IS_A_PART.match(behind):
        return "A tenth" if word[0] == "H" else "a tenth"
    high, low = _HIGH.fullmatch(word), _LOW.fullmatch(word)
    adjective = high or low
    if adjective:
        stem = OPPOSITE_STEMS.get(adjective["stem"].casefold(), "low" if high else "high")
        other = f"{stem}{adjective['end']}"
    else:
        other = _OPPOSITES[word.casefold()]
    return other[:1].upper() + other[1:] if word[:1].isupper() else other


def _is_of_results(answer: AnswerColumns, told: str, denied: str, behind: str) -> bool:
    """Return whether a number, a name or a relation of the results is denied, or something is of them.

    Of which of them something is denied stands before it, or in brackets behind.
    """
    if (
        not re.search(r"\w", denied)
        or _UNTOLD.match(denied)
        or _OPEN.search(told)
        or says_no_change(f"not {denied}")
    ):
        return False
    if _tells_result(answer, denied):
        return True
    return (
        _tells_result(answer, told if not behind.startswith("(") else f"{told} {behind}")
        and not _OF_WORK.search(told)
        and not tells_work(answer, f"{told} {denied}")
    )


def _tells_result(answer: AnswerColumns, text: str) -> bool:
    return bool(
        claims_in(text)
        or dates_in(text)
        or labels_in(text, answer.columns)
        or re.search(COMPARATIVE, text)
        or extreme(text)
        or is_superlative(text)
        or side(text)
        or way(text)
    )
