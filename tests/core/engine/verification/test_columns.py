"""Results as columns, and which of these a text speaks of."""

from __future__ import annotations

import pytest

from treeline.core.engine.actions import Call, Observation
from treeline.core.engine.state import Step
from treeline.core.engine.verification.columns import Column, _labels, columns_of
from treeline.core.engine.verification.labels import find_columns, kinds_of, labels_in, legend_in


def step(number: int, value: object, text: str = "", **arguments: object) -> Step:
    return Step(
        number, Call("a_tool", arguments), Observation("result", text, value=value, arguments=arguments)
    )


def columns(*steps: Step, legend: dict[str, str] | None = None) -> list[tuple[str, str, dict[str, float]]]:
    """Return quantity, what it is of, and numbers of each column."""
    return [(c.quantity, c.of, dict(c.numbers)) for c in columns_of(steps, legend or {})]


DAYS = ["a_2021-05-03.tif", "a_2021-07-12.tif"]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"Forest": 2, "Water": 3.0}, [("", "", {"forest": 2.0, "water": 3.0})]),
        ({"Forest": 2}, []),  # one number is no column
        ({"mean": 2, "max": 3}, []),  # statistics are of one thing
        ({"Forest": 2, "Water": True, "note": "x"}, []),
        (
            [{"name": "Bled", "mean": 1}, {"name": "Bohinj", "mean": 2}],
            [("mean", "", {"bled": 1.0, "bohinj": 2.0})],
        ),
        (
            [{"name": "Bled", "red": 1, "nir": 2}],  # across, where a row has several of its own
            [("red", "", {"bled": 1.0}), ("nir", "", {"bled": 2.0}), ("", "bled", {"red": 1.0, "nir": 2.0})],
        ),
        ([{"zone": 1, "mean": 5}, {"zone": 2, "mean": 6}], [("mean", "", {"1": 5.0, "2": 6.0})]),
        ([{"Forest": 1, "Water": 2}], [("", "", {"forest": 1.0, "water": 2.0})]),
        (
            [{"date": "2021-05-03", "mean": 1}, {"date": "2021-07-12", "mean": None}],
            [("mean", "", {"2021-05-03": 1.0})],
        ),
        (
            [
                {"date": day, "name": name, "mean": mean}
                for day, name, mean in (("2020", "Bled", 1), ("2020", "Bohinj", 2), ("2021", "Bled", 3))
            ],
            [
                ("mean", "bled", {"2020": 1.0, "2021": 3.0}),
                ("mean", "bohinj", {"2020": 2.0}),
                ("mean", "2020", {"bled": 1.0, "bohinj": 2.0}),
                ("mean", "2021", {"bled": 3.0}),
            ],
        ),
        ([{"date": "2020", "name": "Bled", "mean": 1}] * 2, []),  # nothing tells its rows apart
        ("text", []),
    ],
)
def test_a_result_has_the_columns_that_its_rows_name(value: object, found: list[tuple]):
    assert columns(step(1, value)) == found


def test_a_list_stands_beside_the_dates_of_the_files_that_it_is_of():
    dated = [("", "", {"2021-05-03": 0.5, "2021-07-12": 0.25})]
    assert columns(step(1, [0.5, 0.25], files=DAYS)) == dated
    assert columns(step(1, [0.5, 0.25], "2021-05-03 0.5; 2021-07-12 0.25")) == dated
    assert columns(step(1, [0.5, 0.25], files=[DAYS[0], DAYS[0]])) == []
    assert columns(step(1, [0.5, 0.25], files=[*DAYS, "a_2022.tif"])) == []
    assert columns(step(1, [0.5, None], files=DAYS)) == [("", "", {"2021-05-03": 0.5})]


def test_a_number_is_of_the_only_date_that_was_read():
    assert columns(step(1, 0.5, path=DAYS[0])) == [("", "", {"2021-05-03": 0.5})]
    assert columns(step(1, 0.5, one=DAYS[0], other=DAYS[1])) == []
    assert (
        columns(
            Step(1, Call("percentage_change"), Observation("result", "", value=0.5, arguments={"a": DAYS[0]}))
        )
        == []
    )


