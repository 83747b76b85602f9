"""The rows of a table: ours with intervals, the published values beside them, and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treeline.core.lab.geoplan.bench import ratings_of
from treeline.core.lab.geoplan.elo import Judge, by_coverage
from treeline.core.lab.geoplan.key_tools import KEY_SCORES, PROXY, describe_chooser
from treeline.core.lab.metrics import group_rows
from treeline.core.lab.parts import by_part
from treeline.core.lab.reproduce.cells import WITHOUT_MODEL, Cell
from treeline.core.lab.reproduce.measures import MEASURES, SLICES, value_of
from treeline.core.lab.reproduce.papers import Paper, Table
from treeline.core.lab.reproduce.verdicts import CELL, CHOICES, by_verdict, put_chosen_scores

UNNAMED = "(not named)"
_NO_RATINGS: Mapping[str, Any] = {"elo": {}, "bradley_terry": {}}
ELO = "elo"
"""The metric that no row has alone: it follows from who wins against whom."""

Row = Mapping[str, Any]
Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judging:
    """Who says which of two plans is better, and which tools are key.

    Attributes
    ----------
    model : str
        The judge; empty for the rule and the proxy.
    replies : mapping of str to mapping
        What the model said, by its keys.
    """

    model: str = ""
    replies: Mapping[str, Row] = field(default_factory=dict)

    def differences(self, metrics: Sequence[str]) -> list[str]:
        """Return how it is otherwise than the papers' judge, of the metrics that it decides."""
        said = [self._key_difference] if asks_for_keys(metrics) else []
        return [*said, self._elo_difference] if ELO in metrics else said

    @property
    def _elo_difference(self) -> str:
        if self.model:
            return (
                f"Elo: {self.model} judges, each pair in both orders, mean over many orders of the games; "
                f"the paper's judge saw one order. Floors are not judged{self._unread(CELL, 2, 'plan')}"
            )
        return (
            "Elo: by rule, the plan that covers more key tools wins, mean over many orders of the games; the "
            "paper's judge is a model, in one order"
        )

    @property
    def _key_difference(self) -> str:
        if self.model:
            return (
                f"key tools: {self.model} chose them, of the gold path and of each plan; of floors the "
                f"recall alone is known{self._unread(CHOICES, 1, 'tool')}"
            )
        return (
            "key tools: a proxy, the tools that few gold paths hold; the paper's were chosen by a model "
            "(--judge language) and are not published for most tasks"
        )

    def _unread(self, cell: str, each: int, what: str) -> str:
        rows = [row for row in self.replies.values() if row["cell"] == cell]
        unread = sum(row["unread"] for row in rows)
        return f"; {unread} of {each * len(rows)} replies named no {what}" if unread else ""

    @property
    def key_tools(self) -> str:
        """Which tools are key."""
        return describe_chooser(self.model) if self.model else PROXY

    def with_key_tool_scores(self, row: Row) -> dict[str, Any]:
        """Return a result with the scores by the key tools of this judge; those of others go."""
        return put_chosen_scores(self.model, self.replies, dict(row)) if self.model else dict(row)

    def judge(self, plans: Mapping[tuple[str, str], Row]) -> Judge:
        """Return what decides between two players' plans for a task."""
        if self.model:
            return by_verdict(self.model, self.replies, {k: tuple(row["path"]) for k, row in plans.items()})
        return by_coverage({key: row["key_tool_scores"]["recall"] for key, row in plans.items()})


BY_RULE = Judging()


def asks_for_keys(metrics: Sequence[str]) -> bool:
    """Return whether some of a table's metrics depend on which tools are key."""
    return any(name in KEY_SCORES for name in metrics)


