"""One raster brought to the histogram, or to the place, of another."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

from treeline.toolkit.change.kit import CHANGE
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import GridMismatch, InputError, NoValidPixels
from treeline.toolkit.raster import Grid, Source, bands_of, map_pixels, source
from treeline.toolkit.raster.ground import Ground
from treeline.toolkit.raster.reading import Reader
from treeline.toolkit.results import report_saved
from treeline.toolkit.statistics.pixels import Pixels
from treeline.toolkit.tool import Gives, Reads, Writes, tool

Floats = NDArray[np.floating]
# Twice as many as an 8-bit raster has values, and one more for the middle.
QUANTILES = 513
FEWEST_PIXELS = 100
# In pixels: the middle of a scene is enough to tell its shift.
LARGEST_SIDE = 2048
# Upsampled cross-correlation finds a shift to a hundredth of a pixel.
PARTS = 100
# Correlation after the shift. Below it the two show too little in common to trust a shift.
UNSURE = 0.5


@tool(
    kit=CHANGE,
    source="Richards 2013, Remote Sensing Digital Image Analysis, 5th ed., ch. 4.5; Gonzalez & Woods 2018, "
    "Digital Image Processing, 4th ed., ch. 3.3",
    gives=Gives("raster", "matched"),
    formula="F_reference^-1(F(v)), F the cumulated histograms, by 513 quantiles and straight lines between "
    "them",
)
def match_histogram(
    input_path: Annotated[str, Reads()],
    reference_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("matched", keeps_role=True)],
) -> str:
    """Histogram matching: a band whose values are distributed as those of another image of the same kind.

    For images that are to look alike, or to be joined; measured quantities lose their meaning. For two
    dates with unchanged places ``normalize_radiometry`` is sounder.

    Parameters
    ----------
    input_path : str
        The band to change.
    reference_path : str
        The band whose histogram it gets; another grid will do.
    output_path : str
        GeoTIFF to write, in the unit of the reference.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band, reference = source(input_path), source(reference_path)
    own, wanted = _quantiles(input_path, band), _quantiles(reference_path, reference)
    own, places = np.unique(own, return_index=True)
    # Where many pixels have one value, it goes to the middle of what they would be spread over.
    counts = np.diff(np.append(places, QUANTILES))
    middle = np.interp(places + (counts - 1) / 2, np.arange(QUANTILES), wanted)

    def match(values: Floats) -> Floats:
        return np.where(np.isnan(values), np.nan, np.interp(values, own, middle))

    unit = reference.unit
    return report_saved(map_pixels(match, {"values": band}, output_path, role=band.role or "", unit=unit))


@tool(
    kit=CHANGE,
    source="Guizar-Sicairos, Thurman & Fienup 2008, Opt. Lett. 33:156 (as scikit-image has it)",
    gives=Gives("raster", "coregistered"),
    formula="shift at which the cross-correlation of the images is greatest; the georeference is moved by it",
)
def coregister_raster(
    input_path: Annotated[str, Reads()],
    reference_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("coregistered", keeps_role=True)],
    largest_shift: float = 20.0,
) -> dict[str, Any]:
    """Co-registration: an image shifted onto another by the correlation of what both show.

    The pixels keep their values; only their place changes. Turned or stretched images need more than this.

    Parameters
    ----------
    input_path : str
        The image to shift; of several bands the first (or the one named) is compared, and all are shifted.
    reference_path : str
        The image that lies right, of the same kind (optical with optical), in the same CRS.
    output_path : str
        GeoTIFF to write.
    largest_shift : float
        Pixels; a greater shift is refused as a mistake.

    Returns
    -------
    dict
        ``result``, ``columns`` and ``rows`` (pixels moved to the right and down), ``metres`` on the
        ground, and
        ``correlation`` of the two images after the shift (before it: ``correlation_before``).
    """
    if not largest_shift > 0:
        raise InputError(
            f"The argument 'largest_shift' is {largest_shift:g}.", "Give a number of pixels above 0."
        )
    reference, moving = source(reference_path), source(input_path)
    if not moving.grid.same_crs(reference.grid):
        raise GridMismatch(
            f"{moving.name} is in {moving.grid.crs_text}, {reference.name} in {reference.grid.crs_text}.",
            "Reproject one of them first.",
        )
    image, fixed = _overlap(moving, reference)
    for name, values in ((moving.name, image), (reference.name, fixed)):
        if not np.nanstd(values) > 0:
            raise InputError(
                f"All pixels of {name} are alike; there is nothing to match.", "Give another band."
            )
    down, right = _shift(fixed, image)
    if max(abs(down), abs(right)) > largest_shift:
        raise InputError(
            f"The best shift is {right:.1f} columns and {down:.1f} rows, more than {largest_shift:g} pixels.",
            "Check that both show the same ground, or allow a larger shift.",
        )
    before, after = _correlation(fixed, image), _correlation(fixed, _move(image, down, right))
    if not after >= UNSURE:
        current_context().warn(
            f"The images correlate by {after:.2f} only after the shift; clouds or chance may explain it."
        )
    bands = bands_of(input_path)
    placed = [replace(band, description=_at(band, down, right)) for band in bands]
    product = map_pixels(
        lambda bands: bands,
        {"bands": placed},
        output_path,
        role=[b.role or "" for b in bands],
        unit=bands[0].unit if len({b.unit for b in bands}) == 1 else "",
    )
    steps = Ground(moving.grid).steps()
    east = right * np.mean(steps.column_east) + down * np.mean(steps.row_east)
    north = right * np.mean(steps.column_north) + down * np.mean(steps.row_north)
    return {
        "result": report_saved(product),
        "columns": right,
        "rows": down,
        "metres": float(np.hypot(east, north)),
        "correlation": after,
        "correlation_before": before,
    }


