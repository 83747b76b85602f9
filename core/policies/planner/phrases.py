"""Turns of phrase that shade a question: comparisons, per cent, clouds, sources, conditions."""

from __future__ import annotations

from treeline.core.policies.planner.intent import Composite
from treeline.core.policies.planner.text import alternatives

# Words that compare subjects; they mean a change only where there are two subjects, or two ends of a period.
COMPARING = alternatives(
    r"\bchang(?:e[sd]?|ing)\b",
    r"\bdiffer(?:s|ed|ence|ences|ent)?\b",
    r"\bcompar(?:e[sd]?|ing|ison|ed)\b",
    r"\bagainst\b",
    r"\bversus\b",
    r"\bvs\b",
    r"\bincreas(?:e[sd]?|ing)\b",
    r"\bdecreas(?:e[sd]?|ing)\b",
    r"\bris(?:e|en|es|ing)\b",
    r"\brose\b",
    r"\bfall(?:en)?\b",
    r"\bfell\b",
    r"\bdrop(?:s|ped)?\b",
    r"\bgr[oe]wn?\b",
    r"\bgain(?:ed)?\b",
    r"\blos[ts]e?\b",
    r"\bby how much\b",
    r"\bhow much (?:\w+ )?(?:higher|lower|warmer|cooler|colder|more|less|greener|drier)\b",
    r"\b(?:higher|lower|warmer|cooler|greener|drier|more|less) (?:in|on|during|than|for)\b",
    r"\bdevelop(?:ed|ment)?\b",
    r"\bminus\b",
    r"\bdecline[sd]?\b",
    r"\bloss\b",
    r"\bshr[aiu]n?k\w*\b",
    r"\bexpand(?:s|ed)?\b",
    r"\b(?:improv|deteriorat|worsen|recover)\w*\b",
    r"\b(?:get|got|become|became) (?:any |much )?(?:worse|better|\w+er)\b",
    r"\bbefore and after\b",
)

# Words that tell of a change even where no time is named.
_VERB = r"(?:chang|develop|evolv|increas|decreas|ris|rose|fall|fell|drop|gr[eo]w|declin|shr[iu]nk)"
CHANGED = alternatives(
    rf"\b(?:how|how much) (?:did|has|have|does|do) [^.?;]{{1,60}}\b{_VERB}",
    rf"^(?:did|has|have) [^.?;]{{1,60}}\b{_VERB}",
    r"\bchange (?:in|of) (?:the )?",
    r"^(?:the )?[\w-]+ change\b",
    r"\b(?:between|of) (?:the )?(?:two|both) (?:dates|images|scenes|acquisitions|days|rasters)\b",
)

PER_CENT_CHANGE = alternatives(
    r"(?:change|increase|decrease|difference|loss|gain|rise|drop|growth)\w*[^.?;]{0,30}(?:%|"
    r"percentage)",
    r"(?:percentage|%|relative|percentual)[- ]*(?:of )?(?:change|increase|decrease|difference|"
    r"loss|gain|terms)",
    r"\bin %",
    r"\band %",
)

ONLY_PER_CENT = alternatives(
    r"\bby (?:what|how many|how much) (?:%|percentage)",
    r"\b(?:percentage|%|relative) (?:change|increase|decrease|difference|loss|gain|rise|drop|"
    r"growth)\b",
    r"\bhow many %",
)

BOTH = alternatives(
    r"\bin value\b",
    r"\bvalue and\b",
    r"\band (?:in )?(?:the )?(?:%|percentage)",
    r"\babsolute\b",
    r"\btotal change\b",
    r"\bas well as\b",
)

WHOLE_YEAR = r"\b(?:annual|yearly|whole[- ]year|all[- ]year)\b"

OVER_DATES = alternatives(
    r"\bover time\b",
    r"\btime[- ]series\b",
    r"\btemporal(?:ly)?\b",
    r"\b(?:dates'|daily|monthly|per[- ]date|scene) (?:mean|average)s?\b",
    r"\b(?:across|over|through|between) (?:the |all (?:the )?)?(?:dates|years|months)\b",
)

APART = r"\b(?:separately|respectively|each|individually)\b"

IS_THERE = r"^(?:is|was|are|were) (?:there\b|.*\b(?:present|visible)\b)"

WHETHER = r"^(?:is|was|are|were|does|did|do|has|have)\b"

CLEAR = alternatives(
    r"\bwithout (?:any |the )*cloud(?:s|y|ed|iness)?\b",
    r"\bcloud[- ]?free\b",
    r"\bcloudless\b",
    r"\bclear[- ]?(?:sky|pixels|dates|observations|land|only)\b",
    r"\b(?:remov|mask|exclud|ignor|leav|discard|filter)(?:e|es|ed|ing)? (?:out )?(?:the |all |"
    r"any )?cloud(?:s|y)?\b",
    r"\bcloud(?:s|y pixels)? (?:are |is |were )?(?:removed|masked|excluded|ignored|left out)\b",
    r"\b(?:not|un)[- ]?cloud(?:ed|y|s)?\b",
    r"\bunclouded\b",
    r"\bcloud[- ](?:masked|screened|cleared)\b",
    r"\bapply(?:ing)? (?:the |a )?cloud mask\b",
    r"\bwhere (?:it is |the sky is )?clear\b",
)

