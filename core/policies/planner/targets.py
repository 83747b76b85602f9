"""Which of the variables that a question names is the one that is asked for."""

from __future__ import annotations

import re

from treeline.core.policies.planner import phrases
from treeline.core.policies.planner.intent import Operation, Statistic
from treeline.core.policies.planner.names import read_names
from treeline.core.policies.planner.sources import sources_among
from treeline.core.policies.planner.text import Reading, Span
from treeline.core.policies.planner.thresholds import Limit
from treeline.core.policies.planner.vocabulary import UNKNOWN, Lexicon, Mention
from treeline.toolkit.variables import variable

_BY_MEANS_OF = r"(?:using|through|via|according to|by means of|by the|by)(?: the| an?)? $"
_ASKED_FOR = (
    r"(?:calculat|comput|determin|estimat|deriv|assess|analy[sz]|evaluat|what (?:is|was|were)|"
    r"how (?:did|does|much|has))\w*[^.;,]{0,30}$"
)
_STATISTICS = (
    r"(?:mean|average[ds]?|median|max(?:imum|imal)?|min(?:imum|imal)?|highest|lowest|peak|std|"
    r"standard deviation(?: of)?|deviation|percentile(?: of)?|sum|total|trend|change|skewness|kurtosis|"
    r"spread|variation|difference|range|values?)"
)
_FILLING = (
    r"(?:of|in|for|values?|the|each|annual|monthly|daily|yearly|date's|scene's|observed|regional|overall|all)"
)
_STATISTIC_BEFORE = rf"{_STATISTICS}(?: {_FILLING})* ?$"
_STATISTIC_AFTER = rf"(?:'s)? (?:\w+ )?{_STATISTICS}\b"

_BY_KIND = {"index": 1.0, "temperature": 1.0, "reflectance": 0.0, "quality": -1.5, "class": -0.5}
_ANY_OTHER_KIND = 0.8


def target_of(
    reading: Reading,
    mentions: list[Mention],
    owners: list[tuple[Limit, Mention | None]],
    statistic: Statistic | None,
    operation: Operation,
    lexicon: Lexicon,
) -> Mention | None:
    """Return the variable that is asked for; the workspace's only one where none is named."""
    owned = [mention for _, mention in owners if mention is not None]
    if not mentions and owned:
        return owned[0]
    if not mentions:
        asked = statistic is not None or operation != "value" or bool(owners)
        return _only_variable(reading, lexicon) if asked else None
    if owned and (statistic in ("share", "area", "pixels") or (operation in ("count", "average_share"))):
        return owned[0]
    named = any(m.exact and _kind(m.role) == "index" for m in mentions)

    sources = sources_among(mentions, reading)

    def weight(position: int) -> tuple[float, int]:
        mention = mentions[position]
        scenery = 1.5 if named and not mention.exact else 0.0
        absent = 0.0 if lexicon.available(mention.role) else 0.5 if mention.exact else 1.5
        return _weight(reading, mention, owned, sources) - scenery - absent, -position

    return mentions[max(range(len(mentions)), key=weight)]


def _weight(reading: Reading, mention: Mention, owned: list[Mention], sources: list[Mention]) -> float:
    """Return how much a mention looks like the variable that is asked for."""
    text, span = reading.text, mention.span
    before, after = text[max(0, span.start - 60) : span.start], text[span.end : span.end + 30]
    kind = _kind(mention.role)
    reasons = (
        (1.0 if mention.exact else 0.4, True),
        (_BY_KIND.get(kind, _ANY_OTHER_KIND), True),
        (2.5, re.search(_STATISTIC_BEFORE, before) or re.match(_STATISTIC_AFTER, after)),
        (0.8, re.search(_ASKED_FOR, before)),
        (2.5, kind == "index" and mention.exact and re.search(_BY_MEANS_OF, before)),
        (-2.0, mention in owned),
        (-2.0, mention in sources),
        (-1.5, re.search(phrases.WHERE + r"[^.;,]{0,25}$", before)),
        (-1.5, re.match(r"[- ]?(?:based|derived|masked|cloud)", after)),
    )
    return sum(weight for weight, holds in reasons if holds)


def _kind(role: str) -> str:
    known = variable(role)
    return known.kind if known else "index"


def _only_variable(reading: Reading, lexicon: Lexicon) -> Mention | None:
    """Return the only variable of the workspace, or of the place that is named: it need not be named."""
    places = read_names(reading.text, lexicon.roles_at)
    there = lexicon.roles_at[places[0]] if places else lexicon.roles
    known = [found for role in there if (found := variable(role))]
    roles = [found.role for found in known if found.kind not in ("quality", "class")]
    if not roles and UNKNOWN in there:
        roles = [UNKNOWN]
    return Mention(Span(0, 0), (roles[0],), exact=False) if len(roles) == 1 else None
