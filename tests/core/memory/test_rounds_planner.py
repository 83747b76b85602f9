"""The planner fails in round 1 and succeeds in round 2 because of what was learned."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.memory import scenes
from treeline.core.context.guardrails import AvoidTool, LeaveOut, of_context
from treeline.core.engine.actions import Answer
from treeline.core.engine.events import RunFinished, StepFinished
from treeline.core.engine.journal import events_of, recorded_state
from treeline.core.memory import rounds
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.learning import Judgement
from treeline.core.memory.rounds import Round, shown_run

WARM = "What percentage of the land is warmer than 301 K?"
CLEAR = "What is the mean NDVI of each date, clouds masked?"
THERMAL = "What is the mean land surface temperature?"
HIGHEST = "On which date is the mean NDVI highest?"


def guardrails(asked, number):
    """The guardrails that a round started with."""
    run = asked.rounds[number - 1].run
    return of_context(recorded_state(asked.manager.store, run).context)


def kinds(asked, number):
    return {type(rule) for rule in guardrails(asked, number)}


def test_brightness_temperature_is_not_taken_for_surface_temperature(ask, folder):
    bt = scenes.thermal(folder)
    asked = ask(WARM, rounds=3)
    assert asked.signs == [[]]
    assert asked.finished.answer.value > 100 * np.mean(bt > 301), "the emissivity is below 1"


def test_clouds_that_are_to_be_left_out_are_masked_at_once(ask, folder):
    clear = scenes.cloudy(folder)
    asked = ask(CLEAR, rounds=2)
    assert asked.signs == [[]]
    assert all(f"{mean:.4f}" in asked.finished.answer.text for mean in clear)


def test_another_tool_is_taken_after_one_that_the_data_do_not_suit(ask, folder):
    bt = scenes.spoilt_thermal(folder)
    asked = ask(THERMAL, rounds=2)
    assert asked.rounds[0].finished.status == "declined" and "failed_call" in asked.signs[0]
    assert kinds(asked, 1) == set() and kinds(asked, 2) == {AvoidTool} and asked.signs[1] == []
    assert asked.finished.answer == asked.rounds[1].finished.answer
    assert asked.finished.answer.value == pytest.approx(float(bt.mean()), abs=6)


def test_the_lesson_of_a_single_attempt_is_of_the_first(ask, folder, store):
    scenes.spoilt_thermal(folder)
    ask(THERMAL, memory="own")
    (entry,) = FailureMemory(store).entries()
    assert entry.round == 1 and entry.lesson.text.startswith("Attempt 1 failed")


def test_without_the_reflection_the_failure_repeats(ask, folder):
    scenes.spoilt_thermal(folder)
    for _ in range(2):
        assert ask(THERMAL, memory="off").finished.status == "declined"


@pytest.mark.parametrize("write", ["series", "ndvi"])
def test_a_raster_that_spoils_the_call_is_left_out(ask, folder, write):
    spoilt = scenes.DATES[2]
    means = scenes.series(folder, spoilt=spoilt) if write == "series" else scenes.ndvi(folder, damaged=spoilt)
    asked = ask(HIGHEST, rounds=2)
    assert asked.rounds[0].finished.status == "declined"
    assert kinds(asked, 2) == {LeaveOut} and asked.signs[1] == []
    answer = asked.finished.answer
    assert answer.value == pytest.approx(max(m for i, m in enumerate(means) if i != 2), abs=1e-4)
    assert "was left out" in answer.text


def test_what_cannot_be_answered_is_not_tried_in_vain(ask, folder):
    scenes.series(folder)
    asked = ask("What is the mean wind speed?", rounds=5)
    assert asked.finished.status == "declined" and len(asked.rounds) == 1


def test_a_success_is_not_repeated(ask, folder):
    scenes.series(folder)
    asked = ask(HIGHEST, rounds=5)
    assert asked.finished.status == "answered" and asked.signs == [[]]
    assert FailureMemory(asked.manager.store).entries() == []


def test_the_record_shows_the_round_that_counts(ask, folder):
    scenes.spoilt_thermal(folder)
    asked = ask(THERMAL, rounds=2)
    store = asked.manager.store
    assert shown_run(store, asked.run) == asked.rounds[1].run
    assert not [s for s in events_of(store, asked.run) if isinstance(s.event, StepFinished)]
    assert [record.id for record in store.runs()] == [asked.run]
    entry = FailureMemory(store).get(asked.rounds[0].judgement.entry)
    assert (entry.run, entry.root, entry.uses, entry.helped) == (asked.rounds[0].run, asked.run, 1, 1)
    (use,) = FailureMemory(store).uses(run=asked.rounds[1].run)
    assert use.tokens > 20 and use.helped is True
    rounds = [each.run for each in asked.rounds]
    store.delete_run(asked.run)
    assert [store.run(run) for run in rounds] == [None, None]


def test_a_later_question_knows_what_an_earlier_one_learned_only_if_asked_to(ask, folder):
    scenes.spoilt_thermal(folder)
    ask(THERMAL, rounds=2)
    assert ask(THERMAL, rounds=1, memory="own").finished.status == "declined"
    assert ask(f"  {THERMAL.upper()}", rounds=1, memory="user").finished.status == "answered"


def test_a_round_that_goes_on_is_shown_before_those_that_ended(monkeypatch):
    ended = Round(1, "one", RunFinished("answered", Answer("1", 1.0)), Judgement())
    played: list[Round] = []
    monkeypatch.setattr(rounds, "rounds_of", lambda *_: played)
    assert shown_run(None, "run") == "run"
    played += [ended, Round(2, "two", RunFinished("failed"), None)]
    assert shown_run(None, "run") == "one"
    played.append(Round(3, "three", None, None))
    assert shown_run(None, "run") == "three"
