"""Claims that deny or choose: what did not rise, which of two is greener, whether one ground is larger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import by_zones, kind_or_none, number, raster_of_mean, series
from treeline.core.query.expression import Aggregate, Compare, Node, Place, When, Which
from treeline.core.query.grammar.change import sides
from treeline.core.query.grammar.counting import ground_asked
from treeline.core.query.grammar.groups import named_zones
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.time import length
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import (
    Change,
    Comparative,
    Compared,
    HowMuch,
    Larger,
    LargerThan,
    Unchanged,
    Versus,
)
from treeline.core.query.phrases.conditions import Held, Limit
from treeline.core.query.phrases.counts import Area, AreaChange, Counted, ShareOf
from treeline.core.query.phrases.phrase import Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Candidates, Ends, Ranked
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Amount, Measure, Raw, Value
from treeline.core.query.slots import as_mask, fill_time, leaves, months_of

_OPPOSITE = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt", "eq": "ne", "ne": "eq"}

# --- Denied ---------------------------------------------------------------------------------------


@rule(Word, (Limit, Comparative))
def deny(word: Word, item: Limit | Comparative, names: Names) -> Iterable[Phrase]:
    """Did not + exceed 0.8; not + greener."""
    if word.name == "not" and item.sign in _OPPOSITE:
        yield replace(item, sign=_OPPOSITE[item.sign])


@rule(Word, Change)
def no_change(word: Word, change: Change, names: Names) -> Iterable[Phrase]:
    """Did not + decrease."""
    if word.name == "not" and change.sign and change.how == "difference":
        yield Unchanged(change.sign)


@rule((Raw, Measure), Unchanged, either=True)
def no_change_of(item: Raw | Measure, found: Unchanged, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + did not decrease."""
    if found.node is None:
        yield replace(found, node=item.node)


