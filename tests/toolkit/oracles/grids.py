"""Oracles of geometry: geodesics, labels of scikit-image, masks of matplotlib, and the way there and back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import rasterio
from pyproj import Geod
from scipy import ndimage
from shapely import Polygon, box

from tests.toolkit.oracles.registry import oracle
from tests.toolkit.oracles.scenes import Floats, RandomScene, agree

WGS84 = Geod(ellps="WGS84")


def pixel_areas(scene: RandomScene) -> Floats:
    """Return the area of the pixel of each row and column on the ellipsoid in m2, by its corners."""
    areas = np.empty(scene.shape)
    for row, column in np.ndindex(*scene.shape):
        corners = [
            scene.place.transform * (column + dx, row + dy) for dx, dy in ((0, 0), (0, 1), (1, 1), (1, 0))
        ]
        areas[row, column] = abs(WGS84.polygon_area_perimeter(*scene.degrees(*np.array(corners).T))[0])
    return areas


def inside(scene: RandomScene, shape: Any) -> np.ndarray:
    """Return whether the centre of each pixel lies in a shape given in pixels, by matplotlib."""
    from matplotlib.path import Path

    rows, columns = np.mgrid[: scene.shape[0], : scene.shape[1]] + 0.5
    points = np.column_stack([columns.ravel(), rows.ravel()])
    return Path(np.array(shape.exterior.coords)).contains_points(points).reshape(scene.shape)


def odd_shape(scene: RandomScene) -> Polygon:
    """Return a triangle within the scene whose sides pass no centre."""
    rows, columns = scene.shape
    return Polygon([(1.03, 1.07), (columns - 2.11, 3.13), (columns * 0.41, rows - 1.17)])


@oracle("area_by_class", "formulation", "rings around the pixels of each class, by pyproj.Geod")
def of_class_areas(scene: RandomScene) -> None:
    scene.shape = (15, 17)
    name, classes = scene.classes("landcover", 3)
    areas = pixel_areas(scene)
    for row in scene.run("area_by_class", input_path=name, unit="m2"):
        chosen = classes == float(row["class"])
        assert row["pixels"] == chosen.sum()
        agree(row["area"], areas[chosen].sum(), rel=0.011)


@oracle(
    "polygon_areas",
    "formulation",
    "Lambert's cylindrical equal-area projection by pyproj, then the shoelace formula",
)
def of_polygon_areas(scene: RandomScene) -> None:
    from pyproj import Transformer

    shape = odd_shape(scene)
    name = scene.shapes("zones.geojson", [shape], kind=["a"])
    found = scene.run("polygon_areas", vector_path=name, unit="m2")
    ring = shape.segmentize(0.25).exterior.coords
    longitude, latitude = scene.degrees(*np.array([scene.place.transform * point for point in ring]).T)
    centre = float(np.unwrap(np.radians(longitude)).mean() * 180 / np.pi)
    equal = Transformer.from_crs("EPSG:4326", f"+proj=cea +lon_0={centre} +datum=WGS84", always_xy=True)
    x, y = equal.transform(longitude, latitude)
    agree(found[0]["area_on_ground"], abs(np.dot(x[:-1], y[1:]) - np.dot(y[:-1], x[1:])) / 2, rel=2e-3)


@oracle("clip_to_area", "library", "matplotlib.path.Path.contains_points of the centres")
def of_clip(scene: RandomScene) -> None:
    name, values = scene.field("ndvi", 0, 1, holes=False)
    shape = odd_shape(scene)
    scene.run(
        "clip_to_area", input_path=name, area_path=scene.shapes("a.geojson", [shape]), output_path="out.tif"
    )
    found, expected = scene.read("out.tif"), np.where(inside(scene, shape), values, np.nan)
    kept = found[~np.isnan(found)]
    agree(np.sort(kept), np.sort(expected[~np.isnan(expected)]), abs=1e-4)


@oracle("clip_to_bounds", "library", "rasterio.windows.from_bounds and a read of that window")
def of_bounds(scene: RandomScene) -> None:
    from rasterio.windows import from_bounds

    scene = scene.metric
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    name, _ = scene.field("ndvi", 0, 1)
    transform = scene.place.transform
    (left, top), (right, bottom) = transform * (4, 3), transform * (15, 12)
    bounds = [left, bottom, right, top]
    scene.run("clip_to_bounds", input_path=name, bounds=bounds, output_path="out.tif", crs=scene.place.crs)
    with rasterio.open(scene.folder / name) as dataset:
        expected = dataset.read(1, window=from_bounds(*bounds, dataset.transform), masked=True)
    agree(scene.read("out.tif"), expected.filled(np.nan), abs=1e-6)
    with rasterio.open(scene.folder / "out.tif") as dataset:
        agree(list(dataset.bounds), bounds)


@oracle("distance_to_mask", "formulation", "least geodesic to any marked pixel, one by one")
def of_distance(scene: RandomScene) -> None:
    scene.shape = (9, 11)
    marks = (scene.rng.random(scene.shape) < 0.06).astype(float)
    marks[4, 5] = 1
    name, mask = scene.whole("mask", marks, holes=False)
    longitude, latitude = scene.ground()
    expected = np.full(scene.shape, np.inf)
    for row, column in np.argwhere(mask == 1):
        there = np.full(scene.shape, longitude[row, column]), np.full(scene.shape, latitude[row, column])
        expected = np.minimum(expected, WGS84.inv(longitude, latitude, *there)[2])
    agree(scene.make("distance_to_mask", mask_path=name), expected, rel=0.012, abs=0.5)


@oracle("describe_grid", "library", "rasterio's own properties")
def of_grid(scene: RandomScene) -> None:
    name, _ = scene.field("ndvi", 0, 1)
    found = scene.run("describe_grid", raster=name)
    with rasterio.open(scene.folder / name) as dataset:
        assert (found["width"], found["height"]) == (dataset.width, dataset.height)
        assert dataset.crs.to_epsg() == int(str(found["crs"]).split(":")[1])
    agree([found["pixel_width"], found["pixel_height"]], [scene.place.pixel] * 2)


@oracle("mosaic_rasters", "library", "xarray outer alignment of the pieces, five ways where they overlap")
def of_mosaic(scene: RandomScene) -> None:
    import warnings
    from dataclasses import replace

    import xarray as xr

    scene = scene.metric
    home, shape = scene.place, scene.shape
    names, pieces = [], []
    for right, down in ((0, 0), (9, 4), (3, 11)):
        scene.place = replace(home, left=home.left + 10 * right, top=home.top - 10 * down)
        name, values = scene.field("ndvi", 0, 1)
        names.append(name)
        axes = {"y": down + np.arange(shape[0]), "x": right + np.arange(shape[1])}
        pieces.append(xr.DataArray(values, axes, dims=("y", "x")))
    cube = xr.concat(xr.align(*pieces, join="outer"), "piece")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = {
            "mean": cube.mean("piece"),
            "min": cube.min("piece"),
            "max": cube.max("piece"),
            "first": cube[0].fillna(cube[1]).fillna(cube[2]),
            "last": cube[2].fillna(cube[1]).fillna(cube[0]),
        }
    for method, value in expected.items():
        agree(scene.make("mosaic_rasters", file_list=names, method=method), value, abs=1e-4)


@oracle("stack_bands", "property", "each band as the raster it came from")
def of_stack(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("red", 0, 1), scene.field("nir", 0, 1)
    scene.run("stack_bands", file_list=[a, b], output_path="out.tif")
    agree(scene.read("out.tif", 1), one, abs=1e-5)
    agree(scene.read("out.tif", 2), other, abs=1e-5)


@oracle("extract_band", "library", "rasterio.DatasetReader.read of the band")
def of_band(scene: RandomScene) -> None:
    name, values = scene.bands(("red", "nir", "swir1"), 0, 1)
    scene.run("extract_band", input_path=name, output_path="out.tif", band="2")
    agree(scene.read("out.tif"), values[1])


@oracle("number_features", "library", "matplotlib.path.Path.contains_points of the centres")
def of_numbers(scene: RandomScene) -> None:
    name, _ = scene.field("ndvi", 0, 1, holes=False)
    shape, corner = odd_shape(scene), box(0.1, 0.1, 3.2, 4.3)
    scene.run(
        "number_features",
        vector_path=scene.shapes("z.geojson", [shape, corner]),
        reference_path=name,
        output_path="out.tif",
    )
    expected = np.where(inside(scene, corner), 2, np.where(inside(scene, shape), 1, np.nan))
    agree(scene.read("out.tif"), expected)


@oracle("label_patches", "library", "skimage.measure.label and regionprops")
def of_patches(scene: RandomScene) -> None:
    from skimage.measure import label, regionprops

    name, mask = scene.mask()
    _, count = scene.run("label_patches", mask_path=name, output_path="out.tif")
    labels = label(np.nan_to_num(mask) == 1, connectivity=2)
    assert count == labels.max()
    found = scene.read("out.tif")
    agree(~np.isnan(found), labels > 0)
    sizes = sorted((region.area for region in regionprops(labels)), reverse=True)
    assert [(found == number).sum() for number in range(1, count + 1)] == sizes


@oracle("mask_centroid", "library", "scipy.ndimage.center_of_mass")
def of_centroid(scene: RandomScene) -> None:
    name, mask = scene.mask()
    row, column = ndimage.center_of_mass(np.nan_to_num(mask))
    found = scene.run("mask_centroid", mask_path=name)
    agree([found["x"], found["y"]], scene.place.transform * (column + 0.5, row + 0.5), rel=1e-9, abs=1e-6)
    assert found["pixels"] == np.nansum(mask)


@oracle("sample_points", "library", "rasterio.DatasetReader.sample")
def of_samples(scene: RandomScene) -> None:
    name, values = scene.field("ndvi", 0, 1)
    rows, columns = scene.rng.integers(0, scene.shape[0], 12), scene.rng.integers(0, scene.shape[1], 12)
    points = [list(scene.place.transform * (c + 0.4, r + 0.6)) for r, c in zip(rows, columns, strict=True)]
    with rasterio.open(scene.folder / name) as dataset:
        stored = [v[0] for v in dataset.sample(points, masked=True)]
        scale, offset = dataset.scales[0], dataset.offsets[0]
    expected = [np.nan if v is np.ma.masked else float(v) * scale + offset for v in stored]
    table = pd.DataFrame(scene.run("sample_points", input_path=name, points=points, crs=scene.place.crs))
    column = next(c for c in table.columns if c not in ("x", "y"))
    agree(table[column].to_numpy(float), expected, abs=1e-5)


@oracle(
    "profile_along_line",
    "library",
    "rasterio.DatasetReader.sample of the places; distances are geodesics from the start",
)
def of_profile(scene: RandomScene) -> None:
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    name, _ = scene.field("ndvi", 0, 1, holes=False)
    line = [
        list(scene.place.transform * (1.3, 2.2)),
        list(scene.place.transform * (scene.shape[1] - 2.4, scene.shape[0] - 3.3)),
    ]
    table = pd.DataFrame(scene.run("profile_along_line", input_path=name, line=line, crs=scene.place.crs))
    longitude, latitude = scene.degrees(table["x"].to_numpy(), table["y"].to_numpy())
    starts = np.full(len(table), longitude[0]), np.full(len(table), latitude[0])
    agree(table["distance"], WGS84.inv(*starts, longitude, latitude)[2], rel=0.012, abs=0.5)
    # The first and the last place are those of the line, and the others lie on it.
    ends = table[["x", "y"]].to_numpy()[[0, -1]]
    agree(ends, np.array(line), abs=1e-6, rel=1e-9)
    with rasterio.open(scene.folder / name) as dataset:
        expected = [float(v[0]) for v in dataset.sample(table[["x", "y"]].to_numpy().tolist())]
    # A place on the border of two pixels has either.
    agree(table.iloc[:, -1].to_numpy(float), expected, abs=1e-5, share=0.95)


@oracle(
    "vectorize_mask",
    "library",
    "skimage.measure.label: as many polygons as patches, by shapely as large; rasterized they give the mask",
)
def of_vectors(scene: RandomScene) -> None:
    from shapely.geometry import shape
    from skimage.measure import label, regionprops

    name, mask = scene.mask()
    scene.run("vectorize_mask", input_path=name, output_path="v.geojson", values=[1])
    found = scene.make("rasterize_features", vector_path="v.geojson", reference_path=name)
    agree(np.nan_to_num(found), np.nan_to_num(mask))
    features = json.loads((scene.folder / "v.geojson").read_text())["features"]
    assert features and all("area" in " ".join(each["properties"]) for each in features)
    # Polygons of pixels that touch at a corner only are two.
    patches = regionprops(label(np.nan_to_num(mask) == 1, connectivity=1))
    sizes = sorted(float(patch.area) for patch in patches)
    areas = sorted(pixels_in(scene, shape(each["geometry"])) for each in features)
    agree(areas, sizes, rel=1e-4)


def pixels_in(scene: RandomScene, outline: Any) -> float:
    """Return how many pixels an outline in longitude and latitude holds."""
    from pyproj import Transformer
    from shapely.ops import transform

    to_map = Transformer.from_crs("EPSG:4326", scene.place.crs, always_xy=True)

    def to_pixels(x: Any, y: Any) -> Any:
        return ~scene.place.transform * to_map.transform(np.asarray(x), np.asarray(y))

    return float(transform(to_pixels, outline).area)


@oracle("rasterize_features", "library", "matplotlib.path.Path.contains_points of the centres")
def of_rasterize(scene: RandomScene) -> None:
    name, _ = scene.field("ndvi", 0, 1, holes=False)
    shape = odd_shape(scene)
    found = scene.make(
        "rasterize_features", vector_path=scene.shapes("z.geojson", [shape]), reference_path=name
    )
    agree(found, inside(scene, shape))


def interpolated(values: Floats, rows: Floats, columns: Floats) -> Floats:
    """Return values between the centres of pixels by scipy, linear in rows and columns; NaN at the rim."""
    return np.asarray(ndimage.map_coordinates(values, [rows - 0.5, columns - 0.5], order=1, cval=np.nan))


@oracle("reproject_raster", "library", "scipy.ndimage.map_coordinates at the places that pyproj gives")
def of_reproject(scene: RandomScene) -> None:
    from pyproj import Transformer

    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    if "date line" in scene.place.name:
        scene = scene.metric
    name, values = scene.field("dem", 100, 200, smooth=3.0, holes=False)
    # Finer pixels: where they are coarser, GDAL weighs a wider window.
    half = scene.place.pixel / 2
    for crs, side in (("EPSG:4326", half / 111_320), ("EPSG:6933", half / 3)):
        for method in ("bilinear", "nearest"):
            scene.run(
                "reproject_raster",
                input_path=name,
                output_path="out.tif",
                crs=crs,
                resolution=side,
                resampling=method,
            )
            found = scene.read("out.tif")
            with rasterio.open(scene.folder / "out.tif") as dataset:
                rows, columns = np.mgrid[: dataset.height, : dataset.width] + 0.5
                there = dataset.transform * (columns, rows)
            back = Transformer.from_crs(crs, scene.place.crs, always_xy=True).transform(*there)
            column, row = ~scene.place.transform * back
            if method == "bilinear":
                expected = interpolated(values, row, column)
                core = np.isfinite(expected) & np.isfinite(found)
                # GDAL finds places to within an eighth of a pixel.
                agree(found[core], expected[core], abs=0.5, rel=0)
            else:
                inside = (row > 0) & (row < values.shape[0]) & (column > 0) & (column < values.shape[1])
                core = inside & np.isfinite(found)
                places = row[core].astype(int), column[core].astype(int)
                agree(found[core], values[places], abs=1e-3, share=0.95)
            assert core.mean() > 0.3


@oracle("resample_raster", "library", "skimage.measure.block_reduce")
def of_resample(scene: RandomScene) -> None:
    from skimage.measure import block_reduce

    scene.shape = (16, 24)
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    name, values = scene.field("ndvi", 0, 1, holes=False)
    found = scene.make("resample_raster", input_path=name, factor=2.0)
    agree(found, block_reduce(values, 2, np.mean), abs=1e-4)


@oracle("align_raster", "library", "scipy.ndimage.map_coordinates at the centres of a grid that is shifted")
def of_align(scene: RandomScene) -> None:
    from dataclasses import replace

    scene = scene.metric
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    name, values = scene.field("ndvi", 0, 1, holes=False)
    same, _ = scene.field("ndvi", 0, 1)
    agree(scene.make("align_raster", input_path=name, reference_path=same), values, abs=1e-5)
    right, down = scene.rng.uniform(1.1, 4.9, 2)
    place = scene.place
    scene.place = replace(place, left=place.left + 10 * right, top=place.top - 10 * down)
    scene.shape = (9, 8)
    other, _ = scene.field("ndvi", 0, 1)
    rows, columns = np.mgrid[:9, :8] + 0.5
    expected = interpolated(values, rows + down, columns + right)
    made = scene.make("align_raster", input_path=name, reference_path=other, resampling="bilinear")
    agree(made, expected, abs=1e-5)
    made = scene.make("align_raster", input_path=name, reference_path=other, resampling="nearest")
    agree(made, values[(rows + down).astype(int), (columns + right).astype(int)], abs=1e-5)


@oracle("zonal_statistics", "formulation", "intersection of each pixel with the zone, by shapely")
def of_zones(scene: RandomScene) -> None:
    scene = scene.metric
    scene.shape = (13, 15)
    name, values = scene.field("ndvi", 0, 1)
    shape = odd_shape(scene)
    rows, columns = np.indices(scene.shape)
    cover = np.vectorize(lambda r, c: shape.intersection(box(c, r, c + 1, r + 1)).area)(rows, columns)
    cover = np.where(np.isnan(values), 0, cover)
    [row] = scene.run(
        "zonal_statistics",
        input_path=name,
        zones_path=scene.shapes("z.geojson", [shape]),
        statistics=["mean", "sum", "count", "max"],
    )
    agree(row["count"], cover.sum(), rel=1e-4)
    agree(row["mean"], np.nansum(cover * values) / cover.sum(), rel=1e-4)
    agree(row["max"], values[cover > 0].max(), rel=1e-4)


@oracle("zonal_class_shares", "formulation", "intersection of each pixel with the zone, by shapely")
def of_zone_shares(scene: RandomScene) -> None:
    scene = scene.metric
    scene.shape = (13, 15)
    name, classes = scene.classes("landcover", 3)
    shape = odd_shape(scene)
    rows, columns = np.indices(scene.shape)
    cover = np.vectorize(lambda r, c: shape.intersection(box(c, r, c + 1, r + 1)).area)(rows, columns)
    cover = np.where(np.isnan(classes), 0, cover)
    [row] = scene.run("zonal_class_shares", input_path=name, zones_path=scene.shapes("z.geojson", [shape]))
    for number, share in row["shares"].items():
        agree(share, 100 * cover[classes == float(number)].sum() / cover.sum(), rel=1e-3, abs=1e-2)
