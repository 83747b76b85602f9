"""Sentences that cite steps are held against these, and not against whatever else was measured."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import result, series
from treeline.core.engine.actions import Answer, Call
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification.answer_check import check_answer
from treeline.core.engine.verification.carried_sentences import with_citations_of_text
from treeline.core.engine.verification.settling import settle

SLOPES = result("statistics_by_class", {"forest": 10.1436, "meadow": 5.48, "cropland": 2.7}, "degree")
LINE = result("raster_correlation", {"r": 0.24, "r_squared": 0.058, "slope": 0.000404, "pixels": 100}, "")
STATE = State(
    "How does terrain shape the vegetation?",
    steps=(
        Step(1, Call("statistics_by_class", {}), SLOPES),
        Step(2, Call("raster_correlation", {}), LINE),
    ),
)
TEXT = (
    "Forest stands on steep land{0}. Its mean inclination, a slope of {1}°, compares with 5.5° in the "
    "meadow{0}. "
    "NDVI and height are related weakly, r = 0.24{2}."
)


def doubts(text: str) -> tuple[str, ...]:
    return check_answer(with_citations_of_text(Answer(text, evidence=(1, 2)), STATE), STATE).doubts


def test_what_another_step_calls_alike_is_not_what_is_cited():
    assert doubts(TEXT.format("", "10.1", "")) == ("The slope is 0.000404, not 10.1.",)
    assert doubts(TEXT.format(" [1]", "10.1", " [2]")) == ()
    # Behind the end of a sentence a citation is of that sentence.
    assert doubts(TEXT.format("", "10.1", "").replace("meadow.", "meadow. [1]")) == ()


@pytest.mark.parametrize(
    ("slope", "cited"),
    [("10.3", 1), ("2.7", 1), ("10.1", 2)],
    ids=["a number that no step gives", "that of another class", "a step that does not show it"],
)
def test_a_citation_carries_nothing_that_its_step_does_not_show(slope: str, cited: int):
    assert doubts(TEXT.format(f" [{cited}]", slope, " [2]").replace("Its mean", "The forest's mean"))


def test_what_is_cited_in_the_text_alone_is_evidence_where_each_sentence_cites():
    text = TEXT.format(" [1]", "10.1", " [2]")
    assert with_citations_of_text(Answer(text), STATE).evidence == (1, 2)
    assert with_citations_of_text(Answer(text.replace(" [2]", "")), STATE).evidence == ()
    assert with_citations_of_text(Answer(text, evidence=(2,)), STATE).evidence == (2, 1)


def test_a_number_of_another_step_than_is_cited_is_told_as_of_its_own():
    settled = settle(Answer("The forest has a mean slope of 10.14 degrees [2].", evidence=(1, 2)), STATE)
    (source,) = settled.sources
    assert source.steps == (1,) and "not of step 2, which is cited for it" in source.told


def test_what_was_asked_is_held_against_all_results():
    files = [f"L_202{n}-07-10_NDVI.tif" for n in (0, 1, 2)]
    of_all = series([0.71, 0.74, 0.72], files, "1")
    of_one = result("calc_single_image_mean", 0.72, "1", input_path=files[-1])
    calls = (("calc_batch_image_mean", of_all), ("calc_single_image_mean", of_one))
    steps = tuple(Step(n, Call(tool, {}), seen) for n, (tool, seen) in enumerate(calls, 1))
    asked = State("On which day was it greenest?", steps=steps)
    for told, right in (("2021-07-10, with 0.74 [1]", True), ("2022-07-10, with 0.72 [2]", False)):
        answer = Answer(f"It was greenest on {told}.", evidence=(1, 2))
        assert (check_answer(answer, asked).doubts == ()) == right
