"""Relations of two things: correlation, regression, scatter, gradients per so much of another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import by_zones, kind_or_none, raster_of_mean
from treeline.core.query.expression import Node
from treeline.core.query.grammar.place import for_both
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import InUnit, Target
from treeline.core.query.phrases.comparisons import ChangeOf, Comparative, PixelsThatAre
from treeline.core.query.phrases.conditions import Limit
from treeline.core.query.phrases.counts import Unit
from treeline.core.query.phrases.courses import PerLength, Relation, RelationOf, RelationSide
from treeline.core.query.phrases.phrase import Many, Pair, Phrase, Word
from treeline.core.query.phrases.values import Along, BandWidth, Each, Measure, Raw


@rule(Relation, Pair, either=True)
def relation_of(relation: Relation, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Correlation + between NDVI and LST."""
    if pair.by not in ("and", "between", "to", "than"):
        return
    if isinstance(pair.left, Raw | Measure) and isinstance(pair.right, Raw | Measure):
        yield RelationOf(relation.gives, relation.over, pair.left.node, pair.right.node, relation.sign)


@rule(Word, Pair)
def plot_against(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Plot + NDVI against elevation."""
    if word.name == "plot" and pair.by == "than":
        yield from relation_of(Relation("scatter"), pair, names)


@rule(Relation, (Raw, Measure))
def relation_of_one(relation: Relation, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Correlation + of NDVI, with what is to come."""
    yield RelationSide(relation.gives, relation.over, item, relation.sign)


@rule(RelationSide, Pair)
def relation_of_two_states(found: RelationSide, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Correlation between the NDVI of + 2015-07-11 and 2016-08-14; of + forest and grassland."""
    if isinstance(found.left, Raw | Measure) and pair.by in ("and", "between", "to"):
        for both in for_both(found.left, pair):
            if isinstance(both, Many):
                yield from relation_of(Relation(found.gives, found.over, found.sign), _pair_of(both), names)


def _pair_of(both: Many) -> Pair:
    left, right = both.of
    return Pair(left, right, "and")


@rule(RelationOf, Each, either=True)
def relation_in_each(found: RelationOf, each: Each, names: Names) -> Iterable[Phrase]:
    """Correlation of NDVI and LST + for each class."""
    if each.zones is not None and found.by is None and found.over in ("", "pixel") and not found.sign:
        yield replace(found, over="pixel", by=each.zones)


@rule((Raw, Measure), Relation)
def relate(item: Raw | Measure, relation: Relation, names: Names) -> Iterable[Phrase]:
    """NDVI + correlated."""
    yield RelationSide(relation.gives, relation.over, item, relation.sign)


@rule(RelationSide, (Raw, Measure))
def relate_to(found: RelationSide, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """NDVI correlated with + elevation."""
    left = getattr(found.left, "node", None)
    if isinstance(left, Node) and left != item.node:
        yield RelationOf(found.gives, found.over, left, item.node, found.sign)


@rule(RelationOf, Along, either=True)
def relation_over(found: RelationOf, along: Along, names: Names) -> Iterable[Phrase]:
    """Correlation of NDVI and LST + over time, over the regions: of their means."""
    if found.over:
        return
    if along.axis in ("pixel", "date"):
        yield replace(found, over=along.axis)
    elif along.zones is not None and found.by is None:
        left, right = (by_zones(side, along.zones) for side in (found.left, found.right))
        if left is not None and right is not None:
            yield replace(found, over="zone", left=left, right=right)


@rule(RelationOf, Relation, either=True)
def relation_by(found: RelationOf, relation: Relation, names: Names) -> Iterable[Phrase]:
    """Correlation of NDVI and LST + (Spearman)."""
    if found.gives == "pearson" and relation.gives in ("pearson", "spearman") and not relation.sign:
        yield replace(found, gives=relation.gives)


@rule(RelationOf, Limit)
def relation_that_passes(found: RelationOf, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Correlation between NDVI and LST + below 0."""
    if not found.sign and not limit.number.unit and limit.upper is None and found.gives != "scatter":
        yield replace(found, sign=limit.sign, limit=limit.number.value)


@rule(Word, RelationOf)
def whether_related(word: Word, found: RelationOf, names: Names) -> Iterable[Phrase]:
    """Is + the correlation below 0."""
    if word.name == "did" and found.sign:
        yield found


@rule(Comparative, Unit)
def pixels_that_are(word: Comparative, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Steeper + places."""
    if word.node is not None and word.sign in _SIGNS and unit == Unit("pixel"):
        yield PixelsThatAre(word.sign, word.node)


@rule(PixelsThatAre, Comparative)
def whether_more_goes_with_more(found: PixelsThatAre, word: Comparative, names: Names) -> Iterable[Phrase]:
    """Are steeper places + greener: whether the two go together, or against each other."""
    if word.node is not None and word.sign in _SIGNS and word.node != found.node:
        sign = "gt" if word.sign == found.sign else "lt"
        yield RelationOf("pearson", "pixel", word.node, found.node, sign)


_SIGNS = ("gt", "lt")


# --- Gradients ------------------------------------------------------------------------------------


@rule(RelationOf, Target)
def relation_in_unit(found: RelationOf, target: Target, names: Names) -> Iterable[Phrase]:
    """Regression slope of LST on elevation + in K per 100 m."""
    if found.gives == "slope" and "/" in target.unit:
        yield InUnit(found, target.unit)


@rule(ChangeOf, PerLength)
def gradient_of(changed: ChangeOf, per: PerLength, names: Names) -> Iterable[Phrase]:
    """How much does LST change + per 100 m of elevation: the slope of the regression on it.

    How much it falls is told by the same slope, which is below 0 then.
    """
    raster = raster_of_mean(changed.node) if changed.measured else changed.node
    height = names.variable("dem")
    if raster is not None and height is not None and changed.how == "difference":
        yield from _gradient(RelationOf("slope", "pixel", raster, height), per.length)


@rule(RelationOf, (PerLength, BandWidth))
def slope_per_length(found: RelationOf, per: PerLength | BandWidth, names: Names) -> Iterable[Phrase]:
    """Slope of the regression of LST on elevation + per 100 m."""
    number = per.number if isinstance(per, BandWidth) else None
    length = per.length if isinstance(per, PerLength) else f"{number.value:g} m" if number else ""
    height = found.gives == "slope" and getattr(found.right, "role", "") == "dem"
    if height and (number is None or number.unit == "m"):
        yield from _gradient(found, length)


def _gradient(found: RelationOf, length: str) -> Iterable[Phrase]:
    """Yield a slope per so many metres of elevation."""
    kind = kind_or_none(found.left)
    if kind is not None and kind.value == "number":
        yield InUnit(found, f"{'K' if kind.unit == 'degC' else kind.unit or '1'}/{length}")
