"""Tasks of long questions as expressions: the first that a question's words fit is what it asks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from treeline.core.query.canonical import both
from treeline.core.query.expression import (
    Aggregate,
    Combine,
    Compare,
    Correlation,
    Direction,
    Hotspots,
    Node,
    Number,
    Seasonal,
    Several,
    Show,
    Statistic,
    Steps,
    Trend,
    Variable,
    Which,
)
from treeline.core.query.largest.mentions import LimitAt
from treeline.core.query.largest.request import Request, condition, unit_for

Task = Callable[[Request], Node | None]

_DAYS = r"(?:\w+ ){0,3}(?:days|nights|dates|images|times|events)\b"
_COUNTING = (
    rf"how many {_DAYS}|(?:number|count|frequency) of (?:the )?{_DAYS}|count (?:the |how many )?{_DAYS}"
)
_SHARE = r"percentage|proportion|ratio of|share of|fraction of|% of|portion of|percent of|extent of|distribution of pixels"  # noqa: E501
_COMPARING = (
    r"\bdiffer\w*|\bchang(?:es?|ed|ing)\b|\bf[ae]ll\b|\brise\b|\brose\b|\bdrop(?:ped|s)?\b|\bgr[eo]w\b|compar\w+|increas\w+|decreas\w+|declin\w+|reduction|versus|\bvs\b|variation|"
    r"higher|lower|warmer|cooler|trends? between|\bthan\b|by how much|\bgap\b|"
    r"which (?:one|city|region|place|area|site|month|year|period|of)\b|\bwhether\b.*\bor\b"
)
_PERCENT_CHANGE = r"(?:percentage|percent|relative|%) (?:of )?(?:change|increase|decrease)|change (?:in|by) (?:percent|%)|percentage change"  # noqa: E501
# An end of the dates' means, and not when it was: that is asked for by a word for the date.
_MEANS = r"(?:daily |regional |image |scene )*(?:mean|average)"
_END_OF_MEANS = rf"\b(highest|maximum|peak|largest|lowest|minimum|smallest) {_MEANS}\b"
_STATISTICS = (
    (
        rf"(?:maximum|\bmax\b|maxima)(?! (?:{_MEANS}|increase|decrease|change|rise|drop|positive|negative))",
        "max",
    ),
    (rf"(?:minimum|\bmin\b|minima)(?! (?:{_MEANS}|increase|decrease|change|rise|drop))", "min"),
    (r"\bmedian\b", "median"),
    (r"standard deviation", "std"),
)


def mean_of_dates(node: Node) -> Node:
    """Return the mean over the dates, where there are several."""
    return node if _single(node) else Aggregate("mean", node, "date", assumed=("dates",))


def _single(node: Node) -> bool:
    return all(one.when.single or one.timeless for one in node.walk() if isinstance(one, Variable))


def _series(variable: Node) -> Aggregate:
    return Aggregate("mean", variable, "pixel")


def _mean(variable: Variable, asked: Request) -> Node:
    """Return the mean of a variable over the ground and the dates, in the order that is said."""
    if not _single(variable) and (ends := re.search(_END_OF_MEANS, asked.text)):
        statistic = "max" if ends[1] in ("highest", "maximum", "peak", "largest") else "min"
        return Aggregate(cast(Statistic, statistic), _series(variable), "date")
    if asked.has(r"(?:mean|average) maps?\b|average (?:image|raster)") and not _single(variable):
        return _series(Aggregate("mean", variable, "date"))
    return mean_of_dates(_series(variable))


def _limits_of(asked: Request, variable: Variable) -> Node | None:
    """Return where a variable, or several together, pass their limits."""
    conditions = [_pass_limit(asked, limit, _own(asked, limit, variable)) for limit in asked.value_limits]
    if not conditions:
        return None
    if len(conditions) > 1 and len({limit.role for limit in asked.value_limits}) > 1:
        return both(*conditions)
    return conditions[0]


def _own(asked: Request, limit: LimitAt, variable: Variable) -> Variable:
    """Return the variable that a limit is of, when and where the subject is."""
    if limit.role in ("", variable.role):
        return variable
    held = asked.inventory.holding(limit.role)
    if held is None or limit.factor is not None or _kin(limit.role, variable.role):
        return variable
    if held.unit != variable.unit and limit.unit and limit.unit == variable.unit:
        return variable
    return replace(asked.variable(limit.role), when=variable.when, where=variable.where)


def _kin(one: str, other: str) -> bool:
    """Return whether two roles are a variable and its half of the day."""
    return one.split("_")[0] == other.split("_")[0]


def _pass_limit(asked: Request, limit: LimitAt, variable: Variable) -> Node:
    if limit.factor is None:
        return condition(asked, limit, variable)
    usual = Combine("product", mean_of_dates(_series(variable)), Number(limit.factor))
    return Compare(variable, limit.sign, usual)  # type: ignore[arg-type]


_COURSES = (
    (r"change[- ]?points?|structural breaks?|breakpoints?|regime shifts?", "change_points"),
    (r"seasonality|periodicity|length of (?:the )?season|dominant period", "season_length"),
    (r"autocorrelation", "autocorrelation"),
    (r"\bstl\b|decompos", "decomposition"),
)


# --- Tasks, the most telling first ----------------------------------------------------------------


def spikes(asked: Request) -> Node | None:
    """Count sudden rises."""
    if asked.has(r"spikes?\b|abrupt (?:increase|rise|jump)|sudden (?:increase|rise|jump|spike)"):
        return Seasonal(_series(asked.subject), "spikes")
    return None


def course(asked: Request) -> Node | None:
    """Breaks, seasons and the like of the dates' means."""
    found = next((gives for words, gives in _COURSES if asked.has(words)), None)
    return None if found is None else Seasonal(_series(asked.subject), found)  # type: ignore[arg-type]


