"""The rasters of a run as literals of a script: where a file is, which band, how its values are read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any

from shapely.geometry import mapping

from treeline.core.confinement import call
from treeline.core.engine.rundata import RunData
from treeline.core.errors import NotExpressible
from treeline.toolkit import ToolContext, use_context
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.raster import Grid, Source, source
from treeline.toolkit.raster.datasets import alpha_band, has_mask_of_its_own
from treeline.toolkit.raster.masking import working_type
from treeline.toolkit.recognition.model import Band

# What the script's own function of reading assumes where nothing is said.
_USUAL = {
    "kind": "float32",
    "scale": 1.0,
    "offset": 0.0,
    "no_data": (),
    "within": (),
    "masked": False,
    "alpha": None,
}


class Rasters:
    """The rasters that the calls of a run name, by the names that a script has for them.

    Parameters
    ----------
    data : RunData
        Of the run.

    Attributes
    ----------
    read : dict
        How each file is read, by name.
    """

    def __init__(self, data: RunData) -> None:
        self._data = data
        self._grids: dict[str, Grid] = {}
        self._made: set[str] = set()
        self.read: dict[str, dict[str, Any]] = {}
        self.areas: dict[str, dict[str, Any]] = {}

    def names_of(self, given: Any) -> list[str]:
        """Return the addresses that an argument holds: one, several, or those of a handle.

        Raises
        ------
        NotExpressible
            The rasters of the handle are gone.
        """
        if isinstance(given, str) and given.startswith("@"):
            try:
                return [member.address for member in self._data.select(given).members]
            except TreelineError as error:
                raise NotExpressible(f"{given} cannot be resolved any more") from error
        return [given] if isinstance(given, str) else [str(item) for item in given]

    def key(self, address: str, *roles: str) -> str:
        """Return a script's name of the band that an address means, and keep how it is read.

        Raises
        ------
        NotExpressible
            It cannot be read by scale and offset alone, or it is gone.
        """
        name = PurePath(address).name
        # What a step made is in memory: the script reads no file for it.
        if name in self._made:
            return name
        band = self.source_of(address, *roles)
        several = len(band.description.bands) > 1
        key = f"{band.path.name}#{band.band.name}" if several else band.path.name
        if key not in self.read:
            self._grids[key] = band.grid
            self.read[key] = self._facts(band)
        return key

    def source_of(self, address: str, *roles: str) -> Source:
        """Return the band that an address of the run means.

        Raises
        ------
        NotExpressible
            It cannot be opened any more.
        """
        context = ToolContext(output_folder=self._data.folder, resolver=self._data.resolver)
        try:
            with use_context(context):
                return source(address, *roles)
        except TreelineError as error:
            raise NotExpressible(str(error)) from error

    def make(self, output: str, inputs: Sequence[str]) -> str:
        """Return the name of what a step makes on the grid that its inputs share."""
        self.require_one_grid(inputs)
        name = PurePath(output).name
        self._made.add(name)
        self._grids[name] = self._grids[inputs[0]]
        return name

    def require_one_grid(self, keys: Sequence[str]) -> None:
        """Raise unless rasters lie pixel on pixel.

        Raises
        ------
        NotExpressible
            They do not.
        """
        first = self._grids[keys[0]]
        for key in keys[1:]:
            if not self._grids[key].same_as(first):
                raise NotExpressible(f"{key} stands on another grid than {keys[0]} and was resampled")

    def _facts(self, band: Source) -> dict[str, Any]:
        own = band.band
        if own.planck is not None:
            # The script's own reading is linear: scale and offset.
            raise NotExpressible(f"{band.name} is a radiance that becomes a temperature by Planck's law")
        ranges = [limits for limits in (own.valid, own.possible) if limits is not None]
        nodata, masked, alpha, kind = call(_stored_form, Path(band.path), own, band.description.bands)
        # NaN needs no entry, since values that are not finite count as missing anyway.
        fills = (float(v) for v in (nodata, *own.fill, *own.recognised) if v is not None)
        no_data = tuple(dict.fromkeys(fill for fill in fills if not math.isnan(fill)))
        facts: dict[str, Any] = {"path": band.path, "band": own.index}
        found = {
            "kind": kind,
            "scale": own.scale,
            "offset": own.offset,
            "no_data": no_data,
            "within": tuple(ranges),
            "masked": masked,
            "alpha": alpha,
        }
        facts |= {name: value for name, value in found.items() if value != _USUAL[name]}
        if self._data.area is not None:
            crs = band.grid.crs
            if not crs:
                raise NotExpressible(f"{band.name} has no CRS, in which the area of interest could be")
            self.areas[crs] = dict(mapping(self._data.area.in_crs(crs)))
            facts["area"] = crs
        return facts


def _stored_form(path: Path, band: Band, bands: Sequence[Band]) -> tuple[float | None, bool, int | None, str]:
    """Return the declared fill of a band, whether its file holds a mask, which band is one, and the type."""
    with open_raster_file(path) as dataset:
        alpha = alpha_band(dataset, bands)
        return (
            dataset.nodatavals[band.index - 1],
            has_mask_of_its_own(dataset, band.index),
            None if alpha == band.index else alpha,
            str(working_type(dataset.dtypes[band.index - 1])),
        )
