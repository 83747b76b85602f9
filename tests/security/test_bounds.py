"""What is cheap to send must not be dear to read: limits on bands, pixels, features, nesting and bytes."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import rasterio
import shapely
from pyogrio import raw
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.rasters import write_raster
from treeline.core.serving import UPLOADS, routes, save_upload
from treeline.core.serving.uploads import NoRoom
from treeline.core.workspace import Workspace
from treeline.knowledge.card import built_in_cards, cards_from_yaml, cards_to_yaml
from treeline.knowledge.errors import CardError
from treeline.toolkit.errors import InputError, RasterUnreadable
from treeline.toolkit.limits import Limits
from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.recognition.describe import describe
from treeline.toolkit.vector import read_features

SECONDS = 30.0


@contextmanager
def quickly() -> Iterator[None]:
    """Fail when the block takes as long as no refusal may."""
    started = time.monotonic()
    yield
    assert time.monotonic() - started < SECONDS


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path / "workspace")
    write_raster(made.inputs_folder / "good.tif", np.ones((8, 8), dtype="uint8"))
    return made


def empty(path: Path, side: int, bands: int, **options: object) -> Path:
    """Write a TIFF without a stored pixel."""
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        width=side,
        height=side,
        count=bands,
        dtype="uint8",
        sparse_ok=True,
        **options,
    ):
        pass
    return path


def white_png(path: Path, side: int) -> Path:
    """Write a PNG of one colour line by line."""
    pack = zlib.compressobj(1)
    data = b"".join(pack.compress(bytes(1 + side)) for _ in range(side)) + pack.flush()
    header = side.to_bytes(4, "big") * 2 + bytes((8, 0, 0, 0, 0))
    chunks = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    with path.open("wb") as stream:
        stream.write(b"\x89PNG\r\n\x1a\n")
        for kind, content in chunks:
            body = kind + content
            stream.write(len(content).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big"))
    return path


def test_a_raster_of_too_many_bands_is_shown_as_unreadable(workspace: Workspace) -> None:
    empty(workspace.inputs_folder / "bands.tif", 4, 20_000, interleave="band")
    with quickly():
        assert "20,000 bands" in workspace.problems["bands.tif"]
    assert [raster.path.name for raster in workspace.rasters] == ["good.tif"]


def test_a_raster_of_too_many_pixels_is_refused(tmp_path: Path) -> None:
    tiles = {"tiled": True, "blockxsize": 4096, "blockysize": 4096, "compress": "deflate"}
    path = empty(tmp_path / "huge.tif", 1_000_000, 1, **tiles)
    with quickly(), pytest.raises(RasterUnreadable, match="1,000,000,000,000 pixels"):
        describe(path)


def test_a_png_is_decoded_only_where_it_is_small(tmp_path: Path) -> None:
    path = white_png(tmp_path / "huge.png", 20_000)
    with quickly(), pytest.raises(RasterUnreadable, match="400,000,000 pixels"):
        describe(path)


def test_a_thousand_bands_are_described_in_linear_time(tmp_path: Path) -> None:
    path = empty(tmp_path / "many.tif", 8, 2_000, interleave="band")
    with quickly():
        assert len(describe(path).bands) == 2_000


def test_limits_are_set_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_raster(tmp_path / "a.tif", np.ones((3, 8, 8), dtype="uint8"))
    monkeypatch.setenv("TREELINE_LIMITS", "bands=2 pixels=1e9")
    assert (Limits.from_environment().bands, Limits.from_environment().pixels) == (2, 10**9)
    with pytest.raises(RasterUnreadable, match="3 bands, more than the 2"):
        open_raster_file(path)
    for wrong in ("bands", "bands=-1", "bands=many", "teeth=3", "bands=inf"):
        monkeypatch.setenv("TREELINE_LIMITS", wrong)
        with pytest.raises(InputError, match="TREELINE_LIMITS"):
            Limits.from_environment()


def geopackage(path: Path, *statements: str) -> Path:
    """Write a GeoPackage of one square and run SQL on it."""
    squares = shapely.to_wkb([shapely.box(0, 0, 1, 1)])
    raw.write(
        path,
        squares,
        [np.ones(1)],
        ["size"],
        layer="squares",
        geometry_type="Polygon",
        crs="EPSG:4326",
        driver="GPKG",
    )
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA trusted_schema = ON")
        for statement in statements:
            connection.execute(statement)
    return path


ENDLESS = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS fid, NULL AS geom FROM n"
)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (f"CREATE VIEW endless AS {ENDLESS}", "view 'endless'"),
        ("CREATE VIRTUAL TABLE f USING fts5(a)", "virtual table 'f'"),
        ("CREATE TABLE c (a INTEGER, b BLOB GENERATED ALWAYS AS (zeroblob(900000000)) VIRTUAL)", "computed"),
        ("CREATE TABLE c (a INTEGER, b GENERATED/**/ALWAYS/**/AS/**/(zeroblob(900000000)))", "computed"),
        ("CREATE TABLE c (a INTEGER, b AS -- it is (\n (zeroblob(900000000)))", "computed"),
        ("CREATE VIRTUAL TABLE [x USING rtree] USING/**/fts5(a)", "virtual table 'x USING rtree'"),
    ],
)
@pytest.mark.parametrize("ending", ["gpkg", "tif", "json"])
def test_a_geopackage_that_computes_is_refused(
    tmp_path: Path, statement: str, words: str, ending: str
) -> None:
    path = geopackage(tmp_path / "a.gpkg", statement).rename(tmp_path / f"a.{ending}")
    with quickly(), pytest.raises(InputError, match=words):
        read_features(str(path))


def test_what_other_software_writes_into_a_geopackage_is_no_program(tmp_path: Path) -> None:
    path = geopackage(
        tmp_path / "a.gpkg",
        "CREATE TABLE notes (\"as\" TEXT DEFAULT 'always as (x)', n CHECK (CAST(n AS INTEGER) > 0))",
        "CREATE UNIQUE INDEX of_notes ON notes(n)",
        "CREATE TRIGGER on_notes AFTER INSERT ON notes BEGIN DELETE FROM notes WHERE n < 0; END",
    )
    assert len(read_features(str(path)).items) == 1


def test_an_endless_view_in_place_of_a_layer_is_refused_on_upload(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = geopackage(
        tmp_path / "a.gpkg",
        "ALTER TABLE squares RENAME TO hidden",
        f"CREATE VIEW squares AS {ENDLESS}",
    )
    with quickly(), pytest.raises(InputError, match="view"):
        save_upload(workspace, "a.gpkg", [path.read_bytes()])
    assert [p.name for p in workspace.inputs_folder.iterdir()] == ["good.tif"]


def test_a_plain_geopackage_is_read_and_left_as_it_is(tmp_path: Path) -> None:
    path = geopackage(tmp_path / "a.gpkg")
    before = path.read_bytes()
    assert len(read_features(str(path)).items) == 1
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.gpkg"]


def test_features_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.fgb"
    raw.write(
        path,
        shapely.to_wkb([shapely.Point(n, 0) for n in range(9)]),
        [],
        [],
        geometry_type="Point",
        crs="EPSG:4326",
        driver="FlatGeobuf",
    )
    assert len(read_features(str(path)).items) == 9
    monkeypatch.setenv("TREELINE_LIMITS", "features=8")
    with pytest.raises(InputError, match="more than 8 features"):
        read_features(str(path))


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{" * 50_000, "nested"),
        ("[" * 50_000, "nested"),
        ("- " * 50_000, "nested"),
        ("a: " + "{a: " * 30 + "1" + "}" * 30, "nested"),
        (BOMB, "part of itself"),
        ("x" * 5_000_000, "characters"),
        ("title: \ud800", "not valid YAML"),
        ("!!python/object/apply:os.system [ls]", "not valid YAML"),
    ],
)
def test_yaml_is_bounded(text: str, words: str) -> None:
    with quickly(), pytest.raises(CardError, match=words):
        cards_from_yaml(text)


def test_the_cards_are_within_the_bounds_and_come_back() -> None:
    cards = list(built_in_cards())
    assert cards_from_yaml(cards_to_yaml([cards[0], cards[0], *cards])) == [cards[0], cards[0], *cards]


def test_an_upload_ends_at_its_limit(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREELINE_LIMITS", "upload=1000")
    client = TestClient(Starlette(routes=routes()))
    address = f"/upload/{UPLOADS.token(workspace)}/a.tif"
    announced = client.put(address, content=bytes(5000))
    streamed = client.put(address, content=(bytes(600) for _ in range(9)))
    for answer in (announced, streamed):
        assert (answer.status_code, "is larger than" in answer.text) == (413, True)
    with pytest.raises(NoRoom):
        save_upload(workspace, "a.tif", (bytes(600) for _ in range(9)))
    assert [p.name for p in workspace.inputs_folder.iterdir()] == ["good.tif"]


def test_an_upload_leaves_room_on_the_disk(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    free = shutil.disk_usage(workspace.inputs_folder).free
    monkeypatch.setenv("TREELINE_LIMITS", f"free={free * 2}")
    client = TestClient(Starlette(routes=routes()))
    answer = client.put(f"/upload/{UPLOADS.token(workspace)}/a.tif", content=b"II*\0")
    assert (answer.status_code, "no room" in answer.text) == (413, True)


def test_a_file_of_the_system_is_no_raster(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tif")
    with quickly(), pytest.raises(InputError):
        open_raster_file(tmp_path / "pipe.tif")
