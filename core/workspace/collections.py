"""Collections: rasters of one variable ordered by time, addressed by a handle.

``@ndvi`` is a whole collection; ``@ndvi[2021]``, ``@ndvi[2021-07]``, ``@ndvi[2021-07-12]`` and
``@ndvi[2021-06:2021-08]`` are parts of it by time, both ends included. Two points do for the colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from math import hypot

from treeline.toolkit.errors import InputError
from treeline.toolkit.geodesy import unit_of_crs
from treeline.toolkit.likeness import nearest_names
from treeline.toolkit.recognition.dates import calendar_moment, moment_text
from treeline.toolkit.recognition.model import Band, RasterDescription
from treeline.toolkit.variables import VARIABLES, variable

_HANDLE = re.compile(r"^@(?P<name>[\w.-]+)(?:\[(?P<first>[\dT:-]*?)(?:(?::|\.\.)(?P<last>[\d-]*))?\])?$")
UNKNOWN_ROLE = "unknown"
"""The role of a collection whose role was not recognised."""
# What the bands of a collection have in common.
RolePlace = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Member:
    """One raster band of a collection.

    Attributes
    ----------
    address : str
        What a tool is given: a file name, or ``file.tif#band`` where the file has several bands.
    """

    address: str
    description: RasterDescription
    band: Band

    @property
    def date(self) -> datetime | None:
        """Acquisition, as far as it is known."""
        return self.description.date

    @property
    def date_text(self) -> str:
        """The date as people write it, with the precision that is known."""
        return date_text(self.description)


@dataclass(frozen=True, slots=True)
class Collection:
    """Rasters of one variable ordered by time.

    Attributes
    ----------
    handle : str
        Such as ``@ndvi``.
    role : str
        ``unknown`` where no role was recognised.
    """

    handle: str
    role: str
    place: str
    members: tuple[Member, ...]

    @property
    def addresses(self) -> list[str]:
        """What a tool is given, in the order of time."""
        return [member.address for member in self.members]

    @property
    def has_dates(self) -> bool:
        """True when every member has a date."""
        return all(member.date for member in self.members)

    def between(self, first: datetime, last: datetime) -> Collection:
        """Return the part whose dates lie in a period, both ends included.

        Returns
        -------
        Collection
            With the same handle; empty where no date lies in the period. What has no date is left out.
        """
        kept = tuple(m for m in self.members if m.date and first <= m.date <= last)
        return replace(self, members=kept)

    @property
    def title(self) -> str:
        """The variable for people, with its unit where it has one."""
        known = variable(self.role)
        unit = self.members[0].band.unit or (known.unit if known else "")
        return (known.title if known else self.role) + (f" [{unit}]" if unit and unit != "1" else "")

    @property
    def extent(self) -> str:
        """How many, when and where, without what."""
        grids = sorted({grid_text(member.description) for member in self.members})
        parts = [f"{len(self.members)} raster" + ("s" if len(self.members) != 1 else "")]
        if self.has_dates:
            ends = (self.members[0].date_text, self.members[-1].date_text)
            parts.append(ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}")
        parts.append(", ".join(grids[:2]) + (" and others" if len(grids) > 2 else ""))
        return "; ".join([*parts, self.place] if self.place else parts)


def grid_text(description: RasterDescription) -> str:
    """Return how many pixels a raster has, of what size and in which CRS, as far as that is known."""
    told = f"{description.width} x {description.height} pixels"
    if not description.crs:
        return told
    a, b, _, d, e, _ = description.transform
    unit = unit_of_crs(description.crs)
    return f"{told} of {hypot(a, d):g} x {hypot(b, e):g} {unit} ({description.crs})"


def date_text(description: RasterDescription) -> str:
    """Return a raster's date as people write it, with the precision that is known."""
    if description.date is None:
        return ""
    return moment_text(description.date, description.date_precision)


def collect(
    members: Iterable[Member],
    taken: Sequence[str] = (),
    kept: Mapping[str, RolePlace] | None = None,
    besides: Sequence[str] = (),
) -> dict[str, Collection]:
    """Return the collections that a set of bands makes, by handle.

    Bands of one role and place belong together, but for those of one date under several names: black-sky and
    white-sky albedo are two variables, of which no mean is taken; nor is it of rates and depths. A role that
    occurs at one place only has the plain handle ``@role``; otherwise the place, or the name or the unit of
    the band, is part of it.

    Parameters
    ----------
    taken : sequence of str
        Handles that are in use already; the suffix ``-made`` keeps new ones apart from them.
    kept : mapping, optional
        Role and place of handles that were used before: they have these handles still, and no others do.
    besides : sequence of str
        Handles of others that were made before; a number tells new ones apart from them.
    """
    kept = kept or {}
    known = {own: handle for handle, own in kept.items()}
    groups = _group(members)
    places: dict[str, int] = {}
    for role, _ in groups:
        places[role] = places.get(role, 0) + 1
    collections: dict[str, Collection] = {}
    for (role, place), group in sorted(groups.items()):
        handle = known.get((role, place)) or _new_handle(role, place, places[role] == 1, kept)
        if handle in taken:
            # Of a raster of the workspace and a product of one role, the handle without an addition stays
            # that of the workspace.
            handle += "-made"
        handle = free_handle(handle, [*collections, *besides])
        # Rasters without a date come last.
        ordered = sorted(group, key=lambda m: (m.date or datetime.max, m.address))
        collections[handle] = Collection(handle, role, place, tuple(ordered))
    return collections


