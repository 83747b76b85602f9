"""What a person corrected, each with a way back to what was found, which can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from treeline.core.workspace import Workspace, date_text
from treeline.core.workspace.taken_back import file_of, said_of
from treeline.pages.parts.data.undoing import Deed, Undoable, show_undoable
from treeline.pages.parts.shared.services import note_change
from treeline.pages.parts.shared.text import count_text, plain
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import Source
from treeline.toolkit.recognition.model import RasterDescription

_TITLES = {
    "role": "Role",
    "unit": "Unit",
    "scale": "Scale",
    "offset": "Offset",
    "fill": "No data",
    "valid": "Valid from, to",
    "date": "Date",
    "sensor": "Sensor",
    "place": "Place",
}
_FAULT, _LAST = "taken-back-fault", "taken-back-last"
_DEED = Deed(
    "Corrections taken back",
    "earlier one",
    ":material/settings_backup_restore:",
    "back",
    "correct-again",
    "Let the correction of {name} hold again",
)
Taken = dict[str, list[str]]


def show_corrected(workspace: Workspace, source: Source) -> None:
    """Show what was corrected of a band, each beside what was found; nothing where nothing was."""
    found = _as_found(workspace, source)
    said = said_of(workspace.corrections, source.path, source.band, found.band.role) if found else {}
    if found is None or not said:
        return
    with st.container(border=True, key="corrected"):
        st.markdown("Corrected by hand")
        for field, names in said.items():
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(
                    f"**{_TITLES.get(field, field)}** {plain(_value(source, field))} "
                    f":gray[found: {plain(_value(found, field))}]"
                )
                st.space("stretch")
                _button(workspace, {field: names}, "As found", f"as-found-{field}")


def offer_as_found(workspace: Workspace, sources: Sequence[Source]) -> None:
    """Show the button that takes back what was corrected of several bands; nothing where nothing was."""
    if not workspace.writable:
        return
    taken: Taken = {}
    for source in sources:
        found = _as_found(workspace, source)
        said = said_of(workspace.corrections, source.path, source.band, found.band.role) if found else {}
        for field, names in said.items():
            taken[field] = list(dict.fromkeys([*taken.get(field, []), *names]))
    files = {file_of(name) for names in taken.values() for name in names}
    if files:
        label = f"All as found: {count_text(len(files), 'corrected file')}"
        _button(workspace, taken, label, "as-found-all")


def show_taken_back(workspace: Workspace) -> None:
    """Show what was taken back lately, each with a way to let it hold again; nothing where nothing was."""
    fault = st.session_state.pop(_FAULT, None)
    if fault:
        st.error(plain(fault), icon=":material/error:")
    taken = workspace.taken_back.all()
    if not taken:
        return
    done = [
        Undoable(
            each.key,
            each.name,
            each.until,
            ", ".join(_TITLES.get(field, field).lower() for field in each.fields),
        )
        for each in taken
    ]
    show_undoable(_DEED, done, st.session_state.get(_LAST), partial(_restore, workspace))


def _button(workspace: Workspace, taken: Taken, label: str, key: str) -> None:
    if not workspace.writable:
        return
    helped = "What was recognised holds again; this can be undone"
    if st.button(label, icon=":material/settings_backup_restore:", key=key, help=helped):
        _take_back(workspace, taken)
        st.rerun()  # the table is the page's, the button is a part's


def _take_back(workspace: Workspace, taken: Taken) -> None:
    try:
        made = workspace.take_back(taken)
    except TreelineError as error:
        st.session_state[_FAULT] = str(error)
        return
    # A double click comes here twice: the second finds nothing to take back.
    if made is not None:
        note_change("take back", workspace, made.name)
        st.session_state[_LAST] = made.key


def _restore(workspace: Workspace, key: str) -> None:
    if all(each.key != key for each in workspace.taken_back.all()):
        return  # a second click: it holds already
    try:
        note_change("correct", workspace, workspace.correct_again(key))
    except TreelineError as error:
        st.session_state[_FAULT] = str(error)


def _as_found(workspace: Workspace, source: Source) -> Source | None:
    """Return a band as it was recognised; ``None`` where nobody corrected its file, or it is gone."""
    found: RasterDescription | None = None
    try:
        found = workspace.as_found(source.path)
    except TreelineError:
        return None
    bands = [band for band in found.bands if band.index == source.band.index] if found else []
    return Source(found, bands[0]) if found and bands else None


def _value(source: Source, field: str) -> str:
    """Return what a band has in a field, in words."""
    raster, band = source.description, source.band
    if field == "date":
        return date_text(raster) or "none"
    if field in ("sensor", "place"):
        return str(getattr(raster, field) or "none")
    if field == "role":
        return band.role or "unknown"
    if field == "scale" and not band.scale_known:
        return "not known"
    value: Any = getattr(band, field)
    if isinstance(value, tuple):
        return ", ".join(f"{number:.9g}" for number in value) or "none"
    return f"{value:.8g}" if isinstance(value, float) else str(value or "none")
