"""Oracles of terrain: planes and quadrics of known slope, turned scenes, and scikit-image."""

from __future__ import annotations

import math

import numpy as np
from scipy import ndimage

from tests.toolkit.oracles.registry import oracle
from tests.toolkit.oracles.scenes import Floats, RandomScene, agree


def plane(scene: RandomScene, eastward: float, northward: float) -> str:
    """Write a plane that rises so many metres for a metre on the ground."""
    from pyproj import Geod

    scene.stored = ("float64", 1.0, 0.0, -99999.0)
    scene.shape = (9, 11)
    longitude, latitude = scene.ground()
    middle = longitude[4, 5], latitude[4, 5]
    azimuth, _, length = Geod(ellps="WGS84").inv(
        np.full(longitude.shape, middle[0]), np.full(longitude.shape, middle[1]), longitude, latitude
    )
    east, north = length * np.sin(np.radians(azimuth)), length * np.cos(np.radians(azimuth))
    return scene.field("dem", 0, 1000, values=500 + eastward * east + northward * north, holes=False)[0]


def inner(values: Floats, margin: int = 1) -> Floats:
    return values[margin:-margin, margin:-margin]


def rises(scene: RandomScene) -> tuple[float, float]:
    return tuple(scene.rng.uniform(-0.6, 0.6, 2))  # type: ignore[return-value]


# A map that is true to a hundredth is taken as it is.
TRUE = 0.011


def gradient(dem: Floats, method: str) -> tuple[Floats, Floats]:
    """Return the rise of a scene of 10 m pixels to the right and down, by scipy."""
    if method == "horn":
        return ndimage.sobel(dem, axis=1) / 80, ndimage.sobel(dem, axis=0) / 80
    central = np.array([-0.05, 0.0, 0.05])
    return ndimage.correlate1d(dem, central, axis=1), ndimage.correlate1d(dem, central, axis=0)


@oracle(
    "calculate_slope",
    "library",
    "scipy.ndimage.sobel (Horn) and correlate1d of rough land; planes of known slope, wherever they lie",
)
def of_slope(scene: RandomScene) -> None:
    east, north = rises(scene)
    steep = math.hypot(east, north)
    found = inner(scene.make("calculate_slope", dem_path=plane(scene, east, north)))
    agree(np.tan(np.radians(found)), np.full(found.shape, steep), rel=TRUE)
    name, dem = rough(scene.metric)
    for method in ("horn", "zevenbergen_thorne"):
        expected = np.degrees(np.arctan(np.hypot(*gradient(dem, method))))
        agree(inner(scene.make("calculate_slope", dem_path=name, method=method)), inner(expected), abs=0.02)


@oracle(
    "calculate_slope_percent",
    "library",
    "scipy.ndimage.sobel (Horn) of rough land; planes of known rise, wherever they lie",
)
def of_slope_in_per_cent(scene: RandomScene) -> None:
    east, north = rises(scene)
    found = inner(scene.make("calculate_slope_percent", dem_path=plane(scene, east, north)))
    agree(found, np.full(found.shape, 100 * math.hypot(east, north)), rel=TRUE)
    name, dem = rough(scene.metric)
    expected = 100 * np.hypot(*gradient(dem, "horn"))
    agree(inner(scene.make("calculate_slope_percent", dem_path=name)), inner(expected), rel=1e-3)


@oracle(
    "calculate_aspect",
    "library",
    "argument of scipy.ndimage.sobel of rough land; planes of known direction, wherever they lie",
)
def of_aspect(scene: RandomScene) -> None:
    east, north = rises(scene)
    found = inner(scene.make("calculate_aspect", dem_path=plane(scene, east, north)))
    expected = math.degrees(math.atan2(-east, -north)) % 360
    apart = (found - expected + 180) % 360 - 180
    assert np.abs(apart).max() < 1.0, np.abs(apart).max()
    name, dem = rough(scene.metric)
    right, down = gradient(dem, "horn")
    # Clockwise from north, downhill: against the rise to the east and to the north.
    downhill = np.degrees(np.angle(down + 1j * -right)) % 360
    apart = (inner(scene.make("calculate_aspect", dem_path=name)) - inner(downhill) + 180) % 360 - 180
    # North of the map is not quite north of the ground.
    assert np.abs(apart).max() < 0.5, np.abs(apart).max()


