"""Relations of two things: correlation, regression, scatter, gradients per so much of another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none, raster_of_mean
from treeline.core.query.expression import Node
from treeline.core.query.grammar.place import for_both
from treeline.core.query.grammar.registry import rule
from treeline.core.query.kinds import kind_of
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import InUnit, Target
from treeline.core.query.phrases.comparisons import Changed, HowMuch
from treeline.core.query.phrases.conditions import Limit
from treeline.core.query.phrases.courses import PerLength, Related, RelatedTo, Relation
from treeline.core.query.phrases.phrase import Many, Pair, Phrase, Word
from treeline.core.query.phrases.values import Along, Each, Measure, Raw


@rule(Relation, Pair, either=True)
def relation_of(relation: Relation, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Correlation + between NDVI and LST."""
    if pair.by not in ("and", "between", "to", "than"):
        return
    if isinstance(pair.left, Raw | Measure) and isinstance(pair.right, Raw | Measure):
        yield Related(relation.gives, relation.over, pair.left.node, pair.right.node, relation.sign)


@rule(Relation, (Raw, Measure))
def relation_of_one(relation: Relation, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Correlation + of NDVI, with what is to come."""
    yield RelatedTo(relation.gives, relation.over, item, relation.sign)


@rule(RelatedTo, Pair)
def relation_of_two_states(found: RelatedTo, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Correlation between the NDVI of + 2015-07-11 and 2016-08-14; of + forest and grassland."""
    if isinstance(found.left, Raw | Measure) and pair.by in ("and", "between", "to"):
        for both in for_both(found.left, pair):
            if isinstance(both, Many):
                yield from relation_of(Relation(found.gives, found.over, found.sign), _pair_of(both), names)


def _pair_of(both: Many) -> Pair:
    left, right = both.of
    return Pair(left, right, "and")


@rule(Related, Each, either=True)
def relation_in_each(found: Related, each: Each, names: Names) -> Iterable[Phrase]:
    """Correlation of NDVI and LST + for each class."""
    if each.zones is not None and found.by is None and found.over in ("", "pixel") and not found.sign:
        yield replace(found, over="pixel", by=each.zones)


@rule((Raw, Measure), Relation)
def relate(item: Raw | Measure, relation: Relation, names: Names) -> Iterable[Phrase]:
    """NDVI + correlated."""
    yield RelatedTo(relation.gives, relation.over, item, relation.sign)


@rule(RelatedTo, (Raw, Measure))
def relate_to(found: RelatedTo, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """NDVI correlated with + elevation."""
    left = getattr(found.left, "node", None)
    if isinstance(left, Node) and left != item.node:
        yield Related(found.gives, found.over, left, item.node, found.sign)


@rule(Related, Along, either=True)
def relation_over(found: Related, along: Along, names: Names) -> Iterable[Phrase]:
    """Correlation of NDVI and LST + over time."""
    if not found.over and along.axis in ("pixel", "date"):
        yield replace(found, over=along.axis)


@rule(Related, Relation, either=True)
def relation_by(found: Related, relation: Relation, names: Names) -> Iterable[Phrase]:
    """Correlation of NDVI and LST + (Spearman)."""
    if found.gives == "pearson" and relation.gives in ("pearson", "spearman") and not relation.sign:
        yield replace(found, gives=relation.gives)


@rule(Related, Limit)
def relation_that_passes(found: Related, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Correlation between NDVI and LST + below 0."""
    if not found.sign and not limit.number.unit and limit.upper is None and found.gives != "scatter":
        yield replace(found, sign=limit.sign, limit=limit.number.value)


@rule(Word, Related)
def whether_related(word: Word, found: Related, names: Names) -> Iterable[Phrase]:
    """Is + the correlation below 0."""
    if word.name == "did" and found.sign:
        yield found


# --- Gradients ------------------------------------------------------------------------------------


@rule(Related, Target)
def relation_in_unit(found: Related, target: Target, names: Names) -> Iterable[Phrase]:
    """Regression slope of LST on elevation + in K per 100 m."""
    if found.gives == "slope" and "/" in target.unit:
        yield InUnit(found, target.unit)


@rule(Changed, PerLength)
def gradient_of(changed: Changed, per: PerLength, names: Names) -> Iterable[Phrase]:
    """How much does LST change + per 100 m of elevation: the slope of the regression on it."""
    raster = raster_of_mean(changed.node) if changed.measured else changed.node
    if raster is None or changed.sign:  # a slope tells by how much it rises
        return
    warm = kind_or_none(raster) is not None and kind_of(raster).unit in ("K", "degC")
    height = names.variable("dem")
    if height is not None and changed.how == "difference" and warm:
        yield InUnit(Related("slope", "pixel", raster, height), f"K/{per.length}")


@rule(HowMuch, InUnit)
def how_much_per_length(word: HowMuch, found: InUnit, names: Names) -> Iterable[Phrase]:
    """By how much + does LST change per 100 m of elevation."""
    if word.how == "difference" and isinstance(found.of, Related):
        yield found
