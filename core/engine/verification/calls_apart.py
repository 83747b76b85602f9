"""What several calls of one tool make up together that a word tells apart: a direction, an index, a band.

The word may stand in the call itself or in one that made what it reads: the area of a mask of slopes facing
north, and of one facing south.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from treeline.core.engine.actions import action_name
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import dates_of_file
from treeline.core.engine.verification.compass import ADJECTIVES
from treeline.core.engine.verification.results import is_number, only_number
from treeline.toolkit.variables import VARIABLES

# Arguments whose words tell what is measured, or how: the name of an index, the directions of slopes.
_CHOOSES = frozenset({"name", "names", "directions", "method", "sensor", "measure", "model", "kind"})
# A list of results as a call tells it, where each is of another variable: "2015-08-30 red 0.04; ...".
_TOLD = re.compile(r"(?:^|; )(?:\d{4}[\d-]*\S* )?(?P<name>[a-z][a-z0-9 ]*?) -?[\d.]+(?:e[-+]?\d+)?(?=;|$)")
_SEVERAL = 2


@dataclass(frozen=True)
class CallsApart:
    """The numbers of calls of one tool by the word that tells them apart, the last of them, and their date.

    Attributes
    ----------
    numbers, aliases : mapping
        By word; other words for one of them.
    date : str
        The only one that all of them are of; empty where there is none, or several.
    """

    last: Step
    numbers: Mapping[str, float]
    aliases: Mapping[str, str]
    date: str = ""


@dataclass(frozen=True, slots=True)
class _Cell:
    """A number that a call found, with the words and the dates of what it was made of."""

    step: Step
    number: float
    words: tuple[str, ...]
    dates: frozenset[str]


@dataclass
class _Trace:
    """The words and dates of the files that were made so far."""

    words: dict[str, tuple[str, ...]] = field(default_factory=dict)
    dates: dict[str, frozenset[str]] = field(default_factory=dict)

    def follow(self, step: Step) -> Iterator[_Cell]:
        """Keep what a step wrote, and yield the numbers that it found."""
        given = step.observation.arguments or {}
        own = [word for name, item in given.items() for word in _words_of(name, item)]
        listed = next((item for item in given.values() if _is_list_of_files(item)), None)
        of_items = [self._of(item, own) for item in listed or ()]
        whole = self._of([*given.values()], own)
        made = step.observation.products
        for place, product in enumerate(made):
            words, dates = of_items[place] if len(of_items) == len(made) > 1 else whole
            dates = frozenset({product.date[:10]}) if product.date else dates
            for name in (product.name, product.path):
                self.words[file_name(name)], self.dates[file_name(name)] = words, dates
        value = step.observation.value
        if (number := only_number(step)) is not None:
            yield _Cell(step, number, *whole)
        elif isinstance(value, list) and len(of_items) == len(value) > 1 and all(map(is_number, value)):
            named = [match["name"] for match in _TOLD.finditer(step.observation.text)]
            told = len(set(named)) == len(named) == len(value)
            for place, number in enumerate(value):
                words, dates = of_items[place]
                yield _Cell(step, float(number), (*words, named[place]) if told else words, dates)

    def _of(self, argument: object, own: Sequence[str]) -> tuple[tuple[str, ...], frozenset[str]]:
        """Return the words and dates of the files that an argument names, and a call's own words."""
        files = [file_name(text) for text in texts(argument)]
        words = [*own, *(word for name in files for word in self.words.get(name, ()))]
        dates = [date for name in files for date in self.dates.get(name, dates_of_file(name)[:1])]
        return tuple(dict.fromkeys(words)), frozenset(dates)


def calls_apart(steps: Sequence[Step], known: Sequence[Step]) -> Iterator[CallsApart]:
    """Yield what calls of one tool make up together, each of which one word of its own tells apart.

    Parameters
    ----------
    steps : sequence of Step
        Those whose results count.
    known : sequence of Step
        All that were carried out, in order: the words may be those of an earlier one.
    """
    trace, counted = _Trace(), {step.number for step in steps}
    kinds: dict[tuple[str, str, str, frozenset[str]], list[_Cell]] = {}
    for step in known:
        for cell in trace.follow(step):
            asked = str((step.observation.arguments or {}).get("statistic", ""))
            kind = (action_name(step.action), step.observation.unit, asked, cell.dates)
            if step.number in counted:
                kinds.setdefault(kind, []).append(cell)
    for (*_, dates), cells in kinds.items():
        own = _own_words([cell.words for cell in cells])
        if len(own) == len(cells) >= _SEVERAL:
            numbers = {word: cell.number for word, cell in zip(own, cells, strict=True)}
            date = next(iter(dates)) if len(dates) == 1 else ""
            yield CallsApart(cells[-1].step, numbers, _aliases(own), date)


def _own_words(words: Sequence[Sequence[str]]) -> list[str]:
    """Return the first word of each that no other one has; fewer where one has none of its own."""
    return [
        own[0]
        for place, each in enumerate(words)
        if (own := [w for w in each if not any(w in other for n, other in enumerate(words) if n != place)])
    ]


def _words_of(name: str, argument: object) -> Iterator[str]:
    if name in _CHOOSES:
        yield from (text.casefold() for text in texts(argument))


def _is_list_of_files(argument: object) -> bool:
    return isinstance(argument, list) and len(argument) > 1 and all(isinstance(i, str) for i in argument)


def _aliases(words: Sequence[str]) -> dict[str, str]:
    """Return other words for those that tell calls apart: northern, near infrared."""
    found = {adjective: word for word in words for adjective in ADJECTIVES.get(word, ())}
    return found | {
        other: word for word in words if word in VARIABLES for other in VARIABLES[word].words if other != word
    }
