"""Vegetation and temperature against the range that a place has had: VCI, TCI and VHI."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.analysis.series_kit import SERIES, stack_of
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.series import DAYS_PER_YEAR
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool

Floats = NDArray[np.floating]
VCI = Variable("vci", "Vegetation condition index", "%", (0.0, 100.0), ("vegetation condition index", "vci"))
TCI = Variable("tci", "Temperature condition index", "%", (0.0, 100.0), ("temperature condition index",))
VHI = Variable("vhi", "Vegetation health index", "%", (0.0, 100.0), ("vegetation health index", "vhi"))
GREEN = ("ndvi", "evi", "evi2", "savi", "msavi")
HEAT = ("lst", "lst_day", "bt31", "bt10", "bt11", "bt32")
# Images of a baseline: with fewer, their extremes are chance, which the result says.
FEW = 5
# Days within which dates of different years are of one time of the year: those of one month are.
SAME_TIME = 31
KOGAN = "Kogan 1995, Adv. Space Res. 15(11):91; 1997, Bull. Am. Meteorol. Soc. 78:621"


@tool(
    kit=SERIES,
    source=KOGAN,
    gives=Gives("raster", "vci"),
    formula="100 (v - min) / (max - min), over the baseline's images of the place",
)
def vegetation_condition_index(
    image_path: Annotated[str, Reads(*GREEN)],
    baseline_list: Annotated[list[str], Reads(*GREEN)],
    output_path: Annotated[str, Writes("vci", declares=(VCI,))],
) -> str:
    """Vegetation condition index (VCI): 0 for the least green that a place was in its baseline, 100 the most.

    Parameters
    ----------
    image_path : str
        NDVI or another vegetation index of the date in question; its grid is used.
    baseline_list : list of str
        The same index of the same season of other years, five or more; the image itself is counted too.
    output_path : str
        GeoTIFF to write in percent. Below 40 there is drought, by Kogan (1995).

    Returns
    -------
    str
        Result saved at PATH.
    """
    return _write(image_path, baseline_list, output_path, "vci", GREEN, rising=True)


@tool(
    kit=SERIES,
    source=KOGAN,
    gives=Gives("raster", "tci"),
    formula="100 (max - T) / (max - min), over the baseline's images of the place",
)
def temperature_condition_index(
    image_path: Annotated[str, Reads(*HEAT)],
    baseline_list: Annotated[list[str], Reads(*HEAT)],
    output_path: Annotated[str, Writes("tci", declares=(TCI,))],
) -> str:
    """Temperature condition index (TCI): 0 for the hottest that a place was in its baseline, 100 the coolest.

    Parameters
    ----------
    image_path : str
        Surface or brightness temperature of the date in question; its grid is used.
    baseline_list : list of str
        The same of the same season of other years, five or more; the image itself is counted too.
    output_path : str
        GeoTIFF to write in percent; the lower, the more heat stress.

    Returns
    -------
    str
        Result saved at PATH.
    """
    return _write(image_path, baseline_list, output_path, "tci", HEAT, rising=False)


@tool(
    kit=SERIES,
    source=KOGAN,
    gives=Gives("raster", "vhi"),
    formula="alpha VCI + (1 - alpha) TCI",
)
def vegetation_health_index(
    vci_path: Annotated[str, Reads("vci")],
    tci_path: Annotated[str, Reads("tci")],
    output_path: Annotated[str, Writes("vhi", declares=(VHI,))],
    alpha: float = 0.5,
) -> str:
    """Vegetation health index (VHI) from VCI and TCI: below 40 drought, below 10 extreme drought.

    Parameters
    ----------
    vci_path : str
        Vegetation condition index in percent; its grid is used.
    tci_path : str
        Temperature condition index in percent.
    output_path : str
        GeoTIFF to write in percent.
    alpha : float
        Share of the vegetation, 0 to 1.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if not 0 <= alpha <= 1:
        raise InputError(f"The argument 'alpha' is {alpha:g}.", "Give a share from 0 to 1.")

    def health(vci: Floats, tci: Floats) -> Floats:
        return alpha * vci + (1 - alpha) * tci

    inputs = {"vci": source(vci_path, "vci"), "tci": source(tci_path, "tci")}
    return report_saved(map_pixels(health, inputs, output_path, role="vhi"))


def _write(
    image_path: str,
    baseline_list: list[str],
    output_path: str,
    role: str,
    roles: tuple[str, ...],
    rising: bool,
) -> str:
    image, baseline = source(image_path, *roles), stack_of(baseline_list, 1, roles)
    if any(band.role != image.role for band in baseline):
        held = ", ".join(sorted({str(band.role) for band in baseline}))
        raise InputError(
            f"{image.name} holds {image.role}, the baseline {held}.", "Compare one variable with itself."
        )
    _tell_other_seasons(image, baseline)
    if len(baseline) < FEW:
        current_context().warn(
            f"The baseline has {len(baseline)} images; the extremes of fewer than {FEW} say little."
        )

    def condition(image: Floats, baseline: Floats) -> Floats:
        # The image itself counts, so that the index stays within 0 to 100 where it sets a record.
        low = np.fmin(np.fmin.reduce(baseline), image)
        high = np.fmax(np.fmax.reduce(baseline), image)
        share = 100 * (image - low) / np.where(high > low, high - low, np.nan)
        # Rounded in float32, a record is some millionths beyond.
        share = np.clip(share, 0, 100)
        return share if rising else 100 - share

    inputs: dict[str, Any] = {"image": image, "baseline": baseline}
    return report_saved(map_pixels(condition, inputs, output_path, role=role))


def _tell_other_seasons(image: Source, baseline: Sequence[Source]) -> None:
    """Warn of a baseline of other seasons: summer is the hottest in it every year, drought or not."""
    own, dates = image.description.date, [band.description.date for band in baseline]
    known = [date for date in dates if date]
    others = [date for date in known if own and _days_of_year_between(own, date) > SAME_TIME]
    if not own or not others:
        return
    current_context().warn(
        f"{len(others)} of {len(baseline)} images of the baseline, {min(known):%Y-%m-%d} to "
        f"{max(known):%Y-%m-%d}, are of another time of the year than {own:%Y-%m-%d}: the index tells the "
        "season. Give the images of its month in each year alone."
    )


def _days_of_year_between(one: datetime, other: datetime) -> float:
    """Return how far two days lie apart within the year, whichever years they are of."""
    days = abs(one - other) / timedelta(days=1) % DAYS_PER_YEAR
    return min(days, DAYS_PER_YEAR - days)
