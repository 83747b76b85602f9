"""What ``treeline memory`` does with both memories; the command is declared apart, without what it needs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from treeline.core.commands.outcome import Outcome
from treeline.core.home import store_url
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.entries import Entry, current_user
from treeline.core.memory.exchange import export_lessons, take
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.items import BankItem
from treeline.core.memory.names import BANK, FAILURES, MARKS
from treeline.core.record.store import Store
from treeline.toolkit.errors import InputError

# Of the bank, whose items have no owner and no version to go back to.
_OF_BANK: dict[str, Callable[[MemoryBank, str], None]] = {
    "mute": lambda bank, key: bank.mute(key, True),
    "unmute": lambda bank, key: bank.mute(key, False),
    "accept": lambda bank, key: bank.judge(key, "accepted", current_user()),
    "reject": lambda bank, key: bank.judge(key, "rejected", current_user()),
    "delete": lambda bank, key: bank.remove(key),
}


@dataclass(frozen=True)
class _Both:
    """Both memories of a store; ``only`` names one of them, empty for both."""

    store: Store
    only: str = ""

    @cached_property
    def failures(self) -> FailureMemory:
        return FailureMemory(self.store)

    @cached_property
    def bank(self) -> MemoryBank:
        return MemoryBank(self.store)

    @property
    def entries(self) -> list[Entry]:
        return self.failures.entries() if self.only != BANK else []

    @property
    def items(self) -> list[BankItem]:
        return self.bank.items() if self.only != FAILURES else []

    def export(self) -> list[dict[str, Any]]:
        return export_lessons(self.failures, self.entries, self.items)

    def find(self, target: str) -> Entry | BankItem:
        """Return an entry by its id, or an item of the bank by its key or the beginning of it."""
        target = _require(target, "an entry's id or an item's key")
        if any(item.key.startswith(target) for item in self.items):
            return self.bank.get(target)
        return self.failures.get(target)


def work(options: argparse.Namespace) -> Outcome:
    """List, show, mark, review, export or import what the memories hold."""
    both = _Both(Store(store_url()), options.memory)
    if options.action in _ACTIONS:
        return _ACTIONS[options.action](both, options.target)
    found = both.find(options.target)
    if isinstance(found, Entry):
        return _mark(both, found, options.action)
    if options.action not in _OF_BANK:
        raise InputError(
            f"An item of the memory bank cannot be {options.action!r}.", f"There are {', '.join(_OF_BANK)}."
        )
    _OF_BANK[options.action](both.bank, found.key)
    left = [item for item in both.bank.items() if item.key == found.key]
    return Outcome(
        export_lessons(both.failures, [], left or [found]), _item_line(left[0]) if left else "It is gone."
    )


def _mark(both: _Both, entry: Entry, action: str) -> Outcome:
    if action not in MARKS:
        raise InputError(
            f"An entry of the failure memory cannot be {action!r}.", f"There are {', '.join(MARKS)}."
        )
    marked = both.failures.mark(entry.id, **MARKS[action])
    return Outcome(export_lessons(both.failures, [marked], []), _line(marked))


def _list(both: _Both, target: str) -> Outcome:
    lines = [*map(_line, both.entries), *map(_item_line, both.items)]
    return Outcome(both.export(), "\n".join(lines) or "Nothing was learned yet.")


def _show(both: _Both, target: str) -> Outcome:
    found = both.find(target)
    if isinstance(found, Entry):
        return Outcome(export_lessons(both.failures, [found], []), _entry_text(found))
    return Outcome(export_lessons(both.failures, [], [found]), _item_text(found))


def _entry_text(entry: Entry) -> str:
    lesson = entry.lesson
    parts = [
        _line(entry),
        entry.question,
        lesson.text,
        *(f"- {rule}" for rule in lesson.guardrails),
        *([f"Key: {entry.expression}"] if entry.expression else []),
        f"Trace, {lesson.full_tokens:,} tokens in {lesson.trace_tokens:,}:",
        lesson.trace,
    ]
    return "\n".join(parts)


def _item_text(item: BankItem) -> str:
    # What a success taught says its procedure in words already.
    procedure = str(item.procedure) if item.procedure and str(item.procedure) not in item.text else ""
    parts = [
        _item_line(item),
        item.text,
        procedure,
        *(f"- {rule}" for rule in item.guardrails),
        f"Key: {item.expression}" if item.expression else "It has no key: it is found by its words alone.",
        f"Learned from: {', '.join(item.provenance)}",
    ]
    return "\n".join(filter(None, parts))


def _export(both: _Both, target: str) -> Outcome:
    found = both.export()
    if not target:
        return Outcome(found, json.dumps(found, ensure_ascii=False, indent=1))
    path = Path(target)
    try:
        path.write_text(json.dumps(found, ensure_ascii=False, indent=1), "utf-8")
    except OSError as error:
        raise InputError(f"{target!r} cannot be written: {error.strerror}.", "Name another file.") from None
    return Outcome(found, f"{len(found)} entries written to {path}.")


def _import(both: _Both, target: str) -> Outcome:
    path = Path(_require(target, "the file that `treeline memory export` wrote"))
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise InputError(f"{target!r} cannot be read: {reason}.", "Give an exported file.") from None
    entries, items = take(both.failures, both.bank, text)
    return Outcome(
        export_lessons(both.failures, entries, items), f"{len(entries) + len(items)} entries added."
    )


def _require(target: str, what: str) -> str:
    if not target:
        raise InputError(f"This needs {what}.", "`treeline memory list` lists the entries.")
    return target


def _line(entry: Entry) -> str:
    states = {"pinned": entry.pinned, "muted": entry.muted, "deleted": entry.deleted, "shared": entry.shared}
    told = "".join(f" [{name}]" for name, holds in states.items() if holds)
    uses = f"used {entry.uses}, helped {entry.helped}, harmed {entry.harmed}"
    head = f"{entry.id}  {entry.created:%Y-%m-%d %H:%M}  {uses}{told}"
    return f"{head}  {entry.question[:60]}: {entry.lesson.text[:100]}"


def _item_line(item: BankItem) -> str:
    told = " [muted]" if item.muted else ""
    told += "" if item.review == "accepted" else f" [{item.review}]"
    uses = f"used {item.uses}, helped {item.helps}, harmed {item.harms}"
    when = f"{item.created:%Y-%m-%d %H:%M}" if item.created else "now"
    of = f"{item.topic[:60]}: " if item.procedure and item.topic else ""
    return f"{item.key[:16]}  {when}  {uses}{told}  {item.kind}: {of}{' '.join(item.text.split())[:140]}"


_ACTIONS: dict[str, Callable[[_Both, str], Outcome]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "import": _import,
}
