"""Whether a reading agrees with the words of its question, where words that join others bear on the whole.

A word such as "which", "all", "but" or "their" rules out some kinds of answers wherever it stands. Each of
these is one entry of ``_DISAGREEMENTS``: the words that demand it, and the expressions that do not meet it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, product

from treeline.core.query.checks import (
    claims_by_default,
    forgets_the_found,
    limits_shares_of_zones,
    ranks_pixels_of_a_ground,
    shares_another_base,
)
from treeline.core.query.expression import (
    Aggregate,
    And,
    Cloud,
    Combine,
    Compare,
    Correlation,
    Dates,
    Node,
    Number,
    Place,
    Several,
    Trend,
    Variable,
    Which,
)
from treeline.core.query.kinds import kind_of
from treeline.core.query.phrases.conditions import Limit
from treeline.core.query.phrases.counts import Unit
from treeline.core.query.phrases.phrase import Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Extreme, LargestArea, Ranked
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Along, Amount, Each, Measure, Raw, Stat
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token


def agreeing(found: Iterable[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return the readings that no word of the question rules out."""
    wrong = [is_wrong for demand, is_wrong in _DISAGREEMENTS if demand(tokens)]
    pairs = list(_grounds_between(tokens))
    return [
        node
        for node in found
        if not any(is_wrong(node) for is_wrong in wrong) and not any(_pools(node, pair) for pair in pairs)
    ]


# --- What words demand ----------------------------------------------------------------------------


