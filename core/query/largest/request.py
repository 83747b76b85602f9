"""What a long question asks of: its subject, limits, times, sites and words, gathered."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from treeline.core.query.expression import ALWAYS, Compare, Node, Number, Place, Variable, When
from treeline.core.query.inventory import Holding, Inventory
from treeline.core.query.largest.mentions import LimitAt, Mention, limits_in, methods_in, variables_in
from treeline.core.query.largest.text import normalise_question
from treeline.core.query.largest.times import Times, season_in, times_in
from treeline.core.query.names import variable_of

_MEASURED = r"(?:mean|average|averaged|maximum|max|minimum|min|median|highest|lowest)"
_PARTS = frozenset({"polygon", "day", "night"})


@dataclass(frozen=True, slots=True)
class Request:
    """What a question asks of.

    Attributes
    ----------
    text : str
        In lower case, with one spelling for signs and units.
    subject : Variable
        What is measured, with time, method and clouds.
    limits : tuple of LimitAt
    times : Times
    sites : tuple of str
        Places that files bear in their names and the question names.
    """

    text: str
    inventory: Inventory
    subject: Variable
    mentions: tuple[Mention, ...]
    limits: tuple[LimitAt, ...]
    times: Times
    sites: tuple[str, ...] = ()

    def has(self, pattern: str) -> bool:
        """Return whether a pattern occurs."""
        return re.search(pattern, self.text) is not None

    @property
    def value_limits(self) -> list[LimitAt]:
        """The limits of variables, not of shares."""
        return [limit for limit in self.limits if not limit.is_share]

    @property
    def share_limits(self) -> list[LimitAt]:
        """The limits of shares of the ground."""
        return [limit for limit in self.limits if limit.is_share]

    def variable(self, role: str) -> Variable:
        """Return a variable with the time, method and clouds of the subject."""
        if not role or role == self.subject.role:
            return self.subject
        held = self.inventory.holding(role)
        return _variable_like(held, self.subject, self) if held is not None else self.subject

    def sides(self) -> list[Variable]:
        """Return the subject on the two sides of a comparison, the later or first named last."""
        if len(self.sites) == 2:
            return [replace(self.subject, where=Place("site", (site,))) for site in self.sites]
        return [replace(self.subject, when=when) for when in self.times.sides]


def find_asked(question: str, inventory: Inventory) -> Request | None:
    """Return what a question asks of; ``None`` where it names no variable that is there."""
    text = normalise_question(question)
    mentions = variables_in(text, inventory)
    limits = limits_in(text, mentions)
    roles = {holding.role for holding in inventory.holdings if not holding.made}
    role = _subject(text, mentions, limits, inventory)
    if any(limit.unit in ("K", "degC") for limit in limits) and not any(
        _is_warmth(one.role) for one in mentions
    ):
        role = next(
            (one for one in ("lst", "lst_day", "lst_night") if inventory.holding(one) is not None), role
        )
    if not role and len(roles) == 1:
        role = next(iter(roles))
    held = inventory.holding(role) if role else None
    if held is None:
        return None
    times = times_in(text, inventory.dates)
    method = _method(text, role, inventory)
    clouds = bool(inventory.cloud_dates) and bool(re.search(r"clouds?\b", text))
    when = _when(text, times, inventory)
    subject = replace(
        variable_of(held, inventory),
        when=when,
        method=method,
        clouds="masked" if clouds else "included",
        timeless=False,
    )
    if not inventory.dates:
        subject = replace(subject, when=ALWAYS, timeless=True)
    return Request(
        text, inventory, subject, tuple(mentions), tuple(limits), times, _sites(text, held, inventory)
    )


def _is_warmth(role: str) -> bool:
    return role.startswith(("lst", "bt", "tir", "air_temperature", "sst"))


def _variable_like(held: Holding, like: Variable, asked: Request) -> Variable:
    made = variable_of(held, asked.inventory)
    method = _method(asked.text, held.role, asked.inventory)
    return replace(
        made, when=like.when, where=like.where, clouds=like.clouds, method=method, timeless=like.timeless
    )


def _when(text: str, times: Times, inventory: Inventory) -> When:
    when = times.when
    season = season_in(text)
    whole_year = when == ALWAYS or all(
        span.first and (span.first.month, span.first.day) == (1, 1) for span in when.spans
    )
    if (
        season
        and whole_year
        and not times.sides
        and not when.months
        and re.search(r"season|classif|period", text)
    ):
        named = replace(when, months=season)
        if any(date.month in season for date in inventory.dates):
            when = named
    if when.single and set(inventory.dates) <= {span.first for span in when.spans}:
        return ALWAYS
    return when


def _method(text: str, role: str, inventory: Inventory) -> str:
    if role not in ("lst", "lst_day", "lst_night"):
        return ""
    made = inventory.holding(role)
    if made is None or not made.made:
        return ""
    held = {holding.role for holding in inventory.holdings if not holding.made}
    for method in methods_in(text, inventory):
        if method == "split window" and not any(one.startswith("emissivity") for one in held):
            continue
        if method == "lst multi channel" and any(one.startswith("emissivity") for one in held):
            continue
        return method
    return ""


def _subject(text: str, mentions: list[Mention], limits: list[LimitAt], inventory: Inventory) -> str:
    """Return the role that is measured: what is averaged where another is limited, else what is derived."""
    if not mentions:
        return ""
    limited = {limit.role for limit in limits if limit.role and not limit.is_share}
    for measured in re.finditer(rf"{_MEASURED} (?:value of |of |the |their |its |daily |recorded )*", text):
        after = [one for one in mentions if 0 <= one.start - measured.end() < 12]
        if after and limited and after[0].role not in limited and not _nearer(limits, after[0]):
            return after[0].role
    made = [one for one in mentions if (held := inventory.holding(one.role)) is not None and held.made]
    wanted = [one for one in made if one.role in limited] or made
    if wanted:
        return _most_frequent_role(wanted)
    limited_here = [one for one in mentions if one.role in limited]
    return _most_frequent_role(limited_here or mentions)


def _most_frequent_role(mentions: list[Mention]) -> str:
    counts: dict[str, int] = {}
    for one in mentions:
        counts[one.role] = counts.get(one.role, 0) + 1
    best = max(counts.values())
    return [one.role for one in mentions if counts[one.role] == best][-1]


def _nearer(limits: list[LimitAt], mention: Mention) -> bool:
    """Return whether a variable is the one that a limit stands beside."""
    return any(0 <= limit.start - mention.end < 12 and not limit.is_share for limit in limits)


def _sites(text: str, held: Holding, inventory: Inventory) -> tuple[str, ...]:
    sites = held.sites or next((one.sites for one in inventory.holdings if len(one.sites) == 2), ())
    places = [site for site in sites if site.lower() not in _PARTS]
    named = sorted((text.find(site.lower().replace("-", " ")), site) for site in places)
    found = [site for position, site in named if position >= 0]
    if len(found) == 2:
        return tuple(found)
    if len(places) == 2 and re.search(r"\btwo\b[a-z ]*(?:regions|areas|sites|places|polygons|zones)", text):
        return tuple(places)
    return ()


def condition(asked: Request, limit: LimitAt, variable: Variable) -> Node:
    """Return a variable compared with a limit."""
    return Compare(variable, limit.sign, Number(limit.value, unit_for(limit, variable)))  # type: ignore[arg-type]


def unit_for(limit: LimitAt, variable: Variable) -> str:
    """Return the unit of a limit; a bare number is in the variable's own."""
    return limit.unit if limit.unit not in ("", "%") else variable.unit
