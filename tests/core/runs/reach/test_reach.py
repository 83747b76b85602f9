"""What one person reaches of the record, the workspaces and the runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.security.team import write_workspace
from treeline.core.access import ALL, Grant, Person, Role, decision
from treeline.core.engine.actions import TokenUse
from treeline.core.errors import AccessDenied, RecordError
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.entries import Lesson, Source
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.items import BankItem
from treeline.core.record.audit import Refusals, deeds
from treeline.core.record.drafts import put_draft
from treeline.core.record.ownership import Ownership
from treeline.core.record.pins import pins_of
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.pins import DAY, Pins
from treeline.core.runs.quotas import Quotas, bytes_of, check_another, tokens_today
from treeline.core.runs.reach import (
    ReachedLibrary,
    ReachedManager,
    ReachedMemory,
    ReachedStore,
    Rights,
    Sharing,
)
from treeline.core.runs.reach.rights import trial_run
from treeline.core.runs.removal import Removal
from treeline.core.workspace.library import WorkspaceLibrary
from treeline.toolkit.errors import InputError, PathOutside, TreelineError

QUESTION = "What is the mean NDVI of each date?"


@dataclass
class Reach:
    """A person's side of the server."""

    rights: Rights
    library: ReachedLibrary
    manager: ReachedManager
    sharing: Sharing

    @property
    def store(self) -> Store:
        return self.manager.store

    def ask(self, workspace: str = "quarry", **options: object) -> str:
        run = self.manager.start(workspace, QUESTION, RunOptions(**options))  # type: ignore[arg-type]
        self.manager._manager.wait(run, 60)
        return run


class Server:
    """The services of a home."""

    def __init__(self, home: Path) -> None:
        self.store = Store(home / "treeline.sqlite")
        self.library = WorkspaceLibrary(home / "workspaces", ())
        self.manager = RunManager(self.store, self.library.get)
        self.ownership = Ownership(self.store)

    def of(self, name: str, role: Role = "analyst", *groups: str) -> Reach:
        rights = Rights(Person(name, role=role, groups=frozenset(groups)), self.store, self.library)
        library = ReachedLibrary(self.library, rights, self.store)
        manager = ReachedManager(self.manager, self.store, library, rights)
        return Reach(rights, library, manager, Sharing(rights, self.store))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    write_workspace(tmp_path, "quarry", "Quarry", "ana")
    write_workspace(tmp_path, "harbour", "Harbour", "ben")
    write_workspace(tmp_path, "attic", "Attic", "")
    opened = Server(tmp_path)
    yield opened
    opened.store.close()


@pytest.fixture
def ana(server: Server) -> Reach:
    return server.of("ana")


@pytest.fixture
def ben(server: Server) -> Reach:
    return server.of("ben")


def test_what_is_being_written_is_seen_by_whom_the_run_is(server: Server, ana: Reach, ben: Reach) -> None:
    run = ana.ask()
    put_draft(server.store, run, "half a call")
    assert ana.store.draft(run) == "half a call"
    assert ben.store.draft(run) == ""


def test_each_has_the_own_things(ana: Reach, ben: Reach) -> None:
    run = ana.ask()
    assert ana.library.names() == ["quarry"] and ben.library.names() == ["harbour"]
    assert [record.id for record in ana.store.runs()] == [run]
    assert ben.store.runs() == [] == ben.store.runs("quarry") == ben.store.runs(parent=run)
    assert ana.store.run(run) is not None and ben.store.run(run) is None
    assert ana.store.event_rows(run) and not ben.store.event_rows(run)


def test_what_one_may_not_see_is_as_what_is_not_there(ana: Reach, ben: Reach) -> None:
    run = ana.ask()
    for do in (
        ben.manager.record,
        ben.manager.disclosure,
        ben.manager.resume,
        lambda name: ben.library.get("quarry" if name == run else "made-up"),
        lambda name: ben.library.title("quarry" if name == run else "made-up"),
        lambda name: ben.ask("quarry" if name == run else "made-up"),
        lambda name: ben.ask("harbour", after=name),
        lambda name: ben.library.copy("quarry" if name == run else "made-up", "Mine"),
    ):
        said = []
        for name in (run, "0" * 12):
            with pytest.raises(TreelineError) as refused:
                do(name)
            said.append(
                str(refused.value).replace(name, "it").replace("quarry", "it").replace("made-up", "it")
            )
        assert said[0] == said[1]
    assert ben.manager.trouble(run) == ""
    ben.store.delete_run(run)
    ben.manager.stop(run)
    assert ana.store.run(run) is not None