def test_calls_of_one_tool_for_several_dates_are_one_series():
    classes = [{"name": "Forest", "area": 2.0}, {"name": "Water", "area": 1.0}]
    later = [{"name": "Forest", "area": 3.0}, {"name": "Water", "area": 0.5}]
    found = columns(step(1, classes, path=DAYS[0]), step(2, later, path=DAYS[1]))
    assert ("area", "forest", {"2021-05-03": 2.0, "2021-07-12": 3.0}) in found
    assert ("area", "water", {"2021-05-03": 1.0, "2021-07-12": 0.5}) in found
    assert ("area", "2021-05-03", {"forest": 2.0, "water": 1.0}) in found
    assert len(found) == 2 + 2 + 2
    records = columns(step(1, {"mean": 2.0}, path=DAYS[0]), step(2, {"mean": 3.0}, path=DAYS[1]))
    assert records == [("mean", "", {"2021-05-03": 2.0, "2021-07-12": 3.0})]
    assert columns(step(1, {"mean": 2.0}, path=DAYS[0]), step(2, {"mean": 3.0}, path=DAYS[0])) == []
    assert columns(step(1, {"mean": 2.0}, path=DAYS[0])) == []


def test_calls_of_one_tool_that_measured_a_class_each_are_a_column_of_classes():
    calls = [step(1, 0.7, only={"kind": "Forest"}), step(2, 0.5, only={"kind": "Meadow"})]
    assert columns(*calls) == [("", "", {"forest": 0.7, "meadow": 0.5})]
    assert columns(calls[0]) == [], "one class is no column"
    both = step(3, 0.6, only={"kind": "Forest", "owner": "Town"})
    assert columns(*calls, both) == columns(*calls), "what is of two classes is of neither"


@pytest.mark.parametrize(
    ("numbers", "several"), [({}, False), ({"a": 1.0}, False), ({"a": 1.0, "b": 1.0}, True)]
)
def test_two_numbers_are_several(numbers: dict[str, float], several: bool):
    assert Column(numbers).has_several is several


def test_classes_have_their_names_and_their_numbers_beside():
    legend = legend_in("@cover classes: 1 Forest, 2 Mixed forest, 3 Water")
    assert legend == {"1": "forest", "2": "mixed forest", "3": "water"}
    (column,) = columns_of([step(1, {"1": 4.0, "3": 5.0})], legend)
    assert column.numbers == {"forest": 4.0, "water": 5.0} and column.under("3") == [5.0]
    doubled = {"1": "forest", "3": "forest"}
    (column,) = columns_of([step(1, {"1": 4.0, "3": 5.0})], doubled)
    assert column.numbers == {"1": 4.0, "3": 5.0}, "a name for two classes is no name"


def test_a_kind_has_two_classes_at_least():
    column = Column({"mixed forest": 1.0, "pine forest": 2.0, "forest": 3.0, "open water": 4.0, "water": 5.0})
    assert kinds_of([column]) == {"forest": ["mixed forest", "pine forest"]}


NAMED = Column({"forest": 1.0, "mixed_forest": 2.0, "7": 3.0}, aliases={"4": "forest"})


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Forest and mixed forest", ["forest", "mixed_forest"]),
        ("Mixed forests, not forests", ["mixed_forest", "forest"]),
        ("Class 7, then class 4", ["7", "forest"]),
        ("zone no. 7", ["7"]),
        ("7 of them", []),
        ("Deforestation", []),
    ],
)
def test_a_text_names_labels_in_its_order_and_whole(text: str, labels: list[str]):
    assert labels_in(text, [NAMED]) == labels


MEANS, MAXIMA = Column({"a": 1.0}, quantity="mean"), Column({"a": 2.0}, quantity="max")
PIXELS, AREAS = Column({"a": 3.0}, quantity="pixels"), Column({"a": 4.0}, quantity="area")


@pytest.mark.parametrize(
    ("text", "known", "meant"),
    [
        ("How warm is it?", (MEANS, MAXIMA), (MEANS,)),
        ("What is its maximum?", (MEANS, MAXIMA), (MAXIMA,)),
        ("How many pixels has it?", (PIXELS, AREAS), (PIXELS,)),
        ("How large is it?", (PIXELS, AREAS), (PIXELS, AREAS)),
        ("Which single pixel is warmest?", (MEANS, MAXIMA), (MAXIMA,)),
    ],
)
def test_a_text_means_the_column_of_its_statistic_else_that_of_means(text: str, known, meant):
    assert find_columns(text, known) == list(meant)


