"""What a run is on the page when it is taken away, asked back or not verified."""

from __future__ import annotations

import json

import pytest

from tests.pages.conftest import DATES, assert_whole
from tests.pages.conftest import ask as ask_on_page
from treeline.core.cli import main
from treeline.core.commands.answering import outcome_of
from treeline.core.engine.actions import (
    ASKING,
    OFFERING,
    Answer,
    Call,
    Doc,
    Reading,
    Skill,
    UnconfirmedSentence,
)
from treeline.core.engine.events import Note, RunFinished
from treeline.core.engine.journal import record_event
from treeline.core.policies.reading_choice import PLANNER_READS
from treeline.core.runs.exports.forms import as_json
from treeline.core.runs.exports.markdown import as_markdown
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.pages.parts.shared.answer import _value, answer_text
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.text import mark_what_differs

QUESTION = f"What is the mean NDVI on {DATES[1]}?"
TWO = (Reading(1, "the mean of all dates", "0.4"), Reading(2, "the latest date"))


def test_the_export_is_what_the_command_line_prints_field_for_field(app, served, home, capsys):
    inputs = home / "workspaces" / "demo" / "inputs"
    assert main(["ask", QUESTION, "--data", str(inputs), "--out", str(home / "out"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["status"] == "answered" and printed["steps"] and printed["products"]
    exported = json.loads(as_json(run_result(served.store, printed["run"])))
    assert list(exported) == list(printed)
    for name in printed:
        assert exported[name] == printed[name], name
    on_page = json.loads(as_json(run_result(served.store, ask_on_page(app, served, QUESTION))))
    assert list(on_page) == list(printed)
    assert [list(step) for step in on_page["steps"]][0] == list(printed["steps"][0])
    assert (on_page["value"], on_page["unit"]) == (printed["value"], printed["unit"])


def test_a_round_is_exported_as_the_run_that_was_asked(app, served):
    run = served.manager.create("demo", QUESTION, RunOptions(rounds=2, memory="own"))
    served.manager.work(run)
    (child,) = served.store.runs(parent=run)
    assert as_json(run_result(served.store, child.id)) == as_json(run_result(served.store, run))


def test_an_unverified_answer_is_amber_and_says_why(app, served, scripted):
    scripted(Answer("It is 3.", 3.0, unverified="No step gave 3.", read_as="the mean NDVI"))
    ask_on_page(app, served, QUESTION)
    assert_whole(app)
    shown = [item.value for item in app.markdown]
    assert any(":orange-badge[" in text and "unverified" in text for text in shown)
    assert any(text.startswith(":orange[No step gave 3") for text in shown)
    assert not any(":green-badge[" in text for text in shown)
    assert any("Read as: the mean NDVI" in item.value for item in app.caption)


def test_what_was_not_confirmed_stands_apart_from_the_answer_wherever_it_is_taken(app, served, scripted):
    apart = UnconfirmedSentence("Water is *warmest*.", "Forest has 3 K.")
    # Declined, since a scripted answer has no step that it could rest on.
    scripted(Answer("There is no thermal band.", declined=True, unconfirmed=(apart,)))
    run = ask_on_page(app, served, QUESTION)
    assert_whole(app)
    told = next(item.value for item in app.markdown if "Not confirmed:" in item.value)
    assert r"Water is \*warmest\*" in told and "Forest has 3 K" in told
    result = run_result(served.store, run)
    assert result.answer == "There is no thermal band." and result.unconfirmed == [apart]
    assert "Not confirmed: Water is" in as_markdown(result)


def test_what_was_checked_of_a_models_own_words_is_told_wherever_the_answer_goes(app, served, scripted):
    steps = (Skill("Statistics"), Doc("mean"), Call("mean", {"x": [1.0, 2.0]}))
    scripted(*steps, Answer("The mean of the list is 1.5. That is all of it.", 1.5, evidence=(3,)))
    run = ask_on_page(app, served, QUESTION)
    assert_whole(app)
    result = run_result(served.store, run)
    assert result.status == "answered", result.reason
    assert any("were checked against the steps" in item.value for item in app.caption)
    assert "were checked against the steps" in as_markdown(result)


def test_what_the_numbers_of_a_models_answer_are_is_told_wherever_it_goes(app, served, scripted):
    steps = (Skill("Statistics"), Doc("mean"), Call("mean", {"x": [1.0, 2.0]}))
    scripted(*steps, Answer("The mean of the list is 1.5. That is all of it.", 1.5, evidence=(3,)))
    run = ask_on_page(app, served, QUESTION)
    assert_whole(app)
    assert any(each.label == "What its numbers are, by the steps (1)" for each in app.expander)
    assert any(r"**1\.5** mean\: 1\.5 \(step 3\)" in item.value for item in app.markdown)
    result = run_result(served.store, run)
    assert [each.line for each in result.sources] == ["1.5: mean: 1.5 (step 3)"]
    assert "What its numbers are, by the steps:\n\n- 1.5: mean: 1.5 (step 3)" in as_markdown(result)
    assert "1.5: mean: 1.5 (step 3)" in outcome_of(result).text


def test_a_declined_question_is_grey(app, served, scripted):
    scripted(Answer("There is no thermal band.", declined=True))
    ask_on_page(app, served, QUESTION)
    assert any(":gray-badge[" in item.value and "cannot be answered" in item.value for item in app.markdown)


@pytest.mark.parametrize(
    "answer", [Answer("Which?", readings=TWO), Answer("No.", declined=True, readings=TWO)]
)
def test_a_reading_is_asked_by_a_click(app, served, scripted, answer):
    scripted(answer)
    run = ask_on_page(app, served, QUESTION)
    assert_whole(app)
    badge = ":blue-badge[" if answer.status == "asks" else ":gray-badge["
    assert any(badge in item.value for item in app.markdown)
    labels = {button.key: button.label for button in app.button}
    assert labels[f"reading-{run}-1"].endswith("\u2192 0\\.4")
    app.button(key=f"reading-{run}-2").click().run()
    again = app.session_state["run"]
    served.manager.wait(again, 30)
    assert again != run and served.store.run(again).question == QUESTION
    before, after = (RunOptions.from_json(served.store.run(each).options) for each in (run, again))
    assert after.reading == 2 and after.budget == before.budget


def test_what_each_reading_comes_to_is_told_on_its_button_alone(app, served, scripted):
    scripted(Answer(f"That differs. (1) It fell by 0.1. (2) It rose (a lot). {ASKING}", readings=TWO))
    run = ask_on_page(app, served, QUESTION)
    assert_whole(app)
    labels = {button.key: button.label for button in app.button}
    assert labels[f"reading-{run}-1"] == "1. It **fell by 0\\.1\\.**"
    assert labels[f"reading-{run}-2"] == "2. It **rose \\(a lot\\)\\.**"
    assert not any("It fell" in item.value for item in app.markdown)


def test_a_reader_of_a_run_has_nothing_that_changes_something(app, served):
    run = ask_on_page(app, served, QUESTION)
    app.query_params["read"] = "only"
    app.query_params["run"] = run
    app.session_state["area-form"] = True
    app.run()
    assert_whole(app)
    keys = {button.key for button in app.button if button.key}
    assert not {"card-of-run", "area-clear", "stop", "pause"} & keys
    assert any("This link is for reading" in item.value for item in app.markdown)
    assert not app.text_input and not app.get("file_uploader")


def test_offers_are_buttons_and_not_told_twice(app, served, scripted):
    scripted(Answer(f"I do not know “cows”. {OFFERING}: the mean of all dates.", declined=True, readings=TWO))
    ask_on_page(app, served, QUESTION)
    assert_whole(app)
    (said,) = [item.value for item in app.markdown if "cows" in item.value]
    assert "the mean of all dates" not in said
    assert f"{OFFERING}:" in [item.value for item in app.caption]


def test_a_fragment_follows_the_one_that_was_answered(app, served, scripted):
    scripted(Answer("It is 3.", 3.0, read_as="the mean NDVI", expression={"version": 1}))
    first = ask_on_page(app, served, QUESTION)
    scripted(Answer("There is none.", declined=True))
    for text in ("and in 2022?", "and in 2021?"):
        run = ask_on_page(app, served, text)
        # What had no answer is not followed; what it followed still is.
        assert RunOptions.from_json(served.store.run(run).options).after == first


def test_how_the_planner_reads_it_stands_beside_the_answer_of_another(app, served, scripted):
    scripted(Answer("It is 3.", 3.0))
    run = ask_on_page(app, served, QUESTION)
    record_event(served.store, run, Note("The planner reads this so.", {PLANNER_READS: "the mean NDVI"}))
    app.run()
    assert_whole(app)
    shown = [item.value for item in app.caption]
    assert shown.count("The planner reads this as: the mean NDVI") == 1
    assert "The planner reads this so\\." not in shown


def test_the_history_filters_by_how_runs_ended(app, served, scripted):
    scripted(Answer("Which?", readings=TWO))
    ask_on_page(app, served, "First?")
    scripted(Answer("It is 3.", 3.0, unverified="No step gave 3."))
    ask_on_page(app, served, "Second?")
    app.switch_page("runs.py").run()
    assert len(app.dataframe[0].value) == 2
    app.multiselect(key="history-status").set_value(["asks"]).run()
    assert_whole(app)
    assert list(app.dataframe[0].value["Question"]) == ["First?"]
    assert list(app.dataframe[0].value["Status"]) == ["asks back"]


def test_two_readings_are_told_whole_with_what_differs_in_bold():
    first, second = mark_what_differs(["NDVI on the first clear date", "NDVI on the last clear date of all"])
    assert first == "NDVI on the **first** clear date"
    assert second == "NDVI on the **last** clear date **of all**"
    assert mark_what_differs(["a (b)"]) == ["a \\(b\\)"]


def test_whoever_does_not_see_the_page_is_told_why_there_is_no_answer() -> None:
    failed = RunView(finished=RunFinished("failed", reason="The endpoint does not accept the key."))
    assert answer_text(failed, "failed") == "failed: The endpoint does not accept the key."
    declined = RunView(finished=RunFinished("declined", Answer("I do not know that word.", declined=True)))
    assert answer_text(declined, "declined") == "cannot be answered: I do not know that word."
    assert answer_text(RunView(), "running") == "running"


@pytest.mark.parametrize(
    ("value", "unit", "text", "shown"),
    [
        (8.063739, "ha", "Above 0.8 it is 8.06 ha.", "8.06 ha"),
        (1375.43, "m2", "It is 1,375.4 m2.", "1,375.4 m2"),
        (220.0, "days", "2016: 220 days. It is above 0.3840.", "220 days"),
        (-0.080342, "", "It fell by 0.0803.", "-0.080342"),
        (8.063739, "ha", "It is 8.07 ha.", "8.06374 ha"),
    ],
)
def test_a_value_has_the_digits_of_its_sentence(value: float, unit: str, text: str, shown: str):
    assert _value(value, unit, text) == shown


def test_the_steps_that_a_sentence_cites_stand_small_behind_it(app, served, scripted):
    steps = (Skill("Statistics"), Doc("mean"), Call("mean", {"x": [1.0, 2.0]}))
    scripted(*steps, Answer("The mean of the list is 1.5 [3], between [1] and [2, 9].", 1.5, evidence=(3,)))
    run = ask_on_page(app, served, QUESTION)
    assert_whole(app)
    told = next(item.value for item in app.markdown if item.value.startswith("The mean of the list"))
    assert "1\\.5\u00a0:small[:gray[\\[3\\]]]" in told and "between \\[1\\] and \\[2, 9\\]" in told
    assert "is 1.5 [3]" in as_markdown(run_result(served.store, run))
