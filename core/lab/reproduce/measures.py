"""The metrics of the papers' tables over results, each with the bootstrap interval over questions.

A metric is a function of sums over rows, so that resampling is a matter of sums: a mean is one sum by
another, tokens a turn are all tokens by all turns. Rows of one question (seeds, repeats) are drawn together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.core.context.cards import COMMON
from treeline.core.lab.experience import collapse_repeats, tool_names, wise_score
from treeline.core.lab.records import ToolCall

Row = Mapping[str, Any]
Sums = NDArray[np.float64]

RESAMPLES = 2000
_SEED = 0
# Percentiles, the ends of an interval of 95 %.
_ENDS = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric.

    Attributes
    ----------
    terms : callable
        What a row adds to each sum; ``None`` where it says nothing.
    of : callable
        From the sums, the last axis of an array, to the value.
    """

    terms: Callable[[Row], tuple[float, ...] | None]
    of: Callable[[Sums], Sums]


def _quotient(sums: Sums) -> Sums:
    """Return the first sum by the second."""
    with np.errstate(divide="ignore", invalid="ignore"):
        # A resample may hold no question that says anything.
        return np.where(sums[..., 1] > 0, sums[..., 0] / sums[..., 1], np.nan)


def _mean(value: Callable[[Row], Any]) -> Measure:
    def terms(row: Row) -> tuple[float, ...] | None:
        found = value(row)
        return None if found is None else (float(found), 1.0)

    return Measure(terms, _quotient)


def _ratio(above: Callable[[Row], float], below: Callable[[Row], float]) -> Measure:
    """Return the measure of all of one thing by all of another; rows without the other say nothing."""

    def terms(row: Row) -> tuple[float, ...] | None:
        return (float(above(row)), float(below(row))) if below(row) else None

    return Measure(terms, _quotient)


def _score(name: str) -> Measure:
    return _mean(lambda row: row.get("scores", {}).get(name))


def _key_score(name: str) -> Measure:
    return _mean(lambda row: row.get("key_tool_scores", {}).get(name))


def _tokens(row: Row) -> float:
    if "tokens" not in row:
        return 0.0
    return float(row["tokens"]["input"] + row["tokens"]["output"] + row.get("reflection_tokens", 0))


def _of_pair(compare: Callable[[Sequence[ToolCall], Sequence[ToolCall]], float]) -> Measure:
    """Return the mean of a comparison of a row's calls with the expert's."""

    def value(row: Row) -> float | None:
        if row.get("expected") is None:
            return None
        return compare(_calls(row["calls"]), _calls(row["expected"]))

    return _mean(value)


def _calls(calls: Sequence[Row]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall.model_validate(call) for call in calls)


def _accuracy_terms(row: Row) -> tuple[float, ...] | None:
    """Return right answers, answers, all tokens, and those of reflections."""
    if row.get("correct") is None:
        return None
    return float(row["correct"]), 1.0, _tokens(row), float(row.get("reflection_tokens", 0))


def _token_efficiency(sums: Sums) -> Sums:
    """RSMem, appendix A.5: the accuracy by the decimal logarithm of all tokens."""
    with np.errstate(divide="ignore", invalid="ignore"):
        # The logarithm is 0 or less for up to one token.
        return np.where(sums[..., 2] > 1, _quotient(sums) / np.log10(sums[..., 2]), np.nan)