# "A was warmer than B" asks for A less B.
HIGHER_THAN = alternatives(
    r"\b(?:higher|warmer|hotter|greener|more|greater|larger|wetter|brighter|"
    r"drier)\b[^.?;]{0,40}\bthan(?: (?:in|on|during|of|that|the))*\s*(?:\?|\.|$)",
)

LEAF_WATER = alternatives(
    r"\bgao\b",
    r"\bmoisture\b",
    r"\bleaf water\b",
    r"\bvegetation water\b",
    r"\bcanopy water\b",
    r"\bswir\b",
    r"\bshort-?wave\b",
    r"\bwater stress\b",
)

SIGNIFICANCE = alternatives(
    r"\bsignifican(?:t|ce|tly)\b",
    r"\bmann[- ]kendall\b",
    r"\bkendall\b",
    r"\bp[- ]values?\b",
)

AVERAGE_MAP = alternatives(
    r"\b(?:mean|average|averaged) (?:map|image|raster|composite)s?\b",
    r"\b(?:map|image|raster|composite)s? of the (?:mean|average)\b",
    r"\b(?:temporal|per[- ]pixel) (?:mean|average)\b",
)


def _composite(word: str) -> str:
    return alternatives(
        rf"\b{word}[- ](?:value[- ])?(?:[\w-]+ )?(?:map|image|raster|composite|mosaic)s?\b",
        rf"\b(?:temporal|per[- ]pixel|pixel[- ]wise) {word}\b",
        rf"\b{word} (?=[\w-]+ (?:per|of each|at each) pixel\b)",
    )


# Maps of what one pixel has through the dates, on which a number is then taken.
COMPOSITES: tuple[tuple[str, Composite], ...] = (
    (AVERAGE_MAP, "mean"),
    (_composite("median"), "median"),
    (_composite("max(?:imum)?"), "max"),
    (_composite("min(?:imum)?"), "min"),
)

COUNTED_DATES = (
    r"\b(?:how many|number of|count(?:ing)?(?: the)?(?: number of)?) (?:the |of the )?(?:\w+ )?"
    r"(?:dates|days|nights|images|scenes|composites)\b"
)

SHARE_OF_HOTSPOTS = alternatives(
    r"\b(?:share|proportion|percentage|fraction)s? of (?:the |each )?hot ?spots?\b",
    r"\bhot ?spot (?:areas? )?(?:share|proportion|percentage|fraction|coverage)s?\b",
)

SENS_SLOPE = r"\bsen'?s?(?:'s)?[- ]slopes?\b|\btheil[- ]sen\b"

LINEAR = alternatives(
    r"\blinear(?:ly)?\b",
    r"\bregression\b",
    r"\bstraight line\b",
    r"\bleast[- ]squares\b",
)

SHARE_OF_DATES = alternatives(
    r"(?:\b(?:percentage|proportion|share|fraction)|%) of (?:the )?(?:\w+ ){0,3}(?:dates|days|"
    r"nights|images|scenes|acquisitions|observations)\b",
)

OVERALL = r"\b(?:overall|general|total|whole-area|entire) (?:mean|average|max|maximum|min|minimum)\b"

BOTH_SENSORS = r"\b(?:two|both|each|the|between) sensors\b|\b(?:each|every|per) sensor\b"

TWO_PLACES = alternatives(
    r"\b(?:two|both) (?:[\w-]+ ){0,3}(?:regions|areas|sites|cities|polygons|places|zones|"
    r"fields|lakes|towns)\b",
)

AVERAGED_AGAIN = alternatives(
    r"\b(?:average|mean|averag\w+) (?:of |these |those |the )+(?:daily |date |per[- ]date |"
    r"resulting )*(?:proportions?|shares?|values|percentages|daily)\b",
    r"\bmean proportion\b",
    r"\baverage (?:proportion|percentage|share)\b",
    r"\bacross all (?:days|dates|images)\b",
)

# Where the question says from what the answer is to be made.
SOURCES = alternatives(
    r"(?:\b(?:based on|using|given|from|with|apply(?:ing)?|"
    r"use)\b)[^.;?]*?(?:\bdata(?:sets?)?\b|\bbands?\b|\bimagery\b|\bimages\b|\breflectance\b|"
    r"\bproducts?\b|\bobservations\b|\bemissivity\b|\brasters?\b|\bfiles?\b|\blayers\b)",
)

# How many times one number is another: as they are named, or the later of the earlier.
RATIO = alternatives(
    r"\bratio (?:of|between)\b",
    r"\bdivided by\b",
    r"\bper unit(?: of)?\b(?! (?:of )?area)",
)
FACTOR = alternatives(
    r"\bby (?:what|which) factor\b",
    r"\bhow many times (?:as|higher|larger|more|greater|warmer|brighter|lower)\b",
)

# What a condition is announced by.
WHERE = alternatives(
    r"\b(?:where|wherever|in (?:the )?(?:\w+ )?(?:areas?|regions?|pixels?|zones?|places?)|of "
    r"(?:the )?(?:pixels?|areas?)|within|for (?:the )?(?:pixels?|areas?)|over (?:the "
    r")?(?:pixels?|areas?))\b",
)
