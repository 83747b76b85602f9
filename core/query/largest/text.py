"""A question with one spelling for signs and units."""

from __future__ import annotations

import re

_PLAIN = {
    "\u2013": "-",
    "\u2014": "-",
    "\u2212": "-",
    "\u2010": "-",
    "\u2011": "-",
    "\u2019": "'",
    "\u2018": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2265": ">=",
    "\u2264": "<=",
    "\u2267": ">=",
    "\u2266": "<=",
    "\u00a0": " ",
    "\u202f": " ",
    "\u2009": " ",
    "\u00b2": "2",
    "\u00d7": "x",
    "\u03b5": "emissivity ",
    "\u0394": "change of ",
    "\u2103": " degc",
    "\uff0c": ", ",
}

_SPELLED = (
    (r"\bper ?cents?\b|\bpercents?\b", "%"),
    (r"\bdegrees? (?:celsius|centigrade|c)\b|(?:\u00b0|\bdeg\.? ?)\s*c\b|\bcelsius\b", " degc"),
    (r"\bdegrees? (?:fahrenheit|f)\b|\u00b0\s*f\b|\bfahrenheit\b", " degf"),
    (r"\bdegrees? (?:kelvin|k)\b|\bkelvins?\b", " k"),
    (r"(?<=\d) ?(?:\u00b0|deg\b)", " degree"),
    (r"(?<=\d) ?(?:metres?|meters?)\b(?! (?:per|resolution))", " m"),
    (r"\bhectares?\b", "ha"),
    (r"\bsquare (?:kilometers?|kilometres?)\b|\bsq\.? ?km\b|\bkm\^2\b", "km2"),
    (r"\bsquare (?:meters?|metres?)\b|\bsq\.? ?m\b|\bm\^2\b", "m2"),
    (r"\bquarters?\b(?= of the (?:area|pixels|scene|image|dates))", "25 %"),
    (r"\bhalf\b(?= (?:of )?(?:the )?(?:area|pixels|scene|image|region|dates|days))", "50 %"),
    (r"\bone[- ]third\b(?= of)|\ba third\b(?= of)", "33.3333 %"),
    (r"\bzero\b", "0"),
    (
        r"(?<![\d.,])0,(?=\d)|(?<![\d.,])(\d+),(?=\d{1,2} ?(?:%|degc|k\b|m\b|ha\b|km2))",
        lambda m: f"{m[1] or 0}.",
    ),
    (r"\b(?:first|1st) band\b", "band 1"),
    (r"\b(?:second|2nd) band\b", "band 2"),
    (r"\b(?:third|3rd) band\b", "band 3"),
    (
        r"\bday(?:-?time)?(?: and | & |[-/ ]to[-/ ]|[-/])night(?:-?time)? "
        r"(?=((?:land )?(?:surface )?(?:temperatures?|lst))\b)",
        r"daytime \1 and nighttime ",
    ),
    (
        r"\b(above|over|below|under) and (above|over|below|under) (\d[\d.]*(?: (?:m|k|degc|degree))?(?!\w))",
        r"\1 \3 and \2 \3",
    ),
    (r"\b(more|less) green\b(?! band)", r"\1 greenness"),
    (r"\bhow green\b", "what greenness"),
    (r"\bhow (?:hot|warm|cold|cool)\b", "what temperature"),
)

NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?"


def normalise_question(question: str) -> str:
    """Return a question in lower case with one spelling for signs and units."""
    text = question
    for sign, plain in _PLAIN.items():
        text = text.replace(sign, plain)
    text = text.lower()
    for pattern, spelled in _SPELLED:
        text = re.sub(pattern, spelled, text)
    return re.sub(r"\s+", " ", text).strip()


def alternatives(*patterns: str) -> str:
    """Return a pattern that any of the patterns matches."""
    return "|".join(patterns)


def number(text: str) -> float:
    """Return the number that a text such as ``1,234.5`` or ``-0.3`` stands for."""
    return float(text.replace(",", ""))
