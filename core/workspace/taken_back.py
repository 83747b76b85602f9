"""Corrections that were taken back, so that what was found holds again; kept for a while to be undone."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from treeline.core.workspace.trash import KEPT
from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition import Band, Correction
from treeline.toolkit.whole_files import whole_file

Corrections = Mapping[str, Correction]
# How exact a date is was said with the date.
_TOGETHER = {"date": ("date", "date_precision")}
_OF_OTHERS = frozenset({"date_precision"})


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Corrections that were taken back together.

    Attributes
    ----------
    key : str
        Names it; a correction may be made and taken back again.
    corrections : mapping of str to Correction
        What was said and no longer holds, by the name it was kept under.
    time : datetime
        When it was taken back, in UTC.
    """

    key: str
    corrections: Corrections
    time: datetime

    @property
    def name(self) -> str:
        """The file; of several the first, and how many more there are."""
        first, *others = dict.fromkeys(file_of(name) for name in self.corrections)
        return f"{first} and {len(others)} more" if others else first

    @property
    def fields(self) -> tuple[str, ...]:
        """What was said of them."""
        said = (field for correction in self.corrections.values() for field in correction.stated_fields())
        return tuple(field for field in dict.fromkeys(said) if field not in _OF_OTHERS)

    @property
    def until(self) -> datetime:
        """When it can be undone no more."""
        return self.time + KEPT


class TakenBackCorrections:
    """What was taken back in a workspace.

    Parameters
    ----------
    path : Path
        The file that keeps it; made when something is taken back.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def put(self, corrections: Corrections) -> TakenBack:
        """Keep what was taken back just now."""
        made = TakenBack(uuid.uuid4().hex[:16], corrections, datetime.now(UTC))
        self._write([made, *self.all()])
        return made

    def all(self) -> list[TakenBack]:
        """Return what can be undone, the newest first; nothing where what was kept is damaged."""
        try:
            found = [_read(entry) for entry in json.loads(self.path.read_text("utf-8"))]
        except (OSError, ValueError, KeyError, AttributeError, TypeError, RecursionError, InputError):
            return []
        now = datetime.now(UTC)
        return sorted((each for each in found if each.until > now), key=lambda each: each.time, reverse=True)

    def take(self, key: str) -> TakenBack:
        """Return what was taken back, and keep it no longer.

        Raises
        ------
        InputError
            It is not kept any more.
        """
        kept = self.all()
        found = next((each for each in kept if each.key == key), None)
        if found is None:
            raise InputError("The correction is not kept any more.", "Make it again.")
        self._write([each for each in kept if each is not found])
        return found

    def _write(self, kept: list[TakenBack]) -> None:
        entries = [
            {"key": each.key, "time": each.time.isoformat(), "corrections": as_json(each.corrections)}
            for each in kept
        ]
        with whole_file(self.path) as temporary:
            temporary.write_text(json.dumps(entries, indent=1, default=str), "utf-8")


def file_of(name: str) -> str:
    """Return the file that a correction is of, without its folder and its band."""
    return Path(name.partition("#")[0]).name


def as_json(corrections: Corrections) -> dict[str, dict[str, Any]]:
    """Return corrections as plain data, but for dates."""
    return {name: correction.stated_fields() for name, correction in corrections.items()}


def said_of(corrections: Corrections, path: Path, band: Band, role_found: str | None) -> dict[str, list[str]]:
    """Return what a person said of a band, each with the names under which it is kept.

    Parameters
    ----------
    role_found : str, optional
        By which a correction may name the band, besides its number and its name.
    """
    marks = {"", str(band.index), band.name.casefold(), (role_found or "").casefold()}
    said: dict[str, list[str]] = {}
    for name, correction in corrections.items():
        file, _, mark = name.partition("#")
        parts = Path(file).parts
        if not parts or path.parts[-len(parts) :] != parts or mark.casefold() not in marks:
            continue
        for field in correction.stated_fields():
            if field not in _OF_OTHERS:
                said.setdefault(field, []).append(name)
    return said


def split(corrections: Corrections, taken: Mapping[str, Sequence[str]]) -> tuple[Corrections, Corrections]:
    """Return corrections without the fields that are taken back, and these alone.

    Parameters
    ----------
    taken : mapping of str to sequence of str
        Names of fields, each with the names under which it is kept.
    """
    stay: dict[str, Correction] = dict(corrections)
    go: dict[str, Correction] = {}
    for field, names in taken.items():
        for name in names:
            if name not in stay:
                continue
            for each in _TOGETHER.get(field, (field,)):
                go[name] = replace(go.get(name, Correction()), **{each: getattr(corrections[name], each)})
                stay[name] = replace(stay[name], **{each: None})
    stay = {name: correction for name, correction in stay.items() if correction != Correction()}
    return stay, {name: correction for name, correction in go.items() if correction != Correction()}


def _read(entry: Mapping[str, Any]) -> TakenBack:
    said = {str(name): Correction.from_json(fields) for name, fields in entry["corrections"].items()}
    return TakenBack(str(entry["key"]), said, datetime.fromisoformat(entry["time"]))
