"""What all pages and sessions of the process share: the store, the workspaces, the run manager.

On a server of a team a page gets no more of them than its person reaches.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import streamlit as st

from treeline.core.access import (
    ALL,
    LOCAL_PERSON,
    SERVER,
    Actor,
    Grant,
    Person,
    acting_person,
    in_team,
    may,
    set_finder,
    set_witness,
)
from treeline.core.context.cards import common_cards
from treeline.core.faults import log_fault
from treeline.core.home import home, store_url
from treeline.core.lab.dry_run import foresee
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.failure import FailureMemory
from treeline.core.record.audit import Refusals, note
from treeline.core.record.ownership import Ownership, OwnershipAtOnce
from treeline.core.record.people import People
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.pins import Pins, ask_due
from treeline.core.runs.quotas import Quotas, check_own, room_of
from treeline.core.runs.reach import (
    Administration,
    ReachedCards,
    ReachedLibrary,
    ReachedManager,
    ReachedMemory,
    Rights,
    Sharing,
)
from treeline.core.runs.removal import Removal
from treeline.core.serving import LAYERS, UPLOADS, MapLayer
from treeline.core.settings import LOOPBACK
from treeline.core.workspace import Workspace
from treeline.core.workspace.library import WorkspaceLibrary, WorkspaceSettings, allowed_roots
from treeline.core.workspace.workspace import set_room
from treeline.knowledge import CardLibrary
from treeline.pages.parts.identity.sessions import find_acting, session_is_open
from treeline.pages.parts.shared.address import put_in_address
from treeline.pages.parts.shared.drawing import once
from treeline.pages.parts.shared.session import keep, pending_start, widget_value
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.errors import InputError, TreelineError
from treeline.toolkit.interest import AreaOfInterest

DEMO = "demo"
REPLAY = "-replay"
"""Ends the name under which a run is shown that is only looked at."""
WANTED = "wanted-workspace"
WORKSPACE_PROBLEM = "workspace-problem"

# One thread makes the services, and the others wait.
_MAKING = threading.RLock()

# How often it is looked whether a pinned answer is to be asked again.
_PINS_SECONDS = 60.0

# A run whose end cannot be recorded is kept in mind for so many seconds; the disk may be free by then.
PATIENCE = 86_400.0


@dataclass(frozen=True)
class Services:
    """The services, as far as a person reaches them."""

    library: WorkspaceLibrary
    store: Store
    manager: RunManager
    tree: SkillTree
    memory: FailureMemory
    bank: MemoryBank
    sharing: Sharing
    pins: Pins


def services() -> Services:
    """Return the services of the home that is set, as far as the person of the page reaches them.

    Raises
    ------
    NotSignedIn
        On a server of a team nobody is known here.
    """
    person = acting_person()
    return server_services() if person.local else once("services", partial(_services_of, person))


def server_services() -> Services:
    """Return the services of the home that is set, with all that is in them; no page shows this to a team."""
    with _MAKING:
        return _services(str(home()), store_url())


# Not Streamlit's cache: any browser may have that emptied, and the runs of a manager go with it.
@cache
def _services(folder: str, url: str) -> Services:
    library = WorkspaceLibrary(Path(folder) / "workspaces", allowed_roots(single_user=single_user()))
    demo_is_new = _write_demo(library)
    store = Store(url)
    manager = RunManager(store, library.get)
    manager.patience = PATIENCE
    manager.foresee = foresee
    manager.apart = in_team()
    manager.watch()
    manager.recover()
    if in_team():
        _prepare_team(store, library, demo_is_new=demo_is_new)
    sharing = Sharing(Rights(LOCAL_PERSON, store, library), store)
    pins = Pins(LOCAL_PERSON, store, manager)
    _watch_pins(store)
    memory, bank = FailureMemory(store), MemoryBank(store)
    return Services(library, store, manager, SkillTree.of(registry()), memory, bank, sharing, pins)


def _watch_pins(store: Store) -> None:
    """Ask again what is due, as long as this process lives."""

    def pins_of(identity: str) -> Pins | None:
        if not in_team():
            return server_services().pins
        person = people().find_or_add(identity)
        return _services_of(person).pins if person is not None else None

    def look() -> None:
        pause = threading.Event()
        while not pause.wait(_PINS_SECONDS):
            try:
                ask_due(store, pins_of)
            except Exception as error:  # the next look may go well
                log_fault(error, "Asking a pinned answer again")

    threading.Thread(target=look, name="pins", daemon=True).start()


def _prepare_team(store: Store, library: WorkspaceLibrary, *, demo_is_new: bool) -> None:
    """Let everybody read the demo, and have every token asked for by its person."""
    if demo_is_new:
        Ownership(store).share("workspace", DEMO, Grant(ALL))

    def layer_is_open(holder: Actor, layer: MapLayer) -> bool:
        rights = Rights(holder.person, store, library)
        return session_is_open(holder.session) and all(
            rights.sees_file(source.path) for source in layer.sources
        )

    def workspace_is_open(holder: Actor, workspace: Workspace) -> bool:
        rights = Rights(holder.person, store, library)
        return session_is_open(holder.session) and rights.may_workspace("change", workspace.folder.name)

    def note_upload(workspace: Workspace, name: str) -> None:
        note(store, acting_person(), "upload", "workspace", workspace.folder.name, name)

    def check_owner(workspace: Workspace, more: int) -> None:
        owner = Ownership(store).thing("workspace", workspace.folder.name).owner
        check_own(store, library.folder, owner, more, Quotas.from_environment())

    set_witness(Refusals(store).note)
    LAYERS.check, UPLOADS.check = layer_is_open, workspace_is_open
    UPLOADS.on_kept, UPLOADS.check_owner = note_upload, check_owner
    set_room(partial(room_of, store))
    set_finder(lambda: once("actor", lambda: find_acting(people())))


def _services_of(person: Person) -> Services:
    found = server_services()
    rights = _rights_of(person)
    library = ReachedLibrary(found.library, rights, found.store)
    manager = ReachedManager(found.manager, found.store, library, rights)
    memory, bank = ReachedMemory(found.store, rights), MemoryBank(found.store, owner=person.id, shared=True)
    sharing = Sharing(rights, found.store)
    pins = Pins(person, found.store, manager)
    return Services(library, manager.store, manager, found.tree, memory, bank, sharing, pins)


def is_own_run(run: str) -> bool:
    """Return whether the person of the page may say how a run goes on."""
    person = acting_person()
    if person.local:
        return True
    record = services().store.run(run)
    return record is not None and may(person, "change", _rights().thing_of(record))


def asker_of(record: RunRecord) -> str:
    """Return who asked a run that the person of the page sees; empty on a server of one person."""
    return "" if acting_person().local else _rights().thing_of(record).owner


def _rights() -> Rights:
    return once("rights", partial(_rights_of, acting_person()))


def _rights_of(person: Person) -> Rights:
    found = server_services()
    return Rights(person, found.store, found.library, OwnershipAtOnce(found.store))


def removal() -> Removal:
    """Return how the person of the page deletes workspaces."""
    found = server_services()
    return Removal(Rights(acting_person(), found.store, found.library), found.library, found.store)


def may_teach() -> bool:
    """Return whether the person of the page may change what all are given."""
    return may(acting_person(), "teach", SERVER)


def task_cards() -> CardLibrary:
    """Return the task cards as the person of the page reaches them."""
    person = acting_person()
    if person.local:
        return common_cards()
    found = server_services()
    return ReachedCards(found.store, Rights(person, found.store, found.library))


def may_work() -> bool:
    """Return whether the person asks questions and keeps things; a viewer looks at those of others."""
    return may(acting_person(), "create", SERVER)


def people() -> People:
    """Return the people of the server."""
    with _MAKING:
        return _people(store_url())


@cache
def _people(url: str) -> People:
    return People(server_services().store)


def note_change(action: str, workspace: Workspace, detail: str) -> None:
    """Add to the trail what the person of the page did to a workspace."""
    note(server_services().store, acting_person(), action, "workspace", workspace.folder.name, detail)


def administration() -> Administration:
    """Return the server as an admin looks after it.

    Raises
    ------
    AccessDenied
        The person of the page is no admin.
    """
    found = server_services()
    return Administration(acting_person(), found.store, found.library, people())


def workspace_of(name: str, record: RunRecord | None) -> Workspace:
    """Return a workspace with the folders that a run read besides; without those that are gone."""
    found = services()
    try:
        data = tuple(record.options.get("data", ())) if record else ()
        return found.manager.workspace(name, data)
    except TreelineError:
        return found.library.get(name)


def area_of_run(run: str) -> AreaOfInterest | None:
    """Return the area of interest inside which a run worked, also where it is shown step by step."""
    record = services().store.run(run.removesuffix(REPLAY)) if run else None
    return RunOptions.from_json(record.options).area if record else None


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
    return not in_team() and st.get_option("server.address") in LOOPBACK


def _write_demo(library: WorkspaceLibrary) -> bool:
    """Write the demo where it is missing, and return whether it was."""
    # A process that was killed while it wrote the demo has left a folder without rasters.
    inputs = library.folder / DEMO / "inputs"
    if library.is_kept(DEMO) or (inputs.is_dir() and any(inputs.iterdir())):
        return False
    # Only the first start of all needs it.
    from treeline.core.demo import write_demo

    write_demo(inputs)
    library.keep(DEMO, WorkspaceSettings("Demo (simulated)"))
    return True


def current_workspace() -> tuple[str, Workspace]:
    """Return the name and the workspace that the session works in: chosen, of the address, or the demo.

    Raises
    ------
    InputError
        The person reaches none.
    """
    library = services().library
    names = library.names()
    if not names:
        raise InputError("There is no workspace that you may see.", "Create one under Edit in the sidebar.")
    wanted = pending_start(WANTED)
    # A page that sends on to another one takes the values of widgets with it for good.
    name = wanted.name if wanted.name in names else widget_value("workspace")
    if name not in names:
        asked = _of_address()
        if asked and asked not in names and not name:
            # Who followed a link would take what is shown for what it named. Which of both it is, nobody is
            # told.
            others = "" if acting_person().local else " or is not shared with you"
            st.session_state[WORKSPACE_PROBLEM] = (
                f"What this address names is not here{others}; another workspace is open."
            )
        name = asked if asked in names else _first(names)
    if st.session_state.get("workspace") != name:
        st.session_state["workspace"] = name
    keep("workspace", name)
    # A reload goes on in the same workspace: else the next upload would come to another one.
    put_in_address("workspace", name)
    wanted.name = ""
    return name, library.get(name)


def _first(names: list[str]) -> str:
    """Return the workspace that is opened where none is chosen: in a team one's own, else the demo."""
    own = [] if acting_person().local else [name for name in names if services().library.get(name).writable]
    return next(iter(own), DEMO if DEMO in names else names[0])


def _of_address() -> str | None:
    record = services().store.run(st.query_params.get("run", ""))
    return record.workspace if record else st.query_params.get("workspace")
