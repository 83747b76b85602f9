"""The words that tell what is wanted: statistics, operations, groupings, directions.

Each entry is a pattern over the normalised question, written as its alternatives.
"""

from __future__ import annotations

from treeline.core.policies.planner.intent import Grouping, Operation, Statistic
from treeline.core.policies.planner.text import alternatives

# The first that stands in the text wins; the most telling come first.
STATISTICS: tuple[tuple[str, Statistic], ...] = (
    (r"\bpercentiles?\b", "percentile"),
    (r"\bmedian\b", "median"),
    (
        alternatives(
            r"\bstandard deviations?\b",
            r"\bstd\.?(?: dev)?\b",
            r"\bspatial (?:variability|spread)\b",
        ),
        "std",
    ),
    (r"\bskew(?:ness|ed)?\b", "skewness"),
    (alternatives(r"\bkurtosis\b", r"kurtic\b"), "kurtosis"),
    (
        alternatives(
            r"\bhow many (?:ha|km2|m2)\b",
            r"\b(?:area|extent|size)\b[^.?]{0,60}\b(?:in|as) (?:ha|km2|m2)\b",
            r"\b(?:in )?(?:ha|km2|m2) of\b",
            r"\bin (?:ha|km2|m2)\b",
        ),
        "area",
    ),
    (
        alternatives(
            r"\bhow many pixels\b",
            r"\bnumber of pixels\b",
            r"\bpixel count\b",
            r"\bcount (?:the )?pixels\b",
        ),
        "pixels",
    ),
    (
        alternatives(
            r"\b(?:percentage|proportion|fraction|share|portion|ratio)s? (?:of|that|where|"
            r"with|in|for|exceed)\b",
            r"\b(?:what|which|how much) (?:%|percentage|proportion|share|part|fraction)",
            r"%\s*of (?:the |all |valid |its )*(?:pixels?|(?:total |whole |entire |"
            r"agricultural |urban |study )?(?:area|land|surface|region|scene|image|extent|"
            r"zone|basin)s?)",
            r"\bhow much of (?:the )?(?:pixels?|(?:total |whole |entire |agricultural |urban |"
            r"study )?(?:area|land|surface|region|scene|image|extent|zone|basin)s?)",
            r"\b(?:proportion|percentage|share)s?\b"
            r"(?! (?:change|increase|decrease|difference|value|rise|drop|growth))",
        ),
        "share",
    ),
    (
        alternatives(
            r"\bhow (?:large|big) (?:is|was|an?|the|were)\b"
            r"(?! (?:the |a )?(?:\w+ )?(?:difference|change|range|gap|increase|decrease|drop|rise|spread))",
            r"\b(?:what|which|total|calculate the|compute the|find the|give the|the|"
            r"^) ?(?:surface )?area (?:is|was|had|has|with|where|that|of(?! interest)|covered|in which|"
            r"satisfies|lies|above|below|over)\b",
            r"\b(?:what|which) area\b",
            r"\bwhat (?:is|was) the (?:\w+ )?area\b(?!')",
            r"\bsurface area\b",
        ),
        "area",
    ),
    (
        alternatives(
            r"\bminimum\b",
            r"\bmin\b",
            r"\bsmallest value\b",
            r"\blowest value\b",
        ),
        "min",
    ),
    (
        alternatives(
            r"\bmaximum\b",
            r"\bmax\b",
            r"\blargest value\b",
            r"\bhighest value\b",
            r"\bpeak value\b",
        ),
        "max",
    ),
    (r"\bsum of\b|\btotal (?!area|change)\b", "sum"),
    (
        alternatives(
            r"\bmean\b",
            r"\baverages?\b",
            r"\baveraged\b",
            r"\bavg\b",
            r"\btypical\b",
        ),
        "mean",
    ),
)

