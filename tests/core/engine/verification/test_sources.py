"""What each number of an answer is: right where its words are wrong, and silent where it is not known."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.actions import Answer, Call, NumberSource, Observation
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification import settle

FILES = ["Fen_2019-05-14_LST.tif", "Fen_2019-06-14_LST.tif", "Fen_2020-06-11_LST.tif"]
HEAT = ("calc_batch_image_mean", series([293.655, 299.128, 301.77], FILES, "K"))
VILLAGES = (
    "zonal_statistics",
    result(
        "zonal_statistics",
        [
            {"zone": 1, "name": "Selca", "mean": 812.25, "max": 1562.0, "min": 402.0},
            {"zone": 2, "name": "Poljane", "mean": 634.75, "max": 1290.0, "min": 362.0},
        ],
        "m",
        input_path="Fen_DEM.tif",
    ),
)
COVER = (
    "area_by_class",
    result(
        "area_by_class",
        [
            {"class": 1, "name": "Forest", "pixels": 41260, "area": 412.6, "percent": 61.3},
            {"class": 2, "name": "Meadow", "pixels": 20470, "area": 204.7, "percent": 30.4},
        ],
        "ha",
        input_path="Fen_LULC.tif",
    ),
)
WARM = (
    "calculate_threshold_ratio",
    result("calculate_threshold_ratio", 40.84, "%", image_paths=FILES[1], threshold=300, mode="above"),
)


def sources(text: str, *results: tuple[str, Observation], question: str = "What is it?") -> dict[str, str]:
    """Return what the numbers of an answer are, by how it tells them."""
    return {each.number: each.with_steps for each in _settled(text, *results, question=question).sources}


def _settled(text: str, *results: tuple[str, Observation], question: str = "What is it?") -> Answer:
    steps = tuple(
        Step(n, Call(tool, seen.arguments or {}), seen) for n, (tool, seen) in enumerate(results, 1)
    )
    return settle(Answer(text), State(question, (), {}, steps))


def test_a_number_has_its_statistic_variable_name_and_date():
    assert sources("It was 299.1 K on 14 June 2019.", HEAT) == {
        "299.1 K": "mean of LST, 2019-06-14: 299.128 K (step 1)"
    }
    assert sources("Selca averages 812 m.", VILLAGES) == {
        "812 m": "mean of elevation, Selca: 812.25 m (step 1)"
    }
    assert sources("Forest has 61.3 %.", COVER) == {"61.3 %": "share, Forest: 61.3 % (step 1)"}
    assert sources("Forest has 413 ha.", COVER) == {"413 ha": "area, Forest: 412.6 ha (step 1)"}


def test_a_limit_of_the_call_is_told():
    told = sources("40.8 % is warmer than 300 K.", WARM)
    assert told["40.8 %"] == "share of LST, 2019-06-14, above 300: 40.84 % (step 1)"


def test_what_the_words_say_changes_nothing():
    """The list is there for answers whose words are wrong."""
    assert "maximum of elevation, Poljane" in sources("Selca averages 1290 m.", VILLAGES)["1290 m"]
    assert sources("Forest lost 204.7 ha.", COVER)["204.7 ha"] == "area, Meadow: 204.7 ha (step 1)"


def test_another_unit_stands_beside_that_of_the_result():
    assert sources("Forest has 4.126 km2.", COVER) == {"4.126 km2": "area, Forest: 412.6 ha (step 1)"}
    assert sources("It was 26.0 \u00b0C in June 2019.", HEAT)["26.0 \u00b0C"].endswith("299.128 K (step 1)")


@pytest.mark.parametrize(
    ("text", "number", "told"),
    [
        (
            "June 2019 was 5.47 K warmer than May 2019.",
            "5.47 K",
            "299.128 K (mean of LST, 2019-06-14) less 293.655 K (mean of LST, 2019-05-14): 5.473 (step 1)",
        ),
        (
            "The summit of Selca is 272 m above that of Poljane.",
            "272 m",
            "1562 m (maximum of elevation, Selca) less 1290 m (maximum of elevation, Poljane): 272 (step 1)",
        ),
        (
            "Both classes together have 617.3 ha, forest and meadow.",
            "617.3 ha",
            "412.6 ha (area, Forest) and 204.7 ha (area, Meadow) together: 617.3 (step 1)",
        ),
        ("On average over the three dates it was 298.18 K.", "298.18 K", "mean of 3 dates: 298.184 (step 1)"),
    ],
)
def test_arithmetic_is_carried_out_and_shown(text: str, number: str, told: str):
    result = COVER if "ha" in number else VILLAGES if " m" in number else HEAT
    assert sources(text, result)[number] == told


def test_two_steps_stand_in_one_difference():
    later = ("calc_batch_image_mean", series([301.77], FILES[2:], "K"))
    earlier = ("calc_batch_image_mean", series([299.128], FILES[1:2], "K"))
    told = sources("2020-06-11 was 2.64 K warmer than 2019-06-14.", earlier, later)
    assert told["2.64 K"].endswith("2.642 (steps 2 and 1)")


def test_of_several_that_fit_the_one_that_is_named_is_told():
    twice = ("calc_batch_image_mean", series([0.62, 0.62, 0.41], [f.replace("LST", "NDVI") for f in FILES]))
    assert "2019-06-14" in sources("It was 0.62 on 2019-06-14.", twice)["0.62"]
    assert "2019-05-14" in sources("It was 0.62 on 2019-05-14.", twice)["0.62"]


def test_what_no_step_gives_is_called_so():
    settled = _settled("Selca averages 812 m, and its glacier 77.3 ha.", VILLAGES)
    assert settled.unverified
    assert settled.sources[-1] == NumberSource("77.3 ha", (), "no step gives it")


def test_what_the_answer_works_out_itself_is_told_with_its_numbers():
    counted = ("count_above_threshold", result("count_above_threshold", 7822, "count", file_path=FILES[0]))
    context = {"catalogue": "@lst; 3 rasters; 400 x 250 pixels of 20 x 20 m (EPSG:32633); Fen"}
    text = "7,822 of the 100,000 pixels, or 7.8 %, which is 313 ha."
    step = Step(1, Call(counted[0], counted[1].arguments or {}), counted[1])
    told = {
        each.number: each.with_steps for each in settle(Answer(text), State("", (), context, (step,))).sources
    }
    assert told["7.8 %"] == "worked out here, 7,822 of 100,000 in per cent: 7.822"
    assert told["313 ha"] == "worked out here, 7,822 pixels of 400 m2: 312.88"


def test_a_limit_is_no_result_that_is_near_to_it():
    assert "800" not in " ".join(sources("Selca averages 812 m, which is above 800 m.", VILLAGES))


def test_of_a_long_answer_it_is_told_how_many_are_left_out():
    text = " ".join("On 2019-06-14 it was 299.1 K." for _ in range(50))
    told = _settled(text, HEAT).sources
    assert told[-1] == NumberSource("10 more", (), "not looked up: the answer is long")


def test_numbers_by_chance_have_no_source():
    """Two of a few numbers come to anything that is told coarsely, and counts are no sums."""
    assert "2" not in sources("It rose on 2 dates, to 301.77 K.", HEAT)
    assert not any("less" in told for told in sources("About 0.3 is usual elsewhere.", VILLAGES).values())


def test_the_planner_has_none():
    """Its sentences are made of its numbers."""
    steps = (Step(1, Call(HEAT[0], HEAT[1].arguments or {}), HEAT[1]),)
    answer = Answer("299.128 K.", 299.128, "K", expression={"kind": "mean"})
    assert settle(answer, State("What is it?", (), {}, steps)).sources == ()


def test_a_fault_in_it_loses_no_answer(monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("treeline.core.engine.verification.answer_check.find_sources", fail)
    settled = _settled("It was 299.1 K on 14 June 2019.", HEAT)
    assert not settled.unverified and settled.sources == ()


def test_honest_answers_have_sources():
    """Nine of ten numbers of true answers are traced to what gave them."""
    from tests.core.engine.verification.test_cheats import HONEST

    lines = [source for told in HONEST.values() for source in _sources_of(told)]
    assert len(lines) > 50 and sum(bool(each.steps) for each in lines) > 0.9 * len(lines)


def _sources_of(told: Told) -> tuple[NumberSource, ...]:
    steps = tuple(
        Step(n, Call(tool, seen.arguments or {}), seen) for n, (tool, seen) in enumerate(told.results, 1)
    )
    answer = Answer(told.text, told.value, told.unit, told.choice, told.evidence)
    return settle(answer, State(told.question, told.choices, told.context, steps)).sources
