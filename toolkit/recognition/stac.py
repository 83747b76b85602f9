"""STAC items beside a raster."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from treeline.toolkit.recognition.dates import parse_moment
from treeline.toolkit.recognition.families import sensor_of
from treeline.toolkit.recognition.rules import metadata_words
from treeline.toolkit.recognition.statements import BandStatement, Sidecar, load


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", populate_by_name=True, allow_inf_nan=False, defer_build=True)


class _RasterBand(_Part):
    scale: float | None = None
    offset: float | None = None
    unit: str | None = None


class _Band(_Part):
    """A band of STAC 1.1, or an ``eo:band`` of older items."""

    name: str = ""
    common: str | None = Field(None, alias="eo:common_name")
    common_old: str | None = Field(None, alias="common_name")
    scale: float | None = Field(None, alias="raster:scale")
    offset: float | None = Field(None, alias="raster:offset")
    unit: str | None = None


class _Asset(_Part):
    href: str
    bands: list[_Band] = Field(default_factory=list)
    eo_bands: list[_Band] = Field(default_factory=list, alias="eo:bands")
    raster_bands: list[_RasterBand] = Field(default_factory=list, alias="raster:bands")
    scale: float | None = Field(None, alias="raster:scale")
    offset: float | None = Field(None, alias="raster:offset")


class _Item(_Part):
    id: str = ""
    stac_version: str
    collection: str | None = None
    properties: dict[str, Any]
    assets: dict[str, _Asset] = Field(default_factory=dict)
    links: list[dict[str, Any]] = Field(default_factory=list)


def read_item(candidate: Path, path: Path) -> Sidecar | None:
    """Return what a STAC item says of a raster; ``None`` if it is no item or speaks of other files."""
    item = load(candidate, _parse)
    if item is None:
        return None
    key, asset = next(((k, a) for k, a in item.assets.items() if _file_of(a) == path.name), (None, None))
    if asset is None and candidate.stem not in (path.stem, path.name):
        return None
    groups = _groups(item.properties)
    product = _family(item)
    return Sidecar(
        source="A STAC item",
        date=_moment(item.properties),
        sensor=sensor_of(product, groups) or item.properties.get("platform"),
        product=product,
        groups=groups,
        bands=_bands(asset, key or "") if asset is not None else (),
    )


def _parse(text: str) -> _Item:
    """Return an item, or raise :class:`ValueError`, of which pydantic's errors are a kind."""
    return _Item.model_validate_json(text)


def _file_of(asset: _Asset) -> str:
    return PurePosixPath(asset.href.split("?")[0].replace("\\", "/")).name


def _moment(properties: Mapping[str, Any]) -> Any:
    stated = (properties.get(name) for name in ("datetime", "start_datetime"))
    return next((parse_moment(text) for text in stated if isinstance(text, str)), None)


def _family(item: _Item) -> str | None:
    # Other links lead to licences and related products, whose names would mislead.
    upwards = (link for link in item.links if link.get("rel") in ("self", "root", "collection"))
    links = [str(link.get("href", "")) for link in upwards]
    words = [*links, item.collection or "", str(item.properties.get("platform", "")), item.id]
    text = " ".join(words).lower()
    found = (entry for entry in metadata_words()["families"] if re.search(entry["pattern"], text))
    return next((entry["product"] for entry in found), None)


def _groups(properties: Mapping[str, Any]) -> dict[str, str]:
    platform = str(properties.get("platform", "")).lower().replace("_", "-")
    groups = dict(metadata_words()["platforms"].get(platform, {}))
    baseline = properties.get("s2:processing_baseline") or properties.get("processing:version")
    if isinstance(baseline, str) and re.fullmatch(r"\d{2}\.?\d{2}", baseline):
        groups["baseline"] = baseline.replace(".", "")
    return groups


def _bands(asset: _Asset, key: str) -> tuple[BandStatement, ...]:
    named = asset.bands or asset.eo_bands or [_Band.model_validate({"name": key})]
    return tuple(_statement(asset, band, index, key) for index, band in enumerate(named))


def _statement(asset: _Asset, band: _Band, index: int, key: str) -> BandStatement:
    raster = asset.raster_bands[index] if index < len(asset.raster_bands) else _RasterBand()
    scale = next((s for s in (band.scale, raster.scale, asset.scale) if s), None)
    offset = next((o for o in (band.offset, raster.offset, asset.offset) if o is not None), 0.0)
    return BandStatement(
        name=band.name or key,
        role=metadata_words()["common_names"].get(band.common or band.common_old or ""),
        scale=scale,
        offset=offset,
        unit=band.unit or raster.unit,
    )