OPERATIONS: tuple[tuple[str, Operation], ...] = (
    (
        r"\b(?:average|mean) (?:of )?(?:the |those |these )*(?:\w+ )?"
        r"(?:shares?|percentages?|proportions?|ratios?)\b[^?;]*\b(?:dates|days|images|scenes)\b[^?;]*"
        r"\b(?:exceed\w*|above|over|(?:more|greater|larger) than)\b",
        "average_share",
    ),
    (
        alternatives(
            r"\bcorrelat(?:ion|ions|ed?|es)\b",
            r"\brelation(?:ship)? between\b",
            r"\bscatter ?plot\b",
            r"\bdepend(?:s|ed)? on\b(?! time)",
            r"\b(?:is|are|was|were) [^?;]{2,40} (?:related|linked|tied) to\b",
            r"\bhow (?:does|do|did) [^?;]{2,40} (?:change|vary|depend|\w*crease) (?:with|on) (?!time)",
            r"\bpearson\b|\bspearman\b",
        ),
        "correlation",
    ),
    (
        alternatives(
            r"\bdirection\b[^?;]*\bhot ?spots?\b",
            r"\bhot ?spots?\b[^?;]*\bdirection\b",
            r"\b(?:where|which (?:side|part))\b[^?;]*\bhot ?spots?\b",
        ),
        "hotspots",
    ),
    (
        alternatives(
            r"\bspikes?\b",
            r"\babrupt (?:increase|decrease|rise|jump)s?\b",
            r"\bsudden(?:ly)? (?:increase|rise|jump)s?\b",
        ),
        "spikes",
    ),
    (
        alternatives(
            r"\bchange[- ]?points?\b",
            r"\bbreak[- ]?points?\b",
            r"\bstructural breaks?\b",
            r"\babrupt(?:ly)? change[sd]?\b",
        ),
        "change_points",
    ),
    (
        alternatives(
            r"\bcoefficients? of variation\b",
            r"\bcv\b",
            r"\bvolatility\b",
            r"\bhow (?:variable|unstable|stable)\b",
            r"\bhow much (?:does|did|do) [^?;]{2,40} (?:vary|fluctuate)\b",
        ),
        "variation",
    ),
    (
        alternatives(
            r"\bseasonality\b",
            r"\bperiodic(?:ity)?\b",
            r"\bcyclic(?:al)?\b",
            r"\bseasonal cycle\b",
        ),
        "seasonality",
    ),
    (
        alternatives(
            r"\b(?:how many|number of|count(?:ing)?(?: the)?(?: number of)?) (?:of )?(?:the |"
            r"different |such |those )?(?:dates?|days?|nights?|images?|scenes?|"
            r"times(?! (?:as|higher|larger|more|greater|warmer|brighter|lower)\b)|"
            r"acquisitions?|observations?|rasters?|composites?|months?|years?|overpasses)\b",
            r"(?:\b(?:percentage|proportion|share|fraction)|%) of (?:the )?(?:\w+ "
            r"){0,3}(?:dates|days|nights|images|scenes|acquisitions|observations)\b",
            r"\bhow often\b",
            r"\bhow many (?:[\w-]+ ){1,3}(?:dates|days|nights|images|scenes)\b",
        ),
        "count",
    ),
    (
        alternatives(
            r"\btrends?\b",
            r"\btendency\b|\bbeen (?:\w+ly )?(?:\w+creasing|rising|falling|declining|growing|dropping)\b",
            r"\bslope\b",
            r"\blinear regression\b",
            r"\bregression\b",
            r"\bmann[- ]kendall\b",
            r"\bsen'?s?[- ]slope\b",
            r"\b(?:increasing|rising|growing|decreasing|falling|declining) (?:or|over)\b",
            r"\brate of change\b",
            r"\bper (?:year|decade) change\b",
            r"\bsystematically\b",
        ),
        "trend",
    ),
    (
        alternatives(
            r"\b(?:which|what|between which|on which|on what|in which|in what) "
            r"(?:of (?:the|these|all) )?(?:[\w-]+ )?"
            r"(?:date|day|month|year|season|image|scene|acquisition|time)s?\b",
            r"\bwhen (?:is|was|were|did|does|do|are)\b",
            r"\b(?:the |give the |find the |determine the )?(?:date|day|month|year|season|"
            r"scene|image|time)s? (?:on which|in which|at which|of|when|with|that|where)\b(?! "
            r"each)",
            r"\b(?:hottest|coldest|warmest|coolest|greenest|driest|wettest|brightest|darkest|clearest|"
            r"cloudiest) (?:date|day|night|month|year|season|scene|image)\b",
            r"\bpeak (?!value)\b",
        ),
        "extreme",
    ),
)