def test_what_nobody_owns_nobody_sees(server: Server) -> None:
    assert "attic" not in server.of("ada", "admin").library.names()
    run = server.manager.start("attic", QUESTION, RunOptions())
    server.manager.wait(run, 60)
    assert server.of("ada", "admin").store.runs() == []


def test_a_workspace_that_is_shared_to_be_seen_stays_as_it_is(ana: Reach, ben: Reach, server: Server) -> None:
    ana.sharing.share("workspace", "quarry", Grant.to_person("ben"))
    workspace = ben.library.get("quarry")
    assert workspace.rasters and not workspace.writable
    with pytest.raises(InputError):
        workspace.remove_input("quarry_2021-06-03.tif")
    with pytest.raises(InputError):
        _ = workspace.trash
    for refused in (
        lambda: ben.ask("quarry"),
        lambda: ben.library.rename("quarry", "Mine"),
        lambda: ben.library.link("quarry", "/tmp"),
        lambda: ben.library.unlink("quarry", "/tmp"),
        lambda: ben.sharing.share("workspace", "quarry", Grant.to_person("eva")),
        lambda: ben.sharing.withdraw("workspace", "quarry", "person:ben"),
    ):
        with pytest.raises(AccessDenied):
            refused()
    assert ana.library.get("quarry").writable
    assert len(workspace.files()) == 2


def test_a_run_is_seen_with_its_workspace_alone(ana: Reach, ben: Reach) -> None:
    run = ana.ask()
    ana.sharing.share("run", run, Grant.to_person("ben"))
    assert ben.store.run(run) is None and ben.store.runs() == []
    ana.sharing.share("workspace", "quarry", Grant.to_person("ben"))
    assert [record.id for record in ben.store.runs()] == [run]
    ana.sharing.withdraw("run", run, "person:ben")
    assert ben.store.run(run) is None and ben.store.runs() == []


def test_colleagues_in_one_workspace_have_runs_of_their_own(ana: Reach, ben: Reach) -> None:
    ana.sharing.share("workspace", "quarry", Grant.to_person("ben", "change"))
    hers, his = ana.ask(), ben.ask("quarry")
    assert [record.id for record in ana.store.runs()] == [hers]
    assert [record.id for record in ben.store.runs()] == [his]
    ben.sharing.share("run", his, Grant(ALL))
    assert {record.id for record in ana.store.runs()} == {hers, his}
    with pytest.raises(AccessDenied):
        ana.store.delete_run(his)
    with pytest.raises(AccessDenied):
        ana.manager.stop(his)
    with pytest.raises(AccessDenied):
        ana.manager.resume(his)


def test_rounds_belong_to_their_run(ana: Reach, ben: Reach, server: Server) -> None:
    run = ana.ask(rounds=2, memory="own")
    rounds = [record.id for record in server.store.runs(parent=run)]
    assert rounds and [record.id for record in ana.store.runs(parent=run)] == rounds
    assert all(ana.store.run(part) is not None and ben.store.run(part) is None for part in rounds)
    assert ben.store.runs(parent=run) == []


def test_a_group_is_reached_and_left(ana: Reach, server: Server) -> None:
    ana.sharing.share("workspace", "quarry", Grant.to_group("lab"))
    assert "quarry" in server.of("eva", "viewer", "lab").library.names()
    assert "quarry" not in server.of("eva", "viewer").library.names()


def test_a_viewer_neither_asks_nor_makes_anything(server: Server) -> None:
    viewer = server.of("ana", "viewer")
    assert not viewer.library.get("quarry").writable
    for refused in (
        lambda: viewer.ask(),
        lambda: viewer.library.create("Mine"),
        lambda: viewer.library.copy("quarry", "Mine"),
        lambda: viewer.library.check_readable("/tmp"),
        lambda: viewer.sharing.share("workspace", "quarry", Grant(ALL)),
    ):
        with pytest.raises(AccessDenied):
            refused()


