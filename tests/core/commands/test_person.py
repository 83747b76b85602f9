from __future__ import annotations

import io
import json
import sys
import time
from pathlib import Path

import pytest

from tests.rasters import write_lake
from treeline.core.cli import main
from treeline.core.commands import person
from treeline.core.commands.person import Unclear, action_of
from treeline.core.engine.actions import Answer, Call, Doc, Skill
from treeline.core.engine.events import DecisionAwaited, DecisionGiven
from treeline.core.engine.journal import events_of
from treeline.core.engine.state import State
from treeline.core.record.store import Store
from treeline.core.runs.approval import read_remembered

QUESTION = "What is the mean NDVI of each date?"


@pytest.fixture
def bands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TREELINE_STORE", raising=False)
    return write_lake(tmp_path / "bands")


@pytest.fixture
def say(monkeypatch, capsys, bands):
    """A function that gives lines to a command and returns exit code, JSON value, what was said."""

    def run_command(lines, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = main([*(arguments or ("ask", QUESTION, "--data", str(bands))), "--json"])
        out, err = capsys.readouterr()
        assert len(out.strip().splitlines()) == 1
        return code, json.loads(out), err

    return run_command


def ask(bands, *more):
    return ("ask", QUESTION, "--data", str(bands), *more)


CALL = {"input_nir_paths": "@nir", "input_red_paths": "@red", "output_paths": ["a.tif", "b.tif", "c.tif"]}
WORK = [
    "open Index",
    "read calculate_batch_ndvi",
    f"call calculate_batch_ndvi {json.dumps(CALL)}",
    "read calc_batch_image_mean",
    'call calc_batch_image_mean {"file_list": ["a.tif", "b.tif", "c.tif"]}',
]


def test_a_person_answers_by_lines_and_the_answer_is_verified(say, bands):
    code, found, said = say(WORK, *ask(bands, "--policy", "person"))
    assert code == 0 and found["status"] == "stopped"
    means = found["steps"][-1]["observation"]["value"]
    told = ", ".join(f"{mean:.4f}" for mean in means)
    code, found, said = say([*WORK, f"answer {told} [5]"], *ask(bands, "--policy", "person"))
    assert code == 0 and found["status"] == "answered" and found["evidence"] == [5]
    assert [step["action"] for step in found["steps"]] == ["skill", "doc", "call", "doc", "call", "answer"]
    assert "open KIT" in said and "calculate_batch_ndvi" in said
    code, found, _ = say([*WORK, "answer 0.987 [5]"], *ask(bands, "--policy", "person"))
    assert found["status"] == "unverified" and found["value"] == 0.987


def test_a_refusal_is_shown_with_its_hint_and_a_line_that_says_nothing_is_no_step(say, bands):
    lines = [
        "call calculate_batch_ndvi {}",
        "sing",
        "call mean [1]",
        "# a remark",
        "",
        "tree",
        "help",
        "stop",
    ]
    code, found, said = say(lines, *ask(bands, "--policy", "person"))
    assert code == 0 and found["status"] == "stopped" and len(found["steps"]) == 1
    assert found["steps"][0]["observation"]["kind"] == "refusal"
    assert "refused: " in said and "Read it first" in said
    assert "There is no command 'sing'" in said and "no JSON object" in said


def test_the_end_of_the_input_stops_the_run_in_one_sentence_and_it_can_go_on(say, bands):
    code, found, said = say(["open Index"], *ask(bands, "--policy", "person"))
    assert code == 0 and found["status"] == "stopped" and found["state"] == "ended"
    assert "The input ended before the answer" in said.strip().splitlines()[-1]
    code, found, _ = say(["decline there is no thermal band"], "resume", found["run"])
    assert code == 0 and found["status"] == "declined" and found["answer"] == "there is no thermal band"
    assert [step["action"] for step in found["steps"]] == ["skill", "answer"]


def test_what_was_found_is_told_before_the_next_question(say, bands, monkeypatch):
    def read_late(*arguments):
        if sys._getframe(1).f_code.co_name == "attend":
            time.sleep(0.3)  # the run goes on meanwhile, and asks
        return events_of(*arguments)

    monkeypatch.setattr(person, "events_of", read_late)
    _, _, said = say(["open Index"], *ask(bands, "--policy", "person"))
    assert "The input ended before the answer" in said.strip().splitlines()[-1]


def test_a_person_works_alone(say, bands):
    code, found, said = say([], *ask(bands, "--policy", "person", "--team", "layered"))
    assert code == 2 and "alone" in found["error"]["message"] and "Traceback" not in said


def test_calls_are_approved_edited_denied_and_remembered(say, bands, tmp_path):
    code, found, said = say(["yes"] * 9, *ask(bands, "--approve", "calls"))
    assert code == 0 and found["status"] == "answered"
    whole = found["answer"]
    calls = [step for step in found["steps"] if step["action"] == "call"]
    store = Store(tmp_path / "home" / "treeline.sqlite")
    events = [stored.event for stored in events_of(store, found["run"])]
    assert sum(isinstance(event, DecisionAwaited) for event in events) == len(calls)
    assert sum(isinstance(event, DecisionGiven) for event in events) == len(calls)

    code, found, said = say(["no the disk is full"], *ask(bands, "--approve", "calls"))
    denied = [step for step in found["steps"] if step["observation"]["error"] == "Denied"]
    assert code == 0 and "the disk is full" in denied[0]["observation"]["text"]
    assert found["status"] in ("declined", "stopped", "failed") and found["value"] is None

    code, found, said = say(["always"] * 9, *ask(bands, "--approve", "calls"))
    assert found["answer"] == whole
    folder = tmp_path / "home" / "workspaces" / "command-line"
    assert read_remembered(folder) == {step["name"] for step in calls}
    code, found, said = say([], *ask(bands, "--approve", "calls"))
    assert found["answer"] == whole, "what is remembered is not asked about again"


@pytest.mark.parametrize("question", ["Map NDVI on 2021-07-01", "What is the mean NDVI on 2021-07-01?"])
def test_a_file_that_a_person_names_otherwise_is_read_by_that_name(say, bands, question):
    asked = ("ask", question, "--data", str(bands), "--approve", "calls")
    _, whole, _ = say(["all"], *asked)
    calls = [step for step in whole["steps"] if step["action"] == "call"]
    place = [step["name"] for step in calls].index("calculate_batch_ndvi")
    # A form writes a list of one as the one, and what is left out as it is usually.
    inputs = {name: each[0] for name, each in calls[place]["arguments"].items()}
    edited = {**inputs, "output_paths": "mine.tif"}
    code, found, _ = say([*["yes"] * place, f"edit {json.dumps(edited)}", "all"], *asked)
    assert (code, found["status"], found["value"]) == (0, "answered", whole["value"])
    told = [step["arguments"] for step in found["steps"] if step["action"] == "call"]
    assert [json.dumps(each).replace("mine", "ndvi_2021-07-01") for each in told[place + 1 :]] == [
        json.dumps(step["arguments"]) for step in calls[place + 1 :]
    ]
    assert (found["map"] and Path(found["map"]).name) in (None, "mine.tif")


def test_what_a_person_changes_of_a_call_is_told_and_not_verified(say, bands):
    asked = ("ask", "What is the mean NDVI on 2021-07-01?", "--data", str(bands), "--approve", "calls")
    _, whole, _ = say(["all"], *asked)
    calls = [step for step in whole["steps"] if step["action"] == "call"]
    place = [step["name"] for step in calls].index("calculate_batch_ndvi")
    other = json.loads(json.dumps(calls[place]["arguments"]).replace("Lake_2021-07-01", "Lake_2021-06-01"))
    _, found, _ = say([*["yes"] * place, f"edit {json.dumps(other)}", "all"], *asked)
    assert found["status"] == "unverified" and found["value"] != whole["value"]
    assert "Not as planned: input_nir_paths, input_red_paths of step" in found["answer"]


def test_one_word_ends_the_asking(say, bands, tmp_path):
    code, found, _ = say(["all"], *ask(bands, "--approve", "calls"))
    assert code == 0 and found["status"] == "answered"


def test_the_plan_is_shown_before_anything_is_called(say, bands):
    code, found, said = say(["yes"], *ask(bands, "--approve", "plan"))
    assert found["status"] == "answered" and "The plan:" in said
    assert said.index("The plan:") < said.index("  1 ")
    code, found, _ = say(["no take the median"], *ask(bands, "--approve", "plan"))
    assert found["status"] == "stopped" and found["steps"] == []
    assert found["reason"] == "The plan was not approved: take the median."


def test_small_writes_are_not_asked_about(say, bands):
    assert say([], *ask(bands, "--approve", "writes"))[1]["status"] == "answered"


STATE = State("q", ("0.31", "0.42"))


@pytest.mark.parametrize(
    ("line", "state", "action"),
    [
        ("open Index", State("q"), Skill("Index")),
        ("skill('Index')", State("q"), Skill("Index")),
        ("doc('mean')", State("q"), Doc("mean")),
        ("READ mean", State("q"), Doc("mean")),
        ("call mean", State("q"), Call("mean", {})),
        ('call mean {"x": [1]}', State("q"), Call("mean", {"x": [1]})),
        ("answer It is 0.4 [2, 3]", State("q"), Answer("It is 0.4", 0.4, evidence=(2, 3))),
        ("answer 0.4 and 0.5", State("q"), Answer("0.4 and 0.5")),
        ("answer B [4]", STATE, Answer("B", choice="B", evidence=(4,))),
        ("decline no red band", State("q"), Answer("no red band", declined=True)),
    ],
)
def test_a_line_is_an_action(line, state, action):
    assert action_of(line, state) == action


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fly", "no command 'fly'"),
        ("open", "missing"),
        ("call mean {", "not JSON"),
        ("call mean 3", "no JSON object"),
    ],
)
def test_a_line_that_says_no_action_tells_what_would_do(line, message):
    with pytest.raises(Unclear, match=message):
        action_of(line, State("q"))


def test_an_answer_to_a_choice_names_an_option():
    with pytest.raises(Unclear, match="none of the options"):
        action_of("answer maybe", STATE)
