"""The data files of recognition, checked and compiled once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import cache, cached_property
from importlib import resources
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

Statistic = Literal["median", "magnitude99"]
Precision = Literal["instant", "minute", "day", "month", "year", "range"]
Period = Literal["day", "dekad", "month"]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,), defer_build=True)


class Encoding(_Entry):
    """How physical values are stored: ``physical = stored * scale + offset``.

    ``proportional`` says of an unknown scale that there is no offset, so that ratios are right without it;
    ``always`` that it holds whatever the values look like, and ``whole`` that these are whole numbers then;
    ``fractions`` that they are none, so that whole numbers have a scale that nothing tells; ``full_range``
    that the largest number of an unsigned type is 1; ``up_to`` how large stored values are that this is
    assumed of. ``unit_open`` is what to say where the file does not tell its unit; ``depth_open`` where that
    may be far off, ``month_open`` where a file is of a month.
    """

    name: str
    scale: float | None
    offset: float = 0.0
    fill: tuple[float, ...] = ()
    physical_fill: tuple[float, ...] = ()
    valid: tuple[float, float] | None = None
    unit: str | None = None
    baseline_offset: float | None = None
    always: bool = False
    whole: bool = False
    fractions: bool = False
    full_range: bool = False
    proportional: bool = False
    because: str = ""
    warning: str = ""
    unit_open: str = ""
    up_to: float | None = None
    depth_open: str = ""
    month_open: str = ""


class Range(_Entry):
    """One range of a statistic and the encoding that it speaks for."""

    between: tuple[float, float]
    encoding: str
    whole_numbers: bool = True


class Reading(_Entry):
    """What the values of some roles say about their encoding."""

    roles: tuple[str, ...]
    statistic: Statistic
    ranges: tuple[Range, ...]


class BandFacts(_Entry):
    """What a product says of one band."""

    role: str | None = None
    encoding: str | None = None
    unit: str | None = None


def _as_facts(bands: dict[str, Any]) -> dict[str, Any]:
    return {band_key(n): {"role": b} if isinstance(b, str) else b for n, b in bands.items()}


class ProductVariant(_Entry):
    """What holds only where the named groups of the file name match."""

    when: dict[str, str]
    sensor: str | None = None
    encoding: str | None = None
    bands: dict[str, BandFacts] = Field(default_factory=dict)
    orders: dict[int, tuple[str, ...]] | None = None
    single: BandFacts | None = None
    period: Period | None = None

    _bands = field_validator("bands", mode="before")(_as_facts)

    def holds(self, groups: Mapping[str, str]) -> bool:
        """Tell whether every condition matches the groups of a name."""
        return all(re.fullmatch(pattern, groups.get(name) or "") for name, pattern in self.when.items())


class Product(_Entry):
    """A product family; ``specification`` says what it was built from, ``tried`` on which real products.

    ``period`` is the time of which its rates are means, where the date of a file is the first day of it.
    """

    key: str
    sensor: str
    specification: str
    tried: str = ""
    names: tuple[str, ...]
    encoding: str | None = None
    bands: dict[str, BandFacts] = Field(default_factory=dict)
    orders: dict[int, tuple[str, ...]] = Field(default_factory=dict)
    single: BandFacts | None = None
    variants: tuple[ProductVariant, ...] = ()
    tags: dict[str, str] = Field(default_factory=dict)
    strip: tuple[str, ...] = ()
    cadence: Precision | None = None
    period: Period | None = None
    offset_by_values: bool = False
    note: str = ""

    _bands = field_validator("bands", mode="before")(_as_facts)

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """The compiled name patterns."""
        return tuple(re.compile(pattern) for pattern in self.names)


class NameVariant(_Entry):
    """What a name means beside certain other names or at a certain date."""

    siblings: str | None = None
    same_date: bool = False
    before: date | None = None
    since: date | None = None
    written: str | None = None
    sensor_said: str | None = None
    role: str | None = None
    roles: dict[str, str] | str | None = None
    sensor: str | None = None
    encoding: str | None = None
    confidence: float | None = None
    warning: str = ""

    _roles = field_validator("roles", mode="before")(lambda value: _text_keys(value))


class NameRule(_Entry):
    """What a part of a free name means."""

    id: str
    pattern: str
    role: str | None = None
    roles: dict[str, str] | str | None = None
    sensor: str | None = None
    encoding: str | None = None
    confidence: float = 0.9
    case: bool = False
    joined: bool = False
    images_only: bool = False
    cadence: Precision | None = None
    variants: tuple[NameVariant, ...] = ()
    warning: str = ""
    otherwise: str = ""

    _roles = field_validator("roles", mode="before")(lambda value: _text_keys(value))

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The pattern between characters that are no letter and no digit."""
        flags = 0 if self.case else re.IGNORECASE
        if self.pattern.startswith("^"):
            return re.compile(self.pattern, flags)
        edge = "A-Za-z0-9 " if self.joined else "A-Za-z0-9"
        return re.compile(rf"(?<![{edge}])(?:{self.pattern})(?![{edge}])", flags)


