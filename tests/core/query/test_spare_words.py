"""Words that add nothing may be left out; what means another thing than the rest says may not."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.core.query.workspaces import MEADOWS
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.reading import read
from treeline.core.query.spare_words import spare_words

EXAMPLES = [(each["question"], each["paraphrase"]) for each in spare_words().examples]
# What is left out would mean another thing here than the rest says.
NEEDED = [
    "For every pixel find the highest NDVI it reached in 2015, and then average these values over the dates",
    "The mean across pixels of the number of dates with NDVI above 0.6 in 2017",
    "Date of the yearly maximum of mean NDVI for 2015, 2016 and 2017?",
    "Compute monthly mean NDVI for 2017 and name the month with the maximum.",
    "Average every 2016 image's NDVI over space and report the SD across the images.",
    "How unusual was its mean NDVI on 2016-10-23?",
    "Calculate the share of cells whose NDVI lies within 0.6 and unknown 0.7 for the scene of 21.05.2017.",
    "Mean NDVI in one pixel on 2016-08-14",
    "How green should the forest be on 2016-08-14?",
    "How many dates are pixels above 0.7 in NDVI in 2017?",
    "mark the mean NDVI of 2016-08-14",
    "Which consecutive dates have the longest run of mean NDVI above 0.6?",
    "Median of the median and mean NDVI on 2016-08-14",
]
PASSED = re.compile("Passed over, as it adds nothing: \u201c(.+)\u201d")


@pytest.mark.parametrize(("question", "meant"), EXAMPLES)
def test_an_example_is_read_without_its_spare_words_and_says_which(question: str, meant: str):
    found = read(question, MEADOWS)
    assert found.status == "read", (found.uncovered, found.notes)
    assert paraphrase(found.expressions[0], MEADOWS).partition(" (assumed: ")[0] == meant
    (passed,) = [match[1] for note in found.notes if (match := PASSED.match(note))]
    assert all(word in question.lower() for word in passed.split())


@pytest.mark.parametrize("question", NEEDED)
def test_what_means_more_is_not_left_out(question: str):
    found = read(question, MEADOWS)
    assert not any(PASSED.match(note) for note in found.notes), (found.expressions, found.notes)


@pytest.mark.parametrize(
    "words",
    ["zorbified", "geometric", "weighted by slope", "excluding", "in Ashfield", "0.4", "on 2016-08-24"],
)
@pytest.mark.parametrize("question", [question for question, _ in EXAMPLES])
def test_what_is_added_is_never_passed_over(question: str, words: str):
    for place in (len(question.split()) // 2, len(question.split()) - 1):
        told = question.split()
        found = read(" ".join([*told[:place], words, *told[place:]]), MEADOWS)
        passed = [match[1] for note in found.notes if (match := PASSED.match(note))]
        assert not any(word in each for each in passed for word in words.split() if word != "in")


@pytest.mark.parametrize("question", ["mean NDVI inside it in 2016", "What is the mean NDVI there in 2016?"])
def test_what_points_to_ground_is_not_left_out(question: str):
    assert read(question, MEADOWS).status == "declined"
    with_area = replace(MEADOWS, area_of_interest=True)
    assert read(question, with_area).status == "read"
