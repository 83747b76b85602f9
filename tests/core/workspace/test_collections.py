from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from treeline.core.workspace import Member, collect, period, select
from treeline.core.workspace.collections import summarise
from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition import Band, RasterDescription


def member(name: str, date: str | None, role: str | None = "ndvi", place: str = "Lake") -> Member:
    band = Band(1, "band 1", role)
    moment = datetime.fromisoformat(date) if date else None
    precision = "day" if date else None
    description = RasterDescription(
        Path(f"/data/{name}"),
        "GTiff",
        10,
        10,
        "float32",
        "EPSG:32633",
        (10, 0, 0, 0, -10, 0),
        (0, -100, 100, 0),
        (band,),
        moment,
        precision,
        place=place,
    )
    return Member(name, description, band)


SERIES = [
    member(f"n{i}.tif", date)
    for i, date in enumerate(["2021-07-12", "2021-06-01", "2022-07-01", "2020-12-31"])
]


def test_a_collection_is_ordered_by_time():
    assert collect(SERIES)["@ndvi"].addresses == ["n3.tif", "n1.tif", "n0.tif", "n2.tif"]


def test_a_role_at_two_places_has_two_handles_that_name_them():
    handles = collect([*SERIES, member("x.tif", "2021-01-01", place="New York")])
    assert set(handles) == {"@ndvi-lake", "@ndvi-new-york"}


def test_a_handle_that_was_used_stays_whatever_comes_and_goes():
    kept = {"@ndvi": ("ndvi", "Lake")}
    other = member("x.tif", "2021-01-01", place="New York")
    handles = {handle: c.place for handle, c in collect([*SERIES, other], kept=kept).items()}
    assert handles == {"@ndvi": "Lake", "@ndvi-new-york": "New York"}
    assert list(collect([other], kept=kept)) == ["@ndvi-new-york"]


def test_bands_without_a_role_are_kept_apart():
    assert collect([member("u.tif", None, role=None)])["@unknown"].addresses == ["u.tif"]


def test_a_handle_that_is_taken_is_not_given_twice():
    assert list(collect(SERIES, taken=["@ndvi"])) == ["@ndvi-made"]


@pytest.mark.parametrize(
    ("handle", "expected"),
    [
        ("@ndvi", ["n3.tif", "n1.tif", "n0.tif", "n2.tif"]),
        ("@ndvi[2021]", ["n1.tif", "n0.tif"]),
        ("@ndvi[2021-07]", ["n0.tif"]),
        ("@ndvi[2021-07-12]", ["n0.tif"]),
        ("@ndvi[2021-06:2022-07]", ["n1.tif", "n0.tif", "n2.tif"]),
        ("@ndvi[2021-06..2022-07]", ["n1.tif", "n0.tif", "n2.tif"]),
        ("@ndvi[2021-06-02:]", ["n0.tif", "n2.tif"]),
        ("@ndvi[2021-06-02..]", ["n0.tif", "n2.tif"]),
        ("@ndvi[:2021-06]", ["n3.tif", "n1.tif"]),
    ],
)
def test_parts_by_time_include_both_ends(handle, expected):
    assert select(handle, collect(SERIES)).addresses == expected


@pytest.mark.parametrize(
    "handle", ["@ndwi", "@ndvi[1999]", "@ndvi[yesterday]", "@ndvi[2021-13]", "@", "@ndvi[2021"]
)
def test_what_is_not_there_is_refused_with_a_hint(handle):
    with pytest.raises(InputError) as caught:
        select(handle, collect(SERIES))
    assert caught.value.hint


def test_a_period_covers_whole_months_and_years():
    assert period("2020-02", None) == (datetime(2020, 2, 1), datetime(2020, 2, 29, 23, 59, 59))
    assert period("2020", "2021") == (datetime(2020, 1, 1), datetime(2021, 12, 31, 23, 59, 59))


def test_bands_of_the_same_scenes_share_a_line():
    pairs = [member(f"{role}{m.address}", m.date_text, role) for m in SERIES for role in ("red", "nir")]
    lines = summarise(collect(pairs).values())
    assert lines == [
        "@nir @red; 4 rasters; 2020-12-31 to 2022-07-01; 10 x 10 pixels of 10 x 10 m (EPSG:32633); Lake"
    ]


def named(name: str, day: int) -> Member:
    found = member(f"{name}_{day}.tif", f"2020-06-0{day}", "albedo", "")
    return replace(found, band=replace(found.band, name=name))


def test_what_one_date_has_under_two_names_are_two_collections():
    both = collect([named("white", 1), named("black", 1), named("black", 2)])
    assert {c.place: [m.date.day for m in c.members] for c in both.values()} == {
        "black": [1, 2],
        "white": [1],
    }


def test_names_that_follow_each_other_in_time_are_one_series():
    assert [len(c.members) for c in collect([named("white", 1), named("black", 2)]).values()] == [2]
    numbered = collect([named("band 1", 1), named("band 2", 1)])
    assert [len(c.members) for c in numbered.values()] == [2]


@pytest.mark.parametrize(
    ("units", "handles"),
    [
        (("mm", "mm/day"), {"@rain-lake-mm", "@rain-lake-mm-day"}),
        (("dB", "linear power"), {"@rain-lake-db", "@rain-lake-linear-power"}),
        (("mm", None), {"@rain"}),
        (("mg/m3", "mg m-3"), {"@rain"}),  # one unit in two spellings
    ],
)
def test_rates_are_kept_apart_from_depths(units: tuple[str | None, str | None], handles: set[str]):
    found = [
        replace(one, band=replace(one.band, unit=unit))
        for one, unit in zip(
            (member("a.tif", "2021-07-01", "rain"), member("b.tif", "2021-07-11", "rain")), units, strict=True
        )
    ]
    assert set(collect(found)) == handles
