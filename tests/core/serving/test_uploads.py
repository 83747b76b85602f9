from __future__ import annotations

import json
import zipfile
from functools import partial

import numpy as np
import pytest
import shapely
from pyogrio import raw

from tests.rasters import write_raster
from treeline.core.disclosure.fixed import Flat
from treeline.core.engine.actions import Call
from treeline.core.engine.environment import Environment
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State
from treeline.core.errors import QuotaReached
from treeline.core.record.store import Store
from treeline.core.runs.quotas import room_of
from treeline.core.serving import ACCEPTED_TEXT, UPLOADS, save_upload
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.errors import InputError, RasterUnreadable


@pytest.fixture
def content(tmp_path):
    return write_raster(tmp_path / "source.tif", np.ones((30, 30), dtype="float32")).read_bytes()


def test_put_streams_a_raster_into_the_workspace(client, workspace, content):
    answer = client.put(f"/upload/{UPLOADS.token(workspace)}/red%20band.tif", content=content)
    assert answer.status_code == 201
    assert answer.json() == {"name": "red band.tif", "bytes": len(content)}
    assert (workspace.inputs_folder / "red band.tif").read_bytes() == content
    workspace.refresh()
    assert [raster.path.name for raster in workspace.rasters] == ["red band.tif"]


def test_unknown_token_is_not_found(client, content):
    assert client.put("/upload/nothing/a.tif", content=content).status_code == 404


@pytest.mark.parametrize(
    "name",
    ["..%2Fa.tif", "%2e%2e%2fa.tif", "a%2Fb.tif", "..\\a.tif", ".hidden.tif", "a.vrt", "a", "a%00.tif"],
)
def test_names_that_are_no_plain_raster_names_are_refused(client, workspace, content, name):
    answer = client.put(f"/upload/{UPLOADS.token(workspace)}/{name}", content=content)
    assert answer.status_code in (404, 422)
    assert list(workspace.folder.rglob("*.*")) == []


@pytest.mark.parametrize("body", [b"", b"hello, this is text", b"II*\x00" + b"\x00" * 40])
def test_what_is_no_raster_is_refused_in_a_sentence_and_nothing_stays(client, workspace, body):
    answer = client.put(f"/upload/{UPLOADS.token(workspace)}/field.tif", content=body)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("field.tif ")
    assert list(workspace.inputs_folder.iterdir()) == []


def test_a_virtual_raster_in_disguise_is_refused(client, workspace):
    body = b'<VRTDataset rasterXSize="1" rasterYSize="1"><SRS>EPSG:4326</SRS></VRTDataset>'
    answer = client.put(f"/upload/{UPLOADS.token(workspace)}/field.tif", content=body)
    assert answer.status_code == 422


def test_a_taken_name_is_a_conflict_and_the_first_file_stays(client, workspace, content):
    address = f"/upload/{UPLOADS.token(workspace)}/a.tif"
    client.put(address, content=content)
    answer = client.put(address, content=b"other")
    assert answer.status_code == 409
    assert (workspace.inputs_folder / "a.tif").read_bytes() == content


