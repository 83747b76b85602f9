"""The relations of a statement in canonical words: how else people say exceeds, lies below, ranks third.

A statement is read by one vocabulary of relations, which the rules know. What says the same in other words is
written in those first, so that no rule has to know more of them than one.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from treeline.core.engine.verification.degree_words import LESSES, MORES, PLAIN_HIGH, PLAIN_LOW
from treeline.core.engine.verification.notation import number_in_words

# Between a verb and the number that it is held against: "cleared the mark of 0.7", "got past about 300 K".
_NUMBER = (
    r"(?=\s+(?:(?:the|a|an|about|around|roughly|even|only|mark|level|line|threshold|value|limit|of)\s+){0,4}"
    r"(?:[-+\u2212]?\d|zero\b))"
)
# What stands behind a verb that compares, and is neither a pronoun nor where something goes.
_THING = (
    r"(?=\s+(?!(?:it|them|this|these|that|which|up|out|off|down|in|into|by|at|to|of|on|with)\b)"
    r"(?:the\s+)?[A-Za-z\d])"
)
_MOVES = (
    r"(?:g[eo]ts?|made|makes?|goe?s?|went|climb\w*|c[ao]mes?|r[io]ses?|mov\w+|jump\w*|push\w*|creep\w*|crept|edge[sd]?|"
    r"inch\w*|stretch\w*|soar\w*|lies?|lay|sits?|sat|stands?|stood|is|are|was|were|stay\w*|remain\w*|holds?|held|"
    r"keeps?|kept|ends?|ended|ventur\w*)"
)
_BEYOND = (
    r"(?:clears?|cleared|tops?|topped|pass|passes|passed|cross(?:es|ed)?|crack(?:s|ed)?|beats?|"
    r"(?<!\bone )(?<!\ba )(?<!\bthe )(?<!est )breaks?|"  # one break of 185 days is none
    r"broke(?: through)?|betters|bettered|outdo|outdoes|outdid|outstrip(?:s|ped)?|overtakes?|overtook|"
    r"overshoots?|overshot)"
)
_AHEAD = (
    r"(?:betters|bettered|outdo|outdoes|outdid|outpace[sd]?|outperform(?:s|ed)?|outshines?|outshone|overtakes?|"
    r"overtook|edges? out|edged out|beats?|outstrip(?:s|ped)?)"
)
_ATTAIN = (
    r"(?:reach|attain|hit|make(?: it to)?|clear|pass|exceed|top|get (?:past|over|to|above|beyond)|break|"
    r"cross|beat)"
)
_RANKS = r"second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
_TAKES = (
    r"(?:takes?|took|claims?|claimed|occup(?:y|ies|ied)|gets?|got|holds?|held|fills?|filled|earns?|earned|"
    r"(?:is|was|stands?|comes?|came|sits?|lies?) in)"
)
_WHOLE = r"(?=(?:hectare|kelvin|degree|metre|meter|kilomet\w+|percent)\b)"
_ROUGH = r"(?P<rough>(?:about|nearly|roughly|almost|some) )?"
# Adjectives by one of the same meaning that is known; what takes "more" and "most" has no ending of its own.
_ADJECTIVES = {
    "low": "bleak|bar|pal|dull|meagr|faint",
    "green": "leafi|verdant|healthi|vigorous|vegetated|luxuriant",
    "cool": "chilli|nippi|frosti|ici|temperate",
    "hott": "toasti|balmi|torrid|sultri|heated",
    "steep": "hilli|rugged|sloping|inclined",
    "flatt": "level",
    "cloudi": "murki|gloomi|overcast|clouded",
    "larg": "extensive|sizeable|sizable|ampl|widespread|spacious|expansive",
    "small": "tini|minuscule|compact",
    "high": "elevated|lofti",
    "short": "brief",
}
_KNOWN: Mapping[str, str] = {stem: known for known, stems in _ADJECTIVES.items() for stem in stems.split("|")}
_FRACTIONS = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_STEMS = "|".join(_KNOWN)
_PAST = frozenset(
    {"got", "made", "went", "came", "rose", "broke", "outdid", "fell", "overtook", "lay", "was", "were"}
)


def _inflect(verb: str, found: str) -> str:
    """Return a verb in the form of another one: "exceeds" for "clears", "exceeded" for "topped"."""
    first = found.split()[0].casefold()
    if first.endswith("ed") or first in _PAST:
        return f"{verb}ed"
    return f"{verb}s" if first.endswith("s") else verb


def _exceed(match: re.Match[str]) -> str:
    return _inflect("exceed", match[0])


def _stay_below(match: re.Match[str]) -> str:
    return f"{_inflect('stay', match[0])} below"


def _go_on(match: re.Match[str]) -> str:
    return f"it {'fell' if match['less'] else 'rose'} from each {match['step']} to the next"


def _adjective(match: re.Match[str]) -> str:
    """Return a known adjective for another one: "greener" for "more verdant", "lowest" for "bleakest"."""
    parts = match.groupdict()
    ending = parts.get("end") or ("er" if parts.get("how", "").casefold() == "more" else "est")
    return f"{_KNOWN[match['stem'].casefold()]}{ending}"


def _in_per_cent(match: re.Match[str]) -> str:
    part = 100 * (number_in_words(match["times"]) or 1) / _FRACTIONS[match["part"].casefold()]
    return f"{match['side']} {part:.4g} %"


_GERMAN_NUMBER = r"[-\u2212]?\d[\d.,]*(?: [^\s\d]{1,4})?"
_GERMAN_RISES = r"gestiegen|gewachsen|angestiegen"
_GERMAN_FALLS = r"gesunken|gefallen|zur\u00fcckgegangen|geschrumpft"


def _from_to(match: re.Match[str]) -> str:
    """Return a change from one number to another that is told in German."""
    verb = "fell" if re.fullmatch(_GERMAN_FALLS, match["verb"], re.I) else "rose"
    return f"{verb} from {match['first']} to {match['last']}"


_Words = str | Callable[[re.Match[str]], str]
_MONTHS, _IN_YEAR = "|".join(calendar.month_name[1:]), r"(?:19|20)\d\d"
_REWRITINGS: tuple[tuple[str, _Words], ...] = (
    # "The July image of 2022 was cooler than that of 2021" compares two months.
    (
        rf"\b(?P<month>{_MONTHS}) (?:image|scene|raster|mean|average|value|one) of (?P<year>{_IN_YEAR})\b",
        r"\g<month> \g<year>",
    ),
    (
        rf"\b(?P<month>{_MONTHS}) (?P<year>{_IN_YEAR})(?P<between> [^.;:]{{0,60}}? than) "
        rf"(?:that|the one) of (?P<other>{_IN_YEAR})\b",
        r"\g<month> \g<year>\g<between> \g<month> \g<other>",
    ),
    (
        rf"\bvon (?P<first>{_GERMAN_NUMBER}) auf (?P<last>{_GERMAN_NUMBER}) "
        rf"(?P<verb>{_GERMAN_RISES}|{_GERMAN_FALLS})\b",
        _from_to,
    ),
    # Not to come up to a number, and to come beyond it.
    (rf"\b(?:fail(?:s|ed)?|struggle[sd]?) to {_ATTAIN}{_NUMBER}", _stay_below),
    (rf"\b(?:just|narrowly|barely|only just) (?:miss(?:es|ed)?|undershoots?){_NUMBER}", "lies just below"),
    (rf"\b(?:miss(?:es|ed)?|undershoots?|undercuts?|trail(?:s|ed)?){_NUMBER}", _stay_below),
    (rf"\b(?:f[ae]lls?|c[ao]mes?|stop(?:s|ped)?) (?:just )?(?:short|shy) of{_NUMBER}", _stay_below),
    (rf"\b(?:(?:short|shy|south) of|beneath){_NUMBER}", "below"),
    (rf"\b(?:{_BEYOND}|{_MOVES} (?:it )?(?:up )?(?:past|upwards of|north of)){_NUMBER}", _exceed),
    (rf"\b(?:past|north of|in excess of|upwards? of){_NUMBER}", "above"),
    # "Meadow extends over 41 ha and forest over 57 ha" tells two sizes, and no limit.
    (
        r"(?P<one>\b(?:extend|spread|stretche)(?:s|ed)? over (?=\d)[^.;]*?\b(?:and|while|but) [^.;\d]*?)"
        r"\bover (?=\d)",
        r"\g<one>extends over ",
    ),
    # To have more, or less, than another one.
    (rf"\b{_AHEAD}{_THING}", _exceed),
    # In German "lag" is "lay".
    (
        r"\blag(?! (?:bei|im|in|am|mit|zwischen|unter|\u00fcber)\b)(?P<s>s?|ged)\b"
        rf"(?: (?:a little|slightly|far|well|just))?(?: behind)?{_THING}",
        "trails",
    ),
    # Which place something has in an order.
    (
        rf"\b{_TAKES} (?:the )?(?P<rank>{_RANKS})(?: (?:place|spot|position|rank|slot))?\b"
        r"(?! (?:of|\w+est)\b)",
        r"ranks \g<rank>",
    ),
    (
        rf"\b(?:is|was) (?P<rank>{_RANKS})(?=\s*(?:[,;.(]|$|with\b|at\b))",
        r"ranks \g<rank>",
    ),
    (
        r"\b(?:heads|headed|leads|led|tops|topped) the "
        r"(?:field|pack|way|rankings?|order|group|rest|league)\b",
        "comes first",
    ),
    (
        r"\b(?:props?|propped|brings?|brought) up the (?:bottom|rear|table|list)\b|"
        r"\b(?:is|was|comes?|came|finish\w*|end(?:s|ed)?(?: up)?) (?:dead )?last"
        r"(?: of (?:the|all)(?: \w+)?)?(?=\s*(?:[,;.:(]|with\b|at\b|$))",
        "brings up the rear",
    ),
    (
        r"(?:\s*[;,]|(?<=\w)\.)\s+(?:and )?(?:(?:(?:right|directly|immediately|just|close|closely|next) )?"
        r"(?:behind|after) (?:it|that|them|this) (?:comes?|came|is|was|follows?|stands?|ranks?)|"
        r"next (?:comes?|came|in line (?:is|was|comes))) (?=\S)",
        ", followed by ",
    ),
    # How something goes on from step to step, and from when on it lies beyond a number.
    (
        rf"\b(?:each|every) (?P<step>[a-z]+) (?:is|was|came in|had|has|stood|lay) (?:an? )?"
        rf"(?:(?P<less>{LESSES})|{MORES})(?: \w+)? than (?:in |on )?"
        r"(?:the (?:one|\w+) (?:before|earlier)|(?:the|its) (?:previous|preceding|last)(?: one| \w+)?|"
        r"its predecessor)\b",
        _go_on,
    ),
    (
        r"\bit (?:took|needed) (?:until|till) (?P<date>[\w ]*?\d[\w-]*(?: [A-Z][a-z]+)?|[A-Z][a-z]+) "
        r"(?:for|before) (?:[\w ]+? )?(?:to )?(?:exceed|pass|reach|clear|top|get past|go above)(?:ed|s)?\b",
        r"Before \g<date> no date exceeded",
    ),
    (
        r"\b(?:stay(?:s|ed)? put|(?:held|holds|keeps|kept) (?:steady|still)|did(?: not|n't) (?:budge|stir)|"
        r"flat-?lined|stood still)\b",
        "remained the same",
    ),
    # Nobody else reaches what is the most.
    (
        r",? (?:which |that )?(?:nobody|no one|none|nothing|no other \w+) (?:else )?"
        r"(?:reach(?:es|ed)?|attain(?:s|ed)?|match(?:es|ed)?|comes? up to|came up to)(?=\s*(?:[.;,)]|$))",
        ", the highest of all",
    ),
    # The ends of an order.
    (r"\b(?:low point|nadir|trough|rock bottom)\b|(?<=\bits )bottom\b", "minimum"),
    (r"\b(?:high point of the (?:year|series|season)|high-water mark|zenith|heyday)\b", "maximum"),
    # Adjectives.
    (rf"\b(?P<stem>{_STEMS})(?P<end>er|est)\b", _adjective),
    (rf"\b(?P<how>more|most) (?P<stem>{_STEMS})\b", _adjective),
    # Above that, of the only number before it.
    (
        r"(?P<number>(?<![\w.,-])[-+\u2212]?\d+(?:\.\d+)?)(?P<between>[;,.] [^\d.;]*?"
        r"\b(?:above|below|under|over|beneath|beyond)) (?:that|it|this)(?=\s*(?:[.;,)]|$))",
        r"\g<number>\g<between> \g<number>",
    ),
    # Less steep than so much is less than it, less dry is more.
    (rf"\bless (?:{PLAIN_HIGH}) than{_NUMBER}", "less than"),
    (rf"\bless (?:{PLAIN_LOW}) than{_NUMBER}", "more than"),
    # Parts of a whole, as limits: more than a fifth.
    (
        r"(?P<side>\b(?:no|none|each|every|all|only)\b[^.;,]{0,30}? "
        r"(?:(?:more|less) than|over|under|above|below|at least|at most|exceeds?|exceeded)) "
        rf"(?P<times>an?|one|two|three|four) (?P<part>{'|'.join(_FRACTIONS)})s?"
        r"(?=\s*(?:[.;,:)]|$|each\b|apiece\b))",
        _in_per_cent,
    ),
    # Parts of one.
    (rf"\bby {_ROUGH}(?:a |one )?(?:full )?tenth\b(?! of)", r"by \g<rough>0.1"),
    (rf"\bby {_ROUGH}(?:a |one )?(?:full )?hundredth\b(?! of)", r"by \g<rough>0.01"),
    (r"\ba good (?=\d)", "about "),
    (r"\bbare (?=majority|minority|minimum|half|third|quarter|\d)", ""),  # which is no bare ground
    (r"\b(collects?|drains?|receives?|gathers?|sheds?) (?:its |the |all |any )?water\b", r"\1"),
    (r"\b(?:instead of|rather than) (?=[-\d])", "against "),
    (r"\bafter (?=[-\d][\d.,]*[^.;]{0,12} (?:the|a|one) year (?:before|earlier))", "against "),
    (rf"\b(?:a|one) tenth of an? {_WHOLE}", "0.1 "),
    (rf"\bhalf an? {_WHOLE}", "0.5 "),
    (rf"\b(?:a|one) quarter of an? {_WHOLE}", "0.25 "),
)
_COMPILED = tuple((re.compile(pattern, re.I), words) for pattern, words in _REWRITINGS)


@lru_cache(maxsize=1000)
def in_canonical_words(text: str) -> str:
    """Return a text in which relations are said in the words that the rules know.

    Examples
    --------
    >>> in_canonical_words("Every class but one clears 0.7.")
    'Every class but one exceeds 0.7.'
    """
    for pattern, words in _COMPILED:
        text = pattern.sub(words, text)
    return text
