"""The failures of a bench in groups of one cause, the largest group first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]

# How a run ends that has no answer which its evidence carries.
UNANSWERED = ("unverified", "asks", "declined", "failed")

_WITHOUT_ANSWER = ("asks", "declined")
# A decision: a plan with three quarters of the gold path is no failure to be looked into.
_GOOD_PATH = 0.75
_MOST_NAMES = 3


def failure_groups(bench: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return ``cause``, ``count`` and ``questions`` of each group; a row may be in several."""
    groups: dict[str, list[str]] = {}
    for row in rows:
        for cause in _CAUSES[bench](row):
            groups.setdefault(cause, []).append(str(row["id"]))
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    return [{"cause": cause, "count": len(ids), "questions": ids} for cause, ids in ordered]


def _of_run(row: Row) -> Iterator[str]:
    """Yield where the calls of a run first leave the expert's."""
    if row["status"] == "failed":
        yield f"failed: {str(row['reason'])[:80]}"
        return
    if row["expected"] is not None and (cause := _departure(row["calls"], row["expected"])):
        yield f"{row['status']}, {cause}" if row["status"] in _WITHOUT_ANSWER else cause
    elif row["correct"] is False:
        yield row["status"] if row["status"] in _WITHOUT_ANSWER else "wrong answer"


def _departure(calls: Sequence[Row], expected: Sequence[Row]) -> str:
    """Return the first difference between two trajectories; empty where there is none."""
    for mine, theirs in zip(calls, expected, strict=False):
        if mine["tool"] != theirs["tool"]:
            return f"{mine['tool']} instead of {theirs['tool']}"
    if len(calls) < len(expected):
        return f"ends before {expected[len(calls)]['tool']}"
    if len(calls) > len(expected):
        return f"goes on with {calls[len(expected)]['tool']}"
    for mine, theirs in zip(calls, expected, strict=True):
        if mine["arguments"] != theirs["arguments"]:
            names = _argument_differences(mine["arguments"], theirs["arguments"])
            more = " and others" if len(names) > _MOST_NAMES else ""
            return f"other {', '.join(names[:_MOST_NAMES])}{more} of {mine['tool']}"
    return ""


def _argument_differences(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    missing = object()
    names = sorted({*mine, *theirs})
    return [name for name in names if mine.get(name, missing) != theirs.get(name, missing)]


def _of_plan(row: Row) -> Iterator[str]:
    if row["path_similarity"] >= _GOOD_PATH:
        return
    path, gold = row["path"], row["ground_truth"]
    yield from (f"leaves out {tool}" for tool in dict.fromkeys(gold) if tool not in path)
    yield from (f"adds {tool}" for tool in dict.fromkeys(path) if tool not in gold)


def _of_ablation(row: Row) -> Iterator[str]:
    told = "wrong answer" if row["measures"]["right"] == 0 else ""
    why = f"failed: {str(row['reason'])[:80]}" if row["status"] == "failed" else told
    if row["status"] in _WITHOUT_ANSWER or why:
        yield f"{row['setting']}: {why or row['status']}"


_CAUSES: Mapping[str, Callable[[Row], Iterator[str]]] = {
    "earth-bench": _of_run,
    "thinkgeo": _of_run,
    "geoplan": _of_plan,
    "ablation": _of_ablation,
    "reproduce": lambda row: _of_plan(row) if "path" in row else _of_run(row),
}
