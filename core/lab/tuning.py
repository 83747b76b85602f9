"""What of Treeline was chosen while a benchmark was looked at: it is in every report on it."""

from __future__ import annotations

from collections.abc import Iterable

TUNED = {
    "earth-bench": "Of Earth-Bench: the planner, the reader of questions and the task cards were made while "
    "its public questions were read; on these their scores are training scores. One in five was set aside by "
    "rule and not read for the planner; keywords of cards were chosen with all public questions in sight, "
    "and what helped these more than other questions was taken out. "
    "Those that are not public nobody saw: their scores stand apart. What cards are worth on each part is "
    "measured by `treeline bench cards`.",
    "geoplan": "Of GeoPlan-bench: the rules of the planner layered were made while its tasks were read; on "
    "these its scores are training scores.",
    "recorded calls": "Of recorded calls: what of a call is repaired and what a refusal says was chosen "
    "while recorded calls of Earth-Bench's public questions were read.",
    "thinkgeo": "Of ThinkGeo: the form of its file was known, its questions were not at hand. Its experts "
    "call tools that are not those here, so that calls are not compared.",
}


def tuning_statement(benches: Iterable[str]) -> str:
    """Return what is to be said of some benchmarks."""
    return " ".join(TUNED[bench] for bench in dict.fromkeys(benches))
