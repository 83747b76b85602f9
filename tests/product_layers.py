"""A layer of a product as its provider's specification says it is named and stored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.recognition.describe import describe

# Of the rasters that are written here, in hectares.
PIXEL = 0.01


@dataclass(frozen=True)
class Layer:
    """A file and what it means.

    Attributes
    ----------
    stored : tuple of float
        Pixels, fills among them.
    physical : tuple of float
        What the pixels without fills are.
    """

    name: str
    dtype: str
    stored: tuple[float, ...]
    role: str
    physical: tuple[float, ...]
    unit: str = ""
    date: str = ""

    def __str__(self) -> str:
        return self.name


def assert_reads(folder: Path, layer: Layer) -> None:
    """Write a layer and compare what it is taken for, and its pixels, with what it means."""
    write_raster(folder / layer.name, np.array([layer.stored], dtype=layer.dtype))
    found = describe(folder / layer.name)
    (band,) = found.bands
    assert band.role == layer.role and band.scale_known
    assert not layer.unit or band.unit == layer.unit
    assert not layer.date or (found.date is not None and found.date.strftime("%Y-%m-%d") == layer.date)
    place = Workplace(folder, FileResolver(folder))
    (mean,) = place.run("calc_batch_image_mean", file_list=[layer.name])
    np.testing.assert_allclose(mean, np.mean(layer.physical), rtol=1e-6)
    assert not place.context.doubts


def assert_holds(folder: Path, layer: Layer) -> None:
    """Write a layer of classes and compare how many pixels hold each."""
    write_raster(folder / layer.name, np.array([layer.stored], dtype=layer.dtype))
    assert describe(folder / layer.name).bands[0].role == layer.role
    place = Workplace(folder, FileResolver(folder))
    areas = place.run("area_by_class", input_path=layer.name)
    found = {row["class"]: round(row["area"] / PIXEL) for row in areas}
    assert found == Counter(layer.physical)
