"""What cards are worth on questions that were read and on others: shares counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treeline.core.cli import main
from treeline.core.disclosure.advice import advised_tools
from treeline.core.lab.card_gain import READ, SET_ASIDE, UNSEEN, _difference, _less, card_gain
from treeline.core.lab.records import Question

DROUGHT = "Calculate the percentage of the cropland whose TVDI shows drought."


def question(number: int, *tools: str) -> Question:
    calls = [{"tool": tool, "arguments": {}} for tool in ("get_filelist", *tools)]
    return Question.model_validate({"id": number, "auto_planning": DROUGHT, "ground_truth": calls})


def test_gains_are_told_by_part() -> None:
    named = advised_tools(DROUGHT)
    assert "compute_tvdi" in named and "calculate_area" not in named
    public = [question(n, "compute_tvdi") for n in (2, 4)] + [
        question(8, "compute_tvdi", "count_above_threshold")
    ]
    told: list[tuple[int, int]] = []
    unseen = [question(2, "ATI"), question(1, "ATI"), question(5, "ATI")]
    report = card_gain(public, unseen, progress=lambda done, total, label: told.append((done, total)))
    assert told == [(n, 5) for n in range(1, 6)], "question 2 is among the public ones already"
    parts = report["parts"]
    assert {name: part["questions"] for name, part in parts.items()} == {READ: 2, SET_ASIDE: 1, UNSEEN: 2}
    assert parts[READ]["named"] == parts[READ]["all_named"] == 1
    assert parts[UNSEEN]["named"] == 0 and parts[UNSEEN]["named_gain"] <= 0
    assert parts[READ]["named_gain"] == pytest.approx(1 - parts[READ]["found"])
    saved = [1 - row["tokens"] / row["tokens_without"] for row in report["questions"]]
    assert [row["saved"] for row in report["questions"]] == pytest.approx(saved)
    apart = report["differences"][UNSEEN]["named_gain"]
    assert apart["value"] == pytest.approx(parts[READ]["named_gain"] - parts[UNSEEN]["named_gain"])
    assert report["differences"][SET_ASIDE]["named_gain"] is None
    assert "training scores" in report["tuned_on"]


def test_the_command_writes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = tmp_path / "q.jsonl", tmp_path / "report.html"
    file.write_text("\n".join(question(n, "compute_tvdi").model_dump_json() for n in (2, 8)))
    command = ["bench", "cards", "--questions", str(file), "--policy", "planner", "--report", str(page)]
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {row["in_order_gain"] for row in report["questions"]} <= {-1.0, -0.5, 0.0, 0.5, 1.0}
    assert "set aside" in page.read_text()


def test_the_difference_of_two_parts_has_an_interval():
    read, others = (
        [{"named_gain": value} for value in values] for values in ([4.0, 6.0, 5.0, 5.0], [1.0, 3.0])
    )
    found = _difference(read, others, "named_gain")
    assert found is not None and found["value"] == 3.0
    low, high = found["interval"]
    assert 1.0 < low < 3.0 < high < 5.0
    assert _difference(read, others[:1], "named_gain") is None
    assert _difference(read[:1], others, "named_gain") is None
    assert _difference(read[:2], others, "named_gain") is not None


@pytest.mark.parametrize(
    ("one", "other", "less"), [(0.75, 0.5, 0.25), (True, False, 1.0), (None, 0.5, None), (0.5, None, None)]
)
def test_a_gain_is_what_one_is_more_than_the_other(
    one: float | None, other: float | None, less: float | None
):
    assert _less(one, other) == less
