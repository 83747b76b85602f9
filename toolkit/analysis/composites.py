"""One raster from many through time, and how one differs from the usual."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.analysis import pixel_kernels
from treeline.toolkit.analysis.series_kit import SERIES, band_stacks_of, common_role, stack_of
from treeline.toolkit.batches import each_of
from treeline.toolkit.context import current_context
from treeline.toolkit.decibels import check_statistics
from treeline.toolkit.describing import Statistic, check_parameter, describe
from treeline.toolkit.errors import InputError
from treeline.toolkit.geometry.carrying import common_unit, roles_of
from treeline.toolkit.raster import Source, map_many, map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, Variable, Writes, tool

Stack = NDArray[np.floating]
Method = Literal["median", "mean", "max", "min", "std", "percentile", "count"]
Anomaly = Literal["difference", "standardized", "percent"]


def _mean(stack: Stack, _: float) -> Stack:
    there = ~np.isnan(stack)
    count = there.sum(axis=0)
    # In 64 bits: hundreds of dates of 32 bits would lose digits of the sum.
    total = np.where(there, stack, 0).sum(axis=0, dtype=np.float64)
    return total / np.where(count > 0, count, np.nan)


def _std(stack: Stack, _: float) -> Stack:
    count = (~np.isnan(stack)).sum(axis=0)
    squares = np.nansum((stack - _mean(stack, 0.0)) ** 2, axis=0, dtype=np.float64)
    return np.sqrt(squares / np.where(count > 1, count - 1, np.nan))


METHODS: Mapping[str, Callable[[Stack, float], Stack]] = {
    "median": lambda stack, _: pixel_kernels.percentile(stack, 50.0),
    "percentile": pixel_kernels.percentile,
    "mean": _mean,
    "std": _std,
    "max": lambda stack, _: np.fmax.reduce(stack),
    "min": lambda stack, _: np.fmin.reduce(stack),
    "count": lambda stack, _: (~np.isnan(stack)).sum(axis=0).astype(np.float32),
}


@tool(
    kit=SERIES,
    source="Holben 1986, Int. J. Remote Sens. 7:1417; percentiles: Hyndman & Fan 1996, Am. Stat. 50:361.",
    gives=Gives("raster", "composite"),
    formula="median, mean, max, min, std, percentile or count of the dates valid at a pixel",
)
def calculate_composite(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("composite", keeps_role=True)],
    method: Method = "median",
    percentile: float = 50.0,
) -> str:
    """Composite of rasters through time: median, mean, maximum, minimum, percentile, deviation or count.

    Parameters
    ----------
    file_list : list of str
        Rasters of one variable, clouds masked; the first decides the grid. Of scenes of several bands
        every band of the first is composed with the same band of the others.
    output_path : str
        GeoTIFF to write.
    method : str
        ``median``, ``mean``, ``max``, ``min``, ``std`` (divisor n - 1), ``percentile``, or ``count``
        of valid dates.
    percentile : float
        0 to 100; for ``percentile``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if not 0 <= percentile <= 100:
        raise InputError(f"The argument 'percentile' is {percentile:g}.", "Give a number from 0 to 100.")
    stacks = band_stacks_of(file_list)
    combine = METHODS[method]
    check_statistics([band for stack in stacks for band in stack], method)

    def composite(**bands: Stack) -> Stack:
        found = [combine(stack, percentile) for stack in bands.values()]
        return found[0] if len(found) == 1 else np.stack(found)

    product = map_many(
        composite,
        {f"band{number}": stack for number, stack in enumerate(stacks)},
        output_path,
        **_content(stacks, method),
        extra_tags={"TREELINE_COMPOSITE": method},
    )
    return report_saved(product)


COMPOSITE = Variable("composite", "Statistic of the dates", "")
_UNITLESS = frozenset({"cv", "skewness", "kurtosis", "entropy"})
_OF_DATES = {
    "count": "dates",
    "longest_run": "dates",
    "runs": "1",
    "onsets": "1",
    "crossings": "1",
    "share": "%",
}


@tool(
    kit=SERIES,
    source="Tomlin 1990, Geographic Information Systems and Cartographic Modeling (local operations)",
    gives=Gives("raster", "stack_statistic"),
    formula="the statistic of the dates that are valid at a pixel",
)
def summarize_stack(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("composite", unit=OF_INPUT, declares=(COMPOSITE,))],
    statistic: Statistic,
    parameter: float | None = None,
) -> str:
    """Any statistic of each pixel through time, also of masks: how often, what share, the longest run.

    Parameters
    ----------
    file_list : list of str
        Rasters of one variable, or masks, in the order of time; the first decides the grid.
    output_path : str
        GeoTIFF to write.
    statistic : str
        mean, median, min, max, sum, std and variance (divisor n - 1), range, percentile, iqr, cv,
        skewness and kurtosis (of the population; excess over 3), mode, entropy, mad, trimmed_mean; of masks
        count, share (percent of the valid dates), longest_run, runs,
        onsets (how often it becomes true) and crossings (true or false).
    parameter : float, optional
        The percentage of a percentile; the share (below 0.5) cut off at each end of a trimmed mean.

    Returns
    -------
    str
        Result saved at PATH.
    """
    check_parameter(statistic, parameter)
    stack = stack_of(file_list)
    check_statistics(stack, statistic)
    unit = _OF_DATES.get(statistic, "1" if statistic in _UNITLESS else stack[0].unit)
    # A mean of temperatures is a temperature; a share of dates, a skewness or a variance is not.
    keeps = statistic not in _OF_DATES and statistic not in _UNITLESS and statistic != "variance"
    product = map_pixels(
        lambda stack: describe(stack, statistic, parameter),
        {"stack": stack},
        output_path,
        role=common_role(stack) if keeps else "composite",
        unit=unit,
        extra_tags={"TREELINE_COMPOSITE": statistic},
    )
    return report_saved(product)


