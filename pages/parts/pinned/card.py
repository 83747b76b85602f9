"""A pinned answer: the question, the answer, its map and chart, what changed, and how it is asked again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

import shapely
import streamlit as st

from treeline.core.access import ALL, Grant, acting_person
from treeline.core.confinement import call
from treeline.core.engine.journal import ending_of, events_of
from treeline.core.record.pins import Pin
from treeline.core.record.store import RunRecord
from treeline.core.runs.pins import INTERVALS, Change
from treeline.core.runs.rephrasing import thread_of, whole_question
from treeline.core.runs.result import RunResult
from treeline.core.serving import MapLayer, Style, default_style
from treeline.core.serving.picture import DOTS, Outline, View, draw_map
from treeline.core.serving.tiles import unit_text
from treeline.pages.parts.map.class_rows import ClassRows, class_rows_of
from treeline.pages.parts.map.layers import Bounds, Entry, ground_of, inputs_of, product_entries
from treeline.pages.parts.map.places import places_of, places_of_answer
from treeline.pages.parts.map.zones import MOST_LABELLED, Zone, zones_of
from treeline.pages.parts.shared.answer import show_text, standing, without_file_names
from treeline.pages.parts.shared.clock import moment_text
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.opening import open_run
from treeline.pages.parts.shared.run_view import RunView, run_view
from treeline.pages.parts.shared.selection import layer_of_run
from treeline.pages.parts.shared.services import area_of_run, services
from treeline.pages.parts.shared.sharing import asker_text
from treeline.pages.parts.shared.text import plain
from treeline.pages.parts.shared.theme import is_dark
from treeline.pages.parts.workbench.series import evidence_series, show_series
from treeline.pages.parts.workbench.zone_bars import bars_of, show_zone_bars
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.raster.pictures import map_picture

_CHART_HEIGHT = 180
# What is shorter is written large, to be read from afar.
_SHORT = 60
_FOLLOWED = " \u2192 "
# A card is a third as wide as the picture: what is written in it is twice as large.
_DOTS = 2 * DOTS
# What a difference of two values is called where it is not as the values are.
_DIFFERENCES = {"%": "percentage points"}


def show_card(pin: Pin, *, wall: bool) -> None:
    """Show a pinned answer; on a wall without what can be pressed.

    While it is asked again, the answer before stays in sight.
    """
    record = services().manager.record(pin.run)
    shown = pin if record.is_finished else _before(pin)
    result = services().pins.result(shown)
    with st.container(border=True, key=f"pin-{pin.id}"):
        # A fragment alone says nothing to who was not there.
        asked = [whole_question(each) for each in thread_of(services().store, record)]
        st.markdown(f"**{plain(_FOLLOWED.join(asked))}**")
        if result.read_as:
            st.caption(f"Read as: {plain(result.read_as)}")
        _show_answer(record, result)
        _show_change(services().pins.change(pin))
        _show_evidence(shown, result)
        st.caption(_describe_time(pin, record))
        if not wall:
            if record.is_finished and services().pins.has_news(pin):
                told = "Files came in, changed or went since: ask again to see what that changes."
                st.caption(f":material/new_releases: {told}")
            _show_controls(pin, record)


def _before(pin: Pin) -> Pin:
    """Return a pin as it was before it was asked again; as it is where the run before is gone."""
    known = pin.before and services().manager.store.run(pin.before) is not None
    return replace(pin, run=pin.before) if known else pin


def _show_answer(record: RunRecord, result: RunResult) -> None:
    colour, icon, word = standing(record.status, ending_of(services().store, record.id))
    if record.status != "answered":
        st.badge(word, icon=f":material/{icon}:", color=colour)  # type: ignore[arg-type]
    if result.answer:
        lead = "### " if len(result.answer) < _SHORT else ""
        show_text(result.answer, lead=lead, key=f"listing-{record.id}")
    elif record.is_finished:
        st.caption(plain(result.reason))


def _show_change(change: Change | None) -> None:
    if change is None:
        return
    if change.same:
        st.caption(":material/drag_handle: As before")
        return
    told = ""
    if change.difference:
        unit = _DIFFERENCES.get(change.unit) or unit_text(change.unit)
        told = f"{change.difference:+.4g}{f' {unit}' if unit else ''}; "
    st.markdown(f":material/change_history: **{told}before:** {plain(without_file_names(change.before))}")


def _show_picture(pin: Pin, result: RunResult) -> None:
    if not result.map or not result.map.lower().endswith((".tif", ".tiff")):
        return
    try:
        path = Path(result.map)
        area = area_of_run(pin.run)
        picture = _picture(path, path.stat().st_mtime_ns, result.map_title, is_dark(), area)
        st.image(picture, width="stretch", alt=f"Map {path.stem}")
    except (TreelineError, OSError):
        st.caption("The map of this answer no longer exists.")


@lru_cache(maxsize=32)
def _picture(path: Path, modified: int, title: str, dark: bool, area: AreaOfInterest | None) -> bytes:
    return call(partial(map_picture, dark=dark), path, title, area)


def _show_evidence(pin: Pin, result: RunResult) -> None:
    """Show the map that answers, else what the answer was measured on; and its values by date or by zone."""
    view = run_view(events_of(services().store, pin.run))
    answer = view.finished.answer if view.finished else None
    if answer is None:
        return
    workspace = services().manager.workspace(pin.workspace)
    series = evidence_series(view, answer, workspace)
    zones = () if series.points else zones_of(view, workspace, inputs_of(workspace).bounds)
    classes = None if series.points or zones else class_rows_of(view, workspace)
    if answer.map and not places_of_answer(view, answer):  # of a few pixels nothing would be seen
        _show_picture(pin, result)
    else:
        _show_measured(pin, view, zones, classes)
    if series.points:
        # Which step measured it, nobody asks of a wall.
        show_series(replace(series, title=""), height=_CHART_HEIGHT, key=f"series-{pin.id}")
    elif bars := bars_of(zones or (classes.rows if classes else ())):
        show_zone_bars(bars, what=classes.what if classes else "", key=f"bars-{pin.id}")


def _show_measured(pin: Pin, view: RunView, zones: Sequence[Zone], classes: ClassRows | None) -> None:
    """Show what was measured, with the zones and the places over it; of classes the classes."""
    workspace = services().manager.workspace(pin.workspace)
    entries = [*reversed(product_entries(view.products, view.steps)), *inputs_of(workspace).entries]
    entry = Entry("classes", classes.layer, "") if classes else layer_of_run(entries, view)
    area = area_of_run(pin.run)
    bounds = ground_of(entry, area) if entry else None
    if entry is None or bounds is None:
        return
    outlines = [Outline(z.geometry, z.label if len(zones) <= MOST_LABELLED else "") for z in zones]
    places = places_of(view, entries, area, entry)
    outlines += [Outline(shapely.Point(each.longitude, each.latitude), each.label) for each in places]
    try:
        style, dark = default_style(entry.layer), is_dark()
        picture = _measured_picture(pin.run, entry.layer, style, bounds, outlines, dark)
        st.image(picture, width="stretch", alt=f"Map of {entry.title}")
    except (TreelineError, OSError):
        st.caption("The map of this answer no longer exists.")


@st.cache_data(max_entries=64, show_spinner=False)
def _measured_picture(
    run: str, _layer: MapLayer, _style: Style, _bounds: Bounds, _outlines: Sequence[Outline], dark: bool
) -> bytes:
    """Return the map of a run that has ended, which stays as it is."""
    drawn = partial(draw_map, dark=dark)
    return call(drawn, [(_layer, _style, 1.0)], View.over(_bounds), _outlines, _DOTS)


def _describe_time(pin: Pin, record: RunRecord) -> str:
    told = f"Asked {moment_text(record.created)}{asker_text(record)}"
    if pin.every:
        told += f"; {INTERVALS[pin.every].lower()} looks for new scenes, last on {moment_text(pin.looked)}"
    return told


def _show_controls(pin: Pin, record: RunRecord) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if services().pins.is_own(pin):
            _show_audience(pin)
            st.button(
                "Ask again",
                icon=":material/refresh:",
                key=f"again-{pin.id}",
                disabled=not record.is_finished,
                on_click=_tell_refusal,
                args=("ask", pin.id),
            )
            st.selectbox(
                "Look for new scenes",
                list(INTERVALS),
                list(INTERVALS).index(pin.every),
                format_func=INTERVALS.__getitem__,
                key=f"every-{pin.id}",
                width=170,
                on_change=_tell_refusal,
                args=("schedule", pin.id),
            )
            st.button(
                "Unpin",
                icon=":material/keep_off:",
                type="tertiary",
                key=f"unpin-{pin.id}",
                on_click=_tell_refusal,
                args=("remove", pin.id),
            )
        if st.button("Open", icon=":material/explore:", type="tertiary", key=f"open-{pin.id}"):
            open_run(record)


def _show_audience(pin: Pin) -> None:
    """Let the person show a pin of an own run to all who see its workspace, or keep it."""
    thing = None if acting_person().local else services().sharing.thing("run", pin.run)
    if thing is None:
        return
    st.toggle(
        "Colleagues see it",
        thing.visibility == "public",
        key=f"seen-{pin.id}-{pin.run}",
        help="All who may see this workspace see the answer as well.",
        on_change=_set_audience,
        args=(pin,),
    )


def _set_audience(pin: Pin) -> None:
    sharing, key = services().sharing, f"seen-{pin.id}-{pin.run}"
    thing, wanted = sharing.thing("run", pin.run), st.session_state.get(key)
    # The switch of a run before, which has gone, is told of once more: it stood as it was.
    if thing is None or wanted is None or wanted == (thing.visibility == "public"):
        return
    try:
        if wanted:
            sharing.share("run", pin.run, Grant(ALL))
        else:
            sharing.withdraw("run", pin.run, ALL)
    except TreelineError as error:
        st.toast(plain(str(error)), icon=":material/error:")


def _tell_refusal(what: str, pin: str) -> None:
    """Do something to a pin, and say why where it cannot be done."""
    pins = services().pins
    try:
        match what:
            case "ask":
                pins.ask(pin, session_endpoint())
            case "schedule":
                pins.schedule(pin, st.session_state[f"every-{pin}"])
            case _:
                pins.remove(pin)
    except TreelineError as error:
        st.toast(plain(str(error)), icon=":material/error:")
