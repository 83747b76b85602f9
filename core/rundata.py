"""The data of one run: the workspace it reads, the folder it writes, the handles of both."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from core.actions import ProductRecord
from core.workspace import Collection, Member, Workspace, collect, date_text, members_of, select
from toolkit import Product
from toolkit.errors import InputError, RasterMissing
from toolkit.recognition import FileResolver
from toolkit.recognition.model import RasterDescription


@dataclass
class RunResolver:
    """Finds rasters among the run's products first, then in the workspace. Picklable."""

    products: FileResolver
    inputs: FileResolver
    dates: dict[str, tuple[datetime, str | None]] = field(default_factory=dict)

    def describe(self, address: str) -> tuple[RasterDescription, str | None]:
        """Return the description and the band that an address names."""
        try:
            description, band = self.products.describe(address)
        except RasterMissing:
            return self.inputs.describe(address)
        inherited = self.dates.get(description.path.name)
        if description.date is None and inherited is not None:
            description = replace(description, date=inherited[0], date_precision=inherited[1])
        return description, band

    def list_folder(self, address: str) -> list[str]:
        """Return the names in a folder of the workspace."""
        return self.inputs.list_folder(address)


class RunData:
    """What a run reads and writes.

    Parameters
    ----------
    workspace : Workspace
    run : str
        Identifier; names the run's folder of products.
    """

    def __init__(self, workspace: Workspace, run: str, folder: Path | None = None) -> None:
        self.workspace = workspace
        self.folder = (folder or workspace.products_folder / run).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.resolver = RunResolver(FileResolver(roots=(self.folder,)), workspace.resolver)
        self._products: dict[str, ProductRecord] = {}

    @property
    def products(self) -> tuple[ProductRecord, ...]:
        """What the run has written so far."""
        return tuple(self._products.values())

    @property
    def collections(self) -> dict[str, Collection]:
        """The workspace's collections and those of the run's products."""
        inputs = self.workspace.collections
        made = [self.resolver.describe(name)[0] for name, p in self._products.items() if p.kind == "raster"]
        named = [self._named(member) for member in members_of(made)]
        return {**inputs, **collect(named, taken=list(inputs))}

    def select(self, handle: str) -> Collection:
        """Return the collection that a handle names.

        Raises
        ------
        InputError
            With the handles that exist.
        """
        return select(handle, self.collections)

    def add(self, product: Product) -> ProductRecord:
        """Take a product into the run's catalogue; it inherits its date from its inputs."""
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
        self._products[name] = record
        if product.kind == "raster":
            self._inherit_date(product)
            description = self.resolver.describe(name)[0]
            record = replace(record, date=date_text(description) or None, handle=self._handle_of(name))
            self._products[name] = record
        return record

    def restore(self, records: tuple[ProductRecord, ...]) -> None:
        """Take back the products of an earlier part of the run whose files still stand."""
        for record in records:
            if (self.folder / record.name).is_file():
                self.add(Product(Path(record.path), record.role, record.unit, kind=record.kind,
                                 valid_share=record.valid_share, minimum=record.minimum,
                                 maximum=record.maximum, mean=record.mean))  # fmt: skip

    def catalogue(self) -> str:
        """Return the workspace's catalogue, which is what a run starts with."""
        return self.workspace.catalogue()

    def _inherit_date(self, product: Product) -> None:
        dates: dict[datetime, str | None] = {}
        for path in product.inputs:
            try:
                source = self.resolver.describe(path)[0]
            except InputError:
                continue
            if source.date is not None:
                dates[source.date] = source.date_precision
        if len(dates) == 1:
            self.resolver.dates[product.path.name] = next(iter(dates.items()))

    def _handle_of(self, name: str) -> str:
        for collection in self.collections.values():
            if any(address.split("#")[0] == name for address in collection.addresses):
                return collection.handle
        return ""

    def _named(self, member: Member) -> Member:
        path = member.description.path.resolve()
        relative = path.relative_to(self.folder).as_posix() if path.is_relative_to(self.folder) else path.name
        band = member.address.partition("#")[2]
        return replace(member, address=f"{relative}#{band}" if band else relative)
