"""Two reports of one bench compared: the difference of each metric, and which questions were won or lost.

Only what both reports hold is compared, question by question, so the intervals are those of paired
differences (Efron and Tibshirani 1993, chapter 13).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treeline.core.lab.geoplan.key_tools import KEY_SCORES
from treeline.core.lab.intervals import confidence_interval
from treeline.core.lab.metrics import mean_of
from treeline.core.lab.reproduce.report import ELO
from treeline.toolkit.errors import InputError

Row = Mapping[str, Any]
Measures = dict[str, float | None]

# Earth-Bench's "efficiency" is the calls by those of the expert: more are worse, whatever its name says.
LOWER_IS_BETTER = frozenset({"efficiency", "tokens", "turns", "refused", "steps", "seconds", "elapsed"})


_LEADING = "leading metric"
_THE_MODEL = "the model"


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
    entries : callable, optional
        From a report to the rows that are compared; default: all.
    settings : callable
        From a report to how it was made.
    scales : callable
        From a report to what its measures are measured by, of those that may be measured by several things.
    """

    rows: str
    measures: Callable[[Row], Measures]
    lead: str
    key: Callable[[Row], str] | None = lambda row: str(row["id"])
    entries: Callable[[Mapping[str, Any]], Iterable[Row]] | None = None
    settings: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda report: report.get("settings") or {}
    scales: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda report: {}


def _earth_bench(row: Row) -> Measures:
    correct = row.get("correct")
    return {
        **row["scores"],
        "efficiency": row["efficiency"],
        "accuracy": None if correct is None else float(correct),
    }


def _geoplan(row: Row) -> Measures:
    return {"path_similarity": row["path_similarity"], **row["key_tool_scores"]}


def _planning_scales(report: Mapping[str, Any]) -> Mapping[str, str]:
    keys = dict.fromkeys(KEY_SCORES, f"key tools: {report.get('key_tools')}")
    return {**keys, "path_similarity": f"embedder: {report.get('embedder')}"}


def _table_scales(report: Mapping[str, Any]) -> Mapping[str, str]:
    """Return by which key tools, and so by which judge, and by which embedder a paper's table is measured."""

    def list_values(what: str) -> str:
        return f"{what.replace('_', ' ')}: " + ", ".join(
            sorted({str(table[what]) for table in report.get("tables", ()) if table.get(what)})
        )

    return {
        **dict.fromkeys((*KEY_SCORES, ELO), list_values("key_tools")),
        "path_similarity": list_values("embedder"),
    }


def _context(row: Row) -> Measures:
    hits = row["hits"] / row["calls"] if row["calls"] else None
    return {"tokens": row["tokens"], "turns": row["turns"], "hit_rate": hits, "refused": row["refused"]}


def _reproduce(row: Row) -> Measures:
    """Return the metrics of a table's row; the first of them leads."""
    values = {name: found["value"] for name, found in row["ours"].items()}
    return {_LEADING: next(iter(values.values()), None), **values}


def _ours(report: Mapping[str, Any]) -> Iterator[Row]:
    """Yield our rows: published values and floors are the same in every report.

    A model that is alone is called so, that the same table with another one can be compared.
    """
    models = list(report.get("models") or ())
    for row in report["rows"]:
        setting = dict(row["setting"])
        if len(models) == 1 and setting.get("model") == models[0]:
            # Without its name, so that the rows of two models, each in its own report, are found to be one.
            setting["model"] = _THE_MODEL
        if row.get("kind", "ours") == "ours":
            yield {**row, "setting": setting, "paper": report.get("paper", "")}


def _reproduction_settings(report: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"models": ", ".join(report.get("models") or []) or "none"}


def _calls(row: Row) -> Measures:
    return {"accepted": float(row["outcome"] != "refused"), "helpful": float(row["helpful"])}


