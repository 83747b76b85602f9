"""Names that follow a product standard, and the bands of the products."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import PurePath

from treeline.toolkit.recognition.dates import find_date
from treeline.toolkit.recognition.facts import NameFacts, date_evidence, date_precision
from treeline.toolkit.recognition.model import Evidence
from treeline.toolkit.recognition.rules import BandFacts, Product, band_key, cut_words, products
from treeline.toolkit.recognition.siblings import stem
from treeline.toolkit.variables import VARIABLES


@lru_cache(maxsize=4096)
def read_product_name(name: str) -> NameFacts | None:
    """Return what a standard product name says; ``None`` for any other name.

    A product's name may also be that of a folder above the file.
    """
    parts = PurePath(name.replace("\\", "/")).parts
    own, above = stem(name), [stem(part) for part in reversed(parts[:-1])]
    # Some products name the scene by the folder and the band by the file.
    texts = [*(f"{folder}/{own}" for folder in above[:1]), own]
    found = next(filter(None, (_match(text, name) for text in texts)), None)
    folder = next(filter(None, (_match(text, name) for text in above)), None)
    if folder is None or (found is not None and folder.product != found.product):
        return found
    return _within_folder(found, folder, own)


def _within_folder(found: NameFacts | None, folder: NameFacts, own: str) -> NameFacts | None:
    """Join what a file name and the product folder above it say; the folder knows the baseline."""
    if found is None:
        facts = band_facts(folder.product, dict(folder.groups), own)
        if facts is None:
            return None
        role = facts.role if facts.role in VARIABLES else None
        confidence = 0.95 if role else 0.0
        found = replace(folder, band=own, role=role, encoding=facts.encoding, confidence=confidence)
    groups = {**dict(folder.groups), **dict(found.groups)}
    dated = found if found.date else folder
    return replace(found, groups=tuple(groups.items()), date=dated.date, date_precision=dated.date_precision)


def _match(text: str, name: str) -> NameFacts | None:
    """Return what the name of a product says; that of one that was cut out where the whole says no role."""
    found = _family_of(text)
    facts = _product_facts(*found, text, name) if found is not None else None
    plain, words = _without_cut(text)
    inner = _family_of(plain) if words and (facts is None or facts.role is None) else None
    if inner is None:
        return facts
    # The whole and its parts may lie side by side, and are no dates of one ground.
    cut = _product_facts(*inner, plain, name)
    return replace(cut, place=f"{cut.place} {words}".strip())


def _without_cut(text: str) -> tuple[str, str]:
    """Return a name without what is added to that of a file which is cut out, moved or copied; and that."""
    plain, words = text, []
    for pattern in (*cut_words(), *cut_words()):
        found = pattern.search(plain)
        if found is not None:
            words.append(found[0].strip("_-. ()"))
            plain = plain[: found.start()] + plain[found.end() :]
    return plain, " ".join(words)


@lru_cache(maxsize=4096)
def _family_of(text: str) -> tuple[Product, Mapping[str, str]] | None:
    """Return the product whose name a text is, and its parts; many files share the folders above them."""
    for product in products():
        for pattern in product.patterns:
            match = pattern.match(text)
            if match:
                return product, {key: part for key, part in match.groupdict().items() if part is not None}
    return None


def _product_facts(product: Product, groups: Mapping[str, str], text: str, name: str) -> NameFacts:
    band = groups.get("band")
    facts = band_facts(product.key, groups, band) if band else single_facts(product.key, groups)
    facts = facts or BandFacts()
    # A group ``dated`` says which part is the date; empty where none is, as a release's year is no date.
    found = find_date(groups.get("dated", text))
    role = facts.role if facts.role in VARIABLES else None
    because = f"The name has the form of {product.sensor} products."
    concludes = f"role={role}" if role else f"product={product.key}"
    return NameFacts(
        name=name,
        role=role,
        band=band,
        date=found.date if found else None,
        date_precision=date_precision(found, product.cadence),
        sensor=sensor_of(product.key, groups),
        product=product.key,
        place=_place_of(groups),
        encoding=facts.encoding,
        unit=facts.unit,
        confidence=0.99 if role else 0.0,
        evidence=(Evidence(concludes, "product", because, 0.99), *date_evidence(found)),
        groups=tuple(groups.items()),
        cadence=product.cadence,
    )


def _place_of(groups: Mapping[str, str]) -> str:
    """Return what tells files of a product apart besides their dates: a place, a month of no year."""
    month = groups.get("month_of_no_year")
    return f"{groups.get('place', '')} {month_name[int(month)]}".strip() if month else groups.get("place", "")


@cache
def _by_key() -> dict[str, Product]:
    return {product.key: product for product in products()}


def find_product(key: str | None) -> Product | None:
    """Return a product family by its key."""
    return _by_key().get(key) if key else None


def sensor_of(key: str | None, groups: Mapping[str, str]) -> str | None:
    """Return the sensor of a product for people."""
    product = find_product(key)
    if product is None:
        return None
    return next((v.sensor for v in product.variants if v.sensor and v.holds(groups)), product.sensor)


def band_facts(key: str | None, groups: Mapping[str, str], band: str) -> BandFacts | None:
    """Return what a product says of a band by the band's name; ``None`` if it has no such band."""
    product = find_product(key)
    if product is None:
        return None
    bands = dict(product.bands)
    for variant in (v for v in product.variants if v.holds(groups)):
        bands |= variant.bands
    facts = _lookup(bands, band_key(re.sub("|".join(product.strip) or "$^", "", band, flags=re.IGNORECASE)))
    if facts is None or facts.encoding is not None:
        return facts
    return facts.model_copy(update={"encoding": _default_encoding(product, groups, facts.role)})


def _lookup(bands: Mapping[str, BandFacts], name: str) -> BandFacts | None:
    """Return a band by its name, also where a program put an index or words before it.

    Earth Engine's ``toBands`` writes ``0_NDVI``, AppEEARS ``1_km_monthly_NDVI``.
    """
    if name in bands:
        return bands[name]
    # Single letters are left out: too many words end in one.
    endings = [known for known in bands if len(known) > 1 and name.endswith(f"_{known}")]
    return bands[max(endings, key=len)] if endings else None


def single_facts(key: str | None, groups: Mapping[str, str]) -> BandFacts | None:
    """Return what a product says of its only band; nothing of a file whose name has that of another."""
    product = find_product(key)
    if product is None or (product.bands and groups.get("band")):
        return None
    stated = (v.single for v in product.variants if v.single is not None and v.holds(groups))
    return next(stated, product.single)


def band_order(key: str | None, groups: Mapping[str, str], count: int) -> tuple[str, ...]:
    """Return the names of a product's bands in the order of its files; empty if it has no fixed order."""
    product = find_product(key)
    if product is None:
        return ()
    stated = (v.orders for v in product.variants if v.orders is not None and v.holds(groups))
    return next(stated, product.orders).get(count, ())


def _default_encoding(product: Product, groups: Mapping[str, str], role: str | None) -> str | None:
    variable = VARIABLES.get(role or "")
    if variable is None or variable.kind != "reflectance":
        return None
    stated = (v.encoding for v in product.variants if v.encoding and v.holds(groups))
    return next(stated, product.encoding)
