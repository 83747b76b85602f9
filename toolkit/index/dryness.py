"""Temperature-vegetation dryness index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import RasterError
from treeline.toolkit.index.kit import INDEX
from treeline.toolkit.plausible import keep_plausible
from treeline.toolkit.raster import Source, map_pixels, reduce_pixels, require_scale, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.variables import VARIABLES

# Bins from bare soil to the densest cover; below 0.1 there is water, snow or cloud, which has no dry edge.
NDVI_STEP = 0.01
NDVI_EDGES = np.arange(10, 101) * NDVI_STEP
# In K, finer than any product's accuracy: the extremes of a bin are read from this histogram.
LST_STEP = 0.05
LST_LOW, LST_HIGH = VARIABLES["lst"].plausible
LST_BINS = round((LST_HIGH - LST_LOW) / LST_STEP)
# Points for the straight line of an edge: two define one, and more are needed for it to be fitted.
FEWEST_BINS = 5


@dataclass(frozen=True, slots=True)
class Edges:
    """The triangle of a scene: ``dry = intercept + slope * NDVI``, ``wet`` constant, in K.

    Attributes
    ----------
    r2 : float
        Coefficient of determination of the dry edge.
    bins : int
        NDVI bins that the dry edge was fitted to.
    """

    intercept: float
    slope: float
    wet: float
    r2: float
    bins: int


@tool(
    kit=INDEX,
    source="Sandholt, Rasmussen & Andersen 2002, Remote Sens. Environ. 79:213",
    gives=Gives("raster", "tvdi"),
    formula="(LST - LSTmin) / (a + b NDVI - LSTmin)",
    difference="earth_bench fits both edges to the extreme pixels of 100 equal NDVI bins and clips to 0..1; "
    "science uses bins of 0.01 from NDVI 0.1, the 98th and 2nd percentile of each, fits the dry edge from "
    "its hottest bin on with outliers dropped, takes a horizontal wet edge as the paper does, and keeps "
    "values beyond 0..1",
    of_scene=True,
)
def compute_tvdi(
    ndvi_path: Annotated[str, Reads("ndvi")],
    lst_path: Annotated[str, Reads("lst", "lst_day")],
    output_path: Annotated[str, Writes("tvdi")],
    minimum_count: int = 5,
) -> str:
    """Temperature-vegetation dryness index (TVDI) of a scene: 0 wet, 1 dry, relative to that scene.

    The edges come from the scene itself, so it should hold bare to fully vegetated and wet to dry
    land. Water (NDVI below 0) is left out; mask clouds and snow beforehand.

    Parameters
    ----------
    ndvi_path : str
        NDVI.
    lst_path : str
        Land surface temperature in K.
    output_path : str
        Where to write TVDI.
    minimum_count : int
        An NDVI bin with fewer pixels does not count for the edges.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    inputs = {
        "ndvi": require_scale(source(ndvi_path, "ndvi")),
        "lst": require_scale(source(lst_path, "lst", "lst_day")),
    }
    edges = edges_of_scene(inputs, minimum_count)

    def tvdi(ndvi: Any, lst: Any) -> Any:
        span = edges.intercept + edges.slope * ndvi - edges.wet
        # Below 0 there is water or snow; where the edges meet, nothing lies between them.
        return np.where((ndvi >= 0) & (span > 0), (lst - edges.wet) / span, np.float32(np.nan))

    tags = {
        "TREELINE_DRY_EDGE": f"{edges.intercept:.4f} + {edges.slope:.4f} NDVI",
        "TREELINE_WET_EDGE": f"{edges.wet:.4f}",
    }
    return report_saved(
        map_pixels(keep_plausible(tvdi, "tvdi"), inputs, output_path, role="tvdi", unit="1", extra_tags=tags)
    )


