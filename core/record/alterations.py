"""Rows whose content was altered outside of Treeline: described in words where they are read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import SQLAlchemyError

from treeline.core.errors import RecordError


@contextmanager
def read_row(what: str) -> Iterator[None]:
    """Say in words that a row cannot be understood; a fault of the JSON or of a number in it is met here.

    Parameters
    ----------
    what : str
        What it is a row of, such as "a run".

    Raises
    ------
    RecordError
    """
    try:
        yield
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, SQLAlchemyError) as error:
        raise RecordError(
            f"The record holds {what} that cannot be read: its file was damaged or altered.",
            "`treeline restore` puts back a backup.",
        ) from error
