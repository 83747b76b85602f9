"""Any spectral index by its name, and a calculator over bands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from treeline.toolkit.batches import each_of
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.index.catalogue import SpectralIndex, find_index, indices, sensors
from treeline.toolkit.index.compute import write_index
from treeline.toolkit.index.kit import INDEX
from treeline.toolkit.raster import Source, bands_of, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool

_SOURCE = "Montero et al. 2023, Sci. Data 10:197 (catalogue); the paper of each index is in its entry"
SPECTRAL_INDEX = Variable("spectral_index", "Spectral index", "1")


@tool(kit=INDEX, source=_SOURCE, gives=Gives("raster", "spectral_index"))
def spectral_index(
    name: str,
    raster_paths: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("spectral_index", declares=(SPECTRAL_INDEX,))],
    bands: dict[str, str] | None = None,
    parameters: dict[str, float] | None = None,
    sensor: str = "",
) -> str:
    """Any of more than 250 spectral indices by its name, such as OSAVI, NDCI, BAI or kNDVI.

    The bands are found by what they are, in one multi-band raster or in several single-band ones;
    list_spectral_indices lists names, formulas, bands and parameters.

    Parameters
    ----------
    name : str
        Name of the index. NDWI, NDTI and NDSI name two each: NDWI_McFeeters or NDWI_Gao,
        NDTI_turbidity or NDTI_tillage, NDSI_snow or NDSI_soil.
    raster_paths : list of str
        The scene: one multi-band raster, or one raster per band.
    output_path : str
        Where to write the index.
    bands : dict, optional
        Band by symbol where it cannot be recognised, such as ``{"N": "scene.tif#8", "R": "scene.tif#4"}``.
    parameters : dict, optional
        Values of the parameters of its formula; those left out take the published value, if there is one.
    sensor : str
        Gives the central wavelengths that some formulas need, such as ``Sentinel-2 MSI``;
        empty for what the raster says.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    return _write(name, bands or {}, parameters or {}, sensor, raster_paths, output_path)


@tool(kit=INDEX, source=_SOURCE, gives=Gives("raster", "spectral_index"))
def spectral_index_series(
    name: str,
    raster_paths: Annotated[list[str], Reads()],
    output_paths: Annotated[list[str], Writes("spectral_index", declares=(SPECTRAL_INDEX,))],
    parameters: dict[str, float] | None = None,
    sensor: str = "",
) -> list[str]:
    """Any spectral index by its name, for each multi-band raster of a series.

    Parameters
    ----------
    name : str
        Name of the index, see spectral_index.
    raster_paths : list of str
        Multi-band rasters, one per date.
    output_paths : list of str
        Where to write each index.
    parameters : dict, optional
        Values of the parameters of its formula.
    sensor : str
        Gives the central wavelengths that some formulas need; empty for what the raster says.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per raster.
    """
    item = partial(_write_one, name, parameters or {}, sensor)
    return each_of(item, {"raster_paths": raster_paths, "output_paths": output_paths}, label=name)


@tool(kit=INDEX, source=_SOURCE, gives=Gives("table", "spectral_indices"))
def list_spectral_indices(domain: str = "", text: str = "") -> list[dict[str, Any]]:
    """Spectral indices that spectral_index knows: name, title, formula, bands, parameters, source.

    Parameters
    ----------
    domain : str
        Only those for it: vegetation, water, snow, burn, soil, built-up, clouds, radar or kernel.
    text : str
        Only those whose name or title contains it.

    Returns
    -------
    list of dict
        One entry per index.
    """
    domains = sorted({index.domain for index in indices().values()})
    if domain and domain not in domains:
        raise InputError(f"domain: there are no indices for {domain!r}.", f"There are {', '.join(domains)}.")
    wanted = text.casefold()
    return [
        _entry(index)
        for index in indices().values()
        if domain in ("", index.domain) and wanted in f"{index.name} {index.title}".casefold()
    ]


