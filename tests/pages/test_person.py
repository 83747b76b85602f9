"""A person at a run: choosing its steps, approving, editing and denying its calls."""

from __future__ import annotations

import time

import pytest

from tests.pages.conftest import DATES, NDVI_ACTIONS, assert_whole
from treeline.core.engine.actions import Answer, Call, Doc, Skill
from treeline.core.engine.journal import events_of, recorded_state
from treeline.core.engine.waiting import find_awaited
from treeline.core.runs.approval import read_remembered
from treeline.core.runs.names import CALLS, PLAN
from treeline.core.runs.options import RunOptions
from treeline.pages.parts.tools.form import meant_address, whole_handle
from treeline.pages.parts.workbench.next_step import kits_to_open, tools_to_call, tools_to_read
from treeline.pages.parts.workbench.proposal import refuse_unknown_handles
from treeline.toolkit import registry
from treeline.toolkit.errors import InputError

OUTPUTS = ", ".join(f"ndvi_{date}.tif" for date in DATES)


def start(app, question="What is the mean NDVI of each date?", **state):
    """Ask a question with the settings that the sidebar holds, and return the run once it waits."""
    app.run()
    for key, value in state.items():
        app.session_state[key] = value
    app.run()
    app.text_input(key="question").set_value(question)
    next(button for button in app.button if button.label == "Ask").click().run()
    return app.session_state["run"]


