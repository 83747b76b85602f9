"""Background of a question: who asks, what for, what happened. It is set aside, and quoted.

What opens a question counts in a few forms ("Forester here.", "For my thesis:", "Just out of curiosity,").
A sentence or clause beside what is asked counts where it tells a story ("We had a fire in July."). Neither
may hold what could bear on the answer: no number or limit, no word that says how to reckon, and a time,
ground, variable or method only where the question itself names its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treeline.core.query.expression import Cloud
from treeline.core.query.phrases.answers import Form, InUnit, Target
from treeline.core.query.phrases.comparisons import Comparative
from treeline.core.query.phrases.conditions import Condition, Limit, Operator
from treeline.core.query.phrases.counts import Area, CountOf, Quantifier, Share, Unit
from treeline.core.query.phrases.phrase import Join, MissingVariable, Nothing, Phrase, Word
from treeline.core.query.phrases.places import Definition, Facing, Location, Mask, Near, Polygons
from treeline.core.query.phrases.ranks import Extreme, Ranking
from treeline.core.query.phrases.times import Clouds, DayOfYear, PartOf, SeveralDates, Time, TimeModifier
from treeline.core.query.phrases.values import Along, Amount, Bands, Each, Measure, Raw, Stat, Stats, Weight
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token


class Span(NamedTuple):
    """A stretch of the question, from its first letter to the one after its last."""

    start: int
    end: int

    def holds(self, token: Token) -> bool:
        """Return whether a token begins in it."""
        return self.start <= token.start < self.end


_MOST_WORDS = 14
_END = re.compile(r"[:!?]|[.](?=\s)|,(?=\s)|\s[-\u2013\u2014]\s|,?\s(?=but\s)")
_FORMS = re.compile(
    r"(?:but |and |so |well |ok |okay |now |right |alright |anyway )*(?:"
    r"but|so|well|ok|okay|now|alright|right|anyway|hm+|um+|uh+|oh+|ah+|wow|great|please"
    r"|(?:hi|hello|hey|dear|thanks|thank you|good (?:morning|afternoon|evening|day))\b.*"
    r"|[\w' -]+ here"
    r"|(?:for|as|in) (?:an?|my|our|the|some|his|her|their) .+"
    r"|(?:i|we)(?:'m|'re|'ve| am| are| have| work| study| write| teach| run| manage| plan| prepare| intend"
    r"| monitor| investigate)\b.+"
    r"|(?:i|we) (?:suspect|believe|think|fear|hope)\b.+"
    r"|(?:the|a|our|my) \w+ (?:suspects|believes|thinks|fears|hopes)\b.+"
    r"|(?:(?:a|one|just a) )?(?:quick|short|small|simple|another|further|last|(?:perhaps |maybe )?an? \w+)"
    r" (?:question|one|thing|check)\b.*"
    r"|(?:background|context|purpose|question|task)\b.*"
    r")"
)
# Closed turns of phrase, whose words say nothing here whatever they mean elsewhere.
_TURNS = re.compile(
    r"(?:but |and |so |well |ok |okay |now |anyway )*(?:"
    r"(?:just |asking )?(?:out of (?:\w+ )?(?:curiosity|interest)|for (?:context|fun|what it's worth))"
    r"|to be (?:honest|sure|clear)|long story short|frankly|honestly|seriously|by any chance"
    r"|(?:in|to put it in) (?:plain|simple|layman's) (?:words|terms|english)"
    r"|(?:i'm |i am )?(?:sorry|apologies|excuse me|pardon|forgive me)(?: (?:for|to) \w+(?: \w+){0,3})?"
    r"|(?:(?:this is )?(?:perhaps|maybe|probably) )?an? (?:silly|stupid|dumb|naive|basic|simple|odd)"
    r" (?:question|one)"
    r"|(?:i'm |i am )?not (?:quite |really |entirely )?sure(?: (?:if|whether|that))?"
    r"(?: (?:this|that|it) (?:is|was|works|makes sense)(?: \w+)?| you can (?:do|answer|tell)(?: \w+)?)?"
    r"|(?:if|since) (?:i|you|we) may(?: ask)?"
    r"|(?:just )?(?:so|in order) (?:that )?(?:i|we) (?:can |could )?(?:know|understand|get (?:this|it) right)"
    r")"
)
_REQUEST = (
    r"(?:how|what|what's|which|where|where's|when|who|why|is|isn't|are|was|were|do|does|did|has|have|can|could"
    r"|would|will|whether|please|give|show|tell|list|compute|calculate|find|compare|map|plot|rank|name|draw"
    r"|on which|in which|at which|by how|to what|i (?:need|want)(?! (?:it|this|that|these|them)\b)|i'd like"
    r"|i would like|i'm wondering|i was wondering|i wonder)\b"
)
_ASKS = re.compile(rf"(?:(?:and|but|so|now|then|today|ok|okay|well|anyway),? )*{_REQUEST}")
_BORDER = re.compile(
    rf"[.!?;](?=\s|$)|:(?=\s)|\s[-\u2013\u2014]\s|,?\s(?:but|so|and so|and now)\s(?={_REQUEST})|,\sbut\s"
    rf"|,\s(?={_REQUEST})"
)
# What leads to an indirect question: "I was asked to find out | which region has the least forest".
_LEADS = re.compile(
    r"\b(?:know|tell|see|check|find|understand|wonder|wondering|about|out|at|sure|idea|clear|asks?|asked|decide"
    r"|guess|curious)\s(?=(?:whether|if|which|what|where|when|how|who)\b)"
)
# A word of approval or a request for it, after what is asked: "Who's right?", "Any idea?"
_TAG = re.compile(
    r"(?:who|any|is|are|can|could|would|does|do|did|makes?|sounds?|right|ok|okay|agreed)\b"
    r"(?!.*\b(?:how|why|what|when|where|which)\b)(?:\W+\w+){0,4}\s*\?"
)
# Who or what a story is of: a person, what there was, the thing just told, a noun that says nothing of data.
_STORY = re.compile(
    r"(?:(?:so|well|ok|okay|and|but|also|anyway|because|since|as|after|you know),? )*"
    r"(?:(?:i|we|you|they|he|she|someone|somebody|people|everyone|everybody|there|it|this|that)\b"
    r"|(?:the|an?|my|our|your|their|some|many|these|those|last|this)\s|(?:thanks|thank you)\b)"
)
_BEGS = re.compile(
    r"(?:so |and |but |now )*(?:please|kindly|(?:can|could|would|will) you|help me|let's|let us|let me)\b"
)
# What tells how to reckon, or of what alone.
_BEARS = re.compile(
    r"\b(?:without|except|only|just the|unless|if|each|every|never|instead|rather|relative|compar\w*|per"
    r"|use|using|used|apply|assum\w*|weight\w*|exclud\w*|includ\w*|ignor\w*|correct\w*|calibrat\w*|adjust\w*"
    r"|scal\w*|normali\w*|standardi\w*|mask\w*|filter\w*|smooth\w*|averag\w*|limit\w*|restrict\w*|divid\w*"
    r"|multipl\w*|subtract\w*|convert\w*|defin\w*|threshold\w*|count\w*|treat\w*|measur\w*|must|should|mean"
    r"|means|meant|interpret\w*|omit\w*|leave|left|drop\w* out|skip\w*|focus\w*|consider\w*"
    r"|(?:day|week|month|season|year)s? (?:after|before|later|earlier)|beginning|onwards?"
    r"|whole number|round\w*|decimals?|same|as an? (?:fraction|percentage|per cent|proportion|ratio|share))\b"
    # A time that only the story tells the end of; "since it burnt" gives a reason.
    r"|^(?:since|until|till|before|after) (?:the|that|this|our|my) \w+(?: \w+)?[ ,]*$"
)
_NUMBERS = re.compile(
    r"\d|\b(?:no|not|none|never|without|except|only|unless|if|each|every|all|any|some|most|half|first|last)\b"
)
_DENIES = re.compile(r"\b(?:no|not|none|nothing|neither|nor|hardly|\w+n't)\b")


def background(question: str, tokens: Sequence[Token]) -> Span:
    """Return the background that opens a question; it is empty where there is none.

    Parameters
    ----------
    question : str
    tokens : sequence of Token
        Of that question.
    """
    end = 0
    for mark in _END.finditer(question):
        opening = question[end : mark.start()].strip().lower()
        within = [token for token in tokens if end <= token.start < mark.start()]
        if not _TURNS.fullmatch(opening) and not _is_opening(opening, within):
            break
        end = mark.end()
    if end and (but := re.match(r"\s*(?:but|and|so)\s", question[end:])):
        end += but.end()
    asked = any(token.start >= end and token.kind != "filler" for token in tokens)
    return Span(0, end if asked else 0)


def _is_opening(text: str, tokens: Sequence[Token]) -> bool:
    """Return whether words say who asks, or what for, and nothing of the data."""
    short = 0 < len(text.split()) <= _MOST_WORDS
    if not short or _FORMS.fullmatch(text) is None or _BEARS.search(text) or _NUMBERS.search(text):
        return False
    return not any(map(_has_content, tokens))


def stories(question: str, tokens: Sequence[Token], start: int = 0) -> list[Span]:
    """Return the sentences and clauses beside what is asked that only tell a story.

    Parameters
    ----------
    question : str
    tokens : sequence of Token
        Of that question.
    start : int
        Where the background that opens it ends.
    """
    spans = list(_segments(question, tokens, start))
    telling = [span for span in spans if any(map(_kinds, _within(span, tokens)))]
    asking = [span for span in telling if _ASKS.match(_text(question, span)) and not _leads(question, span)]
    asking = asking or telling[-1:]
    told = {kind for span in asking for token in _within(span, tokens) for kind in _kinds(token)}

    def passes(span: Span) -> bool:
        text, within = _text(question, span), _within(span, tokens)
        if span in asking or all(token.kind == "filler" for token in within):  # these may be passed over
            return False
        tag = span.start > asking[0].start and _TAG.fullmatch(text) and _has_unknown(within)
        story = _STORY.match(text) and not _ASKS.match(text)
        led = _leads(question, span) or story or _BEGS.match(text)
        return bool(tag or led) and _is_idle(text, within, told)

    # "How hot was it there" asks of a place that the story may name.
    refers = any(token.text == "there" for span in asking for token in _within(span, tokens))
    return [span for span in spans if passes(span)] if len(spans) > 1 and asking and not refers else []


def _has_unknown(tokens: Sequence[Token]) -> bool:
    return any(token.kind == "unknown" for token in tokens)


def _segments(question: str, tokens: Sequence[Token], start: int) -> Iterator[Span]:
    text = question.lower()
    borders = {mark.end() for pattern in (_BORDER, _LEADS) for mark in pattern.finditer(text, start)}
    for end in sorted(borders):
        within_brackets = text.count("(", 0, end) > text.count(")", 0, end)
        if within_brackets or any(token.start < end < token.end for token in tokens):
            continue
        yield Span(start, end)
        start = end
    if question[start:].strip():
        yield Span(start, len(question))


def _leads(question: str, span: Span) -> bool:
    """Return whether a clause ends where an indirect question begins."""
    words = question[span.start : span.end + _LONGEST_WORD].lower()
    return any(mark.end() == span.end - span.start for mark in _LEADS.finditer(words))


_LONGEST_WORD = 10


def _text(question: str, span: Span) -> str:
    return question[span.start : span.end].strip().lower()


def _within(span: Span, tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if span.holds(token)]


def _is_idle(text: str, tokens: Sequence[Token], told: set[str]) -> bool:
    """Return whether a clause tells nothing that bears on an answer and that the question does not tell."""
    if _BEARS.search(text):
        return False
    kinds = {
        kind
        for token, after in zip(tokens, [*tokens[1:], None], strict=True)
        for kind in _kinds(token)
        # A number of something that the data know nothing of: "in five minutes".
        if not (kind == "number" and after is not None and after.kind == "unknown")
    }
    return kinds <= told and not (kinds and _DENIES.search(text))


def _kinds(token: Token) -> set[str]:
    """Return of which kinds of things that bear on an answer a token tells; a filler tells of none."""
    if token.kind in ("filler", "unknown") or any(map(_is_empty, token.meanings)):
        return set()
    if any(isinstance(meaning, Unit) and meaning.of in ("date", "image") for meaning in token.meanings):
        return set()  # that there are images tells nothing of them
    return {_kind(meaning) for meaning in token.meanings} - {""}


def _kind(meaning: Phrase) -> str:
    if isinstance(meaning, Mask | Location) and any(isinstance(leaf, Cloud) for leaf in leaves(meaning.node)):
        return "clouds"
    return next((name for kinds, name in _KINDS if isinstance(meaning, kinds)), "")


_KINDS: tuple[tuple[tuple[type[Phrase], ...], str], ...] = (
    ((Time, DayOfYear, PartOf, SeveralDates, TimeModifier), "time"),
    ((Mask, Location, Facing, Definition, Polygons, Near), "ground"),
    ((Clouds, Condition), "clouds"),
    ((Raw, Measure, Comparative, Ranking, Bands, MissingVariable), "variable"),
    ((Stat, Stats, Extreme), "statistic"),
    ((Amount, Limit, Operator, Quantifier), "number"),
    ((Each, Along, Weight), "each"),
    ((Target, Form, InUnit), "form"),
    ((Unit, Area, CountOf, Share), "unit"),
)


def _has_content(token: Token) -> bool:
    """Return whether a word says something of the data; a repaired one may be another word altogether."""
    return not token.repaired and token.kind != "unknown" and not all(map(_is_empty, token.meanings))


def _is_empty(meaning: Phrase) -> bool:
    return isinstance(meaning, Nothing) or meaning in (Join("and"), Word("did"))
