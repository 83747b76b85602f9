"""The report on a paper's tables as text, CSV, LaTeX, and as parts of an HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treeline.core.runs.exports.html_parts import bars, facts, table
from treeline.core.serving.spreadsheets import csv_text

Report = Mapping[str, Any]
Line = Mapping[str, Any]

_SETTING = ("model", "system", "regime", "slice")
_CAPTION = "Ours with 95 % bootstrap intervals; published values in brackets."
_ESCAPED = {
    "&": r"\&",
    "%": r"\%",
    "_": r"\_",
    "#": r"\#",
    "$": r"\$",
    "{": r"\{",
    "}": r"\}",
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def as_text(report: Report) -> str:
    """Return the rows as lines: ours with interval, and the published value behind a stroke."""
    parts = []
    for one in report["tables"]:
        parts.append(f"{report['title']}, table {one['table']}: {one['title']} ({one['where']})")
        parts += [text for line in _of_table(report, one) for text in _text_lines(line, one["metrics"])]
        parts += [f"  {_contrast_text(each)}" for each in one["contrasts"]]
        if one["lost"]:
            parts.append(f"  {one['lost']}")
        parts += [f"  {name}: {why}" for name, why in one["missing"].items()]
        parts += [f"  differs, {text}" for text in _all_differences(_of_table(report, one))]
    parts += [f"table {number}: left out, {why}" for number, why in report["left_out"].items()]
    parts.append(report["tuned_on"])
    if report.get("stopped"):
        parts.append(report["stopped"])
    return "\n".join(parts)


def _text_lines(line: Line, metrics: Sequence[str]) -> list[str]:
    """Return a row's line, and one below it for each part of its questions."""
    below = []
    for part, found in line["parts"].items():
        shown = [f"{name} {_number(found[name]['value'])}" for name in metrics if _has(found, name)]
        if shown and line["kind"] == "ours":
            below.append(f"    {_part_label(part, found):48s} {'  '.join(shown)}")
    return [_text_line(line, metrics), *below]


def _has(found: Mapping[str, Any], name: str) -> bool:
    return name in found and found[name]["value"] is not None


def _part_label(part: str, found: Mapping[str, Any]) -> str:
    return f"{part.replace('_', ' ')} ({found['questions']})"


def _text_line(line: Line, metrics: Sequence[str]) -> str:
    shown = []
    for name in metrics:
        ours, published = line["ours"].get(name, {}).get("value"), line["published"].get(name)
        if ours is not None or published is not None:
            shown.append(f"{name} {_number(ours)} | {_format_published(published)}")
    return f"  {_label(line):50s} {'  '.join(shown) or '-'}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.4g}"


def _format_published(value: float | None) -> str:
    """Return a published value with all its digits."""
    return "-" if value is None else f"{value:,.10g}"


def _label(line: Line) -> str:
    setting = line["setting"]
    kind = "" if line["kind"] == "ours" else f" [{line['kind']}]"
    return ", ".join(setting[name] for name in _SETTING if setting.get(name)) + kind


def _contrast_text(contrast: Mapping[str, Any]) -> str:
    unit = " %" if contrast["kind"] == "change" else ""
    ours = "; ".join(f"{name} {_number(value)}{unit}" for name, value in contrast["ours"].items()) or "-"
    what = f"{contrast['metric']} of {contrast['system']} against {contrast['than']}"
    named = ", ".join(filter(None, (contrast["model"], contrast["regime"], contrast["where"])))
    return f"{what}: ours {ours} | {contrast['value_published']:+g}{unit} ({named})"


def _of_table(report: Report, one: Mapping[str, Any]) -> list[Line]:
    return [line for line in report["rows"] if line["table"] == one["table"]]


def _all_differences(lines: Sequence[Line]) -> list[str]:
    return list(dict.fromkeys(text for line in lines for text in line["differences"]))


