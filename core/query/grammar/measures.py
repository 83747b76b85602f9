"""By what "greener" or "warmest" is measured: in terms of, going by, judged by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import ALWAYS, Aggregate, Cloud, Node, Variable
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import Comparative, FirstSide, MeasuredBy, Versus
from treeline.core.query.phrases.phrase import Phrase, Word
from treeline.core.query.phrases.ranks import Ranking, WhichZone
from treeline.core.query.phrases.values import Measure, Raw, Value
from treeline.core.query.repetition import says
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import fill_time, leaves

_COMPARED = (Value, WhichZone, Ranking, Versus, FirstSide, Comparative)


@rule(Word, (Measure, Raw))
def by_a_measure(word: Word, item: Measure | Raw, names: Names) -> Iterable[Phrase]:
    """In terms of + mean NDVI."""
    if word.name == "measured_by":
        yield MeasuredBy(item.node)


@rule(_COMPARED, MeasuredBy, either=True)
def compare_by_measure(item: Phrase, by: MeasuredBy, names: Names) -> Iterable[Phrase]:
    """Which year was greener, + going by the mean NDVI of July: that instead of what the word stands for."""
    (leaf,) = found if len(found := leaves(by.node)) == 1 else (None,)
    if leaf is None or leaf.where is not None:
        return
    measured = _with_statistic(item, by.node)
    if leaf.when != ALWAYS:
        measured = fill_time(measured, leaf.when) if measured is not None else None
    if measured is not None:
        yield measured


def _with_statistic(item: Phrase, measure: Node) -> Phrase | None:
    """Return a comparison by the statistic of a measure; nothing where that is of something else."""
    node = item.left if isinstance(item, Versus) else getattr(item, "node", None)
    roles = {leaf.role for leaf in leaves(measure)}
    if not isinstance(node, Node) or {leaf.role for leaf in leaves(node)} != roles:
        return None
    if not isinstance(measure, Aggregate):
        return item
    told = Measure(replace(measure, of=_bare(measure.of)))
    if isinstance(node, Variable | Cloud):
        made = rewrite(item, (Variable, Cloud), lambda leaf: replace(measure, of=leaf))
        return made if isinstance(made, Phrase) and _fits(made) else None
    changed = rewrite(item, (Aggregate,), lambda part: _restate_statistic(part, measure))
    if changed != item and isinstance(changed, Phrase):
        return changed
    return item if says(node, told) else None


def _restate_statistic(part: Aggregate, measure: Aggregate) -> Aggregate:
    """Return a statistic that nobody said as the one that is said."""
    if "statistic" not in part.assumed or not isinstance(part.of, Variable | Cloud):
        return part
    left = tuple(slot for slot in part.assumed if slot != "statistic")
    return replace(part, statistic=measure.statistic, parameter=measure.parameter, assumed=left)


def _bare(node: Node) -> Node:
    return replace(node, when=ALWAYS) if isinstance(node, Variable | Cloud) else node


def _fits(made: Phrase) -> bool:
    sides = (made.left, made.right) if isinstance(made, Versus) else (getattr(made, "node", None),)
    return all(isinstance(side, Node) and kind_or_none(side) is not None for side in sides)
