"""The planner under every strategy of disclosure, from the question to the record."""

from __future__ import annotations

import json

import pytest

from tests.core.runs.test_manager import QUESTION, answer_of, finish, home, manager_of
from treeline.core.cli import main
from treeline.core.context.ledger import ledger_of
from treeline.core.disclosure.strategies import STRATEGIES
from treeline.core.engine.actions import Call, Doc, Skill
from treeline.core.engine.journal import recorded_state
from treeline.core.runs.options import RunOptions

__all__ = ["home"]


def work_run(manager, **options):
    run = manager.start("lake", QUESTION, RunOptions(**options))
    finish(manager, run)
    return run, recorded_state(manager.store, run)


@pytest.mark.parametrize("name", [name for name in STRATEGIES if name != "retrieval"])
def test_the_answer_is_the_same_and_nothing_is_refused(home, name):
    manager = manager_of(home)
    expected = answer_of(manager, work_run(manager)[0]).text
    run, state = work_run(manager, disclosure=name)
    assert answer_of(manager, run).text == expected
    assert all(step.observation.is_success for step in state.steps)


def test_documents_that_are_there_already_cost_no_steps(home):
    manager = manager_of(home)
    kinds = {
        name: [s.action.kind for s in work_run(manager, disclosure=name)[1].steps] for name in STRATEGIES
    }
    assert "skill" not in kinds["flat"] and "doc" not in kinds["flat"]
    assert "skill" not in kinds["two_layer"] and "doc" in kinds["two_layer"]
    assert len(kinds["adaptive"]) < len(kinds["two_layer"]) < len(kinds["progressive"])


def test_a_tool_that_was_not_retrieved_is_refused_and_the_run_declines(home):
    manager = manager_of(home)
    _, state = work_run(manager, disclosure="retrieval")
    refused = [step for step in state.steps if step.observation.kind == "refusal"]
    assert all("not among the tools of this run" in step.observation.text for step in refused)
    assert not any(isinstance(step.action, Skill | Doc) for step in state.steps)


def test_a_random_tree_is_the_same_when_the_record_is_read_again(home):
    manager = manager_of(home)
    run, state = work_run(manager, disclosure="random_tree", seed=5)
    opened = [step.action.kit for step in state.steps if isinstance(step.action, Skill)]
    kits = manager.disclosure(run).tree.tools.items()
    kit_of = {tool.name: kit for kit, tools in kits for tool in tools}
    for step in state.steps:
        if isinstance(step.action, Call):
            assert kit_of[step.action.tool] in opened


def test_the_ledger_follows_from_the_record(home):
    manager = manager_of(home)
    ledgers = {name: ledger_of(work_run(manager, disclosure=name)[1]) for name in ("flat", "adaptive")}
    assert ledgers["adaptive"].input < 0.1 * ledgers["flat"].input
    assert ledgers["flat"].parts()["documents"] > 0.8 * ledgers["flat"].input


def test_the_command_line_prints_the_ledger(home, capsys, monkeypatch):
    monkeypatch.setenv("TREELINE_HOME", str(home / "own"))
    data = str(home / "workspaces" / "lake" / "inputs")
    assert main(["ask", QUESTION, "--data", data, "--disclosure", "adaptive", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    ledger = printed["ledger"]
    assert ledger["tokenizer"] == "o200k_base" and len(ledger["turns"]) == len(printed["steps"])
    assert ledger["input"] == sum(turn["total"] for turn in ledger["turns"])
    assert all(turn["total"] == sum(turn["parts"].values()) for turn in ledger["turns"])


def test_a_run_without_cards_is_not_led_by_them(home):
    manager = manager_of(home)
    runs = [work_run(manager, disclosure="adaptive", card=card)[0] for card in ("auto", "none")]
    of_card, alone = map(manager.disclosure, runs)
    assert of_card.cards and not alone.cards


def test_where_no_strategy_is_chosen_it_is_that_of_the_policy():
    chosen = {policy: RunOptions(policy=policy).disclosure for policy in ("planner", "person", "language")}
    assert chosen == {"planner": "progressive", "person": "progressive", "language": "adaptive"}
    assert RunOptions(policy="language", disclosure="flat").disclosure == "flat"
