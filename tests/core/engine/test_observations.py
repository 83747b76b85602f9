"""Results as text: what a policy reads of numbers and products."""

from __future__ import annotations

import pytest

from treeline.core.engine.actions import ProductRecord
from treeline.core.engine.observations import only_tells_paths, product_lines, result_text, shorten

DATES = [f"2021-{month:02d}-{day:02d}" for month in range(1, 9) for day in range(1, 7)]


def product(name: str, date: str | None = None, role: str = "ndvi", unit: str = "1", **more) -> ProductRecord:
    return ProductRecord(name, f"/{name}", role, unit, date=date, **more)


def test_numbers_stand_beside_their_dates():
    assert result_text([0.25, None], ["2021-05-03", "2021-06-10"]) == "2021-05-03 0.25; 2021-06-10 none"
    assert result_text([0.25], ["2021-05-03"]) == "[0.25]"
    assert result_text([0.25, 0.5], ["2021-05-03", ""]) == "[0.25, 0.5]"
    assert result_text([0.25, 0.5], ["2021-05-03"]) == "[0.25, 0.5]"
    assert result_text(["a", "b"], ["2021-05-03", "2021-06-10"]) == '["a", "b"]'


def test_a_long_series_is_told_by_its_ends_and_its_extremes():
    values = [float(n) for n in range(48)]
    text = result_text(values, DATES)
    ends, summary = text.splitlines()
    assert ends.count(";") == 5 and "... 43 more ..." in ends
    assert ends.startswith("2021-01-01 0; ") and ends.endswith("2021-08-06 47")
    assert summary == "48 numbers: lowest 0 (2021-01-01), highest 47 (2021-08-06), mean 23.5"
    assert "more" not in result_text(values[:40], DATES[:40]) and "more" in result_text(
        values[:41], DATES[:41]
    )


def test_a_long_series_without_a_number_has_no_extremes():
    assert len(result_text([None] * 48, DATES).splitlines()) == 1


def test_a_long_list_of_names_is_told_by_its_ends():
    names = [f"{n}.tif" for n in range(7)]
    assert shorten(names) == '["0.tif", "1.tif", "2.tif", "... 2 more ...", "5.tif", "6.tif"]'
    assert shorten(names[:6]).count(".tif") == 6


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