@oracle("calculate_hillshade", "formulation", "dot product of the normal of a plane and the light")
def of_hillshade(scene: RandomScene) -> None:
    east, north = rises(scene)
    azimuth, height = 315.0, 45.0
    found = inner(
        scene.make(
            "calculate_hillshade", dem_path=plane(scene, east, north), azimuth=azimuth, altitude=height
        )
    )
    agree(found, np.full(found.shape, max(0.0, 254 * illumination(east, north, azimuth, height))), abs=2.0)


def illumination(east: float, north: float, azimuth: float, height: float) -> float:
    a, h = math.radians(azimuth), math.radians(height)
    light = np.array([math.cos(h) * math.sin(a), math.cos(h) * math.cos(a), math.sin(h)])
    normal = np.array([-east, -north, 1.0])
    return float(light @ normal / np.linalg.norm(normal))


@oracle("calculate_illumination", "formulation", "dot product of the normal of a plane and the sun")
def of_illumination(scene: RandomScene) -> None:
    east, north = rises(scene)
    found = inner(
        scene.make(
            "calculate_illumination",
            dem_path=plane(scene, east, north),
            sun_azimuth=140.0,
            sun_elevation=35.0,
        )
    )
    agree(found, np.full(found.shape, illumination(east, north, 140.0, 35.0)), abs=0.008)


@oracle(
    "mask_slopes_facing",
    "library",
    "sectors of the argument of scipy.ndimage.sobel of rough land; a plane faces its sector and no other",
)
def of_facing(scene: RandomScene) -> None:
    names = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
    angle = 45.0 * float(scene.rng.integers(8)) + float(scene.rng.uniform(-18, 18))
    # It faces downhill.
    east, north = (-0.3 * f(math.radians(angle)) for f in (math.sin, math.cos))
    dem = plane(scene, east, north)

    def faces(aspect: Floats, number: int) -> Floats:
        # The four main directions are quarters of the circle, those between them eighths.
        apart = np.abs((aspect - 45 * number + 180) % 360 - 180)
        return np.asarray(apart < (22.5 if number % 2 else 45.0))

    for number, name in enumerate(names):
        found = inner(scene.make("mask_slopes_facing", dem_path=dem, directions=[name]))
        assert (found == faces(np.array(angle), number)).all(), name
    dem, heights = rough(scene.metric)
    right, down = gradient(heights, "horn")
    downhill, steep = np.degrees(np.angle(down + 1j * -right)) % 360, 100 * np.hypot(right, down)
    for chosen in (["northwest"], ["south", "east"]):
        made = scene.make("mask_slopes_facing", dem_path=dem, directions=chosen, level_percent=20.0)
        expected = (steep >= 20.0) & np.any([faces(downhill, names.index(name)) for name in chosen], axis=0)
        # A pixel may face the border of two sectors.
        agree(inner(made), inner(expected), share=0.98)


@oracle(
    "calculate_curvature",
    "formulation",
    "gradient and matrix of second derivatives of a random quadric: across, along and summed",
)
def of_curvature(scene: RandomScene) -> None:
    scene = scene.metric
    scene.stored, scene.shape = ("float64", 1.0, 0.0, -99999.0), (9, 11)
    a, b, c = scene.rng.uniform(-0.02, 0.02, 3)
    d, e = scene.rng.uniform(1.0, 2.0, 2)
    rows, columns = np.mgrid[:9, :11]
    x, y = 10.0 * (columns - 5), -10.0 * (rows - 4)
    surface = 500 + a * x**2 + b * y**2 + c * x * y + d * x + e * y
    dem, _ = scene.field("dem", 0, 1000, values=surface, holes=False)
    second = np.array([[2 * a, c], [c, 2 * b]])
    along = np.stack([2 * a * x + c * y + d, 2 * b * y + c * x + e], axis=-1)
    along /= np.linalg.norm(along, axis=-1, keepdims=True)
    across = along[..., ::-1] * np.array([-1.0, 1.0])
    # Positive where the land bulges: minus the second derivative; where it lies across the slope, water that
    # meets in a hollow makes it positive.
    expected = {
        "profile": -np.einsum("ija,ab,ijb->ij", along, second, along),
        "plan": np.einsum("ija,ab,ijb->ij", across, second, across),
        "total": np.full(x.shape, -np.trace(second)),
    }
    for kind, value in expected.items():
        made = scene.make("calculate_curvature", dem_path=dem, kind=kind)
        agree(inner(made), inner(value), rel=1e-3, abs=2e-6)


