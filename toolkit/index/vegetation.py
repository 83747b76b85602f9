"""Vegetation indices of the reference: NDVI, EVI, fractional cover."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import numpy as np

from toolkit.batches import each_of
from toolkit.errors import InputError
from toolkit.index.catalogue import index_named
from toolkit.index.compute import NIR, NO_EPSILON, RAW, batch, singular
from toolkit.index.kit import INDEX
from toolkit.raster import map_pixels, source
from toolkit.results import saved
from toolkit.tool import Gives, Reads, Writes, tool


@tool(
    kit=INDEX,
    source="Rouse et al. 1974, NASA SP-351",
    gives=Gives("raster", "ndvi"),
    formula="(NIR - Red) / (NIR + Red)",
    difference=RAW,
    aliases=("calculate_ndvi",),
    parameter_aliases=singular("input_nir_paths", "input_red_paths", "output_paths"),
)
def calculate_batch_ndvi(
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    input_red_paths: Annotated[list[str], Reads("red")],
    output_paths: Annotated[list[str], Writes("ndvi")],
) -> list[str]:
    """Normalised difference vegetation index (NDVI) of each pair of rasters.

    Parameters
    ----------
    input_nir_paths : list of str
        Near-infrared bands.
    input_red_paths : list of str
        Red bands, in the same order.
    output_paths : list of str
        Where to write each NDVI.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per pair.
    """
    lists = {
        "input_nir_paths": input_nir_paths,
        "input_red_paths": input_red_paths,
        "output_paths": output_paths,
    }
    return batch("NDVI", ("N", "R"), lists)


@tool(
    kit=INDEX,
    source="Huete et al. 2002, Remote Sens. Environ. 83:195",
    gives=Gives("raster", "evi"),
    formula="G (NIR - Red) / (NIR + C1 Red - C2 Blue + L)",
    difference="science needs reflectance 0-1 and refuses digital numbers of unknown scale, which "
    "earth_bench takes "
    "as they are; " + NO_EPSILON,
    aliases=("calculate_evi",),
    parameter_aliases=singular("input_nir_paths", "input_red_paths", "input_blue_paths", "output_paths"),
)
def calculate_batch_evi(
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    input_red_paths: Annotated[list[str], Reads("red")],
    input_blue_paths: Annotated[list[str], Reads("blue")],
    output_paths: Annotated[list[str], Writes("evi")],
    G: float = 2.5,
    C1: float = 6,
    C2: float = 7.5,
    L: float = 1,
) -> list[str]:
    """Enhanced vegetation index (EVI) of each set of rasters.

    Parameters
    ----------
    input_nir_paths : list of str
        Near-infrared reflectance.
    input_red_paths : list of str
        Red reflectance, in the same order.
    input_blue_paths : list of str
        Blue reflectance, in the same order.
    output_paths : list of str
        Where to write each EVI.
    G : float
        Gain factor.
    C1 : float
        Aerosol coefficient of the red band.
    C2 : float
        Aerosol coefficient of the blue band.
    L : float
        Canopy background adjustment.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per set.
    """
    lists = {
        "input_nir_paths": input_nir_paths,
        "input_red_paths": input_red_paths,
        "input_blue_paths": input_blue_paths,
        "output_paths": output_paths,
    }
    return batch("EVI", ("N", "R", "B"), lists, g=G, C1=C1, C2=C2, L=L)


@tool(
    kit=INDEX,
    source="Gutman & Ignatov 1998, Int. J. Remote Sens. 19:1533",
    gives=Gives("raster", "fvc", "1"),
    formula="(NDVI - NDVImin) / (NDVImax - NDVImin), limited to 0..1",
    difference="earth_bench gives percent (0-100) and adds 1e-6 to the denominator of NDVI; science gives "
    "the fraction 0-1 and masks nodata",
    aliases=("calculate_fvc",),
    parameter_aliases=singular("input_nir_paths", "input_red_paths", "output_paths"),
)
def calculate_batch_fvc(
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    input_red_paths: Annotated[list[str], Reads("red")],
    output_paths: Annotated[list[str], Writes("fvc")],
    ndvi_min: float = 0.1,
    ndvi_max: float = 0.9,
) -> list[str]:
    """Fractional vegetation cover (FVC, 0 to 1) from NDVI of each pair of rasters.

    Parameters
    ----------
    input_nir_paths : list of str
        Near-infrared bands.
    input_red_paths : list of str
        Red bands, in the same order.
    output_paths : list of str
        Where to write each FVC.
    ndvi_min : float
        NDVI of bare soil; cover is 0 there and below.
    ndvi_max : float
        NDVI of full cover; cover is 1 there and above.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per pair.
    """
    if not ndvi_min < ndvi_max:
        raise InputError(
            f"ndvi_min is {ndvi_min:g} and ndvi_max {ndvi_max:g}.",
            "The NDVI of bare soil must be the smaller.",
        )
    item = partial(_one_fvc, ndvi_min, ndvi_max)
    lists = {
        "input_nir_paths": input_nir_paths,
        "input_red_paths": input_red_paths,
        "output_paths": output_paths,
    }
    return each_of(item, lists, label="FVC")


def _one_fvc(ndvi_min: float, ndvi_max: float, nir: str, red: str, output: str) -> str:
    ndvi = index_named("NDVI")

    def cover(**bands: Any) -> Any:
        values = ndvi.compute(bands)
        values = np.where(np.abs(values) <= 1, values, np.float32(np.nan))
        return np.clip((values - ndvi_min) / (ndvi_max - ndvi_min), 0, 1)

    inputs = {"N": source(nir, *NIR), "R": source(red, "red")}
    return saved(map_pixels(cover, inputs, output, role="fvc", unit="1"))