def relation(asked: Request) -> Node | None:
    """How two variables go together, pixel by pixel or date by date."""
    if not asked.has(r"correlat\w+|relationship between"):
        return None
    roles = list(dict.fromkeys(one.role for one in asked.mentions))
    if len(roles) < 2:
        return None
    left, right = asked.variable(roles[0]), asked.variable(roles[1])
    if len(asked.inventory.dates) > 2:
        return Correlation(_series(left), _series(right), "date")
    return Correlation(left, right, "pixel")


def area(asked: Request) -> Node | None:
    """How much ground passes a limit."""
    if (
        asked.has(_SHARE)
        or not asked.value_limits
        or not asked.has(
            r"\barea (?:of|in|covered|with|where)|how (?:large|much area)|square kilomet|km2|hectares?|\bha\b"
        )
    ):
        return None
    unit = "km2" if asked.has(r"km2|square kilomet") else "ha"
    where = _limits_of(asked, asked.subject)
    if where is None or asked.has(r"mean|average|" + _COUNTING) or asked.subject.role == "frp":
        return None
    return mean_of_dates(Aggregate("area", where, "pixel", unit=unit))


def direction(asked: Request) -> Node | None:
    """On which side hot spots lie."""
    if not asked.has(
        r"\bdirections?\b|directional|risk distribution|spatial distribution of (?:the )?(?:hot|fire)"
    ):
        return None
    limit = next((limit for limit in asked.value_limits if limit.factor is None), None)
    if limit is None:
        return Direction(Hotspots(_at_once(asked.subject)))
    spots = condition(asked, limit, asked.subject)
    return Direction(spots if _single(asked.subject) else Aggregate("any", spots, "date"))


def _at_once(variable: Variable) -> Node | Any:
    """Return one raster of a variable: the mean of each pixel's dates."""
    return variable if _single(variable) else Aggregate("mean", variable, "date", assumed=("dates",))


def distribution(asked: Request) -> Node | None:
    """Skewness, kurtosis, variation of the dates' values."""
    named = {
        "kurtosis": r"kurtosis|kurtic",
        "skewness": r"skew\w*|distribution of (?:\w+ )?values|anomal\w+ in the data",
        "cv": r"coefficient of variation|volatility|\bcv\b",
    }
    found = next((name for name, words in named.items() if asked.has(words)), None)
    if found is None:
        return None
    statistic = cast(Statistic, found)
    sides = asked.sides()
    if len(sides) == 2 and asked.has(_COMPARING):
        parts: list[Node] = [
            Aggregate(statistic, _each_date(replace(asked, subject=side)), "date") for side in sides
        ]
        return _apart(asked, parts)
    return Aggregate(statistic, _each_date(asked), "date")


def _each_date(asked: Request) -> Node:
    """Return what each date is: of fires how many pixels burn, else its mean."""
    where = _limits_of(asked, asked.subject)
    if asked.subject.role == "frp" or asked.has(r"pixel counts?\b|number of pixels"):
        fire = where or Compare(asked.subject, "gt", Number(0.0, asked.subject.unit))
        return Aggregate("count", fire, "pixel")
    return _series(asked.subject)


