"""Two reports of one bench compared: the difference of each metric, and which questions were won or lost.

Only what both reports hold is compared, question by question, so the intervals are those of paired
differences (Efron and Tibshirani 1993, chapter 13).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treeline.core.lab.intervals import confidence_interval
from treeline.core.lab.metrics import mean_of
from treeline.toolkit.errors import InputError

Row = Mapping[str, Any]
Measures = dict[str, float | None]

LOWER_IS_BETTER = frozenset({"efficiency", "tokens", "turns", "refused", "steps", "seconds", "elapsed"})


_LEADING = "leading metric"


@dataclass(frozen=True, slots=True)
class Form:
    """How the report of a bench holds what is compared.

    Attributes
    ----------
    rows : str
        Where its rows stand.
    key : callable
        What identifies a row; ``None`` for their order.
    lead : str
        The measure by which a question is won or lost.
    """

    rows: str
    measures: Callable[[Row], Measures]
    lead: str
    key: Callable[[Row], str] | None = lambda row: str(row["id"])


def _earth_bench(row: Row) -> Measures:
    correct = row.get("correct")
    return {
        **row["scores"],
        "efficiency": row["efficiency"],
        "accuracy": None if correct is None else float(correct),
    }


def _geoplan(row: Row) -> Measures:
    return {"path_similarity": row["path_similarity"], **row["key_tool_scores"]}


def _context(row: Row) -> Measures:
    hits = row["hits"] / row["calls"] if row["calls"] else None
    return {"tokens": row["tokens"], "turns": row["turns"], "hit_rate": hits, "refused": row["refused"]}


def _reproduce(row: Row) -> Measures:
    """Return the metrics of a table's row; the first of them leads."""
    values = {name: found["value"] for name, found in row["ours"].items()}
    return {_LEADING: next(iter(values.values()), None), **values}


def _calls(row: Row) -> Measures:
    return {"accepted": float(row["outcome"] != "refused"), "helpful": float(row["helpful"])}


FORMS: Mapping[str, Form] = {
    "earth-bench": Form("questions", _earth_bench, "tool_exact_match"),
    "thinkgeo": Form("questions", _earth_bench, "accuracy"),
    "geoplan": Form("tasks", _geoplan, "path_similarity"),
    "ablation": Form("questions", lambda row: dict(row["measures"]), "right"),
    "reproduce": Form(
        "rows", _reproduce, _LEADING,
        lambda row: ", ".join([str(row["table"]), *row["setting"].values()]),
    ),
    "context": Form("questions", _context, "tokens"),
    "calls": Form("calls", _calls, "accepted", None),
    "metrics": Form(
        "runs", lambda row: dict(row["scores"]), "tool_exact_match",
        lambda row: f"{row['run']} {row['question']}",
    ),
}  # fmt: skip


def read_report(path: Path) -> dict[str, Any]:
    """Read a report that a bench printed with ``--json``.

    Raises
    ------
    InputError
        It cannot be read, or is no report of a bench.
    """
    try:
        report = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{str(path)!r} cannot be read: {error}.", "Give the JSON of a bench.") from None
    except ValueError as error:
        raise InputError(f"{str(path)!r} is not JSON: {error}.", "Keep what --json prints.") from None
    return check_report(report, str(path))


def check_report(report: Any, name: str) -> dict[str, Any]:
    """Return what is a report of a bench that can be compared.

    Raises
    ------
    InputError
    """
    form = FORMS.get(report.get("bench", "")) if isinstance(report, dict) else None
    if form is None or not isinstance(report.get(form.rows), list):
        raise InputError(
            f"{name!r} is no report of a bench.",
            f"Keep what --json prints: {', '.join(FORMS)} can be compared.",
        )
    try:
        _measures_of(report, form)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{name!r} is no whole report: {error} is missing.", "Run the bench again."
        ) from None
    return dict(report)


def compare(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Compare two reports of one bench; a difference above zero means that the second is higher.

    Returns
    -------
    dict
        ``metrics``: for each ``first``, ``second``, ``difference``, its 95 % bootstrap ``interval``,
        and in how many questions the second is better (``wins``), worse (``losses``) or equal
        (``ties``). ``differing``: the settings in which they differ. ``questions``: those whose
        leading measure differs, the worst first.

    Raises
    ------
    InputError
        The reports are of different benches, or share no question.
    """
    if first["bench"] != second["bench"]:
        raise InputError(
            f"A report of {first['bench']} cannot be compared with one of {second['bench']}.",
            "Give two reports of one bench.",
        )
    form = FORMS[str(first["bench"])]
    mine, theirs = _measures_of(first, form), _measures_of(second, form)
    shared = [key for key in mine if key in theirs]
    if not shared:
        raise InputError("The reports share no question.", "Give reports on the same questions.")
    names = dict.fromkeys(name for key in shared for name in mine[key])
    pairs = {name: _pairs(name, shared, mine, theirs) for name in names}
    return {
        "bench": first["bench"],
        "shared": len(shared),
        "only_first": [key for key in mine if key not in theirs],
        "only_second": [key for key in theirs if key not in mine],
        "differing": _setting_differences(first.get("settings") or {}, second.get("settings") or {}),
        "lead": form.lead,
        "metrics": {name: _metric(name, list(values.values())) for name, values in pairs.items()},
        "questions": _changes(form.lead, pairs.get(form.lead, {})),
    }


def _measures_of(report: Mapping[str, Any], form: Form) -> dict[str, Measures]:
    rows = report[form.rows]
    return {form.key(row) if form.key else str(n): form.measures(row) for n, row in enumerate(rows, start=1)}


def _pairs(
    name: str, keys: list[str], mine: Mapping[str, Measures], theirs: Mapping[str, Measures]
) -> dict[str, tuple[float, float]]:
    found = {key: (mine[key].get(name), theirs[key].get(name)) for key in keys}
    return {key: (float(a), float(b)) for key, (a, b) in found.items() if a is not None and b is not None}


def _metric(name: str, pairs: list[tuple[float, float]]) -> dict[str, Any]:
    differences = [b - a for a, b in pairs]
    better = [-d if name in LOWER_IS_BETTER else d for d in differences]
    return {
        "first": mean_of([a for a, _ in pairs]),
        "second": mean_of([b for _, b in pairs]),
        "difference": mean_of(differences),
        "interval": confidence_interval(differences),
        "wins": sum(d > 0 for d in better),
        "losses": sum(d < 0 for d in better),
        "ties": sum(d == 0 for d in better),
    }


def _setting_differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = [name for name in dict.fromkeys([*first, *second]) if first.get(name) != second.get(name)]
    return [
        {"setting": name, "first": str(first.get(name)), "second": str(second.get(name))} for name in names
    ]


def _changes(lead: str, pairs: Mapping[str, tuple[float, float]]) -> list[dict[str, Any]]:
    sign = -1 if lead in LOWER_IS_BETTER else 1
    rows = [
        {"id": key, "first": a, "second": b, "difference": b - a, "won": sign * (b - a) > 0}
        for key, (a, b) in pairs.items()
        if a != b
    ]
    return sorted(rows, key=lambda row: sign * row["difference"])
