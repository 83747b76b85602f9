"""Background before a question: who asks, and what for. It is set aside, and quoted.

Only what opens the question counts ("Forester here.", "For my thesis:"), only in these forms, and only if
it holds nothing that could bear on the answer: no number, limit, time, quantifier, negation, variable,
place or method.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treeline.core.query.phrases.phrase import Join, Nothing, Phrase, Word
from treeline.core.query.tokens import Token

_MOST_WORDS = 14
_END = re.compile(r"[:!]|[.](?=\s)|,(?=\s)|\s[-\u2013\u2014]\s")
_FORMS = re.compile(
    r"(?:so|well|ok|okay|now|alright)"
    r"|(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day))\b.*"
    r"|[\w' -]+ here"
    r"|(?:for|as|in) (?:an?|my|our|the|some|his|her|their) .+"
    r"|(?:i|we)(?:'m|'re|'ve| am| are| have| work| study| write| teach| run| manage| plan| prepare| intend"
    r"| monitor| investigate)\b.+"
    r"|(?:i|we) (?:suspect|believe|think|fear|hope)\b.+"
    r"|(?:the|a|our|my) \w+ (?:suspects|believes|thinks|fears|hopes)\b.+"
    r"|(?:(?:a|one|just a) )?(?:quick|short|small|simple|another|further|last)"
    r" (?:question|one|thing|check)\b.*"
    r"|(?:background|context|purpose|question|task)\b.*"
)
_BEARS = re.compile(
    r"\d|\b(?:no|not|none|never|without|except|only|unless|if|each|every|all|any|some|most|half|first|last"
    r"|use|using|apply|assume|weight\w*|exclud\w*|ignor\w*|correct\w*|calibrat\w*|adjust\w*|scal\w*)\b"
)


def background(question: str, tokens: Sequence[Token]) -> int:
    """Return where the background that opens a question ends; 0 where there is none.

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
        if not opening or len(opening.split()) > _MOST_WORDS:
            break
        if _FORMS.fullmatch(opening) is None or _BEARS.search(opening) or any(map(_has_content, within)):
            break
        end = mark.end()
    return end if any(token.start >= end and token.kind != "filler" for token in tokens) else 0


def _has_content(token: Token) -> bool:
    """Return whether a word says something of the data; a repaired one may be another word altogether."""
    return not token.repaired and token.kind != "unknown" and not all(map(_is_empty, token.meanings))


def _is_empty(meaning: Phrase) -> bool:
    return isinstance(meaning, Nothing) or meaning in (Join("and"), Word("did"))
