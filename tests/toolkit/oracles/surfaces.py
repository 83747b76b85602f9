"""Oracles of flow, sight, patterns, interpolation, calibration, adjusted areas and embeddings."""

from __future__ import annotations

import math

import numpy as np
from scipy import ndimage

from tests.toolkit.oracles.registry import oracle
from tests.toolkit.oracles.scenes import Floats, RandomScene, agree


def hills(scene: RandomScene) -> tuple[str, Floats]:
    scene = scene.metric
    scene.stored = ("float64", 1.0, 0.0, -99999.0)
    return scene.field("dem", 200, 260, smooth=1.5, holes=False)


@oracle("fill_depressions", "library", "skimage.morphology.reconstruction by erosion from the rim")
def of_filling(scene: RandomScene) -> None:
    from skimage.morphology import reconstruction

    name, dem = hills(scene)
    seed = np.full(dem.shape, dem.max())
    rim = np.ones(dem.shape, bool)
    rim[1:-1, 1:-1] = False
    seed[rim] = dem[rim]
    agree(
        scene.make("fill_depressions", dem_path=name), reconstruction(seed, dem, method="erosion"), abs=1e-4
    )


STEPS = {1: (0, 1), 2: (1, 1), 4: (1, 0), 8: (1, -1), 16: (0, -1), 32: (-1, -1), 64: (-1, 0), 128: (-1, 1)}


def follow(scene: RandomScene, name: str) -> tuple[Floats, list[list[tuple[int, int]]]]:
    """Return the flow directions and the way of the water from each pixel to the rim."""
    codes = scene.make("calculate_flow_direction", dem_path=name)
    ways = []
    for start in np.ndindex(*codes.shape):
        way, place = [start], start
        while codes[place]:
            down, right = STEPS[int(codes[place])]
            place = (place[0] + down, place[1] + right)
            way.append(place)
            assert len(way) <= codes.size, "water runs in a circle"
        ways.append(way)
    return codes, ways


@oracle(
    "calculate_flow_direction",
    "formulation",
    "greatest of the eight falls of each pixel by numpy; every way ends at the rim and never climbs",
)
def of_directions(scene: RandomScene) -> None:
    name, _ = hills(scene)
    codes, ways = follow(scene, name)
    filled = scene.make("fill_depressions", dem_path=name)
    rows, columns = codes.shape
    for way in ways:
        heights = np.array([filled[place] for place in way])
        assert (np.diff(heights) <= 1e-4).all()
        assert way[-1][0] in (0, rows - 1) or way[-1][1] in (0, columns - 1)
    falls = np.stack(
        [(filled - np.roll(filled, (-r, -c), (0, 1))) / math.hypot(r, c) for r, c in STEPS.values()]
    )[:, 1:-1, 1:-1]
    chosen = np.array(list(STEPS))[falls.argmax(axis=0)]
    # On level land there is no steepest fall, and of two alike either may be taken.
    first, second = np.sort(falls, axis=0)[[-1, -2]]
    sure = (first > 1e-3) & (first - second > 1e-3)
    assert sure.mean() > 0.3
    agree(codes[1:-1, 1:-1][sure], chosen[sure])


@oracle("calculate_flow_accumulation", "formulation", "the way of each pixel's water, walked one by one")
def of_accumulation(scene: RandomScene) -> None:
    name, _ = hills(scene)
    codes, ways = follow(scene, name)
    total = np.zeros(codes.shape)
    for way in ways:
        for place in way:
            total[place] += 100.0
    agree(scene.make("calculate_flow_accumulation", dem_path=name), total, rel=1e-3)


@oracle("watershed_of_point", "formulation", "the way of each pixel's water, walked one by one")
def of_watershed(scene: RandomScene) -> None:
    name, _ = hills(scene)
    codes, ways = follow(scene, name)
    counts = np.zeros(codes.shape)
    for way in ways:
        for place in way:
            counts[place] += 1
    outlet = np.unravel_index(int(counts.argmax()), counts.shape)
    expected = np.zeros(codes.shape)
    for way in ways:
        expected[way[0]] = tuple(outlet) in way
    point = list(scene.place.transform * (outlet[1] + 0.5, outlet[0] + 0.5))
    agree(scene.make("watershed_of_point", dem_path=name, point=point), expected)


