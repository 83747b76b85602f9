"""Charts of pixels: what they count, and the pictures that they write."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from treeline.toolkit.errors import InputError, NoValidPixels


@pytest.fixture
def values(workplace):
    """Two rasters with holes."""
    random = np.random.default_rng(8)
    x = random.normal(0, 1, (30, 40)).astype("float32")
    y = (x + random.normal(0, 0.3, x.shape)).astype("float32")
    x[:3], y[:, :5] = -9999, -9999
    workplace.raster("x.tif", x, nodata=-9999)
    workplace.raster("y.tif", y, nodata=-9999)
    return x, y


def picture(workplace, name):
    with Image.open(workplace.context.output_folder / name) as opened:
        return np.asarray(opened.convert("RGB"))


def test_a_histogram_counts_each_valid_pixel_once(workplace, values):
    there = [v[v != -9999] for v in values]
    found = workplace.run("draw_histogram", file_list=["x.tif", "y.tif"], save_name="h.png", bins=20)
    edges = np.linspace(min(float(v.min()) for v in there), max(float(v.max()) for v in there), 21)
    assert found["edges"] == pytest.approx(edges.tolist())
    assert found["counts"] == sum(np.histogram(v, edges)[0] for v in there).tolist()
    assert found["pixels"] == sum(v.size for v in there)
    assert np.unique(picture(workplace, "h.png").reshape(-1, 3), axis=0).shape[0] > 2


def test_bins_of_a_width_begin_at_its_multiples(workplace):
    tenths = np.arange(301, 781, 10).reshape(6, 8)
    workplace.raster("tenths.tif", (tenths / 1000).astype("float32"))
    found = workplace.run("draw_histogram", file_list="tenths.tif", save_name="h.png", width=0.1)
    assert found["edges"] == pytest.approx([0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    assert found["counts"] == np.bincount(tenths.ravel() // 100)[3:].tolist() and found["pixels"] == 48
    with pytest.raises(InputError, match="width above 0"):
        workplace.run("draw_histogram", file_list="tenths.tif", save_name="h.png", width=-1.0)
    with pytest.raises(InputError, match="bins of 0.0001"):
        workplace.run("draw_histogram", file_list="tenths.tif", save_name="h.png", width=0.0001)


def test_a_histogram_of_one_value(workplace):
    workplace.raster("same.tif", np.full((4, 5), 7.0, "float32"))
    found = workplace.run("draw_histogram", file_list="same.tif", save_name="h.png", bins=4)
    assert found["counts"] == [20, 0, 0, 0]


def test_a_scatter_plot_counts_the_pixels_valid_in_both(workplace, values):
    x, y = values
    found = workplace.run("draw_scatter", path1="x.tif", path2="y.tif", save_name="s.png")
    assert found["pixels"] == np.sum((x != -9999) & (y != -9999))
    assert picture(workplace, "s.png").shape[2] == 3


def test_what_cannot_be_drawn_is_refused(workplace, values):
    workplace.raster("empty.tif", np.full((30, 40), -9999.0, "float32"), nodata=-9999)
    with pytest.raises(NoValidPixels, match="empty"):
        workplace.run("draw_histogram", file_list="empty.tif", save_name="h.png")
    with pytest.raises(NoValidPixels, match="empty"):
        workplace.run("draw_scatter", path1="x.tif", path2="empty.tif", save_name="s.png")
    with pytest.raises(InputError, match="2 to 1000 bins"):
        workplace.run("draw_histogram", file_list="x.tif", save_name="h.png", bins=1)
    with pytest.raises(InputError, match="written as .png"):
        workplace.run("draw_scatter", path1="x.tif", path2="y.tif", save_name="s.tif")
