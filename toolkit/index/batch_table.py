"""The indices that have a tool of their own, a row each."""

from __future__ import annotations

from treeline.toolkit.index.batch import Band, BatchIndex, Option, add
from treeline.toolkit.index.compute import NIR, NO_EPSILON, RAW
from treeline.toolkit.index.cover import cover_writer
from treeline.toolkit.index.wetness import SWIR, wetness_writer

GREEN = Band("input_green_paths", "G", "Green", ("green",))
RED = Band("input_red_paths", "R", "Red", ("red",))
BLUE = Band("input_blue_paths", "B", "Blue", ("blue",))
RED_EDGE = Band("input_rededge_paths", "RE1", "Red-edge (705 nm)", ("rededge1",))
NEAR = Band("input_nir_paths", "N", "Near-infrared", NIR)
SHORT = Band("input_swir_paths", "S1", "Short-wave infrared (1.6 um)", ("swir1",))
SHORT_1 = Band("input_swir1_paths", "S1", "Short-wave infrared (1.6 um)", ("swir1",))
SHORT_2 = Band("input_swir2_paths", "S2", "Short-wave infrared (2.2 um)", ("swir2",))
BURN = Band("input_swir_paths", "S2", "Short-wave infrared (2.2 um)", ("swir2",))
NEAR_OR_GREEN = Band("input_nir_paths", "N", "Near-infrared", (*NIR, "green"))
SHORT_OR_GREEN = Band("input_swir_paths", "S12", "Short-wave infrared, or green,", (*SWIR, "green", *NIR))
SNOW_GREEN = Band("green_file_list", "G", "Green", ("green",))
SNOW_SHORT = Band("swir_file_list", "S1", "Short-wave infrared (1.6 um)", ("swir1",))

