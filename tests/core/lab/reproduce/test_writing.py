"""A reproduced table as text: our value beside the published one, each with its unit."""

from __future__ import annotations

import csv
import io
from typing import Any

from treeline.core.lab.reproduce.writing import as_text, csv_of, latex_of


def line(kind: str = "ours", value: float | None = 12.5, published: float | None = 10.0) -> dict[str, Any]:
    ours = {} if value is None else {"accuracy": {"value": value, "low": 11.0, "high": 14.0}}
    return {
        "table": "2",
        "kind": kind,
        "setting": {"model": "m_1", "system": "flat"},
        "questions": 8,
        "ours": ours,
        "published": {} if published is None else {"accuracy": published},
        "parts": {},
        "differences": ["other rasters"],
    }


def contrast(kind: str, where: str) -> dict[str, Any]:
    return {
        "metric": "tokens",
        "system": "ours",
        "than": "flat",
        "kind": kind,
        "model": "m_1",
        "regime": "",
        "where": where,
        "ours": {"flat": -35.0},
        "value_published": 86.0,
    }


def report(*lines: dict[str, Any], contrasts: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    table = {
        "table": "2",
        "title": "Accuracy",
        "where": "p. 3",
        "metrics": ["accuracy"],
        "lost": "",
        "contrasts": list(contrasts),
        "missing": {},
    }
    return {
        "title": "A paper",
        "source": "arXiv",
        "tables": [table],
        "rows": list(lines),
        "left_out": {},
        "tuned_on": "Nothing was tuned.",
    }


def test_only_a_relative_change_is_in_per_cent():
    told = as_text(
        report(line(), contrasts=(contrast("change", "p. 4"), contrast("difference", "p. 5")))
    ).splitlines()
    assert "  tokens of ours against flat: ours flat -35 % | +86 % (m_1, p. 4)" in told
    assert "  tokens of ours against flat: ours flat -35 | +86 (m_1, p. 5)" in told


def test_a_row_that_is_not_ours_is_marked_and_a_value_that_is_missing_is_a_stroke():
    told = as_text(report(line(), line("floor", None), line("ours", 3.0, None)))
    rows = [" ".join(row.split()) for row in told.splitlines()[1:4]]
    assert rows == [
        "m_1, flat accuracy 12.5 | 10",
        "m_1, flat [floor] accuracy - | 10",
        "m_1, flat accuracy 3 | -",
    ]


def test_the_interval_stands_with_our_value_and_the_published_one_in_brackets():
    latex = latex_of(report(line(), line("floor", None), line("ours", 3.0, None)))
    assert r"m\_1 & flat & 12.5 (11 to 14) [10] \\" in latex
    assert r"m\_1 & flat & [10] \\" in latex and "% other rasters" in latex
    row = next(csv.DictReader(io.StringIO(csv_of(report(line())))))
    assert [row[name] for name in ("accuracy", "accuracy low", "accuracy high", "accuracy published")] == [
        "12.5",
        "11.0",
        "14.0",
        "10.0",
    ]
