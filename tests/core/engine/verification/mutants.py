"""Change one word, number, date or name of honest answers at a time, and report which changes pass.

``python -m tests.core.engine.verification.mutants`` makes one mutant of each operation of every honest answer
of these tests, and prints by operation how many of them the check of answers lets pass. ``--show denial``
prints the survivors of one operation. Some of them are true or say nothing (a list in another order): the
share is a bound, and what it is good for is the change from one state of the rules to the next.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tests.core.engine.verification import test_cheats, test_misstatements, test_other_words
from tests.core.engine.verification.test_cheats import Told
from treeline.core.engine.verification.claims import dates_in
from treeline.core.engine.verification.results import numbers_in

Operation = Callable[[Told, random.Random], Iterator[str]]
_NUMBER = re.compile(r"(?<![\w.,/-])[-\u2212]?\d[\d,]*(?:\.\d+)?(?![\w.]*\d)(?![-/]\d)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_VERB = re.compile(r"\b(?:is|was|are|were|has|have|had)\b(?! not)(?!n.t)")
_PAIRS = (
    *("highest lowest", "largest smallest", "warmest coolest", "hottest coldest", "above below", "rose fell"),
    *("more less", "higher lower", "larger smaller", "warmer cooler", "increased decreased", "gained lost"),
    *("maximum minimum", "first last", "exceeds trails", "positive negative", "grew shrank", "rises falls"),
)
_OPPOSITES = {a: b for pair in _PAIRS for a, b in (pair.split(), pair.split()[::-1])}
_STATISTICS = ("mean", "median", "maximum", "minimum", "sum")
_UNITS = {
    "K": "\u00b0C",
    "\u00b0C": "K",
    "ha": "km\u00b2",
    "km\u00b2": "ha",
    "m": "km",
    "days": "months",
    "months": "days",
}


@dataclass(frozen=True)
class Mutant:
    """An honest answer with one change, and whether it passes."""

    name: str
    operation: str
    text: str
    passes: bool


def _exchange(text: str, match: re.Match[str], new: str) -> str:
    new = new[:1].upper() + new[1:] if match[0][:1].isupper() and not match[0].isupper() else new
    return f"{text[: match.start()]}{new}{text[match.end() :]}"


def _in_words(words: dict[str, str]) -> Operation:
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b", re.I)

    def mutate(told: Told, chance: random.Random) -> Iterator[str]:
        for match in pattern.finditer(told.text):
            yield _exchange(told.text, match, words[match[0].casefold()])

    return mutate


def _deny(told: Told, chance: random.Random) -> Iterator[str]:
    yield from (f"{told.text[: m.end()]} not{told.text[m.end() :]}" for m in _VERB.finditer(told.text))


def _exchange_statistics(told: Told, chance: random.Random) -> Iterator[str]:
    for match in re.finditer(rf"\b(?:{'|'.join(_STATISTICS)})\b", told.text, re.I):
        yield _exchange(told.text, match, chance.choice([s for s in _STATISTICS if s != match[0].casefold()]))


def _exchange_units(told: Told, chance: random.Random) -> Iterator[str]:
    for match in re.finditer(rf"(?<=\d )(?:{'|'.join(_UNITS)})(?![\w\u00b2])", told.text):
        yield f"{told.text[: match.start()]}{_UNITS[match[0]]}{told.text[match.end() :]}"


def _numbers(text: str) -> list[re.Match[str]]:
    dates = [match.span() for match in _DATE.finditer(text)]
    found = (m for m in _NUMBER.finditer(text) if not any(a <= m.start() < b for a, b in dates))
    return [match for match in found if not _YEAR.fullmatch(match[0])]


def _written(number: float, like: str) -> str:
    places = len(like.partition(".")[2])
    return f"{number:,.{places}f}" if "," in like else f"{number:.{places}f}"


def _tenfold(told: Told, chance: random.Random) -> Iterator[str]:
    for match in _numbers(told.text):
        number = float(match[0].replace(",", "").replace("\u2212", "-"))
        if number:
            yield _exchange(told.text, match, _written(10 * number, match[0]))


def _exchange_numbers(told: Told, chance: random.Random) -> Iterator[str]:
    known = [n for _, seen in told.results for n in numbers_in(seen.value)]
    for match in _numbers(told.text):
        others = [each for n in known if (each := _written(n, match[0])) != match[0]]
        yield from [_exchange(told.text, match, chance.choice(others))] if others else []


def _exchange_dates(told: Told, chance: random.Random) -> Iterator[str]:
    known = sorted({date for _, seen in told.results for date in dates_in(f"{seen.text} {seen.arguments}")})
    for match in _DATE.finditer(told.text):
        others = [date for date in known if len(date) == len(match[0]) and date != match[0]]
        yield from [_exchange(told.text, match, chance.choice(others))] if others else []


def _swap(matches: Sequence[re.Match[str]], text: str) -> Iterator[str]:
    for one, other in zip(matches, matches[1:], strict=False):
        if one[0] != other[0]:
            between = text[one.end() : other.start()]
            yield f"{text[: one.start()]}{other[0]}{between}{one[0]}{text[other.end() :]}"


def _swap_numbers(told: Told, chance: random.Random) -> Iterator[str]:
    yield from _swap(_numbers(told.text), told.text)


def _swap_names(told: Told, chance: random.Random) -> Iterator[str]:
    rows = [row for _, seen in told.results for row in (seen.value if isinstance(seen.value, list) else [])]
    names = {str(row["name"]) for row in rows if isinstance(row, dict) and row.get("name")}
    if names:
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b", re.I)
        yield from _swap([*pattern.finditer(told.text)], told.text)


OPERATIONS: dict[str, Operation] = {
    "denial": _deny,
    "opposite": _in_words(_OPPOSITES),
    "statistic": _exchange_statistics,
    "unit": _exchange_units,
    "tenfold": _tenfold,
    "other number": _exchange_numbers,
    "other date": _exchange_dates,
    "swapped numbers": _swap_numbers,
    "swapped names": _swap_names,
}


def honest_answers() -> dict[str, Told]:
    """Return the honest answers of these tests by name."""
    names = (*test_other_words.ANSWERS["honest"], *test_other_words.FURTHER["honest"])
    others = {name: test_other_words.told("honest", name) for name in names}
    return {**test_cheats.HONEST, **test_misstatements.HONEST, **others}


def mutants(operation: str, seed: int = 1) -> Iterator[Mutant]:
    """Yield one mutant of each honest answer that an operation can change.

    Parameters
    ----------
    operation : str
        One of ``OPERATIONS``.
    seed : int
        Which of the places is changed, and by what.
    """
    for name, told in honest_answers().items():
        chance = random.Random(f"{seed} {operation} {name}")
        if changed := [*OPERATIONS[operation](told, chance)]:
            # Without the number and the option that stay true.
            mutant = replace(told, text=chance.choice(changed), value=None, choice=None)
            yield Mutant(name, operation, mutant.text, not mutant.why())


def main() -> None:
    """Print by operation how many mutants pass."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", choices=list(OPERATIONS), help="print the survivors of an operation")
    told = parser.parse_args()
    passed = total = 0
    for operation in [told.show] if told.show else OPERATIONS:
        found = [*mutants(operation, told.seed)]
        alive = [mutant for mutant in found if mutant.passes]
        passed, total = passed + len(alive), total + len(found)
        print(f"{operation:16} {len(alive):4} of {len(found):4} pass")
        if told.show:
            print("\n".join(f"  {mutant.name}: {mutant.text!r}" for mutant in alive))
    print(f"{'all':16} {passed:4} of {total:4} pass, {passed / max(total, 1):.1%}")


if __name__ == "__main__":
    main()
