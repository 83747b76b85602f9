"""Results as text: what a policy reads of numbers and products."""

from __future__ import annotations

import pytest

from treeline.core.engine.actions import ProductRecord
from treeline.core.engine.observations import (
    _LONGEST_RESULT,
    _shorten_rows,
    only_tells_paths,
    product_lines,
    result_text,
    shorten,
    shorten_by_lines,
)
from treeline.toolkit.statistics.hand import get_rows

DATES = [f"2021-{month:02d}-{day:02d}" for month in range(1, 9) for day in range(1, 7)]


def product(name: str, date: str | None = None, role: str = "ndvi", unit: str = "1", **more) -> ProductRecord:
    return ProductRecord(name, f"/{name}", role, unit, date=date, **more)


def test_numbers_stand_beside_their_dates():
    assert result_text([0.25, None], ["2021-05-03", "2021-06-10"]) == "2021-05-03 0.25; 2021-06-10 none"
    assert result_text([0.25], ["2021-05-03"]) == "[0.25]"
    assert result_text([0.25, 0.5], ["2021-05-03", ""]) == "[0.25, 0.5]"
    assert result_text([0.25, 0.5], ["2021-05-03"]) == "[0.25, 0.5]"
    assert result_text(["a", "b"], ["2021-05-03", "2021-06-10"]) == '["a", "b"]'


def test_truths_of_dates_are_counted_and_those_that_hold_are_named():
    days = ["2021-05-03", "2021-06-10", "2021-07-12"]
    assert result_text([True, False, True], days) == "true for 2 of 3: 2021-05-03, 2021-07-12"
    assert result_text([None, False, False], days) == "true for 0 of 3\nmissing for 1: 2021-05-03"
    assert result_text([True, False, True]) == "[true, false, true]"


def test_a_long_series_begins_and_tells_its_extremes_and_how_to_get_the_rest():
    dates = [f"{year}-07-01" for year in range(1900, 1980)]
    values = [float(n) for n in range(80)]
    begun, left_out, summary = result_text(values, dates, 4).splitlines()
    assert begun.startswith("1900-07-01 0; ") and begun.endswith("1923-07-01 23")
    assert "56 of 80 numbers are left out: 25 to 80" in left_out
    assert 'get_rows(rows="@result4", first=25)' in left_out
    assert summary == (
        "80 numbers, 1900-07-01 to 1979-07-01: lowest 0 (1900-07-01), highest 79 (1979-07-01), mean 39.5"
    )
    assert "left out" not in result_text(values[:60], dates[:60])
    assert len(result_text([None] * 80, dates).splitlines()) == 2


def test_a_table_of_44_classes_is_told_whole():
    table = [{"class": f"class number {n}", "mean": n / 7, "pixels": n * 1000} for n in range(1, 45)]
    lines = result_text(table, (), 3).splitlines()
    assert lines[0] == "class | mean | pixels" and lines[27] == "class number 27 | 3.85714 | 27000"
    assert len(lines) == 45


def test_tables_of_several_rasters_are_told_as_one_by_rows():
    tables = [[{"zone": zone, "mean": date + zone / 100} for zone in range(1, 89)] for date in (1, 2)]
    head, first, *rows, left_out = result_text(tables, ["2021-05-01", "2021-06-01"], 3).splitlines()
    assert (head, first) == ("date | raster | zone | mean", "2021-05-01 | 1 | 1 | 1.01")
    assert f"{len(rows) + 2} to 176" in left_out and rows[-1].count("|") == 3
    assert get_rows(tables, 89, 1) == [{"raster": 2, "zone": 1, "mean": 2.01}]


def test_a_table_in_a_record_is_cut_by_its_rows():
    record = {"classes": [{"class": n, "edge": n * 100.25} for n in range(200)], "patches": 89}
    *rows, left_out = result_text(record, (), 3).splitlines()
    assert rows[0] == '{"of": "classes", "class": 0, "edge": 0.0}' and rows[-1].endswith("}")
    assert f"{len(rows) + 1} to 201" in left_out
    assert get_rows(record, 200, 2) == [{"of": "classes", "class": 199, "edge": 19949.75}, {"patches": 89}]


def test_what_is_too_long_is_cut_by_rows_and_never_in_the_middle():
    table = [{"name": f"parcel {n}", "mean": n / 7} for n in range(1, 1001)]
    *rows, left_out = result_text(table, (), 5).splitlines()
    assert rows[1] == "parcel 1 | 0.142857" and all(" | " in row for row in rows)
    assert f"{1001 - len(rows)} of 1000 rows are left out: {len(rows)} to 1000" in left_out
    assert f'get_rows(rows="@result5", first={len(rows)})' in left_out
    named = result_text({f"zone {n}": n for n in range(1000)}, (), 5).splitlines()
    assert named[0] == "zone 0: 0" and "left out" in named[-1]
    text = result_text("\n".join(f"line {n}" for n in range(1000)), (), 5).splitlines()
    assert text[0] == "line 0" and "lines are left out" in text[-1]
    assert "characters" in result_text("x" * 9000)


