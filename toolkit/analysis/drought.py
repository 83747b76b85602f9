"""Standardised precipitation index, with and without evapotranspiration, pixel by pixel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.analysis.series_kit import SERIES, stack_of
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, map_dates
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

Floats = NDArray[np.floating]
Fit = Callable[[Floats], Floats]
# Each month of the year has its own distribution, fitted to one value a year.
FEWEST_YEARS, RELIABLE_YEARS = 5, 30
# Months that are summed: the longest scale in use, for groundwater and reservoirs.
LONGEST = 48


@tool(
    kit=SERIES,
    source="McKee, Doesken & Kleist 1993, 8th Conf. Applied Climatology:179; gamma by maximum likelihood: "
    "Thom 1958, Mon. Weather Rev. 86:117; World Meteorological Organization 2012, WMO-No. 1090",
    gives=Gives("raster", "spi"),
    formula="z of H(x) = q + (1 - q) G(x): q the share of months without rain, G the gamma distribution of "
    "the sums over 'scale' months, fitted for each calendar month",
)
def standardized_precipitation_index(
    file_list: Annotated[list[str], Reads("precipitation")],
    output_paths: Annotated[list[str], Writes("spi")],
    scale: int = 3,
) -> list[str]:
    """Standardised precipitation index (SPI) of each month: below -1 dry, below -2 extremely dry.

    Parameters
    ----------
    file_list : list of str
        Monthly precipitation in mm, one raster for every month without a gap, five years or more (thirty are
        recommended); dates must be known.
    output_paths : list of str
        GeoTIFFs to write, one per month; the first ``scale`` - 1 are empty, as their sums reach back too far.
    scale : int
        Months that are summed, 1 to 48.

    Returns
    -------
    list of str
        Result saved at PATH, for each month.
    """
    stack = stack_of(file_list, 1, ("precipitation",))
    months = _months(stack, scale)

    def index(stack: Floats) -> Floats:
        return _standardise(_sums(stack.astype(np.float64), scale), months, gamma_scores)

    return [report_saved(product) for product in map_dates(index, stack, output_paths, role="spi", unit="1")]


@tool(
    kit=SERIES,
    source="Vicente-Serrano, Begueria & Lopez-Moreno 2010, J. Clim. 23:1696; unbiased moments: Begueria et "
    "al. 2014, Int. J. Climatol. 34:3001",
    gives=Gives("raster", "spei"),
    formula="z of the log-logistic distribution of sums of P - PET over 'scale' months, fitted by L-moments "
    "for each calendar month",
)
def standardized_precipitation_evapotranspiration_index(
    precipitation_list: Annotated[list[str], Reads("precipitation")],
    evapotranspiration_list: Annotated[list[str], Reads("potential_evapotranspiration")],
    output_paths: Annotated[list[str], Writes("spei")],
    scale: int = 3,
) -> list[str]:
    """Standardised precipitation evapotranspiration index (SPEI) of each month: below -1 dry.

    Parameters
    ----------
    precipitation_list : list of str
        Monthly precipitation in mm, one raster for every month without a gap, five years or more; dates must
        be known.
    evapotranspiration_list : list of str
        Potential evapotranspiration in mm of the same months, in the same order.
    output_paths : list of str
        GeoTIFFs to write, one per month; the first ``scale`` - 1 are empty.
    scale : int
        Months that are summed, 1 to 48.

    Returns
    -------
    list of str
        Result saved at PATH, for each month.
    """
    rain = stack_of(precipitation_list, 1, ("precipitation",))
    loss = stack_of(evapotranspiration_list, 1, ("potential_evapotranspiration",))
    if len(rain) != len(loss):
        raise InputError(
            f"There are {len(rain)} rasters of precipitation and {len(loss)} of evapotranspiration.",
            "Give both of the same months.",
        )
    months = _months(rain, scale)
    if not np.array_equal(months, _months(loss, scale)):
        raise InputError("The two series are of different months.", "Give both of the same months, in order.")

    def index(stack: Floats) -> Floats:
        balance = stack[: len(rain)].astype(np.float64) - stack[len(rain) :]
        return _standardise(_sums(balance, scale), months, logistic_scores)

    products = map_dates(index, [*rain, *loss], output_paths, role="spei", unit="1", origins=rain)
    return [report_saved(product) for product in products]


def gamma_scores(values: Floats) -> Floats:
    """Return the scores of values (years, ...) by the gamma distribution fitted to them.

    Parameters
    ----------
    values : ndarray
        Sums of precipitation from 0 in any unit, (years, ...); NaN where a year has none.

    Returns
    -------
    ndarray
        Standard normal scores in the shape of the values.
    """
    from scipy import special

    there = ~np.isnan(values)
    wet = there & (values > 0)
    count = np.maximum(wet.sum(axis=0), 1)
    mean = np.where(wet, values, 0).sum(axis=0) / count
    logs = np.where(wet, np.log(np.where(wet, values, 1)), 0).sum(axis=0) / count
    spread = np.log(np.where(mean > 0, mean, np.nan)) - logs
    # Thom's solution; no spread, no distribution.
    shape = (1 + np.sqrt(1 + 4 * spread / 3)) / np.where(spread > 1e-12, 4 * spread, np.nan)
    dry = (there & ~wet).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    share = dry + (1 - dry) * special.gammainc(shape, np.maximum(values, 0) / (mean / shape))
    # A month without rain stands for all of them, as WMO-No. 1090 has it.
    share = np.where(there & ~wet, dry, share)
    return np.where(there, special.ndtri(share), np.nan)


def logistic_scores(values: Floats) -> Floats:
    """Return the scores of values (years, ...) by the log-logistic distribution fitted to them.

    Parameters
    ----------
    values : ndarray
        Sums of precipitation less evapotranspiration in any unit, (years, ...); NaN where a year has none.

    Returns
    -------
    ndarray
        Standard normal scores from -8.2 to 8.2 in the shape of the values; NaN with fewer than four years.
    """
    from scipy import special

    ordered = np.sort(values, axis=0)  # NaN last
    count = (~np.isnan(values)).sum(axis=0)
    rank = np.arange(1, values.shape[0] + 1).reshape((-1, *[1] * (values.ndim - 1)))
    n = np.where(count > 3, count, np.nan)
    known = np.nan_to_num(ordered)
    fewer = (n - rank) / (n - 1)
    w0 = known.sum(axis=0) / n
    w1 = (np.where(rank <= count, fewer, 0) * known).sum(axis=0) / n
    w2 = (np.where(rank <= count, fewer * (n - rank - 1) / (n - 2), 0) * known).sum(axis=0) / n
    # Vicente-Serrano et al. 2010, equations 4 to 6: the three parameters from the probability-weighted
    # moments w0, w1, w2.
    shape = (2 * w1 - w0) / (6 * w1 - w0 - 6 * w2)
    both = special.gamma(1 + 1 / shape) * special.gamma(1 - 1 / shape)
    width = (w0 - 2 * w1) * shape / both
    start = w0 - width * both
    share = 1 / (1 + (width / (values - start)) ** shape)
    # Below the lowest (above the highest) value that the distribution can take.
    beyond = np.where(width > 0, 0.0, 1.0)
    share = np.where((values - start) / width > 0, share, beyond)
    # Beyond 8.2 the share is 1 to the last digit of float64, and the score would be infinite.
    limit = special.ndtr(8.2)
    return np.where(np.isnan(values), np.nan, special.ndtri(np.clip(share, 1 - limit, limit)))


def _months(stack: list[Source], scale: int) -> NDArray[np.intp]:
    """Return the calendar month of each raster, of a series that has every month once and in order."""
    if not 1 <= scale <= LONGEST:
        raise InputError(f"The argument 'scale' is {scale}.", f"Give 1 to {LONGEST} months.")
    numbers = []
    for band in stack:
        date = band.description.date
        if date is None:
            raise InputError(f"{band.name} has no date, so its month is unknown.", "State its date.")
        numbers.append(12 * date.year + date.month - 1)
    steps = np.diff(numbers)
    if (steps != 1).any():
        place = int(np.flatnonzero(steps != 1)[0])
        raise InputError(
            f"{stack[place + 1].name} is not of the month after {stack[place].name}.",
            "Give one raster for every month, in order and without a gap.",
        )
    years = len(stack) / 12
    if years < FEWEST_YEARS:
        raise InputError(
            f"The series has {len(stack)} months; {12 * FEWEST_YEARS} are needed to fit a distribution.",
            f"Give {FEWEST_YEARS} years or more.",
        )
    if years < RELIABLE_YEARS:
        current_context().warn(
            f"The distributions rest on {years:.0f} years; {RELIABLE_YEARS} are recommended (WMO-No. 1090)."
        )
    return np.array(numbers, dtype=np.intp) % 12


def _sums(values: Floats, scale: int) -> Floats:
    """Return the sums over the last months; NaN where one of them is missing."""
    found = np.full(values.shape, np.nan)
    if len(values) < scale:
        return found
    gaps = np.isnan(values)
    total = np.cumsum(np.where(gaps, 0, values), axis=0)
    missing = np.cumsum(gaps, axis=0)
    total[scale:] -= total[:-scale].copy()
    missing[scale:] -= missing[:-scale].copy()
    found[scale - 1 :] = np.where(missing[scale - 1 :] == 0, total[scale - 1 :], np.nan)
    return found


def _standardise(values: Floats, months: NDArray[np.intp], scores: Fit) -> Floats:
    found = np.full(values.shape, np.nan)
    for month in np.unique(months):
        chosen = months == month
        # One less: of sums over several months the first year may have none.
        enough = (~np.isnan(values[chosen])).sum(axis=0) >= FEWEST_YEARS - 1
        found[chosen] = np.where(enough, scores(values[chosen]), np.nan)
    return found
