"""Other words for a question keep its meaning, and take no word away that has one."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from tests.core.query.workspaces import MEADOWS
from treeline.core.query.lexicon.graph import spellings
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.reading import read
from treeline.core.query.rewordings import Patterns, _once, other_wordings, rewordings

EXAMPLES = [
    (example["question"], example["paraphrase"])
    for entry in (*rewordings().words, *rewordings().frames)
    for example in entry.examples
]


@pytest.mark.parametrize(("question", "meant"), EXAMPLES)
def test_an_example_is_read_as_it_states(question: str, meant: str):
    found = read(question, MEADOWS)
    assert found.status == "read", (found.uncovered, found.notes)
    assert paraphrase(found.expressions[0], MEADOWS).partition(" (assumed: ")[0] == meant


NEAR = [(each["question"], each["paraphrase"]) for entry in rewordings().near for each in entry.examples]


@pytest.mark.parametrize(("question", "meant"), NEAR)
def test_what_is_near_is_offered_and_not_answered(question: str, meant: str):
    found = read(question, MEADOWS)
    assert found.status == "declined" and found.uncovered
    offered = [paraphrase(node, MEADOWS).partition(" (assumed: ")[0] for _, node in found.offers]
    assert meant in offered


def test_every_frame_keeps_its_slots():
    for entry in (*rewordings().frames, *rewordings().near):
        for phrase in entry.said:
            slots = {part.partition("}")[0] for part in phrase.split("{")[1:]}
            kept = {part.partition("}")[0] for part in entry.meant.split("{")[1:]} - {"index"}
            assert slots == kept, phrase


def test_no_words_are_told_by_two_entries():
    for entries in (rewordings().words, rewordings().frames):
        entry_of: dict[str, int] = {}
        for number, entry in enumerate(entries):
            for said in {one for phrase in entry.said for one in islice(spellings(phrase), 200)}:
                assert entry_of.setdefault(said.lower(), number) == number, said


def test_nothing_is_reworded_into_itself():
    for entry in rewordings().words:
        told = {text for phrase in entry.said for text in spellings(phrase)}
        assert entry.meant not in told, entry


@pytest.mark.parametrize(
    "question",
    [
        "How often in 2017 did the scene mean of the zorbified beat 0.65?",
        # Between takes both ends in, and "strictly" neither.
        "List the dates of 2016 whose cloud cover lies strictly between 5 % and 50 %.",
        "Take every pixel's zorb through all dates; what is the lowest such zorb?",
        "If I throw away the top 5 % and the bottom 10 % of pixels on 2016-08-14, what mean NDVI is left?",
        "Two things about the owners of cows: what's the mean NDVI, and how many pixels exceed 0.7?",
        "What is the NDVI in the shade on 2016-08-14?",
        "mean NDVI of the highlight on 2016-08-14",
        "mean NDVI between the two on 2016-08-14",
        "mean NDVI at the top of the scene on 2016-08-14",
        "Which date had the best cloud cover?",
        "What is the worst elevation?",
        "mean visible reflectance on 2016-08-14",
    ],
)
def test_what_a_frame_does_not_know_is_declined(question: str):
    assert read(question, MEADOWS).status == "declined"


def test_other_words_are_told():
    found = read("kurtosis (excess) of NDVI, 14 August 2016", MEADOWS)
    assert found.status == "read" and any("excess" in note for note in found.notes)


def test_a_long_question_is_left_as_it_is():
    assert not list(other_wordings("the picture " * 100))


def test_patterns_are_compiled_once_however_many_ask_at_the_same_time():
    compiled: list[int] = []

    def compile_slowly() -> Patterns:
        compiled.append(1)
        time.sleep(0.05)
        return ()

    asked = _once(compile_slowly)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: asked(), range(8))) == {()}
    assert compiled == [1]


@pytest.mark.parametrize(
    "question",
    [
        "What is the pixel size of the land cover map?",
        "mean NDVI on 2016-08-14, 1 for yes, 0 for no",
        "Was NDVI above 0.5 in 2016 throughout the scene?",
        "mean NDVI in May 2016 and its maximum of the same year",
        "How many days are there from 2016-08-14 to 2017-08-09, both days included?",
        "How many days are there from 2016-08-14 to 2017-08-09 inclusive?",
        "Lowest mean NDVI of 2016 and lowest mean NDVI of 2017, which comes first?",
        "Was the mean NDVI below 0.3 in any year?",
        "Altogether, how many pixels were cloudy in 2017?",
        "Mean NDVI in the land cover file on 2016-08-14",
        "The five greenest dates of 2017 in order of date",
        "How many pixels were cloudy beforehand on 2017-08-09?",
        "What was the mean NDVI on 2016-08-14? Give its date.",
        "What is the average patch size of the grassland in that polygon file, in ha?",
        "What was the mean NDVI on 2016-08-14 by then?",
        "What was the mean NDVI on 2016-08-14 at the marked point?",
        "What was the mean NDVI on 2016-08-14 as RGB?",
        "Which date of 2017 had the highest mean NDVI within ten days?",
    ],
)
def test_what_is_said_of_something_else_is_not_passed_over(question: str):
    assert read(question, MEADOWS).status == "declined"
