"""A vector file that describes another source, in the clothes of a format that is read, opens nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import shapely

from tests.security.loopback import Loopback
from treeline.core.serving.uploads import save_upload
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError
from treeline.toolkit.vector import read_features
from treeline.toolkit.vector.drivers import ogr

STARTS = {
    ".fgb": b"fgb\x03fgb\x01",
    ".gpkg": b"SQLite format 3 ",
    ".shp": b"\x00\x00\x27\x0a",
    ".geojson": b"",
}


@pytest.fixture
def web() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """Polygons of somebody else."""
    path = tmp_path / "private.gpkg"
    ogr().write(
        path,
        np.array([shapely.to_wkb(shapely.box(14, 46, 15, 47))], dtype=object),
        [np.array([201.0])],
        np.array(["secret"], dtype=object),
        geometry_type="Polygon",
        crs="EPSG:4326",
        driver="GPKG",
        layer="secret",
    )
    return path


def virtual(source: str) -> bytes:
    inner = f"<SrcDataSource>{source}</SrcDataSource><SrcLayer>secret</SrcLayer>"
    layer = f'<OGRVRTLayer name="a">{inner}</OGRVRTLayer>'
    return f"<OGRVRTDataSource>{layer}</OGRVRTDataSource>".encode()


@pytest.mark.parametrize("suffix", STARTS)
def test_a_virtual_source_opens_no_other_file(tmp_path: Path, secret: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(STARTS[suffix] + virtual(str(secret)))
    with pytest.raises(InputError):
        read_features(str(path))


@pytest.mark.parametrize("start", STARTS.values())
def test_a_virtual_source_in_an_archive_opens_no_other_file_and_no_address(
    tmp_path: Path, secret: Path, web: Loopback, start: bytes
) -> None:
    workspace = Workspace(tmp_path / "workspace")
    for source in (str(secret), f"{web.address}/x.geojson", f"/vsicurl/{web.address}/x.geojson"):
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.shp", start + virtual(source))
            for other in (".shx", ".dbf"):
                archive.writestr(f"a{other}", b"x")
        with pytest.raises(InputError):
            save_upload(workspace, "a.zip", [path.read_bytes()])
    assert not web.paths and not list(workspace.inputs_folder.iterdir())


def test_the_library_has_no_driver_that_follows_addresses() -> None:
    asked = (
        "import json, treeline.toolkit.vector.drivers as d; d.ogr(); "
        "import pyogrio; print(json.dumps(sorted(pyogrio.list_drivers())))"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert set(json.loads(done.stdout)) <= {
        "ESRI Shapefile",
        "FlatGeobuf",
        "GPKG",
        "GeoJSON",
        "MEM",
        "Memory",
    }
    assert done.stderr == ""
