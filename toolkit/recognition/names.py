"""What a file name says, without looking at pixels."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from pathlib import PurePath

from treeline.toolkit.recognition.dates import FoundDate, find_date, is_date
from treeline.toolkit.recognition.facts import NameFacts, date_evidence, date_precision
from treeline.toolkit.recognition.families import read_product_name
from treeline.toolkit.recognition.model import Evidence
from treeline.toolkit.recognition.rules import (
    NameRule,
    NameVariant,
    encodings,
    name_rules,
    role_table,
    sensor_words,
    whole_name_rules,
    words_beside,
)
from treeline.toolkit.recognition.siblings import Company, Names, company_of, names_in, part_of_export, stem
from treeline.toolkit.variables import VARIABLES

IMAGES = (".png", ".jpg", ".jpeg")
READABLE = (".tif", ".tiff", ".jp2", ".hgt", ".img", ".dat", ".bsq", ".bil", ".bip", *IMAGES, "")
NOBODY = Company(())
# CHIRPS numbers thirds of a month (dekads) and sixths (pentads) alike; numbers above 3 beside a name tell.
_SIXTHS = r"chirps-v\d\.\d\.\d{4}\.\d{2}\.[4-6]"
_NUMBERED_PART = re.compile(r"chirps-v\d\.\d\.(\d{4})\.(0[1-9]|1[0-2])\.([1-6])")


def describe_name(name: str, siblings: Sequence[str] = ()) -> NameFacts:
    """Return what a file name says, given the names in the same upload.

    Parameters
    ----------
    name : str
        File name; folders before it help where the product's name is a folder's.
    siblings : sequence of str
        Names in the same upload; the name itself may be among them.
    """
    names = names_in(siblings)
    facts = _with_scale(_facts(name, names))
    if facts.date is None or facts.date_precision != "day" or facts.date.day != 1:
        return facts
    precision = _series_precision(facts, names)
    if precision == "day":
        return facts
    because = f"The dates of the series are {precision} starts."
    reason = Evidence(f"date_precision={precision}", "sibling", because, 0.8)
    return replace(facts, date_precision=precision, evidence=(*facts.evidence, reason))


@lru_cache(maxsize=65536)
def _facts(name: str, siblings: Names) -> NameFacts:
    strict = read_product_name(name) or read_whole_name(name)
    facts = strict or _read_by_folders(name, company_of(siblings))
    if start := _start_of_sixth(stem(name), siblings):
        facts = replace(facts, date=start, date_precision="day")
    part = part_of_export(name)
    return replace(facts, place=f"{facts.place} {part}".strip()) if part else facts


def _start_of_sixth(text: str, siblings: Names) -> datetime | None:
    """Return when the sixth of a month begins that a raster of CHIRPS is of; ``None`` of any other name."""
    named = _NUMBERED_PART.fullmatch(text)
    if named is None:
        return None
    year, month, sixth = map(int, named.groups())
    if not re.fullmatch(_SIXTHS, text) and not company_of(siblings).has(_SIXTHS):
        return None
    return datetime(year, month, 5 * sixth - 4)


def _read_by_folders(name: str, company: Company) -> NameFacts:
    """Return what a free name says; of a band of which it leaves the sensor open, the folders above tell it.

    Of what SNAP keeps as BEAM-DIMAP the folder alone is called like the scene: ``subset_S2A.data/B8.img``.
    """
    text = _text_of(name)
    facts = read_free_name(text, company, name)
    if facts.role is None and facts.band and facts.sensor is None:
        folders = PurePath(name.replace("\\", "/")).parts[:-1][:-3:-1]
        sensor = next(filter(None, (_take_sensor(folder)[0] for folder in folders)), None)
        return read_free_name(text, company, name, sensor=sensor) if sensor else facts
    return facts


def _text_of(name: str) -> str:
    """Return what a file is called; of a date alone the folder above tells the rest: ``ndvi/2021/06.tif``.

    Only a folder that is called like a variable, and like nothing besides.
    """
    folders = list(PurePath(name.replace("\\", "/")).parts[:-1])
    own = stem(name)
    dates: list[str] = []
    if not is_date(own):
        return own
    while folders and is_date(folders[-1]):
        dates.insert(0, folders.pop())
    told = read_free_name(folders[-1]) if folders else NameFacts("")
    if told.role is None or told.place:
        return own
    return f"{folders[-1]}_{'-'.join([*dates, own]) if len(own) < 3 else own}"


def _with_scale(facts: NameFacts) -> NameFacts:
    """Fill in the numbers of the encoding that a name stands for."""
    variable, encoding = VARIABLES.get(facts.role or ""), encodings().get(facts.encoding or "")
    unit = facts.unit or (encoding.unit if encoding else None) or (variable.unit if variable else None)
    if encoding is None:
        return replace(facts, unit=unit)
    known = encoding.scale is not None and encoding.baseline_offset is None
    return replace(facts, unit=unit, scale=encoding.scale, offset=encoding.offset if known else None)


def read_whole_name(name: str) -> NameFacts | None:
    """Return what the names of image pairs and chips say, in which numbers are no dates."""
    suffix, text = PurePath(name).suffix.lower(), stem(name)
    for rule in whole_name_rules():
        match = rule.regex.search(text)
        if match and not (rule.images_only and suffix not in IMAGES):
            groups = match.groupdict()
            role = rule.role or role_table(rule.roles).get((groups.get("n") or "").lower())
            reason = _role_evidence(role, rule, text, rule.confidence)
            return NameFacts(
                name=name,
                role=role,
                place=groups.get("place") or "",
                sensor=rule.sensor,
                confidence=rule.confidence,
                evidence=(reason,),
            )
    return None


def read_free_name(
    text: str,
    company: Company = NOBODY,
    name: str = "",
    date: datetime | None = None,
    sensor: str | None = None,
) -> NameFacts:
    """Return what a name or a band description says that follows no product standard.

    Parameters
    ----------
    text : str
        The name without endings, or the description.
    company : Company
        The names beside it.
    name : str
        The whole file name; its ending tells whether it may be a raster.
    date : datetime, optional
        Known from elsewhere, for texts that hold none.
    sensor : str, optional
        Known from elsewhere, such as from the name of the file for the description of a band.
    """
    suffix = PurePath(name).suffix.lower()
    found = find_date(text)
    rest = f"{text[: found.span[0]]}_{text[_end_of_period(text, found) :]}" if found else text
    own_sensor, rest = _take_sensor(rest)
    known = suffix in READABLE or not re.fullmatch(r"\.[a-z]{2,4}", suffix)
    match, rule = _first_rule(rest) if known else (None, None)
    cadence = rule.cadence if rule else None
    facts = NameFacts(
        name=name or text,
        date=found.date if found else date,
        date_precision=date_precision(found, cadence),
        sensor=own_sensor or sensor,
        place=_place(rest, match, found),
        evidence=date_evidence(found),
        cadence=cadence,
    )
    if match is None or rule is None:
        return _plain_image(facts, suffix)
    return _apply_rule(facts, rule, match, company)


def _end_of_period(text: str, found: FoundDate) -> int:
    """Return where a date ends, or the last day of the period that begins with it."""
    end = found.span[1]
    last = find_date(text[end:])
    if last is None or last.precision != found.precision or last.date < found.date:
        return end
    between = text[end:][: last.span[0]].strip("_-. ").lower()
    return end + last.span[1] if between in ("", "to") else end


# Without their dates the names of a series are few texts, each of which is searched for many words.
@lru_cache(maxsize=4096)
def _take_sensor(text: str) -> tuple[str | None, str]:
    for word in sensor_words():
        match = word.regex.search(text)
        if match:
            return word.sensor, f"{text[: match.start()]}_{text[match.end() :]}"
    return None, text


def _plain_image(facts: NameFacts, suffix: str) -> NameFacts:
    if suffix not in IMAGES:
        return facts
    because = Evidence("role=rgb", "name", "PNG and JPEG files are pictures.", 0.6)
    return replace(facts, role="rgb", confidence=0.6, evidence=(*facts.evidence, because))


@lru_cache(maxsize=4096)
def _first_rule(text: str) -> tuple[re.Match[str] | None, NameRule | None]:
    for rule in name_rules():
        match = rule.regex.search(text)
        if match:
            return match, rule
    return None, None


def _apply_rule(facts: NameFacts, rule: NameRule, match: re.Match[str], company: Company) -> NameFacts:
    variant = next((v for v in rule.variants if _holds(v, match[0], facts, company)), None)
    if rule.variants and variant is None:
        return replace(facts, band=match[0], warnings=(_one_line(rule.otherwise),))
    chosen = variant or NameVariant()
    role = chosen.role or rule.role or _role_of_number(chosen.roles or rule.roles, match)
    if other := _other_than_values(role, match):
        return replace(facts, band=match[0], warnings=(other,))
    confidence = chosen.confidence or rule.confidence
    warning = _one_line((chosen.warning or rule.warning) if role else rule.otherwise)
    beside = chosen.siblings is not None
    return replace(
        facts,
        role=role,
        band=match[0],
        sensor=chosen.sensor or rule.sensor or facts.sensor,
        encoding=chosen.encoding or rule.encoding,
        confidence=confidence if role else 0.0,
        warnings=(warning,) if warning else (),
        evidence=(_role_evidence(role, rule, match[0], confidence, beside), *facts.evidence),
    )


def _other_than_values(role: str | None, match: re.Match[str]) -> str:
    """Return what a name is that of instead of a variable's values, by the words beside; mostly nothing."""
    kind = VARIABLES[role].kind if role in VARIABLES else ""
    if kind in ("", "quality", "image"):
        return ""
    return next(
        (
            words.means
            for words in words_beside()
            if not (words.of_classes and kind == "class") and words.stand_beside(match.string, *match.span())
        ),
        "",
    )