def _content(stacks: Sequence[Sequence[Source]], method: Method) -> dict[str, Any]:
    """Return the role and the unit of each band of a composite."""
    if method == "count":
        roles = ["valid_count"] * len(stacks)
        return {"role": roles if len(roles) > 1 else roles[0], "unit": "count"}
    if len(stacks) == 1:
        return {"role": common_role(stacks[0]), "unit": stacks[0][0].unit}
    bands = [stack[0] for stack in stacks]
    return {"role": roles_of(bands), "unit": common_unit(bands)}


@tool(
    kit=SERIES,
    source="Wilks 2019, Statistical Methods in the Atmospheric Sciences, 4th ed., ch. 3.",
    gives=Gives("raster", "anomaly"),
    formula="v - m; (v - m) / s; or 100 (v - m) / |m|, with mean m and deviation s of the baseline per pixel",
)
def calculate_anomaly(
    image_path: Annotated[str, Reads()],
    baseline_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("anomaly", OF_INPUT)],
    kind: Anomaly = "difference",
) -> str:
    """Anomaly of a raster against the mean of baseline rasters, pixel by pixel.

    Parameters
    ----------
    image_path : str
        The raster in question; its grid is used.
    baseline_list : list of str
        Rasters of the usual state, such as the same month of other years.
    output_path : str
        GeoTIFF to write.
    kind : str
        ``difference`` in the unit of the raster, ``standardized`` by the standard deviation of the
        baseline (three rasters or more), or ``percent`` of the mean.

    Returns
    -------
    str
        Result saved at PATH.
    """
    return _write_anomaly(image_path, baseline_list, output_path, kind)


@tool(
    kit=SERIES,
    source="Wilks 2019, Statistical Methods in the Atmospheric Sciences, 4th ed., ch. 3.",
    gives=Gives("raster", "anomaly"),
    formula="as calculate_anomaly, against all rasters of the same calendar month",
)
def calculate_batch_anomaly(
    file_list: Annotated[list[str], Reads()],
    output_paths: Annotated[list[str], Writes("anomaly", OF_INPUT)],
    kind: Anomaly = "difference",
    baseline_years: tuple[int, int] | None = None,
) -> list[str]:
    """Anomaly of each raster of a series against the climatology of its calendar month.

    Parameters
    ----------
    file_list : list of str
        Rasters of one variable with known dates, several years.
    output_paths : list of str
        GeoTIFFs to write, one per raster.
    kind : str
        ``difference``, ``standardized`` or ``percent``.
    baseline_years : list of two int, optional
        First and last year of the baseline; default: all years.

    Returns
    -------
    list of str
        Result saved at PATH, for each raster.
    """
    stack = stack_of(file_list)
    baselines = [_same_month(band, stack, file_list, baseline_years) for band in stack]
    measured = list(zip(file_list, baselines, strict=True))
    lists: Mapping[str, list[Any]] = {"file_list": measured, "output_paths": output_paths}
    return each_of(partial(_one_anomaly, kind), lists, label="anomaly")


def _one_anomaly(kind: Anomaly, measured: tuple[str, list[str]], output_path: str) -> str:
    return _write_anomaly(*measured, output_path, kind)


def _write_anomaly(image_path: str, baseline_list: list[str], output_path: str, kind: Anomaly) -> str:
    needed = 3 if kind == "standardized" else 1
    if len(baseline_list) < needed:
        raise InputError(
            f"The baseline has {len(baseline_list)} rasters; {needed} are needed for {kind!r}.",
            "Give more dates.",
        )
    image = source(image_path)
    inputs: dict[str, Any] = {"image": image, "baseline": [source(address) for address in baseline_list]}
    unit = {"difference": image.unit, "standardized": "1", "percent": "%"}[kind]
    product = map_pixels(
        _ANOMALIES[kind],
        inputs,
        output_path,
        role="anomaly",
        unit=unit,
        extra_tags={"TREELINE_ANOMALY": kind},
    )
    return report_saved(product)


_ANOMALIES: Mapping[str, Callable[..., Stack]] = {
    "difference": lambda image, baseline: image - _mean(baseline, 0.0),
    "standardized": lambda image, baseline: (image - _mean(baseline, 0.0)) / _positive(_std(baseline, 0.0)),
    "percent": lambda image, baseline: (
        100 * (image - _mean(baseline, 0.0)) / _positive(abs(_mean(baseline, 0.0)))
    ),
}


def _positive(values: Stack) -> Stack:
    return np.where(values > 0, values, np.nan)


def _same_month(
    band: Source, stack: list[Source], file_list: list[str], years: tuple[int, int] | None
) -> list[str]:
    date = band.description.date
    if date is None:
        raise InputError(f"{band.name} has no date, so its month is unknown.", "Use calculate_anomaly.")
    chosen = []
    for other, address in zip(stack, file_list, strict=True):
        when = other.description.date
        within = (
            when is not None
            and when.month == date.month
            and (years is None or years[0] <= when.year <= years[1])
        )
        if within:
            chosen.append(address)
    if not chosen:
        raise InputError(
            f"No raster of the baseline is of the month of {band.name} ({date:%B}).", "Give more years."
        )
    if len(chosen) == 1:
        current_context().warn(f"{band.name} is measured against a single raster of its month.")
    return chosen