def _says(*words: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether one of some words is said."""
    return lambda tokens: any(token.text in words for token in tokens)


def _says_per(unit: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether "per day" is said."""
    return lambda tokens: f"per {unit}" in " ".join(token.text for token in tokens)


def _says_all(tokens: Sequence[Token]) -> bool:
    return any(token.text.split()[0] == "all" for token in tokens)


def _says_but(tokens: Sequence[Token]) -> bool:
    return any(token.text.split()[0] in ("but", "neither", "nor") for token in tokens)


def _means(token: Token, *kinds: type[Phrase]) -> bool:
    return any(isinstance(meaning, kinds) for meaning in token.meanings)


def _is_share(token: Token) -> bool:
    return any(isinstance(m, Amount | Limit) and m.number.unit == "%" for m in token.meanings)


def _is_unled(tokens: Sequence[Token]) -> bool:
    """Return whether a comma stands right before a class or region that is the largest or highest.

    "Median elevation, largest class" are two things, and not the elevation of that class.
    """
    told = [token for token in tokens if token.text != "the"]
    return any(
        comma.text in (",", ";") and _means(word, Extreme, LargestArea, Ranked)
        for comma, word in pairwise(told)
    )


def _ranks_pixels(tokens: Sequence[Token]) -> bool:
    """Return whether the highest or lowest per cent of something is spoken of: "hottest 10 %"."""
    told = [token for token in tokens if token.kind not in ("filler", "open", "close")]
    return any(
        _means(word, Extreme, Ranked) and _means(share, Amount) and _is_share(share)
        for word, share in pairwise(told)
    )


def _is_part_of_a_ground(tokens: Sequence[Token]) -> bool:
    """Return whether a share is said to be "of" something: 30 % of the forest is not 30 % forest."""
    for place, (share, after) in enumerate(pairwise(tokens)):
        if _is_share(share) and (share.text.endswith(" of") or after.text.split()[0] == "of"):
            noun = next((t for t in tokens[place + 1 :] if t.text not in _LED_BY), after)
            if not noun.text.startswith("pixel"):
                return True
    return False


_LED_BY = ("the", "all", "their", "its", "of")


def _asks_which(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with "which" or "on which": yes or no does not answer it."""
    words = " ".join(token.text for token in tokens).split()
    return next((word for word in words if word not in _PREPOSITIONS), "") == "which"


def _asks_which_has(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked which of several has the most of something: no number answers that."""
    for place, token in enumerate(tokens):
        begins = place == 0 or tokens[place - 1].text in (",", ";") or token.start - tokens[place - 1].end > 1
        if begins and _means(token, Word) and any(m == Word("which_has") for m in token.meanings):
            return True
    return False


_PREPOSITIONS = ("on", "in", "at", "of", "for")


def _grounds_between(tokens: Sequence[Token]) -> Iterable[tuple[Place, Place]]:
    """Yield the two named grounds that something is between: "between cropland and forest"."""
    told = [token for token in tokens if token.text not in ("the", "of", "that of")]
    for word, one, join, other in zip(told, told[1:], told[2:], told[3:], strict=False):
        if word.text == "between" and join.text == "and":
            match [m.node for t in (one, other) for m in t.meanings if isinstance(m, Mask)]:
                case [Place() as first, Place() as second]:
                    yield first, second


def _chooses_among(tokens: Sequence[Token]) -> bool:
    """Return whether one of several is asked for: "which of the six dates in 2021"."""
    return bool(tokens) and tokens[0].text.startswith("which of")


def _asks_whether(tokens: Sequence[Token]) -> bool:
    """Return whether yes or no is asked for, and nothing else."""
    texts = [token.text for token in tokens]
    first = texts[0].split()[0] if texts else ""
    others = ("which", "when", "what", "where", "how", "there", "any", "or")
    return first in _VERBS and not any(word in text.split() for text in texts for word in others)


_VERBS = ("do", "does", "did", "is", "are", "was", "were")


def _speaks_of_cloudy_dates(tokens: Sequence[Token]) -> bool:
    """Return whether clouds are said of dates, or beside what is measured, and not of pixels."""
    return not any(word in token.text for token in tokens for word in _UNDER_CLOUD)


_UNDER_CLOUD = ("pixel", "under", "beneath", "below", "where", "part", "area", "only", "cloud-covered")


def _says_rate(tokens: Sequence[Token]) -> bool:
    """Return whether it is said per what: "per year", "at what rate"."""
    return any(token.text.split()[0] == "per" or token.text.startswith(_RATES) for token in tokens)


_RATES = ("a year", "a month", "a decade", "a day", "at what rate", "at which rate", "how fast")


def _averages_each_date(tokens: Sequence[Token]) -> bool:
    """Return whether the one statistic that is said is to be told for each date."""
    each = any(Each("date") in token.meanings and token.text != "daily" for token in tokens)
    each |= any(
        one.text.split()[-1] in ("each", "every", "per") and Unit("date") in noun.meanings
        for one, noun in pairwise(tokens)
    )
    pooled = any(Along("date") in token.meanings for token in tokens)
    return each and not pooled and sum(_means(token, Stat) for token in tokens) == 1


def _begins(*words: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether a phrase begins with some words."""
    return lambda tokens: any(token.text.lstrip(", ").startswith(words) for token in tokens)


def _asks_how_much(tokens: Sequence[Token]) -> bool:
    return _says("how much", "by how much")(tokens) and not _says_rate(tokens)


def _counts_metres(tokens: Sequence[Token]) -> bool:
    return _says("how many metres", "how many meters", "by how many metres")(tokens)


def _says_throughout(tokens: Sequence[Token]) -> bool:
    """Return whether something is said to stay above or below a limit: at all times, not on the whole."""
    return any(token.text.startswith(_STAYS) for token in tokens)


_STAYS = (
    "stay",
    "remain",
    "keep above",
    "keep below",
    "keeps ",
    "kept above",
    "kept below",
    "held ",
    "hold ",
    "holds ",
)


def _tells_when_clouds_are(tokens: Sequence[Token]) -> bool:
    """Return whether it is said of cloudy or clear dates when they are: "are in 2017"."""
    return any(_CLOUDY_DATES.search(dates.text) and verb.text in _ARE for dates, verb in pairwise(tokens))


_CLOUDY_DATES = re.compile(r"(?:cloud|clear).* (?:dates|days|images|scenes|acquisitions)$")
_ARE = ("are", "is", "were", "was", "fall", "fell", "lie", "lay")


# --- What does not meet them ----------------------------------------------------------------------


def _is_of_all_dates(node: Node) -> bool:
    """Return whether the shares of clouds of all dates give one number: "mean cloud cover by image"."""
    return any(
        isinstance(part, Aggregate)
        and (part.over, part.by) == ("date", None)
        and isinstance(part.of, Aggregate)
        and isinstance(part.of.of, Cloud)
        for part in _parts(node)
    )


def _parts(node: Node) -> tuple[Node, ...]:
    return node.of if isinstance(node, Several) else (node,)


def _is_not_throughout(node: Node) -> bool:
    """Return whether a part is yes or no of a mean over the dates that nobody said, or told of each date."""
    return any(
        isinstance(part, Aggregate)
        and part.over == "pixel"
        and "date" in kind_of(part).axes
        or kind_of(part).value == "truth"
        and any("dates" in getattr(one, "assumed", ()) for one in part.walk())
        for part in _parts(node)
    )


def _is_about_dates(node: Node) -> bool:
    """Return whether a node is yes or no, or counts dates, on ground that another ground is cut out of.

    What holds of one ground "but not" of another is not one thing on the first without the second.
    """
    if isinstance(node, Several):
        return False
    truth = kind_of(node).value == "truth" or isinstance(node, Dates)
    truth = truth or isinstance(node, Aggregate) and node.over == "date"
    return truth and any(isinstance(getattr(leaf, "where", None), And) for leaf in leaves(node))


def _is_of_found_ground(node: Node) -> bool:
    return any(isinstance(part, Place) and part.at is not None for part in node.walk())


def _is_of_a_mean(node: Node) -> bool:
    """Return whether a part is yes or no of a mean that nobody said: "all" is not that of a mean."""
    return any(map(claims_by_default, _parts(node)))


def _claims_a_limit(node: Node) -> bool:
    """Return whether a node is yes or no of one number; "which is higher, A or B" is told with yes or no."""
    if isinstance(node, Several):
        return False
    kind = kind_of(node)
    limits = [part.limit for part in node.walk() if isinstance(part, Compare)]
    return kind.value == "truth" and not kind.axes and any(isinstance(limit, Number) for limit in limits)


def _pools(node: Node, grounds: tuple[Place, Place]) -> bool:
    """Return whether two grounds are one in an expression."""
    names = {name for ground in grounds for name in ground.names}
    return any(isinstance(part, Place) and names <= set(part.names) for part in node.walk())


def _finds_or_measures(node: Node) -> bool:
    """Return whether a node is several of what there is, or a number: neither is one of those named."""
    several = any(isinstance(part, Which) and part.top != 1 for part in node.walk())
    return several or not isinstance(node, Several) and kind_of(node).value == "number"


def _is_number(node: Node) -> bool:
    return not isinstance(node, Several) and kind_of(node).value == "number"


def _is_no_claim(node: Node) -> bool:
    return not isinstance(node, Several) and kind_of(node).value in ("date", "name")


def _names_each_season(tokens: Sequence[Token]) -> bool:
    """Return whether seasons are told one by one, which is no time in one."""
    words = {word for token in tokens for word in token.text.split()}
    return {"spring", "summer", "winter"} <= words


def _is_of_one_time(node: Node) -> bool:
    return not isinstance(node, Several) and any(len(leaf.when.spans) == 1 for leaf in leaves(node))


def _asks_several_of_one(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked "how steep and how high" something is."""
    told = [token for token in tokens if token.text not in (",", "and")]
    return any(_asks_how(one) and _asks_how(other) for one, other in pairwise(told))


def _asks_how(token: Token) -> bool:
    return token.text.startswith("how ") and _means(token, Raw)


def _is_not_of_one(node: Node) -> bool:
    """Return whether one thing is asked for alone, or parts are of other grounds."""
    grounds = {frozenset(leaf.where for leaf in leaves(part)) for part in _parts(node)}
    return not isinstance(node, Several) or len(grounds) > 1


def _asks_what_it_is(tokens: Sequence[Token]) -> bool:
    """Return whether the question begins by asking for what something is, which is no yes or no."""
    return bool(tokens) and tokens[0].text in _WHAT and not any(t.text in _OR for t in tokens)


_WHAT = ("what is", "what was", "what's", "what are", "what were", "how much", "how many", "by how much")
_OR = ("whether", "or", "rather")


def _claims_first(node: Node) -> bool:
    return kind_of(_parts(node)[0]).value == "truth"


def _is_measured_under_cloud(node: Node) -> bool:
    grounds = [leaf.where for leaf in leaves(node) if isinstance(leaf, Variable) and leaf.where is not None]
    parts = [ground.of if isinstance(ground, And) else (ground,) for ground in grounds]
    return any(isinstance(part, Cloud) for each in parts for part in each)


def _correlates_nothing(node: Node) -> bool:
    return not any(isinstance(part, Correlation) for part in node.walk())


def _is_at_no(*ends: str) -> Callable[[Node], bool]:
    """Return whether a node is of no lowest, or no highest, value: what it got to is not told with it."""

    def is_wrong(node: Node) -> bool:
        found: set[str] = {part.direction for part in node.walk() if isinstance(part, Which)}
        found |= {part.statistic for part in node.walk() if isinstance(part, Aggregate)}
        return not found & set(ends)

    return is_wrong


def _is_trend(node: Node) -> bool:
    return any(isinstance(part, Trend) and part.gives == "slope" for part in node.walk())


def _is_of_temperature(node: Node) -> bool:
    return not isinstance(node, Several) and kind_of(node).unit.split("/")[0] in ("K", "degC", "degF")


def _is_share_of_dates(node: Node) -> bool:
    return any(
        isinstance(part, Aggregate) and (part.statistic, part.over) == ("share", "date")
        for part in node.walk()
    )


def _is_one_number(node: Node) -> bool:
    return not isinstance(node, Several) and not kind_of(node).axes


def _slopes_per_other_than(unit: str) -> Callable[[Node], bool]:
    """Return whether a trend is told per another unit of time than the one that is said."""

    def is_wrong(node: Node) -> bool:
        slopes = [part for part in node.walk() if isinstance(part, Trend) and part.gives == "slope"]
        changes = [part for part in node.walk() if isinstance(part, Combine) and _is_change(part)]
        return any(part.per != unit for part in slopes) or bool(changes) and not slopes

    return is_wrong


def _is_change(node: Combine) -> bool:
    """Return whether a node is a difference between two times."""
    whens = [{leaf.when for leaf in leaves(side)} for side in (node.left, node.right)]
    return node.how in ("difference", "percent_change") and whens[0] != whens[1]


def _is_of_mean_pixels(node: Node) -> bool:
    """Return whether no pixel is asked of by itself, of which "it" would tell what it reached."""
    return not any("pixel" in kind_of(part).axes for part in node.walk() if isinstance(part, Aggregate))


_HOW_CLOSELY = (
    "how closely",
    "how tightly",
    "how well",
    "and how closely",
    "and how tightly",
    "and how strongly",
)

# Several things are one where they are counted together.
_FORWARDS = tuple(
    f"{later} minus {earlier}"
    for later, earlier in (
        ("later", "earlier"),
        *(("second", first) for first in ("first", "start")),
        *(("last", first) for first in ("first", "start")),
        *(("end", first) for first in ("first", "start")),
        ("after", "before"),
    )
)


def _is_no_change_forwards(node: Node) -> bool:
    """Return whether no difference is of a later time from an earlier one, or one is the other way round."""
    changes = [part for part in node.walk() if isinstance(part, Combine) and part.how == "difference"]
    spans = [
        [leaf.when.spans for leaf in leaves(side)] for part in changes for side in (part.left, part.right)
    ]
    firsts = [min((s.first for one in side for s in one if s.first), default=None) for side in spans]
    pairs = list(zip(firsts[::2], firsts[1::2], strict=True))
    return not pairs or any(left is None or right is None or left <= right for left, right in pairs)


def _falls(tokens: Sequence[Token]) -> bool:
    """Return whether "fall" is what a number does, and no season: right after what is measured."""
    return any(
        after.text == "fall" and _means(before, Raw, Stat, Measure) and not (last and _means(last, Time))
        for before, after, last in zip(tokens, tokens[1:], (*tokens[2:], None), strict=False)
    )


def _is_of_autumn(node: Node) -> bool:
    return any(leaf.when.months == (9, 10, 11) for leaf in leaves(node))


_HOW_HIGH = tuple(product(("", ", "), ("high", "low")))


def _finds_no_date(node: Node) -> bool:
    """Return whether no date or period is looked for."""
    found = [part for part in node.walk() if isinstance(part, Which)]
    return not any(kind_of(part).value == "date" for part in found)


_ALTOGETHER = ("altogether", "in total", "all told")

_DISAGREEMENTS: tuple[tuple[Callable[[Sequence[Token]], bool], Callable[[Node], bool]], ...] = (
    (_says("total area"), lambda node: isinstance(node, Dates)),
    (_says("their"), forgets_the_found),
    (_averages_each_date, _is_of_all_dates),
    (_says_all, _is_of_a_mean),
    (_says_but, _is_about_dates),
    (_says_throughout, _is_not_throughout),
    (_says(*_ALTOGETHER), lambda node: isinstance(node, Several)),
    (_asks_which, _claims_a_limit),
    (_asks_which_has, _is_number),
    (_is_unled, _is_of_found_ground),
    (_ranks_pixels, ranks_pixels_of_a_ground),
    (_is_part_of_a_ground, limits_shares_of_zones),
    (bool, shares_another_base),
    (_chooses_among, _finds_or_measures),
    (_asks_whether, _is_no_claim),
    (_asks_what_it_is, _claims_first),
    (_asks_several_of_one, _is_not_of_one),
    (_names_each_season, _is_of_one_time),
    (_says("above or below", "below or above"), lambda node: all(map(_is_no_claim, _parts(node)))),
    (_speaks_of_cloudy_dates, _is_measured_under_cloud),
    (_says(*_FORWARDS), _is_no_change_forwards),
    (_falls, _is_of_autumn),
    (_asks_how_much, _is_trend),
    (_begins(*_HOW_CLOSELY), _correlates_nothing),
    (_begins("and how low"), _is_at_no("lowest", "min")),
    (_begins("and how high"), _is_at_no("highest", "max")),
    # Of a region it is rather asked how high it lies.
    (_says(*(f"{comma}and how {end} was it" for comma, end in _HOW_HIGH)), _finds_no_date),
    (_counts_metres, _is_of_temperature),
    (_tells_when_clouds_are, _is_share_of_dates),
    (
        _says("cloud frequency", "cloudiness frequency", "frequency of clouds"),
        _is_one_number,
    ),
    (_says("it reached", "that it reached", "it attained", "it took"), _is_of_mean_pixels),
    *((_says_per(unit), _slopes_per_other_than(unit)) for unit in ("day", "month", "year", "decade")),
)
