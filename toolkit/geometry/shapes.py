"""From masks and classes to polygons and back."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import shapely
from numpy.typing import NDArray
from rasterio.features import rasterize
from rasterio.features import shapes as polygons_of
from shapely.geometry import box, shape

from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import Grid, Source, bands_of, map_pixels, read_arrays, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.vector import Feature, Features, read_features, write_features

MOST_POLYGONS = 200_000


@tool(
    kit=GEOMETRY,
    source="GDAL/OGR contributors, polygonisation of connected pixels (doi:10.5281/zenodo.5884351)",
    gives=Gives("files", "polygons"),
    formula="outline of each connected group of pixels of one value",
)
def vectorize_mask(
    input_path: Annotated[str, Reads()],
    output_path: str,
    values: list[float] | None = None,
    minimum_area: float = 0.0,
    diagonal: bool = False,
) -> str:
    """Polygons of a mask or class raster, with class and area in hectares of each.

    Parameters
    ----------
    input_path : str
        A mask or class raster with a CRS.
    output_path : str
        GeoJSON (longitude and latitude) or GPKG (the raster's CRS) to write.
    values : list of float, optional
        The classes to outline; default: every value but 0.
    minimum_area : float
        Leave out polygons smaller than this, in hectares.
    diagonal : bool
        Pixels that touch at a corner belong together.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band = source(input_path)
    if not band.grid.crs:
        raise GridMismatch(f"{band.name} has no CRS, so its polygons have no place.", "Give it a CRS.")
    arrays, grid = read_arrays({"values": band})
    found = _outlines(arrays["values"], grid, values, diagonal, band)
    # On the ellipsoid in hectares, whatever the unit of the raster's CRS.
    areas = found.areas() / 1e4
    kept = [
        Feature(item.geometry, {**item.attributes, "area_ha": round(float(area), 6)})
        for item, area in zip(found.items, areas, strict=True)
        if area >= minimum_area
    ]
    if not kept:
        raise InputError(
            f"No polygon of {band.name} reaches {minimum_area:g} ha; the largest has {areas.max():.4g}.",
            "Give a smaller 'minimum_area'.",
        )
    return report_saved(
        write_features(Features(band.name, grid.crs, tuple(kept)), output_path, "polygons", [band.path])
    )


@tool(
    kit=GEOMETRY,
    source="GDAL/OGR contributors, polygon rasterisation (doi:10.5281/zenodo.5884351)",
    gives=Gives("raster", "mask"),
    formula="1, or the attribute, where the pixel's centre lies in the geometry, else 0",
)
def rasterize_features(
    vector_path: str,
    reference_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("mask")],
    attribute: str | None = None,
    all_touched: bool = False,
    only: dict[str, str | float] | None = None,
) -> str:
    """Raster of vector features on the grid of another raster: a mask, or the values of an attribute.

    Parameters
    ----------
    vector_path : str
        Name of a vector file in the workspace, in any CRS; or WKT or GeoJSON text.
    reference_path : str
        The raster whose grid is taken.
    output_path : str
        GeoTIFF to write; 0 outside the features, or nodata when an attribute is burnt.
    attribute : str, optional
        A numeric attribute to write; later features lie over earlier ones. Default: 1.
    all_touched : bool
        Mark every pixel that a feature touches.
    only : dict, optional
        Take only the features whose attributes have these values, such as ``{"name": "Lakeside"}``;
        ``{"zone": 2}`` is the second feature of the file.

    Returns
    -------
    str
        Result saved at PATH.
    """
    reference = bands_of(reference_path)[0]
    features = place_features(read_features(vector_path).with_values(only or {}), reference)
    numbers = None if attribute is None else numbers_of(features, attribute)
    burn = Burner(tuple(features.geometries), numbers, all_touched)
    product = map_pixels(
        burn,
        {"reference": reference},
        output_path,
        role="mask" if numbers is None else str(attribute),
        unit="class" if numbers is None else "",
        dtype="uint8" if numbers is None else "float32",
        placed=True,
        dated_by=(),
    )
    return report_saved(product)


def place_features(features: Features, reference: Source) -> Features:
    """Return features in the CRS of a raster.

    Raises
    ------
    GridMismatch
        None of them lies on the raster.
    """
    grid = reference.grid
    placed = features.in_crs(grid.crs, grid.bounds)
    if not box(*placed.bounds).intersects(box(*grid.bounds)):
        raise GridMismatch(f"{features.name} shares no ground with {reference.name}.", "Check their CRS.")
    return placed


class Burner:
    """Draws geometries into the blocks of a grid; picklable."""

    def __init__(
        self, geometries: tuple[shapely.Geometry, ...], values: list[float] | None, all_touched: bool = False
    ) -> None:
        self.geometries, self.values, self.all_touched = geometries, values, all_touched

    def __call__(self, reference: NDArray[np.floating], grid: Grid) -> NDArray[np.floating]:
        """Return the values of a block."""
        return self.draw(grid)

    def draw(self, grid: Grid) -> NDArray[np.floating]:
        """Return the values on a grid: 1 and 0, or the given ones and NaN."""
        reach = box(*grid.bounds)
        numbers = self.values or [1.0] * len(self.geometries)
        # A block meets few of many geometries, and GDAL would try them all.
        near = [(g, v) for g, v in zip(self.geometries, numbers, strict=True) if g.intersects(reach)]
        outside = 0.0 if self.values is None else np.nan
        if not near:
            return np.full(grid.shape, outside, dtype="float32")
        return rasterize(
            near,
            grid.shape,
            fill=outside,
            transform=grid.affine,
            all_touched=self.all_touched,
            dtype="float32",
        )


def numbers_of(features: Features, attribute: str) -> list[float]:
    """Return a numeric attribute of each feature.

    Raises
    ------
    InputError
        No feature has it, or a value is no number; the hint names the tool that numbers what has no number.
    """
    try:
        values = features.values_of(attribute)
    except InputError as error:
        raise InputError(
            error.message, f"{error.hint} number_features numbers the features themselves."
        ) from None
    wrong = next((v for v in values if isinstance(v, bool) or not isinstance(v, int | float)), None)
    if wrong is not None or None in values:
        raise InputError(
            f"The attribute {attribute!r} of {features.name} is no number everywhere; found {wrong!r}.",
            f"Choose a numeric attribute, or take number_features with attribute={attribute!r}.",
        )
    return [float(value) for value in values]


def _outlines(
    values: NDArray[np.floating], grid: Grid, wanted: list[float] | None, diagonal: bool, band: Source
) -> Features:
    chosen = (values != 0) & ~np.isnan(values) if wanted is None else np.isin(values, wanted)
    if not chosen.any():
        raise InputError(f"{band.name} has no pixel to outline.", "Name 'values' that occur.")
    found = []
    pixels = np.where(chosen, values, 0).astype("float32")
    for geometry, value in polygons_of(pixels, chosen, 8 if diagonal else 4, grid.affine):
        found.append(Feature(shape(geometry), {"class": float(value)}))
        if len(found) > MOST_POLYGONS:
            raise InputError(
                f"{band.name} has more than {MOST_POLYGONS} separate groups of pixels.", "Sieve it first."
            )
    return Features(band.name, grid.crs, tuple(found))
