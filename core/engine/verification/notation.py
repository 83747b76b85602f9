"""Numbers as people write them, in plain digits: words, thousands, decimal commas, powers of ten."""

from __future__ import annotations

import calendar
import re
from functools import lru_cache

_ONES = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
# Longer ones are no number that anybody counted, and Python refuses to read very long ones.
_MOST_DIGITS = 300
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_IN_WORDS = {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_ONE = "|".join(_ONES[1:10])
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
COUNTED = (
    r"(?:times|dates|days|months|years|images|rasters|scenes|acquisitions|observations|pixels|classes|"
    r"zones|fields|"
    r"polygons|parcels|objects|patches|plots|ships|aircraft|planes|buildings|vehicles|cars)"
)
# What rasters are counted as, and what else is counted.
DATES = frozenset({"dates", "days", "images", "scenes", "rasters", "acquisitions", "observations", "times"})
COUNTABLE = DATES | {
    *("months", "years", "seasons", "weeks", "pixels", "classes", "zones", "fields", "polygons", "patches"),
    *("regions", "districts", "parcels", "areas", "places", "pieces", "blocks", "clusters", "fragments"),
}
# Small numbers in words are often no statement of a size ("the two"); before what is counted they are.
_WORDED = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[-\s](?P<ones>{_ONE}))?|(?P<alone>{'|'.join(_ONES[11:])})"
    rf"|(?P<few>{'|'.join(_ONES[:11])})(?=\s+(?:of\s+(?:the\s+|all\s+|these\s+)?\w+\s+)?(?:{COUNTED}|{'|'.join(_SCALES)}|hectares?|degrees?|kelvins?|"
    r"met(?:re|er)s|kilomet|square|per\s?cent)))\b|\b(?P<part>" + "|".join(_ONES[:11]) + r")"
    r"(?=\s+(?:out\s+)?of\s+(?:the\s+|all\s+|these\s+)?(?:" + "|".join((*_ONES, *_TENS)) + r"|\d+(?!\.\d))\b)"
    # Of the dates seven are free of clouds.
    r"|(?<!\bthe )(?<!\bthese )(?<!\bthose )\b(?P<sky>" + "|".join(_ONES[:11]) + r")"
    r"(?=\s+(?:is|are|was|were|has|have|had)\s+(?:(?:completely|entirely|fully|no|some)\s+)?"
    r"(?:cloud|clear\b|overcast\b|free of ))",
    re.I,
)
# A number that begins an answer and is followed by nothing that it counts: "Nine; clouds change nothing."
_FIRST_WORD = re.compile(
    rf"\A\W*(?P<few>{'|'.join(_ONES[:11])})(?=[;:.(]|, (?:which|that)\b)",
    re.I,
)
# Of two and more also before any other plural: "four districts", but not "the four districts".
_PLURAL = re.compile(
    rf"(?<!\b(?:one|two|six|ten) in )(?<!\b(?:four|five|nine) in )(?<!\b(?:three|seven|eight) in )"
    rf"(?<!\bthe )(?<!\bthese )(?<!\bthose )(?<!\bboth )(?<!\ball )\b({'|'.join(_ONES[2:11])})"
    r"(?=\s+(?:[a-z]+\s+)?[a-z]{2,}[^s\W]s\b(?<!\btimes))"
    r"(?!\s+(?:third|quarter|\w+th)s\b)",
    re.I,
)
_POWERS = {"hundred": 2, "thousand": 3, "million": 6, "hundredths": -2, "thousandths": -3}
_SCALED = re.compile(rf"(?<![\d.,])(\d[\d.,]*)\s+({'|'.join(_POWERS)})\b", re.I)

