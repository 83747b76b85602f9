"""What an answer's wording says of its numbers: which way they go, on which side of a limit they lie."""

from __future__ import annotations

import re

from treeline.core.engine.verification.clauses import is_affirmed, is_negated
from treeline.core.engine.verification.degree_words import HIGH_STEMS, LESSES, LOW_STEMS, MORES
from treeline.core.engine.verification.relation_words import significance

# Directions of the compass by which ground is named.
WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
# Endings of the names of files, in whose digits no number is told.
ENDINGS = (
    r"(?:tiff?|jp2|j2k|png|jpe?g|svg|vrt|nc4?|hdf5?|h5|he5|zarr|img|dat|bsq|bil|bip|hgt|safe|sen3|csv|json|geojson|"
    r"gpkg|fgb|shp|zip|tar|gz|pdf|html?)"
)
# A number behind these tells how large something is, and no limit: it extends over 140 ha.
OVER_A_SIZE = "".join(
    rf"(?<!\b{verb} )"
    for stem in (
        "extend",
        "spread",
        "stretche",
        "range",
        "scatter",
        "split",
        "distribute",
        "divide",
        "average",
    )
    for verb in (stem, f"{stem}s", f"{stem}d", f"{stem}ed")
)
OVER_A_SIZE += r"(?<!\bones )"  # north-facing ones over 140 ha, beside those of which that is told
# What reached a number had it; what never did, and what reaches it, is held against a limit.
REACHES = r"reach(?:es|ing)?|(?:n't|not?|never|all|both|dates|images|that|which|ever) (?:\w+ )?reached"
_BECOMES = r"\b(?:bec[ao]m\w*|got|get(?:s|ting)?|turn(?:ed|s|ing)?|gr[eo]w\w*) (?:\w+ )?"
_RISES = re.compile(
    r"\b(?:increas|r[io]se|rising|rises|gr[eo]w|gain|climb|upward|go(?:es|ing)? up|went up|"
    r"(?:edg|mov|creep|inch|tick|slop)\w+ up|crept up|up from|c[oa]m(?:es?|ing) up(?! (?:with|to|against))|"
    r"ascend(?!ing (?:order|orbit|pass|node|track))|"
    r"warm(?:ed|ing)\b|"
    r"green(?:ed|ing)\b|positive trend|recover|expand|expansion|enlarg|widen|swell|surge|soar|improve|"
    rf"(?:{HIGH_STEMS}|strength)en(?:s|ed|ing)?\b|doubl|tripl|trebl|quadrupl|quintupl|plus(?= ?\d)|"
    r"chang\w* (?:by|of) (?:about |around |roughly )?\+(?=\s?\d)|"
    rf"gestiegen|steigt|zugenommen|gewachsen|erh\u00f6ht|narasl|pove\u010dal|zrasl)\w*|"
    rf"{_BECOMES}{MORES}\b",
    re.I,
)
_FALLS = re.compile(
    r"\b(?:decreas|declin|down from|(?:edg|mov|creep|inch|tick|slop)\w+ down|crept down|"
    r"c[oa]m(?:es?|ing) down|descend(?!ing (?:order|orbit|pass|node|track))|"
    r"fall(?!ow\b|(?:s|ing)? (?:below|under|outside|within|into|short|between)\b)|fell(?!ow\b)|fallen|"
    r"drop|los[st]\b|loses?\b|g[ai]ve[sn]? up\b|losing|loss|shr[aiu]nk|downward|go(?:es|ing)? down|"
    r"went down|cooled|cooling|browning|negative trend|reduc|dwindl|diminish|reced|retreat|halve|"
    r"disappear|vanish|"
    r"chang\w* (?:by|of) (?:about |around |roughly )?[-\u2212](?=\s?\d)|"
    rf"minus(?= ?\d)|(?:{LOW_STEMS})en(?:s|ed|ing)?\b|thin(?:ned|ning)\b|s[au]nk\b|contract(?:ed|ing)\b|"
    rf"gesunken|sinkt|abgenommen|gefallen|verringert|upadl|zmanj\u0161al|zni\u017eal)\w*|"
    rf"{_BECOMES}{LESSES}\b",
    re.I,
)
# What goes neither up nor down: one number less another, and rain that fell.
_NO_WAY = re.compile(
    r"\d[\d.,]*\s?[^\s\d]{0,6}\s(?:minus|plus)\s(?=\d)|"
    r"\bgrowing (?:season|period|degree|time)\w*|"
    r"\b(?:rain\w*|snow|hail|precipitation|mm|cm|litres?|liters?)\s(?:\w+ )?(?:fell|falls?|fallen)\b|"
    r"\b(?:fall(?:s|ing)?|fell) (?:at|into|inside|outside)\b",
    re.I,
)
_MULTIPLIES = re.compile(
    r"\b(?:doubl|tripl|trebl|quadrupl|quintupl|halv)(?:es?|ed|ing)\b|\bfactor of\b|-?fold\b", re.I
)
_OVERALL = re.compile(
    r"\b(?:over(?:all| time| the (?:years|months|season|period|dates))|trend|develop\w*|evol\w*|in total|"
    r"(?:from|between) the first (?:to|and) the last|whole (?:period|series))\b",
    re.I,
)
_WITHIN = re.compile(
    r"\b(?:spring|summer|autumn|fall(?= of| and)|winter|after|before|until|since|during|then|first|later|"
    r"early|late|mid|peak\w*|minim\w+|maxim\w+)\b",
    re.I,
)
_ABOVE = re.compile(
    rf"\b(?:above|{OVER_A_SIZE}over|beyond|exceed\w*|surpass\w*|{REACHES}|{MORES} than|"
    r"at least|or (?:more|above|over|higher|greater))\b|[>\u2265]",
    re.I,
)
_BELOW = re.compile(
    rf"\b(?:below|under(?!\s+the\b)|{LESSES} than|at most|up to|or (?:less|below|under|lower|fewer))\b|"
    r"[<\u2264]",
    re.I,
)
_NO_CHANGE = re.compile(
    r"\b(?:no (?:\w+ )?change|unchanged|did(?: not|n't) (?:\w+ )?change|has(?: not|n't) changed|"
    r"(?:is|was|were|are|stay\w*|remain\w*|keeps?|kept) (?:(?!not\b|never\b|hardly\b)\w+ )?"
    r"(?:stable|constant|steady|level|the same)|"
    r"same (?:on|in|at|as) both)\b",
    re.I,
)
_INCLUSIVE = re.compile(
    r"\b(?:at least|at most|up to|reach\w*|"
    r"or (?:more|above|over|higher|greater|less|below|under|lower|fewer))\b|"
    r"[\u2264\u2265]|[<>]=",
    re.I,
)
_STEADILY = re.compile(
    r"\b(?:steadily|continuously|constantly|consistently|monotonically|uninterrupted(?:ly)?|"
    r"without (?:an? |any )?(?:break|interruption|pause)|(?:kept|keeps?) (?:on )?\w+ing|"
    r"(?:every|each) (?:year|month|date|time|step)|"
    r"(?:steady|continuous|constant|uninterrupted) (?:\w+ )?"
    r"(?:rise|increase|growth|gain|fall|decline|decrease|drop|loss)|"
    r"from (?:each |one )?(?P<step>[a-z]+) to (?:the (?:next|following)|another|(?:next )?(?P=step))\b|"
    r"(?:year|month|date|step|day) (?:by|after|on) (?:year|month|date|step|day))\b",
    re.I,
)
_NEVER = re.compile(
    r"\b(?:never|not once|without ever|at no (?:time|date|point)(?: d(?:oes|id) (?:it|they))?) (?:once )?",
    re.I,
)
_THERE_IS_NO = re.compile(
    r"\bthere (?:is|are|was|were) (?:no|not any)\b(?! (?:\w+ )?(?:trend|chang|differ|correl|relation|"
    r"signif|link|"
    r"data|image|date|raster|valid|pixel|evidence|result|doubt))",
    re.I,
)
_EACH_YEAR = re.compile(r"\b(?:(?:each|every|per|that|the same|a) year|years|yearly|annual(?:ly)?)\b", re.I)
_OVER_GROUND = re.compile(
    r"\b(?:with|along) (?:the |increasing |rising |growing |greater |higher )*"
    r"(?:elevation|height|altitude|distance|slope|steepness|latitude|depth)\b|"
    r"\b(?:per|every|each) (?:\d+ )?(?:m|km|metres?|meters?|kilomet\w+)\b",
    re.I,
)
# Along the spectrum something rises or falls, too.
_OVER_SPECTRUM = re.compile(
    r"\b(?:over|across|from|to|towards?|in|at|into) the (?:red edge|near[- ]infrared|shortwave|visible|"
    r"spectrum|bands?|NIR|SWIR)\b",
    re.I,
)
_PART_OF_GROUND = re.compile(
    r"\b(?:above|below|beyond|from|up to) (?:about )?\d[\d.,]* ?(?:m|km|metres?|meters?)\b|"
    r"\b(?:to|towards?|at|near|on) the (?:top|summits?|peaks?|bottom|valleys?|ridges?|coast|edges?|rim)\b",
    re.I,
)
_RANGE = re.compile(
    r"\b(?:(?:run|ran|go|reach|stretch|fall|lie|vary)\w* (?:from|between)|rang(?:e[sd]?|ing)|var(?:y|ies|"
    r"ied)|l(?:ay|ies?) between|spans?|spanned|extends?)\b",
    re.I,
)
# In other languages, too: a number that is set against another one.
_APART = re.compile(
    rf"\b(?:{MORES}|{LESSES}|differ|chang|range|ranging|span|spread|amplitud|relief|between|than|versus|vs|"
    r"against|compar|above|below|ahead|behind|gap|apart|margin|minus|subtract|deviat|anomal|vari|swing|exceed|"
    r"remain|rest|left|away|short|off|add|plus|net|contrast|jump|dip|outrank|surpass|outstrip|outdo|trail|beat|"
    r"by \d|by (?:about|roughly|around|nearly|almost|some|just|only)|"
    r"unterschied|differenz|spanne|schwank|razlik|razpon|spremem|diferenc|diff\u00e9r|\u00e9cart|variac|"
    r"differenz|scart)\w*|[\u0394\u2212]|(?<!\w)[-+]\s?\d|"
    r"\bfrom (?:the |its )?(?:\w+est|first|minimum|maximum|bottom|foot|top|start|peak|low|high)\b[^.;]*? to ",
    re.I,
)
_CHANGE = re.compile(r"\bchange[ds]?\b", re.I)
_BARELY = re.compile(
    r"\b(?:just|slightly|marginally|barely|a (?:little|bit|shade)|narrowly) "
    r"(?:over|above|beyond|more than|under|below|less than|short of|exceed(?:s|ed|ing)?)\b",
    re.I,
)


