"""The memory bank as a file: items given away, items taken in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.memory.bank import BankItem, MemoryBank
from toolkit.errors import InputError

_ITEMS: TypeAdapter[list[BankItem]] = TypeAdapter(list[BankItem])
_MOST_IMPORTED = 10_000


def exported_items(items: Iterable[BankItem]) -> list[dict[str, Any]]:
    """Return items as plain values."""
    return [_ITEMS.dump_python([item], mode="json")[0] for item in items]


def take_items(bank: MemoryBank, exported: str | bytes) -> tuple[BankItem, ...]:
    """Add the items of an export, all or none, and return those that are new; uses are counted anew.

    Raises
    ------
    InputError
        The text is no export; says which item and why.
    """
    try:
        given = _ITEMS.validate_json(exported)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the text"
        message = f"This is no export of the memory bank: {where}: {first['msg']}."
        raise InputError(message, "Give a file that was exported from a memory bank.") from None
    if len(given) > _MOST_IMPORTED:
        raise InputError(f"{len(given):,} items are too many; {_MOST_IMPORTED:,} are read at once.")
    return bank.consolidate(replace(item, uses=0, successes=0) for item in given)
