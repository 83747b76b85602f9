"""Variables, places, sensors and methods that a question can name.

The words come from the toolkit's variables, its index catalogue, its tools, and the workspace; this
module adds only everyday words for what an index measures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from treeline.core.policies.planner.names import words_of
from treeline.core.policies.planner.places import HALF_OF_DAY
from treeline.core.policies.planner.text import Reading, Span
from treeline.core.policies.planner.zones import ZoneGroup
from treeline.core.workspace import Collection
from treeline.toolkit.index.catalogue import indices
from treeline.toolkit.variables import BRIGHTNESS, VARIABLES

UNKNOWN = "unknown"

# Where a variable is not there, those that may stand in for it; the answer names what it took.
_STANDING_IN: dict[str, tuple[str, ...]] = {
    "lst": ("lst", "lst_day"),
    "lst_day": ("lst_day", "lst"),
    "lst_night": ("lst_night", "lst"),
    "fvc": ("fvc", "ndvi"),
    "ndti": ("ndti", "turbidity"),
}

# Everyday words, with the roles that can stand for them, the best first.
_EVERYDAY: dict[str, tuple[str, ...]] = {
    r"(?:surface |thermal )?brightness temperatures?": BRIGHTNESS,
    r"thermal (?:observations|measurements)": ("lst", *BRIGHTNESS),
    r"temperatures?": ("lst", "lst_day", "air_temperature", *BRIGHTNESS),
    r"(?:surface )?heat|hott?(?:est|er)|warm(?:est|er)|cold(?:est|er)|cool(?:est|er)": (
        "lst",
        "lst_day",
        *BRIGHTNESS,
    ),
    r"how dry|dri(?:est|er)|wett(?:est|er)": ("tvdi", "ndmi", "precipitation"),
    r"rain(?:s|ed|y|iest)?": ("precipitation",),
    r"how bright|bright(?:est|er)|dark(?:est|er)": ("albedo", "ntl_radiance"),
    r"cloudiest|clearest|(?:most|least) cloudy": ("cloud_mask", "cloud_probability"),
    r"day-?time (?:land )?(?:surface )?(?:temperatures?|lst)": ("lst_day", "lst"),
    r"night-?time (?:land )?(?:surface )?(?:temperatures?|lst)": ("lst_night", "lst"),
    r"emissivity (?:variation|contrast|range|differences?|spread)": ("emissivity_contrast",),
    r"(?:surface )?emissivit(?:y|ies)": ("emissivity",),
    r"(?:drought|dryness) (?:index|indicator|values?|levels?|distribution)": ("tvdi",),
    r"dryness": ("tvdi",),
    r"(?:daily )?atmospheric (?:absorption(?: indicators?| levels?)?|moisture(?: levels?)?|water vapou?r)": (
        "pwv",
    ),
    r"absorption(?: values?)?": ("pwv",),
    r"vegetation (?:coverage|cover(?: fraction)?)": ("fvc", "ndvi"),
    r"vegetation(?: health| vigou?r| condition| density)?|green(?:ness|est|er)|plant cover": (
        "ndvi",
        "evi",
        "savi",
    ),
    r"(?:open |surface )?water(?: bod(?:y|ies)| surface| extent| area)?": ("ndwi", "mndwi"),
    r"snow(?: cover| extent)?": ("ndsi",),
    r"burn(?:ed|t)?(?: severity| areas?| scars?)?": ("nbr",),
    r"(?:night-?time |night )?lights?(?: intensity| radiance)?|light intensity": ("ntl_radiance",),
    r"(?:active )?fires?(?: activity| power| pixels)?": ("frp", "fire_mask"),
    r"clouds?(?: cover| coverage| share)?|cloudiness|cloudy": (
        "cloud_mask",
        "cloud_probability",
    ),
    r"built[- ]?up(?: areas?| land)?": ("ndbi",),
    r"elevations?|altitudes?|terrain height|(?:highest|lowest) point|height above sea level": ("dem",),
    r"(?:terrain |hill)?slopes|steep(?:ness|er|est)?|inclination|(?:terrain|hill) slope": ("terrain_slope",),
    r"water turbidity|turbidity": ("turbidity", "ndti"),
    r"thermal inertia": ("thermal_inertia",),
    r"near[- ]?infrared(?: reflectance| band)?": ("nir", "nir08"),
    r"(?:short-?wave infrared|swir)(?: reflectance| band)?": ("swir1", "swir2"),
}


@dataclass(frozen=True, slots=True)
class Mention:
    """A variable that the question names.

    Attributes
    ----------
    roles : tuple of str
        What it can be, the best first.
    named : str
        The role that the words mean, where another one stands in for it.
    exact : bool
        False for an everyday word such as "vegetation", which may be mere scenery.
    """

    span: Span
    roles: tuple[str, ...]
    exact: bool = True
    named: str = ""

    @property
    def role(self) -> str:
        """The best of its roles."""
        return self.roles[0]


@dataclass(frozen=True)
class Lexicon:
    """What can be named in one workspace.

    Attributes
    ----------
    bands : mapping
        Band names such as ``b04``, in lower case, to roles.
    places, sensors : tuple of str
        As the workspace calls them.
    roles : frozenset of str
        Roles that the workspace has.
    methods : mapping
        Words of a method to the name of the tool.
    southern : bool
        The rasters lie south of the equator.
    roles_at : mapping
        Places, whether or not they share a variable with another, to their roles.
    available : callable
        Whether a role is there or can be derived.
    zones : tuple of ZoneGroup
        Classes and polygons that have a name.
    """

    bands: Mapping[str, str]
    places: tuple[str, ...]
    sensors: tuple[str, ...]
    roles: frozenset[str]
    methods: Mapping[str, str]
    southern: bool = False
    roles_at: Mapping[str, frozenset[str]] = field(default_factory=dict)
    available: Callable[[str], bool] = lambda role: True
    zones: tuple[ZoneGroup, ...] = ()


def lexicon_of(
    collections: Iterable[Collection],
    methods: Mapping[str, str],
    available: Callable[[str], bool] = lambda role: True,
) -> Lexicon:
    """Return what can be named in a workspace with these collections."""
    bands: dict[str, str] = {}
    roles = set()
    roles_at: dict[str, set[str]] = {}
    collections = list(collections)
    southern = False
    for collection in collections:
        roles.add(collection.role)
        if collection.place:
            roles_at.setdefault(collection.place, set()).add(collection.role)
        for member in collection.members:
            if member.band.role and member.band.name:
                bands.setdefault(member.band.name.lower(), member.band.role)
        southern = southern or _southern(collection)
    places = _compared_places(collections)
    return Lexicon(
        bands,
        places,
        _compared_sensors(collections),
        frozenset(roles),
        dict(methods),
        southern,
        {place: frozenset(found) for place, found in roles_at.items()},
        available,
    )


def _compared_places(collections: Iterable[Collection]) -> tuple[str, ...]:
    """Return the places that share a variable with another; the half of the day is no place."""
    of_role: dict[str, list[str]] = {}
    for collection in collections:
        if collection.place and not HALF_OF_DAY.fullmatch(collection.place):
            of_role.setdefault(collection.role, []).append(collection.place)
    several = [place for places in of_role.values() if len(places) > 1 for place in places]
    alike: dict[tuple[str, ...], str] = {}
    for place in several:
        alike.setdefault(tuple(words_of(place)), place)
    return tuple(alike.values())


def _compared_sensors(collections: Iterable[Collection]) -> tuple[str, ...]:
    """Return the sensors that share a variable with another."""
    of_role: dict[str, dict[str, None]] = {}
    for collection in collections:
        for member in collection.members:
            if member.description.sensor:
                of_role.setdefault(collection.role, {})[member.description.sensor] = None
    return tuple(dict.fromkeys(s for sensors in of_role.values() if len(sensors) > 1 for s in sensors))


def read_mentions(reading: Reading, lexicon: Lexicon) -> list[Mention]:
    """Return the variables that a question names, in its order, and consume them."""
    found: list[Mention] = []
    for pattern, roles, exact in (*_exact_words(), *_bands(lexicon), *_everyday(), *_slope(reading, lexicon)):
        for match in list(reading.find(pattern)):
            span = Span(*match.span())
            found.append(Mention(span, roles, exact))
            reading.consume(span)
    at_night = reading.has(r"\bnights?\b") and not reading.has(r"\bday")
    thermal = tuple(m.role for m in found if m.role in BRIGHTNESS)
    return sorted(
        (_settled(m, lexicon, thermal, at_night) for m in found), key=lambda mention: mention.span.start
    )


def _slope(reading: Reading, lexicon: Lexicon) -> list[tuple[str, tuple[str, ...], bool]]:
    """Return "slope" as one of the ground, unless the question speaks of a line through time."""
    in_time = reading.has(r"\b(?:trend|regression|linear|sen'?s?|theil|kendall|per year|time)\b")
    return (
        []
        if in_time or not lexicon.available("terrain_slope")
        else [(r"\bslope\b", ("terrain_slope",), False)]
    )


def _settled(mention: Mention, lexicon: Lexicon, thermal: tuple[str, ...], at_night: bool) -> Mention:
    """Return a mention with the best of its roles that can be had first.

    A brightness temperature stands in for a temperature only where the question itself names one.
    """
    roles = (*mention.roles, *thermal) if mention.roles[0] == "lst" and thermal else mention.roles
    if at_night and roles[0] == "lst":
        roles = ("lst_night", *roles)
    best = next((role for role in roles if lexicon.available(role)), roles[0])
    return replace(mention, roles=(best, *(role for role in roles if role != best)), named=mention.roles[0])


@cache
def _exact_words() -> tuple[tuple[str, tuple[str, ...], bool], ...]:
    words: dict[str, tuple[str, ...]] = {}
    for variable in VARIABLES.values():
        spoken = (variable.role,) if variable.words or "_" in variable.role else ()
        for word in (*variable.words, *spoken):
            words.setdefault(word, _STANDING_IN.get(variable.role, (variable.role,)))
    for name, index in indices().items():
        if len(name) >= 3 and not name.lower().startswith(("red", "kernel")):
            words.setdefault(name.lower(), (index.role,))
    everyday = (
        "temperature",
        "elevation",
        "altitude",
        "greenness",
        "hotspot",
        "hot spot",
        "turbidity",
        "vegetation coverage",
    )
    for word in everyday:
        words.pop(word, None)
    longest = sorted(words, key=len, reverse=True)
    return tuple((rf"(?<![\w-]){re.escape(word)}s?(?![\w])", words[word], True) for word in longest)


def _bands(lexicon: Lexicon) -> list[tuple[str, tuple[str, ...], bool]]:
    patterns: list[tuple[str, tuple[str, ...], bool]] = []
    for name, role in sorted(lexicon.bands.items(), key=lambda item: -len(item[0])):
        short = re.fullmatch(r"(?:sr_|surf_refl_|sur_refl_|st_)?b(?:and)?[ _]?0*(\d+[a-z]?)", name)
        thermal = re.fullmatch(r"bt[ _]?0*(\d+)", name)
        spelled = rf"(?:band |b0?){short[1]}" if short else re.escape(name)
        if thermal:
            spelled = rf"brightness temperatures? (?:of|in|for|at) (?:the )?(?:\w+ )?band {thermal[1]}"
        patterns.append(
            (rf"\b(?:{re.escape(name)}|{spelled})(?!\w)(?: (?:band|reflectance))?", (role,), True)
        )
    return patterns


@cache
def _everyday() -> tuple[tuple[str, tuple[str, ...], bool], ...]:
    longest = sorted(_EVERYDAY, key=len, reverse=True)
    return tuple(
        (rf"\b(?:{pattern})\b(?!-)", _EVERYDAY[pattern], "temperature" in pattern) for pattern in longest
    )


def _southern(collection: Collection) -> bool:
    for member in collection.members[:1]:
        crs, bounds = member.description.crs or "", member.description.bounds
        if re.fullmatch(r"EPSG:327\d\d", crs):
            return True
        return crs in ("EPSG:4326", "OGC:CRS84") and bounds[3] <= 0
    return False
