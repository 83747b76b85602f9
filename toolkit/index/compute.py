"""From an index of the catalogue and its bands to a raster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from treeline.toolkit.context import Product
from treeline.toolkit.errors import InputError
from treeline.toolkit.index.catalogue import SpectralIndex, find_index, symbols
from treeline.toolkit.plausible import limit_result
from treeline.toolkit.raster import Source, map_pixels, proportional, require_scale, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.variables import variable

# Offsets are written with a few digits: -0.1 in steps of 0.0001 is not quite 1000 of them.
_WHOLE = 1e-6

NIR = ("nir", "nir08", "nir_broad")

NO_EPSILON = "0/0 is no value, nodata is masked, implausible values become NaN"
RAW = (
    "earth_bench adds 1e-6 to the denominator and computes on stored numbers, with nodata taken for data; "
    "science masks nodata, applies scale and offset, and gives NaN where the index is undefined or "
    "implausible"
)


def singular_names(*parameters: str) -> dict[str, str]:
    """Return the older names of list parameters: those of the tools for one raster."""
    names = {name.removesuffix("s"): name for name in parameters}
    return {**names, "output_filename": parameters[-1]}


def write_index(
    index: SpectralIndex,
    bands: Mapping[str, Source],
    output: str,
    parameters: Mapping[str, float] | None = None,
) -> Product:
    """Write an index of given bands.

    Parameters
    ----------
    index : SpectralIndex
        What to compute.
    bands : mapping
        The band of each symbol in its formula.
    output : str
        Where to write.
    parameters : mapping, optional
        Values of its parameters; those left out take the published value.

    Raises
    ------
    InputError
        A parameter without a published value is missing, or one that the formula does not have is given.
    ScaleUnknown
        The formula needs reflectance and a band holds digital numbers of unknown scale; or it is a
        ratio and a band's digital numbers may have an offset.
    """
    values = settled_parameters(index, parameters or {})
    for band in bands.values():
        (proportional if index.scale_free else require_scale)(band)
    known = variable(index.role)
    decibels = frozenset(symbol for symbol, band in bands.items() if _in_decibels(index, band))
    if index.scale_free and not decibels:
        bands = _in_steps(bands)
    function: Callable[..., Any] = partial(_pixels, index, values, decibels)
    if known is not None:
        function = limit_result(function, *known.plausible, index.name)
    inputs = {symbol: bands[symbol] for symbol in (band.symbol for band in index.bands)}
    tags = {"TREELINE_FORMULA": index.formula.text, "TREELINE_SOURCE": index.source}
    return map_pixels(function, inputs, output, role=index.role, unit="1", extra_tags=tags)


def _in_steps(bands: Mapping[str, Source]) -> Mapping[str, Source]:
    """Return bands that share a scale in steps of it, where their offsets are whole steps.

    What does not depend on the scale is then a ratio of whole numbers, which is exact before it is rounded
    once: 0.09 and 0.01 give 0.8 and nothing beside it, so that a limit of 0.8 splits no ties.
    """
    scales = {(each.band.scale, each.band.offset) for each in bands.values()}
    if len({scale for scale, _ in scales}) != 1 or any(each.band.planck for each in bands.values()):
        return bands
    steps = {offset: offset / scale for scale, offset in scales}
    if any(abs(step - round(step)) > _WHOLE for step in steps.values()):
        return bands
    return {
        symbol: replace(
            each, band=replace(each.band, scale=1.0, offset=float(round(steps[each.band.offset])))
        )
        for symbol, each in bands.items()
    }


def settled_parameters(index: SpectralIndex, given: Mapping[str, float]) -> dict[str, float]:
    """Return a value for every parameter of an index.

    Raises
    ------
    InputError
        One is missing that has no published value, or one is given that the formula does not have.
    """
    unknown = set(given) - set(index.parameters)
    if unknown:
        has = ", ".join(index.parameters) or "none"
        raise InputError(f"{index.name} has no parameter {sorted(unknown)[0]!r}.", f"Its parameters: {has}.")
    values = {**index.defaults, **given}
    missing = [name for name in index.parameters if name not in values]
    if missing:
        raise InputError(
            f"{index.name} needs a value for {', '.join(missing)}; none is published for all cases.",
            f"Its formula is {index.formula.text}.",
        )
    return {name: float(values[name]) for name in index.parameters}


def write_one(name: str, order: tuple[str, ...], parameters: Mapping[str, float], *addresses: str) -> str:
    """Write an index of rasters.

    Parameters
    ----------
    name : str
        Name in the catalogue.
    order : tuple of str
        Band symbols of the rasters.
    parameters : mapping
        Values of the formula's parameters.
    *addresses : str
        The rasters, and last the output.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    index = find_index(name)
    *rasters, output = addresses
    bands = {s: source(raster, *symbols()[s].roles) for s, raster in zip(order, rasters, strict=True)}
    return report_saved(write_index(index, bands, output, parameters))


def _in_decibels(index: SpectralIndex, band: Source) -> bool:
    return index.domain == "radar" and band.unit.casefold() == "db"


def _pixels(
    index: SpectralIndex, parameters: Mapping[str, float], decibels: frozenset[str], **arrays: Any
) -> Any:
    # Indices of radar are ratios of power, P = 10^(dB / 10).
    bands = {symbol: 10 ** (band / 10) if symbol in decibels else band for symbol, band in arrays.items()}
    return index.compute({**parameters, **bands})