def test_a_date_that_all_calls_read_is_not_the_date_of_one():
    first = step(1, {"mean": 2.0}, path=DAYS[0], base="a_2020-01-01.tif")
    second = step(2, {"mean": 3.0}, path=DAYS[1], base="a_2020-01-01.tif")
    assert columns(first, second) == [("mean", "", {"2021-05-03": 2.0, "2021-07-12": 3.0})]


@pytest.mark.parametrize(
    ("word", "label", "same"),
    [("wetlend", "wetland", True), ("schrubland", "shrubland", True), ("meadaw", "meadow", False)],
)
def test_a_letter_may_be_wrong_in_a_long_name_alone(word: str, label: str, same: bool):
    found = columns_of([step(1, {label: 2.0, "Town": 3.0})], {})
    assert labels_in(f"The {word} is drier.", found) == ([label] if same else [])


def test_dates_of_rows_are_numbers_that_later_ones_are_larger_than():
    rows = [
        {"name": "Maize", "start": "2022-05-11", "end": "2022-10-03", "length": 145},
        {"name": "Barley", "start": "2022-03-18", "end": "2022-07-06", "length": 110},
    ]
    step = Step(1, Call("phenology_of_zones"), Observation("result", "", value=rows))
    start, end = [column for column in columns_of([step], {}) if column.of_days]
    assert (start.quantity, end.quantity) == ("start", "end")
    assert start.numbers["maize"] > start.numbers["barley"]
    assert start.write(start.numbers["maize"]) == "2022-05-11"


def test_a_record_of_tables_has_their_columns():
    value = {
        "gain": {"forest": 62.4, "meadow": 18.3},
        "transitions": [{"before": "a", "after": "b", "area": 1.5}],
    }
    step = Step(1, Call("class_transitions"), Observation("result", "", value=value))
    found = columns_of([step], {})
    assert [column.quantity for column in found] == ["gain", "area"]
    assert found[0].numbers == {"forest": 62.4, "meadow": 18.3}


def test_years_are_told_by_what_one_date_alone_has():
    covers = [0.0, 100.0, 12.5, 0.0, 100.0, 40.0]  # no clouds and nothing but clouds are of both years
    files = [f"V_{date}_CLM.tif" for date in ("2015-07-11", "2015-07-31", "2015-09-09")]
    files += [f"V_{date}_CLM.tif" for date in ("2016-01-07", "2016-03-17", "2016-05-26")]
    measured = Observation("result", "", value=covers, arguments={"file_list": files}, unit="%")
    means = Observation("result", "", value=[37.5, 46.7], arguments={"values": [covers[:3], covers[3:]]})
    steps = [
        Step(1, Call("calc_batch_image_mean", {}), measured),
        Step(2, Call("summarize_values", {}), means),
    ]
    assert {"2015": 37.5, "2016": 46.7} in [dict(column.numbers) for column in columns_of(steps, {})]


@pytest.mark.parametrize(
    ("row", "dates"),
    [
        ({"from": "2021-04-01", "to": "2021-09-01"}, ["2021-04-01", "2021-09-01"]),
        ({"class": "forest", "start": "2021-04-01", "end": "2021-09-01"}, []),  # they were measured
        ({"class": "forest", "date": "2021-04-01"}, ["2021-04-01"]),
    ],
)
def test_several_dates_beside_a_name_were_measured_and_name_no_row(row: dict[str, str], dates: list[str]):
    assert _labels(row)[0] == dates


def test_what_belongs_to_no_class_is_none_through_time_too():
    rows = [{"0": 0.2, "1": 0.5, "2": 0.7}, {"0": 0.1, "1": 0.6, "2": 0.4}]
    of_no_class = columns(step(1, rows, file_list=DAYS), legend={"1": "forest", "2": "meadow"})
    assert {of for _, of, _ in of_no_class if of[:1].isalpha()} == {"forest", "meadow"}
    assert "0" not in {of for _, of, _ in of_no_class}
    assert "0" in {of for _, of, _ in columns(step(1, rows, file_list=DAYS), legend={})}
