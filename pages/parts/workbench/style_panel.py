"""How a layer is drawn: opacity, colours, range, and which bands make a colour image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from treeline.core.serving import Style, style_in_series
from treeline.core.serving.layers import class_title
from treeline.core.serving.styles import COLORMAPS, colours_of, histogram, percentile_range, reverse_colormap
from treeline.pages.parts.map.composites import USUAL, Roles, bands_beside, composite_entries, roles_in
from treeline.pages.parts.map.layers import Bounds, Entry, geographic_bounds, roles_of
from treeline.pages.parts.shared.selection import select_layer, selected_layer
from treeline.pages.parts.shared.text import plain
from treeline.pages.parts.shared.theme import INK, is_dark
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.recognition.model import RasterDescription

STYLES, OPACITIES, CENTRE, COMPOSITES = "layer-styles", "layer-opacities", "map-centre", "composites"
PINNED = "layers-pinned"
_STRETCHES = {"2 to 98 %": (2.0, 98.0), "5 to 95 %": (5.0, 95.0), "All": (0.0, 100.0)}
_HISTOGRAM, _WIDTH = 96, 340
_CLASS_COLUMNS = 2
_ENDS = "#c2410c"
_BAND_COLOURS = ("#c0392b", "#2e7d32", "#2166ac")


def show_style(entry: Entry, alike: Sequence[Entry], rasters: tuple[RasterDescription, ...]) -> None:
    """Show the button of a layer's style, and what lies behind it.

    Parameters
    ----------
    alike : sequence of Entry
        The layer's own series, which shares its colours and their range.
    rasters : tuple of RasterDescription
        Of the workspace; the bands of the layer's scene can be composed.
    """
    with st.popover(
        "Style",
        icon=":material/palette:",
        help="Colours, range, bands, opacity",
        key="layer-style",
        on_change="rerun",
    ) as part:
        if not part.open:
            return
        # Narrow, so that the map is seen beside it.
        body = st.container(width=_WIDTH)
    with body:
        st.markdown(f"**{plain(entry.title)}**")
        st.caption(_origin(entry))
        _composite(entry, rasters)
        _colours(entry, alike)
        opacities: dict[str, float] = st.session_state.setdefault(OPACITIES, {})
        opacities[entry.key] = st.slider(
            "Opacity", 0.0, 1.0, opacities.get(entry.key, 1.0), 0.05, key=f"opacity {entry.key}"
        )
        with st.container(horizontal=True, gap="xsmall"):
            st.button(
                "Usual style",
                icon=":material/restart_alt:",
                key="usual-style",
                on_click=_forget,
                args=(entry, alike),
            )
            if st.button("Zoom to layer", icon=":material/center_focus_strong:", key="zoom-to-layer"):
                st.session_state[CENTRE] = _move(geographic_bounds(entry.layer.description))
                st.rerun(scope="fragment")


def _origin(entry: Entry) -> str:
    """Return where a layer comes from: its files, and the step that wrote them."""
    names = list(dict.fromkeys(source.path.name for source in entry.layer.sources))
    written = f", written by step {entry.step}" if entry.step is not None else ""
    return plain(f"{', '.join(names)}{written}")


def style_of(entry: Entry, alike: Sequence[Entry] = ()) -> Style | None:
    """Return how an entry is drawn; ``None`` when its file is not readable any more.

    Parameters
    ----------
    alike : sequence of Entry
        Its series: what was chosen for one date holds for all, and so does the range that is usual.
    """
    styles: dict[str, Style] = st.session_state.get(STYLES, {})
    chosen = next((styles[each.key] for each in (entry, *alike) if each.key in styles), None)
    try:
        usual = style_in_series(entry.layer, [each.layer for each in alike])
    except TreelineError:
        return chosen
    return chosen if chosen is not None and _is_of_kind(chosen, usual) else usual


def _is_of_kind(chosen: Style, usual: Style) -> bool:
    """Return whether a style, which an address may have brought, suits a layer of this usual style."""
    kinds = {style.colormap if style.colormap in ("rgb", "classes") else "ramp" for style in (chosen, usual)}
    return len(kinds) == 1


def chosen_composites(rasters: tuple[RasterDescription, ...]) -> list[Entry]:
    """Return the layers of the composites that were asked for in the session, or by the address."""
    state = st.session_state
    asked = [selected_layer() or "", *state.get(PINNED, ())]
    named = [roles for key in asked if (roles := roles_in(key)) is not None]
    return composite_entries(rasters, dict.fromkeys([*state.get(COMPOSITES, ()), *named]))


def _composite(entry: Entry, rasters: tuple[RasterDescription, ...]) -> None:
    """Offer colour images of any three bands of the layer's scene."""
    bands = bands_beside(entry, rasters)
    if len(bands) < len(_BAND_COLOURS):
        return
    shown = roles_of(entry) if entry.layer.is_colour else ()
    usual = {name: roles for name, roles in USUAL.items() if bands.keys() >= set(roles)}
    with st.expander(
        "Colour image of three bands", icon=":material/filter_b_and_w:", expanded=entry.layer.is_colour
    ):
        with st.container(horizontal=True, gap="xsmall"):
            for name, roles in usual.items():
                st.button(
                    name,
                    key=f"composite-{name}",
                    type="primary" if roles == shown else "secondary",
                    on_click=_compose,
                    args=(roles, entry, rasters),
                    help=", ".join(roles),
                )
        chosen = []
        for place, (column, label) in enumerate(zip(st.columns(3), ("Red", "Green", "Blue"), strict=True)):
            first = shown[place] if len(shown) > place and shown[place] in bands else None
            names = sorted(bands)
            chosen.append(
                column.selectbox(
                    label,
                    names,
                    names.index(first) if first else None,
                    key=f"band-{label} {entry.key}",
                    placeholder="Band",
                )
            )
        red, green, blue = chosen
        if red and green and blue:
            st.button(
                "Show these",
                icon=":material/check:",
                key="compose",
                on_click=_compose,
                args=((red, green, blue), entry, rasters),
                disabled=(red, green, blue) == shown,
            )


