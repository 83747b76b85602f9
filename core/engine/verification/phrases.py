"""What an answer's wording says of its numbers: which way they go, which is the largest, yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Endings of the names of files, in whose digits no number is told.
ENDINGS = (
    r"(?:tiff?|jp2|j2k|png|jpe?g|svg|vrt|nc4?|hdf5?|h5|he5|zarr|img|dat|bsq|bil|bip|hgt|safe|sen3|csv|json|geojson|"
    r"gpkg|fgb|shp|zip|tar|gz|pdf|html?)"
)
# A number behind these tells how large something is, and no limit: it extends over 140 ha.
OVER_A_SIZE = "".join(
    rf"(?<!\b{verb} )"
    for stem in ("extend", "spread", "stretche", "range")
    for verb in (stem, f"{stem}s", f"{stem}d", f"{stem}ed")
)
# What reached a number had it; what never did, and what reaches it, is held against a limit.
REACHES = r"reach(?:es|ing)?|(?:n't|not?|never|all|both|dates|images|that|which|ever) (?:\w+ )?reached"
# Stems of what is said of more and of less: with -er it compares, with -est it is the most or the least.
_HIGH = (
    "high|larg|great|bigg|warm|hott|long|green|wett|moist|steep|dens|bright|strong|deep|tall|raini|snowi|cloudi|"
    "thick|rough|salti|hazi|wid|broad|fast|heavi|lush|vast"
)
_LOW = (
    "low|small|cool|cold|short|dri|dry|flatt|spars|dark|weak|shallow|brown|thinn|narrow|slow|few|smooth|mild|"
    "rar"
)
_MORES, _LESSES = rf"(?:more|(?:{_HIGH})er)", rf"(?:less|(?:{_LOW})er)"
COMPARATIVE = rf"(?:{_MORES}|{_LESSES})\b"
_BECOMES = r"\b(?:bec[ao]m\w*|got|get(?:s|ting)?|turn(?:ed|s|ing)?|gr[eo]w\w*) (?:\w+ )?"
_RISES = re.compile(
    r"\b(?:increas|r[io]se|rising|rises|gr[eo]w|gain|climb|upward|go(?:es|ing)? up|went up|"
    r"(?:edg|mov|creep|inch|tick)\w+ up|crept up|up from|"
    r"warm(?:ed|ing)\b|"
    r"green(?:ed|ing)\b|positive trend|recover|expand|expansion|enlarg|widen|swell|surge|soar|improve|"
    rf"(?:{_HIGH}|strength)en(?:s|ed|ing)?\b|doubl|tripl|trebl|quadrupl|quintupl|plus(?= ?\d)|"
    r"chang\w* (?:by|of) (?:about |around |roughly )?\+(?=\s?\d)|"
    rf"gestiegen|steigt|zugenommen|gewachsen|erh\u00f6ht|narasl|pove\u010dal|zrasl)\w*|"
    rf"{_BECOMES}{_MORES}\b",
    re.I,
)
_FALLS = re.compile(
    r"\b(?:decreas|declin|down from|(?:edg|mov|creep|inch|tick)\w+ down|crept down|"
    r"fall(?!ow\b|(?:s|ing)? (?:below|under|outside|within|into|short|between)\b)|fell(?!ow\b)|fallen|"
    r"drop|los[st]\b|losing|loss|shr[aiu]nk|downward|go(?:es|ing)? down|"
    r"went down|cooled|cooling|browning|negative trend|reduc|dwindl|diminish|reced|retreat|halve|"
    r"disappear|vanish|"
    r"chang\w* (?:by|of) (?:about |around |roughly )?[-\u2212](?=\s?\d)|"
    rf"minus(?= ?\d)|(?:{_LOW})en(?:s|ed|ing)?\b|thin(?:ned|ning)\b|s[au]nk\b|contract(?:ed|ing)\b|"
    rf"gesunken|sinkt|abgenommen|gefallen|verringert|upadl|zmanj\u0161al|zni\u017eal)\w*|"
    rf"{_BECOMES}{_LESSES}\b",
    re.I,
)
# What goes neither up nor down: one number less another, and rain that fell.
_NO_WAY = re.compile(
    r"\d[\d.,]*\s?[^\s\d]{0,6}\s(?:minus|plus)\s(?=\d)|"
    r"\bgrowing (?:season|period|degree|time)\w*|"
    r"\b(?:rain\w*|snow|hail|precipitation|mm|cm|litres?|liters?)\s(?:\w+ )?(?:fell|falls?|fallen)\b",
    re.I,
)
_NEGATED = re.compile(
    r"(?<!hypothesis of )(?<!hypothesis that there is )\b(?:no|not|n't|never|neither|nor|without|hardly|"
    r"isn't|doesn't|didn't|cannot|rather than|instead of|far from|anything but|whether|or)\b"
    r"(?:[^\w:;]+\w+){0,4}[^\w:;]*$",
    re.I,
)
# Other superlatives, of which only the context tells whether they mean more or less: wettest, driest.
_SUPERLATIVES = re.compile(
    r"\b(?!(?:lat|near|furth|farth|clos|new|old|earli|young|mod|hon)est\b|\w*forest\b|\w*(?:th)?west\b|"
    r"(?:b|t|r|v|n|qu|gu|inter|harv|requ|sugg|inv|dig|arr|manif|cont|prot|att)est\b)[a-z]{2,}i?est\b|"
    r"(?<!at )\b(?:most|least)\b(?! (?:of|part|likely|recent|images|dates|years|months|cases|common))|"
    r"\b(?:best|worst)\b|\bnaj\w{3,}|\b(?:l[ea]s? (?:plus|moins)|(?:el|la|los|las|lo) (?:m\u00e1s|menos)|"
    r"(?:il|la|i|le) (?:pi\u00f9|meno))\b|\b(?:meiste[nrsm]?|wenigsten|am \w{3,}sten)\b",
    re.I,
)
_LARGEST = re.compile(
    rf"\b(?:(?:{_HIGH})est|maximum|maximal|maximi[sz]\w+|max|peaks?|peaked|culminat\w+|crest(?:s|ed)|"
    r"the most(?! \w+(?:ous|ive|al|ic|ent|ant|able|id|form|ed)\b)|m\u00e1xim\w+|massim\w+|"
    r"(?:el|la|los|las) mayor(?:es)?|l[ea] plus (?:grand|\u00e9lev\u00e9|chaud)e?|"
    r"h\u00f6chste\w*|gr\u00f6\u00dfte\w*|w\u00e4rmste\w*|najve\u010dj\w*|najvi\u0161j\w*)\b",
    re.I,
)
_SMALLEST = re.compile(
    rf"\b(?:(?:{_LOW})est|minimum|minimal|min|m\u00ednim\w+|minim[aeoi]|(?:el|la|los|las) menor(?:es)?|"
    r"l[ea] plus (?:petite?|bass?e|froide?)|niedrigste\w*|kleinste\w*|k\u00e4lteste\w*|najmanj\w*|"
    r"najni\u017ej\w*)\b|(?<!at )\bleast\b(?! likely)",
    re.I,
)
# What tells that the most or the least is of a loss: there the largest is the lowest number.
_STRONGEST = r"(?:most|least|(?:larg|great|bigg|strong|fast|steep|deep|high|small|weak|slow|low)est)"
_LOSSES = (
    r"(?:thin(?:ned|ning|s)?|f[ae]ll(?:en|s|ing)?|drop(?:ped|s|ping)?|declin\w+|decreas\w+|los[st]\w*|losing|loses?|"
    r"shr[aiu]nk\w*|reduc\w+|sank|s[iu]nk\w*|subsid\w+|melt\w*|lower(?:ed|ing)|retreat\w*|dwindl\w+|cool(?:ed|ing)|"
    r"dr(?:ied|ying)|brown(?:ed|ing))"
)
_OF_LOSS = re.compile(
    rf"\b(?P<before>{_STRONGEST})\W+(?:\w+\W+){{0,2}}?{_LOSSES}\b|"
    rf"\b{_LOSSES}\W+(?:\w+\W+){{0,3}}?(?P<behind>{_STRONGEST})\b",
    re.I,
)
_LITTLE = re.compile(rf"least|(?:{_LOW})est", re.I)
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
# More of a quantity is drier where it is one of dryness.
_OF_MOISTURE = re.compile(r"\b(wett|dri)(er|est)\b", re.I)
# What is more uniform has a smaller spread.
_OF_SPREAD = re.compile(
    r"\b(?P<how>most|least|more|less) (?:(?P<even>uniform|homogeneous|even)|heterogeneous|"
    r"varied|variable|mixed|diverse)\b",
    re.I,
)
_FIRST = re.compile(r"\b(?:first|earliest|oldest)\b", re.I)
_LAST = re.compile(r"\b(?:last|latest|newest|most recent)\b", re.I)
_TEMPORAL = re.compile(r"\s+(?:available\s+)?(?:date|day|image|raster|scene|acquisition|observation)\b", re.I)
# What makes the largest another one than the largest of all that was found.
# What is most of two: "the larger", but not "the larger than".
_OF_TWO = r"\bthe (?:{})er\b(?! \w* ?than\b)"
_ORDERED = re.compile(
    r"\b(?:second|third|fourth|fifth|next|\d+(?:st|nd|rd|th)|not|no|except|excluding|without|than|nor|or|"
    r"each|every|"
    r"per|two|three|four|five|\d+ (?:highest|lowest|largest|smallest))\b|n't\b",
    re.I,
)
_EVERY = re.compile(r"\b(?:each|every)\b", re.I)
# Of how many something is the most: the hottest of the six, the larger of the two.
_OF_SO_MANY = re.compile(
    r"(?:(?<=\w(?:er|st)) of|(?<!\bone) of (?:the|these|those|all)) (?:two|three|four|five|six|\d+)\b", re.I
)
_LARGER, _SMALLER = (re.compile(_OF_TWO.format(stems), re.I) for stems in (_HIGH, _LOW))
_CONDITIONAL = re.compile(
    r"\b(?:where|while|whose|if|differ\w*|chang\w*|between|ratio|minus|above|below|under|exceed\w*|"
    r"over(?! (?:the|all|these|those|its|each|every|time)\b)|and|after|"
    r"before|since|until|during|among|of those|with(?:in)?)\b|(?<!^)\bwhen\b",
    re.I,
)
# By how much something is more, at least or at most, is another comparison.
_QUANTIFIED = re.compile(
    rf"\b(?:no )?(?:more|less|fewer|greater|larger|smaller) than "
    rf"(?=[^.,;]{{1,30}}? (?:{_MORES}|{_LESSES}) than\b)",
    re.I,
)
# What stands above or below another thing, without "than": by its number, or in the order that is spoken of.
_STANDING = re.compile(
    r"\b(?:(?P<more>exceed\w*|surpass\w*|outd(?:o|oes|id|one)|outweigh\w*)|"
    r"(?P<ahead>ahead of|prevail\w* over|outrank\w*|outstrip\w*|beats?)|"
    r"(?P<behind>behind|trail(?:s|ed|ing)?|f[ae]ll(?:s|ing)? short of))\s"
    r"(?!(?:it|them|this|these|those|which)\b)",
    re.I,
)
_OBJECT_ENDS = re.compile(r"[,;:.(]\s|\s[\u2013(]|\s(?:and|but|while|whereas|with|by)\s")
_ASCENDING = re.compile(r"\b(?:ascend\w*|from (?:the )?bottom|upwards?)\b", re.I)
MORE = re.compile(rf"\b(?:{_MORES}|later)\b", re.I)
LESS = re.compile(rf"\b(?:{_LESSES}|earlier)\b", re.I)
_OF_TIME = re.compile(r"\b(?:later|earlier|latest|earliest|sooner|soonest)\b", re.I)
_ABOVE = re.compile(
    rf"\b(?:above|{OVER_A_SIZE}over|beyond|exceed\w*|surpass\w*|{REACHES}|{_MORES} than|"
    r"at least|or (?:more|above|over|higher|greater))\b|[>\u2265]",
    re.I,
)
_BELOW = re.compile(
    rf"\b(?:below|under(?!\s+the\b)|{_LESSES} than|at most|up to|or (?:less|below|under|lower|fewer))\b|"
    r"[<\u2264]",
    re.I,
)
_NO_CHANGE = re.compile(
    r"\b(?:no (?:\w+ )?change|unchanged|did(?: not|n't) (?:\w+ )?change|has(?: not|n't) changed|"
    r"(?:is|was|were|are|stay\w*|remain\w*|keeps?|kept) (?:\w+ )?(?:stable|constant|steady|level|the same)|"
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
    r"\b(?:steadily|continuously|constantly|consistently|monotonically|without (?:a )?break|"
    r"(?:every|each) (?:year|month|date|time|step)|"
    r"from (?:each |one )?(?P<step>[a-z]+) to (?:the (?:next|following)|another|(?:next )?(?P=step))\b|"
    r"(?:year|month|date|step|day) (?:by|after|on) (?:year|month|date|step|day))\b",
    re.I,
)
_NEVER = re.compile(
    r"\b(?:never|not once|without ever|at no (?:time|date|point)(?: d(?:oes|id) (?:it|they))?) (?:once )?",
    re.I,
)
_SIGN = re.compile(
    r"\b(?P<one>positive|negative)(?:ly)?\W+(?:\w+\W+){0,2}?(?:correlat|slope|trend|relat|associat|link)|"
    r"\b(?:correlation|slope|trend|relation\w*|association)\b\W+(?:\w+\W+){0,2}?"
    r"(?P<other>positive|negative)\b",
    re.I,
)
_NO_RELATION = re.compile(
    r"\bno (?:\w+ ){0,2}?(?:correlation|relation\w*|link|association|dependence)\b|\b(?:uncorrelated|"
    r"unrelated)\b",
    re.I,
)
_TOGETHER = re.compile(
    r"\b(?:together|jointly|in (?:step|tandem|parallel)|hand in hand)\b|"
    rf"\b(?P<one>{_MORES})\b[^.;]{{1,40}}?\b(?P<other>{_MORES}|{_LESSES})\b",
    re.I,
)
# The warmer, the greener.
_THE_MORE = re.compile(
    rf"\bthe (?:(?P<more>{_MORES})|{_LESSES})\b[^.;]{{0,40}}?,? the (?:(?P<other>{_MORES})|{_LESSES})\b", re.I
)
_OPPOSITE = re.compile(r"\b(?:invers\w*|opposite)\b", re.I)
_THERE_IS_NO = re.compile(
    r"\bthere (?:is|are|was|were) (?:no|not any)\b(?! (?:\w+ )?(?:trend|chang|differ|correl|relation|"
    r"signif|link|"
    r"data|image|date|raster|valid|pixel|evidence|result|doubt))",
    re.I,
)
_RANKED = re.compile(
    r"(?P<behind>\b(?:rank\w*|comes?|came|plac\w+|in)\s+(?:in\s+|as\s+)?(?:the\s+)?)?"
    r"\b(?:(?P<two>second|2nd|runner-up)|(?P<three>third|3rd)|(?P<four>fourth|4th))\b"
    rf"(?:[\s-]+(?:(?P<high>(?:{_HIGH})est|most)|(?P<low>(?:{_LOW})est|least)))?",
    re.I,
)
_SUPERLATIVE = rf"(?:(?:{_HIGH})est|most|(?:{_LOW})est|least)"
_ORDER = re.compile(
    rf"\b(?:from )?(?:the )?({_SUPERLATIVE}) to (?:the )?({_SUPERLATIVE})\b[^:]{{0,20}}:?", re.I
)
_LOWEST = re.compile(rf"(?:{_LOW})est|least", re.I)
_SIGNIFICANT = re.compile(
    r"\b(in)?significan\w*|\b(?:distinguishable|differs?|different)(?: \w+ly)? from (?:zero|0)\b", re.I
)
# A null hypothesis that is rejected says that something is significant.
_NULL = re.compile(
    r"(?P<kept>\b(?:not|cannot|can't|\w+n't|never|fail\w* to|unable to|no \w+ to)\s+(?:be\s+)?(?:\w+ly\s+)?)?"
    r"\breject\w*",
    re.I,
)
_EACH_YEAR = re.compile(r"\b(?:(?:each|every|per|that|the same|a) year|years|yearly|annual(?:ly)?)\b", re.I)
_RANGE = re.compile(
    r"\b(?:(?:run|ran|go|reach|stretch|fall|lie|vary)\w* (?:from|between)|rang(?:e[sd]?|ing)|var(?:y|ies|"
    r"ied)|l(?:ay|ies?) between|spans?|spanned|extends?)\b",
    re.I,
)
# In other languages, too: a number that is set against another one.
_APART = re.compile(
    rf"\b(?:{_MORES}|{_LESSES}|differ|chang|range|ranging|span|spread|amplitud|relief|between|than|versus|vs|"
    r"against|compar|above|below|ahead|behind|gap|apart|margin|minus|subtract|deviat|anomal|vari|swing|exceed|"
    r"remain|rest|left|away|short|off|add|plus|net|contrast|jump|dip|by \d|by about|"
    r"unterschied|differenz|spanne|schwank|razlik|razpon|spremem|diferenc|diff\u00e9r|\u00e9cart|variac|"
    r"differenz|scart)\w*|[\u0394\u2212]|(?<!\w)[-+]\s?\d",
    re.I,
)
_CHANGE = re.compile(r"\bchange[ds]?\b", re.I)
_OTHERS = re.compile(
    r"\bthe (?:others?|rest|remaining)\b|\b(?:all|every|each|none of the|no) (?:other|remaining)\b", re.I
)
_ALL_OTHERS = re.compile(
    r"\W*(?:all (?:of )?(?:the )?(?:others?|rest|remaining)\b|the rest\b|"
    r"(?:the )?others? (?:\w+ )?(?:together|combined)\b)",
    re.I,
)
# One pixel has no mean: of zones and dates its extremes are meant.
_ONE_PIXEL = re.compile(r"\b(?:single|individual|one) (?:\w+ )?(?:pixel|cell|spot|place)\b", re.I)
# A pixel's own value, and what has one: the highest forest pixel, any pixel, its lowest point.
_ANY_PIXEL = re.compile(
    rf"\b(?:any|each|every|single|individual|one|a|no|some|maxim\w+|minim\w+|peak|(?:{_HIGH}|{_LOW})est) "
    r"(?:\w+ ){0,2}?(?:pixel|cell|spot|point|summit|peak(?! (?:of|at|value|in|on)\b)|location)\b"
    r"(?! of (?:view|time))(?! change)|"
    r"\b(?:some|several|many|few|most|all|individual|single) (?:of the )?(?:\w+ )?pixels\b",
    re.I,
)
_USING_ALL = re.compile(
    r"\b(?:using|over|from|with|including|pooling|averaging|of) all (?:the )?(?:\w+ )?pixels\b", re.I
)
_LEVEL = re.compile(
    r"(?P<before>\bnot (?:\w+ )?)?\b(?:at|on|to) (?:the |a )?(?P<level>\d+(?:\.\d+)?) ?(?P<unit>%|per ?cent)?"
    r"(?P<named>[- ]?(?:significance |confidence )?level)?",
    re.I,
)
# What is significant "at 5 %" is so at that level, and what lies "at 5 %" is not.
_SIGNIFICANT_BEFORE = re.compile(r"\bsignifican\w*,?(?: (?:[\w-]+|%),?){0,8} at (?:the |a )?$", re.I)
_STRONG = re.compile(
    r"\bstrongly\b(?=\W+(?:\w+\W+){0,2}?r\b)|"
    r"\b(?:strong|close|tight|high|marked|pronounced|clear)(?:ly)?\W+(?:\w+\W+){0,2}?(?:correlat|relat|link|associat)",
    re.I,
)
_WEAK = re.compile(
    r"\b(?:weak|loose|poor|slight|hard|faint)(?:ly)?\W+(?:\w+\W+){0,2}?(?:correlat|relat|link|associat)", re.I
)
_MARGINS = r"less than|more than|at least|at most|over|under|up to|fewer than"


def way(text: str) -> int:
    """Return whether a text says that something rises (1) or falls (-1); 0 where it says neither, or both."""
    text = _NO_WAY.sub(" ", text)
    up, down = _is_affirmed(_RISES, text), _is_affirmed(_FALLS, text)
    return 0 if up == down else 1 if up else -1


def _is_affirmed(pattern: re.Pattern[str], text: str) -> bool:
    return any(not _NEGATED.search(text[: match.start()]) for match in pattern.finditer(text))


def is_negated(text: str, place: int) -> bool:
    """Return whether a negation stands before a place of a text."""
    return _NEGATED.search(text[:place]) is not None


def significance(text: str) -> bool | None:
    """Return whether a text says that something is significant; ``None`` where it says nothing of it."""
    if "null" in text.casefold() and (rejected := _NULL.search(text)):
        return not rejected["kept"]
    if _NO_RELATION.search(text):
        return False
    match = _SIGNIFICANT.search(text)
    return None if match is None else not (match[1] or _NEGATED.search(text[: match.start()]))


def place_of_extreme(text: str) -> int:
    """Return where a text names the largest or the smallest of all; its end where it names none."""
    matches = (pattern.search(text) for pattern in (_LARGEST, _SMALLEST))
    return min((match.start() for match in matches if match), default=len(text))


def extreme(text: str, conditional: bool = False) -> int:
    """Return whether a text names the largest (1) or the smallest (-1) of all; 0 where neither or both.

    Parameters
    ----------
    conditional : bool
        It is also no statement of all where it names a condition: the text is a question.
    """
    text = _OF_SO_MANY.sub(" ", text)
    if _ORDERED.search(text) or conditional and _CONDITIONAL.search(text.strip()):
        return 0
    high = (_LARGEST.search(text) or _LARGER.search(text)) is not None
    low = (_SMALLEST.search(text) or _SMALLER.search(text)) is not None
    return 0 if high == low else 1 if high else -1


def is_superlative(text: str, conditional: bool = False) -> bool:
    """Return whether a text calls something the most or the least of all, whichever way."""
    if _ORDERED.search(text) or conditional and _CONDITIONAL.search(text.strip()):
        return False
    return extreme(text) == 0 and _SUPERLATIVES.search(text) is not None


def strongest_loss(text: str) -> int:
    """Return whether a text names what lost most (1) or least (-1); 0 where neither."""
    match = _OF_LOSS.search(text)
    if match is None or _ORDERED.search(text):
        return 0
    return -1 if _LITTLE.fullmatch(match["before"] or match["behind"]) else 1


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


def exchange_moisture(text: str) -> str:
    """Return a text in which wetter stands for drier, and drier for wetter."""
    return _OF_MOISTURE.sub(lambda m: ("wett" if m[1].casefold() == "dri" else "dri") + m[2], text)


def exchange_uniformity(text: str) -> str:
    """Return a text in which "most uniform" stands as "smallest standard deviation", and the like."""

    def write(match: re.Match[str]) -> str:
        how = match["how"].casefold()
        less = (how in ("most", "more")) is bool(match["even"])
        return (
            f"{'small' if less else 'larg'}{'est' if how in ('most', 'least') else 'er'} standard deviation"
        )

    return _OF_SPREAD.sub(write, text)


def end_in_time(text: str) -> int:
    """Return whether a text speaks of the first (-1) or the last (1) date of all; 0 where of neither."""
    found = [
        end
        for end, pattern in ((-1, _FIRST), (1, _LAST))
        if any(_TEMPORAL.match(text, match.end()) for match in pattern.finditer(text))
    ]
    return found[0] if len(found) == 1 and not _CONDITIONAL.search(text) and not _ORDERED.search(text) else 0


def comparison(text: str) -> tuple[str, int, str] | None:
    """Return what a clause says before and behind "larger than" (1) or "smaller than" (-1)."""
    before, than, behind = _QUANTIFIED.sub("", text).partition(" than ")
    more, less = MORE.search(before), LESS.search(before)
    if not than or (more is None) == (less is None) or _ORDERED.search(_EVERY.sub(" ", before)):
        return None
    return before, 1 if more else -1, behind


def standings(text: str, question: str) -> Iterator[tuple[str, int, str]]:
    """Yield what a text says before and behind "ahead of" (1) or "behind" (-1).

    Where least comes first, ahead is less; where nothing tells which end comes first, it is neither.
    """
    low = any(p.search(f"{question} {text}") for p in (_SMALLEST, _SMALLER, LESS, _ASCENDING))
    first = (extreme(text) or extreme(question)) if low else 1
    for match in _STANDING.finditer(text):
        direction = 1 if match["more"] else first if match["ahead"] else -first
        if direction and not is_negated(text, match.start()):
            yield text[: match.start()], direction, _OBJECT_ENDS.split(text[match.end() :])[0]


def is_margin(text: str, number: str) -> bool:
    """Return whether a number tells by how much at least or at most something differs: by less than 0.1."""
    return (
        re.search(rf"\bby (?:(?:no|not|far|much) )?(?:{_MARGINS}) {re.escape(number)}", text, re.I)
        is not None
    )


def side(text: str) -> int:
    """Return whether a question asks for what lies above (1) or below (-1) a limit; 0 where for neither."""
    above, below = _ABOVE.search(text) is not None, _BELOW.search(text) is not None
    return 0 if above == below else 1 if above else -1


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


def sign(text: str) -> int:
    """Return whether a text calls a relation or a slope positive (1) or negative (-1); 0 where neither."""
    match = _SIGN.search(text)
    if match is None or _NEGATED.search(text[: match.start()]):
        return 0
    return 1 if (match["one"] or match["other"]).casefold() == "positive" else -1


def relation(text: str) -> int:
    """Return whether a text says that two things go together (1) or against each other (-1); else 0."""
    if _OPPOSITE.search(text):
        return -1
    if match := _THE_MORE.search(text):
        return 1 if (match["more"] is None) is (match["other"] is None) else -1
    match = _TOGETHER.search(text)
    if match is None or " than " in text:
        return 0
    return -1 if match["other"] and LESS.fullmatch(match["other"]) else 1


def denies_relation(text: str) -> bool:
    """Return whether a text says that two things have nothing to do with each other."""
    return _NO_RELATION.search(text) is not None


def denies_existence(text: str) -> bool:
    """Return whether a text says that there is none of something that can be counted or measured."""
    return _THERE_IS_NO.search(text) is not None


def compares_with_all_others(behind: str) -> bool:
    """Return whether what stands behind "more than" is all others together."""
    return _ALL_OTHERS.match(behind) is not None


def find_rank(text: str) -> str:
    """Return the words of a "second highest"; empty where a text has none."""
    match = _RANKED.search(text)
    return match[0] if match and _is_rank(match) else ""


def _is_rank(match: re.Match[str]) -> bool:
    """Return whether "third" is a rank, and no part of a whole: third highest, comes third, runner-up."""
    if match["two"] and re.match(r"\W+(?:is|was|comes?|came)\b", match.string[match.end() :]):
        return True  # second is grassland
    whole = match["behind"] or match["high"] or match["low"] or (match["two"] or "").casefold() == "runner-up"
    return bool(whole)


def rank(text: str) -> tuple[int, int] | None:
    """Return place and direction of a "second highest", 0 of a "second"; ``None`` where a text names none."""
    match = _RANKED.search(text)
    if match is None or _NEGATED.search(text[: match.start()]) or not _is_rank(match):
        return None
    return 2 if match["two"] else 3 if match["three"] else 4, -1 if match["low"] else 1 if match[
        "high"
    ] else 0


def order(text: str) -> tuple[int, str] | None:
    """Return the direction of "from the highest to the lowest", and what is listed behind it."""
    match = _ORDER.search(text)
    if match is None:
        return None
    first, last = (-1 if _LOWEST.fullmatch(word) else 1 for word in match.groups())
    return (first, text[match.end() :]) if first != last else None


def tells_difference(text: str) -> bool:
    """Return whether a text sets one number against another, so that the two may have been subtracted."""
    return (
        _APART.search(text) is not None or _RISES.search(text) is not None or _FALLS.search(text) is not None
    )


def is_range(text: str) -> bool:
    """Return whether a text tells between which ends something lies."""
    return _RANGE.search(text) is not None


def denies_side(text: str) -> bool:
    """Return whether a text says that something does not lie above or below a limit."""
    matches = [*_ABOVE.finditer(text), *_BELOW.finditer(text)]
    return any(_NEGATED.search(text[: match.start()]) for match in matches)


def says_no_change(text: str) -> bool:
    """Return whether a text says that something stayed as it was; of what is not significant it does not."""
    return _NO_CHANGE.search(text) is not None and significance(text) is None


def says_change(text: str) -> bool:
    """Return whether a text says, or asks, that something changed."""
    return _is_affirmed(_CHANGE, text) and not says_no_change(text)


def is_sure(text: str) -> bool:
    """Return whether a text calls a change a clear one."""
    return (
        re.search(
            r"\b(?:clear|marked|pronounced|definite|unmistakable|evident|robust|genuine|undeniable|confirmed|"
            r"reliabl|conclusive|proven|certain(?! )|beyond doubt)\w*\b",
            text,
            re.I,
        )
        is not None
    )


def of_others(text: str) -> bool:
    """Return whether a text speaks of the others, which only the whole answer tells."""
    return _OTHERS.search(text) is not None


def of_time(text: str) -> bool:
    """Return whether a text tells which of several is sooner."""
    return _OF_TIME.search(text) is not None


def of_one_pixel(text: str) -> bool:
    """Return whether a text speaks of single pixels."""
    return _ONE_PIXEL.search(text) is not None


def of_any_pixel(text: str) -> bool:
    """Return whether a text speaks of the value of one pixel, whichever it is."""
    return _ANY_PIXEL.search(_USING_ALL.sub(" ", text)) is not None


def levels_of_significance(text: str) -> list[tuple[float, bool]]:
    """Return the levels at which a text calls something significant, or not: 0.05 of "at the 95 % level"."""
    found = []
    for match in _LEVEL.finditer(text):
        if not match["named"] and not _SIGNIFICANT_BEFORE.search(text[: match.start("level")]):
            continue
        level = float(match["level"]) / (100 if match["unit"] else 1)
        negated = match["before"] or _NEGATED.search(text[: match.start()])
        found.append((1 - level if level > 0.5 else level, not negated))
    return [(round(level, 6), said) for level, said in found if level > 0]


def strength(text: str) -> int:
    """Return whether a text calls a relation strong (1) or weak (-1); 0 where neither."""
    strong, weak = (_is_affirmed(pattern, text) for pattern in (_STRONG, _WEAK))
    return strong - weak
