"""What a file name says, without looking at pixels."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import PurePath

from toolkit.recognition.dates import FoundDate, find_date
from toolkit.recognition.model import Evidence
from toolkit.recognition.rules import (
    BandFacts,
    NameRule,
    NameVariant,
    Product,
    band_key,
    name_rules,
    products,
    role_table,
    whole_name_rules,
)
from toolkit.recognition.siblings import Company, company_of, stem
from toolkit.variables import VARIABLES

IMAGES = (".png", ".jpg", ".jpeg")
READABLE = (".tif", ".tiff", ".jp2", *IMAGES, "")


@dataclass(frozen=True, slots=True)
class NameFacts:
    """What a name alone says of a raster.

    Attributes
    ----------
    role : str or None
        A key of :data:`toolkit.variables.VARIABLES`.
    band : str or None
        The part of the name that is the band, such as ``B04`` or ``sur_refl_b01``.
    date, date_precision, sensor, product, place
        As in :class:`toolkit.recognition.model.RasterDescription`.
    encoding : str or None
        Key of the way in which such files usually store their values; pixels have the last word.
    groups : mapping
        Named parts of a product name, such as the processing baseline.
    confidence : float
        Of the role, 0 to 1.
    """

    name: str
    role: str | None = None
    band: str | None = None
    date: datetime | None = None
    date_precision: str | None = None
    sensor: str | None = None
    product: str | None = None
    place: str = ""
    encoding: str | None = None
    unit: str | None = None
    confidence: float = 0.0
    warnings: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    groups: tuple[tuple[str, str], ...] = ()
    cadence: str | None = None


def describe_name(name: str, siblings: Sequence[str] = ()) -> NameFacts:
    """Return what a file name says, given the names in the same upload.

    Parameters
    ----------
    name : str
        File name; a folder before it helps where the product's name is the folder's.
    siblings : sequence of str
        Names in the same upload; the name itself may be among them.
    """
    names = tuple(siblings)
    facts = _facts(name, names)
    if facts.date is None or facts.date_precision != "day" or facts.date.day != 1:
        return facts
    precision = _series_precision(facts, names)
    if precision == "day":
        return facts
    reason = Evidence(
        f"date_precision={precision}", "sibling", f"The dates of the series are {precision} starts.", 0.8
    )
    return replace(facts, date_precision=precision, evidence=(*facts.evidence, reason))


@lru_cache(maxsize=65536)
def _facts(name: str, siblings: tuple[str, ...]) -> NameFacts:
    return (
        read_product_name(name)
        or read_whole_name(name)
        or read_free_name(stem(name), company_of(siblings) if siblings else Company(()), name)
    )


@lru_cache(maxsize=4096)
def read_product_name(name: str) -> NameFacts | None:
    """Return what a standard product name says; ``None`` for any other name.

    A product's name may also be that of a folder above the file.
    """
    parts = PurePath(name.replace("\\", "/")).parts
    own = stem(name)
    above = [stem(part) for part in reversed(parts[:-1])]
    texts = [own, *(f"{above[0]}/{own}" for _ in above[:1])]
    found = next(filter(None, (_match_product(text, name) for text in texts)), None)
    folder = next(filter(None, (_match_product(text, name) for text in above)), None)
    if folder is not None and folder.product == (found or folder).product:
        return _within_folder(found, folder, own)
    return found


def _within_folder(found: NameFacts | None, folder: NameFacts, own: str) -> NameFacts | None:
    """Join what a file name and the product folder above it say; the folder knows the processing baseline."""
    if found is None:
        facts = band_facts(folder.product, dict(folder.groups), own)
        if facts is None:
            return None
        found = replace(folder, band=own, role=facts.role, encoding=facts.encoding)
    groups = {**dict(folder.groups), **dict(found.groups)}
    return replace(found, groups=tuple(groups.items()), date=found.date or folder.date)


def _match_product(text: str, name: str) -> NameFacts | None:
    for product in products():
        for pattern in product.patterns:
            match = pattern.match(text)
            if match:
                return _product_facts(product, match.groupdict(), text, name)
    return None


def _product_facts(product: Product, groups: Mapping[str, str | None], text: str, name: str) -> NameFacts:
    stated = {key: value for key, value in groups.items() if value is not None}
    band = stated.get("band")
    facts = (band_facts(product.key, stated, band) if band else single_facts(product.key, stated)) or BandFacts()
    variant = next((v for v in product.variants if v.sensor and v.holds(stated)), None)
    found = find_date(text)
    role = facts.role if facts.role in VARIABLES else None
    because = f"The name has the form of {product.sensor} products."
    concludes = f"role={role}" if role else f"product={product.key}"
    return NameFacts(
        name=name,
        role=role,
        band=band,
        date=found.date if found else None,
        date_precision=_precision(found, product.cadence),
        sensor=(variant.sensor if variant else None) or product.sensor,
        product=product.key,
        place=stated.get("place", ""),
        encoding=facts.encoding,
        unit=facts.unit,
        confidence=0.99 if role else 0.0,
        evidence=(Evidence(concludes, "product", because, 0.99), *_date_evidence(found)),
        groups=tuple(stated.items()),
        cadence=product.cadence,
    )


@lru_cache(maxsize=1)
def _by_key() -> dict[str, Product]:
    return {product.key: product for product in products()}


def product_named(key: str | None) -> Product | None:
    """Return a product family by its key."""
    return _by_key().get(key) if key else None


def band_facts(key: str | None, groups: Mapping[str, str], band: str) -> BandFacts | None:
    """Return what a product says of a band by the band's name; ``None`` if it has no such band."""
    product = product_named(key)
    if product is None:
        return None
    variants = [variant for variant in product.variants if variant.holds(dict(groups))]
    name = band_key(band)
    for pattern in product.strip:
        name = re.sub(pattern, "", name, flags=re.IGNORECASE)
    facts = next((v.bands[name] for v in variants if name in v.bands), None) or product.bands.get(name)
    if facts is None and re.sub(r"^\d+_", "", name) != name:
        return band_facts(key, groups, re.sub(r"^\d+_", "", name))
    if facts is None:
        # AppEEARS and others put words before the layer: "1_km_monthly_NDVI"
        facts = next((f for key_, f in product.bands.items() if len(key_) > 2 and name.endswith(f"_{key_}")), None)
    if facts is None or facts.encoding is not None:
        return facts
    return facts.model_copy(update={"encoding": _default_encoding(product, groups, facts.role)})


