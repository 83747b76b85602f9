"""The words that tell what is wanted: statistics, operations, groupings, directions, masks."""

from __future__ import annotations

from core.policies.planner.intent import Grouping, Operation, Statistic

_PIXELS = r"(?:pixels?|(?:total |whole |entire |agricultural |urban |study )?(?:area|land|surface|region|scene|image|extent|zone|basin)s?)"

# The first that stands in the text wins; the most telling come first.
STATISTICS: tuple[tuple[str, Statistic], ...] = (
    (r"\bpercentiles?\b", "percentile"),
    (r"\bmedian\b", "median"),
    (r"\bstandard deviations?\b|\bstd\.?(?: dev)?\b|\bspatial (?:variability|spread)\b", "std"),
    (r"\bskew(?:ness|ed)?\b", "skewness"),
    (r"\bkurtosis\b|kurtic\b", "kurtosis"),
    (r"\bhow many (?:ha|km2|m2)\b|\b(?:area|extent|size)\b[^.?]{0,60}\b(?:in|as) (?:ha|km2|m2)\b|\b(?:in )?(?:ha|km2|m2) of\b|"
     r"\bin (?:ha|km2|m2)\b", "area"),
    (r"\bhow many pixels\b|\bnumber of pixels\b|\bpixel count\b|\bcount (?:the )?pixels\b", "pixels"),
    (rf"\b(?:percentage|proportion|fraction|share|portion|ratio)s? (?:of|that|where|with|in|for|exceed)\b|"
     rf"\b(?:what|which|how much) (?:%|percentage|proportion|share|part|fraction)|%\s*of (?:the |all |valid |its )*{_PIXELS}|"
     rf"\bhow much of (?:the )?{_PIXELS}|\b(?:proportion|percentage|share)s?\b(?! change| increase| decrease| difference)", "share"),
    (r"\bhow (?:large|big) (?:is|was|an?|the|were)\b|\b(?:what|which|total|calculate the|compute the|find the|give the|"
     r"the|^) ?(?:surface )?area (?:is|was|had|has|with|where|that|of|covered|in which|satisfies|lies|above|below|over)\b|"
     r"\b(?:what|which) area\b|\bwhat (?:is|was) the (?:\w+ )?area\b|\bsurface area\b", "area"),
    (r"\bminimum\b|\bmin\b|\bsmallest value\b|\blowest value\b", "min"),
    (r"\bmaximum\b|\bmax\b|\blargest value\b|\bhighest value\b|\bpeak value\b", "max"),
    (r"\bsum of\b|\btotal (?!area|change)\b", "sum"),
    (r"\bmean\b|\baverages?\b|\baveraged\b|\bavg\b|\btypical\b", "mean"),
)  # fmt: skip

_UNITS_OF_TIME = r"(?:dates?|days?|nights?|images?|scenes?|times|acquisitions?|observations?|rasters?|months?|years?|overpasses)"

OPERATIONS: tuple[tuple[str, Operation], ...] = (
    (r"\bspikes?\b|\babrupt (?:increase|decrease|rise|jump)s?\b|\bsudden(?:ly)? (?:increase|rise|jump)s?\b", "spikes"),
    (r"\bchange[- ]?points?\b|\bbreak[- ]?points?\b|\bstructural breaks?\b|\babrupt(?:ly)? change[sd]?\b", "change_points"),
    (r"\bcoefficients? of variation\b|\bcv\b|\bvolatility\b", "variation"),
    (r"\bseasonality\b|\bperiodic(?:ity)?\b|\bcyclic(?:al)?\b|\bseasonal cycle\b", "seasonality"),
    (rf"\b(?:how many|number of|count(?:ing)?(?: the)?(?: number of)?) (?:of )?(?:the |different |such |those )?{_UNITS_OF_TIME}\b|"
     rf"(?:\b(?:percentage|proportion|share|fraction)|%) of (?:the )?(?:\w+ ){{0,3}}(?:dates|days|nights|images|scenes|acquisitions|"
     rf"observations)\b|\bhow often\b|\bhow many (?:\w+ ){{1,3}}(?:dates|days|nights|images|scenes)\b", "count"),
    (r"\btrends?\b|\btendency\b|\bslope\b|\blinear regression\b|\bregression\b|\bmann[- ]kendall\b|\bsen'?s?[- ]slope\b|"
     r"\b(?:increasing|rising|growing|decreasing|falling|declining) (?:or|over)\b|\brate of change\b|\bper (?:year|decade) "
     r"change\b|\bsystematically\b", "trend"),
    (r"\b(?:which|what|between which|on which|on what|in which|in what) (?:\w+ )?(?:date|day|month|year|season|image|scene|acquisition|"
     r"time)s?\b|"
     r"\bwhen (?:is|was|were|did|does|do|are)\b|\b(?:the |give the |find the |determine the )?(?:date|day|month|year|season|"
     r"scene|image|time)s? (?:on which|in which|at which|of|when|with|that|where)\b(?! each)|"
     r"\b(?:hottest|coldest|warmest|coolest|greenest|driest|wettest|brightest|darkest) (?:date|day|month|year|season|scene|image)\b|"
     r"\bpeak (?!value)\b", "extreme"),
)  # fmt: skip

