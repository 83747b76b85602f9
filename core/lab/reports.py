"""What the report of each bench shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from treeline.core.lab.comparing import FORMS
from treeline.core.lab.curves import scaling_parts
from treeline.core.lab.failures import UNANSWERED, failure_groups
from treeline.core.lab.metrics import average, group_rows
from treeline.core.lab.parts import PARTS
from treeline.core.lab.reproduce.writing import html_parts
from treeline.core.runs.exports.html_parts import bars, facts, report_html, table

Report = Mapping[str, Any]

# A browser draws a table of thousands of rows slowly; the JSON holds them all.
_MOST_REFUSED = 200


def html_of(report: Report) -> str:
    """Return a report, or a comparison of two, as one HTML file that fetches nothing."""
    kind = "comparison" if "shared" in report else str(report["bench"])
    title, parts = _PARTS[kind]
    told = [facts({"tuned": report["tuned_on"]})] if report.get("tuned_on") else []
    told += [facts({"note": report["note"]})] if report.get("note") else []
    told += [facts({"not read": text}) for text in report.get("unread", ())]
    return report_html(title, [part for part in [*told, *parts(report)] if part])


def write_html(path: Path, report: Report) -> None:
    """Write a report as one HTML file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(html_of(report), "utf-8")


def _earth_bench(report: Report) -> list[str]:
    rows = report["questions"]
    questions = [
        {
            "id": row["id"],
            "modality": row["modality"],
            "status": row["status"],
            "right": row["correct"],
            **row["scores"],
            "calls": " → ".join(call["tool"] for call in row["calls"]),
            "expert": " → ".join(call["tool"] for call in row["expected"] or ()),
            "seconds": row["seconds"],
        }
        for row in rows
    ]
    return [
        facts({"questions": len(rows), **{name: report.get(name, 0) for name in UNANSWERED}}),
        facts(report.get("settings", {})),
        bars("Metrics, with 95 % bootstrap intervals", report["metrics"], report["intervals"]),
        table("By modality", _by(report["by_modality"], "modality")),
        table("By part: read while Treeline was made, set aside, unseen", _by(_asked_parts(report), "part")),
        bars("RSMem's metrics", report["experience"]),
        table("Failures by cause", _groups(str(report["bench"]), rows)),
        table("Questions", questions),
    ]


def _asked_parts(report: Report) -> dict[str, Any]:
    """Return the parts of the questions that some of the results are of."""
    return {name: report[name] for name in PARTS if report.get(name, {}).get("questions")}


def _geoplan(report: Report) -> list[str]:
    rows = report["tasks"]
    names = ("path_similarity", "recall", "precision", "f1")
    tasks = [
        {
            "id": row["id"],
            "domain": row["domain"],
            "complexity": row["complexity"],
            "path_similarity": row["path_similarity"],
            **row["key_tool_scores"],
            "plan": " → ".join(row["path"]),
            "gold": " → ".join(row["ground_truth"]),
        }
        for row in rows
    ]
    return [
        facts({"tasks": len(rows), **{name: report[name] for name in ("planner", "embedder", "key_tools")}}),
        bars(
            "Metrics, with 95 % bootstrap intervals",
            {name: report.get(name) for name in names},
            report["intervals"],
        ),
        bars("Path similarity of other planners on these tasks", report.get("beside") or {}),
        table("By complexity", _by(report["by_complexity"], "complexity")),
        table("By domain", _by(report["by_domain"], "domain")),
        table("Failures by cause", _groups("geoplan", rows)),
        table("Tasks", tasks),
    ]


def _ablation(report: Report) -> list[str]:
    rows, means = report["questions"], report["by_setting"]
    questions = [
        {"setting": row["setting"], "question": row["question"], "status": row["status"], **row["measures"]}
        for row in rows
    ]
    return [
        facts({"questions": len({row["question"] for row in rows}), **report["settings"]}),
        table("By setting", _by(means, "setting")),
        bars("Tokens a question, by setting", {name: mean["tokens"] for name, mean in means.items()}),
        table("Failures by cause", _groups("ablation", rows)),
        table("Questions", questions),
    ]


def _context(report: Report) -> list[str]:
    rows = report["questions"]
    by_modality = {
        name: average([{"tokens": row["tokens"], "turns": row["turns"]} for row in group])
        for name, group in group_rows(rows, "modality").items()
    }
    names = ("tokens_per_question", "tokens_per_turn", "turns_per_question", "hit_rate")
    known = {name: report[name] for name in ("disclosure", "tokenizer") if name in report}
    return [
        facts({"questions": len(rows), **known, **{n: report[n] for n in names if n in report}}),
        bars("Input tokens a question, by modality", {n: v["tokens"] for n, v in by_modality.items()}),
        table("By modality", _by(by_modality, "modality")),
        table("By part of the questions", _by(report.get("by_part", {}), "part")),
        bars("Input tokens a question, by part of the context", report.get("parts", {})),
        table("Questions", [_without_parts(row) for row in rows]),
    ]


