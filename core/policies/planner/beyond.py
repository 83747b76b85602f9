"""What no procedure works out; better said than answered with something else."""

from __future__ import annotations

import re

from treeline.core.policies.planner.moments import MONTH_NUMBER
from treeline.core.policies.planner.text import Reading

_MONTH_OR_YEAR = (
    rf"(?:{'|'.join(sorted(MONTH_NUMBER, key=len, reverse=True))}|\d{{4}}|winter|summer|spring|autumn)\b"
)
_STRETCH = r"(?:year|month|week|spring|summer|autumn|winter)"

_BEYOND: tuple[tuple[str, str], ...] = (
    (r"\bforecast|\bpredict(?:ion|ed)?\b", "what is to come"),
    (
        r"\b(?:share|percentage|proportion|area|%|pixels?|ha)\b[^.?;]* (?:significant|positive|negative|"
        r"upward|downward|(?:in|de)creasing) (?:[\w-]+ )?trends?\b|\btrends? (?:per|of each|at each) pixel\b"
        r"|\bper[- ]pixel trend|\btrend maps?\b",
        "the trends of single pixels here: calculate_trend_map makes a map of them",
    ),
    (
        r"\bk-?means\b|\brandom forests?\b|\bmaximum likelihood\b|^classify\b",
        "a map of classes here: kmeans_classification, random_forest_classification and "
        "maximum_likelihood_classification make one",
    ),
    (r"\bglcm\b|\bharalick\b|\btextur(?:e|al)\b", "texture here: glcm_texture makes a map of it"),
    (r"\botsu(?:'s)? threshold\b", "Otsu's threshold here: call otsu_threshold"),
    (
        r"^clip\b|^(?:re)?project\b|^resample\b|^mosaic\b|^vectori[sz]e\b|^reproject\b",
        "new rasters or polygons on request: the tools of the kit Geometry make them",
    ),
    (
        r"\bwithin [\d.,]+ ?(?:km|m)\b(?! of the mean)|\b[\d.,]+ ?(?:km|m) (?:around|away|from|off)\b|"
        r"\bdistances? (?:to|from)\b|\b(?:closer|nearer|farther|further) than\b|\bnear(?:est)? to\b",
        "what lies within a distance of something",
    ),
    (r"\bhow (?:many days|long) (?:\w+ )?(?:between|from|after|until)\b", "a number of days between dates"),
    (
        r"\bfirst (?:exceed|reach|pass|drop|fall|rise|climb)\w*\b|\bfor the first time\b|"
        r"\bwhen (?:did|does) [^?;]*\b(?:exceed|(?:drop|fall|go|rise) (?:below|above|under|over))\b",
        "the first date that passes a limit",
    ),
    (
        # Of a question that names a year, "this month" is one that it named.
        rf"(?<!the )\b(?:last|next) {_STRETCH}\b(?! of)|^(?!.*\b(?:19|20)\d\d).*\bthis {_STRETCH}\b|"
        r"\b(?:yesterday|today|nowadays|currently|recently)\b",
        "a time that is told from today: name the year",
    ),
    (
        r"\b(?:north|south|east|west)(?:ern|[- ]?(?:east|west)(?:ern)?)? "
        r"(?:half|50 %|part|side|quarter|25 %|third|corner|edge)(?!\w)|"
        r"\b(?:upper|lower|top|bottom)(?:[- ](?:left|right))? (?:half|50 %|part|quarter|25 %|corner|\d)",
        "what lies on one side of the image",
    ),
    (r"\bsquared\b|\bsquare root\b|\blogarithms?\b", "a function of the values other than an index"),
    (
        r"\b(?:which|what|per|each|every|by) weeks?\b|\bweekly\b",
        "numbers by week: I group by date, month, season or year",
    ),
    (
        r"\b(?:excluding|except(?:ing)?(?: for)?|apart from|leaving out|omitting|not counting) "
        rf"(?:the |all )*{_MONTH_OR_YEAR}",
        "a period with a gap",
    ),
    (
        r"\b(?:average|mean) of (?:the )?(?:monthly|yearly|annual|daily|seasonal) (?:\w+ )?(?:max|min)",
        "an average of extremes",
    ),
    (
        r"\bevery (?:second|third|fourth|other|\d+(?:nd|rd|th)) (?:date|day|image|scene)",
        "every so many dates",
    ),
    (
        r"\bheat island",
        "how much warmer a town is than the land around it: nothing told me which pixels are which",
    ),
)

# What is left of coordinates that were not understood.
_PLACE = (
    r"\b\d+(?:\.\d+)? ?(?:degree ?)?[ns]\b[ ,]+\d+(?:\.\d+)? ?(?:degree ?)?[ew]\b|"
    r"\b(?:lat|latitude|longitude)\b|\bat (?:the )?coordinates?\b"
)


def beyond_reach(reading: Reading) -> str:
    """Return what a question asks for that no procedure works out; empty where there is nothing of it."""
    if re.search(_PLACE, reading.rest):
        return "a place whose coordinates I did not understand: say, for example, 46.05 N, 14.5 E"
    return next((what for words, what in _BEYOND if re.search(words, reading.text)), "")
