"""Start, peak, end, length and amplitude of the growing season of each polygon."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.analysis.phenology_maps import GREEN, season, season_stack
from treeline.toolkit.analysis.series_kit import SERIES
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import NoValidPixels
from treeline.toolkit.geometry.zones import zone_means, zones_on
from treeline.toolkit.tool import Gives, Reads, tool

Row = dict[str, Any]


@tool(
    kit=SERIES,
    source="White, Thornton & Running 1997, Glob. Biogeochem. Cycles 11:217; Jonsson & Eklundh 2004, Comput. "
    "Geosci. 30:833 (thresholds of the amplitude on either side of the peak)",
    gives=Gives("table", "growing_seasons"),
    formula="of the mean of each polygon: days when the line through the dates crosses low + share (peak - "
    "low) before and after the peak; low the least value on that side",
)
def phenology_of_zones(
    file_list: Annotated[list[str], Reads(*GREEN)],
    zones_path: str,
    share: float = 0.5,
    minimum_amplitude: float = 0.1,
) -> list[Row]:
    """Phenology of each polygon in one season, from its means: start, peak, end, length and amplitude.

    Parameters
    ----------
    file_list : list of str
        A vegetation index on six dates or more of one season (18 months at most), clouds masked; dates known.
    zones_path : str
        Name of a vector file with polygons in the workspace, in any CRS; or WKT or GeoJSON text.
    share : float
        Share of the amplitude at which the season starts and ends, above 0 and below 1.
    minimum_amplitude : float
        Polygons whose amplitude is less have no season; in the unit of the index.

    Returns
    -------
    list of dict
        For each polygon ``zone`` (from 1), its attributes, ``start``, ``peak`` and ``end`` as dates,
        ``length`` in days, ``amplitude`` (peak less the mean of the two lows) and ``dates`` (with a valid
        mean); null where there is no season, or where the series does not reach its start or end.
    """
    stack, days = season_stack(file_list, share)
    means = []
    for number, band in enumerate(stack):
        current_context().check_stop()
        current_context().progress(number, len(stack), band.name)
        means.append(zone_means(band, zones_path))
    known = np.array(means, dtype=np.float64)
    if np.isnan(known).all():
        raise NoValidPixels(f"No valid pixel lies in the polygons of {zones_path[:80]}.", "Check the extent.")
    found = season(known[:, np.newaxis], days, share, minimum_amplitude)[:, 0]
    zones = zones_on(stack[0], zones_path)
    valid = np.count_nonzero(~np.isnan(known), axis=0)
    year = min(band.description.date.year for band in stack if band.description.date is not None)
    return [
        {"zone": place + 1, **item.attributes, **_row(found[:, place], year), "dates": int(valid[place])}
        for place, item in enumerate(zones.items)
    ]


def _row(found: NDArray[np.floating], year: int) -> Row:
    """Return the season of a polygon, whose days count from 1 January of a year."""
    if np.isnan(found).any():
        return dict.fromkeys(("start", "peak", "end", "length", "amplitude"))
    before = date(year, 1, 1) - timedelta(days=1)
    start, peak, end = ((before + timedelta(days=round(float(day)))).isoformat() for day in found[:3])
    return {"start": start, "peak": peak, "end": end, "length": float(found[3]), "amplitude": float(found[4])}
