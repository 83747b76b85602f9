"""Experience never turns a right answer into another one: opposites, neighbours, other units and places."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.rasters import write_lake
from treeline.core.engine.events import RunFinished
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.items import BankItem
from treeline.core.memory.procedure import Procedure, ProcedureStep
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.teams.report import team_report
from treeline.core.workspace import Workspace

# In this order each is the opposite or a neighbour of one before it.
QUESTIONS = (
    "On which date was the mean NDVI highest?",
    "On which date was the mean NDVI lowest?",
    "On which date was the maximum NDVI highest?",
    "On which date was the mean NDWI highest?",
    "What share of the area has NDVI above 0.5 on 2021-06-01?",
    "What share of the area has NDVI below 0.5 on 2021-06-01?",
    "What share of the area has NDVI above 0.7 on 2021-06-01?",
    "What share of the area has NDVI above 0.5 on 2021-07-01?",
    "What area in ha has NDVI above 0.5 on 2021-06-01?",
    "What area in km2 has NDVI above 0.5 on 2021-06-01?",
    "What is the mean NDVI on 2021-06-01?",
    "What is the maximum NDVI on 2021-06-01?",
    "What is the mean NDVI on 2021-01-01?",
)
HIGHEST, LOWEST = QUESTIONS[:2]


@pytest.fixture(scope="module")
def bands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_lake(tmp_path_factory.mktemp("lake") / "bands")


@pytest.fixture(scope="module")
def manager(bands: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunManager]:
    home = tmp_path_factory.mktemp("home")
    store = Store(home / "store.sqlite")
    yield RunManager(store, lambda name: Workspace(home / name, [bands]))
    store.close()


@pytest.fixture(scope="module")
def alone(manager: RunManager) -> Callable[[str], tuple[object, ...]]:
    """What one policy answers, asked once."""
    known: dict[str, tuple[object, ...]] = {}

    def answer_alone(question: str) -> tuple[object, ...]:
        if question not in known:
            known[question] = summary_of(ask(manager, question)[1])
        return known[question]

    return answer_alone


def ask(manager: RunManager, question: str, **options: object) -> tuple[str, RunFinished]:
    run = manager.create("lake", question, RunOptions(**options))  # type: ignore[arg-type]
    return run, manager.work(run)


def summary_of(finished: RunFinished) -> tuple[object, ...]:
    answer = finished.answer
    assert answer is not None
    # What a tool remarks on a raster is said by the member that made it.
    return (
        finished.status,
        answer.value,
        answer.unit,
        answer.text.split(". ")[0].rstrip("."),
        answer.expression,
    )


def steps(manager: RunManager, run: str) -> int:
    return sum(member["steps"] for member in team_report(manager.store, run)["members"])


@pytest.mark.parametrize("seed", [1, 2])
def test_a_team_with_experience_answers_as_one_policy_in_any_order(manager: RunManager, alone, seed: int):
    order = list(QUESTIONS)
    random.Random(seed).shuffle(order)
    for question in order:
        assert summary_of(ask(manager, question, team="evolver", variants=1)[1]) == alone(question), question


def test_the_opposite_does_not_follow_the_procedure_and_the_repeat_does(bands: Path, tmp_path: Path):
    store = Store(tmp_path / "store.sqlite")
    manager = RunManager(store, lambda name: Workspace(tmp_path / name, [bands]))
    first, _ = ask(manager, HIGHEST, team="evolver", variants=1)
    (pattern,) = MemoryBank(store).items()
    opposite, _ = ask(manager, LOWEST, team="evolver", variants=1)
    assert (
        MemoryBank(store).get(pattern.key).uses == 0 and steps(manager, opposite) >= steps(manager, first) - 1
    )
    again, _ = ask(manager, HIGHEST.replace("highest", "the greatest"), team="evolver", variants=1)
    found = MemoryBank(store).get(pattern.key)
    assert (found.uses, found.helps, found.harms) == (1, 1, 0) and steps(manager, again) < steps(
        manager, first
    )
    assert len(MemoryBank(store).items()) == 2
    store.close()


WRONG = Procedure((ProcedureStep("calculate_batch_ndwi", {}), ProcedureStep("no_such_tool", {})))


def test_a_procedure_of_the_wrong_tools_changes_no_answer(bands: Path, tmp_path: Path, alone):
    store = Store(tmp_path / "store.sqlite")
    manager = RunManager(store, lambda name: Workspace(tmp_path / name, [bands]))
    bank = MemoryBank(store)
    for question in (HIGHEST, QUESTIONS[4]):
        ask(manager, question, team="evolver", variants=1)
    for item in bank.items():
        assert item.procedure is not None
        bank.edit(item.key, item.text, item.expression, replace(WRONG, ways=item.procedure.ways))
    for question in (HIGHEST, QUESTIONS[6], QUESTIONS[7]):
        assert summary_of(ask(manager, question, team="evolver", variants=1)[1]) == alone(question)
    assert sum(item.uses for item in bank.items()) == 3
    store.close()


def test_a_question_that_the_data_cannot_answer_leaves_nothing(bands: Path, tmp_path: Path):
    store = Store(tmp_path / "store.sqlite")
    manager = RunManager(store, lambda name: Workspace(tmp_path / name, [bands]))
    for question in (
        QUESTIONS[-1],
        "On which date of 2019 was the mean NDVI highest?",
        "mean rainfall in 2021",
    ):
        assert ask(manager, question, team="evolver")[1].status == "declined"
    assert MemoryBank(store).items() == []
    store.close()


def test_a_guardrail_that_its_key_does_not_carry_is_not_enforced(bands: Path, tmp_path: Path, alone):
    from treeline.core.context.guardrails import AvoidTool, RequireRole

    store = Store(tmp_path / "store.sqlite")
    manager = RunManager(store, lambda name: Workspace(tmp_path / name, [bands]))
    bank = MemoryBank(store)
    ask(manager, HIGHEST, team="evolver", variants=1)
    (pattern,) = bank.items()
    rules = (AvoidTool("calc_batch_image_mean"), RequireRole("ndwi", ("ndvi",)))
    bank.consolidate([BankItem("guardrail", "x", "Do not.", None, ("r",), pattern.expression, rules)])
    for options in ({"team": "evolver", "variants": 1}, {"memory": "user"}):
        assert summary_of(ask(manager, HIGHEST, **options)[1]) == alone(HIGHEST)
    store.close()
