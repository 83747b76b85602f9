"""Both memories as one list of plain values: what leaves, and what is taken in."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.bank_exchange import export_items, read_items, take_items
from treeline.core.memory.entries import Entry
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.items import BankItem
from treeline.core.memory.names import BANK, FAILURES
from treeline.toolkit.errors import InputError
from treeline.toolkit.json_texts import read_json


def export_lessons(
    memory: FailureMemory, entries: Iterable[Entry], items: Iterable[BankItem]
) -> list[dict[str, Any]]:
    """Return entries of the failure memory and items of the bank, each with the memory that it is of."""
    return [
        *({"memory": FAILURES, **entry} for entry in memory.export(entries)),
        *({"memory": BANK, **item} for item in export_items(items)),
    ]


def take(memory: FailureMemory, bank: MemoryBank, text: str) -> tuple[list[Entry], tuple[BankItem, ...]]:
    """Add what an export holds, each to its memory, all or none, and return what was new.

    Raises
    ------
    InputError
        The text is no export of a memory; says which entry and why.
    """
    try:
        given = read_json(text)
    except ValueError:
        given = None
    if not isinstance(given, list):
        raise InputError("This is no export of a memory.", "Give a file that `treeline memory export` wrote.")
    parts: dict[str, list[Any]] = {FAILURES: [], BANK: []}
    for one in given:
        parts[_memory_of(one)].append(one)
    failures, items = json.dumps(parts[FAILURES]), json.dumps(parts[BANK])
    # The bank is read first, so that a fault in either leaves both as they are.
    read_items(items)
    return memory.take(failures), take_items(bank, items)


def _memory_of(one: Any) -> str:
    """Return which memory an exported value is of; exports of one memory alone do not say it."""
    return BANK if isinstance(one, dict) and (one.get("memory") == BANK or "topic" in one) else FAILURES
