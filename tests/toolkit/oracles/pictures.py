"""Oracles of perception and of the catalogue."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
from scipy.spatial.distance import pdist, squareform
from shapely import box

from tests.toolkit.oracles.registry import add, oracle
from tests.toolkit.oracles.scenes import RandomScene, agree


def boxes(scene: RandomScene, count: int = 6) -> list[list[float]]:
    corners = scene.rng.uniform(0, 50, (count, 2))
    return np.hstack([corners, corners + scene.rng.uniform(2, 20, (count, 2))]).tolist()


@oracle("bbox_expansion", "library", "bounds of shapely.buffer with square corners")
def of_expansion(scene: RandomScene) -> None:
    several = boxes(scene)
    expected = [box(*one).buffer(3.0 / 2.0, join_style="mitre").bounds for one in several]
    agree(scene.run("bbox_expansion", bboxes=several, radius=3.0, gsd=2.0), expected)


@oracle("bboxes2centroids", "library", "shapely centroids")
def of_centroids(scene: RandomScene) -> None:
    several = boxes(scene)
    agree(
        scene.run("bboxes2centroids", bboxes=several),
        [[box(*b).centroid.x, box(*b).centroid.y] for b in several],
    )


@oracle("centroid_distance_extremes", "library", "scipy.spatial.distance.pdist")
def of_extremes(scene: RandomScene) -> None:
    points = scene.rng.uniform(0, 100, (9, 2))
    apart = squareform(pdist(points))
    found = scene.run("centroid_distance_extremes", centroids=points.tolist())
    agree(found["max"][2], apart.max())
    agree(found["min"][2], pdist(points).min())
    agree(apart[found["max"][0], found["max"][1]], apart.max())


@oracle("calculate_bbox_area", "library", "shapely areas")
def of_areas(scene: RandomScene) -> None:
    several = boxes(scene)
    agree(scene.run("calculate_bbox_area", bboxes=several, gsd=0.5), sum(box(*b).area for b in several) / 4)


@oracle("count_connected_components", "library", "skimage.measure.label")
def of_components(scene: RandomScene) -> None:
    from skimage.measure import label

    name, mask = scene.mask()
    for connectivity, neighbours in ((4, 1), (8, 2)):
        found = scene.run("count_connected_components", image_path=name, connectivity=connectivity)
        assert found == label(np.nan_to_num(mask) == 1, connectivity=neighbours).max()


@oracle("count_skeleton_contours", "library", "skimage.measure.label of disjoint discs")
def of_skeletons(scene: RandomScene) -> None:
    from skimage.draw import disk

    scene.shape = (60, 60)
    mask = np.zeros(scene.shape)
    count = int(scene.rng.integers(2, 8))
    for number in range(count):
        rows, columns = disk((10 + 20 * (number // 3), 10 + 20 * (number % 3)), scene.rng.uniform(3, 8))
        mask[rows, columns] = 1
    name, _ = scene.whole("mask", mask, holes=False)
    assert scene.run("count_skeleton_contours", image_path=name) == count


@oracle("threshold_segmentation", "library", "numpy.ma.masked_invalid compared")
def of_segmentation(scene: RandomScene) -> None:
    name, values = scene.field("ndvi", 0, 1)
    found = scene.make("threshold_segmentation", input_image_path=name, threshold=0.43211)
    agree(found, (np.ma.masked_invalid(values) > 0.43211).astype(float).filled(np.nan), share=0.995)


@oracle("count_above_threshold", "library", "pandas.Series.gt")
def of_count(scene: RandomScene) -> None:
    import pandas as pd

    name, values = scene.field("ndvi", 0, 1)
    found = scene.run("count_above_threshold", file_path=name, threshold=0.43211)
    assert abs(found - pd.Series(values.ravel()).gt(0.43211).sum()) <= 1


def blobs(scene: RandomScene, name: str, flipped: bool = False) -> str:
    """Write a dark even picture with three bright squares; mirrored, if wanted."""
    from PIL import Image

    pixels = np.full((90, 110, 3), 50, "uint8")
    for row, column, side in ((15, 18, 12), (20, 70, 14), (60, 45, 10)):
        pixels[row : row + side, column : column + side] = 230
    Image.fromarray(pixels[:, ::-1] if flipped else pixels).save(scene.folder / name)
    return name


def check_mirrored(tool: str, scene: RandomScene) -> None:
    """Boxes of a mirrored picture are the mirrored boxes."""
    plain, turned = (
        scene.run(
            tool,
            input_image_path=blobs(scene, f"{flip}.png", flip),
            text_prompt="bright objects",
            backend="classical",
        )
        for flip in (False, True)
    )
    back = sorted([110 - right, top, 110 - left, bottom] for left, top, right, bottom in turned)
    assert len(plain) == 3
    agree(back, sorted(plain), abs=1.5, rel=0)


for tool in ("Strip_R_CNN", "SM3Det"):
    add(
        tool,
        "property",
        "boxes turn with a mirrored picture (classical backend; networks need weights)",
        partial(check_mirrored, tool),
    )


@oracle(
    "RemoteSAM",
    "property",
    "the leftmost of a picture is the rightmost of its mirror image (classical backend)",
)
def of_grounding(scene: RandomScene) -> None:
    def find(side: str, flip: bool) -> list[float]:
        prompt = f"the {side} bright object"
        one = scene.run(
            "RemoteSAM", input_image_path=blobs(scene, "g.png", flip), text_prompt=prompt, backend="classical"
        )
        return one[0] if one and isinstance(one[0], list) else one

    left, right = find("leftmost", False), find("rightmost", True)
    agree([110 - right[2], 110 - right[0]], [left[0], left[2]], abs=1.5)


@oracle("InstructSAM", "library", "skimage.measure.label of the bright pixels (classical backend)")
def of_objects(scene: RandomScene) -> None:
    assert (
        scene.run(
            "InstructSAM",
            input_image_path=blobs(scene, "b.png"),
            text_prompt="bright objects",
            backend="classical",
        )
        == 3
    )


def scene_class(tool: str, scene: RandomScene) -> None:
    """The class of a picture does not change when it is mirrored."""
    scene.shape = (40, 40)
    values = np.stack(
        [np.full(scene.shape, v) + scene.rng.normal(0, 0.004, scene.shape) for v in (0.04, 0.06, 0.03, 0.02)]
    )
    roles = ("blue", "green", "red", "nir")
    one = scene.write(values.astype("float32"), roles, None, name="one.tif")
    other = scene.write(
        np.ascontiguousarray(values[..., ::-1]).astype("float32"), roles, None, name="other.tif"
    )
    found = [scene.run(tool, input_image_path=name, backend="classical") for name in (one, other)]
    assert found[0]["predicted_class"] == found[1]["predicted_class"]
    agree(found[0]["confidence"], found[1]["confidence"])


for tool in ("MSCN", "RemoteCLIP"):
    add(
        tool,
        "property",
        "unchanged in a mirrored picture (land cover by spectra; networks need weights)",
        partial(scene_class, tool),
    )


@oracle("SAM2", "property", "the mask lies in the box and holds the bright square (classical backend)")
def of_mask(scene: RandomScene) -> None:
    name = blobs(scene, "s.png")
    scene.run(
        "SAM2", input_image_path=name, bbox=[64, 14, 90, 40], output_path="out.tif", backend="classical"
    )
    found = np.nan_to_num(scene.read("out.tif"))
    outside = found.copy()
    outside[14:41, 64:91] = 0
    assert outside.sum() == 0 and found[22:32, 72:82].all()


@oracle(
    "ChangeOS",
    "property",
    "nothing changed between a picture and itself; a new block is found (classical backend)",
)
def of_building_change(scene: RandomScene) -> None:
    from treeline.toolkit.errors import TreelineError

    scene.shape = (48, 50)
    before = 0.2 + scene.rng.normal(0, 0.01, (3, *scene.shape))
    after = before + scene.rng.normal(0, 0.01, before.shape)
    after[:, 10:24, 12:28] += 0.4
    roles = ("blue", "green", "red")
    one = scene.write(before.astype("float32"), roles, None, name="before.tif")
    other = scene.write(after.astype("float32"), roles, None, name="after.tif")
    try:
        scene.run(
            "ChangeOS", pre_image_path=one, post_image_path=other, output_path="out.tif", backend="classical"
        )
    except TreelineError as error:
        assert "ChangeOS" in str(error)
        return
    found = np.nan_to_num(scene.read("out.tif")) > 0
    block = np.zeros(scene.shape, bool)
    block[10:24, 12:28] = True
    assert (found & block).sum() > 0.8 * block.sum() and (found & ~block).sum() < 0.1 * found.sum()


def catalogue(scene: RandomScene) -> tuple[str, list[dict]]:
    """Write a STAC catalogue of five scenes of which clouds cover more and more."""
    rng, items = scene.rng, []
    for number in range(5):
        west, south = float(rng.uniform(10, 14)), float(rng.uniform(44, 47))
        bounds = [west, south, west + 1, south + 1]
        ring = [[west, south], [west + 1, south], [west + 1, south + 1], [west, south + 1], [west, south]]
        item = {
            "type": "Feature",
            "stac_version": "1.0.0",
            "id": f"s{number}",
            "bbox": bounds,
            "collection": "c",
            "geometry": {"type": "Polygon", "coordinates": [ring]},
            "properties": {"datetime": f"2021-0{number + 1}-15T10:00:00Z", "eo:cloud_cover": 20.0 * number},
            "assets": {"red": {"href": "./red.tif", "type": "image/tiff", "roles": ["data"]}},
            "links": [],
        }
        (scene.folder / f"s{number}.json").write_text(json.dumps(item))
        items.append(item)
    collection = {
        "type": "Collection",
        "stac_version": "1.0.0",
        "id": "c",
        "description": "Scenes.",
        "license": "other",
        "extent": {
            "spatial": {"bbox": [[10, 44, 15, 48]]},
            "temporal": {"interval": [["2021-01-15T10:00:00Z", "2021-05-15T10:00:00Z"]]},
        },
        "links": [{"rel": "item", "href": f"./s{n}.json"} for n in range(5)],
    }
    (scene.folder / "collection.json").write_text(json.dumps(collection))
    links = [{"rel": "child", "href": "./collection.json"}]
    root = {"type": "Catalog", "stac_version": "1.0.0", "id": "r", "description": "Root.", "links": links}
    (scene.folder / "catalog.json").write_text(json.dumps(root))
    return "catalog.json", items


@oracle("search_catalogue", "library", "shapely intersections and comparisons of the items themselves")
def of_search(scene: RandomScene) -> None:
    address, items = catalogue(scene)
    wanted = [11.0, 44.5, 13.0, 46.5]
    found = scene.run("search_catalogue", catalogue=address, bounds=wanted, max_cloud_cover=50)
    expected = [
        item["id"]
        for item in items
        if box(*item["bbox"]).intersects(box(*wanted)) and item["properties"]["eo:cloud_cover"] <= 50
    ]
    assert [row["id"] for row in found] == expected


@oracle("list_catalogue_collections", "property", "what the catalogue's own files say")
def of_collections(scene: RandomScene) -> None:
    address, _ = catalogue(scene)
    [row] = scene.run("list_catalogue_collections", catalogue=address)
    assert row["id"] == "c"
    agree(row["bounds"], [10, 44, 15, 48])


@oracle("load_catalogue_scenes", "property", "on the grid of its raster, its own pixels")
def of_load(scene: RandomScene) -> None:
    import rasterio

    scene = scene.metric
    values = scene.rng.integers(100, 4000, scene.shape).astype("uint16")
    name = scene.write(values, "red", 0, name="red.tif")
    with rasterio.open(scene.folder / name) as dataset:
        from rasterio.warp import transform_bounds

        bounds = transform_bounds(dataset.crs, "EPSG:4326", *dataset.bounds)
    west, south, east, north = bounds
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    item = {
        "type": "Feature",
        "stac_version": "1.0.0",
        "id": "one",
        "bbox": list(bounds),
        "geometry": {"type": "Polygon", "coordinates": [ring]},
        "properties": {"datetime": "2021-01-15T10:00:00Z"},
        "assets": {"red": {"href": "./red.tif", "type": "image/tiff", "roles": ["data"]}},
        "links": [],
    }
    (scene.folder / "one.json").write_text(json.dumps(item))
    root = {
        "type": "Catalog",
        "stac_version": "1.0.0",
        "id": "r",
        "description": "Root.",
        "links": [{"rel": "item", "href": "./one.json"}],
    }
    (scene.folder / "catalog.json").write_text(json.dumps(root))
    said = scene.run(
        "load_catalogue_scenes", catalogue="catalog.json", bands=["red"], crs="EPSG:32633", resolution=10.0
    )
    path = said[0].removeprefix("Result saved at ")
    found = scene.read(path)
    kept = found[np.isfinite(found)]
    assert kept.size >= values.size and np.isin(np.round(np.unique(kept)), values).mean() > 0.95
