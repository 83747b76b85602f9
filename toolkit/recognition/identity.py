"""What a band is, before its values are scaled: the most trusted source that says anything of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
from rasterio.enums import ColorInterp
from rasterio.io import DatasetReader

from treeline.toolkit.recognition.band_dates import DatedBand, find_band_dates
from treeline.toolkit.recognition.caveats import caveats_in
from treeline.toolkit.recognition.facts import NameFacts
from treeline.toolkit.recognition.families import (
    band_facts,
    band_order,
    find_product,
    sensor_of,
    single_facts,
)
from treeline.toolkit.recognition.model import Evidence, EvidenceSource
from treeline.toolkit.recognition.names import describe_name, read_free_name
from treeline.toolkit.recognition.rules import Product, stacks
from treeline.toolkit.recognition.sample import Header, Sample
from treeline.toolkit.recognition.siblings import company_of
from treeline.toolkit.recognition.statements import BandStatement, Sidecar
from treeline.toolkit.recognition.tags import DIVISOR_TAG, product_of
from treeline.toolkit.recognition.wavelengths import roles_by_wavelength, wavelength_of
from treeline.toolkit.variables import VARIABLES, Variable

OWN_ROLE, OWN_UNIT = "TREELINE_ROLE", "TREELINE_UNIT"
COLOURS = {ColorInterp.red: "red", ColorInterp.green: "green", ColorInterp.blue: "blue"}
# A file of several bands whose name says one of these holds it in every band; one that says "B04" does not.
SHARED_KINDS = {"index", "temperature", "product", "image"}
# Folders above a file that may be a product's: GRANULE/<tile>/IMG_DATA/R10m below the SAFE folder.
FOLDERS_ABOVE = 6


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What holds for all bands of a file."""

    name: NameFacts
    header: Header
    sample: Sample
    sidecar: Sidecar | None
    product: str | None
    groups: Mapping[str, str]
    sensor: str | None
    siblings: tuple[str, ...]
    band_dates: tuple[DatedBand, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def tags(self) -> Mapping[str, str]:
        """The tags of the file."""
        return self.header.tags

    @property
    def is_own(self) -> bool:
        """Whether Treeline wrote the file."""
        return OWN_ROLE in self.tags

    def statement(self, index: int) -> BandStatement | None:
        """Return what the metadata beside the file say of a band."""
        statements = self.sidecar.bands if self.sidecar else ()
        return statements[index - 1] if index <= len(statements) else None


@dataclass(frozen=True, slots=True)
class Identity:
    """What a band is, and how such bands are usually stored."""

    name: str
    role: str | None = None
    encoding: str | None = None
    unit: str | None = None
    source: EvidenceSource = "default"
    confidence: float = 0.0
    sensor: str | None = None
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """A band of a file."""

    facts: FileFacts
    index: int
    date: datetime | None

    @property
    def header(self) -> Header:
        return self.facts.header

    @property
    def description(self) -> str | None:
        return self.header.descriptions[self.index - 1]

    @property
    def name(self) -> str:
        return self.description or f"band {self.index}"

    @property
    def alpha(self) -> bool:
        return self.header.colours[self.index - 1] == ColorInterp.alpha

    @property
    def one_of_several(self) -> bool:
        """Whether there are other bands than this one and an alpha, which is no band of a scene."""
        colours = [*self.header.colours[: self.index - 1], *self.header.colours[self.index :]]
        return colours not in ([], [ColorInterp.alpha])


def file_facts(
    dataset: DatasetReader, path: Path, siblings: Sequence[str], sidecar: Sidecar | None
) -> FileFacts:
    """Return what holds for all bands of an opened file."""
    name = describe_name("/".join(path.parts[-FOLDERS_ABOVE:]), siblings)
    header = Header.of(dataset)
    product = (sidecar.product if sidecar else None) or name.product or product_of(header.tags)
    groups = {**dict(name.groups), **(sidecar.groups if sidecar else {})}
    family = find_product(product)
    return FileFacts(
        name=name,
        header=header,
        sample=Sample(dataset),
        sidecar=sidecar,
        product=product,
        groups=groups,
        sensor=(sidecar.sensor if sidecar else None) or sensor_of(product, groups) or name.sensor,
        siblings=(*siblings, *(text for text in header.descriptions if text)),
        band_dates=() if OWN_ROLE in header.tags else find_band_dates(header),
        evidence=tuple(e for e in name.evidence if not e.concludes.startswith("role=")),
        warnings=(*_notes(family), *caveats_in(header.tags, "The file")),
    )


def _notes(family: Product | None) -> tuple[str, ...]:
    return (" ".join(family.note.split()),) if family is not None and family.note else ()


def identify(facts: FileFacts, index: int, date: datetime | None) -> Identity:
    """Return what a band is by the most trusted source that says anything of it."""
    place = _Place(facts, index, date)
    # Bands of different dates have no order of a scene and are no colours of a picture.
    finders = (
        (_own, _metadata, _description, _file_name)
        if facts.band_dates
        else (_own, _metadata, _description, _order, _file_name, _stack, _wavelength, _alpha, _colour)
    )
    return next(filter(None, (finder(place) for finder in finders)), _identity_without_role(place))


def _identity_without_role(place: _Place) -> Identity:
    """Return a band of no role, with what its description or else its file's name leaves open."""
    told = _free_description(place).warnings if place.description else ()
    alone = place.facts.name.warnings if place.header.count == 1 and place.facts.name.role is None else ()
    return Identity(place.name, warnings=told or alone)


def _own(place: _Place) -> Identity | None:
    tags = place.header.band_tags[place.index - 1]
    role = tags.get(OWN_ROLE)
    if role is None and place.facts.is_own:
        several = place.header.count > 1 and place.description
        role = place.description if several else place.facts.tags[OWN_ROLE]
    if not role or not re.fullmatch(r"[\w:.+-]{1,60}", role):
        return None
    stated = (place.header.units[place.index - 1], tags.get(OWN_UNIT), place.facts.tags.get(OWN_UNIT))
    reason = Evidence(f"role={role}", "tag", "Treeline wrote it when it made the file.")
    unit = next((unit for unit in stated if unit), None)
    return Identity(place.name, role, None, unit, "tag", 1.0, None, (reason,))


def _metadata(place: _Place) -> Identity | None:
    statement = place.facts.statement(place.index)
    if statement is None or place.facts.sidecar is None:
        return None
    known = band_facts(place.facts.product, place.facts.groups, statement.name)
    role = (known.role if known else None) or statement.role
    if role not in VARIABLES:
        return None
    because = f"{place.facts.sidecar.source} beside the file calls the band {statement.name}."
    encoding = known.encoding if known else None
    reason = Evidence(f"role={role}", "metadata", because)
    return Identity(statement.name, role, encoding, statement.unit, "metadata", 0.98, None, (reason,))


def _description(place: _Place) -> Identity | None:
    text = place.description
    if not text:
        return None
    because = f"The band's description is {text!r}."
    known = band_facts(place.facts.product, place.facts.groups, text)
    if known is not None and known.role is not None:
        reason = Evidence(f"role={known.role}", "description", because, 0.98)
        return Identity(text, known.role, known.encoding, known.unit, "product", 0.98, None, (reason,))
    free = _free_description(place)
    if free.role is None or _is_index_of_name(place, free.role):
        return None
    reason = Evidence(f"role={free.role}", "description", because, free.confidence)
    return Identity(
        text,
        free.role,
        free.encoding,
        free.unit,
        "description",
        free.confidence,
        free.sensor,
        (reason,),
        free.warnings,
    )


def _free_description(place: _Place) -> NameFacts:
    """Return what a band's description says by itself, and as one of the file's sensor."""
    company, text = company_of(place.facts.siblings), place.description or ""
    return read_free_name(text, company, date=place.date, sensor=place.facts.sensor)


def _is_index_of_name(place: _Place, role: str) -> bool:
    """Return whether the only band is called like one of a scene and its file like an index.

    Earth Engine leaves the name of the first band to what is calculated from several: the B8 of a file called
    NDVI is none.
    """
    named, described = VARIABLES.get(place.facts.name.role or ""), VARIABLES.get(role)
    kinds = (named.kind if named else "", described.kind if described else "")
    return place.header.count == 1 and kinds == ("index", "reflectance")


def _order(place: _Place) -> Identity | None:
    order = band_order(place.facts.product, place.facts.groups, place.header.count)
    if not order:
        return None
    name = order[place.index - 1]
    known = band_facts(place.facts.product, place.facts.groups, name)
    role, encoding = (known.role, known.encoding) if known else (None, None)
    because = f"Band {place.index} of {place.header.count} in files of {place.facts.sensor} is {name}."
    reason = Evidence(f"role={role}", "product", because, 0.95)
    return Identity(name, role, encoding, None, "product", 0.95, None, (reason,), _not_alpha(place, role))


def _file_name(place: _Place) -> Identity | None:
    named = place.facts.name
    single = single_facts(place.facts.product, place.facts.groups)
    role = named.role or (single.role if single else None)
    variable = VARIABLES.get(role or "")
    one_of_scene = place.one_of_several and not place.facts.band_dates
    if variable is None or place.alpha or (one_of_scene and variable.kind not in SHARED_KINDS):
        return None
    if one_of_scene and place.description and (open_band := _free_description(place)).band:
        # The name of a scene's bands tells what was made of them, and not what a band of them is.
        return Identity(place.name, warnings=open_band.warnings)
    if one_of_scene and variable.kind != "image" and (why := _why_another(place, variable)) is not None:
        return Identity(place.name, warnings=why)
    name = named.band if not place.one_of_several and named.band else place.name
    encoding = named.encoding or (single.encoding if single else None)
    source: EvidenceSource = "product" if named.product else "name"
    reasons = tuple(e for e in named.evidence if e.concludes.startswith("role="))
    of_band = band_facts(place.facts.product, place.facts.groups, named.band) if named.band else None
    stated = of_band or single
    unit = stated.unit if stated else None
    return Identity(name, role, encoding, unit, source, named.confidence, None, reasons, named.warnings)


def _why_another(place: _Place, variable: Variable) -> tuple[str, ...] | None:
    """Return what to say of one of several bands that their file's name does not tell; ``None`` if it does.

    A day has one value of a variable: of what nothing tells apart, one may be its error or a flag.
    """
    if place.description:
        company = company_of(place.facts.siblings)
        others = (text for text in place.header.descriptions if text and text != place.description)
        told = (VARIABLES.get(read_free_name(text, company).role or "") for text in others)
        return () if any(each is not None and each.kind == variable.kind for each in told) else None
    if place.facts.name.product or place.facts.name.date_precision not in ("day", "minute", "instant"):
        return None
    return (f"The file has {place.header.count} bands of one day; nothing tells which is {variable.title}.",)


def _stack(place: _Place) -> Identity | None:
    for stack in stacks():
        here = stack.regex.search(place.facts.name.name)
        if here and len(stack.order) == place.header.count:
            role = stack.order[place.index - 1]
            because = f"The name holds {here[0]!r}, the order of its {place.header.count} bands."
            reason = Evidence(f"role={role}", "name", because, stack.confidence)
            return Identity(
                place.name,
                role,
                source="name",
                confidence=stack.confidence,
                evidence=(reason,),
                warnings=_not_alpha(place, role),
            )
    return None


def _wavelength(place: _Place) -> Identity | None:
    tags = place.header.band_tags
    # Of radiance the same wavelengths are told; what is divided to be reflectance is none.
    length = wavelength_of(tags[place.index - 1]) if DIVISOR_TAG in place.header.tags else None
    role = roles_by_wavelength(tags)[place.index - 1] if length is not None else None
    if role is None:
        return None
    reason = Evidence(f"role={role}", "tag", f"The header gives the band {length:g} nm.", 0.9)
    return Identity(place.name, role, source="tag", confidence=0.9, evidence=(reason,))


def _alpha(place: _Place) -> Identity | None:
    if not place.alpha:
        return None
    distinct = int(np.unique(place.facts.sample.band(place.index)).size)
    # Programs mark the fourth band of any file as alpha, which holds near infrared as often; only PNG has an
    # alpha by its format.
    if distinct <= 2 or place.header.driver == "PNG":
        because = "The file marks the band as alpha, and nothing speaks against it."
        name = place.description or "alpha"
        reason = Evidence("role=mask", "tag", because, 0.9)
        return Identity(name, "mask", source="tag", confidence=0.9, evidence=(reason,))
    warning = (
        f"Band {place.index} is marked as alpha but holds {distinct} different values in a sample, so it may "
        "be near infrared; say its role."
    )
    return Identity(place.name, warnings=(warning,))


def _colour(place: _Place) -> Identity | None:
    role = COLOURS.get(place.header.colours[place.index - 1])
    if role is None or place.header.count < 3:
        return None
    reason = Evidence(f"role={role}", "tag", f"The file marks the band as {role}.", 0.6)
    return Identity(place.name, role, None, None, "tag", 0.6, None, (reason,))


def _not_alpha(place: _Place, role: str | None) -> tuple[str, ...]:
    if not place.alpha:
        return ()
    return (f"Band {place.index} is marked as alpha in the file; it is {role} and no mask.",)
