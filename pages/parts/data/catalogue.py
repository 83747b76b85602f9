"""The catalogue of a workspace: a row for each band, or for each collection, scene or date."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from treeline.core.confinement import call
from treeline.core.serving import LAYERS, MapLayer
from treeline.core.workspace import Workspace
from treeline.core.workspace.duplicates import find_duplicates
from treeline.pages.parts.shared.choice import choose_row, choose_rows
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.text import count_text
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import Source, statistics
from treeline.toolkit.recognition import Band

CHOSEN, CHOSEN_MANY = "band-chosen", "bands-chosen"
BANDS, COLLECTIONS, SCENES, DATES = "Bands", "Collections", "Scenes", "Dates"
_ROWS = "catalogue-rows"
_HEIGHT = 640
# Beside a band the table is too narrow for its columns: the bar to move it would lie over its last row.
_BAR = 12
_MOST_NAMED = 6
_WIDTHS: dict[str, int | None] = {
    "band": 50,
    "role": 85,
    "date": 110,
    "sensor": None,
    "size": None,
    "pixel": 50,
    "scale": 60,
    "offset": 50,
    "unit": 45,
    "no data": 80,
    "duplicate of": 150,
}
_HELP = {
    "size": "Columns and rows.",
    "pixel": "Width of a pixel in the unit of the CRS: metres mostly, degrees for EPSG:4326.",
    "scale": "The value is the stored number times the scale plus the offset.",
    "no data": "Stored numbers that mean no data. A star: nothing declares it, the values show it. "
    "A question mark: it may be no data or a value.",
    "duplicate of": "The same bytes stand in that file.",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A band in the catalogue.

    Attributes
    ----------
    date : str
        Empty where it is not known.
    twin : Path, optional
        Another file with the same bytes.
    """

    handle: str
    date: str
    source: Source
    twin: Path | None = None

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return key_of_band(self.source.path, self.source.band.index)


def key_of_band(path: Path, band: int) -> str:
    """Return what tells a band from all others, for addresses, which name no folder of the server."""
    folder = hashlib.sha256(os.fsencode(path.parent)).hexdigest()[:8]
    return f"{path.name}#{band}@{folder}"


def rows_of(workspace: Workspace) -> list[Row]:
    """Return a row for each band of each raster, in the order of the collections."""
    kept, rows = st.session_state.get(_ROWS, (None, []))
    # The same tuple until the files are looked at anew.
    if kept is not workspace.rasters:
        twins = find_duplicates(workspace.rasters)
        rows = [
            Row(
                handle,
                member.date_text,
                Source(member.description, member.band),
                twins.get(member.description.path),
            )
            for handle, collection in workspace.collections.items()
            for member in collection.members
        ]
        st.session_state[_ROWS] = (workspace.rasters, rows)
    return list(rows)


def _cells(row: Row) -> dict[str, Any]:
    raster, band = row.source.description, row.source.band
    cells = {
        "preview": preview_address(row.source),
        "handle": row.handle,
        "name": raster.path.name,
        "band": band.name if len(raster.bands) > 1 else "",
        "role": band.role or "unknown",
        "date": row.date or "no date",
        "sensor": raster.sensor or "",
        "crs": _short(raster.crs),
        "size": f"{raster.width} × {raster.height}",
        "pixel": _pixel(raster.transform[0], raster.crs),
        "scale": f"{band.scale:g}" if band.scale_known else "not known",
        "offset": f"{band.offset:g}",
        "unit": row.source.unit,
        "no data": fill_text(band),
    }
    return cells | ({"duplicate of": row.twin.name} if row.twin else {})


def fill_text(band: Band) -> str:
    """Return the stored values that mean no data, marked where nothing declares them."""
    known = [f"{value:g}{'*' if value in band.recognised else ''}" for value in band.fill]
    return ", ".join([*known, *(f"{value:g}?" for value in band.doubtful)])


def _short(crs: str | None) -> str:
    if crs is None:
        return "none"
    return crs if len(crs) < 20 else f"{crs[:18]}…"


def _pixel(size: float, crs: str | None) -> str:
    return f"{abs(size):.4g}" if crs else ""


def preview_address(source: Source, size: int = 64) -> str | None:
    """Return where a preview of a band is served, relative to the page."""
    try:
        return f"tiles/{LAYERS.token(MapLayer.of((source,), source.name))}/preview.png?size={size}"
    except OSError:
        return None


