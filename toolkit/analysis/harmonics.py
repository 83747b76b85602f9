"""Harmonic regression of each pixel: trend, and the seasons as sines and cosines."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.analysis.phenology_maps import in_order
from treeline.toolkit.analysis.series_kit import SERIES, stack_of
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, map_many
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, Variable, Writes, tool
from treeline.toolkit.units import slope_unit

Floats = NDArray[np.floating]
# The mean of the Gregorian calendar: leap years do not shift the phase.
DAYS_OF_A_YEAR = 365.2425
MEAN = Variable("harmonic_mean", "Mean of the harmonic regression", "", words=("harmonic mean level",))
SLOPE = Variable("harmonic_slope", "Trend of the harmonic regression", "per year")
SWING = Variable("harmonic_amplitude", "Amplitude of the yearly harmonic", "", words=("harmonic amplitude",))
PHASE = Variable("harmonic_peak_day", "Day of the peak of the yearly harmonic", "day of year", (0.0, 366.0))
FIT = Variable("harmonic_r2", "Share of the variance that the harmonics explain", "1", (0.0, 1.0))
RMSE = Variable("harmonic_rmse", "Deviation of the rest of the harmonic regression", "")
BANDS = (MEAN, SLOPE, SWING, PHASE, FIT, RMSE)
# Courses of a year, of half and of a third of it; each needs two coefficients, and more would follow noise.
MOST_HARMONICS = 3
# Of the normal equations; beyond it, the dates do not tell the terms apart.
WORST_CONDITION = 1e8


@tool(
    kit=SERIES,
    source="Shumway & Stoffer 2017, Time Series Analysis and Its Applications, ch. 4; for satellite series: "
    "Zhu & Woodcock 2014, Remote Sens. Environ. 144:152",
    gives=Gives("raster", "harmonic_amplitude"),
    formula="v = a + b t + sum over k of (c_k cos 2 pi k t + s_k sin 2 pi k t), t in years, by least "
    "squares; amplitude sqrt(c_1^2 + s_1^2), peak at atan2(s_1, c_1)",
)
def calculate_harmonic_map(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[
        str, Writes(MEAN.role, OF_INPUT, further=tuple(b.role for b in BANDS[1:]), declares=BANDS)
    ],
    harmonics: int = 1,
    trend: bool = True,
) -> str:
    """Harmonic regression of each pixel: mean, trend per year, yearly amplitude, day of the peak, R squared.

    Parameters
    ----------
    file_list : list of str
        Rasters of one variable with known dates, clouds masked; twice as many as terms (8 for one harmonic
        with a trend) or more, and of more than a year for a trend.
    output_path : str
        GeoTIFF to write: bands mean (at the middle of the series), slope per year, amplitude, day of the peak
        (1 to 366), R squared, and the deviation of the rest.
    harmonics : int
        1 (one wave a year) to 3.
    trend : bool
        Fit a straight line too; without, the slope is 0.

    Returns
    -------
    str
        Result saved at PATH; nodata where a pixel has too few valid dates.
    """
    if not 1 <= harmonics <= MOST_HARMONICS:
        raise InputError(f"The argument 'harmonics' is {harmonics}.", f"Give 1 to {MOST_HARMONICS}.")
    terms = 1 + trend + 2 * harmonics
    stack, _, design = design_of(file_list, harmonics, trend)

    def regression(stack: Floats) -> Floats:
        coefficients, r2, rmse = fit(stack.astype(np.float64), design, 2 * terms)
        cosine, sine = coefficients[1 + trend], coefficients[2 + trend]
        # c cos x + s sin x is greatest at x = atan2(s, c); 1 January is day 1.
        day = np.mod(np.arctan2(sine, cosine) / (2 * np.pi), 1.0) * DAYS_OF_A_YEAR + 1
        slope = coefficients[1] if trend else np.where(np.isnan(r2), np.nan, 0.0)
        return np.stack([coefficients[0], slope, np.hypot(cosine, sine), day, r2, rmse])

    tags = {"TREELINE_SLOPE_UNIT": slope_unit(stack[0].unit, "year")}
    roles = [band.role for band in BANDS]
    return report_saved(map_many(regression, {"stack": stack}, output_path, role=roles, extra_tags=tags))


def design_of(file_list: list[str], harmonics: int, trend: bool) -> tuple[list[Source], Floats, Floats]:
    """Return a stack in order, its dates in years from 1 January of the first, and the terms (n, terms).

    Raises
    ------
    InputError
        There are too few dates, or they cannot tell the terms apart.
    """
    terms = 1 + trend + 2 * harmonics
    stack, days = in_order(stack_of(file_list, at_least=2 * terms))
    years = (days - 1) / DAYS_OF_A_YEAR
    columns = [np.ones_like(years)]
    if trend:
        # Centred, so that the first coefficient is the mean over the period and not the value at its start.
        columns.append(years - years.mean())
    for k in range(1, harmonics + 1):
        columns += [np.cos(2 * np.pi * k * years), np.sin(2 * np.pi * k * years)]
    design = np.column_stack(columns)
    if trend and np.ptp(years) < 1:
        raise InputError(
            f"The dates span {365 * np.ptp(years):.0f} days, in which a trend is no other than the season.",
            "Give more than a year, or set 'trend' to false.",
        )
    if np.linalg.cond(design.T @ design) > WORST_CONDITION:
        raise InputError("The dates do not tell the seasons apart.", "Give dates all over the year.")
    return stack, years, design


class Fit:
    """Least squares of a design for pixels of which each has dates of its own.

    Parameters
    ----------
    there : ndarray of bool (n, ...)
        Which dates of a pixel are valid.
    design : ndarray (n, terms)
    least : int
        Valid dates that a pixel needs; others get NaN.
    """

    def __init__(self, there: NDArray[np.bool_], design: Floats, least: int) -> None:
        self.there = there.reshape(len(there), -1)
        self.design = design
        terms = design.shape[1]
        products = np.einsum("ni,nj->nij", design, design).reshape(len(design), -1)
        normal = (self.there.T.astype(np.float64) @ products).reshape(-1, terms, terms)
        values, vectors = np.linalg.eigh(normal)
        self.count = self.there.sum(axis=0)
        # eigh gives the eigenvalues in ascending order.
        self.sound = (self.count >= least) & (values[:, 0] * WORST_CONDITION > values[:, -1])
        known = np.where(self.sound[:, np.newaxis], values, np.nan)
        self._inverse = np.einsum("pik,pk,pjk->pij", vectors, 1 / known, vectors)

    def coefficients(self, values: Floats) -> Floats:
        """Return the coefficients (terms, pixels) of values (n, pixels); what is not valid is left out."""
        right = np.where(self.there, values, 0.0).T @ self.design
        return np.einsum("pij,pj->ip", self._inverse, right)

    def residuals(self, values: Floats) -> Floats:
        """Return what the design leaves of values (n, pixels), 0 where they are not valid."""
        return np.where(self.there, values - self.design @ self.coefficients(values), 0.0)


def fit(values: Floats, design: Floats, least: int) -> tuple[Floats, Floats, Floats]:
    """Return coefficients (terms, ...), R squared and residual deviation of each pixel of (n, ...)."""
    flat = values.reshape(len(values), -1)
    model = Fit(~np.isnan(values), design, least)
    coefficients = model.coefficients(flat)
    squares = (np.where(model.there, flat - design @ coefficients, 0.0) ** 2).sum(axis=0)
    mean = np.where(model.there, flat, 0.0).sum(axis=0) / np.maximum(model.count, 1)
    total = (np.where(model.there, flat - mean, 0.0) ** 2).sum(axis=0)
    r2 = np.clip(1 - squares / np.where(total > 0, total, np.nan), 0.0, 1.0)
    rmse = np.sqrt(squares / np.maximum(model.count - design.shape[1], 1))
    shape = values.shape[1:]
    left_out = np.where(model.sound, 0.0, np.nan)
    return coefficients.reshape(-1, *shape), (r2 + left_out).reshape(shape), (rmse + left_out).reshape(shape)