class WordsBeside(_Entry):
    """Words right before or behind that of a variable by which a name is not that of its values."""

    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    means: str
    of_classes: bool = False

    @cached_property
    def _ahead(self) -> re.Pattern[str]:
        return re.compile(
            rf"(?<![A-Za-z0-9])(?:{'|'.join(self.before)})[_. -]+(?:(?:of|in)[_. -])?$", re.IGNORECASE
        )

    @cached_property
    def _after(self) -> re.Pattern[str]:
        # A year or a limit may stand between: NDVI_2020_anomaly.
        return re.compile(rf"[_. -]+(?:\d[\d_]*_)?(?:{'|'.join(self.behind)})(?![A-Za-z0-9])", re.IGNORECASE)

    def stand_beside(self, text: str, start: int, end: int) -> bool:
        """Tell whether one of the words stands beside a part of a name."""
        before = bool(self.before) and self._ahead.search(text[:start]) is not None
        return before or (bool(self.behind) and self._after.match(text, end) is not None)


class Stack(_Entry):
    """A word in a name that tells the order of the bands."""

    pattern: str
    order: tuple[str, ...]
    confidence: float

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The word between characters that are no letter and no digit."""
        return re.compile(rf"(?<![A-Za-z0-9])(?:{self.pattern})(?![A-Za-z0-9])", re.IGNORECASE)


class SensorWord(_Entry):
    """A word in a name that tells the sensor."""

    pattern: str
    sensor: str

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The word between characters that are no letter and no digit."""
        return re.compile(rf"(?<![A-Za-z0-9])(?:{self.pattern})(?![A-Za-z0-9])", re.IGNORECASE)


class Verdict(_Entry):
    """A tag by whose value a file says that it is not to be relied on."""

    tag: str
    value: str


