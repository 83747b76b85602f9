"""The results of a bench, kept line by line so that a killed one goes on where it was."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from treeline.toolkit.errors import InputError


class ResultStore(Protocol):
    """Keeps the results of a bench, each as soon as it is there.

    Attributes
    ----------
    rows : dict of str to dict
        By the identifier of the question or task.
    memory : Path
        Folder of what the bench remembers from one question to the next; it need not be there yet.
    """

    rows: dict[str, dict[str, Any]]

    @property
    def memory(self) -> Path:
        """Where it lies."""
        ...

    def keep(self, row: dict[str, Any]) -> None:
        """Add a result for good."""
        ...


class Results:
    """A file whose first line says what was run; each further line is a result.

    Parameters
    ----------
    path : Path
    settings : mapping
        What was run; results of another bench are not mixed in.

    Raises
    ------
    InputError
        The file belongs to another bench, or cannot be read.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self.path = path
        # As they are read again: JSON makes lists of tuples, which would differ from them.
        self.settings = json.loads(json.dumps(settings))
        self.rows: dict[str, dict[str, Any]] = {}
        if path.exists():
            self._read()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"settings": self.settings}) + "\n", "utf-8")

    @property
    def memory(self) -> Path:
        """The folder beside the file."""
        return self.path.with_name(f"{self.path.name}.memory")

    def keep(self, row: dict[str, Any]) -> None:
        """Add a result and see to it that it stands on the disk."""
        self.rows[str(row["id"])] = row
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _read(self) -> None:
        lines = self.path.read_text("utf-8").splitlines()
        try:
            stored = json.loads(lines[0])["settings"]
        except (IndexError, KeyError, TypeError, ValueError):
            raise InputError(f"{str(self.path)!r} holds no results of a bench.", "Name a new file.") from None
        if stored != self.settings:
            changed = [
                name for name in {*stored, *self.settings} if stored.get(name) != self.settings.get(name)
            ]
            raise InputError(
                f"{str(self.path)!r} holds results of another bench ({', '.join(sorted(changed))} differ).",
                "Name a new file, or run with the same options.",
            )
        for number, line in enumerate(lines[1:], start=2):
            try:
                row = json.loads(line)
            except ValueError:
                if number == len(lines):  # cut off by the kill; it is worked on again
                    self._drop_last(lines)
                    return
                raise InputError(
                    f"Line {number} of {str(self.path)!r} is no result.", "Name a new file."
                ) from None
            self.rows[str(row["id"])] = row

    def _drop_last(self, lines: list[str]) -> None:
        self.path.write_text("\n".join(lines[:-1]) + "\n", "utf-8")
