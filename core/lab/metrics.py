"""Earth-Bench's metrics of a trajectory and of its end.

Feng et al., Earth-Agent (arXiv 2509.23141), appendix B: equations 1 to 6.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from treeline.core.lab.records import ToolCall

_ANSWER = re.compile(r"<\s*Answer\s*>\s*\(?\s*([A-Za-z])\b", re.IGNORECASE)

Same = Callable[[ToolCall, ToolCall], bool]


@dataclass(frozen=True, slots=True)
class TrajectoryScores:
    """How the calls of a run compare with the expert's; each from 0 to 1."""

    tool_any_order: float
    tool_in_order: float
    tool_exact_match: float
    parameters: float

    def as_dict(self) -> dict[str, float]:
        """Return the scores by name."""
        return asdict(self)


def score_trajectory(predicted: Sequence[ToolCall], expected: Sequence[ToolCall]) -> TrajectoryScores:
    """Return the four step-by-step scores.

    An expected trajectory without calls is met by one without calls, and by no other.
    """
    if not expected:
        met = float(not predicted)
        return TrajectoryScores(met, met, met, met)
    length = len(expected)
    return TrajectoryScores(
        tool_any_order=_coverage(predicted, expected),
        tool_in_order=_in_order(predicted, expected) / length,
        tool_exact_match=common_prefix(predicted, expected, same_tool) / length,
        parameters=common_prefix(predicted, expected, same_call) / length,
    )


def efficiency(predicted: Sequence[ToolCall], expected: Sequence[ToolCall]) -> float | None:
    """Return the calls made for each call of the expert; ``None`` where the expert made none."""
    return len(predicted) / len(expected) if expected else None


def answer_letter(text: str | None) -> str | None:
    """Return the option that a final message names as ``<Answer>X<Answer>``; the last one counts."""
    found = _ANSWER.findall(text or "")
    return found[-1].upper() if found else None


def common_prefix(predicted: Sequence[ToolCall], expected: Sequence[ToolCall], same: Same) -> int:
    """Return how many calls from the first on are the same."""
    for count, (mine, theirs) in enumerate(zip(predicted, expected, strict=False)):
        if not same(mine, theirs):
            return count
    return min(len(predicted), len(expected))


def same_tool(mine: ToolCall, theirs: ToolCall) -> bool:
    """Return whether two calls are of one tool."""
    return mine.tool == theirs.tool


def same_call(mine: ToolCall, theirs: ToolCall) -> bool:
    """Return whether two calls are of one tool with equal arguments."""
    return mine.tool == theirs.tool and mine.arguments == theirs.arguments


def mean_of(values: Sequence[float]) -> float | None:
    """Return the mean; ``None`` of no values."""
    return sum(values) / len(values) if values else None


def average(rows: Iterable[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Return the mean of each score over the rows that have it."""
    columns: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            known = columns.setdefault(name, [])
            if value is not None:
                known.append(float(value))
    return {name: mean_of(values) for name, values in columns.items()}


def group_rows(rows: Sequence[Mapping[str, Any]], key: str) -> dict[str, list[Mapping[str, Any]]]:
    """Return the rows by the value of a key, in the order of their first appearance."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(str(row[key]), []).append(row)
    return groups


def _coverage(predicted: Sequence[ToolCall], expected: Sequence[ToolCall]) -> float:
    needed = {call.tool for call in expected}
    return len(needed & {call.tool for call in predicted}) / len(needed)


def _in_order(predicted: Sequence[ToolCall], expected: Sequence[ToolCall]) -> int:
    """Count the expected tools that follow one another in the prediction, up to the first that is missing."""
    rest = iter([call.tool for call in predicted])
    for count, call in enumerate(expected):
        # "in" takes the iterator on to what it finds, so that the next tool is looked for behind it.
        if call.tool not in rest:
            return count
    return len(expected)
