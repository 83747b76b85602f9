"""Whether something is there: a variable, a band, an image of a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import ALWAYS, Aggregate, Cloud, Compare, Number, Place, Variable, When
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.several import JOINS
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Fact, FactOf, Imagery
from treeline.core.query.phrases.conditions import Claim
from treeline.core.query.phrases.counts import Unit
from treeline.core.query.phrases.phrase import Half, Many, MissingVariable, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Raw
from treeline.toolkit.variables import VARIABLES

AVAILABLE = "available"
# Words that ask, or say, that something is there.
EXISTS = Word("exists")
THERE = frozenset({Word("available"), EXISTS})


# The words may as well be passed over: "do you have the mean NDVI" asks for it.
@rule(Word, Raw, either=True, cost=1)
def variable_there(word: Word, raw: Raw, names: Names) -> Iterable[Phrase]:
    """Is there a + DEM; NDVI + in the data."""
    node = raw.node
    if word in THERE and isinstance(node, Variable) and node == _bare(node) and _is_calendar(node.when):
        yield FactOf(AVAILABLE, node)


def _bare(node: Variable) -> Variable:
    """Return a variable without ground, clouds and method: of these it is not told whether there is one."""
    return replace(node, where=None, clouds="included", method="")


def _is_calendar(when: When) -> bool:
    """Return whether a time is one of the calendar, and no date that is picked or found."""
    return when == When(when.spans, when.months)


@rule(Word, Imagery, either=True, cost=1)
def imagery_there(word: Word, found: Imagery, names: Names) -> Iterable[Phrase]:
    """Are there any + NDVI images."""
    yield from variable_there(word, Raw(found.node), names)


@rule(Word, MissingVariable, either=True, cost=1)
def missing_there(word: Word, missing: MissingVariable, names: Names) -> Iterable[Phrase]:
    """Do you have + land surface temperature, where there is none."""
    if word in THERE and missing.role:
        yield FactOf(AVAILABLE, Variable(missing.role))


@rule(Word, Word)
def both_there(word: Word, both: Word, names: Names) -> Iterable[Phrase]:
    """Are there + both red and NIR."""
    if word in THERE and both.name in ("both", "either"):
        yield word


@rule(Half, (Raw, MissingVariable))
def another_there(half: Half, other: Raw | MissingVariable, names: Names) -> Iterable[Phrase]:
    """Do you have NDVI, LST and + elevation: it is told of each."""
    told = half.left.of if isinstance(half.left, Many) else (half.left,)
    if half.by in (*JOINS, "or") and all(isinstance(one, FactOf) and one.about == AVAILABLE for one in told):
        there = missing_there if isinstance(other, MissingVariable) else variable_there
        yield from (Many((*told, one)) for one in there(EXISTS, other, names))


@rule(Word, Time, either=True, cost=1)
def image_there(word: Word, time: Time, names: Names) -> Iterable[Phrase]:
    """Is there (data) + from August 2017."""
    if word in THERE and time.when != ALWAYS and _is_calendar(time.when):
        yield FactOf(AVAILABLE, time.when)


@rule(Word, Mask)
def ground_there(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Is there (any) + forest, NDVI above 0.9 on 2016-08-14: whether any pixel is so."""
    kind = kind_or_none(mask.node)
    clouds = any(isinstance(part, Cloud) for part in mask.node.walk())
    if word == EXISTS and not clouds and kind is not None and kind.axes == {"pixel"}:
        yield Claim(Aggregate("any", mask.node, "pixel"))


@rule(Claim, Mask)
def ground_there_in(found: Claim, region: Mask, names: Names) -> Iterable[Phrase]:
    """Is there any forest + in Oakhollow: some area of it."""
    match found.node, region.node:
        case Aggregate("any", Place(by="class") as ground, "pixel"), Place(by="feature") as where:
            area = Aggregate("area", both(ground, where), "pixel", unit="ha")
            yield Claim(Compare(area, "gt", Number(0.0, "ha")))


@rule(Raw, Fact)
def band(raw: Raw, fact: Fact, names: Names) -> Iterable[Phrase]:
    """SWIR + bands."""
    known = VARIABLES.get(raw.node.role) if isinstance(raw.node, Variable) else None
    if fact == Fact("bands") and known is not None and known.kind == "reflectance":
        yield Imagery(raw.node)


@rule(Unit, FactOf)
def dates_there(unit: Unit, fact: FactOf, names: Names) -> Iterable[Phrase]:
    """For which dates + do we have NDVI."""
    if unit.of == "date" and not unit.clear and fact.about == AVAILABLE and isinstance(fact.node, Variable):
        yield FactOf("dates", fact.node)
