"""GeoPackages are SQLite databases, which can hold programs; one that does is not opened."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

from treeline.toolkit.errors import InputError

MOST_OBJECTS = 20_000
# Index of places; every other virtual table is a program, some of which open files.
_ALLOWED_MODULES = frozenset({"rtree", "rtree_i32"})
# What SQL is made of: comments, quoted names and texts, words, and single marks.
_TOKENS = re.compile(
    r"""(?P<comment>--[^\n]*|/\*.*?(?:\*/|$))
    |(?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\])
    |[^\W\d][\w$]* | \S""",
    re.VERBOSE | re.DOTALL,
)


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
                "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL LIMIT ?", (MOST_OBJECTS + 1,)
            ).fetchall()
    except (sqlite3.Error, UnicodeError, ValueError) as error:
        raise InputError(f"{path.name} is a damaged GeoPackage ({error}).", "Write it again.") from None
    if len(rows) > MOST_OBJECTS:
        raise InputError(f"{path.name} has more than {MOST_OBJECTS:,} tables.", "Give fewer layers.")
    for name, made in rows:
        what = _program_kind(str(made))
        if what:
            raise InputError(
                f"{path.name} holds the {what} {str(name)[:60]!r}, which computes instead of storing.",
                "Write its layers again as plain tables.",
            )


def _program_kind(made: str) -> str:
    """Return what kind of program the text is by which an object was made; empty for what stores.

    SQLite makes its objects of these texts, whatever else the database says that they are.
    """
    words = _words(made)
    match words[1:2]:
        case ["table"]:
            return "table with computed columns" if ("as", "(") in pairwise(words) else ""
        case ["virtual"]:
            module = words[words.index("using") + 1 :][:1] if "using" in words else []
            return "" if _ALLOWED_MODULES.issuperset(module) and module else "virtual table"
        case ["index"] | ["unique"] | ["trigger"]:
            return ""
        case _:
            return "view"


def _words(made: str) -> list[str]:
    """Return the words, in small letters, and marks of an SQL text; what is quoted has its place alone."""
    kept = (found for found in _TOKENS.finditer(made) if not found["comment"])
    return ["" if found["quoted"] else found[0].lower() for found in kept]
