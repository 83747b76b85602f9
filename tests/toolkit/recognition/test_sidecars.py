from __future__ import annotations

import json
import math
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit.recognition import FileResolver, RasterDescription
from treeline.toolkit.recognition.describe import describe

SCENE = "LC08_L1TP_047027_20201204_20210313_02_T1"
LEVEL2 = "LT05_L2SP_047027_20001204_20210313_02_T1"


def _raster(path: Path, value: float, dtype: str = "uint16", **more: Any) -> RasterDescription:
    write_raster(path, np.full((8, 8), value, dtype), **more)
    return describe(path)


def _item(asset: dict, **properties: Any) -> dict:
    return {
        "type": "Feature",
        "stac_version": "1.0.0",
        "id": "scene",
        "geometry": None,
        "links": [],
        "collection": properties.pop("collection", "sentinel-2-l2a"),
        "properties": {"datetime": "2022-04-13T15:07:59.024Z", "platform": "sentinel-2b", **properties},
        "assets": {"red": asset},
    }


def _band(**raster: Any) -> dict:
    named = [{"name": "B04", "common_name": "red"}]
    return {"href": "https://other.example/x/cut.tif?token=1", "eo:bands": named, "raster:bands": [raster]}


def test_stac_item_gives_role_date_and_baseline(tmp_path: Path) -> None:
    item = _item(_band(), **{"s2:processing_baseline": "05.09"})
    (tmp_path / "item.json").write_text(json.dumps(item))
    found = _raster(tmp_path / "cut.tif", 2000)
    (band,) = found.bands
    assert (band.name, band.role, band.scale, band.offset) == ("B04", "red", 0.0001, -0.1)
    assert (found.date, found.sensor) == (datetime(2022, 4, 13, 15, 7, 59, 24000), "Sentinel-2 MSI")
    assert band.evidence[0].source == "metadata"


def test_stac_scale_and_offset(tmp_path: Path) -> None:
    item = _item(_band(scale=0.002, offset=0.5, unit="1"), collection="mine", platform="balloon")
    (tmp_path / "item.json").write_text(json.dumps(item))
    found = _raster(tmp_path / "cut.tif", 200)
    assert (found.bands[0].role, found.bands[0].scale, found.bands[0].offset) == ("red", 0.002, 0.5)
    assert found.sensor == "balloon"


def test_stac_offset_of_sentinel_2_is_weighed_against_the_values(tmp_path: Path) -> None:
    (tmp_path / "item.json").write_text(json.dumps(_item(_band(scale=0.0001, offset=-0.1))))
    assert _raster(tmp_path / "cut.tif", 2000).bands[0].offset == -0.1
    dark = _raster(tmp_path / "cut.tif", 300)
    assert dark.bands[0].offset == 0.0
    assert "removed already" in dark.warnings[0]


def test_stac_version_1_1_and_a_range_of_dates(tmp_path: Path) -> None:
    band = {"name": "SR_B4", "eo:common_name": "red", "raster:scale": 0.0000275, "raster:offset": -0.2}
    asset = {"href": "./cut.tif", "bands": [band]}
    item = _item(
        asset,
        collection="landsat-c2-l2",
        platform="landsat-9",
        datetime=None,
        start_datetime="2023-01-02T00:00:00Z",
    )
    (tmp_path / "cut.json").write_text(json.dumps(item))
    found = _raster(tmp_path / "cut.tif", 9000)
    assert (found.date, found.sensor) == (datetime(2023, 1, 2), "Landsat 8-9 OLI/TIRS")
    assert (found.bands[0].role, found.bands[0].scale, found.bands[0].fill) == ("red", 0.0000275, (0.0,))


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"stac_version": 1}', "[" * 5000, '{"type": "FeatureCollection"}']
)
def test_files_that_are_no_items_are_passed_over(tmp_path: Path, text: str) -> None:
    (tmp_path / "cut_NDVI.json").write_text(text)
    found = _raster(tmp_path / "cut_NDVI.tif", 0.5, "float32")
    assert found.bands[0].role == "ndvi"


def test_an_item_of_another_file_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "item.json").write_text(json.dumps(_item(_band())))
    assert _raster(tmp_path / "other.tif", 0.5, "float32").bands[0].role is None


GROUPS = {
    "PRODUCT_CONTENTS": {"PROCESSING_LEVEL": "L1TP"},
    "IMAGE_ATTRIBUTES": {
        "SPACECRAFT_ID": "LANDSAT_8",
        "DATE_ACQUIRED": "2020-12-04",
        "SCENE_CENTER_TIME": "18:55:43.1234567Z",
        "SUN_ELEVATION": "30.0",
    },
    "LEVEL1_RADIOMETRIC_RESCALING": {"REFLECTANCE_MULT_BAND_4": "2.0E-05", "REFLECTANCE_ADD_BAND_4": "-0.1"},
}


def _as_text(groups: dict[str, dict[str, str]]) -> str:
    lines = ["GROUP = LANDSAT_METADATA_FILE"]
    for name, entries in groups.items():
        inside = (f'    {key} = "{value}"' for key, value in entries.items())
        lines += [f"  GROUP = {name}", *inside, f"  END_GROUP = {name}"]
    return "\n".join([*lines, "END_GROUP = LANDSAT_METADATA_FILE", "END"])


def _as_xml(groups: dict[str, dict[str, str]]) -> str:
    inner = "".join(
        f"<{name}>" + "".join(f"<{k}>{v}</{k}>" for k, v in entries.items()) + f"</{name}>"
        for name, entries in groups.items()
    )
    return f"<LANDSAT_METADATA_FILE>{inner}</LANDSAT_METADATA_FILE>"


