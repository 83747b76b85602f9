"""Breaks in the series of each pixel: residuals that drift, and the date that parts the series best."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.analysis.harmonics import Fit, design_of
from treeline.toolkit.analysis.series_kit import SERIES
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import map_many
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool

Floats = NDArray[np.floating]
WHEN = Variable("break_year", "Date of the break", "year", (1900.0, 2200.0), ("date of the break",))
JUMP = Variable("break_magnitude", "Magnitude of the break", "", words=("break magnitude",))
SURE = Variable("break_p", "Probability of such a series without a break", "1", (0.0, 1.0))
CUSUM = Variable("cusum_maximum", "Greatest cumulated sum of residuals", "1", (0.0, 100.0), ("cusum",))
BANDS = (WHEN, JUMP, SURE, CUSUM)


@tool(
    kit=SERIES,
    source="Ploberger & Kramer 1992, Econometrica 60:271 (OLS-CUSUM); Bai 1997, Rev. Econ. Stat. 79:551 "
    "(date of the break); season and trend as in BFAST: Verbesselt et al. 2010, Remote Sens. Environ. "
    "114:106",
    gives=Gives("raster", "break_year"),
    formula="residuals e of the season and line; CUSUM = max |sum e| / (s sqrt n), p of its limit, the "
    "Brownian bridge; date: where a step added to the season leaves the least sum of squares; magnitude: "
    "that step",
)
def calculate_break_map(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes(WHEN.role, further=tuple(b.role for b in BANDS[1:]), declares=BANDS)],
    harmonics: int = 1,
    trend: bool = False,
    significance: float = 0.05,
) -> str:
    """Break of each pixel's series: its date, magnitude and probability, with seasons taken into account.

    Parameters
    ----------
    file_list : list of str
        Rasters of one variable with known dates, clouds masked; of several years for the season.
    output_path : str
        GeoTIFF to write: bands date of the break (year with a fraction) and its magnitude (after less
        before),
        both nodata where there is none; p of the CUSUM test and its statistic for every pixel.
    harmonics : int
        Waves of the season in a year, 0 (no season) to 3.
    trend : bool
        A straight line belongs to the series, and is no break.
    significance : float
        Level of the test, above 0 and below 1.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if not 0 <= harmonics <= 3:
        raise InputError(f"The argument 'harmonics' is {harmonics}.", "Give 0 to 3.")
    if not 0 < significance < 1:
        raise InputError(
            f"The argument 'significance' is {significance:g}.",
            "Give a number between 0 and 1, such as 0.05.",
        )
    stack, years, design = design_of(file_list, harmonics, trend)
    first = stack[0].description.date
    assert first is not None
    moments = first.year + years
    # Enough dates for the model on either side of the break, each with one to spare.
    needed = 2 * (design.shape[1] + 1)

    def breaks(stack: Floats) -> Floats:
        return _breaks(stack.astype(np.float64), design, moments, needed, significance)

    roles = [band.role for band in BANDS]
    return report_saved(map_many(breaks, {"stack": stack}, output_path, role=roles))


def _breaks(stack: Floats, design: Floats, moments: Floats, needed: int, level: float) -> Floats:
    values = stack.reshape(len(stack), -1)
    model = Fit(~np.isnan(values), design, needed)
    rest = model.residuals(values)
    variance = (rest**2).sum(axis=0) / np.maximum(model.count - design.shape[1], 1)
    # s sqrt(n): with it the cumulated sum is a Brownian bridge in the limit (Ploberger & Kramer 1992).
    scale = np.sqrt(variance * model.count)
    statistic = np.abs(np.cumsum(rest, axis=0)).max(axis=0) / np.where(scale > 0, scale, np.nan)
    probability = of_bridge(statistic)
    when, jump = _best_step(model, rest, moments)
    broken = probability < level
    found = np.stack([np.where(broken, when, np.nan), np.where(broken, jump, np.nan), probability, statistic])
    return np.where(model.sound, found, np.nan).reshape(4, *stack.shape[1:])


def of_bridge(statistic: Floats) -> Floats:
    """Return the probability that a Brownian bridge goes further than a value (Kolmogorov's distribution)."""
    from scipy.special import kolmogorov

    return kolmogorov(statistic)


def _best_step(model: Fit, rest: Floats, moments: Floats) -> tuple[Floats, Floats]:
    """Return date and height of the step that, beside the model, leaves the least sum of squares.

    By Frisch, Waugh and Lovell: what the step explains of the residuals is its own residual's share of them.
    """
    pixels = rest.shape[1]
    best = np.full(pixels, -np.inf)
    when, jump = np.full(pixels, np.nan), np.full(pixels, np.nan)
    least = max(2, model.design.shape[1])
    before = np.zeros(pixels)
    places = np.arange(len(rest))[:, np.newaxis]
    for place in range(1, len(rest)):
        before = before + model.there[place - 1]
        # The step after the model is taken out of it: its regression on the residuals is that of model and
        # step together (Frisch & Waugh 1933).
        own = model.residuals((places >= place) * np.ones(pixels))
        power, shared = (own**2).sum(axis=0), (own * rest).sum(axis=0)
        sound = np.where(power > 1e-9, power, np.nan)
        # By how much the step lowers the sum of squares.
        gain = shared**2 / sound
        allowed = model.there[place] & (before >= least) & (model.count - before >= least)
        better = allowed & (gain > best)
        best = np.where(better, gain, best)
        when = np.where(better, moments[place], when)
        jump = np.where(better, shared / sound, jump)
    return when, jump
