"""Which limit belongs to which variable, and which variable is the one that is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from treeline.core.policies.planner import phrases
from treeline.core.policies.planner.intent import Condition, Operation, Statistic, Threshold
from treeline.core.policies.planner.sources import sources_among
from treeline.core.policies.planner.targets import target_of
from treeline.core.policies.planner.text import Reading, Span
from treeline.core.policies.planner.thresholds import Limit
from treeline.core.policies.planner.units import is_temperature
from treeline.core.policies.planner.vocabulary import Lexicon, Mention
from treeline.toolkit.variables import variable

_REACH = 70
_JOINED = (
    r",| compare[sd]? (?:with|to)| and|, and| as well as| to| divided by| per unit(?: of)?|"
    r" (?:higher |lower |greater |larger )?than"
)


@dataclass
class Linked:
    """What belongs together in a question.

    Attributes
    ----------
    target : str, optional
        Role of the variable that is asked for.
    exact : bool
        False where an everyday word such as "water" stands for the target.
    named : str
        The role that the question named, where another stands in for it.
    threshold : Threshold, optional
        The limit of the target itself.
    conditions : list of Condition
        Limits of other variables.
    area_limit : Threshold, optional
        A limit in per cent of the area or of the pixels.
    unknown : str
        What a condition names and is not known.
    rivals : list of dict
        Fields of the subjects that are compared, where they differ in limit, condition or variable.
    """

    target: str | None = None
    exact: bool = True
    named: str = ""
    threshold: Threshold | None = None
    conditions: list[Condition] = field(default_factory=list)
    area_limit: Threshold | None = None
    unknown: str = ""
    rivals: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def own_condition(self) -> Condition:
        """Return the target's own limit as a condition."""
        assert self.target is not None and self.threshold is not None
        return Condition(self.target, self.threshold)


def link(
    reading: Reading, limits: list[Limit], mentions: list[Mention], statistic: Statistic | None,
    operation: Operation, lexicon: Lexicon,
) -> Linked:  # fmt: skip
    """Return which variable is asked for, and which limits belong to what."""
    linked = Linked()
    owners: list[tuple[Limit, Mention | None]] = []
    sources = sources_among(mentions, reading)
    owning = [mention for mention in mentions if mention not in sources] or mentions
    for limit in limits:
        if re.search(_OF_A_STATISTIC, reading.text[: limit.span.start]):
            continue
        if _is_share_of_area(limit, mentions, reading):
            linked.area_limit = limit.threshold
        else:
            owner = _owner(limit, limits, owning, reading)
            other = _by_unit(limit, lexicon, reading)
            owners.append((limit, other if other and not _measured_so(owner, limit) else owner))
    target = target_of(reading, mentions, owners, statistic, operation, lexicon)
    if target is None:
        return linked
    linked.target = target.role
    linked.exact = target.exact
    linked.named = target.named
    linked.unknown = _unknown(reading, limits, mentions)
    together = _beside(reading, mentions, target, owners)
    if operation == "correlation" or (reading.has(phrases.RATIO) and operation != "value"):
        together = _distinct([m for m in mentions if all(m is not owner for _, owner in owners)])
    together = _quotient(reading, mentions) or together
    if len(together) > 1 and (operation in ("value", "correlation") or reading.has(phrases.RATIO)):
        linked.rivals = [{"role": mention.role} for mention in together]
    _assign(reading, linked, target, owners, statistic, operation)
    return linked


def _is_share_of_area(limit: Limit, mentions: list[Mention], reading: Reading) -> bool:
    if limit.threshold.unit != "%" or limit.threshold.of_mean is not None:
        return False
    owner = _owner(limit, [limit], mentions, reading)
    known = variable(owner.role) if owner else None
    after = reading.text[limit.span.end : limit.span.end + 30]
    return not (known and known.unit == "%") or re.match(r"\s*of", after) is not None


def _owner(limit: Limit, limits: list[Limit], mentions: list[Mention], reading: Reading) -> Mention | None:
    """Return the variable that a limit belongs to: the one before it, or the next one close by."""
    before = [m for m in mentions if m.span.end <= limit.span.start]
    after = [m for m in mentions if m.span.start >= limit.span.end]
    nearest = before[-1] if before else None
    if nearest and (not _sentence_ends(reading.text, nearest.span.end, limit.span.start)):
        other = [
            o
            for o in limits
            if nearest.span.end <= o.span.start < limit.span.start and o.threshold.unit != "%"
        ]
        following = after[0] if after else None
        close = following and re.match(
            r"^\s*(?:of |in |for |the |on )*$", reading.text[limit.span.end : following.span.start]
        )
        if other and close:
            return following
        if limit.span.start - nearest.span.end <= _REACH or not close:
            return nearest
    if after and not _sentence_ends(reading.text, limit.span.end, after[0].span.start):
        return after[0]
    return nearest


def _by_unit(limit: Limit, lexicon: Lexicon, reading: Reading) -> Mention | None:
    """Return the variable that a unit speaks of: a limit in kelvin is one of temperature."""
    words = reading.text[limit.span.start : limit.span.end]
    warm = limit.threshold.unit == "degree" and re.search(r"hott|warm|cold|cool", words)
    if is_temperature(limit.threshold.unit) or warm:
        wanted = ("lst_night", "lst") if reading.has(r"\bnights?\b|\bnight-?time\b") else ("lst", "lst_day")
        return Mention(limit.span, (next(filter(lexicon.available, wanted), "lst"),))
    if "green" in words and not limit.threshold.unit:
        return Mention(limit.span, ("ndvi",))
    role = {"m": "dem", "degree": "terrain_slope"}.get(limit.threshold.unit)
    return Mention(limit.span, (role,)) if role and lexicon.available(role) else None