def rough(scene: RandomScene) -> tuple[str, Floats]:
    scene.stored = ("float64", 1.0, 0.0, -99999.0)
    return scene.field("dem", 200, 400, smooth=1.0, holes=False)


@oracle(
    "calculate_ruggedness",
    "library",
    "scipy.ndimage.generic_filter of the window; a constant added changes nothing",
)
def of_ruggedness(scene: RandomScene) -> None:
    name, dem = rough(scene)
    expected = ndimage.generic_filter(dem, lambda w: math.sqrt(((w - w[4]) ** 2).sum()), 3)
    agree(inner(scene.make("calculate_ruggedness", dem_path=name)), inner(expected), rel=1e-4, abs=1e-3)


@oracle("calculate_roughness", "library", "scipy.ndimage maximum_filter less minimum_filter")
def of_roughness(scene: RandomScene) -> None:
    name, dem = rough(scene)
    expected = ndimage.maximum_filter(dem, 5) - ndimage.minimum_filter(dem, 5)
    agree(inner(scene.make("calculate_roughness", dem_path=name, radius=2), 2), inner(expected, 2), abs=1e-3)


@oracle("calculate_topographic_position", "library", "scipy.ndimage.convolve with the mean of the others")
def of_position(scene: RandomScene) -> None:
    name, dem = rough(scene)
    weights = np.full((5, 5), -1 / 24)
    weights[2, 2] = 1.0
    expected = ndimage.convolve(dem, weights)
    agree(
        inner(scene.make("calculate_topographic_position", dem_path=name, radius=2), 2),
        inner(expected, 2),
        abs=1e-3,
    )


@oracle("classify_slope_position", "library", "numpy.select of scipy.stats.zscore")
def of_slope_position(scene: RandomScene) -> None:
    from scipy import stats

    a, tpi = scene.field("tpi", -8, 8, values=scene.rng.normal(0, 2.5, scene.shape))
    b, slope = scene.field("terrain_slope", 0, 20)
    z = stats.zscore(tpi, axis=None, nan_policy="omit")
    level = slope <= 5
    expected = np.select([z > 1, z > 0.5, z < -1, z < -0.5, level], [6, 5, 1, 2, 3], 4).astype(float)
    expected[np.isnan(tpi + slope)] = np.nan
    agree(scene.make("classify_slope_position", tpi_path=a, slope_path=b), expected, share=0.985)


@oracle(
    "correct_topography",
    "library",
    "C from statsmodels.OLS of the shading, pixels with noise; Lambertian land of one kind becomes even",
)
def of_correction(scene: RandomScene) -> None:
    import statsmodels.api as sm

    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    height = 40.0
    level = math.sin(math.radians(height))
    a, cosine = scene.field("illumination", 0.35, 0.95)
    shaded = 0.3 * (0.1 + 0.9 * cosine)
    b, _ = scene.field("red", 0, 1, values=shaded, holes=False)
    found = scene.make("correct_topography", input_path=b, illumination_path=a, sun_elevation=height)
    agree(found, np.where(np.isnan(cosine), np.nan, 0.3 * (0.1 + 0.9 * level)), rel=1e-3)
    c, seen = scene.field("red", 0, 1, values=shaded + scene.rng.normal(0, 0.02, scene.shape))
    fit = sm.OLS(seen.ravel(), sm.add_constant(cosine.ravel()), missing="drop").fit()
    constant = fit.params[0] / fit.params[1]
    found = scene.make("correct_topography", input_path=c, illumination_path=a, sun_elevation=height)
    agree(found, seen * (level + constant) / (cosine + constant), rel=1e-4)
    plain = scene.make(
        "correct_topography", input_path=c, illumination_path=a, sun_elevation=height, method="cosine"
    )
    agree(plain, seen * level / cosine, rel=1e-4)
