"""Water and snow indices of the reference: NDWI, WRI, NDTI, NDSI."""

from __future__ import annotations

from typing import Annotated

from toolkit.batches import each_of
from toolkit.context import current_context
from toolkit.errors import RoleMismatch
from toolkit.index.catalogue import index_named
from toolkit.index.compute import NIR, RAW, batch, singular, write_index
from toolkit.index.kit import INDEX
from toolkit.raster import source
from toolkit.results import saved
from toolkit.tool import Gives, Reads, Writes, tool


@tool(
    kit=INDEX,
    source="Gao 1996, Remote Sens. Environ. 58:257; McFeeters 1996, Int. J. Remote Sens. 17:1425",
    gives=Gives("raster", "ndwi"),
    formula="(NIR - SWIR) / (NIR + SWIR); with a green and a NIR band (Green - NIR) / (Green + NIR)",
    difference=RAW
    + "; given a green and a NIR band, in either order, science computes McFeeters' open-water "
    "index, positive over water, where earth_bench takes the bands in the order given",
    aliases=("calculate_ndwi",),
    parameter_aliases=singular("input_nir_paths", "input_swir_paths", "output_paths"),
)
def calculate_batch_ndwi(
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08", "green")],
    input_swir_paths: Annotated[list[str], Reads("swir12", "swir1", "swir2", "green", "nir", "nir08")],
    output_paths: Annotated[list[str], Writes("ndwi")],
) -> list[str]:
    """Normalised difference water index (NDWI) of each pair of rasters.

    With NIR and SWIR it tells leaf water (Gao's form; his own band is 1.24 um, with 1.6 um it is
    also called NDMI or LSWI). With NIR and green it is McFeeters' index of open water (water above 0).

    Parameters
    ----------
    input_nir_paths : list of str
        Near-infrared bands.
    input_swir_paths : list of str
        Short-wave infrared bands, or green bands, in the same order.
    output_paths : list of str
        Where to write each NDWI.

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
    return each_of(_one_ndwi, lists, label="NDWI")


SWIR = ("swir12", "swir1", "swir2")


def _one_ndwi(first_path: str, second_path: str, output: str) -> str:
    first = source(first_path, *NIR, "green")
    second = source(second_path, *SWIR, "green", *NIR)
    roles = {first.role, second.role}
    if "green" in roles and roles <= {"green", *NIR} and len(roles) == 2:
        green, nir = (first, second) if first.role == "green" else (second, first)
        current_context().warn("Green and near infrared were given: this is McFeeters' open-water NDWI.")
        return saved(write_index(index_named("NDWI_McFeeters"), {"G": green, "N": nir}, output))
    if first.role == "green" or second.role in NIR:
        raise RoleMismatch(
            f"{first.name} holds {first.role} and {second.name} holds {second.role}; NDWI needs near "
            "infrared with short-wave infrared, or with green.",
            "For green with short-wave infrared use calculate_batch_mndwi.",
        )
    return saved(write_index(index_named("NDWI_Gao"), {"N": first, "S12": second}, output))


@tool(
    kit=INDEX,
    source="Shen & Li 2010, Geoinformatics 2010",
    gives=Gives("raster", "wri"),
    formula="(Green + Red) / (NIR + SWIR1)",
    difference=RAW,
    aliases=("calculate_wri",),
    parameter_aliases=singular(
        "input_green_paths", "input_red_paths", "input_nir_paths", "input_swir_paths", "output_paths"
    ),
)
def calculate_batch_wri(
    input_green_paths: Annotated[list[str], Reads("green")],
    input_red_paths: Annotated[list[str], Reads("red")],
    input_nir_paths: Annotated[list[str], Reads("nir", "nir08")],
    input_swir_paths: Annotated[list[str], Reads("swir1")],
    output_paths: Annotated[list[str], Writes("wri")],
) -> list[str]:
    """Water ratio index (WRI) of each set of rasters; water is above 1.

    Parameters
    ----------
    input_green_paths : list of str
        Green bands.
    input_red_paths : list of str
        Red bands, in the same order.
    input_nir_paths : list of str
        Near-infrared bands, in the same order.
    input_swir_paths : list of str
        Short-wave infrared bands (1.6 um), in the same order.
    output_paths : list of str
        Where to write each WRI.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per set.
    """
    lists = {
        "input_green_paths": input_green_paths,
        "input_red_paths": input_red_paths,
        "input_nir_paths": input_nir_paths,
        "input_swir_paths": input_swir_paths,
        "output_paths": output_paths,
    }
    return batch("WRI", ("G", "R", "N", "S1"), lists)


@tool(
    kit=INDEX,
    source="Lacaux et al. 2007, Remote Sens. Environ. 106:66",
    gives=Gives("raster", "ndti"),
    formula="(Red - Green) / (Red + Green)",
    difference=RAW,
    aliases=("calculate_ndti",),
    parameter_aliases=singular("input_red_paths", "input_green_paths", "output_paths"),
)
def calculate_batch_ndti(
    input_red_paths: Annotated[list[str], Reads("red")],
    input_green_paths: Annotated[list[str], Reads("green")],
    output_paths: Annotated[list[str], Writes("ndti")],
) -> list[str]:
    """Normalised difference turbidity index (NDTI) of each pair of rasters.

    Parameters
    ----------
    input_red_paths : list of str
        Red bands.
    input_green_paths : list of str
        Green bands, in the same order.
    output_paths : list of str
        Where to write each NDTI.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per pair.
    """
    lists = {
        "input_red_paths": input_red_paths,
        "input_green_paths": input_green_paths,
        "output_paths": output_paths,
    }
    return batch("NDTI_turbidity", ("R", "G"), lists)


@tool(
    kit=INDEX,
    source="Hall, Riggs & Salomonson 1995, Remote Sens. Environ. 54:127",
    gives=Gives("raster", "ndsi"),
    formula="(Green - SWIR1) / (Green + SWIR1)",
    difference="earth_bench multiplies by 0.0001 whatever the data, clips to -1..1 and resizes by array "
    "index; science applies the stated scale and aligns by georeference",
    aliases=("calculate_ndsi",),
    parameter_aliases={
        "input_green_path": "green_file_list",
        "input_swir_path": "swir_file_list",
        "input_green_paths": "green_file_list",
        "input_swir_paths": "swir_file_list",
        "output_path": "output_path_list",
        "output_paths": "output_path_list",
        "output_filename": "output_path_list",
    },
)
def calculate_batch_ndsi(
    green_file_list: Annotated[list[str], Reads("green")],
    swir_file_list: Annotated[list[str], Reads("swir1")],
    output_path_list: Annotated[list[str], Writes("ndsi")],
) -> list[str]:
    """Normalised difference snow index (NDSI) of each pair of rasters; snow is above 0.4.

    Parameters
    ----------
    green_file_list : list of str
        Green bands.
    swir_file_list : list of str
        Short-wave infrared bands (1.6 um), in the same order.
    output_path_list : list of str
        Where to write each NDSI.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per pair.
    """
    lists = {
        "green_file_list": green_file_list,
        "swir_file_list": swir_file_list,
        "output_path_list": output_path_list,
    }
    return batch("NDSI_snow", ("G", "S1"), lists)
