"""Pictures of pixels to look at: a map, how values are distributed, how two variables go together."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from treeline.toolkit.context import Product, current_context
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.files import output_file
from treeline.toolkit.raster import Source, reduce_pixels, source
from treeline.toolkit.raster.pictures import map_figure
from treeline.toolkit.results import report_saved
from treeline.toolkit.statistics.conditions import files_of
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.statistics.maps import extent
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.variables import variable

Values = NDArray[np.floating]
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]
MOST_BINS = 1000
_SIZE, _DOTS = (6.4, 4.0), 120
_CELLS = 200


@tool(
    kit=STATISTICS,
    source="Okabe & Ito 2008 (colours of classes); Hunter 2007, Comput. Sci. Eng. 9:90 (colour maps).",
    gives=Gives("figure", "map"),
    formula="a colour for each class, or for the values from their 2nd to their 98th percentile",
)
def draw_map(
    image_path: Annotated[str, Reads()], save_name: Annotated[str, Writes("rgb", ending="png")]
) -> str:
    """Picture of a raster as a map: north up, with legend, scale and date.

    Parameters
    ----------
    image_path : str
        A raster; one band.
    save_name : str
        ``.png`` to write. It is to be looked at; numbers come from other tools.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band = source(image_path)
    return _write(map_figure(image_path), save_name, [band])


@tool(
    kit=STATISTICS,
    source="Pearson 1895, Phil. Trans. R. Soc. A 186:343 (the histogram).",
    gives=Gives("table", "histogram"),
    formula="number of valid pixels in each of the bins of one width from the least to the greatest value",
)
def draw_histogram(
    file_list: Annotated[str | list[str], Reads()],
    save_name: Annotated[str, Writes("rgb", ending="png")],
    bins: int = 64,
    width: float = 0.0,
) -> dict[str, Any]:
    """Histogram of the pixels of a raster, or of several together, as a picture and as numbers.

    Parameters
    ----------
    file_list : str or list of str
        Rasters of one variable.
    save_name : str
        ``.png`` to write.
    bins : int
        2 to 1000 bins of one width.
    width : float
        Instead of their number: how wide the bins are, which begin at multiples of it.

    Returns
    -------
    dict
        ``saved``: where the picture is; ``pixels``: how many are counted; ``edges`` of the bins and the
        ``counts`` in them.
    """
    if not 2 <= bins <= MOST_BINS:
        raise InputError(f"A histogram has 2 to {MOST_BINS} bins, not {bins}.", "64 is usual.")
    bands = [source(path) for path in files_of(file_list, "file_list")]
    spans = [extent(lambda values: values, {"values": band}) for band in bands]
    low, high = min(span[0] for span in spans), max(span[1] for span in spans)
    if low > high:
        raise NoValidPixels(f"No pixel of {bands[0].name} is valid.", "There is nothing to count.")
    edges = (
        _edges(low, high, width) if width else np.linspace(low, high if high > low else low + 1.0, bins + 1)
    )

    def count(values: Values) -> Counts:
        # The lowest value may lie below the first edge by the last digit of its storage.
        there = np.clip(values[~np.isnan(values)], edges[0], edges[-1])
        return np.histogram(there, edges)[0].astype(np.int64)

    counts = np.sum([reduce_pixels(count, np.add, {"values": band}) for band in bands], axis=0)
    figure, axes = _chart()
    axes.stairs(counts, edges, fill=True)
    axes.set_xlabel(_title(bands[0]))
    axes.set_ylabel("pixels")
    return {
        "saved": _write(figure, save_name, bands),
        "pixels": int(counts.sum()),
        "edges": edges.tolist(),
        "counts": counts.tolist(),
    }


def _edges(low: float, high: float, width: float) -> Floats:
    """Return the multiples of a width that the values lie between."""
    if width < 0:
        raise InputError(f"The bins of a histogram have a width above 0, not {width:g}.", "Give another.")
    # Rounded before it is cut: 0.3 / 0.1 is 2.9999999999999996.
    first = math.floor(round(low / width, _STORED))
    last = max(math.ceil(round(high / width, _STORED)), first + 1)
    if last - first > MOST_BINS:
        raise InputError(f"There would be {last - first} bins of {width:g}.", f"Up to {MOST_BINS} are drawn.")
    return np.round(np.arange(first, last + 1) * width, 12)


_STORED = 6


@tool(
    kit=STATISTICS,
    source="Friendly & Denis 2005, J. Hist. Behav. Sci. 41:103 (the scatter plot).",
    gives=Gives("table", "scatter"),
    formula="number of pixels in each cell of a grid of 200 by 200 over the ranges of both",
)
def draw_scatter(
    path1: Annotated[str, Reads()],
    path2: Annotated[str, Reads()],
    save_name: Annotated[str, Writes("rgb", ending="png")],
) -> dict[str, Any]:
    """Scatter plot of two rasters, pixel against pixel; darker where more pixels lie.

    Parameters
    ----------
    path1 : str
        The variable along the horizontal axis.
    path2 : str
        The variable along the vertical axis.
    save_name : str
        ``.png`` to write.

    Returns
    -------
    dict
        ``saved``: where the picture is; ``pixels``: how many are valid in both.
    """
    inputs = {"x": source(path1), "y": source(path2)}
    ranges = []
    for name, band in inputs.items():
        low, high = extent(lambda values: values, {"values": band})
        if low > high:
            raise NoValidPixels(f"No pixel of {band.name} is valid.", f"Give another raster as {name}.")
        ranges.append((low, high if high > low else low + 1.0))

    def count(x: Values, y: Values) -> Counts:
        both = ~(np.isnan(x) | np.isnan(y))
        return np.histogram2d(x[both], y[both], bins=_CELLS, range=ranges)[0].astype(np.int64)

    counts = reduce_pixels(count, np.add, inputs)
    if not counts.any():
        raise NoValidPixels("No pixel is valid in both rasters.", "Check nodata and extent.")
    figure, axes = _chart()
    shown = np.ma.masked_equal(counts.T, 0)
    axes.imshow(
        np.ma.log(shown), origin="lower", aspect="auto", extent=(*ranges[0], *ranges[1]), cmap="viridis_r"
    )
    axes.set_xlabel(_title(inputs["x"]))
    axes.set_ylabel(_title(inputs["y"]))
    return {"saved": _write(figure, save_name, list(inputs.values())), "pixels": int(counts.sum())}


def _chart() -> tuple[Figure, Any]:
    figure = Figure(figsize=_SIZE, dpi=_DOTS, layout="constrained")
    return figure, figure.add_subplot()


def _title(band: Source) -> str:
    known = variable(band.role) if band.role else None
    if known is None:
        what = band.role or band.name
    else:
        what = known.role.upper() if known.kind == "index" else known.title
    return f"{what} ({band.unit})" if band.unit not in ("", "1", "class") else what


def _write(figure: Figure, save_name: str, bands: list[Source]) -> str:
    path = Path(save_name)
    if path.suffix.lower() != ".png":
        raise InputError(f"A chart is written as .png, not as {path.name}.", f"Name it {path.stem}.png.")
    target = current_context().output_path(path)
    with output_file(target) as temporary:
        FigureCanvasAgg(figure).print_png(str(temporary))
    product = Product(target, "rgb", "1", tuple(str(band.path) for band in bands), kind="image")
    current_context().products.append(product)
    return report_saved(product)
