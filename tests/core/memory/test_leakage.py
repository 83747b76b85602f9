"""What counts as telling an answer."""

from __future__ import annotations

import pytest

from treeline.core.memory.leakage import leaks, without_answers


@pytest.mark.parametrize(
    ("text", "output", "tells"),
    [
        ("The mean was 0.7341.", "0.7341", True),
        ("The mean was 0.73.", "0.7341", False),
        ("It was 1825 mm.", "1825 mm", True),
        ("There are 12 dates.", "12", False),  # one or two digits count things
        ("There are 125 of them.", "125", True),
        ("It is rising, as the trend shows.", "rising", True),
        ("Mask clouds first.", "mask", True),  # four letters are a word
        ("Mask the sea first.", "sea", False),  # three are too few to tell
        ("Option C is right.", "0.5", True),
        ("Option C is right.", "", False),
    ],
)
def test_a_text_leaks_an_expected_output(text: str, output: str, tells: bool):
    assert leaks(text, [output]) is tells


def test_only_the_sentences_that_tell_go():
    text = "Use the surface temperature. The answer is B. Then count 125 pixels."
    assert without_answers(text, ["125", "130"]) == "Use the surface temperature."
