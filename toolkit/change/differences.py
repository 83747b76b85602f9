"""Change as a difference, and as a vector in the space of the bands."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.change.kit import CHANGE
from treeline.toolkit.change.pairs import pair_bands
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import Source, map_pixels, reduce_pixels, source, statistics
from treeline.toolkit.raster.moments import Moments
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool

Floats = NDArray[np.floating]
# An angle of two bands, else a sum of powers of two.
DIRECTION = Variable("change_direction", "Direction of change", "")


@tool(
    kit=CHANGE,
    source="Singh 1989, Int. J. Remote Sens. 10:989",
    gives=Gives("raster", "change_mask"),
    formula="d = after - before; 1 where d > mean + k s, 2 where d < mean - k s, else 0",
)
def change_mask(
    before_path: Annotated[str, Reads()],
    after_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("change_mask", "class")],
    deviations: float = 2.0,
    threshold: float | None = None,
) -> dict[str, Any]:
    """Mask of significant change between two dates by image differencing: 1 increase, 2 decrease, 0 none.

    Parameters
    ----------
    before_path : str
        A band or index of the first date; its grid is used.
    after_path : str
        The same of the second date.
    output_path : str
        GeoTIFF of bytes to write; 255 nodata.
    deviations : float
        How many standard deviations a difference must lie from the mean difference. Right where most of the
        scene did not change.
    threshold : float, optional
        Instead: the difference from 0, in the unit of the raster, beyond which there is change.

    Returns
    -------
    dict
        ``result``, ``lower`` and ``upper`` limit of no change, ``increase_percent``, ``decrease_percent`` of
        the valid pixels.
    """
    before, after = source(before_path), source(after_path)
    if before.role and after.role and before.role != after.role:
        raise InputError(
            f"{before.name} is {before.role}, {after.name} is {after.role}.", "Compare one variable."
        )
    inputs = {"before": before, "after": after}
    lower, upper = _limits(inputs, deviations, threshold)

    def classify(before: Floats, after: Floats) -> Floats:
        difference = after - before
        found = np.where(difference > upper, 1, np.where(difference < lower, 2, 0))
        return np.where(np.isnan(difference), np.nan, found)

    def count(before: Floats, after: Floats) -> NDArray[np.int64]:
        classes = classify(before, after)
        return np.array([np.count_nonzero(classes == n) for n in range(3)])

    product = map_pixels(
        classify,
        inputs,
        output_path,
        role="change_mask",
        unit="class",
        dtype="uint8",
        extra_tags={"TREELINE_CLASSES": "0 no change, 1 increase, 2 decrease"},
    )
    counts = reduce_pixels(count, np.add, inputs, label="change")
    valid = int(counts.sum())
    return {
        "result": report_saved(product),
        "lower": lower,
        "upper": upper,
        "increase_percent": 100.0 * int(counts[1]) / valid if valid else None,
        "decrease_percent": 100.0 * int(counts[2]) / valid if valid else None,
    }


@tool(
    kit=CHANGE,
    source="Malila 1980, Machine Processing of Remotely Sensed Data Symposium, Purdue, p. 326",
    gives=Gives("raster", "change_vector"),
    formula="magnitude sqrt(sum d_i^2); direction atan2(d_2, d_1) of two bands, else sum of 2^i of rises",
)
def change_vector_analysis(
    before_list: Annotated[list[str], Reads()],
    after_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("change_magnitude", "1", ("change_direction",), (DIRECTION,))],
    standardize: bool = False,
) -> str:
    """Change vector analysis: how much pixels moved in the space of the bands, and in which direction.

    Parameters
    ----------
    before_list : list of str
        Two or more bands or indices of the first date; files of several bands give all.
    after_list : list of str
        The same of the second date, in the same order, radiometrically alike.
    output_path : str
        GeoTIFF of two bands to write: magnitude, and direction. Of two bands the direction is an angle in
        degrees from the first band's axis towards the second's (0 to 360); of more it is a code with 1, 2,
        4, ... for each band that rose.
    standardize : bool
        Subtract each band's mean and divide by its deviation at each date first, for bands of different
        units or dates of different haze.

    Returns
    -------
    str
        Result saved at PATH.
    """
    before, after = pair_bands(before_list, after_list)
    if len(before) < 2:
        raise InputError("A change vector needs two or more bands.", "Use change_mask for a single one.")
    early, late = _scaling(before, standardize), _scaling(after, standardize)

    def vector(before: Floats, after: Floats) -> Floats:
        apart = (after - late[0]) / late[1] - (before - early[0]) / early[1]
        return np.stack([np.sqrt((apart**2).sum(axis=0)), _direction(apart)])

    roles = ("change_magnitude", "change_direction")
    product = map_pixels(vector, {"before": before, "after": after}, output_path, role=roles, unit="1")
    return report_saved(product)


def _direction(apart: Floats) -> Floats:
    if len(apart) == 2:
        return np.degrees(np.arctan2(apart[1], apart[0])) % 360
    # A bit for each band, set where it rises.
    codes = 2.0 ** np.arange(len(apart))
    return np.where(np.isnan(apart).any(axis=0), np.nan, np.tensordot(codes, apart > 0, axes=1))


def _scaling(bands: list[Source], standardize: bool) -> tuple[Floats, Floats]:
    if not standardize:
        return np.zeros((len(bands), 1, 1), dtype="float32"), np.ones((len(bands), 1, 1), dtype="float32")
    found = [statistics(band) for band in bands]
    means = np.array([s.mean for s in found], dtype="float32")[:, np.newaxis, np.newaxis]
    # A constant band changes nothing, and is not divided by.
    spreads = np.array([s.std if s.std > 0 else 1.0 for s in found], dtype="float32")
    return means, spreads[:, np.newaxis, np.newaxis]


def _limits(inputs: dict[str, Source], deviations: float, threshold: float | None) -> tuple[float, float]:
    if threshold is not None:
        if not threshold > 0:
            raise InputError(f"The argument 'threshold' is {threshold:g}.", "Give a number above 0.")
        return -threshold, threshold
    if not deviations > 0:
        raise InputError(f"The argument 'deviations' is {deviations:g}.", "Give a number above 0.")

    def moments(before: Floats, after: Floats) -> Moments:
        difference = after - before
        return Moments.of(difference)

    found = reduce_pixels(moments, Moments.merge, inputs, label="difference")
    if not found.count:
        raise NoValidPixels(
            f"{inputs['before'].name} and {inputs['after'].name} have no valid pixel in common.",
            "Check clouds and extents.",
        )
    result = found.statistics(found.count, {}, "")
    reach = deviations * result.std
    return result.mean - reach, result.mean + reach
