"""Which answers their evidence carries: rounding, units, arithmetic, dates, names, choices."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeline.core.engine.actions import Answer, Call, Doc, Observation, ProductRecord
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification import verify
from treeline.core.engine.verification.grounded_answer import GroundedAnswer
from treeline.core.engine.verification.grounds import citation_remark

SERIES = [280.0, 290.0, 295.0, 300.0, 305.0, 310.0, 315.0, 320.0]
DATED = "2021-05-03 0.25; 2021-07-12 0.61; 2021-08-20 0.43"

numbers = st.floats(-1e4, 1e4).filter(lambda x: abs(x) > 1e-2)

APART = "By how much do they differ?"


def call(number: int, value: Any, text: str = "", arguments: dict | None = None, **more: Any) -> Step:
    observation = Observation("result", text or str(value), value=value, arguments=arguments or {}, **more)
    return Step(number, Call("a_tool", arguments or {}), observation)


def why(answer: Answer, *results: Any, question: str = "How much?", choices: tuple[str, ...] = ()) -> str:
    """Return why an answer is unverified after steps, or results of calls; empty where it is carried."""
    steps = tuple(r if isinstance(r, Step) else call(n, r) for n, r in enumerate(results, 1))
    ended = verify(answer, State(question, choices, steps=steps))
    assert ended.status == ("unverified" if ended.unverified else "answered")
    return ended.unverified


def is_carried(value: float, *results: Any, question: str = "How much?", **more: Any) -> bool:
    return not why(Answer("So much.", value, **more), *results, question=question)


def says(text: str, *results: Any, **more: Any) -> bool:
    return not why(Answer(text), *results, **more)


@pytest.mark.parametrize(
    ("value", "computed", "right"),
    [
        (0.745, 0.7454, True),
        (0.75, 0.7454, True),
        (0.7, 0.7454, True),
        (0.74, 0.7454, False),
        (0.746, 0.7454, False),
        (0.7453, 0.7454, False),
        (200.0, 200.4, True),
        (200.0, 200.9, False),
        (0.5, 0.549, True),
        (0.5, 0.551, False),
        (3.0, 3.4, True),
        (0.03, 0.0349, True),
        (0.03, 0.0353, False),
    ],
)
def test_a_number_is_held_to_the_digits_that_it_has(value: float, computed: float, right: bool):
    assert is_carried(value, computed) is right
    assert says(f"It is {value:g}.", computed) is right


@given(numbers, st.integers(0, 6))
def test_rounding_to_any_digit_is_right(value: float, places: int):
    assert says(f"It is {value:.{places}f}.", value) and is_carried(round(value, places), value)


@given(numbers, st.integers(0, 4), st.sampled_from([-1, 1]))
def test_the_next_number_of_as_many_digits_is_wrong(value: float, places: int, way: int):
    told = round(value, places) + way * 10.0**-places
    tie = abs(told - value) < 0.51 * 10.0**-places
    if abs(told) > 10 * 10.0**-places and not tie:  # else it may be a count, or the same rounded otherwise
        assert not says(f"It is {told:.{places}f}.", value)


@pytest.mark.parametrize(
    ("told", "computed", "right"),
    [
        ("73.41 %", 0.7341, True),
        ("73.41 per cent", 73.41, True),
        ("0.7341 %", 73.41, False),
        ("26.85 \u00b0C", 300.0, True),
        ("300 \u00b0C", 300.0, False),
        ("300 K", 26.85, True),
        ("300.00 K", 26.85, True),
        ("27 K", 300.0, False),
        ("80.33 \u00b0F", 300.0, True),
        ("1.2 ha", 12_000.0, True),
        ("12,000 m\u00b2", 1.2, True),
        ("1.2 km\u00b2", 1.2e6, True),
        ("1.2 ha", 1.2e6, False),
        ("0.12 per decade", 0.012, True),
        ("0.12 per year", 0.012, False),
    ],
)
def test_a_unit_leads_from_the_result_to_the_number(told: str, computed: float, right: bool):
    assert says(f"It is {told}.", computed) is right


@pytest.mark.parametrize(("told", "right"), [(95, False), (99, False), (101, True), (105, True)])
def test_what_is_converted_to_a_unit_that_nobody_names_is_told_to_half_a_per_cent(told: int, right: bool):
    assert says(f"It is {told}.", told + 273.4) is right
    assert says(f"It is {told} \u00b0C.", told + 273.4)


@given(st.floats(200, 340))
def test_kelvin_as_celsius(value: float):
    assert says(f"It is {value - 273.15:.2f} \u00b0C.", value) and is_carried(
        value - 273.15, value, unit="degC"
    )
    assert not is_carried(value - 272.15, value, unit="degC")


@settings(max_examples=25)  # of each several numbers are held against it
@given(numbers, numbers)
def test_what_follows_from_two_cited_results(a: float, b: float):
    for value in (a + b, (a + b) / 2, 100 * (a - b) / b, max(a, b)):
        assert is_carried(value, a, b)
    assert is_carried(a / b, a, b, question="What is the ratio of the two?")
    assert is_carried(a - b, a, b, question=APART)


@given(st.floats(1, 100), st.floats(1, 100))
def test_what_follows_from_nothing_is_unfounded(a: float, b: float):
    assert not is_carried(1e7 + a, a, b)


@settings(max_examples=25)  # of each several numbers are held against it
@given(st.lists(st.floats(1, 100), min_size=3, max_size=30))
def test_what_follows_from_a_series(values: list[float]):
    total = sum(values)
    for value in (total, total / len(values), min(values), max(values), len(values)):
        assert is_carried(float(value), values)
    assert is_carried(values[-1] - values[0], values, question=APART)


def test_a_ratio_is_told_as_one():
    assert not is_carried(0.58, [56.475, 97.287, 150.721], question="What is the mean NDVI?")
    assert says("The first is 0.58 times the second.", [56.475, 97.287, 150.721])


def test_a_difference_is_told_as_one():
    assert not is_carried(0.16, [0.66, 0.5], question="What is the mean NDVI?")
    assert not says("The mean NDVI is 0.16.", [0.66, 0.5])
    assert says("The mean NDVI fell by 0.16.", [0.66, 0.5])


def test_a_difference_of_many_numbers_counts_where_both_sides_are_told():
    values = [0.1 * n * n for n in range(1, 40)]
    assert says("It rose by 9.6, from 0.4 to 10.0.", values) and not says("It rose by 9.6123.", values)


@pytest.mark.parametrize(
    ("value", "question", "right"),
    [
        (4.0, "On how many dates is it above 300 K?", True),
        (5.0, "On how many dates is it at least 300 K?", True),
        (62.5, "On what share of the dates is it at least 300 K?", True),
        (2.0, "On how many dates is it above 40 degrees?", True),
        (7.0, "On how many dates is it above 300 K?", False),
        (87.5, "On what share of the dates is it above 300 K?", False),
        (7.0, "On how many dates is it 5 % below the mean?", True),
        (6.0, "On how many dates is it 5 % below the mean?", False),
    ],
)
def test_counts_of_a_series_on_one_side_of_a_limit(value: float, question: str, right: bool):
    assert is_carried(value, SERIES, question=question) is right


@pytest.mark.parametrize(("word", "count"), [("half", 2.0), ("a third", 5.0), ("a quarter", 6.0)])
def test_shares_that_are_written_as_words(word: str, count: float):
    shares = [1.0, 1.0, 1.0, 1.0, 26.0, 33.4, 40.0, 45.0, 52.0, 400.0]
    assert is_carried(count, shares, question=f"On how many dates is more than {word} of it dry?")
    assert not is_carried(count, shares, question="On how many dates is it dry?")


def test_a_count_is_a_share_of_the_rasters_that_were_read():
    step = call(1, 3, arguments={"file_list": [f"{n}.tif" for n in range(8)]})
    assert is_carried(37.5, step) and not is_carried(30.0, step) and is_carried(8.0, step)


@pytest.mark.parametrize("value", [0.1, 0.9, 0.52, 0.875])
def test_the_statistics_of_a_product_are_evidence(value: float):
    product = ProductRecord(
        "p.tif", "/p.tif", "ndvi", "1", valid_share=0.875, minimum=0.1, maximum=0.9, mean=0.52
    )
    assert is_carried(value, call(1, "saved", products=(product,)))


def test_a_loss_may_be_told_without_its_sign_and_nothing_else():
    assert says("It fell by 0.12.", -0.12) and not says("It is 0.1234.", -0.1234)
    assert not is_carried(-0.7341, 0.7341)


def test_an_answer_without_a_result_is_unverified():
    document = Step(1, Doc("a_tool"), Observation("information", "It gives 42."))
    refused = Step(2, Call("a_tool"), Observation("refusal", "It gave no 42."))
    assert "rests on no result" in why(Answer("It is 42.", 42.0))
    assert "rests on no result" in why(Answer("It is 42.", 42.0), document, refused)
    assert "rests on no result" in why(Answer("It looks green."))


def test_the_reason_names_the_number_and_what_the_evidence_holds():
    reason = why(Answer("It is 0.42.", 0.42, evidence=(99,)), 0.7341)
    assert "0.42" in reason and "0.7341 (step 1)" in reason


def test_a_number_of_a_step_that_is_not_cited_is_told_to_be_there():
    assert "step 2" in why(Answer("It is 0.5123.", 0.5123, evidence=(1,)), 0.7341, 0.5123)
    assert not why(Answer("It is 0.5123.", 0.5123, evidence=(2,)), 0.7341, 0.5123)


def test_a_citation_that_names_no_step_is_dropped_and_told():
    answer = Answer("It is 0.7341.", 0.7341, evidence=(1, 99))
    state = State("How much?", steps=(call(1, 0.7341),))
    assert verify(answer, state).evidence == (1,) and "step 99, which does not exist" in citation_remark(
        answer, state
    )
    assert not citation_remark(Answer("", evidence=(1,)), state)


def test_numbers_of_the_question_need_no_evidence():
    question = "On how many dates of 2021 is it above 0.35?"
    assert says("It is above 0.35 on 2 dates of 2021.", [0.2, 0.5, 0.6], question=question)
    assert not says("It is above 0.35 on 2 dates of 2019.", [0.2, 0.5, 0.6], question=question)


@pytest.mark.parametrize(
    ("value", "unit", "right"), [(9.994792, "m", True), (9.994792, "1", False), (9.98, "m", False)]
)
def test_the_catalogue_carries_the_size_of_a_pixel_and_nothing_else(value: float, unit: str, right: bool):
    told = "@ndvi; 1 raster; 100 x 101 pixels of 9.99479 x 9.99745 m (EPSG:32633)"
    state = State("How much?", (), {"catalogue": told}, steps=(call(1, ["a.tif"]),))
    ended = verify(Answer("So much.", value, unit, None, (1,)), state)
    assert (ended.status == "answered") is right


def test_the_catalogue_tells_how_large_rasters_and_their_pixels_are():
    told = "@ndvi; 1 raster; 1500 x 1000 pixels of 20 x 25 m (EPSG:32633)"
    found = GroundedAnswer(Answer("So large."), State("How large?", (), {"catalogue": told}), ())._extents
    lengths = [(20.0, "m"), (25.0, "m"), (30_000.0, "m"), (25_000.0, "m"), (30.0, "km"), (25.0, "km")]
    extents = [*lengths, (75_000.0, "ha"), (750.0, "km2")]
    assert [(claim.number, claim.unit) for claim in found] == extents


@pytest.mark.parametrize(("days", "right"), [(70, True), (71, False), (69, False)])
def test_days_between_two_days_that_are_told_follow_from_them(days: int, right: bool):
    files = ["NDVI_2015-09-29.tif", "NDVI_2015-12-08.tif"]
    text = f"The longest gap is {days} days, from 2015-09-29 to 2015-12-08."
    assert (why(Answer(text, float(days), "days"), files) == "") is right
    assert says(text, files) is right
    assert not says(text.replace("days", "metres"), files)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("It is highest on 2021-07-12, with 0.61.", True),
        ("It is highest on 12 July 2021, with 0.61.", True),
        ("It rose from 0.25 on 2021-05-03 to 0.61 in July 2021.", True),
        ("It is highest on 2021-07-13.", False),  # no such date
        ("It is highest in June 2021.", False),
        ("It is highest on 2021-05-03, with 0.61.", False),  # the number of another date
    ],
)
def test_dates_are_those_of_the_evidence(text: str, right: bool):
    assert says(text, call(1, [0.25, 0.61, 0.43], DATED), question="When in 2021 is it highest?") is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Grassland is the largest, with 41.5 %.", True),
        ("It is grassland, 1.15 times as large as forest.", True),
        ("The largest class is Pasture, with 41.5 %.", False),
        ("Pasture is the largest, with 41.5 %.", False),
        ("It is pasture.", False),
        ("It is forest, with 41.5 %.", False),  # the number of another class
    ],
)
@pytest.mark.parametrize(
    "table",
    [
        {"grassland": 41.5, "forest": 36.1, "water": 22.4},
        [{"class": n, "share": v} for n, v in (("grassland", 41.5), ("forest", 36.1), ("water", 22.4))],
    ],
)
def test_names_are_those_of_the_evidence(table: Any, text: str, right: bool):
    assert says(text, table, question="Which class is the largest?") is right


@pytest.mark.parametrize(
    ("letter", "choices", "result", "right"),
    [
        ("A", ("0.73", "0.42"), 0.7341, True),
        ("B", ("0.73", "0.42"), 0.7341, False),
        ("A", ("0.75", "0.42"), 0.7341, True),  # the nearest to the number that was found
        ("A", ("Yes", "No"), 0.7341, True),
        ("A", ("It increases", "It decreases"), 0.7341, False),  # one mean tells no change
        ("A", ("Rapid urban sprawl", "Reforestation"), 0.7341, False),
        ("A", ("2021-07-12", "2021-05-03"), 0.7341, False),
    ],
)
def test_a_choice_follows_from_the_evidence(
    letter: str, choices: tuple[str, ...], result: float, right: bool
):
    answer = Answer(f"Option {letter}; the mean is 0.734.", 0.734, choice=letter)
    assert (not why(answer, result, question="What happened?", choices=choices)) is right


def test_a_choice_in_words_tells_that_no_evidence_carries_it():
    choices = ("Rapid urban sprawl", "Reforestation")
    assert "Rapid urban sprawl" in why(Answer("A.", choice="A"), 0.7341, choices=choices)


@pytest.mark.parametrize(("rest", "right"), [(58, True), (57, False)])
def test_the_rest_of_a_list_is_counted(rest: int, right: bool):
    values = [n / 64 for n in range(1, 61)]
    assert says(f"It is {values[0]}; {values[1]} and {rest} more.", values) is right


def test_what_declines_or_asks_is_left_alone():
    state = State("How much?")
    assert verify(Answer("There are no 42.", declined=True), state).status == "declined"


def test_a_number_without_a_unit_has_that_of_the_same_number_in_the_text():
    depth = call(1, {"depth": 12.34}, "12.34 m")
    assert not why(Answer("It is 12.3 m deep, at 12.4 degrees.", 12.3), depth, call(2, 12.4, "12.4 degC"))


@pytest.mark.parametrize(
    ("unit", "told"), [("mm/month", "mm per month"), ("mm/h", "mm per h"), ("mm/s", "mm per s")]
)
def test_a_rate_its_mean_and_its_change_are_of_the_same_time(unit: str, told: str):
    rates = call(1, [15.0, 17.0], f"15 {unit}, 17 {unit}")
    mean = call(2, 16.0)
    assert not why(Answer(f"On average {told.replace('mm', '16.00 mm')}.", 16.0, unit), rates, mean)
    assert not why(Answer(f"It rose by 2.00 {told}, from 15.00 {told} to 17.00 {told}.", 2.0, unit), rates)
    other = told.rsplit(" ", 1)[0] + " day"
    assert why(Answer(f"It is 16.00 {other}.", 16.0), rates, mean)


SEASONS = ("winter", "spring", "summer", "autumn")


@pytest.mark.parametrize("day", ["-12", ""])
@pytest.mark.parametrize("month", range(1, 13))
def test_an_option_may_name_the_season_of_the_evidence(month: int, day: str):
    dated = call(1, 0.61, f"2021-{month:02d}{day}: 0.61")
    right = SEASONS[month % 12 // 3]
    wrong = [
        why(Answer("Then.", choice="A"), dated, question="When was it green?", choices=(season, "never"))
        for season in SEASONS
        if season != right
    ]
    assert not why(Answer("Then.", choice="A"), dated, question="When?", choices=(right, "never"))
    assert all("none says" in each for each in wrong)


SHARE = Observation("result", "0.6134", value=0.6134, unit="1")
PER_CENT = Observation("result", "42", value=42.0, unit="%")
ONE_ROW = Observation("result", "", value=[{"name": "Bled", "mean": 0.5}], unit="1")


@pytest.mark.parametrize(
    ("found", "text", "right"),
    [
        (SHARE, "0.6134 of it is forest, and the rest, 0.3866, is not.", True),
        (SHARE, "0.6134 of it is forest, and the rest, 0.4866, is not.", False),
        (SHARE, "0.6134 of it is forest, and 0.3866 is.", False),  # nothing speaks of a rest
        (PER_CENT, "42 % of it is forest, and the rest, 58 %, is not.", True),
        (PER_CENT, "42 % of it is forest, and the rest, 57 %, is not.", False),
    ],
)
def test_the_rest_is_what_a_share_leaves_of_the_whole(found: Observation, text: str, right: bool):
    state = State("How large is it?", steps=(Step(1, Call("share", {}), found),))
    assert (verify(Answer(text, evidence=(1,)), state).unverified == "") == right


@pytest.mark.parametrize(
    ("text", "right"),
    [("The mean is 0.5.", True), ("The highest NDVI is 0.5.", False), ("The maximum is 0.5.", False)],
)
def test_the_only_number_of_a_column_is_no_highest_one(text: str, right: bool):
    state = State("How green is it?", steps=(Step(1, Call("zones", {}), ONE_ROW),))
    assert (verify(Answer(text, evidence=(1,)), state).unverified == "") == right


LAKES = [{"name": name, "area": area} for name, area in (("Bled", 2.5), ("Bohinj", 4.0), ("Cerknica", 9.5))]
OF_LAKES = Observation("result", "", value=LAKES, unit="ha")


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Bled and Bohinj have 6.5 ha together.", True),
        ("Bled and Bohinj have 6.6 ha together.", False),
        ("Bled and Bohinj have 3.25 ha on average.", True),
        ("Bled and Bohinj have 3.35 ha on average.", False),
        ("Of Bled and Bohinj, Bohinj has 61.5 %.", True),
        ("Of Bled and Bohinj, Bohinj has 64.5 %.", False),
        ("Bohinj has 1.5 ha more than Bled.", True),
        ("Bohinj has 1.7 ha more than Bled.", False),
        ("All have 16.0 ha together.", True),
        ("All have 16.2 ha together.", False),
        ("Bohinj has 25.0 % of all.", True),
        ("Bohinj has 26.0 % of all.", False),
    ],
)
def test_what_is_said_of_zones_that_are_named_follows_from_their_numbers(text: str, right: bool):
    state = State("How large are they?", steps=(Step(1, Call("areas", {}), OF_LAKES),))
    assert (verify(Answer(text, evidence=(1,)), state).unverified == "") == right


@pytest.mark.parametrize(
    ("value", "choice", "right"),
    [(0.31, "A", True), (0.31, "B", False), (0.44, "B", True), (0.44, "A", False), (0.9, "C", True)],
)
def test_the_option_is_the_one_nearest_to_what_was_found(value: float, choice: str, right: bool):
    found = Observation("result", str(value), value=value, unit="1")
    state = State("How much?", ("0.30", "0.45", "0.60"), steps=(Step(1, Call("mean", {}), found),))
    answer = Answer(f"It is {value}.", value, choice=choice, evidence=(1,))
    assert (verify(answer, state).unverified == "") == right


def test_the_one_number_of_a_text_is_that_of_an_option_as_its_value_would_be():
    found = Observation("result", "0.44", value=0.44, unit="1")
    state = State("How much?", ("0.30", "0.44", "0.60"), steps=(Step(1, Call("mean", {}), found),))
    ended = verify(Answer("It is 0.44.", choice="A", evidence=(1,)), state)
    assert (
        "0.44" in ended.unverified
        and not verify(Answer("It is 0.44.", choice="B", evidence=(1,)), state).unverified
    )


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The slope is 0.02, with 95 % confidence.", True),
        ("The slope is 0.02, with 99 % confidence.", True),
        ("The slope is 0.02, with 93 % confidence.", False),
        ("The slope is 0.02 at the 5 % level.", True),
        ("The slope is 0.02, and 5 % of it is forest.", False),
    ],
)
def test_levels_of_confidence_and_significance_need_no_evidence(text: str, right: bool):
    found = Observation("result", "", value={"slope": 0.02, "p": 0.003})
    state = State("What is the slope?", steps=(Step(1, Call("trend", {}), found),))
    assert (verify(Answer(text, evidence=(1,)), state).unverified == "") == right


@pytest.mark.parametrize(
    ("value", "unit"), [(12.3, "m"), (12.34, "m"), (12.35, "m"), (12.36, ""), (12.38, ""), (12.24, "")]
)
def test_the_number_of_an_answer_is_that_of_its_text_within_half_of_the_last_digit(value: float, unit: str):
    claim = GroundedAnswer(Answer("It is 12.3 m deep.", value), State("How deep?"), ()).value()
    assert claim is not None and claim.unit == unit


def test_of_several_numbers_of_others_the_first_is_told():
    state = State("How large are they?", steps=(Step(1, Call("areas", {}), OF_LAKES),))
    why_not = verify(Answer("Bled has 4.0 ha and 9.5 ha.", evidence=(1,)), state).unverified
    assert why_not.startswith("4.0 is of bohinj; bled has 2.5.")


@pytest.mark.parametrize(
    ("dates", "text", "right"),
    [
        ("2018-05-01 2021-05-01", "It lasted 3 years.", True),
        ("2018-05-01 2021-05-01", "It lasted 5 years.", False),
        ("2018-05-01 2021-05-01", "It lasted 36 months.", True),
        ("2018-05-01 2021-05-01", "It lasted 35 months.", False),
        ("2018-05-01 2021-06-01", "It lasted 37 months.", True),
        ("2018-05-01 2021-06-01", "It lasted 3 years.", False),
        ("2021-05-01 2021-05-20", "It lasted 19 days.", True),
        ("2021-05-01 2021-05-20", "It lasted 20 days.", False),
        ("2021-01 2021-06", "It lasted 5 months.", True),
        ("2021-01 2021-06", "It lasted 4 months.", False),
    ],
)
def test_a_span_of_time_lies_between_two_dates_that_are_named(dates: str, text: str, right: bool):
    first, last = dates.split()
    files = [f"a_{first}.tif", f"a_{last}.tif"]
    seen = call(1, [0.2512, 0.6134], f"{first} 0.2512; {last} 0.6134", {"file_list": files})
    assert says(text, seen, question=f"How long was it from {first} to {last}?") is right


@pytest.mark.parametrize(
    ("year", "right"), [("2021", True), ("2020", True), ("2022", False), ("2019", False)]
)
def test_a_winter_is_named_by_the_year_that_it_ends_in(year: str, right: bool):
    days = ["2020-12-10", "2020-12-20"]
    seen = call(1, [0.5, 0.7], "2020-12-10 0.5; 2020-12-20 0.7", {"file_list": [f"a_{d}.tif" for d in days]})
    assert says(f"In the winter of {year} it was 0.7.", seen, question="How high was it in winter?") is right


def test_a_date_that_no_result_is_of_is_told_with_those_that_they_are_of():
    months = call(1, {"2021-07": 0.5, "2021-08": 0.7}, "2021-07 0.5; 2021-08 0.7")
    assert why(Answer("In June 2021 it was 0.5."), months).startswith(
        "No cited step is of 2021-06: they are of 2021-07, 2021-08."
    )
    many = call(1, [0.1, 0.2, 0.3, 0.4], "; ".join(f"2021-0{n}-01 0.{n}" for n in range(1, 5)))
    assert "they are of 2021-01-01, 2021-02-01, 2021-03-01 ...." in why(Answer("In June 2021: 0.1."), many)


@pytest.mark.parametrize(
    ("text", "right"),
    [("Forest rose while water fell.", True), ("Forest fell while water rose.", False)],
)
def test_of_a_sentence_in_which_one_rises_and_another_falls_each_half_is_tried(text: str, right: bool):
    means = {"Forest": (0.2, 0.4), "Water": (0.5, 0.3)}
    rows = [
        {"date": year, "name": name, "mean": mean}
        for name, both in means.items()
        for year, mean in zip(("2020", "2021"), both, strict=True)
    ]
    assert says(text, call(1, rows), question="How did they change?") is right


@pytest.mark.parametrize(("choice", "option"), [("A", "0.1"), ("C", "0.3"), ("D", ""), ("", "")])
def test_a_letter_beyond_the_options_chooses_none(choice: str, option: str):
    state = State("How green is it?", ("0.1", "0.2", "0.3"))
    assert GroundedAnswer(Answer("So green.", choice=choice), state, ()).option == option
