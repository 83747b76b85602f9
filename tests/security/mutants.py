"""Files with altered bytes, and what a workspace does with each of them, in a process that may die or hang.

``python -m tests.security.mutants SEED COUNT [SUFFIX ...]`` works on the mutants of a seed and prints a line
for each fault: one that is no refusal, a workspace that is lost, or seconds beyond the limit.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import numpy as np
import rasterio
import shapely
from pyogrio import raw

from tests.rasters import write_raster
from tests.security.own_files import USES, kept_files
from treeline.core.serving.drawing import draw_preview, draw_tile
from treeline.core.serving.layers import MapLayer
from treeline.core.serving.styles import default_style
from treeline.core.workspace import Workspace
from treeline.knowledge.card import built_in_cards, cards_from_yaml, cards_to_yaml
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import all_bands
from treeline.toolkit.vector import read_features

LONGEST = 30.0
"""Seconds that any file may take."""

# Where the headers of most formats lie.
HEADER = 1_200
NOTED = bytes((0, 1, 2, 7, 8, 16, 127, 128, 254, 255))
"""Bytes that are sizes, types, signs or ends."""


def mutant(content: bytes, chance: random.Random) -> bytes:
    """Return a content with some of its bytes altered, taken out or doubled; more of them near its ends."""
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
        part = chance.choice((HEADER, HEADER, len(data)))
        place = chance.randrange(min(part, len(data)))
        place = len(data) - 1 - place if chance.random() < 0.4 else place
        match chance.randrange(10):
            case 0:
                del data[place : place + chance.randrange(1, 64)]
            case 1:
                data[place:place] = data[place : place + chance.randrange(1, 64)]
            case 2:
                del data[place:]
            case 3 | 4 | 5:
                data[place] = chance.choice(NOTED)
            case _:
                data[place] = chance.randrange(256)
        if len(data) < 16:
            return bytes(data)
    return bytes(data)


def seeds(folder: Path) -> Iterator[Path]:
    """Write small files of every kind that is read, and yield them."""
    chance = np.random.default_rng(0)
    few = chance.integers(0, 4000, (4, 70, 90)).astype("uint16")
    names = ("blue", "green", "red", "nir")
    yield write_raster(
        folder / "s1.tif", few, descriptions=names, scale=0.0001, tags={"SENSOR": "MSI", "é": "ü"}
    )
    yield write_raster(folder / "s2.tif", few, compress="deflate", tiled=True, blockxsize=32, blockysize=32)
    yield write_raster(folder / "s3.tif", few[0] / np.float32(4), nodata=-9999, compress="lzw", predictor=3)
    photograph = {"compress": "jpeg", "photometric": "ycbcr", "interleave": "pixel"}
    yield write_raster(folder / "s4.tif", (few[:3] % 255).astype("uint8"), **photograph)
    yield write_raster(folder / "s5.tif", few[0] % 5, mask=few[1] > 300, bigtiff="YES", compress="zstd")
    yield _classify(folder / "s6.tif", (few[0] % 4).astype("uint8"))
    for name, driver in (("s7.png", "PNG"), ("s8.jpg", "JPEG")):
        with rasterio.open(
            folder / name, "w", driver=driver, width=90, height=70, count=3, dtype="uint8"
        ) as dataset:
            dataset.write((few[:3] % 255).astype("uint8"))
    yield from (folder / "s7.png", folder / "s8.jpg")
    yield from _vectors(folder)
    cards = folder / "s.yaml"
    cards.write_text(cards_to_yaml(list(built_in_cards()[:3])), "utf-8")
    yield cards
    yield from kept_files(folder)


def _classify(path: Path, classes: np.ndarray) -> Path:
    write_raster(path, classes, compress="packbits")
    with rasterio.open(path, "r+") as dataset:
        dataset.write_colormap(
            1, {0: (0, 0, 0, 255), 1: (200, 0, 0, 255), 2: (0, 200, 0, 255), 3: (0, 0, 9, 255)}
        )
        dataset.build_overviews([2])
    return path


def _vectors(folder: Path) -> Iterator[Path]:
    geometries = shapely.to_wkb([shapely.box(x, 0, x + 10, 10 + x) for x in range(0, 400, 20)])
    columns = [np.arange(20.0), np.array([f"name {n}" for n in range(20)], dtype=object)]
    for name, driver in (("v.gpkg", "GPKG"), ("v.fgb", "FlatGeobuf"), ("v.geojson", "GeoJSON")):
        raw.write(
            folder / name,
            geometries,
            columns,
            ["size", "name"],
            geometry_type="Polygon",
            crs="EPSG:4326",
            driver=driver,
        )
        yield folder / name
    raw.write(
        folder / "v.shp", geometries, columns, ["size", "name"], geometry_type="Polygon", crs="EPSG:4326"
    )
    with zipfile.ZipFile(folder / "v.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for part in sorted(folder.glob("v.*")):
            if part.suffix in (".shp", ".shx", ".dbf", ".prj"):
                archive.write(part, part.name)
    yield folder / "v.zip"


def use(path: Path) -> None:
    """Do with a file what pages do with it; refusals are no faults.

    Raises
    ------
    Exception
        Anything but a refusal.
    """
    if path.suffix == ".yaml":
        _refusable(lambda: cards_from_yaml(path.read_text("utf-8", errors="surrogateescape")))
        return
    if path.suffix in USES:
        with tempfile.TemporaryDirectory() as home:
            _refusable(lambda: USES[path.suffix](path, Path(home)))
        return
    workspace = Workspace(path.parents[1])
    assert "good.tif" in [raster.path.name for raster in workspace.rasters], "the workspace is lost"
    assert workspace.catalogue() and workspace.collections
    if path in workspace.vector_files():
        _refusable(lambda: read_features(str(path)))
    for raster in workspace.rasters:
        if raster.path == path:
            _refusable(lambda: _draw(str(path)))


def _draw(path: str) -> None:
    for source in all_bands(path)[:4]:
        layer = MapLayer.of((source,), "x")
        style = default_style(layer)
        draw_preview(layer, style, 64)
        if layer.on_map:
            draw_tile(layer, style, 0, 0, 0)


def _refusable(work: Callable[[], object]) -> None:
    try:
        work()
    except TreelineError as error:
        assert error.message and "Traceback" not in str(error)


def work_on(seed: int, count: int, kinds: Collection[str] = ()) -> int:
    """Use mutants of every kind, or of some suffixes, in turn; print and count the faults."""
    chance = random.Random(seed)
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        origin, place = Path(name) / "seeds", Path(name) / "workspace" / "inputs"
        origin.mkdir()
        place.mkdir(parents=True)
        write_raster(place / "good.tif", np.ones((8, 8), dtype="uint8"))
        originals = [
            (path.suffix, path.read_bytes()) for path in seeds(origin) if not kinds or path.suffix in kinds
        ]
        for number in range(count):
            suffix, content = originals[number % len(originals)]
            path = place / f"mutant_{number}{suffix}"
            path.write_bytes(mutant(content, chance))
            print(f"at {number} {suffix}", flush=True)
            faults += _is_fault(path, number)
            path.unlink()
    return faults


def _is_fault(path: Path, number: int) -> bool:
    started = time.monotonic()
    try:
        use(path)
    except BaseException:
        (Path(tempfile.gettempdir()) / f"fault_{number}{path.suffix}").write_bytes(path.read_bytes())
        print(f"fault {number} {path.suffix}: {traceback.format_exc()}", flush=True)
        return True
    taken = time.monotonic() - started
    if taken > LONGEST:
        print(f"fault {number} {path.suffix}: {taken:.1f} s", flush=True)
    return taken > LONGEST


if __name__ == "__main__":
    sys.exit(min(work_on(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]), 100))
