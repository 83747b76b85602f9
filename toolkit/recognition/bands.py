"""What each band of a file is: role, name, scale, unit, fills."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from rasterio.enums import ColorInterp
from rasterio.io import DatasetReader

from toolkit.recognition.model import Band, Correction, Evidence, EvidenceSource
from toolkit.recognition.names import (
    NameFacts,
    band_facts,
    band_order,
    describe_name,
    product_named,
    read_free_name,
    single_facts,
)
from toolkit.recognition.rules import encodings, stacks
from toolkit.recognition.sample import Statistics, statistics, take_sample
from toolkit.recognition.scaling import Scaling, Stored, find_scaling
from toolkit.recognition.siblings import company_of
from toolkit.recognition.sidecars import BandStatement, Sidecar
from toolkit.recognition.tags import FILL_TAGS, number_in, product_of, stated_scale
from toolkit.variables import VARIABLES

OWN_ROLE, OWN_UNIT = "TREELINE_ROLE", "TREELINE_UNIT"
COLOURS = {ColorInterp.red: "red", ColorInterp.green: "green", ColorInterp.blue: "blue"}
SHARED_KINDS = {"index", "temperature", "product", "image"}


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What holds for all bands of a file."""

    name: NameFacts
    tags: Mapping[str, str]
    sidecar: Sidecar | None
    product: str | None
    groups: Mapping[str, str]
    sensor: str | None
    descriptions: tuple[str | None, ...]
    siblings: tuple[str, ...]
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def own(self) -> bool:
        """Whether Treeline wrote the file."""
        return OWN_ROLE in self.tags


@dataclass(frozen=True, slots=True)
class BandResult:
    """A band and what a person should know of it."""

    band: Band
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Identity:
    """What a band is, before its values are looked at."""

    name: str
    role: str | None = None
    encoding: str | None = None
    unit: str | None = None
    source: EvidenceSource = "default"
    confidence: float = 0.0
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()


def file_facts(dataset: DatasetReader, path: Path, siblings: Sequence[str], sidecar: Sidecar | None) -> FileFacts:
    """Return what holds for all bands of an opened file."""
    name = describe_name("/".join(path.parts[-3:]), tuple(siblings))
    tags = dataset.tags()
    product = (sidecar.product if sidecar else None) or name.product or product_of(tags)
    family = product_named(product)
    groups = {**dict(name.groups), **(sidecar.groups if sidecar else {})}
    sensor = (sidecar.sensor if sidecar else None) or name.sensor or (family.sensor if family else None)
    return FileFacts(
        name=name,
        tags=tags,
        sidecar=sidecar,
        product=product,
        groups=groups,
        sensor=sensor,
        descriptions=dataset.descriptions,
        siblings=(*siblings, *(text for text in dataset.descriptions if text)),
        evidence=tuple(e for e in name.evidence if not e.concludes.startswith("role=")),
        warnings=(family.note,) if family is not None and family.note else (),
    )


def describe_band(
    dataset: DatasetReader, facts: FileFacts, index: int, corrections: Mapping[str, Correction], date: datetime | None
) -> BandResult:
    """Return a band of an opened file.

    Parameters
    ----------
    corrections : mapping of str to Correction
        By band name, index or role, without case; the empty name holds for every band.
    date : datetime, optional
        Of the file; tells whether a Sentinel-2 product may carry an offset.
    """
    identity = identify(dataset, facts, index)
    said = _said(corrections, identity, index)
    if said.role is not None:
        reason = Evidence(f"role={said.role}", "person", "A person said so.")
        identity = replace(identity, role=said.role, encoding=None, unit=None, evidence=(reason,), warnings=())
    label = f"band {index} ({identity.name})" if dataset.count > 1 else "the band"
    nodata = _declared_fill(dataset, index)
    sample = take_sample(dataset, index)
    known = encodings().get(identity.encoding or "")
    found = statistics(sample, (*nodata, *(known.fill if known else ())), known.valid if known else None)
    scaling = _scaling(dataset, facts, index, identity, said, found, label, date)
    checked = _check_range(scaling, identity, found, label)
    return BandResult(_band(index, identity, said, checked, nodata), (*identity.warnings, *checked.warnings))


def _said(corrections: Mapping[str, Correction], identity: _Identity, index: int) -> Correction:
    """Join the corrections of the file and of the band; the band's weighs more."""
    keys = ["", (identity.role or "-").casefold(), str(index), identity.name.casefold()]
    joined: dict[str, Any] = {}
    for correction in (corrections[key] for key in keys if key in corrections):
        fields = {name: getattr(correction, name) for name in Correction.__dataclass_fields__}
        joined |= {name: value for name, value in fields.items() if value is not None}
    return Correction(**joined)


def _band(index: int, identity: _Identity, said: Correction, scaling: Scaling, nodata: tuple[float, ...]) -> Band:
    fill = said.fill if said.fill is not None else tuple(dict.fromkeys((*nodata, *map(float, scaling.fill))))
    return Band(
        index=index,
        name=identity.name,
        role=identity.role,
        unit=said.unit or identity.unit or scaling.unit,
        scale=scaling.scale,
        offset=scaling.offset,
        scale_known=scaling.known,
        fill=fill,
        valid=said.valid or scaling.valid,
        evidence=(*identity.evidence, *scaling.evidence),
    )