def _group(members: Iterable[Member]) -> dict[RolePlace, list[Member]]:
    """Return bands by role and place; by their name too where one date has several."""
    groups: dict[RolePlace, list[Member]] = {}
    for member in members:
        groups.setdefault((member.band.role or UNKNOWN_ROLE, member.description.place), []).append(member)
    apart: dict[RolePlace, list[Member]] = {}
    for (role, place), group in groups.items():
        names = _names_by_date(group) if VARIABLES.get(role) else {}
        # Bands of one role and date are different quantities of one product, which their names tell apart.
        several = any(len(found) > 1 for found in names.values())
        mixed = len({_measure(member) for member in group}) > 1
        for member in group:
            told = [member.band.name] if several else []
            told += [member.band.unit or ""] if mixed else []
            apart.setdefault((role, " ".join([place, *told]).strip()), []).append(member)
    return apart


def _measure(member: Member) -> str:
    """Return what a band measures by its unit, where this is another quantity than others of its role are.

    A rate is no depth, and decibels are no power: of both together there is no mean.
    """
    unit = member.band.unit or ""
    return unit if _OWN_QUANTITY.fullmatch(unit) else ""


def _names_by_date(group: Iterable[Member]) -> dict[datetime, set[str]]:
    """Return what the bands of each date are called, in small letters; a number is no name."""
    names: dict[datetime, set[str]] = {}
    for member in group:
        if member.date and not _NUMBER_OF_BAND.fullmatch(member.band.name):
            names.setdefault(member.date, set()).add(member.band.name.casefold())
    return names


_OWN_QUANTITY = re.compile(r"m?m/\w+|dB")
_NUMBER_OF_BAND = re.compile(r"(?:band ?)?\d*", re.IGNORECASE)


def _new_handle(role: str, place: str, only: bool, kept: Mapping[str, RolePlace]) -> str:
    handle = f"@{role}"
    if not only or handle in kept:
        handle += f"-{_slug(place) or 'unnamed'}"
    while handle in kept:
        handle += "-2"
    return handle


def free_handle(handle: str, others: Sequence[str]) -> str:
    """Return a handle that none of others is: with the first number that is free behind it."""
    numbered = (f"{handle}-{number}" for number in count(2))
    return handle if handle not in others else next(each for each in numbered if each not in others)


def summarise(collections: Iterable[Collection]) -> list[str]:
    """Return a line for each place and set of dates: what it holds, how many, when and where.

    Collections of one place, the same dates and the same size share a line.
    """
    lines: dict[tuple[str, ...], list[Collection]] = {}
    for collection in collections:
        dates = tuple(member.date_text for member in collection.members)
        lines.setdefault((collection.extent, *dates), []).append(collection)
    texts = []
    for group in lines.values():
        names = (
            [f"{group[0].handle}: {group[0].title}"]
            if len(group) == 1
            else [" ".join(c.handle for c in group)]
        )
        texts.append("; ".join([*names, group[0].extent]))
    return texts


def is_handle(text: object) -> bool:
    """Return whether a value is written like a handle."""
    return isinstance(text, str) and text.startswith("@")


def select(handle: str, collections: dict[str, Collection]) -> Collection:
    """Return the collection, or the part of it, that a handle names.

    Raises
    ------
    InputError
        No such handle, a period that cannot be read, or nothing in the period; the hint names
        what exists.
    """
    match = _HANDLE.match(handle.strip())
    if match is None:
        raise InputError(
            f"{handle!r} is not written like a handle.", "Write @ndvi, @ndvi[2021] or @ndvi[2021-06:2021-08]."
        )
    collection = collections.get(find_handle(f"@{match['name']}", collections))
    if collection is None:
        near = nearest_names(f"@{match['name']}".casefold(), collections, 4)
        raise InputError(f"There is no collection {handle!r}.", f"There are {', '.join(near) or 'none'}.")
    if match["first"] is None and match["last"] is None:
        return collection
    first, last = period(match["first"] or "", match["last"])
    part = collection.between(first, last)
    if not part.members:
        dates = [member.date_text for member in collection.members if member.date]
        raise InputError(
            f"{handle!r} holds no raster.",
            f"The dates of @{match['name']} are {', '.join(dates[:6])}{' ...' if len(dates) > 6 else ''}.",
        )
    return part


def find_handle(handle: str, known: Iterable[str]) -> str:
    """Return the handle that is meant where one differs in upper and lower case alone; else it as it is."""
    handles = list(known)
    alike = [each for each in handles if each.casefold() == handle.casefold()]
    return alike[0] if handle not in handles and len(alike) == 1 else handle


def period(first: str, last: str | None) -> tuple[datetime, datetime]:
    """Return the first and the last moment of a period such as ``2021``, or ``2021-06`` to ``2021-08``.

    Raises
    ------
    InputError
        A moment is not written as year, year-month or year-month-day.
    """
    start = _moment(first, last=False) if first else datetime.min
    end = _moment(first if last is None else last, last=True) if (last or last is None) else datetime.max
    return start, end


def _moment(text: str, *, last: bool) -> datetime:
    moment = calendar_moment(text, last=last)
    if moment is None:
        raise InputError(f"{text!r} is not a date.", "Write 2021, 2021-07 or 2021-07-12.")
    return moment


def _slug(place: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", place.lower()).strip("-")
