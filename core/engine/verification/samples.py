"""Values at places, of points and of profiles: which place of them a text names, in coordinates or distances.

A row of such a result is no class with several numbers but one value at a place. Its label is a word that is
made of the place; what a text calls the place by is exchanged for that word, so that every rule reads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from treeline.core.engine.verification.columns import Column, Place
from treeline.core.engine.verification.notation import number_in_words

_DIGITS = r"[-\u2212]?\d+(?:,\d{3})*(?:\.\d+)?"
_AXIS = r"(?:\b(?:x|y|E|N|east(?:ing)?|north(?:ing)?|lon(?:gitude)?|lat(?:itude)?)\b\s?[=:]?\s?)"
_SIDE = r"(?:\s?m\b)?(?:\s?\u00b0)?(?:\s?[ENSW]\b)?"
_PAIR = re.compile(
    rf"(?:\bcoordinates? )?(?P<open>[(\[])?{_AXIS}?(?<![\w.])(?P<one>{_DIGITS}){_SIDE}\s?(?:[,;/|]|and\b)?\s?"
    rf"{_AXIS}?(?P<other>{_DIGITS}){_SIDE}(?(open)[)\]])(?![\w.]*\d)"
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERED = re.compile(
    r"\b(?:the )?(?:(?P<place>" + "|".join(_ORDINALS) + r"|last) (?:of the \w+ )?(?:sample |sampled )?"
    r"(?:point|location|site|position|coordinates?)|"
    r"(?:sample |sampled )?(?:point|location|site|position)s? (?:no\.? ?|number |#)?"
    r"(?P<number>\d{1,2})(?![\d.,]*\d)|"
    r"P(?P<short>\d{1,2})(?![\d.,]*\d))\b(?! of the (?:compass|scale))",
    re.I,
)
_WORDS = "half a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_KM, _M = r"(?:km|[Kk]ilomet(?:re|er)s?)\b", r"(?:m|[Mm]et(?:re|er)s?)\b"
_ROUGH = r"(?:about |around |roughly |approximately |some |just |only |~\s?)*"
_START = r"(?:start|beginning|first|origin|west|east|north|south)\w*(?: (?:point|end|edge|side))?"
_LINE = r"(?:line|profile|transect|way)"
_ALONG = (
    rf"\s?(?:(?:farther |further )?(?:along|into|down|from (?:the |its )?{_START}|"
    rf"of (?:the )?(?:distance|{_LINE})|mark)\b)(?: (?:the )?(?:{_LINE}|start))?"
)
_PLACE_IN_KM = rf"(?:{_ALONG}|\s(?:mark|point)\b|\s(?:on|in|later)\b(?! the))"
_DISTANCE = re.compile(
    rf"(?P<beside>\b(?:after|near|around|by|about|past|at(?: a distance of)?) {_ROUGH}(?:the )?)?"
    rf"(?:\b(?:[Kk]ilomet(?:re|er)|km) (?P<behind>{_DIGITS}|{_WORDS})(?![\d.,]*\d)(?! ?(?:km|ha|%))|"
    rf"(?<![\w.,])(?P<kilometres>{_DIGITS}|{_WORDS})[ -]?{_KM}(?P<further>{_PLACE_IN_KM})?|"
    rf"(?<![\w.,])(?P<metres>{_DIGITS})[ -]?{_M}(?P<along>{_ALONG})?)",
    re.I,
)
# What lies so far away, or is told for so much of the way, names no place of it.
_SPANS = re.compile(r"\b(?:over|first|last|next|within|for|every|each|per)\s(?:the\s)?$", re.I)
# Both ends of a part of it: between 1 and 1.5 km, over the first 2 km.
_PART = re.compile(
    rf"(?P<from>\b(?:between|from) )(?P<one>{_DIGITS})(?: ?km)?"
    rf"(?P<to> (?:and|to) )(?P<other>{_DIGITS}) ?{_KM}"
    r"(?! (?:wide|long|apart|away|from)\b)|"
    rf"\bover (?:the )?(?:(?P<first>first) )?(?P<over>{_DIGITS}|{_WORDS}) ?{_KM}",
    re.I,
)
# A row of a table or list that begins with a distance: "| 0.5 | 655 |", "500 m: 790 m".
_ROW = re.compile(
    rf"(?P<lead>(?:^|[;|\n:])[ \t]*(?:[-*] )?)(?P<told>{_DIGITS})(?: ?(?P<unit>km|m)\b)?"
    r"(?=\s?[:|]\s?[-\u2212]?\d)"
)
_FEWEST_ROWS = 2
# The ends of a line, by how they lie or by which comes first.
_WINDS: Mapping[str, Callable[[Place], float]] = {
    "west": lambda place: -place.x,
    "east": lambda place: place.x,
    "south": lambda place: -place.y,
    "north": lambda place: place.y,
}
_OF_LINE = (
    r"(?! of (?!(?:the |its )?(?:line|profile|transect)))(?: of (?:the |its )?(?:line|profile|transect))?"
)
_END = re.compile(
    r"(?P<beside>\b(?:at|in|on|near|from|to|towards?) )?(?:\b(?:the|its) )(?:far )?"
    r"(?:(?P<wind>west|east|south|north)(?:(?:ern)?(?:most)? (?P<end>end|edge|start|side|limit|point)\b|"
    r"\b(?![- ](?:of|half|part|side|east|west|slopes?|to)))|"
    r"(?P<first>start|beginning|first point|starting point)|(?P<last>end|last point|finish|end point))\b"
    rf"{_OF_LINE}",
    re.I,
)
_BEGINS = re.compile(
    r"\b(?:(?P<first>start(?:s|ed|ing)?|beg[iau]ns?|beginning)|"
    r"(?P<last>end(?:s|ed|ing)?(?: up)?|finish(?:es|ed)?)) "
    r"(?=(?:at|with|on) [-\u2212]?\d)",
    re.I,
)
_AT_END = 0.75  # of the line, which runs that way and is its own place at either end


def name_samples(text: str, columns: Sequence[Column]) -> str:
    """Return a text in which places of points and profiles stand by their labels."""
    column = next((each for each in columns if each.places), None)
    if column is None:
        return text
    text = _PAIR.sub(partial(_at_coordinates, column), text)
    if not column.is_profile:
        return _NUMBERED.sub(partial(_in_order, column), text)
    if sum(_in_row(column, match) != match[0] for match in _ROW.finditer(text)) >= _FEWEST_ROWS:
        text = _ROW.sub(partial(_in_row, column), text)
    for pattern, exchange in (
        (_PART, _on_part),
        (_DISTANCE, _at_distance),
        (_END, _at_end),
        (_BEGINS, _at_begin),
    ):
        text = pattern.sub(partial(exchange, column), text)
    return text


def _number(text: str) -> float:
    plain = text.replace(",", "").replace("\u2212", "-")
    if plain == "half a":
        return 0.5
    return float(plain) if plain[-1].isdigit() else float(number_in_words(plain) or 0)


def _half(text: str) -> float:
    """Return half of the last digit that a number is told with."""
    return 0.5 * 10.0 ** -len(text.partition(".")[2])


def _at_coordinates(column: Column, match: re.Match[str]) -> str:
    one, other = match["one"], match["other"]
    found = [
        label
        for label, place in column.places.items()
        for x, y in ((one, other), (other, one))
        if abs(place.x - _number(x)) <= _half(x) and abs(place.y - _number(y)) <= _half(y)
    ]
    return found[0] if len(set(found)) == 1 else match[0]


def _at_distance(column: Column, match: re.Match[str]) -> str:
    beside, metres = (match["beside"] or "").casefold(), match["metres"]
    # A height is told in metres, too: of these only what lies along the line, or comes after them, is one.
    of_way = match["along"] or beside.startswith(("after", "at a distance")) if metres else True
    named = match["behind"] or match["further"] or beside or metres
    if not of_way or not named or _SPANS.search(match.string[: match.start()]):
        return match[0]
    distance = _number(metres or match["behind"] or match["kilometres"]) * (1.0 if metres else 1000.0)
    label = _nearest(column, distance)
    return f"{_at(match) if beside or not match['behind'] else ''}{label}" if label else match[0]


def _nearest(column: Column, distance: float) -> str:
    """Return the place that lies so far along a line; empty where none is near."""
    label = min(column.places, key=lambda each: abs(_distance(column, each) - distance))
    return label if abs(_distance(column, label) - distance) <= _spacing(column) / 2 else ""


def _on_part(column: Column, match: re.Match[str]) -> str:
    if match["over"]:
        last = _nearest(column, _number(match["over"]) * 1000.0)
        whole = bool(last) and (bool(match["first"]) or last == list(column.places)[-1])
        over = f"{'From' if match[0][:1].isupper() else 'from'} {list(column.places)[0]} to {last}"
        return over if whole else match[0]
    one, other = (_nearest(column, _number(match[end]) * 1000.0) for end in ("one", "other"))
    return f"{match['from']}{one}{match['to']}{other}" if one and other and one != other else match[0]


def _in_row(column: Column, match: re.Match[str]) -> str:
    in_km = match["unit"] == "km" or not match["unit"] and re.search(r"\bkm\b", match.string[: match.start()])
    factor = 1000.0 if in_km else 1.0
    distance, half = _number(match["told"]) * factor, _half(match["told"]) * factor
    label = _nearest(column, distance)
    near = bool(label) and abs(_distance(column, label) - distance) <= min(half, _spacing(column) / 4)
    return f"{match['lead']}{label}" if near else match[0]


def _at(match: re.Match[str]) -> str:
    """Return the word before a label, which begins a sentence where what it replaces does."""
    return "At " if match[0][:1].isupper() else "at "


def _distance(column: Column, label: str) -> float:
    return column.places[label].distance or 0.0


def _spacing(column: Column) -> float:
    distances = sorted(_distance(column, label) for label in column.places)
    return max(b - a for a, b in zip(distances, distances[1:], strict=False))


def _at_end(column: Column, match: re.Match[str]) -> str:
    beside = match["beside"] or ""
    if not match["wind"]:
        return f"{beside}{_first_or_last(match, column)}"
    if not beside and not match["end"]:  # a wind alone
        return match[0]
    along = _WINDS[match["wind"].casefold()]
    places = column.places
    best = max(places, key=lambda label: along(places[label]))
    first, last = list(places)[0], list(places)[-1]
    width, height = abs(places[first].x - places[last].x), abs(places[first].y - places[last].y)
    runs = width if match["wind"].casefold() in ("west", "east") else height
    return f"{beside}{best}" if best in (first, last) and runs > _AT_END * (width + height) else match[0]


def _at_begin(column: Column, match: re.Match[str]) -> str:
    return f"{match[0]}at {_first_or_last(match, column)}, "


def _first_or_last(match: re.Match[str], column: Column) -> str:
    labels = list(column.places)
    return labels[0] if match["first"] else labels[-1]


def _in_order(column: Column, match: re.Match[str]) -> str:
    labels, word = list(column.places), (match["place"] or "").casefold()
    place = (
        len(labels)
        if word == "last"
        else _ORDINALS.index(word) + 1
        if word
        else int(match["number"] or match["short"])
    )
    return labels[place - 1] if 0 < place <= len(labels) else match[0]
