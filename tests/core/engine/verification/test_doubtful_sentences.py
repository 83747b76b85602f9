"""Which sentence of an answer a doubt comes from, so that only that one has to be worded anew."""

from __future__ import annotations

from tests.core.engine.verification.test_cheats import result
from treeline.core.engine.actions import Answer, Call
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification.doubtful_sentences import (
    describe_doubts,
    find_doubtful_sentences,
)

MEANS = result("image_statistics", {"mean": 0.61, "max": 0.82}, "1", input_path="Lake_2021-07-12_NDVI.tif")
STATE = State("How green was it?", (), {}, (Step(1, Call("image_statistics", {}), MEANS),))


def test_each_doubt_stands_beside_its_sentence():
    answer = Answer("The mean was 0.61. The median was 0.77. The maximum was 0.82.", evidence=(1,))
    (found,) = find_doubtful_sentences(answer, STATE)
    assert found.sentence == "The median was 0.77."
    assert any("0.77" in doubt for doubt in found.doubts)


def test_lines_of_a_list_are_sentences():
    answer = Answer("- mean: 0.61\n- maximum: 0.82\n- minimum: 0.11", evidence=(1,))
    assert [each.sentence for each in find_doubtful_sentences(answer, STATE)] == ["- minimum: 0.11"]


def test_what_holds_has_no_doubtful_sentence():
    assert not [
        *describe_doubts(
            find_doubtful_sentences(Answer("The mean was 0.61, the maximum 0.82.", evidence=(1,)), STATE)
        )
    ]


def test_a_sentence_is_quoted_to_who_has_to_word_it():
    answer = Answer("The mean was 0.61. It was 0.93 at most.", evidence=(1,))
    (line,) = describe_doubts(find_doubtful_sentences(answer, STATE))
    assert line.startswith('"It was 0.93 at most.": ')


def test_a_sentence_that_is_said_twice_keeps_its_doubt():
    answer = Answer("The median was 0.77. The mean was 0.61. The median was 0.77.", evidence=(1,))
    found = find_doubtful_sentences(answer, STATE)
    assert [each.sentence for each in found] == ["The median was 0.77."]
