"""The memory bank as a file: items given away, items taken in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

from pydantic import FailFast, TypeAdapter

from treeline.core.memory.bank import MemoryBank, check_item
from treeline.core.memory.imports import read_each, read_export
from treeline.core.memory.items import BankItem

# The first fault is the one that is told.
_ITEMS: TypeAdapter[list[BankItem]] = TypeAdapter(Annotated[list[BankItem], FailFast()])


def export_items(items: Iterable[BankItem]) -> list[dict[str, Any]]:
    """Return items as plain values."""
    given = list(items)
    # Whose it was is nobody's business where it is taken in; it becomes the taker's.
    plain = _ITEMS.dump_python(given, mode="json", exclude={"__all__": {"owner"}})
    return [{"key": item.key, **values} for item, values in zip(given, plain, strict=True)]


def read_items(exported: str | bytes) -> list[BankItem]:
    """Return the items of an export.

    Raises
    ------
    InputError
        The text is no export; says which item and why.
    """
    hint = "Give a file that was exported from a memory bank."
    what = "the memory bank"
    # What is taken in is counted again, whatever it says of its counts.
    plain = [
        replace(item, uses=0, helps=0, harms=0, kept_as="")
        for item in read_export(_ITEMS, exported, what, hint)
    ]
    return read_each(plain, check_item, what, hint)


def take_items(bank: MemoryBank, exported: str | bytes) -> tuple[BankItem, ...]:
    """Add the items of an export, all or none, and return those that are new; uses are counted again.

    Raises
    ------
    InputError
        As for :func:`read_items`.
    """
    return bank.consolidate(read_items(exported))
