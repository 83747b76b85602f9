"""Reading what a memory exported, for failure memory and the memory bank alike."""

from __future__ import annotations

from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from treeline.toolkit.errors import InputError

MOST_READ = 10_000
T = TypeVar("T")


def read_export(form: TypeAdapter[list[T]], exported: str | bytes, what: str, hint: str) -> list[T]:
    """Return the entries of an export, all or none.

    Raises
    ------
    InputError
        The text is no export of ``what``, or it holds too many; says which entry and why.
    """
    try:
        given = form.validate_json(exported)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the text"
        raise InputError(f"This is no export of {what}: {where}: {first['msg']}.", hint) from None
    if len(given) > MOST_READ:
        raise InputError(f"{len(given):,} entries are too many; {MOST_READ:,} are read at once.")
    return given