def _compose(roles: Roles, entry: Entry, rasters: tuple[RasterDescription, ...]) -> None:
    known: list[Roles] = st.session_state.setdefault(COMPOSITES, [])
    if roles not in known:
        known.append(roles)
    own = bands_beside(entry, rasters)[roles[0]].path
    made = composite_entries(rasters, [roles])
    select_layer(next(each for each in made if each.layer.sources[0].path == own))


def _move(bounds: Bounds | None) -> Bounds | None:
    # The map moves only to a place that differs from the one before: the same one must differ a little.
    if bounds is None or st.session_state.get(CENTRE) != bounds:
        return bounds
    return (bounds[0] + 1e-7, *bounds[1:])


def _forget(entry: Entry, alike: Sequence[Entry]) -> None:
    _forget_styles(entry, alike)
    st.session_state.get(OPACITIES, {}).pop(entry.key, None)


def _forget_styles(entry: Entry, alike: Sequence[Entry]) -> dict[str, Style]:
    styles: dict[str, Style] = st.session_state.setdefault(STYLES, {})
    for each in (entry, *alike):
        styles.pop(each.key, None)
    return styles


def _take(entry: Entry, alike: Sequence[Entry], style: Style) -> None:
    """Keep a style that was chosen, once for all of a series."""
    styles = _forget_styles(entry, alike)
    styles[entry.key] = style


def carry_opacity(before: Entry, after: Entry) -> None:
    """Draw the layer of another date as opaque as the one before."""
    opacities: dict[str, float] = st.session_state.get(OPACITIES, {})
    if before.key in opacities:
        opacities[after.key] = opacities[before.key]


def _colours(entry: Entry, alike: Sequence[Entry]) -> None:
    style = style_of(entry, alike)
    if style is None:
        return
    if style.colormap == "classes":
        _class_colours(entry, alike, style)
        return
    colormap = style.colormap
    if colormap != "rgb":
        ramps = list(dict.fromkeys([colormap, *COLORMAPS]))
        column, other = st.columns([3, 2], vertical_alignment="bottom")
        # With the value in its key a field begins anew where another control has changed what it shows.
        colormap = column.selectbox("Colours", ramps, 0, key=f"colormap {entry.key} {colormap}")
        if other.button("Turn round", icon=":material/swap_horiz:", key="turn-colours"):
            colormap = reverse_colormap(colormap)
    _histogram(entry, style)
    if colormap != "rgb":
        _stretch(entry, alike, colormap)
    low_column, high_column = st.columns(2)
    ends = f"{style.low:g} {style.high:g} {entry.key}"
    low = low_column.number_input("From", value=style.low, key=f"low {ends}", format="%.4g")
    high = high_column.number_input("To", value=style.high, key=f"high {ends}", format="%.4g")
    if colormap == "rgb":
        st.caption("0 and 1 are the 2nd and 98th percentile of each band, bright clouds left out.")
    if high > low:
        chosen = Style(colormap, low, high)
        if chosen != style:
            _take(entry, alike, chosen)
            # The fields have the range in their keys: those that are drawn already are of the range before.
            st.rerun(scope="fragment")
    else:
        st.caption(":orange[The range is empty: 'to' must be above 'from'.]")


