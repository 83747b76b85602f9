"""Names and colours of classes: from the tag, from GDAL's companion file, from the role, from nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from treeline.toolkit.raster import CLASSES_TAG, Source, class_legend
from treeline.toolkit.raster.classes import rgba
from treeline.toolkit.recognition.describe import describe


def source(folder: Path, tags: dict[str, str] | None = None, companion: str = "") -> Source:
    path = write_raster(folder / "cover.tif", np.ones((4, 4), "uint8"), tags=tags)
    if companion:
        path.with_name("cover.tif.aux.xml").write_text(companion)
    found = describe(path)
    return Source(found, found.bands[0])


def categories(*names: str, head: str = "") -> str:
    told = "".join(f"<Category>{name}</Category>" for name in names)
    band = f'<PAMRasterBand band="1"><CategoryNames>{told}</CategoryNames></PAMRasterBand>'
    return f"{head}<PAMDataset>{band}</PAMDataset>"


@pytest.mark.parametrize("text", [json.dumps({"1": "Water", "7": "Ice"}), "1 Water, 7 Ice"])
def test_the_tag_names_the_classes_in_both_forms(tmp_path: Path, text: str) -> None:
    assert class_legend(source(tmp_path, {CLASSES_TAG: text})).names == {1: "Water", 7: "Ice"}


def test_category_names_beside_the_file_count_from_zero(tmp_path: Path) -> None:
    found = class_legend(source(tmp_path, companion=categories("", "Water", " Forest ")))
    assert found.names == {1: "Water", 2: "Forest"}


TABLE = """<PAMDataset><PAMRasterBand band="1"><GDALRasterAttributeTable>
<FieldDefn index="0"><Name>Value</Name><Usage>5</Usage></FieldDefn>
<FieldDefn index="1"><Name>N</Name><Usage>1</Usage></FieldDefn>
<FieldDefn index="2"><Name>Class</Name><Usage>2</Usage></FieldDefn>
<Row index="0"><F>1</F><F>16</F><F>Water</F></Row><Row index="1"><F>7</F><F>3</F><F> Ice</F></Row>
</GDALRasterAttributeTable></PAMRasterBand></PAMDataset>"""
STYLE = """<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis><pipe><rasterrenderer type="paletted" band="1"><colorPalette><paletteEntry value="1" label="Water"/>
<paletteEntry value="7" label="Ice"/><paletteEntry value="9" label="9"/>
</colorPalette></rasterrenderer></pipe></qgis>"""


def test_an_attribute_table_and_a_style_of_qgis_name_the_classes(tmp_path: Path) -> None:
    assert class_legend(source(tmp_path, companion=TABLE)).names == {1: "Water", 7: "Ice"}
    (tmp_path / "cover.tif.aux.xml").unlink()
    (tmp_path / "cover.qml").write_text(STYLE)
    assert class_legend(source(tmp_path, tags={"other": "tag"})).names == {1: "Water", 7: "Ice"}


def test_names_that_come_later_beside_a_file_that_stays_are_seen(tmp_path: Path) -> None:
    found = source(tmp_path)
    assert class_legend(found).names == {}
    (tmp_path / "cover.qml").write_text(STYLE)
    assert class_legend(found).names == {1: "Water", 7: "Ice"}
    (tmp_path / "cover.tif.aux.xml").write_text(categories("", "Lake"))
    assert class_legend(found).names == {1: "Lake"}


@pytest.mark.parametrize(
    "companion",
    [
        "<PAMDataset>",
        categories("&lake;", head='<!DOCTYPE a [<!ENTITY lake "Lake">]>'),
        categories("Water").replace('band="1"', 'band="2"'),
    ],
)
def test_a_companion_that_tells_nothing_of_the_band_names_nothing(tmp_path: Path, companion: str) -> None:
    assert class_legend(source(tmp_path, companion=companion)).names == {}


@pytest.mark.parametrize("text", ["{", '{"water": 1}', "{}", "nothing"])
def test_a_tag_that_cannot_be_read_names_nothing(tmp_path: Path, text: str) -> None:
    assert class_legend(source(tmp_path, {CLASSES_TAG: text})).names == {}


def test_the_scene_classification_is_known_by_its_role(tmp_path: Path) -> None:
    found = class_legend(source(tmp_path, {"TREELINE_ROLE": "scl"}))
    assert found.names[4] == "vegetation" and found.colours[6] == (0, 0, 255, 255)


@pytest.mark.parametrize(
    ("name", "number", "called"),
    [
        ("ESA_WorldCover_10m_2021_v200_N45E012_Map.tif", 80, "Permanent water bodies"),
        ("20210601T100031_20210601T100032_T33TWM.label.tif", 0, "Water"),
        ("20210601T100031_20210601T100032_T33TWM_label.tif", 6, "Built area"),
        ("U2018_CLC2018_V2020_20u1.tif", 23, "Broad-leaved forest"),
        ("ESACCI-LC-L4-LCCS-Map-300m-P1Y-2015-v2.0.7.tif", 190, "Urban areas"),
        ("33T_20210101-20220101.tif", 11, "Rangeland"),
        ("MCD12Q1.A2020001.h19v04.061.2021200000000_LC_Type1.tif", 12, "Croplands"),
    ],
)
def test_classes_of_published_maps_are_named_by_their_specification(
    tmp_path: Path, name: str, number: int, called: str
) -> None:
    path = write_raster(tmp_path / name, np.full((4, 4), number, "uint8"))
    found = describe(path)
    assert class_legend(Source(found, found.bands[0])).names[number] == called


def test_a_colour_table_is_read_and_a_file_that_is_gone_has_none(tmp_path: Path) -> None:
    known = source(tmp_path)
    assert class_legend(known).colours == {}
    with rasterio.open(known.path, "r+") as dataset:
        dataset.write_colormap(1, {1: rgba("#0a14c8")})
    assert class_legend(known).colours[1] == (10, 20, 200, 255)
    known.path.unlink()
    assert class_legend(known).colours == {}
