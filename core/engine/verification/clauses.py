"""The clauses of an answer, which state one thing each, or deny it: the unit that every rule judges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

# Their point ends no sentence where a small letter or a digit goes on.
_ABBREVIATED = re.compile(
    r"\b(min|max|avg|std|st|dev|approx|ca|elev|vs|resp|incl|i\.e|e\.g|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.(?=[ ),;:]+[^A-Z\s])"
)
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\s*\n\s*")
# Where a sentence goes on to another thing: a clause begins with the word that leads to it.
_TURN = re.compile(
    r",\s|(?<=:)\s(?=(?:it|they)\s)|\s(?=(?:but(?! (?:one|two|three|\d+|for)\b)|while|whereas)\s)|"
    r"\s(?=(?:before \w+ing|(?:and |but )?(?:then|thereafter|afterwards)|later)\s)|"
    r"\s(?=and (?:\S+ ){0,2}?the (?:\w+(?:est|imum)|second|third|fourth|fifth)\b)|"
    r"\s(?=and (?:(?:is|are|was|were) )?(?:(?:most|least) \w+|[a-z]{3,}est) (?:on|in|at|for|over|during)\b)|"
    r"\s(?=and (?:kept|keeps?|continue[sd]?)\b)|"
    r"\s[-\u2013\u2014]\s(?=the (?:\w+est|most|least)\b)|"
    r"\s(?=and (?:then |finally |back )?(?:fell|falls|rose|rises|dropped|drops|declined|declines|decreased|"
    r"decreases|increased|increases|climbed|climbs|recovered|recovers|sank|sinks)(?! by\b)\b)|"
    r"\s(?=and (?:[\w-]+ ){1,3}?(?:least|most|(?!\w*forest)[a-z]{3,}est)"
    r"(?:\W*$| (?:\(|on|in|at|with)\b))|"
    r"\s(?=and (?:(?:it|they|this|that|none|no \w+|only|both|all)\b|an? \w+ of [-\d]))"
)
# What only continues the clause before: a comparison, ends of a range, what is left over, a name of the same.
_CONTINUES = re.compile(
    r"(?:(?:far|much|slightly|about|nearly|almost|roughly|well|some|or|namely|i\.e\b|that is|viz\.?) )*"
    r"(?:(?:more|less|fewer|\w+er)\s(?:\w+ ){0,2}?than\b|\d[\d.]* times\b|twice\b|half\b|from [-\d]|"
    r"(?:an?|one|two|three|four) (?:third|quarter|fifth|tenth)s? of the (?:\w+ )?(?:area|scene|land|map)\b|"
    r"(?:one|we|you) (?:gets?|finds?|obtains?|arrives? at)\b|"
    r"the (?!other\b)\w+er\b|namely\b|i\.e\b|or (?:just |only |about )?[-\d]|"
    r"followed by\b|(?:among|including) (?:them|these|those|the)\b|"
    r"(?:on|in|at) (?:[\d-]{7,10}|\d{1,2} [A-Z][a-z]+(?: \d{4})?|[A-Z][a-z]+ \d{1,4})\W*$|"
    r"(?:with|by|reaching|at) (?:(?:an?|the|its|of|about|around|only|just|some|nearly|almost|roughly|mean|"
    r"median|average|maximum|minimum|value|NDVI) )*[-+]?\d)",
    re.I,
)
# What is said of the thing that the clause before it names.
_REFERS = re.compile(
    r"\W*(?:(?:and|but) )?(?:(?:also|thus|hence|therefore) )?"
    r"(?:(?:which|this|that|(?P<it>it))\b|making (?:it|this|that)\b|"
    r"the \w+(?:est|most|imum)\b(?: \w+)? (?:of|among)\b|with no\b|"
    r"(?:not )?(?:the |an? )?(?:majority|minority)\b(?! of)|"
    r"an? (?:\w+er|more \w+|less \w+) (?:\w+ )?than (?:any|every|all|each)\b|"
    r"(?:(?:a (?:little|bit)|slightly|far|much|well|just|clearly) )?"
    r"(?:(?:more|less|fewer|\w+er) than|as (?:much|many|large|big) as|ahead of|behind|above|below)\b)",
    re.I,
)
# How something went on behind the clause before, up to a time: "and kept falling until December".
_KEEPS_ON = re.compile(
    r"\W*(?P<and>(?:and |but )?(?:then )?)(?:it )?(?:kept|keeps?|continue[sd]?)\b"
    r"(?!.*\b(?:from|since|after)\b)(?=.*\b(?:until|till|up to|through)\b)",
    re.I,
)
# A predicate whose subject stands before what is put in between: "all images, clouds included, have 0.6".
_PREDICATE = re.compile(
    r"(?:is|are|was|were|has|have|had|lies?|lay|stands?|stood|amounts?|comes? to|came to)\b"
)
_BEGINS = re.compile(r"(?:but|while|whereas|although|yet)\b")
_APPOSITIVE = re.compile(
    r"\s*the (?:\w+est|most \w+|least \w+)(?: \w+)?(?: (?:of|among) (?:all|the|these)(?: \w+){0,2})?\W*$",
    re.I,
)
# "Which is the highest of the five dates", "and thus the warmest".
_LONE_EXTREME = re.compile(
    r"\W*(?:(?:and|which|it|that|this|making|is|was|thus|hence|therefore|so|also|then|clearly|by far)\s+)*"
    r"the (?:[a-z]{3,}est|most [a-z]+|least [a-z]+|maximum|minimum)"
    r"(?: (?:value|one|date|day|month|year|class|zone|region|mean|average|"
    r"(?:of|among) (?:all|the|these|those)(?: \w+){0,2}|"
    r"(?:in|of|over) the (?:series|season|period|year|record|list|table)))*\W*$",
    re.I,
)
_HEAD = re.compile(r"\bthe \w+est ([a-z]{3,})\b", re.I)
_HEADLESS = re.compile(
    r"(?<!\bis )(?<!\bwas )(?<!\bare )(?<!\bwere )\b(the \w+est)"
    r"(?=\s(?:is|was|lies|lay|has|had|at|above|below|(?:reach|stay|exceed|rise|fall|averag)\w*)\b)",
    re.I,
)
_RANKED = r"\bthe (?:second|third|fourth|fifth|last)"
_ORDER = re.compile(rf"{_RANKED}[- ](\w+est|most \w+|least \w+)\b", re.I)
_ORDERLESS = re.compile(rf"({_RANKED})(?=\W*$|\s(?:with|at|on|in)\b)", re.I)
_ALONE = re.compile(r"[-+\u2212~\u2248]?\d[\d.,]*\s?[^\s\d,;]{0,7}(?: [CF])?", re.I)
# The time of what comes behind it, or the first of several: "On 2016-08-14, forest had 0.7".
_TIME_AHEAD = re.compile(
    r"(?:[^:]{0,40}:)?\W*(?:(?:on|in|at|for|during) )?(?:the )?\d{4}(?:-\d\d){0,2}", re.I
)
# "The largest, Larchford, has 512 ha", "Highest: 25 July (0.74)": what is called so stands behind it.
_NAMED_BEHIND = re.compile(
    r"(\b[Tt]he (?:[a-z]{3,}est|most [a-z]+|least [a-z]+)), "
    r"((?:[A-Z][\w-]*|\d{4}-[\d-]+)(?: [A-Z][\w-]*)?)(?=,? \(|[,.;]|$),?"
)
_HEADED_EXTREME = re.compile(r"^(\W*)([A-Z][a-z]{2,}est|Most [a-z]+|Least [a-z]+): (?=\S)")
# Which statistic is told: "Averaged over the whole scene, it has 0.7".
_STATISTIC_AHEAD = re.compile(
    r"\W*(?:on average|averaged (?:over|across) [^,\d]{1,40}|in the (?:mean|median)|as a (?:mean|median))",
    re.I,
)
# An item of a list or a row of a table, and what stands above them.
_ITEM = re.compile(r"\s*(?:[-*\u2022|]|\d{1,2}[.)])\s*\S")
_LEADS_IN = re.compile(r":[\W_]*$|^\s*#")
_STATISTIC = r"(?:the )?(?:minim\w+|maxim\w+|min|max|means?|medians?|averages?|std|standard deviations?)"
# "Minimum, mean and maximum are 664, 712 and 801 m" is one clause, too.
_LISTED = re.compile(
    r"\brespectively\b|\b(?:order(?:ing)?|ranking|sequence)\b[^,.;:\d]{0,40}? "
    r"(?:is|was|reads|runs|begins|starts|goes)\b|"
    r"\b(?:most|least|\w+est) to (?:the )?(?:most|least|\w+est)\b|"
    rf"\b{_STATISTIC}, {_STATISTIC}(?:,? and| or) {_STATISTIC}\b",
    re.I,
)
# What is listed with what comes behind: "water and forests were the coolest" is one clause.
_LISTS_ON = re.compile(r"and (?:\S+ ){1,3}?(?:are|were|have|had|lie|lay|show|stay|remain)\b")
_NAME = re.compile(r"\W*(?:(?:the|both|all|only) )*[\w-]+(?: [a-z-]+)?\W*", re.I)
# All but what is named behind it.
_ALL = re.compile(
    r"\b(?:all|every|each|none|no|any)\b(?: (?:one )?(?:of )?(?:(?:the|these|those) )?(?:\w+ )?\w+)?$", re.I
)
_PAIR = re.compile(r"\b(?:between|both|from|neither|either)\b(?!.*\b(?:and|n?or|to)\b)", re.I)
_STANDARD = re.compile(r"\b(?:than|as [\w-]+ as|compared (?:with|to)|versus) [^,;.()]*", re.I)
_DENIED = re.compile(
    r"[^.;:!?\n]{0,60}?\b(?:(?:is|are|was|were|has|have|had|do|does|did|can|could)(?: not|n't)|cannot|"
    r"missing|lacking|absent|unavailable)\b",
    re.I,
)
_NEGATED = re.compile(
    r"(?<!hypothesis of )(?<!hypothesis that there is )"
    r"\b(?:no|none|nothing|not|n't|never|neither|nor|without|hardly|"
    r"isn't|doesn't|didn't|cannot|rather than|instead of|far from|anything but|whether|or)\b"
    r"(?:[^\w:;]+\w+){0,4}[^\w:;]*$",
    re.I,
)


def without_points_of_abbreviations(text: str) -> str:
    """Return a text in which the sentences of it stand as they are returned: "i.e" for "i.e."."""
    return _ABBREVIATED.sub(r"\1", text)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; each line is one at least."""
    return [part for part in _SENTENCE.split(without_points_of_abbreviations(text)) if part.strip()]


