"""Each kind of node on small rasters with holes, clouds, classes and features, against numpy."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from scipy import stats

from tests.core.policies.planner.arrays import series
from tests.core.policies.planner.running import evaluate
from tests.core.query.agreement import disagreement
from tests.core.query.evaluator import evaluate as numpy_value
from tests.core.query.world import World, make_world, write_world
from treeline.core.query.expression import (
    Aggregate,
    And,
    Anomaly,
    Cloud,
    Combine,
    Compare,
    Convert,
    Correlation,
    Dates,
    Facts,
    Hotspots,
    Majority,
    Node,
    Not,
    Number,
    Or,
    Phenology,
    Place,
    Rank,
    Rounded,
    Several,
    Span,
    Steps,
    Trend,
    Variable,
    When,
    Which,
    Zones,
)

YEAR = When((Span(dt.date(2020, 1, 1), dt.date(2020, 12, 31)),))
DAY = When((Span(dt.date(2020, 7, 22), dt.date(2020, 7, 22)),))
NDVI, ONE = Variable("ndvi", unit="1"), Variable("ndvi", DAY, unit="1")
LST = Variable("lst", unit="K")
DEM = Variable("dem", timeless=True, unit="m")
MEANS = Aggregate("mean", NDVI, "pixel")
GREEN = Compare(NDVI, "gt", Number(0.5))
CLASS, FEATURE = Place("class", ("Meadow",)), Place("feature", ("Lower Vale",))

NODES: dict[str, Node] = {
    "variable": ONE,
    "masked": Aggregate("mean", Variable("ndvi", YEAR, clouds="masked", unit="1"), "pixel"),
    "clear dates": Aggregate("mean", Variable("ndvi", clouds="clear_dates", unit="1"), "pixel"),
    "first clear date": Aggregate(
        "mean", Variable("ndvi", When(pick=1), clouds="clear_dates", unit="1"), "pixel"
    ),
    "made": Aggregate("mean", Variable("ndwi", unit="1"), "pixel"),
    "class": Aggregate("median", Variable("ndvi", where=CLASS, unit="1"), "pixel"),
    "feature": Aggregate("mean", Variable("ndvi", where=FEATURE, unit="1"), "pixel"),
    "not": Aggregate("mean", Variable("ndvi", where=Not(CLASS), unit="1"), "pixel"),
    "or": Aggregate("mean", Variable("ndvi", where=Or((CLASS, FEATURE)), unit="1"), "pixel"),
    "another variable": Aggregate(
        "mean", Variable("lst", DAY, where=Compare(ONE, "gt", Number(0.4)), unit="K"), "pixel"
    ),
    "facing": Aggregate("share", Place("facing", ("north",)), "pixel"),
    "cloud": Aggregate("share", Cloud(), "pixel"),
    "mask": Compare(ONE, "between", Number(0.2), Number(0.6)),
    "both": Aggregate("share", And((GREEN, Compare(LST, "lt", Number(22, "degC")))), "pixel"),
    "area": Aggregate("area", GREEN, "pixel", unit="m2"),
    "acres": Aggregate("area", Compare(ONE, "gt", Number(0.5)), "pixel", unit="acre"),
    "every date": Aggregate("all", GREEN, "date"),
    "any date": Aggregate("area", Aggregate("any", GREEN, "date"), "pixel", unit="m2"),
    "k of n": Aggregate("count", Compare(Aggregate("count", GREEN, "date"), "ge", Number(3)), "pixel"),
    "longest run": Aggregate("longest_run", Compare(MEANS, "gt", Number(0.4)), "date"),
    "runs of pixels": Aggregate("mean", Aggregate("runs", GREEN, "date"), "pixel"),
    "pooled": Aggregate("percentile", NDVI, "all", parameter=90),
    "pooled share": Aggregate("share", GREEN, "all"),
    "trimmed": Aggregate("trimmed_mean", ONE, "pixel", parameter=20.0),
    "through time": Aggregate("iqr", NDVI, "date"),
    "weighted": Aggregate("mean", ONE, "pixel", weight=DEM),
    "months": Aggregate("mean", MEANS, "date", by="month"),
    "maps of years": Aggregate("max", NDVI, "date", by="year"),
    "classes": Aggregate("mean", NDVI, "pixel", by=Zones("class")),
    "features": Aggregate("max", ONE, "pixel", by=Zones("feature", source="")),
    "bands": Aggregate(
        "count", Compare(ONE, "gt", Number(0.3)), "pixel", by=Zones("band", of=DEM, limits=(380, 400, 420))
    ),
    "equal bands": Aggregate("mean", ONE, "pixel", by=Zones("band", of=DEM, step=25.0)),
    "patches": Aggregate(
        "area",
        Compare(ONE, "gt", Number(0.3)),
        "pixel",
        by=Zones("patch", of=Compare(ONE, "gt", Number(0.3))),
        unit="m2",
    ),
    "difference": Combine("difference", Aggregate("mean", NDVI, "date"), ONE),
    "per cent": Combine("percent_change", MEANS, Number(0.4)),
    "dates apart": Combine("difference", Which(MEANS, "highest"), Which(MEANS, "lowest")),
    "raster and series": Combine("difference", NDVI, MEANS),
    "steps": Steps(MEANS, "percent_change"),
    "steps of maps": Steps(NDVI),
    "anomaly": Anomaly(MEANS, MEANS, "z_score"),
    "anomaly map": Anomaly(ONE, NDVI, "z_score"),
    "slope": Trend(MEANS),
    "sen": Trend(MEANS, "theil_sen"),
    "slope map": Trend(NDVI, "linear"),
    "p": Trend(MEANS, gives="p_value"),
    "phenology": Phenology(MEANS, "length", Number(0.3)),
    "correlation": Correlation(MEANS, Aggregate("mean", LST, "pixel"), "date"),
    "over pixels": Correlation(ONE, DEM, "pixel", "slope"),
    "in classes": Correlation(ONE, DEM, "pixel", by=Zones("class")),
    "in features": Correlation(ONE, DEM, "pixel", "r2", by=Zones("feature", ("Lower Vale",))),
    "images by year": Facts("images", NDVI, by="year"),
    "which": Which(MEANS, "lowest", nth=2),
    "ranking": Which(Aggregate("mean", ONE, "pixel", by=Zones("class")), "highest", top=0),
    "rank": Rank(MEANS, DAY),
    "dates": Dates(Compare(MEANS, "gt", Number(0.4))),
    "at": Aggregate("mean", Variable("lst", When(at=Which(MEANS, "highest")), unit="K"), "pixel"),
    "hot spots": Hotspots(ONE),
    "majority": Majority(Variable("landcover", timeless=True, unit="class")),
    "celsius": Convert(Aggregate("mean", LST, "pixel"), "degC"),
    "celsius apart": Convert(Aggregate("std", LST, "all"), "degC"),
    "rounded": Rounded(Aggregate("mean", ONE, "pixel"), 2),
    "several": Several((Aggregate("min", ONE, "pixel"), Which(MEANS, "highest"))),
    "claim": Compare(Aggregate("mean", ONE, "pixel"), "gt", Number(0.1)),
}


@pytest.fixture(scope="module")
def world() -> World:
    return make_world()


@pytest.fixture(scope="module")
def folder(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_world(world, tmp_path_factory.mktemp("world"))


@pytest.mark.parametrize("expression", NODES.values(), ids=NODES.keys())
def test_is_what_numpy_says(expression: Node, world: World, folder: Path) -> None:
    outcome = evaluate(expression, folder)
    assert disagreement(numpy_value(expression, world), outcome, world) == ""


def test_the_span_of_the_archive_is_counted_in_days(tmp_path: Path):
    world = make_world(1)
    days = sorted({day for dates in world.days.values() for day in dates})
    found = evaluate(Facts("span"), write_world(world, tmp_path / "data"), tmp_path / "home")
    assert str((days[-1] - days[0]).days) in found.text


def test_days_between_two_days_are_a_fact_of_the_calendar(folder: Path):
    days = (Span(dt.date(2020, 2, 1), dt.date(2020, 2, 1)), Span(dt.date(2020, 3, 1), dt.date(2020, 3, 1)))
    assert "29 days" in evaluate(Facts("days_between", When(days)), folder).text


def test_images_of_a_time_are_counted(world: World, folder: Path):
    days = [day for dates in world.days.values() for day in dates if day.year == 2020]
    outcome = evaluate(Facts("images", YEAR), folder)
    assert str(len(set(days))) in outcome.text


def test_too_many_bands_are_declined(folder: Path):
    table = Aggregate("mean", ONE, "pixel", by=Zones("band", of=DEM, step=0.001))
    outcome = evaluate(table, folder)
    assert outcome.kind == "declined" and "wider" in outcome.text


def test_kurtosis_is_the_excess_of_pixels_and_of_dates_alike(slovenia: Path) -> None:
    ndvi = Variable("ndvi", unit="1")
    arrays = series(slovenia / "ndvi", "Slovenia_NDVI_")
    of_pixels = evaluate(Aggregate("kurtosis", ndvi, "pixel"), slovenia / "ndvi")
    assert of_pixels.values == pytest.approx([stats.kurtosis(a.ravel()) for a in arrays.values()], abs=1e-3)
    of_dates = evaluate(Aggregate("kurtosis", Aggregate("mean", ndvi, "pixel"), "date"), slovenia / "ndvi")
    assert of_dates.values == pytest.approx([stats.kurtosis([a.mean() for a in arrays.values()])], abs=1e-4)
