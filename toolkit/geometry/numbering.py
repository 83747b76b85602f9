"""Zones as rasters of numbers: features of a file, connected parts of a mask; and where a mask lies."""

from __future__ import annotations

import json
from typing import Annotated

import numpy as np

from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.geodesy import ellipsoid, way_between
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.geometry.shapes import Burner, place_features
from treeline.toolkit.raster import CLASSES_TAG, bands_of, map_pixels, read_arrays, source, write_array
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.vector import read_features


@tool(
    kit=GEOMETRY,
    source="GDAL/OGR contributors, polygon rasterisation (doi:10.5281/zenodo.5884351)",
    gives=Gives("raster", "zones"),
    formula="the number of the feature, or of its name, in which the pixel's centre lies",
)
def number_features(
    vector_path: str,
    reference_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("classes", "class")],
    attribute: str | None = None,
) -> list[str]:
    """Raster of numbered zones from vector features, on the grid of another raster.

    Parameters
    ----------
    vector_path : str
        Name of a vector file in the workspace, in any CRS; or WKT or GeoJSON text.
    reference_path : str
        The raster whose grid is taken.
    output_path : str
        GeoTIFF to write: 1, 2, 3, ... and nodata outside the features.
    attribute : str, optional
        Features of one value of it make one zone, numbered in the order of the file; without it each
        feature is a zone. Later features lie over earlier ones.

    Returns
    -------
    list of str
        ``Result saved at PATH``, then what the zones are called, from 1.
    """
    reference = bands_of(reference_path)[0]
    features = place_features(read_features(vector_path), reference)
    if attribute is None:
        names = [str(number) for number in range(1, len(features.items) + 1)]
        numbers = [float(name) for name in names]
        shapes = tuple(features.geometries)
    else:
        values = [item.attributes.get(attribute) for item in features.items]
        names = list(dict.fromkeys(str(value) for value in values if value))
        if not names:
            raise InputError(
                f"No feature of {features.name} has a value of {attribute!r}.",
                "Name an attribute of the file, or none to number each feature.",
            )
        kept = [(g, v) for g, v in zip(features.geometries, values, strict=True) if v]
        shapes = tuple(geometry for geometry, _ in kept)
        numbers = [float(names.index(str(value)) + 1) for _, value in kept]
    called = json.dumps(dict(enumerate(names, start=1))) if attribute is not None else ""
    product = map_pixels(
        Burner(shapes, numbers),
        {"reference": reference},
        output_path,
        role="classes",
        unit="class",
        dtype="float32",
        placed=True,
        dated_by=(),
        extra_tags={CLASSES_TAG: called} if called else None,
    )
    return [report_saved(product), *names]


@tool(
    kit=GEOMETRY,
    source="Rosenfeld & Pfaltz 1966, J. ACM 13:471 (connected components)",
    gives=Gives("raster", "zones"),
    formula="number of the connected component, the largest first",
)
def label_patches(
    mask_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("classes", "class")],
    diagonal: bool = True,
) -> list[str | int]:
    """Raster of the connected parts (patches) of a mask, numbered from the largest.

    Parameters
    ----------
    mask_path : str
        A mask; every value but 0 is marked.
    output_path : str
        GeoTIFF to write: 1 for the largest patch, nodata outside the patches.
    diagonal : bool
        Pixels that share only a corner belong together.

    Returns
    -------
    list
        ``Result saved at PATH``, and the number of patches.
    """
    from scipy import ndimage

    band = source(mask_path)
    arrays, grid = read_arrays({"mask": band})
    marked = (arrays["mask"] != 0) & ~np.isnan(arrays["mask"])
    # Without a structure only neighbours by a side are connected.
    labels, count = ndimage.label(marked, structure=np.ones((3, 3)) if diagonal else None)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)[1:]
    # Label 0 is what is not marked, which has no number.
    numbers = np.full(count + 1, np.nan)
    numbers[1:][np.argsort(-sizes, kind="stable")] = np.arange(1, count + 1)
    product = write_array(
        numbers[labels].astype("float32"), grid, output_path, role="classes", unit="class", inputs=[band]
    )
    return [report_saved(product), int(count)]


@tool(
    kit=GEOMETRY,
    source="Centre of mass of the marked pixels.",
    gives=Gives("table", "centroid"),
    formula="mean column and row of the marked pixels' centres",
)
def mask_centroid(mask_path: Annotated[str, Reads()]) -> dict[str, float]:
    """Centre of the marked pixels of a mask, as coordinates.

    Parameters
    ----------
    mask_path : str
        A mask; every value but 0 is marked.

    Returns
    -------
    dict
        ``x``, ``y`` in the raster's CRS, ``longitude``, ``latitude`` where it has one, and ``pixels``.
    """
    band = source(mask_path)
    arrays, grid = read_arrays({"mask": band})
    rows, columns = np.nonzero((arrays["mask"] != 0) & ~np.isnan(arrays["mask"]))
    if not rows.size:
        raise NoValidPixels(f"{band.name} marks no pixel.", "Give a mask with values other than 0.")
    # Centres of pixels lie half a pixel from their corners, which the transform maps.
    x, y = grid.affine * (float(columns.mean()) + 0.5, float(rows.mean()) + 0.5)
    found = {"x": float(x), "y": float(y), "pixels": float(rows.size)}
    if grid.crs:
        longitude, latitude = way_between(grid.crs, "EPSG:4326").transform(x, y)
        found |= {"longitude": float(longitude), "latitude": float(latitude)}
    return found


@tool(
    kit=GEOMETRY,
    source="Karney 2013, J. Geodesy 87:43 (distances on the ellipsoid)",
    gives=Gives("number", "distance", "m"),
    formula="length of the geodesic",
)
def distance_between_points(first: tuple[float, float], second: tuple[float, float]) -> float:
    """Ground distance between two points, in metres.

    Parameters
    ----------
    first, second : (longitude, latitude)
        In degrees (WGS 84).

    Returns
    -------
    float
        Metres along the ellipsoid.
    """
    return float(_geodesic(first, second)[2])


@tool(
    kit=GEOMETRY,
    source="Karney 2013, J. Geodesy 87:43 (azimuths on the ellipsoid)",
    gives=Gives("number", "direction", "degree"),
    formula="azimuth of the geodesic at its start, clockwise from north",
)
def bearing_between_points(first: tuple[float, float], second: tuple[float, float]) -> float:
    """Direction from one point to another, in degrees clockwise from north.

    Parameters
    ----------
    first, second : (longitude, latitude)
        In degrees (WGS 84).

    Returns
    -------
    float
        0 to 360: 90 where the second point lies east of the first.
    """
    if tuple(first) == tuple(second):
        raise InputError("Both points are the same, so neither lies in a direction.", "Give two points.")
    # The azimuth counts from -180 to 180, a bearing from 0 to 360.
    return float(_geodesic(first, second)[0]) % 360.0


def _geodesic(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float, float]:
    """Return the azimuths at both ends and the length of the way between two points."""
    for longitude, latitude in (first, second):
        if not (-360 <= longitude <= 360 and -90 <= latitude <= 90):
            raise InputError(f"({longitude:g}, {latitude:g}) is no longitude and latitude.", "Give degrees.")
    found: tuple[float, float, float] = ellipsoid().inv(*first, *second)
    return found
