"""The demo's files: which arrays go where, and what the files say of themselves."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treeline.core.demo.landscape import Cover, Landscape, build_landscape
from treeline.core.demo.noise import Mask
from treeline.core.demo.regions import regions
from treeline.core.demo.seasons import BURN_DATE, DROUGHT_YEAR, OVERPASSES, Overpass
from treeline.core.demo.sensor import Scene, observe
from treeline.core.demo.surface import Scenery
from treeline.core.demo.terrain import PIXEL
from treeline.core.demo.truth import DemoTruth
from treeline.core.demo.vegetation import BANDS
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.raster import Grid, Packing, write_array

VERSION = 1
CRS = "EPSG:32633"
LEFT, TOP = 512_340.0, 5_198_760.0
_THREADS = 2

REFLECTANCE = Packing(0.0001, -0.1)
TEMPERATURE = Packing(0.01)

SIMULATED = {
    "TREELINE_SIMULATED": "SIMULATED by Treeline: no sensor saw this place, and it does not exist",
    "TIFFTAG_SOFTWARE": "SIMULATED by Treeline",
}


@dataclass(frozen=True)
class Means:
    """What is measured of one scene as it is stored."""

    cloud_percent: float
    ndvi: float
    temperature: float


def write_files(folder: Path, seed: int, size: int) -> DemoTruth:
    """Write all files of the demo into a folder that exists, and return what is true of them.

    Parameters
    ----------
    folder : Path
        Where to write.
    seed, size : int
        Of the landscape.
    """
    place = build_landscape(seed, size)
    scenery = Scenery(place)

    def write(overpass: Overpass) -> tuple[str, Means]:
        scene = observe(scenery.ground(overpass), overpass, seed)
        return overpass.date.isoformat(), _write_scene(scene)

    with use_context(ToolContext(output_folder=folder, provenance={"simulator": VERSION, "seed": seed})):
        _write_place(place)
        # The first page of a new home waits for it, and scenes have nothing to do with each other.
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="demo") as pool:
            works = [pool.submit(copy_context().run, write, overpass) for overpass in OVERPASSES]
            # In the order of the dates, whichever is ready first.
            means = dict(work.result() for work in works)
    (folder / "Demo_regions.geojson").write_text(regions(place, LEFT, TOP, CRS), encoding="utf-8")
    truth = _truth(place, means)
    truth.save(folder)
    return truth


def _grid(size: int) -> Grid:
    return Grid(CRS, (PIXEL, 0.0, LEFT, 0.0, -PIXEL, TOP), size, size)


def _write_place(place: Landscape) -> None:
    grid = _grid(place.size)
    classes = {str(int(cover)): cover.title for cover in Cover}
    named = SIMULATED | {"TREELINE_CLASSES": json.dumps(classes)}
    elevation = np.round(place.terrain.elevation, 1)
    write_array(elevation, grid, "Demo_DEM.tif", role="dem", unit="m", extra_tags=SIMULATED)
    write_array(place.cover, grid, "Demo_land_cover.tif", role="landcover", unit="class", extra_tags=named)


def _write_scene(scene: Scene) -> Means:
    date = scene.overpass.date.isoformat()
    grid = _grid(len(scene.cloud))
    write_array(
        scene.reflectance,
        grid,
        f"Demo_{date}.tif",
        role=BANDS,
        unit="1",
        dtype="uint16",
        packing=REFLECTANCE,
        extra_tags=SIMULATED,
    )
    for role, values in (("bt10", scene.brightness), ("lst", scene.temperature)):
        write_array(
            values,
            grid,
            f"Demo_{role.upper()}_{date}.tif",
            role=role,
            unit="K",
            dtype="uint16",
            packing=TEMPERATURE,
            extra_tags=SIMULATED,
        )
    write_array(
        scene.cloud,
        grid,
        f"Demo_cloud_mask_{date}.tif",
        role="cloud_mask",
        unit="class",
        extra_tags=SIMULATED,
    )
    # What is true is what the files hold: whole numbers, not the values before they were rounded.
    red, nir = (
        _pack_and_unpack(scene.reflectance[BANDS.index(band)], REFLECTANCE) for band in ("red", "nir")
    )
    temperature = _pack_and_unpack(scene.temperature, TEMPERATURE)
    return Means(
        100 * float(scene.cloud.mean()),
        float(((nir - red) / (nir + red))[~scene.cloud].mean()),
        float(np.nanmean(temperature)),
    )


def _pack_and_unpack(values: NDArray[np.float32], packing: Packing) -> NDArray[np.float64]:
    """Return values as a reader gets them back from whole numbers."""
    return np.rint((values - packing.offset) / packing.scale) * packing.scale + packing.offset


def _truth(place: Landscape, means: dict[str, Means]) -> DemoTruth:
    dates = tuple(overpass.date.isoformat() for overpass in OVERPASSES)
    burned = BURN_DATE.isoformat()
    return DemoTruth(
        version=VERSION,
        seed=place.seed,
        size=place.size,
        crs=CRS,
        pixel=PIXEL,
        scene_area=_hectares(np.ones_like(place.burned)),
        lake_area=_hectares(place.terrain.lake),
        burned_area=_hectares(place.burned),
        cover_area={cover.title: _hectares(place.cover == cover) for cover in Cover},
        burn_date=burned,
        before_burn=max(date for date in dates if date < burned),
        after_burn=min(date for date in dates if date >= burned),
        drought_year=DROUGHT_YEAR,
        dates=dates,
        cloud_percent={date: round(mean.cloud_percent, 3) for date, mean in means.items()},
        mean_ndvi={date: round(mean.ndvi, 5) for date, mean in means.items()},
        mean_lst={date: round(mean.temperature, 3) for date, mean in means.items()},
        elevation=(
            round(float(place.terrain.elevation.min()), 1),
            round(float(place.terrain.elevation.max()), 1),
        ),
    )


def _hectares(mask: Mask) -> float:
    return round(float(mask.sum()) * PIXEL**2 / 1e4, 2)
