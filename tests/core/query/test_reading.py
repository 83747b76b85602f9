"""Questions in many words give the expression that they state, or are declined by name."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.query.workspaces import DEMO, MEADOWS, PLACES
from treeline.core.query.assumptions import assumptions
from treeline.core.query.expression import Aggregate, Compare, Node, Number, Variable
from treeline.core.query.grammar.clouds import says_clouds
from treeline.core.query.inventory import Inventory
from treeline.core.query.lexer import tokens_of
from treeline.core.query.names import names_of
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.reading import Reading, read
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # several times as quick where it was built
STORED = yaml.load((Path(__file__).parent / "readings.yaml").read_text("utf-8"), Loader=_LOADER)
QUESTIONS = [(place, question) for place, found in STORED["read"].items() for question in found]

# Words that may go from any question: the mean of the pixels is what is meant where no statistic is said,
# and what leads to a word, or helps a verb, adds nothing of its own. Others may go where `spare` says so.
SPARE = {
    "mean", "average", "avg", "avarage",
    "in", "from", "between", "with", "where", "within", "by", "all", "that of", "that on",
    "true or false", "correct", ", right", "is that so", "is that right",
    "have", "has", "had", "is", "was", "are", "were", "did", "does", "there", "was it", "is it",
    "is there", "was there", "were there", "how did", "how does", "how do", "how has", "how have",
}  # fmt: skip
MODIFIERS = (
    "weighted by slope", "excluding forest", "zorbified", "geometric", "for the owners of cows",
    "near the river", "per hectare", "on Mars", "in 1999", "smoothed", "unless it rains", "squared",
    "at noon",
)  # fmt: skip


@cache
def reading(place: str, question: str) -> Reading:
    return read(question, PLACES[place])


def content(place: str, question: str) -> list[Any]:
    tokens = tokens_of(question, names_of(PLACES[place]))
    return [t for t in tokens if t.kind not in ("filler", "open", "close") and t.text not in (",", ";")]


@pytest.mark.parametrize(("place", "question"), QUESTIONS)
def test_a_question_is_read_as_it_is_meant_and_so_is_its_paraphrase(place: str, question: str):
    found = reading(place, question)
    assert found.status == "read", (found.uncovered, found.notes)
    meant = STORED["read"][place][question]
    assert paraphrase(clouds_apart(found.expressions[0]), PLACES[place]) == meant
    assert read(meant, PLACES[place]).expressions == found.expressions


def clouds_apart(node: Node) -> Node:
    """Return an expression without the mark of clouds that were left in, which most questions have."""

    def change(leaf: Variable) -> Variable:
        return replace(leaf, assumed=tuple(slot for slot in leaf.assumed if slot != "clouds"))

    return rewrite(node, Variable, change)


@pytest.mark.parametrize(
    ("question", "assumed"),
    [
        ("mean NDVI on 2016-08-14", True),
        ("mean NDVI in 2016 where elevation > 400 m", True),
        ("mean NDVI on 2016-08-14 with clouds included", False),
        ("mean NDVI on 2016-08-14 without clouds", False),
        ("mean NDVI on the cloud-free dates of 2016", False),
        ("mean elevation", False),
        ("share of cloudy pixels on 2016-08-14", False),
    ],
)
def test_clouds_of_which_nothing_is_said_are_an_assumption(question: str, assumed: bool):
    (expression,) = read(question, PLACES["meadows"]).expressions
    marked = {
        leaf.role for leaf in leaves(expression) if isinstance(leaf, Variable) and "clouds" in leaf.assumed
    }
    assert marked == ({"ndvi"} if assumed else set())


@pytest.mark.parametrize("place", PLACES)
def test_what_may_mean_two_things_is_asked_back(place: str):
    for question in STORED["asks"][place]:
        found = reading(place, question)
        assert found.status == "asks"
        assert len(found.offers) == len(found.expressions) >= 2


# --- Every word counts: questions are read once for each of their words, so that few are tried here ---


@pytest.mark.sample(24)
@pytest.mark.parametrize(("place", "question"), QUESTIONS)
def test_nonsense_in_place_of_a_word_is_named(place: str, question: str):
    for token in content(place, question):
        changed = f"{question[: token.start]} zorbify {question[token.end :]}"
        found = read(changed, PLACES[place])
        assert found.status == "declined"
        assert "zorbify" in found.uncovered


def names_ndvi(token: Token) -> bool:
    """Return whether a word names NDVI itself."""
    return any(getattr(leaf, "role", "") == "ndvi" for meaning in token.meanings for leaf in leaves(meaning))


@pytest.mark.sample(6)
@pytest.mark.parametrize(("place", "question"), QUESTIONS)
def test_a_word_left_out_changes_the_meaning_or_is_spare(place: str, question: str):
    spare = SPARE.union(STORED["spare"][place].get(question, ()))
    for token in content(place, question):
        if token.text in spare:
            continue
        changed = f"{question[: token.start]} {question[token.end :]}"
        found = read(changed, PLACES[place])
        if names_ndvi(token) and found.status == "read" and "NDVI" in assumptions(found.expressions[0]):
            continue  # the variable that was left out is told as what was assumed
        assert found.status != "read" or found.expressions != reading(place, question).expressions, token.text


@pytest.mark.sample(60)
@pytest.mark.parametrize(("place", "question"), QUESTIONS)
def test_a_word_added_changes_the_meaning(place: str, question: str):
    says = paraphrase(reading(place, question).expressions[0], PLACES[place])
    for modifier in MODIFIERS:
        if modifier == "excluding forest" and "outside (forest)" in says:
            continue  # it is said already
        for changed in (f"{question.rstrip('?. ')} {modifier}", f"{modifier} {question}"):
            found = read(changed, PLACES[place])
            assert found.status != "read" or found.expressions != reading(place, question).expressions, (
                changed
            )


# --- What is declined -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "question", "named"),
    [
        ("demo", "mean NDVI weighted by population on 2022-06-15", "population"),
        ("demo", "geometric mean NDVI on 2022-06-15", "geometric"),
        ("demo", "mean NDVI for the owners of cows on 2022-06-15", "cows"),
        ("demo", "mean NDVI in Atlantis on 2022-06-15", "atlantis"),
        ("demo", "mean NDVI near the river on 2022-06-15", "river"),
        ("demo", "What was the wind speed on 18 July 2022?", "wind speed"),
        ("demo", "population of Marshend", "population"),
        ("demo", "twice the mean NDVI on 2022-06-15", "twice"),
        ("demo", "not the mean NDVI on 2022-06-15", "not"),
        ("meadows", "What was the land surface temperature on 30 August 2015?", "land surface temperature"),
        ("meadows", "How much did it change?", "it"),
        ("meadows", "What is the average income?", "average income"),
    ],
)
def test_what_is_not_known_is_declined_by_name(place: str, question: str, named: str):
    found = reading(place, question)
    assert found.status == "declined"
    assert named in found.uncovered


@pytest.mark.parametrize(
    ("place", "question"),
    [
        ("meadows", "mean NDVI on 2016-11-15"),
        ("meadows", "mean NDVI in July 2025"),
        ("meadows", "change of mean NDVI from 2016-08-14 to 2019"),
        ("demo", "mean LST on 2020-07-18"),
    ],
)
def test_dates_without_an_image_are_declined(place: str, question: str):
    found = reading(place, question)
    assert found.status == "declined"
    assert found.notes or found.uncovered


@pytest.mark.parametrize(
    "question",
    [
        "mean NDVI of forest above the mean elevation on 2016-08-14",
        "Which class has most of the pixels above 600 m?",
        "the highest class's mean NDVI",
        "Is mean NDVI above average?",
        "Mean NDVI in week 30 of 2016",
        "Which dates in 2016 had mean NDVI above 0.6 in 2017?",
        "Mean NDVI in forest versus 2016",
        "How did the forest area change from 2016 to 2017?",
        "length of the growing season in 2016 and 2017",
        "Map the month of maximum NDVI for each pixel",
        "NDVI on 2016-08-14 minus the 2016 mean",
        "mean NDVI by area on 2016-08-14",
        "Which class has the weakest NDVI trend?",
        "On how many dates are pixels above 0.7?",
        "pixels above NDVI 0.75 on both 2016-05-26 and 2016-08-14",
        "first image of the 2017 season with a mean NDVI above 0.5",
        "How many dates are pixels above 0.7 in NDVI in 2017?",
        "Which month was greenest in 2016, and where in 2017?",
        "peak of 2016: day with the lowest mean NDVI",
        "range of 2017: highest mean NDVI",
        "how many dates have a mean NDVI more than 1.5 standard deviations above or below "
        "the mean of all dates",
    ],
)
def test_what_fits_together_only_in_part_is_declined(question: str):
    assert reading("meadows", question).status == "declined"


def test_a_refusal_offers_the_question_without_the_unknown_words():
    found = read("mean NDVI weighted by population on 2022-06-15", DEMO)
    wanted = read("mean NDVI on 2022-06-15", DEMO).expressions[0]
    assert wanted in [expression for _, expression in found.offers]


def test_classes_are_never_averaged():
    assert read("mean land cover", MEADOWS).status != "read"


def test_a_misspelling_is_repaired_aloud():
    found = read("whats the avarage ndvi on 2016-08-14", MEADOWS)
    assert found.expressions == read("average NDVI on 2016-08-14", MEADOWS).expressions
    assert any("avarage" in note for note in found.notes)


@pytest.mark.parametrize("word", ["early", "steady", "weekly"])
def test_a_word_of_the_language_is_no_misspelling(word: str):
    assert read(f"{word} NDVI on 2016-08-14", MEADOWS).status == "declined"


def test_a_very_long_question_is_refused_at_once():
    begun = time.process_time()
    assert read("mean NDVI " * 10_000, MEADOWS).status == "declined"
    assert time.process_time() - begun < 1  # a few milliseconds; read word by word it would take minutes


@pytest.mark.parametrize(
    ("place", "question"),
    [
        ("demo", "three hottest regions on 18 July 2022 and their mean LST weighted by slope"),
        ("meadows", "What is the relief, i.e. highest minus lowest elevation excluding forest"),
        ("meadows", "season start date 2017 (NDVI threshold 0.4) in 1999"),
        ("meadows", "When does the season start in 2016 if the threshold is a mean NDVI of 0.5 in 1999"),
        ("meadows", "How long was the season in 2016, defined as the time with mean NDVI above 0.5 in 1999?"),
    ],
)
def test_what_a_gloss_adds_is_not_passed_over(place: str, question: str):
    assert read(question, PLACES[place]).status == "declined"


# --- Words put together anew ------------------------------------------------------------------------


def words_of(place: str, question: str) -> list[str]:
    return [question[t.start : t.end] for t in tokens_of(question, names_of(PLACES[place]))]


@given(st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_whatever_words_stand_together_are_read_or_declined(chance: random.Random):
    place, question = chance.choice(QUESTIONS)
    words = words_of(place, question)
    for _ in range(chance.randint(1, 2)):
        others = words_of(*chance.choice([each for each in QUESTIONS if each[0] == place]))
        first, second = chance.randrange(len(words)), chance.randrange(len(others))
        words = chance.choice([
            [*words[:first], others[second], *words[first + 1 :]],
            [*words[:first], others[second], *words[first:]],
            [*words[:first], *others[second:]],
        ])  # fmt: skip
    found = read(" ".join(words), PLACES[place])
    assert found.status in ("read", "asks", "declined")
    for expression in found.expressions:
        assert paraphrase(expression, PLACES[place])


@pytest.mark.parametrize(
    "question",
    [
        # faults that such words showed
        "10th to 90th percentile range of the mean NDVI",
        "Area where NDVI ranged from 0.5 to 0.7 on First date on which mean NDVI fell below 0.4 in 2016",
        "Give me the three dates with the highest forest , and what is",
        "Which date was greener in , 2016-08-14 or 2017-08-25 , of forest and of grassland are there",
    ],
)
def test_words_that_do_not_fit_are_no_fault(question: str):
    assert read(question, MEADOWS).status in ("read", "asks", "declined")


# --- Other properties -----------------------------------------------------------------------------


def shuffle(inventory: Inventory, seed: int) -> Inventory:
    chance = random.Random(seed)
    holdings, grounds = list(inventory.holdings), list(inventory.grounds)
    chance.shuffle(holdings)
    chance.shuffle(grounds)
    return replace(inventory, holdings=tuple(holdings), grounds=tuple(grounds))


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_the_files_does_not_count(seed: int):
    shuffled = {place: shuffle(inventory, seed) for place, inventory in PLACES.items()}
    for place, question in QUESTIONS[::5]:
        found = read(question, shuffled[place])
        assert found.expressions == reading(place, question).expressions


def test_reading_is_fast():
    for inventory in PLACES.values():
        read("mean NDVI", inventory)
    spent = []
    for place, question in QUESTIONS[::7]:
        begun = time.process_time()
        read(question, PLACES[place])
        spent.append(time.process_time() - begun)
    assert sorted(spent)[len(spent) // 2] < 0.1  # 0.001 s on an idle machine


def test_the_words_of_a_reading_cover_the_question():
    found = read("mean NDVI of the forest on 2016-08-14", MEADOWS)
    assert [text for text, _, _ in found.words] == ["mean", "ndvi", "of", "the", "forest", "on", "2016-08-14"]


def test_units_keep_what_the_question_wrote():
    found = read("mean NDVI where LST is above 35 °C on 2022-07-18", DEMO).expressions[0]
    assert isinstance(found, Aggregate) and isinstance(found.of, Variable)
    assert isinstance(found.of.where, Compare)
    assert found.of.where.limit == Number(35, "degC")


def test_clouds_are_assumed_of_what_chooses_a_date_too():
    (expression,) = read("mean NDVI on the date with the highest mean NDVI", MEADOWS).expressions
    (chosen,) = (leaf.when.at for leaf in leaves(expression))
    assert all("clouds" in leaf.assumed for leaf in (*leaves(expression), *leaves(chosen)))


@pytest.mark.parametrize(
    ("question", "unknown", "unplaced"),
    [
        ("mean NDVI on 2016-08-14 of zorbified cows", ("zorbified cows",), ()),
        ("What area is covered by NDVI on 2016-08-14?", (), ("what area",)),
        ("mean NDVI on 2016-08-14", (), ()),
    ],
)
def test_words_that_are_not_known_are_told_apart_from_those_that_fit_nowhere(question, unknown, unplaced):
    assert read(question, PLACES["meadows"]).left_out == (unknown, unplaced)


@pytest.mark.parametrize("said", ["cloud-free dates", "clear images", "dates without clouds"])
@pytest.mark.parametrize(
    "question",
    [
        "the three greenest {}",
        "number of {} in 2016",
        "mean NDVI of {} in 2017",
        "first {} of 2017",
        "which of the {} was greenest",
        "rank the {} by NDVI",
    ],
)
def test_what_is_said_of_clear_dates_is_never_forgotten(question: str, said: str):
    found = read(question.format(said), PLACES["meadows"])
    assert found.expressions or found.left_out != ((), ()), "neither read nor declined by name"
    assert all(map(says_clouds, found.expressions))


def test_dates_to_choose_from_must_be_named():
    named = read("Which of these two dates has the lower mean NDVI, 2016-08-14 or 2017-08-29?", MEADOWS)
    assert named.status == "read"
    unnamed = read("Which of these dates has the lower mean NDVI?", MEADOWS)
    assert unnamed.status == "declined" and "Name the dates that are meant." in unnamed.notes


def test_points_that_nobody_named_are_not_passed_over():
    assert reading("meadows", "mean elevation of the points").status == "declined"
    assert reading("meadows", "number of points above 700 m").status == "declined"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("mean NDVI on 30 February 2017", "There is no 30 February 2017."),
        ("mean NDVI on Feb 29, 2017", "There is no Feb 29, 2017."),
        ("mean NDVI on 2017-13-01", "There is no 2017-13-01."),
        ("mean NDVI from 1 April 2017 to 31 April 2017", "There is no 31 April 2017."),
    ],
)
def test_a_day_that_is_none_is_told(question: str, told: str):
    reading = read(question, MEADOWS)
    assert reading.status == "declined" and told in reading.notes
