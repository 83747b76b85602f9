"""Files that appear whole or not at all: written under a hidden name, which is then taken back."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path


def hidden_name_beside(target: Path) -> Path:
    """Return a new hidden name in the folder of a file, with its suffix."""
    return target.with_name(f".{uuid.uuid4().hex[:16]}{target.suffix}")


def take_name(temporary: Path, target: Path, companions: Sequence[str] = ()) -> None:
    """Give a file its name, and with it what stands beside it.

    Parameters
    ----------
    companions : sequence of str
        What is put behind the name for the files that belong to it, such as ``.aux.xml``. Those that an
        earlier file of this name left are removed: they would now speak of another.
    """
    for suffix in companions:
        written = temporary.with_name(temporary.name + suffix)
        beside = target.with_name(target.name + suffix)
        beside.unlink(missing_ok=True)
        if written.exists():
            written.replace(beside)
    # The file itself comes last: whoever sees it finds its companions in place.
    temporary.replace(target)


def discard(temporary: Path, companions: Sequence[str] = ()) -> None:
    """Remove a file that did not get its name, and what stands beside it; what is gone is passed over."""
    for suffix in ("", *companions):
        with contextlib.suppress(OSError):
            temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)


@contextlib.contextmanager
def whole_file(target: Path, companions: Sequence[str] = ()) -> Iterator[Path]:
    """Yield a hidden name to write to; the file takes its own name when the block ends without an error.

    Parameters
    ----------
    target : Path
        Its folder is made where it is missing; an earlier file of this name is replaced.
    companions : sequence of str
        See :func:`take_name`.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = hidden_name_beside(target)
    try:
        yield temporary
        take_name(temporary, target, companions)
    finally:
        discard(temporary, companions)
