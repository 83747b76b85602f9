"""Bands of a catalogue's scenes as rasters of the workspace."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.catalogue_search.kit import CATALOGUE
from treeline.toolkit.catalogue_search.opening import checked_place, entry_of, open_place
from treeline.toolkit.catalogue_search.searching import STAC, Bounds, SearchRequest, find, is_raster
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.extras import import_optional
from treeline.toolkit.opening import WEB
from treeline.toolkit.raster import Grid, write_array
from treeline.toolkit.raster.masking import scale_values
from treeline.toolkit.recognition.rules import metadata_words
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, tool
from treeline.toolkit.variables import VARIABLES
from treeline.toolkit.vector import checked_crs

MOST_PIXELS = 120_000_000
Resampling = Literal["nearest", "bilinear", "cubic", "average"]


@dataclass(frozen=True)
class BandFacts:
    """What a catalogue says of a band.

    Attributes
    ----------
    role : str
        Empty when it is not recognised.
    scale, offset : float
        ``physical = stored * scale + offset``.
    stated : bool
        The scale is stated.
    """

    role: str
    scale: float
    offset: float
    stated: bool

    @classmethod
    def of(cls, key: str, asset: Any) -> BandFacts:
        """Return what an asset says, by STAC 1.1 or the older extensions eo and raster."""
        fields = asset.extra_fields
        band: dict[str, Any] = next(iter(fields.get("bands") or fields.get("eo:bands") or []), {})
        raster: dict[str, Any] = next(iter(fields.get("raster:bands") or []), {})
        scale = _first(
            band.get("raster:scale"), band.get("scale"), raster.get("scale"), fields.get("raster:scale")
        )
        offset = _first(
            band.get("raster:offset"), band.get("offset"), raster.get("offset"), fields.get("raster:offset")
        )
        common = str(band.get("eo:common_name") or band.get("common_name") or "")
        role = metadata_words()["common_names"].get(common) or next(
            (r for r in (key.lower(),) if r in VARIABLES), ""
        )
        return cls(role, float(scale or 1.0), float(offset or 0.0), scale is not None)

    @property
    def whole(self) -> bool:
        """Whether the band holds classes or bits."""
        return self.role in VARIABLES and VARIABLES[self.role].kind in ("class", "quality")


@tool(kit=CATALOGUE, source=STAC + "; odc-stac (Open Data Cube)", gives=Gives("files", "scenes"))
def load_catalogue_scenes(
    catalogue: str,
    bands: list[str],
    output_prefix: str = "scene",
    bounds: Bounds | None = None,
    period: str | None = None,
    collections: list[str] | None = None,
    max_cloud_cover: float | None = None,
    ids: list[str] | None = None,
    crs: str | None = None,
    resolution: float | None = None,
    resampling: Resampling = "nearest",
    limit: int = 20,
) -> list[str]:
    """Bands of catalogue scenes as GeoTIFFs: one per day and band, scenes of a day joined.

    Only the part within the bounds is read.

    Parameters
    ----------
    catalogue : str
        A folder of the workspace with catalog.json, or an address.
    bands : list of str
        Names of assets, as ``search_catalogue`` shows them, or common names such as ``red``.
    output_prefix : str
        Begins the names: ``<prefix>_2021-07-12_red.tif``; may hold a folder.
    bounds : list of four float, optional
        West, south, east, north in degrees; default: the whole scenes.
    period : str, optional
        As in ``search_catalogue``.
    collections : list of str, optional
        Their ids.
    max_cloud_cover : float, optional
        Percent of the scene.
    ids : list of str, optional
        Only these scenes.
    crs : str, optional
        Such as ``EPSG:32633``; default: that of the scenes.
    resolution : float, optional
        Side of a pixel in units of the CRS; default: that of the scenes.
    resampling : str
        For quantities; classes and quality bits are never mixed.
    limit : int
        At most so many scenes.

    Returns
    -------
    list of str
        Result saved at PATH, by day and band.
    """
    if not bands:
        raise InputError("The argument 'bands' is empty.", "Name one or more.")
    items = find(catalogue, SearchRequest.of(bounds, period, collections, max_cloud_cover), limit)
    items = [item for item in items if ids is None or item.id in ids]
    if not items:
        raise InputError("No scene of the catalogue fits.", "Look with search_catalogue first.")
    keys = _keys(items, bands)
    _check_assets(items, list(keys.values()), catalogue)
    facts = {name: BandFacts.of(key, items[0].assets[key]) for name, key in keys.items()}
    data = _lazily(items, keys, facts, bounds, crs, resolution, resampling)
    return [
        line
        for index in range(data.sizes["time"])
        for line in _write_bands(data, index, keys, facts, output_prefix)
    ]


def _keys(items: Sequence[Any], bands: Sequence[str]) -> dict[str, str]:
    """Return the asset of each band, by its key or its common name."""
    keys = {}
    assets = {key: asset for key, asset in items[0].assets.items() if is_raster(asset)}
    for name in bands:
        key = (
            name
            if name in assets
            else next((k for k, a in assets.items() if BandFacts.of(k, a).role == name), None)
        )
        if key is None or any(key not in item.assets for item in items):
            raise InputError(
                f"Not all scenes have the band {name!r}.", f"They have {', '.join(assets) or 'none'}."
            )
        keys[name] = key
    return keys


def _check_assets(items: Sequence[Any], keys: Sequence[str], catalogue: str) -> None:
    folder = None if "://" in catalogue else entry_of(catalogue).parent
    for item in items:
        # Before the check, since a relative address may lead out of the folder.
        item.make_asset_hrefs_absolute()
        for key in keys:
            item.assets[key].href = checked_place(item.assets[key].href, folder)


def _lazily(
    items: Sequence[Any],
    keys: dict[str, str],
    facts: dict[str, BandFacts],
    bounds: Bounds | None,
    crs: str | None,
    resolution: float | None,
    resampling: str,
) -> Any:
    stac = import_optional("odc.stac", "stac")
    stac.configure_rio(cloud_defaults=True, **WEB)
    own_crs, own_size = _grid_of(items[0].assets[next(iter(keys.values()))])
    wanted = checked_crs(crs) if crs else own_crs
    if resolution is None and wanted != own_crs:
        raise InputError(
            "The argument 'resolution' is needed with another 'crs'.", "Give the side of a pixel."
        )
    if resolution is not None and not resolution > 0:
        raise InputError(f"The argument 'resolution' is {resolution:g}.", "Give the side of a pixel.")
    # Classes and bits have no mean.
    methods = {key: "nearest" if facts[name].whole else resampling for name, key in keys.items()}
    try:
        data = stac.load(
            items,
            bands=list(keys.values()),
            bbox=bounds,
            crs=wanted,
            resolution=resolution or own_size,
            # By the day of the sun at the place: a pass around midnight UTC is one day there.
            groupby="solar_day",
            resampling=methods,
            # Lazily, so that the size of the grid is known before a pixel is fetched.
            chunks={},
        )
    except (ValueError, AssertionError, OverflowError) as error:
        why = str(error) or f"a pixel of {resolution or own_size:g} does not fit them"
        raise GridMismatch(
            f"The scenes cannot be laid on one grid: {why}.", "Give 'crs' and 'resolution'."
        ) from None
    height, width = data.odc.geobox.shape
    # Each band of a day is held in memory as a whole.
    if height * width > MOST_PIXELS:
        raise InputError(
            f"The scenes cover {width} x {height} pixels.", "Give 'bounds' or a coarser 'resolution'."
        )
    return data


def _grid_of(asset: Any) -> tuple[str, float]:
    with open_place(asset.href) as dataset:
        if dataset.crs is None:
            raise GridMismatch(f"{Path(asset.href).name} has no CRS.", "Choose other scenes.")
        return checked_crs(dataset.crs.to_wkt()), float(abs(dataset.transform.a))


def _write_bands(
    data: Any, index: int, keys: dict[str, str], facts: dict[str, BandFacts], prefix: str
) -> list[str]:
    geobox = data.odc.geobox
    grid = Grid(
        checked_crs(geobox.crs.to_wkt()), tuple(geobox.transform)[:6], geobox.shape[1], geobox.shape[0]
    )
    moment = np.datetime64(data.time.values[index], "s").item()
    lines = []
    for name, key in keys.items():
        current_context().check_stop()
        current_context().progress(index, data.sizes["time"], f"{moment:%Y-%m-%d} {name}")
        values = _physical(data[key].isel(time=index), facts[name], name)
        product = write_array(
            values,
            grid,
            f"{prefix}_{moment:%Y-%m-%d}_{re.sub(r'[^A-Za-z0-9]+', '_', name)}.tif",
            role=facts[name].role or name,
            dtype="int32" if facts[name].whole else "float32",
            extra_tags={"TIFFTAG_DATETIME": f"{moment:%Y:%m:%d %H:%M:%S}"},
        )
        lines.append(report_saved(product))
    return lines


def _physical(band: Any, facts: BandFacts, name: str) -> NDArray[np.floating]:
    stored = band.compute(scheduler="threads", num_workers=current_context().threads).values
    # Classes and bits of up to 32 bits are exact in 64 bits only.
    values = scale_values(
        stored, facts.scale, facts.offset, np.dtype("float64" if facts.whole else "float32")
    )
    nodata = band.attrs.get("nodata", band.rio.nodata if hasattr(band, "rio") else None)
    if nodata is not None and not np.isnan(nodata):
        # By the stored value: the scaled one may differ from nodata by its last digit.
        values[stored == nodata] = np.nan
    if not facts.stated and not facts.whole and stored.dtype.kind in "iu":
        current_context().warn(
            f"The catalogue does not state the scale of {name}; stored values were written."
        )
    return values


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)
