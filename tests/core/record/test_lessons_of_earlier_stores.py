"""What earlier versions kept in the memory bank is brought on."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from treeline.core.memory.bank import MemoryBank
from treeline.core.record.store import Store

EARLIER = Path(__file__).with_name("store_before_revisions.sql").read_text("utf-8")
ROW = "INSERT INTO memory_bank VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def lesson_row(key: str, kind: str, text: str, form: dict, uses: int, successes: int) -> tuple:
    content = json.dumps({"text": text, "form": form})
    return (key, kind, "mean ndvi", content, '["r1"]', uses, successes, 0, 1.0)


def test_earlier_patterns_keep_their_words_and_guardrails_wait_for_a_person(tmp_path: Path):
    with sqlite3.connect(tmp_path / "s.sqlite") as connection:
        connection.executescript(EARLIER)
        form = {"kind_of_question": "x", "tools": ["mean"]}
        connection.execute(ROW, lesson_row("a" * 32, "pattern", "Index, then mean.", form, 3, 2))
        connection.execute(
            ROW, lesson_row("b" * 32, "guardrail", "Do not use max_value_and_index.", {}, 1, 0)
        )
    connection.close()
    store = Store(tmp_path / "s.sqlite")
    bank = MemoryBank(store)
    pattern, guardrail = sorted(bank.items(), key=lambda item: item.kind, reverse=True)
    assert (pattern.key, pattern.uses, pattern.helps, pattern.harms) == ("a" * 32, 3, 2, 0)
    assert pattern.procedure is None and pattern.expression == "" and pattern.enters
    assert guardrail.review == "proposed" and not guardrail.enters
    assert [hit.item.key for hit in bank.search("What is the mean NDVI?")] == ["a" * 32]
    bank.mute("a" * 32)
    assert bank.get("aaaa").muted
    store.close()