def _cards(report: Report) -> list[str]:
    parts = {
        name: {key: value for key, value in found.items() if key != "intervals"}
        for name, found in report["parts"].items()
    }
    differences = [
        {
            "part": part,
            "gain": name,
            "difference": found["value"],
            "from": found["interval"][0],
            "to": found["interval"][1],
        }
        for part, gains in report["differences"].items()
        for name, found in gains.items()
        if found
    ]
    return [
        table("What cards are worth, by part", _by(parts, "part")),
        *(
            bars(f"Gains: {name}", _gains(found), found["intervals"])
            for name, found in report["parts"].items()
        ),
        table("Gain on the questions read, less that on others", differences),
        table("Questions", report["questions"]),
    ]


def _gains(found: Mapping[str, Any]) -> dict[str, float]:
    return {name: found[name] for name in found["intervals"] if name in found}


def _scaling(report: Report) -> list[str]:
    points = [
        {"strategy": name, **{k: value for k, value in point.items() if k not in ("intervals", "by_part")}}
        for name, curve in report["curves"].items()
        for point in curve
    ]
    known = {name: report[name] for name in ("kind", "policy", "questions", "seed")}
    return [facts(known), *scaling_parts(report).values(), table("Points", points)]


def _calls(report: Report) -> list[str]:
    refused = [
        {"call": number, "message": row["message"], "hint": row["hint"], "helpful": row["helpful"]}
        for number, row in enumerate(report["calls"], start=1)
        if row["outcome"] == "refused"
    ]
    # Those whose hint helps nobody first: they are what can be mended.
    refused.sort(key=lambda row: bool(row["helpful"]))
    return [
        facts({"calls": len(report["calls"]), **report["counts"]}),
        bars("What became of the calls", report["counts"]),
        table("By what the reference system made of them", _by(report["by_recorded"], "recorded")),
        table("By part of the questions", _by(report.get("by_part", {}), "part")),
        table(f"Refused calls, at most {_MOST_REFUSED}", refused[:_MOST_REFUSED]),
    ]


def _metrics(report: Report) -> list[str]:
    return [
        facts({"runs": len(report["runs"])}),
        bars("Metrics, with 95 % bootstrap intervals", report["metrics"], report["intervals"]),
        table("By run", _by(report["by_run"], "run")),
        bars("RSMem's metrics", report["experience"]),
    ]


def _comparison(report: Report) -> list[str]:
    metrics = [
        {
            "metric": name,
            **{key: value for key, value in found.items() if key != "interval"},
            "from": found["interval"][0] if found["interval"] else None,
            "to": found["interval"][1] if found["interval"] else None,
        }
        for name, found in report["metrics"].items()
        if found["difference"] is not None
    ]
    return [
        facts(
            {
                "bench": report["bench"],
                "compared": report["shared"],
                "only in the first": len(report["only_first"]),
                "only in the second": len(report["only_second"]),
            }
        ),
        table("What was run otherwise", report["differing"]),
        table("Measured by different things, and so not compared", _unlike(report)),
        table("Metrics; the interval is that of the paired difference", metrics),
        table(f"Questions whose {report['lead'].replace('_', ' ')} differs", report["questions"]),
    ]


def _unlike(report: Report) -> list[dict[str, Any]]:
    return [{"metric": name, **told} for name, told in report["unlike"].items()]


def _without_parts(row: Report) -> dict[str, Any]:
    kept = {name: value for name, value in row.items() if name != "parts"}
    return {**kept, "misses": ", ".join(row["misses"])}


def _groups(bench: str, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{**g, "questions": ", ".join(g["questions"])} for g in failure_groups(bench, rows)]


def _by(groups: Mapping[str, Mapping[str, Any]], name: str) -> list[dict[str, Any]]:
    return [{name: key or "-", **values} for key, values in groups.items()]


_PARTS: Mapping[str, tuple[str, Callable[[Report], list[str]]]] = {
    "earth-bench": ("Earth-Bench", _earth_bench),
    "thinkgeo": ("ThinkGeo", _earth_bench),
    "geoplan": ("GeoPlan-bench", _geoplan),
    "ablation": ("What each part of the evolver is worth", _ablation),
    "context": ("Context under a strategy of disclosure", _context),
    "cards": ("What task cards are worth", _cards),
    "scaling": ("Strategies in larger and larger trees", _scaling),
    "calls": ("Recorded calls", _calls),
    "metrics": ("Recorded runs", _metrics),
    "reproduce": ("A paper's tables, reproduced", html_parts),
    "comparison": ("Two reports compared", _comparison),
}
# What can be compared can be shown; a bench that is added to the one list alone is found out on import.
assert set(FORMS) < set(_PARTS)
