"""VIIRS grids as NASA's user guides lay them out in HDF-EOS5; not tried on real products.

NASA Black Marble (VNP46) User Guide; VIIRS Vegetation Index Product Series (VNP13) User Guide.
"""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest

from treeline.toolkit.containers.unpacking import unpack
from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.recognition.describe import describe

STRUCTURE = """GROUP=SwathStructure
END_GROUP=SwathStructure
GROUP=GridStructure
	GROUP=GRID_1
		GridName="{name}"
		XDim={side}
		YDim={side}
		UpperLeftPointMtrs=({left},{top})
		LowerRightMtrs=({right},{bottom})
		Projection={projection}
		{parameters}
	END_GROUP=GRID_1
END_GROUP=GridStructure
END
"""
SIDE = 24
TILE = 1111950.519667
SPHERE = "ProjParams=(6371007.181000,0,0,0,0,0,0,0,0,0,0,0,0)"


def write(path: Path, fields: dict[str, tuple[np.ndarray, dict[str, object]]], **structure: object) -> Path:
    """Write a file with one grid."""
    with h5py.File(path, "w") as opened:
        text = STRUCTURE.format(side=SIDE, **{"parameters": "", **structure})
        opened["HDFEOS INFORMATION/StructMetadata.0"] = np.bytes_(text)
        for name, (values, attributes) in fields.items():
            field = opened.create_dataset(f"HDFEOS/GRIDS/{structure['name']}/Data Fields/{name}", data=values)
            field.attrs.update(attributes)
    return path


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def test_night_lights_on_a_geographic_tile(tmp_path: Path, out: Path) -> None:
    lights = np.full((SIDE, SIDE), 120, "uint16")
    lights[0, 0] = 65535
    packed: dict[str, object] = {"_FillValue": np.uint16(65535), "scale_factor": 0.1}
    file = write(
        tmp_path / "VNP46A2.A2020001.h18v04.001.2020280000000.h5",
        {"Gap_Filled_DNB_BRDF-Corrected_NTL": (lights, packed)},
        name="VNP_Grid_DNB",
        projection="HE5_GCTP_GEO",
        left="0.000000",
        top="50000000.000000",
        right="10000000.000000",
        bottom="40000000.000000",
    )
    assert unpack(file, out) == 1
    found = describe(next(out.iterdir()))
    assert (found.bands[0].role, found.bands[0].scale, found.crs) == ("ntl_radiance", 0.1, "EPSG:4326")
    assert found.date is not None and found.date.isoformat().startswith("2020-01-01")
    np.testing.assert_allclose(found.bounds, (0, 40, 10, 50))
    assert 65535 in found.bands[0].fill


def test_an_index_on_a_sinusoidal_tile(tmp_path: Path, out: Path) -> None:
    index = np.full((SIDE, SIDE), 6000, "int16")
    file = write(
        tmp_path / "VNP13A1.A2021185.h18v04.002.2021203000000.h5",
        {"500 m 16 days NDVI": (index, {"_FillValue": np.int16(-15000), "scale_factor": 1e-4})},
        name="VIIRS_Grid_16Day_VI_500m",
        projection="HE5_GCTP_SNSOID",
        parameters=SPHERE,
        left="0.0",
        top=5 * TILE,
        right=TILE,
        bottom=4 * TILE,
    )
    assert unpack(file, out) == 1
    found = describe(next(out.iterdir()))
    assert (found.bands[0].role, found.bands[0].scale) == ("ndvi", 1e-4)
    assert found.crs is not None and "inusoidal" in found.crs
    assert found.bounds[3] == pytest.approx(5 * TILE)
    assert found.transform[0] == pytest.approx(TILE / SIDE)


@pytest.mark.parametrize("projection", ["HE5_GCTP_LAMAZ", "HE5_GCTP_SNSOID", ""])
def test_a_projection_that_is_not_known_is_refused(tmp_path: Path, out: Path, projection: str) -> None:
    values = np.zeros((SIDE, SIDE), "int16")
    file = write(
        tmp_path / "x.h5",
        {"NDVI": (values, {})},
        name="G",
        projection=projection,
        left=0,
        top=10,
        right=10,
        bottom=0,
    )
    with pytest.raises(RasterUnreadable, match=r"x\.h5 has no variable with even axes"):
        unpack(file, out)
