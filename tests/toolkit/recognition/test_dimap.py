"""Images of Pléiades and SPOT 6-7 with a DIMAP file in the form of their user guides; not real products."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.recognition.describe import describe

NAME = "IMG_PHR1A_MS_202107121000317_ORT_1234567101-001_R1C1.TIF"
GAINS = {"B2": 10.0, "B1": 9.5, "B0": 9.0, "B3": 15.5}
ENERGY = {"B2": 1594.0, "B1": 1827.0, "B0": 1915.0, "B3": 1060.0}
SUN = 58.5


def write_scene(folder: Path, processing: str = "BASIC", file: str = NAME) -> Path:
    tables = "".join(
        f"<Raster_Index><BAND_ID>{band}</BAND_ID><BAND_INDEX>{index}</BAND_INDEX></Raster_Index>"
        f"<Band_Radiance><BAND_ID>{band}</BAND_ID><GAIN>{GAINS[band]}</GAIN><BIAS>0</BIAS></Band_Radiance>"
        f"<Band_Solar_Irradiance><BAND_ID>{band}</BAND_ID><VALUE>{ENERGY[band]}</VALUE></Band_Solar_Irradiance>"
        for index, band in enumerate(GAINS, start=1)
    )
    (folder / "DIM_PHR1A_MS_202107121000317_ORT_1234567101-001.XML").write_text(
        f"<Dimap_Document>{tables}<DATA_FILE_PATH href='{file}'/><MISSION>PHR</MISSION><MISSION_INDEX>1A"
        "</MISSION_INDEX><IMAGING_DATE>2021-07-12</IMAGING_DATE><IMAGING_TIME>10:00:31.7Z</IMAGING_TIME>"
        f"<RADIOMETRIC_PROCESSING>{processing}</RADIOMETRIC_PROCESSING><Located_Geometric_Values>"
        f"<LOCATION_TYPE>Center</LOCATION_TYPE><Solar_Incidences><SUN_ELEVATION>{SUN}</SUN_ELEVATION>"
        "</Solar_Incidences></Located_Geometric_Values></Dimap_Document>"
    )
    numbers = np.stack([np.full((8, 8), 400 + 100 * k, "uint16") for k in range(4)])
    return write_raster(folder / NAME, numbers)


def test_order_reflectance_and_date(tmp_path: Path) -> None:
    found = describe(write_scene(tmp_path))
    assert [band.role for band in found.bands] == ["red", "green", "blue", "nir"]
    assert found.sensor == "PHR 1A" and found.date is not None and f"{found.date:%Y-%m-%d}" == "2021-07-12"
    # The sun is 1.0166 astronomical units away on the twelfth of July.
    for band, name, stored in zip(found.bands, GAINS, (400, 500, 600, 700), strict=True):
        radiance = stored / GAINS[name]
        expected = math.pi * radiance * 1.0166**2 / (ENERGY[name] * math.sin(math.radians(SUN)))
        assert band.scale_known and band.physical(stored) == pytest.approx(expected, rel=1e-3)
    place = Workplace(tmp_path, FileResolver(tmp_path))
    (mean,) = place.run("calc_batch_image_mean", file_list=[f"{NAME}#B3"])
    assert mean == pytest.approx(found.bands[3].physical(700), rel=1e-6)


def test_stretched_or_foreign_images_have_no_scale(tmp_path: Path) -> None:
    stretched = describe(write_scene(tmp_path, processing="LINEAR_STRETCH"))
    assert [band.role for band in stretched.bands] == ["red", "green", "blue", "nir"]
    assert not any(band.scale_known for band in stretched.bands)
    (tmp_path / "other").mkdir()
    foreign = describe(write_scene(tmp_path / "other", file="IMG_OTHER.TIF"))
    assert not any(band.scale_known for band in foreign.bands)


def test_counts_without_data_and_letters_of_old(tmp_path: Path) -> None:
    image = write_scene(tmp_path)
    (sidecar,) = tmp_path.glob("DIM_*.XML")
    values = "".join(
        f"<Special_Value><SPECIAL_VALUE_COUNT>{count}</SPECIAL_VALUE_COUNT>"
        f"<SPECIAL_VALUE_TEXT>{text}</SPECIAL_VALUE_TEXT></Special_Value>"
        for count, text in ((0, "NODATA"), (4095, "SATURATED"))
    )
    text = sidecar.read_text().replace("<MISSION>", f"{values}<COPYRIGHT>\u00a9 CNES</COPYRIGHT><MISSION>")
    sidecar.write_bytes(text.encode("latin-1"))
    found = describe(image)
    assert {band.fill for band in found.bands} == {(0.0,)} and found.bands[0].scale_known
