"""How the memory bank grew: what each run found in it, confirmed, and left there, from the record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal

from treeline.core.engine.events import Note
from treeline.core.engine.journal import events_of
from treeline.core.memory.items import BankItem
from treeline.core.record.store import RunRecord, Store
from treeline.core.teams.names import SOLO

Mark = Literal["new", "confirmed", "used"]


@dataclass(frozen=True, slots=True)
class Distillation:
    """What one run did with the bank.

    Attributes
    ----------
    added : dict
        By key, the text of each item that was new.
    confirmed, used : tuple of str
        Keys of items that it found again, and that entered it.
    """

    run: str
    question: str
    time: datetime
    added: dict[str, str]
    confirmed: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    success: bool = False


@dataclass(frozen=True, slots=True)
class Counts:
    """Of an item: runs that it was distilled from, that it entered, and that succeeded with it."""

    sources: int = 0
    uses: int = 0
    successes: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """An item before and after a run.

    Attributes
    ----------
    item : BankItem, optional
        ``None`` when it was merged into another one since.
    before : Counts, optional
        ``None`` for an item that was new.
    """

    key: str
    text: str
    marks: tuple[Mark, ...]
    before: Counts | None
    after: Counts
    item: BankItem | None = None


def distillations(store: Store, items: Iterable[BankItem]) -> list[Distillation]:
    """Return what each run did with the bank, the oldest first."""
    items = list(items)
    of_run: dict[str, list[str]] = {}
    for item in items:
        for run in item.provenance:
            of_run.setdefault(run, []).append(item.key)
    teams = [r.id for r in store.runs(limit=10_000) if r.options.get("team", SOLO) != SOLO]
    records = [store.run(run) for run in dict.fromkeys([*teams, *of_run])]
    found = [_of_run(store, record, of_run.get(record.id, ())) for record in records if record]
    return sorted((d for d in found if d is not None), key=lambda d: d.time)


def changes(history: Sequence[Distillation], run: str, items: Iterable[BankItem]) -> list[Change]:
    """Return the items that a run changed, before and after it; counts begin with the record."""
    known = {item.key: item for item in items}
    counts: dict[str, Counts] = {}
    for each in history:
        before = dict(counts) if each.run == run else {}
        _count(counts, each)
        if each.run == run:
            touched = dict.fromkeys([*each.added, *each.confirmed, *each.used])
            return [_change(key, each, before.get(key), counts[key], known.get(key)) for key in touched]
    return []


@dataclass(frozen=True, slots=True)
class _BankUse:
    """What the events of a run say of the bank; ``time`` is ``None`` where nothing was distilled."""

    added: dict[str, str]
    used: tuple[str, ...]
    success: bool
    time: datetime | None


def _of_run(store: Store, record: RunRecord, sourced: Iterable[str]) -> Distillation | None:
    # Only the record of a run that has ended stays as it is and may be kept in memory.
    told = _read_ended(store, record.id) if record.is_finished else _bank_notes(store, record.id)
    confirmed = tuple(key for key in sourced if key not in told.added)
    if not (told.added or confirmed or told.used):
        return None
    time = told.time or record.updated
    return Distillation(record.id, record.question, time, told.added, confirmed, told.used, told.success)


@lru_cache(maxsize=2_000)
def _read_ended(store: Store, run: str) -> _BankUse:
    """Return what a run told that has ended: its events are read once, however often a page is drawn."""
    return _bank_notes(store, run)


def _bank_notes(store: Store, run: str) -> _BankUse:
    added: dict[str, str] = {}
    used: tuple[str, ...] = ()
    success, time = False, None
    for stored in events_of(store, run):
        match stored.event:
            case Note(data={"team": "distilled", "keys": keys, "texts": texts}):
                added |= dict(zip(keys, texts, strict=False))
                time = stored.time
            case Note(data={"team": "memory", "keys": keys}):
                used = tuple(keys)
            case Note(data={"team": "verdict", "chosen": True, "success": reached}):
                success = bool(reached)
            case _:
                pass
    return _BankUse(added, used, success, time)


def _count(counts: dict[str, Counts], each: Distillation) -> None:
    for key in (*each.added, *each.confirmed):
        now = counts.get(key, Counts())
        counts[key] = Counts(now.sources + 1, now.uses, now.successes)
    for key in each.used:
        now = counts.get(key, Counts())
        counts[key] = Counts(now.sources, now.uses + 1, now.successes + each.success)


def _change(
    key: str, each: Distillation, before: Counts | None, after: Counts, item: BankItem | None
) -> Change:
    kinds: tuple[tuple[Mark, Iterable[str]], ...] = (
        ("new", each.added),
        ("confirmed", each.confirmed),
        ("used", each.used),
    )
    marks = tuple(mark for mark, keys in kinds if key in keys)
    text = each.added.get(key) or (item.text if item else "")
    return Change(key, text, marks, None if key in each.added else before or Counts(), after, item)
