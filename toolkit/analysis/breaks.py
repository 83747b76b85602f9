"""Where a list of numbers breaks: change points and spikes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np

from treeline.toolkit.analysis.kit import ANALYSIS
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.extras import import_optional
from treeline.toolkit.series import Floats, Numbers, fill_gaps, valid_values
from treeline.toolkit.tool import Gives, tool

# The median of the absolute difference of two values with Laplace noise, in units of its scale b.
LAPLACE_DIFFERENCE = 1.1461932206205825
IN_UNITS_OF_THE_DATA = frozenset({"l2", "l1", "linear"})
LEAST_SIZES: Mapping[str, int] = {"linear": 3, "ar": 5}
Cost = Literal["l1", "l2", "rbf", "linear", "normal", "ar", "rank", "cosine"]


@tool(
    kit=ANALYSIS,
    source="Killick et al. 2012, J. Am. Stat. Assoc. 107:1590; penalty: Yao 1988, Stat. Probab. Lett. 6:181 "
    "(means), Schwarz 1978, Ann. Stat. 6:461 (the others).",
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
        distribution, ``linear`` the line through the values.
    penalty : float, optional
        Cost of one change; for ``l2`` in squared units of the data. Null takes the Bayesian information
        criterion: 2 s2 ln n for ``l2``, 3 s2 ln n for ``linear``, b ln n for ``l1``, 3 ln n for ``normal``;
        the noise (s2, b) is estimated from the differences of neighbours. The criterion is taken as well,
        with a warning, where a penalty in units of the data is above the cost of the whole series.
    min_size : int
        Fewest values between two changes; 3 at least for ``linear``, 5 for ``ar``.

    Returns
    -------
    list of int
        The first index of each new segment, and at the end the number of values.
    """
    ruptures = import_optional("ruptures", "series")

    if min_size < 1:
        raise InputError(f"The argument 'min_size' is {min_size}.", "Give 1 or more.")
    min_size = max(min_size, LEAST_SIZES.get(model, 1))
    values = fill_gaps(signal, "signal", at_least=2)
    if values.size < 2 * min_size:
        raise InputError(
            f"The argument 'signal' has {values.size} values; two segments need {2 * min_size}.",
            "Give a longer series.",
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of the small bias of ``normal``
        # Its default jump of 5 looks at every fifth index only.
        search = ruptures.Pelt(model=model, min_size=min_size, jump=1).fit(_regressands(values, model))
        cost = _cost_of_change(values, model, penalty, float(search.cost.error(0, values.size)))
        return [int(index) for index in search.predict(pen=cost)]


def _cost_of_change(values: Floats, model: str, penalty: float | None, whole: float) -> float:
    """Return the penalty; the criterion's instead of one that no change of the series could ever outweigh.

    Parameters
    ----------
    whole : float
        The cost of the series without any change.
    """
    if penalty is None:
        return _bic(values, model)
    if not penalty > 0:
        raise InputError(f"The argument 'penalty' is {penalty}.", "Give a number above 0, or null for BIC.")
    if model not in IN_UNITS_OF_THE_DATA or penalty < whole:
        return penalty
    chosen = _bic(values, model)
    current_context().warn(
        f"The penalty {penalty:g} is not below the whole cost of the series ({whole:.3g}), so that no change "
        f"could be found with it; that of the Bayesian information criterion ({chosen:.3g}) was used."
    )
    return chosen


def _regressands(values: Floats, model: str) -> Floats:
    """Return what a model looks at: the values, and for lines what they are fitted on."""
    if model != "linear":
        return values
    return np.column_stack([values, np.arange(values.size), np.ones(values.size)])


def _bic(values: Floats, model: str) -> float:
    """Return the penalty of a model: what one change adds to the criterion, in units of the model's cost."""
    penalty = _PENALTIES.get(model)
    if penalty is None:
        raise InputError(
            f"There is no BIC penalty for the model {model!r}.",
            f"Give 'penalty' as a number, or take one of {', '.join(_PENALTIES)}.",
        )
    return float(max(penalty(values), np.finfo(np.float64).tiny))


def _of_means(values: Floats) -> float:
    # Differences of neighbours know no level; their weights are 1 and -1, with a sum of squares of 2.
    return 2 * _deviation(np.diff(values), 2) ** 2 * math.log(values.size)


def _of_lines(values: Floats) -> float:
    # Second differences know no slope; a line has one parameter more than a mean.
    return 3 * _deviation(np.diff(values, 2), 6) ** 2 * math.log(values.size)


def _of_medians(values: Floats) -> float:
    return float(np.median(np.abs(np.diff(values)))) / LAPLACE_DIFFERENCE * math.log(values.size)


def _of_normals(values: Floats) -> float:
    # A mean, a deviation and the place of the change: three parameters of the likelihood.
    return 3 * math.log(values.size)


def _deviation(differences: Floats, weights: float) -> float:
    """Return the deviation of the noise of which differences with such a sum of squared weights are left."""
    if not differences.size:
        return 0.0
    # 0.6745 is the third quartile of the normal distribution: the median of |x| of a deviation of 1. The
    # median, as the changes that are looked for would widen the deviation itself.
    return float(np.median(np.abs(differences))) / (math.sqrt(weights) * 0.6744897501960817)


_PENALTIES: Mapping[str, Callable[[Floats], float]] = {
    "l2": _of_means,
    "l1": _of_medians,
    "linear": _of_lines,
    "normal": _of_normals,
}


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
