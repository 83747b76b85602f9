"""What an answer claims: the numbers, dates and names that its text states."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import PurePath

from treeline.core.engine.checks import COUNT
from treeline.core.engine.verification.notation import COUNTED, in_plain_digits, number_in_words
from treeline.core.engine.verification.phrases import ENDINGS, OVER_A_SIZE, REACHES

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?"
_NUMBER = re.compile(rf"(?<![\w.,@#/\-\u2212])([-+\u2212]?{_DIGITS})(?![\d_])([A-Za-z]*)")
_ROUGHLY = re.compile(r"(?:about|around|roughly|approximately|nearly|almost|some|ca\.?|~|\u2248)\s*$", re.I)
_OF_A_DAY = len("2016-08-14")
# So far in parts of it a ratio in whole numbers is from the true one at most.
_OF_A_RATIO = 0.2
_LIMIT = re.compile(
    rf"(?:[<>\u2264\u2265]=?|\b(?:above|below|beyond|{OVER_A_SIZE}over|under|than|exceed\w*|surpass\w*|{REACHES}|least|most|"
    r"limit|threshold)(?:(?: an?)?(?: (?:mean|average|median|value|index|ndvi|ndmi|ndwi|evi|savi|lst|"
    r"temperature|elevation|slope))+)?"
    r"(?: of)?)\s*$",
    re.I,
)
# On the way: "it rose from 0.45 in April over 0.57 in May to 0.69".
_VIA = re.compile(r"\bfrom (?:[^.;:]|\.\d)*\d(?:[^.;:]|\.\d)*\bover\s*$", re.I)
_OR_MORE = re.compile(
    r"\s?[^\s\d]{0,4} (?:or|and) (?:more|less|above|below|over|under|higher|lower|greater|steeper|flatter|"
    r"hotter|warmer|cooler|colder|upwards?)\b",
    re.I,
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.I)
# What a number is told for: 0.2 K per year. Words such as a unit may stand between.
_PER_SPAN = re.compile(
    r"\s*(?P<of>(?:[^\s\d,;.()/|]+/(?!(?:yr|a|h|hr|s|second|hour|day|week|month|season|year|decade)\b)[^\s,;.()/|]+(?:\s+|(?=/))|"
    r"(?!(?:in|on|by|from|to|and|over|for|of)\b)[^\s\d,;.()/|]+\s*){0,2}?)"
    r"(?:(?:\bper\b|\ba\b|\beach\b|\bevery\b|/)\s*(?P<span>second|s|hour|hr|h|day|week|month|season|year|decade|century|step|"
    r"image|scene|date|acquisition|observation|interval)s?\b(?!\s+(?:earlier|later|ago|before|after|prior))|"
    r"\b(?P<adverb>dai|week|month|season|year|annual)ly\b(?! \w)|"
    r"(?:\bp\.\s?a\.|\bper annum\b|/\s?(?:yr|a)\b))",
    re.I,
)
_SPANS = {"dai": "day", "annual": "year", "h": "hour", "hr": "hour", "s": "second"}
STEP = "step"
_STEPS = frozenset({STEP, "image", "scene", "date", "acquisition", "observation", "interval"})

# What a number stands in when it is no statement of a size: addresses, numbers of steps, bands and sensors;
# not where it has decimals or a unit.
_PLACE = re.compile(r"(?:^\s*|(?<=[,;:] ))(\d{1,2})[.)]\s", re.M)
_LABELS = re.compile(
    r"</?\w+>|https?://\S+|\S+\." + ENDINGS + r"\b(?:#\S+)?|@[\w\[\]-]+"
    r"|\[(?:steps?\s*)?\d+(?:\s*,\s*(?:steps?\s*)?\d+)*\]|\b(?:EPSG|WGS|UTM(?:\s+zone)?|Landsat|Sentinel|MODIS|"
    r"Collection|Level|bands?|steps?|options?|zones?|class(?:es)?|version|variant|round|attempt)[\s:#-]*\d+\w?"
    r"(?:(?:\s*,\s*|\s+(?:and|to|through)\s+|,\s*and\s+|\s*[-\u2013/]\s*)\d+)*\b"
    r"(?!\.\d|\s?(?:%|per ?cent\b|(?:ha|km2?|m2?|K)\b|\u00b0))|"
    r"\b\d+(?:\.\d+)?\s?(?:[u\u00b5\u03bc]m|nm|GHz)\b|\b\d{1,2}:\d\d(?::\d\d)?\b|\b\d+[xX]\b|\b(?!k?m2\b)[A-Za-z]\w*\d\w*",
    re.I,
)

_MONTHS = {name.casefold(): n for n, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.casefold(): n for n, name in enumerate(calendar.month_abbr) if name}
_MONTHS |= {
    "januar": 1,
    "februar": 2,
    "m\u00e4rz": 3,
    "mai": 5,
    "juni": 6,
    "juli": 7,
    "oktober": 10,
    "dezember": 12,
}
_MONTHS |= {"maj": 5, "junij": 6, "julij": 7, "avgust": 8}
_MONTH = "|".join(sorted(map(str.title, _MONTHS), key=len, reverse=True))
# 201203 pixels are no March of 2012.
_MEASURED = (
    r"(?!\d{6}(?:\d\d)?(?:\.\d+(?!\S)|\s?(?:%|K\b|px\b|pixels?\b|ha\b|hectares?\b|k?m2?\b|k?m\u00b2)))"
)
# A point stands between the parts of a date where a day follows or a file's ending does: 2000.12 is a number.
_ISO = re.compile(
    rf"(?<!\d){_MEASURED}"
    r"((?:18|19|20)\d\d)(?!\.\d\d(?!\.(?:\d|tif|nc|hdf|jp2)))[-_/.]?(0[1-9]|1[0-2])"
    r"(?:[-_/.]?(0[1-9]|[12]\d|3[01]))?(?!\d)"
)
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th|\.)?\s+({_MONTH})\b\.?,?\s+((?:18|19|20)\d\d)\b")
_MONTH_FIRST = re.compile(
    rf"\b({_MONTH})\b\.?\s+(?:(\d{{1,2}})(?:st|nd|rd|th)?\b,?\s+)?(?:of\s+)?((?:18|19|20)\d\d)\b"
)
_MONTH_OF_SAME_YEAR = re.compile(
    rf"\b({_MONTH})\b(?=\s*(?:,|and|n?or|to|than|through|until|with|versus|-|\u2013)\s*(?:in\s+)?"
    rf"(?:{_MONTH})\b\s+((?:18|19|20)\d\d))"
)
_DAY_ALONE = re.compile(
    rf"\b(?:{_MONTH})\s+\d{{1,2}}\b(?!\d|[.,]\d)|"
    rf"\b\d{{1,2}}(?:(?:,\s*|\s*(?:and|to|[-\u2013])\s*)\d{{1,2}})*\s+(?:{_MONTH})\b"
)
_DAYS_OF_MONTH = re.compile(
    rf"(?<![\d.,/-])(?P<days>\d{{1,2}}(?:, ?\d{{1,2}})*,? (?:and|or|to|until) )"
    rf"(?P<last>\d{{1,2}} (?P<month>(?:{_MONTH})\b(?:,? (?:18|19|20)\d\d\b)?))"
)
_SEASONS = {"winter": 0, "spring": 3, "summer": 6, "autumn": 9, "fall": 9}
_SEASON = re.compile(
    rf"\b(?:the )?(?P<season>{'|'.join(_SEASONS)})\b(?:(?: of)? (?P<year>(?:18|19|20)\d\d)\b(?![-/]\d))?",
    re.I,
)
_PLAIN_BEHIND_DAY = (
    r"(?:and|or|to|was|were|is|has|had|with|at|than|the|but|while|when|on|compared|versus|vs)\b"
)
# A month or a day of one that is told without its year; neither one of several days nor "may".
_WITHOUT_YEAR = re.compile(
    r"(?<![\d.])(?<!\d[\-\u2013])(?:(?<!\bstep )\b(?P<before>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?"
    rf"\b(?P<month>{_MONTH})\b"
    r"(?! (?:be|not|have|also|indicate|reflect)\b)"
    r"(?:\s+(?P<behind>\d{1,2})(?:st|nd|rd|th)?\b(?![.,]?\d|\s*(?:%|(?!"
    + _PLAIN_BEHIND_DAY
    + r")\w)))?(?!\s+(?:18|19|20)\d\d)"
)
_MONTHS_OF_SEASON = re.compile(
    rf"\b(?:{_MONTH})\s?[-\u2013]\s?(?:{_MONTH})\b|\bJanuary (?:to|through|until) December\b"
)
# Rows of a table in Markdown.
_TABLE = re.compile(r"(?:^[ \t]*\|.*\|[ \t]*$\n?)+", re.M)
# The July images of 2017.
_OF_YEAR = re.compile(r"(?: \w+){0,2} (?:of|in|from) (?P<year>(?:19|20)\d\d)\b")
# What is told in these is a time between two dates, and no number of any.
SPANS = frozenset({"day", "days", "week", "weeks", "month", "months", "year", "years"})
_POINTS = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(0?[1-9]|1[0-2])\.\s?((?:18|19|20)\d\d)(?!\d)")
_STROKES = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/((?:18|19|20)\d\d)(?!\d)")
_YEAR = re.compile(
    r"(?<![\d.,])(?<!\s[-\u2212])((?:19|20)\d\d)(?![\d,]*\d|\.\d|\s*(?:%|K\b|m\b|km|ha\b|pixel))"
)
_FORMS = (
    (_POINTS, (3, 2, 1)),
    (_ISO, (1, 2, 3)),
    (_DAY_FIRST, (3, 2, 1)),
    (_MONTH_OF_SAME_YEAR, (2, 1)),
    (_MONTH_FIRST, (3, 1, 2)),
    (_YEAR, (1,)),
)

MICRO = "\u00b5"
POINTS = "pp"
_UNITS = (
    (
        POINTS,
        r"(?:%|per\s?cent(?:age)?)[ -]?points?\b|pp\b|p\.p\.|Prozentpunkte?n?\b|odstotn\w+ to\u010dk\w*|"
        r"points? de pourcentage|puntos porcentuales|punti percentuali",
    ),
    (
        "%",
        r"%|per\s?cent\b|percent(?:age)?\b|Prozent\b|odstotk\w*|pour\s?cent\b|"
        r"por ciento\b|per cento\b",
    ),
    ("degC", r"\u00b0\s?C\b|deg\s?C\b|degrees? C(?:elsius)?\b|Celsius\b|C\b"),
    ("degF", r"\u00b0\s?F\b|degF\b|degrees? F(?:ahrenheit)?\b|Fahrenheit\b|F\b"),
    ("K", r"(?:K|[Kk]elvins?)\b(?!m)"),
    ("km2", r"(?:km\s?(?:\u00b2|\^?2)|sq(?:uare)?\.?\s?(?:km|kilomet\w+))"),
    ("m2", r"(?:m\s?(?:\u00b2|\^?2)|sq(?:uare)?\.?\s?(?:m|met\w+))(?!\w)(?!\s?/\s?m)"),
    ("acre", r"acres?\b"),
    ("ha", r"(?:ha|[Hh]ectares?)\b"),
    ("km", r"(?:km|[Kk]ilomet(?:re|er)s?)\b(?!\s?[/h])"),
    ("cm", r"(?:cm|[Cc]entimet(?:re|er)s?)\b(?!\s?[/\u00b2\u00b3^])"),
    ("mm", r"(?:mm|[Mm]illimet(?:re|er)s?)\b(?!\s?/)"),
    ("in", r"inch(?:es)?\b"),
    ("ft", r"(?:ft|feet|foot)\b"),
    ("mi", r"(?:mi|miles?)\b"),
    ("m", r"(?:m|[Mm]et(?:re|er)s?)\b(?!\s?/)"),
    (COUNT, r"(?:px|[Pp]ixels?)\b"),
    ("degree", r"\u00b0(?!\s?[CFNSEW]\b)|deg(?:rees?)?\b(?! [CF]|\s?[NSEW]\b| (?:north|south|east|west))"),
    ("rad", r"rad(?:ians?)?\b"),
    ("Mg", r"(?:Mg|t|[Tt]onnes?|[Tt]ons?)\b(?!\s?/)"),
    ("kg", r"(?:kg|[Kk]ilograms?)\b(?!\s?/|\sm-2)"),
    ("g", r"(?:g|[Gg]rams?)\b(?!\s?/|\sper kg\b)"),
    ("dB", r"dB\b|[Dd]ecibels?\b"),
    ("hPa", r"(?:hPa|mbar)\b"),
)
_TIMES = re.compile(
    r"\s*(?:times|-?fold)\b(\s+(?:as|the|larger|more|higher|smaller|lower|greater|bigger|that))?"
)
_THING = re.compile(
    r"\s?(?:(?:separate|distinct|individual|different|connected|contiguous) )?"
    r"(?P<name>[A-Za-z\u00c0-\u024f]{2,})"
)
_COPULA = re.compile(r"\b(?:is|was|are|were)\s+(?:about |around |some )?$", re.I)
_SHARE_OF_ONE = re.compile(r"\b(?:share|fraction|proportion|ratio) of (?:about |around )?$", re.I)
_COMPOUND = re.compile(
    r"([A-Za-z\u00b5]{1,4}[23\u00b2\u00b3]?)\s?/\s?([A-Za-z]{1,2})(\u00b2|\u00b3|\^?[23])?"
    r"(?!\w)(?<!/a)(?<!/yr)(?<!/mo)"
)
_RAISED = {ord("\u00b2"): "2", ord("\u00b3"): "3", ord("^"): None}
_UNIT = re.compile("|".join(f"(?P<u{n}>{pattern})" for n, (_, pattern) in enumerate(_UNITS)))

# An option by its letter: alone, before a bracket or a colon, behind "option" or "answer".
_LETTER = re.compile(
    r"\A\W*([A-Ha-h])\W*\Z|\A\W*([A-H])[).:]\s|\b(?:[Oo]ption|[Aa]nswer|[Cc]hoice|[Aa]ntwort|[Ll]etter)\b"
    r"(?:\s+is)?[\s:*]*\(?([A-H])\)?(?![\w'])|\(([A-H])\)"
)


_PLAIN_DATE = r"((?:18|19|20)\d\d(?:-\d\d){0,2})"
# A time that is told by its ends, in dates that are written out.
_TIME = re.compile(
    rf"\bbetween {_PLAIN_DATE} and {_PLAIN_DATE}\b|"
    rf"\b{_PLAIN_DATE} ?(?:to|until|till|through|up to|-|\u2013) ?{_PLAIN_DATE}\b"
)

# So many days before, or behind, the day that is spoken of; not before one that is told.
_COUNTED_DAYS = re.compile(
    r"\b(?P<count>\d{1,3}|[a-z]+) (?:days?|(?P<week>weeks?)) "
    r"(?:(?P<before>earlier|before)|later|after(?:wards)?)\b"
    r"(?! (?:the|that|this|on|in|\d))",
    re.I,
)
_TEXTS_KEPT = 2048


@dataclass(frozen=True, slots=True)
class Claim:
    """A number as an answer states it.

    Attributes
    ----------
    half : float
        Half of the place of its last digit: what rounding can have changed.
    unit : str
        A unit of the toolkit, such as ``degC``; ``1`` of a share of one, ``count`` of pixels; or empty.
    per : str
        The unit of time that it is told for, such as ``year``; ``step`` from one image to the next.
    limit : bool
        It stands behind a comparison, such as "below".
    thing : str
        The word behind it where that is no unit: what it counts, or a unit that is not known.
    """

    text: str
    number: float
    half: float
    unit: str = ""
    per: str = ""
    limit: bool = False
    thing: str = field(default="", compare=False)


# The unit that heads a column: mean (K), area in ha.
_UNIT_OF_HEAD = re.compile(r"(?:[(\[]|\bin |, )(?P<unit>[^()\[\]\d,]{1,12}[\u00b2\u00b3]?)[)\]]?\s*$")
# What heads a column of a table whose numbers name its rows.
_OF_CLASS = re.compile(
    r"(?:land[- ]?cover |cover |landform )?(?P<kind>class|zone|cluster|category|segment|band)"
    r"(?: (?:no\.?|number|id|code|value))?|class code|code",
    re.I,
)


def claims_in(text: str) -> list[Claim]:
    """Return the numbers that a text states; neither dates nor numbers of steps, bands and files."""
    return list(_claims(text))


def claims_at(text: str) -> dict[int, Claim]:
    """Return the numbers that a text states by where they stand in it, written in plain digits."""
    plain, found, end = in_plain_digits(without_dates(text)), dict[int, Claim](), 0
    for claim in claims_in(text):
        place = plain.find(claim.text, end)
        if place >= 0:
            end = place + len(claim.text)
            found[place] = claim
    return found


# Between the ends of a range, and before them.
_TO = re.compile(r"\s?(?:to|up to|[-\u2013])\s?[-+\u2212]?", re.I)
_TO_OR_AND = re.compile(rf"(?:{_TO.pattern}|\s?and\s?[-+\u2212]?)", re.I)
_BETWEEN = re.compile(r"\bbetween $", re.I)


# Each check looks at the same clauses of an answer anew.
@lru_cache(maxsize=_TEXTS_KEPT)
def _claims(text: str) -> tuple[Claim, ...]:
    bare = in_plain_digits(
        without_dates(_LABELS.sub(lambda match: " " * len(match[0]), _without_line_numbers(text)))
    )
    matches = list(_NUMBER.finditer(bare))
    found = [(match, claim) for match in matches if (claim := _claim(bare, match)) is not None]
    behind = [*found[1:], None] if found else []
    return tuple(
        _with_unit_of_range(bare, match, claim, other)
        for (match, claim), other in zip(found, behind, strict=True)
    )


def _with_unit_of_range(
    text: str, match: re.Match[str], claim: Claim, other: tuple[re.Match[str], Claim] | None
) -> Claim:
    """Return the first end of a range with the unit of its other end, which stands for both: 5.1 to 6.3 K."""
    if claim.unit or claim.limit or other is None or not other[1].unit:
        return claim
    between = _BETWEEN.search(text, 0, match.start(1)) is not None
    joined = (_TO_OR_AND if between else _TO).fullmatch(text, match.end(1), other[0].start(1))
    return replace(claim, unit=other[1].unit, per=other[1].per) if joined else claim


def _without_line_numbers(text: str) -> str:
    """Return a text without the numbers of its lines and the ranks of its tables, which count from one."""
    text = _TABLE.sub(lambda table: _without_ranks(table[0]), text)
    places = [int(number) for number in _PLACE.findall(text)]
    counts_up = len(places) > 1 and places == list(range(1, len(places) + 1))
    return _PLACE.sub(" ", text) if counts_up else text


def with_classes_named(text: str) -> str:
    """Return a text in whose tables the numbers of classes, zones or bands are told as such: "class 2"."""
    return _TABLE.sub(lambda table: _with_classes_named(table[0]), text)


def _with_classes_named(table: str) -> str:
    lines = table.splitlines(keepends=True)
    head = _cells(lines[0]) if lines else []
    for place, cell in enumerate(head, 1):
        if (match := _UNIT_OF_HEAD.search(cell)) and find_unit(match["unit"].strip()):
            lines = [lines[0], *(_with_unit(line, place, match["unit"].strip()) for line in lines[1:])]
    named = next(((n, word) for n, cell in enumerate(head) if (word := _OF_CLASS.fullmatch(cell))), None)
    if named is None:
        return table
    place, kind = named[0] + 1, (named[1]["kind"] or "class").casefold()
    for number, line in enumerate(lines[1:], 1):
        cells = re.split(r"(?<!\\)\|", line)
        if len(cells) > place and re.fullmatch(r"[\s*]*\d{1,3}[\s*]*", cells[place]):
            cells[place] = re.sub(r"(\d+)", rf"{kind} \1", cells[place])
            lines[number] = "|".join(cells)
    return "".join(lines)


def _with_unit(line: str, place: int, unit: str) -> str:
    """Return a row of a table in which a cell has the unit that its column is headed by."""
    cells = re.split(r"(?<!\\)\|", line)
    if len(cells) > place and re.fullmatch(r"[\s*]*[-+\u2212]?\d[\d,]*(?:\.\d+)?[\s*]*", cells[place]):
        cells[place] = f" {cells[place].strip()} {unit} "
    return "|".join(cells)


def tables_in(text: str) -> list[list[list[str]]]:
    """Return the tables of a text, as rows of cells."""
    tables = (match[0].splitlines() for match in _TABLE.finditer(text))
    return [[_cells(line) for line in lines] for lines in tables]


def _cells(line: str) -> list[str]:
    return [cell.strip(" *") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def _without_ranks(table: str) -> str:
    """Return a table without the columns whose numbers are one to so many as it has rows."""
    rows = [re.split(r"(?<!\\)\|", line) for line in table.splitlines()]
    body = [row for row in rows if any(re.search(r"\d", cell) for cell in row)]
    for place in range(min(map(len, body), default=0)):
        cells = {row[place].strip(" *.)#") for row in body}
        if len(body) > 1 and cells == {str(n) for n in range(1, len(body) + 1)}:
            for row in body:
                row[place] = " " * len(row[place])
    return "\n".join("|".join(row) for row in rows) + "\n" * table.endswith("\n")


def _claim(text: str, match: re.Match[str]) -> Claim | None:
    written = match[1].replace("\u2212", "-")
    end = match.end(1)
    unit = unit_at(text, end)
    if match[2] and not unit and (_ORDINAL.match(match[2]) or "." not in written):
        return None  # 2nd and 3D; but 0.42cd is a size
    half = half_place(written)
    before = text[: match.start()]
    unit = unit or ("1" if _SHARE_OF_ONE.search(before) or _is_ratio(text, match) else "")
    if "." not in written and _ROUGHLY.search(before):
        digits = re.sub(r"[eE].*|\D", "", written)
        half *= 10.0 ** (len(digits) - len(digits.rstrip("0")))
    number = float(written.replace(",", ""))
    if unit == "1" and "." not in written:  # who says twice means no 1.6 times
        half = min(half, _OF_A_RATIO * number)
    per = _span_at(text, end)
    named = None if unit else _THING.match(text, end)
    thing = named["name"].casefold() if named else ""
    beyond = _LIMIT.search(before) is not None and _VIA.search(before) is None
    limit = beyond or _OR_MORE.match(text, end) is not None
    return Claim(match[1], number, half, unit, per, limit, thing)


def _span_at(text: str, position: int) -> str:
    """Return the unit of time that a number is told for; empty of how often something is counted."""
    match = _PER_SPAN.match(text, position)
    if match is None or re.search(COUNTED, match["of"], re.I):
        return ""
    span = (match["span"] or match["adverb"] or "year").casefold()
    return STEP if span in _STEPS else _SPANS.get(span, span)


def _is_ratio(text: str, match: re.Match[str]) -> bool:
    """Return whether a number tells how many times as large something is, and not how often."""
    behind = _TIMES.match(text, match.end())
    return behind is not None and bool(behind[1] or _COPULA.search(text[: match.start()]))


def half_place(written: str) -> float:
    """Return half of the place of the last digit of a number as it is written."""
    mantissa, _, exponent = written.casefold().partition("e")
    return 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def claim_of(value: float, unit: str = "") -> Claim:
    """Return a number that is given as one, at the digits that it has."""
    written = repr(float(value))
    written = written[:-2] if written.endswith(".0") else written
    return Claim(f"{value:.6g}", float(value), half_place(written), find_unit(unit))


def find_unit(name: str) -> str:
    """Return the unit that a name such as ``ha``, ``hectares`` or ``1`` means; empty where it means none."""
    match = _UNIT.fullmatch(name.strip())
    return "1" if name.strip() == "1" else _UNITS[int((match.lastgroup or "u0")[1:])][0] if match else ""


def unit_at(text: str, position: int) -> str:
    """Return the unit that stands at a place of a text, after a space at most; empty where none does."""
    start = position + len(text[position:]) - len(text[position:].lstrip(" "))
    if match := _COMPOUND.match(text, start):
        one, other = match[1].replace(MICRO, "u"), f"{match[2]}{match[3] or ''}"
        one, other = one.translate(_RAISED), other.translate(_RAISED)
        return f"{one}/{other}" if one != other else ""  # m3/m3 is a share
    match = _UNIT.match(text, start)
    return _UNITS[int((match.lastgroup or "u0")[1:])][0] if match else ""


def is_until(day: str, date: str) -> bool:
    """Return whether a date lies before another, or within it: each day of July is until 2021-07."""
    return day[: len(date)] <= date


def dates_in(text: str) -> list[str]:
    """Return the days, months and years that a text names, as ``2021-07-12``, ``2021-07`` or ``2021``."""
    return list(dict.fromkeys(date for date, _ in _find_dates(text)))


def dates_of_file(address: str) -> list[str]:
    """Return the dates that the name of a file tells, or else the day of the folder that it lies in.

    Other folders tell none: those of runs bear numbers that look like years.
    """
    return list(_dates_of_file(address))


# Each number of an answer is held against the files of all steps.
@lru_cache(maxsize=_TEXTS_KEPT)
def _dates_of_file(address: str) -> tuple[str, ...]:
    path = PurePath(address)
    days = (day for day in dates_in(path.parent.name) if len(day) == _OF_A_DAY)
    return tuple(dates_in(path.name) or days)


def in_known_months(text: str, known: Iterable[str], asked: Iterable[str] = ()) -> str:
    """Return a text whose months and days without a year are dates where only one known year has them.

    Of several that have them it is the year that its line speaks of: in 2021 it rose from April to June.

    Parameters
    ----------
    asked : iterable of str
        Dates of which the text speaks; where they are of one year, it is meant.
    """
    of_year = {date[:4] for date in asked}
    days = frozenset(day for day in known if len(day) >= 7 and (len(of_year) != 1 or day[:4] in of_year))

    def write(match: re.Match[str]) -> str:
        month = f"{_MONTHS[match['month'].casefold()]:02d}"
        day = match["before"] or match["behind"]
        written = f"{month}-{int(day):02d}" if day else month
        years = {known[:4] for known in days if known[5:].startswith(written)}
        years = years or {known[:4] for known in days if known[5:7] == month}
        behind = _OF_YEAR.match(text, match.end())
        spoken_of = {behind["year"]} if behind else _years_spoken_of(text[: match.start()])
        years = years & spoken_of or years
        if len(years) != 1 or day and not 1 <= int(day) <= 31:
            return match[0]
        return f"{years.pop()}-{written}"

    return _WITHOUT_YEAR.sub(write, text)


def _years_spoken_of(before: str) -> set[str]:
    """Return the year that the last sentence of a line names which names one; none where it names two."""
    named = (set(_YEAR.findall(part)) for part in reversed(re.split(r"[.;]\s", before.rpartition("\n")[2])))
    years = next(filter(None, named), set())
    return years if len(years) == 1 else set()


def months_in(text: str) -> frozenset[str]:
    """Return the months that a text names without a year, as ``06``."""
    months = re.findall(rf"\b({_MONTH})s?\b", without_dates(text))
    return frozenset(f"{_MONTHS[name.casefold()]:02d}" for name in months)


@dataclass(frozen=True, slots=True)
class YearlyTime:
    """A season, month or day that a text names without a year, in its words.

    Attributes
    ----------
    of : frozenset of str
        Its months, as ``07``, or its day, as ``07-12``; of a season also those next to it.
    """

    words: str
    of: frozenset[str]

    def holds(self, other: str) -> bool:
        """Return whether a month or day of any year lies in it, or it in that."""
        return any(other.startswith(each) or each.startswith(f"{other}-") for each in self.of)


def times_without_year(text: str) -> list[YearlyTime]:
    """Return the seasons, months and days that a text names without a year.

    The two of "March\u2013May" only tell which part of a year is meant.
    """
    found = []
    for match in _WITHOUT_YEAR.finditer(_MONTHS_OF_SEASON.sub(lambda span: " " * len(span[0]), text)):
        day = match["before"] or match["behind"]
        month = f"{_MONTHS[match['month'].casefold()]:02d}"
        found.append(YearlyTime(match[0].strip(), frozenset([f"{month}-{int(day):02d}" if day else month])))
    for match in _SEASON.finditer(text):
        first = _SEASONS[match["season"].casefold()]
        months = frozenset(f"{(month - 1) % 12 + 1:02d}" for month in range(first - 1, first + 4))
        found += [YearlyTime(match[0], months)] if match["season"].casefold() != "fall" else []
    return found


def with_plain_dates(text: str, known: Iterable[str], asked: Iterable[str] = ()) -> str:
    """Return a text whose dates stand as ``2021-07-12``.

    With strokes the month is first only where that gives a known day.
    """
    days = frozenset(known)

    def write(match: re.Match[str]) -> str:
        first, second, year = int(match[1]), int(match[2]), match[3]
        orders = [(month, day) for month, day in ((second, first), (first, second)) if 1 <= month <= 12]
        dates = [f"{year}-{month:02d}-{day:02d}" for month, day in orders if 1 <= day <= 31]
        return next((date for date in dates if date in days), dates[0] if dates else match[0])

    text = _in_known_seasons(_STROKES.sub(write, _DAYS_OF_MONTH.sub(_with_months, text)), days)
    found = sorted(_find_dates(text), key=lambda dated: dated[1])
    for date, (start, end) in reversed(found):
        text = f"{text[:start]}{date}{text[end:]}"
    return in_known_months(text, days, dates_in(text) or asked)


def _with_months(match: re.Match[str]) -> str:
    """Return several days of a month with its name each: 5 July, 10 July and 20 July."""
    return (
        re.sub(r"(?<!\d)\d{1,2}(?!\d)", lambda day: f"{day[0]} {match['month']}", match["days"])
        + match["last"]
    )


def _in_known_seasons(text: str, days: frozenset[str]) -> str:
    """Return a text whose seasons of years are dates where only one known date lies in them.

    They are those of the northern half; a winter has the year that it ends in.
    """

    def write(match: re.Match[str]) -> str:
        first = _SEASONS[match["season"].casefold()]
        if match["season"].casefold() == "fall" and not match["year"]:
            return match[0]
        years = [int(match["year"])] if match["year"] else {int(day[:4]) for day in days}
        months = {
            f"{year}-{month:02d}" if month > 0 else f"{year - 1}-12"
            for year in years
            for month in range(first, first + 3)
        }
        found = [day for day in days if day[:7] in months]
        return found[0] if len(found) == 1 else match[0]

    return _SEASON.sub(write, text)


def with_counted_days(text: str, known: Iterable[str]) -> str:
    """Return a text in which "10 days earlier" is the day that it means, if that is a known one."""
    days = frozenset(known)

    def write(match: re.Match[str]) -> str:
        told = [day for day in dates_in(text[: match.start()]) if len(day) == _OF_A_DAY]
        count = number_in_words(match["count"])
        if not told or count is None:
            return match[0]
        length = int(count) * (7 if match["week"] else 1) * (-1 if match["before"] else 1)
        day = (dt.date.fromisoformat(told[-1]) + dt.timedelta(length)).isoformat()
        return (
            f"{'On' if match[0][0].isupper() or match[0][0].isdigit() else 'on'} {day}"
            if day in days
            else match[0]
        )

    return _COUNTED_DAYS.sub(write, text)


def ends_of_times(text: str) -> frozenset[str]:
    """Return the dates that a text tells as the two ends of a time: "from 2016-05 to 2016-09"."""
    return frozenset(date for match in _TIME.finditer(text) for date in match.groups() if date)


def without_dates(text: str) -> str:
    """Return a text with its dates blanked out."""
    for _, (start, end) in _find_dates(text):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return _DAY_ALONE.sub(lambda match: " " * len(match[0]), text)


@lru_cache(maxsize=_TEXTS_KEPT)
def _find_dates(text: str) -> tuple[tuple[str, tuple[int, int]], ...]:
    """Return the dates with where they stand; what is part of one is no other one."""
    found = []
    for pattern, order in _FORMS:
        for match in pattern.finditer(text):
            parts = [match[group] for group in order if match[group]]
            found.append(("-".join(_as_number(part) for part in parts), match.span()))
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return tuple(found)


def _as_number(part: str) -> str:
    return f"{_MONTHS.get(part.casefold(), part):0>2}"


def letter_in(text: str, choices: int) -> str:
    """Return the letter of the option that a text chooses; empty where it names none, or several."""
    found = {
        letter.upper() for match in _LETTER.finditer(text.strip()) for letter in match.groups() if letter
    }
    known = {letter for letter in found if ord(letter) - ord("A") < choices}
    return known.pop() if len(known) == 1 else ""