@oracle("viewshed", "formulation", "lines of sight interpolated by scipy.ndimage.map_coordinates")
def of_viewshed(scene: RandomScene) -> None:
    name, dem = hills(scene)
    row, column = dem.shape[0] // 2, dem.shape[1] // 2
    point = list(scene.place.transform * (column + 0.5, row + 0.5))
    made = scene.make("viewshed", dem_path=name, point=point, observer_height=2.0)
    eye, expected = dem[row, column] + 2.0, np.ones(dem.shape)
    for r, c in np.ndindex(*dem.shape):
        count = max(abs(r - row), abs(c - column))
        if count < 2:
            continue
        share = np.arange(1, count) / count
        between = ndimage.map_coordinates(
            dem, [row + share * (r - row), column + share * (c - column)], order=1
        )
        away = 10 * math.hypot(r - row, c - column)
        drop = 0.87 * (share * away) ** 2 / (2 * 6371008.8)
        slopes = (between - drop - eye) / (share * away)
        own = (dem[r, c] - 0.87 * away**2 / (2 * 6371008.8) - eye) / away
        expected[r, c] = not (slopes > own).any()
    agree(made, expected, share=0.99)


@oracle("morans_i", "library", "esda.Moran with a libpysal lattice")
def of_moran(scene: RandomScene) -> None:
    import warnings

    import libpysal
    from esda import Moran

    scene.shape = (11, 13)
    name, values = scene.field("ndvi", 0, 1, smooth=0.7, holes=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = Moran(
            values.ravel(), libpysal.weights.lat2W(11, 13, rook=False), transformation="B", permutations=0
        )
    found = scene.run("morans_i", image_path=name)
    agree(
        [found["i"], found["expected"], found["z"], found["p"]],
        [expected.I, expected.EI, expected.z_norm, expected.p_norm],
        rel=1e-4,
    )


@oracle("landscape_metrics", "library", "skimage.measure.label and regionprops; scipy.stats.entropy")
def of_landscape(scene: RandomScene) -> None:
    from scipy.stats import entropy
    from skimage.measure import label, regionprops

    scene = scene.metric
    name, values = scene.classes("landcover", 3, holes=False)
    found = scene.run("landscape_metrics", input_path=name)
    total = values.size * 0.01
    for row in found["classes"]:
        patches = [r.area * 0.01 for r in regionprops(label(values == row["class"], connectivity=2))]
        agree(
            [row["patches"], row["area_ha"], row["largest_patch_index"], row["mean_patch_ha"]],
            [len(patches), sum(patches), 100 * max(patches) / total, np.mean(patches)],
            rel=1e-5,
        )
        padded = np.pad(values, 1, mode="edge")
        sides = sum(
            ((values == row["class"]) & (np.roll(padded, s, a)[1:-1, 1:-1] != row["class"])).sum()
            for s in (1, -1)
            for a in (0, 1)
        )
        agree(row["edge_m"], 10.0 * sides)
    shares = np.array([row["percent"] for row in found["classes"]])
    agree(found["shannon_diversity"], entropy(shares))


def write_measured(scene: RandomScene) -> tuple[str, str, Floats, Floats]:
    """Write a raster and points in it; return both names, the points in pixels and their values."""
    from shapely import Point

    scene = scene.metric
    scene.shape = (17, 19)
    name, _ = scene.field("dem", 0, 1, holes=False)
    places = scene.rng.uniform(0, [19, 17], (40, 2))
    values = np.sin(places[:, 0] / 5) + np.cos(places[:, 1] / 4)
    return (
        name,
        scene.shapes("p.geojson", [Point(*p) for p in places], height=values.tolist()),
        places,
        values,
    )


@oracle(
    "inverse_distance_weighting", "library", "sklearn.neighbors.KNeighborsRegressor with weights of distance"
)
def of_distances(scene: RandomScene) -> None:
    from sklearn.neighbors import KNeighborsRegressor

    name, file, places, values = write_measured(scene)
    made = scene.make(
        "inverse_distance_weighting", points_path=file, attribute="height", reference_path=name, neighbours=8
    )
    model = KNeighborsRegressor(8, weights=lambda d: d**-2.0).fit(places, values)
    rows, columns = np.mgrid[:17, :19] + 0.5
    agree(made.ravel(), model.predict(np.column_stack([columns.ravel(), rows.ravel()])), abs=2e-3, share=0.97)


@oracle(
    "ordinary_kriging",
    "formulation",
    "the kriging equations of all points solved at once, on the map's plane",
)
def of_kriging(scene: RandomScene) -> None:
    name, file, places, values = write_measured(scene)
    answer = scene.run(
        "ordinary_kriging",
        points_path=file,
        attribute="height",
        reference_path=name,
        output_path="out.tif",
        neighbours=39,
    )
    made, deviation = scene.read("out.tif"), scene.read("out.tif", 2)
    g = answer["variogram"]

    def gamma(d: Floats) -> Floats:
        h = np.minimum(d / g["range"], 1)
        return np.where(d > 0, g["nugget"] + g["sill"] * (1.5 * h - 0.5 * h**3), 0)

    ground = places * 10
    among = gamma(np.linalg.norm(ground[:, None] - ground, axis=-1))
    system = np.block([[among, np.ones((40, 1))], [np.ones((1, 40)), np.zeros((1, 1))]])
    for row, column in ((3, 4), (10, 12), (16, 0)):
        right = np.append(gamma(np.linalg.norm(ground - [10 * column + 5, 10 * row + 5], axis=1)), 1.0)
        weights = np.linalg.solve(system, right)
        agree(made[row, column], weights[:-1] @ values, abs=5e-3)
        agree(deviation[row, column], math.sqrt(weights @ right), abs=5e-3)


# K1 and K2 as Chander et al. 2009 and the handbooks of Landsat 8 and 9 print them, and the wavelength in um
# that their ratio stands for.
THERMAL_BANDS = {
    "Landsat 5 band 6": (607.76, 1260.56, 11.45),
    "Landsat 7 band 6 high gain": (666.09, 1282.71, 11.27),
    "Landsat 8 band 10": (774.8853, 1321.0789, 10.89),
    "Landsat 8 band 11": (480.8883, 1201.1442, 12.005),
    "Landsat 9 band 10": (799.0284, 1329.2405, 10.83),
    "Landsat 9 band 11": (475.6581, 1198.3494, 12.04),
}


@oracle(
    "brightness_temperature",
    "formulation",
    "Planck's law with the constants of nature at each band's wavelength; the constants as printed",
)
def of_brightness(scene: RandomScene) -> None:
    from tests.toolkit.oracles.retrievals import brightness

    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    name, radiance = scene.field("", 6.0, 12.0)
    for band, (first, second, length) in THERMAL_BANDS.items():
        call = {"input_path": name, "output_path": "out.tif", "band": band, "radiance": True}
        scene.run("brightness_temperature", **call)
        made = scene.read("out.tif")
        agree(made, second / np.log(first / radiance + 1), abs=2e-3)
        # The band is some um wide.
        agree(made, brightness(radiance, length), abs=0.7, rel=0)
    numbers = scene.rng.integers(15000, 40000, scene.shape).astype("uint16")
    name = scene.write(numbers, "", 0)
    made = scene.make("brightness_temperature", input_path=name)
    agree(made, 1321.0789 / np.log(774.8853 / (3.342e-4 * numbers + 0.1) + 1), abs=2e-3)


# Qin et al. 2001: the mean temperature of the air over that near the ground, and its transmittance by water
# vapour up to 1.6 g/cm2 and from there to 3, where it is warm (35 degrees Celsius) and where it is cool (18).
AIR = {
    "tropical": (17.9769, 0.91715),
    "mid-latitude summer": (16.0110, 0.92621),
    "mid-latitude winter": (19.2704, 0.91118),
    "US 1976": (25.9396, 0.88045),
}
THROUGH = {
    307.0: ((0.974290, 0.08007), (1.031412, 0.11536)),
    292.0: ((0.982007, 0.09611), (1.053710, 0.14142)),
}


@oracle(
    "mono_window_lst",
    "formulation",
    "Planck's law through the atmosphere, solved by bisection; the printed coefficients by pandas.eval",
)
def of_mono_window(scene: RandomScene) -> None:
    from itertools import product

    import pandas as pd
    from scipy.optimize import brentq

    from tests.toolkit.oracles.retrievals import planck

    a, seen = scene.field("bt6", 290, 305)
    b, emissivity = scene.field("emissivity", 0.955, 0.985)
    length = 11.457

    def reach(surface: float, e: float, tau: float, air: float) -> float:
        down = (1 - e) * (1 - tau) * planck(air, length)
        return float(tau * (e * planck(surface, length) + down) + (1 - tau) * planck(air, length))

    for atmosphere, near in product(AIR, THROUGH):
        fixed, share = AIR[atmosphere]
        for water, (most, less) in zip((1.2, 2.4), THROUGH[near], strict=True):
            made = scene.make(
                "mono_window_lst",
                bt_path=a,
                emissivity_path=b,
                water_vapour=water,
                air_temperature=near,
                atmosphere=atmosphere,
            )
            tau, air = most - less * water, fixed + share * near
            frame = pd.DataFrame({"t": seen.ravel(), "c": tau * emissivity.ravel()})
            frame["d"] = (1 - tau) * (1 + (1 - emissivity.ravel()) * tau)
            formula = f"(-67.355351 * (1 - c - d) + (0.458606 * (1 - c - d) + c + d) * t - d * {air}) / c"
            agree(made, frame.eval(formula, engine="python").to_numpy().reshape(seen.shape), abs=2e-3)
            e, t = emissivity[7, 9], seen[7, 9]
            if water < 2 and not math.isnan(e + t):
                received = float(planck(t, length))
                expected = brentq(
                    lambda s, e=e, r=received, tau=tau, air=air: reach(s, e, tau, air) - r, 250, 360
                )
                # Its straight line for Planck's law errs by some tenths of a kelvin.
                agree(made[7, 9], expected, abs=0.8, rel=0)


@oracle(
    "split_window_uncertainty", "formulation", "the spread of the formula over drawn inputs (Monte Carlo)"
)
def of_split_window_uncertainty(scene: RandomScene) -> None:
    a, first = scene.field("bt31", 295, 305)
    b, second = scene.field("bt32", 293, 303)
    c, e31 = scene.field("emissivity31", 0.955, 0.985)
    d, e32 = scene.field("emissivity32", 0.955, 0.985)
    made = scene.make(
        "split_window_uncertainty",
        band31_path=a,
        band32_path=b,
        emissivity31_path=c,
        emissivity32_path=d,
        water_vapour=2.5,
        formula_error=0.7,
    )

    def drawn(centre: float, deviation: float) -> np.ndarray:
        return scene.rng.normal(centre, deviation, 40_000)

    for row, column in ((0, 0), (7, 9), (11, 12)):
        centres = [float(each[row, column]) for each in (first, second, e31, e32)]
        if math.isnan(sum(centres)):
            continue
        t31, t32 = drawn(centres[0], 0.05), drawn(centres[1], 0.05)
        one, other, water = drawn(centres[2], 0.01), drawn(centres[3], 0.01), drawn(2.5, 0.5)
        d_t, mean, contrast = t31 - t32, (one + other) / 2, one - other
        temperature = t31 + 1.02 + 1.79 * d_t + 1.20 * d_t**2 + (34.83 - 0.68 * water) * (1 - mean)
        temperature -= (73.27 + 5.19 * water) * contrast
        agree(made[row, column], float(np.hypot(temperature.std(), 0.7)), rel=0.03, abs=0)


@oracle("area_adjusted_accuracy", "library", "bootstrap of the stratified sample by numpy.random.multinomial")
def of_adjusted(scene: RandomScene) -> None:
    counts = scene.rng.integers(3, 20, (3, 3)) + 60 * np.eye(3, dtype=int)
    areas = np.array([100.0, 400.0, 900.0])
    found = scene.run("area_adjusted_accuracy", matrix=counts.tolist(), mapped_areas=areas.tolist())
    n = counts.sum(axis=1)
    drawn = np.stack([scene.rng.multinomial(n[i], counts[i] / n[i], 6000) for i in range(3)], axis=1)
    cells = (areas / areas.sum())[:, None] * drawn / n[:, None]
    truth = cells.sum(axis=1)
    agree(list(found["area"].values()), areas.sum() * truth.mean(axis=0), rel=0.01)
    agree(list(found["area_interval"].values()), 1.96 * areas.sum() * truth.std(axis=0), rel=0.06)
    producers = np.einsum("kii->ki", cells) / truth
    agree(list(found["producers_interval"].values()), 1.96 * producers.std(axis=0), rel=0.08)


@oracle(
    "embedding_similarity",
    "library",
    "sklearn.metrics.pairwise.cosine_similarity; unchanged by the vectors' length",
)
def of_similarity(scene: RandomScene) -> None:
    from sklearn.metrics.pairwise import cosine_similarity

    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    names, values = scene.fields("", 5, -1, 1, holes=False)
    points = [list(scene.place.transform * (c + 0.5, r + 0.5)) for r, c in ((3, 4), (9, 11))]
    made = scene.make("embedding_similarity", file_list=names, points=points)
    flat = values.reshape(5, -1).T
    examples = values[:, [3, 9], [4, 11]].T
    agree(made.ravel(), cosine_similarity(flat, examples).max(axis=1), abs=1e-5)
    doubled = [scene.field("", -2, 2, values=2 * v, holes=False)[0] for v in values]
    agree(scene.make("embedding_similarity", file_list=doubled, points=points), made, abs=1e-5)


@oracle(
    "embed_chips", "library", "skimage.measure.block_reduce, for an encoder that gives the means of bands"
)
def of_chips(scene: RandomScene) -> None:
    import os
    from unittest.mock import patch

    from skimage.measure import block_reduce

    from tests.toolkit.perception.networks import mean_encoder

    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    names, values = scene.fields("", 3, -1, 1, holes=False)
    mean_encoder(scene.folder / "embed_chips.onnx", bands=3)
    with patch.dict(os.environ, TREELINE_WEIGHTS=str(scene.folder)):
        scene.run("embed_chips", file_list=names, output_path="vectors.tif", chip=4)
    rows, columns = (4 * (side // 4) for side in scene.shape)
    expected = block_reduce(values[:, :rows, :columns], (1, 4, 4), np.mean)
    agree(scene.work.stored_bands("vectors.tif"), expected, abs=1e-5)


@oracle("few_shot_classification", "library", "sklearn NearestCentroid of vectors of unit length")
def of_few_shots(scene: RandomScene) -> None:
    from shapely import Point
    from sklearn.neighbors import NearestCentroid
    from sklearn.preprocessing import normalize

    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    kind = (np.indices(scene.shape)[1] > scene.shape[1] / 2).astype(int)
    centres = np.array([[1.0, 0.2, -0.4, 0.1], [-0.3, 0.9, 0.5, -0.2]])
    values = np.moveaxis(centres[kind] * scene.rng.uniform(0.5, 3, (*scene.shape, 1)), -1, 0)
    values = values + scene.rng.normal(0, 0.15, values.shape)
    names = [scene.field("", -5, 5, values=v, holes=False)[0] for v in values]
    places = [(3, 2), (8, 4), (4, scene.shape[1] - 3), (9, scene.shape[1] - 5)]
    points = [Point(c + 0.5, r + 0.5) for r, c in places]
    file = scene.shapes("t.geojson", points, kind=["ab"[kind[p]] for p in places])
    found = scene.run(
        "few_shot_classification",
        file_list=names,
        training_path=file,
        class_attribute="kind",
        output_path="out.tif",
    )
    flat = normalize(values.reshape(4, -1).T)
    model = NearestCentroid().fit(
        flat.reshape(*scene.shape, 4)[tuple(zip(*places, strict=True))], [kind[p] + 1 for p in places]
    )
    agree(scene.read("out.tif").ravel(), model.predict(flat), share=0.97)
    agree(found["leave_one_out"], 1.0)
