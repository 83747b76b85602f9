from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, text

from treeline.core.engine.journal import ending_of, events_of
from treeline.core.errors import RecordError
from treeline.core.record.faults import faults_of
from treeline.core.record.migrations import FOLDER, newest_revision, revision_of
from treeline.core.record.store import Store
from treeline.core.record.tables import METADATA

# What a version of Treeline that kept a number in the table "schema" wrote: two runs and a fault.
EARLIER = Path(__file__).with_name("store_before_revisions.sql").read_text("utf-8")
ANSWERED = "c17c1bdf69ee"


def earlier_store(path: Path, *statements: str) -> Path:
    """Make a store as an earlier version wrote it."""
    with sqlite3.connect(path) as connection:
        connection.executescript(EARLIER)
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return path


def differences(engine: Engine) -> list[object]:
    """Return in what the tables of a store differ from those of the code."""
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, METADATA))


def test_there_is_one_newest_script_and_its_file_has_its_number():
    scripts = ScriptDirectory(str(FOLDER))
    assert scripts.get_heads() == [newest_revision()]
    for script in scripts.walk_revisions():
        assert Path(script.path).name.startswith(f"v{script.revision}_")


def test_the_scripts_make_the_tables_of_the_code(tmp_path):
    assert differences(Store(tmp_path / "new.sqlite").engine) == []


def test_a_store_of_the_time_before_revisions_is_brought_on_and_keeps_what_is_in_it(tmp_path):
    store = Store(earlier_store(tmp_path / "s.sqlite"))
    assert {record.status for record in store.runs("lake")} == {"answered", "declined"}
    finished = ending_of(store, ANSWERED)
    assert finished is not None and finished.answer is not None
    assert finished.answer.text == "The mean NDVI on 2021-05-01 is 0.0220."
    assert [fault.fault.subject for fault in faults_of(store, ANSWERED)] == ["The test"]
    assert differences(store.engine) == []
    assert not inspect(store.engine).has_table("schema")


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_store_that_never_saw_the_later_tables_gets_them(tmp_path, version):
    newer = {1: "memory_entries memory_versions memory_uses", 2: "memory_bank", 3: "faults"}
    missing = [name for number, names in newer.items() if number >= version for name in names.split()]
    path = earlier_store(
        tmp_path / "s.sqlite",
        *(f"DROP TABLE {name}" for name in missing),
        f"DELETE FROM schema WHERE version > {version}",
    )
    store = Store(path)
    assert differences(store.engine) == []
    assert events_of(store, ANSWERED)


def test_a_store_of_a_later_version_is_refused_in_words(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(RecordError, match="later version of Treeline"):
        Store(tmp_path / "s.sqlite")


def test_six_threads_open_a_fresh_store_at_once(tmp_path):
    barrier = threading.Barrier(6)
    faults: list[BaseException] = []

    def open_it(number: int) -> None:
        barrier.wait()
        try:
            Store(tmp_path / "s.sqlite").create_run(f"r{number}", "w", "q", {})
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=open_it, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert len(Store(tmp_path / "s.sqlite").runs()) == 6


def test_a_store_of_this_version_opens_without_alembic(tmp_path):
    Store(tmp_path / "s.sqlite").close()
    code = (
        "import sys; from treeline.core.record.store import Store; "
        f"Store({str(tmp_path / 's.sqlite')!r}).runs(); sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_revision_of_a_new_store_is_the_newest(tmp_path):
    with Store(tmp_path / "s.sqlite").engine.connect() as connection:
        assert revision_of(connection) == newest_revision()