@rule(Unchanged, Pair)
def no_change_between(found: Unchanged, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Mean NDVI did not decrease + from 2016 to 2017: it is at least as high in the later time."""
    two = sides(found.node, pair) if found.node is not None else None
    if two is not None and isinstance(pair.left, Time) and pair.by in ("between", "to", "and"):
        earlier, later = two
        yield Versus("ge" if found.sign < 0 else "le", later, earlier)


# --- Which of two ---------------------------------------------------------------------------------


@rule((Compared, Comparative), Pair)
def which_of_two(word: Compared | Comparative, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Which was greener, + 2016 or 2017; forest or grassland."""
    if pair.by == "or" and word.node is not None and word.sign in ("gt", "lt"):
        yield from _one_of((pair.left, pair.right), word.node, "highest" if word.sign == "gt" else "lowest")


@rule(Word, (Pair, Many))
def which_of(word: Word, several: Pair | Many, names: Names) -> Iterable[Phrase]:
    """Which of + 2015, 2016 and 2017."""
    parts = several.of if isinstance(several, Many) else (several.left, several.right)
    listed = isinstance(several, Many) or several.by in ("and", "or")
    asked = word.name == "which_of" or (
        word.name == "did" and isinstance(several, Pair) and several.by == "or"
    )
    if asked and listed and all(isinstance(part, Time | Mask) for part in parts):
        yield Candidates(parts)


@rule(Candidates, Ranked)
def one_of_them(candidates: Candidates, ranked: Ranked, names: Names) -> Iterable[Phrase]:
    """Which of 2015, 2016 and 2017 + was greenest."""
    if (ranked.nth, ranked.top) == (1, 1):
        yield from _one_of(candidates.of, ranked.node, ranked.direction)


def _one_of(candidates: tuple[Phrase, ...], node: Node, direction: Ends) -> Iterable[Phrase]:
    """Yield which of several times or places something is highest or lowest in."""
    whens = [one.when for one in candidates if isinstance(one, Time)]
    zones = named_zones(candidates)
    if len(whens) == len(candidates):
        each = _at_each(whens, node)
    elif zones is not None and (grouped := by_zones(node, zones)) is not None:
        each = number(grouped)
    else:
        return
    if each is not None and kind_or_none(made := Which(each, direction)) is not None:
        yield Value(made)


def _at_each(whens: list[When], node: Node) -> Node | None:
    """Return a series over several times of one length: dates, months, seasons or years."""
    periods = {_period(when) for when in whens}
    spans = tuple(sorted((span for when in whens for span in when.spans), key=repr))
    each = series(node)
    dated = fill_time(each, When(spans)) if each is not None and len(periods) == 1 else None
    if not isinstance(dated, Node) or periods == {""}:
        return None
    period = periods.pop()
    if period == "date":
        return dated
    return Aggregate("mean", dated, "date", by=period, assumed=("dates",))  # type: ignore[arg-type]


def _period(when: When) -> str:
    """Return what a time is one of: a date, a year, a season, a month; empty for any other time."""
    span = when.spans[0] if len(when.spans) == 1 and when == When(when.spans) else None
    if span is None or span.first is None or span.last is None:
        return ""
    if length(when) in ("day", "year"):
        return {"day": "date"}.get(length(when), "year")
    if span == months_of(span.last.year, (span.last.month,)):
        return "month"
    seasons = ((12, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11))
    return "season" if any(span == months_of(span.last.year, months) for months in seasons) else ""


@rule((ShareOf, Counted, Area), Versus)
def ground_of_a_claim(asked: ShareOf | Counted | Area, found: Versus, names: Names) -> Iterable[Phrase]:
    """What share of the pixels + was greener on A than on B: pixel by pixel."""
    if found.sign in _OPPOSITE:
        left, right = raster_of_mean(found.left), raster_of_mean(found.right)
        yield from ground_asked(asked, Compare(left, found.sign, right))  # type: ignore[arg-type]


@rule(Comparative, Pair, either=True)
def which_thing(word: Comparative, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Which is higher, + mean NDVI or mean EVI: told as a claim on the first."""
    left, right = pair.left, pair.right
    if pair.by not in ("or", "versus") or word.node is not None or word.sign not in ("gt", "lt"):
        return
    if type(left) is type(right) and isinstance(left, Raw | Measure) and isinstance(right, Raw | Measure):
        yield Versus(word.sign, left.node, right.node)


@rule(Many, Comparative)
def which_of_both(both: Many, word: Comparative, names: Names) -> Iterable[Phrase]:
    """Mean NDVI in July 2016 and in July 2017: which was + higher, told as a claim on the first."""
    parts = both.of
    if len(parts) != 2 or word.node is not None or word.sign not in ("gt", "lt"):
        return
    left, right = parts
    if isinstance(left, Measure) and isinstance(right, Measure):
        yield Versus(word.sign, left.node, right.node)


# --- Larger ground --------------------------------------------------------------------------------


@rule(Larger, Join)
def larger_than(larger: Larger, join: Join, names: Names) -> Iterable[Phrase]:
    """Larger + than."""
    if join.by == "than" and not larger.than:
        yield replace(larger, than=True)


@rule(Mask, Larger)
def first_ground(mask: Mask, larger: Larger, names: Names) -> Iterable[Phrase]:
    """The forest + is larger than."""
    if larger.than and not leaves(mask.node):
        yield LargerThan(larger.sign, mask.node)


@rule(Larger, Amount)
def larger_than_a_share(larger: Larger, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Covers more than + 60 %, of everything to come."""
    if larger.than and amount.number.unit == "%":
        yield Limit(larger.sign, amount.number)


@rule(Larger, Pair)
def more_ground(larger: Larger, pair: Pair, names: Names) -> Iterable[Phrase]:
    """More + forest than grassland: a claim on their areas."""
    grounds = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
    if pair.by == "than" and not larger.than and len(grounds) == 2 and not any(map(leaves, grounds)):
        left, right = (Aggregate("area", as_mask(ground), "pixel") for ground in grounds)
        yield Held(Compare(left, larger.sign, right))  # type: ignore[arg-type]


@rule(HowMuch, Larger)
def how_much_larger(word: HowMuch, larger: Larger, names: Names) -> Iterable[Phrase]:
    """How many times + larger."""
    if not larger.than:
        yield AreaChange(word.how)


@rule(LargerThan, Mask)
def second_ground(found: LargerThan, mask: Mask, names: Names) -> Iterable[Phrase]:
    """The forest is larger than + the grassland: a claim on their areas."""
    if not leaves(mask.node) and mask.node != found.node:
        left, right = (Aggregate("area", as_mask(node), "pixel") for node in (found.node, mask.node))
        yield Versus(found.sign, left, right)


@rule(Larger, Pair)
def which_ground(larger: Larger, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Which is larger, + the forest or the grassland."""
    zones = named_zones((pair.left, pair.right)) if pair.by == "or" and not larger.than else None
    grounds = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
    if zones is None or not all(isinstance(ground, Place) for ground in grounds):
        return
    every = Place(zones.by, tuple(sorted(zones.names)), zones.source, zones.attribute)  # type: ignore[arg-type]
    each = Aggregate("area", every, "pixel", by=zones)
    yield Value(Which(each, "highest" if larger.sign == "gt" else "lowest"))
