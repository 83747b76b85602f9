"""Maps, charts, tables, and the unit of the answer."""

from __future__ import annotations

from collections.abc import Iterable

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import Aggregate
from treeline.core.query.grammar.change import between
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Form, InUnit, Shown, Target
from treeline.core.query.phrases.comparisons import Changed, ChangedBy, Changes, Versus
from treeline.core.query.phrases.courses import CourseOf
from treeline.core.query.phrases.phrase import Pair, Phrase
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.values import Measure, Raw, Series, Stat, Value


@rule(Form, (Raw, Measure, Mask, Series, Value, Changes, Changed, CourseOf, ChangedBy), either=True)
def shown(form: Form, item: Phrase, names: Names) -> Iterable[Phrase]:
    """Map + areas with NDVI below 0.6."""
    yield Shown(item, form.form)


@rule(Stat, Shown)
def statistic_shown(stat: Stat, item: Shown, names: Names) -> Iterable[Phrase]:
    """Mean + map of NDVI: of each pixel over the dates."""
    if isinstance(item.of, Raw) and stat.over in (None, "date") and item.form == "map":
        made = Aggregate(stat.statistic, item.of.node, "date", parameter=stat.parameter)  # type: ignore[arg-type]
        if kind_or_none(made) is not None:
            yield Shown(Raw(made), item.form)


@rule(Form, Shown, either=True)
def shown_twice(form: Form, item: Shown, names: Names) -> Iterable[Phrase]:
    """Show + a map of NDVI."""
    if form.form == item.form:
        yield item


@rule(Shown, Pair)
def shown_change(item: Shown, pair: Pair, names: Names) -> Iterable[Phrase]:
    """NDVI change map + from 2015 to 2017."""
    if isinstance(item.of, Changed):
        for found in between(item.of, pair, names):
            yield Shown(found, item.form)


@rule(Target, (Raw, Measure, Series, Value, Changes, Versus), either=True)
def in_unit(target: Target, item: Phrase, names: Names) -> Iterable[Phrase]:
    """Mean LST + in degrees Celsius."""
    yield InUnit(item, target.unit)