def show_catalogue(rows: Sequence[Row], grouping: str, *, several: bool) -> list[Row]:
    """Show the catalogue and return the bands that are chosen in it.

    Parameters
    ----------
    several : bool
        Whether more than one can be chosen.
    """
    state = state_of_choice(grouping, several=several)
    if grouping == BANDS:
        return _show_bands(rows, state, several=several)
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_GROUPS[grouping](row), []).append(row)
    if grouping in (SCENES, DATES):
        groups = dict(sorted(groups.items()))
    shown = [_summary(groups[name]) | {grouping.removesuffix("s"): name or "no date"} for name in groups]
    shown = [{key: row[key] for key in _COLUMNS[grouping]} for row in shown]
    chosen = _choose(shown, list(groups), state, several=several, alt=f"{grouping} of the workspace")
    return [row for name in chosen for row in groups[name]]


def state_of_choice(grouping: str, *, several: bool) -> str:
    """Return where the session keeps what is chosen in the catalogue."""
    return ("" if grouping == BANDS else f"{grouping}-") + (CHOSEN_MANY if several else CHOSEN)


def _scene(row: Row) -> str:
    """Return what a place at one moment is called, be it one file or a file for each band."""
    return f"{row.source.description.place} \u00b7 {row.date}" if row.date else row.source.path.name


_GROUPS: Mapping[str, Callable[[Row], str]] = {
    COLLECTIONS: lambda row: row.handle,
    SCENES: _scene,
    DATES: lambda row: row.date[:10],
}


_IN_ALL = ("Roles", "Sensor", "CRS", "Size")
_COLUMNS: Mapping[str, Sequence[str]] = {
    COLLECTIONS: ("Collection", "Files", "Dates", *_IN_ALL),
    SCENES: ("Scene", "Files", "Bands", *_IN_ALL),
    DATES: ("Date", "Files", "Bands", *_IN_ALL),
}


def _summary(rows: Sequence[Row]) -> dict[str, Any]:
    """Return what bands have in common, and how many there are."""
    rasters = {row.source.path: row.source.description for row in rows}
    dates = sorted({row.date for row in rows if row.date})
    sizes = {f"{raster.width} × {raster.height}" for raster in rasters.values()}
    return {
        "Files": len(rasters),
        "Bands": len(rows),
        "Roles": _join_names(row.source.band.role or "unknown" for row in rows),
        "Dates": dates[0] + (f" to {dates[-1]}" if len(dates) > 1 else "") if dates else "no date",
        "Sensor": _join_names(raster.sensor or "" for raster in rasters.values()),
        "CRS": _join_names(_short(raster.crs) for raster in rasters.values()),
        "Size": next(iter(sizes)) if len(sizes) == 1 else count_text(len(sizes), "size"),
    }


def _join_names(names: Any) -> str:
    found = list(dict.fromkeys(name for name in names if name))
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    return ", ".join(found[:_MOST_NAMED]) + more


def _show_bands(rows: Sequence[Row], state: str, *, several: bool) -> list[Row]:
    config: dict[str, Any] = {
        "preview": st.column_config.ImageColumn("", width=44),
        "handle": st.column_config.TextColumn(
            "Handle", width=95, help="How questions and tools address the collection."
        ),
        "name": st.column_config.TextColumn("File", width=165),
        "crs": "CRS",
        **{
            name: st.column_config.TextColumn(name.capitalize(), width=width, help=_HELP.get(name))
            for name, width in _WIDTHS.items()
        },
    }
    chosen = _choose(
        [_cells(row) for row in rows],
        [row.key for row in rows],
        state,
        several=several,
        column_config=config,
        alt="Bands of the workspace",
    )
    by_key = {row.key: row for row in rows}
    return [by_key[key] for key in chosen]


def _choose(
    shown: Sequence[Mapping[str, Any]], keys: Sequence[str], state: str, *, several: bool, **how: Any
) -> list[str]:
    height = table_height(len(shown), _HEIGHT) + _BAR
    if several:
        return choose_rows(shown, keys, state, height=height, **how)
    chosen = choose_row(shown, keys, state, height=height, **how)
    return [chosen] if chosen is not None else []


def statistics_text(source: Source) -> str:
    """Return range and mean of a band in one line, or why there are none."""
    try:
        found = call(statistics, source)
    except TreelineError as error:
        return str(error)
    valid = 100 * found.count_valid / max(found.count_total, 1)
    values = f"{found.min:.5g} to {found.max:.5g}, mean {found.mean:.5g}"
    return f"{values}; {valid:.1f} % of {found.count_total:,} pixels are valid"