def trend(asked: Request) -> Node | None:
    """A straight line, Mann-Kendall, Sen."""
    named = asked.has(r"regression|linear trend|linear\b.*\btrend|mann[- ]kendall|\bsen'?s\b|theil")
    if not named and not (asked.has(r"\btrends?\b") and not asked.times.sides and not asked.has(_SHARE)):
        return None
    if asked.has(r"\bmonth(?:ly)?\b.*(?:largest|greatest|biggest) (?:decrease|increase|drop|rise)"):
        return None
    course = _course(asked)
    tests: list[Node] = []
    if asked.has(r"\bsen'?s\b|theil") and not asked.has(r"mann[- ]kendall"):
        mean = [_mean(asked.subject, asked)] if asked.has(r"\bmean\b|average of") else []
        return (
            Several((*mean, Trend(course, "theil_sen", per="step")))
            if mean
            else Trend(course, "theil_sen", per="step")
        )
    line = asked.has(r"slope|linear|regression|rate|per year|magnitude")
    if line or not asked.has(r"mann[- ]kendall"):
        tests.append(Trend(course, "linear" if line else "", per="year"))
    if asked.has(r"mann[- ]kendall|significan|p[- ]value|is there (?:a|any)\b"):
        tests.append(Trend(course, "mann_kendall", "p_value"))
    return tests[0] if len(tests) == 1 else Several(tuple(tests))


def _course(asked: Request) -> Node:
    series = _each_date(asked)
    years = {date.year for date in asked.inventory.dates}
    if asked.has(r"\bannual\b|yearly|each year|per year") and len(asked.inventory.dates) > len(years) > 2:
        return Aggregate("mean", series, "date", by="year")
    return series


def dates_that_pass(asked: Request) -> Node | None:
    """Count the dates on which the mean, or a share of the ground, passes a limit."""
    share_of_days = asked.has(rf"(?:percentage|proportion|share|fraction) of (?:the )?{_DAYS}")
    if not asked.has(_COUNTING) and not share_of_days:
        return None
    test = _of_each_date(asked, asked.subject)
    if test is None:
        return None
    statistic = "share" if share_of_days and not asked.has(_COUNTING) else "count"
    sides = asked.sides()
    if len(sides) == 2 and statistic == "share":
        parts: list[Node] = [Aggregate("share", _of_each_date(asked, side) or test, "date") for side in sides]
        return _apart(asked, parts)
    return Aggregate(cast(Statistic, statistic), test, "date")


def _of_each_date(asked: Request, variable: Variable) -> Node | None:
    if not asked.value_limits:
        return None
    limit = asked.value_limits[0]
    if asked.share_limits and limit.factor is None:
        bound = asked.share_limits[0]
        share = Aggregate("share", condition(asked, limit, _own(asked, limit, variable)), "pixel")
        return Compare(share, bound.sign, Number(bound.value, "%"))  # type: ignore[arg-type]
    series = _series(variable)
    if limit.factor is not None:
        usual = Combine("product", Aggregate("mean", series, "date"), Number(limit.factor))
        return Compare(series, limit.sign, usual)  # type: ignore[arg-type]
    return Compare(series, limit.sign, Number(limit.value, unit_for(limit, variable)))  # type: ignore[arg-type]


def extremes_under_limits(asked: Request) -> Node | None:
    """The difference of a statistic between ground on this and on that side of a limit."""
    others = [limit for limit in asked.value_limits if limit.role and limit.role != asked.subject.role]
    if len(others) != 2 or not asked.has(r"differen\w+|compar\w+"):
        return None
    statistic = _statistic(asked)
    sides = [
        Aggregate(
            cast(Statistic, statistic),
            replace(asked.subject, where=condition(asked, limit, asked.variable(limit.role))),
            "pixel",
        )
        for limit in others
    ]
    first, second = (mean_of_dates(side) for side in sides)
    return Combine("difference", first, second)


def two_shares(asked: Request) -> Node | None:
    """The difference between the shares beyond one and beyond another limit of the same variable."""
    limits = [
        limit
        for limit in asked.value_limits
        if limit.role in ("", asked.subject.role) or _kin(limit.role, asked.subject.role)
    ]
    if len(limits) != 2 or not asked.has(_SHARE) or not asked.has(r"differen\w+"):
        return None
    first, second = (
        mean_of_dates(Aggregate("share", condition(asked, limit, asked.subject), "pixel")) for limit in limits
    )
    return Combine("absolute_difference", first, second)


