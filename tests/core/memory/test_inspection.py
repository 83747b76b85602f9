"""Trajectories beside each other, and figures by round."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from tests.core.memory import scenes
from tests.core.memory.test_rounds_planner import HIGHEST, THERMAL
from treeline.core.context.tokens import count_tokens
from treeline.core.engine.actions import Call, Observation, Skill, TokenUse
from treeline.core.engine.events import RunFinished
from treeline.core.engine.journal import recorded_state
from treeline.core.engine.state import Step
from treeline.core.memory import inspection
from treeline.core.memory.compression import full_text
from treeline.core.memory.inspection import RoundFigures, align, by_round
from treeline.core.memory.learning import Judgement
from treeline.core.memory.rounds import Round, rounds_of


def step(number, tool, **arguments):
    return Step(number, Call(tool, arguments), Observation("result", "1"))


def test_what_differs_is_marked():
    before = [
        Step(1, Skill("Index"), Observation("information", "")),
        step(2, "mean", x="bt"),
        step(3, "old"),
    ]
    after = [before[0], step(2, "lst"), step(3, "mean", x="lst")]
    pairs = [(p.mark, p.before and p.before.number, p.after and p.after.number) for p in align(before, after)]
    assert pairs == [("same", 1, 1), ("new", None, 2), ("changed", 2, 3), ("gone", 3, None)]


STEPS = st.lists(st.builds(step, st.just(0), st.sampled_from("abc"), x=st.integers(0, 2)), max_size=12)


@given(STEPS, STEPS)
def test_no_step_is_lost_and_the_order_stays(before, after):
    pairs = align(before, after)
    assert [p.before for p in pairs if p.before] == before
    assert [p.after for p in pairs if p.after] == after
    assert all(p.before.action == p.after.action for p in pairs if p.mark == "same")


def test_figures_rise_by_round(ask, folder):
    scenes.series(folder)
    asked = ask(HIGHEST, rounds=3)
    scenes.spoilt_thermal(folder)
    ask(THERMAL, rounds=3)
    first, second = by_round(asked.manager.store)
    assert (first.questions, first.succeeded, second.succeeded) == (2, 1, 2)
    assert 0 < first.density < first.share < second.density < 1
    assert second.tokens > first.tokens and second.reflection_tokens == first.reflection_tokens
    store = asked.manager.store
    runs = [each.run for record in store.runs() for each in rounds_of(store, record.id)]
    own = sum(count_tokens(full_text(recorded_state(store, run).steps)) for run in dict.fromkeys(runs))
    assert second.tokens == own + second.reflection_tokens


def test_figures_are_of_questions_asked_in_rounds_and_of_the_rounds_that_were_played(monkeypatch):
    failed = Judgement(({"sign": "cloud"},), "Mind the clouds.")
    done = RunFinished("answered", "1")
    histories = {
        "once": [],
        "two": [Round(1, "two", done, failed), Round(2, "two-b", done, Judgement())],
        "one": [Round(1, "one", done, Judgement())],
        "gone": [],
    }
    rounds = {"once": {"rounds": 1}, "plain": {}}
    histories["plain"] = []
    records = [SimpleNamespace(id=name, options=rounds.get(name, {"rounds": 2})) for name in histories]
    asked = []
    monkeypatch.setattr(inspection, "rounds_of", lambda _, run: asked.append(run) or histories[run])
    monkeypatch.setattr(
        inspection, "recorded_state", lambda _, run: SimpleNamespace(tokens=TokenUse(30, 12), steps=())
    )
    store = SimpleNamespace(runs=lambda limit: records)
    first, second = by_round(store)
    assert asked == ["two", "one", "gone"], "a question that was asked once has no rounds"
    told = count_tokens("Mind the clouds.")
    assert (first.number, first.questions, first.succeeded) == (1, 2, 1)
    assert (second.number, second.questions, second.succeeded) == (2, 2, 2)
    assert (first.tokens, first.reflection_tokens) == (2 * 42 + told, told)
    assert (second.tokens, second.reflection_tokens) == (3 * 42 + told, told)
    histories["two"][0] = Round(1, "two", done, replace(failed, tokens=7))
    assert by_round(store)[0].reflection_tokens == 7, (
        "what the endpoint reported counts before what was counted"
    )
    histories["two"][0] = Round(1, "two", done, None)
    assert by_round(store)[0].reflection_tokens == 0, "nobody reflected"
    records.clear()
    assert by_round(store) == []


def test_figures_without_questions_or_tokens_are_nothing():
    assert RoundFigures(1, 0, 0, 0, 0).share == 0.0 and RoundFigures(1, 0, 0, 0, 0).density == 0.0
    assert RoundFigures(1, 4, 1, 100, 20).density == 0.25 * 0.8
