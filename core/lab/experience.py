"""RSMem's metrics of a set of runs: what was right as a whole, at what cost, with how much reflection.

RSMem, appendix A.5, equations 5 to 12. In-Order is distinguished from Exact-Match by collapsing
repeated calls of one tool: the paper's words for both are otherwise the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from treeline.core.lab.metrics import common_prefix, mean_of, same_tool
from treeline.core.lab.records import ToolCall

# None is a value that an argument may have.
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is counted of one run.

    Attributes
    ----------
    expected : sequence of ToolCall or None
        ``None`` where the expert's calls are not known.
    correct : bool or None
        ``None`` where no answer is known to compare with.
    tokens : int
        Of all rounds.
    reflection_tokens : int
        Those of them that reflections cost.
    """

    predicted: Sequence[ToolCall]
    expected: Sequence[ToolCall] | None
    correct: bool | None = None
    tokens: int = 0
    reflection_tokens: int = 0


def experience_metrics(runs: Sequence[RunFacts]) -> dict[str, float | None]:
    """Return AO, IO, EM, Wise-Score, accuracy, TRI, token efficiency and experience density.

    Token efficiency and density are fractions of the accuracy; ``None`` where no tokens were used.
    """
    accuracy = _share([run.correct for run in runs if run.correct is not None])
    tokens = sum(run.tokens for run in runs)
    reflected = sum(run.reflection_tokens for run in runs)
    pairs = [(run.predicted, run.expected) for run in runs if run.expected is not None]
    needed = sum(len(expected) for _, expected in pairs)
    made = sum(len(predicted) for predicted, _ in pairs)
    density = None if accuracy is None or not tokens else accuracy * (1 - reflected / tokens)
    return {
        "any_order": _share([set(tool_names(mine)) == set(tool_names(theirs)) for mine, theirs in pairs]),
        "in_order": _share([collapse_repeats(mine) == collapse_repeats(theirs) for mine, theirs in pairs]),
        "exact_match": _share([tool_names(mine) == tool_names(theirs) for mine, theirs in pairs]),
        "wise_score": mean_of([wise_score(mine, theirs) for mine, theirs in pairs]),
        "accuracy": accuracy,
        "trajectory_redundancy_index": made / needed if needed else None,
        # The logarithm of one token is 0.
        "token_efficiency": None if accuracy is None or tokens < 2 else accuracy / math.log10(tokens),
        "experience_density": density,
    }


def wise_score(predicted: Sequence[ToolCall], expected: Sequence[ToolCall]) -> float:
    """Return the share of right arguments along the prefix in which every tool is right."""
    if not expected:
        return float(not predicted)
    length = common_prefix(predicted, expected, same_tool)
    right = [_right_arguments(predicted[i], expected[i]) for i in range(length)]
    return sum(right) / len(expected)


def _right_arguments(mine: ToolCall, theirs: ToolCall) -> float:
    names = {*mine.arguments, *theirs.arguments}
    if not names:
        return 1.0
    equal = [mine.arguments.get(n, _ABSENT) == theirs.arguments.get(n, _ABSENT) for n in names]
    return sum(equal) / len(names)


def tool_names(calls: Sequence[ToolCall]) -> list[str]:
    """Return the tools of calls in their order."""
    return [call.tool for call in calls]


def collapse_repeats(calls: Sequence[ToolCall]) -> list[str]:
    """Return the tools of calls in their order, those that are called again at once a single time."""
    return [tool for tool, _ in groupby(tool_names(calls))]


def _share(values: Sequence[bool | None]) -> float | None:
    return mean_of([float(bool(value)) for value in values])
