"""Opening a bundle of another Treeline: its run comes into the record once its hashes are checked."""

from __future__ import annotations

import tempfile
from pathlib import Path

import streamlit as st

from treeline.core.access import in_team
from treeline.core.runs.exports.bundle import compare_inputs, open_bundle
from treeline.core.runs.exports.lesson import is_lesson
from treeline.pages.parts.shared.opening import open_run
from treeline.pages.parts.shared.services import current_workspace, services
from treeline.pages.parts.shared.text import count_text, plain, shorten
from treeline.toolkit.errors import InputError, TreelineError

_OPENED = "bundle-opened"
_LONGEST_LIST = 160


def show_bundle_opening() -> None:
    """Show the way in for a bundle; nothing on a server of a team, where a record names others' files."""
    if in_team():
        return
    with st.popover("Open a bundle", icon=":material/inventory_2:", help="A run of another Treeline"):
        name, _ = current_workspace()
        st.caption(
            f"Its run and products come into the workspace {plain(services().library.title(name))}. "
            "Rasters that it read are not in it; those of the workspace are compared with them."
        )
        given = st.file_uploader("A bundle, ZIP", type=["zip"], key="bundle-file")
        if given is None or not st.button("Check and open", key="bundle-open", type="primary"):
            return
        try:
            st.session_state[_OPENED] = _open(given.getbuffer(), name)
        except TreelineError as error:
            st.error(plain(error), icon=":material/error:")
            return
        st.rerun()


def show_bundle() -> None:
    """Say what was found of the bundle that was opened last, and lead to its run."""
    run, told = st.session_state.get(_OPENED, ("", ""))
    record = services().store.run(run) if run else None
    if record is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="bundle-told"):
        st.success(plain(told), icon=":material/verified:")
        if st.button("Open on the Workbench", key="bundle-run", icon=":material/explore:"):
            st.session_state.pop(_OPENED)
            open_run(record)


def _open(content: memoryview, workspace: str) -> tuple[str, str]:
    """Return the run of a bundle, taken into a workspace, and what was checked of it."""
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        path = Path(folder) / "bundle.zip"
        path.write_bytes(content)
        if is_lesson(path):
            raise InputError("This is a lesson.", "Open it on the page Lessons.")
        run = open_bundle(services().manager, path, workspace)
        inputs = compare_inputs(path, services().library.get(workspace))
    same = [name for name, found in inputs.items() if found == "same"]
    told = "Every product has the bytes that its hash names. "
    if len(same) == len(inputs):
        return run, f"{told}So have the {count_text(len(inputs), 'input')}, which this workspace holds."
    other = _names(inputs, "different")
    missing = _names(inputs, "missing")
    told += f"Of {count_text(len(inputs), 'input')} this workspace holds {len(same)} with the same bytes"
    told += f"; with other bytes: {other}" if other else ""
    return run, told + (f"; not here: {missing}." if missing else ".")


def _names(inputs: dict[str, str], state: str) -> str:
    return shorten(", ".join(name for name, found in inputs.items() if found == state), _LONGEST_LIST)
