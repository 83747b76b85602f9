"""What a lesson may be, whoever wrote it: a person on the page, or a file of another server.

Text of a lesson enters prompts whole, its key is read at every question, and pages show its times.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import String, Table

from treeline.toolkit.errors import InputError
from treeline.toolkit.json_texts import read_json

LONGEST_TEXT = 8_000
# A question of a few sentences has a tenth of it; what walks through a key calls itself at each level.
_DEEPEST = 100
# What an integer of every database holds.
_LARGEST = 2**31 - 1
# Before that there was no record, and not every page has times of the year 1.
_FIRST = datetime(2000, 1, 1, tzinfo=UTC)


def check_text(text: str, what: str) -> str:
    """Return the text of a lesson without blanks around it.

    Raises
    ------
    InputError
        It is empty or too long.
    """
    text = text.strip()
    if not 0 < len(text) <= LONGEST_TEXT:
        raise InputError(f"{what} has 1 to {LONGEST_TEXT:,} characters; this has {len(text):,}.")
    return text


def canonical_key(expression: str) -> str:
    """Return a key as the memories write it.

    Raises
    ------
    InputError
        It is neither empty nor a list of expressions.
    """
    if not expression.strip():
        return ""
    try:
        forms = read_json(expression)
        are_nodes = isinstance(forms, list) and all(isinstance(f, dict) and "node" in f for f in forms)
        if are_nodes and not _is_deeper(forms, _DEEPEST):
            return json.dumps(forms, sort_keys=True, separators=(",", ":"))
    except ValueError:
        pass
    raise InputError("A key is a list of expressions as JSON.", "Leave it empty where there is none.")


def _is_deeper(value: Any, levels: int) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels == 0 or any(_is_deeper(part, levels - 1) for part in parts)


def check_row(table: Table, row: Mapping[str, Any]) -> None:
    """Refuse a row that its table has no room for: not every database cuts or widens by itself.

    Raises
    ------
    InputError
        Names the column.
    """
    for column in table.columns:
        value = row.get(column.name)
        room = column.type.length if isinstance(column.type, String) else None
        if isinstance(value, str) and room and len(value) > room:
            raise InputError(f"{column.name} has at most {room} characters; this has {len(value):,}.")
        if type(value) is int and not 0 <= value <= _LARGEST:
            raise InputError(f"{column.name} is from 0 to {_LARGEST:,}; this is {value}.")


def moment_within(moment: datetime | None) -> datetime:
    """Return when a lesson was learned: of an import no later than now, so that none stays the newest."""
    now = datetime.now(UTC)
    if moment is None:
        return now
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(max(aware, _FIRST), now)