def flat_rows(report: Report) -> list[dict[str, Any]]:
    """Return one plain row for each line of each table: setting; ours, interval, published of each metric."""
    rows = []
    for one in report["tables"]:
        for line in _of_table(report, one):
            row: dict[str, Any] = {"table": one["table"], "kind": line["kind"]}
            row |= {name: line["setting"].get(name, "") for name in _SETTING}
            row["questions"] = line["questions"] or None
            for name in one["metrics"]:
                ours = line["ours"].get(name, {})
                row |= {
                    name: ours.get("value"),
                    f"{name} low": ours.get("low"),
                    f"{name} high": ours.get("high"),
                }
                row[f"{name} published"] = line["published"].get(name)
            for part, found in line["parts"].items():
                said = part.replace("_", " ")
                row |= {f"{name} {said}": found[name]["value"] for name in one["metrics"] if name in found}
            row |= _bradley_terry(line)
            row["differences"] = "; ".join(line["differences"])
            rows.append(row)
    return rows


def csv_of(report: Report) -> str:
    """Return the rows as CSV, with a column for each metric of any table."""
    rows = flat_rows(report)
    # Differences are long texts: they are in the last column.
    names = list(dict.fromkeys(name for row in rows for name in row if name != "differences"))
    names.append("differences")
    return csv_text(names, [[row.get(name) for name in names] for row in rows])


def latex_of(report: Report) -> str:
    """Return each table as a LaTeX ``tabular``: ours with interval, the published value in brackets.

    A second one has the parts of the questions apart.
    """
    made = [text for one in report["tables"] for text in (_latex(report, one), _latex_of_parts(report, one))]
    return "\n\n".join(filter(None, made)) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file, in a folder that need not be there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _latex(report: Report, one: Mapping[str, Any]) -> str:
    lines = _of_table(report, one)
    named = [name for name in _SETTING if any(line["setting"].get(name) for line in lines)]
    said = [one["lost"], *_all_differences(lines), report["tuned_on"]]
    notes = "\n".join(f"% {' '.join(text.split())}" for text in filter(None, said))
    caption = f"{one['title']} ({report['source']}, {one['where']}). {_CAPTION}"
    body = [_latex_row(line, named, one["metrics"]) for line in lines]
    return f"{notes}\n{_latex_table(caption, named, one['metrics'], body)}"


def _latex_of_parts(report: Report, one: Mapping[str, Any]) -> str:
    """Return the rows of the parts of the questions; empty where there are none."""
    body = [
        _latex_part(line, part, found, one["metrics"])
        for line in _of_table(report, one)
        for part, found in line["parts"].items()
    ]
    caption = f"{one['title']}: ours on each part of the questions. {report['tuned_on']}"
    return _latex_table(caption, ["row", "part"], one["metrics"], body) if body else ""


def _latex_part(line: Line, part: str, found: Mapping[str, Any], metrics: Sequence[str]) -> str:
    shown = [_number(found[name]["value"]) if _has(found, name) else "--" for name in metrics]
    return " & ".join([_escape(_label(line)), _escape(_part_label(part, found)), *shown]) + r" \\"


def _latex_table(caption: str, named: Sequence[str], metrics: Sequence[str], body: Sequence[str]) -> str:
    head = " & ".join(map(_escape, [*named, *(name.replace("_", " ") for name in metrics)]))
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{_escape(caption)}}}",
            rf"\begin{{tabular}}{{{'l' * len(named)}{'r' * len(metrics)}}}",
            rf"{head} \\ \hline",
            *body,
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _latex_row(line: Line, named: Sequence[str], metrics: Sequence[str]) -> str:
    setting = [_escape(line["setting"].get(name, "")) for name in named]
    return " & ".join([*setting, *(_latex_cell(line, metric) for metric in metrics)]) + r" \\"


def _latex_cell(line: Line, metric: str) -> str:
    ours, published = line["ours"].get(metric, {}), line["published"].get(metric)
    text = ""
    if ours.get("value") is not None:
        text = _number(ours["value"])
        if ours.get("low") is not None:
            text += f" ({_number(ours['low'])} to {_number(ours['high'])})"
    return f"{text} [{_format_published(published)}]".strip() if published is not None else text or "--"


