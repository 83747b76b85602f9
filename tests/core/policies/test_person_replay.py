from __future__ import annotations

import threading

import pytest

from treeline.core.engine.actions import Answer, Call, Decision, Doc, Observation, Skill, TokenUse
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import StepStarted
from treeline.core.engine.loop import drive
from treeline.core.engine.state import State, Step
from treeline.core.policies.person import Person
from treeline.core.policies.replay import Replay
from treeline.toolkit.errors import InputError, Stopped

ACTIONS = [Skill("Index"), Doc("mean"), Call("mean", {"x": [1]}), Answer("1", 1.0)]


class Agreeable:
    """Answers every action."""

    def act(self, action, state, progress=None, stop=None):
        return Observation("result", "done")


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


def test_a_person_gives_actions_before_and_during_the_run():
    person = Person()
    person.give(ACTIONS[0], "look at the indices")
    later = threading.Timer(0.2, lambda: [person.give(action) for action in ACTIONS[1:]])
    later.start()
    finished, events = play(person)
    later.join()
    chosen = [event for event in events if isinstance(event, StepStarted)]
    assert [event.action for event in chosen] == ACTIONS
    assert chosen[0].thought == "look at the indices"
    assert finished.answer == ACTIONS[-1]


def test_waiting_for_a_person_ends_with_the_run():
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        Person().decide(State("q"), print, stop)


def test_a_replay_repeats_a_recorded_run():
    decisions = [Decision(action, f"thought {n}", TokenUse(n, 1)) for n, action in enumerate(ACTIONS)]
    finished, events = play(Replay(decisions))
    repeated, again = play(Replay.of_events(events))
    assert repeated == finished and finished.answer == ACTIONS[-1]
    plain = [(e.step, e.action, e.thought, e.tokens) for e in events if isinstance(e, StepStarted)]
    assert plain == [(e.step, e.action, e.thought, e.tokens) for e in again if isinstance(e, StepStarted)]
    assert [thought for _, _, thought, _ in plain] == ["thought 0", "thought 1", "thought 2", "thought 3"]


def test_a_step_that_was_chosen_twice_is_replayed_as_it_was_chosen_last():
    events = [
        StepStarted(1, Skill("Index")),
        StepStarted(1, Skill("Statistics")),
        StepStarted(2, Answer("1")),
    ]
    assert [d.action for d in Replay.of_events(events)._decisions] == [Skill("Statistics"), Answer("1")]


def test_a_replay_goes_on_after_the_steps_that_the_state_has():
    state = State("q").after(Step(1, ACTIONS[0], Observation("information", "")))
    assert Replay(ACTIONS).decide(state, print, threading.Event()).action == ACTIONS[1]


def test_a_record_without_an_answer_fails_the_run_and_says_so():
    finished, _ = play(Replay(ACTIONS[:2]))
    assert finished.status == "failed" and "2 actions" in finished.reason
    with pytest.raises(InputError):
        Replay([]).decide(State("q"), print, threading.Event())