SERIES = alternatives(
    r"\bper (?:date|day|image|scene|acquisition|raster|month|season|year)\b",
    r"\b(?:for |of |on |at |in )?(?:each|every) (?:\w+ )?(?:date|day|image|scene|acquisition|"
    r"raster|month|season|year)\b",
    r"\btime series\b",
    r"\bby (?:date|month|season|year)\b",
    r"\b(?:date|day|month|year|scene) by (?:date|day|month|year|scene)\b",
    r"\bon all dates\b",
    r"\bof all (?:the )?(?:dates|scenes|images)\b(?! together)",
    r"\b(?:monthly|yearly|annual|seasonal) (?:mean|average|value|max(?:imum)?|min(?:imum)?|"
    r"median)s?\b",
    r"\bover time\b",
    r"\b(?:individual|separate) (?:dates|scenes|images|months|years)\b",
    r"\bdates? listed\b",
    r"\blist (?:the|of)\b",
)

GROUPINGS: tuple[tuple[str, Grouping], ...] = (
    (
        alternatives(
            r"\b(?:per|each|every|by|which|what|rank(?: the| all)*|of the|the \w+) (?:calendar )?months?\b",
            r"\bmonthly\b",
            r"\bmonths (?:had|have|show)",
            r"\bmonth (?:which|that|with|of|in which)\b",
            r"\bhow many (?:\w+ )?months\b",
            r"\b\w+est month\b",
        ),
        "month",
    ),
    (
        alternatives(
            r"\b(?:per|each|every|by|which|what) season\b",
            r"\bseasonal(?:ly)? (?:mean|average)s?\b",
            r"\bseason (?:with|of the)\b",
        ),
        "season",
    ),
    (
        alternatives(
            r"\b(?:per|each|every|by|which|what) (?:calendar )?years?\b(?! to year)",
            r"\b(?:rank|sort|order|list)(?: the| all)* years\b",
            r"\b(?:annual|yearly)\b",
            r"\byear (?:which|that|with|of|in which)\b",
            r"\bhow many years\b",
            r"\b\w+est year\b",
            r"\binterannual\b",
        ),
        "year",
    ),
)

LOWEST = alternatives(
    r"\blow(?:est|er)?\b",
    r"\bmin(?:imum|imal)?\b",
    r"\bsmallest\b",
    r"\bleast\b",
    r"\bcold(?:est|er)\b",
    r"\bcool(?:est|er)\b",
    r"\bdriest\b",
    r"\b(?:few|dark|clear)est\b|\bworst\b",
)

HIGHEST = alternatives(
    r"\bhigh(?:est|er)\b",
    r"\bmax(?:imum|imal)?\b",
    r"\blargest\b",
    r"\bgreatest\b",
    r"\bmost\b",
    r"\bhot(?:test|ter)\b",
    r"\bwarm(?:est|er)\b",
    r"\bpeak\b",
    r"\bgreen(?:est|er)\b",
    r"\bbiggest\b",
    r"\bwettest\b",
    r"\bbest\b",
    r"\b(?:cloud|snow|rain|haz)iest\b|\b(?:bright|dens|steep|strong|fast)est\b",
)

CHANGE_EXTREME = alternatives(
    r"\b(?:largest|greatest|biggest|strongest|maximum|fastest|highest|steepest|"
    r"sharpest)\s+(?:\w+ )?(?P<c>increase|decrease|rise|drop|decline|change|jump|gain|loss|"
    r"fall)\b",
    r"\b(?P<d>increas|ris|rose|gr[eo]w|chang|gain|decreas|fall|fell|drop|declin|los)\w* "
    r"(?:the )?(?:most|fastest|strongest)\b",
)
