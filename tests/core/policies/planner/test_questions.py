"""Open questions about real rasters, as expressions: each gives its accepted value."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
import rasterio

from tests.core.policies.planner.running import ask
from treeline.core.query.canonical import both
from treeline.core.query.expression import (
    Aggregate,
    Anomaly,
    Cloud,
    Combine,
    Compare,
    Node,
    Number,
    Phenology,
    Place,
    Several,
    Show,
    Span,
    Steps,
    Trend,
    Variable,
    When,
    Which,
)

pytestmark = pytest.mark.sample(2)


def day(text: str) -> When:
    date = dt.date.fromisoformat(text)
    return When((Span(date, date),))


def days(first: str, last: str) -> When:
    return When((Span(dt.date.fromisoformat(first), dt.date.fromisoformat(last)),))


def ndvi(when: When | str | None = None, **more: object) -> Variable:
    chosen = day(when) if isinstance(when, str) else when or When()
    return Variable("ndvi", chosen, unit="1", **more)  # type: ignore[arg-type]


def mean(of: Node) -> Aggregate:
    return Aggregate("mean", of, "pixel")


def mean_of_means(of: Node) -> Aggregate:
    return Aggregate("mean", mean(of), "date", assumed=("dates",))


def feature(name: str) -> Place:
    return Place("feature", (name,), "Slovenia_LULC.gpkg", "LULC_NAME")


FOREST = feature("forest")
IN_2016, IN_2017 = days("2016-01-01", "2016-12-31"), days("2017-01-01", "2017-12-31")
NDVI, CLOUDS, LULC = ("ndvi",), ("ndvi", "cloud_mask"), ("ndvi", "cloud_mask", "Slovenia_LULC.gpkg")
DEM = ("ndvi", "Slovenia_DEM.tif")

# Name, data, expression, accepted values, tolerance: of the questions that came with the rasters.
NUMBERS: tuple[tuple[str, tuple[str, ...], Node, tuple[float, ...], float], ...] = (
    (
        "007",
        ("scenes",),
        mean(Variable("nir", day("2015-08-30"), unit="1")),
        (0.22730850495, 0.26358247524),
        1e-3,
    ),
    (
        "018",
        NDVI,
        Aggregate("max", Aggregate("mean", ndvi(IN_2016), "date"), "pixel"),
        (0.48533858527,),
        2e-3,
    ),
    (
        "020",
        LULC,
        Aggregate("std", mean(ndvi(where=FOREST, clouds="clear_dates")), "date"),
        (0.17247699977, 0.17552992704, 0.16890911840, 0.17069656625),
        9e-4,
    ),
    (
        "021",
        NDVI,
        Aggregate("median", Aggregate("percentile", ndvi(IN_2016), "pixel", parameter=95), "date"),
        (0.58527323603,),
        2e-3,
    ),
    ("023", NDVI, Aggregate("min", Steps(mean(ndvi())), "date"), (-0.70143798875,), 1e-3),
    (
        "026",
        NDVI,
        Combine(
            "ratio", *(Aggregate("percentile", ndvi("2016-05-26"), "pixel", parameter=p) for p in (75, 25))
        ),
        (1.10336603648,),
        1e-3,
    ),
    (
        "028",
        CLOUDS,
        Combine(
            "difference",
            *(mean_of_means(ndvi(days(f"{y}-06-01", f"{y}-08-31"), clouds="masked")) for y in (2017, 2016)),
        ),
        (0.03079953714, -0.02005642743),
        2e-3,
    ),
    (
        "029",
        NDVI,
        Combine("percent_change", mean(ndvi("2017-07-05")), mean(ndvi("2015-07-11"))),
        (-3.92344452479,),
        1e-3,
    ),
    (
        "030",
        CLOUDS,
        Combine(
            "difference",
            mean_of_means(ndvi(days("2017-07-01", "2017-07-31"), clouds="masked")),
            mean_of_means(ndvi(days("2017-01-01", "2017-01-31"), clouds="masked")),
        ),
        (0.28207412302, 0.30077341057),
        2e-3,
    ),
    (
        "032",
        NDVI,
        Aggregate("count", Compare(ndvi("2015-08-30"), "gt", ndvi("2015-07-11")), "pixel"),
        (1049,),
        1,
    ),
    (
        "036",
        CLOUDS,
        Combine(
            "difference",
            *(mean_of_means(ndvi(days(f"{y}-03-01", f"{y}-05-31"), clouds="masked")) for y in (2017, 2016)),
        ),
        (-0.09579658918, -0.10250005238),
        2e-3,
    ),
    ("038", NDVI, Aggregate("count", Compare(mean(ndvi()), "gt", Number(0.7)), "date"), (6,), 0),
    (
        "040",
        ("cloud_mask",),
        Aggregate("count", Compare(Aggregate("share", Cloud(), "pixel"), "eq", Number(0, "%")), "date"),
        (29,),
        0,
    ),
    (
        "042",
        NDVI,
        Aggregate(
            "count",
            Compare(Aggregate("share", Compare(ndvi(), "gt", Number(0.6)), "pixel"), "ge", Number(80, "%")),
            "date",
        ),
        (16,),
        0,
    ),
    ("055", NDVI, Trend(mean(ndvi())), (-0.00140548343,), 5e-4),
    (
        "062",
        NDVI,
        Anomaly(mean(ndvi("2017-11-27")), mean(ndvi(When(months=(11, 12)))), "z_score"),
        (0.26626305125, 0.25492746306),
        1e-2,
    ),
    (
        "069",
        CLOUDS,
        Aggregate(
            "area",
            Aggregate(
                "all",
                Compare(ndvi(days("2017-07-01", "2017-07-31"), clouds="clear_dates"), "gt", Number(0.7)),
                "date",
            ),
            "pixel",
        ),
        (26.18966632450, 9.21284713895),
        0.05,
    ),
    (
        "074",
        LULC,
        Aggregate("share", Compare(ndvi("2017-08-04", where=FOREST), "lt", Number(0.6)), "pixel"),
        (7.406920142, 5.625632255),
        6e-2,
    ),
    (
        "075",
        NDVI,
        Aggregate(
            "area",
            both(*(Compare(ndvi(d), "gt", Number(0.75)) for d in ("2015-07-11", "2015-08-30"))),
            "pixel",
        ),
        (9.71245923976,),
        0.05,
    ),
    (
        "082",
        LULC,
        Aggregate("median", ndvi("2017-05-21", where=feature("schrubland")), "pixel"),
        (0.71561706066,),
        2e-3,
    ),
    (
        "098",
        CLOUDS,
        Phenology(mean(ndvi(IN_2017, clouds="masked")), "length", Number(0.5)),
        (187,),
        17,
    ),
    (
        "114",
        ("cloud_mask",),
        Aggregate("mean", Aggregate("share", Cloud(IN_2017), "pixel"), "date"),
        (35.293179317,),
        2e-3,
    ),
    ("115", CLOUDS, mean(ndvi("2016-06-05", clouds="masked")), (0.68347603514,), 6e-4),
)


@pytest.mark.parametrize(
    ("name", "data", "expression", "accepted", "tolerance"), NUMBERS, ids=[n[0] for n in NUMBERS]
)
def test_gives_the_accepted_value(
    name: str,
    data: tuple[str, ...],
    expression: Node,
    accepted: tuple[float, ...],
    tolerance: float,
    slovenia: Path,
    tmp_path: Path,
) -> None:
    answer = ask(expression, [slovenia / part for part in data], tmp_path)
    assert not answer.declined, answer.text
    assert answer.value is not None
    assert min(abs(answer.value - value) for value in accepted) <= tolerance, answer.text
    assert answer.evidence


def test_the_date_of_the_lower_mean(slovenia: Path, tmp_path: Path) -> None:
    two = When((*day("2015-09-29").spans, *day("2015-08-20").spans))
    answer = ask(Which(mean(ndvi(two)), "lowest"), slovenia / "ndvi", tmp_path)
    assert answer.text.startswith("2015-08-20 has the lowest mean NDVI")


def test_a_trend_that_is_none(slovenia: Path, tmp_path: Path) -> None:
    expression = Trend(mean(ndvi()), "mann_kendall", "significance")
    assert ask(expression, slovenia / "ndvi", tmp_path).text.startswith("No, there is no significant trend")


def test_a_choice_among_dates(slovenia: Path, tmp_path: Path) -> None:
    choices = ("2015-07-11", "2016-05-26", "2016-08-14", "2017-07-05")
    assert ask(Which(mean(ndvi()), "highest"), slovenia / "ndvi", tmp_path, choices).choice == "C"


def test_several_questions_of_one_date_that_has_to_be_found(slovenia: Path, tmp_path: Path) -> None:
    greenest = Which(mean(ndvi(IN_2017)), "highest")
    then = When(at=greenest)
    expression = Several((greenest, mean(ndvi(then)), Aggregate("share", Cloud(then), "pixel")))
    answer = ask(expression, [slovenia / "ndvi", slovenia / "cloud_mask"], tmp_path)
    assert answer.text.startswith("2017-07-05 has the highest mean NDVI in 2017: 0.7034")
    assert "is 0 %" in answer.text


def test_a_map_is_a_product_of_ones_and_zeros(slovenia: Path, tmp_path: Path) -> None:
    steep = Compare(Variable("terrain_slope", timeless=True, unit="degree"), "gt", Number(15, "degree"))
    bare = Compare(ndvi("2015-08-30"), "lt", Number(0.6))
    home = tmp_path / "home"
    answer = ask(Show(both(steep, bare), "map"), [slovenia / part for part in DEM], home)
    with rasterio.open(next(home.rglob(answer.map))) as dataset:
        mask = dataset.read(1, masked=True)
    assert dataset.dtypes[0] == "uint8"
    assert dataset.nodata is not None
    assert mask.mean() == pytest.approx(0.0008910891, abs=2e-4)


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        (mean(ndvi("2016-11-15")), "2016-10-23, 2016-12-12"),
        (mean_of_means(ndvi(days("2025-07-01", "2025-07-31"))), "68 from 2015-07-11 to 2017-12-22"),
        (mean(Variable("lst", day("2015-08-30"), unit="K")), "with brightness temperature, band 31 (bt31)"),
        (mean(ndvi("2015-08-30", where=Place("feature", ("Ljubljana",)))), "Slovenia_LULC.gpkg"),
        (
            mean(
                ndvi(
                    "2015-08-30",
                    where=Compare(Variable("dem", timeless=True, unit="m"), "gt", Number(2000, "m")),
                )
            ),
            "No pixel of elevation is above 2000",
        ),
    ],
)
def test_declines_by_name_with_what_there_is(
    expression: Node, says: str, slovenia: Path, tmp_path: Path
) -> None:
    data = ("ndvi", "Slovenia_DEM.tif", "Slovenia_LULC.gpkg", "scenes")
    answer = ask(expression, [slovenia / part for part in data], tmp_path)
    assert answer.declined
    assert says in answer.text


def test_clouds_of_which_nothing_was_said_are_asked_where_they_matter(slovenia: Path, tmp_path: Path) -> None:
    data = [slovenia / part for part in CLOUDS]
    cloudy = ask(mean(ndvi("2016-06-05", assumed=("clouds",))), data, tmp_path / "cloudy")
    assert cloudy.status == "asks"
    assert [reading.value for reading in cloudy.readings] == ["0.6638", "0.6835"]
    clear = ask(mean(ndvi("2015-08-30", assumed=("clouds",))), data, tmp_path / "clear")
    assert clear.value == pytest.approx(0.686983, abs=1e-5)


def test_a_claim_is_told_with_both_numbers(slovenia: Path, tmp_path: Path) -> None:
    expression = Compare(mean(ndvi("2016-06-05")), "gt", mean(ndvi("2015-08-30")))
    answer = ask(expression, slovenia / "ndvi", tmp_path, choices=("Yes", "No"))
    assert answer.text.startswith(
        "No: the mean NDVI fell by 0.0232, from 0.6870 on 2015-08-30 to 0.6638 on 2016-06-05."
    )
    assert answer.choice == "B"