class DateRule(_Entry):
    """One way of writing a date."""

    id: str
    pattern: str
    precision: Precision

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The pattern with the parts of the date as named groups."""
        parts = {**_PARTS, "b": f"(?P<b>(?i:{words_of_months()}))"}
        return re.compile(re.sub(r"\{([YTEycmbQDKhdjWVHMS])\}", lambda part: parts[part[1]], self.pattern))


_PARTS = {
    "Y": r"(?P<Y>19[5-9]\d|20[0-2]\d|203[0-5])",
    "T": r"(?P<Y>19\d\d|20[0-2]\d|203[0-5])",
    "E": r"(?P<Y>1[89]\d\d|20\d\d|2100)",
    "y": r"(?P<y>[0-3]\d)",
    "c": r"(?P<c>[7-9]\d|[0-3]\d)",
    "m": r"(?P<m>0[1-9]|1[0-2])",
    "Q": r"(?P<Q>[1-4])",
    "D": r"(?P<D>[1-3])",
    "K": r"(?P<K>0[1-9]|[12]\d|3[0-6])",
    "h": r"(?P<h>[ab])",
    "W": r"(?P<W>0[1-9]|[1-4]\d|5[0-3])",
    "V": r"(?P<V>0[1-9]|[1-4]\d|5[0-2])",
    "d": r"(?P<d>0[1-9]|[12]\d|3[01])",
    "j": r"(?P<j>[0-3]\d\d)",
    "H": r"(?P<H>[01]\d|2[0-3])",
    "M": r"(?P<M>[0-5]\d)",
    "S": r"(?P<S>[0-5]\d)",
}


def _text_keys(value: Any) -> Any:
    return {str(key): role for key, role in value.items()} if isinstance(value, dict) else value


def band_key(name: str) -> str:
    """Return a band name without case, leading zeros and resolution suffix: ``b04_10m`` is ``B4``."""
    # The three pixel sizes of Sentinel-2.
    plain = re.sub(r"_(?:10|20|60)m$", "", name.strip())
    return re.sub(r"(?<=[A-Za-z])0+(?=\d)", "", plain).upper()


@cache
def _read(name: str) -> Any:
    # Imported where it is used: a start that describes no raster reads no rules.
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"), Loader=loader)


@cache
def encodings() -> dict[str, Encoding]:
    """Return the encodings by name."""
    entries = _read("encodings.yaml")["encodings"]
    return {name: Encoding(name=name, **entry) for name, entry in entries.items()}


@cache
def readings() -> dict[str, Reading]:
    """Return by role what the values say about the encoding."""
    entries = [Reading(**entry) for entry in _read("encodings.yaml")["readings"]]
    return {role: entry for entry in entries for role in entry.roles}


@cache
def packed_roles() -> frozenset[str]:
    """Return the variables whose whole numbers may be parts of the unit, by different scales."""
    return frozenset(_read("encodings.yaml")["packed"])


@cache
def usual_fills() -> frozenset[float]:
    """Return the values that programs write for no data, and that are hardly ever measured."""
    return frozenset(map(float, _read("encodings.yaml")["fills"]))


@cache
def suspect_fills() -> frozenset[float]:
    """Return the values that programs write for no data, and that may be measured as well."""
    return frozenset(map(float, _read("encodings.yaml")["suspects"]))


@cache
def products() -> tuple[Product, ...]:
    """Return the product families in the order in which names are compared."""
    folder = resources.files(__package__).joinpath("products")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    return tuple(Product(**entry) for name in names for entry in _read(f"products/{name}"))


@cache
def dates() -> tuple[DateRule, ...]:
    """Return the ways of writing a date in the order in which they are tried."""
    return tuple(DateRule(**entry) for entry in _read("dates.yaml"))


@cache
def months() -> dict[str, int]:
    """Return the number of a month by how names of files spell it."""
    return {word: number for number, words in _read("months.yaml").items() for word in words}


@cache
def words_of_months() -> str:
    """Return a pattern of what names the months, the longest first."""
    return "|".join(sorted(months(), key=len, reverse=True))


@cache
def name_rules() -> tuple[NameRule, ...]:
    """Return the rules for free names."""
    return tuple(NameRule(**entry) for entry in _read("names.yaml")["rules"])


@cache
def words_beside() -> tuple[WordsBeside, ...]:
    """Return the words beside that of a variable by which a name is not that of its values."""
    return tuple(WordsBeside(**entry) for entry in _read("names.yaml")["not_its_values"])


@cache
def whole_name_rules() -> tuple[NameRule, ...]:
    """Return the rules that read a name as it stands, without taking a date out."""
    return tuple(NameRule(**entry) for entry in _read("names.yaml")["whole"])


@cache
def stacks() -> tuple[Stack, ...]:
    """Return the words that tell the order of bands."""
    return tuple(Stack(**entry) for entry in _read("names.yaml")["stacks"])


@cache
def cut_words() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of what is added, before and behind, to the name of a file that is cut out."""
    words = "|".join(_read("names.yaml")["cuts"])
    before, behind = rf"^(?:{words})[_.\- ]+", rf"(?:[_.\- ]+(?:{words})| ?\(\d\))$"
    return re.compile(before, re.IGNORECASE), re.compile(behind, re.IGNORECASE)


@cache
def sensor_words() -> tuple[SensorWord, ...]:
    """Return the words that tell the sensor."""
    return tuple(SensorWord(**entry) for entry in _read("names.yaml")["sensors"])


@cache
def caveat_words() -> tuple[str, ...]:
    """Return the words by which notes in a file speak against its values."""
    return tuple(_read("caveats.yaml")["words"])


@cache
def verdicts() -> tuple[Verdict, ...]:
    """Return the tags whose value may be a verdict on the file."""
    return tuple(Verdict(**entry) for entry in _read("caveats.yaml")["verdicts"])


@cache
def metadata_words() -> dict[str, Any]:
    """Return the words of metadata files: common names of bands, families, platforms."""
    return _read("metadata.yaml")


def role_table(roles: dict[str, str] | str | None) -> dict[str, str]:
    """Return a role table by its name, or the table itself."""
    if isinstance(roles, str):
        roles = {str(key): role for key, role in _read("names.yaml")["tables"][roles].items()}
    return roles or {}
