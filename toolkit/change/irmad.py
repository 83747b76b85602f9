"""Change beyond linear differences of haze, sun or sensor (IR-MAD); normalisation by what stayed."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.canonical_variates import Floats, Matrix, Variates, canonical
from treeline.toolkit.change.kit import CHANGE
from treeline.toolkit.change.pairs import pair_bands
from treeline.toolkit.classification.features import sample
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import Source, add, map_pixels, reduce_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

# Of the canonical correlations between two rounds: Nielsen 2007.
CONVERGED = 1e-3
UNCHANGED = 0.95
FEWEST_PIXELS = 30


@tool(
    kit=CHANGE,
    source="Nielsen 2007, IEEE Trans. Image Process. 16:463",
    gives=Gives("raster", "no_change_probability", "1"),
    formula="MAD = a'X - b'Y by canonical correlation, weights 1 - F(Z), Z = sum MAD^2 / (2 (1 - rho)), "
    "chi-square with as many degrees as bands, until rho changes by less than 0.001",
)
def ir_mad(
    before_list: Annotated[list[str], Reads()],
    after_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("no_change_probability", "1")],
    iterations: int = 50,
) -> dict[str, Any]:
    """Change detection by IR-MAD, blind to linear differences of the two dates' radiometry.

    The weights favour the pixels that fit best, so the probability is strict: what is above 0.95 is
    unchanged, but not all that is low has changed. For a mask of change take a threshold of the chi-square,
    such as Otsu's.

    Parameters
    ----------
    before_list : list of str
        Bands of the first date, clouds masked; files of several bands give all.
    after_list : list of str
        The same bands of the second date.
    output_path : str
        GeoTIFF to write: probability of no change (above 0.95: unchanged; near 0: changed), chi-square, and
        the MAD variates, the first with most of the change.
    iterations : int
        At most so many; 1 is MAD without weights.

    Returns
    -------
    dict
        ``result``, ``correlations`` of the variates, ``iterations``, ``converged``.
    """
    from scipy.stats import chi2

    if not 1 <= iterations <= 500:
        raise InputError(f"The argument 'iterations' is {iterations}.", "Give 1 to 500.")
    before, after = pair_bands(before_list, after_list)
    inputs = {"before": before, "after": after}
    variates, done, converged = _iterate(inputs, iterations)
    if not converged and iterations > 1:
        current_context().warn(f"IR-MAD did not settle within {iterations} iterations.")

    def changes(before: Floats, after: Floats) -> Floats:
        shape, (early, late, valid) = before.shape[1:], _flat(before, after)
        result = np.full((len(before) + 2, len(valid)), np.nan, dtype="float32")
        mad = variates.mad(early, late)
        chi_square = variates.chi_square(mad)
        result[0, valid] = chi2.sf(chi_square, len(before))
        result[1, valid] = chi_square
        result[2:, valid] = mad.T
        return result.reshape(-1, *shape)

    roles = ["no_change_probability", "chi_square", *(f"mad{n + 1}" for n in range(len(before)))]
    product = map_pixels(changes, inputs, output_path, role=roles, unit="1")
    correlations = [float(r) for r in variates.correlations]
    return {
        "result": report_saved(product),
        "correlations": correlations,
        "iterations": done,
        "converged": converged,
    }


@tool(
    kit=CHANGE,
    source="Canty & Nielsen 2008, Remote Sens. Environ. 112:1025",
    gives=Gives("raster", "normalized"),
    formula="orthogonal regression of the reference on the band over pixels unchanged by IR-MAD",
)
def normalize_radiometry(
    input_path: Annotated[str, Reads()],
    reference_path: Annotated[str, Reads()],
    no_change_path: Annotated[str, Reads("no_change_probability")],
    output_path: Annotated[str, Writes("normalized", keeps_role=True)],
    probability: float = UNCHANGED,
) -> dict[str, Any]:
    """Relative radiometric normalisation: a band brought to the radiometry of another date.

    Parameters
    ----------
    input_path : str
        The band to adjust.
    reference_path : str
        The same band of the date whose radiometry is taken.
    no_change_path : str
        From ``ir_mad`` of the two dates.
    output_path : str
        GeoTIFF to write.
    probability : float
        Pixels with a probability of no change above this are used.

    Returns
    -------
    dict
        ``result``, ``slope``, ``intercept``, ``correlation`` and ``pixels`` of the regression.
    """
    band, reference = source(input_path), source(reference_path)
    inputs = {"values": band, "wanted": reference, "stable": source(no_change_path, "no_change_probability")}
    level = float(sample([band], 1000).mean())

    def sums(values: Floats, wanted: Floats, stable: Floats) -> Matrix:
        kept = (stable > probability) & ~np.isnan(values) & ~np.isnan(wanted)
        x, y = values[kept].astype(np.float64) - level, wanted[kept].astype(np.float64) - level
        return np.array([x.size, x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum()])

    count, x, y, xx, xy, yy = reduce_pixels(sums, np.add, inputs, label="regression")
    if count < FEWEST_PIXELS:
        raise NoValidPixels(
            f"{int(count)} pixels have a probability of no change above {probability:g}; "
            f"{FEWEST_PIXELS} are needed.",
            "Give a lower 'probability'.",
        )
    xx, xy, yy = xx - x * x / count, xy - x * y / count, yy - y * y / count
    if xy <= 0:
        raise InputError(f"{band.name} and {reference.name} do not go together.", "Are they the same band?")
    # The orthogonal regression: both dates have errors, so that neither is the one that explains the other.
    slope = (yy - xx + np.sqrt((yy - xx) ** 2 + 4 * xy**2)) / (2 * xy)
    intercept = level + y / count - slope * (level + x / count)

    def adjust(values: Floats) -> Floats:
        return slope * values + intercept

    product = map_pixels(adjust, {"values": band}, output_path, role=band.role or "", unit=band.unit)
    return {
        "result": report_saved(product),
        "slope": float(slope),
        "intercept": float(intercept),
        "correlation": float(xy / np.sqrt(xx * yy)),
        "pixels": int(count),
    }


def _iterate(inputs: dict[str, list[Source]], iterations: int) -> tuple[Variates, int, bool]:
    # A rough mean that is taken off every value: sums of squares of large numbers would lose the digits in
    # which they differ.
    level = sample([*inputs["before"], *inputs["after"]], 1000).astype(np.float64).mean(axis=0)
    variates, known = None, np.zeros(len(inputs["before"]))
    for number in range(1, iterations + 1):
        variates = _variates(inputs, variates, level)
        if np.abs(variates.correlations - known).max() < CONVERGED:
            return variates, number, True
        known = variates.correlations
    assert variates is not None
    return variates, iterations, False


def _variates(inputs: dict[str, list[Source]], weighting: Variates | None, level: Matrix) -> Variates:
    from scipy.stats import chi2

    bands = len(inputs["before"])

    def sums(before: Floats, after: Floats) -> tuple[float, Matrix, Matrix]:
        early, late, _ = _flat(before, after)
        weights = np.ones(len(early))
        if weighting is not None:
            weights = chi2.sf(weighting.chi_square(weighting.mad(early, late)), bands)
        pixels = np.hstack([early, late]).astype(np.float64) - level
        return float(weights.sum()), weights @ pixels, (pixels * weights[:, np.newaxis]).T @ pixels

    total, firsts, products = reduce_pixels(sums, add, inputs, label="IR-MAD")
    if total < FEWEST_PIXELS:
        raise NoValidPixels(
            f"Only {total:.0f} pixels are valid, or unchanged, at both dates.", "Check clouds and extents."
        )
    mean = firsts / total
    return canonical(products / total - np.outer(mean, mean), mean + level, bands)


def _flat(before: Floats, after: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    early, late = before.reshape(len(before), -1).T, after.reshape(len(after), -1).T
    valid: NDArray[np.bool_] = np.isfinite(np.hstack([early, late])).all(axis=1)
    return early[valid], late[valid], valid
