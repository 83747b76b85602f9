"""Errors that name the argument at fault, whichever module below the tool raised them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from treeline.toolkit.errors import InputError, RasterError, Stopped, TreelineError

LONGEST = 2000
SHOWN = 80


@contextlib.contextmanager
def name_arguments(arguments: Mapping[str, Any], rasters: Sequence[str] = ()) -> Iterator[None]:
    """Put the name of the argument before the message of an error that gives only its value.

    The engine below knows files, not arguments. An error that names an argument already stays as it is; one
    that gives no argument's value either is about what the rasters hold.

    Parameters
    ----------
    arguments : mapping
        As they were given.
    rasters : sequence of str
        Those of them that are rasters.
    """
    try:
        yield
    except Stopped:
        raise
    except TreelineError as error:
        names = [] if _is_named(error, arguments) else _names_for(error, arguments, rasters)
        if names:
            error.message = f"{', '.join(names)}: {error.message}"
        raise


@contextlib.contextmanager
def name_argument(name: str) -> Iterator[None]:
    """Put the name of the one argument that is looked at before the message of every error."""
    try:
        yield
    except TreelineError as error:
        if not _is_named(error, [name]):
            error.message = f"{name}: {error.message}"
        raise


def _is_named(error: TreelineError, names: Iterable[str]) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", error.message) for name in names)


def _names_for(error: TreelineError, arguments: Mapping[str, Any], rasters: Sequence[str]) -> list[str]:
    about_values = isinstance(error, InputError | RasterError)
    return _names_in(error.message, arguments) or (list(rasters) if about_values else [])


def _names_in(message: str, arguments: Mapping[str, Any]) -> list[str]:
    texts = {name: _texts(value) for name, value in arguments.items()}
    # The value as it was given first; only where no argument has it, the file name in it.
    for mentioned in (_whole, _file):
        found = [name for name, values in texts.items() if any(mentioned(v, message) for v in values)]
        if found:
            return found
    return []


def _whole(text: str, message: str) -> bool:
    return repr(text[:SHOWN]) in message or (len(text) > 3 and "." in text and text in message)


def _file(text: str, message: str) -> bool:
    name = PurePosixPath(text.partition("#")[0]).name
    return "." in name and re.search(rf"(?<![\w-]){re.escape(name)}(?!\w)", message) is not None


def _texts(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [text for item in value[:LONGEST] for text in _texts(item)]
    return [value] if isinstance(value, str) else []