def test_a_copy_is_ones_own(ana: Reach, ben: Reach) -> None:
    ana.sharing.share("workspace", "quarry", Grant(ALL))
    copied = ben.library.copy("quarry", "Quarry of Ben")
    assert ben.library.get(copied).writable and len(ben.library.get(copied).rasters) == 2
    assert copied not in ana.library.names()
    assert ben.manager.record(ben.ask(copied)).status == "answered"


def test_a_name_tells_nothing_of_what_others_have(ben: Reach) -> None:
    for title in ("Quarry", "Meadow"):
        assert re.fullmatch(f"{title.lower()}-[0-9a-f]{{6}}", ben.library.create(title))


def test_a_name_that_is_used_again_is_shared_with_nobody(
    ana: Reach, ben: Reach, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treeline.core.runs.reach.workspaces.token_hex", lambda count: "0" * 2 * count)
    server.ownership.share("workspace", "meadow-000000", Grant.to_person("ben"))
    assert ana.library.create("Meadow") == "meadow-000000"
    assert "meadow-000000" not in ben.library.names()


def test_files_of_the_server_are_not_to_be_named(ana: Reach, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    with pytest.raises(PathOutside):
        ana.library.link("quarry", str(outside))
    for options in ({"data": (str(outside),)}, {"out": str(outside)}, {"member": {"name": "x"}}):
        with pytest.raises(AccessDenied):
            ana.ask(**options)
    with pytest.raises(AccessDenied):
        ana.manager.workspace("quarry", (str(outside),))


def test_files_are_seen_as_their_workspace_and_their_run_are(ana: Reach, ben: Reach, server: Server) -> None:
    run = ana.ask()
    folder = server.library.folder / "quarry"
    paths = {
        "input": folder / "inputs" / "quarry_2021-06-03.tif",
        "product": folder / "products" / run / "x.tif",
        "tried": folder / "products" / trial_run(ana.rights.person) / "x.tif",
        "climbing": folder / "products" / ".." / "inputs" / "x.tif",
        "elsewhere": Path("/etc/passwd"),
        "root": folder.parent,
    }

    def visible_names(reach: Reach) -> set[str]:
        return {name for name, path in paths.items() if reach.rights.sees_file(path)}

    assert visible_names(ana) == {"input", "product", "tried", "climbing"}
    assert visible_names(ben) == set()
    ana.sharing.share("workspace", "quarry", Grant.to_person("ben", "change"))
    assert visible_names(ben) == {"input", "climbing"}
    ana.sharing.share("run", run, Grant(ALL))
    assert visible_names(ben) == {"input", "climbing", "product"}


def test_lessons_are_the_askers(ana: Reach, server: Server) -> None:
    ana.ask(memory="shared", policy="planner")
    assert FailureMemory(server.store, "ben").entries() == []
    assert all(not entry.shared for entry in FailureMemory(server.store, "ana").entries())


def test_only_the_owner_answers_a_run_that_asks(ana: Reach, ben: Reach) -> None:
    run = ana.ask()
    ana.sharing.share("workspace", "quarry", Grant.to_person("ben", "change"))
    ana.sharing.share("run", run, Grant(ALL))
    ana.manager.set_approval(run, "off")
    for refused in (
        lambda: ben.manager.set_approval(run, "off"),
        lambda: ben.manager.give(run, 1, denied="no"),
        lambda: ben.manager.remember_tool(run, "mean"),
        lambda: ben.manager.data(run),
        lambda: ana.store.append(run, "run_finished", "{}"),
    ):
        with pytest.raises(AccessDenied):
            refused()


def test_a_lesson_is_shared_with_people_by_its_owner_who_teaches(ana: Reach, server: Server) -> None:
    entry = FailureMemory(server.store, "ana").add(
        Source("i", QUESTION, "quarry", "r", "r"), Lesson("Mind it.")
    )
    with pytest.raises(AccessDenied):
        ana.sharing.share("memory", entry.id, Grant.to_person("ben"))
    teacher = server.of("ana", "teacher").sharing
    with pytest.raises(InputError, match="button"):
        teacher.share("memory", entry.id, Grant(ALL))
    teacher.share("memory", entry.id, Grant.to_person("ben"))
    assert FailureMemory(server.store, "ben").get(entry.id) == entry
    with pytest.raises(AccessDenied):
        server.of("ben", "teacher").sharing.share("memory", entry.id, Grant.to_person("eva"))
    with pytest.raises(InputError, match="no memory entry"):
        server.of("eva", "teacher").sharing.share("memory", entry.id, Grant.to_person("eva"))


def test_an_item_of_the_bank_is_shared_by_its_owner_who_teaches(ana: Reach, server: Server) -> None:
    (item,) = MemoryBank(server.store, owner="ana").consolidate([BankItem("pattern", QUESTION, "Do so.")])
    with pytest.raises(AccessDenied):
        ana.sharing.share("item", item.key, Grant(ALL))
    with pytest.raises(InputError, match="memory bank has no"):
        server.of("ben", "teacher").sharing.share("item", item.key, Grant.to_person("ben"))
    teacher = server.of("ana", "teacher").sharing
    teacher.share("item", item.key, Grant(ALL))
    assert [each.owner for each in MemoryBank(server.store, owner="ben", shared=True).items()] == ["ana"]
    with pytest.raises(AccessDenied):
        server.of("ben", "teacher").sharing.withdraw("item", item.key, ALL)
    teacher.withdraw("item", item.key, ALL)
    assert MemoryBank(server.store, owner="ben", shared=True).items() == []


def test_a_lesson_is_shared_by_a_teacher(ana: Reach, server: Server) -> None:
    entry = FailureMemory(server.store, "ana").add(Source("i", QUESTION, "quarry", "r", "r"), Lesson("So."))
    with pytest.raises(AccessDenied):
        ReachedMemory(server.store, ana.rights).mark(entry.id, shared=True)
    assert FailureMemory(server.store, "ben").entries() == []
    ReachedMemory(server.store, server.of("ana", "teacher").rights).mark(entry.id, shared=True)
    assert len(FailureMemory(server.store, "ben").entries()) == 1
    with pytest.raises(InputError):
        ReachedMemory(server.store, server.of("ben", "teacher").rights).mark(entry.id, shared=False)


def test_an_admin_stops_what_an_admin_does_not_see(ana: Reach, server: Server) -> None:
    run = ana.manager.start("quarry", QUESTION, RunOptions())
    admin = server.of("ada", "admin")
    assert admin.store.run(run) is None
    admin.manager.stop(run)
    server.manager.wait(run, 60)
    assert ("ada", "stop") in {(deed.person, deed.action) for deed in deeds(server.store)}


def test_what_is_done_is_noted_and_stays(ana: Reach, server: Server) -> None:
    run = ana.ask()
    ana.sharing.share("run", run, Grant(ALL))
    ana.store.delete_run(run)
    assert [(d.person, d.action, d.thing) for d in deeds(server.store)] == [
        ("ana", "delete", run),
        ("ana", "share", run),
        ("ana", "ask", run),
    ]
    for change in ("UPDATE audit SET person = 'ben'", "DELETE FROM audit"):
        with pytest.raises(Exception, match="append-only"), server.store.engine.begin() as connection:
            connection.exec_driver_sql(change)
    assert len(deeds(server.store)) == 3


@pytest.mark.parametrize("closed", [ReachedStore, ReachedLibrary, ReachedManager])
def test_what_is_not_decided_on_is_closed(closed: type) -> None:
    for name in dir(closed):
        if not name.startswith("_"):
            assert name in closed.__dict__, f"{closed.__name__}.{name} is open"


def test_what_is_closed_says_so(ana: Reach) -> None:
    for use in (
        lambda: ana.store.write(lambda connection: None),
        lambda: ana.store.set_status("x", "failed"),
        lambda: ana.manager.recover(),
        lambda: ana.library.keep("quarry", None),  # type: ignore[arg-type]
    ):
        with pytest.raises(AccessDenied, match="closed"):
            use()


def removal(server: Server, who: Reach) -> Removal:
    return Removal(who.rights, server.library, server.store)


def test_a_deleted_workspace_goes_with_its_runs_and_frees_the_quota(server: Server, ana: Reach) -> None:
    run = ana.ask()
    Pins(ana.rights.person, server.store, ana.manager).add(run)
    told = removal(server, ana).delete("quarry")
    assert told.runs == 1 and told.files > 2 and told.bytes > 1000
    assert ana.library.names() == [] and server.store.run(run) is None and pins_of(server.store) == []
    assert sorted(path.name for path in server.library.folder.iterdir()) == ["attic", "harbour"]
    assert bytes_of(server.store, server.library.folder, "ana") == 0
    check_another(server.store, "ana", Quotas(workspaces=1))
    assert deeds(server.store, "ana")[0].action == "delete"


def test_only_the_owner_deletes_a_workspace(server: Server, ana: Reach, ben: Reach) -> None:
    with pytest.raises(InputError, match="There is no workspace 'quarry'"):
        removal(server, ben).delete("quarry")
    ana.sharing.share("workspace", "quarry", Grant.to_person("ben", "change"))
    with pytest.raises(AccessDenied):
        removal(server, ben).delete("quarry")
    with pytest.raises(InputError):
        removal(server, server.of("ada", "admin")).delete("quarry")
    assert "quarry" in ana.library.names()


def test_what_a_colleague_used_in_a_deleted_workspace_still_counts(
    server: Server, ana: Reach, ben: Reach, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana.sharing.share("workspace", "quarry", Grant.to_person("ben", "change"))
    run = ben.ask()
    used = TokenUse(700, 50, 20)
    monkeypatch.setattr("treeline.core.runs.removal.count_tokens_used", lambda store, which: used)
    assert removal(server, ana).content("quarry").runs_of_others == 1
    removal(server, ana).delete("quarry")
    monkeypatch.undo()
    assert ben.store.run(run) is None
    assert tokens_today(server.store, "ben") == used and tokens_today(server.store, "ana") == TokenUse()


def test_a_workspace_in_which_a_run_works_stays(server: Server, ana: Reach) -> None:
    server.store.create_run("waits", "quarry", "What?", {"person": "ana"})
    with pytest.raises(InputError, match="1 of the workspace's runs waits"):
        removal(server, ana).delete("quarry")
    server.store.set_status("waits", "stopped")
    removal(server, ana).delete("quarry")


def test_files_of_a_workspace_come_back_where_the_record_cannot_be_written(
    server: Server, ana: Reach, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(kind: str, name: str) -> None:
        raise RecordError("The database does not answer.")

    monkeypatch.setattr(ana.rights.ownership, "forget", fail)
    with pytest.raises(RecordError):
        removal(server, ana).delete("quarry")
    monkeypatch.undo()
    assert ana.library.get("quarry").files()


def test_pins_are_noted(ana: Reach, server: Server) -> None:
    run = ana.ask()
    pins = Pins(ana.rights.person, server.store, ana.manager)
    pin = pins.add(run)
    pins.schedule(pin.id, DAY)
    pins.remove(pin.id)
    assert [(d.person, d.action, d.thing, d.detail) for d in deeds(server.store)[:3]] == [
        ("ana", "unpin", run, f"as {pin.id}"),
        ("ana", "schedule", run, f"as {pin.id}: every day"),
        ("ana", "pin", run, f"as {pin.id}"),
    ]


def test_refusals_are_noted_once_an_hour_and_never_without_end(
    ana: Reach, ben: Reach, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision, "_witness", Refusals(server.store).note)
    run = ana.ask()
    pin = Pins(ana.rights.person, server.store, ana.manager).add(run)
    his = Pins(ben.rights.person, server.store, ben.manager)
    for _ in range(2):
        for attempt in (
            lambda: ben.manager.record(run),
            lambda: ben.manager.record("never-was"),
            lambda: ben.library.get("quarry"),
            lambda: ben.sharing.share("run", run, Grant(ALL)),
            lambda: his.remove(pin.id),
        ):
            with pytest.raises((AccessDenied, InputError)):
                attempt()
    assert his.pins() == []
    noted = [(d.person, d.kind, d.thing, d.detail) for d in deeds(server.store) if d.action == "refused"]
    assert sorted(noted) == [
        ("ben", "run", run, "change"),
        ("ben", "run", run, "see"),
        ("ben", "run", run, "share"),
        ("ben", "workspace", "quarry", "see"),
    ]
    for number in range(200):
        with pytest.raises(AccessDenied):
            ben.sharing.share("run", f"made-up-{number}", Grant(ALL))
    assert len([d for d in deeds(server.store) if d.action == "refused"]) == 60
