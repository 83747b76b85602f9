from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from treeline.core.engine.actions import Answer, Call, Decision, Doc, Observation, Skill, TokenUse
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import DecisionAwaited, StepStarted
from treeline.core.engine.journal import events_of, record_event
from treeline.core.engine.loop import drive
from treeline.core.engine.state import State, Step
from treeline.core.engine.waiting import Desk, find_awaited, give
from treeline.core.policies.names import UNATTENDED
from treeline.core.policies.person import Person
from treeline.core.policies.registry import POLICIES
from treeline.core.policies.replay import Replay
from treeline.core.record.store import Store
from treeline.toolkit.errors import InputError, Stopped

ACTIONS = [Skill("Index"), Doc("mean"), Call("mean", {"x": [1]}), Answer("1", 1.0)]


class Agreeable:
    """Answers every action."""

    def act(self, action, state, progress=None, stop=None):
        return Observation("result", "1.0", value=1.0)


def play(policy, stop=None):
    events = []
    finished = drive(
        State("What is the mean of 1?"),
        policy,
        Agreeable(),
        Budget(),
        events.append,
        stop or threading.Event(),
    )
    return finished, events


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "store.sqlite")
    opened.create_run("run", "lake", "What is the mean of 1?", {})
    yield opened
    opened.close()


def desk_of(store):
    return Desk(store, "run", lambda event: record_event(store, "run", event))


def wait_for(store, step):
    """Wait until the run asks for a step."""
    until = time.monotonic() + 240
    while time.monotonic() < until:
        awaited = find_awaited(stored.event for stored in events_of(store, "run"))
        if awaited is not None and awaited.step == step:
            return awaited
        time.sleep(0.01)
    raise AssertionError(f"the run never asked for step {step}")


def test_a_person_gives_each_action_once_the_run_waits_for_it(store):
    def say():
        for step, action in enumerate(ACTIONS, start=1):
            assert wait_for(store, step).action is None
            give(store, "run", step, action, "look at the indices" if step == 1 else "")

    person = threading.Thread(target=say)
    person.start()
    finished, events = play(Person(desk_of(store).ask))
    person.join()
    chosen = [event for event in events if isinstance(event, StepStarted)]
    assert [event.action for event in chosen] == ACTIONS
    assert chosen[0].thought == "look at the indices"
    assert replace(finished.answer, sources=()) == ACTIONS[-1]


def test_what_is_said_twice_or_of_another_step_counts_for_nothing(store):
    desk = desk_of(store)
    with pytest.raises(InputError, match="does not wait for step 1"):
        give(store, "run", 1, ACTIONS[0])
    record_event(store, "run", DecisionAwaited(1))
    with pytest.raises(InputError, match="does not wait for step 2"):
        give(store, "run", 2, ACTIONS[0])
    with pytest.raises(InputError, match="No action"):
        give(store, "run", 1)
    give(store, "run", 1, ACTIONS[0])
    with pytest.raises(InputError, match="does not wait for step 1"):
        give(store, "run", 1, ACTIONS[1])
    # What was said before the question counts for nothing either: a run that is resumed asks anew.
    later = threading.Timer(0.2, lambda: give(store, "run", 1, ACTIONS[1]))
    later.start()
    assert desk.ask(DecisionAwaited(1), threading.Event()).action == ACTIONS[1]


def test_waiting_for_a_person_ends_with_the_run(store):
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        Person(desk_of(store).ask).decide(State("q"), print, stop)


def test_a_replay_makes_the_decisions_that_it_was_given():
    decisions = [Decision(action, f"thought {n}", TokenUse(n, 1)) for n, action in enumerate(ACTIONS)]
    finished, events = play(Replay(decisions))
    made = [Decision(e.action, e.thought, e.tokens) for e in events if isinstance(e, StepStarted)]
    assert made == decisions and replace(finished.answer, sources=()) == ACTIONS[-1]


def test_a_replay_goes_on_after_the_steps_that_the_state_has():
    state = State("q").after(Step(1, ACTIONS[0], Observation("information", "")))
    assert Replay(ACTIONS).decide(state, print, threading.Event()).action == ACTIONS[1]


def test_a_record_without_an_answer_fails_the_run_and_says_so():
    finished, _ = play(Replay(ACTIONS[:2]))
    assert finished.status == "failed" and "2 actions" in finished.reason
    with pytest.raises(InputError):
        Replay([]).decide(State("q"), print, threading.Event())


def test_a_policy_without_a_person_can_be_made_by_its_name():
    assert tuple(POLICIES) == UNATTENDED