_RATIOS = {"doubled": "2 times as", "twice": "2 times as", "tripled": "3 times as", "halved": "0.5 times as"}
_RATIOS |= {"trebled": "3 times as", "quadrupled": "4 times as", "quintupled": "5 times as"}
_ORDINALS = ("third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PARTS = dict(zip(_ONES[2:11], ("half", *(f"a {part}" for part in _ORDINALS)), strict=True))
_ONE_IN = re.compile(rf"\bone (?:[a-z]+ )?(?:in|out of every) ({'|'.join(_PARTS)})\b", re.I)
# More than one of ten, between which stands what is counted: nine pixels in ten.
_SOME_IN_TEN = re.compile(
    rf"\b(?P<part>{'|'.join(_ONES[2:10])}) (?P<things>[a-z]+s) (?:in|out of(?: every)?) ten\b",
    re.I,
)
# Of more than ten one is told in per cent, as closely as whole numbers tell it: one in 16 is 6 %.
_ONE_IN_MANY = re.compile(
    rf"\bone (?:[a-z]+ )?(?:in|out of(?: every)?) "
    rf"(1[1-9]|[2-9]\d|100|(?:an? |one )?hundred|{'|'.join((*_ONES[11:], *_TENS))})"
    r"(?=\s*(?:[.,;:(]|$|\s(?:is|are|was|were|has|have|had|lies?|exceeds?|reach\w*|[a-z]+ed|[a-z]{3,}s)\b))",
    re.I,
)
_RATIO = re.compile(rf"(?<!counted )\b(?:{'|'.join(_RATIOS)})\b(?:\s+(?:as|the))?", re.I)
# So many times as large: half the size of, three times the area of.
_OF_A_SIZE = re.compile(
    rf"\b(half|twice|a (?:{'|'.join(_ORDINALS)})(?: of)?|(?:{'|'.join(_ONES[1:])}|\d[\d.]*) times) "
    r"the (?:size|area|extent|value|height|level) of\b",
    re.I,
)
# A ratio of two numbers, as one: "the ratio is 3:1".
_TO_ONE = re.compile(r"(?<=ratio)([^.;\d]{1,60}?)(\d+(?:\.\d+)?)\s?(?::|to)\s?1(?![\d.]\d|\d)", re.I)
# A decimal in words: zero point eight.
_POINT_IN_WORDS = re.compile(
    rf"\b({'|'.join((*_ONES, *_TENS))}|nought|naught|null) point "
    rf"((?:{'|'.join(_ONES[:10])})(?: (?:{'|'.join(_ONES[:10])}))*)\b",
    re.I,
)
_VULGAR = {"\u00bd": "0.5", "\u00bc": "0.25", "\u00be": "0.75", "\u2153": "0.33", "\u2154": "0.67"}
_RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", "0123456789-")
_POWER = re.compile(
    r"(?<=\d)\s?(?:[\u00d7\u22c5\u00b7*]|[xX](?=\s?10))\s?10(?:\^\{?([-+\u2212]?\d{1,2})\}?|"
    r"([\u207b\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+))"
)
# Several words that make up one number: one thousand two hundred.
_SCALED_WORDS = re.compile(
    rf"\b(?:{'|'.join((*_IN_WORDS, *_SCALES))}|an?(?=\s(?:hundred|thousand|million)\b))"
    rf"(?:[-\s](?:and\s)?(?:{'|'.join((*_IN_WORDS, *_SCALES))})){{2,}}\b",
    re.I,
)
_ENGLISH = re.compile(r"\b(?:the|of|is|are|was|were|and|has|have|with|than|by|at|it|for|from|to)\b", re.I)
_FOREIGN = re.compile(
    r"\b(?:der|die|das|und|de|en|y|con|hay|son|el|un|ist|sind|im|von|auf|mit|eine?|de[nms]|es|je|na|se|za|so|bil[aoi]?|le|la|les|du|"
    r"est|et|el|"
    r"los|las|del|una?|em|os|il|che|per|nel)\b",
    re.I,
)
_THOUSAND_POINT = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.]|,\d{3}\b)")
_DECIMAL_POINT = re.compile(r"(?<![\d.])\d+\.\d{1,2}(?![\d.])|(?<![\d.])0\.\d")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)-(?=\d)")
# A space is between thousands only where no other number can begin behind it: thin ones always, a plain one
# behind one to three digits.
_SPACED = re.compile(r"(?<![\w.,:/-])(\d{1,3}(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+)(?!\d|-\d|/\d)")
_NUMBERED = re.compile(
    r"\b(?:polygon|class|cluster|zone|patch|region|field|plot|parcel|band|object|feature|step|no\.?) $", re.I
)
_POINTED = re.compile(r"(?<![\w.,])(\d{1,3}(?:\.\d{3})+),(\d+)(?![\d.,]\d)")
# 0,734 and 12,5 have a decimal comma; 1,234 is a thousand and more, as in English.
_COMMA = re.compile(r"(?<![\w.,])(0,\d+|\d+,\d{1,2}|\d+,\d{4,})(?![\d\w]|[.,]\d)")


