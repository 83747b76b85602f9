"""Rows that need no understanding of a question; without them a score says little.

``random``: tools drawn at random, as many as the expert called, and a letter at random. ``constant``: the
commonest of the experts' trajectories, and the letter that is right most often. ``nearest``: the expert's
calls for the nearest other question, and its letter. The last two know the experts' calls of the other
questions, which no system does.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from treeline.core.lab.metrics import efficiency, score_trajectory
from treeline.core.lab.records import Question, ToolCall
from treeline.core.lab.toolbox import reference_tools
from treeline.knowledge import embedder_of

Row = dict[str, Any]
Answered = tuple[Sequence[ToolCall], str | None]


class _Random:
    """Tools and a letter at random; the same ones for the same question."""

    def __init__(self, everything: Sequence[Question]) -> None:
        self._names = sorted(reference_tools())

    def __call__(self, question: Question) -> Answered:
        lot = random.Random(str(question.id))
        # As many as the expert called: a number drawn too would be one more thing to get wrong, and
        # a lower floor.
        calls = [ToolCall(tool=lot.choice(self._names)) for _ in question.ground_truth]
        letters = ascii_uppercase[: len(question.choices)]
        return calls, lot.choice(letters) if letters else None


class _Constant:
    """One trajectory and one letter for all: the commonest of the other questions."""

    def __init__(self, everything: Sequence[Question]) -> None:
        self._paths = Counter(_path(question) for question in everything)
        self._letters = Counter(letter for question in everything for letter in question.answers[:1])

    def __call__(self, question: Question) -> Answered:
        # Without its own, which no one who answers it knows; counted once for all and taken away,
        # not counted anew.
        paths = self._paths - Counter([_path(question)])
        letters = self._letters - Counter(question.answers[:1])
        return [ToolCall(tool=name) for name in _commonest(paths) or ()], _commonest(letters)


class _Nearest:
    """What the expert called for the nearest other question."""

    def __init__(self, everything: Sequence[Question]) -> None:
        self._everything = everything
        texts = [question.auto_planning for question in everything]
        self._embedder = embedder_of("", texts)
        self._vectors = self._embedder.embed(texts)

    def __call__(self, question: Question) -> Answered:
        likeness = self._vectors @ self._embedder.embed([question.auto_planning])[0]
        ranked = sorted(zip(-likeness, range(len(self._everything)), strict=True))
        others = (self._everything[place] for _, place in ranked)
        other = next((each for each in others if each.id != question.id), None)
        return (other.ground_truth, next(iter(other.answers), None)) if other else ((), None)


FLOORS: Mapping[str, Callable[[Sequence[Question]], Callable[[Question], Answered]]] = {
    "random": _Random,
    "constant": _Constant,
    "nearest": _Nearest,
}
"""By name: from all questions of a benchmark to what answers one of them."""


def floor_rows(questions: Sequence[Question], everything: Sequence[Question]) -> Iterator[tuple[str, Row]]:
    """Yield the floor's name and its result, scored as any other, for each question and floor.

    Parameters
    ----------
    everything : sequence of Question
        All of the benchmark, the questions among them.
    """
    for name, make in FLOORS.items():
        answer = make(everything)
        for question in questions:
            calls, letter = answer(question)
            yield name, _score(question, calls, letter)


def _score(question: Question, calls: Sequence[ToolCall], letter: str | None) -> Row:
    known = question.has_expert
    decided = bool(question.answers and question.choices)
    return {
        "question_id": str(question.id),
        "question": question.auto_planning,
        "modality": question.modality,
        "calls": _as_json(calls),
        "expected": _as_json(question.ground_truth) if known else None,
        "scores": score_trajectory(calls, question.ground_truth).as_dict() if known else {},
        "efficiency": efficiency(calls, question.ground_truth) if known else None,
        "correct": letter in question.answers if decided else None,
    }


def _as_json(calls: Sequence[ToolCall]) -> list[Row]:
    return [{"tool": call.tool, "arguments": call.arguments} for call in calls]


def _path(question: Question) -> tuple[str, ...]:
    return tuple(call.tool for call in question.ground_truth)


def _commonest(counted: Counter[Any]) -> Any:
    """Return what was counted most; of several the first by name, so that the order says nothing."""
    return min(counted, key=lambda item: (-counted[item], item), default=None)
