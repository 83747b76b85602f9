"""The catalogue of a workspace: a row for each band."""

from __future__ import annotations

from typing import Any

import streamlit as st

from treeline.core.confinement import call
from treeline.core.serving import LAYERS, MapLayer
from treeline.core.workspace import Workspace
from treeline.pages.parts.shared.choice import choose_row
from treeline.pages.parts.shared.look import table_height
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import Source, statistics
from treeline.toolkit.recognition import Band

CHOSEN = "band-chosen"
_WIDTHS: dict[str, int | None] = {
    "band": 50, "role": 85, "date": 110, "sensor": None, "size": None, "pixel": 50, "scale": 60,
    "offset": 50, "unit": 45, "no data": 80,
}  # fmt: skip
_HELP = {
    "size": "Columns and rows.",
    "pixel": "Width of a pixel in the unit of the CRS: metres mostly, degrees for EPSG:4326.",
    "scale": "The value is the stored number times the scale plus the offset.",
    "no data": "Stored numbers that mean no data. A star: nothing declares it, the values show it. "
    "A question mark: it may be no data or a value.",
}


def rows_of(workspace: Workspace) -> list[dict[str, Any]]:
    """Return a row for each band of each raster, in the order of the collections."""
    return [
        _row(handle, member.date_text, Source(member.description, member.band))
        for handle, collection in workspace.collections.items()
        for member in collection.members
    ]


def _row(handle: str, date: str, source: Source) -> dict[str, Any]:
    raster, band = source.description, source.band
    return {
        "preview": preview_address(source),
        "handle": handle,
        "name": raster.path.name,
        "band": band.name if len(raster.bands) > 1 else "",
        "role": band.role or "unknown",
        "date": date or "no date",
        "sensor": raster.sensor or "",
        "crs": _short(raster.crs),
        "size": f"{raster.width} × {raster.height}",
        "pixel": _pixel(raster.transform[0], raster.crs),
        "scale": f"{band.scale:g}" if band.scale_known else "not known",
        "offset": f"{band.offset:g}",
        "unit": source.unit,
        "no data": fill_text(band),
        "source": source,
        "key": f"{raster.path}#{band.index}",
    }


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
    """Return where a preview of a band is served."""
    try:
        return f"/tiles/{LAYERS.token(MapLayer.of((source,), source.name))}/preview.png?size={size}"
    except OSError:
        return None


def show_catalogue(rows: list[dict[str, Any]]) -> Source | None:
    """Show the catalogue and return the band that is selected."""
    shown = [{key: value for key, value in row.items() if key not in ("source", "key")} for row in rows]
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
    chosen = choose_row(
        shown, [row["key"] for row in rows], CHOSEN, column_config=config,
        height=table_height(len(rows), 700), alt="Bands of the workspace",
    )  # fmt: skip
    return next((row["source"] for row in rows if row["key"] == chosen), None)


def statistics_text(source: Source) -> str:
    """Return range and mean of a band in one line, or why there are none."""
    try:
        found = call(statistics, source)
    except TreelineError as error:
        return str(error)
    valid = 100 * found.count_valid / max(found.count_total, 1)
    values = f"{found.min:.5g} to {found.max:.5g}, mean {found.mean:.5g}"
    return f"{values}; {valid:.1f} % of {found.count_total:,} pixels are valid"
