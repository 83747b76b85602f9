"""What a script in rasterio and numpy alone stands on. It is copied into each, so it imports nothing else."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import rasterio
from rasterio.features import geometry_mask

made: dict[str, Any] = {}
"""What the steps made, by name."""


def read(
    path: str,
    band: int,
    kind: str = "float32",
    scale: float = 1.0,
    offset: float = 0.0,
    no_data: Sequence[float] = (),
    within: Sequence[tuple[float, float]] = (),
    masked: bool = False,
    alpha: int | None = None,
    area: Mapping[str, Any] | None = None,
) -> Any:
    """Return the physical values of a band, NaN where there is no data or outside of the area of interest."""
    with rasterio.open(path) as dataset:
        stored = dataset.read(band)
        # By the stored numbers: scaled ones may differ from the fill by their last digit.
        missing = np.isin(stored, no_data)
        if stored.dtype.kind == "f":
            missing |= ~np.isfinite(stored)
        for low, high in within:
            missing |= (stored < low) | (stored > high)
        if masked:
            missing |= dataset.read_masks(band) == 0
        if alpha:
            missing |= dataset.read(alpha) == 0
        if area:
            missing |= geometry_mask([area], stored.shape, dataset.transform)
    values = stored.astype(kind)
    values *= values.dtype.type(scale)
    values += values.dtype.type(offset)
    values[missing] = np.nan
    return values


def keep(name: str, values: Any) -> str:
    """Keep what a step made, in the type that it would have in a file, under its name."""
    # The tools write 32 bits, and later steps of the run read those.
    made[name] = np.asarray(values, dtype="float32")
    return name


def there(values: Any) -> Any:
    """Return the values that are there."""
    flat = np.asarray(values, dtype="float64").ravel()
    return flat[~np.isnan(flat)]


def measure(values: Any, function: Callable[[Any], float]) -> float | None:
    """Return a number of the values that are there; None where there is none."""
    known = there(values)
    found = float(function(known)) if known.size else math.nan
    return found if math.isfinite(found) else None


def deviation(values: Any) -> float:
    """Return the standard deviation of a sample; NaN for a single value."""
    return float(np.std(values, ddof=1)) if values.size > 1 else math.nan


def share(values: Any) -> float:
    """Return how many percent of the values are not zero."""
    return 100.0 * float(np.mean(values != 0))


def numbers(values: Any) -> Any:
    """Return numbers as an array, NaN for those that are missing."""
    listed = values if isinstance(values, list) else [values]
    return np.array([math.nan if value is None else value for value in listed], dtype="float64")


def limit(values: Any, low: float, high: float) -> Any:
    """Return values without those outside of a range, which the variable cannot have."""
    return np.where((values < low) | (values > high), np.nan, values)


def where_known(met: Any, *layers: Any) -> Any:
    """Return 1 where a condition is met and 0 where not; NaN where a raster that it is of has no value."""
    return np.where(np.logical_or.reduce([np.isnan(layer) for layer in layers]), np.nan, met)


def percent(values: Any, met: Any) -> float | None:
    """Return how many percent of the values that are there meet a condition."""
    known = ~np.isnan(values)
    return 100.0 * float(np.count_nonzero(met & known)) / float(known.sum()) if known.any() else None


def at_each_pixel(layers: Sequence[Any], function: Callable[..., Any]) -> Any:
    """Return a number of several rasters at each pixel; NaN where none has a value."""
    with warnings.catch_warnings():
        # numpy warns where a pixel has no value at all, which is NaN as it should be.
        warnings.simplefilter("ignore", RuntimeWarning)
        return function(np.stack(layers).astype("float64"), axis=0)


def by_class(values: Any, classes: Any, function: Callable[[Any], float]) -> dict[str, float | None]:
    """Return a number of the values in each class."""
    return {f"{one:g}": measure(values[classes == one], function) for one in np.unique(there(classes))}


def extreme(numbers: Sequence[float | None], best: Callable[[Any], Any]) -> list[Any]:
    """Return the greatest or the least of numbers that are there, and its place in the list."""
    known = [(number, place) for place, number in enumerate(numbers) if number is not None]
    number, place = known[int(best([number for number, _ in known]))]
    return [number, place]


def is_close(found: Any, recorded: Any) -> bool:
    """Return whether two results are the same but for rounding."""
    if isinstance(recorded, Mapping):
        return found.keys() == recorded.keys() and all(
            is_close(found[key], recorded[key]) for key in recorded
        )
    if isinstance(recorded, list):
        return len(found) == len(recorded) and all(map(is_close, found, recorded))
    if isinstance(recorded, float | int) and not isinstance(recorded, bool) and found is not None:
        return math.isclose(float(found), float(recorded), rel_tol=1e-6, abs_tol=1e-9)
    return bool(found == recorded)


def compare(step: int, found: Any, recorded: Any) -> None:
    """Print a result, and whether it is that of the run."""
    told = "as in the run" if is_close(found, recorded) else f"NOT AS IN THE RUN, which gave {recorded}"
    print(f"step {step}: {found} ({told})")


def compare_raster(step: int, name: str, path: str) -> None:
    """Print whether a raster that was made is the one that the run wrote, where that is still there."""
    if not os.path.exists(path):
        print(f"step {step}: {name} (the run's is not here)")
        return
    with rasterio.open(path) as dataset:
        written = np.where(dataset.read_masks(1) > 0, dataset.read(1).astype("float64"), np.nan)
    whole = written.shape == made[name].shape
    # Rasters of 32 bits hold values near 1 to 1.2e-7, and the difference of two of them to twice that.
    same = whole and np.allclose(made[name], written, rtol=1e-5, atol=3e-7, equal_nan=True)
    told = (
        "as in the run"
        if same
        else "NOT AS IN THE RUN"
        if whole
        else "the run's ends at the area of interest"
    )
    print(f"step {step}: {name} ({told})")