@lru_cache(maxsize=10_000)
def clauses_of(text: str) -> tuple[str, ...]:
    """Return the clauses of a text. A list in an order is one, and so is what stands in brackets."""
    return tuple(
        clause
        for sentence in map(_with_name_beside_extreme, sentences(text))
        for clause in _with_heads(_with_subjects(_clauses(sentence)))
    )


@lru_cache(maxsize=10_000)
def headings_of(text: str) -> tuple[str, ...]:
    """Return what each clause of a text stands below: the line before its list or table, or what leads it in.

    Empty for a clause that stands below nothing: "Means in 2021: forest 0.7, water 0.1" leads in two.
    """
    found: list[str] = []
    above = ""
    for sentence in map(_with_name_beside_extreme, sentences(text)):
        count = sum(1 for _ in _with_heads(_with_subjects(_clauses(sentence))))
        if _ITEM.match(sentence):
            found += [above] * count
            continue
        before, colon, _ = sentence.partition(": ")
        above = sentence if _LEADS_IN.search(sentence) else ""
        found += ["", *[before if colon else ""] * (count - 1)]
    return tuple(found)


def is_lone_extreme(clause: str) -> bool:
    """Return whether a clause calls what stands before it the most or the least, and says nothing else."""
    return _LONE_EXTREME.match(clause) is not None


