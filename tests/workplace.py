"""A folder of small rasters and tools that run in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import rasterio

from tests.rasters import PlainResolver, write_raster
from treeline.toolkit import registry
from treeline.toolkit.context import ToolContext, use_context


class Workplace:
    """Writes rasters, runs tools by name, and reads what they wrote."""

    def __init__(self, folder: Path, resolver: Any = None) -> None:
        self.folder = folder
        self.resolver = resolver or PlainResolver(folder)
        self.context = ToolContext(folder, self.resolver)

    def raster(self, name: str, array: Any, **options: Any) -> str:
        """Write a raster and return its name."""
        write_raster(self.folder / name, np.asarray(array), **options)
        return name

    def run(self, name: str, profile: str = "science", /, **arguments: Any) -> Any:
        """Run a tool; its context is kept."""
        self.context = ToolContext(self.folder, self.resolver, profile, threads=2)
        with use_context(self.context):
            return registry().get(name).call(arguments)

    def read(self, name: str, band: int = 1) -> np.ndarray:
        """Return a band as float64 with NaN for nodata."""
        with rasterio.open(self.folder / name) as dataset:
            return dataset.read(band, masked=True).astype("float64").filled(np.nan)

    def stored_bands(self, name: str) -> np.ndarray:
        """Return all bands as they are stored."""
        with rasterio.open(self.folder / name) as dataset:
            return dataset.read()