def way(text: str) -> int:
    """Return whether a text says that something rises (1) or falls (-1); 0 where it says neither, or both."""
    text = _NO_WAY.sub(" ", text)
    up, down = is_affirmed(_RISES, text), is_affirmed(_FALLS, text)
    return 0 if up == down else 1 if up else -1


def multiplies(text: str) -> bool:
    """Return whether a text tells a change by how many times as much it came to: doubled, halved."""
    return _MULTIPLIES.search(text) is not None


def is_overall(text: str) -> bool:
    """Return whether a text speaks of a whole series, and of no part of it."""
    return _OVERALL.search(text) is not None and not of_part(text)


def of_part(text: str) -> bool:
    """Return whether a text speaks of a part of a series: since, then, in spring."""
    return _WITHIN.search(text) is not None


def of_each_year(text: str) -> bool:
    """Return whether a text speaks of each of several years."""
    return _EACH_YEAR.search(text) is not None


def side(text: str) -> int:
    """Return whether a question asks for what lies above (1) or below (-1) a limit; 0 where for neither."""
    above, below = _ABOVE.search(text) is not None, _BELOW.search(text) is not None
    return 0 if above == below else 1 if above else -1


def tells_barely(text: str, number: str) -> bool:
    """Return whether a text says that something lies close beyond a number: just under 10 %."""
    match = _BARELY.search(text)
    return (
        match is not None and re.match(rf"\s*{re.escape(number)}(?![\d.])", text[match.end() :]) is not None
    )


