"""The planner's answer beside a language model's: what differs, and where that is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.runs.test_grounded import ASIDE, MEANS, WAYS, manager, means, model  # noqa: F401
from tests.endpoint import Messages, Say, ScriptedEndpoint, use
from treeline.core.engine.actions import Answer, Call, Observation
from treeline.core.engine.state import State, Step
from treeline.core.memory.bank import MemoryBank
from treeline.core.record.faults import faults_of
from treeline.core.runs import second_answer
from treeline.core.runs.exports.exported_run import take
from treeline.core.runs.exports.markdown import as_markdown
from treeline.core.runs.exports.script import comment_lines
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.core.runs.second_answer import SecondAnswer, answers_differ
from treeline.core.settings import Endpoint

pytestmark = pytest.mark.sample(2)

ON_A_DAY = "What is the mean NDVI on 2021-07-12?"


@pytest.mark.parametrize(
    ("answer", "other", "differs"),
    [
        (Answer("It is 0.73.", 0.73), Answer("0.73412", 0.73412), False),
        (Answer("It is 0.74.", 0.74), Answer("0.73412", 0.73412), True),
        (Answer("It is 73 %.", 73.0, "%"), Answer("0.73412", 0.73412, "1"), False),
        (Answer("It is 26.85 °C.", 26.85, "degC"), Answer("300 K", 300.0, "K"), False),
        (Answer("It is 300 °C.", 300.0, "degC"), Answer("300 K", 300.0, "K"), True),
        (Answer("It fell by 0.12.", 0.12), Answer("-0.12", -0.12), False),
        (Answer("It is 0.25, then 0.73."), Answer("0.73412", 0.73412), False),
        # A number without a unit has that of the text: hectares are no per cent.
        (Answer("All told 51.5 ha, 34 % of the area.", 51.5), Answer("34.2 %", 34.2, "%"), False),
        (Answer("All told 51.5 ha, 44 % of the area.", 51.5), Answer("34.2 %", 34.2, "%"), True),
        (Answer("On 2021-07-12."), Answer("2021-07-12 is the greenest."), False),
        (Answer("In July 2021."), Answer("2021-07-12 is the greenest."), False),
        (Answer("On 3 May 2021."), Answer("2021-07-12 is the greenest."), True),
        (Answer("It is green."), Answer("0.73412", 0.73412), False),  # of words nothing follows
        (Answer("None.", declined=True), Answer("0.73412", 0.73412), True),
        (Answer("Yes, by far."), Answer("No: 0.2 against 0.7."), True),
        (Answer("It rose."), Answer("It fell by 0.48.", -0.48), True),
        (Answer("It fell."), Answer("It fell by 0.48.", -0.48), False),
        (Answer("It changed by +0.48."), Answer("It fell by 0.48.", -0.48), True),
        (Answer("644 ha, or 27.9 %.", 644.0, "ha"), Answer("27.93 %", 27.93, "%"), False),
        (Answer("No (p = 0.21)."), Answer("No: p = 0.1499.", 0.1499), False),
    ],
)
def test_answers_differ_where_both_cannot_be_so(answer: Answer, other: Answer, differs: bool):
    assert answers_differ(answer, SecondAnswer(other, State(""))) is differs


@pytest.mark.parametrize(("letter", "differs"), [("A", True), ("B", False)])
def test_of_options_the_letters_are_compared(letter: str, differs: bool):
    answer, other = Answer("So.", 5.0, choice=letter), Answer("So.", 6.0, choice="B")
    assert answers_differ(answer, SecondAnswer(other, State("")), ("0.2", "0.7")) is differs


def ask(manager, question: str, play, **options):  # noqa: F811
    with ScriptedEndpoint(play) as server:
        endpoint = Endpoint(server.url, "scripted", "sk-secret-0123456789")
        run = manager.start("w", question, RunOptions(policy="language", **options), endpoint)
        manager.wait(run, 120)
    return run_result(manager.store, run)


@pytest.mark.parametrize(("day", "value", "differs"), [("07-12", 0.734, False), ("05-03", 0.25, True)])
def test_a_difference_is_in_the_record_and_in_what_is_taken_home(manager, day, value, differs):  # noqa: F811
    right = use("answer", text=f"On 2021-{day} it is {value}.", value=value, evidence=[2])
    result = ask(manager, ON_A_DAY, model(right))
    assert result.planner is not None and result.planner.differs is differs
    assert result.status == ("unverified" if differs else "answered")
    assert result.planner.value == pytest.approx(0.73412, abs=1e-4)
    assert ("The planner gives another answer: " in as_markdown(result)) is differs
    comments = "\n".join(comment_lines(take(manager.store, result.run), "1"))
    assert ("# Beside it: The planner gives another answer: " in comments) is differs
    assert [step.name for step in result.steps][:2] == [MEANS, MEANS], "the planner's steps are not the run's"


@pytest.mark.parametrize("obeys", [True, False])
def test_a_model_is_told_of_the_difference_once_before_its_run_ends(manager, obeys: bool):  # noqa: F811
    of_another_day = use("answer", text="On 2021-05-03 it is 0.25.", value=0.25, evidence=[2])
    right = use("answer", text="On 2021-07-12 it is 0.734.", value=0.734, evidence=[2])
    heard: list[str] = []

    def play(messages: Messages) -> Say:
        said = model(of_another_day)(messages)
        objections = [str(m["content"]) for m in messages if "another answer than yours" in str(m["content"])]
        heard.extend(objections)
        return right if objections and obeys and said is of_another_day else said

    result = ask(manager, ON_A_DAY, play)
    assert len(heard) == 1 and "2021-07-12" in heard[0] and MEANS in heard[0]
    assert result.status == ("answered" if obeys else "unverified")
    assert result.planner is not None and result.planner.differs is not obeys


@pytest.mark.parametrize("place", ["answers_differ", "find_left_out"])
def test_an_answer_stands_where_the_comparison_fails(manager, monkeypatch, place: str):  # noqa: F811
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(second_answer, place, fail)
    right = use("answer", text="On 2021-07-12 it is 0.734.", value=0.734, evidence=[2])
    result = ask(manager, ON_A_DAY, model(right))
    assert result.status == "answered", result.reason
    assert faults_of(manager.store, result.run), "the fault is kept with the run"


def test_nothing_of_the_planner_stays_in_the_folder_of_the_run(manager):  # noqa: F811
    right = use("answer", text="On 2021-07-12 it is 0.734.", value=0.734, evidence=[2])
    result = ask(manager, ON_A_DAY, model(right))
    folder = manager.data(result.run).folder
    assert list(Path(folder).iterdir()) == []


def test_under_the_regime_of_a_paper_the_planner_is_not_asked(manager):  # noqa: F811
    right = use("answer", text="On 2021-07-12 it is 0.734.", value=0.734, evidence=[2])
    result = ask(manager, ON_A_DAY, model(right), open_tools=False)
    assert result.planner is None and "planner" not in result.to_json()


LARGEST = "calc_batch_image_max"


def tell_the_largest(messages: Messages) -> Say:
    """Act as a model that cites the largest NDVI of the day where the mean is asked for."""
    if str(messages[0]["content"]).startswith(ASIDE):
        return Say("{}")
    file = "Lake_2021-07-12_NDVI.tif"
    script = [use("doc", tool=LARGEST), use("call", tool=LARGEST, arguments={"file_list": [file]})]
    observed = sum(message["role"] == "tool" for message in messages)
    return [*script, use("answer", text="The NDVI was 0.834.", value=0.834, evidence=[2])][min(observed, 2)]


@pytest.mark.parametrize("way", WAYS)
def test_a_true_number_that_answers_another_question_is_unverified_and_no_success(manager, way):  # noqa: F811
    result = ask(manager, ON_A_DAY, tell_the_largest, **WAYS[way])
    assert result.status == "unverified" and "0.734" in result.reason + result.difference
    assert [item for item in MemoryBank(manager.store).items() if item.kind == "pattern"] == []
    for each in result.rounds or []:
        assert each.issue


@pytest.mark.parametrize(
    ("text", "read_as", "value", "differs"),
    [
        ("It lies between 0.311 and 0.620.", "range over the dates of mean NDVI", 0.309, False),
        ("It lies between 0.400 and 0.620.", "range over the dates of mean NDVI", 0.309, True),
        ("Hardly: 83.33 against 83.29.", "share in August minus share in July", -0.04, False),
        ("It lies between 0.311 and 0.620.", "mean over the dates of NDVI", 0.309, True),
    ],
)
def test_two_ends_tell_a_range_and_a_difference(text: str, read_as: str, value: float, differs: bool):
    other = Answer(f"{value}", value, read_as=read_as)
    assert answers_differ(Answer(text), SecondAnswer(other, State(""))) is differs


def test_two_tests_that_find_nothing_agree_whatever_their_numbers():
    other = Answer("The slope is 0.29 per year. Not significant at 5 %: p = 0.55.", 0.29)
    assert not answers_differ(Answer("No significant trend (p = 0.81)."), SecondAnswer(other, State("")))


def test_what_something_had_on_its_way_is_no_other_answer_than_by_how_much_it_changed():
    text = "It was 0.18 in January, peaked at 0.73 in August and fell to 0.10 by December, with dips."
    other = Answer("The mean rose by 0.07.", 0.07, read_as="NDVI in December minus NDVI in January")
    assert not answers_differ(Answer(text), SecondAnswer(other, State("How did NDVI develop?")))
    assert answers_differ(Answer("It fell by 0.15."), SecondAnswer(other, State("How did NDVI develop?")))


def test_a_number_of_each_date_is_no_other_answer_than_one_of_all_that_was_assumed():
    other = Answer(
        "The median is 0.68.", 0.68, read_as="median of NDVI (assumed: pixels of all dates together)"
    )
    second = SecondAnswer(other, State("What were the medians of the two images?"))
    assert not answers_differ(Answer("0.52 le 24 ao\u00fbt 2016 et 0.72 le 5 juillet 2017."), second)
    assert answers_differ(Answer("0.52 on 24 August 2016."), second)


def test_which_of_two_is_compared_before_by_how_much():
    other = Answer(
        "2022-08 has the highest mean LST: 304.00 K.", 304.0, "K", read_as="period with the highest"
    )
    second = SecondAnswer(other, State("Was it warmer in August 2021 or in August 2022?"))
    assert not answers_differ(Answer("August 2022 was warmer by 7 K."), second)
    assert answers_differ(Answer("August 2021 was warmer by 7 K."), second)


def test_dates_that_are_listed_are_those_that_were_counted():
    counted = (
        "3 of 7 dates have a cover in April\u2013June 2016 below 20 %: "
        "2016-05-06 (2.35 %); 2016-05-16 (19.26 %); 2016-05-26 (0 %)."
    )
    second = SecondAnswer(Answer(counted), State("Which dates had less than 20 % of clouds?"))
    assert not answers_differ(Answer("2016-05-06 (2.3 %), 2016-05-16 (19 %) and 2016-05-26."), second)
    assert answers_differ(Answer("2016-05-06 (2.3 %) and 2016-05-26."), second)


def test_what_the_dates_had_is_no_other_answer_than_the_mean_that_was_assumed():
    other = Answer("The mean is 42.16 %.", 42.16, "%", read_as="mean (assumed: the mean of the dates)")
    second = SecondAnswer(other, State("How cloudy were the dates?"))
    each = "Only 2016-05-26 was clear; 2016-04-26 was covered, and 2016-06-15 almost (92 %)."
    assert not answers_differ(Answer(each), second)
    assert answers_differ(Answer("Between 2016-04-26 and 2016-05-26 it was 92 %."), second)


def test_parts_in_the_unit_of_the_other_come_to_it():
    other = Answer("The share of both is 45.96 %.", 45.96, "%")
    second = SecondAnswer(other, State("How much of it is forest?"))
    assert not answers_differ(Answer("Broadleaf forest has 35.7 % and conifer forest 10.3 %."), second)
    assert answers_differ(Answer("Broadleaf forest has 35.7 % and conifer forest 11.3 %."), second)


@pytest.mark.parametrize(
    ("question", "text", "differs"),
    [
        ("How large are the regions?", "They range from 57.9 ha (Ashfield) to 374.6 ha (Willowbank).", False),
        ("How large are the regions?", "Ashfield has 57.9 ha.", True),
        ("What is the total area?", "They range from 57.9 ha (Ashfield) to 374.6 ha (Willowbank).", True),
    ],
)
def test_what_the_parts_have_is_no_other_answer_than_what_all_come_to(question, text, differs):
    areas = {"Ashfield": 57.9, "Willowbank": 374.6, "all": 432.5}
    rows = [{"zone": name, "area_on_ground": area} for name, area in areas.items()]
    call = Call("polygon_areas", {"vector_path": "regions.geojson"})
    step = Step(1, call, Observation("result", "", value=rows, unit="ha", arguments=call.arguments))
    other = Answer("The area of all polygons of regions.geojson is 432.5 ha.", 432.5, "ha", evidence=(1,))
    assert answers_differ(Answer(text), SecondAnswer(other, State(question, steps=(step,)))) is differs
