from __future__ import annotations

import numpy as np
import pytest
import rasterio

from tests.workplace import Workplace
from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.recognition import FileResolver


@pytest.fixture
def real(tmp_path):
    return Workplace(tmp_path, FileResolver())


def stored_values(path):
    with rasterio.open(path) as dataset:
        return dataset.read(1)


def test_a_season_of_ndvi_with_its_cloud_masks(real, shared):
    folder = shared / "rasters" / "slovenia_sentinel2"
    dates = sorted(path.stem.split("_")[-1] for path in (folder / "ndvi").glob("*.tif"))[:6]
    ndvi = [folder / "ndvi" / f"Slovenia_NDVI_{date}.tif" for date in dates]
    clouds = [folder / "cloud_mask" / f"Slovenia_CLM_{date}.tif" for date in dates]
    outputs = [f"clear_{date}.tif" for date in dates]
    real.run(
        "apply_cloud_mask",
        sr_band_path=[str(p) for p in ndvi],
        qa_pixel_path=[str(p) for p in clouds],
        output_path=outputs,
    )
    assert {product.role for product in real.context.products} == {"ndvi"}
    found = real.run("calc_batch_image_mean", file_list=[str(real.folder / name) for name in outputs])
    expected = [
        np.nanmean(np.where(stored_values(c) == 0, stored_values(n), np.nan))
        for n, c in zip(ndvi, clouds, strict=True)
    ]
    for ours, theirs in zip(found, expected, strict=True):
        assert (ours is None) == bool(np.isnan(theirs))
        assert ours is None or ours == pytest.approx(theirs, rel=1e-5)


def test_areas_of_a_land_cover_class(real, shared):
    path = shared / "rasters" / "slovenia_sentinel2" / "Slovenia_LULC.tif"
    hectares = real.run("calculate_area", input_image_path=str(path), gsd=None, unit="ha", value=2)
    with rasterio.open(path) as dataset:
        pixel = abs(dataset.transform.a * dataset.transform.e)
        assert hectares == pytest.approx((dataset.read(1) == 2).sum() * pixel / 1e4)


def test_odd_files_are_null_or_refused(real, shared):
    odd = shared / "rasters" / "odd"
    assert real.run("calc_batch_image_mean", file_list=[str(odd / "all-nodata.tif")]) == [None]
    with pytest.raises(RasterUnreadable, match="corrupt.tif"):
        real.run("calc_batch_image_mean", file_list=[str(odd / "corrupt.tif")])
