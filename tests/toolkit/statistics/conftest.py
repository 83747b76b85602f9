from __future__ import annotations

import numpy as np
import pytest
import rasterio

from tests.rasters import PlainResolver, write_raster
from toolkit.context import ToolContext, use_context


class Workplace:
    """A folder of rasters, and tools that run in it."""

    def __init__(self, folder, resolver):
        self.folder, self.resolver = folder, resolver
        self.context = ToolContext(output_folder=folder, resolver=resolver, threads=2)

    def raster(self, name, array, **options):
        write_raster(self.folder / name, np.asarray(array), **options)
        return name

    def run(self, name, profile="science", /, **arguments):
        from toolkit.execution import call_mapped
        from toolkit.tool import REGISTRY

        self.context = ToolContext(self.folder, self.resolver, profile, threads=2)
        with use_context(self.context):
            return call_mapped(REGISTRY.get(name), arguments)

    def read(self, name, band=1):
        with rasterio.open(self.folder / name) as dataset:
            values = dataset.read(band, masked=True)
            return values.astype("float64").filled(np.nan)


@pytest.fixture
def workplace(tmp_path):
    return Workplace(tmp_path, PlainResolver(tmp_path))