FORMS: Mapping[str, Form] = {
    "earth-bench": Form("questions", _earth_bench, "tool_exact_match"),
    "thinkgeo": Form("questions", _earth_bench, "accuracy"),
    "geoplan": Form("tasks", _geoplan, "path_similarity", scales=_planning_scales),
    "ablation": Form("questions", lambda row: dict(row["measures"]), "right"),
    "reproduce": Form(
        "rows",
        _reproduce,
        _LEADING,
        lambda row: ", ".join([f"{row['paper']} {row['table']}".strip(), *row["setting"].values()]),
        _ours,
        _reproduction_settings,
        _table_scales,
    ),
    "context": Form("questions", _context, "tokens"),
    # Without a key: a call has no name, and the file of calls has the same order in both reports.
    "calls": Form("calls", _calls, "accepted", None),
    "metrics": Form(
        "runs",
        lambda row: dict(row["scores"]),
        "tool_exact_match",
        lambda row: f"{row['run']} {row['question']}",
    ),
}


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
        # Tried here, so that a report which lacks something is refused before two are set side by side.
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
        leading measure differs, the worst first. ``unlike``: what is not compared, since the two measure it
        by different things, and by which.

    Raises
    ------
    InputError
        The reports are of different benches, share no question, or measure by different things alone.
    """
    if first["bench"] != second["bench"]:
        raise InputError(
            f"A report of {first['bench']} cannot be compared with one of {second['bench']}.",
            "Give two reports of one bench.",
        )
    form = FORMS[str(first["bench"])]
    # What only one of the two holds is left out of every mean: a report on fewer, easier questions
    # would look better.
    mine, theirs = _measures_of(first, form), _measures_of(second, form)
    shared = [key for key in mine if key in theirs]
    if not shared:
        raise InputError("The reports share no question.", "Give reports on the same questions.")
    unlike = _unlike(form.scales(first), form.scales(second))
    measured = dict.fromkeys(name for key in shared for name in mine[key])
    names = [name for name in measured if name not in unlike]
    if unlike and not set(names) - {_LEADING}:
        told = next(iter(unlike.values()))
        raise InputError(
            f"The reports cannot be compared: one is measured by {told['first']}, the other by "
            f"{told['second']}.",
            "Give two reports that are measured alike.",
        )
    lead = form.lead if form.lead in names or not names else names[0]
    if lead == _LEADING:
        firsts = {_first_of(row, names) for key in shared for row in (mine[key], theirs[key])} - {None}
        if len(firsts) == 1:
            # Of one table all rows have the same: it is called by its name.
            lead = str(firsts.pop())
            names = [name for name in names if name != _LEADING]
        else:
            _lead_by(names, mine, theirs)
    pairs = {name: _pairs(name, shared, mine, theirs) for name in names}
    return {
        "bench": first["bench"],
        "shared": len(shared),
        "only_first": [key for key in mine if key not in theirs],
        "only_second": [key for key in theirs if key not in mine],
        "differing": _setting_differences(form.settings(first), form.settings(second)),
        "lead": lead,
        "unlike": {name: told for name, told in unlike.items() if name in measured},
        "metrics": {name: _metric(name, list(values.values())) for name, values in pairs.items()},
        "questions": _changes(lead, pairs.get(lead, {})),
    }


def unlike_texts(found: Mapping[str, Any]) -> list[str]:
    """Return in sentences what of two reports is not compared."""
    by: dict[tuple[str, str], list[str]] = {}
    for name, told in found["unlike"].items():
        by.setdefault((told["first"], told["second"]), []).append(name.replace("_", " "))
    return [
        f"Not compared: {', '.join(names)}. The one is measured by {first}, the other by {second}."
        for (first, second), names in by.items()
    ]


def _unlike(first: Mapping[str, str], second: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return what two reports measure by different things."""
    names = [name for name in dict.fromkeys([*first, *second]) if first.get(name) != second.get(name)]
    return {name: {"first": first.get(name, ""), "second": second.get(name, "")} for name in names}


def _first_of(row: Measures, names: Collection[str]) -> str | None:
    """Return the first metric of a table's row that is compared; ``None`` where it has none."""
    return next((name for name in row if name in names and name != _LEADING), None)


def _lead_by(names: Collection[str], *reports: dict[str, Measures]) -> None:
    """Let the first metric of each row lead that is compared."""
    for report in reports:
        for row in report.values():
            first = _first_of(row, names)
            row[_LEADING] = None if first is None else row[first]


def _measures_of(report: Mapping[str, Any], form: Form) -> dict[str, Measures]:
    rows = form.entries(report) if form.entries else report[form.rows]
    return {form.key(row) if form.key else str(n): form.measures(row) for n, row in enumerate(rows, start=1)}


def _pairs(
    name: str, keys: list[str], mine: Mapping[str, Measures], theirs: Mapping[str, Measures]
) -> dict[str, tuple[float, float]]:
    found = {key: (mine[key].get(name), theirs[key].get(name)) for key in keys}
    return {key: (float(a), float(b)) for key, (a, b) in found.items() if a is not None and b is not None}


def _metric(name: str, pairs: list[tuple[float, float]]) -> dict[str, Any]:
    differences = [b - a for a, b in pairs]
    # Differences keep their sign; only who wins depends on the direction.
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
    # The lost ones first: they are what a reader of a comparison looks into.
    return sorted(rows, key=lambda row: sign * row["difference"])
