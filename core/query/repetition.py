"""What a question says twice: it settles which of several meanings is meant, and takes no part otherwise.

Brackets may say again what stands before them ("the spread (standard deviation)"), and a modifier what the
rest says ("which month had the highest monthly mean", "spatial standard deviation"). The question is read
without it, and the reading stands if it says all that was left out. Brackets that add something
("pixels (NDVI above 0.6)") are read with the question as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Anomaly,
    Combine,
    Correlation,
    Dates,
    Node,
    Phenology,
    Steps,
    Trend,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.kinds import kind_of
from treeline.core.query.phrases.answers import Target
from treeline.core.query.phrases.comparisons import ChangeOf, Delta, HowMuch
from treeline.core.query.phrases.counts import Share, Unit
from treeline.core.query.phrases.courses import Course, CourseOf, Method, Relation
from treeline.core.query.phrases.phrase import Join, Many, Nothing, Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Extreme, Ranking
from treeline.core.query.phrases.times import Clouds, Time
from treeline.core.query.phrases.values import Along, Each, Measure, Raw, Series, Stat, StatPair, Stats, Value
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import leaves, rebuild
from treeline.core.query.tokens import Token


def split_gloss(tokens: Sequence[Token]) -> Iterator[tuple[list[Token], list[Token]]]:
    """Yield the question without each of its brackets, and what stands in them.

    Brackets within brackets, many of them, and one that is added to something or divided by it, are those of
    a formula: they say no more than its order.
    """
    opens = [place for place, token in enumerate(tokens) if token.kind == "open"]
    closes = [place for place, token in enumerate(tokens) if token.kind == "close"]
    apart = len(opens) == len(closes) and all(
        first < last for first, last in zip(closes[:-1], opens[1:], strict=False)
    )
    if not apart or len(opens) > _MOST_GLOSSES:
        return
    for start, end in zip(opens, closes, strict=True):
        inside = list(tokens[start + 1 : end])
        beside = (*tokens[max(start - 1, 0) : start], *tokens[end + 1 : end + 2])
        if any(meaning in _CALCULATES for token in beside for meaning in token.meanings):
            continue
        if start < end and any(token.kind not in _SILENT for token in inside):
            yield [*tokens[:start], *tokens[end + 1 :]], inside


_MOST_GLOSSES = 3
_CALCULATES = frozenset(map(Word, ("plus", "minus", "times", "divided")))
_SILENT = ("filler", "open", "close")


def split_modifiers(tokens: Sequence[Token]) -> Iterator[tuple[list[Token], list[tuple[Phrase, ...]]]]:
    """Yield the question without one or two of the modifiers that may repeat, and what those may mean."""
    found = {place: meant for place, token in enumerate(tokens) if (meant := _modifiers(token))}
    for count in (1, 2):
        for left in combinations(found, count):
            yield [t for place, t in enumerate(tokens) if place not in left], [found[k] for k in left]


def _modifiers(token: Token) -> tuple[Phrase, ...]:
    """Return what a token may mean as a modifier; nothing where it may be one of no kind."""
    if any(meaning == Word("on_average") for meaning in token.meanings):
        return (Stat("mean"),)
    return tuple(meaning for meaning in token.meanings if isinstance(meaning, _MODIFIERS))


_MODIFIERS = (Each, Along, Clouds, HowMuch)


def says_each(node: Node, tokens: Sequence[Token]) -> bool:
    """Return whether an expression says every word of a short gloss.

    The order counts for statistics alone: "mean of the maximum" is not the maximum of the means.
    """
    passed = {Nothing(), Word("it"), Word("there")}
    words = [token for token in tokens if token.kind not in _SILENT and not passed & {*token.meanings}]
    words = _without_span(node, words)
    said = [[meaning for meaning in token.meanings if says(node, meaning)] for token in words]
    if len(words) > _MOST_WORDS or not all(said):
        return False
    # "Largest" may stand at the end, where it is said of what stands before it.
    ordered = words[:-1] if words and words[-1].text in _PREDICATES else words
    kinds = [
        type(meanings[0]) for meanings in said[: len(ordered)] if isinstance(meanings[0], Stat | Extreme)
    ]
    return Extreme not in kinds[1:]


def _without_span(node: Node, words: list[Token]) -> list[Token]:
    """Return the words of a gloss without those of a range that the expression is.

    The nouns beside either end stay, and are to be said as well: "highest month minus lowest month".
    """
    stats = {p: m for p, w in enumerate(words) for m in w.meanings if isinstance(m, Stat)}
    minus = next((p for p, word in enumerate(words) if Join("minus") in word.meanings), 0)
    ends = [p for p, stat in stats.items() if stat.statistic in ("max", "min")]
    if len(ends) != 2 or not ends[0] < minus < ends[1]:
        return words
    pair = StatPair("difference", Stats((stats[ends[0]], stats[ends[1]])))
    if not _says_range(node, pair):
        return words
    return [word for place, word in enumerate(words) if place not in (*ends, minus)]


_PREDICATES = ("highest", "lowest", "largest", "smallest", "greatest")


_MOST_WORDS = 4


def says(node: Node, gloss: Phrase) -> bool:
    """Return whether an expression says all that a meaning says."""
    rule = _RULES.get(type(gloss))
    return rule is not None and rule(node, gloss)


def _says_statistic(node: Node, gloss: Stat) -> bool:
    return any(
        (part.statistic, part.parameter) == (gloss.statistic, gloss.parameter)
        and gloss.over in (None, part.over)
        for part in _aggregates(node)
    )


def _aggregates(node: Node) -> list[Aggregate]:
    return [part for part in node.walk() if isinstance(part, Aggregate)]


def _says_range(node: Node, gloss: StatPair) -> bool:
    """Maximum minus minimum is the range; the third quartile minus the first is the interquartile range."""
    pair = tuple((stat.statistic, stat.parameter) for stat in gloss.stats.of[:2])
    meant = _SPANS.get(pair, "")
    if meant and gloss.how == "difference":
        return any(part.statistic == meant for part in _aggregates(node))
    combined = [part for part in node.walk() if isinstance(part, Combine) and part.how == gloss.how]
    return any((_statistic(part.left), _statistic(part.right)) == pair for part in combined)


def _statistic(node: Node) -> tuple[str, float | None] | None:
    return (node.statistic, node.parameter) if isinstance(node, Aggregate) else None


_SPANS: dict[tuple[tuple[str, float | None], ...], str] = {
    (("max", None), ("min", None)): "range",
    (("percentile", 75.0), ("percentile", 25.0)): "iqr",
}


def _says_value(node: Node, gloss: Any) -> bool:
    """Say the same value, at times and places that are said as well."""
    if any(leaf.when not in (ALWAYS, *_times(node)) for leaf in leaves(gloss.node)):
        return False
    places = {None, *(leaf.where for leaf in leaves(node))}
    if any(leaf.where not in places for leaf in leaves(gloss.node)):
        return False
    wanted = _as_range(_bare(gloss.node))
    return any(_bare(part) == wanted for part in node.walk() if isinstance(part, type(wanted)))


def _as_range(node: Node) -> Node:
    """Return maximum minus minimum of one thing as its range; anything else as it is."""
    match node:
        case Combine("difference", Aggregate() as upper, Aggregate() as lower):
            pair = (_statistic(upper), _statistic(lower))
            if (
                pair in _SPANS
                and replace(upper, statistic=lower.statistic, parameter=lower.parameter) == lower
            ):
                return replace(upper, statistic=_SPANS[pair], parameter=None)  # type: ignore[index, arg-type]
    return node


def _says_time(node: Node, when: When) -> bool:
    """Autumn is September to November, of whichever years."""
    told = _times(node)
    return when in told or bool(when.months) and any(When(months=one.months) == when for one in told)


def _times(node: Node) -> list[Any]:
    return [leaf.when for leaf in leaves(node)]


def _bare(node: Node) -> Node:
    """Return a value without time, place, clouds and groups."""

    def strip(leaf: Any) -> Any:
        return replace(
            leaf, when=ALWAYS, where=None, **({"clouds": "included"} if hasattr(leaf, "clouds") else {})
        )

    def ungroup(part: Aggregate) -> Aggregate:
        return replace(part, by=None, over="pixel" if part.over == "all" else part.over)

    return rewrite(rebuild(node, strip), Aggregate, ungroup)


def _says_place(node: Node, gloss: Mask) -> bool:
    return any(part == gloss.node for part in node.walk())


def _says_groups(node: Node, gloss: Each) -> bool:
    if gloss.axis == "date":
        picked = any(isinstance(part, Which | Dates | Steps) for part in node.walk())
        return picked or "date" in kind_of(node).axes
    return any(part.by is not None and part.by in (gloss.zones, gloss.axis) for part in _aggregates(node))


def _says_course(node: Node, gloss: Course) -> bool:
    kinds = {"Trend": Trend, "Phenology": Phenology}
    kind = kinds.get(gloss.name)
    return kind is not None and any(
        isinstance(part, kind) and gloss.method in ("", getattr(part, "method", "")) for part in node.walk()
    )


def _says_all(node: Node, gloss: Many | Stats) -> bool:
    return all(says(node, part) for part in gloss.of)


def _says_both(node: Node, gloss: Pair) -> bool:
    return gloss.by in ("and", "") and says(node, gloss.left) and says(node, gloss.right)


def _says_difference(node: Node, gloss: Delta) -> bool:
    """Say the difference of two dates of a variable: dNBR."""
    roles = [
        {getattr(leaf, "role", "") for leaf in leaves(part)}
        for part in node.walk()
        if isinstance(part, Combine) and part.how == "difference"
    ]
    return {leaf.role for leaf in leaves(gloss.node) if isinstance(leaf, Variable)} in roles


def _says_change(node: Node, gloss: ChangeOf) -> bool:
    """Say how a value differs between two times or places: "greener (difference in mean NDVI)"."""
    wanted = _bare(gloss.node)
    return not gloss.sign and any(
        isinstance(part, Combine)
        and part.how == gloss.how
        and {_bare(part.left), _bare(part.right)} in ({wanted}, {_mean_of(wanted)})
        for part in node.walk()
    )


def _mean_of(node: Node) -> Node:
    return Aggregate("mean", node, "pixel")


def _says_axis(node: Node, gloss: Along) -> bool:
    """Say over what a statistic goes; a relation of two rasters goes from pixel to pixel."""
    trends = [part for part in node.walk() if isinstance(part, Trend)]
    if gloss.axis == "date" and trends:  # that of a mean over the pixels says nothing of each pixel's
        return gloss.stands != "both" or any("pixel" in kind_of(part).axes for part in trends)
    along = [part for part in _aggregates(node) if part.over == gloss.axis]
    if gloss.stands != "both":
        return bool(along)
    pairs = any(isinstance(part, Correlation) and part.over == "pixel" for part in node.walk())
    differs = any(isinstance(part.of, Combine) and part.over == "pixel" for part in _aggregates(node))
    return pairs or differs or any("pixel" in kind_of(part.of).axes for part in along)


def _says_extreme(node: Node, gloss: Extreme) -> bool:
    """Say which end is meant; beside a statistic that was assumed "maximum" may be the statistic."""
    rankings = [part for part in node.walk() if isinstance(part, Which)]
    assumed = any("statistic" in part.assumed for part in _aggregates(node))
    return not assumed and any(part.direction == gloss.direction for part in rankings)


def _describe_ranking(node: Node, gloss: Ranking) -> bool:
    """Say by what and from which end it is looked for: "brownest dates (lowest mean NDVI)"."""
    ranked = [
        part.of for part in node.walk() if isinstance(part, Which) and part.direction == gloss.direction
    ]
    bare = [_bare(each) for each in ranked]
    plain = [replace(each, assumed=()) if isinstance(each, Aggregate) else each for each in bare]
    return any(each in (_bare(gloss.node), _mean_of(_bare(gloss.node))) for each in plain)


def _says_amount(node: Node, gloss: HowMuch) -> bool:
    """Say by how much: of a change that is looked for, of a departure; not by how much one leads the next."""
    of = node.of if isinstance(node, Which) else node
    changes = isinstance(of, Steps) and isinstance(node, Which)
    return gloss.how == "difference" and (changes or isinstance(node, Anomaly))


def _says_clouds(node: Node, gloss: Clouds) -> bool:
    dated = [leaf for leaf in leaves(node) if isinstance(leaf, Variable) and not leaf.timeless]
    return bool(dated) and all(leaf.clouds == gloss.mode for leaf in dated)


def _says_unit(node: Node, gloss: Unit) -> bool:
    """Say of what something is: what is counted, where something is."""
    if gloss.clear:
        return _says_clouds(node, Clouds("clear_dates"))
    counted = isinstance(node, Aggregate) and node.statistic in ("count", "share")
    return any(gloss.of in (part.over, part.by) for part in _aggregates(node)[: 1 if counted else None])


def _says_word(node: Node, gloss: Word) -> bool:
    """Say what a word by itself tells: months of any year, patches whose pixels touch at a corner."""
    if gloss.name == "any_year":
        whens = [leaf.when for leaf in leaves(node)]
        return bool(whens) and all(when.months and not when.spans for when in whens)
    if gloss.name == "eight_connected":
        return any(isinstance(part, Zones) and part.by == "patch" for part in node.walk())
    return gloss.name == "per"


def _says_method(node: Node, gloss: Method) -> bool:
    """Say the method of a trend; at each pixel a straight line is assumed, and said, where none is told."""
    trends = [part for part in node.walk() if isinstance(part, Trend)]
    lines = [part for part in trends if "method" in part.assumed and "pixel" in kind_of(part).axes]
    return any(part.method == gloss.name for part in trends) or bool(lines) and gloss.name == "linear"


_RULES: dict[type[Phrase], Callable[[Node, Any], bool]] = {
    Stat: _says_statistic,
    Stats: _says_all,
    StatPair: _says_range,
    Raw: _says_value,
    Measure: _says_value,
    Series: _says_value,
    Value: _says_value,
    CourseOf: _says_value,
    Mask: _says_place,
    Each: _says_groups,
    Along: _says_axis,
    Relation: lambda node, gloss: any(
        isinstance(part, Correlation) and part.gives == gloss.gives for part in node.walk()
    ),
    ChangeOf: _says_change,
    Delta: _says_difference,
    Unit: _says_unit,
    Word: _says_word,
    Extreme: _says_extreme,
    Ranking: _describe_ranking,
    HowMuch: _says_amount,
    Time: lambda node, gloss: _says_time(node, gloss.when),
    Clouds: _says_clouds,
    Course: _says_course,
    Method: _says_method,
    Many: _says_all,
    Pair: _says_both,
    Target: lambda node, gloss: kind_of(node).unit == gloss.unit,
    Share: lambda node, gloss: kind_of(node).unit == "%",
}
