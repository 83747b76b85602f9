"""Open water in radar images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.radar.kit import RADAR
from treeline.toolkit.radar.scale import POLARISATIONS, Floats, to_decibel
from treeline.toolkit.raster import Source, map_pixels, source
from treeline.toolkit.raster.blocks import Plan, stream
from treeline.toolkit.raster.reading import Reader
from treeline.toolkit.results import report_saved
from treeline.toolkit.thresholding import otsu
from treeline.toolkit.tool import Gives, Reads, Writes, tool

# Of a tile: where the smaller of both classes has less, Otsu's threshold cuts the larger one in two.
SMALLEST_CLASS = 0.1
# Of a tile's pixels: a tile at the edge of the swath has too few for two populations.
LEAST_VALID = 0.5
# Pixels by which the mixture is fitted: the means of its halves are then sure to a fiftieth of a deviation.
SAMPLE = 5000


@dataclass(frozen=True)
class Split:
    """A tile's two populations.

    Attributes
    ----------
    threshold : float
        Between them.
    separation : float
        Ashman's D of a mixture of two normal populations.
    smaller : float
        Share of the smaller one.
    """

    threshold: float
    separation: float
    smaller: float


@tool(
    kit=RADAR,
    source="Otsu 1979, IEEE Trans. Syst. Man Cybern. 9:62; by tiles: Martinis, Twele & Voigt 2009, Nat. "
    "Hazards Earth Syst. Sci. 9:303; bimodality: Ashman, Bird & Zepf 1994, Astron. J. 108:2348",
    gives=Gives("raster", "open_water", "class"),
    formula="backscatter below the median of the Otsu thresholds of tiles with sqrt(2) |m1 - m2| / sqrt("
    "s1^2 + s2^2) above the separation",
)
def flood_mask(
    backscatter_path: Annotated[str, Reads(*POLARISATIONS)],
    output_path: Annotated[str, Writes("open_water", "class")],
    permanent_water_path: Annotated[str | None, Reads("open_water", "mask")] = None,
    tile: int = 200,
    separation: float = 2.0,
    threshold: float | None = None,
) -> str:
    """Flood mask: smooth open water in a radar image, by Otsu's threshold of tiles with land and water.

    Wind, wet snow, sand and radar shadow are dark too; flooded forest and towns are not.

    Parameters
    ----------
    backscatter_path : str
        Backscatter (VV is best), despeckled; decibels or intensity.
    output_path : str
        GeoTIFF of bytes to write: 1 water, 0 land, 255 nodata.
    permanent_water_path : str, optional
        Mask of the water that is always there (1); it is 0 in the result, so that only the flood is left.
    tile : int
        Side of the tiles in pixels that are looked at for two populations.
    separation : float
        How far apart the populations must be (Ashman's D). 2 is a rule of thumb, not a calibration.
    threshold : float, optional
        Decibels; skips the search.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band = source(backscatter_path, *POLARISATIONS)
    if tile < 16:
        raise InputError(f"The argument 'tile' is {tile}.", "Give 16 pixels or more.")
    in_db = to_decibel(band)
    limit = water_threshold(band, tile, separation) if threshold is None else threshold
    inputs: dict[str, Any] = {"values": band}
    if permanent_water_path is not None:
        inputs["permanent"] = source(permanent_water_path, "open_water", "mask")

    def water(values: Floats, permanent: Floats | None = None) -> Floats:
        power = in_db(values)
        dark = power < limit
        if permanent is not None:
            dark &= ~(permanent > 0)
        return np.where(np.isnan(power), np.nan, dark)

    product = map_pixels(
        water,
        inputs,
        output_path,
        role="open_water",
        unit="class",
        dtype="uint8",
        extra_tags={"TREELINE_THRESHOLD": f"{limit:.4g} dB"},
    )
    return report_saved(product)


@tool(
    kit=RADAR,
    source="Otsu 1979, IEEE Trans. Syst. Man Cybern. 9:62; by tiles: Martinis, Twele & Voigt 2009, Nat. "
    "Hazards Earth Syst. Sci. 9:303",
    gives=Gives("number", "threshold", "dB"),
    formula="median of the Otsu thresholds of the tiles with two populations",
)
def flood_threshold(
    backscatter_path: Annotated[str, Reads(*POLARISATIONS)], tile: int = 200, separation: float = 2.0
) -> float:
    """Threshold in decibels between open water and land, found in the tiles that hold both.

    Parameters
    ----------
    backscatter_path : str
        Backscatter, despeckled; decibels or intensity.
    tile : int
        Side of the tiles in pixels.
    separation : float
        How far apart the populations must be (Ashman's D); 2 is a rule of thumb.

    Returns
    -------
    float
        In decibels.
    """
    if tile < 16:
        raise InputError(f"The argument 'tile' is {tile}.", "Give 16 pixels or more.")
    return water_threshold(source(backscatter_path, *POLARISATIONS), tile, separation)


def water_threshold(band: Source, tile: int, separation: float) -> float:
    """Return the median of the thresholds of the tiles that hold two populations.

    Raises
    ------
    InputError
        No tile does.
    NoValidPixels
        No tile is valid for more than half.
    """
    splits = _splits(band, tile)
    if not splits:
        raise NoValidPixels(f"No tile of {band.name} is valid for more than half.", "Give smaller tiles.")
    chosen = [s.threshold for s in splits if s.separation > separation and s.smaller >= SMALLEST_CLASS]
    if not chosen:
        best = max(splits, key=lambda s: s.separation)
        raise InputError(
            f"No tile of {band.name} holds land and water: the best has a separation of "
            f"{best.separation:.2f} with {best.smaller:.0%} in its smaller part.",
            "Despeckle it first, try other tiles, or give a 'threshold'.",
        )
    return float(np.median(chosen))


def split_of(values: NDArray[np.floating]) -> Split:
    """Return Otsu's threshold of values without NaN, and how far apart two fitted normal populations lie.

    The halves of one bell curve are apart as well; only a mixture that is fitted tells one population
    from two.
    """
    from sklearn.mixture import GaussianMixture

    threshold = otsu(values)
    low, high = values[values <= threshold], values[values > threshold]
    # A fixed seed, so that the same image gives the same threshold.
    sample = np.random.default_rng(0).choice(values, min(values.size, SAMPLE), replace=False)
    mixture = GaussianMixture(
        2,
        # Begun at Otsu's two classes: a mixture that is begun at random may settle elsewhere.
        means_init=[[low.mean()], [high.mean()]],
        weights_init=[0.5, 0.5],
        tol=1e-4,
        max_iter=200,
        random_state=0,
    )
    fitted = mixture.fit(sample[:, np.newaxis].astype(np.float64))
    means, variances = fitted.means_.ravel(), fitted.covariances_.ravel()
    separation = np.sqrt(2) * abs(means[0] - means[1]) / np.sqrt(variances.sum())
    return Split(threshold, float(separation), float(fitted.weights_.min()))


def _splits(band: Source, tile: int) -> list[Split]:
    in_db = to_decibel(band)
    height, width = band.grid.shape
    windows = tuple(
        Window(column, row, min(tile, width - column), min(tile, height - row))
        for row in range(0, height, tile)
        for column in range(0, width, tile)
    )
    with Reader({"values": band}) as reader:

        def of_tile(window: Window) -> Split | None:
            power = in_db(reader.read(window)["values"])
            valid = power[~np.isnan(power)]
            if valid.size <= LEAST_VALID * power.size or valid.min() == valid.max():
                return None
            return split_of(valid)

        found = [split for _, split in stream(of_tile, Plan(windows, tile, 1, 1), "tiles")]
    return [split for split in found if split is not None]
