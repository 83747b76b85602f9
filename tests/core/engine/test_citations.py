"""The steps that the words of an answer cite."""

from __future__ import annotations

import pytest

from treeline.core.engine.citations import (
    read_citations,
    renumber_citations,
    with_citations_in_sentences,
    without_citations,
)

STEPS = {1, 3, 5, 12}


@pytest.mark.parametrize(
    ("text", "cited", "words"),
    [
        ("It is 0.69 [5].", (5,), "It is 0.69."),
        ("It rose from 0.3 [3] to 0.69 [5, 12].", (3, 5, 12), "It rose from 0.3 to 0.69."),
        ("It is 0.69 [step 5], or 0.7 (steps 3 and 5).", (5, 3), "It is 0.69, or 0.7."),
        ("It is 0.69\u30105\u3011.", (5,), "It is 0.69."),
        ("It is 0.69 [3][5].", (3, 5), "It is 0.69."),
    ],
)
def test_citations_are_read_and_left_out(text: str, cited: tuple[int, ...], words: str) -> None:
    assert read_citations(text, STEPS) == cited
    assert without_citations(text, STEPS) == words


@pytest.mark.parametrize(
    "text",
    ["Values in [1, 5] are valid.", "In classes [1, 3] it is high.", "It is 7 [1 K].", "Step [99] is none."],
)
def test_intervals_classes_and_units_are_no_citations(text: str) -> None:
    assert read_citations(text, STEPS) == () and without_citations(text, STEPS) == text


def test_a_citation_behind_a_sentence_is_of_that_sentence() -> None:
    assert (
        with_citations_in_sentences("It was 0.7. [5] Then it fell.[3]") == "It was 0.7 [5]. Then it fell [3]."
    )


def test_another_record_has_other_numbers() -> None:
    assert renumber_citations("It is 0.7 [3, 5], of 9 [2].", {3: 5, 5: 8}) == "It is 0.7 [5, 8], of 9 [2]."
