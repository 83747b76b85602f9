"""Clouds: what is done with cloudy ground and cloudy dates, and of what it is said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from treeline.core.query.canonical import is_mostly_cloudy
from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import ALWAYS, Aggregate, Cloud, Dates, Not, Variable
from treeline.core.query.grammar.place import is_place
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.time import DATED, LED
from treeline.core.query.names import Names
from treeline.core.query.phrases.conditions import Claim, Condition
from treeline.core.query.phrases.counts import Share, Unit
from treeline.core.query.phrases.courses import Baseline, Usual
from treeline.core.query.phrases.phrase import Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Handling, Location, Mask
from treeline.core.query.phrases.times import Clouds, Time
from treeline.core.query.phrases.values import Each, Measure, Value
from treeline.core.query.slots import fill_clouds, fill_time, leaves

_OUT = ("left_out", "without", "unless")
_LEFT = ("left_out", "is_left_out")
CLOUDS_IN = Clouds("included")


@lru_cache(maxsize=100_000)
def says_clouds(meaning: Any) -> bool:
    """Return whether a meaning, or a part of it, tells of clouds or of dates without them.

    What two meanings tell of clouds has to be in what is made of them: a rule that looks at their other parts
    alone would forget it.
    """
    match meaning:
        case Clouds(mode=mode) | Variable(clouds=mode) | Usual(clouds=mode) | Baseline(clouds=mode) if (
            mode != "included"
        ):
            return True
        case Cloud():
            return True
        case Each(axis=axis) if "clear" in axis:
            return True
        case tuple():
            return any(map(says_clouds, meaning))
    if not is_dataclass(meaning):
        return False
    return getattr(meaning, "clear", False) is True or any(
        says_clouds(getattr(meaning, each.name)) for each in fields(meaning)
    )


@rule(Word, (Condition, Mask))
def usable_by_its_limit(word: Word, held: Condition | Mask, names: Names) -> Iterable[Phrase]:
    """Usable + (less than 10 % clouds)."""
    if word.name == "usable" and all(isinstance(leaf, Cloud) for leaf in leaves(held.node)):
        yield held


@rule(Word, Mask)
def leave_out(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Without + clouds; leave out + cloudy pixels; leave out + the forest."""
    if word.name in _OUT and mask.node == Cloud():
        yield Clouds("masked")
    if word.name == "left_out" and is_place(mask.node):
        yield Location(Not(mask.node))


@rule(Word, Clouds)
def among_clear_dates(word: Word, clouds: Clouds, names: Names) -> Iterable[Phrase]:
    """Among + the cloud-free dates."""
    if word.name == "among" and clouds.mode == "clear_dates":
        yield clouds