def _experience_density(sums: Sums) -> Sums:
    """RSMem, appendix A.5: the accuracy by the share of tokens that no reflection took."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sums[..., 2] > 0, _quotient(sums) * (1 - sums[..., 3] / sums[..., 2]), np.nan)


MEASURES: Mapping[str, Measure] = {
    **{name: _score(name) for name in ("tool_any_order", "tool_in_order", "tool_exact_match", "parameters")},
    "efficiency": _mean(lambda row: row.get("efficiency")),
    "accuracy": _mean(lambda row: row.get("correct")),
    "tokens_per_question": _mean(lambda row: row["context"]["tokens"] if row.get("context") else None),
    "tokens_per_turn": _ratio(
        lambda row: row["context"]["tokens"], lambda row: (row.get("context") or {}).get("turns", 0)
    ),
    "seconds": _mean(lambda row: row.get("seconds")),
    "seconds_in_tools": _mean(lambda row: row.get("tool_seconds")),
    "any_order": _of_pair(lambda mine, theirs: float(set(tool_names(mine)) == set(tool_names(theirs)))),
    "in_order": _of_pair(lambda mine, theirs: float(collapse_repeats(mine) == collapse_repeats(theirs))),
    "exact_match": _of_pair(lambda mine, theirs: float(tool_names(mine) == tool_names(theirs))),
    "wise_score": _of_pair(wise_score),
    "trajectory_redundancy_index": _ratio(
        lambda row: len(row["calls"]), lambda row: len(row.get("expected") or ())
    ),
    "token_efficiency": Measure(_accuracy_terms, _token_efficiency),
    "experience_density": Measure(_accuracy_terms, _experience_density),
    "reflection_share": _ratio(lambda row: row.get("reflection_tokens", 0), _tokens),
    **{name: _key_score(name) for name in ("recall", "precision", "f1")},
    "path_similarity": _mean(lambda row: row["path_similarity"]),
}
"""Every metric by its name, of rows as the benches make them."""


def value_of(name: str, rows: Sequence[Row], percent: bool = False) -> dict[str, float | None]:
    """Return a metric of some rows: ``value``, and ``low`` and ``high`` of its 95 % interval.

    Percentile bootstrap over questions (Efron and Tibshirani 1993, chapter 13); without an interval for
    fewer than two questions.
    """
    measure = MEASURES[name]
    sums: dict[str, NDArray[np.float64]] = {}
    for row in rows:
        terms = measure.terms(row)
        if terms is not None:
            key = str(row["question_id"])
            # By question: repeats of one question are no independent draws.
            sums[key] = sums.get(key, np.zeros(len(terms))) + np.asarray(terms)
    if not sums:
        return {"value": None, "low": None, "high": None}
    array = np.stack(list(sums.values()))
    factor = 100.0 if percent else 1.0
    value = _plain(measure.of(array.sum(axis=0)), factor)
    low, high = _interval(array, measure, factor) if len(array) > 1 else (None, None)
    return {"value": value, "low": low, "high": high}


def _interval(array: Sums, measure: Measure, factor: float) -> tuple[float | None, float | None]:
    # How often each question is drawn: (resamples, questions), whose product with the sums is all resamples.
    drawn = np.random.default_rng(_SEED).multinomial(
        len(array), np.full(len(array), 1 / len(array)), RESAMPLES
    )
    values = measure.of(drawn @ array)
    if np.isnan(values).all():
        return None, None
    # Resamples without a value are passed over: they say nothing of where it lies.
    low, high = np.nanpercentile(values, _ENDS)
    return float(low) * factor, float(high) * factor


def _plain(value: Any, factor: float) -> float | None:
    number = float(value)
    return None if math.isnan(number) else number * factor


@lru_cache(maxsize=1)
def _rare() -> frozenset[str]:
    """Return the tools that HTAM (arXiv 2511.17198), table 12, calls rare."""
    return frozenset((Path(__file__).parent / "rare_tools.txt").read_text("utf-8").split())


def _rare_tools(row: Row) -> str:
    """Return how many rare tools the gold path holds, as HTAM's table 13 counts them."""
    count = len(_rare() & set(row["ground_truth"]))
    return str(count) if count < 2 else "2 or more"


def _card_domain(row: Row) -> str:
    """Return the domain of the card that is nearest to a question."""
    card = COMMON.search().best(str(row["question"]))
    return str(card.domain) if card else "none"


SLICES: Mapping[str, Callable[[Row], str]] = {
    "modality": lambda row: str(row["modality"]),
    "complexity": lambda row: str(row["complexity"]),
    "domain and complexity": lambda row: f"{row['domain']}, {row['complexity']}",
    "calls made": lambda row: str(len(row["calls"])),
    "rare tools": _rare_tools,
    "card domain": _card_domain,
}
"""By what a table divides its questions: from a row to the part that it belongs to."""