def _class_colours(entry: Entry, alike: Sequence[Entry], style: Style) -> None:
    """Offer a colour for each class."""
    names = entry.layer.class_names
    colours = {value: colour for value, colour in colours_of(entry.layer, style).items() if colour[3]}
    columns = st.columns(_CLASS_COLUMNS)
    chosen = dict(style.colours)
    for place, (value, (red, green, blue, _)) in enumerate(colours.items()):
        before = f"#{red:02x}{green:02x}{blue:02x}"
        name = class_title(names, value)
        with columns[place % _CLASS_COLUMNS]:
            picked = st.color_picker(plain(name), before, key=f"class {value:g} {before} {entry.key}")
        if picked.lower() != before:
            chosen[value] = picked.lower()
    if chosen != dict(style.colours):
        _take(entry, alike, replace(style, colours=tuple(chosen.items())))
        st.rerun(scope="fragment")


def _histogram(entry: Entry, style: Style) -> None:
    """Show how often values occur, with the ends of the colours; of a colour image a line a band."""
    try:
        found = [histogram(source) for source in entry.layer.sources]
    except TreelineError:
        return
    lines = [
        _counts(counts, low, high, _BAND_COLOURS[place] if len(found) > 1 else "#7a8a85")
        for place, (counts, low, high) in enumerate(found)
        if counts
    ]
    if not lines:
        return
    if len(found) == 1:
        lines[0]["markLine"] = {
            "symbol": "none",
            "silent": True,
            "label": {"show": False},
            "lineStyle": {"color": _ENDS, "width": 1.5},
            "data": [{"xAxis": style.low}, {"xAxis": style.high}],
        }
    ends = [min(low for _, low, _ in found), max(high for _, _, high in found)]
    if len(found) == 1:
        ends = [min(ends[0], style.low), max(ends[1], style.high)]
    st.echarts_chart(
        {
            "animation": False,
            "grid": {"left": 8, "right": 8, "top": 4, "bottom": 18},
            "xAxis": {
                "type": "value",
                "min": ends[0],
                "max": ends[1],
                "splitNumber": 4,
                "splitLine": {"show": False},
                "axisLabel": {
                    "fontSize": 10,
                    "color": INK[is_dark()],
                    "hideOverlap": True,
                    "showMinLabel": False,
                    "showMaxLabel": False,
                },
            },
            "yAxis": {"type": "value", "show": False},
            "series": lines,
        },
        height=_HISTOGRAM,
        renderer="svg",
        key=f"histogram-{entry.key}",
        alt=f"Histogram of {entry.title}, drawn from {style.low:.4g} to {style.high:.4g}",
    )


def _counts(counts: Sequence[int], low: float, high: float, colour: str) -> dict[str, Any]:
    width = (high - low) / len(counts)
    return {
        "type": "line",
        "step": "middle",
        "symbol": "none",
        "lineStyle": {"width": 1, "color": colour},
        "areaStyle": {"color": colour, "opacity": 0.35},
        "data": [[float(f"{low + (place + 0.5) * width:.6g}"), count] for place, count in enumerate(counts)],
    }


def _stretch(entry: Entry, alike: Sequence[Entry], colormap: str) -> None:
    """Offer ranges that follow from the values."""
    with st.container(horizontal=True, gap="xsmall"):
        for label, (least, most) in _STRETCHES.items():
            st.button(
                label,
                key=f"stretch-{label}",
                on_click=_take_range,
                args=(entry, alike, colormap, least, most),
            )
        st.button(
            "Centred on 0",
            key="stretch-centred",
            on_click=_take_range,
            args=(entry, alike, colormap, 2.0, 98.0, True),
        )


def _take_range(
    entry: Entry, alike: Sequence[Entry], colormap: str, least: float, most: float, centred: bool = False
) -> None:
    low, high = percentile_range(entry.layer.sources[0], least, most)
    if centred:
        low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
    _take(entry, alike, Style(colormap, low, high))
