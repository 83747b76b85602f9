"""``treeline memory``: what was learned from failures; list, show, export, import, and keep in order."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.memory.entries import Entry
from treeline.core.memory.failure import FailureMemory
from treeline.core.record.store import Store
from treeline.core.settings import store_url
from treeline.toolkit.errors import InputError

_MARKS: dict[str, dict[str, bool]] = {
    "pin": {"pinned": True},
    "unpin": {"pinned": False},
    "mute": {"muted": True},
    "unmute": {"muted": False},
    "delete": {"deleted": True},
    "restore": {"deleted": False},
    "share": {"shared": True},
    "unshare": {"shared": False},
}


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "memory", COMMANDS["memory"].summary, run)
    parser.add_argument("action", nargs="?", choices=(*_ACTIONS, *_MARKS), default="list")
    parser.add_argument("target", nargs="?", default="", help="an entry's id; the file to write or to read")


def run(options: argparse.Namespace) -> Outcome:
    """List, show, mark, export or import entries."""
    memory = FailureMemory(Store(store_url()))
    if options.action in _MARKS:
        entry = memory.mark(_require(options.target, "an entry's id"), **_MARKS[options.action])
        return Outcome(memory.export([entry]), _line(entry))
    return _ACTIONS[options.action](memory, options.target)


def _list(memory: FailureMemory, target: str) -> Outcome:
    entries = memory.entries()
    text = "\n".join(_line(entry) for entry in entries)
    return Outcome(memory.export(entries), text or "Nothing was learned yet.")


def _show(memory: FailureMemory, target: str) -> Outcome:
    entry = memory.get(_require(target, "an entry's id"))
    lesson = entry.lesson
    parts = [
        _line(entry),
        entry.question,
        lesson.text,
        *(f"- {rule}" for rule in lesson.guardrails),
        f"Trace, {lesson.full_tokens:,} tokens in {lesson.trace_tokens:,}:",
        lesson.trace,
    ]
    return Outcome(memory.export([entry]), "\n".join(parts))


def _export(memory: FailureMemory, target: str) -> Outcome:
    exported = memory.export()
    if not target:
        return Outcome(exported, json.dumps(exported, ensure_ascii=False, indent=1))
    path = Path(target)
    try:
        path.write_text(json.dumps(exported, ensure_ascii=False, indent=1), "utf-8")
    except OSError as error:
        raise InputError(f"{target!r} cannot be written: {error.strerror}.", "Name another file.") from None
    return Outcome(exported, f"{len(exported)} entries written to {path}.")


def _import(memory: FailureMemory, target: str) -> Outcome:
    path = Path(_require(target, "the file that `treeline memory export` wrote"))
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise InputError(f"{target!r} cannot be read: {reason}.", "Give an exported file.") from None
    added = memory.take(text)
    return Outcome(memory.export(added), f"{len(added)} entries added.")


def _require(target: str, what: str) -> str:
    if not target:
        raise InputError(f"This needs {what}.", "`treeline memory list` lists the entries.")
    return target


def _line(entry: Entry) -> str:
    states = {"pinned": entry.pinned, "muted": entry.muted, "deleted": entry.deleted, "shared": entry.shared}
    told = "".join(f" [{name}]" for name, holds in states.items() if holds)
    uses = f"used {entry.uses}, helped {entry.helped}"
    head = f"{entry.id}  {entry.created:%Y-%m-%d %H:%M}  {uses}{told}"
    return f"{head}  {entry.question[:60]}: {entry.lesson.text[:100]}"


_ACTIONS: dict[str, Callable[[FailureMemory, str], Outcome]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "import": _import,
}
