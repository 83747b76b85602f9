"""Snow cover from the snow index."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.index.kit import INDEX
from treeline.toolkit.plausible import limiter_of
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool


def _linear(ndsi: Any) -> Any:
    return np.clip(np.float32(-0.01) + np.float32(1.45) * ndsi, 0, 1)


def _sigmoid(ndsi: Any) -> Any:
    return np.float32(0.5) * np.tanh(np.float32(2.65) * ndsi - np.float32(1.42)) + np.float32(0.5)


_RELATIONS = {"linear": _linear, "sigmoid": _sigmoid}


@tool(
    kit=INDEX,
    source="Salomonson & Appel 2006, IEEE Trans. Geosci. Remote Sens. 44:1747 (linear); Gascoin et al. 2020, "
    "Remote Sens. 12:2904 (sigmoid)",
    gives=Gives("raster", "snow_fraction"),
    formula="linear: -0.01 + 1.45 NDSI, limited to 0..1; sigmoid: 0.5 tanh(2.65 NDSI - 1.42) + 0.5",
)
def fractional_snow_cover(
    ndsi_path: Annotated[str, Reads("ndsi")],
    output_path: Annotated[str, Writes("snow_fraction", "1")],
    relation: str = "linear",
) -> str:
    """Fractional snow cover (0 to 1) from the snow index.

    Pixels whose index lies outside -1 to 1 are left out.

    Parameters
    ----------
    ndsi_path : str
        Normalised difference snow index.
    output_path : str
        Where to write the fraction.
    relation : str
        ``linear`` (MODIS Terra, 500 m) or ``sigmoid`` (Sentinel-2, 20 m).

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    function = _RELATIONS.get(relation)
    if function is None:
        raise InputError(f"relation: {relation!r} is not known.", f"Use {', '.join(_RELATIONS)}.")
    kept, role = limiter_of("ndsi"), "snow_fraction"
    inputs = {"ndsi": source(ndsi_path, "ndsi")}
    return report_saved(
        map_pixels(lambda ndsi: function(kept(ndsi)), inputs, output_path, role=role, unit="1")
    )


@tool(
    kit=INDEX,
    source="Hall, Riggs & Salomonson 1995, Remote Sens. Environ. 54:127",
    gives=Gives("raster", "snow_mask"),
    formula="1 where NDSI > 0.4 and NIR > 0.11, 0 elsewhere, 255 without data",
)
def snow_mask(
    ndsi_path: Annotated[str, Reads("ndsi")],
    nir_path: Annotated[str, Reads("nir", "nir08")],
    output_path: Annotated[str, Writes("mask", "class")],
    ndsi_threshold: float = 0.4,
    nir_threshold: float = 0.11,
) -> str:
    """Snow mask: 1 where the snow index is high and the near infrared is too bright for water.

    The two thresholds are the usual ones; under forest and for other sensors set your own.

    Parameters
    ----------
    ndsi_path : str
        Normalised difference snow index.
    nir_path : str
        Near-infrared reflectance, which water lacks.
    output_path : str
        Where to write the mask: 1 snow, 0 none, 255 no data.
    ndsi_threshold : float
        Snow is above it.
    nir_threshold : float
        Snow is above this reflectance.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    inputs = {"ndsi": source(ndsi_path, "ndsi"), "nir": source(nir_path, "nir", "nir08")}
    function = partial(_snow, ndsi_threshold, nir_threshold)
    return report_saved(map_pixels(function, inputs, output_path, role="mask", unit="class", dtype="uint8"))


def _snow(ndsi_threshold: float, nir_threshold: float, ndsi: Any, nir: Any) -> Any:
    return (ndsi > ndsi_threshold) & (nir > nir_threshold)
