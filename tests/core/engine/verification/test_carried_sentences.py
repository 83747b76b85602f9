"""Sentences that cite steps are held against these, and not against whatever else was measured."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import result
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
