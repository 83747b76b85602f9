"""A member's record begins with the results of those that it goes on from, and nothing else of theirs."""

from __future__ import annotations

from pathlib import Path

from treeline.core.engine.actions import Call, Doc, Observation
from treeline.core.engine.events import Event, RunStarted, StepFinished, StepStarted
from treeline.core.engine.journal import record_event
from treeline.core.engine.state import State
from treeline.core.record.store import Store
from treeline.core.teams.inheriting import count_inherited, inherit, inherited_steps
from treeline.core.teams.model import Member, SubGoal

GOAL = SubGoal("ndvi", "Mean NDVI")
FIRST = Member("executor", GOAL)
MEAN = Call("mean", {"x": [1, 2]})


def record(store: Store, run: str, member: Member, *steps: tuple[object, Observation]) -> None:
    store.create_run(run, "lake", "What is the mean NDVI?", {"member": member.to_json()})
    events: list[Event] = [RunStarted("What is the mean NDVI?")]
    for number, (action, observation) in enumerate(steps, 1):
        events += [StepStarted(number, action, ""), StepFinished(number, observation, 0.0)]  # type: ignore[arg-type]
    for event in events:
        record_event(store, run, event)


def test_results_of_calls_are_inherited_and_numbered_anew(tmp_path: Path):
    store = Store(tmp_path / "treeline.sqlite")
    record(
        store,
        "one",
        FIRST,
        (Doc("mean"), Observation("information", "A document.")),
        (MEAN, Observation("failure", "It failed.")),
        (MEAN, Observation("result", "1.5", value=1.5)),
    )
    second = Member("executor", GOAL, sources=("one",))
    (step,) = inherited_steps(store, second)
    assert (step.number, step.action, step.observation.value) == (1, MEAN, 1.5)
    assert step.thought == "[executor] found this before."


def test_what_a_member_inherited_is_not_handed_on_as_its_own(tmp_path: Path):
    store = Store(tmp_path / "treeline.sqlite")
    record(store, "one", FIRST, (MEAN, Observation("result", "1.5", value=1.5)))
    second = Member("executor", GOAL, sources=("one",))
    store.create_run("two", "lake", "What is the mean NDVI?", {"member": second.to_json()})
    heard: list[Event] = []
    state = inherit(store, second, State("What is the mean NDVI?"), heard.append)
    assert [step.number for step in state.steps] == [1] and len(heard) == 2
    for event in (RunStarted("What is the mean NDVI?"), *heard):
        record_event(store, "two", event)
    assert count_inherited(store, "two") == 1
    assert inherited_steps(store, Member("executor", GOAL, sources=("two",))) == ()


def test_results_are_named_by_their_numbers_in_the_record_that_begins_with_them(tmp_path: Path):
    """The series is step 2 of one, step 1 of two and of three; what two found of it is step 2 of three."""
    store = Store(tmp_path / "treeline.sqlite")
    cut = Observation("result", '1\n... get_rows(rows="@result2") gives them', value=[1, 2])
    record(store, "one", FIRST, (Doc("mean"), Observation("information", "A document.")), (MEAN, cut))
    second = Member("executor", GOAL, sources=("one",))
    (begun,) = inherited_steps(store, second)
    assert '"@result1"' in begun.observation.text
    of_series = Call("mean", {"x": "@result1"})
    record(
        store,
        "two",
        second,
        (begun.action, begun.observation),
        (Doc("mean"), Observation("information", "")),
        (of_series, Observation("result", "1.5", value=1.5)),
    )
    series, mean = inherited_steps(store, Member("executor", GOAL, sources=("one", "two")))
    assert '"@result1"' in series.observation.text and mean.action == Call("mean", {"x": "@result1"})
    (apart,) = inherited_steps(store, Member("executor", GOAL, sources=("two",)))
    assert apart.action == Call("mean", {"x": "a result of another member"}), (
        "its series is not at hand there"
    )
