"""The planner as a policy: it goes on from a record, and reads a question in words."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.core.policies.planner.running import data_of
from tests.core.query.world import make_world, write_world
from treeline.core.disclosure.progressive import Progressive
from treeline.core.engine.actions import Answer
from treeline.core.engine.budget import Budget
from treeline.core.engine.environment import Environment
from treeline.core.engine.events import Event
from treeline.core.engine.loop import drive
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State, state_of
from treeline.core.policies.planner import Planner
from treeline.toolkit import SkillTree, registry


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_world(make_world(), tmp_path_factory.mktemp("world"))


def work(data: RunData, state: State) -> tuple[Answer, list[Event]]:
    disclosure = Progressive(SkillTree.of(registry()))
    events: list[Event] = []
    environment = Environment(data, disclosure, registry())
    finished = drive(
        state, Planner(data, disclosure), environment, Budget(), events.append, threading.Event()
    )
    assert finished.answer is not None, finished.reason
    return finished.answer, events


def test_a_question_in_words(folder: Path, tmp_path: Path) -> None:
    answer, _ = work(data_of(folder, tmp_path), State("What is the mean NDVI on 2020-07-22?"))
    assert not answer.declined, answer.text
    assert answer.unit == "1"
    assert answer.read_as
    assert answer.expression is not None and answer.expression["node"] == "Aggregate"


def test_words_that_nobody_knows_are_named(folder: Path, tmp_path: Path) -> None:
    answer, _ = work(data_of(folder, tmp_path), State("What is the zorbified mean NDVI on 2020-07-22?"))
    assert answer.declined
    assert "zorbified" in answer.text


def test_options_are_chosen_from(folder: Path, tmp_path: Path) -> None:
    choices = ("0.10", "0.68", "0.95")
    answer, _ = work(data_of(folder, tmp_path), State("What is the mean NDVI on 2020-07-22?", choices))
    assert answer.choice == "B"


def test_it_goes_on_from_any_step_of_its_record(folder: Path, tmp_path: Path) -> None:
    question = State("What is the highest mean LST over all dates?")
    data = data_of(folder, tmp_path)
    whole, events = work(data, question)
    steps = state_of(events).steps
    for taken in range(len(steps)):
        state = State(question.question, steps=steps[:taken])
        answer, _ = work(data, state)
        assert answer.text == whole.text
        assert answer.evidence == whole.evidence
