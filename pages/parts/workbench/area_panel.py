"""The area of interest beside the map: what it is, a text or a file for it, and clearing it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from treeline.core.confinement import call
from treeline.core.serving import save_upload
from treeline.core.workspace import Workspace
from treeline.core.workspace.area import crs_text
from treeline.pages.parts.map.area import PROBLEM, area_text, set_area
from treeline.pages.parts.shared.text import plain, shorten, tell_apart
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.interest import AreaOfInterest, size_text
from treeline.toolkit.vector import Features, read_features

_CHUNK = 2**20
_WHOLE = "All its polygons"
_MOST_VALUES = 500
_GIVEN, _GENERATION = "area-given", "area-upload-generation"


def _in_words(text: str) -> str:
    """Return what an area was given as, without the corners of a polygon."""
    return "a polygon" if text.startswith(("POLYGON", "MULTIPOLYGON", "{")) else shorten(text, 60)


def show_area(workspace: Workspace, area: AreaOfInterest | None) -> None:
    """Show the button of the area, and what lies behind it."""
    problem = st.session_state.get(PROBLEM, "")
    label = f"Area {size_text(area.square_kilometres)}" if area else "Area"
    icon = ":material/error:" if problem else ":material/crop_free:"
    with st.popover(
        label,
        icon=icon,
        help="Area of interest: every tool works inside it",
        key="area-form",
        on_change="rerun",
    ) as part:
        if not part.open:
            return
        if area is not None:
            st.markdown(
                f"Every tool works inside **{plain(_in_words(area_text()))}**, "
                f"{size_text(area.square_kilometres)}, taken in {plain(crs_text(area.crs))}. "
                "A pixel is inside when its centre is."
            )
            st.button("Clear", icon=":material/close:", key="area-clear", on_click=set_area, args=("",))
        elif problem:
            st.error(plain(problem))
            st.button("Clear", icon=":material/close:", key="area-clear", on_click=set_area, args=("",))
        else:
            st.caption("Draw a box or a polygon on the map, or give one here.")
        st.text_input(
            "Box (minx,miny,maxx,maxy), WKT or GeoJSON",
            key=_GIVEN,
            placeholder="14.554,45.868,14.559,45.8725",
            on_change=_take_text,
        )
        _of_file(workspace)
        if workspace.writable:
            _of_upload(workspace)


def _take_text() -> None:
    set_area(st.session_state[_GIVEN])
    st.session_state[_GIVEN] = ""


def _of_file(workspace: Workspace) -> None:
    """Offer the vector files of the workspace, and their features by an attribute."""
    files = workspace.vector_files()
    if not files:
        return
    labels = tell_apart({path: path.name for path in files}, {path: path.parent.name for path in files})
    path = st.selectbox("Vector file", files, None, key="area-file", format_func=labels.__getitem__)
    if path is None:
        return
    try:
        features = call(read_features, str(path)).of_kind("Polygon")
    except TreelineError as error:
        st.caption(f":orange[{plain(str(error))}]")
        return
    attribute = st.selectbox(
        "Feature by",
        [_WHOLE, "zone", *_attributes(features)],
        key=f"area-attribute-{path}",
        format_func=lambda name: "Its number in the file" if name == "zone" else name,
    )
    chosen = path.name
    if attribute != _WHOLE:
        value = st.selectbox("Value", _values(features, attribute), key=f"area-value-{path}-{attribute}")
        chosen = f"{path.name}#{attribute}={value}"
    st.button("Take it", icon=":material/check:", key="area-take", on_click=set_area, args=(chosen,))


def _attributes(features: Features) -> list[str]:
    known = {name: None for item in features.items for name in item.attributes}
    return [name for name in known if len(set(map(str, features.values_of(name)))) <= _MOST_VALUES]


def _values(features: Features, attribute: str) -> list[str]:
    if attribute == "zone":
        return [str(number) for number in range(1, len(features.items) + 1)]
    return sorted({str(value) for value in features.values_of(attribute) if value is not None})


def _of_upload(workspace: Workspace) -> None:
    generation = st.session_state.setdefault(_GENERATION, 0)
    # The field keeps its file for as long as its key is the same, and each drawing would take it
    # for the area again.
    given = st.file_uploader(
        "GeoJSON or GeoPackage", type=["geojson", "gpkg"], key=f"area-upload-{generation}"
    )
    if given is None:
        return
    st.session_state[_GENERATION] = generation + 1
    try:
        saved: Path = save_upload(workspace, given.name, iter(partial(given.read, _CHUNK), b""))
    except TreelineError as error:
        st.session_state[PROBLEM] = str(error)
    else:
        workspace.refresh()
        set_area(saved.name)
    st.rerun()
