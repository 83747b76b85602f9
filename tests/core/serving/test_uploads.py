from __future__ import annotations

import numpy as np
import pytest

from core.serving import UPLOADS, save_upload
from tests.rasters import write_raster
from toolkit.errors import InputError, RasterUnreadable


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


def test_a_metadata_file_beside_a_raster_is_kept(workspace):
    assert save_upload(workspace, "item.json", [b"{}"]).read_bytes() == b"{}"


def test_save_upload_names_what_was_wrong(workspace):
    with pytest.raises(InputError, match="not a raster by its name"):
        save_upload(workspace, "notes.docx", [b""])


@pytest.mark.parametrize("name", ["corrupt.tif", "all-nodata.tif", "RGB.byte.tif", "test_esri_wkt.tif"])
def test_odd_files_are_kept_or_refused_in_one_sentence(client, workspace, shared, name):
    body = (shared / "rasters" / "odd" / name).read_bytes()
    answer = client.put(f"/upload/{UPLOADS.token(workspace)}/{name}", content=body)
    assert answer.status_code == 201 or (answer.status_code == 422 and len(answer.json()["error"]) > 20)