def share_of_ground(asked: Request) -> Node | None:
    """The share of the pixels that pass a limit, of two times or places its difference."""
    if not asked.value_limits or not asked.has(_SHARE):
        return None
    if _measured_elsewhere(asked):
        return None

    def share(variable: Variable) -> Node:
        relative = any(limit.factor is not None for limit in asked.value_limits)
        if relative and asked.has(r"hot ?spots?"):
            once = _at_once(variable)
            usual = Combine("product", _series(once), Number(asked.value_limits[0].factor or 1.0))
            return Aggregate("share", Compare(once, asked.value_limits[0].sign, usual), "pixel")  # type: ignore[arg-type]
        where = _limits_of(asked, variable)
        assert where is not None
        return mean_of_dates(Aggregate("share", where, "pixel"))

    sides = asked.sides()
    if (
        asked.has(r"\bwhen\b|which (?:day|date|month)|the (?:day|date) (?:with|of|on)|most severe")
        and not sides
    ):
        where = _limits_of(asked, asked.subject)
        return None if where is None else Which(Aggregate("share", where, "pixel"), "highest")
    if len(sides) == 2 and asked.has(_COMPARING):
        return _apart(asked, [share(side) for side in sides])
    absolute = all(limit.factor is None for limit in asked.value_limits)
    if absolute and asked.has(rf"\b(?:mean|average)\b[^.]{{0,40}} and (?:the |its )?(?:{_SHARE})"):
        return Several((_mean(asked.subject, asked), share(asked.subject)))
    return share(asked.subject)


def _measured_elsewhere(asked: Request) -> bool:
    """Return whether a mean of the subject is asked for where another variable passes the limit."""
    others = {limit.role for limit in asked.value_limits if limit.role}
    return bool(others) and asked.subject.role not in others and not _all_kin(others, asked.subject.role)


def _all_kin(others: set[str], role: str) -> bool:
    return all(_kin(one, role) for one in others)


def _apart(asked: Request, parts: list[Node]) -> Node:
    """Return two values set against each other: places as named, times the later less the earlier."""
    of_times = len(asked.sites) != 2
    left, right = (parts[1], parts[0]) if of_times else (parts[0], parts[1])
    how = "absolute_difference" if asked.has(r"absolute difference") else "difference"
    apart = Combine(how, left, right)  # type: ignore[arg-type]
    if not asked.has(_PERCENT_CHANGE):
        return apart
    relative = Combine("percent_change", left, right)
    return Several((apart, relative))


def which_date(asked: Request) -> Node | None:
    """The date, month or year on which something is highest or lowest."""
    if not asked.has(
        r"(?:which|what) (?:day|date|month|year|time|period)|(?:day|date|month|year|time|period|event) (?:on |in |at )?(?:which|when|with|of|where)|"  # noqa: E501
        r"(?:coldest|hottest|warmest|coolest|driest|wettest|clearest|cleanest) (?:day|date|month|year)|peak\b|identify the (?:date|day|month|year|time)|"  # noqa: E501
        r"most polluted|most (?:severe|serious|intense)(?: \w+)? (?:day|date|month|year)|"
        r"find the (?:day|date)|give the (?:date|time)"
    ):
        return None
    if len(asked.sides()) == 2 and asked.has(r"differen\w+|which (?:month|year|period|season|of|one)\b"):
        return None
    lowest = (asked.subject.role == "nbr" and asked.has(r"severe|worst|burn")) or asked.has(
        r"lowest|coldest|coolest|minimum|smallest|least|weakest|clearest|cleanest|darkest"
    )
    end = "lowest" if lowest and not asked.has(r"highest|peak") else "highest"
    changing = asked.has(
        r"(?:largest|greatest|biggest|strongest|fastest|maximum|max) (?:positive |negative )?(?:\w+ )?(?:decrease|increase|drop|rise|change|growth)|increase (?:is|occurs|was) (?:the )?(?:fastest|largest|maximum)"  # noqa: E501
    )
    series: Node = _each_date(asked)
    if asked.has(r"\bannual|\byears?\b") and asked.has(
        r"which year|year (?:with|recorded|had|that)|identify the year"
    ):
        series = Aggregate("mean", series, "date", by="year")
    elif asked.has(r"which month|the (?:\w+est )?month\b|monthly|each month") and _several_a_month(asked):
        series = Aggregate("mean", series, "date", by="month")
    if changing:
        falls = asked.has(r"(?:largest|greatest|biggest|strongest) (?:decrease|drop)")
        change = Which(Steps(series), "lowest" if falls else "highest")
        if asked.has(r"overall (?:mean|average)|average (?:\w+ )?value|average .{0,30}\band\b"):
            return Several((_mean(asked.subject, asked), change))
        return change
    return Which(series, end)  # type: ignore[arg-type]


