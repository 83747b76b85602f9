"""The area of interest of the session: in the address, on the map, in the next question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import shapely
import streamlit as st
from shapely.geometry import shape

from treeline.core.workspace import Workspace
from treeline.core.workspace.area import area_of
from treeline.pages.parts.shared.address import put_in_address
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.interest import AreaOfInterest

PARAMETER = "aoi"
TEXT, PROBLEM = "area-text", "area-problem"
_READ, _TAKEN = "area-read", "area-taken"
# Of a degree: a centimetre on the ground.
_DIGITS = 7


def area_text() -> str:
    """Return what the area was given as; empty where there is none. The address says it first."""
    state = st.session_state
    if TEXT not in state:
        state[TEXT] = st.query_params.get(PARAMETER, "")
    return str(state[TEXT])


def current_area(workspace: Workspace) -> AreaOfInterest | None:
    """Return the session's area in a workspace; ``None`` without one.

    Raises
    ------
    InputError
        It is none there.
    """
    text = area_text()
    if not text:
        return None
    known: dict[str, Any] = st.session_state.setdefault(_READ, {})
    # Files that were looked at anew are another tuple: its identity stands for their state.
    key = (text, str(workspace.folder), id(workspace.rasters))
    if known.get("key") != key:
        st.session_state[_READ] = known = {"key": key, "area": area_of(text, workspace, anywhere=False)}
    found: AreaOfInterest = known["area"]
    return found


def area_for_map(workspace: Workspace) -> AreaOfInterest | None:
    """Return the session's area for the map; what is wrong with it is shown beside the map."""
    try:
        area = current_area(workspace)
    except TreelineError as error:
        st.session_state[PROBLEM] = str(error)
        return None
    st.session_state.pop(PROBLEM, None)
    return area


def session_area_option(workspace: Workspace) -> dict[str, Any]:
    """Return what the options of the next question keep of the area; empty where there is none.

    Raises
    ------
    InputError
        It is none in the workspace.
    """
    area = current_area(workspace)
    return area.to_json() if area else {}


def set_area(text: str) -> None:
    """Take a text for the area of the session and of the address; an empty one clears it."""
    st.session_state[TEXT] = text.strip()
    st.session_state.pop(PROBLEM, None)
    put_in_address(PARAMETER, st.session_state[TEXT])


def keep_address() -> None:
    """Put the area into the address, which a change of the page leaves without it."""
    if area_text() and PARAMETER not in st.query_params:
        set_area(area_text())


def take_drawing(feature: Mapping[str, Any] | None) -> bool:
    """Take what was drawn on the map for the area; return whether it was new."""
    # The component tells its last drawing in every run; the moment at which it was drawn tells a new one.
    drawn = (feature or {}).get("properties", {}).get("drawn")
    if feature is None or drawn is None or drawn == st.session_state.get(_TAKEN):
        return False
    st.session_state[_TAKEN] = drawn
    set_area(text_of(feature.get("geometry")))
    return True


def text_of(geometry: Mapping[str, Any] | None) -> str:
    """Return a drawn box or polygon as the command line takes it; nothing for none."""
    if not geometry:
        return ""
    polygon = shape(geometry)
    if polygon.equals(shapely.box(*polygon.bounds)):
        return ",".join(f"{round(bound, _DIGITS):.10g}" for bound in polygon.bounds)
    return shapely.to_wkt(polygon, rounding_precision=_DIGITS)
