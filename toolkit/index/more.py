"""Further common indices as tools of their own, for each set of rasters in a series."""

from __future__ import annotations

from typing import Annotated

from toolkit.index.compute import batch, singular
from toolkit.index.kit import INDEX
from toolkit.tool import Gives, Reads, Writes, tool


@tool(
    kit=INDEX,
    source="Huete 1988, Remote Sens. Environ. 25:295",
    gives=Gives("raster", "savi"),
    formula="(1 + L) (NIR - Red) / (NIR + Red + L)",
    parameter_aliases=singular("input_nir_paths", "input_red_paths", "output_paths"),
)
def calculate_batch_savi(
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    input_red_paths: Annotated[list[str], Reads("red")],
    output_paths: Annotated[list[str], Writes("savi")],
    L: float = 0.5,
) -> list[str]:
    """Soil-adjusted vegetation index (SAVI) of each pair of rasters.

    Parameters
    ----------
    input_nir_paths : list of str
        Near-infrared reflectance.
    input_red_paths : list of str
        Red reflectance, in the same order.
    output_paths : list of str
        Where to write each SAVI.
    L : float
        Soil adjustment: 1 for sparse, 0.5 for intermediate, 0.25 for dense vegetation.

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
    return batch("SAVI", ("N", "R"), lists, L=L)


@tool(
    kit=INDEX,
    source="Qi et al. 1994, Remote Sens. Environ. 48:119",
    gives=Gives("raster", "msavi"),
    formula="0.5 (2 NIR + 1 - sqrt((2 NIR + 1)^2 - 8 (NIR - Red)))",
    parameter_aliases=singular("input_nir_paths", "input_red_paths", "output_paths"),
)
def calculate_batch_msavi(
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    input_red_paths: Annotated[list[str], Reads("red")],
    output_paths: Annotated[list[str], Writes("msavi")],
) -> list[str]:
    """Modified soil-adjusted vegetation index (MSAVI2) of each pair of rasters.

    Parameters
    ----------
    input_nir_paths : list of str
        Near-infrared reflectance.
    input_red_paths : list of str
        Red reflectance, in the same order.
    output_paths : list of str
        Where to write each MSAVI.

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
    return batch("MSAVI", ("N", "R"), lists)


