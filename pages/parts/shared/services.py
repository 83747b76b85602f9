"""What all pages and sessions of the process share: the store, the workspaces, the run manager."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from treeline.core.lab.dry_run import foresee
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.manager import RunManager
from treeline.core.settings import LOOPBACK, home, store_url
from treeline.core.workspace import Workspace
from treeline.core.workspace.library import WorkspaceLibrary, WorkspaceSettings, allowed_roots
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.errors import TreelineError

DEMO = "demo"
WANTED = "wanted-workspace"

# A run whose end cannot be recorded is kept in mind for so many seconds; the disk may be free by then.
PATIENCE = 86_400.0


@dataclass(frozen=True)
class Services:
    """The process-wide services."""

    library: WorkspaceLibrary
    store: Store
    manager: RunManager
    tree: SkillTree


def services() -> Services:
    """Return the services of the home that is set."""
    return _services(str(home()), store_url())


@st.cache_resource(show_spinner=False)
def _services(folder: str, url: str) -> Services:
    library = WorkspaceLibrary(Path(folder) / "workspaces", allowed_roots(single_user=single_user()))
    _write_demo(library)
    store = Store(url)
    manager = RunManager(store, library.get)
    manager.patience = PATIENCE
    manager.foresee = foresee
    manager.recover()
    return Services(library, store, manager, SkillTree.of(registry()))


def workspace_of(name: str, record: RunRecord | None) -> Workspace:
    """Return a workspace with the folders that a run read besides; without those that are gone."""
    found = services()
    try:
        data = tuple(record.options.get("data", ())) if record else ()
        return found.manager.workspace(name, data)
    except TreelineError:
        return found.library.get(name)


def tree_of(run: str) -> SkillTree:
    """Return the tree as a run's strategy of disclosure shows it; the whole tree without a run."""
    return _tree_of(run, store_url()) if run else services().tree


@st.cache_resource(max_entries=256, show_spinner=False)
def _tree_of(run: str, url: str) -> SkillTree:
    try:
        return services().manager.disclosure(run).tree
    except TreelineError:
        return services().tree


def single_user() -> bool:
    """Return whether only this machine's own user can reach the pages."""
    return st.get_option("server.address") in LOOPBACK


def _write_demo(library: WorkspaceLibrary) -> None:
    from treeline.core.demo import write_demo

    # A process that was killed while it wrote the demo has left a folder without rasters.
    inputs = library.folder / DEMO / "inputs"
    if library.is_kept(DEMO) or (inputs.is_dir() and any(inputs.iterdir())):
        return
    write_demo(inputs)
    library.keep(DEMO, WorkspaceSettings("Demo (simulated)"))


def current_workspace() -> tuple[str, Workspace]:
    """Return the name and the workspace that the session works in: chosen, of the address, or the demo."""
    library = services().library
    names = library.names()
    wanted = st.session_state.pop(WANTED, None)
    name = wanted if wanted in names else st.session_state.get("workspace")
    if name not in names:
        asked = _of_address()
        name = asked if asked in names else DEMO if DEMO in names else names[0]
    if st.session_state.get("workspace") != name:
        st.session_state["workspace"] = name
    return name, library.get(name)


def _of_address() -> str | None:
    record = services().store.run(st.query_params.get("run", ""))
    return record.workspace if record else st.query_params.get("workspace")
