"""Reading what a memory exported, for failure memory and the memory bank alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from treeline.toolkit.errors import InputError

MOST_READ = 10_000
# With its trace, its sources and its procedure; those of measured runs have a tenth of it.
LONGEST_ENTRY = 200_000
T = TypeVar("T")


def read_export(form: TypeAdapter[list[T]], exported: str | bytes, what: str, hint: str) -> list[T]:
    """Return the entries of an export, all or none.

    Raises
    ------
    InputError
        The text is no export of ``what``, or it holds too many or too long ones; says which and why.
    """
    try:
        given = form.validate_json(exported)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the text"
        raise InputError(f"This is no export of {what}: {where}: {first['msg']}.", hint) from None
    if len(given) > MOST_READ:
        raise InputError(f"{len(given):,} entries are too many; {MOST_READ:,} are read at once.")
    for number, one in enumerate(given):
        written = form.dump_json([one])
        if len(written) > LONGEST_ENTRY:
            told = f"it has {len(written):,} characters, and at most {LONGEST_ENTRY:,} are read"
            raise InputError(f"This is no export of {what}: {number}: {told}.", hint)
        # PostgreSQL has no text with it.
        if b"\\u0000" in written:
            raise InputError(f"This is no export of {what}: {number}: it holds a NUL character.", hint)
    return given


def read_each(given: Iterable[T], check: Callable[[T], T], what: str, hint: str) -> list[T]:
    """Return the entries of an export as their memory takes them, all or none.

    Raises
    ------
    InputError
        Of the first that it does not take, with its number.
    """
    kept: list[T] = []
    for number, one in enumerate(given):
        try:
            kept.append(check(one))
        except InputError as error:
            raise InputError(f"This is no export of {what}: {number}: {error.message}", hint) from None
    return kept