def edges_of_scene(inputs: dict[str, Source], minimum_count: int = 5) -> Edges:
    """Return the dry and the wet edge of a scene.

    Parameters
    ----------
    inputs : dict of Source
        ``ndvi`` and ``lst``.
    minimum_count : int
        An NDVI bin with fewer pixels does not count.

    Raises
    ------
    RasterError
        Fewer than five NDVI bins hold enough pixels.
    """
    counts = reduce_pixels(_joint_histogram, np.add, inputs)
    centres, dry, wet = _bin_extremes(counts, minimum_count)
    if len(centres) < FEWEST_BINS:
        raise RasterError(
            f"TVDI: only {len(centres)} NDVI bins from 0.1 on hold {minimum_count} pixels or more; "
            f"{FEWEST_BINS} are needed for a dry edge.",
            "Use a larger or more varied scene, or a smaller minimum_count.",
        )
    edges = fit_edges(centres, dry, wet)
    context = current_context()
    context.warn(
        f"TVDI: dry edge {edges.intercept:.2f} K {edges.slope:+.2f} K * NDVI (R2 {edges.r2:.2f}, "
        f"{edges.bins} bins), wet edge {edges.wet:.2f} K."
    )
    if edges.slope >= 0:
        context.warn(
            "TVDI: the dry edge does not fall with NDVI, so that this scene says little about dryness."
        )
    return edges


def fit_edges(centres: np.ndarray, dry: np.ndarray, wet: np.ndarray) -> Edges:
    """Return the edges of bins: a line from the hottest bin on, refitted without outliers, and a level.

    Parameters
    ----------
    centres, dry, wet : ndarray
        Centre of each NDVI bin, its hot and its cold extreme in K; at least two.
    """
    start = int(np.argmax(dry))
    if len(centres) - start < FEWEST_BINS:
        start = 0
    x, y = centres[start:], dry[start:]
    slope, intercept = np.polyfit(x, y, 1)
    residuals = y - (intercept + slope * x)
    # Points on one line have residuals of rounding only, which make none of them an outlier.
    near = np.abs(residuals) <= max(np.sqrt(np.mean(residuals**2)), 1e-9)
    if near.sum() >= FEWEST_BINS:
        x, y = x[near], y[near]
        slope, intercept = np.polyfit(x, y, 1)
    spread = np.sum((y - y.mean()) ** 2)
    r2 = 1 - np.sum((y - (intercept + slope * x)) ** 2) / spread if spread > 0 else 0.0
    return Edges(float(intercept), float(slope), float(wet.mean()), float(r2), len(x))


def _joint_histogram(ndvi: Any, lst: Any) -> np.ndarray:
    # An NDVI on an edge, such as 0.29, may lie below it by the rounding of 32 bits.
    row = np.floor((ndvi - NDVI_EDGES[0]) / NDVI_STEP + 1e-6)
    column = np.floor((lst - LST_LOW) / LST_STEP)
    rows = len(NDVI_EDGES) - 1
    inside = (row >= 0) & (row < rows) & (column >= 0) & (column < LST_BINS)
    flat = row[inside].astype(np.int64) * LST_BINS + column[inside].astype(np.int64)
    return np.bincount(flat, minlength=rows * LST_BINS).reshape(rows, LST_BINS)


def _bin_extremes(counts: np.ndarray, minimum_count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    totals = counts.sum(axis=1)
    enough = totals >= max(minimum_count, 1)
    centres = (NDVI_EDGES[:-1] + NDVI_STEP / 2)[enough]
    cumulated = np.cumsum(counts[enough], axis=1)
    dry = _percentile(cumulated, totals[enough], 0.98)
    wet = _percentile(cumulated, totals[enough], 0.02)
    return centres, dry, wet


def _percentile(cumulated: np.ndarray, totals: np.ndarray, fraction: float) -> np.ndarray:
    rank = np.floor(fraction * (totals - 1)).astype(np.int64) + 1
    bins = (cumulated < rank[:, None]).sum(axis=1)
    # The middle of the bin that holds the rank.
    return LST_LOW + (bins + 0.5) * LST_STEP