def test_names_are_told_up_to_a_dozen():
    names = [f"{n}.tif" for n in range(400)]
    assert result_text(names[:12]).count(".tif") == 12 and "left out" not in result_text(names[:12])
    *rows, left_out = result_text(names, (), 2).splitlines()
    assert len(rows) == 12 and "388 of 400 rows" in left_out


def test_what_is_told_on_a_line_ends_where_it_is_too_long():
    assert shorten("abc", 3) == "abc" and shorten("abcdef", 3) == "abc ... (3 more characters)"
    assert shorten([1, 2], 30) == "[1, 2]"


def test_the_values_of_products_are_told_over_all_of_them():
    products = [
        product("a.tif", "2021-05-03", minimum=0.25, maximum=0.5, mean=0.375, handle="@x"),
        product("b.tif", "2021-06-10", minimum=-0.5, maximum=1.0, mean=0.125, handle="@x"),
    ]
    assert product_lines(products) == [
        "wrote @x, 2 rasters, a.tif to b.tif: ndvi [1], 2021-05-03 to 2021-06-10",
        "  values -0.5 to 1, mean 0.25",
    ]


def test_one_product_and_one_without_values():
    warm = product("a.tif", "2021-05-03", "lst", "K", minimum=280.0, mean=290.0, maximum=300.0)
    assert product_lines([warm]) == ["wrote a.tif: lst [K], 2021-05-03", "  values 280 to 300, mean 290"]
    assert product_lines([product("t.csv", unit="")]) == ["wrote t.csv: ndvi [1]"]
    assert product_lines([product("a.tif", handle="@a")]) == ["wrote a.tif (@a): ndvi [1]"]
    two = [product("a.tif", "2021-05-03"), product("b.tif", "2021-05-03")]
    assert product_lines(two) == ["wrote 2 x a.tif to b.tif: ndvi [1], 2021-05-03"]


@pytest.mark.parametrize(
    ("value", "count", "only"),
    [
        ("Result saved at a.tif", 1, True),
        (["Result saved at a.tif", "Result saved at b.tif"], 2, True),
        (["Result saved at a.tif", 0.5], 1, False),
        (["Result saved at a.tif"], 2, False),
        (0.5, 0, False),
        ([], 0, False),
    ],
)
def test_whether_a_result_says_no_more_than_where_products_are(value, count: int, only: bool):
    assert only_tells_paths(value, [product(f"{n}.tif") for n in range(count)]) is only


@pytest.mark.parametrize(("count", "begins"), [(1, '{"a": 0, '), (3, '{"a": 0, '), (4, "a | b")])
def test_names_stand_over_the_columns_of_four_rows_and_more(count: int, begins: str):
    rows = [{"a": n, "b": n / 2} for n in range(count)]
    assert result_text(rows).lstrip("[").startswith(begins)


@pytest.mark.parametrize("odd", [{"a": 1}, {"b": 1, "a": 1}, 5, "text", None])
@pytest.mark.parametrize("place", [0, 2, 4])
def test_rows_of_other_names_are_no_table(odd: object, place: int):
    rows: list[object] = [{"a": n, "b": n / 2} for n in range(4)]
    rows.insert(place, odd)
    assert "a | b" not in result_text(rows)


def test_rows_are_told_up_to_the_longest_result_with_the_ends_of_their_lines():
    half = _LONGEST_RESULT // 2
    fitting = ["a" * (half - 1), "b" * (_LONGEST_RESULT - half - 1)]  # with two ends of lines just the most
    assert _shorten_rows(fitting, 3, "result", 2, _LONGEST_RESULT) == fitting
    told = _shorten_rows([fitting[0], fitting[1] + "b"], 3, "result", 2, _LONGEST_RESULT)
    assert told[0] == fitting[0] and len(told) == 2 and told[1] != fitting[1] + "b"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.588, "%", "0.588 %"),
        (305.86 - 273.15, "degC", "32.71 degC"),
        ([287.5, None], "K", "[287.5, null]\n(unit: K)"),
        (0.5, "index", "0.5"),
        (3, "count", "3"),
        ([None], "K", "[null]"),
        ({"r": 0.5}, "K", '{"r": 0.5}'),
        ([{"class": 1, "area": 3.5}], "km2", '[{"class": 1, "area": 3.5}]\n(areas in km2)'),
        (
            [{"zone": 1, "people": 24, "mean": 287.51234567, "count": 9}],
            "K",
            '[{"zone": 1, "people": 24, "mean": 287.512, "count": 9}]\n(mean in K)',
        ),
        ([{"1": 287.5}, {"1": None}], "K", '[{"1": 287.5}, {"1": null}]\n(unit: K)'),
        ([[512340.126, 5186760.0]], "m", "[[512340.13, 5186760.0]]\n(unit: m)"),
        ([{"class": 1, "area": 3.5}], "", '[{"class": 1, "area": 3.5}]'),
    ],
)
def test_numbers_have_their_unit_behind_them(value: object, unit: str, text: str):
    assert result_text(value, unit=unit) == text


def test_a_text_is_cut_by_whole_lines():
    assert shorten_by_lines("ab\ncd", 5) == "ab\ncd"
    assert shorten_by_lines("ab\ncd\nef", 6) == "ab\ncd\n... 1 of 3 lines are left out: 3 to 3"
