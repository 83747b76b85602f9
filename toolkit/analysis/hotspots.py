"""Hot and cold spots of a raster, and where they lie."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

from treeline.toolkit.analysis import pixel_kernels
from treeline.toolkit.analysis.kit import ANALYSIS
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import Source, map_pixels, reduce_pixels, source, statistics
from treeline.toolkit.raster.area_mask import window_inside
from treeline.toolkit.raster.blocks import plan, stream
from treeline.toolkit.raster.reading import Reader
from treeline.toolkit.results import report_saved
from treeline.toolkit.series import SIGNIFICANCE
from treeline.toolkit.tool import Gives, Reads, Writes, tool

Floats = NDArray[np.floating]
# Two-sided 5 % of the normal distribution, as maps of hot spots usually show it.
HOT_SCORE = 1.96
NO_HOTSPOTS = "no hotspots found"


@tool(
    kit=ANALYSIS,
    source="Ord & Getis 1995, Geogr. Anal. 27:286.",
    gives=Gives("raster", "gi_star", "1"),
    formula="z = (sum w x - X W) / (S sqrt((n S1 - W^2) / (n - 1))), W = sum w, S1 = sum w^2",
    difference="Science sums W and S1 over the neighbours that exist and are valid; earth_bench pads with 0 "
    "and keeps the full W, which makes false cold spots at the edges.",
)
def getis_ord_gi_star(
    image_path: Annotated[str, Reads()],
    weight_matrix: list[list[float]],
    output_path: Annotated[str, Writes("gi_star")],
) -> str:
    """Getis-Ord Gi* map: z-scores of local sums, above 1.96 hot spots and below -1.96 cold ones.

    Parameters
    ----------
    image_path : str
        A raster; one band.
    weight_matrix : list of list of float
        Weights of the neighbours as a square or rectangle with an odd number of rows and columns;
        the centre is the pixel itself and for Gi* not 0, such as [[1, 1, 1], [1, 1, 1], [1, 1, 1]].
    output_path : str
        GeoTIFF to write; z-scores, nodata where the raster has none.

    Returns
    -------
    str
        Result saved at PATH.
    """
    weights = _weights(weight_matrix)
    image = source(image_path)
    found = statistics(image, order=2)
    if found.std == 0:
        raise InputError(
            f"All valid pixels of {image.name} are {found.mean:g}; a constant has no hot spots.",
            "Give a raster that varies.",
        )
    score = _Score(weights, found.mean, found.std, found.count_valid)
    halo = max(weights.shape) // 2
    return report_saved(
        map_pixels(score, {"values": image}, output_path, role="gi_star", halo=halo, alone=True)
    )


@tool(
    kit=ANALYSIS,
    source="Counting by sectors.",
    gives=Gives("text", "direction"),
    formula="sector (north, east, south, west of the centre) with the most hot pixels",
    difference="Science takes every value but 0 (z-scores: above 1.96), directions from the georeference, "
    "halves diagonal ties; earth_bench takes values of 1 and gives ties to west and east.",
)
def analyze_hotspot_direction(hotspot_map_path: Annotated[str, Reads("mask", "gi_star", "fire_mask")]) -> str:
    """Direction from the centre of the image in which most hot spots lie: north, south, east or west.

    Inside an area of interest it is the centre of the pixels from its first to its last row and column.

    Parameters
    ----------
    hotspot_map_path : str
        A mask (every value but 0 is hot) or a Gi* map (z above 1.96 is hot).

    Returns
    -------
    str
        ``north``, ``south``, ``east``, ``west``, or "no hotspots found".
    """
    image = source(hotspot_map_path, "mask", "gi_star", "fire_mask")
    counts = _by_sector(image)
    return max(counts, key=lambda name: counts[name]) if any(counts.values()) else NO_HOTSPOTS


@tool(
    kit=ANALYSIS,
    source="Benjamini & Hochberg 1995, J. R. Stat. Soc. B 57:289; Castro & Singer 2006, Geogr. Anal. 38:180.",
    gives=Gives("raster", "mask"),
    formula="hot where z >= z*, cold where z <= -z*; z* from the significance, with false discovery control",
)
def classify_hotspots(
    gi_star_path: Annotated[str, Reads("gi_star")],
    output_path: Annotated[str, Writes("mask")],
    significance: float = SIGNIFICANCE,
    false_discovery: bool = True,
) -> list[str | float | None]:
    """Classes of a Gi* map: 1 significant hot spot, 2 significant cold spot, 0 neither.

    Parameters
    ----------
    gi_star_path : str
        A map of z-scores by ``getis_ord_gi_star``.
    output_path : str
        GeoTIFF to write.
    significance : float
        Two-sided, between 0 and 1.
    false_discovery : bool
        Allow for as many tests as there are pixels (Benjamini-Hochberg); without it about
        ``significance`` of all pixels are marked by chance.

    Returns
    -------
    list
        ``[Result saved at PATH, z*]``; z* is null where nothing is significant.
    """
    if not 0 < significance < 1:
        raise InputError(
            f"The argument 'significance' is {significance:g}.", "Give a number between 0 and 1."
        )
    score = source(gi_star_path, "gi_star")
    limit = _discovery_limit(score, significance) if false_discovery else _two_sided_z(significance)

    def classes(z: Floats) -> Floats:
        return np.where(np.isnan(z), np.nan, np.where(z >= limit, 1.0, np.where(z <= -limit, 2.0, 0.0)))

    tags = {"TREELINE_Z_LIMIT": limit}
    product = map_pixels(classes, {"z": score}, output_path, role="mask", dtype="uint8", extra_tags=tags)
    return [report_saved(product), limit if math.isfinite(limit) else None]


def _two_sided_z(significance: float) -> float:
    from scipy import stats

    return float(stats.norm.isf(significance / 2))


def _discovery_limit(score: Source, significance: float) -> float:
    """Return the smallest z that keeps the false discovery rate, to 1/500; infinite without one."""
    from scipy import stats

    # Beyond z = 38 a probability is 0 in float64.
    edges = np.append(np.arange(0, 40, 0.002), np.inf)
    counts = reduce_pixels(
        lambda z: np.histogram(np.abs(z[~np.isnan(z)]), edges)[0], np.add, {"z": score}, label="significance"
    )
    reached = counts[::-1].cumsum()[::-1]
    if not reached[0]:
        raise NoValidPixels(f"No pixel of {score.name} is valid.", "Check the Gi* map.")
    # Benjamini & Hochberg: the largest k for which the k-th smallest p is not above k / m of the level; of a
    # limit z, k pixels reach it and 2 sf(z) is their largest p.
    kept = 2 * stats.norm.sf(edges[:-1]) * reached[0] <= significance * reached
    kept &= reached > 0
    return float(edges[:-1][kept][0]) if kept.any() else math.inf


class _Score:
    """Gi* of one block with its halo."""

    def __init__(self, weights: NDArray[np.float64], mean: float, std: float, count: int) -> None:
        self.weights = weights
        self.mean, self.std, self.count = mean, std, count

    def __call__(self, values: Floats) -> Floats:
        if np.all(self.weights == self.weights[0, 0]):
            return pixel_kernels.gi_star_box(values, self.weights.shape, self.mean, self.std, self.count)
        return pixel_kernels.gi_star(values, self.weights, self.mean, self.std, self.count)


def _weights(matrix: list[list[float]]) -> NDArray[np.float64]:
    rows = {len(row) for row in matrix}
    if len(rows) != 1 or len(matrix) % 2 == 0 or rows.pop() % 2 == 0:
        raise InputError(
            f"The argument 'weight_matrix' has rows of {sorted({len(row) for row in matrix})} numbers, "
            f"{len(matrix)} of them.",
            "Give an odd number of rows of one odd length, such as 3 x 3.",
        )
    weights = np.array(matrix, dtype=np.float64)
    if not np.isfinite(weights).all() or not weights.any() or (weights < 0).any():
        raise InputError(
            "The argument 'weight_matrix' holds negative weights or only 0.", "Give weights of 0 or more."
        )
    return weights


def _by_sector(image: Source) -> dict[str, float]:
    is_score = image.role == "gi_star"
    counts = np.zeros(4)
    with Reader({"values": image}) as reader:
        a, b, _, d, e, _ = reader.grid.transform
        extent = window_inside(reader.area, reader.grid)

        def of_window(window: Window) -> NDArray[np.float64]:
            values = reader.read(window)["values"]
            hot = values > HOT_SCORE if is_score else (values != 0) & ~np.isnan(values)
            rows, columns = np.nonzero(hot)
            across = columns + window.col_off - (extent.col_off + (extent.width - 1) / 2)
            down = rows + window.row_off - (extent.row_off + (extent.height - 1) / 2)
            # East and north on the ground; the pixel's shape does not change its sector.
            east = np.sign(a) * across + np.sign(b) * down
            north = np.sign(d) * across + np.sign(e) * down
            return _sectors(east, north)

        for _, found in stream(of_window, plan(reader), "direction"):
            counts += found
    return dict(zip(("north", "south", "east", "west"), counts.tolist(), strict=True))


def _sectors(east: Floats, north: Floats) -> NDArray[np.float64]:
    """Return how many points lie north, south, east and west; those on a diagonal count half twice."""
    away = (east != 0) | (north != 0)
    upright = (
        np.where(np.abs(north) == np.abs(east), 0.5, (np.abs(north) > np.abs(east)).astype(float)) * away
    )
    level = (1 - upright) * away
    return np.array(
        [
            math.fsum(upright[north > 0]),
            math.fsum(upright[north < 0]),
            math.fsum(level[east > 0]),
            math.fsum(level[east < 0]),
        ]
    )