# Words that compare subjects; they mean a change only where there are two subjects, or two ends of a period.
COMPARING = (
    r"\bchang(?:e[sd]?|ing)\b|\bdiffer(?:s|ed|ence|ences|ent)?\b|\bcompar(?:e[sd]?|ing|ison|ed)\b|\bagainst\b|\bversus\b|\bvs\b|"
    r"\bincreas(?:e[sd]?|ing)\b|\bdecreas(?:e[sd]?|ing)\b|\bris(?:e|en|es|ing)\b|\brose\b|\bfall(?:en)?\b|\bfell\b|\bdrop(?:s|ped)?\b|"
    r"\bgr[oe]wn?\b|\bgain(?:ed)?\b|\blos[ts]e?\b|\bby how much\b|\bhow much (?:\w+ )?(?:higher|lower|warmer|cooler|"
    r"colder|more|less|greener|drier)\b|\b(?:higher|lower|warmer|cooler|greener|drier|more|less) (?:in|on|during|than|for)\b|"
    r"\bdevelop(?:ed|ment)?\b|\bminus\b|\bdecline[sd]?\b|\bloss\b"
)

PER_CENT_CHANGE = (
    r"(?:change|increase|decrease|difference|loss|gain|rise|drop|growth)\w*[^.?;]{0,30}(?:%|percentage)|"
    r"(?:percentage|%|relative|percentual)[- ]*(?:of )?(?:change|increase|decrease|difference|loss|gain|terms)|\bin %|\band %"
)

ONLY_PER_CENT = (
    r"\bby (?:what|how many|how much) (?:%|percentage)|\b(?:percentage|%|relative) (?:change|increase|decrease|difference|loss|gain|rise|"
    r"drop|growth)\b|\bhow many %"
)
BOTH = r"\bin value\b|\bvalue and\b|\band (?:in )?(?:the )?(?:%|percentage)|\babsolute\b|\btotal change\b|\bas well as\b"
WHOLE_YEAR = r"\b(?:annual|yearly|whole[- ]year|all[- ]year)\b"
WHETHER = r"^(?:is|was|are|were|does|did|do|has|have)\b"

SERIES = (
    r"\bper (?:date|day|image|scene|acquisition|raster|month|season|year)\b|\b(?:for |of |on |at |in )?(?:each|every) (?:\w+ )?"
    r"(?:date|day|image|scene|acquisition|raster|month|season|year)\b|\btime series\b|\bby (?:date|month|season|year)\b|"
    r"\b(?:date|day|month|year|scene) by (?:date|day|month|year|scene)\b|\bon all dates\b|\bof all (?:the )?(?:dates|scenes|images)"
    r"\b(?! together)|\b(?:monthly|yearly|annual|seasonal) (?:mean|average|value|max(?:imum)?|min(?:imum)?|median)s?\b|\bover time\b|"
    r"\b(?:individual|separate) (?:dates|scenes|images|months|years)\b|\bdates? listed\b|\blist (?:the|of)\b"
)

GROUPINGS: tuple[tuple[str, Grouping], ...] = (
    (r"\b(?:per|each|every|by|which|what) (?:calendar )?month\b|\bmonthly\b|\bmonths (?:had|have|show)|\bmonth (?:which|that|with|"
     r"of|in which)\b|\bhow many (?:\w+ )?months\b|\b\w+est month\b", "month"),
    (r"\b(?:per|each|every|by|which|what) season\b|\bseasonal(?:ly)? (?:mean|average)s?\b|\bseason (?:with|of the)\b", "season"),
    (r"\b(?:per|each|every|by|which|what) (?:calendar )?year\b(?! to year)|\b(?:annual|yearly)\b|\byear (?:which|that|with|of|in which)"
     r"\b|\bhow many years\b|\b\w+est year\b|\binterannual\b", "year"),
)  # fmt: skip