def _several_a_month(asked: Request) -> bool:
    """Return whether more than one image is of a month."""
    dates = asked.inventory.dates
    return len({(date.year, date.month) for date in dates}) < len(dates)


def fire_prone(asked: Request) -> Node | None:
    """Where fires are most frequent: pixels that burn as often as the upper quarter of those that burn."""
    if asked.subject.role != "frp" or not asked.has(_FIRE_PRONE):
        return None
    if asked.has(r"(?:which|what) (?:day|date|month|year)"):
        return None
    level = re.search(r"(\d{1,2})(?:st|nd|rd|th)? percentile", asked.text)
    fire = _limits_of(asked, asked.subject) or Compare(asked.subject, "gt", Number(0.0, asked.subject.unit))
    often = fire if _single(asked.subject) else Aggregate("count", fire, "date")
    usual = Aggregate("percentile", often, "pixel", parameter=float(level[1]) if level else 75.0)
    return Show(Compare(often, "ge", usual), "map")


_FIRE_PRONE = (
    r"(?:which|what|where) (?:areas?|regions?|parts?)|"
    r"\b(?:identify|map|locate|delineate|find|where)\b.*(?:fire[- ]prone|prone to fires?)"
)


def ratio_of_two(asked: Request) -> Node | None:
    """The mean of one variable divided by another, pixel by pixel."""
    if not asked.has(r"divided by|lst ?/|ratio (?:of|between) lst|/ ?emissivity"):
        return None
    below = asked.inventory.holding("emissivity")
    above = asked.variable("lst") if asked.subject.role == "emissivity" else asked.subject
    if below is None or above.role == "emissivity":
        return None
    return mean_of_dates(_series(Combine("ratio", above, asked.variable("emissivity"))))


def percentile(asked: Request) -> Node | None:
    """A percentile of the pixels, of two times its difference."""
    found = re.search(r"(\d{1,2}(?:\.\d+)?)(?:st|nd|rd|th)? percentile", asked.text)
    if found is None:
        return None
    level = float(found[1])

    def of(variable: Variable) -> Node:
        return mean_of_dates(Aggregate("percentile", variable, "pixel", parameter=level))

    sides = asked.sides()
    if len(sides) == 2 and asked.has(_COMPARING):
        return _apart(asked, [of(side) for side in sides])
    return of(asked.subject)


def measure(asked: Request) -> Node | None:
    """A statistic of the subject, where limits of others hold; of two times or places its difference."""
    statistic = _statistic(asked)

    def of(variable: Variable) -> Node:
        if variable.role == "frp" and statistic == "mean" and asked.has(_FIRES):
            return mean_of_dates(_each_date(replace(asked, subject=variable)))
        others = [limit for limit in asked.value_limits if limit.role not in ("", variable.role)]
        if others:
            where = both(*(condition(asked, limit, _own(asked, limit, variable)) for limit in others))
            variable = replace(
                variable, where=where if variable.where is None else both(where, variable.where)
            )
            if statistic == "mean" and not _single(variable):
                return Aggregate("mean", variable, "all", assumed=("over",))
        if statistic != "mean":
            over = "pixel" if _single(variable) or asked.has(_EACH_IMAGE) else "all"
            return Aggregate(statistic, variable, over)  # type: ignore[arg-type]
        return _mean(variable, asked)

    sides = asked.sides()
    if len(sides) == 2 and asked.has(_COMPARING):
        return _apart(asked, [of(side) for side in sides])
    return of(asked.subject)


_FIRES = r"(?:fire|burning|hot) pixels?|number of (?:fires|pixels)|pixel counts?"
_EACH_IMAGE = r"(?:for|of|on|in) each (?:image|scene|date|day)\b|per image|image by image"
_EXTREMES = (
    (rf"(?:highest|largest|greatest) (?!{_MEANS}|proportion|percentage|share)", "max"),
    (rf"(?:lowest|smallest) (?!{_MEANS}|proportion|percentage|share)", "min"),
)


def _statistic(asked: Request) -> str:
    for words, name in _EXTREMES:
        for found in re.finditer(words, asked.text):
            if any(0 <= one.start - found.end() < 12 for one in asked.mentions):
                return name
    return next((name for words, name in _STATISTICS if asked.has(words)), "mean")


TASKS: tuple[Task, ...] = (
    spikes, course, direction, fire_prone, distribution, relation, ratio_of_two, percentile, extremes_under_limits, trend,  # noqa: E501
    dates_that_pass, two_shares, share_of_ground, area, which_date, measure,
)  # fmt: skip