def at_limit(text: str) -> bool:
    """Return whether what a text says of a limit holds at the limit itself too."""
    return _INCLUSIVE.search(text) is not None


def steadily(text: str) -> bool:
    """Return whether a text says that something goes one way at every step."""
    return _STEADILY.search(text) is not None


def never_goes(text: str) -> int:
    """Return whether something is said never to have fallen (1) or never to have risen (-1); else 0."""
    match = _NEVER.search(text)
    behind = text[match.end() :] if match else ""
    if not behind or _BELOW.match(behind.partition(" ")[2]) or _ABOVE.match(behind.partition(" ")[2]):
        return 0
    return 1 if _FALLS.match(behind) else -1 if _RISES.match(behind) else 0


def denies_existence(text: str) -> bool:
    """Return whether a text says that there is none of something that can be counted or measured."""
    return _THERE_IS_NO.search(text) is not None


def tells_difference(text: str) -> bool:
    """Return whether a text sets one number against another, so that the two may have been subtracted."""
    return (
        _APART.search(text) is not None or _RISES.search(text) is not None or _FALLS.search(text) is not None
    )


def of_place(text: str) -> bool:
    """Return whether a text tells how something changes, but not in time: with height, over the red edge."""
    along = _OVER_GROUND.search(text) or _OVER_SPECTRUM.search(text)
    return along is not None or of_part_of_ground(text)


