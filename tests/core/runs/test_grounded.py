"""A model that guesses, cites wrongly or invents, through the whole engine: alone, in rounds, in teams."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.endpoint import Messages, Say, ScriptedEndpoint, use, use_raw
from tests.rasters import write_raster
from treeline.core.engine.events import Note, RunFinished
from treeline.core.engine.journal import events_of
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.rounds import rounds_of
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.settings import Endpoint
from treeline.core.workspace import Workspace

MEANS = "calc_batch_image_mean"
QUESTION = "What is the mean NDVI on 2021-05-03, and on 2021-07-12?"
ASIDE = ("You lead", "You choose", "You judge", "You distil", "You look back")
WAYS = {
    "solo": {},
    "rounds": {"rounds": 3},
    "evolver": {"team": "evolver", "variants": 2},
    "layered": {"team": "layered"},
}


@pytest.fixture
def means(tmp_path: Path) -> tuple[float, float]:
    """Two NDVI rasters in ``tmp_path / data``; their means, 0.2504 and 0.7341 with more digits."""
    (tmp_path / "data").mkdir()
    for date, value in (("2021-05-03", 0.25041), ("2021-07-12", 0.73412)):
        array = np.linspace(value - 0.1, value + 0.1, 120, dtype="float64").reshape(10, 12)
        write_raster(tmp_path / "data" / f"Lake_{date}_NDVI.tif", array.astype("float32"))
    return 0.25041, 0.73412


@pytest.fixture
def manager(means, tmp_path: Path) -> RunManager:
    workspace = Workspace(tmp_path / "workspace", [tmp_path / "data"])
    return RunManager(Store(str(tmp_path / "store.sqlite")), lambda name: workspace)


def model(*answers: Say, calls: bool = True) -> Callable[[Messages], Say]:
    """Return a model that measures both means and answers; the next answer once it was told of a mismatch."""

    def play(messages: Messages) -> Say:
        if str(messages[0]["content"]).startswith(ASIDE):
            return Say("{}")  # the question stays whole, the rules judge
        observed = sum(m["role"] == "tool" for m in messages)
        steps = [use("doc", tool=MEANS), use("call", tool=MEANS, arguments={"file_list": "@ndvi"})]
        if calls and observed < len(steps):
            return steps[observed]
        users = [str(message["content"]) for message in messages if message["role"] == "user"]
        told = sum("does not follow from the steps" in t or "rests on no result" in t for t in users)
        return answers[min(told, len(answers) - 1)]

    return play


def ask(
    manager: RunManager, play, choices=(), question=QUESTION, **options
) -> tuple[str, RunFinished, list[str]]:
    """Return the run, how it ended, and what was corrected or noted in it."""
    with ScriptedEndpoint(play) as server:
        endpoint = Endpoint(server.url, "scripted", "sk-secret-0123456789")
        run = manager.start(
            "w", question, RunOptions(policy="language", choices=choices, **options), endpoint
        )
        manager.wait(run, 120)
    events = [stored.event for stored in events_of(manager.store, run)]
    assert isinstance(events[-1], RunFinished)
    return run, events[-1], [event.text for event in events if isinstance(event, Note)]


GUESS = use("answer", text="It is probably 42, I guess.", value=42)
UNFOUNDED = use("answer", text="The mean NDVI is 0.42.", value=0.42, evidence=[99])
RIGHT_TEXT = "It is 0.250 on 2021-05-03 and 0.734 on 2021-07-12."
RIGHT = use("answer", text=RIGHT_TEXT, evidence=[2])
PARTIAL = use("answer", text="It is 0.734 on 2021-07-12.", value=0.734, evidence=[2])
ON_A_DAY = "What is the mean NDVI on 2021-07-12?"
HUNDREDFOLD = "What is a hundred times the mean NDVI on 2021-07-12?"
IN_PER_CENT = "By how many per cent did the mean NDVI change from 2021-05-03 to 2021-07-12?"


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("play", "said"), [(model(GUESS, calls=False), "no result"), (model(UNFOUNDED), "0.42")]
)
def test_what_no_step_gave_is_unverified_and_no_success(manager, way: str, play, said: str):
    run, finished, _ = ask(manager, play, **WAYS[way])
    assert finished.status == "unverified" and said in finished.reason
    assert [item for item in MemoryBank(manager.store).items() if item.kind == "pattern"] == []
    if way == "rounds":
        rounds = rounds_of(manager.store, run)
        assert len(rounds) == 3 and not any(each.is_success for each in rounds)
        assert all("unverified" in [i["sign"] for i in each.judgement.issues] for each in rounds)
        assert all(each.judgement.entry for each in rounds)


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("From May to July 2021 it fell from 0.250 to 0.734.", "it rises"),
        ("The highest mean is that of 3 May 2021, 0.250.", "not the largest"),
    ],
)
def test_true_numbers_in_a_false_sentence_are_unverified(manager, way: str, text: str, said: str):
    _, finished, _ = ask(manager, model(use("answer", text=text, evidence=[2])), **WAYS[way])
    assert finished.status == "unverified" and said in finished.reason


@pytest.mark.parametrize("way", WAYS)
def test_a_false_sentence_beside_a_true_answer_is_named(manager, way: str):
    true = "It is 0.250 on 2021-05-03. It is 0.734 on 2021-07-12."
    false = "The lake was greenest on 2021-05-03."
    _, finished, _ = ask(manager, model(use("answer", text=f"{true} {false}", evidence=[2])), **WAYS[way])
    assert finished.status == "answered", finished.reason
    assert finished.answer.text == f"{true} {false}"
    assert finished.answer.doubtful_sentences == [false]


@pytest.mark.parametrize("way", WAYS)
def test_a_right_rounding_is_answered(manager, way: str):
    _, finished, notes = ask(manager, model(RIGHT), **WAYS[way])
    assert finished.status == "answered", finished.reason
    assert not any("was corrected" in note for note in notes)


@pytest.mark.parametrize("told_by_answer", [True, False])
def test_an_answer_longer_than_can_be_verified_is_asked_for_again(manager, told_by_answer: bool):
    text = "It is 0.250 on 2021-05-03 and 0.734 on 2021-07-12. " * 6_000
    endless = use("answer", text=text, evidence=[2]) if told_by_answer else Say(text)
    heard: list[str] = []

    def play(messages: Messages) -> Say:
        said = model(RIGHT)(messages)
        last = str(messages[-1]["content"])
        heard.extend([last] if "can be verified" in last or "called no function" in last else [])
        return said if heard or said is not RIGHT else endless

    _, finished, _ = ask(manager, play)
    assert len(heard) == 1
    assert finished.status == "answered" and finished.answer.text == RIGHT_TEXT


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_to_a_part_of_the_question_goes_back_once_and_stays_unverified(manager, way: str):
    _, finished, notes = ask(manager, model(PARTIAL), **WAYS[way])
    assert finished.status == "unverified"
    assert "leaves out a part" in finished.reason and "2021-05-03" in finished.reason
    if way == "solo":
        (told,) = [note for note in notes if "was corrected" in note]
        assert "It leaves out" in told and "NDVI on 2021-05-03" in told and "07-12" not in told


def test_a_model_that_is_told_what_is_missing_may_add_it(manager):
    def play(messages: Messages) -> Say:
        told = any("It leaves out" in str(message["content"]) for message in messages)
        return model(RIGHT if told else PARTIAL)(messages)

    _, finished, _ = ask(manager, play)
    assert finished.status == "answered" and "0.250" in finished.answer.text


def test_a_part_that_cannot_be_told_with_a_reason_is_a_warning(manager):
    text = "It is 0.734 on 2021-07-12. The mean of 2021-05-03 is not given: its image could not be used."
    _, finished, notes = ask(manager, model(use("answer", text=text, evidence=[2])))
    assert finished.status == "answered", finished.reason
    assert any("why it leaves this out" in note and "2021-05-03" in note for note in notes)


@pytest.mark.parametrize(
    "wrong",
    [
        UNFOUNDED,
        use("answer", text="It is 0.734 on 2021-07-12.", value=0.724, evidence=[2]),
        use("answer", text="It is 0.734 on 2021-05-03.", value=0.734, evidence=[2]),  # the other date's
        use("answer", text="It is 0.734 on 2021-07-13.", value=0.734, evidence=[2]),  # no date of theirs
        use("answer", text="It is 0.734, which is typical of Broadleaf.", value=0.734, evidence=[2]),
        use("answer", text="It is 0.73 % on 2021-07-12.", value=73.9, unit="%", evidence=[2]),
    ],
)
def test_a_mismatch_goes_back_once(manager, wrong: Say):
    _, finished, notes = ask(manager, model(wrong, RIGHT))
    assert finished.status == "answered", finished.reason
    (told,) = [note for note in notes if "was corrected" in note]
    assert "does not follow" in told


def test_what_is_doubted_beside_the_answer_costs_no_turn(manager):
    beside = use(
        "answer",
        text="The mean is 0.734 on 2021-07-12. The mean is lower than on 2021-05-03.",
        value=0.734,
        evidence=[2],
    )
    _, finished, notes = ask(manager, model(beside), question=ON_A_DAY)
    assert not any("was corrected" in note for note in notes)
    assert finished.status == "answered", finished.reason


def test_a_citation_that_names_no_step_is_left_out_and_told(manager):
    answer = use("answer", text="0.734", value=0.734, evidence=[2, 99])
    _, finished, notes = ask(manager, model(answer), question=ON_A_DAY)
    assert finished.status == "answered" and finished.answer.evidence == (2,)
    assert any("step 99, which does not exist" in note for note in notes)


def test_a_right_difference_of_two_cited_means_is_answered(manager, means):
    rise = round(means[1] - means[0], 3)
    right = use("answer", text=f"It rose by {rise} from 0.250 to 0.734.", value=rise, evidence=[2])
    assert ask(manager, model(right))[1].status == "answered"
    more = rise + 0.002
    wrong = use("answer", text=f"It rose by {more:.3f} from 0.250 to 0.734.", value=more, evidence=[2])
    assert ask(manager, model(wrong))[1].status == "unverified"


def test_a_guess_goes_back_once(manager):
    _, finished, notes = ask(manager, model(GUESS, UNFOUNDED, calls=False))
    assert finished.status == "unverified" and "0.42" in finished.answer.text
    (told,) = [note for note in notes if "was corrected" in note]
    assert "rests on no result" in told and "Open the kit" in told


def sum_up(a: float, b: float, value: float) -> list[Say]:
    """Return a script that measures, multiplies two numbers that it writes itself, and answers."""
    answer = use("answer", text=f"It is {value:g}.", value=value, evidence=[4])
    return [
        use("doc", tool=MEANS),
        use("call", tool=MEANS, arguments={"file_list": "@ndvi"}),
        use("doc", tool="multiply"),
        use("call", tool="multiply", arguments={"a": a, "b": b}),
        answer,
    ]


def test_an_invented_number_stays_invented_when_a_tool_multiplied_it(manager):
    script = sum_up(0.42, 1, 0.42)
    _, finished, notes = ask(manager, [*script, script[-1]])
    assert finished.status == "unverified" and "calculates with 0.42" in finished.reason
    assert len([note for note in notes if "was corrected" in note]) == 1


def test_a_number_that_was_measured_may_be_multiplied(manager):
    _, finished, _ = ask(manager, sum_up(0.734, 100, 73.4), question=HUNDREDFOLD)
    assert finished.status == "answered", finished.reason


def test_a_question_that_is_asked_back_is_answered_as_it_is_meant(manager):
    ways = ["the mean of both dates", "the mean of the last date"]
    _, finished, _ = ask(manager, [use("answer", text="Which mean is meant?", asks=ways)])
    assert finished.status == "asks" and [each.read_as for each in finished.answer.readings] == ways

    def play(messages: Messages) -> Say:
        assert "meant is: the mean of the last date" in str(messages[1]["content"])
        return model(RIGHT)(messages)

    assert ask(manager, play, reading=2)[1].status == "answered"
    _, finished, _ = ask(manager, model(RIGHT), reading=7)
    assert finished.status == "failed" and "no reading 7" in finished.reason


def test_the_calculator_is_at_hand_and_takes_what_was_measured(manager):
    means = [use("doc", tool=MEANS), use("call", tool=MEANS, arguments={"file_list": "@ndvi"})]
    change = {"formula": "100 * (0.73412 - 0.25041) / 0.25041"}
    answer = use("answer", text="It rose by 193.2 %.", value=193.2, unit="%", evidence=[3])
    script = [*means, use("call", tool="calculate", arguments=change), answer]
    _, finished, _ = ask(manager, script, question=IN_PER_CENT)
    assert finished.status == "answered", finished.reason
    invented = use("call", tool="calculate", arguments={"formula": "6 * 7"})
    guess = use("answer", text="It is 42.", value=42, evidence=[3])
    _, finished, _ = ask(manager, [*means, invented, guess, guess])
    assert finished.status == "unverified" and "calculates with 6, 7" in finished.reason


def test_an_ellipsis_among_arguments_is_corrected(manager):
    cut = f'{{"tool": "{MEANS}", "arguments": {{"file_list": ["@ndvi", ...]}}}}'
    whole = use("call", tool=MEANS, arguments={"file_list": "@ndvi"})
    script = [use("doc", tool=MEANS), use_raw(("call", cut)), whole, RIGHT]
    _, finished, notes = ask(manager, script)
    assert finished.status == "answered" and any("not JSON" in note for note in notes)


def test_a_choice_in_words_that_nothing_carries_is_unverified(manager):
    choices = ("Rapid urban sprawl", "Reforestation")
    _, finished, _ = ask(manager, model(use("answer", text="A.", choice="A", evidence=[2])), choices=choices)
    assert finished.status == "unverified" and finished.answer.choice == "A"
    assert "Rapid urban sprawl" in finished.reason
