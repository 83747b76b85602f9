"""The ground under the pixels of a grid: how far, and in which direction, a column and a row lead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import GridMismatch
from treeline.toolkit.geodesy import reference_system, way_between
from treeline.toolkit.raster.grid import Grid, transform_points

if TYPE_CHECKING:
    from pyproj import CRS, Geod

Floats = NDArray[np.floating]

NEGLIGIBLE = 0.01
"""Share by which lengths and directions of a map may differ from the ground and are taken as they are."""
# Points along a side at which the map is compared with the ellipsoid; between them its scale changes evenly.
NODES = 9
# Short enough to be straight on the ground, long enough to keep its digits beside coordinates of millions.
STEP_PIXELS = 0.05
# Exact distances are slow, so they are computed at nodes so far apart and interpolated; where that is not
# within the share below, the next closer spacing is tried.
SPACINGS = (64, 16, 4)
INTERPOLATED_WITHIN = 1e-5
# At a pole itself, what was north before it is south behind it.
SAME_DIRECTION = 0.5
LENGTHS_TAG = "TREELINE_LENGTHS"


@dataclass(frozen=True)
class Steps:
    """Ground that one column to the right and one row down cover, in metres; arrays that broadcast.

    Attributes
    ----------
    column_east, column_north : ndarray
        Of one column.
    row_east, row_north : ndarray
        Of one row; ``row_north`` is negative where rows run south.
    """

    column_east: Floats
    column_north: Floats
    row_east: Floats
    row_north: Floats

    @property
    def area(self) -> Floats:
        """Square metres of a pixel."""
        return np.abs(self.column_east * self.row_north - self.column_north * self.row_east)


class Ground:
    """Measures the pixels of a grid with a CRS on the ellipsoid.

    Parameters
    ----------
    grid : Grid
        The whole raster: whether its map may be taken as it is, is decided once for all its blocks.

    Raises
    ------
    GridMismatch
        There is no CRS.

    Notes
    -----
    Steps of a twentieth of a pixel to both sides are carried to longitude and latitude and measured as
    geodesics (Karney 2013, J. Geodesy 87:43), so that any CRS is treated alike and east and north are
    those of the place, not those of the map. A projection that is true to a hundredth within the raster,
    such as UTM within its zone, is taken as it is.
    """

    def __init__(self, grid: Grid) -> None:
        if not grid.crs:
            raise GridMismatch(
                "The raster has no CRS, so the lengths of its pixels are unknown.", "Give the file a CRS."
            )
        self.grid = grid
        self.crs: CRS = reference_system(grid.crs)

    @cached_property
    def is_true(self) -> bool:
        """Whether the lengths and directions of the map are taken for those of the ground."""
        return self._is_plane or bool(self._departure(self._against_map) < NEGLIGIBLE)

    @cached_property
    def keeps_lengths(self) -> bool:
        """Whether the lengths of the map are those of the ground, wherever its north may be."""
        if self._is_plane:
            return True
        # J J^T of the ratios J is the identity where lengths are kept, whatever the rotation is; a length
        # that is off by 1 % is off by 2 % in its square.
        squares = np.einsum("ijn,kjn->ikn", self._against_map, self._against_map)
        return bool(self._departure(squares) < 2 * NEGLIGIBLE)

    def tags(self, directions: bool = True) -> dict[str, str]:
        """Return the tag that says which lengths (and directions) a product was made with."""
        if self.is_true if directions else self.keeps_lengths:
            return {LENGTHS_TAG: f"of the map, {self.grid.crs_text}, which is true to a hundredth here"}
        return {LENGTHS_TAG: "on the ellipsoid"}

    def say(self, directions: bool = True) -> None:
        """Warn where the map is not true, so that its own lengths (and directions) were not used."""
        if self.crs.is_geographic or (self.is_true if directions else self.keeps_lengths):
            return
        ratio = self._against_map
        # Ground that a square metre of the map covers is the inverse square of the map's scale.
        enlarged = 1 / np.sqrt(np.nanmean(_area(ratio)))
        away = np.nanmax(np.abs(np.degrees(np.arctan2(ratio[1, 0], ratio[1, 1]))))
        current_context().warn(
            f"{self.grid.crs_text} is not true to the ground here (lengths are {enlarged:.3g} times as long, "
            f"north is up to {away:.0f} degrees off the map's); those on the ground were used."
        )

    def steps(self, part: Grid | None = None) -> Steps:
        """Return the steps of each pixel of a part of the grid, or of all of it."""
        grid = part or self.grid
        if self.is_true:
            found = self.on_map[:, :, np.newaxis, np.newaxis]
        elif self.crs.is_geographic and not (grid.transform[1] or grid.transform[3]):
            rows = np.arange(grid.height) + 0.5
            found = self._measure(np.full(rows.size, 0.5), rows, grid)[..., np.newaxis]
        else:
            found = self._interpolate(grid)
        return Steps(found[0, 0], found[0, 1], found[1, 0], found[1, 1])

    def row_areas(self) -> NDArray[np.float64]:
        """Return the mean area of the pixels of each row in square metres, of the map where it is true."""
        on_map = float(_area(self.on_map))
        if self._is_plane or self._departure(_area(self._against_map)[np.newaxis, np.newaxis]) < NEGLIGIBLE:
            return np.full(self.grid.height, on_map)
        found = self.measured_row_areas()
        current_context().warn(
            f"{self.grid.crs_text} does not keep areas (here they are enlarged {on_map / found.mean():.3g} "
            "times); the area of each row of pixels was corrected for that."
        )
        return found

    def measured_row_areas(self) -> NDArray[np.float64]:
        """Return the mean area of the pixels of each row in square metres, on the ellipsoid."""
        rows = _centres(self.grid.height, self.grid.height)
        columns = _centres(self.grid.width, NODES)
        along, across = np.meshgrid(rows, columns, indexing="ij")
        areas = _area(self._measure(across.ravel(), along.ravel())).reshape(along.shape)
        return np.asarray(np.nanmean(areas, axis=1), dtype=np.float64)

    @cached_property
    def on_map(self) -> Floats:
        """Metres (x, y) of the map that a column and a row cover."""
        a, b, _, d, e, _ = self.grid.transform
        # Coordinates may be in feet.
        metres = self.crs.axis_info[0].unit_conversion_factor if self.crs.axis_info else 1.0
        return np.array([[a, d], [b, e]]) * metres

    @property
    def _is_plane(self) -> bool:
        """Whether nothing says where on Earth the grid lies, as on a building site."""
        return self.crs.geodetic_crs is None

    @cached_property
    def _against_map(self) -> Floats:
        """(x or y, east or north, point): ground that a metre of the map covers, at points all over it."""
        return np.einsum("ij,jkn->ikn", np.linalg.inv(self.on_map), self._measure(*self._nodes()))

    @staticmethod
    def _departure(ratio: Floats) -> float:
        """Return how far the ratios are from one; none where the grid lies wholly off the Earth."""
        apart = np.abs(ratio - np.eye(len(ratio))[:, :, np.newaxis])
        return float(np.nanmax(apart)) if np.isfinite(apart).any() else 0.0

    def _nodes(self) -> tuple[Floats, Floats]:
        columns, rows = np.meshgrid(_centres(self.grid.width, NODES), _centres(self.grid.height, NODES))
        return columns.ravel(), rows.ravel()

    def _interpolate(self, grid: Grid) -> Floats:
        for spacing in SPACINGS:
            rows, columns = (_centres(size, -(-size // spacing) + 1) for size in grid.shape)
            nodes = self._lattice(columns, rows, grid)
            within = self._lattice(_between(columns), _between(rows), grid)
            weights = _weights(_between(rows), rows), _weights(_between(columns), columns)
            # Compared midway between the nodes, where linear interpolation is furthest off.
            apart = np.abs(np.einsum("rk,ijkl,cl->ijrc", weights[0], nodes, weights[1]) - within)
            if apart.max() <= INTERPOLATED_WITHIN * np.abs(within).max():  # false where a node is off the map
                down = _weights(np.arange(grid.height) + 0.5, rows)
                over = _weights(np.arange(grid.width) + 0.5, columns)
                return down @ nodes @ over.T
        return self._lattice(np.arange(grid.width) + 0.5, np.arange(grid.height) + 0.5, grid)

    def _lattice(self, columns: Floats, rows: Floats, grid: Grid) -> Floats:
        across, down = np.meshgrid(columns, rows)
        return self._measure(across.ravel(), down.ravel(), grid).reshape(2, 2, rows.size, columns.size)

    def _measure(self, columns: Floats, rows: Floats, grid: Grid | None = None) -> Floats:
        """Return (column or row, east or north, point) in metres a pixel; NaN off the Earth."""
        grid = grid or self.grid
        return np.stack(
            [
                self._between_points(grid, columns, rows, STEP_PIXELS, 0.0),
                self._between_points(grid, columns, rows, 0.0, STEP_PIXELS),
            ]
        )

    def _between_points(self, grid: Grid, columns: Floats, rows: Floats, over: float, down: float) -> Floats:
        # Centred differences: the error of the direction falls with the square of the step.
        start = self._degrees(grid, columns - over, rows - down)
        end = self._degrees(grid, columns + over, rows + down)
        ahead, behind, length = self.geod.inv(*start, *end)
        # The direction in the middle: as it is at the start, and at the end, where one looks back.
        directions = np.radians(ahead), np.radians(np.asarray(behind) + 180)
        east = (np.sin(directions[0]) + np.sin(directions[1])) / 2
        north = (np.cos(directions[0]) + np.cos(directions[1])) / 2
        # The mean of two unit vectors is short where they point apart.
        over_pole = np.hypot(east, north) < SAME_DIRECTION
        return np.where(over_pole, np.nan, np.stack([east, north])) * np.asarray(length) / (2 * STEP_PIXELS)

    def _degrees(self, grid: Grid, columns: Floats, rows: Floats) -> tuple[Floats, Floats]:
        longitude, latitude = longitudes_latitudes(grid, columns, rows)
        return longitude, np.clip(latitude, -90.0, 90.0)

    @cached_property
    def geod(self) -> Geod:
        """The ellipsoid of the CRS, to measure on."""
        geod = self.crs.get_geod()
        assert geod is not None
        return geod


def longitudes_latitudes(grid: Grid, columns: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Return where points of a grid with a CRS lie, in degrees on its own ellipsoid; NaN off the Earth.

    Parameters
    ----------
    columns, rows : ndarray
        Of one shape; whole numbers are corners of pixels, and halves their centres.

    Returns
    -------
    tuple of ndarray
        Longitude and latitude on the datum of the grid's CRS, which may lie some hundred metres from those
        of WGS 84.
    """
    crs = reference_system(grid.crs)
    geodetic = crs.geodetic_crs
    assert geodetic is not None
    xs, ys = transform_points(grid.affine, np.asarray(columns, float), np.asarray(rows, float))
    found = np.array(way_between(crs, geodetic).transform(xs, ys))
    found[~np.isfinite(found)] = np.nan
    longitude, latitude = found * np.degrees(geodetic.axis_info[0].unit_conversion_factor)
    return longitude, latitude


def _area(steps: Floats) -> Floats:
    return np.abs(steps[0, 0] * steps[1, 1] - steps[0, 1] * steps[1, 0])


def _centres(size: int, count: int) -> Floats:
    """Return some centres of pixels along a side, the first and the last among them."""
    return np.linspace(0.5, size - 0.5, max(1, min(size, count)))


def _between(nodes: Floats) -> Floats:
    return (nodes[:-1] + nodes[1:]) / 2 if nodes.size > 1 else nodes


def _weights(places: Floats, nodes: Floats) -> Floats:
    """Return the weights (place, node) of linear interpolation."""
    return np.stack([np.interp(places, nodes, unit) for unit in np.eye(nodes.size)], axis=1)