def _role_of_number(roles: dict[str, str] | str | None, match: re.Match[str]) -> str | None:
    number = (match.groupdict().get("n") or "").lstrip("0").upper()
    return {key.upper(): role for key, role in role_table(roles).items()}.get(number)


def _holds(variant: NameVariant, written: str, facts: NameFacts, company: Company) -> bool:
    day = facts.date.date() if facts.date else None
    tests = (
        variant.siblings is None or company.has(variant.siblings, facts.date if variant.same_date else None),
        variant.before is None or (day is not None and day < variant.before),
        variant.since is None or (day is not None and day >= variant.since),
        variant.written is None or re.fullmatch(variant.written, written) is not None,
        variant.sensor_said is None or re.search(variant.sensor_said, facts.sensor or "") is not None,
    )
    return all(tests)


def _role_evidence(
    role: str | None, rule: NameRule, text: str, confidence: float, sibling: bool = False
) -> Evidence:
    beside = ", and the names beside it decide" if sibling else ""
    because = f"The name holds {text!r} (rule {rule.id}){beside}."
    return Evidence(f"role={role}", "sibling" if sibling else "name", because, confidence)


def _place(rest: str, match: re.Match[str] | None, found: FoundDate | None) -> str:
    if match is not None:
        rest = f"{rest[: match.start()]}_{rest[match.end() :]}"
    if found is not None:
        # "Los_Angeles_2015_avg_rad_2015-01-01" says its year twice.
        rest = re.sub(rf"(?<![A-Za-z0-9]){found.date.year}(?![A-Za-z0-9])", "", rest)
    return re.sub(r"[_.\- ]*_[_.\- ]*", "_", rest).strip("_.- ")


def _one_line(text: str) -> str:
    return " ".join(text.split())


@lru_cache(maxsize=64)
def _series(names: Names) -> dict[tuple[str | None, str], set[datetime]]:
    groups: dict[tuple[str | None, str], set[datetime]] = defaultdict(set)
    for name in names:
        facts = _facts(name, names)
        if facts.date is not None:
            groups[facts.role, facts.place].add(facts.date)
    return groups


def _series_precision(facts: NameFacts, names: Names) -> str:
    """Tell by the series whether dates on a first day mean the day, the month or the year."""
    dates = _series(names).get((facts.role, facts.place), set()) if names else set()
    # Two first days may be chance.
    if len(dates) < 3 or any(date.day != 1 for date in dates):
        return "day"
    return "year" if all(date.month == 1 for date in dates) else "month"
