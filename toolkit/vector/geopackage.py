"""GeoPackages are SQLite databases, which can hold programs; one that does is not opened."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from treeline.toolkit.errors import InputError

MOST_OBJECTS = 20_000
# Index of places; every other virtual table is a program, some of which open files.
_ALLOWED_MODULES = {"rtree", "rtree_i32"}
_MODULE = re.compile(r"CREATE\s+VIRTUAL\s+TABLE\b.*?\bUSING\s+[\"'`\[]?(\w+)", re.IGNORECASE | re.DOTALL)
_COMPUTED = re.compile(r"\bGENERATED\s+ALWAYS\b|\bAS\s*\(", re.IGNORECASE)


def check_geopackage(path: Path) -> None:
    """Refuse a GeoPackage that computes what it gives: by views, by virtual tables or by columns.

    Triggers are no danger to who only reads; nothing here writes to a file of others.

    Raises
    ------
    InputError
        It does, or the database is damaged.
    """
    address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            rows = connection.execute(
                "SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'view') LIMIT ?",
                (MOST_OBJECTS + 1,),
            ).fetchall()
    except (sqlite3.Error, UnicodeError, ValueError) as error:
        raise InputError(f"{path.name} is a damaged GeoPackage ({error}).", "Write it anew.") from None
    if len(rows) > MOST_OBJECTS:
        raise InputError(f"{path.name} has more than {MOST_OBJECTS:,} tables.", "Give fewer layers.")
    for kind, name, made in rows:
        what = _program_kind(str(kind), str(made or ""))
        if what:
            raise InputError(
                f"{path.name} holds the {what} {str(name)[:60]!r}, which computes instead of storing.",
                "Write its layers anew as plain tables.",
            )


def _program_kind(kind: str, made: str) -> str:
    """Return what kind of program an object of a database is; empty for a plain table."""
    if kind == "view":
        return "view"
    module = _MODULE.match(made)
    if module is not None:
        return "" if module[1].lower() in _ALLOWED_MODULES else "virtual table"
    return "table with computed columns" if _COMPUTED.search(made) else ""