def _entry(index: SpectralIndex) -> dict[str, Any]:
    return {
        "name": index.name,
        "title": index.title,
        "domain": index.domain,
        "formula": index.formula.text,
        "bands": {band.symbol: band.title for band in index.bands},
        "parameters": {name: index.defaults.get(name) for name in index.parameters},
        "source": index.source,
        "note": index.note,
    }


def _write_one(name: str, parameters: Mapping[str, float], sensor: str, raster: str, output: str) -> str:
    return _write(name, {}, parameters, sensor, [raster], output)


def _write(
    name: str,
    given: Mapping[str, str],
    parameters: Mapping[str, float],
    sensor: str,
    rasters: list[str],
    output: str,
) -> str:
    index = find_index(name)
    bands = chosen_bands(index, rasters, given)
    # What the user gives goes before the wavelengths of the sensor.
    values = {**_wavelengths(index, sensor, bands), **parameters}
    return report_saved(write_index(index, bands, output, values))


def chosen_bands(index: SpectralIndex, rasters: list[str], given: Mapping[str, str]) -> dict[str, Source]:
    """Return the band of each symbol that an index needs.

    Parameters
    ----------
    index : SpectralIndex
        What is to be computed.
    rasters : list of str
        Where to look for bands by their role.
    given : mapping
        Addresses by symbol, which come first.

    Raises
    ------
    InputError
        A band is missing (with what was found), or a symbol is given that the formula does not have.
    """
    foreign = set(given) - {band.symbol for band in index.bands}
    if foreign:
        needed = ", ".join(f"{band.symbol} ({band.title})" for band in index.bands)
        raise InputError(f"bands: {index.name} has no band {sorted(foreign)[0]!r}.", f"It needs {needed}.")
    found: dict[str, Source] = {}
    for address in rasters:
        for band in bands_of(address):
            # The first band of a role, in the order in which the rasters were given.
            found.setdefault(band.role or "", band)
    chosen = {symbol: source(address) for symbol, address in given.items()}
    for wanted in index.bands:
        match = next((found[role] for role in wanted.roles if role in found), None)
        if wanted.symbol not in chosen and match is not None:
            chosen[wanted.symbol] = match
    _refuse_missing(index, chosen, found)
    return chosen


def _refuse_missing(index: SpectralIndex, chosen: Mapping[str, Source], found: Mapping[str, Source]) -> None:
    missing = [band for band in index.bands if band.symbol not in chosen]
    if missing:
        roles = ", ".join(sorted(role for role in found if role)) or "no band whose role is known"
        raise InputError(
            f"{index.name} needs {', '.join(f'{b.symbol} ({b.title})' for b in missing)}; the rasters hold "
            f"{roles}.",
            f"Name the band: bands={{'{missing[0].symbol}': 'file.tif#band'}}.",
        )


def _wavelengths(index: SpectralIndex, sensor: str, bands: Mapping[str, Source]) -> dict[str, float]:
    wanted = [name for name in index.parameters if name.startswith("lambda")]
    if not wanted:
        return {}
    known = sensors().get(sensor) or _sensor_of(sensor or next(iter(bands.values())).description.sensor or "")
    if known is None:
        if sensor:
            raise InputError(f"sensor: {sensor!r} is not known.", f"Known are {', '.join(sensors())}.")
        return {}
    here = {
        name: known[name.removeprefix("lambda")][1] for name in wanted if name.removeprefix("lambda") in known
    }
    current_context().warn(f"{index.name}: central wavelengths {here} in nm.")
    return here


def _sensor_of(text: str) -> dict[str, tuple[str, float]] | None:
    from rapidfuzz import fuzz
    from rapidfuzz import process as fuzzy

    best = (
        fuzzy.extractOne(text, list(sensors()), scorer=fuzz.token_set_ratio, score_cutoff=60)
        if text
        else None
    )
    return sensors()[best[0]] if best else None
