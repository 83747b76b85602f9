"""The evaluator of expressions keeps the laws that hold for every question."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.core.query.evaluator import Unsettled, evaluate, value_of
from tests.core.query.strategies import LIMITS, Maker, inventory_of, sample
from tests.core.query.values import Value
from tests.core.query.world import World, make_world
from treeline.core.query.canonical import both, either
from treeline.core.query.expression import (
    Aggregate,
    Combine,
    Compare,
    Convert,
    Not,
    Number,
    Place,
    Several,
    Steps,
    Trend,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.inventory import Inventory
from treeline.core.query.kinds import kind_of

MANY = 300


def parts(result: Any) -> list[Value]:
    return [result] if isinstance(result, Value) else [part for one in result for part in parts(one)]


def samples(inventory: Inventory, part: str, count: int = MANY) -> list[Any]:
    return list(sample(inventory, 7, count, part))


def same(one: Value, other: Value) -> None:
    assert one.labels == other.labels
    np.testing.assert_allclose(one.data.astype(float), other.data.astype(float), rtol=1e-9, atol=1e-9)


def test_values_vary_over_what_their_kind_says(world: World, inventory: Inventory):
    for expression in sample(inventory, 1, 1000, methods=True):
        try:
            value = evaluate(expression, world)
        except Unsettled:
            continue
        if not isinstance(expression, Several):
            assert parts(value)[0].axes == kind_of(expression).axes, expression


def test_most_expressions_have_a_value(world: World, inventory: Inventory):
    found = [part for e in sample(inventory, 2, 500) for part in parts(evaluate(e, world))]
    empty = [part for part in found if part.data.dtype != object and np.isnan(part.data).all()]
    assert len(empty) < len(found) / 10


def test_statistics_over_dates_do_not_look_at_their_order(world: World, inventory: Inventory):
    order = random.Random(3).sample(range(len(world.days["ndvi"])), len(world.days["ndvi"]))
    mixed = replace(world, rasters={**world.rasters, "ndvi": world.rasters["ndvi"][order]})
    ndvi = Variable("ndvi", where=Place("class", ("Forest",)), unit="1")
    for name in ("mean", "median", "max", "std", "iqr"):
        for number in (
            Aggregate(name, Aggregate("mean", ndvi, "pixel"), "date"),  # type: ignore[arg-type]
            Aggregate("max", Aggregate(name, ndvi, "date"), "pixel"),  # type: ignore[arg-type]
            Aggregate(name, ndvi, "all"),  # type: ignore[arg-type]
        ):
            same(value_of(number, world), value_of(number, mixed))


def test_a_share_and_that_of_its_contrary_are_all(world: World, inventory: Inventory):
    for mask in samples(inventory, "mask"):
        share, rest = (value_of(Aggregate("share", m, "pixel"), world) for m in (mask, Not(mask)))
        assert np.isnan(share.item) or share.item + rest.item == pytest.approx(100)


def test_what_holds_together_holds_each_by_itself(world: World, inventory: Inventory):
    masks = samples(inventory, "mask")
    for one, other in zip(masks[::2], masks[1::2], strict=False):
        alone, together, any_of = (
            value_of(m, world).data for m in (one, both(one, other), either(one, other))
        )
        assert (alone[together == 1] == 1).all()
        assert (any_of[together == 1] == 1).all()
        known = ~np.isnan(any_of)
        assert (any_of[known & (alone == 1)] == 1).all()


def test_not_both_is_one_of_the_contraries(world: World, inventory: Inventory):
    masks = samples(inventory, "mask", 100)
    for one, other in zip(masks[::2], masks[1::2], strict=True):
        same(value_of(Not(both(one, other)), world), value_of(either(Not(one), Not(other)), world))


def test_a_higher_percentage_has_no_lower_percentile(world: World, inventory: Inventory):
    for raster in samples(inventory, "raster", 100):
        found = [
            value_of(Aggregate("percentile", raster, "pixel", parameter=float(p)), world).item
            for p in (0, 10, 50, 90, 100)
        ]
        ends = [value_of(Aggregate(name, raster, "pixel"), world).item for name in ("min", "median", "max")]  # type: ignore[arg-type]
        assert np.isnan(found).any() or found == sorted(found)
        np.testing.assert_allclose([found[0], found[2], found[4]], ends)


def test_a_difference_the_other_way_round_has_the_other_sign(world: World, inventory: Inventory):
    for change in samples(inventory, "change", 100):
        there, back = (
            Combine("difference", *sides)
            for sides in ((change.left, change.right), (change.right, change.left))
        )
        same(value_of(there, world), value_of(back, world).map(np.negative))


def test_an_area_is_pixels_times_their_size(world: World, inventory: Inventory):
    for mask in samples(inventory, "mask"):
        count, area = (value_of(Aggregate(name, mask, "pixel"), world).item for name in ("count", "area"))  # type: ignore[arg-type]
        np.testing.assert_allclose(area, count * world.pixel**2 / 1e4)


def test_a_share_is_of_what_has_a_value(world: World):
    ndvi = Variable("ndvi", unit="1")
    share = value_of(Aggregate("share", Compare(ndvi, "gt", Number(0.45)), "pixel"), world)
    raster = world.rasters["ndvi"]
    expected = [100 * (image[~np.isnan(image)] > 0.45).mean() for image in raster]
    np.testing.assert_allclose(share.flat, expected)


def test_classes_make_up_the_whole(world: World, inventory: Inventory):
    for image in samples(inventory, "image", 100):
        table = value_of(Aggregate("sum", image, "pixel", by=Zones("class")), world)
        inside = Variable("landcover", timeless=True, unit="class")
        whole = both(*([image.where] if image.where else []), Compare(inside, "ge", Number(0)))
        total = value_of(Aggregate("sum", replace(image, where=whole), "pixel"), world)
        np.testing.assert_allclose(np.nansum(table.data), np.nan_to_num(total.item))


def test_bands_make_up_what_lies_between_their_limits(world: World):
    dem = Variable("dem", timeless=True, unit="m")
    table = value_of(Aggregate("sum", dem, "pixel", by=Zones("band", of=dem, limits=(390, 410, 430))), world)
    raster = world.rasters["dem"]
    lower, upper = (raster >= 390) & (raster < 410), (raster >= 410) & (raster < 430)
    np.testing.assert_allclose(table.flat, [raster[lower].sum(), raster[upper].sum()])
    assert table.labels["zone"] == ("390 to 410 m", "410 to 430 m")


def test_a_slope_faces_one_quarter(world: World):
    quarters = [value_of(Place("facing", (name,)), world).data for name in ("north", "east", "south", "west")]
    flat = np.hypot(*world.gradients) < 0.08
    expected = np.where(np.isnan(world.gradients[0]), np.nan, ~flat)
    np.testing.assert_array_equal(np.sum(quarters, axis=0).reshape(world.shape), expected)


def test_north_faces_away_from_the_top_of_the_hill(world: World):
    centroids = {
        name: np.argwhere(value_of(Place("facing", (name,)), world).data.reshape(world.shape) == 1).mean(
            axis=0
        )
        for name in ("north", "east", "south", "west")
    }
    assert centroids["north"][0] < centroids["south"][0]
    assert centroids["west"][1] < centroids["east"][1]


def test_a_difference_of_temperatures_has_no_zero_point(world: World, inventory: Inventory):
    maker = Maker(inventory, random.Random(5).choice)
    later, earlier = (Aggregate("mean", maker.plain("lst", when), "pixel") for when in maker.two_days("lst"))
    change = Combine("difference", later, earlier)
    kelvin, celsius = value_of(change, world).item, value_of(Convert(change, "degC"), world).item
    assert celsius == pytest.approx(kelvin)
    single = value_of(Convert(later, "degC"), world).item
    assert single == pytest.approx(value_of(later, world).item - 273.15)


def test_limits_are_of_the_unit_that_they_say(world: World):
    lst = Variable("lst", unit="K")
    kelvin, celsius = (Compare(lst, "gt", Number(*limit)) for limit in ((293.15, "K"), (20, "degC")))
    same(value_of(kelvin, world), value_of(celsius, world))


def test_steps_add_up_to_the_whole_change(world: World, inventory: Inventory):
    for series in samples(inventory, "series", 100):
        values = value_of(series, world).without_gaps("date").flat
        steps = value_of(Steps(series), world)
        if len(values) > 1:
            assert np.nansum(steps.data) == pytest.approx(values[-1] - values[0])


def test_the_highest_is_where_the_maximum_is(world: World, inventory: Inventory):
    for series in samples(inventory, "means", 100):
        found = value_of(Which(series, "highest"), world).item
        best = value_of(Aggregate("max", series, "date"), world).item
        value = value_of(series, world)
        there = [v for d, v in zip(value.labels["date"], value.flat, strict=True) if d.toordinal() == found]
        assert there == [best] or np.isnan(best)


def test_a_ranking_holds_all_in_order(world: World, inventory: Inventory):
    for series in samples(inventory, "means", 50):
        ranking = value_of(Which(series, "highest", top=0), world)
        second = value_of(Which(series, "highest", nth=2), world)
        backward = value_of(Which(series, "lowest", top=0), world)
        assert ranking.flat.tolist() == backward.flat.tolist()[::-1]
        assert len(ranking.flat) < 2 or ranking.flat[1] == second.item


def test_a_trend_of_a_line_is_its_slope(world: World):
    straight = np.arange(len(world.days["ndvi"]), dtype=float)[:, None, None] + np.zeros((1, *world.shape))
    other = replace(world, rasters={**world.rasters, "ndvi": straight})
    series = Aggregate("mean", Variable("ndvi", unit="1"), "pixel")
    for method in ("linear", "theil_sen"):
        assert value_of(Trend(series, method, per="step"), other).item == pytest.approx(1)  # type: ignore[arg-type]
    per_year, per_decade = (value_of(Trend(series, per=per), other).item for per in ("year", "decade"))  # type: ignore[arg-type]
    assert per_decade == pytest.approx(10 * per_year)
    assert value_of(Trend(series, gives="p_value"), other).item < 0.001


def test_picking_the_first_and_the_last_date(world: World):
    for pick, index in ((1, 0), (-1, -1), (2, 1)):
        value = value_of(Aggregate("mean", Variable("ndvi", When(pick=pick), unit="1"), "pixel"), world)
        assert value.item == pytest.approx(np.nanmean(world.rasters["ndvi"][index]))


def test_clear_dates_have_no_cloud(world: World):
    value = value_of(Variable("ndvi", clouds="clear_dates", unit="1"), world)
    assert set(value.labels["date"]) == world.clear_dates & set(world.days["ndvi"])


def test_limits_split_the_values(world: World):
    rasters = {"ndvi": world.rasters["ndvi"], "lst": world.rasters["lst"], "dem": world.rasters["dem"]}
    for role, raster in rasters.items():
        for limit in LIMITS[role]:
            assert 0 < np.nanmean(raster > limit) < 1, (role, limit)


def test_another_place_has_other_numbers():
    one, other = make_world(0), make_world(1, (8, 14), 30.0)
    mean = Aggregate("mean", Variable("ndvi", unit="1"), "all")
    assert value_of(mean, one).item != value_of(mean, other).item
    assert inventory_of(one) == inventory_of(other)