def table_report(
    paper: Paper,
    number: str,
    cells: Sequence[Cell],
    rows: Iterable[Row],
    floors: Iterable[tuple[str, Row]],
    differences: Sequence[str] = (),
    judging: Judging = BY_RULE,
) -> dict[str, Any]:
    """Return the report on a table.

    Parameters
    ----------
    rows : iterable of mapping
        Results, each with the ``cell`` that it belongs to.
    floors : iterable of (str, mapping)
        Results of floors by their name.
    differences : sequence of str
        How all of ours were made otherwise than the published values.
    judging : Judging
        Who compares plans.
    """
    table = paper.tables[number]
    rows, keyed = [*rows], asks_for_keys(table.metrics)
    if keyed:
        rows = [judging.with_key_tool_scores(row) for row in rows]
        floors = [(name, judging.with_key_tool_scores(row)) for name, row in floors]
    by_cell = group_rows(rows, "cell")
    said = (*differences, *paper.differences, *table.differences, *judging.differences(table.metrics))
    lines: list[Line] = []
    for setting, group, note in _settings(paper, cells, by_cell):
        lines += _lines(table, number, setting, group, [*said, *note])
    floor_lines = _floor_lines(table, number, floors)
    if ELO in table.metrics:
        # A model is not asked to judge floors.
        _put_elo([*lines, *(() if judging.model else floor_lines)], judging)
    for line in (*lines, *floor_lines):
        # The results were only for the ratings: a report holds them once, in its file.
        del line["results"]
    matched = _put_published(table, lines)
    lines += [_published_line(number, row) for row in table.published_rows if _key(row) not in matched]
    lines += floor_lines
    return {
        "table": number,
        "title": table.title,
        "where": table.where,
        "bench": table.bench,
        "metrics": list(table.metrics),
        "percent": list(table.percent),
        "lost": table.lost,
        "key_tools": judging.key_tools if keyed else "",
        "embedder": ", ".join(sorted({str(row["embedder"]) for row in rows if row.get("embedder")})),
        "missing": {name: why for name in table.systems if (why := paper.systems[name].missing)},
        "rows": lines,
        "contrasts": [_contrast(contrast, lines) for contrast in table.contrasts],
    }


def _settings(
    paper: Paper, cells: Sequence[Cell], by_cell: Mapping[str, Sequence[Row]]
) -> Iterable[tuple[dict[str, str], list[Row], list[str]]]:
    """Yield each setting with the results of all its repeats, and how its system differs from the paper's."""
    repeats: dict[tuple[str, str, str], list[Row]] = {}
    for cell in cells:
        repeats.setdefault((cell.model, cell.system, cell.regime), []).extend(by_cell.get(cell.key, ()))
    for (model, system, regime), group in repeats.items():
        note = paper.systems[system].note
        setting = {"model": model, "system": system, "regime": regime}
        yield setting, group, [f"system {system}: {note}"] if note else []


def _lines(
    table: Table, number: str, setting: Mapping[str, str], rows: Sequence[Row], differences: Sequence[str]
) -> list[Line]:
    """Return a line for a setting, or one for each part of a table that divides its questions."""
    if not table.slices:
        return [_line(table, number, setting, rows, differences)]
    label = SLICES[table.slices]
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(label(row), []).append(row)
    lines = [
        _line(table, number, {**setting, "slice": name}, parts[name], differences)
        for name in sorted(parts, key=_in_order)
    ]
    return [*lines, _line(table, number, {**setting, "slice": "Overall"}, rows, differences)]


def _in_order(name: str) -> tuple[int, str]:
    # Numbers by their size, 2 before 10; names before them by the alphabet.
    return (int(name), "") if name.isdigit() else (-1, name)


def _line(
    table: Table, number: str, setting: Mapping[str, str], rows: Sequence[Row], differences: Sequence[str]
) -> Line:
    apart = {
        name: {"questions": _count(some), **_values(table, some)}
        for name, some in by_part(rows, table.bench).items()
    }
    return {
        "table": number,
        "kind": "ours",
        "setting": dict(setting),
        "questions": _count(rows),
        "ours": _values(table, rows),
        "published": {},
        "parts": apart,
        "differences": list(differences),
        "results": rows,
    }


def _count(rows: Sequence[Row]) -> int:
    return len({row["question_id"] for row in rows})


def _values(table: Table, rows: Sequence[Row]) -> dict[str, dict[str, float | None]]:
    return {name: value_of(name, rows, name in table.percent) for name in table.metrics if name in MEASURES}


