"""What a question says of grounds and areas that holds for its answer wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from treeline.core.query.expression import Place, Variable
from treeline.core.query.phrases.answers import Form
from treeline.core.query.phrases.comparisons import Comparative
from treeline.core.query.phrases.conditions import Limit, Operator
from treeline.core.query.phrases.counts import Area, Share, ShareOf, Unit
from treeline.core.query.phrases.phrase import Join, Nothing, Phrase, Word
from treeline.core.query.phrases.places import About, Mask
from treeline.core.query.phrases.ranks import Extreme, LargestArea, Ranking
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Amount, Measure, Raw, Stat
from treeline.core.query.tokens import Token, content


def limits_before_two_grounds(tokens: Sequence[Token]) -> bool:
    """Return whether a limit is told before both of two grounds, so that it holds in both."""
    limits = [place for place, token in enumerate(tokens) if token.means(Operator, Limit)]
    grounds = [
        place
        for place, token in enumerate(tokens)
        if any(isinstance(meaning, Mask) and isinstance(meaning.node, Place) for meaning in token.meanings)
    ]
    return len(grounds) == 2 and any(place < grounds[0] for place in limits)


def compares_areas(tokens: Sequence[Token]) -> bool:
    """Return whether the area is what is larger or "higher", or what a limit is on: "have an area above"."""
    said = content(tokens)
    asked = len(said) > 1 and Word("did") in said[0].meanings and said[1].means(Area)
    if asked and any(_is_plain_comparative(token) for token in said[2:]):
        return True
    return any(
        area.means(Area)
        and (
            before.text in _HAVING
            and after.means(Operator)
            or before.means(Stat, Extreme)
            and (after.means(Operator) or after.text == "with")
        )
        for before, area, after in zip(said, said[1:], said[2:], strict=False)
    )


_HAVING = ("have", "has", "had", "having", "with")


def _is_plain_comparative(token: Token) -> bool:
    """Return whether a token compares without saying what: "higher", and not "greener"."""
    plain = token.text.split()[0] in _PLAIN
    return plain and any(
        isinstance(meaning, Comparative | Operator) and getattr(meaning, "node", None) is None
        for meaning in token.meanings
    )


_PLAIN = ("higher", "larger", "greater", "bigger", "smaller", "lower", "less", "more")


def speaks_of_no_spot(tokens: Sequence[Token]) -> bool:
    """Return whether no pixel, point or place is named: what lies far apart is then values."""
    return not any(_SPOT.search(token.text) for token in tokens)


_SPOT = re.compile(r"\b(?:pixel|point|place|spot|location|cell|summit|peak)s?\b")


def asks_how_far_spots_are_apart(tokens: Sequence[Token]) -> bool:
    """Return whether the distance of pixels or points is asked for, and no difference of values."""
    apart = any(About("how far") in token.meanings for token in tokens)
    return apart and not speaks_of_no_spot(tokens)


def asks_for_a_polygon(tokens: Sequence[Token]) -> bool:
    """Return whether a polygon is looked for whose class is then told: "smallest polygon: its class"."""
    begins = any(token.text.endswith("polygon") for token in tokens[:4])
    return begins and any(token.text.endswith("class") for token in tokens)


def asks_how_far_apart_in_time(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked how far apart two things are in time, or in days."""
    apart = any(About("how far") in token.meanings for token in tokens)
    return apart and any(token.text in ("in time", "days", "in days", "weeks", "months") for token in tokens)


def _is_share(token: Token) -> bool:
    return any(isinstance(m, Amount | Limit) and m.number.unit == "%" for m in token.meanings)


def asks_for_the_largest(tokens: Sequence[Token]) -> bool:
    """Return whether the largest of several grounds is asked for, and then something else.

    "Which class is the largest, and what is the mean NDVI": the largest in area, and not in NDVI.
    """
    said = content(tokens)
    asked = bool(said) and any(isinstance(m, Unit) and m.of in _OF_GROUND for m in said[0].meanings)
    return asked and any(a.means(LargestArea) and b.means(Join) for a, b in pairwise(said[1:]))


_OF_GROUND = ("class", "polygon", "region", "zone", "patch")


def is_unled(tokens: Sequence[Token]) -> bool:
    """Return whether a comma stands right before a class or region that is the largest or highest.

    "Median elevation, largest class" are two things, and not the elevation of that class.
    """
    told = [token for token in tokens if token.text != "the"]
    return any(
        comma.text in (",", ";") and word.means(Extreme, LargestArea, Ranking)
        for comma, word in pairwise(told)
    )


