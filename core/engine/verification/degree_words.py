"""Words of degree: what a text calls more, less, the most, the least, the second, and of what."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treeline.core.engine.verification.clauses import is_negated

# Stems of what is said of more and of less: with -er it compares, with -est it is the most or the least.
HIGH_STEMS = (
    "high|larg|great|bigg|warm|hott|long|green|wett|moist|steep|dens|bright|strong|deep|tall|raini|snowi|cloudi|"
    "thick|rough|salti|hazi|wid|broad|fast|heavi|lush|vast|rich"
)
LOW_STEMS = (
    "low|small|cool|cold|short|dri|dry|flatt|spars|dark|weak|shallow|brown|thinn|narrow|slow|few|smooth|mild|gentl|"
    "rar|poor|scant"
)
# Where something stands in an order that goes from most to least: of a hill and of a range it is no rank.
_AT_TOP = (
    r"at the (?:very )?top(?: of the (?:list|table|ranking|scale|order))?(?! of)|"
    r"tops (?:the )?(?:list|table|ranking)|leads(?! (?:to|from|up|down)\b)|"
    r"(?:heads|leading) the (?:list|table|ranking)|(?:ranks|ranked|comes|came) first|"
    r"(?:takes|took|holds|in) (?:the )?(?:lead|first place|top spot)"
)
_AT_BOTTOM = (
    r"at the (?:very )?bottom(?: of the (?:list|table|ranking|scale|order))?(?! of)|"
    r"(?:ranks|ranked|comes|came|is|was) last(?= (?:with|at|of all)\b|\W*$)|"
    r"(?:takes|took|holds|in) last place|"
    r"brings? up the rear"
)
MORES = rf"(?:more|(?:{HIGH_STEMS})er)"
LESSES = rf"(?:less|(?:{LOW_STEMS})er)"
COMPARATIVE = rf"(?:{MORES}|{LESSES})\b"
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
    rf"\b(?:(?:{HIGH_STEMS})est|{_AT_TOP}|maximum|maximal|maximi[sz]\w+|max|peaks?|peaked|culminat\w+|crest(?:s|ed)|"
    r"the most(?! \w+(?:ous|ive|al|ic|ent|ant|able|id|form|ed)\b)|m\u00e1xim\w+|massim\w+|"
    r"(?:el|la|los|las) mayor(?:es)?|l[ea] plus (?:grand|\u00e9lev\u00e9|chaud)e?|"
    r"h\u00f6chste\w*|gr\u00f6\u00dfte\w*|w\u00e4rmste\w*|najve\u010dj\w*|najvi\u0161j\w*)\b",
    re.I,
)
_SMALLEST = re.compile(
    rf"\b(?:(?:{LOW_STEMS})est|{_AT_BOTTOM}|minimum|minimal|min|m\u00ednim\w+|minim[aeoi]|"
    r"(?:el|la|los|las) menor(?:es)?|"
    r"l[ea] plus (?:petite?|bass?e|froide?)|niedrigste\w*|kleinste\w*|k\u00e4lteste\w*|najmanj\w*|"
    r"najni\u017ej\w*)\b|(?<!at )\bleast\b(?! likely)",
    re.I,
)
# What tells that the most or the least is of a loss: there the largest is the lowest number.
_STRONGEST = r"(?:most|least|(?:larg|great|bigg|strong|fast|steep|deep|high|small|weak|slow|low)est)"
_LOSSES = (
    r"(?:thin(?:ned|ning|s)?|f[ae]ll(?:en|s|ing)?|drop(?:ped|s|ping)?|declin\w+|decreas\w+|los[st]\w*|losing|loses?|"
    r"shr[aiu]nk\w*|reduc\w+|suffer\w*|sank|s[iu]nk\w*|subsid\w+|melt\w*|lower(?:ed|ing)|retreat\w*|dwindl\w+|cool(?:ed|ing)|"
    r"dr(?:ied|ying)|brown(?:ed|ing))"
)
_OF_LOSS = re.compile(
    rf"\b(?P<before>{_STRONGEST})\W+(?:\w+\W+){{0,2}}?{_LOSSES}\b|"
    rf"\b{_LOSSES}\W+(?:\w+\W+){{0,3}}?(?P<behind>{_STRONGEST})\b",
    re.I,
)
# What came through best lost least: "forest held up best".
_CAME_THROUGH = re.compile(
    r"\b(?:(?:held|holds?|stood|stands?) (?:up|out)|coped?|copes|fared?|fares|came through|resisted|resists?)"
    r" (?:by far )?(?:the )?(?P<how>best|worst)\b",
    re.I,
)
_LITTLE = re.compile(rf"least|(?:{LOW_STEMS})est", re.I)
# "Warmed most", and nothing behind it that is most of something, or most like something.
_GAINS = (
    r"(?:rose|ris(?:es?|en)|(?:increas|climb|expand|gain|warm|green|recover|improv)(?:es|ed|s)?|gr[eo]ws?|"
    r"heat(?:s|ed)(?: up)?)"
)
_MOVES = rf"(?:{_GAINS}|(?:chang|deviat|differ)(?:es|ed|s)?)"
_GAINED_MOST = re.compile(rf"\b{_GAINS} (?:by far )?(?:the )?(?:most|least)\b", re.I)
_MOST_ALONE = re.compile(
    rf"\b{_MOVES} (?:by far )?most\b"
    r"(?=\W*$|[^\w\s]|\s[(\u2013-]| (?:from|between|in|on|at|by|over|with|during|since)\b)",
    re.I,
)
# How far something lies from what it is held against: the furthest below it is the lowest.
_FURTHEST = re.compile(r"\bf[au]rthest (?:(?P<above>above|ahead)|below|behind|beneath)\b", re.I)
# What did something most, and what, named behind it, only least: "grassland warmed most, water least"; so
# does what did most of all that did so: "all classes declined, grassland most".
_DID_MOST = re.compile(
    r"\b(?P<verb>(?!(?:is|was|are|were|has|had|have)\b)[a-z]+) (?:the )?(?:most|least)\b|"
    rf"\b(?P<did>{_LOSSES}|{_MOVES})\W*$",
    re.I,
)
_ONLY_MOST = re.compile(
    r"\W*(?:(?:and|but|while|whereas) )?(?:the )?[\w-]+(?: [\w-]+){0,2}?(?: \([^()]*\))?"
    r"(?P<most> (?:the )?(?:most|least)\b)(?=\W*$|\W*[(,.;:]|[,:]? (?:with|by|at)\b)",
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
# What is more broken up consists of more patches.
_OF_PATCHES = re.compile(
    r"\b(?P<how>most|least|more|less) (?:\w+ly )?"
    r"(?:(?P<whole>compact|coherent|contiguous|continuous|connected|cohesive|unbroken)|"
    r"fragmented|broken up|split(?: up)?|dissected|patchy|scattered|divided|cut up|"
    r"broken|disjointed|subdivided)\b",
    re.I,
)
_FIRST = re.compile(r"\b(?:first|earliest|oldest)\b", re.I)
_LAST = re.compile(r"\b(?:last|latest|newest|most recent)\b", re.I)
_TEMPORAL = re.compile(r"\s+(?:available\s+)?(?:date|day|image|raster|scene|acquisition|observation)\b", re.I)
# What is most of two: "the larger", but not "the larger than".
_OF_TWO = r"\bthe (?:{})er\b(?! \w* ?than\b)"
# What makes the largest another one than the largest of all that was found.
_ORDERED = re.compile(
    r"\b(?:second|third|fourth|fifth|next|\d+(?:st|nd|rd|th)|not|no|except|excluding|without|than|nor|or|"
    r"each|every|"
    r"per|two|three|four|five|\d+ (?:highest|lowest|largest|smallest))\b|n't\b",
    re.I,
)
# How much in a unit of time or of length something is, which orders nothing: 5.5 K per year.
_RATE = re.compile(r"(?<=\d)(?:\s?[^\s\d,;]{1,8})? per (?=[a-z\d])")
_EVERY = re.compile(r"\b(?:each|every)\b", re.I)
# Of how many something is the most: the hottest of the six, the larger of the two.
_OF_SO_MANY = re.compile(
    r"(?:(?<=\w(?:er|st)) of|(?<!\bone) of (?:the|these|those|all)) (?:two|three|four|five|six|\d+)\b", re.I
)
# The name of a statistic, and no rank: the highest 90th percentile.
_PERCENTILE = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)[ -]percentile\b", re.I)
_LARGER = re.compile(_OF_TWO.format(HIGH_STEMS), re.I)
_SMALLER = re.compile(_OF_TWO.format(LOW_STEMS), re.I)
_CONDITIONAL = re.compile(
    r"\b(?:where|while|whose|if|differ\w*|chang\w*|between|ratio|minus|above|below|under|exceed\w*|"
    r"over(?! (?:the|all|these|those|its|each|every|time)\b)|and|after|"
    r"before|since|until|during|among|of those|with(?:in)?)\b|(?<!^)\bwhen\b",
    re.I,
)
# By how much something is more, at least or at most, is another comparison.
_QUANTIFIED = re.compile(
    rf"\b(?:no )?(?:more|less|fewer|greater|larger|smaller) than "
    rf"(?=[^.,;]{{1,30}}? (?:{MORES}|{LESSES}) than\b)",
    re.I,
)
# More than what the clause before is of, by so much.
_ANOTHER = re.compile(
    rf"\b(?:another|a further|still) \d[\d.,]*[^;.\d]*?(?P<more>{COMPARATIVE})(?! than)", re.I
)
# What stands above or below another thing, without "than": by its number, or in the order that is spoken of.
_STANDING = re.compile(
    r"\b(?:(?P<more>exceed\w*|surpass\w*|outd(?:o|oes|id|one)|outweigh\w*|above(?= (?:the )?[a-z]))|"
    r"(?P<less>below(?= (?:the )?[a-z]))|"
    r"(?P<ahead>ahead of|prevail\w* over|outrank\w*|outstrip\w*|beats?)|"
    r"(?P<behind>behind|trail(?:s|ed|ing)?|f[ae]ll(?:s|ing)? short of))\s"
    r"(?!(?:it|them|this|these|those(?! (?:of|in|on|with|that|which|\w+ing)\b)|which)\b)",
    re.I,
)
_OBJECT_ENDS = re.compile(r"[,;:.(]\s|\s[\u2013(]|\s(?:and|but|while|whereas|with|by|at)\s")
_ASCENDING = re.compile(r"\b(?:ascend\w*|from (?:the )?bottom|upwards?)\b", re.I)
MORE = re.compile(rf"\b(?:{MORES}|later)\b", re.I)
LESS = re.compile(rf"\b(?:{LESSES}|earlier)\b", re.I)
_OF_TIME = re.compile(r"\b(?:later|earlier|latest|earliest|sooner|soonest)\b", re.I)
_RANKED = re.compile(
    r"(?P<behind>\b(?:rank\w*|comes?|came|plac\w+|in)\s+(?:in\s+|as\s+)?(?:the\s+)?)?"
    r"\b(?:(?P<two>second|2nd|runner-up)|(?P<other>third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|3rd|[4-9]th|10th))\b"
    rf"(?:[\s-]+(?:(?P<high>(?:{HIGH_STEMS})est|most)|(?P<low>(?:{LOW_STEMS})est|least)))?",
    re.I,
)
# By their first two letters.
_PLACES = {"th": 3, "fo": 4, "fi": 5, "si": 6, "se": 7, "ei": 8, "ni": 9, "te": 10}
_PLACES |= {"3r": 3, "10": 10, **{f"{place}t": place for place in range(4, 10)}}


def _plain_forms(stems: str) -> str:
    """Return the adjectives of stems without an ending: large of "larg", big of "bigg", dry of "dri"."""
    forms = (
        f"{stem[:-1]}y"
        if stem[-1] == "i"
        else stem[:-1]
        if stem[-1] == stem[-2] and stem[-1] in "gtn"
        else f"{stem}e?"
        for stem in stems.split("|")
    )
    return "|".join(forms)


_HIGHEST = rf"(?:(?:{HIGH_STEMS})est|most)"
_LOWEST_WORD = rf"(?:(?:{LOW_STEMS})est|least)"
PLAIN_HIGH, PLAIN_LOW = _plain_forms(HIGH_STEMS), _plain_forms(LOW_STEMS)
# From the highest to the lowest, and from hot to cool.
_ORDER = re.compile(
    rf"\b(?:from )?(?:the )?({_HIGHEST}|{_LOWEST_WORD}) to (?:the )?({_HIGHEST}|{_LOWEST_WORD})\b"
    r"[^:]{0,20}:?|"
    rf"\bfrom ({PLAIN_HIGH}|{PLAIN_LOW}) to ({PLAIN_HIGH}|{PLAIN_LOW})\b[^:]{{0,20}}:?",
    re.I,
)
_LOWEST = re.compile(rf"{_LOWEST_WORD}|{PLAIN_LOW}", re.I)
_OTHERS = re.compile(
    r"\bthe (?:others?|rest|remaining)\b|\b(?:all|every|each|none of the|no) (?:other|remaining)\b", re.I
)
_ALL_OTHERS = re.compile(
    r"\W*(?:all (?:of )?(?:the )?(?:others?|rest|remaining)\b|the rest\b|"
    r"(?:the )?(?:others?|rest|remaining) (?:\w+ )?(?:together|combined)\b)",
    re.I,
)
# One pixel has no mean: of zones and dates its extremes are meant.
_ONE_PIXEL = re.compile(r"\b(?:single|individual|one) (?:\w+ )?(?:pixel|cell|spot|place)\b", re.I)
# A pixel's own value, and what has one: the highest forest pixel, any pixel, its lowest point.
_ANY_PIXEL = re.compile(
    r"\b(?:any|each|every|single|individual|one|a|no|some|maxim\w+|minim\w+|peak|"
    rf"(?:{HIGH_STEMS}|{LOW_STEMS})est) "
    r"(?:\w+ ){0,2}?(?:pixel|cell|spot|point|summit|peak(?! (?:of|at|value|in|on)\b)|location)\b"
    r"(?! of (?:view|time))(?! change)|"
    r"\b(?:some|several|many|few|most|all|individual|single) (?:of the )?(?:\w+ )?pixels\b",
    re.I,
)
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:,\d{3})*(?:\.\d+)?(?!\d|-\d)")
# So many letters lie at most between a pixel and a number that is its own.
_BESIDE = 30
_USING_ALL = re.compile(
    r"\b(?:using|over|from|with|including|pooling|averaging|of) all (?:the )?(?:\w+ )?pixels\b", re.I
)
# What is gained or lost, and not reached: "rose above 0.7" tells no margin.
_GAINED = r"gain(?:ed|s)?|los[te]|loses|warmed|cooled"
_BARELY = r"(?:no|not|far|much|just|well|slightly|a little|a bit)"
_MARGINS = r"less than|more than|at least|at most|over|under|up to|fewer than"


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
    text = _PERCENTILE.sub("percentile", _OF_SO_MANY.sub(" ", _RATE.sub(" a ", text)))
    text = _FURTHEST.sub(lambda match: "highest" if match["above"] else "lowest", text)
    if _ORDERED.search(text) or conditional and _CONDITIONAL.search(text.strip()):
        return 0
    most = _MOST_ALONE.search(text) is not None and _OF_LOSS.search(text) is None
    high = most or (_LARGEST.search(text) or _LARGER.search(text)) is not None
    low = (_SMALLEST.search(text) or _SMALLER.search(text)) is not None
    return 0 if high == low else 1 if high else -1


def with_verb_of(before: str, clause: str) -> str:
    """Return a clause that only tells what did least with the verb of what did most before it."""
    done, alone = _DID_MOST.search(before), _ONLY_MOST.match(clause)
    if done is None or alone is None:
        return clause
    return f"{clause[: alone.start('most')]} {done['verb'] or done['did']}{clause[alone.start('most') :]}"


def names_more_of_two(text: str) -> bool:
    """Return whether a text calls something the larger, or the smaller, of two."""
    return (_LARGER.search(text) or _SMALLER.search(text)) is not None


def is_superlative(text: str, conditional: bool = False) -> bool:
    """Return whether a text calls something the most or the least of all, whichever way."""
    if _ORDERED.search(_RATE.sub(" a ", text)) or conditional and _CONDITIONAL.search(text.strip()):
        return False
    return extreme(text) == 0 and _SUPERLATIVES.search(text) is not None


def without_superlatives(text: str) -> str:
    """Return a text without the words of its superlatives, in any language in which they are read."""
    for pattern in (_SUPERLATIVES, _LARGEST, _SMALLEST):
        text = pattern.sub(" ", text)
    return text


def strongest_loss(text: str) -> int:
    """Return whether a text names what lost most (1) or least (-1); 0 where neither."""
    if through := _CAME_THROUGH.search(text):
        return -1 if through["how"].casefold() == "best" else 1
    match = _OF_LOSS.search(text)
    if match is None or _ORDERED.search(text):
        return 0
    return -1 if _LITTLE.fullmatch(match["before"] or match["behind"]) else 1


def names_strongest_gain(text: str) -> bool:
    """Return whether a text names what gained most, or least: a loss is none, however large."""
    return _GAINED_MOST.search(text) is not None


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


def exchange_fragmentation(text: str) -> str:
    """Return a text in which "most fragmented" stands as "largest number of patches", and the like."""

    def write(match: re.Match[str]) -> str:
        how = match["how"].casefold()
        more = (how in ("most", "more")) is not bool(match["whole"])
        return f"{'larg' if more else 'small'}{'est' if how in ('most', 'least') else 'er'} number of patches"

    return _OF_PATCHES.sub(write, text)


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


def with_what_it_is_more_than(clause: str, before: str) -> str:
    """Return a clause that only goes on, "and August another 3 K warmer", with what it is held against."""
    match = _ANOTHER.search(clause)
    return f"{clause[: match.end('more')]} than in {before}{clause[match.end('more') :]}" if match else clause


def standings(text: str, question: str) -> Iterator[tuple[str, int, str]]:
    """Yield what a text says before and behind "ahead of" (1) or "behind" (-1).

    Where least comes first, ahead is less; where nothing tells which end comes first, it is neither.
    """
    low = any(p.search(f"{question} {text}") for p in (_SMALLEST, _SMALLER, LESS, _ASCENDING))
    first = (extreme(text) or extreme(question)) if low else 1
    for match in _STANDING.finditer(text):
        direction = 1 if match["more"] else -1 if match["less"] else first if match["ahead"] else -first
        if direction and not is_negated(text, match.start()):
            yield text[: match.start()], direction, _OBJECT_ENDS.split(text[match.end() :])[0]


def is_margin(text: str, number: str) -> bool:
    """Return whether a number tells by how much at least or at most something differs: by less than 0.1."""
    return (
        re.search(rf"\b(?:by|{_GAINED}) (?:{_BARELY} )?(?:{_MARGINS}) {re.escape(number)}", text, re.I)
        is not None
    )


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
    if match is None or is_negated(text, match.start()) or not _is_rank(match):
        return None
    direction = -1 if match["low"] else 1 if match["high"] else 0
    return 2 if match["two"] else _PLACES[match["other"].casefold()[:2]], direction


def order(text: str) -> tuple[int, str] | None:
    """Return the direction of "from the highest to the lowest", and what is listed behind it."""
    match = _ORDER.search(text)
    if match is None:
        return None
    first, last = (-1 if _LOWEST.fullmatch(word) else 1 for word in match.groups() if word)
    return (first, text[match.end() :]) if first != last else None


def of_others(text: str) -> bool:
    """Return whether a text speaks of the others, which only the whole answer tells."""
    return _OTHERS.search(text) is not None


def of_time(text: str) -> bool:
    """Return whether a text tells which of several is sooner."""
    return _OF_TIME.search(text) is not None


def of_one_pixel(text: str) -> bool:
    """Return whether a text speaks of single pixels."""
    return _ONE_PIXEL.search(text) is not None


def tells_of_pixel(text: str, number: str) -> bool:
    """Return whether a text tells a number of single pixels: it stands beside them."""
    plain = _USING_ALL.sub(lambda match: " " * len(match[0]), text)
    numbers = [(match[0], *match.span()) for match in _NUMBER.finditer(text)]
    for pixel in _ANY_PIXEL.finditer(plain):
        apart = {told: max(start - pixel.end(), pixel.start() - end) for told, start, end in numbers}
        if apart and apart.get(number) == min(apart.values()) <= _BESIDE:
            return True
    return False


def of_any_pixel(text: str) -> bool:
    """Return whether a text speaks of the value of one pixel, whichever it is."""
    return _ANY_PIXEL.search(_USING_ALL.sub(" ", text)) is not None
