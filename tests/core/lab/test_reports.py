"""Reports as HTML, comparisons of two, failures in groups."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.core.cli import main
from treeline.core.lab.comparing import (
    LOWER_IS_BETTER,
    _changes,
    _context,
    _metric,
    check_report,
    compare,
    unlike_texts,
)
from treeline.core.lab.earth_bench import summarise
from treeline.core.lab.failures import failure_groups
from treeline.core.lab.reports import _calls, _without_parts, html_of
from treeline.toolkit.errors import InputError

NASTY = "<script>alert(1)</script>"


def row(number: int, exact: float, correct: bool | None = None, calls=("a",), expected=("a",), **changed):
    scores = dict.fromkeys(("tool_any_order", "tool_in_order", "parameters"), 0.5) | {
        "tool_exact_match": exact
    }
    return {
        "id": number,
        "modality": NASTY,
        "status": "answered",
        "reason": "",
        "correct": correct,
        "scores": scores,
        "efficiency": 1.0,
        "seconds": 0.1,
        "tokens": {"input": 0, "output": 0},
        "calls": [{"tool": tool, "arguments": {}} for tool in calls],
        "expected": [{"tool": tool, "arguments": {}} for tool in expected],
        **changed,
    }


def report(*exact: float) -> dict:
    return summarise([row(n, value) for n, value in enumerate(exact, start=1)])


def test_questions_without_an_answer_are_counted_by_why() -> None:
    rows = [
        row(1, 1.0),
        *({**row(n, 0.0), "status": "declined"} for n in (2, 3)),
        {**row(4, 0.0), "status": "asks"},
    ]
    found = summarise(rows)
    assert [found[name] for name in ("unverified", "asks", "declined", "failed")] == [0, 1, 2, 0]


def test_a_comparison_counts_wins_and_losses_by_question() -> None:
    found = compare(report(0.0, 1.0, 0.5), report(1.0, 0.5, 0.5))
    exact = found["metrics"]["tool_exact_match"]
    assert (exact["wins"], exact["losses"], exact["ties"]) == (1, 1, 1)
    assert exact["difference"] == pytest.approx(1 / 6) and exact["interval"][0] < 0 < exact["interval"][1]
    assert [(q["id"], q["won"]) for q in found["questions"]] == [("2", False), ("1", True)]
    assert [q["difference"] for q in found["questions"]] == [-0.5, 1.0]
    assert found["metrics"]["accuracy"]["difference"] is None


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=12))
def test_a_comparison_turned_round_has_the_opposite_signs(pairs: list[tuple[float, float]]) -> None:
    first, second = (report(*values) for values in zip(*pairs, strict=True))
    there, back = (
        compare(*both)["metrics"]["tool_exact_match"] for both in ((first, second), (second, first))
    )
    assert there["difference"] == pytest.approx(-back["difference"], abs=1e-12)
    assert (there["wins"], there["losses"]) == (back["losses"], back["wins"])


def test_less_is_better_where_it_is() -> None:
    dear, cheap = summarise([row(1, 1.0, efficiency=2.0)]), summarise([row(1, 1.0, efficiency=1.0)])
    assert compare(dear, cheap)["metrics"]["efficiency"]["wins"] == 1


def test_only_what_both_hold_is_compared() -> None:
    found = compare(report(1.0, 1.0), summarise([row(2, 0.0), row(3, 0.0)]))
    assert (found["shared"], found["only_first"], found["only_second"]) == (1, ["1"], ["3"])
    settings = ({"team": "solo", "regime": "ap"}, {"team": "layered", "regime": "ap"})
    apart = compare(*(report(1.0) | {"settings": each} for each in settings))["differing"]
    assert apart == [{"setting": "team", "first": "solo", "second": "layered"}]
    with pytest.raises(InputError, match="no question"):
        compare(report(1.0), summarise([row(7, 1.0)]))
    with pytest.raises(InputError, match="cannot be compared"):
        compare(report(1.0), {"bench": "geoplan", "tasks": []})


@pytest.mark.parametrize(
    "content", [[], {}, {"bench": "earth-bench"}, {"bench": "geoplan", "tasks": [{"id": 1}]}]
)
def test_what_is_no_report_is_refused(content) -> None:
    with pytest.raises(InputError, match="no .*report"):
        check_report(content, "a.json")


def test_failures_are_grouped_by_where_they_leave_the_expert() -> None:
    rows = [
        row(1, 1.0),
        row(2, 0.0, calls=("b",)),
        row(3, 0.0, calls=("b",)),
        row(4, 0.0, calls=()),
        row(5, 1.0, calls=("a", "c")),
        row(6, 0.0, status="failed", reason="No time."),
        row(7, 1.0, correct=False),
        row(8, 0.0, calls=(), status="declined"),
    ]
    groups = {group["cause"]: group["questions"] for group in failure_groups("earth-bench", rows)}
    assert groups == {
        "b instead of a": ["2", "3"],
        "ends before a": ["4"],
        "goes on with c": ["5"],
        "failed: No time.": ["6"],
        "wrong answer": ["7"],
        "declined, ends before a": ["8"],
    }
    rows[0]["calls"] = [{"tool": "a", "arguments": {"x": 1}}]
    assert failure_groups("earth-bench", rows[:1])[0]["cause"] == "other x of a"


class Checker(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.add(tag)
        assert not {"src", "href", "onload"} & {name for name, _ in attrs}


def whole(text: str) -> set[str]:
    checker = Checker()
    checker.feed(text)
    assert "http" not in text and "script" not in checker.tags
    return checker.tags


def test_a_page_shows_what_it_holds_and_runs_nothing() -> None:
    tags = whole(html_of(report(0.0, 1.0)))
    assert {"svg", "rect", "table"} <= tags
    assert "&lt;script&gt;" in html_of(report(0.0, 1.0))
    assert "table" in whole(html_of(compare(report(0.0), report(1.0))))


def test_every_bench_writes_a_report_by_the_command_line(shared: Path, tmp_path: Path, capsys) -> None:
    earth, plan = shared / "earth_bench", shared / "geoplan_bench"
    questions, calls, tasks, runs = (tmp_path / name for name in ("q.jsonl", "c.jsonl", "t.jsonl", "r.jsonl"))
    for file, source, count in (
        (questions, earth / "questions.jsonl", 3),
        (calls, earth / "recorded_calls.jsonl", 12),
        (tasks, plan / "tasks.jsonl", 4),
        (runs, earth / "scored_runs.jsonl", 5),
    ):
        file.write_text("\n".join(source.read_text().splitlines()[:count]))
    benches = (
        ["metrics", "--expected", str(runs)],
        ["calls", "--calls", str(calls), "--questions", str(earth / "questions.jsonl")],
        ["context", "--questions", str(questions), "--disclosure", "progressive"],
        ["geoplan", "--tasks", str(tasks), "--planner", "template", "--embedder", "lexical"],
        ["earth-bench", "--questions", str(questions), "--regime", "ap", "--files-only", "--workers", "1"],
    )
    for command in benches:
        page, kept = tmp_path / f"{command[0]}.html", tmp_path / f"{command[0]}.json"
        assert main(["bench", *command, "--report", str(page), "--json"]) == 0
        kept.write_text(capsys.readouterr().out)
        assert {"svg", "table"} <= whole(page.read_text())
        assert main(["bench", "compare", str(kept), str(kept), "--report", str(page), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert all(metric["difference"] in (0, None) for metric in found["metrics"].values())
        whole(page.read_text())
    assert main(["bench", "compare", str(tmp_path / "calls.json"), str(tmp_path / "geoplan.json")]) == 2
    assert "cannot be compared" in capsys.readouterr().err


def calls_report(*outcomes: tuple[str, bool]) -> dict:
    rows = [{"outcome": outcome, "helpful": helpful} for outcome, helpful in outcomes]
    return {"bench": "calls", "calls": rows}


def test_a_call_is_accepted_unless_it_is_refused() -> None:
    before = calls_report(("ok", True), ("refused", False), ("repaired", True))
    after = calls_report(("ok", True), ("ok", True), ("refused", True))
    found = compare(before, after)["metrics"]
    accepted = found["accepted"]
    assert (accepted["first"], accepted["second"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert (accepted["wins"], accepted["losses"], accepted["ties"]) == (1, 1, 1)
    assert found["helpful"]["difference"] == pytest.approx(1 / 3)


def test_scores_by_the_proxy_and_by_a_model_are_not_compared() -> None:
    def make_plan_report(key_tools: str, embedder: str = "lexical") -> dict[str, Any]:
        scores = {"recall": 1.0, "precision": 0.5, "f1": 2 / 3}
        task = {"id": "1", "path_similarity": 0.5, "key_tool_scores": scores}
        return {"bench": "geoplan", "key_tools": key_tools, "embedder": embedder, "tasks": [task]}

    rare, chosen = make_plan_report("rare"), make_plan_report("chosen by m")
    assert {"recall", "path_similarity"} <= compare(rare, rare)["metrics"].keys()
    found = compare(rare, chosen)
    assert list(found["metrics"]) == ["path_similarity"] and set(found["unlike"]) == {
        "recall",
        "precision",
        "f1",
    }
    assert unlike_texts(found) == [
        "Not compared: recall, precision, f1. The one is measured by key tools: rare, the other by key "
        "tools: chosen by m."
    ]
    assert "chosen by m" in html_of(found)
    with pytest.raises(InputError, match="measured by key tools: rare, the other by key tools: chosen by m"):
        compare(rare, make_plan_report("chosen by m", "minilm"))


def table_of(key_tools: str, model: str = "m", kind: str = "ours", number: str = "1", **values: float) -> Any:
    ours = {name: {"value": value} for name, value in values.items()}
    row = {"table": number, "kind": kind, "setting": {"model": model, "system": "s"}, "ours": ours}
    table = {"table": number, "key_tools": key_tools, "embedder": "lexical"}
    return {"bench": "reproduce", "paper": "p", "models": [model], "rows": [row], "tables": [table]}


def test_of_two_tables_by_different_judges_what_hangs_on_none_leads() -> None:
    by_rule, judged = (
        table_of(key, recall=1.0, path_similarity=x) for key, x in (("rare", 0.5), ("j", 0.75))
    )
    found = compare(by_rule, judged)
    assert set(found["metrics"]) == {found["lead"]} == {"path_similarity"} and set(found["unlike"]) == {
        "recall"
    }
    assert found["metrics"]["path_similarity"]["difference"] == 0.25
    assert compare(by_rule, by_rule)["lead"] == "recall"


def test_the_same_table_with_another_model_is_compared_and_floors_are_not() -> None:
    one, other = table_of("rare", "a", recall=0.5), table_of("rare", "b", recall=0.75)
    for report in (one, other):
        report["rows"] += table_of("rare", "none", "floor", recall=0.0)["rows"]
    found = compare(one, other)
    assert found["shared"] == 1 and found["metrics"]["recall"]["difference"] == 0.25
    assert found["differing"] == [{"setting": "models", "first": "a", "second": "b"}]
    with pytest.raises(InputError, match="share no"):
        compare(one, other | {"paper": "q"})


def test_of_several_tables_the_first_metric_of_each_leads() -> None:
    one, other = table_of("rare", recall=0.5), table_of("rare", recall=0.75)
    for report in (one, other):
        report["rows"] += table_of("rare", number="2", accuracy=1.0)["rows"]
    found = compare(one, other)
    assert found["lead"] == "leading metric" and found["metrics"]["leading metric"]["ties"] == 1


def test_a_comparison_as_html_has_the_ends_of_the_interval_and_not_the_pair() -> None:
    compared = compare(report(0.0, 1.0, 0.5), report(1.0, 0.5, 0.5))
    low, high = compared["metrics"]["tool_exact_match"]["interval"]
    page = html_of(compared)
    assert ">from</th>" in page and ">to</th>" in page and ">interval</th>" not in page
    assert all(f">{end:.3f}</td>" in page for end in (low, high))


def test_a_row_of_the_context_is_shown_without_its_parts():
    row = {"id": 1, "parts": {"tree": 5}, "misses": ["a", "b"], "calls": 2}
    assert _without_parts(row) == {"id": 1, "misses": "a, b", "calls": 2}


def test_a_metric_counts_wins_losses_and_ties_and_the_less_may_be_the_better():
    pairs = [(1.0, 2.0), (2.0, 2.5), (3.0, 1.0), (4.0, 4.0)]
    found = _metric("accuracy", pairs)
    assert (found["first"], found["second"], found["difference"]) == (2.5, 2.375, -0.125)
    assert (found["wins"], found["losses"], found["ties"]) == (2, 1, 1)
    fewer = _metric(next(iter(LOWER_IS_BETTER)), pairs)
    assert (fewer["wins"], fewer["losses"], fewer["ties"]) == (1, 2, 1)


def test_changes_stand_from_the_worst_to_the_best():
    pairs = {"up": (1.0, 2.5), "same": (2.0, 2.0), "down": (3.0, 1.0)}
    told = [(row["id"], row["difference"], row["won"]) for row in _changes("accuracy", pairs)]
    assert told == [("down", -2.0, False), ("up", 1.5, True)]
    fewer = [(row["id"], row["won"]) for row in _changes(next(iter(LOWER_IS_BETTER)), pairs)]
    assert fewer == [("up", False), ("down", True)]


@pytest.mark.parametrize(("calls", "hits", "rate"), [(4, 3, 0.75), (0, 0, None)])
def test_hits_are_of_the_calls_that_were_made(calls: int, hits: int, rate: float | None):
    row = {"tokens": 10, "turns": 2, "refused": 0, "calls": calls, "hits": hits}
    assert _context(row) == {"tokens": 10, "turns": 2, "refused": 0, "hit_rate": rate}


def test_refused_calls_are_numbered_from_one_and_those_with_no_helpful_hint_come_first() -> None:
    report = calls_report(("refused", True), ("ok", True), ("refused", False))
    rows = [{**row, "message": "Refused.", "hint": "Try."} for row in report["calls"]]
    said = _calls({"calls": rows, "counts": {"ok": 1, "refused": 2}, "by_recorded": {}})[-1]
    assert re.findall(r">(\d+)</td>", said) == ["3", "1"]
