"""Two polarisations or two dates together."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.radar.kit import RADAR
from treeline.toolkit.radar.scale import (
    DECIBEL,
    INTENSITY,
    POLARISATIONS,
    Floats,
    Scale,
    decibel,
    to_intensity,
)
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

CROSS_FIRST = ("vh", "hv", "vv", "hh")


@tool(
    kit=RADAR,
    source="Ulaby & Long 2014, Microwave Radar and Radiometric Remote Sensing",
    gives=Gives("raster", "backscatter_ratio", DECIBEL),
    formula="numerator / denominator of intensities; in decibels 10 log10 of it",
)
def radar_ratio(
    numerator_path: Annotated[str, Reads(*CROSS_FIRST)],
    denominator_path: Annotated[str, Reads(*POLARISATIONS)],
    output_path: Annotated[str, Writes("backscatter_ratio", DECIBEL)],
    scale: Scale = "dB",
) -> str:
    """Ratio of two polarisations, such as VH / VV, in decibels or linear.

    Parameters
    ----------
    numerator_path : str
        Backscatter in decibels or intensity, such as VH.
    denominator_path : str
        Backscatter of the same date, such as VV.
    output_path : str
        GeoTIFF to write.
    scale : str
        ``dB`` or ``linear``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    above, below = source(numerator_path, *CROSS_FIRST), source(denominator_path, *POLARISATIONS)
    over, under = to_intensity(above), to_intensity(below)

    def ratio(above: Floats, below: Floats) -> Floats:
        found = over(above) / under(below)
        return decibel(found) if scale == "dB" else found

    unit = DECIBEL if scale == "dB" else INTENSITY
    inputs = {"above": above, "below": below}
    return report_saved(map_pixels(ratio, inputs, output_path, role="backscatter_ratio", unit=unit))


@tool(
    kit=RADAR,
    source="Trudel, Charbonneau & Leconte 2012, Can. J. Remote Sens. 38:514 (two polarisations); "
    "Kim & van Zyl 2009, IEEE Trans. Geosci. Remote Sens. 47:2519 (full)",
    gives=Gives("raster", "rvi", INTENSITY),
    formula="4 cross / (co + cross) of intensities",
)
def radar_vegetation_index(
    co_polarised_path: Annotated[str, Reads("vv", "hh")],
    cross_polarised_path: Annotated[str, Reads("vh", "hv")],
    output_path: Annotated[str, Writes("rvi", INTENSITY)],
) -> str:
    """Radar vegetation index of two polarisations: near 0 for bare soil, towards 1 for dense canopies.

    Parameters
    ----------
    co_polarised_path : str
        VV with VH, or HH with HV; decibels or intensity.
    cross_polarised_path : str
        VH or HV of the same date.
    output_path : str
        GeoTIFF to write.

    Returns
    -------
    str
        Result saved at PATH.
    """
    co, cross = source(co_polarised_path, "vv", "hh"), source(cross_polarised_path, "vh", "hv")
    # VV goes with VH and HH with HV: the sensor sent the same polarisation.
    if co.role and cross.role and co.role[0] not in cross.role:
        raise InputError(
            f"{co.name} ({co.role}) and {cross.name} ({cross.role}) are no pair.", "Give VV with VH."
        )
    of_co, of_cross = to_intensity(co), to_intensity(cross)

    def index(co: Floats, cross: Floats) -> Floats:
        along, across = of_co(co), of_cross(cross)
        return 4 * across / (along + across)

    return report_saved(
        map_pixels(index, {"co": co, "cross": cross}, output_path, role="rvi", unit=INTENSITY)
    )


@tool(
    kit=RADAR,
    source="Rignot & van Zyl 1993, IEEE Trans. Geosci. Remote Sens. 31:896",
    gives=Gives("raster", "log_ratio", DECIBEL),
    formula="10 log10(after / before) of intensities",
)
def radar_log_ratio(
    before_path: Annotated[str, Reads(*POLARISATIONS)],
    after_path: Annotated[str, Reads(*POLARISATIONS)],
    output_path: Annotated[str, Writes("log_ratio", DECIBEL)],
) -> str:
    """Change of backscatter between two dates in decibels: the log ratio, below 0 where it got darker.

    Parameters
    ----------
    before_path : str
        Backscatter of the first date, despeckled; decibels or intensity.
    after_path : str
        Backscatter of the second date, of the same polarisation and orbit.
    output_path : str
        GeoTIFF to write.

    Returns
    -------
    str
        Result saved at PATH.
    """
    before, after = source(before_path, *POLARISATIONS), source(after_path, *POLARISATIONS)
    if before.role != after.role:
        raise InputError(
            f"{before.name} is {before.role or 'unknown'}, {after.name} is {after.role or 'unknown'}.",
            "Compare one polarisation.",
        )
    of_before, of_after = to_intensity(before), to_intensity(after)

    def change(before: Floats, after: Floats) -> Floats:
        return decibel(np.asarray(of_after(after) / of_before(before)))

    inputs = {"before": before, "after": after}
    return report_saved(map_pixels(change, inputs, output_path, role="log_ratio", unit=DECIBEL))