def test_truncated_raster_is_refused(workspace, content):
    with pytest.raises(RasterUnreadable, match=r"a\.tif"):
        save_upload(workspace, "a.tif", [content[: len(content) // 2]])


def test_what_is_sent_counts_as_it_comes_where_nobody_says_how_much_it_is(workspace, monkeypatch):
    monkeypatch.setenv("TREELINE_QUOTAS", "disk=5000")
    with pytest.raises(QuotaReached, match="products counted"):
        save_upload(workspace, "long.txt", (bytes(1000) for _ in range(9)))
    assert list(workspace.inputs_folder.iterdir()) == []
    save_upload(workspace, "short.txt", [bytes(1000)])


def test_what_others_sent_meanwhile_counts(client, workspace, monkeypatch):
    monkeypatch.setenv("TREELINE_QUOTAS", "disk=5000")

    def parts():
        yield bytes(1000)
        (workspace.inputs_folder / "meanwhile.txt").write_bytes(bytes(4500))
        yield bytes(1000)

    address = f"/upload/{UPLOADS.token(workspace)}/a.txt"
    assert client.put(address, content=parts(), headers={"Content-Length": "2000"}).status_code == 413
    assert [path.name for path in workspace.inputs_folder.iterdir()] == ["meanwhile.txt"]


def test_an_archive_holds_no_more_than_the_quota_leaves(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("TREELINE_QUOTAS", "disk=60000")
    store = Store(tmp_path / "store.sqlite")
    monkeypatch.setattr("treeline.core.workspace.workspace._find_room", partial(room_of, store))
    write_raster(tmp_path / "ndvi.tif", np.zeros((200, 200), dtype="float32"))
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(tmp_path / "ndvi.tif", "ndvi_2021-06-01.tif")
    save_upload(workspace, "a.zip", [(tmp_path / "a.zip").read_bytes()])
    workspace.refresh()
    assert workspace.rasters == () and "more than may be taken out" in workspace.problems["a.zip"]
    monkeypatch.setenv("TREELINE_QUOTAS", "disk=600000")
    workspace.refresh()
    assert len(workspace.rasters) == 1


@pytest.mark.parametrize("name", ["item.json", "cover.qml", "cover.tif.aux.xml"])
def test_a_metadata_file_beside_a_raster_is_kept(workspace, name):
    assert save_upload(workspace, name, [b"{}"]).read_bytes() == b"{}"


@pytest.mark.parametrize("name", ["\ud800.tif", "a\u202efit.tif", "a\u200b.tif", "a\nb.tif"])
def test_names_that_cannot_be_seen_are_refused(workspace, content, name):
    with pytest.raises(InputError, match="not usable as a file name"):
        save_upload(workspace, name, [content])
    assert list(workspace.inputs_folder.iterdir()) == []


def test_a_refusal_does_not_tell_where_the_server_keeps_files(workspace, tmp_path):
    body = b"SQLite format 3\x00" + bytes(4096)
    with pytest.raises(InputError) as refused:
        save_upload(workspace, "a.gpkg", [body])
    assert str(workspace.folder) not in str(refused.value)


def test_save_upload_names_what_was_wrong(workspace):
    with pytest.raises(InputError, match="neither a raster nor a vector file") as refused:
        save_upload(workspace, "notes.docx", [b""])
    # In the words in which the page says what may come in.
    assert ACCEPTED_TEXT in str(refused.value)
    with pytest.raises(RasterUnreadable, match="begins with 'not a ra'"):
        save_upload(workspace, "notes.tif", [b"not a raster"])


@pytest.mark.parametrize("name", ["corrupt.tif", "all-nodata.tif", "RGB.byte.tif", "test_esri_wkt.tif"])
def test_odd_files_are_kept_or_refused_in_one_sentence(client, workspace, shared, name):
    body = (shared / "rasters" / "odd" / name).read_bytes()
    answer = client.put(f"/upload/{UPLOADS.token(workspace)}/{name}", content=body)
    assert answer.status_code == 201 or (answer.status_code == 422 and len(answer.json()["error"]) > 20)


SQUARE = {"type": "Polygon", "coordinates": [[[15, 46], [15.01, 46], [15.01, 46.01], [15, 46.01], [15, 46]]]}
FEATURES = {
    "type": "FeatureCollection",
    "features": [{"type": "Feature", "geometry": SQUARE, "properties": {"name": "field"}}],
}


@pytest.fixture
def vectors(tmp_path):
    """The same polygon in every format, a shapefile as an archive; by suffix."""
    folder = tmp_path / "vectors"
    folder.mkdir()
    square = np.array([shapely.to_wkb(shapely.geometry.shape(SQUARE))], dtype=object)
    for suffix, driver in ((".gpkg", "GPKG"), (".fgb", "FlatGeobuf"), (".shp", "ESRI Shapefile")):
        raw.write(
            folder / f"a{suffix}",
            square,
            [np.array(["field"])],
            np.array(["name"], dtype=object),
            driver=driver,
            geometry_type="Polygon",
            crs="EPSG:4326",
        )
    (folder / "a.geojson").write_text(json.dumps(FEATURES))
    archive_parts(folder, "a.zip", *(f"a{suffix}" for suffix in (".shp", ".shx", ".dbf", ".prj")))
    return folder


def archive_parts(folder, name, *parts, below=""):
    with zipfile.ZipFile(folder / name, "w") as archive:
        for part in parts:
            archive.write(folder / part, below + part)
    return folder / name


@pytest.mark.parametrize("name", ["a.geojson", "a.gpkg", "a.fgb", "a.zip"])
def test_an_uploaded_vector_file_serves_zonal_statistics(client, workspace, vectors, name, tmp_path):
    write_raster(
        workspace.inputs_folder / "ndvi.tif",
        np.full((20, 20), 0.5, "float32"),
        crs="EPSG:4326",
        origin=(15, 46.01),
        pixel=0.0005,
    )
    answer = client.put(f"/upload/{UPLOADS.token(workspace)}/{name}", content=(vectors / name).read_bytes())
    assert answer.status_code == 201, answer.text
    workspace.refresh()
    (zones,) = (path.name for path in workspace.vector_files())
    environment = Environment(RunData(workspace, "run"), Flat(SkillTree.of(registry())), registry())
    for address in (zones, f"benchmark/data/{zones}", f"Result saved at {zones}"):
        call = Call("zonal_statistics", {"input_path": "ndvi.tif", "zones_path": address})
        observation = environment.act(call, State(""))
        assert observation.kind == "result", observation
        assert observation.value[0]["mean"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("name", "body", "says"),
    [
        ("a.geojson", b"{", "no valid GeoJSON"),
        ("a.geojson", b'{"type": "FeatureCollection", "features": []}', "no features"),
        ("a.gpkg", b"SQLite format 3\0" + b"\0" * 200, "no vector file"),
        ("a.fgb", b"hello", "no vector file"),
        ("a.zip", b"PK\3\4 hello", "no usable archive"),
        ("a.shp", b"", "zipped shapefiles"),
    ],
)
def test_what_is_no_vector_file_is_refused_and_nothing_stays(client, workspace, name, body, says):
    answer = client.put(f"/upload/{UPLOADS.token(workspace)}/{name}", content=body)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith((name, repr(name))) and says in answer.json()["error"]
    assert list(workspace.inputs_folder.iterdir()) == []


def test_an_archive_serves_its_shapefile_alone(client, workspace, vectors):
    (vectors / "evil.tif").write_bytes(b"evil")
    parts = ("a.shp", "a.shx", "a.dbf")
    whole = archive_parts(vectors, "whole.zip", *parts, "evil.tif", below="../../")
    address = f"/upload/{UPLOADS.token(workspace)}"
    assert client.put(f"{address}/b.zip", content=whole.read_bytes()).status_code == 201
    assert [p.name for p in workspace.inputs_folder.iterdir()] == ["b.zip"]
    assert [path.name for path in workspace.vector_files()] == ["b.zip"] and workspace.rasters == ()
    lacking = archive_parts(vectors, "lacking.zip", "a.shp", "a.dbf").read_bytes()
    assert ".shx" in client.put(f"{address}/c.zip", content=lacking).json()["error"]
    assert client.put(f"{address}/b.zip", content=whole.read_bytes()).status_code == 409
