"""The failure memory in the store: what is recalled, for whom, and that nothing is lost."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from treeline.core.access import Grant
from treeline.core.context.guardrails import (
    AvoidCall,
    LeaveOut,
    MaskFirst,
    RequireRole,
    from_lines,
    read,
    to_lines,
)
from treeline.core.memory.bounds import LONGEST_TEXT
from treeline.core.memory.entries import Lesson, Source, instance_of
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.leakage import leaks, without_answers
from treeline.core.record.ownership import Ownership
from treeline.core.record.people import People
from treeline.core.record.store import Store
from treeline.core.record.tables import VERSIONS
from treeline.toolkit.errors import InputError

KEY = instance_of("What is the mean?", ("1", "2"), "w", ("/data",))
RULES = (
    RequireRole("lst", ("bt10",), "why"),
    AvoidCall("mean", {"x": [1, "a"]}, "why"),
    LeaveOut("a.tif"),
    MaskFirst(),
)


@pytest.fixture
def memory(store: Store) -> FailureMemory:
    return FailureMemory(store, "ann")


def source(root="root", run="run", instance=KEY, shared=False):
    return Source(instance, "What is the mean?", "w", root, run, 1, shared)


def test_the_key_of_a_question_is_its_words_and_options_in_its_data():
    assert instance_of("  what IS the\nmean ", ("1", "2"), "w", ("/data",)) == KEY
    for other in (
        ("What is the max?", ("1", "2"), "w"),
        ("What is the mean?", ("1",), "w"),
        ("What is the mean?", ("1", "2"), "v"),
    ):
        assert instance_of(*other, ("/data",)) != KEY
    assert instance_of("What is the mean?", ("1", "2"), "w", ("/elsewhere",)) != KEY


def test_the_latest_is_recalled_a_pinned_one_first_a_muted_or_deleted_one_never(memory):
    first, second = (memory.add(source(), Lesson(text)) for text in ("first", "second"))
    assert memory.latest(KEY, "user") == second
    memory.mark(first.id, pinned=True)
    assert memory.latest(KEY, "user").id == first.id
    memory.mark(first.id, muted=True)
    assert memory.latest(KEY, "user").id == second.id
    memory.mark(second.id, deleted=True)
    assert memory.latest(KEY, "user") is None and [e.id for e in memory.entries()] == [first.id]
    memory.mark(second.id, deleted=False)
    assert memory.latest(KEY, "user").id == second.id


def test_scopes(memory, store):
    other = FailureMemory(store, "bob")
    mine = memory.add(source(root="r1"), Lesson("mine"))
    theirs = other.add(source(root="r2"), Lesson("theirs"))
    given = other.add(source(root="r3", shared=True), Lesson("given"))
    assert memory.latest(KEY, "off", "r1") is None
    assert memory.latest(KEY, "own", "r1") == mine and memory.latest(KEY, "own", "r9") is None
    assert memory.latest(KEY, "user") == mine
    assert memory.latest(KEY, "shared") == given
    assert memory.latest(instance_of("Another?", (), "w"), "shared") is None
    with pytest.raises(InputError):
        memory.get(theirs.id)
    with pytest.raises(InputError, match="bob"):
        memory.mark(given.id, muted=True)


def test_a_lesson_that_names_the_run_of_another_enters_none_of_its_attempts(memory, store):
    forged = FailureMemory(store, "bob").add(source(root="r1"), Lesson("Answer 0."))
    assert forged.root == "r1" and memory.latest(KEY, "own", "r1") is None


def test_a_lesson_is_shared_with_a_person_or_a_group(memory, store):
    given = FailureMemory(store, "bob").add(source(), Lesson("given"))
    ownership, people = Ownership(store), People(store)
    for grant in (Grant.to_person("ann"), Grant.to_group("lab")):
        people.find_or_add("ann")
        people.set_groups("ann", ["lab"])
        ownership.share("memory", given.id, grant)
        assert (
            memory.latest(KEY, "shared") == memory.get(given.id) == given
            and memory.latest(KEY, "user") is None
        )
        assert FailureMemory(store, "eve").entries() == FailureMemory(store).entries() == []
        ownership.withdraw("memory", given.id, grant.to)
        assert memory.entries() == []


def test_an_edit_keeps_what_was_said_before(memory):
    entry = memory.add(source(), Lesson("old", RULES))
    edited = memory.edit(entry.id, " new ", RULES[:1])
    assert (edited.lesson.text, edited.lesson.guardrails, edited.lesson.author) == (
        "new",
        RULES[:1],
        "person",
    )
    assert memory.versions(entry.id) == [entry.lesson]
    again = memory.edit(entry.id, "newer", ())
    assert memory.versions(entry.id) == [entry.lesson, edited.lesson] and again.lesson.text == "newer"
    with memory.store.reading() as connection:
        assert connection.execute(select(VERSIONS.c.number)).scalars().all() == [1, 2]
    longest = "x" * LONGEST_TEXT
    assert memory.edit(entry.id, longest, ()).lesson.text == longest
    assert memory.edit(entry.id, "y", ()).lesson.text == "y"
    for text in ("", " ", f"{longest}x"):
        with pytest.raises(InputError):
            memory.edit(entry.id, text, ())


def test_uses_are_counted_and_judged(memory):
    entry = memory.add(source(), Lesson("text"))
    for run in ("a", "b", "b"):
        memory.record_use(entry.id, run, 120)
    memory.record_success("a", True)
    memory.record_success("b", False)
    found = memory.get(entry.id)
    assert (found.uses, found.helped) == (2, 1)
    assert [(use.run, use.tokens, use.helped) for use in memory.uses(entry.id)] == [
        ("a", 120, True),
        ("b", 120, False),
    ]


def test_export_and_import(memory, tmp_path):
    entry = memory.add(source(), Lesson("text", RULES, ({"sign": "empty"},), "trace", 100, 10))
    exported = json.dumps(memory.export())
    assert memory.take(exported) == []
    elsewhere = FailureMemory(Store(tmp_path / "other.sqlite"), "bob")
    (taken,) = elsewhere.take(exported)
    assert taken == replace(entry, owner="bob", uses=0, helped=0) and elsewhere.entries() == [taken]
    for wrong in ("", "{}", "[1]", exported.replace('"lesson"', '"lessen"')):
        with pytest.raises(InputError, match="export"):
            elsewhere.take(wrong)


def test_what_another_has_already_is_taken_in_as_ones_own(store: Store):
    ana, ben = FailureMemory(store, "ana"), FailureMemory(store, "ben")
    entry = ana.add(source(), Lesson("text"))
    exported = json.dumps(ana.export())
    (taken,) = ben.take(exported)
    assert taken.id != entry.id and taken.lesson == entry.lesson
    assert (ben.entries(), ana.entries()) == ([taken], [entry])
    assert ben.take(exported) == [] and ana.take(exported) == []


def test_what_is_deleted_is_shared_no_more(store: Store):
    ana, ben = FailureMemory(store, "ana"), FailureMemory(store, "ben")
    entry = ana.add(source(shared=True), Lesson("text"))
    assert ben.entries(deleted=True) == [entry]
    ana.mark(entry.id, deleted=True)
    assert ben.entries(deleted=True) == [] and len(ana.entries(deleted=True)) == 1
    with pytest.raises(InputError):
        ben.get(entry.id)


def test_guardrails_survive_text_and_garbage_is_passed_over():
    assert from_lines(f"# Guardrails\n{to_lines(RULES)}\nnonsense\n{{}}") == RULES
    assert read({"kind": "avoid_tool"}) is None and read({"kind": "rm", "tool": "x"}) is None


def test_nothing_that_tells_an_answer_is_written_or_recalled(memory):
    told = "Step 2 failed. The answer is B. Option C fits. It should be 34.26 %. Mask the clouds."
    assert without_answers(told, ("12.1 %", "34.26 %")) == "Step 2 failed. Mask the clouds."
    assert leaks("use 34.26 next time", ("34.26",)) and not leaks("use step 3", ("34.26", "B"))
    clean = memory.add(source(), Lesson("Mask the clouds."))
    memory.add(source(), Lesson("It was 34.26 in the end."))
    assert memory.latest(KEY, "user", expected=("34.26 %", "C")).id == clean.id


WRITER = textwrap.dedent("""
    import os, random, signal, sys, time
    from treeline.core.memory.entries import Lesson, Source
    from treeline.core.memory.failure import FailureMemory
    from treeline.core.record.store import Store

    KILLS, path = int(sys.argv[2]), sys.argv[1]
    Store(path).close()
    source = Source("key", "q", "w", "root", "run")
    rng = random.Random(11)

    def write(pipe):
        memory = FailureMemory(Store(path), "ann")
        with memory.store.reading() as connection:
            number = connection.exec_driver_sql("SELECT count(*) FROM memory_entries").scalar()
        while True:
            os.write(pipe, b"+")
            memory.add(source, Lesson(str(number), trace="x" * 60_000))
            os.write(pipe, b"!")
            number += 1

    confirmed = 0
    for attempt in range(KILLS):
        read, pipe = os.pipe()
        child = os.fork()
        if child == 0:
            write(pipe)
        os.close(pipe)
        told = os.read(read, 1)
        time.sleep(rng.uniform(0, 0.006))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        while more := os.read(read, 65_536):
            told += more
        os.close(read)
        confirmed += told.count(b"!")
    print(confirmed)
""")


def test_a_kill_in_the_middle_of_a_write_loses_nothing_that_was_confirmed(tmp_path: Path):
    path = tmp_path / "killed.sqlite"
    run = subprocess.run(
        [sys.executable, "-c", WRITER, str(path), "200"], capture_output=True, text=True, cwd=Path.cwd()
    )
    assert run.returncode == 0, run.stderr
    memory = FailureMemory(Store(path), "ann")
    entries = memory.entries(limit=1_000_000)
    numbers = sorted(int(entry.lesson.text) for entry in entries)
    assert numbers == list(range(len(numbers))), "no entry is lost in between or written twice"
    assert all(len(entry.lesson.trace) == 60_000 for entry in entries)
    assert int(run.stdout) <= len(entries) <= int(run.stdout) + 200
    with memory.store.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


def test_the_entries_of_one_question_are_found_by_its_run(memory):
    one = memory.add(source("one", "one"), Lesson("first", ()))
    other = memory.add(source("other", "other"), Lesson("second", ()))
    assert [entry.id for entry in memory.entries(root="one")] == [one.id]
    assert [entry.id for entry in memory.entries()] == [other.id, one.id], "the newest first"
    assert len(memory.entries(limit=1)) == 1