@rule(Measure, Word, either=True)
def with_and_without_clouds(item: Measure, word: Word, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + with and without cloudy pixels: both, in that order or the other one."""
    if word.name not in _BOTH:
        return
    left_in, masked = fill_clouds(item.node, "included"), fill_clouds(item.node, "masked")
    if masked is not None:
        sides = (Measure(item.node if left_in is None else left_in), Measure(masked))
        first, second = sides if word.name == _BOTH[0] else sides[::-1]
        yield Pair(first, second, "and")
        yield Many((first, second))


_BOTH = ("with_and_without_clouds", "without_and_with_clouds")


@rule(Word, Mask)
def sky_of_a_day(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Was + it cloud-free on 23 September 2016; was there any + cloud on that day."""
    clouds = mask.node.of if isinstance(mask.node, Not) else mask.node
    if not isinstance(clouds, Cloud) or clouds.when == ALWAYS:
        return
    some = Aggregate("any", clouds, "pixel")
    clear = clouds != mask.node
    if clouds.when.single and word.name in (_WAS if clear else ("exists",)):
        yield Claim(Not(some) if clear else some)
    elif not clouds.when.single and clear and word.name in _WAS:
        yield Claim(Aggregate("all", Not(some), "date"))


@rule(Word, Mask, cost=1)
def cloudy_day(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Was + 23 September 2016 cloudy, or overcast: a cloud does not make it so, more than half of it does."""
    clouds = mask.node
    if word.name in _WAS and isinstance(clouds, Cloud) and clouds.when.single:
        yield Claim(is_mostly_cloudy(clouds))


_WAS = ("did", "it", "there")


@rule(Word, Condition)
def overcast_day(word: Word, condition: Condition, names: Names) -> Iterable[Phrase]:
    """Was it + overcast on 23 September 2016."""
    clouds = next((part for part in condition.node.walk() if isinstance(part, Cloud)), None)
    if word.name in _WAS and clouds and clouds.when.single and condition.node == is_mostly_cloudy(clouds):
        yield Claim(condition.node)


@rule(Mask, Word)
def leave_out_after(mask: Mask, word: Word, names: Names) -> Iterable[Phrase]:
    """Cloudy pixels + masked out; forest + excluded; clouds + out."""
    if word.name == "is_left_out" or word.name == "out" and isinstance(mask.node, Cloud):
        yield from leave_out(Word("left_out"), mask, names)


@rule(Word, Word)
def cloudy_dates_left_out(word: Word, other: Word, names: Names) -> Iterable[Phrase]:
    """Without + cloudy images; cloudy dates + ignored."""
    if {word.name, other.name} & {*_OUT, *_LEFT} and "cloudy_dates" in (word.name, other.name):
        yield Clouds("clear_dates")


@rule(Word, Mask)
def verb_of_ground(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Leave + cloudy pixels; mask + the forest: what becomes of it, the next word says."""
    if word.name in ("leave", "left_out") and (mask.node == Cloud() or is_place(mask.node)):
        yield Handling(mask.node, word.name)


@rule(Handling, Word)
def handle_ground(handled: Handling, word: Word, names: Names) -> Iterable[Phrase]:
    """Leave cloudy pixels + out; leave cloudy pixels + in."""
    if word.name == "out":
        yield from leave_out(Word("left_out"), Mask(handled.node), names)
    if word.name == "in" and handled.verb == "leave" and handled.node == Cloud():
        yield CLOUDS_IN


@rule(Word, Clouds)
def if_left_out(word: Word, clouds: Clouds, names: Names) -> Iterable[Phrase]:
    """If + cloudy pixels must not count; over + all cloud-free dates."""
    if word.name in ("if", "over"):
        yield clouds


@rule(Word, Location)
def if_ground_left_out(word: Word, ground: Location, names: Names) -> Iterable[Phrase]:
    """If + the forest is left out."""
    if word.name == "if" and isinstance(ground.node, Not):
        yield ground


@rule(DATED, Clouds)
@rule(LED, Clouds, before=True)
def limit_by_clouds(item: Phrase, clouds: Clouds, names: Names) -> Iterable[Phrase]:
    """NDVI + without cloudy pixels."""
    filled = fill_clouds(item, clouds.mode)
    if filled is not None:
        yield filled


@rule(Clouds, Unit)
def clear_dates_counted(clouds: Clouds, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Cloudless + dates, with the time between them: cloudless 2016 dates, which are counted."""
    if clouds.mode == "clear_dates" and unit.of == "date":
        yield replace(unit, clear=True)


@rule(Clouds, Time, either=True)
def clear_and_when(clouds: Clouds, time: Time, names: Names) -> Iterable[Phrase]:
    """Clear dates + of July 2017, both said of what follows."""
    yield Many((replace(time), clouds))


@rule(DATED, Many)
@rule(LED, Many, before=True)
def clear_and_dated(item: Phrase, said: Many, names: Names) -> Iterable[Phrase]:
    """NDVI + clear dates of July 2017."""
    if len(said.of) != 2 or not isinstance(said.of[0], Time) or not isinstance(said.of[1], Clouds):
        return
    filled = fill_time(item, said.of[0].when)
    filled = None if filled is None else fill_clouds(filled, said.of[1].mode)
    if filled is not None:
        yield filled


@rule(Share, Value, cost=2)
def share_of_the_dates(share: Share, found: Value, names: Names) -> Iterable[Phrase]:
    """Share of + the cloudy dates in 2017: of all dates of that time."""
    if isinstance(found.node, Dates) and found.node.pick == "all":
        made = Aggregate("share", found.node.of, "date")
        if kind_or_none(made) is not None:
            yield Value(made)
