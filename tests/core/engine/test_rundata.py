"""Which file a path means."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from types import SimpleNamespace

import pytest

from treeline.core.engine.actions import ProductRecord
from treeline.core.engine.rundata import RunData, _inheritance_of
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError


@pytest.mark.parametrize(
    ("address", "files", "found"),
    [
        ("x/a.tif", ["/d/a.tif"], "/d/a.tif"),
        ("x/a.tif", ["/d/b.tif"], None),
        ("y/x/a.tif", ["/d/x/a.tif", "/e/y/x/a.tif"], "/e/y/x/a.tif"),  # the longest tail
        ("x/a.tif", ["/d/e/x/a.tif", "/d/x/a.tif"], "/d/x/a.tif"),  # the least deep
        ("x/a.tif", ["/d/x/a.tif", "/e/x/a.tif"], None),  # either
        ("a.tif", ["/d/a.tif", "/p/a.tif"], None),
        ("", ["/d/a.tif"], None),
    ],
)
def test_a_path_means_the_one_file_that_lies_most_as_it_says(
    address: str, files: list[str], found: str | None
):
    stub = SimpleNamespace(
        folder=Path("/run"), _products=("made.tif",), _files_like=lambda _: [Path(file) for file in files]
    )
    assert RunData.locate(stub, address) == found  # type: ignore[arg-type]
    assert RunData.locate(stub, "elsewhere/made.tif") == "/run/made.tif"  # type: ignore[arg-type]


def raster(address: str, role: str | None, place: str, date: str | None) -> SimpleNamespace:
    return SimpleNamespace(
        address=address,
        role=role,
        date=date and dt.datetime.fromisoformat(date),
        description=SimpleNamespace(place=place),
    )


@pytest.mark.parametrize(
    ("rasters", "found"),
    [
        ([("b.tif", "ndvi", "Lake", "2021-05-03")], "b.tif"),
        ([("b.tif", "ndvi", "LAKE", "2021-05-03")], "b.tif"),
        ([("b.tif", "ndvi", "Lake", "2021-05-04")], None),
        ([("b.tif", "ndvi", "River", "2021-05-03")], None),
        ([("b.tif", "ndwi", "Lake", "2021-05-03")], None),
        ([("b.tif", "ndvi", "Lake", "2021-05-03"), ("c.tif", "ndvi", "Lake", "2021-05-03")], None),
        ([("b.tif", "ndvi", "Lake", "2021-05-03"), ("c.tif", "ndwi", "Lake", "2021-05-03")], "b.tif"),
    ],
)
def test_a_name_of_another_source_means_the_one_raster_of_its_variable_place_and_date(rasters, found):
    by_role: dict[str, SimpleNamespace] = {}
    for address, role, place, date in rasters:
        collection = by_role.setdefault(role, SimpleNamespace(role=role, members=[]))
        collection.members.append(raster(address, role, place, date))
    stub = SimpleNamespace(workspace=SimpleNamespace(collections=by_role))
    assert RunData.alike(stub, "Lake_2021-05-03_NDVI.tif") == found  # type: ignore[arg-type]
    assert RunData.alike(stub, "Lake_NDVI.tif") is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("inputs", "dated_by", "place", "date"),
    [
        (["Lake 2021-05-03", "Lake 2021-05-03"], None, "Lake", "2021-05-03"),
        (["Lake 2021-05-03", "River 2021-05-03"], None, "", "2021-05-03"),
        (["Lake 2021-05-03", "Lake 2021-06-03"], None, "Lake", None),
        (["Lake 2021-05-03", "lost"], None, "Lake", "2021-05-03"),
        (["Lake 2021-05-03"], (), "Lake", None),  # it gives the grid alone
        (["Lake 2021-05-03", "Lake 2021-06-03"], ("Lake 2021-06-03",), "Lake", "2021-06-03"),
        ([], None, "", None),
    ],
)
def test_a_product_has_the_place_its_inputs_share_and_the_date_of_those_that_date_it(
    inputs: list[str], dated_by: tuple[str, ...] | None, place: str, date: str | None
):
    def describe(path: str) -> list[SimpleNamespace]:
        if path == "lost":
            raise InputError("There is no such file.")
        where, day = path.split()
        return [SimpleNamespace(place=where, date=dt.datetime.fromisoformat(day), date_precision="day")]

    stub = SimpleNamespace(resolver=SimpleNamespace(describe=describe))
    found = RunData._inherit(stub, SimpleNamespace(inputs=inputs, dated_by=dated_by))  # type: ignore[arg-type]
    assert found.place == place
    assert (found.date, found.precision) == (
        (dt.datetime.fromisoformat(date), "day") if date else (None, None)
    )


@pytest.mark.parametrize(
    ("written", "date", "precision"),
    [
        ("", None, None),
        ("2021", "2021-01-01", "year"),
        ("2021-06", "2021-06-01", "month"),
        ("2021-06-03", "2021-06-03", "day"),
        ("2021-06-03T10:30", "2021-06-03T10:30", "minute"),
    ],
)
def test_a_product_of_the_record_has_its_date_as_precisely_as_it_is_written(
    written: str, date: str | None, precision: str | None
):
    found = _inheritance_of(ProductRecord("a.tif", "/d/a.tif", "", "", date=written or None))
    given = found.date.replace(tzinfo=None).isoformat()[: len(date)] if found.date and date else None
    assert (given, found.precision) == (date, precision)


def test_products_of_an_earlier_part_are_taken_back_where_their_files_stand(tmp_path: Path):
    data = RunData(Workspace(tmp_path / "lake"), "run")
    records = [
        ProductRecord(name, str(data.folder / name), "", "", kind="table") for name in ("a.csv", "gone.csv")
    ]
    (data.folder / "a.csv").write_text("1")
    data.restore(records)
    assert data.products == (records[0],)