def identify(dataset: DatasetReader, facts: FileFacts, index: int) -> _Identity:
    """Return what a band is by the most trusted source that says anything of it."""
    description = facts.descriptions[index - 1]
    name = description or f"band {index}"
    finders = (_own, _from_metadata, _from_description, _from_order, _from_file_name, _from_stack, _from_colour)
    for finder in finders:
        found = finder(dataset, facts, index, name)
        if found is not None:
            return found
    return _Identity(name)


def _own(dataset: DatasetReader, facts: FileFacts, index: int, name: str) -> _Identity | None:
    role = dataset.tags(index).get(OWN_ROLE)
    if role is None and facts.own:
        several = dataset.count > 1 and facts.descriptions[index - 1]
        role = facts.descriptions[index - 1] if several else facts.tags[OWN_ROLE]
    if not role or not re.fullmatch(r"[\w:.+-]{1,60}", role):
        return None
    unit = dataset.units[index - 1] or dataset.tags(index).get(OWN_UNIT) or facts.tags.get(OWN_UNIT)
    reason = Evidence(f"role={role}", "tag", "Treeline wrote it when it made the file.")
    return _Identity(name, role, "physical", unit or None, "tag", 1.0, (reason,))


def _from_metadata(dataset: DatasetReader, facts: FileFacts, index: int, name: str) -> _Identity | None:
    statement = _statement(facts, index)
    if statement is None or statement.role is None or facts.sidecar is None:
        return None
    known = band_facts(facts.product, facts.groups, statement.name)
    because = f"{facts.sidecar.source} beside the file calls the band {statement.name}."
    reason = Evidence(f"role={statement.role}", "metadata", because)
    encoding = known.encoding if known else None
    return _Identity(statement.name or name, statement.role, encoding, statement.unit, "metadata", 1.0, (reason,))


def _from_description(dataset: DatasetReader, facts: FileFacts, index: int, name: str) -> _Identity | None:
    description = facts.descriptions[index - 1]
    if not description:
        return None
    known = band_facts(facts.product, facts.groups, description)
    if known is not None:
        because = f"The band's description is {description!r}, a band of the product."
        reason = Evidence(f"role={known.role}", "description", because, 0.98)
        return _Identity(name, known.role, known.encoding, known.unit, "product", 0.98, (reason,))
    free = read_free_name(description, company_of(facts.siblings))
    if free.role is None:
        return None
    because = f"The band's description is {description!r}."
    reason = Evidence(f"role={free.role}", "description", because, free.confidence)
    return _Identity(name, free.role, free.encoding, free.unit, "description", free.confidence, (reason,), free.warnings)


def _from_order(dataset: DatasetReader, facts: FileFacts, index: int, name: str) -> _Identity | None:
    order = band_order(facts.product, facts.groups, dataset.count)
    if not order:
        return None
    known = band_facts(facts.product, facts.groups, order[index - 1])
    role = known.role if known else None
    because = f"Band {index} of {dataset.count} in files of {facts.sensor} is {order[index - 1]}."
    reason = Evidence(f"role={role}", "product", because, 0.95)
    encoding = known.encoding if known else None
    warnings = _false_alpha(dataset, index, role)
    return _Identity(order[index - 1], role, encoding, None, "product", 0.95, (reason,), warnings)


def _from_file_name(dataset: DatasetReader, facts: FileFacts, index: int, name: str) -> _Identity | None:
    named = facts.name
    single = single_facts(facts.product, facts.groups)
    if named.role is None and single is None:
        return None
    role = named.role or (single.role if single else None)
    variable = VARIABLES.get(role or "")
    alpha = dataset.colorinterp[index - 1] == ColorInterp.alpha
    if variable is None or alpha or (dataset.count > 1 and variable.kind not in SHARED_KINDS):
        return None
    written = named.band if dataset.count == 1 and named.band else name
    encoding = named.encoding or (single.encoding if single else None)
    source: EvidenceSource = "product" if named.product else "name"
    reasons = tuple(e for e in named.evidence if e.concludes.startswith("role="))
    return _Identity(written, role, encoding, named.unit, source, named.confidence, reasons, named.warnings)


def _from_stack(dataset: DatasetReader, facts: FileFacts, index: int, name: str) -> _Identity | None:
    for stack in stacks():
        edge = "A-Za-z0-9"
        here = re.search(rf"(?<![{edge}])(?:{stack.pattern})(?![{edge}])", facts.name.name, re.IGNORECASE)
        if here and len(stack.order) == dataset.count:
            role = stack.order[index - 1]
            because = f"The name holds {here[0]!r}, the order of its {dataset.count} bands."
            reason = Evidence(f"role={role}", "name", because, stack.confidence)
            warnings = _false_alpha(dataset, index, role)
            return _Identity(name, role, None, None, "name", stack.confidence, (reason,), warnings)
    return None


