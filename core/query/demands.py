"""What words of a question demand of its answer wherever they stand, such as "which", "all" or "their"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from treeline.core.query.expression import Place, Variable
from treeline.core.query.kinds import kind_of
from treeline.core.query.phrases.answers import Form
from treeline.core.query.phrases.comparisons import Change, Comparative, HowMuch
from treeline.core.query.phrases.conditions import Limit, Operator
from treeline.core.query.phrases.counts import Area, Share, ShareOf, Unit
from treeline.core.query.phrases.courses import Course
from treeline.core.query.phrases.phrase import Join, Nothing, Phrase, Word
from treeline.core.query.phrases.places import About, Mask
from treeline.core.query.phrases.ranks import Extreme, LargestArea, Ranking
from treeline.core.query.phrases.times import Clouds, Time
from treeline.core.query.phrases.values import Along, Amount, Each, Measure, Raw, Stat
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token


def says(*words: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether one of some words is said."""
    return lambda tokens: any(token.text in words for token in tokens)


def says_per(unit: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether "per day" is said."""
    return lambda tokens: f"per {unit}" in " ".join(token.text for token in tokens)


def takes_a_statistic_of_all_dates(tokens: Sequence[Token]) -> bool:
    """Return whether the median, mean or the like of all dates is named."""
    content = [token for token in tokens if token.kind != "filler"]
    return any(
        _means(one, Stat)
        and other.text in ("of all dates", "of all images", "over all dates", "of all the dates")
        for one, other in pairwise(content)
    )


def asks_how_long_after(tokens: Sequence[Token]) -> bool:
    """Return whether the time from a day on is asked for, which is no length of a season or run."""
    return _HOW_LONG_AFTER.search(" ".join(token.text for token in tokens)) is not None


_HOW_LONG_AFTER = re.compile(r"\bhow long (?:after|before|since|from|until)\b")


def averages_a_statistic(tokens: Sequence[Token]) -> bool:
    """Return whether a statistic of the pixels is "averaged" by month, and so not taken over dates."""
    content = [token for token in tokens if token.kind != "filler"]
    return any(
        _means(one, Stat) and _means(other, Raw) and last.text == "averaged"
        for one, other, last in zip(content, content[1:], content[2:], strict=False)
    )


def limits_before_two_grounds(tokens: Sequence[Token]) -> bool:
    """Return whether a limit is told before both of two grounds, so that it holds in both."""
    limits = [place for place, token in enumerate(tokens) if _means(token, Operator, Limit)]
    grounds = [
        place
        for place, token in enumerate(tokens)
        if any(isinstance(meaning, Mask) and isinstance(meaning.node, Place) for meaning in token.meanings)
    ]
    return len(grounds) == 2 and any(place < grounds[0] for place in limits)


def compares_areas(tokens: Sequence[Token]) -> bool:
    """Return whether the area is what is larger or "higher", or what a limit is on: "have an area above"."""
    content = [token for token in tokens if token.kind != "filler"]
    asked = len(content) > 1 and Word("did") in content[0].meanings and _means(content[1], Area)
    plainly = any(
        isinstance(meaning, Comparative | Operator) and getattr(meaning, "node", None) is None
        for token in content[2:]
        for meaning in token.meanings
        if token.text.split()[0] in _PLAIN
    )
    limited = any(
        one.text in ("have", "has", "had", "having", "with") and _means(area, Area) and _means(last, Operator)
        for one, area, last in zip(content, content[1:], content[2:], strict=False)
    )
    ranked = any(
        _means(one, Stat, Extreme) and _means(area, Area) and (_means(last, Operator) or last.text == "with")
        for one, area, last in zip(content, content[1:], content[2:], strict=False)
    )
    return asked and plainly or limited or ranked


_PLAIN = ("higher", "larger", "greater", "bigger", "smaller", "lower", "less", "more")


def says_when_it_passes(tokens: Sequence[Token]) -> bool:
    """Return whether "ever" or "always" stands right before a second limit: "area above 0.6 ever above"."""
    content = [token for token in tokens if token.kind != "filler"]
    limits = [place for place, token in enumerate(content) if _means(token, Operator, Limit)]
    told = [place for place, token in enumerate(content) if token.text in ("ever", "always", "never")]
    return any(place + 1 in limits and limits[0] < place for place in told)


def skips_dates_without_clear_pixels(tokens: Sequence[Token]) -> bool:
    """Return whether dates on which nothing is clear are to be left out."""
    return any(_NOTHING_CLEAR.search(token.text) for token in tokens)


_NOTHING_CLEAR = re.compile(r"\b(?:dates|images|scenes|days|acquisitions) .*\bclear\b")


def speaks_of_no_spot(tokens: Sequence[Token]) -> bool:
    """Return whether no pixel, point or place is named: what lies far apart is then values."""
    return not any(_SPOT.search(token.text) for token in tokens)


_SPOT = re.compile(r"\b(?:pixel|point|place|spot|location|cell|summit|peak)s?\b")


def asks_how_far_spots_are_apart(tokens: Sequence[Token]) -> bool:
    """Return whether the distance of pixels or points is asked for, and no difference of values."""
    apart = any(About("how far") in token.meanings for token in tokens)
    return apart and not speaks_of_no_spot(tokens)


def says_all(tokens: Sequence[Token]) -> bool:
    """Return whether it is said of all."""
    return any(token.text.split()[0] == "all" for token in tokens)


def says_but(tokens: Sequence[Token]) -> bool:
    """Return whether something is left out: "but not", "neither", "nor"."""
    return any(token.text.split()[0] in ("but", "neither", "nor") for token in tokens)


def _means(token: Token, *kinds: type[Phrase]) -> bool:
    return any(isinstance(meaning, kinds) for meaning in token.meanings)


def _is_share(token: Token) -> bool:
    return any(isinstance(m, Amount | Limit) and m.number.unit == "%" for m in token.meanings)


def is_unled(tokens: Sequence[Token]) -> bool:
    """Return whether a comma stands right before a class or region that is the largest or highest.

    "Median elevation, largest class" are two things, and not the elevation of that class.
    """
    told = [token for token in tokens if token.text != "the"]
    return any(
        comma.text in (",", ";") and _means(word, Extreme, LargestArea, Ranking)
        for comma, word in pairwise(told)
    )


def ranks_pixels(tokens: Sequence[Token]) -> bool:
    """Return whether the highest or lowest per cent of something is spoken of: "hottest 10 %"."""
    told = [token for token in tokens if token.kind not in ("filler", "open", "close")]
    return any(
        _means(word, Extreme, Ranking) and _means(share, Amount) and _is_share(share)
        for word, share in pairwise(told)
    )


def is_part_of_a_ground(tokens: Sequence[Token]) -> bool:
    """Return whether a share is said to be "of" something: 30 % of the forest is not 30 % forest."""
    for place, (share, after) in enumerate(pairwise(tokens)):
        if _is_share(share) and (share.text.endswith(" of") or after.text.split()[0] == "of"):
            noun = next((t for t in tokens[place + 1 :] if t.text not in _LED_BY), after)
            if not noun.text.startswith("pixel"):
                return True
    return False


_LED_BY = ("the", "all", "their", "its", "of")


def asks_which(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with "which" or "on which": yes or no does not answer it."""
    words = " ".join(token.text for token in tokens).split()
    nearest = bool(tokens) and tokens[0].text.endswith(_NEAREST_TO)
    return not nearest and next((word for word in words if word not in _PREPOSITIONS), "") == "which"


def asks_which_dates(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with "which dates"."""
    first = tokens[0] if tokens else None
    if first is None or not first.text.startswith(("which ", "what ")):
        return False
    return any(isinstance(m, Unit) and m.of == "date" for m in first.meanings)


# "Which of these is closest to the mean elevation" asks for that number.
_NEAREST_TO = ("closest to", "nearest to")


def names_another_temperature(tokens: Sequence[Token]) -> bool:
    """Return whether a temperature is named, but not that of the surface: "brightness temperature"."""
    named = [m.node for t in tokens for m in t.meanings if isinstance(m, Raw | Comparative | Ranking)]
    told = [leaf for node in named if node is not None for leaf in leaves(node) if isinstance(leaf, Variable)]
    roles = {leaf.role for leaf in told if kind_of(leaf).unit in _TEMPERATURES}
    return bool(roles) and "lst" not in roles


def crosses_last(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked when a limit was last crossed: it may have stayed beyond it since."""
    return any(
        one.text.split()[-1] == "last" and other.text.split()[0] in _CROSSES
        for one, other in pairwise(tokens)
    )


_CROSSES = (
    "rise", "rose", "fall", "fell", "drop", "dropped", "climb", "climbed", "sink", "sank", "go", "went",
    "dip", "dipped",
)  # fmt: skip


def asks_which_within(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked which region, date or class, wherever that stands in the question."""
    return any(token.text.split()[0] == "which" and _means(token, Unit) for token in tokens)


def asks_which_has(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked which of several has the most of something: no number answers that."""
    for place, token in enumerate(tokens):
        begins = place == 0 or tokens[place - 1].text in (",", ";") or token.start - tokens[place - 1].end > 1
        if begins and _means(token, Word) and any(m == Word("which_has") for m in token.meanings):
            return True
    return False


def asks_which_one(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with which date or zone: "which 2017 date shows the greatest"."""
    words = " ".join(token.text for token in tokens).split()[:3]
    return bool(words) and words[0] == "which" and any(word in _ONE for word in words[1:])


_ONE = ("date", "day", "month", "year", "season", "image", "scene", "class", "region", "polygon")


def begins_with_a_date(tokens: Sequence[Token]) -> bool:
    """Return whether a date is asked for by its noun: "the 2016 date with the highest median"."""
    told = [token for token in tokens if token.kind != "filler" or token.text == "with"]
    while told and _means(told[0], Time) and not _means(told[0], Unit):
        told = told[1:]
    return len(told) > 1 and told[0].text in _DATES and told[1].text == "with"


_DATES = ("date", "day", "image", "scene")
_PREPOSITIONS = ("on", "in", "at", "of", "for")


def grounds_between(tokens: Sequence[Token]) -> Iterable[tuple[Place, Place]]:
    """Yield the two named grounds that something is between: "between cropland and forest"; that differ."""
    told = [token for token in tokens if token.text not in ("the", "of", "that of")]
    fours = list(zip(told, told[1:], told[2:], told[3:], strict=False))
    between = [four[1:] for four in fours if four[0].text == "between"]
    differ = [four[:3] for four in fours if four[3].text.startswith("differ")]
    for one, join, other in (*between, *differ):
        if join.text == "and":
            match [m.node for t in (one, other) for m in t.meanings if isinstance(m, Mask)]:
                case [Place() as first, Place() as second]:
                    yield first, second


def charted_grounds(tokens: Sequence[Token]) -> Iterable[tuple[Place, Place]]:
    """Yield two named grounds of which a chart is to show both: "plot the NDVI of forest and grassland"."""
    if not any(isinstance(m, Form) and m.form in ("chart", "series") for t in tokens for m in t.meanings):
        return
    told = [token for token in tokens if token.text not in ("the", "of", "that of", "for")]
    for one, join, other in zip(told, told[1:], told[2:], strict=False):
        if _means(join, Join):
            match [m.node for t in (one, other) for m in t.meanings if isinstance(m, Mask)]:
                case [Place() as first, Place() as second]:
                    yield first, second


def shared_grounds(tokens: Sequence[Token]) -> Iterable[Place]:
    """Yield named ground that is a share: "what percentage of the pixels above 305 K are forest"."""
    asked = next((place for place, token in enumerate(tokens) if _means(token, Share, ShareOf)), len(tokens))
    told = [token for token in tokens[asked:] if token.text != "the"]
    for verb, noun, after in zip(told, told[1:], (*told[2:], None), strict=False):
        # "Was forest NDVI" is of the NDVI of that ground.
        named = after is None or not _means(after, Raw, Measure)
        if named and verb.text in ("is", "are", "was", "were"):
            yield from (m.node for m in noun.meanings if isinstance(m, Mask) and isinstance(m.node, Place))


def chooses_among(tokens: Sequence[Token]) -> bool:
    """Return whether one of several is asked for: "which of the six dates in 2021"."""
    first = tokens[0].text if tokens else ""
    return first.startswith("which of") and not first.endswith(_NEAREST_TO)


def asks_whether(tokens: Sequence[Token]) -> bool:
    """Return whether yes or no is asked for, and nothing else."""
    texts = [token.text for token in tokens]
    first = texts[0].split()[0] if texts else ""
    others = ("which", "when", "what", "where", "how", "there", "any", "or")
    return first in _VERBS and not any(word in text.split() for text in texts for word in others)


def speaks_of_zones_by_a_statistic(tokens: Sequence[Token]) -> bool:
    """Return whether zones are chosen by a statistic of theirs: "regions with a mean NDVI above 0.5"."""
    told = [token for token in tokens if token.kind != "filler" or token.text == "with"]
    return any(
        any(isinstance(m, Unit) and m.of in ("zone", "class") for m in zones.meanings)
        and Word("where") in link.meanings
        and _means(stat, Stat)
        for zones, link, stat in zip(told, told[1:], told[2:], strict=False)
    )


def sets_against_the_scene(tokens: Sequence[Token]) -> bool:
    """Return whether something is set against a mean of all that is there: "above the scene mean"."""
    return _OF_ALL.search(" ".join(token.text for token in tokens)) is not None


_OF_ALL = re.compile(
    r"\b(?:scene|image|raster|overall|scene-wide|image-wide)(?:'s)?(?: \w+)? (?:mean|average|avg|median)\b"
    r"|\b(?:mean|average|avg|median)(?: \w+)?(?: of| over)?(?: the)?(?: whole| entire)? (?:scene|image)\b"
)


def begins_with_a_total_area(tokens: Sequence[Token]) -> bool:
    """Return whether an area is asked for, and not what is measured in it: "total area of the raster"."""
    told = [token.text for token in tokens if token.kind != "filler"]
    return bool(told) and told[0] in ("total area", "area")


def lists_an_area(tokens: Sequence[Token]) -> bool:
    """Return whether an area stands in a list of what is asked for: "mean NDVI, forest area"."""
    told = [token for token in tokens if token.kind != "filler"]
    triples = enumerate(zip(told, told[1:], told[2:], strict=False))
    return any(
        (comma.text, area.text) == (",", "area")
        and _means(ground, Mask)
        and any(_means(token, Stat) for token in told[:place])
        for place, (comma, ground, area) in triples
    )


def measures_from_ground(tokens: Sequence[Token]) -> bool:
    """Return whether a distance from ground is a limit: "more than 100 m from the forest"."""
    told = [token for token in tokens if token.kind != "filler"]
    return any(
        word.text == "from" and _is_length(before) and _means(after, Mask)
        for before, word, after in zip(told, told[1:], told[2:], strict=False)
    )


def _is_length(token: Token) -> bool:
    return any(
        isinstance(m, Amount | Limit) and m.number.unit in ("m", "km", "ft", "mi") for m in token.meanings
    )


def counts_clouds(tokens: Sequence[Token]) -> bool:
    """Return whether clouds are counted, which no mask tells apart, and not the pixels under them."""
    texts = [token.text for token in tokens]
    return any(f"{one} {other}" in ("how many clouds", "number of clouds") for one, other in pairwise(texts))


def lists_grounds(tokens: Sequence[Token]) -> bool:
    """Return whether three grounds or more are listed with commas: each is meant, and not all as one."""
    told = [token for token in tokens if token.kind not in ("filler", "open", "close")]
    grounds = [
        place
        for place, token in enumerate(told)
        if any(isinstance(m, Mask) and isinstance(m.node, Place) for m in token.meanings)
    ]
    return len(grounds) > 2 and any(
        last - first == 2 and told[first + 1].text == "," for first, last in pairwise(grounds)
    )


def says_what_is_higher(tokens: Sequence[Token]) -> bool:
    """Return whether it is said of a variable, and not of ground, that it is higher: "NDVI is higher"."""
    grounds = [m for token in tokens for m in token.meanings if isinstance(m, Raw) and _is_terrain(m)]
    return not grounds and any(
        _means(one, Raw) and other.text in ("higher", "lower") for one, other in pairwise(tokens)
    )


def _is_terrain(raw: Raw) -> bool:
    return isinstance(raw.node, Variable) and raw.node.role == "dem"


def asks_how(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with "how": how much, how high, how it changed."""
    told = [token for token in tokens if token.kind != "open"]
    return bool(told) and told[0].text.split()[0] == "how"


def begins_with_a_verb(tokens: Sequence[Token]) -> bool:
    """Return whether a question begins with a verb alone: "is the slope gentle", and not "do you have"."""
    told = [token for token in tokens if token.kind != "open"]
    return len(told) > 1 and told[0].text in _VERBS and told[1].text not in _POLITE


_VERBS = ("do", "does", "did", "is", "are", "was", "were")


def asks_yes_or_no(tokens: Sequence[Token]) -> bool:
    """Return whether yes or no is asked for: "do you know the NDVI" asks politely for the NDVI itself."""
    first = [token for token in tokens if token.kind != "open"][:2]
    words = [word for token in first for word in token.text.split()]
    return bool(words) and words[0] in _YES_OR_NO and not any(word in _POLITE for word in words)


def asks_whether_two_differ(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked if two things differ, from how much on is not said."""
    return asks_yes_or_no(tokens) and any(token.text.endswith("differ from") for token in tokens)


_YES_OR_NO = (*_VERBS, "has", "have", "whether")


_POLITE = ("know", "mind", "idea", "tell", "give", "get", "find", "obtain", "see")


def asks_for_a_share(tokens: Sequence[Token]) -> bool:
    """Return whether a share is what is asked for first: "share of the pixels with a positive trend"."""
    return all(isinstance(meaning, Share) for meaning in _first_meanings(tokens))


def asks_for_an_area(tokens: Sequence[Token]) -> bool:
    """Return whether an area is what is asked for first: "area where the forest is greener than 0.8"."""
    return any(isinstance(meaning, Area) for meaning in _first_meanings(tokens))


def _first_meanings(tokens: Sequence[Token]) -> tuple[Phrase, ...]:
    """Return what the first word with a meaning may mean."""
    told = (token.meanings for token in tokens if token.kind not in ("filler", "open", "close"))
    return next(told, (Nothing(),))


def asks_for_trends_of_pixels(tokens: Sequence[Token]) -> bool:
    """Return whether the trend of each pixel is meant: "mean of the per-pixel NDVI trend"."""
    each = [place for place, token in enumerate(tokens) if _PER_PIXEL in token.meanings]
    courses = [place for place, token in enumerate(tokens) if _means(token, Course)]
    return any(place < course for place in each for course in courses)


_PER_PIXEL = Along("date", "both")


def groups_by_zone(tokens: Sequence[Token]) -> bool:
    """Return whether something is asked for by region or by class: for each of them."""
    told = [token for token in tokens if token.kind != "open"]
    return any(
        before.text == "by" and any(isinstance(m, Unit) and m.of in ("zone", "class") for m in after.meanings)
        for before, after in pairwise(told)
    )


def counts_crossings(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked how often a limit was crossed, which is not how many dates lie beyond it."""
    said = " ".join(token.text for token in tokens)
    return bool(_HOW_OFTEN.search(said)) and any(token.text in _PASSES for token in tokens)


_HOW_OFTEN = re.compile(r"\b(?:how many times|how often|number of times|how frequently)\b")
_PASSES = ("cross", "crossed", "crosses", "pass", "passed", "passes")


def asks_if_anywhere(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked if there is one pixel of a kind, which the mean of all does not tell."""
    texts = [token.text for token in tokens]
    begins = bool(texts) and texts[0].startswith(("is there", "was there", "are there", "were there"))
    return begins or "anywhere" in texts or "somewhere" in texts


def asks_what_it_means(tokens: Sequence[Token]) -> bool:
    """Return whether a variable is to be explained: "what is NDVI", "how is NDVI computed"."""
    text = " ".join(token.text for token in tokens if token.text not in ("?", ","))
    variable = " ".join(token.text for token in tokens if _means(token, Raw))
    told = (f"what is {variable}", f"what's {variable}", f"what does {variable} mean")
    return bool(variable) and (text in told or _HOW_MADE.match(text) is not None)


_HOW_MADE = re.compile(
    r"how (?:is|are|was|were|do you|did you) (?:the )?(?:\w+ )+(?:computed|calculated|defined|derived|made)\b"
    r"|how (?:do|did) you (?:compute|calculate|define|derive|make)\b"
)


def asks_no_availability(tokens: Sequence[Token]) -> bool:
    """Return whether it is not asked whether something is there: "the NDVI in the data"."""
    return not asks_yes_or_no(tokens)


def speaks_of_cloudy_dates(tokens: Sequence[Token]) -> bool:
    """Return whether clouds are said of dates, or beside what is measured, and not of pixels."""
    return not any(word in token.text for token in tokens for word in _UNDER_CLOUD)


_UNDER_CLOUD = ("pixel", "under", "beneath", "below", "where", "part", "area", "only", "cloud-covered")


def _says_rate(tokens: Sequence[Token]) -> bool:
    """Return whether it is said per what: "per year", "at what rate"."""
    return any(token.text.split()[0] == "per" or token.text.startswith(_RATES) for token in tokens)


_RATES = ("a year", "a month", "a decade", "a day", "at what rate", "at which rate", "how fast")


def averages_each_date(tokens: Sequence[Token]) -> bool:
    """Return whether the one statistic that is said is to be told for each date."""
    each = any(Each("date") in token.meanings and token.text != "daily" for token in tokens)
    each |= any(
        one.text.split()[-1] in ("each", "every", "per") and Unit("date") in noun.meanings
        for one, noun in pairwise(tokens)
    )
    pooled = any(Along("date") in token.meanings for token in tokens)
    return each and not pooled and sum(_means(token, Stat) for token in tokens) == 1


def says_each_date(tokens: Sequence[Token]) -> bool:
    """Return whether something is asked of each date: one thing of all of them is no answer."""
    return any(Each("date") in token.meanings and token.text != "daily" for token in tokens)


def begins(*words: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether a phrase begins with some words."""
    return lambda tokens: any(token.text.lstrip(", ").startswith(words) for token in tokens)


def numbers_apart(tokens: Sequence[Token]) -> frozenset[float]:
    """Return the numbers that stand between two limits: of "above 720 m or above NDVI 0.7" the first.

    They belong to the limit before them, and are no "720 m or above".
    """
    found = set()
    for before, number, join, after in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        if _means(before, Operator) and join.text == "or" and _means(after, Operator):
            found |= {m.number.value for m in number.meanings if isinstance(m, Amount)}
    return frozenset(found)


def counted_numbers(tokens: Sequence[Token]) -> Iterable[float]:
    """Yield the numbers of things that follow: of "at least two of A, B and C"."""
    for operator, number, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if _means(operator, Operator) and after.text == "of":
            yield from (
                m.number.value
                for m in number.meanings
                if isinstance(m, Amount) and not m.number.unit and m.number.value in _COUNTED
            )


# "Above 700 of the forest" is no number of things.
_COUNTED = range(2, 13)


def asks_how_long(tokens: Sequence[Token]) -> bool:
    """Return whether days are a length of time: "how many days before D was the last image"."""
    return _LENGTH_IN_DAYS.search(" ".join(token.text for token in tokens)) is not None


_LENGTH_IN_DAYS = re.compile(
    r"\b(?:how many|number of) days (?:before|after|since|until|till|past|ago|earlier|later)\b"
)


def says_when_it_was(tokens: Sequence[Token]) -> bool:
    """Return whether "the last time" is that of what follows: "the last time the forest was cloud-free"."""
    for place, token in enumerate(tokens):
        if token.text.endswith(" time") and any(isinstance(m, Time) and m.when.pick for m in token.meanings):
            return any(_means(after, Clouds) for after in tokens[place + 1 :])
    return False


def asks_how_much(tokens: Sequence[Token]) -> bool:
    """Return whether an amount is asked for, and no rate."""
    return says("how much", "by how much")(tokens) and not _says_rate(tokens)


def units_asked_for(tokens: Sequence[Token]) -> Iterable[frozenset[str]]:
    """Yield in which units it is asked by how much: "how many metres higher" in m."""
    for token in tokens:
        if any(isinstance(meaning, HowMuch) for meaning in token.meanings):
            yield from (units for said, units in _IN_UNITS.items() if re.search(said, token.text))


# What is counted in "how many degrees warmer", and the units of what can be told so.
_TEMPERATURES = frozenset({"K", "degC", "degF"})
_IN_UNITS = {
    r"\b(?:metres|meters|m)$": frozenset({"m", "km"}),
    r"\b(?:hectares|hectare|ha)$": frozenset({"ha"}),
    r"\bdegrees$": _TEMPERATURES | {"degree"},
    r"\b(?:kelvins?|celsius|centigrade|degrees c|\u00b0c)$": _TEMPERATURES,
    r"\b(?:percentage|percent) points$": frozenset({"%"}),
}


def says_throughout(tokens: Sequence[Token]) -> bool:
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


def tells_when_clouds_are(tokens: Sequence[Token]) -> bool:
    """Return whether it is said of cloudy or clear dates when they are: "are in 2017"."""
    return any(_CLOUDY_DATES.search(dates.text) and verb.text in _ARE for dates, verb in pairwise(tokens))


_CLOUDY_DATES = re.compile(r"(?:cloud|clear).* (?:dates|days|images|scenes|acquisitions)$")


_ARE = ("are", "is", "were", "was", "fall", "fell", "lie", "lay")


def names_each_season(tokens: Sequence[Token]) -> bool:
    """Return whether seasons are told one by one, which is no time in one."""
    words = {word for token in tokens for word in token.text.split()}
    return {"spring", "summer", "winter"} <= words


def groups_by_area(tokens: Sequence[Token]) -> bool:
    """Return whether something is told "by area", which may be its size or an area of several."""
    return any(one.text == "by" and other.text in ("area", "areas") for one, other in pairwise(tokens))


def names_the_days_of_a_change(tokens: Sequence[Token]) -> bool:
    """Return whether a change is told with the time from which and that to which it is meant.

    A difference may be one of two grounds, in the time from one to the other.
    """
    times = [any(isinstance(m, Time) for m in token.meanings) for token in tokens]
    between = any(Word("between") in token.meanings for token in tokens)
    joined = any(
        Join("to") in token.meanings or between and Join("and") in token.meanings and times[place - 1]
        for place, token in enumerate(tokens)
        if any(times[:place]) and any(times[place:])
    )
    return joined and any(_is_change_in_time(token) for token in tokens)


def _is_change_in_time(token: Token) -> bool:
    told = any(isinstance(meaning, Change) and meaning.how == "difference" for meaning in token.meanings)
    return told and not _BETWEEN_GROUNDS.search(token.text)


_BETWEEN_GROUNDS = re.compile(r"differ|gap|margin|contrast|discrepancy|disparity|diverge|deviation|apart")


def asks_several_of_one(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked "how steep and how high" something is."""
    told = [token for token in tokens if token.text not in (",", "and")]
    return any(_asks_how(one) and _asks_how(other) for one, other in pairwise(told))


def _asks_how(token: Token) -> bool:
    return token.text.startswith("how ") and _means(token, Raw)


def asks_what_it_is(tokens: Sequence[Token]) -> bool:
    """Return whether the question begins by asking for what something is, which is no yes or no."""
    return bool(tokens) and tokens[0].text in _WHAT and not any(t.text in _OR for t in tokens)


_WHAT = ("what is", "what was", "what's", "what are", "what were", "how much", "how many", "by how much")


_OR = ("whether", "or", "rather")


def leaves_its_variable_out(tokens: Sequence[Token]) -> bool:
    """Return whether numbers without a unit are said to be passed by something that has no name: "above 0.7".

    "More than 0.5", "smaller than 0.5" are rather said of a share or a size.
    """
    told = [meaning for token in tokens for meaning in token.meanings]
    if any(isinstance(leaf, Variable) for meaning in told for leaf in leaves(meaning)):
        return False
    bare = [
        operator
        for operator, number in pairwise(tokens)
        if _means(operator, Operator)
        and any(isinstance(m, Amount) and not m.number.unit for m in number.meanings)
    ]
    return all(operator.text.split()[-1] in _LEVELS for operator in bare)


_LEVELS = ("above", "below", "over", "under", "exceed", "exceeds", "exceeded", "exceeding")


def drops(tokens: Sequence[Token]) -> bool:
    """Return whether "drop" is what something did, and leaves nothing out: "did the forest's NDVI drop"."""
    said = [token.text for token in tokens]
    return "drop" in said and bool({"did", "does", "do"} & {*said[: said.index("drop")]})


_HOW_IT_FALLS = (
    "most",
    "the most",
    "least",
    "the least",
    "by",
    "below",
    "under",
    "furthest",
    "farthest",
    "faster",
)


def falls(tokens: Sequence[Token]) -> bool:
    """Return whether "fall" is what a number does, and no season: right after what is measured."""
    return any(
        after.text == "fall"
        and (_means(before, Raw, Stat, Measure) or last is not None and last.text in _HOW_IT_FALLS)
        and not (last and _means(last, Time))
        for before, after, last in zip(tokens, tokens[1:], (*tokens[2:], None), strict=False)
    )