@tool(
    kit=INDEX,
    source="Jiang et al. 2008, Remote Sens. Environ. 112:3833",
    gives=Gives("raster", "evi2"),
    formula="2.5 (NIR - Red) / (NIR + 2.4 Red + 1)",
    parameter_aliases=singular("input_nir_paths", "input_red_paths", "output_paths"),
)
def calculate_batch_evi2(
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    input_red_paths: Annotated[list[str], Reads("red")],
    output_paths: Annotated[list[str], Writes("evi2")],
) -> list[str]:
    """Two-band enhanced vegetation index (EVI2, no blue band) of each pair of rasters.

    Parameters
    ----------
    input_nir_paths : list of str
        Near-infrared reflectance.
    input_red_paths : list of str
        Red reflectance, in the same order.
    output_paths : list of str
        Where to write each EVI2.

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
    return batch("EVI2", ("N", "R"), lists)


@tool(
    kit=INDEX,
    source="Gitelson & Merzlyak 1994, J. Plant Physiol. 143:286",
    gives=Gives("raster", "ndre"),
    formula="(NIR - RedEdge1) / (NIR + RedEdge1)",
    parameter_aliases=singular("input_nir_paths", "input_rededge_paths", "output_paths"),
)
def calculate_batch_ndre(
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    input_rededge_paths: Annotated[list[str], Reads("rededge1")],
    output_paths: Annotated[list[str], Writes("ndre")],
) -> list[str]:
    """Normalised difference red-edge index (NDRE) of each pair of rasters.

    Parameters
    ----------
    input_nir_paths : list of str
        Near-infrared bands.
    input_rededge_paths : list of str
        Red-edge bands (705 nm), in the same order.
    output_paths : list of str
        Where to write each NDRE.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per pair.
    """
    lists = {
        "input_nir_paths": input_nir_paths,
        "input_rededge_paths": input_rededge_paths,
        "output_paths": output_paths,
    }
    return batch("NDREI", ("N", "RE1"), lists)


@tool(
    kit=INDEX,
    source="Xu 2006, Int. J. Remote Sens. 27:3025",
    gives=Gives("raster", "mndwi"),
    formula="(Green - SWIR1) / (Green + SWIR1)",
    parameter_aliases=singular("input_green_paths", "input_swir_paths", "output_paths"),
)
def calculate_batch_mndwi(
    input_green_paths: Annotated[list[str], Reads("green")],
    input_swir_paths: Annotated[list[str], Reads("swir1")],
    output_paths: Annotated[list[str], Writes("mndwi")],
) -> list[str]:
    """Modified normalised difference water index (MNDWI) of each pair of rasters; open water is above 0.

    Parameters
    ----------
    input_green_paths : list of str
        Green bands.
    input_swir_paths : list of str
        Short-wave infrared bands (1.6 um), in the same order.
    output_paths : list of str
        Where to write each MNDWI.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per pair.
    """
    lists = {
        "input_green_paths": input_green_paths,
        "input_swir_paths": input_swir_paths,
        "output_paths": output_paths,
    }
    return batch("MNDWI", ("G", "S1"), lists)


@tool(
    kit=INDEX,
    source="Wilson & Sader 2002, Remote Sens. Environ. 80:385",
    gives=Gives("raster", "ndmi"),
    formula="(NIR - SWIR1) / (NIR + SWIR1)",
    parameter_aliases=singular("input_nir_paths", "input_swir_paths", "output_paths"),
)
def calculate_batch_ndmi(
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    input_swir_paths: Annotated[list[str], Reads("swir1")],
    output_paths: Annotated[list[str], Writes("ndmi")],
) -> list[str]:
    """Normalised difference moisture index (NDMI, also LSWI) of each pair of rasters.

    Parameters
    ----------
    input_nir_paths : list of str
        Near-infrared bands.
    input_swir_paths : list of str
        Short-wave infrared bands (1.6 um), in the same order.
    output_paths : list of str
        Where to write each NDMI.

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
    return batch("NDMI", ("N", "S1"), lists)


@tool(
    kit=INDEX,
    source="Feyisa et al. 2014, Remote Sens. Environ. 140:23",
    gives=Gives("raster", "aweinsh"),
    formula="4 (Green - SWIR1) - (0.25 NIR + 2.75 SWIR2)",
    parameter_aliases=singular(
        "input_green_paths", "input_nir_paths", "input_swir1_paths", "input_swir2_paths", "output_paths"
    ),
)
def calculate_batch_awei(
    input_green_paths: Annotated[list[str], Reads("green")],
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    input_swir1_paths: Annotated[list[str], Reads("swir1")],
    input_swir2_paths: Annotated[list[str], Reads("swir2")],
    output_paths: Annotated[list[str], Writes("aweinsh")],
) -> list[str]:
    """Automated water extraction index without shadow (AWEInsh) of each set of rasters; water is above 0.

    Parameters
    ----------
    input_green_paths : list of str
        Green reflectance.
    input_nir_paths : list of str
        Near-infrared reflectance, in the same order.
    input_swir1_paths : list of str
        Short-wave infrared reflectance (1.6 um), in the same order.
    input_swir2_paths : list of str
        Short-wave infrared reflectance (2.2 um), in the same order.
    output_paths : list of str
        Where to write each AWEI.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per set.
    """
    lists = {
        "input_green_paths": input_green_paths,
        "input_nir_paths": input_nir_paths,
        "input_swir1_paths": input_swir1_paths,
        "input_swir2_paths": input_swir2_paths,
        "output_paths": output_paths,
    }
    return batch("AWEInsh", ("G", "N", "S1", "S2"), lists)