def _quantiles(address: str, band: Source) -> Floats:
    pixels = Pixels((address,))
    count = pixels.moments(1).count
    if count < FEWEST_PIXELS:
        raise NoValidPixels(f"{band.name} has {count} valid pixels.", f"Give {FEWEST_PIXELS} or more.")
    ranks = np.round(np.linspace(0, count - 1, QUANTILES)).astype(int)
    at = pixels.values_at_ranks(tuple(int(rank) for rank in ranks), count)
    return np.array([at[int(rank)] for rank in ranks])


def _overlap(moving: Source, reference: Source) -> tuple[Floats, Floats]:
    """Return both images in the middle of the first, at most 2048 pixels a side."""
    grid = moving.grid
    height, width = (min(size, LARGEST_SIDE) for size in grid.shape)
    part = grid.part(Window((grid.width - width) // 2, (grid.height - height) // 2, width, height))
    with Reader({"image": moving, "fixed": reference}, grid=part) as reader:
        arrays = reader.read(Window(0, 0, width, height))
    image, fixed = arrays["image"], arrays["fixed"]
    if (np.isfinite(image) & np.isfinite(fixed)).sum() < FEWEST_PIXELS:
        raise GridMismatch(
            f"{moving.name} and {reference.name} share too few valid pixels.", "Check extents and clouds."
        )
    return image, fixed


def _shift(fixed: Floats, image: Floats) -> tuple[float, float]:
    """Return rows and columns by which an image must move to lie on another."""
    from skimage.registration import phase_cross_correlation

    # Not by phase alone, which the documentation of scikit-image calls less robust to noise.
    whole = phase_cross_correlation(_fill(fixed), _fill(image), upsample_factor=PARTS, normalization=None)[0]
    return float(whole[0]), float(whole[1])


def _fill(values: Floats) -> Floats:
    there = np.isfinite(values)
    # A Fourier transform repeats the image, and without a window its edges would be what matches best.
    window = np.outer(np.hanning(values.shape[0] + 2)[1:-1], np.hanning(values.shape[1] + 2)[1:-1])
    return np.where(there, values - values[there].mean(), 0.0) * window


def _move(image: Floats, down: float, right: float) -> Floats:
    from scipy.ndimage import shift

    filled = np.where(np.isfinite(image), image, np.nanmean(image))
    found = shift(filled.astype(np.float64), (down, right), order=1, cval=np.nan)
    return np.where(
        np.isfinite(shift(np.isfinite(image) * 1.0, (down, right), order=0, cval=np.nan)), found, np.nan
    )


def _correlation(one: Floats, other: Floats) -> float:
    there = np.isfinite(one) & np.isfinite(other)
    return float(np.corrcoef(one[there], other[there])[0, 1])


def _at(band: Source, down: float, right: float) -> Any:
    """Return the description of a raster that lies some pixels further down and to the right."""
    a, b, c, d, e, f = band.grid.transform
    moved = (a, b, c + a * right + b * down, d, e, f + d * right + e * down)
    grid = Grid(band.grid.crs, moved, band.grid.width, band.grid.height)
    return replace(band.description, transform=moved, bounds=grid.bounds)