def wait(served, run, step=None):
    """Wait until a run waits for a step, or has ended where no step is given."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        record = served.store.run(run)
        awaited = find_awaited(stored.event for stored in events_of(served.store, run))
        if record.is_finished or (step is not None and awaited is not None and awaited.step == step):
            return record
        time.sleep(0.02)
    raise AssertionError(f"the run never came to step {step}")


def press(app, label):
    """Click the button of a label."""
    next(button for button in app.button if button.label == label).click().run()
    assert_whole(app)


def texts(app):
    return "\n".join(item.value for kind in ("markdown", "caption", "warning") for item in app.get(kind))


@pytest.fixture
def person(app, served):
    run = start(app, policy="person")
    wait(served, run, 1)
    app.run()
    assert_whole(app)
    yield run
    served.manager.stop(run)
    served.manager.wait(run, 30)


def next_is(app, run, step, what):
    app.segmented_control(key=f"next-{run}-{step}").set_value(what).run()
    assert_whole(app)


def test_a_person_opens_reads_calls_and_answers_with_the_same_record(app, served, person):
    assert "Step 1: what next?" in texts(app) and "waits for you" in texts(app)
    press(app, "Index")
    wait(served, person, 2)
    app.run()
    next_is(app, person, 2, "Read a document")
    app.selectbox(key="read-2").set_value("calculate_batch_ndvi").run()
    press(app, "Read it")
    wait(served, person, 3)
    app.run()
    assert app.selectbox(key="call-3").value == "calculate_batch_ndvi"
    form = f"tool-calculate_batch_ndvi-{person}-3"
    app.text_input(key=f"{form}-output_paths").set_value(OUTPUTS)
    press(app, "Call")
    wait(served, person, 4)
    app.run()
    actions = [step.action for step in recorded_state(served.store, person).steps]
    assert actions[:2] == [Skill("Index"), Doc("calculate_batch_ndvi")]
    assert actions[2].arguments["output_paths"] == OUTPUTS.split(", ")
    next_is(app, person, 4, "Answer")
    app.text_input(key="answer-text-4").set_value("NDVI is 0.5 on all dates.")
    press(app, "Answer")
    assert wait(served, person).status == "answered"
    app.run()
    assert_whole(app)
    answer = recorded_state(served.store, person).steps[-1].action
    assert isinstance(answer, Answer) and answer.evidence == (3,)


def test_a_refusal_is_shown_with_its_hint(app, served, person):
    next_is(app, person, 1, "Call a tool")
    app.selectbox(key="call-1").set_value("calculate").run()
    app.text_input(key=f"tool-calculate-{person}-1-formula").set_value("1 +")
    press(app, "Call")
    wait(served, person, 2)
    app.run()
    refused = recorded_state(served.store, person).steps[0].observation
    assert refused.kind == "refusal"
    assert app.warning and refused.hint.split()[0] in app.warning[0].value


def test_a_refused_call_is_told_in_the_words_of_the_form_which_keeps_what_was_typed(app, served, person):
    for step, action in enumerate((Skill("Index"), Doc("calculate_batch_ndvi")), start=1):
        served.manager.give(person, step, action)
        wait(served, person, step + 1)
    typed = {"input_nir_paths": "nothing.tif", "input_red_paths": "@red", "output_paths": ["mine.tif"]}
    served.manager.give(person, 3, Call("calculate_batch_ndvi", typed))
    wait(served, person, 4)
    app.run()
    assert_whole(app)
    (told,) = [warning.value for warning in app.warning if "nothing" in warning.value]
    assert told.startswith(r"Near\-infrared bands\: There is no raster") and "input" not in told
    key = f"tool-calculate_batch_ndvi-{person}-4"
    assert app.selectbox(key=f"{key}-input_nir_paths").value == "nothing.tif"
    assert app.text_input(key=f"{key}-output_paths").value == "mine.tif"


@pytest.mark.parametrize(
    ("typed", "start", "meant"),
    [
        ("[2021-07-22]", "@nir", "@nir[2021-07-22]"),
        ("@red[2021]", "@nir", "@red[2021]"),
        ("[2021]", "a.tif", "[2021]"),
        ("", "@nir", ""),
    ],
)
def test_dates_behind_a_handle_are_dates_of_it(typed, start, meant):
    assert whole_handle(typed, start) == meant


def test_what_a_call_lacks_stays_told_while_the_page_is_drawn_anew(app, served, person):
    next_is(app, person, 1, "Call a tool")
    app.selectbox(key="call-1").set_value("calculate").run()
    press(app, "Call")
    app.run()
    assert "calculate needs Formula" in app.error[0].value
    app.text_input(key=f"tool-calculate-{person}-1-formula").set_value("1 + 1")
    press(app, "Call")
    wait(served, person, 2)
    app.run()
    assert not app.error


def test_what_can_be_done_follows_from_the_record(served, app, person):
    state = recorded_state(served.store, person)
    assert "Index" in kits_to_open(person, state) and tools_to_read(state) == []
    assert set(tools_to_call(person, state)) == {"calculate", "get_rows"}
    press(app, "Index")
    wait(served, person, 2)
    state = recorded_state(served.store, person)
    assert "Index" not in kits_to_open(person, state) and "calculate_batch_ndvi" in tools_to_read(state)


def test_a_person_has_no_team(app, served):
    run = start(app, policy="person", team="layered", rounds=3, approve=CALLS)
    wait(served, run, 1)
    options = RunOptions.from_json(served.store.run(run).options)
    assert (options.team, options.rounds, options.approve) == ("solo", 1, "off")
    served.manager.stop(run)
    served.manager.wait(run, 30)


def test_a_call_is_approved_and_denied_with_a_reason(app, served, scripted):
    scripted(NDVI_ACTIONS[2], NDVI_ACTIONS[3], NDVI_ACTIONS[3], Answer("No.", declined=True))
    run = start(app, approve=CALLS)
    wait(served, run, 2)
    app.run()
    assert_whole(app)
    assert "would call calculate\\_batch\\_ndvi" in texts(app)
    app.text_input(key=f"reason-{run}-2").set_value("the disk is full")
    press(app, "Deny")
    wait(served, run, 3)
    app.run()
    press(app, "Approve")
    assert wait(served, run).status == "declined"
    steps = recorded_state(served.store, run).steps
    assert "the disk is full" in steps[1].observation.text and steps[2].observation.kind == "result"


def test_an_edited_call_and_a_tool_that_is_not_asked_about_again(app, served, scripted):
    scripted(*NDVI_ACTIONS[2:])
    run = start(app, approve=CALLS)
    wait(served, run, 2)
    app.run()
    field = app.text_input(key=f"tool-calculate_batch_ndvi-{run}-2-output_paths")
    assert field.value == ", ".join(NDVI_ACTIONS[3].arguments["output_paths"])
    field.set_value(OUTPUTS)
    press(app, "Change the call")
    assert find_awaited(stored.event for stored in events_of(served.store, run)).step == 2
    assert "You changed output\\_paths" in texts(app) and '"ndvi_' in app.code[0].value
    press(app, "Approve")
    wait(served, run)
    call = recorded_state(served.store, run).steps[1]
    assert isinstance(call.action, Call) and call.action.arguments["output_paths"] == OUTPUTS.split(", ")
    app.run()
    run = start(app, "What is the mean NDVI?", approve=CALLS)  # the same at once would be a double press
    wait(served, run, 2)
    app.run()
    press(app, "Always here")
    wait(served, run)
    assert read_remembered(served.library.get("demo").folder) == {"calculate_batch_ndvi"}
    run = start(app, approve=CALLS)
    assert wait(served, run).status == "answered"


def test_an_edit_that_changes_nothing_is_told_and_one_can_be_taken_back(app, served, scripted):
    scripted(*NDVI_ACTIONS[2:])
    run = start(app, approve=CALLS)
    wait(served, run, 2)
    app.run()
    press(app, "Change the call")
    assert "Nothing of the call was changed" in app.error[0].value
    app.text_input(key=f"tool-calculate_batch_ndvi-{run}-2-output_paths").set_value(OUTPUTS)
    press(app, "Change the call")
    assert not app.error and "You changed" in texts(app)
    press(app, "Take the changes back")
    assert "You changed" not in texts(app)
    press(app, "Approve all")
    assert wait(served, run).status == "answered"
    assert recorded_state(served.store, run).steps[1].action == NDVI_ACTIONS[3]


def test_a_handle_that_names_nothing_is_refused_before_a_step_is_spent_on_it(served):
    tool, data = registry().get("calculate_batch_ndvi"), served.library.get("demo")
    refuse_unknown_handles(tool, {"input_nir_paths": "@nir", "input_red_paths": ["@red"]}, data)
    with pytest.raises(InputError, match="'@nothing_such'.*There are @"):
        refuse_unknown_handles(tool, {"input_nir_paths": ["@nir", "@nothing_such"]}, data)


def test_a_typed_part_of_one_name_means_it():
    names = ["@ndvi", "a_NDVI_2016-08-04.tif", "a_NDVI_2016-08-14.tif"]
    told = {text: meant_address(text, names) for text in ("ndvi_2016-08-04", "ndvi", "@ndvi", "b.tif", "")}
    assert told == {"ndvi_2016-08-04": names[1], "ndvi": "ndvi", "@ndvi": "@ndvi", "b.tif": "b.tif", "": ""}


def test_the_plan_is_looked_at_first_and_the_question_can_be_changed(app, served):
    run = start(app, "What is the mean NDVI of each date?", approve=PLAN)
    wait(served, run, 1)
    app.run()
    assert_whole(app)
    assert "The plan, before anything is called" in texts(app)
    press(app, "Step by step")
    assert not wait(served, run, 3).is_finished
    served.manager.stop(run)
    served.manager.wait(run, 30)
    app.run()
    run = start(app, "What is the mean NDVI?", approve=PLAN)  # the same at once would be a double press
    wait(served, run, 1)
    app.run()
    press(app, "Change the question")
    assert wait(served, run).status == "stopped"
    assert app.session_state["question"] == "What is the mean NDVI?"


def test_a_run_that_goes_on_can_be_paused(app, served, scripted, monkeypatch):
    from treeline.core.runs.approval import set_approval

    scripted(Skill("Index"), *NDVI_ACTIONS[2:])
    run = served.manager.create("demo", "What is the mean NDVI?", RunOptions())
    set_approval(served.store, run, CALLS)
    served.manager.launch(run, lambda stop: served.manager.work(run, None, stop))
    assert not wait(served, run, 3).is_finished
    app.session_state["run"] = run
    app.run()
    assert_whole(app)
    press(app, "Approve all")
    assert wait(served, run).status == "answered"
