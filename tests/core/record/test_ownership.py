from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import delete

from treeline.core.access import ALL, Grant, Person
from treeline.core.record.ownership import Ownership, OwnershipAtOnce, ownership_statement
from treeline.core.record.store import Store
from treeline.core.record.tables import GRANTS

ANA = Person("ana@example.org", "Ana", "analyst")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "treeline.sqlite")
    yield opened
    opened.close()


def test_what_was_looked_at_stays_for_a_moment(store: Store) -> None:
    Ownership(store).share("workspace", "quarry", Grant(ALL))
    at_once = OwnershipAtOnce(store)
    assert at_once.thing("workspace", "quarry").grants and at_once.names("workspace", ANA) == {"quarry"}
    # As another process would.
    store.write(lambda connection: connection.execute(delete(GRANTS)))
    assert at_once.thing("workspace", "quarry").grants and at_once.names("workspace", ANA) == {"quarry"}
    later = OwnershipAtOnce(store)
    assert not later.thing("workspace", "quarry").grants and not later.names("workspace", ANA)


def test_what_this_process_changes_is_seen_at_once(store: Store) -> None:
    at_once, elsewhere = OwnershipAtOnce(store), Ownership(store)
    assert at_once.thing("run", "one").owner == ""
    elsewhere.set_owner("run", "one", ANA.id)
    assert at_once.thing("run", "one").owner == ANA.id and at_once.names("run", ANA) == {"one"}
    elsewhere.share("run", "one", Grant(ALL))
    assert at_once.thing("run", "one").grants == {Grant(ALL)}
    elsewhere.withdraw("run", "one", ALL)
    assert at_once.thing("run", "one").grants == frozenset()
    elsewhere.forget("run", "one")
    assert at_once.thing("run", "one").owner == "" and not at_once.names("run", ANA)


def test_what_another_process_makes_is_found(store: Store) -> None:
    at_once = OwnershipAtOnce(store)
    assert at_once.thing("run", "one").owner == ""
    store.write(lambda connection: connection.execute(ownership_statement("run", "one", ANA.id)))
    assert at_once.thing("run", "one").owner == ANA.id