ROWS = (
    BatchIndex(
        "savi",
        "SAVI",
        "SAVI",
        "Soil-adjusted vegetation index",
        (NEAR, RED),
        "(1 + L) (NIR - Red) / (NIR + Red + L)",
        "Huete 1988, Remote Sens. Environ. 25:295",
        reflectance=True,
        options=(
            Option(
                "L", 0.5, "Soil adjustment: 1 for sparse, 0.5 for intermediate, 0.25 for dense vegetation."
            ),
        ),
    ),
    BatchIndex(
        "msavi",
        "MSAVI",
        "MSAVI2",
        "Modified soil-adjusted vegetation index",
        (NEAR, RED),
        "0.5 (2 NIR + 1 - sqrt((2 NIR + 1)^2 - 8 (NIR - Red)))",
        "Qi et al. 1994, Remote Sens. Environ. 48:119",
        reflectance=True,
    ),
    BatchIndex(
        "evi2",
        "EVI2",
        "EVI2",
        "Two-band enhanced vegetation index",
        (NEAR, RED),
        "2.5 (NIR - Red) / (NIR + 2.4 Red + 1)",
        "Jiang et al. 2008, Remote Sens. Environ. 112:3833",
        reflectance=True,
        remark="no blue band",
    ),
    BatchIndex(
        "ndre",
        "NDREI",
        "NDRE",
        "Normalised difference red-edge index",
        (NEAR, RED_EDGE),
        "(NIR - RedEdge1) / (NIR + RedEdge1)",
        "Gitelson & Merzlyak 1994, J. Plant Physiol. 143:286",
    ),
    BatchIndex(
        "mndwi",
        "MNDWI",
        "MNDWI",
        "Modified normalised difference water index",
        (GREEN, SHORT),
        "(Green - SWIR1) / (Green + SWIR1)",
        "Xu 2006, Int. J. Remote Sens. 27:3025",
        note="open water is above 0",
    ),
    BatchIndex(
        "ndmi",
        "NDMI",
        "NDMI",
        "Normalised difference moisture index",
        (NEAR, SHORT),
        "(NIR - SWIR1) / (NIR + SWIR1)",
        "Wilson & Sader 2002, Remote Sens. Environ. 80:385",
        remark="also LSWI",
    ),
    BatchIndex(
        "aweinsh",
        "AWEInsh",
        "AWEInsh",
        "Automated water extraction index without shadow",
        (GREEN, NEAR, SHORT_1, SHORT_2),
        "4 (Green - SWIR1) - (0.25 NIR + 2.75 SWIR2)",
        "Feyisa et al. 2014, Remote Sens. Environ. 140:23",
        tool="awei",
        note="water is above 0",
        reflectance=True,
    ),
    BatchIndex(
        "ndbi",
        "NDBI",
        "NDBI",
        "Normalised difference built-up index",
        (SHORT, NEAR),
        "(SWIR1 - NIR) / (SWIR1 + NIR)",
        "Zha, Gao & Ni 2003, Int. J. Remote Sens. 24:583",
        difference=RAW,
    ),
    BatchIndex(
        "nbr",
        "NBR",
        "NBR",
        "Normalised burn ratio",
        (NEAR, BURN),
        "(NIR - SWIR2) / (NIR + SWIR2)",
        "Key & Benson 2006, RMRS-GTR-164",
        difference=RAW,
    ),
    BatchIndex(
        "ndvi",
        "NDVI",
        "NDVI",
        "Normalised difference vegetation index",
        (NEAR, RED),
        "(NIR - Red) / (NIR + Red)",
        "Rouse et al. 1974, NASA SP-351",
        difference=RAW,
    ),
    BatchIndex(
        "evi",
        "EVI",
        "EVI",
        "Enhanced vegetation index",
        (NEAR, RED, BLUE),
        "G (NIR - Red) / (NIR + C1 Red - C2 Blue + L)",
        "Huete et al. 2002, Remote Sens. Environ. 83:195",
        options=(
            Option("G", 2.5, "Gain factor.", "g"),
            Option("C1", 6, "Aerosol coefficient of the red band."),
            Option("C2", 7.5, "Aerosol coefficient of the blue band."),
            Option("L", 1, "Canopy background adjustment."),
        ),
        reflectance=True,
        difference="science needs reflectance 0-1 and refuses digital numbers of unknown scale, which "
        "earth_bench takes as they are; " + NO_EPSILON,
    ),
    BatchIndex(
        "fvc",
        "NDVI",
        "FVC",
        "Fractional vegetation cover from NDVI",
        (NEAR, RED),
        "((NDVI - NDVImin) / (NDVImax - NDVImin))^exponent, limited to 0..1",
        "Gutman & Ignatov 1998, Int. J. Remote Sens. 19:1533 (linear); Carlson & Ripley 1997, Remote Sens. "
        "Environ. 62:241 (squared)",
        unit="1",
        remark="0 to 1",
        write=cover_writer,
        options=(
            Option("ndvi_min", 0.1, "NDVI of bare soil; cover is 0 there and below."),
            Option("ndvi_max", 0.9, "NDVI of full cover; cover is 1 there and above."),
            Option("exponent", 1.0, "1 for the linear mixture, 2 for Carlson & Ripley's."),
        ),
        difference="earth_bench gives percent (0-100) and adds 1e-6 to the denominator of NDVI; science "
        "gives the fraction 0-1 and masks nodata",
    ),
    BatchIndex(
        "ndwi",
        "NDWI_Gao",
        "NDWI",
        "Normalised difference water index",
        (NEAR_OR_GREEN, SHORT_OR_GREEN),
        "(NIR - SWIR) / (NIR + SWIR); with a green and a NIR band (Green - NIR) / (Green + NIR)",
        "Gao 1996, Remote Sens. Environ. 58:257; McFeeters 1996, Int. J. Remote Sens. 17:1425",
        note="leaf water of NIR and SWIR (Gao), open water of green and NIR",
        details="With NIR and SWIR it shows leaf water (Gao's form; his own band is 1.24 um, with 1.6 um it "
        "is also called NDMI or LSWI). With NIR and green it is McFeeters' index of open water (above 0).",
        difference=RAW + "; given a green and a NIR band, in either order, science computes McFeeters' "
        "open-water index, positive over water, where earth_bench takes the bands in the order given",
        write=wetness_writer,
    ),
    BatchIndex(
        "wri",
        "WRI",
        "WRI",
        "Water ratio index",
        (GREEN, RED, NEAR, SHORT),
        "(Green + Red) / (NIR + SWIR1)",
        "Shen & Li 2010, Geoinformatics 2010",
        note="water is above 1",
        difference=RAW,
    ),
    BatchIndex(
        "ndti",
        "NDTI_turbidity",
        "NDTI",
        "Normalised difference turbidity index",
        (RED, GREEN),
        "(Red - Green) / (Red + Green)",
        "Lacaux et al. 2007, Remote Sens. Environ. 106:66",
        difference=RAW,
    ),
    BatchIndex(
        "ndsi",
        "NDSI_snow",
        "NDSI",
        "Normalised difference snow index",
        (SNOW_GREEN, SNOW_SHORT),
        "(Green - SWIR1) / (Green + SWIR1)",
        "Hall, Riggs & Salomonson 1995, Remote Sens. Environ. 54:127",
        note="snow is above 0.4",
        outputs="output_path_list",
        difference="earth_bench multiplies by 0.0001 whatever the data, clips to -1..1 and resizes by array "
        "index; science applies the stated scale and aligns by georeference",
        aliases={
            "input_green_path": "green_file_list",
            "input_green_paths": "green_file_list",
            "input_swir_path": "swir_file_list",
            "input_swir_paths": "swir_file_list",
            "output_path": "output_path_list",
            "output_paths": "output_path_list",
            "output_filename": "output_path_list",
        },
    ),
)

for _row in ROWS:
    add(_row, __name__)