def refers(clause: str, label: str) -> bool:
    """Return whether a clause says something of what the clause before it names; a date is no "it"."""
    match = _REFERS.match(clause)
    return match is not None and not (match["it"] and label[:1].isdigit())


def goes_on_from(clause: str, date: str) -> str:
    """Return a clause that tells how something kept on until a time, with the date that it begins at."""
    match = _KEEPS_ON.match(clause)
    return f"From {date} on {clause[match.end('and') :].strip()}" if match else clause


def is_appositive(clause: str) -> bool:
    """Return whether a clause only calls what stands right before it something: "the coolest month"."""
    return _APPOSITIVE.match(clause) is not None


def _with_name_beside_extreme(sentence: str) -> str:
    """Return a sentence in which what is called the most or the least stands right beside that."""
    whole = _HEADED_EXTREME.sub(lambda match: f"{match[1]}The {match[2].lower()} is ", sentence)
    return _NAMED_BEHIND.sub(r"\1 \2", whole)


def _with_heads(clauses: Iterable[str]) -> Iterator[str]:
    """Yield clauses in which "the highest lies" has the noun of "the lowest point" before it.

    And in which "the third" is of the order of "the second largest" before it.
    """
    head = order = ""
    for clause in clauses:
        whole = _HEADLESS.sub(rf"\1 {head}", clause) if head else clause
        yield _ORDERLESS.sub(rf"\1 {order}", whole) if order else whole
        head = match[1] if (match := _HEAD.search(clause)) else head
        order = match[1] if (match := _ORDER.search(clause)) else order


