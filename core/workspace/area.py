"""An area of interest as a person gives it: a box, WKT, GeoJSON, or a vector file and one of its features."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import shapely
from shapely.geometry.base import BaseGeometry

from treeline.core.confinement import call
from treeline.core.workspace.workspace import Workspace
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE, turn_into
from treeline.toolkit.interest import HANDLE, AreaOfInterest
from treeline.toolkit.raster.area_mask import pixels_inside
from treeline.toolkit.raster.grid import Grid
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.vector import Features, read_features

CONTEXT_PART = "area"
# So small a share of an area outside of the rasters is not shown by a number.
_HARDLY = 0.01
NONE = "none"
# The text may be an outline of a megabyte, and the system refuses to look for a name as long with an OSError.
_LONGEST_PATH = 1000

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_BOX = re.compile(rf"\s*({_NUMBER})\s*,\s*({_NUMBER})\s*,\s*({_NUMBER})\s*,\s*({_NUMBER})\s*")
_TEXT = re.compile(r"\s*(?:\{|(?:SRID=\d+;)?\s*[A-Za-z]+(?:\s+[ZM]{1,2})?\s*\()")
_EMPTY = re.compile(r"(?:SRID=\d+;)?\s*[A-Z]+(?:\s+[ZM]{1,2})?\s+EMPTY", re.IGNORECASE)
_FEATURE = re.compile(r"(?P<file>.+)#(?P<attribute>[^#=]+)=(?P<value>.*)", re.DOTALL)
_WAYS = (
    "Give minx,miny,maxx,maxy in longitude and latitude, WKT, GeoJSON, or a GeoJSON or GeoPackage file "
    "(FILE#ATTRIBUTE=VALUE for one of its features)."
)


@dataclass(frozen=True)
class _Files:
    """Where a vector file is looked for."""

    workspace: Workspace
    anywhere: bool

    def find(self, text: str) -> str | None:
        """Return the file that a text names, with its layer."""
        name, mark, layer = text.partition("#")
        if "=" in layer:
            return None
        if self.anywhere and len(name) < _LONGEST_PATH and Path(name).is_file():
            return f"{Path(name).resolve()}{mark}{layer}"
        known = self.workspace.vector_files()
        named = [path for path in known if name in (path.name, path.stem, str(path))]
        return f"{named[0]}{mark}{layer}" if len(named) == 1 else None


def area_of(text: str, workspace: Workspace, *, anywhere: bool = True) -> AreaOfInterest:
    """Return the area of interest that a text means in a workspace.

    Parameters
    ----------
    text : str
        ``minx,miny,maxx,maxy`` or WKT in longitude and latitude (``SRID=32633;POLYGON(...)`` in another
        CRS), GeoJSON, or a vector file; ``FILE#ATTRIBUTE=VALUE`` for some of its features. A file is
        looked for where the command is given, then among the files of the workspace.
    anywhere : bool
        Files outside of the workspace are read too, as for whoever gives commands on this machine.

    Raises
    ------
    InputError
        It is no area, is empty, crosses itself or the antimeridian, or holds no pixel of any raster.
    """
    box = _BOX.fullmatch(text)
    if box is not None:
        area = _of_box(*(float(number) for number in box.groups()))
    else:
        area = _of_features(_features(text.strip(), _Files(workspace, anywhere)))
    check_area(area, workspace)
    return area


def check_area(area: AreaOfInterest, workspace: Workspace) -> None:
    """Refuse an area without a pixel of any raster of a workspace.

    Raises
    ------
    InputError
        Says where the rasters are.
    """
    grids = list(dict.fromkeys(Grid.of(raster) for raster in workspace.rasters if raster.crs))
    if not grids:
        raise InputError(
            "No raster has a CRS, so no area of interest can be found in them.", "Give the files a CRS."
        )
    reached = [grid for grid in grids if _reaches(area, grid)]
    if not reached:
        raise InputError(
            f"The area of interest ({_extent(area.in_crs(LONGITUDE_LATITUDE).bounds)}) lies outside of the "
            f"rasters ({_extent(_around(grids))}), in longitude and latitude.",
            "Check the area and its CRS.",
        )
    if not any(pixels_inside(area, grid) for grid in reached):
        raise InputError(
            f"The area of interest ({area.text.partition('(')[2]} holds the centre of no pixel.",
            "Give a larger one.",
        )


def check_profile(profile: str) -> None:
    """Refuse a profile that has no area of interest.

    Raises
    ------
    InputError
    """
    if profile == "earth_bench":
        raise InputError(
            "The profile earth_bench reads whole rasters, so it has no area of interest.",
            "Use the profile science.",
        )


def crs_text(crs: str) -> str:
    """Return which CRS an area was taken in, for people."""
    if crs == LONGITUDE_LATITUDE:
        return "longitude and latitude (EPSG:4326)"
    return crs if crs.startswith("EPSG:") else "the CRS of the file"


def inside(read_as: str, area: AreaOfInterest | None) -> str:
    """Return what a question was read as, with the area inside which it is answered."""
    if area is None or not read_as:
        return read_as
    named = "the area of interest"
    return read_as.replace(named, area.text, 1) if named in read_as else f"{read_as}, inside {area.text}"


def describe_area(area: AreaOfInterest | None, workspace: Workspace) -> dict[str, str]:
    """Return what a policy is told of the area of interest, as part of its context."""
    if area is None:
        return {}
    bounds = _extent(area.in_crs(LONGITUDE_LATITUDE).bounds)
    return {
        CONTEXT_PART: f"Every tool works inside {area.text} alone, {area.name}, {bounds} in longitude and "
        "latitude: a pixel whose centre lies outside has no data, and nothing needs to be cut. Filters, "
        f"slopes and distances see the rasters around it. A tool that takes polygons takes {HANDLE} for it. "
        f"{without_rasters(area, workspace)}".rstrip()
    }


def _of_box(west: float, south: float, east: float, north: float) -> AreaOfInterest:
    # Told apart from a box in metres, of which the larger number simply stands first.
    if west > east and abs(west) <= 180 and abs(east) <= 180:
        raise InputError(
            f"The box runs from longitude {west:g} to {east:g}.",
            "Put the smaller one first; a box across the antimeridian is two, each asked for by itself.",
        )
    if west >= east or south >= north:
        raise InputError(
            f"The box {west:g},{south:g},{east:g},{north:g} is empty.",
            "Give minx,miny,maxx,maxy with the smaller number first.",
        )
    box = shapely.box(west, south, east, north)
    _check_degrees(box)
    return AreaOfInterest(box, LONGITUDE_LATITUDE, "a box")


def _features(text: str, files: _Files) -> Features:
    """Return the features of WKT, of GeoJSON, or of a file and an attribute of it."""
    if not text or _EMPTY.fullmatch(text):
        raise InputError(f"The area of interest is empty{f': {text}' if text else ''}.", _WAYS)
    if _TEXT.match(text):
        return _read(text)
    direct = files.find(text)
    if direct is not None:
        return _read(direct)
    chosen = _FEATURE.fullmatch(text)
    path = files.find(chosen["file"]) if chosen else None
    if chosen is None or path is None:
        raise InputError(f"There is no area of interest {text[:80]!r}.", _WAYS)
    return _with_value(_read(path), chosen["attribute"].strip(), chosen["value"].strip())


def _read(address: str) -> Features:
    found = call(_read_file, address)
    if not found.crs:
        raise InputError(f"{found.name} has no CRS.", "Give it one, or use longitude and latitude.")
    return found


def _read_file(address: str) -> Features:
    with use_context(ToolContext(resolver=FileResolver())):
        return read_features(address)


def _with_value(features: Features, attribute: str, value: str) -> Features:
    """Return the features whose attribute reads as a value, numbers too."""
    if attribute == "zone":
        return features.with_values({attribute: int(value) if value.isdigit() else value})
    stored = [v for v in features.values_of(attribute) if str(v) == value or _same_number(v, value)]
    return features.with_values({attribute: stored[0] if stored else value})


def _same_number(stored: object, text: str) -> bool:
    try:
        return isinstance(stored, int | float) and float(text) == stored
    except ValueError:
        return False


def _of_features(features: Features) -> AreaOfInterest:
    polygons = features.of_kind("Polygon").geometries
    for polygon in polygons:
        _check_polygon(polygon, features.name)
    # Heights of vertices have no meaning for which pixels lie inside, and a union of mixed dimensions makes
    # up some.
    union = shapely.union_all([shapely.force_2d(polygon) for polygon in polygons])
    if features.crs == LONGITUDE_LATITUDE:
        _check_degrees(union)
    if not union.area > 0:
        raise InputError(f"{features.name} has no area.", _WAYS)
    name = "a polygon" if features.path is None else features.path.name
    return AreaOfInterest(union, str(features.crs), name)


def _check_polygon(polygon: BaseGeometry, name: str) -> None:
    if not all(math.isfinite(bound) for bound in polygon.bounds):
        raise InputError(f"{name} has coordinates that are no numbers.", "Check it.")
    if not polygon.is_valid:
        raise InputError(
            f"{name} holds a polygon that is not valid ({shapely.is_valid_reason(polygon)}).",
            "Draw it so that no edge crosses another.",
        )


def _check_degrees(area: BaseGeometry) -> None:
    west, south, east, north = area.bounds
    if west < -180 or east > 180 or south < -90 or north > 90:
        wide = abs(west) > 360 or abs(east) > 360 or abs(south) > 90 or abs(north) > 90
        raise InputError(
            f"The area of interest ({_extent(area.bounds)}) is not in longitude and latitude."
            if wide
            else f"The area of interest ({_extent(area.bounds)}) crosses the antimeridian.",
            "Other coordinates need a file with a CRS, or WKT such as 'SRID=32633;POLYGON((...))'."
            if wide
            else "Ask for each side by itself.",
        )
    # Longitudes of 179 and -179 are neighbours on the ground and the ends of a ring that runs around the
    # whole Earth in the numbers.
    if any(shapely.bounds(part)[2] - shapely.bounds(part)[0] > 180 for part in shapely.get_parts(area)):
        raise InputError(
            f"The area of interest ({_extent(area.bounds)}) spans more than 180 degrees, as one does that "
            "crosses the antimeridian.",
            "Ask for each side by itself.",
        )


def _reaches(area: AreaOfInterest, grid: Grid) -> bool:
    return bool(area.in_crs(grid.crs or "", grid.bounds).intersects(shapely.box(*grid.bounds)))


def without_rasters(area: AreaOfInterest, workspace: Workspace) -> str:
    """Return that part of an area lies outside of the rasters of a workspace; empty where none does."""
    grids = list(dict.fromkeys(Grid.of(raster) for raster in workspace.rasters if raster.crs))
    own = area.in_crs(LONGITUDE_LATITUDE)
    outlines = (turn_into(outline, LONGITUDE_LATITUDE, own.bounds) for outline in _outlines(grids))
    ground = shapely.union_all([*outlines])
    if own.is_empty or ground.is_empty:
        return ""
    outside = own.difference(ground).area / own.area
    if outside < _HARDLY:
        return ""
    return f"{'Most' if outside > 0.5 else 'Part'} of the area of interest lies outside of the rasters."


def _outlines(grids: Sequence[Grid]) -> list[BaseGeometry]:
    """Return the bounds of rasters as polygons in longitude and latitude."""
    found = []
    for grid in grids:
        try:
            outline = AreaOfInterest(shapely.box(*grid.bounds), grid.crs or "", "").in_crs(LONGITUDE_LATITUDE)
        except GridMismatch:
            continue
        if not outline.is_empty:
            found.append(outline)
    return found


def _around(grids: Sequence[Grid]) -> tuple[float, float, float, float]:
    """Return the bounds of rasters together, in longitude and latitude."""
    west, south, east, north = shapely.total_bounds(_outlines(grids))
    return float(west), float(south), float(east), float(north)


def _extent(bounds: Sequence[float]) -> str:
    west, south, east, north = (f"{bound:.6g}" for bound in bounds)
    return f"{west} to {east}, {south} to {north}"
