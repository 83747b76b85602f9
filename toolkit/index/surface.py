"""Built-up and burn indices of the reference: NDBI, NBR."""

from __future__ import annotations

from typing import Annotated

from toolkit.index.compute import RAW, batch, singular
from toolkit.index.kit import INDEX
from toolkit.tool import Gives, Reads, Writes, tool


@tool(
    kit=INDEX,
    source="Zha, Gao & Ni 2003, Int. J. Remote Sens. 24:583",
    gives=Gives("raster", "ndbi"),
    formula="(SWIR1 - NIR) / (SWIR1 + NIR)",
    difference=RAW,
    aliases=("calculate_ndbi",),
    parameter_aliases=singular("input_swir_paths", "input_nir_paths", "output_paths"),
)
def calculate_batch_ndbi(
    input_swir_paths: Annotated[list[str], Reads("swir1")],
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    output_paths: Annotated[list[str], Writes("ndbi")],
) -> list[str]:
    """Normalised difference built-up index (NDBI) of each pair of rasters.

    Parameters
    ----------
    input_swir_paths : list of str
        Short-wave infrared bands (1.6 um).
    input_nir_paths : list of str
        Near-infrared bands, in the same order.
    output_paths : list of str
        Where to write each NDBI.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per pair.
    """
    lists = {
        "input_swir_paths": input_swir_paths,
        "input_nir_paths": input_nir_paths,
        "output_paths": output_paths,
    }
    return batch("NDBI", ("S1", "N"), lists)


@tool(
    kit=INDEX,
    source="Key & Benson 2006, RMRS-GTR-164",
    gives=Gives("raster", "nbr"),
    formula="(NIR - SWIR2) / (NIR + SWIR2)",
    difference=RAW,
    aliases=("calculate_nbr",),
    parameter_aliases=singular("input_nir_paths", "input_swir_paths", "output_paths"),
)
def calculate_batch_nbr(
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    input_swir_paths: Annotated[list[str], Reads("swir2")],
    output_paths: Annotated[list[str], Writes("nbr")],
) -> list[str]:
    """Normalised burn ratio (NBR) of each pair of rasters.

    Parameters
    ----------
    input_nir_paths : list of str
        Near-infrared bands.
    input_swir_paths : list of str
        Short-wave infrared bands (2.2 um), in the same order.
    output_paths : list of str
        Where to write each NBR.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per pair.
    """
    lists = {
        "input_nir_paths": input_nir_paths,
        "input_swir_paths": input_swir_paths,
        "output_paths": output_paths,
    }
    return batch("NBR", ("N", "S2"), lists)