def single_facts(key: str | None, groups: Mapping[str, str]) -> BandFacts | None:
    """Return what a product says of its only band."""
    product = product_named(key)
    if product is None:
        return None
    variants = [v for v in product.variants if v.single is not None and v.holds(dict(groups))]
    return variants[0].single if variants else product.single


def band_order(key: str | None, groups: Mapping[str, str], count: int) -> tuple[str, ...]:
    """Return the names of a product's bands in the order of its files; empty if it has no fixed order."""
    product = product_named(key)
    if product is None:
        return ()
    variants = [v.orders for v in product.variants if v.orders is not None and v.holds(dict(groups))]
    return (variants[0] if variants else product.orders).get(count, ())


def _default_encoding(product: Product, groups: Mapping[str, str], role: str | None) -> str | None:
    variable = VARIABLES.get(role or "")
    if variable is None or variable.kind != "reflectance":
        return None
    stated = (v.encoding for v in product.variants if v.encoding and v.holds(dict(groups)))
    return next(stated, product.encoding)


def read_whole_name(name: str) -> NameFacts | None:
    """Return what the names of image pairs and chips say, in which numbers are no dates."""
    suffix = PurePath(name).suffix.lower()
    text = stem(name)
    for rule in whole_name_rules():
        match = rule.regex.search(text)
        if match and not (rule.images_only and suffix not in IMAGES):
            role = rule.role or role_table(rule.roles).get(match["n"].lower())
            return NameFacts(
                name=name,
                role=role,
                place=match["place"] or "",
                sensor=rule.sensor,
                confidence=rule.confidence,
                evidence=(_role_evidence(role, rule, text, rule.confidence),),
            )
    return None


def read_free_name(text: str, company: Company, name: str = "") -> NameFacts:
    """Return what a name or a band description says that follows no product standard."""
    suffix = PurePath(name).suffix.lower() if name else ""
    found = find_date(text)
    rest = f"{text[: found.span[0]]}_{text[found.span[1] :]}" if found else text
    known = suffix in READABLE or not re.fullmatch(r"\.[a-z]{2,4}", suffix)
    match, rule = _first_rule(rest) if known else (None, None)
    facts = NameFacts(
        name=name or text,
        date=found.date if found else None,
        date_precision=_precision(found, rule.cadence if rule else None),
        place=_place(rest, match, found),
        evidence=_date_evidence(found),
        cadence=rule.cadence if rule else None,
    )
    if match is None or rule is None:
        return _plain_image(facts, suffix)
    return _apply_rule(facts, rule, match, company)


