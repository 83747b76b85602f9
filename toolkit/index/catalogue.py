"""The spectral indices as data: which there are, what they need, where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.index.formula import Formula, parse
from treeline.toolkit.likeness import nearest_names

_FOLDER = Path(__file__).parent

AMBIGUOUS: dict[str, tuple[str, ...]] = {
    "NDWI": ("NDWI_McFeeters", "NDWI_Gao"),
    "NDTI": ("NDTI_turbidity", "NDTI_tillage"),
    "NDSI": ("NDSI_snow", "NDSI_soil"),
    "RVI": ("SR", "RVI_ratio", "DpRVIVV", "DpRVIHH", "QpRVI"),
}

_OTHER_NAMES = {"NDTillI": "NDTI_tillage", "NDSoI": "NDSI_soil", "BSI": "BI", "NDRE": "NDREI"}


@dataclass(frozen=True)
class BandSymbol:
    """A band as the formulas write it.

    Attributes
    ----------
    symbol : str
        Such as ``N`` or ``RE1``.
    title : str
        For people.
    roles : tuple of str
        Roles of :mod:`treeline.toolkit.variables` that it accepts, the best first.
    """

    symbol: str
    title: str
    roles: tuple[str, ...]


@dataclass(frozen=True)
class SpectralIndex:
    """One index.

    Attributes
    ----------
    name, title, domain, source : str
        ``domain`` is what it is for: vegetation, water, burn, snow, soil, built-up, clouds,
        radar or kernel. ``source`` is a citation or the address of the paper.
    formula : Formula
        Over band symbols and parameters.
    role : str
        Of the raster that it gives.
    defaults : mapping
        Parameters with a published value; the others must be given.
    note : str
        What a user should know.
    """

    name: str
    title: str
    domain: str
    formula: Formula
    source: str
    role: str
    defaults: Mapping[str, float] = field(default_factory=dict)
    note: str = ""

    @cached_property
    def bands(self) -> tuple[BandSymbol, ...]:
        """The bands that it needs, in the order of the formula."""
        return tuple(symbols()[name] for name in self.formula.names if name in symbols())

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The parameters in its formula."""
        return tuple(name for name in self.formula.names if name not in symbols())

    @cached_property
    def scale_free(self) -> bool:
        """Whether a common factor of all bands leaves the index as it is."""
        # Odd numbers, at which two different terms are not equal by accident.
        parameters = {name: 0.3 + 0.11 * order for order, name in enumerate(self.parameters)}
        bands = {band.symbol: np.float64(0.1 * (order + 1.3) ** 0.7) for order, band in enumerate(self.bands)}
        doubled = {symbol: 2 * value for symbol, value in bands.items()}
        with np.errstate(all="ignore"):
            return bool(
                np.isclose(self.formula(parameters | bands), self.formula(parameters | doubled), rtol=1e-9)
            )

    def compute(self, values: Mapping[str, Any]) -> Any:
        """Return the index of arrays or numbers by symbol; NaN where it is not defined.

        Parameters
        ----------
        values : mapping
            Reflectance 0-1 (K for thermal, linear power for radar) by band symbol, and numbers
            by parameter; parameters left out take their published value.
        """
        with np.errstate(all="ignore"):
            result = np.asarray(self.formula({**self.defaults, **values}))
            result = result.astype(np.float32, copy=False) if result.dtype != np.float64 else result
            return np.where(np.isfinite(result), result, np.nan)


def _yaml(name: str) -> dict[str, Any]:
    import yaml

    # The loader of libyaml is several times as fast, but not every build of PyYAML has it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((_FOLDER / name).read_text("utf-8"), Loader=loader)


@cache
def symbols() -> dict[str, BandSymbol]:
    """Return the band symbols that formulas may use."""
    entries = _yaml("bands.yaml")["symbols"]
    return {name: BandSymbol(name, entry["title"], tuple(entry["roles"])) for name, entry in entries.items()}


@cache
def sensors() -> dict[str, dict[str, tuple[str, float]]]:
    """Return per sensor the band name and central wavelength (nm) of each band symbol."""
    entries = _yaml("bands.yaml")["sensors"]
    return {
        sensor: {s: (str(b), float(w)) for s, (b, w) in bands.items()} for sensor, bands in entries.items()
    }


@cache
def wavelengths(sensor: str) -> dict[str, float]:
    """Return the central wavelength (nm) of the bands of a sensor by their names; empty where unknown."""
    return dict(sensors().get(sensor, {}).values())


@cache
def indices() -> dict[str, SpectralIndex]:
    """Return all indices by name."""
    return {
        name: SpectralIndex(
            name=name,
            title=entry["title"],
            domain=entry["domain"],
            formula=parse(entry["formula"]),
            source=entry["source"],
            role=entry.get("role", name.lower()),
            defaults=entry.get("defaults", {}),
            note=entry.get("note", ""),
        )
        for name, entry in _yaml("catalogue.yaml").items()
    }


@cache
def _by_fold() -> dict[str, str]:
    names = {name.casefold(): name for name in indices()}
    others = {old.casefold(): name for old, name in _OTHER_NAMES.items()}
    # A name of the catalogue goes before another name of an index.
    return others | names


def find_index(name: str) -> SpectralIndex:
    """Return an index by its name, however its case is written.

    Raises
    ------
    InputError
        There is none of that name (with the nearest), or the name means two different indices.
    """
    wanted = name.strip()
    if wanted.upper() in AMBIGUOUS:
        choices = AMBIGUOUS[wanted.upper()]
        described = "; ".join(f"{c}: {indices()[c].formula.text}" for c in choices)
        raise InputError(f"{wanted!r} names more than one index.", f"Say which: {described}.")
    found = indices().get(wanted) or indices().get(_by_fold().get(wanted.casefold(), ""))
    if found is None:
        near = nearest_names(wanted, indices(), 4)
        raise InputError(f"There is no spectral index named {wanted!r}.", f"Nearest: {', '.join(near)}.")
    return found
