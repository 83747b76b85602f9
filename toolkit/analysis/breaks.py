"""Where a list of numbers breaks: change points and spikes."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from treeline.toolkit.analysis.kit import ANALYSIS
from treeline.toolkit.errors import InputError
from treeline.toolkit.optional import import_optional
from treeline.toolkit.series import Floats, Numbers, fill_gaps, valid_values
from treeline.toolkit.tool import Gives, tool

Cost = Literal["l1", "l2", "rbf", "linear", "normal", "ar", "rank", "cosine"]


@tool(
    kit=ANALYSIS,
    source="Killick et al. 2012, J. Am. Stat. Assoc. 107:1590; penalty: Yao 1988, Stat. Probab. Lett. 6:181.",
    gives=Gives("table", "change_points"),
    formula="segments that minimise their summed cost + penalty for each change",
    difference="Science looks at every index; earth_bench only at multiples of 5.",
)
def detect_change_points(
    signal: Numbers, model: Cost = "l2", penalty: float | None = 10, min_size: int = 2
) -> list[int]:
    """Indexes at which a series changes (PELT).

    Parameters
    ----------
    signal : list of float
        At least ``2 min_size`` numbers at even steps; gaps (null) are interpolated linearly.
    model : str
        What changes: ``l2`` the mean, ``l1`` the median, ``normal`` mean and variance, ``rbf`` the
        distribution, ``linear`` a line.
    penalty : float, optional
        Cost of one change; for ``l2`` in squared units of the data. Null takes 2 s2 ln n (BIC) with the
        noise variance s2 estimated from the differences of neighbours; ``l2`` only.
    min_size : int
        Fewest values between two changes.

    Returns
    -------
    list of int
        The first index of each new segment, and at the end the number of values.
    """
    ruptures = import_optional("ruptures", "series")

    if min_size < 1:
        raise InputError(f"The argument 'min_size' is {min_size}.", "Give 1 or more.")
    values = fill_gaps(signal, "signal", at_least=2)
    if values.size < 2 * min_size:
        raise InputError(
            f"The argument 'signal' has {values.size} values; two segments need {2 * min_size}.",
            "Give a longer series.",
        )
    cost = _bic(values, model) if penalty is None else _positive(penalty)
    search = ruptures.Pelt(model=model, min_size=min_size, jump=1).fit(values)
    return [int(index) for index in search.predict(pen=cost)]


def _positive(penalty: float) -> float:
    if not penalty > 0:
        raise InputError(f"The argument 'penalty' is {penalty}.", "Give a number above 0, or null for BIC.")
    return penalty


def _bic(values: Floats, model: str) -> float:
    if model != "l2":
        raise InputError(f"There is no BIC penalty for the model {model!r}.", "Give 'penalty' as a number.")
    spread = float(np.median(np.abs(np.diff(values)))) / (math.sqrt(2) * 0.6744897501960817)
    return max(2 * spread**2 * math.log(values.size), np.finfo(np.float64).tiny)


@tool(
    kit=ANALYSIS,
    source="First differences against a threshold.",
    gives=Gives("number", "count", "1"),
    formula="count(x_{i+1} - x_i > threshold)",
    difference="Science compares in float64; earth_bench in float32, which decides at the threshold.",
)
def count_spikes_from_values(values: Numbers, spike_threshold: float = 0.1, verbose: bool = True) -> int:
    """Count the sudden rises in a series.

    Parameters
    ----------
    values : list of float
        The numbers in the order of time; missing ones (null) are left out, so that a rise across a
        gap counts.
    spike_threshold : float
        Rise from one value to the next that must be exceeded, in the unit of the values.
    verbose : bool
        Kept for older calls; has no effect.

    Returns
    -------
    int
        How many rises exceed the threshold; falls do not count.
    """
    return int((np.diff(valid_values(values, "values")) > spike_threshold).sum())