def _clauses(sentence: str) -> Iterator[str]:
    if _LISTED.search(sentence):
        yield sentence
        return
    clause, start, joins = "", 0, False
    for match in [*_TURN.finditer(sentence), None]:
        end = match.start() if match else len(sentence)
        piece = sentence[start:end]
        alone = _ALONE.fullmatch(piece.rstrip(".")) is not None
        all_but = piece.startswith("but ") and _ALL.search(clause) is not None
        listed = _LISTS_ON.match(piece) is not None and _NAME.fullmatch(clause) is not None
        leads_in = any(ahead.fullmatch(clause) for ahead in (_TIME_AHEAD, _STATISTIC_AHEAD))
        joined = (
            joins
            or alone
            or all_but
            or listed
            or leads_in
            or _is_open(clause)
            or _CONTINUES.match(piece) is not None
        )
        if clause and joined:
            clause = f"{clause}, {piece}" if sentence[start - 2 : start] == ", " else f"{clause} {piece}"
        else:
            yield from [clause] if clause.strip() else []
            clause = piece
        start, joins = (match.end() if match else end), alone and ")" not in piece
    yield from [clause] if clause.strip() else []


def _with_subjects(clauses: Iterable[str]) -> list[str]:
    """Return clauses of one sentence, of which a predicate alone is one with what stands before it."""
    found: list[str] = []
    for clause in clauses:
        if found and _PREDICATE.match(clause):
            # What is put in between is joined with what it stands behind, and a clause of its own is not.
            alone = len(found) == 1 or _BEGINS.match(found[-1])
            *found, before = found if alone else [*found[:-2], ", ".join(found[-2:])]
            clause = f"{before}, {clause}"
        found.append(clause)
    return found


def _is_open(clause: str) -> bool:
    """Return whether a bracket, or a pair of which one is named, is not complete yet."""
    return clause.count("(") > clause.count(")") or _PAIR.search(clause) is not None


def without_standard(clause: str) -> str:
    """Return a clause without what something is held against in it: "than grassland", "as warm as bog"."""
    return _STANDARD.sub(lambda match: " " * len(match[0]), clause)


def is_affirmed(pattern: re.Pattern[str], text: str) -> bool:
    """Return whether a text says what a pattern finds, and does not deny it."""
    return any(not is_negated(text, match.start()) for match in pattern.finditer(text))


def is_denied(text: str, place: int) -> bool:
    """Return whether a text says behind a place, in the same clause, that it is not there or not known."""
    return _DENIED.match(text, place) is not None


def is_negated(text: str, place: int) -> bool:
    """Return whether a negation stands before a place of a text."""
    return _NEGATED.search(text[:place]) is not None