# Scripts without spaces, whose numbers stand between letters: Han, kana, Hangul, Thai.
_SPACELESS = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_DAY_IN_HAN = re.compile(
    r"((?:18|19|20)\d\d)\s?[\u5e74\ub144]\s?(\d{1,2})\s?[\u6708\uc6d4](?:\s?(\d{1,2})\s?[\u65e5\uc77c])?"
)
_NUMBER_BESIDE = re.compile(rf"(?<=[{_SPACELESS}])(?=[-+\u2212]?\d)|(?<=\d)(?=[{_SPACELESS}])")
_HAN_SIGNS = {
    "\u3002": ". ",
    "\uff0c": ", ",
    "\uff1b": "; ",
    "\uff1a": ": ",
    "\u3001": ", ",
    "\u2103": "\u00b0C",
    "\u6444\u6c0f\u5ea6": "\u00b0C",
    "\u516c\u9877": " ha",
    "\u5e73\u65b9\u516c\u91cc": " km2",
    "\u5e73\u65b9\u7c73": " m2",
}


# The months in other languages, each by its number; in some a day is in the genitive.
_FOREIGN_MONTHS = {
    name: number
    for names in (
        "januar februar m\u00e4rz april mai juni juli august september oktober november dezember",
        "janvier f\u00e9vrier mars avril mai juin juillet ao\u00fbt septembre octobre novembre d\u00e9cembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "janeiro fevereiro mar\u00e7o abril maio junho julho agosto setembro outubro novembro dezembro",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "januar februar marec april maj junij julij avgust september oktober november december",
        "januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrze\u015bnia pa\u017adziernika "
        "listopada grudnia",
        "januari februari mars april maj juni juli augusti september oktober november december",
    )
    for number, name in enumerate(names.split(), 1)
}
_OF = r"(?:(?:de|del|di|d['\u2019])\s?)?"
_FOREIGN_DATE = re.compile(
    rf"(?:(?P<day>(?<![\d.,])\d{{1,2}})(?:\.|er|\u00ba|\u00b0)?\s+{_OF})?\b(?P<month>{'|'.join(_FOREIGN_MONTHS)})\b"
    rf"(?:\s+{_OF}(?P<year>(?:18|19|20)\d\d)\b)?",
    re.I,
)


def with_english_months(text: str) -> str:
    """Return a text whose days and months with a year stand in English: 5 July 2017 for "5 juillet 2017".

    A name of a month alone stays: it may be another word.
    """
    return _FOREIGN_DATE.sub(_in_english, text)


def _in_english(date: re.Match[str]) -> str:
    if not (date["day"] or date["year"]):
        return date[0]
    month = calendar.month_name[_FOREIGN_MONTHS[date["month"].casefold()]]
    return " ".join(filter(None, [date["day"], month, date["year"]]))


def with_numbers_apart(text: str) -> str:
    """Return a text whose numbers, dates and units stand apart in scripts without spaces, too."""
    if not re.search(f"[{_SPACELESS}]", text):
        return text
    text = _DAY_IN_HAN.sub(
        lambda day: "-".join([day[1], *(f"{int(part):02d}" for part in day.groups()[1:] if part)]), text
    )
    for sign, written in _HAN_SIGNS.items():
        text = text.replace(sign, written)
    return _NUMBER_BESIDE.sub(" ", text)


def is_foreign(text: str) -> bool:
    """Return whether a text is in another language than English, by the small words that it has."""
    return len(_FOREIGN.findall(text)) > len(_ENGLISH.findall(text))


def _number_of_all(words: str) -> int:
    """Return of how many one is told: 100 of "a hundred"."""
    return 100 if words.casefold().endswith("hundred") else number_in_words(words) or 1


