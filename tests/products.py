"""Products as their providers lay them out, small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import rasterio
from rasterio.crs import CRS
from rasterio.transform import from_origin

SAFE = "S2A_MSIL2A_20220715T100611_N0400_R022_T33TWM_20220715T162205.SAFE"
LAYERS = {"B02": 10, "B04": 10, "B08": 10, "B8A": 20, "B11": 20, "SCL": 20}
_OFFSETS = "".join(f'<BOA_ADD_OFFSET band_id="{n}">-1000</BOA_ADD_OFFSET>' for n in range(13))
METADATA = f"""<?xml version="1.0" encoding="UTF-8"?>
<n1:Level-2A_User_Product xmlns:n1="https://psd-14.sentinel2.eo.esa.int/PSD/User_Product_Level-2A.xsd">
  <n1:General_Info><Product_Info>
    <PRODUCT_START_TIME>2022-07-15T10:06:11.024Z</PRODUCT_START_TIME>
    <PROCESSING_BASELINE>04.00</PROCESSING_BASELINE>
    <Datatake><SPACECRAFT_NAME>Sentinel-2A</SPACECRAFT_NAME>
      <DATATAKE_SENSING_START>2022-07-15T10:06:11.024Z</DATATAKE_SENSING_START></Datatake>
  </Product_Info>
  <Product_Image_Characteristics>
    <QUANTIFICATION_VALUES_LIST>
      <BOA_QUANTIFICATION_VALUE unit="none">10000</BOA_QUANTIFICATION_VALUE>
    </QUANTIFICATION_VALUES_LIST>
    <BOA_ADD_OFFSET_VALUES_LIST>{_OFFSETS}</BOA_ADD_OFFSET_VALUES_LIST>
  </Product_Image_Characteristics></n1:General_Info>
</n1:Level-2A_User_Product>
"""


def write_jp2(path: Path, array: np.ndarray, metres: float = 10.0) -> Path:
    """Write a lossless JPEG 2000 file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    bands = array if array.ndim == 3 else array[np.newaxis]
    with rasterio.open(
        path,
        "w",
        driver="JP2OpenJPEG",
        width=bands.shape[2],
        height=bands.shape[1],
        count=len(bands),
        dtype=bands.dtype,
        crs=CRS.from_epsg(32633),
        transform=from_origin(5e5, 5.1e6, metres, metres),
        QUALITY="100",
        REVERSIBLE="YES",
    ) as dataset:
        dataset.write(bands)
    return path


def write_safe(folder: Path, metadata: str | None = METADATA, name: str = SAFE) -> Path:
    """Write a Sentinel-2 L2A product: the bands of each resolution, coarser copies, a picture and a mask.

    The reflectance of red is 0.1, of near infrared 0.5, stored with the offset of baseline 04.00.
    """
    product = folder / name
    granule = product / "GRANULE" / "L2A_T33TWM_A036893_20220715T100611"
    stored = {"B02": 1500, "B04": 2000, "B08": 6000, "B8A": 6000, "B11": 3000, "SCL": 4}
    for band, finest in LAYERS.items():
        for metres in (m for m in (10, 20, 60) if m >= finest):
            side = 120 * 10 // metres
            value = stored[band] if metres == finest or band == "SCL" else 9999
            array = np.full((side, side), value, "uint8" if band == "SCL" else "uint16")
            image = f"T33TWM_20220715T100611_{band}_{metres}m.jp2"
            write_jp2(granule / "IMG_DATA" / f"R{metres}m" / image, array, metres)
    picture = np.full((3, 120, 120), 80, "uint8")
    write_jp2(granule / "IMG_DATA" / "R10m" / "T33TWM_20220715T100611_TCI_10m.jp2", picture)
    write_jp2(granule / "QI_DATA" / "MSK_CLDPRB_20m.jp2", np.zeros((60, 60), "uint8"), 20)
    if metadata is not None:
        (product / "MTD_MSIL2A.xml").write_text(metadata)
    return product
