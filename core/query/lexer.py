"""From text to tokens: at each place the longest date, number, phrase or name, with all it may mean."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, tee
from pathlib import Path

from rapidfuzz.distance import DamerauLevenshtein

from treeline.core.query.dates import date_at, with_days_in_numbers
from treeline.core.query.definitions import without_definitions
from treeline.core.query.expression import Number, When
from treeline.core.query.inventory import Inventory
from treeline.core.query.lexicon.graph import Words, words_of
from treeline.core.query.names import Interpretation, Names, other_words
from treeline.core.query.numbers import coordinate_at, number_at
from treeline.core.query.phrases.conditions import Operator
from treeline.core.query.phrases.counts import Area, Share, Unit
from treeline.core.query.phrases.phrase import Join, Nothing, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.times import Clouds, Time
from treeline.core.query.phrases.values import Amount, Each, Measure, Raw
from treeline.core.query.tokens import Token

LONGEST = 4000
_WORD = re.compile(r"@?[^\W]+(?:'[^\W]+)?|[^\s\w]")
_SIGNS: dict[str, tuple[Phrase, ...]] = {
    ">": (Operator("gt"),), "<": (Operator("lt"),), "≥": (Operator("ge"),), "≤": (Operator("le"),),
    ">=": (Operator("ge"),), "<=": (Operator("le"),), "=": (Operator("eq"),), "==": (Operator("eq"),),
    "≠": (Operator("ne"),), "!=": (Operator("ne"),), ",": (Join("and"), Nothing()), "&": (Join("and"),),
    ";": (Join(";"), Join("and"), Nothing()), "-": (Join("to"), Word("minus")),
    "->": (Join("to"),), "→": (Join("to"),), "–": (Join("to"), Word("minus")),
    "−": (Join("minus"), Word("minus")), "/": (Word("per"),), "+": (Word("plus"),),
}  # fmt: skip
# Of a plural or a name: "the classes' mean".
_POSSESSIVE = re.compile(r"(?<=s)'(?=\s)")
# What a paraphrase says of its defaults.
_ASSUMED = re.compile(r"\(assumed: [^()]*\)")
# What tells in other words what stands before it is as if it stood in brackets; it adds nothing.
ASIDE = "⟨"
_OTHERWISE = (
    r"(?:i\.e\.,?|that is to say,?|that is,|in other words,?|"
    r"(?:judging|judged|going) by"
    r"(?=\s(?:the |its |their )?(?:mean|average)\b))\s"
)
_ASIDE_IN_BRACKETS = re.compile(rf"\({_OTHERWISE}")
_ASIDE = re.compile(rf",?\s{_OTHERWISE}((?:[^,;?!().]|\.\d)+)(?:[,;?!.]|$)")
# "Each season (spring, summer, autumn and winter)": all four are each one.
_SEASON = r"(?:spring|summer|autumn|fall|winter)"
_ALL_SEASONS = re.compile(rf"(?<=season )\(\s*{_SEASON}(?:\s*(?:,|and|&|, and)\s*{_SEASON}){{3}}\s*\)")
# What a word is to mean here is told in brackets or after a comma: "dense vegetation, defined as NDVI > 0.7".
_DEFINED = re.compile(
    r",?\s(?:(?:here |which is )?(?:defined|taken|understood)(?: here)? (?:as|to be|to mean)|meaning)\s"
    r"(?!the (?:span|time|period|stretch|interval|part of the year)\b)"
    r"((?:[^,;?!().]|\.\d)+)(?:,|(?=[;?!.]|$))"
)
# A question that asks for just what was said: "... - what is it?"
_TAG = re.compile(
    r"\s(?:[-–—]|--)\s(?:so |and )?(?:what|which|which one|how much) (?:is|was|are|were|would|will) "
    r"(?:it|that|this|they|those|these)(?: be)?(?=\s*[?,.!]|\s*$)"
)
# "Is it significant, or not?": whether it is.
_OR_NOT = re.compile(
    r",?\s(?:or not|(?:(?:please )?(?:answer|reply|respond|say)(?: with| by|:)? )?(?:yes or no|yes/no))"
    r"(?=\s*[?.!]|\s*$)"
)
# "Of the forest, what share is above 700 m": what a share is taken of stands first.
_OF_WHAT = re.compile(
    r"\A\s*of (?:the|all) (?!(?:the )?(?:pixels|images|dates|scenes|acquisitions|days)\b)"
    r"(?=[^,?]+,? (?:what|which|how much|how large a|how many) ?"
    r"(?:share|fraction|percentage|percent|per cent|proportion|part|\b(?:is|are|was|were|lies)\b))"
)
# "Among the cloud-free dates, which has the lowest": of these.
_AMONG_WHICH = re.compile(
    r"\A\s*(?P<word>among|amongst|out of|from)(?= [^,?]+, ?(?:which|name|tell|find|give)\b)"
)
# What ground is good for says nothing beside its gloss: "suitable for ploughing, i.e. below 8 degrees".
_GOOD_FOR = re.compile(
    r"\b(?:suitable|suited|fit|good|ideal|fine|right|usable|useful|too \w+) for (?:\w+ ){0,2}\w+,?\s"
    r"(?:i\.e\.,?|that is,?|meaning|say,?|in other words,?)\s"
)
# "Clear pixels only -> mean NDVI": an arrow leads on as a colon does.
_ARROW = re.compile(r"[-=]>|→")
# "mean(NDVI, 2016-08-14)": as a formula writes it.
_AS_A_FUNCTION = re.compile(
    r"\b(mean|median|max|min|maximum|minimum|std)\(\s*([a-z0-9_ ]+?)\s*,\s*([^(),]+?)\s*\)"
)
_SILENT = frozenset(".?!:\"'`“”")


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _without_known_count(text: str, inventory: Inventory) -> str:
    """Return a text in which "all twelve dates" are all dates, where there are twelve; "the two years"."""
    years = {len({day.year for day in inventory.dates})}
    # Of a day with two images both count, where images are counted.
    images = {len(inventory.dates), max((held.images for held in inventory.holdings), default=0)}
    for match in reversed(list(_SO_MANY.finditer(text))):
        start, end = match.span("count")
        found = number_at(text, start)
        there = years if match["of"] == "years" else images
        if found is not None and found[0] == end and found[1] in [(Amount(Number(float(n))),) for n in there]:
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


_SO_MANY = re.compile(
    r"\b(?:all|the|these|those|our)\s+(?:the\s+|of the\s+)?(?P<count>[\w-]+)\s+(?:available\s+|ndvi\s+)?"
    r"(?P<of>dates|days|images|scenes|acquisitions|pictures|overpasses|rasters|years)\b"
)


def _bracket(match: re.Match[str]) -> str:
    """Return an aside in brackets that stand where its first word and the mark after it stood."""
    return f"{' ' * (match.start(1) - match.start() - 1)}{ASIDE}{match[1]}⟩"


def _in_brackets(match: re.Match[str]) -> str:
    """Return what tells the meaning of the words before it in brackets of its own."""
    return f" ({match[1]})".ljust(len(match[0]))


def _among(match: re.Match[str]) -> str:
    return "among".ljust(len(match[0]))


def _mark(match: re.Match[str]) -> str:
    return ASIDE + " " * (len(match[0]) - 1)


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    start: int
    end: int


def tokens_of(question: str, names: Names) -> list[Token]:
    """Return the tokens of a question, in its order.

    Parameters
    ----------
    question : str
    names : Names
        Of the workspace that it is asked of.
    """
    return _with_parts_apart(_with_what_was_found(_with_open_end(_tokens_in(question, names))))


def _with_parts_apart(tokens: list[Token]) -> list[Token]:
    """Return tokens in which ";" between brackets parts what is asked, as a paraphrase does."""
    found = list(tokens)
    for place, (before, token, after) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False), 1):
        if (before.kind, token.text, after.kind) == ("close", ";", "open"):
            found[place] = replace(token, meanings=(Join(";"),))
    return found


def _with_what_was_found(tokens: list[Token]) -> list[Token]:
    """Return tokens in which "which day was cloudiest and how cloudy" asks how cloudy it was."""
    told = [token for token in tokens if token.text not in _CLOSING]
    joined = len(told) > 1 and Join("and") in told[-2].meanings
    measures = bool(told) and any(isinstance(m, Raw | Measure) for m in told[-1].meanings)
    if not joined or not measures or not told[-1].text.startswith("how "):
        return tokens
    place = tokens.index(told[-1]) + 1
    return [*tokens[:place], replace(told[-1], meanings=(Word("it"),)), *tokens[place:]]


def _tokens_in(question: str, names: Names) -> list[Token]:
    text = question.lower().replace("’", "'").replace("‑", "-").replace(" ", " ")
    if len(text) != len(question):
        text = "".join(c.lower() if len(c.lower()) == 1 else c for c in question)
    text = _POSSESSIVE.sub(" ", _ARROW.sub(lambda arrow: ":".ljust(len(arrow[0])), text))
    text = without_definitions(_ASSUMED.sub(_blank, text), names)
    text = _without_known_count(_OR_NOT.sub(_blank, text), names.inventory)
    text = _ALL_SEASONS.sub(_blank, _DEFINED.sub(_in_brackets, with_days_in_numbers(text)))
    text = _TAG.sub(_blank, _GOOD_FOR.sub(_blank, text))
    text = _AS_A_FUNCTION.sub(lambda match: " ".join(match.groups()).ljust(len(match[0])), text)
    text = _ASIDE.sub(_bracket, _ASIDE_IN_BRACKETS.sub(_mark, text))
    text = _AMONG_WHICH.sub(lambda match: "of".ljust(len(match[0])), text)
    text = _DAYS_OF_A_MONTH.sub("–", _OF_WHAT.sub(_among, text))
    pieces = [_Piece(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]
    tokens = _tokens(text, pieces, names)
    repairs = {token.start: token.repaired for token in tokens if token.repaired}
    if repairs:  # the word that is meant may be part of a phrase
        meant = [replace(piece, text=repairs.get(piece.start, piece.text)) for piece in pieces]
        tokens = [_with_repair(token, meant, repairs) for token in _tokens(text, meant, names)]
    tokens = _with_which_season(_with_which_as_question(_with_show_as_verb(text, tokens), names))
    tokens = _with_scene_as_ground(_with_what_is_owned(text, _with_turned(tokens)))
    tokens = _with_where_as_question(_with_how_as_question(tokens, names), names)
    return _with_none_for_not_any(_with_clear_dates(_with_dates_to_choose(_with_area_of_a_ground(tokens))))


def _with_repair(token: Token, meant: list[_Piece], repairs: dict[int, str]) -> Token:
    """Return a token that tells what was taken for a slip of the pen in it."""
    inside = [piece.text for piece in meant if token.start <= piece.start < token.end]
    slip = any(token.start <= start < token.end for start in repairs)
    return replace(token, repaired=" ".join(inside)) if slip else token


def _tokens(text: str, pieces: list[_Piece], names: Names) -> list[Token]:
    known_dates = frozenset(names.inventory.dates)
    tokens: list[Token] = []
    at = 0
    while at < len(pieces):
        token, at = _token_at(text, pieces, at, names, known_dates)
        if token is not None:
            first = token if tokens else _opening(token)
            tokens.extend(_in_other_words(first, names) or [first])
    return tokens


def _with_open_end(tokens: list[Token]) -> list[Token]:
    """Return tokens in which "the highest cloud cover was observed on" asks on which date.

    What else is left open at the end is no word to be passed over.
    """
    last = next((k for k in range(len(tokens) - 1, -1, -1) if tokens[k].text not in _CLOSING), 0)
    ending = tokens[last].text.split()[-1] if tokens else ""
    if ending not in ("on", "in", "of") or _ASKS.search(" ".join(t.text for t in tokens)):
        return tokens
    if ending == "in" and any(_LEAVE in token.meanings for token in tokens):
        return tokens
    meanings = (Unit("date", asks=True),) if tokens[last].text == "on" else ()
    return [*tokens[:last], replace(tokens[last], kind="form", meanings=meanings), *tokens[last + 1 :]]


_CLOSING = (".", ":", "?", "!", ";", ",", "…", "_")
_ASKS = re.compile(r"^(?:is|are|was|were|does|do|did)\b|\b(?:which|what|where|when|who|how)\b")


def _with_dates_to_choose(tokens: list[Token]) -> list[Token]:
    """Return tokens in which "which of", before a day, asks for one of the dates, and is not passed over."""
    found = list(tokens)
    for place, (token, after) in enumerate(pairwise(tokens)):
        if _WHICH_OF in token.meanings and any(isinstance(m, Time) and m.when.single for m in after.meanings):
            found[place] = replace(token, meanings=(_WHICH_OF, Unit("date", asks=True)))
    return found


_LEAVE = Word("leave")
_WHICH_OF = Word("which_of")


def _with_show_as_verb(text: str, tokens: list[Token]) -> list[Token]:
    """Return tokens in which "does the NDVI show" is no order to draw a map."""
    found = list(tokens)
    for place, token in enumerate(tokens):
        before = next((t for t in reversed(tokens[:place]) if t.text.split()[-1] in _AUXILIARIES), None)
        asked = before is not None and not _ENDS.search(text[before.end : token.start])
        if token.text == "show" and asked:
            found[place] = replace(token, meanings=(Nothing(),))
    return found


def _with_turned(tokens: list[Token]) -> list[Token]:
    """Return tokens in which "became cropland" may not be passed over, as it may in "became greener"."""
    found = list(tokens)
    for place, (verb, after) in enumerate(pairwise(tokens)):
        if _TURNED in verb.meanings and any(isinstance(m, Mask) for m in after.meanings):
            found[place] = replace(verb, kind="lexicon", meanings=(_TURNED,))
    return found


_TURNED = Word("turned")


def _with_what_is_owned(text: str, tokens: list[Token]) -> list[Token]:
    """Return tokens in which "the grassland's" that owns nothing behind it is "that of the grassland".

    "The median date's" is the one date's then, and no statistic of each date.
    """
    found: list[Token] = []
    for token in tokens:
        if token.text.endswith("'s") and token.meanings and _OWNS_NOTHING.match(text, token.end):
            if all(isinstance(m, Mask) for m in token.meanings):
                found.append(replace(token, meanings=(Word("that_of"), Nothing())))
            one = tuple(m for m in token.meanings if not isinstance(m, Each))
            token = replace(token, meanings=one)
        found.append(token)
    return found


_OWNS_NOTHING = re.compile(r"\s*(?:$|[?.!,;)]|(?:on|in|during|for|at|and by|by)\b)")


def _with_scene_as_ground(tokens: list[Token]) -> list[Token]:
    """Return tokens in which "the share of the scene" is of its pixels, and not of several scenes."""
    found = list(tokens)
    content = [place for place, token in enumerate(tokens) if token.kind != "filler"]
    for before, place in pairwise(content):
        shared = any(isinstance(meaning, Share) for meaning in tokens[before].meanings)
        if shared and tokens[place].text in ("scene", "image"):
            kept = tuple(meaning for meaning in tokens[place].meanings if meaning != Unit("date"))
            found[place] = replace(tokens[place], meanings=kept)
    return found


def _with_where_as_question(tokens: list[Token], names: Names) -> list[Token]:
    """Return tokens in which "where the steepest place is" asks where it is."""
    told = [token for token in tokens if token.text not in _CLOSING]
    asked = names.vocabulary.get(words_of("where is"))
    if asked is None or not told or told[-1].text not in _IS:
        return tokens
    place = max((at for at, token in enumerate(tokens) if token.text == "where"), default=-1)
    if place < 0:
        return tokens
    where = replace(tokens[place], meanings=asked.phrases, kind=asked.kind)
    return [*tokens[:place], where, *tokens[place + 1 :]]


_IS = ("is", "are", "was", "were", "lies", "lie")


def _with_how_as_question(tokens: list[Token], names: Names) -> list[Token]:
    """Return tokens in which "show me how it changed" asks how it did, and is no order to draw a map."""
    asked = names.vocabulary.get(words_of("how did"))
    found = list(tokens)
    for place, (order, how) in enumerate(pairwise(tokens)):
        if order.text.startswith("show") and how.text.startswith("how"):
            found[place] = replace(order, meanings=(Nothing(),))
            if asked is not None and (how.kind, how.text) == ("filler", "how"):
                found[place + 1] = replace(how, meanings=asked.phrases, kind=asked.kind)
    return found


def _with_which_as_question(tokens: list[Token], names: Names) -> list[Token]:
    """Return tokens in which "which" as the last word asks for something: "Is any region hotter? Which?"."""
    asked = names.vocabulary.get(words_of("which ones"))
    if len(tokens) < 2 or asked is None or (tokens[-1].kind, tokens[-1].text) != ("filler", "which"):
        return tokens
    return [*tokens[:-1], replace(tokens[-1], meanings=asked.phrases, kind=asked.kind)]


def _with_which_season(tokens: list[Token]) -> list[Token]:
    """Return tokens in which "which July" asks for a year; "which July date" asks for a date."""
    found = list(tokens)
    for place, (which, season) in enumerate(pairwise(tokens)):
        named = any(isinstance(m, Time) and m.when == When(months=m.when.months) for m in season.meanings)
        dated = any(after.means(Unit, Time) for after in tokens[place + 2 : place + 3])
        if (which.kind, which.text) == ("filler", "which") and named and not dated:
            found[place] = replace(which, kind="lexicon", meanings=(Word("which"),))
    return found


_AUXILIARIES = ("do", "does", "did")
_ENDS = re.compile(r"[.?!;:]\s")


def _with_area_of_a_ground(tokens: list[Token]) -> list[Token]:
    """Return tokens in which "how much forest area" asks for an area, and not for a share of the forest."""
    found = list(tokens)
    for place, (much, ground, area) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        asked = tuple(m for m in area.meanings if isinstance(m, Area))
        if much.text == "how much" and asked and any(isinstance(m, Mask) for m in ground.meanings):
            found[place] = replace(much, meanings=asked)
            found[place + 2] = replace(area, kind="filler", meanings=(Nothing(),))
    return found


def _with_clear_dates(tokens: list[Token]) -> list[Token]:
    """Return tokens in which "cloud-free August dates" are dates without clouds, not clear pixels."""
    found = list(tokens)
    for place, token in enumerate(tokens):
        times = place + 1
        while times < len(tokens) and any(isinstance(m, Time) for m in tokens[times].meanings):
            times += 1
        dated = place + 1 < times < len(tokens) and token.text.split()[-1] in _CLEAR
        if dated and any(isinstance(m, Unit) and m.of == "date" for m in tokens[times].meanings):
            found[place] = replace(token, meanings=(Clouds("clear_dates"),))
    return found


_CLEAR = ("cloud-free", "cloudless", "clear", "unclouded")


def _with_none_for_not_any(tokens: list[Token]) -> list[Token]:
    """Return tokens in which "not ... on any date" is "on no date": what is denied is that there is one.

    Brackets keep together what is denied.
    """
    found = list(tokens)
    denied = next((place for place, token in enumerate(tokens) if Word("not") in token.meanings), None)
    if denied is None:
        return found
    for place in range(denied + 1, len(tokens)):
        if tokens[place].kind in ("open", "close"):
            break
        none = tuple(map(_none_of, tokens[place].meanings))
        if none != tokens[place].meanings:
            found[denied] = replace(tokens[denied], meanings=(Nothing(),))
            found[place] = replace(tokens[place], meanings=none)
            break
    return found


def _none_of(meaning: Phrase) -> Phrase:
    """Return "no" for "any", and anything else as it is."""
    if isinstance(meaning, Each) and meaning.axis.startswith("any "):
        return replace(meaning, axis=meaning.axis.replace("any ", "no ", 1))
    return Word("no") if meaning == Word("exists") else meaning


def _in_other_words(token: Token, names: Names) -> list[Token]:
    """Return the tokens of the words that a phrase stands for; all bear its own text."""
    said = other_words(words_of(token.text))
    if not said or token.kind == "unknown":
        return []
    return [
        replace(part, text=token.text, start=token.start + place, end=token.end)
        for place, part in enumerate(_tokens_in(said, names))
    ]


def _opening(token: Token) -> Token:
    """Return the first word: "isn't it" and "doesn't it" ask whether it is and does."""
    return replace(token, meanings=(Word("did"), Nothing())) if token.text.endswith("n't") else token


def _token_at(
    text: str, pieces: list[_Piece], at: int, names: Names, known_dates: frozenset[dt.date]
) -> tuple[Token | None, int]:
    piece = pieces[at]
    forms = [
        form
        for form in (
            date_at(text, piece.start, known_dates),
            number_at(text, piece.start),
            coordinate_at(text, piece.start),
        )
        if form
    ]
    if _hyphen(text, piece):
        forms = []
    named = _longest_name_at(pieces, at, names)
    sign = _sign_at(text, pieces, at)
    end = max(
        [form[0] for form in forms] + [pieces[named[1] - 1].end if named else 0] + [sign[0] if sign else 0]
    )
    if end == 0:
        return _leftover(text, piece, at, names)
    if any(form[0] == end and isinstance(form[1][0], Time) for form in forms):
        forms = [form for form in forms if not isinstance(form[1][0], Amount)]
    meanings: list[Phrase] = [phrase for form in forms if form[0] == end for phrase in form[1]]
    kind = "form"
    if named and pieces[named[1] - 1].end == end:
        kind = named[0].kind
        meanings.extend(named[0].phrases)
    if text[piece.start : end].endswith("'s"):
        meanings = _in_genitive(meanings, piece.text.removesuffix("'s"))
    if sign and sign[0] == end:
        meanings.extend(sign[1])
    after = next((k for k in range(at, len(pieces)) if pieces[k].start >= end), len(pieces))
    written = " ".join(text[piece.start : end].split())
    return Token(written, piece.start, end, kind, tuple(dict.fromkeys(meanings))), after


def _in_genitive(meanings: list[Phrase], first: str) -> list[Phrase]:
    """Return what "date's" may mean: of the date that is named, or of each date."""
    found: list[Phrase] = []
    for phrase in meanings:
        if isinstance(phrase, Unit) and first not in _ASKING:
            found.append(replace(phrase, owns=True))
            if phrase.of in ("date", "month", "year", "season"):
                found.append(Each(phrase.of))
        else:
            found.append(phrase)
    return found


_ASKING = ("which", "what", "on", "in", "at", "when", "of")


def _hyphen(text: str, piece: _Piece) -> bool:
    """Return whether a sign stands directly after a word or number, so that it cannot begin a number."""
    return (
        piece.text in "-−–+"
        and piece.start > 0
        and not text[piece.start - 1].isspace()
        and text[piece.start - 1] not in "(<>="
    )


def _sign_at(text: str, pieces: list[_Piece], at: int) -> tuple[int, tuple[Phrase, ...]] | None:
    piece = pieces[at]
    two = text[piece.start : piece.start + 2]
    if two in _SIGNS and len(two) == 2:
        return piece.start + 2, _SIGNS[two]
    if piece.text in "-–" and _inside_words(text, piece):
        return None
    if piece.text not in _SIGNS:
        return None
    return piece.end, (*_SIGNS[piece.text], *((Nothing(),) if _is_dash(text, piece) else ()))


def _is_dash(text: str, piece: _Piece) -> bool:
    """Return whether a stroke has room on both sides, so that it may set two parts of a sentence apart."""
    around = text[piece.start - 1 : piece.start] + text[piece.end : piece.end + 1]
    return piece.text in "-\u2013" and around.isspace() and len(around) == 2


def _inside_words(text: str, piece: _Piece) -> bool:
    """Return whether a hyphen joins the parts of a word; between months or numbers it means "to"."""
    before, after = text[: piece.start][-1:], text[piece.end : piece.end + 1]
    return (
        before.isalpha()
        and after.isalpha()
        and not re.search(rf"(?:{_MONTHS})[a-z]*[-–]$", text[: piece.end])
    )


_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
# The stroke of "14-29 August 2016".
_DAYS_OF_A_MONTH = re.compile(rf"(?<=\b\d)-(?=\d\d? (?:{_MONTHS}))|(?<=\b\d\d)-(?=\d\d? (?:{_MONTHS}))")


def _longest_name_at(pieces: list[_Piece], at: int, names: Names) -> tuple[Interpretation, int] | None:
    """Return what the longest phrase or name that starts here stands for, and where it ends."""
    ahead, along = tee(_words_from(pieces, at))
    longest: tuple[Interpretation, int] | None = None
    for (_, end), meant in zip(along, names.vocabulary.prefixes(word for word, _ in ahead), strict=False):
        if meant is not None and end:
            longest = (meant, end)
    return longest


def _words_from(pieces: list[_Piece], at: int) -> Iterator[tuple[str, int]]:
    """Yield the words from a piece on, each with the piece after the one it ends; nothing within one."""
    for k in range(at, len(pieces)):
        words = words_of(pieces[k].text)
        if not words and (k == at or pieces[k].text not in "-‑"):
            return
        for number, word in enumerate(words, 1):
            yield word, k + 1 if number == len(words) else 0


def _leftover(text: str, piece: _Piece, at: int, names: Names) -> tuple[Token | None, int]:
    if piece.text in ("(", ")", "[", "]", "{", "}", ASIDE, "⟩"):
        kind = "open" if piece.text in f"([{{{ASIDE}" else "close"
        return Token(piece.text, piece.start, piece.end, kind), at + 1
    if piece.text in _SILENT or piece.text in "-–":
        return None, at + 1
    repaired = _repair(words_of(piece.text), names)
    if repaired is not None:
        word, meant = repaired
        return Token(piece.text, piece.start, piece.end, meant.kind, meant.phrases, word), at + 1
    return Token(piece.text, piece.start, piece.end, "unknown"), at + 1


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """Return everyday English words, which are never taken for a misspelling."""
    text = (Path(__file__).parent / "lexicon" / "common_words.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def _repair(words: Words, names: Names) -> tuple[str, Interpretation] | None:
    """Return the known word that one is a slip away from; ``None`` for a word of the language.

    In a short word only two letters that changed places are taken for a slip.
    """
    if len(words) != 1 or len(words[0]) < 4 or not words[0].isalpha() or _is_common(words[0]):
        return None
    word = words[0]
    near = [known for known in names.vocabulary.single_words() if _is_slip(word, known)]
    found = [meant for known in near if (meant := names.vocabulary.get((known,))) is not None]
    return (near[0], found[0]) if len({meant.phrases for meant in found}) == 1 else None


def _is_slip(word: str, known: str) -> bool:
    if known[0] != word[0] or abs(len(known) - len(word)) > 1:
        return False
    if min(len(word) - 1, len(known)) < 5 and sorted(known) != sorted(word):
        return False
    return DamerauLevenshtein.distance(word, known, score_cutoff=1) <= 1


def _is_common(word: str) -> bool:
    known = common_words()
    stems = {
        word,
        word.removesuffix("s"),
        word.removesuffix("es"),
        word.removesuffix("ed"),
        word.removesuffix("d"),
    }
    stems |= {word.removesuffix("ing"), word.removesuffix("ing") + "e", word.removesuffix("ly")}
    return bool(stems & known)
