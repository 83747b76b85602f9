"""The data of one run: the workspace it reads, the folder it writes, the handles of both."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from itertools import takewhile
from pathlib import Path, PurePath

from treeline.core.engine.actions import ProductRecord
from treeline.core.home import home
from treeline.core.workspace import (
    Collection,
    Member,
    Workspace,
    collect,
    date_text,
    members_of,
    select,
)
from treeline.core.workspace.collections import UNKNOWN_ROLE
from treeline.core.workspace.workspace import VECTOR_SUFFIXES
from treeline.toolkit import Product
from treeline.toolkit.errors import InputError, PathOutside, RasterMissing
from treeline.toolkit.files import make_folder, resolve_links
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.recognition import FileResolver, describe_name
from treeline.toolkit.recognition.dates import PERIOD
from treeline.toolkit.recognition.model import RasterDescription


@dataclass(frozen=True, slots=True)
class Inheritance:
    """What a product has from its inputs: the date where they share one, and the place."""

    date: datetime | None
    precision: str | None
    place: str


@dataclass
class RunResolver:
    """Finds rasters among the run's products first, then in the workspace. Picklable.

    Attributes
    ----------
    inherited : dict
        What products have from their inputs, by file name.
    handed : dict
        What rasters of the workspace had where they were made, by path.
    """

    products: FileResolver
    inputs: FileResolver
    inherited: dict[str, Inheritance] = field(default_factory=dict)
    handed: dict[str, Inheritance] = field(default_factory=dict)

    def describe(self, address: str) -> tuple[RasterDescription, str | None]:
        """Return the description and the band that an address names."""
        try:
            description, band = self.products.describe(address)
        except (RasterMissing, PathOutside):
            description, band = self.inputs.describe(address)
            inherited = self.handed.get(str(description.path.resolve())) if self.handed else None
        else:
            inherited = self.inherited.get(description.path.name)
        if inherited is not None:
            description = replace(description, place=inherited.place)
            if description.date is None:
                description = replace(description, date=inherited.date, date_precision=inherited.precision)
        return description, band

    def list_folder(self, address: str) -> list[str]:
        """Return the names in a folder of the workspace, whatever stands before its own path."""
        for tail in _tails(address.replace("\\", "/")):
            root = next((r for r in self.inputs.roots if r.is_dir() and _ends_with(r, tail)), None)
            if root is not None:
                return self.inputs.list_folder(str(root))
            try:
                return self.inputs.list_folder(tail)
            except RasterMissing:
                continue
        return self.inputs.list_folder(address)

    def path_of(self, address: str) -> Path:
        """Return the place of a file that is no raster: of the run, else of the workspace."""
        try:
            return self.products.path_of(address)
        except (RasterMissing, PathOutside):
            return self.inputs.path_of(address)


class RunData:
    """What a run reads and writes.

    Parameters
    ----------
    workspace : Workspace
    run : str
        Identifier; names the run's folder of products.

    Attributes
    ----------
    area : AreaOfInterest, optional
        Inside which the run works.
    """

    def __init__(self, workspace: Workspace, run: str, folder: Path | None = None) -> None:
        self.workspace = workspace
        self.folder = make_folder(resolve_links(folder or workspace.products_folder / run))
        inputs = workspace.resolver
        self.resolver = RunResolver(FileResolver(self.folder, describing=inputs.describing), inputs)
        self.area: AreaOfInterest | None = None
        self._products: dict[str, ProductRecord] = {}
        self._series: list[list[str]] = []

    @property
    def products(self) -> tuple[ProductRecord, ...]:
        """What the run has written so far."""
        return tuple(self._products.values())

    @property
    def collections(self) -> dict[str, Collection]:
        """The workspace's collections and those of the run's products.

        What was made of the same dates again, as without clouds, is a collection of its own.
        """
        inputs = self.workspace.collections
        made: dict[str, Collection] = {}
        for names in self._series:
            described = [self.resolver.describe(name)[0] for name in names]
            named = [self._name(member) for member in members_of(described)]
            # Also besides what other members of a team made, which is among what the run reads.
            made |= collect(named, taken=list(inputs), besides=[*inputs, *made])
        return {**inputs, **made}

    @property
    def roles(self) -> frozenset[str] | None:
        """The roles of the rasters that are there; ``None`` where that of one was not recognised."""
        roles = frozenset(collection.role for collection in self.collections.values())
        return None if UNKNOWN_ROLE in roles else roles

    def select(self, handle: str) -> Collection:
        """Return the collection that a handle names.

        Raises
        ------
        InputError
            With the handles that exist.
        """
        return select(handle, self.collections)

    def locate(self, address: str) -> str | None:
        """Return the file that a path means whose folders are not those of the workspace.

        The file of that name whose path agrees with the longest tail of the address, of several the
        one that lies least deep, if there is exactly one; the run's products before the rasters.
        """
        wanted = PurePath(address).parts
        made = [self.folder / name for name in self._products]
        for paths in (made, self._files_like(address)):
            named = [path for path in paths if wanted and path.name == wanted[-1]]
            ranked = sorted((-_agreement(path.parts, wanted), len(path.parts), str(path)) for path in named)
            if ranked and (len(ranked) == 1 or ranked[0][:2] != ranked[1][:2]):
                return ranked[0][2]
        return None

    def vector_files(self) -> list[Path]:
        """Return the vector files of the workspace, sorted by path."""
        return self.workspace.vector_files()

    def _files_like(self, address: str) -> list[Path]:
        if Path(address).suffix.lower() in VECTOR_SUFFIXES:
            return self.vector_files()
        return [raster.path for raster in self.workspace.rasters]

    def alike(self, name: str) -> str | None:
        """Return the raster of the workspace whose name says the same: one variable, place and date.

        Names of one series differ from source to source (``_1985.tif``, ``_1985-01-01.tif``).
        ``None`` unless exactly one raster agrees in all three.
        """
        facts = describe_name(PurePath(name).name)
        if facts.role is None or facts.date is None:
            return None
        found = [
            member.address
            for collection in self.workspace.collections.values()
            if collection.role == facts.role
            for member in collection.members
            if member.date == facts.date and member.description.place.casefold() == facts.place.casefold()
        ]
        return found[0] if len(found) == 1 else None

    def add(self, products: Iterable[Product]) -> tuple[ProductRecord, ...]:
        """Take products into the run's catalogue; they inherit date and place from their inputs."""
        names = [self._take(product) for product in products]
        if not names:
            return ()
        self._join_series(names)
        # Only now: the products of one call make one collection, with one handle.
        handles = _handles_of_files(self.collections.values())
        for name in names:
            self._products[name] = replace(self._products[name], handle=handles.get(name, ""))
        return tuple(self._products[name] for name in names)

    def restore(self, records: Iterable[ProductRecord]) -> None:
        """Take back the products of an earlier part of the run whose files still stand.

        Parameters
        ----------
        records : iterable of ProductRecord
            From the record. One whose file is gone is left out, and so cannot be named by a later call.
        """
        for record in records:
            if (self.folder / record.name).is_file():
                self._products[record.name] = record
                if record.kind == "raster":
                    self.resolver.inherited[Path(record.name).name] = _inheritance_of(record)
        for handle in dict.fromkeys(product.handle for product in self.products):
            self._join_series([name for name, product in self._products.items() if product.handle == handle])

    def is_handed(self, product: ProductRecord) -> bool:
        """Return whether a product of another member of a team is among what the run reads."""
        return str(Path(product.path).resolve()) in self.resolver.handed

    def catalogue(self) -> str:
        """Return the workspace's catalogue, which is what a run starts with."""
        return self.workspace.catalogue()

    def without_folders(self, text: str) -> str:
        """Return a text in which files are named as the run knows them, whatever folders stood before.

        Where a file lies on the server is no business of whoever asks; a library's message may tell it.
        """
        return self._folders.sub("", text)

    @cached_property
    def _folders(self) -> re.Pattern[str]:
        """What messages may name before a file, the longest first so that nothing of it is left."""
        roots = (self.folder, *self.resolver.inputs.roots, self.workspace.folder, home())
        folders = {str(root if root.is_dir() else root.parent) for root in roots}
        folders |= {tempfile.gettempdir(), sys.prefix}
        longest = sorted(folders - {os.sep}, key=len, reverse=True)
        return re.compile(rf"(?:{'|'.join(map(re.escape, longest))}){re.escape(os.sep)}")

    def _take(self, product: Product) -> str:
        name = product.path.resolve().relative_to(self.folder).as_posix()
        record = ProductRecord(
            name=name,
            path=str(product.path),
            role=product.role,
            unit=product.unit,
            kind=product.kind,
            valid_share=product.valid_share,
            minimum=product.minimum,
            maximum=product.maximum,
            mean=product.mean,
        )
        if product.kind == "raster":
            inherited = self._inherit(product)
            # Before it is described: a description without a date takes the one that is inherited.
            self.resolver.inherited[product.path.name] = inherited
            description = self.resolver.describe(name)[0]
            # A file name with a period is that of a product of several dates, such as a composite, which has
            # none of its own.
            date = "" if PERIOD.search(name) else date_text(description)
            record = replace(record, date=date or None, place=inherited.place)
        self._products[name] = record
        return name

    def _join_series(self, names: Sequence[str]) -> None:
        """Add the rasters of a call to the first series that has none of their variable, place and date."""
        rasters = [name for name in names if self._products[name].kind == "raster"]
        for series in self._series:
            series[:] = [name for name in series if name not in rasters]  # one that is written again
        own = {_time_of(self._products[name]) for name in rasters} - {None}
        for series in self._series:
            if own.isdisjoint(_time_of(self._products[name]) for name in series):
                series += rasters
                return
        self._series.append(rasters)

    def _inherit(self, product: Product) -> Inheritance:
        dates: dict[datetime, str | None] = {}
        places: set[str] = set()
        dating = product.inputs if product.dated_by is None else product.dated_by
        for path in product.inputs:
            try:
                source = self.resolver.describe(path)[0]
            except InputError:
                continue
            places.add(source.place)
            if source.date is not None and path in dating:
                dates[source.date] = source.date_precision
        date, precision = next(iter(dates.items())) if len(dates) == 1 else (None, None)
        return Inheritance(date, precision, places.pop() if len(places) == 1 else "")

    def _name(self, member: Member) -> Member:
        path = member.description.path.resolve()
        relative = path.relative_to(self.folder).as_posix() if path.is_relative_to(self.folder) else path.name
        band = member.address.partition("#")[2]
        return replace(member, address=f"{relative}#{band}" if band else relative)


