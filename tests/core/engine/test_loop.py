from __future__ import annotations

import threading
import time

from treeline.core.engine.actions import Answer, Call, Decision, Observation, Skill, TokenUse
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import RunFinished, StepFinished, StepStarted
from treeline.core.engine.loop import drive
from treeline.core.engine.state import State
from treeline.toolkit.errors import BackendMissing


class ScriptedPolicy:
    """Plays decisions in order; the last one again and again."""

    name = "scripted"

    def __init__(self, *decisions: Decision) -> None:
        self.decisions = list(decisions)

    def decide(self, state, notify, stop):
        decision = self.decisions[min(len(state.steps), len(self.decisions) - 1)]
        if isinstance(decision, Exception):
            raise decision
        return decision


class Echo:
    """Answers each action at once, or as long as a function takes."""

    def __init__(self, work=lambda progress, stop: None) -> None:
        self.work = work

    def act(self, action, state, progress=None, stop=None):
        if isinstance(action, Call):
            self.work(progress, stop)
        return Observation("result", "done", value=42.0 if isinstance(action, Call) else None)


def play(policy, environment=None, budget=None, stop=None):
    events = []
    finished = drive(
        State("q"),
        policy,
        environment or Echo(),
        budget or Budget(),
        events.append,
        stop or threading.Event(),
    )
    return finished, events


def test_a_run_ends_with_its_answer_and_every_step_is_recorded_twice():
    finished, events = play(
        ScriptedPolicy(Decision(Skill("Index")), Decision(Call("mean")), Decision(Answer("42", value=42.0)))
    )
    assert finished.status == "answered" and finished.answer.value == 42
    assert [event.step for event in events if isinstance(event, StepStarted)] == [1, 2, 3]
    assert [event.step for event in events if isinstance(event, StepFinished)] == [1, 2, 3]
    assert isinstance(events[-1], RunFinished)


def test_a_declined_question_is_no_failure():
    assert play(ScriptedPolicy(Decision(Answer("no thermal band", declined=True))))[0].status == "declined"


def test_the_step_budget_ends_an_endless_loop():
    finished, events = play(ScriptedPolicy(Decision(Skill("Index"))), budget=Budget(steps=5))
    assert finished.status == "failed" and "5 steps" in finished.reason
    assert sum(isinstance(event, StepFinished) for event in events) == 5


def test_the_token_budget_counts_input_and_output():
    policy = ScriptedPolicy(Decision(Skill("Index"), tokens=TokenUse(90, 20)))
    finished, events = play(policy, budget=Budget(tokens=200))
    assert "tokens" in finished.reason and sum(isinstance(event, StepFinished) for event in events) == 2


def test_the_time_budget_is_looked_at_between_steps():
    finished, _ = play(
        ScriptedPolicy(Decision(Call("slow"))),
        Echo(lambda *_: time.sleep(0.02)),
        Budget(seconds=0.05, steps=None),
    )
    assert "seconds" in finished.reason


def test_a_policy_is_not_told_to_stop_while_there_is_time():
    stopped: list[bool] = []

    class Recorder(ScriptedPolicy):
        def decide(self, state, tell, stop):
            stopped.append(stop.is_set())
            return super().decide(state, tell, stop)

    policy = Recorder(Decision(Skill("Index")), Decision(Answer("no", declined=True)))
    finished, _ = play(policy, budget=Budget(seconds=3600))
    assert stopped == [False, False] and finished.status == "declined"


def test_stop_ends_a_call_in_flight():
    stop = threading.Event()

    def work(progress, event):
        from treeline.toolkit import ToolContext

        stop.set()
        ToolContext(stop=event).check_stop()

    finished, _ = play(ScriptedPolicy(Decision(Call("long"))), Echo(work), stop=stop)
    assert finished.status == "stopped"


def test_a_policy_without_a_decision_ends_the_run_with_the_reason():
    finished, _ = play(ScriptedPolicy(BackendMissing("No model is named.", "Set TREELINE_MODEL.")))
    assert finished.status == "failed" and "TREELINE_MODEL" in finished.reason


def test_progress_of_a_call_is_emitted_and_thinned():
    def work(progress, stop):
        for done in range(1, 1001):
            progress(done, 1000, "blocks")

    _, events = play(ScriptedPolicy(Decision(Call("long")), Decision(Answer("x"))), Echo(work))
    progress = [event for event in events if event.kind == "progress"]
    assert 1 <= len(progress) < 50 and progress[-1].done == 1000
