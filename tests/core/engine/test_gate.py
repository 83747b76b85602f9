from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from tests.core.engine.test_loop import Echo, ScriptedPolicy
from treeline.core.engine.actions import Answer, Call, Decision
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import StepFinished, StepStarted
from treeline.core.engine.gate import Denial
from treeline.core.engine.loop import drive
from treeline.core.engine.state import State
from treeline.toolkit.errors import Stopped

DECISIONS = (Decision(Call("look", {"x": [1]}), "because"), Decision(Answer("42", value=42.0)))


def play(gate, budget=None):
    events, seen = [], []

    class WatchedPolicy(ScriptedPolicy):
        def decide(self, state, notify, stop):
            seen.append(state)
            return super().decide(state, notify, stop)

    finished = drive(
        State("q"),
        WatchedPolicy(*DECISIONS),
        Echo(),
        budget or Budget(),
        events.append,
        threading.Event(),
        gate,
    )
    return finished, events, seen


def test_an_edited_call_is_what_is_carried_out_and_recorded():
    def edit(decision, state, stop):
        return (
            replace(decision, action=Call("look", {"x": [2]}))
            if isinstance(decision.action, Call)
            else decision
        )

    finished, events, seen = play(edit)
    started = [event for event in events if isinstance(event, StepStarted)]
    assert started[0].action == Call("look", {"x": [2]}) and started[0].thought == "because"
    assert seen[1].steps[0].action == Call("look", {"x": [2]})
    assert finished.status == "answered"


def test_a_denied_call_is_not_made_and_the_policy_is_told_why():
    def deny(decision, state, stop):
        return Denial("it takes too long") if isinstance(decision.action, Call) else decision

    finished, events, seen = play(deny)
    observation = seen[1].steps[0].observation
    assert observation.kind == "refusal" and observation.error == "Denied"
    assert observation.text == "A person denied this call: it takes too long."
    assert observation.value is None
    told = [event for event in events if isinstance(event, StepFinished)]
    assert told[0].observation == observation and told[0].seconds == 0.0
    # Nothing was called, so the answer rests on nothing.
    assert finished.status == "unverified"


def test_a_gate_that_is_stopped_ends_the_run():
    def stop_run(decision, state, stop):
        raise Stopped("The run was stopped.")

    assert play(stop_run)[0].status == "stopped"


def test_the_time_for_which_a_person_thinks_is_not_the_runs(monkeypatch):
    clock, thought = time.monotonic, [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock() + thought[0])

    def think(decision, state, stop):
        thought[0] += 1000.0
        return decision

    assert play(think, Budget(seconds=600.0))[0].status == "answered"


@pytest.mark.parametrize("reason", ["no", "no."])
def test_a_denial_is_one_sentence(reason):
    assert Denial(reason).observation().text == "A person denied this call: no."
