"""Surface reflectance from Landsat's digital numbers, and rasters without their clouds."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import Source, add, map_pixels, reduce_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.statistics.masks import MASK_RULES, MaskRule
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.variables import VARIABLES, Variable

REFLECTANCE = tuple(v.role for v in VARIABLES.values() if v.kind == "reflectance")
# Surface reflectance of Landsat Collection 2 Level 2 (USGS).
LANDSAT_SCALE, LANDSAT_OFFSET = 2.75e-5, -0.2
# The largest whole number of 16 bits means 1.6022.
LARGEST_REFLECTANCE = 1.6
REFLECTANCE_OF_ANY = Variable("reflectance", "Reflectance of a band", "1", (-0.2, LARGEST_REFLECTANCE))
QUALITY_BANDS = "Landsat QA_PIXEL: USGS LSDS-1619; SCL, QA60: ESA; MODIS state: Vermote et al. 2015."


@tool(
    kit=STATISTICS,
    source="USGS, Landsat 8-9 Collection 2 Level 2 Science Product Guide (LSDS-1619).",
    gives=Gives("raster", "reflectance", "1"),
    formula="0.0000275 DN - 0.2",
    difference="Science masks the fill value 0 and refuses bands that are reflectance already.",
)
def radiometric_correction_sr(
    input_band_path: Annotated[str, Reads(*REFLECTANCE)],
    output_path: Annotated[str, Writes("reflectance", declares=(REFLECTANCE_OF_ANY,))],
) -> str:
    """Surface reflectance from the digital numbers of a Landsat Collection 2 Level 2 band.

    The other tools apply the scale of a recognised Landsat band of themselves; this one writes it
    out.

    Parameters
    ----------
    input_band_path : str
        A surface reflectance band (SR_B1 to SR_B7) as unsigned 16-bit numbers.
    output_path : str
        GeoTIFF to write.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band = source(input_band_path, *REFLECTANCE)
    if np.dtype(band.description.dtype).kind == "f":
        raise InputError(
            f"{band.name} holds {band.description.dtype} values, not the 16-bit digital numbers of Landsat.",
            "It is reflectance already, or of another sensor.",
        )
    scale = band.band.scale
    # A scale of 1 is that of a file which states none.
    if scale != 1.0 and not np.isclose(scale, LANDSAT_SCALE):
        raise InputError(
            f"{band.name} is stored with a scale of {scale:g}, not with Landsat's {LANDSAT_SCALE:g}.",
            "It is of another product, whose scale the other tools apply of themselves; use it as it is.",
        )
    product = map_pixels(
        _reflectance, {"dn": band}, output_path, role=band.role or "reflectance", unit="1", raw=True
    )
    return report_saved(product)


