"""Surfaces between points: inverse distance weighting and ordinary kriging."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import Grid, map_pixels, source
from treeline.toolkit.raster.ground import longitudes_latitudes
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, Variable, Writes, tool
from treeline.toolkit.vector import read_features

Floats = NDArray[np.floating]
Estimate = Callable[[Floats, NDArray[np.intp]], Floats]
SURFACE = Variable("interpolated", "Interpolated surface", "")
DEVIATION = Variable("kriging_deviation", "Standard deviation of kriging", "")
FEWEST, MOST_POINTS = 3, 100_000
# A variogram of fewer pairs (45) would be a guess.
FEWEST_FOR_KRIGING = 10
BINS = 15
MOST_NEIGHBOURS, HIGHEST_POWER = 64, 10.0
# Points whose pairs, more than a million, make the variogram.
LARGEST_SAMPLE = 1500
# The mean radius of the ellipsoid GRS 80 (IUGG), in metres.
EARTH_RADIUS = 6_371_008.8


@dataclass(frozen=True)
class Variogram:
    """Spherical: nugget, sill beyond the nugget, and range in metres."""

    nugget: float
    sill: float
    reach: float

    def __call__(self, distance: Floats) -> Floats:
        """Return half of the mean squared difference at distances; 0 at none."""
        share = np.minimum(distance / self.reach, 1.0)
        return np.where(distance > 0, self.nugget + self.sill * (1.5 * share - 0.5 * share**3), 0.0)


@tool(
    kit=GEOMETRY,
    source="Shepard 1968, Proc. ACM Nat. Conf.:517",
    gives=Gives("raster", "interpolated"),
    formula="sum w_i v_i / sum w_i, w = d^-power, over the nearest points",
)
def inverse_distance_weighting(
    points_path: str,
    attribute: str,
    reference_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("interpolated", OF_INPUT, declares=(SURFACE,))],
    neighbours: int = 12,
    power: float = 2.0,
) -> dict[str, Any]:
    """Inverse distance weighting (IDW): surface through measured points on the grid of another raster.

    Parameters
    ----------
    points_path : str
        Name of a vector file with points in the workspace.
    attribute : str
        Holds the numbers to interpolate.
    reference_path : str
        The raster whose grid is taken; it needs a CRS.
    output_path : str
        GeoTIFF to write, in the unit of the attribute.
    neighbours : int
        Points that a pixel is made from, 1 to 64: the nearest.
    power : float
        Of the distance, above 0 and up to 10.

    Returns
    -------
    dict
        ``result``, the number of ``points``, and ``rmse`` of leaving out each point in turn.
    """
    if not 0 < power <= HIGHEST_POWER:
        raise InputError(
            f"The argument 'power' is {power:g}.", f"Give more than 0 and up to {HIGHEST_POWER:g}."
        )
    places, values = _points(points_path, attribute)

    def estimate(distance: Floats, place: NDArray[np.intp]) -> Floats:
        return inverse_distances(distance, values[place], power)[np.newaxis]

    return _write(estimate, places, values, reference_path, output_path, neighbours, ("interpolated",))


@tool(
    kit=GEOMETRY,
    source="Cressie 1993, Statistics for Spatial Data, ch. 2 (variogram by weighted least squares) and 3",
    gives=Gives("raster", "interpolated"),
    formula="sum w_i v_i, sum w_i = 1, with the least expected squared error by the spherical variogram of "
    "the points",
)
def ordinary_kriging(
    points_path: str,
    attribute: str,
    reference_path: Annotated[str, Reads()],
    output_path: Annotated[
        str, Writes("interpolated", OF_INPUT, further=(DEVIATION.role,), declares=(DEVIATION,))
    ],
    neighbours: int = 16,
) -> dict[str, Any]:
    """Ordinary kriging: surface through measured points, with its uncertainty at each pixel.

    Parameters
    ----------
    points_path : str
        Name of a vector file with ten points or more in the workspace.
    attribute : str
        Holds the numbers to interpolate.
    reference_path : str
        The raster whose grid is taken; it needs a CRS.
    output_path : str
        GeoTIFF to write: bands surface and standard deviation of its error, both in the attribute's unit.
    neighbours : int
        Points that a pixel is made from, 1 to 64: the nearest.

    Returns
    -------
    dict
        ``result``, the number of ``points``, ``rmse`` of leaving out each point in turn, and the
        ``variogram``: ``nugget``, ``sill`` and ``range`` in metres.
    """
    places, values = _points(points_path, attribute)
    if len(values) < FEWEST_FOR_KRIGING:
        raise InputError(
            f"There are {len(values)} points; kriging needs {FEWEST_FOR_KRIGING}.",
            "Use inverse_distance_weighting, or more points.",
        )
    variogram = fit_variogram(places, values)

    def estimate(distance: Floats, place: NDArray[np.intp]) -> Floats:
        return krige(distance, place, places, values, variogram)

    roles = ("interpolated", DEVIATION.role)
    answer = _write(estimate, places, values, reference_path, output_path, neighbours, roles)
    answer["variogram"] = {"nugget": variogram.nugget, "sill": variogram.sill, "range": variogram.reach}
    return answer


def _write(
    estimate: Estimate,
    places: Floats,
    values: Floats,
    reference_path: str,
    output_path: str,
    neighbours: int,
    roles: tuple[str, ...],
) -> dict[str, Any]:
    from scipy.spatial import cKDTree

    if not 1 <= neighbours <= MOST_NEIGHBOURS:
        raise InputError(f"The argument 'neighbours' is {neighbours}.", f"Give 1 to {MOST_NEIGHBOURS}.")
    reference = source(reference_path)
    if not reference.grid.crs:
        raise GridMismatch(f"{reference.name} has no CRS, so distances are unknown.", "Give the file a CRS.")
    # One less than there are, as each point is left out once when the error is measured.
    nearest = min(neighbours, len(values) - 1)
    tree = cKDTree(places)

    def surface(reference: Floats, grid: Grid) -> Floats:
        rows, columns = np.mgrid[: grid.height, : grid.width] + 0.5
        wanted = _on_sphere(*longitudes_latitudes(grid, columns.ravel(), rows.ravel()))
        known = np.isfinite(wanted).all(axis=1)
        found = np.full((len(roles), len(wanted)), np.nan)
        if known.any():
            distance, place = tree.query(wanted[known], nearest)
            found[:, known] = estimate(distance.reshape(-1, nearest), place.reshape(-1, nearest))
        return found.reshape(len(roles), grid.height, grid.width)

    product = map_pixels(surface, {"reference": reference}, output_path, role=roles, placed=True, dated_by=())
    # The error by leaving out: each point is estimated from the others; its nearest neighbour is itself.
    distance, place = tree.query(places, nearest + 1)
    again = estimate(distance[:, 1:], place[:, 1:])[0]
    rmse = float(np.sqrt(np.mean((again - values) ** 2)))
    return {"result": report_saved(product), "points": len(values), "rmse": rmse}


def fit_variogram(places: Floats, values: Floats) -> Variogram:
    """Return the spherical variogram nearest to that of the points, pairs weighted by Cressie's rule.

    Parameters
    ----------
    places : ndarray
        (points, 2), in the unit in which the reach is told.
    values : ndarray
        (points,)

    Raises
    ------
    InputError
        All points have one value.

    Notes
    -----
    Cressie 1993, Statistics for Spatial Data, ch. 2: a bin counts by its pairs over the square of its value.
    """
    from scipy.optimize import curve_fit
    from scipy.spatial.distance import pdist

    # A fixed seed, so that the same points give the same surface.
    chosen = np.random.default_rng(0).permutation(len(values))[:LARGEST_SAMPLE]
    distance = pdist(places[chosen])
    squares = pdist(values[chosen, np.newaxis]) ** 2 / 2
    spread = float(np.var(values))
    if spread == 0:
        raise InputError(
            "All points have one value; there is nothing to interpolate.", "Use the value itself."
        )
    # Half of the greatest distance: beyond it there are few pairs.
    limit = distance.max() / 2
    number = np.minimum((distance / limit * BINS).astype(int), BINS)
    count = np.bincount(number, minlength=BINS + 1)[:BINS]
    kept = count > 0
    mean = np.bincount(number, squares, BINS + 1)[:BINS][kept] / count[kept]
    away = np.bincount(number, distance, BINS + 1)[:BINS][kept] / count[kept]
    if kept.sum() < 4:
        return Variogram(0.0, spread, limit)
    try:
        found, _ = curve_fit(
            lambda d, nugget, sill, reach: Variogram(nugget, sill, reach)(d),
            away,
            mean,
            p0=(0.1 * spread, spread, limit / 2),
            # Cressie's weights: the error of a bin grows with its value and falls with the root of its pairs.
            sigma=np.maximum(mean, 1e-9 * spread) / np.sqrt(count[kept]),
            bounds=((0, 1e-9 * spread, limit / 1000), (10 * spread, 10 * spread, 4 * limit)),
        )
    except RuntimeError:
        return Variogram(0.0, spread, limit)
    return Variogram(*map(float, found))


def inverse_distances(distance: Floats, values: Floats, power: float) -> Floats:
    """Return the mean of the neighbours' values weighted by a power of their distance.

    Parameters
    ----------
    distance : ndarray
        (pixels, neighbours), from 0.
    values : ndarray
        Those of the neighbours, of the same shape.
    power : float
        Above 0; the greater, the less the farther neighbours weigh.

    Returns
    -------
    ndarray
        (pixels,)
    """
    # A pixel at a point itself has that point's value, without a division by zero.
    weight = np.maximum(distance, 1e-6) ** -power
    return (weight * values).sum(axis=1) / weight.sum(axis=1)


def krige(
    distance: Floats, place: NDArray[np.intp], places: Floats, values: Floats, variogram: Variogram
) -> Floats:
    """Return value and standard deviation from the neighbours of each pixel.

    Parameters
    ----------
    distance : ndarray
        Of each pixel to its neighbours, (pixels, neighbours).
    place : ndarray
        Which points the neighbours are, of the same shape.
    places, values : ndarray
        Of all points, (points, 2) and (points,).
    variogram : Variogram
        In the unit of the distances.

    Returns
    -------
    ndarray
        (2, pixels)
    """
    count = place.shape[1]
    system = np.ones((len(place), count + 1, count + 1))
    near = places[place]
    apart = np.linalg.norm(near[:, :, np.newaxis] - near[:, np.newaxis], axis=-1)
    system[:, :count, :count] = variogram(apart)
    # A trace on the diagonal, for points that coincide.
    system[:, np.arange(count), np.arange(count)] = -1e-9 * (variogram.nugget + variogram.sill)
    system[:, count, count] = 0.0
    right = np.ones((len(place), count + 1))
    right[:, :count] = variogram(distance)
    weight = np.linalg.solve(system, right[..., np.newaxis])[..., 0]
    # The last unknown is the Lagrange multiplier of the condition that the weights add up to 1.
    value = (weight[:, :count] * values[place]).sum(axis=1)
    variance = (weight * right).sum(axis=1)
    return np.stack([value, np.sqrt(np.maximum(variance, 0.0))])


def _points(path: str, attribute: str) -> tuple[Floats, Floats]:
    """Return the places of the points as metres in space, and their values, averaged at each place."""
    features = read_features(path).of_kind("Point").in_crs("EPSG:4326")
    given = features.values_of(attribute)
    kept = [
        (geometry, float(value))
        for geometry, value in zip(features.geometries, given, strict=True)
        if isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value)
    ]
    if not FEWEST <= len(kept) <= MOST_POINTS:
        raise InputError(
            f"{features.name} has {len(kept)} points with a number in {attribute!r}.",
            f"Give {FEWEST} to {MOST_POINTS} points.",
        )
    longitude = np.array([geometry.centroid.x for geometry, _ in kept])
    latitude = np.array([geometry.centroid.y for geometry, _ in kept])
    places, inverse = np.unique(_on_sphere(longitude, latitude), axis=0, return_inverse=True)
    values = np.bincount(inverse.ravel(), [value for _, value in kept]) / np.bincount(inverse.ravel())
    return places, values


def _on_sphere(longitude: Floats, latitude: Floats) -> Floats:
    """Return points of the Earth in space, in metres: chords are distances, also across the date line."""
    a, b = np.radians(longitude), np.radians(latitude)
    flat = EARTH_RADIUS * np.cos(b)
    return np.column_stack([flat * np.cos(a), flat * np.sin(a), EARTH_RADIUS * np.sin(b)])