def _time_of(record: ProductRecord) -> tuple[str, str, str] | None:
    """Return variable, place and date of a product; ``None`` where it has no date."""
    return (record.role, record.place, record.date) if record.date else None


def _tails(address: str) -> list[str]:
    """Return a path and what is left of it when its first folders are taken away."""
    parts = PurePath(address).parts
    return [str(PurePath(*parts[start:])) for start in range(len(parts))]


def _ends_with(path: Path, tail: str) -> bool:
    parts = PurePath(tail).parts
    return bool(parts) and path.parts[-len(parts) :] == parts


def _agreement(path: tuple[str, ...], wanted: tuple[str, ...]) -> int:
    """Return how many of the last parts of two paths are equal."""
    pairs = zip(reversed(path), reversed(wanted), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


# A recorded date tells its precision by its length: 2021, 2021-07, 2021-07-12; a longer one has hours and
# minutes.
_PRECISION_BY_LENGTH = {4: "year", 7: "month", 10: "day"}


def read_recorded_date(text: str | None) -> tuple[datetime | None, str | None]:
    """Return the first moment of a recorded date, and its precision; neither where there is no date."""
    if not text:
        return None, None
    moment = datetime.fromisoformat({4: f"{text}-01-01", 7: f"{text}-01"}.get(len(text), text))
    return moment, _PRECISION_BY_LENGTH.get(len(text), "minute")


def _inheritance_of(record: ProductRecord) -> Inheritance:
    return Inheritance(*read_recorded_date(record.date), record.place)


def _handles_of_files(collections: Iterable[Collection]) -> dict[str, str]:
    """Return the handle of each file; of one with several bands that of the first, of which its record is."""
    first: dict[str, tuple[int, str]] = {}
    for collection in collections:
        for member in collection.members:
            name, own = member.address.partition("#")[0], (member.band.index, collection.handle)
            first[name] = min(first.get(name, own), own)
    return {name: handle for name, (_, handle) in first.items()}
