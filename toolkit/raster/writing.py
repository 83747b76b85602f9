"""Writing GeoTIFFs: tiled, compressed, tagged, whole or not at all."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from rasterio.errors import RasterioError
from rasterio.io import DatasetWriter
from rasterio.windows import Window

from treeline.toolkit.context import Product, current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.files import COMPANIONS, make_folder, writing_error
from treeline.toolkit.opening import is_whole
from treeline.toolkit.raster.grid import Grid
from treeline.toolkit.raster.overviews import build_inside
from treeline.toolkit.raster.settings import TILE
from treeline.toolkit.raster.source import Source
from treeline.toolkit.raster.storing import Block, Packing, Summary, nodata_of
from treeline.toolkit.variables import variable
from treeline.toolkit.whole_files import discard, hidden_name_beside, take_name

SUFFIXES = (".tif", ".tiff")
WRITE_FAULTS = (RasterioError, OSError)


@dataclass(frozen=True)
class Content:
    """What a written raster says of itself.

    Attributes
    ----------
    roles : tuple of str
        One per band, or one for all.
    unit : str
        Of all bands; empty takes that of the role.
    dtype : str
        Stored type.
    inputs : tuple of Path
        The files that it was made from.
    date : datetime or None
        Acquisition of the inputs, where they agree.
    tags : mapping
        Further tags.
    packing : Packing, optional
        How the stored integers become physical values, where they are not these values.
    dated_by : tuple of Path, optional
        The files whose date it has, where that is not all inputs.
    """

    roles: tuple[str, ...]
    unit: str
    dtype: str
    inputs: tuple[Path, ...] = ()
    date: datetime | None = None
    tags: Mapping[str, Any] = field(default_factory=dict)
    packing: Packing | None = None
    dated_by: tuple[Path, ...] | None = None

    def units(self, bands: int) -> tuple[str, ...]:
        """Return the unit of each band."""
        known = (variable(role) for role in self.band_roles(bands))
        return tuple(self.unit or (v.unit if v else "") for v in known)

    def band_roles(self, bands: int) -> tuple[str, ...]:
        """Return the role of each band."""
        return self.roles if len(self.roles) == bands else (self.roles[0],) * bands


class Writer:
    """Writes blocks to a temporary file that takes its name when it is whole.

    Use as a context manager; after an error nothing is left behind.
    """

    def __init__(self, output: str | Path, grid: Grid, content: Content) -> None:
        self.target = _target(output, content.inputs)
        self.grid = grid
        self.content = content
        self._temporary = hidden_name_beside(self.target)
        self._dataset: DatasetWriter | None = None
        self._summary = Summary()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._discard()

    def write(self, block: Block, window: Window) -> None:
        """Write a block; the first one decides the number of bands.

        Parameters
        ----------
        block : Block
            Stored values of the writer's type.
        window : Window
            In the grid of the output. Each is written once, in whole tiles of the file.

        Raises
        ------
        RasterError
            There is no room, or the folder may not be written.
        """
        try:
            if self._dataset is None:
                self._dataset = self._create(len(block.values))
            self._dataset.write(block.values, window=window)
            self._summary = self._summary.merge(block.summary)
        except WRITE_FAULTS as error:
            raise writing_error(self.target, error) from error

    def finish(self, *, overviews: bool = False) -> Product:
        """Close the file, give it its name, and tell the context.

        Raises
        ------
        RasterError
            There is no room, or the folder may not be written.
        """
        assert self._dataset is not None, "nothing was written"
        try:
            self._dataset.close()
            # On a full disk GDAL may close a file without an error.
            if not is_whole(self._temporary):
                raise OSError("it was not written to its end")
            if overviews:
                build_inside(self._temporary)
            take_name(self._temporary, self.target, COMPANIONS)
        except WRITE_FAULTS as error:
            raise writing_error(self.target, error) from error
        inputs = tuple(str(path) for path in self.content.inputs)
        role, unit = self.content.roles[0], self.content.units(1)[0]
        dating = self.content.dated_by
        dated_by = None if dating is None else tuple(map(str, dating))
        product = Product(self.target, role, unit, inputs, dated_by=dated_by, **self._summary.measures())
        current_context().products.append(product)
        return product

    def _create(self, bands: int) -> DatasetWriter:
        make_folder(self.target.parent)
        dataset = rasterio.open(self._temporary, "w", **self._profile(bands))
        dataset.update_tags(**self._tags())
        dataset.units = self.content.units(bands)
        for index, role in enumerate(self.content.band_roles(bands), start=1):
            dataset.set_band_description(index, role)
        if self.content.packing is not None:
            dataset.scales = (self.content.packing.scale,) * bands
            dataset.offsets = (self.content.packing.offset,) * bands
        return dataset

    def _profile(self, bands: int) -> dict[str, Any]:
        kind = np.dtype(self.content.dtype)
        return {
            "driver": "GTiff",
            "width": self.grid.width,
            "height": self.grid.height,
            "count": bands,
            "dtype": self.content.dtype,
            "crs": self.grid.crs_object,
            "transform": self.grid.affine,
            "nodata": nodata_of(kind),
            "interleave": "band",
            "bigtiff": "if_safer",
            "compress": "zstd",
            "zstd_level": 1,
            "predictor": 3 if kind.kind == "f" else 2,
            "num_threads": str(max(1, current_context().threads)),
            **self._tiling(),
        }

    def _tiling(self) -> dict[str, Any]:
        # A smaller raster would be padded to a whole tile.
        if max(self.grid.shape) < TILE:
            return {}
        return {"tiled": True, "blockxsize": TILE, "blockysize": TILE}

    def _tags(self) -> dict[str, str]:
        content = self.content
        context = current_context()
        provenance = {**context.provenance, "inputs": [path.name for path in content.inputs]}
        if context.area is not None:
            provenance["area_of_interest"] = context.area.to_json()
        tags = {str(key): str(value) for key, value in content.tags.items()}
        if content.date is not None:
            # The form that TIFF 6.0 demands.
            tags["TIFFTAG_DATETIME"] = content.date.strftime("%Y:%m:%d %H:%M:%S")
        return tags | {
            "TREELINE_ROLE": content.roles[0],
            "TREELINE_UNIT": content.units(1)[0],
            "TREELINE_PROVENANCE": json.dumps(provenance, default=str, ensure_ascii=False),
        }

    def _discard(self) -> None:
        if self._dataset is not None:
            with contextlib.suppress(RasterioError):
                self._dataset.close()
        discard(self._temporary, COMPANIONS)


def content_of(
    role: str | Sequence[str],
    unit: str,
    dtype: str,
    origins: Sequence[Source],
    tags: Mapping[str, Any] | None,
    dated_by: Sequence[Source] | None = None,
) -> Content:
    """Return the content of an output from a tool's arguments."""
    roles = (role,) if isinstance(role, str) else tuple(role)
    dates = {origin.description.date for origin in (origins if dated_by is None else dated_by)}
    # A result of several dates is of none of them.
    date = dates.pop() if len(dates) == 1 else None
    paths = tuple(dict.fromkeys(origin.path for origin in origins))
    dating = None if dated_by is None else tuple(dict.fromkeys(origin.path for origin in dated_by))
    return Content(roles, unit, str(np.dtype(dtype)), paths, date, tags or {}, dated_by=dating)


def _target(output: str | Path, inputs: Sequence[Path]) -> Path:
    target = current_context().output_path(output, inputs, SUFFIXES[0])
    if target.suffix.lower() not in SUFFIXES:
        raise InputError(f"The output {target.name!r} is no GeoTIFF.", f"Call it {target.stem + '.tif'!r}.")
    return target