def ranks_pixels(tokens: Sequence[Token]) -> bool:
    """Return whether the highest or lowest per cent of something is spoken of: "hottest 10 %"."""
    told = [token for token in tokens if token.kind not in ("filler", "open", "close")]
    return any(
        word.means(Extreme, Ranking) and share.means(Amount) and _is_share(share)
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


def grounds_between(tokens: Sequence[Token]) -> Iterable[tuple[Place, Place]]:
    """Yield two named grounds that something is between, or that differ, or told apart.

    "Between cropland and forest", "the fall of NDVI of the forest and that of the grassland".
    """
    told = [token for token in tokens if token.text not in ("the", "of", "that of")]
    fours = list(zip(told, told[1:], told[2:], told[3:], strict=False))
    between = [four[1:] for four in fours if four[0].text == "between"]
    differ = [four[:3] for four in fours if four[3].text.startswith("differ")]
    parts = [token for token in tokens if token.text not in ("the", "of")]
    fours = list(zip(parts, parts[1:], parts[2:], parts[3:], strict=False))
    apart = [(four[0], four[1], four[3]) for four in fours if four[2].text in _THAT_OF]
    for one, join, other in (*between, *differ, *apart):
        if join.text == "and":
            match [m.node for t in (one, other) for m in t.meanings if isinstance(m, Mask)]:
                case [Place() as first, Place() as second]:
                    yield first, second


_THAT_OF = ("that of", "those of", "the one of", "the ones of")


def charted_grounds(tokens: Sequence[Token]) -> Iterable[tuple[Place, Place]]:
    """Yield two named grounds of which a chart is to show both: "plot the NDVI of forest and grassland"."""
    if not any(isinstance(m, Form) and m.form in ("chart", "series") for t in tokens for m in t.meanings):
        return
    told = [token for token in tokens if token.text not in ("the", "of", "that of", "for")]
    for one, join, other in zip(told, told[1:], told[2:], strict=False):
        # "Forest together with grassland" says itself that they are one ground.
        if join.means(Join) and Join("together") not in join.meanings:
            match [m.node for t in (one, other) for m in t.meanings if isinstance(m, Mask)]:
                case [Place() as first, Place() as second]:
                    yield first, second


def shared_grounds(tokens: Sequence[Token]) -> Iterable[Place]:
    """Yield named ground that is a share: "what percentage of the pixels above 305 K are forest"."""
    asked = next((place for place, token in enumerate(tokens) if token.means(Share, ShareOf)), len(tokens))
    told = [token for token in tokens[asked:] if token.text != "the"]
    for verb, noun, after in zip(told, told[1:], (*told[2:], None), strict=False):
        # "Was forest NDVI" is of the NDVI of that ground.
        named = after is None or not after.means(Raw, Measure)
        if named and verb.text in ("is", "are", "was", "were"):
            yield from (m.node for m in noun.meanings if isinstance(m, Mask) and isinstance(m.node, Place))
    # "Share of forest in the area above 700 m" is not the share "of forest above 700 m".
    if told and _IN_AN_AREA.search(" ".join(token.text for token in tokens)):
        first = next((token for token in told[1:] if token.kind != "filler" and token.text != "of"), told[0])
        yield from (m.node for m in first.meanings if isinstance(m, Mask) and isinstance(m.node, Place))


def asks_for_a_share_of_an_area(tokens: Sequence[Token]) -> bool:
    """Return whether a share of the ground that passes a limit is asked for: "in the area above 700 m"."""
    shares = any(token.means(Share, ShareOf) for token in tokens)
    return shares and _IN_AN_AREA.search(" ".join(token.text for token in tokens)) is not None


def asks_for_a_share_in_a_ground(tokens: Sequence[Token]) -> bool:
    """Return whether a limit is told after a share, and then ground: "percentage above 0.7 in forest"."""
    told = [token for token in tokens if token.kind != "filler"]
    shares = [k for k, token in enumerate(told) if token.means(Share, ShareOf)]
    limits = [k for k, token in enumerate(told) if token.means(Operator)]
    grounds = [
        k
        for k, token in enumerate(told)
        if any(isinstance(m, Mask) and isinstance(m.node, Place) for m in token.meanings)
    ]
    if not shares or not limits or len(grounds) != 1:
        return False
    (ground,) = grounds
    return shares[0] < limits[0] < ground and told[ground - 1].text in ("in", "within", "inside")


_IN_AN_AREA = re.compile(
    r"\b(?:in|within|inside) the (?:area|ground|terrain|land|zone|region) "
    r"(?:above|below|over|under|with|where|that|which|beyond|higher|lower|steeper)\b"
)


def whole_grounds(tokens: Sequence[Token]) -> Iterable[Place]:
    """Yield named ground that is told before a share, and apart from it: "forest: percentage above 700 m".

    The share is one of that ground. "Forest share" is the share that is forest.
    """
    asked = next((place for place, token in enumerate(tokens) if token.means(Share)), 0)
    led = tokens[:asked]
    if any(not (token.means(Mask, Time) or token.kind == "filler" or token.text in _LED) for token in led):
        return
    grounds = [
        (token, m.node)
        for token in led
        for m in token.meanings
        if isinstance(m, Mask) and isinstance(m.node, Place)
    ]
    if len(grounds) == 1:
        token, ground = grounds[0]
        apart = tokens[asked].start - token.end > 1
        if apart or any(before.text in _IN for before in led[: led.index(token)]):
            yield ground


_IN = ("in", "inside", "within", "of", "for", "on")
_LED = (*_IN, ",", "-")


def speaks_of_one_zone_by_a_limit(tokens: Sequence[Token]) -> bool:
    """Return whether one zone is spoken of, of which a limit is told: "the zone above 700 m".

    It is the ground that passes the limit, and not all polygons, nor those of them that pass it.
    """
    told = [token for token in tokens if token.kind != "filler" or token.text in ("the", "that")]
    return any(
        article.text.endswith("the")
        and zone.text in _ONE_ZONE
        and (after.means(Operator, Limit) or Word("where") in after.meanings or after.text == "that")
        for article, zone, after in zip(told, told[1:], told[2:], strict=False)
    )


_ONE_ZONE = ("zone", "region", "district", "polygon", "parcel")


def speaks_of_zones_by_a_statistic(tokens: Sequence[Token]) -> bool:
    """Return whether zones are chosen by a statistic of theirs: "regions with a mean NDVI above 0.5"."""
    told = [token for token in tokens if token.kind != "filler" or token.text == "with"]
    return any(
        any(isinstance(m, Unit) and m.of in ("zone", "class") for m in zones.meanings)
        and Word("where") in link.meanings
        and stat.means(Stat)
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
    """Return whether an area stands in a list of what is asked for: "mean NDVI, forest area".

    So it does in "the area of every class and its mean NDVI".
    """
    told = content(tokens)
    triples = enumerate(zip(told, told[1:], told[2:], strict=False))
    words = " ".join(token.text for token in told)
    return (
        "area of every class and" in words
        or "area of each class and" in words
        or any(
            (comma.text, area.text) == (",", "area")
            and ground.means(Mask)
            and any(token.means(Stat) for token in told[:place])
            for place, (comma, ground, area) in triples
        )
    )


def measures_from_ground(tokens: Sequence[Token]) -> bool:
    """Return whether a distance from ground is a limit: "more than 100 m from the forest"."""
    # A bracket that ends behind a length ends what it limits: "(elevation >= 440 m) from A to B" is a way.
    told = [token for token in tokens if token.kind not in ("filler", "open")]
    return any(
        word.text == "from" and _is_length(before) and after.means(Mask)
        for before, word, after in zip(told, told[1:], told[2:], strict=False)
    )


def _is_length(token: Token) -> bool:
    return any(
        isinstance(m, Amount | Limit) and m.number.unit in ("m", "km", "ft", "mi") for m in token.meanings
    )


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
        one.means(Raw) and other.text in ("higher", "lower") for one, other in pairwise(tokens)
    )


def _is_terrain(raw: Raw) -> bool:
    return isinstance(raw.node, Variable) and raw.node.role == "dem"


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


def groups_by_zone(tokens: Sequence[Token]) -> bool:
    """Return whether something is asked for by region or by class: for each of them."""
    told = [token for token in tokens if token.kind != "open"]
    return any(
        before.text == "by" and any(isinstance(m, Unit) and m.of in ("zone", "class") for m in after.meanings)
        for before, after in pairwise(told)
    )


def groups_by_area(tokens: Sequence[Token]) -> bool:
    """Return whether something is told "by area", which may be its size or an area of several."""
    return any(one.text == "by" and other.text in ("area", "areas") for one, other in pairwise(tokens))


def names_an_edge(tokens: Sequence[Token]) -> bool:
    """Return whether the top or bottom of a picture is named, which is a part of it and no highest value."""
    words = " ".join(token.text for token in tokens)
    return re.search(r"\b(?:at|near|along) (?:the )?(?:top|bottom) of\b", words) is not None


def asks_how_high_ground_lies(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked how high a ground lies: "how high is the forest", not "the forest NDVI"."""
    said = content(tokens)
    for place, token in enumerate(said):
        rest = [after for after in said[place + 1 : place + 4] if Word("did") not in after.meanings]
        ground = bool(rest) and any(
            isinstance(m, Mask) and isinstance(m.node, Place) for m in rest[0].meanings
        )
        if token.text == "how high" and ground and not any(after.means(Raw) for after in rest[1:2]):
            return True
    return False
