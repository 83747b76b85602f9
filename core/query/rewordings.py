"""Other words for a question that is not read as it stands: what adds nothing, synonyms, and sentence frames.

Each rewording keeps the meaning, and what it does not name is kept as it was told, so that every word still
has to be read. It is tried only where the question in its own words was not read, so that it changes no
reading that there is.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

# Each costs one reading of the question.
_MOST = 12
# A frame has slots, which are looked for anywhere: no longer question is worth it.
_LONGEST = 400
_SLOT = re.compile(r"\{(\w+)\}")
_INDEX = "{index}"
# What some slots hold alone; any words the others.
_SLOTS = {
    "years": r"\d{4}(?:(?:,|,? and) \d{4})*",
    "month": r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|spring|summer|autumn|winter)",
    "time": r"(?!\s*(?:the )?(?:whole |entire )?(?:scene|image|area|ground)\b).+?",
    "change": r"\b(?:changes?|differences?|loss|losses|gains?|drops?|rises?|falls?|decreases?|increases?"
    r"|declines?|reductions?|lost|gained|fell|rose|dropped|decreased|increased|declined|changed)\b",
}
_END = re.compile(r"[\s?.!]+$")

Patterns = tuple[tuple[re.Pattern[str], str], ...]
"""What is looked for, and what it means."""


class Words(BaseModel):
    """Phrases, with choices as in the lexicon, and what they stand for."""

    model_config = ConfigDict(extra="forbid")

    said: tuple[str, ...]
    meant: str = ""
    examples: tuple[dict[str, str], ...] = ()


class Rewordings(BaseModel):
    """What the file holds: words within a question, and frames that a whole question has or is near to."""

    model_config = ConfigDict(extra="forbid")

    words: tuple[Words, ...]
    frames: tuple[Words, ...]
    near: tuple[Words, ...] = ()


@cache
def rewordings() -> Rewordings:
    """Return the rewordings that there are."""
    text = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    return Rewordings.model_validate(yaml.safe_load(text))


@dataclass(frozen=True, slots=True)
class Reworded:
    """A question in other words.

    Attributes
    ----------
    question : str
    changes : tuple of (told, meant)
        The words that were replaced; what is left out stands for nothing.
    """

    question: str
    changes: tuple[tuple[str, str], ...] = ()


def other_wordings(question: str, index: str | None = None) -> Iterator[Reworded]:
    """Yield a question in other words: all rewordings of words that apply, then frames, then each by itself.

    Parameters
    ----------
    question : str
    index : str, optional
        What stands for "{index}": the only index of greenness that there is, or nothing where the question
        names its variable. Without it what needs one is not tried.
    """
    if len(question) > _LONGEST:
        return
    start = Reworded(_END.sub("", " ".join(question.split())))
    seen = {start.question}
    tried = 0
    for found in _in_turn(start, index):
        if found.question in seen:
            continue
        seen.add(found.question)
        yield found
        tried += 1
        if tried >= _MOST:
            return


def near_wordings(question: str) -> Iterator[str]:
    """Yield questions that do not mean the same, but may be what somebody wants to know."""
    plain = _END.sub("", " ".join(question.split()))
    if len(plain) > _LONGEST:
        return
    for pattern, meant in _near_patterns():
        match = pattern.fullmatch(plain)
        if match:
            yield _SLOT.sub(lambda slot: match[slot[1]].strip(" ,"), meant)  # noqa: B023


def _in_turn(start: Reworded, index: str | None) -> Iterator[Reworded]:
    worded = start
    singles = []
    for pattern, meant in _word_patterns():
        if index is None and _INDEX in meant:
            continue
        meant = meant.replace(_INDEX, index or "")
        single = _replace_words(start, pattern, meant)
        if single is not start:
            singles.append(single)
            worded = _replace_words(worded, pattern, meant)
    yield worded
    for first in (worded, start):
        for framed in _in_frames(first, index):
            yield framed
            yield from _in_frames(framed, index)
    yield from singles


def _replace_words(reworded: Reworded, pattern: re.Pattern[str], meant: str) -> Reworded:
    told = [match.group() for match in pattern.finditer(reworded.question)]
    if not told:
        return reworded
    question = " ".join(pattern.sub(meant, reworded.question).split())
    question = re.sub(r"\s+([,;:?.])", r"\1", question)
    changes = tuple((text, meant) for text in dict.fromkeys(told))
    return Reworded(question, (*reworded.changes, *changes))


def _in_frames(reworded: Reworded, index: str | None) -> Iterator[Reworded]:
    for pattern, meant in _frame_patterns():
        if index is None and _INDEX in meant:
            continue
        meant = meant.replace(_INDEX, index or "")
        match = pattern.fullmatch(reworded.question)
        if match:
            question = " ".join(_SLOT.sub(lambda slot: _kept(match[slot[1]]), meant).split())  # noqa: B023
            yield Reworded(question, (*reworded.changes, (reworded.question, question)))


def _kept(told: str) -> str:
    """Return what a slot held without commas at its ends, apart from what it stood apart from."""
    before, after = told[:1].isspace(), told[-1:].isspace()
    return f"{' ' * before}{told.strip(' ,')}{' ' * after}"


def prepare_rewordings() -> None:
    """Compile what other words are found by, which takes seconds, before somebody asks."""
    _word_patterns()
    _frame_patterns()
    _near_patterns()


def _once(compiled: Callable[[], Patterns]) -> Callable[[], Patterns]:
    """Return a function that is worked on once: who asks meanwhile waits, where each would take as long."""
    lock, kept = threading.Lock(), cache(compiled)

    @wraps(compiled)
    def shared() -> Patterns:
        with lock:
            return kept()

    return shared


@_once
def _word_patterns() -> Patterns:
    return tuple((_within(entry.said), entry.meant) for entry in rewordings().words)


@_once
def _frame_patterns() -> Patterns:
    return _whole(rewordings().frames)


@_once
def _near_patterns() -> Patterns:
    return _whole(rewordings().near)


def _whole(frames: tuple[Words, ...]) -> Patterns:
    return tuple(
        (re.compile(_frame_expression(one), re.IGNORECASE), entry.meant)
        for entry in frames
        for phrase in entry.said
        for one in _with_ends_apart(phrase)
    )


def _with_ends_apart(phrase: str) -> Iterator[str]:
    """Yield a frame for each choice that ends a slot: of "from {other} (on|of) {when}" either may do so."""
    match = _END_OF_SLOT.search(phrase)
    if match is None:
        yield phrase
        return
    for choice in match["choice"][1:-1].split("|"):
        yield from _with_ends_apart(
            f"{phrase[: match.start('choice')]}{choice}{phrase[match.end('choice') :]}"
        )


def _frame_expression(phrase: str) -> str:
    """Return the regular expression of a frame; its choices stay, as it may have thousands of spellings."""
    named: set[str] = set()

    def told(match: re.Match[str]) -> str:
        if match["slot"]:
            name = match["slot"]
            if name in named:  # the same words are meant where a slot stands twice
                return f"(?P={name})"
            named.add(name)
            return f"(?P<{name}>{_SLOTS.get(name, '.+?')})"
        if match["choice"]:
            # The longest first: within a question no end tells whether more is meant.
            choices = sorted(match["choice"][1:-1].split("|"), key=len, reverse=True)
            return f"(?:{'|'.join(map(parse, choices))})"
        return _GAP if match[0].isspace() else re.escape(match[0])

    def parse(text: str) -> str:
        return _PART.sub(told, text)

    return parse(phrase)


# A gap is nothing beside a choice that is left out.
_GAP = r"(?:[\s-]+|(?<!\w)|(?!\w))"
_CHOICE = re.compile(r"\([^()|]*\|[^()]*\)")
_END_OF_SLOT = re.compile(rf"\}}\s*(?P<choice>{_CHOICE.pattern})")
_PART = re.compile(rf"\{{(?P<slot>\w+)\}}|(?P<choice>{_CHOICE.pattern})|\s+|[^\s{{(]+|.")


def _within(said: tuple[str, ...]) -> re.Pattern[str]:
    """Return the regular expression of phrases within a question, the longest first."""
    told = sorted(said, key=_longest_spelling, reverse=True)
    # A comma or bracket that a phrase begins with stands right behind a word.
    begins = r"(?:(?<![\w-])|(?=[,.;:(]))"
    return re.compile(rf"{begins}(?:{'|'.join(map(_frame_expression, told))})(?![\w-])", re.IGNORECASE)


def _longest_spelling(phrase: str) -> int:
    """Return the length of a phrase with the longest of its choices."""
    return len(_CHOICE.sub(lambda match: max(match[0][1:-1].split("|"), key=len), phrase))