def _as_json(groups: dict[str, dict[str, str]]) -> str:
    return json.dumps({"LANDSAT_METADATA_FILE": groups})


@pytest.mark.parametrize(
    ("ending", "write", "folder"),
    [
        ("txt", _as_text, "."),
        ("xml", _as_xml, ".."),
        ("json", _as_json, "metadata"),
        ("txt", _as_text, "../MTL"),
    ],
)
def test_level_1_is_scaled_by_its_mtl_file(tmp_path: Path, ending: str, write: Any, folder: str) -> None:
    bands = tmp_path / "bands"
    bands.mkdir()
    (bands / folder).mkdir(exist_ok=True)
    (bands / folder / f"{SCENE}_MTL.{ending}").write_text(write(GROUPS))
    found = _raster(bands / f"{SCENE}_B4.TIF", 10000)
    (band,) = found.bands
    sine = math.sin(math.radians(30))
    assert (band.role, band.scale_known, band.fill) == ("red", True, (0.0,))
    assert (band.scale, band.offset) == pytest.approx((2e-5 / sine, -0.1 / sine))
    assert found.date == datetime(2020, 12, 4, 18, 55, 43)


def test_level_2_takes_the_group_of_its_level(tmp_path: Path) -> None:
    groups = {
        "IMAGE_ATTRIBUTES": {**GROUPS["IMAGE_ATTRIBUTES"], "SPACECRAFT_ID": "LANDSAT_5"},
        "LEVEL2_SURFACE_REFLECTANCE_PARAMETERS": {
            "REFLECTANCE_MULT_BAND_4": "2.75e-05",
            "REFLECTANCE_ADD_BAND_4": "-0.2",
        },
        "LEVEL2_SURFACE_TEMPERATURE_PARAMETERS": {
            "TEMPERATURE_MULT_BAND_ST_B6": "0.00341802",
            "TEMPERATURE_ADD_BAND_ST_B6": "149.0",
        },
        "LEVEL1_RADIOMETRIC_RESCALING": {"REFLECTANCE_MULT_BAND_4": "9.9", "REFLECTANCE_ADD_BAND_4": "9.9"},
    }
    (tmp_path / f"{LEVEL2}_MTL.txt").write_text(_as_text(groups))
    near = _raster(tmp_path / f"{LEVEL2}_SR_B4.TIF", 20000)
    assert (near.bands[0].role, near.bands[0].scale, near.bands[0].offset) == ("nir", 2.75e-5, -0.2)
    heat = _raster(tmp_path / f"{LEVEL2}_ST_B6.TIF", 44000)
    assert (heat.bands[0].role, heat.bands[0].scale, heat.bands[0].offset) == ("lst", 0.00341802, 149.0)
    assert heat.sensor == "Landsat 4-7 TM/ETM+"


def test_an_mtl_file_with_entities_is_not_read(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]>' + _as_xml(GROUPS)
    (tmp_path / f"{SCENE}_MTL.xml").write_text(bomb)
    assert not _raster(tmp_path / f"{SCENE}_B4.TIF", 10000).bands[0].scale_known


# USGS, Landsat 8-9 Data Users Handbook (LSDS-1574): the constants of Landsat 8, band 10.
THERMAL = {
    **GROUPS,
    "LEVEL1_RADIOMETRIC_RESCALING": {"RADIANCE_MULT_BAND_10": "3.3420E-04", "RADIANCE_ADD_BAND_10": "0.1"},
    "LEVEL1_THERMAL_CONSTANTS": {"K1_CONSTANT_BAND_10": "774.8853", "K2_CONSTANT_BAND_10": "1321.0789"},
}


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float32"])
def test_level_1_thermal_becomes_a_temperature_by_its_mtl_file(tmp_path: Path, dtype: str) -> None:
    (tmp_path / f"{SCENE}_MTL.txt").write_text(_as_text(THERMAL))
    stored = np.random.default_rng(3).integers(20000, 30000, (32, 32)).astype(dtype)
    stored[0] = 0
    name = f"{SCENE}_B10.TIF"
    write_raster(tmp_path / name, stored)
    (band,) = describe(tmp_path / name).bands
    assert (band.role, band.unit, band.scale_known) == ("bt10", "K", True)
    radiance = 3.342e-4 * stored[1:].astype("float64") + 0.1
    expected = 1321.0789 / np.log(774.8853 / radiance + 1)
    assert band.physical(25000.0) == pytest.approx(1321.0789 / math.log(774.8853 / 8.455 + 1))
    place = Workplace(tmp_path, FileResolver(tmp_path))
    for tool, oracle in (("mean", np.mean), ("median", np.median), ("max", np.max)):
        (found,) = place.run(f"calc_batch_image_{tool}", file_list=[name])
        np.testing.assert_allclose(found, oracle(expected), rtol=1e-6)
        assert not place.context.doubts


def test_level_1_thermal_without_its_mtl_file_is_of_unknown_scale(tmp_path: Path) -> None:
    found = _raster(tmp_path / f"{SCENE}_B10.TIF", 25000)
    assert (found.bands[0].role, found.bands[0].scale_known) == ("bt10", False)
    assert "K1 and K2" in found.warnings[0]


def test_constants_of_another_band_make_no_temperature(tmp_path: Path) -> None:
    (tmp_path / f"{SCENE}_MTL.txt").write_text(_as_text(THERMAL))
    assert not _raster(tmp_path / f"{SCENE}_B11.TIF", 25000).bands[0].scale_known