LOWEST = r"\blow(?:est|er)?\b|\bmin(?:imum|imal)?\b|\bsmallest\b|\bleast\b|\bcold(?:est|er)\b|\bcool(?:est|er)\b|\bdriest\b|\bfewest\b|\bworst\b"
HIGHEST = (
    r"\bhigh(?:est|er)\b|\bmax(?:imum|imal)?\b|\blargest\b|\bgreatest\b|\bmost\b|\bhot(?:test|ter)\b|\bwarm(?:est|er)\b|\bpeak\b|"
    r"\bgreen(?:est|er)\b|\bbiggest\b|\bwettest\b|\bbest\b|\bstrongest\b|\bfastest\b"
)
CHANGE_EXTREME = (
    r"\b(?:largest|greatest|biggest|strongest|maximum|fastest|highest|steepest|sharpest)\s+(?:\w+ )?"
    r"(?P<c>increase|decrease|rise|drop|decline|change|jump|gain|loss|fall)\b|"
    r"\b(?P<d>increas|ris|rose|gr[eo]w|chang|gain|decreas|fall|fell|drop|declin|los)\w* (?:the )?(?:most|fastest|strongest)\b"
)

CLEAR = (
    r"\bwithout (?:any )?clouds?\b|\bcloud[- ]?free\b|\bcloudless\b|\bclear[- ]?(?:sky|pixels|dates|observations|land|only)\b|"
    r"\b(?:remov|mask|exclud|ignor|leav|discard|filter)(?:e|es|ed|ing)? (?:out )?(?:the |all |any )?cloud(?:s|y)?\b|"
    r"\bcloud(?:s|y pixels)? (?:are |is |were )?(?:removed|masked|excluded|ignored|left out)\b|\b(?:not|un)[- ]?cloud(?:ed|y|s)?\b|"
    r"\bunclouded\b|\bcloud[- ](?:masked|screened|cleared)\b|\bapply(?:ing)? (?:the |a )?cloud mask\b|\bwhere (?:it is |the sky is )?clear\b"
)

# "A was warmer than B" asks for A less B.
HIGHER_THAN = (
    r"\b(?:higher|warmer|hotter|greener|more|greater|larger|wetter|brighter|drier)\b[^.?;]{0,40}"
    r"\bthan(?: (?:in|on|during|of|that|the))*\s*(?:\?|\.|$)"
)

LEAF_WATER = r"\bgao\b|\bmoisture\b|\bleaf water\b|\bvegetation water\b|\bcanopy water\b|\bswir\b|\bshort-?wave\b|\bwater stress\b"

SIGNIFICANCE = r"\bsignifican(?:t|ce|tly)\b|\bmann[- ]kendall\b|\bkendall\b|\bp[- ]values?\b"
SHARE_OF_DATES = r"(?:\b(?:percentage|proportion|share|fraction)|%) of (?:the )?(?:\w+ ){0,3}(?:dates|days|nights|images|scenes|acquisitions|observations)\b"
OVERALL = r"\b(?:overall|general|total|whole-area|entire) (?:mean|average|max|maximum|min|minimum)\b"
TWO_PLACES = r"\b(?:two|both) (?:[\w-]+ ){0,3}(?:regions|areas|sites|cities|polygons|places|zones|fields|lakes|towns)\b"

AVERAGED_AGAIN = (
    r"\b(?:average|mean|averag\w+) (?:of |these |those |the )+(?:daily |date |per[- ]date |resulting )*(?:proportions?|shares?|values|percentages|"
    r"daily)\b|\bmean proportion\b|\baverage (?:proportion|percentage|share)\b|\bacross all (?:days|dates|images)\b"
)
# Where the question says from what the answer is to be made.
SOURCES = (
    r"(?:\b(?:based on|using|given|from|with|apply(?:ing)?|use)\b)[^.;?]*?(?:\bdata(?:sets?)?\b|\bbands?\b|\bimagery\b|\bimages\b|"
    r"\breflectance\b|\bproducts?\b|\bobservations\b|\bemissivity\b)"
)
# What a condition is announced by.
WHERE = (
    r"\b(?:where|wherever|in (?:the )?(?:\w+ )?(?:areas?|regions?|pixels?|zones?|places?)|of (?:the )?(?:pixels?|areas?)|"
    r"within|for (?:the )?(?:pixels?|areas?)|over (?:the )?(?:pixels?|areas?))\b"
)