def _put_published(table: Table, lines: Sequence[Line]) -> set[tuple[str, ...]]:
    """Put the published values beside the lines of the same setting; return the settings that were used."""
    known = {_key(row): row for row in table.published_rows}
    used = set()
    for line in lines:
        setting = line["setting"]
        own = _key(setting)
        if own in known:
            line["published"] = dict(known[own]["values"])
            used.add(own)
            continue
        other = [row for row in known.values() if _key(row, model=False) == _key(setting, model=False)]
        # A table of one model alone: its values stand beside those of any other, with a word that
        # it is another.
        if table.model and len(other) == 1:
            line["published"] = dict(other[0]["values"])
            named = (
                "of a model that the text does not name" if table.model == UNNAMED else f"of {table.model}"
            )
            line["differences"].append(f"model: the published values are {named}")
            line["published_of"] = table.model
            used.add(_key(other[0]))
        elif setting["model"] != WITHOUT_MODEL and other:
            line["differences"].append(f"model: the paper has no row of {setting['model']}")
    return used


def _key(setting: Mapping[str, Any], *, model: bool = True) -> tuple[str, ...]:
    names = ("model", "system", "regime", "slice") if model else ("system", "regime", "slice")
    return tuple(_plain(name, str(setting.get(name, ""))) for name in names)


def _plain(name: str, text: str) -> str:
    """Return a name as it is compared: an endpoint writes ``openai/gpt-5`` for GPT-5."""
    if name != "model":
        return text.casefold()
    return "".join(sign for sign in text.rpartition("/")[2].casefold() if sign.isalnum())


def _put_elo(lines: Sequence[Line], judging: Judging) -> None:
    """Put the Elo rating of each line, of the plans that were made for the same tasks."""
    slices: dict[str, dict[int, Line]] = {}
    for number, line in enumerate(lines):
        slices.setdefault(line["setting"].get("slice", ""), {})[number] = line
    for players in slices.values():
        # By the line's number, since a player's name is a whole setting; each part of a table is a tournament
        # of its own.
        plans = {
            (row["question_id"], str(number)): row
            for number, line in players.items()
            for row in line["results"]
        }
        ratings = ratings_of(plans, judging.judge(plans)) if plans else _NO_RATINGS
        for number, line in players.items():
            value = ratings["elo"].get(str(number))
            low, high = ratings["elo_intervals"][str(number)] if value is not None else (None, None)
            line["ours"][ELO] = {"value": value, "low": low, "high": high}
            line["bradley_terry"] = ratings["bradley_terry"].get(str(number))


def _published_line(number: str, row: Mapping[str, Any]) -> Line:
    setting = {name: value for name, value in row.items() if name != "values"}
    return {
        "table": number,
        "kind": "published",
        "setting": setting,
        "questions": 0,
        "ours": {},
        "published": dict(row["values"]),
        "parts": {},
        "differences": [],
    }


def _floor_lines(table: Table, number: str, floors: Iterable[tuple[str, Row]]) -> list[Line]:
    groups: dict[str, list[Row]] = {}
    for name, row in floors:
        groups.setdefault(name, []).append(row)
    lines = []
    for name, rows in groups.items():
        for line in _lines(table, number, {"model": "none", "system": name, "regime": "any"}, rows, ()):
            lines.append({**line, "kind": "floor"})
    return lines


def _contrast(contrast: Any, lines: Sequence[Line]) -> dict[str, Any]:
    """Return a stated difference with the same of ours, for each model that has both systems."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for line in lines:
        value = line["ours"].get(contrast.metric, {}).get("value")
        setting = line["setting"]
        if value is None or (contrast.regime and setting.get("regime") != contrast.regime):
            continue
        found.setdefault((setting["model"], setting.get("regime", "")), {})[setting["system"]] = value
    ours = {
        f"{model}, {regime}": _difference(contrast.kind, values[contrast.system], values[contrast.than])
        for (model, regime), values in found.items()
        if contrast.system in values and contrast.than in values
    }
    return {**contrast.model_dump(exclude={"value"}), "value_published": contrast.value, "ours": ours}


def _difference(kind: str, value: float, than: float) -> float | None:
    if kind == "difference":
        return value - than
    return 100 * (value - than) / than if than else None
