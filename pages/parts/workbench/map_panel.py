"""The map with its controls: which layers, how they are drawn, what lies under a click."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st
from folium.map import Layer

from treeline.core.serving import Style
from treeline.core.serving.tiles import point_values, unit_text
from treeline.core.workspace import Workspace
from treeline.pages.parts.map.area import area_for_map, take_drawing
from treeline.pages.parts.map.bases import BASES, NO_BASE
from treeline.pages.parts.map.class_rows import ClassRows
from treeline.pages.parts.map.layers import Bounds, Entry, ground_of, series_of
from treeline.pages.parts.map.leaflet import VIEW, DrawnLayer, last_answer, show_map
from treeline.pages.parts.map.marks import area_outline, pin
from treeline.pages.parts.map.places import Place, place_marks
from treeline.pages.parts.map.zones import Zone, zone_at, zone_outlines, zone_that_answers
from treeline.pages.parts.shared.address import put_in_address
from treeline.pages.parts.shared.reading import is_reading
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.selection import (
    active_layer,
    is_new_click,
    is_new_date,
    remember_layer,
    select_layer,
    select_pixel,
    select_zone,
    selected_pixel,
    selected_zone,
)
from treeline.pages.parts.shared.session import keep, position_of
from treeline.pages.parts.shared.text import number, plain, tell_apart
from treeline.pages.parts.workbench.area_panel import show_area
from treeline.pages.parts.workbench.pixel import show_pixel
from treeline.pages.parts.workbench.profile import (
    current_line,
    is_open,
    keep_line,
    line_mark,
    show_profile,
    take_line,
)
from treeline.pages.parts.workbench.style_panel import (
    CENTRE,
    OPACITIES,
    PINNED,
    carry_opacity,
    show_style,
    style_of,
)
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.interest import AreaOfInterest

MOST_LISTED = 300
_LIST_WIDTH, _MOST_BELOW = 420, 20
# As parts of the map's width. A layer that is smaller is moved to: one of an area of interest earlier, since
# that is where the person works.
_DOT, _SMALL = 0.1, 0.6
MARKED = "#c2410c"
_FAR_AT_FIRST = "map-far-at-first"


def show_panel(
    workspace: Workspace,
    entries: Sequence[Entry],
    home: Bounds | None,
    view: RunView,
    *,
    area: AreaOfInterest | None,
    zones: Sequence[Zone],
    key: str,
    height: int,
    classes: ClassRows | None = None,
    places_on: Callable[[Entry | None], Sequence[Place]] | None = None,
) -> None:
    """Show the controls and the map, which begins at ``home``.

    Parameters
    ----------
    area : AreaOfInterest, optional
        Of the run that is shown; that of the session goes before it.
    zones : sequence of Zone
        What the answer rests on; a click selects one.
    classes : ClassRows, optional
        The same of a raster of classes.
    places_on : callable, optional
        Returns the points that the answer is about on the layer that is on the map.
    """
    active = active_layer(entries, view)
    # Out of the session, before the map is drawn: a click is known to the controls above the map as well.
    told = last_answer(f"map-{key}")
    if not take_line(told.drawing):
        take_drawing(told.drawing)
    keep_line()
    line = current_line()
    chosen = area_for_map(workspace)
    if active is not None and is_new_date(told.moment):
        left_at = next((entry for entry in series_of(active, entries) if entry.date == told.date), active)
        if left_at is not active:
            select_layer(left_at)
            carry_opacity(active, left_at)
            active = left_at
    remember_layer(active)
    if told.view:
        put_in_address(VIEW, told.view)
    if is_new_click(told.clicked) and told.clicked:
        select_pixel(told.clicked)
        if zones or classes:
            zone = zone_at(zones, *told.clicked)
            select_zone(zone.name if zone else _class_at(classes, *told.clicked))
    pixel = selected_pixel()
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="map-controls"):
        _choose(entries, active)
        _layer_list(entries, active, key)
        if active is not None:
            show_style(active, series_of(active, entries), workspace.rasters)
        _base()
        # An area is for the next question, and may be uploaded.
        if not is_reading():
            show_area(workspace, chosen)
    drawn = layers_to_draw(entries, active)
    answer = view.finished.answer if view.finished else None
    answering = zone_that_answers(zones, answer.text) if answer else ""
    with st.container(key="map-box"):
        show_map(
            [*drawn, *_marked_class(classes)],
            home,
            key=f"map-{key}",
            height=height,
            base=st.session_state.get("base", NO_BASE),
            centre=st.session_state.get(CENTRE) or _far(far_place(active, home, chosen or area)),
            marks=[
                *zone_outlines(zones, selected_zone() or answering),
                *(place_marks(places_on(active)) if places_on else ()),
                *_marks(chosen or area, pixel),
                *([line_mark(line)] if line else []),
            ],
            drawable=not is_reading(),
        )
    along = [item.entry.layer for item in reversed(drawn)] if line else []
    if (pixel is None and not along) or (active is not None and not active.layer.on_map):
        _hint(active)
        return
    products = tuple(entry.layer.description for entry in entries if entry.step is not None)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="map-click"):
        if pixel is not None:
            st.caption(_at(drawn, *pixel), width="content")
            show_pixel(workspace, products, *pixel, active.date if active else "", hidden=is_open())
        if along:
            show_profile(along, line)


def _class_at(classes: ClassRows | None, latitude: float, longitude: float) -> str:
    try:
        values = point_values(classes.layer, longitude, latitude) if classes else []
    except TreelineError:
        values = []
    return classes.at(values[0]) if classes and values else ""


def _marked_class(classes: ClassRows | None) -> list[DrawnLayer]:
    """Return the class that is selected, drawn over all other layers."""
    row = classes.row(selected_zone()) if classes else None
    if classes is None or row is None or not classes.layer.on_map:
        return []
    style = Style("classes", 0.0, 1.0, ((row.number, MARKED),), row.number)
    return [DrawnLayer(Entry(f"class {row.name}", classes.layer, ""), style, 0.75)]


def _marks(area: AreaOfInterest | None, clicked: tuple[float, float] | None) -> list[Layer]:
    return [*(area_outline(area) if area else []), *([pin(*clicked)] if clicked else [])]


def far_place(active: Entry | None, home: Bounds | None, area: AreaOfInterest | None = None) -> Bounds | None:
    """Return where a layer is that would be a dot on the map of the whole workspace.

    A product of a run inside an area is no larger than this.
    """
    bounds = ground_of(active, area) if active and active.layer.on_map else None
    if active is None or bounds is None or home is None:
        return None
    inside = area is not None and active.step is not None
    share = max(bounds[2] - bounds[0], bounds[3] - bounds[1]) / max(home[2] - home[0], home[3] - home[1])
    return bounds if share < (_SMALL if inside else _DOT) else None


def _far(place: Bounds | None) -> Bounds | None:
    """Return where the map is to move to, but not away from the view of an address that was opened."""
    state = st.session_state
    if _FAR_AT_FIRST not in state:
        state[_FAR_AT_FIRST] = place if VIEW in st.query_params else None
    return None if place == state[_FAR_AT_FIRST] else place


def _choose(entries: Sequence[Entry], active: Entry | None) -> None:
    # What is active changes while the browser still reports the former widget. With the active layer in
    # its key, another layer is another widget; a person's choice differs from the widget's own layer.
    by_key = {entry.key: entry for entry in entries_to_offer(entries, active)}
    key = f"layer {active.key}" if active else "layer"

    def choose() -> None:
        chosen = by_key.get(st.session_state[key])
        if chosen is not None and chosen is not active:
            select_layer(chosen)

    st.selectbox(
        "Layer",
        list(by_key),
        list(by_key).index(active.key) if active else None,
        key=key,
        label_visibility="collapsed",
        placeholder="No raster yet",
        format_func=_labels(by_key),
        on_change=choose,
    )


def entries_to_offer(entries: Sequence[Entry], active: Entry | None) -> Sequence[Entry]:
    """Return what the choice offers: of very many layers products and colour images before single bands."""
    if len(entries) <= MOST_LISTED:
        return entries
    ranked = sorted(entries, key=lambda e: (e is not active, e.step is None, e.layer.role != "rgb"))
    return ranked[:MOST_LISTED]


def _labels(by_key: Mapping[str, Entry]) -> Callable[[str], str]:
    """Return what layers are called in a list; those that are called alike with their files."""
    names = {key: entry.layer.description.path.name for key, entry in by_key.items()}
    told = tell_apart({key: _entry_label(entry) for key, entry in by_key.items()}, names)
    return lambda key: told.get(key, key)


def _entry_label(entry: Entry) -> str:
    origin = f"step {entry.step}" if entry.step is not None else "input"
    return f"{entry.title}  —  {origin}{'' if entry.layer.on_map else ', not on the map'}"


def _layer_list(entries: Sequence[Entry], active: Entry | None, key: str) -> None:
    pinned: list[str] = st.session_state.setdefault(PINNED, [])
    with st.popover(
        "Layers",
        icon=":material/layers:",
        help="Which layers stay visible below the chosen one",
        key="layer-list",
        on_change="rerun",
    ) as part:
        if not part.open:
            return
        known = {entry.key: entry for entry in entries}
        kept = [known[key] for key in pinned if key in known][:_MOST_BELOW]
        by_key = {entry.key: entry for entry in (*kept, *entries_to_offer(entries, active))}
        chosen = st.multiselect(
            "Stay visible below the chosen layer",
            list(by_key),
            [entry.key for entry in kept],
            key=f"layers-below-{key}",
            format_func=_labels(by_key),
            placeholder="Type to find a layer",
            max_selections=_MOST_BELOW,
            # Else Enter takes all that match what was typed.
            select_all=False,
            width=_LIST_WIDTH,
        )
        st.caption("The first lies uppermost. With one below it, the map offers swipe and side by side.")
        # Not by the field's own key: it is gone once the popover is closed.
        st.session_state[PINNED] = list(chosen)


def _base() -> None:
    keep("base", NO_BASE)
    with st.popover("Base", icon=":material/public:", help="Base map"):
        bases = [NO_BASE, *BASES]
        st.radio("Base map", bases, position_of("base", bases), key="base")
        st.caption(
            "A base map comes from its provider, who then sees which area you look at. "
            "None: nothing leaves this machine."
        )


def layers_to_draw(entries: Sequence[Entry], active: Entry | None) -> list[DrawnLayer]:
    """Return the layers that are on the map, the active one last, each as it is drawn."""
    pinned: list[str] = st.session_state.get(PINNED, [])
    by_key = {entry.key: entry for entry in entries if entry is not active}
    # The last one lies uppermost on the map, the first one in the list.
    shown = [by_key[key] for key in reversed(pinned) if key in by_key]
    if active is not None:
        shown.append(active)
    opacities = st.session_state.get(OPACITIES, {})
    drawn = []
    for entry in shown:
        series = series_of(entry, entries)
        style = style_of(entry, series) if entry.layer.on_map else None
        if style is not None:
            slid = series if entry is active else ()
            drawn.append(DrawnLayer(entry, style, opacities.get(entry.key, 1.0), slid))
    return drawn


def _hint(active: Entry | None) -> None:
    if active is not None and not active.layer.on_map:
        st.caption(
            f":orange[{plain(active.title)} has no CRS, so it is not on the map; the Data page shows it.]"
        )
        return
    with st.container(key="map-hint"):
        st.caption(
            "Point at the map for a value; click, or press Enter on it, for a pixel's series and spectrum."
        )


def _at(drawn: Sequence[DrawnLayer], latitude: float, longitude: float) -> str:
    found = [
        f"{plain(item.entry.title)} **{_value(item.entry, longitude, latitude)}**" for item in reversed(drawn)
    ]
    return f"At {latitude:.5f}, {longitude:.5f}: " + " · ".join(found[:6])


def _value(entry: Entry, longitude: float, latitude: float) -> str:
    try:
        values = point_values(entry.layer, longitude, latitude)
    except TreelineError:
        return "–"
    names = entry.layer.class_names
    told = [names.get(int(value), "") if value is not None and len(values) == 1 else "" for value in values]
    unit = unit_text(entry.layer.unit)
    shown = [f"{number(value, 5)} {plain(name)}".strip() for value, name in zip(values, told, strict=True)]
    return " ".join(shown) + (f" {plain(unit)}" if unit else "")