def _escape(text: str) -> str:
    return "".join(_ESCAPED.get(sign, sign) for sign in text)


def html_parts(report: Report) -> list[str]:
    """Return the parts of the report's page: for each table its rows, and a chart for each metric."""
    parts = [
        facts(
            {
                "paper": f"{report['title']} ({report['source']})",
                "results": f"{report['done']} of {report['wanted']}",
            }
        ),
        facts(_cost(report["cost"])),
    ]
    for one in report["tables"]:
        parts += _table_parts(report, one)
    return parts


def _table_parts(report: Report, one: Mapping[str, Any]) -> list[str]:
    lines = _of_table(report, one)
    name = f"Table {one['table']}: {one['title']}"
    stated = [_contrast_row(contrast) for contrast in one["contrasts"]]
    lost = [facts({"of the published table": one["lost"]})] if one["lost"] else []
    return [
        table(f"{name} ({one['where']})", [_html_row(line, one) for line in lines]),
        facts({"differences": "; ".join(_all_differences(lines)) or "none"}),
        *lost,
        *(_chart(name, metric, lines) for metric in one["metrics"]),
        table(f"Stated in the text, of table {one['table']}", stated),
        table(f"Parts of the questions, table {one['table']}", _part_rows(lines, one)),
    ]


def _cost(cost: Mapping[str, Any]) -> dict[str, Any]:
    tokens = cost["tokens"]
    price = {"price": cost["price"]} if cost["price"] is not None else {}
    used = {"calls": cost["calls"], "tokens read": tokens["input"], "tokens written": tokens["output"]}
    return {**used, **price, "hours of questions": cost["hours"]}


def _html_row(line: Line, one: Mapping[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"row": _label(line), "questions": line["questions"] or None}
    for name in one["metrics"]:
        ours = line["ours"].get(name, {})
        row[name] = ours.get("value")
        row[f"{name}, 95 %"] = (
            f"{ours['low']:.3g} to {ours['high']:.3g}" if ours.get("low") is not None else ""
        )
        row[f"{name}, published"] = line["published"].get(name)
    return row | _bradley_terry(line)


def _bradley_terry(line: Line) -> dict[str, float]:
    """Return the strength beside the Elo rating, which does not depend on the order of the games."""
    found = line.get("bradley_terry")
    return {} if found is None else {"Bradley-Terry": found}


def _chart(title: str, metric: str, lines: Sequence[Line]) -> str:
    values: dict[str, float | None] = {}
    spans: dict[str, Sequence[float] | None] = {}
    for line in lines:
        ours, published = line["ours"].get(metric, {}), line["published"].get(metric)
        if ours.get("value") is not None:
            values[_label(line)] = ours["value"]
            spans[_label(line)] = (ours["low"], ours["high"]) if ours.get("low") is not None else None
        if published is not None:
            # The published value is of the paper's model, whatever ours is.
            named = {**line["setting"], "model": line.get("published_of") or line["setting"].get("model", "")}
            values[_label({"setting": named, "kind": "published"})] = published
    beside = [name for name in values if name not in spans]
    return bars(f"{title}: {metric.replace('_', ' ')}", values, spans, beside) if values else ""


def _contrast_row(contrast: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "metric": contrast["metric"],
        "of": f"{contrast['system']} against {contrast['than']}",
        "as": contrast["kind"],
        "published": contrast["value_published"],
        "for": ", ".join(filter(None, (contrast["model"], contrast["regime"]))),
        "where": contrast["where"],
        "ours": "; ".join(f"{name}: {_number(value)}" for name, value in contrast["ours"].items()),
    }


def _part_rows(lines: Sequence[Line], one: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "row": _label(line),
            "part": part.replace("_", " "),
            "questions": found["questions"],
            **{name: found[name]["value"] for name in one["metrics"] if name in found},
        }
        for line in lines
        for part, found in line["parts"].items()
    ]
