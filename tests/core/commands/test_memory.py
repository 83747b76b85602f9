"""``treeline memory`` over both memories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treeline.core.cli import main
from treeline.core.home import store_url
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.entries import Lesson, Source
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.items import BankItem
from treeline.core.memory.procedure import Procedure, ProcedureStep
from treeline.core.record.store import Store

KEY = '[{"node":"Number","value":"<limit 1>"}]'
PATTERN = BankItem(
    "pattern", "How much?", "It went so.", Procedure((ProcedureStep("mean", {}),)), ("r1",), KEY
)
OFFERED = BankItem(
    "guardrail", "How much?", "Measure lst.", None, ("r2",), KEY, review="proposed", reviewer=""
)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    opened = Store(store_url())
    MemoryBank(opened).consolidate([PATTERN, OFFERED])
    FailureMemory(opened).add(Source("i", "How hot?", "w", "r3", "r3", expression=KEY), Lesson("Look again."))
    return opened


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["memory", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def values(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    code, out, _ = run(capsys, *arguments, "--json")
    assert code == 0
    found: list[dict[str, Any]] = json.loads(out)
    return found


def test_both_memories_are_listed_and_each_alone(store: Store, capsys: pytest.CaptureFixture[str]):
    assert [one["memory"] for one in values(capsys, "list")] == ["failures", "bank", "bank"]
    assert [one["memory"] for one in values(capsys, "list", "--memory", "failures")] == ["failures"]
    _, told, _ = run(capsys, "list")
    assert "used 0, helped 0, harmed 0 [proposed]  guardrail: Measure lst." in told and "How hot?" in told


def test_an_item_is_shown_by_the_beginning_of_its_key(store: Store, capsys: pytest.CaptureFixture[str]):
    (shown,) = values(capsys, "show", PATTERN.key[:10])
    assert (shown["key"], shown["expression"]) == (PATTERN.key, KEY)
    assert shown["procedure"]["steps"][0]["tool"] == "mean"
    _, told, _ = run(capsys, "show", PATTERN.key)
    assert "1. mean()" in told and f"Key: {KEY}" in told


def test_an_item_is_reviewed_muted_and_deleted(store: Store, capsys: pytest.CaptureFixture[str]):
    (accepted,) = values(capsys, "accept", OFFERED.key)
    assert accepted["review"] == "accepted" and accepted["reviewer"]
    assert values(capsys, "reject", OFFERED.key)[0]["review"] == "rejected"
    assert values(capsys, "mute", PATTERN.key)[0]["muted"]
    values(capsys, "delete", OFFERED.key)
    assert [item.key for item in MemoryBank(store).items()] == [PATTERN.key]


@pytest.mark.parametrize("arguments", [("pin", PATTERN.key), ("show", "nothing"), ("accept",)])
def test_what_cannot_be_done_is_said_in_a_sentence(
    store: Store, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
):
    code, _, said = run(capsys, *arguments)
    assert code == 2 and said.strip() and "Traceback" not in said


def test_an_export_of_both_is_taken_in_elsewhere(
    store: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "memory.json"
    run(capsys, "export", str(file))
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "other"))
    assert len(values(capsys, "import", str(file))) == 3
    assert values(capsys, "import", str(file)) == []
    other = {one["key"]: one for one in values(capsys, "list", "--memory", "bank")}
    assert other[PATTERN.key]["procedure"] and other[OFFERED.key]["review"] == "proposed"
    broken = [*json.loads(file.read_text()), {"memory": "bank", "kind": "rumour"}]
    file.write_text(json.dumps(broken))
    code, _, said = run(capsys, "import", str(file))
    assert code == 2 and "no export of the memory bank" in said