def of_part_of_ground(text: str) -> bool:
    """Return whether a text tells how something changes on a part of the ground: above 800 m, to the top."""
    return _PART_OF_GROUND.search(text) is not None


_BETWEEN = re.compile(
    r"\bbetween (?:about |around |roughly |some )?(?P<low>[-\u2212]?\d[\d,]*(?:\.\d+)?)(?: ?[^\s\d]{1,3})? "
    r"and (?:about |around |roughly |some )?(?P<high>[-\u2212]?\d[\d,]*(?:\.\d+)?)(?![\d-])",
    re.I,
)


def is_range(text: str) -> bool:
    """Return whether a text tells between which ends something lies."""
    return _RANGE.search(text) is not None


def ends_of_range(text: str) -> list[tuple[str, float]]:
    """Return the two numbers that something lies between, as they are written and as numbers; else none."""
    match = _BETWEEN.search(text)
    if match is None:
        return []
    found = [
        (match[name], float(match[name].replace(",", "").replace("\u2212", "-"))) for name in ("low", "high")
    ]
    return found if found[0][1] < found[1][1] else []


def denies_side(text: str) -> bool:
    """Return whether a text says that something does not lie above or below a limit."""
    matches = [*_ABOVE.finditer(text), *_BELOW.finditer(text)]
    return any(is_negated(text, match.start()) for match in matches)


def says_no_change(text: str) -> bool:
    """Return whether a text says that something stayed as it was; of what is not significant it does not."""
    return _NO_CHANGE.search(text) is not None and significance(text) is None


def says_change(text: str) -> bool:
    """Return whether a text says, or asks, that something changed."""
    return is_affirmed(_CHANGE, text) and not says_no_change(text)
