"""Pinned answers: asked again by hand, and by themselves when new scenes have come in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import update

from tests.rasters import write_raster
from treeline.core.access import LOCAL_PERSON, Grant, Person
from treeline.core.errors import AccessDenied
from treeline.core.record.ownership import Ownership
from treeline.core.record.pins import pin_of, take_turn
from treeline.core.record.store import Store
from treeline.core.record.tables import PINS
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.pins import DAY, HOUR, Pins, ask_due
from treeline.core.runs.reach import ReachedLibrary, ReachedManager, Rights
from treeline.core.workspace.library import WorkspaceLibrary, WorkspaceSettings
from treeline.toolkit.errors import InputError

QUESTION = "What is the mean NDVI of the latest date?"
ANA, BEN = Person("ana", role="analyst"), Person("ben", role="analyst")


@pytest.fixture
def library(tmp_path: Path) -> WorkspaceLibrary:
    found = WorkspaceLibrary(tmp_path / "workspaces")
    found.keep("lake", WorkspaceSettings("Lake"))
    scene(found, "2021-06-03", 0.3)
    return found


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store.sqlite")


@pytest.fixture
def manager(store: Store, library: WorkspaceLibrary) -> RunManager:
    return RunManager(store, library.get)


def scene(library: WorkspaceLibrary, date: str, nir: float) -> None:
    bands = np.stack([np.full((20, 20), 0.1), np.full((20, 20), nir)]).astype("float32")
    folder = library.folder / "lake" / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    write_raster(folder / f"lake_{date}.tif", bands, descriptions=["red", "nir"])


def answer_question(manager: RunManager, options: RunOptions = RunOptions()) -> str:  # noqa: B008
    run = manager.start("lake", QUESTION, options)
    manager.wait(run, 60)
    assert manager.record(run).status == "answered"
    return run


def make_due(store: Store) -> None:
    store.write(lambda c: c.execute(update(PINS).values(looked=PINS.c.looked - 2 * DAY)) and None)


def pins_of(store: Store, library: WorkspaceLibrary, manager: RunManager) -> Callable[[Person], Pins]:
    def of(person: Person) -> Pins:
        rights = Rights(person, store, library)
        own = ReachedLibrary(library, rights, store)
        return Pins(person, store, ReachedManager(manager, store, own, rights))

    return of


def test_a_fragment_is_asked_again_of_what_it_followed(store, library, manager):
    scene(library, "2021-07-12", 0.4)
    first = answer_question(manager)
    run = manager.start("lake", "on 2021-06-03", RunOptions(after=first))
    manager.wait(run, 60)
    pins = Pins(LOCAL_PERSON, store, manager)
    pin = pins.add(run)
    before = pins.result(pin)
    again = pins.ask(pin.id)
    manager.wait(again, 60)
    assert manager.record(again).status == "answered"
    after = pins.result(pin_of(store, pin.id))
    assert (after.read_as, after.value) == (before.read_as, before.value)


def test_asked_again_it_tells_what_changed(store, library, manager):
    pins = Pins(LOCAL_PERSON, store, manager)
    pin = pins.add(answer_question(manager))
    assert pins.add(pin.run) == pin and pins.change(pin) is None and not pins.has_news(pin)
    scene(library, "2021-07-12", 0.7)
    assert pins.has_news(pin)
    run = pins.ask(pin.id)
    manager.wait(run, 60)
    (newest,) = pins.pins("lake")
    change = pins.change(newest)
    assert newest.run == run and newest.before == pin.run and change is not None and not change.same
    assert change.difference == pytest.approx(0.75 - 0.5, abs=1e-3)
    pins.remove(pin.id)
    assert pins.pins() == [] and store.run(run) is not None


def test_a_question_asked_twice_has_one_pin_that_shows_what_changed(store, library, manager):
    pins = Pins(LOCAL_PERSON, store, manager)
    first = answer_question(manager)
    pin = pins.add(first)
    scene(library, "2021-07-12", 0.7)
    library.get("lake").refresh()
    second = answer_question(manager)
    again = pins.add(second)
    assert (again.id, again.run, again.before) == (pin.id, second, first)
    assert pins.pins("lake") == [again] and not pins.has_news(again)
    change = pins.change(again)
    assert change is not None and change.difference == pytest.approx(0.75 - 0.5, abs=1e-3)
    with pytest.raises(InputError, match="A newer answer to this question"):
        pins.add(first)
    other = manager.start("lake", "What is the mean NDVI of the first date?", RunOptions())
    manager.wait(other, 60)
    assert pins.add(other).id != pin.id


def test_what_is_due_is_asked_where_files_came_in_and_by_one_process(store, library, manager):
    pins = Pins(LOCAL_PERSON, store, manager)
    pin = pins.add(answer_question(manager))
    pins.schedule(pin.id, HOUR)
    assert ask_due(store, lambda person: pins) == []
    make_due(store)
    assert ask_due(store, lambda person: pins) == []  # nothing new came in
    scene(library, "2021-07-12", 0.7)
    make_due(store)
    before = pin_of(store, pin.id)
    (run,) = ask_due(store, lambda person: pins)
    manager.wait(run, 60)
    assert pin_of(store, pin.id).run == run and not take_turn(store, before)


def test_only_the_planner_is_asked_by_itself(store, manager):
    pins = Pins(LOCAL_PERSON, store, manager)
    run = manager.create("lake", QUESTION, RunOptions(policy="person"))
    with pytest.raises(InputError, match="waiting"):
        pins.add(run)
    store.set_status(run, "answered")
    pin = pins.add(run)
    with pytest.raises(InputError, match="by hand"):
        pins.schedule(pin.id, HOUR)
    with pytest.raises(InputError, match="interval"):
        pins.schedule(pins.add(answer_question(manager)).id, 5)


def test_a_pin_is_seen_by_whom_its_run_is_shown_and_changed_by_its_person(
    store, library, manager, monkeypatch
):
    monkeypatch.setenv("TREELINE_MODE", "team")
    ownership, of = Ownership(store), pins_of(store, library, manager)
    ownership.set_owner("workspace", "lake", "ana")
    run = answer_question(manager, RunOptions(person="ana"))
    pin = of(ANA).add(run)
    assert of(ANA).pins() == [pin] and of(BEN).pins() == []
    with pytest.raises(InputError, match="no such"):
        of(BEN).ask(pin.id)
    ownership.share("workspace", "lake", Grant.to_person("ben"))
    assert of(BEN).pins() == []
    ownership.share("run", run, Grant.to_person("ben"))
    assert of(BEN).pins() == [pin] and not of(BEN).is_own(pin)
    for change in (of(BEN).ask, of(BEN).remove, lambda p: of(BEN).schedule(p, DAY)):
        with pytest.raises(AccessDenied):
            change(pin.id)
    scene(library, "2021-07-12", 0.7)
    again = of(ANA).ask(pin.id)
    manager.wait(again, 60)
    assert [p.run for p in of(BEN).pins()] == [again]
    # Who is not let in any more asks nothing.
    of(ANA).schedule(pin.id, HOUR)
    scene(library, "2021-08-01", 0.9)
    make_due(store)
    assert ask_due(store, lambda person: None) == []