def _measured_so(owner: Mention | None, limit: Limit) -> bool:
    """Return whether a variable can have a limit in this unit; a bare degree may be one of temperature."""
    known = variable(owner.role) if owner else None
    unit = limit.threshold.unit
    if known is None:
        return owner is not None and owner.role == "unknown"
    return known.unit == unit or (is_temperature(known.unit) and (is_temperature(unit) or unit == "degree"))


def _sentence_ends(text: str, start: int, end: int) -> bool:
    return re.search(r"[.?!;](?=\s)", text[start:end]) is not None


def _beside(
    reading: Reading, mentions: list[Mention], target: Mention, owners: list[tuple[Limit, Mention | None]]
) -> list[Mention]:
    """Return the variables that are asked for together with the target, as in "mean NDVI and EVI"."""
    owned = [owner for _, owner in owners]
    found = [target]
    for mention in mentions[mentions.index(target) + 1 :] if target in mentions else []:
        between = reading.text[found[-1].span.end : mention.span.start]
        if (
            mention in owned
            or mention.role == target.role
            or not re.fullmatch(rf"(?:{_JOINED})(?: the)?(?: mean| average)?(?: of)?(?: the)? ", between)
        ):
            break
        found.append(mention)
    return found if target not in owned else [target]


def _quotient(reading: Reading, mentions: list[Mention]) -> list[Mention]:
    """Return the two variables of "the ratio of A to B"."""
    for first, second in zip(mentions, mentions[1:], strict=False):
        before, between = reading.text[: first.span.start], reading.between(first.span, second.span)
        if re.search(r"\bratio (?:of|between)(?: the| mean| average)* ?$", before) and re.fullmatch(
            r" (?:to|and|over)(?: the| mean| average)* ", between
        ):
            return [first, second]
    return []


def _distinct(mentions: list[Mention]) -> list[Mention]:
    """Return the first two mentions of different variables."""
    return list({mention.role: mention for mention in reversed(mentions)}.values())[::-1][:2]


def _unknown(reading: Reading, limits: list[Limit], mentions: list[Mention]) -> str:
    """Return what stands in a condition where a variable should and was not recognised."""
    for limit in limits:
        before = reading.text[: limit.span.start]
        match = re.search(
            r"\bwhere (?:the |its )?(?P<w>(?!(?:it|is|was|were|did|does|they|are|there)\b)"
            r"[a-z][\w -]{1,30}?) "
            r"(?:is|was|are|were|lies|lie|has|have)? ?$",
            before,
        )
        if (
            match
            and not re.search(_NO_VARIABLE, match["w"])
            and not any(m.span.overlaps(Span(*match.span("w"))) for m in mentions)
        ):
            return match["w"]
    return ""


_NO_VARIABLE = (
    r"\b(?:this|that|these|proportion|percentage|share|values?|ratio|area|fraction|pixels?|mean|average|"
    r"indicator)\b"
)
# A limit of a number that is no variable, as in "kurtosis below 2.5".
_OF_A_STATISTIC = r"(?:kurtosis|skewness|kurtic|p[- ]value|correlation)(?: values?)?(?: is| of|:)?\s*$"


def _assign(
    reading: Reading,
    linked: Linked,
    target: Mention,
    owners: list[tuple[Limit, Mention | None]],
    statistic: Statistic | None,
    operation: Operation,
) -> None:
    measures_share = statistic in ("share", "area", "pixels") or operation in ("count", "average_share")
    own = [limit.threshold for limit, owner in owners if owner is None or owner.role == target.role]
    others = [
        (owner.role, limit.threshold)
        for limit, owner in owners
        if owner is not None and owner.role != target.role
    ]
    conditions = [Condition(role, threshold) for role, threshold in others]
    if len(own) > 1 and measures_share:
        joined = _joined(own)
        if joined is None:
            linked.rivals = [{"threshold": threshold} for threshold in own]
        own = [joined or own[-1]]
    if own:
        linked.threshold = own[0]
    if not measures_share and len({c.role for c in conditions}) == 1 and len(conditions) > 1:
        joined = _joined([c.threshold for c in conditions])
        if joined is None:
            linked.rivals = [{"conditions": (condition,)} for condition in conditions]
        conditions = [replace(conditions[0], threshold=joined or conditions[0].threshold)]
    linked.conditions = conditions
    if len(conditions) == 1 and not linked.rivals and not measures_share and reading.has(phrases.OVERALL):
        linked.rivals = [{"conditions": ()}, {"conditions": tuple(conditions)}]


def _joined(limits: list[Threshold]) -> Threshold | None:
    """Return the band that "above a" and "below b" enclose; ``None`` where they do not."""
    above = [t for t in limits if t.side == "above" and t.value is not None and t.upper is None]
    below = [t for t in limits if t.side == "below" and t.value is not None]
    if len(limits) == 2 and above and below and above[0].value < below[0].value:  # type: ignore[operator]
        return replace(above[0], upper=below[0].value)
    return limits[0] if len(set(limits)) == 1 else None