def _from_colour(dataset: DatasetReader, facts: FileFacts, index: int, name: str) -> _Identity | None:
    interpretation = dataset.colorinterp[index - 1]
    role = COLOURS.get(interpretation)
    if role is not None and dataset.count >= 3:
        reason = Evidence(f"role={role}", "tag", f"The file marks the band as {role}.", 0.6)
        return _Identity(name, role, None, None, "tag", 0.6, (reason,))
    if interpretation != ColorInterp.alpha:
        return None
    distinct = int(np.unique(take_sample(dataset, index)).size)
    if distinct <= 2:
        reason = Evidence("alpha", "tag", "The file marks the band as alpha, and it has at most two values.", 0.9)
        return _Identity(name if facts.descriptions[index - 1] else "alpha", "mask", "physical", None, "tag", 0.9,
                         (reason,))  # fmt: skip
    warning = (
        f"Band {index} is marked as alpha but holds {distinct} different values in a sample; it may be near infrared. "
        "Say its role."
    )
    return _Identity(name, warnings=(warning,))


def _false_alpha(dataset: DatasetReader, index: int, role: str | None) -> tuple[str, ...]:
    if dataset.colorinterp[index - 1] != ColorInterp.alpha:
        return ()
    return (f"Band {index} is marked as alpha in the file; it is {role} and no mask.",)


def _statement(facts: FileFacts, index: int) -> BandStatement | None:
    statements = facts.sidecar.bands if facts.sidecar else ()
    return statements[index - 1] if index <= len(statements) else None


def _declared_fill(dataset: DatasetReader, index: int) -> tuple[float, ...]:
    tagged = number_in(dataset.tags(index), FILL_TAGS)
    stated = (dataset.nodatavals[index - 1], tagged)
    return tuple(dict.fromkeys(float(n) for n in stated if n is not None and not np.isnan(n)))


def _scaling(
    dataset: DatasetReader, facts: FileFacts, index: int, identity: _Identity, said: Correction,
    found: Statistics | None, label: str, date: datetime | None,
) -> Scaling:  # fmt: skip
    """Return the scaling by the most trusted source that states one."""
    stored = Stored(
        label=label,
        role=identity.role,
        whole_numbers=np.dtype(dataset.dtypes[index - 1]).kind in "iu",
        statistics=found,
        encoding=identity.encoding,
        encoding_source=identity.source,
        confidence=identity.confidence,
        product=facts.product,
        groups=facts.groups,
        date=date,
    )
    if said.scale is not None or said.offset is not None:
        scale, offset = said.scale if said.scale is not None else 1.0, said.offset or 0.0
        return _stated(stored, scale, offset, "person", "A person said so.", 1.0)
    family = product_named(facts.product)
    statement = _statement(facts, index)
    if statement is not None and statement.scale is not None and not (family and family.offset_by_values):
        because = f"{facts.sidecar.source if facts.sidecar else 'Metadata'} beside the file states it."
        return _stated(stored, statement.scale, statement.offset, "metadata", because, 0.98)
    variable = VARIABLES.get(identity.role or "")
    measured = variable is None or variable.kind not in ("quality", "class", "image")
    file_tags = facts.tags if measured else {}
    tagged = stated_scale(dataset.scales[index - 1], dataset.offsets[index - 1], dataset.tags(index), file_tags)
    if tagged is not None and not (family and family.offset_by_values):
        return _stated(stored, tagged.scale, tagged.offset, "tag", tagged.because, 0.95)
    if identity.encoding == "physical" and facts.own:
        return Scaling(unit=identity.unit)
    return find_scaling(stored)


def _stated(
    stored: Stored, scale: float, offset: float, source: EvidenceSource, because: str, confidence: float
) -> Scaling:
    variable = VARIABLES.get(stored.role or "")
    known = encodings().get(stored.encoding or "")
    reason = Evidence(f"scale={scale:g}, offset={offset:g}", source, because, confidence)
    # The product's fills hold for its own encoding, not for values that somebody scaled otherwise.
    same = known is not None and known.scale is not None and np.isclose(known.scale, scale)
    return Scaling(
        scale=scale,
        offset=offset,
        unit=variable.unit if variable else None,
        fill=known.fill if known is not None and same else (),
        valid=known.valid if known is not None and same else None,
        evidence=(reason,),
    )


def _check_range(scaling: Scaling, identity: _Identity, found: Statistics | None, label: str) -> Scaling:
    """Add a warning where the physical values are not plausible for the role."""
    variable = VARIABLES.get(identity.role or "")
    if variable is None or found is None or not scaling.known:
        return scaling
    median = found.median * scaling.scale + scaling.offset
    low, high = variable.plausible
    if low <= median <= high:
        return scaling
    warning = (
        f"Half of the values of {label} lie beyond {median:g} {variable.unit}, outside of {low:g} to {high:g} for "
        f"{variable.title.lower()}; check its role and scale."
    )
    sure = any(e.source in ("person", "metadata", "tag") for e in scaling.evidence) or identity.source == "tag"
    return replace(scaling, known=scaling.known and sure, warnings=(*scaling.warnings, warning))