def _plain_image(facts: NameFacts, suffix: str) -> NameFacts:
    if suffix not in IMAGES:
        return facts
    because = Evidence("role=rgb", "name", "PNG and JPEG files are pictures.", 0.6)
    return replace(facts, role="rgb", confidence=0.6, evidence=(*facts.evidence, because))


def _first_rule(text: str) -> tuple[re.Match[str] | None, NameRule | None]:
    for rule in name_rules():
        match = rule.regex.search(text)
        if match:
            return match, rule
    return None, None


def _apply_rule(facts: NameFacts, rule: NameRule, match: re.Match[str], company: Company) -> NameFacts:
    variant = next((v for v in rule.variants if _holds(v, match[0], facts.date, company)), None)
    if rule.variants and variant is None:
        return replace(facts, band=match[0], warnings=(" ".join(rule.otherwise.split()),))
    number = match.groupdict().get("n") or ""
    table = role_table((variant.roles if variant else None) or rule.roles)
    role = (variant.role if variant else None) or rule.role or table.get(number.lstrip("0").lower()) or table.get(
        number.lstrip("0").upper()
    )
    confidence = (variant.confidence if variant else None) or rule.confidence
    warning = " ".join(((variant.warning if variant else "") or rule.warning).split())
    if role is None and rule.otherwise:
        warning = " ".join(rule.otherwise.split())
    sibling = variant is not None and variant.siblings is not None
    return replace(
        facts,
        role=role,
        band=match[0],
        sensor=(variant.sensor if variant else None) or rule.sensor,
        encoding=(variant.encoding if variant else None) or rule.encoding,
        confidence=confidence if role else 0.0,
        warnings=(warning,) if warning else (),
        evidence=(_role_evidence(role, rule, match[0], confidence, sibling), *facts.evidence),
    )


def _holds(variant: NameVariant, written: str, date: datetime | None, company: Company) -> bool:
    day = date.date() if date else None
    tests = (
        variant.siblings is None or company.has(variant.siblings, date if variant.same_date else None),
        variant.before is None or (day is not None and day < variant.before),
        variant.since is None or (day is not None and day >= variant.since),
        variant.written is None or re.fullmatch(variant.written, written) is not None,
    )
    return all(tests)


def _role_evidence(
    role: str | None, rule: NameRule, text: str, confidence: float, sibling: bool = False
) -> Evidence:
    beside = " and the files beside it decide" if sibling else ""
    because = f"The name holds {text!r} (rule {rule.id}){beside}."
    return Evidence(f"role={role}", "sibling" if sibling else "name", because, confidence)


def _date_evidence(found: FoundDate | None) -> tuple[Evidence, ...]:
    if found is None:
        return ()
    because = f"The name holds a date (form {found.rule})."
    return (Evidence(f"date={found.date.isoformat()}", "name", because, 0.95),)


def _precision(found: FoundDate | None, cadence: str | None) -> str | None:
    if found is None:
        return None
    starts = {"month": found.date.day == 1, "year": found.date.day == found.date.month == 1}
    return cadence if found.precision == "day" and cadence and starts[cadence] else found.precision


def _place(rest: str, match: re.Match[str] | None, found: FoundDate | None) -> str:
    if match is not None:
        rest = f"{rest[: match.start()]}_{rest[match.end() :]}"
    if found is not None:
        rest = re.sub(rf"(?<![A-Za-z0-9]){found.date.year}(?![A-Za-z0-9])", "", rest)
    return re.sub(r"[_.\- ]*_[_.\- ]*", "_", rest).strip("_.- ")


@lru_cache(maxsize=64)
def _series(names: tuple[str, ...]) -> dict[tuple[str | None, str], list[datetime]]:
    groups: dict[tuple[str | None, str], list[datetime]] = defaultdict(list)
    for name in names:
        facts = _facts(name, names)
        if facts.date is not None:
            groups[facts.role, facts.place].append(facts.date)
    return groups


def _series_precision(facts: NameFacts, names: tuple[str, ...]) -> str:
    dates = set(_series(names).get((facts.role, facts.place), ())) if names else set()
    if len(dates) < 3 or any(date.day != 1 for date in dates):
        return "day"
    return "year" if all(date.month == 1 for date in dates) else "month"