@lru_cache(maxsize=4096)  # every rule reads the same clauses, and each number the whole text
def in_plain_digits(text: str) -> str:
    """Return a text in which numbers are written as 1234.5 or 1.2e3."""
    if (alone := number_in_words(text.strip(" !*").rstrip(". "))) is not None:  # nothing else is said
        return str(alone)
    text = _FIRST_WORD.sub(_in_digits, text)
    if is_foreign(text) and not _DECIMAL_POINT.search(text):
        text = _THOUSAND_POINT.sub(lambda match: match[0].replace(".", ""), text)
    text = _ONE_IN.sub(lambda match: f"{_PARTS[match[1].casefold()]} of", text)
    text = _SOME_IN_TEN.sub(
        lambda match: f"{10 * (number_in_words(match['part']) or 0)} % of the {match['things']}", text
    )
    text = _ONE_IN_MANY.sub(lambda match: f"{100 / _number_of_all(match[1]):.0f} % of", text)
    text = _POINT_IN_WORDS.sub(_decimal, text)
    text = _SCALED_WORDS.sub(_add_up, _BETWEEN_DIGITS.sub("\u2013", text))
    text = _POWER.sub(
        lambda match: f"e{match[1] or match[2].translate(_RAISED)}".replace("\u2212", "-"), text
    )
    text = _SPACED.sub(_without_spaces, text)
    text = _POINTED.sub(lambda match: f"{match[1].replace('.', '')}.{match[2]}", text)
    text = _COMMA.sub(lambda match: match[1].replace(",", "."), text)
    text = _TO_ONE.sub(lambda match: f" {match[2]} times as{match[1]}", text)
    text = _OF_A_SIZE.sub(lambda match: f"{_factor_of(match[1])} times as large as", text)
    text = _RATIO.sub(lambda match: _RATIOS[match[0].split()[0].casefold()], text)
    for sign, digits in _VULGAR.items():
        text = text.replace(sign, digits)
    text = _PLURAL.sub(lambda match: str(_IN_WORDS[match[1].casefold()]), _WORDED.sub(_in_digits, text))
    return _SCALED.sub(_scale, text)


def _factor_of(words: str) -> str:
    """Return how many times as much "half", "twice", "a third of" and "three times" are."""
    first, _, rest = words.casefold().partition(" ")
    if first == "a":
        return f"{1 / (_ORDINALS.index(rest.split()[0]) + 3):.2g}"
    return {"half": "0.5", "twice": "2"}.get(first) or str(number_in_words(first) or first)


def _without_spaces(match: re.Match[str]) -> str:
    """Return one number without the spaces in it; "polygon 1 693.55 m" are two, of which one is a name."""
    named = " " in match[1] and _NUMBERED.search(match.string[: match.start()])
    return match[0] if named else re.sub(r"\D", "", match[1])


def number_in_words(word: str) -> int | None:
    """Return the number that a word is; ``None`` where it is none."""
    return int(word) if word.isdecimal() and len(word) <= _MOST_DIGITS else _IN_WORDS.get(word.casefold())


def _in_digits(match: re.Match[str]) -> str:
    return str(sum(_IN_WORDS[word.casefold()] for word in match.groupdict().values() if word))


def _decimal(match: re.Match[str]) -> str:
    places = "".join(str(_IN_WORDS[word]) for word in match[2].casefold().split())
    return f"{_IN_WORDS.get(match[1].casefold(), 0)}.{places}"


def _add_up(match: re.Match[str]) -> str:
    """Return one number in several words in digits; what holds no hundred or more stays as it is."""
    words = re.findall(r"[a-z]+", match[0].casefold())
    if not _SCALES.keys() & set(words):
        return match[0]
    total = part = 0
    for word in words:
        if word in ("hundred", "thousand", "million"):
            part = max(part, 1) * _SCALES[word]
            total, part = (total, part) if word == "hundred" else (total + part, 0)
        else:
            part += _IN_WORDS.get(word, 0)
    return str(total + part)


def _scale(match: re.Match[str]) -> str:
    return f"{match[1]}e{_POWERS[match[2].casefold()]}"
