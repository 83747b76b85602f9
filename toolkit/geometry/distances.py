"""How far each pixel lies from what a mask marks, on the ground."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import Grid, Source, read_arrays, source, write_array
from treeline.toolkit.raster.area_mask import outside
from treeline.toolkit.raster.ground import Ground, longitudes_latitudes
from treeline.toolkit.raster.reading import ends_at_area
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

Marks = NDArray[np.bool_]
Places = NDArray[np.floating]
Measure = Callable[[Marks, Ground], Places]
PIXELS_AT_ONCE = 250_000


@tool(
    kit=GEOMETRY,
    source="Maurer, Qi & Raghavan 2003, IEEE Trans. Pattern Anal. Mach. Intell. 25:265 (as SciPy has it); "
    "Karney 2013, J. Geodesy 87:43 (distances on the ellipsoid)",
    gives=Gives("raster", "distance", "m"),
    formula="distance from the pixel's centre to that of the nearest marked pixel",
)
def distance_to_mask(
    mask_path: Annotated[str, Reads("mask", "open_water", "cloud_mask", "fire_mask")],
    output_path: Annotated[str, Writes("distance", "m")],
) -> str:
    """Distance of each pixel to the nearest marked pixel of a mask, in metres.

    Parameters
    ----------
    mask_path : str
        A mask in any CRS; every value but 0 is marked. Distances are true on the ground: those of the map
        where it keeps lengths to a hundredth, else those on the ellipsoid. Marks beyond the edge of the
        area of interest count too, where the mask is a file of the workspace.
    output_path : str
        GeoTIFF to write.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band = source(mask_path, "mask", "open_water", "cloud_mask", "fire_mask")
    ground = Ground(band.grid)
    arrays, grid = read_arrays({"mask": band}, beyond=True)
    marked = (arrays["mask"] != 0) & ~np.isnan(arrays["mask"])
    if not marked.any():
        raise InputError(f"{band.name} marks no pixel.", "Give a mask with values other than 0.")
    ground.say(directions=False)
    measure = _on_map if ground.keeps_lengths else _on_ellipsoid
    distance = measure(marked, ground)
    _doubt_near_edge(distance, band, ground, measure)
    product = write_array(
        distance.astype("float32"),
        grid,
        output_path,
        role="distance",
        unit="m",
        inputs=[band],
        extra_tags=ground.tags(directions=False),
    )
    return report_saved(product)


def _doubt_near_edge(distance: Places, band: Source, ground: Ground, measure: Measure) -> None:
    """Doubt distances that something beyond the edge of the area may undercut, where nobody looked there."""
    context = current_context()
    beyond = outside(context.area, ground.grid) if ends_at_area(band, context) else None
    if beyond is None or not beyond.any():
        return
    open_ones = int(np.count_nonzero(distance[~beyond] > measure(beyond, ground)[~beyond]))
    if open_ones:
        share = open_ones / np.count_nonzero(~beyond)
        context.doubt(
            f"{band.name} ends at the edge of the area of interest, and {share:.1%} of the pixels are nearer "
            "to that edge than to what it marks: something beyond it may be nearer still."
        )


def _on_map(marked: Marks, ground: Ground) -> Places:
    from scipy.ndimage import distance_transform_edt

    across, down = np.hypot(*ground.on_map.T)
    return np.asarray(distance_transform_edt(~marked, sampling=(down, across)))


def _on_ellipsoid(marked: Marks, ground: Ground) -> Places:
    """Return geodesics to the marked pixel that is nearest in a straight line."""
    from scipy.ndimage import binary_erosion
    from scipy.spatial import cKDTree

    grid, context = ground.grid, current_context()
    # Nearest is always a marked pixel with an unmarked one beside it.
    edge = marked & ~binary_erosion(marked, np.ones((3, 3)), border_value=1)
    edges = _degrees(grid, *np.nonzero(edge)) if edge.any() else np.empty((2, 0))
    edges = edges[:, np.isfinite(edges).all(axis=0)]
    distance = np.where(marked, 0.0, np.nan)
    if not edges.size:
        return distance
    tree = cKDTree(_in_space(edges, ground))
    parts = list(_parts(*np.nonzero(~marked)))
    for number, (rows, columns) in enumerate(parts, start=1):
        places = _degrees(grid, rows, columns)
        known = np.isfinite(places).all(axis=0)
        # By chords through the Earth, which are in the order of the distances over it, but for the
        # flattening.
        _, nearest = tree.query(_in_space(places[:, known], ground), workers=context.threads)
        lengths = ground.geod.inv(*places[:, known], *edges[:, nearest])[2]
        distance[rows[known], columns[known]] = lengths
        context.progress(number, len(parts), "distances")
        context.check_stop()
    return distance


def _parts(rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Iterator[tuple[NDArray[np.intp], ...]]:
    for first in range(0, rows.size, PIXELS_AT_ONCE):
        part = slice(first, first + PIXELS_AT_ONCE)
        yield rows[part], columns[part]


def _degrees(grid: Grid, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Places:
    return np.stack(longitudes_latitudes(grid, columns + 0.5, rows + 0.5))


def _in_space(places: Places, ground: Ground) -> Places:
    """Return points (n, 3) in the units of the ellipsoid's major axis."""
    longitude, latitude = np.radians(places)
    squared = ground.geod.es
    normal = 1.0 / np.sqrt(1.0 - squared * np.sin(latitude) ** 2)
    x, y = normal * np.cos(latitude) * np.cos(longitude), normal * np.cos(latitude) * np.sin(longitude)
    return np.stack([x, y, normal * (1.0 - squared) * np.sin(latitude)], axis=-1)