@tool(
    kit=STATISTICS,
    source=QUALITY_BANDS,
    gives=Gives("raster", "cloud_masked"),
    formula="value where the quality band says clear, else nodata",
    difference="Science knows the quality bands of Sentinel-2 and MODIS too and writes physical values; "
    "earth_bench tests QA_PIXEL & 31 and keeps digital numbers.",
)
def apply_cloud_mask(
    sr_band_path: Annotated[str, Reads()],
    qa_pixel_path: Annotated[str, Reads(*MASK_RULES)],
    output_path: Annotated[str, Writes("cloud_masked", keeps_role=True)],
) -> str:
    """Raster without its clouds and shadows, by the quality band that belongs to it.

    Removes: Landsat QA_PIXEL fill, dilated cloud, cirrus, cloud, shadow; Sentinel-2 SCL classes 0, 1,
    3, 8, 9, 10, or QA60 bits 10 and 11; HLS Fmask bits 1 to 3; MODIS state cloudy, mixed, shadow, cirrus,
    adjacent to cloud; of a cloud mask every value but 0. Snow and water stay.

    Parameters
    ----------
    sr_band_path : str
        The band to mask; its grid is used.
    qa_pixel_path : str
        The quality band; which kind is recognised, and a band that is not is read as Landsat
        QA_PIXEL.
    output_path : str
        GeoTIFF to write: physical values, nodata where clouds stand.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band, quality = source(sr_band_path), source(qa_pixel_path, *MASK_RULES)
    rule = rule_of(quality)

    def mask(values: NDArray[np.floating], quality: NDArray[np.floating]) -> NDArray[np.floating]:
        return np.where(rule.clear(quality), values, np.nan)

    product = map_pixels(
        mask,
        {"values": band, "quality": quality},
        output_path,
        role=band.role or "",
        unit=band.unit,
        extra_tags={"TREELINE_MASKED": rule.removes},
        dated_by=[band],
    )
    return report_saved(product)


@tool(
    kit=STATISTICS,
    source=QUALITY_BANDS,
    gives=Gives("raster", "clouds_marked", "class"),
    formula="1 where the quality band says cloud or shadow, 0 where clear, 255 without data",
)
def cloud_mask(
    quality_path: Annotated[str, Reads(*(role for role in MASK_RULES if role != "cloud_mask"))],
    output_path: Annotated[str, Writes("cloud_mask", "class")],
) -> str:
    """Cloud mask of a quality band: 1 where clouds, their shadows or cirrus hide the ground, 0 where clear.

    Parameters
    ----------
    quality_path : str
        Landsat QA_PIXEL, Sentinel-2 SCL or QA60, MODIS state, a cloud probability or a clear score;
        what counts is what ``apply_cloud_mask`` removes.
    output_path : str
        GeoTIFF of bytes to write.

    Returns
    -------
    str
        Result saved at PATH.
    """
    quality = source(quality_path, *MASK_RULES)
    rule = rule_of(quality)
    product = map_pixels(
        rule.cloud_mask,
        {"values": quality},
        output_path,
        role="cloud_mask",
        unit="class",
        dtype="uint8",
        extra_tags={"TREELINE_MASKED": rule.removes},
    )
    return report_saved(product)


@tool(
    kit=STATISTICS,
    source=QUALITY_BANDS,
    gives=Gives("number", "cloud_share", "%"),
    formula="100 count(not clear) / count(valid)",
)
def calculate_cloud_cover(qa_pixel_path: Annotated[str, Reads(*MASK_RULES)]) -> float:
    """Percentage of an image that clouds, their shadows or cirrus hide, by its quality band.

    Parameters
    ----------
    qa_pixel_path : str
        The quality band, such as Landsat QA_PIXEL, Sentinel-2 SCL or QA60, MODIS state, or a cloud
        mask; what counts is what ``apply_cloud_mask`` removes.

    Returns
    -------
    float
        Percent of the pixels that are not fill.
    """
    quality = source(qa_pixel_path, *MASK_RULES)
    rule = rule_of(quality)

    def count(values: NDArray[np.floating]) -> tuple[int, int, int]:
        hidden = rule.cloud_mask(values)
        shadow = np.count_nonzero((hidden == 1) & rule.shadow(values))
        return int(np.count_nonzero(hidden == 1)), int(shadow), int(np.count_nonzero(~np.isnan(hidden)))

    covered, shadow, seen = reduce_pixels(count, add, {"values": quality}, label="cloud cover", sliced=True)
    if not seen:
        raise NoValidPixels(f"No pixel of {quality.name} is valid.", "Check nodata and extent.")
    if shadow:
        current_context().warn(
            f"Shadows of clouds count as cloud: of {quality.name}, {100 * shadow / seen:.2f} % of the pixels "
            f"are shadow, and clouds themselves hide {100 * (covered - shadow) / seen:.2f} %."
        )
    return 100.0 * covered / seen


def rule_of(quality: Source) -> MaskRule:
    """Return the rule of a quality band; that of Landsat for one of unknown role."""
    if quality.role is None:
        current_context().doubt(
            f"Nothing says which quality flags {quality.name} holds; it was read as a Landsat QA_PIXEL band. "
            "Say its role on the Data page."
        )
    return MASK_RULES[quality.role or "qa_pixel"]


def _reflectance(dn: NDArray[np.floating]) -> NDArray[np.floating]:
    values = dn * np.float32(LANDSAT_SCALE) + np.float32(LANDSAT_OFFSET)
    # 0 is the fill value of Collection 2.
    return np.where((dn > 0) & (values <= LARGEST_REFLECTANCE), values, np.nan)
