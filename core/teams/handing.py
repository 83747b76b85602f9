"""What a member is handed over, as it was for who made it: one collection with its dates, role and place."""

from __future__ import annotations

from collections.abc import Container, Mapping
from copy import copy
from dataclasses import replace
from pathlib import Path

from treeline.core.engine.rundata import Inheritance, RunData, read_recorded_date
from treeline.core.teams.model import Member
from treeline.core.workspace import Collection, collect, members_of
from treeline.toolkit.recognition.model import RasterDescription


def apply_handover(data: RunData, member: Member) -> RunData:
    """Return a run's data in which what was handed over has the role, date and place it was made with."""
    known = _inputs_of(member)
    if not known:
        return data
    workspace = copy(data.workspace)
    folders = {Path(path).parent for path in known}
    described = [(raster, raster.path.resolve()) for raster in data.workspace.rasters]
    made = {
        path: _describe_product(raster, *known[str(path)][:3])
        for raster, path in described
        if str(path) in known
    }
    # What else a member left in its folder is not handed over, and would be told as rasters of no series.
    own = tuple(raster for raster, path in described if path.parent not in folders)
    collections = collect(members_of(own), kept=data.workspace.handles)
    inputs = list(collections)
    # What was one collection by itself: of one role and date there may be rasters with clouds and without,
    # or of several members.
    series = {path: (path.parent, known[str(path)][3]) for path in made}
    for own_series in dict.fromkeys(series[Path(path)] for path in known if Path(path) in series):
        rasters = [raster for path, raster in made.items() if series[path] == own_series]
        before = [handle for handle in collections if handle not in inputs]
        found = collect(members_of(rasters), taken=inputs, besides=before)
        collections |= _under_its_handle(found, own_series[1], collections)
    workspace.__dict__["rasters"] = (*own, *made.values())
    workspace.__dict__["collections"] = collections
    data.workspace = workspace
    data.resolver.handed.update({path: inherited for path, (_, _, inherited, _) in known.items()})
    return data


def _under_its_handle(
    found: Mapping[str, Collection], handle: str, others: Container[str]
) -> dict[str, Collection]:
    """Return what was one collection where it was made under its handle there, if that is free."""
    if not handle or handle in others or len(found) != 1:
        return dict(found)
    return {handle: replace(next(iter(found.values())), handle=handle)}


def _inputs_of(member: Member) -> Mapping[str, tuple[str, str, Inheritance, str]]:
    """Return role, unit, what is inherited and handle of each raster that was handed over, by its path."""
    return {
        str(Path(address.partition("#")[0]).resolve()): (
            layer.role,
            layer.unit,
            Inheritance(*read_recorded_date(date), layer.place),
            layer.handle,
        )
        for layer in member.handed
        for address, date in zip(layer.addresses, layer.dates, strict=True)
    }


def _describe_product(
    raster: RasterDescription, role: str, unit: str, inherited: Inheritance
) -> RasterDescription:
    bands = raster.bands
    if len(bands) == 1:
        bands = (replace(bands[0], role=role or bands[0].role, unit=unit or bands[0].unit),)
    return replace(
        raster, bands=bands, date=inherited.date, date_precision=inherited.precision, place=inherited.place
    )
